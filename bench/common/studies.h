/// studies.h: the studies of one paper, one after the other, with progress on the way.
///
/// A paper has a table of its own, whose functions take its own type; here it is asked by number.
#ifndef BENCH_STUDIES_H
#define BENCH_STUDIES_H

#include "common/progress.h"

#include <footfall/status.h>

typedef struct bench_studies {
  int count;
  const char *(*name)(int study);
  double (*work)(const void *paper, int study); ///< a guess, in any unit
  ff_status (*run)(void *paper, int study, ff_error *error);
} bench_studies;

/// All of them. Returns 0 after a complaint, which names the study that failed.
int bench_studies_run(const bench_studies *studies, void *paper, bench_progress *progress);

#endif
