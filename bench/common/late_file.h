/// late_file.h: a file that is written after a long run, but known before it to be writable.
///
/// check, run, then begin, write and end; or forget. Until end the file is as it was: an interrupted run, or a full disk, leaves no new
/// file and does no harm to an old one. "-" is stdout.
#ifndef BENCH_LATE_FILE_H
#define BENCH_LATE_FILE_H

#include "cli/put_file.h"

#include <stdio.h>

typedef struct bench_late_file {
  const char *path; ///< not copied
  FILE *file;       ///< NULL: it is made by begin
  ffi_put put;
} bench_late_file;

/// 0 if it cannot be written, with errno's reason.
int bench_late_file_check(bench_late_file *late, const char *path);

/// Open; NULL if that failed, with errno's reason, and there is no more to do.
FILE *bench_late_file_begin(bench_late_file *late);

/// 0 if something was not written, with errno's reason. stdout is left to who ends the program.
int bench_late_file_end(bench_late_file *late);

/// Instead of begin and end.
void bench_late_file_forget(bench_late_file *late);

#endif
