/// step_sweep.h: one case stepped by one variant: a sim of the robot, and the sweep that is timed. Of a standing robot
/// it is some steps with their control, of one in motion the whole motion without it.
#ifndef BENCH_STEP_SWEEP_H
#define BENCH_STEP_SWEEP_H

#include "common/timer.h"
#include "micro/step_case.h"
#include "micro/step_variant.h"
#include "motion/motion.h"

typedef struct bench_step_sweep {
  const bench_step_case *c;
  const bench_step_variant *variant;
  ff_sim *sim;                    ///< NULL: not measured
  double *state, *tau;            ///< of a standing robot
  bench_motion motion;            ///< of one in motion
  int steps;                      ///< in a sweep
  double contacts;                ///< at the end of a sweep; mean of a motion
  int has_failed;                 ///< a step failed
  int has_timing;                 ///< the sim measures its phases
  double seconds[FF_PHASE_COUNT]; ///< of the last sweep, with timing
  char why[256];                  ///< why it is not measured
} bench_step_sweep;

/// The case and the variant must outlive it. If it cannot be measured, out->sim is NULL and out->why has the reason.
void bench_step_sweep_open(const bench_step_case *c, const bench_step_variant *variant, ff_isa isa,
                           int has_timing, bench_step_sweep *out);
void bench_step_sweep_close(bench_step_sweep *sweep);

/// `prepare` resets the state and takes one step; the sweep takes `steps` steps.
bench_timer_task bench_step_sweep_task(bench_step_sweep *sweep);

#endif
