/// bench_rows.h: what `footfall bench` writes and what it refuses, for tests of it.
#ifndef FFI_TESTS_BENCH_ROWS_H
#define FFI_TESTS_BENCH_ROWS_H

#include "cli/json_value.h"

/// The rows of "bench ARGUMENTS --json -", which must succeed and say nothing on stderr. Free them with
/// ffi_json_free().
ffi_json_value *ffi_bench_rows(const char *arguments);

/// The same with variables of the environment: "FOOTFALL_MUJOCO=none".
ffi_json_value *ffi_bench_rows_with(const char *environment, const char *arguments);

/// A list of {case, metric, value, unit}, every value a number (or null, if `has_nulls`) or, of claims and the like,
/// a text; no metric of a case twice.
void ffi_bench_check_schema(const ffi_json_value *rows, int has_nulls);

/// The value of a metric, whose unit must be this one; NAN if it has no row.
double ffi_bench_find(const ffi_json_value *rows, const char *which, const char *metric, const char *unit);

/// The same, of a metric that must be there.
double ffi_bench_need(const ffi_json_value *rows, const char *which, const char *metric, const char *unit);

/// Processor time of all programs that this one has run so far, by this machine's clock [s].
double ffi_bench_spent(void);

/// A report in the scratch folder is a page that needs no other file, has no figure missing, and has these words, up to
/// a NULL.
void ffi_bench_check_report(const char *name, const char *const *words);

/// The word that is the value of a metric; NULL if it has no row.
const char *ffi_bench_find_word(const ffi_json_value *rows, const char *which, const char *metric);

/// "bench ARGUMENTS" ends with `status` and one line on stderr that starts as all of footfall's do and has `words` in
/// it, nothing on stdout.
void ffi_bench_check_refusal(const char *arguments, int status, const char *words);

/// The same for a table of them.
typedef struct ffi_bench_refusal {
  const char *arguments;
  int status;
  const char *words;
} ffi_bench_refusal;
void ffi_bench_check_refusals(const ffi_bench_refusal *refusals, int count);

/// "bench NAME --help" succeeds and has these words, up to a NULL.
void ffi_bench_check_help(const char *name, const char *const *words);

/// Tear-down of a group of tests with rows in *state.
int ffi_bench_forget(void **state);

#endif
