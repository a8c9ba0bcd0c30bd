/// step_stand.h: one case stepped one way: a sim that stands, and the sweep that is timed.
#ifndef BENCH_STEP_STAND_H
#define BENCH_STEP_STAND_H

#include "common/timer.h"
#include "micro/step_case.h"

/// A way of stepping: a stepper with its options and its dt.
typedef struct bench_way {
  const char *name; ///< the metric is step:NAME
  const char *what; ///< in words
  double dt;        ///< [s]
  ff_stepper stepper;
  ff_exponential exponential;
  int order, events; ///< of expo
  int holds_inside;  ///< joints are held by elements
  int on_boxes;      ///< measured on boxes too
} bench_way;

typedef struct bench_stand {
  const bench_step_case *c;
  const bench_way *way;
  ff_sim *sim; ///< NULL: not measured
  double *state, *tau;
  int steps;                      ///< in a sweep
  int contacts;                   ///< at the end of a sweep
  int has_failed;                 ///< a step did
  int has_timing;                 ///< the sim takes times of its phases
  double seconds[FF_PHASE_COUNT]; ///< of the last sweep, with timing
  char why[256];                  ///< it is not measured
} bench_stand;

/// The case and the way must outlive it. If it cannot be measured, out->sim is NULL and out->why says why.
void bench_stand_open(const bench_step_case *c, const bench_way *way, ff_isa isa, int has_timing,
                      bench_stand *out);
void bench_stand_close(bench_stand *stand);

/// Prepare sets the state back; the sweep takes `steps` steps.
bench_task bench_stand_task(bench_stand *stand);

#endif
