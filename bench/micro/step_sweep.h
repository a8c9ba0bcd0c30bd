/// step_stand.h: one case stepped one way: a sim that stands, and the sweep that is timed.
#ifndef BENCH_STEP_SWEEP_H
#define BENCH_STEP_SWEEP_H

#include "common/timer.h"
#include "micro/step_case.h"
#include "micro/step_variant.h"

typedef struct bench_step_sweep {
  const bench_step_case *c;
  const bench_step_variant *way;
  ff_sim *sim; ///< NULL: not measured
  double *state, *tau;
  int steps;                      ///< in a sweep
  int contacts;                   ///< at the end of a sweep
  int has_failed;                 ///< a step did
  int has_timing;                 ///< the sim takes times of its phases
  double seconds[FF_PHASE_COUNT]; ///< of the last sweep, with timing
  char why[256];                  ///< it is not measured
} bench_step_sweep;

/// The case and the way must outlive it. If it cannot be measured, out->sim is NULL and out->why says why.
void bench_step_sweep_open(const bench_step_case *c, const bench_step_variant *way, ff_isa isa,
                           int has_timing, bench_step_sweep *out);
void bench_step_sweep_close(bench_step_sweep *stand);

/// Prepare sets the state back; the sweep takes `steps` steps.
bench_timer_task bench_step_sweep_task(bench_step_sweep *stand);

#endif
