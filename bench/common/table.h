/// table.h: a table on stdout, row by row: aligned columns, Markdown, or nothing when stdout is for json_rows.h.
#ifndef BENCH_TABLE_H
#define BENCH_TABLE_H

typedef struct bench_table {
  int is_silent, is_markdown;
  int first_width, width; ///< of columns on a terminal
} bench_table;

/// A line of text before a table, as printf.
void bench_table_say(const bench_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

/// The first row.
void bench_table_titles(const bench_table *table, const char *corner, int count, char titles[][24]);

/// A row: begin, its cells, end.
void bench_table_row(const bench_table *table, const char *name);
void bench_table_text(const bench_table *table, const char *text);
void bench_table_error(const bench_table *table, double value);  ///< 1.2e-3; blank if it is not finite
void bench_table_number(const bench_table *table, double value); ///< three digits; blank if it is not finite
void bench_table_end(const bench_table *table);

#endif
