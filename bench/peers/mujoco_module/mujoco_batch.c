// Batches by mjbatch.h: one mjData for each thread, states in rows.
#include "peers/mujoco_module/mujoco_batch.h"

#include <mujoco/mujoco.h>

#if mjVERSION_HEADER >= 300
#include <mujoco/mjbatch.h>

#include <string.h>

static int make_batch(const bench_mujoco_model *m, int robots, int threads, bench_mujoco_batch *out,
                      char *why, size_t size)
{
  mjBatchConfig config;
  mjb_defaultConfig(&config);
  config.nthread = threads;
  memset(out, 0, sizeof *out);
  mjBatch *b = mjb_makeBatch(m->handle, robots, &config, why, (int)size);
  if (b)
    *out = (bench_mujoco_batch){.handle = b,
                                .stride = mjb_nstate(b),
                                .qpos = mjb_stateComponent(b, mjSTATE_QPOS, NULL),
                                .qvel = mjb_stateComponent(b, mjSTATE_QVEL, NULL),
                                .warm = mjb_stateComponent(b, mjSTATE_WARMSTART, NULL),
                                .applied = mjb_stateComponent(b, mjSTATE_QFRC_APPLIED, NULL)};
  return b != NULL;
}

static void free_batch(bench_mujoco_batch *b)
{
  if (b->handle)
    mjb_deleteBatch(b->handle);
  memset(b, 0, sizeof *b);
}

static void step_batch(bench_mujoco_batch *b, int steps)
{
  mjb_step(b->handle, NULL, 0, steps, mjSTAGE_NONE);
}

void bench_mujoco_batch_offer(bench_mujoco_peer *table)
{
  table->make_batch = make_batch;
  table->free_batch = free_batch;
  table->step_batch = step_batch;
}

#else

void bench_mujoco_batch_offer(bench_mujoco_peer *table)
{
  (void)table;
}

#endif
