/// table.h: rows of text in columns that line up.
///
/// Columns are as wide as their widest cell; a column without any text is left out. If the whole is wider than
/// FFI_LINE_WIDTH, the widest of the columns that may shrink are cut, and what is cut ends with an ellipsis.
#ifndef FFI_APPS_TABLE_H
#define FFI_APPS_TABLE_H

#include "cli/terminal.h"

#include <stdio.h>

typedef struct ffi_column {
  const char *title;
  int is_right;   ///< aligned at its right edge, as numbers are
  int may_shrink; ///< may be cut
  ffi_look look;
} ffi_column;

typedef struct ffi_table {
  const ffi_terminal *terminal;
  const ffi_column *columns;
  int column_count;
  int row_count, row_capacity;
  char **cells; ///< [row_count x column_count], owned; NULL is empty
  int *widths;  ///< [column_count], once laid out
} ffi_table;

void ffi_table_begin(ffi_table *table, const ffi_terminal *terminal, const ffi_column *columns,
                     int column_count);
void ffi_table_end(ffi_table *table);

/// A new, empty row; cells are set in the last one.
void ffi_table_add_row(ffi_table *table);
void ffi_table_set(ffi_table *table, int column, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/// How wide the table would be if nothing were cut.
int ffi_table_natural_width(ffi_table *table);

void ffi_table_print(ffi_table *table, FILE *out);

#endif
