/// ess_trace.h: motions as lists of states, how far two of them are apart, and what moves a system from a start.
///
/// A *mover* integrates one system by one method, ours or another's, from any start, as often as it is asked to. All movers of a system speak of its state in the same
/// numbers, so that their traces can be compared. Time is taken without a trace.
#ifndef BENCH_ESS_TRACE_H
#define BENCH_ESS_TRACE_H

#include <footfall/ess.h>

typedef struct bench_trace {
  int size; ///< numbers of a state
  int count, room;
  double *t, *x; ///< [count], [count][size]
  int is_short;  ///< there was no memory
} bench_trace;

/// A trace can be filled again: what it had is forgotten first.
void bench_trace_begin(bench_trace *trace, int size);
void bench_trace_add(bench_trace *trace, double t, const double *x);
void bench_trace_free(bench_trace *trace);

/// The true state at t; times come in ascending order. Returns 0 if there is none.
typedef int (*bench_truth_at)(void *truth, double t, double *x);

/// Root of the mean square, over the samples, of the Euclidean distance from the truth. NAN if there is none.
double bench_trace_error(const bench_trace *trace, bench_truth_at at, void *truth);

typedef struct bench_mover {
  /// From x0 at time 0 for `duration`. `trace` NULL: nothing is recorded.
  ff_status (*go)(void *self, const double *x0, double duration, bench_trace *trace, ff_error *error);
  void (*destroy)(void *self);
  void *self; ///< NULL: there is none
} bench_mover;

void bench_mover_destroy(bench_mover *mover); ///< empty afterwards; an empty one is fine

/// Seconds of one run, by this thread's clock: the least of `rounds`, all movers in turns in each. NAN where one fails or is empty.
void bench_movers_time(const bench_mover *movers, int count, const double *x0, double duration, int rounds,
                       double *seconds);

/// What the callbacks of a system get that an ess mover moves.
typedef struct bench_ess_user {
  const void *model;
  bench_trace *trace; ///< NULL: nothing is recorded
} bench_ess_user;

/// By ff_ess. `def` but for its record and its system's user, which are the mover's own; `model` must outlive it.
ff_status bench_ess_mover(const ff_ess_def *def, const void *model, bench_mover *out, ff_error *error);
ff_ess *bench_ess_of(const bench_mover *mover);

/// A truth that is a finer trace, which has a sample at each time that is asked for, to 1e-9 s. Begin with {fine, 0}.
typedef struct bench_fine_truth {
  const bench_trace *fine;
  int at;
} bench_fine_truth;
int bench_fine_truth_at(void *truth, double t, double *x);

/// A truth that is an ess mover with tight tolerances: start it, then ask by bench_ess_truth_at with the mover's self.
ff_status bench_ess_truth_begin(const bench_mover *mover, const double *x0, ff_error *error);
int bench_ess_truth_at(void *self, double t, double *x);

#endif
