/// callgrind.h: instructions of a bench's sweeps, counted by valgrind, for machines whose counters cannot be read.
///
/// The program runs itself again under callgrind with `--count`, which takes every sweep once through bench_sweep_once (timer.h) and names it
/// on a line of its own: case, metric, calls in the sweep. Counts of the sweeps are told apart by that function. Valgrind 3.19
/// knows no AVX-512, so the other run has to use another instruction set: --isa avx2 or base.
#ifndef BENCH_CALLGRIND_H
#define BENCH_CALLGRIND_H

#include "common/timer.h"

#include <stddef.h>

/// What was counted, instructions per call.
typedef void (*bench_callgrind_take)(void *context, const char *which, const char *metric,
                                     double instructions);

/// Run this program with `arguments` (NULL-terminated, without its own name; must contain --count) under callgrind and hand over what it counted,
/// sweep by sweep. Returns how many, 0 if it was not possible, with the reason in `why`. Takes a minute at most for all of `bench step`.
int bench_callgrind(const char *const *arguments, bench_callgrind_take take, void *context, char *why,
                    size_t size);

/// What `--count` does with a task: its line on stdout, then one sweep.
void bench_callgrind_sweep(const bench_task *task, const char *which, const char *metric);

#endif
