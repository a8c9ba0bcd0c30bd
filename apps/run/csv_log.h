/// csv_log.h: a table of numbers, written row by row while something long runs.
///
///     ffi_csv_log log;
///     if (!ffi_csv_open(&log, "out.csv")) ...     // errno says why
///     ffi_csv_title(&log, "time [s]");  ...  ffi_csv_end_row(&log);
///     ffi_csv_number(&log, t);          ...  ffi_csv_end_row(&log);
///     if (!ffi_csv_close(&log)) ...
///
/// CSV as RFC 4180 has it, with "\n" at the ends of lines: titles in quotes where they need them. Numbers have as many digits as it takes to
/// read back the same double; what is not finite is left empty.
///
/// What was written stays: rows reach the file at least twice a second, whole rows only. When the disk is full the last, torn
/// row is cut off again (of a file; a pipe has no such way), and every later call does nothing.
#ifndef FFI_APPS_CSV_LOG_H
#define FFI_APPS_CSV_LOG_H

#include <stddef.h>

typedef struct ffi_csv_log {
  const char *path; ///< not copied; "-" is stdout
  int file;         ///< descriptor, -1: closed
  char *part;       ///< what it is called until the titles are written, NULL: as it should be; owned
  char *text;       ///< rows that wait, and the one that is being written
  size_t used, room;
  size_t row;     ///< where the last row begins in `text`
  int cells;      ///< in that row so far
  double flushed; ///< when [s]
  int failed;     ///< errno of what went wrong, 0: nothing
  long long rows; ///< whole rows that reached the file, titles too
} ffi_csv_log;

/// 0 with errno's reason. A file that is there is replaced when the titles are written.
int ffi_csv_open(ffi_csv_log *log, const char *path);

void ffi_csv_title(ffi_csv_log *log, const char *title);
void ffi_csv_number(ffi_csv_log *log, double value);
/// Twelve digits, for numbers that nobody continues from.
void ffi_csv_figure(ffi_csv_log *log, double value);

/// 0 if something could not be written, now or before; log->failed says what.
int ffi_csv_end_row(ffi_csv_log *log);

/// A line that is no row, beginning with "#".
void ffi_csv_remark(ffi_csv_log *log, const char *text);

/// 0 if something was not written, with errno's reason. Whatever happens the log is closed.
int ffi_csv_close(ffi_csv_log *log);

#endif
