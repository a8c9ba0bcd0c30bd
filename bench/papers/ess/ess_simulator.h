/// ess_simulator.h: one system integrated by one method, ours or MuJoCo's, from any start, as often as it is asked to.
///
/// All simulators of a system use the same state vector, so that their traces can be compared. Runs are timed without
/// recording a trace.
#ifndef BENCH_ESS_SIMULATOR_H
#define BENCH_ESS_SIMULATOR_H

#include "papers/ess/ess_trace.h"

#include <footfall/ess.h>

typedef struct bench_ess_simulator {
  /// From x0 at time 0 for `duration`. `trace` NULL: nothing is recorded.
  ff_status (*go)(void *self, const double *x0, double duration, bench_ess_trace *trace, ff_error *error);
  void (*destroy)(void *self);
  void *self; ///< NULL: there is none
} bench_ess_simulator;

void bench_ess_simulator_destroy(bench_ess_simulator *simulator); ///< empty afterwards; an empty one is fine

/// CPU seconds of one run: the minimum of `rounds`, with all simulators in turns. NAN where one fails or is empty.
void bench_ess_simulator_time(const bench_ess_simulator *simulators, int count, const double *x0,
                              double duration, int rounds, double *seconds);

/// What the callbacks of a system get from an ess simulator.
typedef struct bench_ess_simulator_user {
  const void *model;
  bench_ess_trace *trace; ///< NULL: nothing is recorded
} bench_ess_simulator_user;

/// A simulator by ff_ess. It replaces `record` and the system's `user` of `def` by its own; `model` must outlive it.
ff_status bench_ess_simulator_create(const ff_ess_def *def, const void *model, bench_ess_simulator *out,
                                     ff_error *error);
ff_ess *bench_ess_simulator_ess(const bench_ess_simulator *simulator);

/// An ess simulator with tight tolerances as truth: begin, then use bench_ess_simulator_truth_at with the simulator's
/// `self`.
ff_status bench_ess_simulator_truth_begin(const bench_ess_simulator *simulator, const double *x0,
                                          ff_error *error);
int bench_ess_simulator_truth_at(void *self, double t, double *x);

#endif
