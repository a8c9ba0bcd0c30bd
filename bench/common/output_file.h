/// output_file.h: a file that is written after a long run and checked before it.
///
/// Call check before the run, then begin, write and end; or forget. Until end the old file stays as it was: an
/// interrupted run or a full disk leaves no new file and does not damage an old one. "-" is stdout.
#ifndef BENCH_OUTPUT_FILE_H
#define BENCH_OUTPUT_FILE_H

#include "cli/files/atomic_file.h"
#include <stdio.h>

typedef struct bench_output_file {
  const char *path; ///< not copied
  FILE *file;       ///< NULL: begin opens it
  ffi_atomic_file put;
} bench_output_file;

/// Returns 0 with errno set if the file cannot be written.
int bench_output_file_check(bench_output_file *late, const char *path);

/// Open the file. Returns NULL with errno set on failure; nothing else needs to be called then.
FILE *bench_output_file_begin(bench_output_file *late);

/// Returns 0 with errno set if something was not written. stdout is not closed; the end of the program checks it.
int bench_output_file_end(bench_output_file *late);

/// Give up: instead of begin and end, or after a failure.
void bench_output_file_forget(bench_output_file *late);

#endif
