/// rows.h: the figures of a bench, for machines: a JSON list of {"case", "metric", "value", "unit"}.
#ifndef BENCH_ROWS_H
#define BENCH_ROWS_H

typedef struct bench_rows bench_rows;

bench_rows *bench_rows_create(void); ///< NULL if there is no memory
void bench_rows_destroy(bench_rows *rows);

/// Append one row; the strings are copied. A value that is not finite becomes null.
void bench_rows_add(bench_rows *rows, const char *which, const char *metric, double value, const char *unit);

/// Write them all; "-" is stdout. 0 if it failed, with errno's reason, also when a row was lost for lack of memory.
int bench_rows_write(const bench_rows *rows, const char *path);

#endif
