#include "cli/table.h"

#include "cli/complain.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { GAP = 2, NARROWEST = 12 }; // between columns; what a column that shrinks keeps

void ffi_table_begin(ffi_table *table, const ffi_terminal *terminal, const ffi_column *columns,
                     int column_count)
{
  *table = (ffi_table){.terminal = terminal, .columns = columns, .column_count = column_count};
  table->widths = ffi_need_memory(NULL, (size_t)column_count * sizeof *table->widths);
}

void ffi_table_end(ffi_table *table)
{
  for (int i = 0; i < table->row_count * table->column_count; ++i)
    free(table->cells[i]);
  free(table->cells);
  free(table->widths);
  *table = (ffi_table){0};
}

void ffi_table_add_row(ffi_table *table)
{
  const size_t columns = (size_t)table->column_count;
  if (table->row_count == table->row_capacity) {
    table->row_capacity = table->row_capacity ? 2 * table->row_capacity : 32;
    table->cells =
        ffi_need_memory(table->cells, (size_t)table->row_capacity * columns * sizeof *table->cells);
  }
  memset(table->cells + (size_t)table->row_count * columns, 0, columns * sizeof *table->cells);
  ++table->row_count;
}

static char **cell_at(const ffi_table *table, int row, int column)
{
  return &table->cells[row * table->column_count + column];
}

void ffi_table_set(ffi_table *table, int column, const char *format, ...)
{
  char **cell = cell_at(table, table->row_count - 1, column);
  va_list list;
  va_start(list, format);
  const int length = vsnprintf(NULL, 0, format, list);
  va_end(list);
  if (length < 0)
    return;
  *cell = ffi_need_memory(*cell, (size_t)length + 1);
  va_start(list, format);
  vsnprintf(*cell, (size_t)length + 1, format, list);
  va_end(list);
  ffi_text_tame(table->terminal, *cell);
}

// Widths of the columns as their text wants them, 0 for an empty one; returns the sum with gaps.
static int measure(ffi_table *table)
{
  int total = -GAP;
  for (int c = 0; c < table->column_count; ++c) {
    int widest = 0;
    for (int r = 0; r < table->row_count; ++r) {
      const char *text = *cell_at(table, r, c);
      const int width = text ? ffi_text_width(text) : 0;
      widest = width > widest ? width : widest;
    }
    const int title = ffi_text_width(table->columns[c].title);
    table->widths[c] = widest > 0 && widest < title ? title : widest;
    total += widest > 0 ? table->widths[c] + GAP : 0;
  }
  return total < 0 ? 0 : total;
}

int ffi_table_natural_width(ffi_table *table)
{
  return measure(table);
}

static void fit(ffi_table *table)
{
  int excess = measure(table) - FFI_LINE_WIDTH;
  while (excess > 0) {
    int widest = -1;
    for (int c = 0; c < table->column_count; ++c) {
      if (table->columns[c].may_shrink && (widest < 0 || table->widths[c] > table->widths[widest]))
        widest = c;
    }
    if (widest < 0 || table->widths[widest] <= NARROWEST)
      return;
    --table->widths[widest];
    --excess;
  }
}

// The text, its end replaced by an ellipsis if it is wider than `width` columns.
static void print_cut(const ffi_table *table, const char *text, int width, FILE *out)
{
  if (ffi_text_width(text) <= width) {
    fputs(text, out);
    return;
  }
  fwrite(text, 1, ffi_text_bytes(text, width - 1), out);
  fputs(table->terminal->unicode ? "\u2026" : "~", out);
}

// One line. Spaces behind the last text are not written.
static void print_row(const ffi_table *table, const char *const *cells, int is_title, FILE *out)
{
  int owed = 0; // spaces before the next text
  for (int c = 0; c < table->column_count; ++c) {
    const ffi_column *column = &table->columns[c];
    const int width = table->widths[c];
    const char *text = cells[c] ? cells[c] : "";
    if (width == 0)
      continue;
    const int text_width = ffi_text_width(text);
    const int spare = text_width < width ? width - text_width : 0;
    if (*text) {
      fprintf(out, "%*s", owed + (column->is_right ? spare : 0), "");
      ffi_terminal_look(table->terminal, is_title ? FFI_LOOK_FAINT : column->look, out);
      print_cut(table, text, width, out);
      ffi_terminal_look(table->terminal, FFI_LOOK_PLAIN, out);
      owed = (column->is_right ? 0 : spare) + GAP;
    } else {
      owed += width + GAP;
    }
  }
  fputc('\n', out);
}

void ffi_table_print(ffi_table *table, FILE *out)
{
  const char **titles = ffi_need_memory(NULL, (size_t)table->column_count * sizeof *titles);
  for (int c = 0; c < table->column_count; ++c)
    titles[c] = table->columns[c].title;
  fit(table);
  print_row(table, titles, 1, out);
  for (int r = 0; r < table->row_count; ++r)
    print_row(table, (const char *const *)cell_at(table, r, 0), 0, out);
  free(titles);
}
