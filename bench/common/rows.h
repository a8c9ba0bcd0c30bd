/// rows.h: the figures of a bench, for machines: a JSON list of {"case", "metric", "value", "unit"}. A value is a number or a text, such as a verdict.
#ifndef BENCH_ROWS_H
#define BENCH_ROWS_H

#include "common/late_file.h"

#include <stdio.h>

typedef struct bench_rows bench_rows;

bench_rows *bench_rows_create(void); ///< NULL if there is no memory
void bench_rows_destroy(bench_rows *rows);

/// Append one row; the strings are copied. A value that is not finite becomes null.
void bench_rows_add(bench_rows *rows, const char *which, const char *metric, double value, const char *unit);

/// The same with a text of any length as the value; its unit is "".
void bench_rows_add_word(bench_rows *rows, const char *which, const char *metric, const char *word);

/// What is there. `word` is NULL if the value is a number; strings live until the next row is added.
typedef struct bench_row {
  const char *which, *metric, *unit, *word;
  double value;
} bench_row;

int bench_rows_count(const bench_rows *rows);
bench_row bench_rows_get(const bench_rows *rows, int index);

/// The row's index, -1 if there is none.
int bench_rows_find(const bench_rows *rows, const char *which, const char *metric);

/// Write them all; whether that went well, the file knows.
void bench_rows_write(const bench_rows *rows, FILE *file);

/// Begin the file, write them all and end it. 0 if something was not written, with errno's reason; no rows at all (NULL), or a row
/// lost before, is a lack of memory.
int bench_rows_save(const bench_rows *rows, bench_late_file *file);

#endif
