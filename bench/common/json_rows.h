/// json_rows.h: the results of a benchmark for machines: a JSON list of {"case", "metric", "value", "unit"}. A value is
/// a number or a text, such as a verdict.
#ifndef BENCH_JSON_ROWS_H
#define BENCH_JSON_ROWS_H

#include "common/output_file.h"

#include <stdio.h>

typedef struct bench_json_rows bench_json_rows;

bench_json_rows *bench_json_rows_create(void); ///< NULL if there is no memory
void bench_json_rows_destroy(bench_json_rows *rows);

/// Append one row; the strings are copied. A value that is not finite becomes null.
void bench_json_rows_add(bench_json_rows *rows, const char *which, const char *metric, double value,
                         const char *unit);

/// The same with a text of any length as the value; its unit is "".
void bench_json_rows_add_word(bench_json_rows *rows, const char *which, const char *metric, const char *word);

/// A row. `word` is NULL if the value is a number; strings live until the next row is added.
typedef struct bench_json_rows_row {
  const char *which, *metric, *unit, *word;
  double value;
} bench_json_rows_row;

int bench_json_rows_count(const bench_json_rows *rows);
bench_json_rows_row bench_json_rows_get(const bench_json_rows *rows, int index);

/// The row's index, -1 if there is none.
int bench_json_rows_find(const bench_json_rows *rows, const char *which, const char *metric);

/// Write all rows to the file and finish it. Returns 0 with errno set if something was not written; NULL rows, or a row
/// that was lost, count as a lack of memory.
int bench_json_rows_save(const bench_json_rows *rows, bench_output_file *file);

#endif
