// csv_table.c: reads a log in CSV, titles first, then cells, and fails the test where its form is wrong.
#define _POSIX_C_SOURCE 200809L
#include "cli/run/csv_table.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// One cell from `at`, its quotes resolved, as a new string; `at` moves behind the comma or stays at the newline.
static char *take_cell(const char **at, const char *name)
{
  const char *from = *at;
  char *cell = calloc(1, strlen(from) + 1);
  size_t length = 0;
  assert_non_null(cell);
  if (*from == '"') {
    for (++from; *from != '"' || from[1] == '"'; ++from) {
      if (!*from)
        fail_msg("%s: a quote that does not end", name);
      from += *from == '"';
      cell[length++] = *from;
    }
    ++from;
  } else {
    while (*from && !strchr(",\n\"", *from))
      cell[length++] = *from++;
  }
  if (*from != ',' && *from != '\n')
    fail_msg("%s: the cell '%s' ends neither with a comma nor with the line", name, cell);
  *at = from + (*from == ',');
  return cell;
}

static void take_titles(ffi_csv_table *t, const char **at, const char *name)
{
  for (int is_last = 0; !is_last;) {
    char **more = realloc(t->titles, ((size_t)t->columns + 1) * sizeof *more);
    assert_non_null(more);
    t->titles = more;
    t->titles[t->columns++] = take_cell(at, name);
    is_last = **at == '\n' && (*at)[-1] != ',';
  }
  ++*at;
}

static void take_row(ffi_csv_table *t, const char **at, const char *name)
{
  double *more = realloc(t->cells, ((size_t)t->rows + 1) * (size_t)t->columns * sizeof *more);
  assert_non_null(more);
  t->cells = more;
  for (int c = 0; c < t->columns; ++c) {
    if (**at == '\n' && c > 0 && (*at)[-1] != ',')
      fail_msg("%s: row %d has %d cells instead of %d", name, t->rows, c, t->columns);
    char *cell = take_cell(at, name), *end;
    t->cells[t->rows * t->columns + c] = *cell ? strtod(cell, &end) : (double)NAN;
    if (*cell && *end)
      fail_msg("%s: row %d, '%s': '%s' is no number", name, t->rows, t->titles[c], cell);
    free(cell);
  }
  if (**at != '\n')
    fail_msg("%s: row %d has more than %d cells", name, t->rows, t->columns);
  ++*at;
  ++t->rows;
}

ffi_csv_table ffi_csv_parse(const char *text, const char *name)
{
  ffi_csv_table table = {0};
  const size_t length = strlen(text);
  if (length == 0 || text[length - 1] != '\n')
    fail_msg("%s does not end with a whole line", name);
  const char *at = text;
  take_titles(&table, &at, name);
  while (*at && *at != '#')
    take_row(&table, &at, name);
  snprintf(table.remark, sizeof table.remark, "%s", at);
  if (*at && strchr(at, '\n')[1])
    fail_msg("%s goes on after its remark", name);
  return table;
}

ffi_csv_table ffi_csv_read(const char *path)
{
  FILE *file = fopen(path, "rb");
  if (!file)
    fail_msg("%s was not written", path);
  char *text = NULL;
  size_t size = 0;
  FILE *copy = open_memstream(&text, &size);
  assert_non_null(copy);
  for (int c; (c = fgetc(file)) != EOF;)
    fputc(c, copy);
  fclose(copy);
  fclose(file);
  ffi_csv_table table = ffi_csv_parse(text, path);
  free(text);
  return table;
}

void ffi_csv_free(ffi_csv_table *table)
{
  for (int c = 0; c < table->columns; ++c)
    free(table->titles[c]);
  free(table->titles);
  free(table->cells);
  *table = (ffi_csv_table){0};
}

int ffi_csv_column(const ffi_csv_table *table, const char *title)
{
  for (int c = 0; c < table->columns; ++c)
    if (strcmp(table->titles[c], title) == 0)
      return c;
  fail_msg("there is no column '%s'", title);
  return -1;
}

double ffi_csv_cell(const ffi_csv_table *table, int row, const char *title)
{
  const int column = ffi_csv_column(table, title);
  assert_true(row >= 0 && row < table->rows);
  return table->cells[row * table->columns + column];
}
