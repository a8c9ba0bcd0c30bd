// run_command.c: starts the command through a shell, reads what it says, and keeps the scratch folder of tests.
#define _POSIX_C_SOURCE 200809L
#include "cli/run_command.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char scratch[64];

const char *ffi_command_path(void)
{
  const char *path = getenv("FF_COMMAND");
  setenv("FOOTFALL_OUT", "", 0); // logs are written by tests that ask for them
  return path && *path ? path : FFI_TEST_COMMAND;
}

const char *ffi_scratch_folder(void)
{
  if (!scratch[0]) {
    strcpy(scratch, "/tmp/footfall-cli-XXXXXX");
    assert_non_null(mkdtemp(scratch));
  }
  return scratch;
}

void ffi_clean_up(void)
{
  if (!scratch[0])
    return;
  DIR *folder = opendir(scratch);
  for (struct dirent *entry; folder && (entry = readdir(folder));) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", scratch, entry->d_name);
    if (entry->d_name[0] != '.')
      remove(path);
  }
  if (folder)
    closedir(folder);
  rmdir(scratch);
  scratch[0] = '\0';
}

int ffi_tear_down(void **state)
{
  (void)state;
  ffi_clean_up();
  return 0;
}

const char *ffi_write_file(const char *name, const char *content, int length)
{
  static char path[512];
  snprintf(path, sizeof path, "%s/%s", ffi_scratch_folder(), name);
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(content, 1, (size_t)length, file), length);
  assert_int_equal(fclose(file), 0);
  return path;
}

static char *read_all(FILE *file)
{
  size_t size = 0, capacity = 1 << 16;
  char *text = malloc(capacity);
  assert_non_null(text);
  for (size_t got; (got = fread(text + size, 1, capacity - size - 1, file)) > 0;) {
    size += got;
    if (capacity - size < 4096) {
      capacity *= 2;
      text = realloc(text, capacity);
      assert_non_null(text);
    }
  }
  text[size] = '\0';
  return text;
}

ffi_output ffi_run_program(const char *prefix, const char *program, const char *arguments)
{
  char line[4096], err_path[512];
  ffi_output output = {0};
  snprintf(err_path, sizeof err_path, "%s/stderr", ffi_scratch_folder());
  const int length =
      snprintf(line, sizeof line, "%s '%s' %s 2>'%s' </dev/null", prefix, program, arguments, err_path);
  assert_true(length > 0 && length < (int)sizeof line);
  FILE *pipe = popen(line, "r");
  assert_non_null(pipe);
  output.out = read_all(pipe);
  const int ended = pclose(pipe);
  if (!WIFEXITED(ended))
    fail_msg("killed by signal %d: %s", WTERMSIG(ended), line);
  output.status = WEXITSTATUS(ended);
  FILE *err = fopen(err_path, "r");
  assert_non_null(err);
  output.err = read_all(err);
  fclose(err);
  return output;
}

ffi_output ffi_run(const char *prefix, const char *arguments_format, ...)
{
  char arguments[2048];
  va_list list;
  va_start(list, arguments_format);
  const int length = vsnprintf(arguments, sizeof arguments, arguments_format, list);
  va_end(list);
  assert_true(length >= 0 && length < (int)sizeof arguments);
  return ffi_run_program(prefix, ffi_command_path(), arguments);
}

void ffi_output_free(ffi_output *output)
{
  free(output->out);
  free(output->err);
  *output = (ffi_output){0};
}

const char *ffi_scratch_path(const char *name)
{
  static char path[2][512];
  static int at;
  at = !at;
  snprintf(path[at], sizeof path[at], "%s/%s", ffi_scratch_folder(), name);
  return path[at];
}

void ffi_must_refuse(const char *command, const char *arguments, int status, const char *words)
{
  ffi_output output = ffi_run("", "%s %s", command, arguments);
  if (output.status != status || !strstr(output.err, words))
    fail_msg("%s %s: status %d, %s", command, arguments, output.status, output.err);
  assert_int_equal(strncmp(output.err, "footfall: ", 10), 0);
  assert_string_equal(strchr(output.err, '\n'), "\n");
  assert_string_equal(output.out, "");
  ffi_output_free(&output);
}
