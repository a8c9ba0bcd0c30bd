/// comparison.h: all schemes on one trial: local errors against a common truth, each stepper's own, or both, and the time they take.
///
/// The configurations are every scheme with 1, 2, 4, ... steps per control period. Unless told otherwise they go down to steps of eight times the
/// truth's, explicit Euler's to the truth's own: the exponential paper's choice.
#ifndef BENCH_COMPARISON_H
#define BENCH_COMPARISON_H

#include "local_error.h"
#include "progress.h"

enum { BENCH_SCHEMES_MOST = 24, BENCH_SUBSTEPS_MOST = 24 };

typedef struct bench_comparison_def {
  bench_scheme schemes[BENCH_SCHEMES_MOST];
  int scheme_count;
  int substeps[BENCH_SUBSTEPS_MOST]; ///< per period
  int substeps_count;                ///< 0: as said above
  int has_own, has_common;           ///< at least one
  double finest;                     ///< steps of truths [s], about
  int check_finer;                   ///< the common truth's second method takes so many times shorter steps
  int check_refinements; ///< and four times shorter ones where they differ, so many times (truth.h)
  int rounds;            ///< of timing
} bench_comparison_def;

/// All steppers, both truths, 1/64 ms; the second method with 1/256 ms, down to 1/4096 ms; five rounds.
bench_comparison_def bench_comparison_def_default(void);

typedef struct bench_comparison {
  const bench_trial *trial;
  bench_comparison_def def;
  int count;                 ///< configurations
  bench_local *common, *own; ///< [count], the same ones in the same order; NULL: not asked for
  bench_truth *common_truth;
  bench_scheme check; ///< the common truth's second method
  int check_substeps;
  bench_truth *own_truth[FF_STEPPER_COUNT]; ///< NULL: not needed, or it failed
  char own_failure[FF_STEPPER_COUNT][256];  ///< why it did; its configurations are then not measured
} bench_comparison;

/// How much work it is, for a progress bar: in microseconds, roughly, for a robot of Solo's size.
double bench_comparison_work(const bench_trial *trial, const bench_comparison_def *def);

/// Measure. `progress` has begun; its parts are added here.
ff_status bench_comparison_run(const bench_trial *trial, const bench_comparison_def *def,
                               bench_progress *progress, bench_comparison **out, ff_error *error);
void bench_comparison_destroy(bench_comparison *comparison); ///< NULL is fine

/// The configuration with the timing: common if there is one.
const bench_local *bench_comparison_timed(const bench_comparison *comparison, int i);

/// Steps per period of a scheme, to list [BENCH_SUBSTEPS_MOST]; how many.
int bench_comparison_substeps(const bench_trial *trial, const bench_comparison_def *def,
                              const bench_scheme *scheme, int *list);

#endif
