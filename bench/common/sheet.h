/// sheet.h: a table on stdout, row by row: columns for a terminal, bars for Markdown, or nothing when stdout is for rows.h.
#ifndef BENCH_SHEET_H
#define BENCH_SHEET_H

typedef struct bench_sheet {
  int is_silent, is_markdown;
  int first_width, width; ///< of columns on a terminal
} bench_sheet;

/// A line of text before a table, as printf.
void bench_sheet_say(const bench_sheet *sheet, const char *format, ...) __attribute__((format(printf, 2, 3)));

/// The first row.
void bench_sheet_titles(const bench_sheet *sheet, const char *corner, int count, char titles[][24]);

/// A row: begin, its cells, end.
void bench_sheet_row(const bench_sheet *sheet, const char *name);
void bench_sheet_text(const bench_sheet *sheet, const char *text);
void bench_sheet_error(const bench_sheet *sheet, double value);  ///< 1.2e-3; blank if it is not finite
void bench_sheet_number(const bench_sheet *sheet, double value); ///< three digits; blank if it is not finite
void bench_sheet_end(const bench_sheet *sheet);

#endif
