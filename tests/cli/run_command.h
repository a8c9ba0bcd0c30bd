/// run_command.h: run the command footfall as a user does, through a shell, and keep what it says.
///
/// The command is FFI_TEST_COMMAND, or what the environment variable FF_COMMAND names.
#ifndef FFI_TESTS_RUN_COMMAND_H
#define FFI_TESTS_RUN_COMMAND_H

typedef struct ffi_output {
  int status; ///< exit status
  char *out;  ///< stdout
  char *err;  ///< stderr
} ffi_output;

/// Path of the command. From now on logs are written only if they are asked for (FOOTFALL_OUT is empty), unless the
/// environment says otherwise.
const char *ffi_command_path(void);

/// A folder for files of this test, made at the first call; ffi_clean_up() removes it and the files in it.
const char *ffi_scratch_folder(void);
void ffi_clean_up(void);
int ffi_tear_down(void **state); ///< the same, at the end of a group of tests

/// A file in the scratch folder; valid until the next call but one.
const char *ffi_scratch_path(const char *name);

/// Write a file into the scratch folder; returns its path, valid until the next call.
const char *ffi_write_file(const char *name, const char *content, int length);

/// Run "PREFIX footfall ARGUMENTS"; the prefix may set environment variables: "NO_COLOR=1 LC_ALL=C". Free the result.
ffi_output ffi_run(const char *prefix, const char *arguments_format, ...)
    __attribute__((format(printf, 2, 3)));

/// The same with any program.
ffi_output ffi_run_program(const char *prefix, const char *program, const char *arguments);

void ffi_output_free(ffi_output *output);

/// "footfall COMMAND ARGUMENTS" must end with this status and one line on stderr that begins with "footfall: " and has
/// these words; nothing is on stdout.
void ffi_must_refuse(const char *command, const char *arguments, int status, const char *words);

#endif
