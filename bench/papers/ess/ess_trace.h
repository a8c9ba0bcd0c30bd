/// ess_trace.h: a motion as a list of states, and how far it is from a reference solution ("truth").
#ifndef BENCH_ESS_TRACE_H
#define BENCH_ESS_TRACE_H

typedef struct bench_ess_trace {
  int size; ///< numbers of a state
  int count, room;
  double *t, *x; ///< [count], [count][size]
  int is_short;  ///< there was no memory
} bench_ess_trace;

/// A trace can be refilled; its old content is discarded.
void bench_ess_trace_begin(bench_ess_trace *trace, int size);
void bench_ess_trace_add(bench_ess_trace *trace, double t, const double *x);
void bench_ess_trace_free(bench_ess_trace *trace);

/// The reference state at t; times must ascend. Returns 0 if there is none.
typedef int (*bench_ess_trace_truth)(void *truth, double t, double *x);

/// RMS, over the samples, of the Euclidean distance from the truth. NAN if there is none.
double bench_ess_trace_error(const bench_ess_trace *trace, bench_ess_trace_truth at, void *truth);

/// A finer trace as truth, with a sample within 1e-9 s of each requested time. Initialise with {fine, 0}.
typedef struct bench_ess_trace_fine {
  const bench_ess_trace *fine;
  int at;
} bench_ess_trace_fine;
int bench_ess_trace_fine_at(void *truth, double t, double *x);

#endif
