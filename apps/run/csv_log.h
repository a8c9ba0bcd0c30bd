/// csv_log.h: a table of numbers in CSV, written row by row during a run.
///
///     ffi_csv_log log;
///     if (!ffi_csv_log_open(&log, "out.csv")) ...     // errno says why
///     ffi_csv_log_title(&log, "time [s]");  ...  ffi_csv_log_end_row(&log);
///     ffi_csv_log_number(&log, t);          ...  ffi_csv_log_end_row(&log);
///     if (!ffi_csv_log_close(&log)) ...
///
/// CSV by RFC 4180, with "\n" at the ends of lines. Titles are quoted where need be. Numbers have as many digits as it
/// takes to read back the same double; infinities and NaN are empty.
///
/// Complete rows are written to the file at least twice a second, so little is lost if the program is killed. If the
/// disk is full, an incomplete last row is removed (from a file; a pipe cannot), and later calls do nothing.
#ifndef FFI_APPS_CSV_LOG_H
#define FFI_APPS_CSV_LOG_H

#include "cli/files/growing_file.h"

#include <stddef.h>

typedef struct ffi_csv_log {
  const char *path;      ///< not copied; "-" is stdout
  ffi_growing_file file; ///< in its place when the titles are written
  char *text;            ///< rows that are not written yet, and the present one
  size_t used, room;
  size_t row;     ///< where the last row begins in `text`
  int cells;      ///< in that row so far
  double flushed; ///< when [s]
  int failed;     ///< errno of what went wrong, 0: nothing
  long long rows; ///< complete rows in the file, with the titles
} ffi_csv_log;

/// 0 with the reason in errno, for ffi_growing_file_reason(). An existing file is replaced when the titles are written.
int ffi_csv_log_open(ffi_csv_log *log, const char *path);

void ffi_csv_log_title(ffi_csv_log *log, const char *title);
void ffi_csv_log_number(ffi_csv_log *log, double value);
/// Twelve digits, for numbers that no run is continued from.
void ffi_csv_log_figure(ffi_csv_log *log, double value);

/// 0 if something could not be written, now or before; log->failed says what.
int ffi_csv_log_end_row(ffi_csv_log *log);

/// A line that is not a row; it begins with "#".
void ffi_csv_log_remark(ffi_csv_log *log, const char *text);

/// 0 with the reason in errno, for ffi_growing_file_reason(), if something was not written. The log is closed in any
/// case; ffi_csv_log_free() afterwards.
int ffi_csv_log_close(ffi_csv_log *log);
void ffi_csv_log_free(ffi_csv_log *log);

#endif
