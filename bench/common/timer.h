/// timer.h: the minimum time of many tasks, measured in turns.
///
/// A machine can be slow for seconds at a time, so measurements are interleaved: a *round* runs one sweep of every
/// task, and a task's time is the minimum over all rounds. Tasks of one *phase* follow each other within a round,
/// because wide vectors lower a core's clock for a while after their last use. Within a phase each round starts one
/// task later than the previous one, so that no task always runs after the same neighbour.
#ifndef BENCH_TIMER_H
#define BENCH_TIMER_H

typedef struct bench_timer_task {
  void (*prepare)(void *context); ///< before every sweep, not timed; may be NULL
  void (*sweep)(void *context);
  void *context;
  int phase;
  int sweeps;   ///< a result: how many
  double calls; ///< in one sweep

  // Results.
  double least;        ///< ns per call
  double total;        ///< ns per call, summed over sweeps
  double instructions; ///< per call, 0 if the machine does not count them
} bench_timer_task;

/// Seconds since an arbitrary moment.
double bench_timer_seconds(void);

/// CPU time of this thread [s], without other programs on the same core. For durations of a millisecond and more.
double bench_timer_thread_seconds(void);

/// Run rounds over the tasks, sorted by phase, until `seconds` have passed, at least `min_rounds`. Shows progress on
/// stderr if that is a terminal.
void bench_timer_run(bench_timer_task *tasks, int count, double seconds, int min_rounds);

/// One sweep. Never inlined, so that callgrind can separate the counts of tasks.
void bench_timer_sweep(const bench_timer_task *task);

#endif
