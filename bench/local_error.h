/// local_error.h: how wrong steppers are after one control period, and how long they take for it.
///
/// Section 6.1 of the exponential paper: at every control instant the full state is set to the truth's, one period is
/// stepped through with the truth's torques, and the end is compared with the truth (truth.h). Errors of single periods are kept; their mean,
/// median and largest are told, as a mean is often that of a few periods with a touch-down.
///
/// A *configuration* is a scheme, a number of steps per period and a truth. Each has a sim of its own; a period depends on the state it
/// starts from alone, so the errors are the same bits whatever else is measured, and in which order.
///
/// **Time** is the processor's in ff_sim_step() alone. Machines have slow spells, so all configurations are gone through in rounds, each round all
/// periods, and the figure is the sum over periods of the least that each has taken. The clock's own time is taken off.
#ifndef BENCH_LOCAL_ERROR_H
#define BENCH_LOCAL_ERROR_H

#include "truth.h"

typedef struct bench_spread {
  double mean, median, largest;
} bench_spread;

typedef struct bench_local {
  // What is asked for.
  bench_scheme scheme;
  const bench_truth *truth; ///< NULL: there is none, so nothing is measured
  int substeps;
  int rounds; ///< it takes part in no more than this many; 0: in all

  // Results.
  double *error;         ///< [periods] max-norm; NAN where a step failed and in periods that are not judged
  double *norm;          ///< [periods] 2-norm
  double *seconds;       ///< [periods] in ff_sim_step(), the least of all rounds
  bench_spread max_norm; ///< over the periods without failure; NAN if there is none
  bench_spread two_norm;
  int failures;    ///< periods with a step that failed
  int unconverged; ///< steps of `implicit` that did not meet its tolerance
  int below;       ///< periods whose error is not above the truth's tolerance
  double step_us;  ///< a step [us], mean
  double speed;    ///< the real-time factor: simulated time over time taken
} bench_local;

/// Measure all; `rounds` >= 1. A step that fails is counted; what fails this is a lack of memory, or a sim or state that cannot be. `progress` (may be NULL)
/// hears which share is done. Release with bench_local_free, also after a failure.
ff_status bench_local_run(const bench_trial *trial, bench_local *list, int count, int rounds,
                          void (*progress)(void *user, double share), void *user, ff_error *error);
void bench_local_free(bench_local *list, int count);

/// Of the values that are finite.
bench_spread bench_spread_of(const double *values, int count);

#endif
