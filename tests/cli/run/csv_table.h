/// csv_table.h: a reader of the logs that the command writes.
///
/// Strict: every row has as many cells as there are titles, the last line ends with a newline, cells are numbers or
/// empty. The last line alone may be a remark.
#ifndef FFI_TESTS_CSV_TABLE_H
#define FFI_TESTS_CSV_TABLE_H

typedef struct ffi_csv_table {
  char **titles; ///< [columns]
  int columns, rows;
  double *cells;     ///< [rows][columns], NAN where empty
  char remark[1200]; ///< the last line, if it begins with '#'; else ""
} ffi_csv_table;

/// A failed test if the file is not there or no such table. Free the result.
ffi_csv_table ffi_csv_read(const char *path);
ffi_csv_table ffi_csv_parse(const char *text, const char *name);
void ffi_csv_free(ffi_csv_table *table);

/// A column by its title; a failed test if there is none.
int ffi_csv_column(const ffi_csv_table *table, const char *title);
double ffi_csv_cell(const ffi_csv_table *table, int row, const char *title);

#endif
