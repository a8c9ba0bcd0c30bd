/// timer.h: the least time of many things, taken in turns.
///
/// Machines have slow spells of seconds, so nothing is measured in one go: a *round* runs one sweep of every
/// task, and a task's figure is the least over all rounds. Tasks of one *phase* stand together in a
/// round, because wide vectors lower a core's clock for a while after their last use; within a phase each round starts
/// one task later than the last, so that no task always pays for its neighbour.
#ifndef BENCH_TIMER_H
#define BENCH_TIMER_H

typedef struct bench_task {
  void (*prepare)(void *context); ///< before every sweep, not timed; may be NULL
  void (*sweep)(void *context);
  void *context;
  int phase;
  double calls; ///< in one sweep

  // Results.
  double least;        ///< ns per call
  double total;        ///< ns per call, summed over sweeps
  int sweeps;          ///< how many
  double instructions; ///< per call, 0 if the machine does not count them
} bench_task;

/// Seconds since some moment.
double bench_seconds(void);

/// Seconds of this thread alone: what others do on the same core meanwhile is not in it. For a millisecond and more.
double bench_thread_seconds(void);

/// Run rounds over the tasks, sorted by phase, until `seconds` have passed, at least `min_rounds`. Progress goes to stderr if
/// it is a terminal.
void bench_run(bench_task *tasks, int count, double seconds, int min_rounds);

/// One sweep: a function of its own, never inlined, so that callgrind can tell the tasks apart.
void bench_sweep_once(const bench_task *task);

#endif
