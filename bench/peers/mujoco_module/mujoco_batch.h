/// mujoco_batch.h: MuJoCo's own batches, in releases that have them (not Debian 12's 2.2.2).
#ifndef BENCH_MUJOCO_BATCH_H
#define BENCH_MUJOCO_BATCH_H

#include "peers/mujoco_peer.h"

/// Set make_batch, free_batch and step_batch of the table, or leave them NULL.
void bench_mujoco_batch_offer(bench_mujoco_peer *table);

#endif
