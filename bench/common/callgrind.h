/// callgrind.h: instructions of a benchmark's sweeps, counted by valgrind where hardware counters cannot be read.
///
/// The program runs itself again under callgrind with `--count`. That run calls every sweep once through
/// bench_timer_sweep (timer.h), where callgrind separates the counts, and prints a line for each: case, metric, calls
/// in the sweep. Valgrind 3.19 does not support AVX-512, so the run under it needs --isa avx2 or base.
#ifndef BENCH_CALLGRIND_H
#define BENCH_CALLGRIND_H

#include "common/command.h"
#include "common/timer.h"

#include <stddef.h>

/// Receives one result: instructions per call.
typedef void (*bench_callgrind_take)(void *context, const char *which, const char *metric,
                                     double instructions);

/// Run this program with `arguments` (NULL-terminated, without its own name; must contain --count) under callgrind and
/// pass the counts of each sweep to `take`. Returns the number of sweeps; 0 on failure, with the reason in `why`. Takes
/// at most a minute for all of `bench step`.
int bench_callgrind(const char *const *arguments, bench_callgrind_take take, void *context, char *why,
                    size_t size);

/// The run of a benchmark that was asked for, once more under callgrind, with the folders and the case of the request.
typedef struct bench_callgrind_job {
  const char *bench; ///< "step"
  const bench_command_request *request;
  bench_callgrind_take take;
  void *context;
  ff_isa isa;    ///< of the run; set to the one that is counted, the best that valgrind supports
  char why[128]; ///< why nothing was counted
} bench_callgrind_job;

/// Returns the number of sweeps.
int bench_callgrind_again(bench_callgrind_job *job);

/// What `--count` does with a task: print its line on stdout, then run one sweep.
void bench_callgrind_sweep(const bench_timer_task *task, const char *which, const char *metric);

#endif
