// Rounds over tasks, and clocks.
#include "common/timer.h"

#include "common/instructions.h"
#include "common/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { SWEEPS_IN_A_ROW = 2 }; // the first one also warms the caches

double bench_timer_seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double bench_timer_thread_seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

__attribute__((noinline)) void bench_timer_sweep(const bench_timer_task *task)
{
  task->sweep(task->context);
}

static void measure(bench_timer_task *t)
{
  for (int k = 0; k < SWEEPS_IN_A_ROW; ++k) {
    if (t->prepare)
      t->prepare(t->context);
    const double start = bench_timer_seconds();
    bench_timer_sweep(t);
    const double ns = (bench_timer_seconds() - start) * 1e9 / t->calls;
    t->least = t->sweeps == 0 || ns < t->least ? ns : t->least;
    t->total += ns;
    ++t->sweeps;
  }
}

static void run_round(bench_timer_task *tasks, int count, int round)
{
  for (int first = 0, last; first < count; first = last) {
    for (last = first; last < count && tasks[last].phase == tasks[first].phase;)
      ++last;
    const int n = last - first;
    for (int k = 0; k < n; ++k)
      measure(&tasks[first + (k + round) % n]);
  }
}

// The minimum over a few sweeps: an interrupt adds the kernel's entry and exit.
static void count_instructions(bench_timer_task *tasks, int count)
{
  bench_instructions *counter = bench_instructions_open();
  for (int i = 0; counter && i < count; ++i)
    for (int k = 0; k < 3; ++k) {
      if (tasks[i].prepare)
        tasks[i].prepare(tasks[i].context);
      bench_instructions_start(counter);
      bench_timer_sweep(&tasks[i]);
      const double n = bench_instructions_stop(counter) / tasks[i].calls;
      if (n > 0 && (tasks[i].instructions == 0 || n < tasks[i].instructions))
        tasks[i].instructions = n;
    }
  bench_instructions_close(counter);
}

void bench_timer_run(bench_timer_task *tasks, int count, double seconds, int min_rounds)
{
  const double start = bench_timer_seconds();
  bench_progress progress;
  bench_progress_begin(&progress, seconds);
  bench_progress_part(&progress, seconds, "measuring");
  count_instructions(tasks, count);
  for (int round = 0;; ++round) {
    const double passed = bench_timer_seconds() - start;
    if (round >= min_rounds && passed >= seconds)
      break;
    bench_progress_share(&progress, passed / seconds);
    run_round(tasks, count, round);
  }
  bench_progress_end(&progress);
}
