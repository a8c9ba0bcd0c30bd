/// progress.h: progress and remaining time of a long run, on stderr if that is a terminal.
///
/// The work consists of parts, each with an estimate of its size in any unit. The remaining time is extrapolated from
/// the work done so far.
#ifndef BENCH_PROGRESS_H
#define BENCH_PROGRESS_H

#include "cli/text/progress.h"

typedef struct bench_progress {
  double total;        ///< of all parts
  double before, part; ///< done before this part; this part
  ffi_progress line;
  char what[48];
} bench_progress;

/// For --quiet: show nothing from now on.
void bench_progress_forbid(void);

void bench_progress_begin(bench_progress *progress, double total);

/// The previous part is done; this one begins.
void bench_progress_part(bench_progress *progress, double size, const char *what);

/// A share 0..1 of this part is done. Takes a bench_progress as void *, so that it can serve as a callback.
void bench_progress_share(void *progress, double share);

/// The same as an ff_progress callback, with the name of the current work. Never stops the work.
int bench_progress_call(void *progress, const char *what, double share);

/// Clear the line before something is printed.
void bench_progress_end(bench_progress *progress);

#endif
