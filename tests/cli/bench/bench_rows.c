// bench_rows.c: runs `footfall bench` and checks its JSON, its help, its report and what it refuses.
#define _POSIX_C_SOURCE 200809L
#include "cli/bench/bench_rows.h"

#include "cli/run_command.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

ffi_json_value *ffi_bench_rows(const char *arguments)
{
  return ffi_bench_rows_with("", arguments);
}

ffi_json_value *ffi_bench_rows_with(const char *environment, const char *arguments)
{
  char why[200];
  ffi_output output = ffi_run(environment, "bench %s --json -", arguments);
  if (output.status != 0)
    fail_msg("exit status %d: %s", output.status, output.err);
  assert_string_equal(output.err, ""); // progress is for terminals
  ffi_json_value *rows = ffi_json_parse(output.out, why);
  if (!rows)
    fail_msg("not JSON: %s", why);
  ffi_output_free(&output);
  return rows;
}

static int is_row(const ffi_json_value *row, const char *which, const char *metric)
{
  return strcmp(ffi_json_get(row, "case")->text, which) == 0 &&
         strcmp(ffi_json_get(row, "metric")->text, metric) == 0;
}

// Rows that are texts: those of claims, what a run was made with, and why something was not measured.
static int has_text(const ffi_json_value *row)
{
  static const char *const texts[] = {
      "about:", "claim:",  "where:",    "says:",   "rule:",          "bounds:", "why:",
      "goal:",  "why_not", "no_lanes:", "solver:", "mujoco:setting", "scene"};
  const char *metric = ffi_json_get(row, "metric")->text;
  if (strcmp(ffi_json_get(row, "case")->text, "run") == 0)
    return 1;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i)
    if (strncmp(metric, texts[i], strlen(texts[i])) == 0)
      return 1;
  return 0;
}

void ffi_bench_check_schema(const ffi_json_value *rows, int has_nulls)
{
  assert_int_equal(rows->type, FFI_JSON_ARRAY);
  for (const ffi_json_value *row = rows->first; row; row = row->next) {
    assert_int_equal(row->type, FFI_JSON_OBJECT);
    assert_int_equal(row->count, 4);
    assert_int_equal(ffi_json_get(row, "case")->type, FFI_JSON_STRING);
    assert_int_equal(ffi_json_get(row, "metric")->type, FFI_JSON_STRING);
    const int is_text = has_text(row);
    if (!has_nulls || ffi_json_get(row, "value")->type != FFI_JSON_NULL)
      assert_int_equal(ffi_json_get(row, "value")->type, is_text ? FFI_JSON_STRING : FFI_JSON_NUMBER);
    assert_int_equal(ffi_json_get(row, "unit")->type, FFI_JSON_STRING);
    for (const ffi_json_value *other = row->next; other; other = other->next) // once each
      assert_false(is_row(other, ffi_json_get(row, "case")->text, ffi_json_get(row, "metric")->text));
  }
}

double ffi_bench_find(const ffi_json_value *rows, const char *which, const char *metric, const char *unit)
{
  for (const ffi_json_value *row = rows->first; row; row = row->next)
    if (is_row(row, which, metric)) {
      assert_string_equal(ffi_json_get(row, "unit")->text, unit);
      assert_int_equal(ffi_json_get(row, "value")->type, FFI_JSON_NUMBER);
      return ffi_json_get(row, "value")->number;
    }
  return NAN;
}

const char *ffi_bench_find_word(const ffi_json_value *rows, const char *which, const char *metric)
{
  for (const ffi_json_value *row = rows->first; row; row = row->next)
    if (is_row(row, which, metric)) {
      assert_int_equal(ffi_json_get(row, "value")->type, FFI_JSON_STRING);
      return ffi_json_get(row, "value")->text;
    }
  return NULL;
}

void ffi_bench_check_refusal(const char *arguments, int status, const char *words)
{
  ffi_output output = ffi_run("", "bench %s", arguments);
  const char *newline = strchr(output.err, '\n');
  if (output.status != status || strncmp(output.err, "footfall: ", 10) != 0 || !newline || newline[1] ||
      !strstr(output.err, words) || output.out[0])
    fail_msg("bench %s: exit status %d instead of %d, or not one line of footfall's with '%s': %s", arguments,
             output.status, status, words, output.err);
  ffi_output_free(&output);
}

void ffi_bench_check_refusals(const ffi_bench_refusal *refusals, int count)
{
  for (int i = 0; i < count; ++i)
    ffi_bench_check_refusal(refusals[i].arguments, refusals[i].status, refusals[i].words);
}

void ffi_bench_check_help(const char *name, const char *const *words)
{
  ffi_output output = ffi_run("", "bench %s --help", name);
  assert_int_equal(output.status, 0);
  for (; *words; ++words)
    if (!strstr(output.out, *words))
      fail_msg("bench %s --help does not say '%s'", name, *words);
  ffi_output_free(&output);
}

int ffi_bench_forget(void **state)
{
  ffi_json_free(*state);
  return 0;
}

double ffi_bench_need(const ffi_json_value *rows, const char *which, const char *metric, const char *unit)
{
  const double value = ffi_bench_find(rows, which, metric, unit);
  if (isnan(value))
    fail_msg("%s has no row %s", which, metric);
  return value;
}

double ffi_bench_spent(void)
{
  struct rusage used;
  getrusage(RUSAGE_CHILDREN, &used);
  return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

void ffi_bench_check_report(const char *name, const char *const *words)
{
  static const char *const always[] = {"<!DOCTYPE html>", "</html>", NULL};
  static const char *const forbidden[] = {"<script", "<link", "src=", "href=\"h", "href=\"/", ">nan", "nan<",
                                          ",nan",    "nan,",  " nan", "nan ",     "\"nan",    "inf<"};
  enum { LARGEST = 1 << 21 };
  char path[512], *text = calloc(LARGEST + 1, 1);
  assert_non_null(text);
  snprintf(path, sizeof path, "%s/%s", ffi_scratch_folder(), name);
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  assert_true(fread(text, 1, LARGEST, file) < LARGEST);
  fclose(file);
  const char *const *lists[] = {always, words};
  for (int k = 0; k < 2; ++k)
    for (const char *const *word = lists[k]; *word; ++word)
      if (!strstr(text, *word))
        fail_msg("the report has no '%s'", *word);
  for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; ++i)
    if (strstr(text, forbidden[i]))
      fail_msg("the report has '%s'", forbidden[i]);
  free(text);
}
