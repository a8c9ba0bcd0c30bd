/// summary.h: what `footfall run --json` says, for tests of it.
#ifndef FFI_TESTS_SUMMARY_H
#define FFI_TESTS_SUMMARY_H

#include "cli/json_value.h"
#include "cli/run_command.h"

/// Models that come with Footfall, quoted for the shell.
#define MODEL(file) "'" FFI_TEST_SOURCE_DIR "/models/" file "'"
#define SOLO12 MODEL("solo12.urdf")

/// The summary of "run ARGUMENTS --json", which must end with `status`. Free it with ffi_json_free().
ffi_json_value *ffi_summary_of(int status, const char *arguments);

/// A number or text of it; a failed test if there is none.
double ffi_number(const ffi_json_value *value, const char *key);
double ffi_inner(const ffi_json_value *value, const char *key, const char *key_inside);
const char *ffi_text(const ffi_json_value *value, const char *key);

/// Is there a note with these words?
int ffi_has_note(const ffi_json_value *summary, const char *words);

/// Sum over the contacts [N].
double ffi_normal_forces(const ffi_json_value *summary);

#endif
