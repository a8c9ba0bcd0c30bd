/// batch_block.h: which moments of recorded motions the robots of a batch are at, and the steps that are timed.
///
/// Robot i is at a frame of run i modulo the number of runs, and the robots of a run are spread evenly over it. A sweep
/// is BENCH_BATCH_STEPS steps of all robots; one step before it is not timed, since a state that was set has no
/// evaluation that its step could begin with.
#ifndef BENCH_BATCH_BLOCK_H
#define BENCH_BATCH_BLOCK_H

enum { BENCH_BATCH_STEPS = 20 };

/// The frame (of runs * steps) that robot i starts a sweep from.
int bench_batch_block_frame(int runs, int steps, int robot);

#endif
