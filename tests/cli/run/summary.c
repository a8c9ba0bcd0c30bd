// summary.c: runs `footfall run --json` and reads members of its summary.
#include "cli/run/summary.h"

#include "cli/run_command.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

ffi_json_value *ffi_summary_of(int status, const char *arguments)
{
  char why[200];
  ffi_output output = ffi_run("", "run %s --json", arguments);
  if (output.status != status)
    fail_msg("run %s: exit status %d instead of %d: %s", arguments, output.status, status, output.err);
  if (status == 0 && output.err[0])
    fail_msg("run %s: stderr is not empty: %s", arguments, output.err);
  ffi_json_value *summary = ffi_json_parse(output.out, why);
  if (!summary)
    fail_msg("run %s: no JSON: %s", arguments, why);
  ffi_output_free(&output);
  return summary;
}

double ffi_number(const ffi_json_value *value, const char *key)
{
  const ffi_json_value *found = ffi_json_get(value, key);
  if (found->type != FFI_JSON_NUMBER)
    fail_msg("'%s' is no number", key);
  return found->number;
}

double ffi_inner(const ffi_json_value *value, const char *key, const char *key_inside)
{
  return ffi_number(ffi_json_get(value, key), key_inside);
}

const char *ffi_text(const ffi_json_value *value, const char *key)
{
  const ffi_json_value *found = ffi_json_get(value, key);
  assert_int_equal(found->type, FFI_JSON_STRING);
  return found->text;
}

int ffi_has_note(const ffi_json_value *summary, const char *words)
{
  for (const ffi_json_value *note = ffi_json_get(summary, "notes")->first; note; note = note->next)
    if (strstr(note->text, words))
      return 1;
  return 0;
}

double ffi_normal_forces(const ffi_json_value *summary)
{
  double sum = 0;
  for (const ffi_json_value *c = ffi_json_get(summary, "contacts")->first; c; c = c->next)
    for (int k = 0; k < 3; ++k)
      sum += ffi_json_at(ffi_json_get(c, "force"), k)->number *
             ffi_json_at(ffi_json_get(c, "normal"), k)->number;
  return sum;
}
