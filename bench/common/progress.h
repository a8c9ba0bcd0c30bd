/// progress.h: how far a long run is and how long it still takes, on stderr if that is a terminal.
///
/// The work is cut into parts, each with a guess of its size beforehand, in any unit; what is left is told from how long the work done so far
/// took.
#ifndef BENCH_PROGRESS_H
#define BENCH_PROGRESS_H

#include "cli/progress.h"

typedef struct bench_progress {
  double total;        ///< of all parts
  double before, part; ///< done before this part; this part
  ffi_progress line;
  char what[48];
} bench_progress;

/// By --quiet: from now on nothing is shown.
void bench_progress_forbid(void);

void bench_progress_begin(bench_progress *progress, double total);

/// The part before is done; this one begins.
void bench_progress_part(bench_progress *progress, double size, const char *what);

/// A share 0..1 of this part is done. Takes a bench_progress, so that it can be handed to those who know nothing of it.
void bench_progress_share(void *progress, double share);

/// The same as an ff_progress calls it, with what is done now. Never stops the work.
int bench_progress_call(void *progress, const char *what, double share);

/// Take the line away, before something is printed; what follows shows it again.
void bench_progress_end(bench_progress *progress);

#endif
