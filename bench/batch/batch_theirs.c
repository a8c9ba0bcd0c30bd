// Steps of many robots in MuJoCo.
#include "batch/batch_theirs.h"

#include "batch/batch_block.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static int frame_of(const bench_batch_theirs *t, int robot)
{
  return bench_batch_block_frame(t->motion->runs, t->motion->steps, robot);
}

static const double *tau_of(const bench_batch_theirs *t, int robot, int step)
{
  return t->motion->tau + ((size_t)frame_of(t, robot) + (size_t)step) * (size_t)t->robot->m.nv;
}

int bench_batch_theirs_create(const bench_mujoco_robot *robot, const bench_mujoco_motion *motion, int robots,
                              int threads, bench_batch_theirs *out)
{
  *out = (bench_batch_theirs){.robot = robot, .motion = motion, .robots = robots, .threads = threads};
  out->data = calloc((size_t)robots, sizeof *out->data);
  int is_made = out->data && threads <= BENCH_BATCH_THREADS_MOST;
  for (int i = 0; i < robots && is_made; ++i)
    is_made = robot->peer->make_data(&robot->m, &out->data[i]);
  if (!is_made)
    bench_batch_theirs_destroy(out);
  return is_made;
}

int bench_batch_theirs_create_batch(const bench_mujoco_robot *robot, const bench_mujoco_motion *motion,
                                    int robots, int threads, bench_batch_theirs *out)
{
  char why[256];
  *out = (bench_batch_theirs){.robot = robot, .motion = motion, .robots = robots, .threads = threads};
  return robot->peer->make_batch &&
         robot->peer->make_batch(&robot->m, robots, threads, &out->batch, why, sizeof why);
}

void bench_batch_theirs_destroy(bench_batch_theirs *t)
{
  for (int i = 0; i < t->robots && t->data; ++i)
    t->robot->peer->free_data(&t->data[i]);
  free(t->data);
  if (t->batch.handle)
    t->robot->peer->free_batch(&t->batch);
  memset(t, 0, sizeof *t);
}

// ---- One mjData for each robot ----------------------------------------------------------------------------

// What a thread does: steps `from` up to `to` of its robots.
typedef struct share {
  bench_batch_theirs *t;
  int first, last, from, to;
} share;

static void *take_share(void *context)
{
  const share *s = context;
  const bench_batch_theirs *t = s->t;
  const size_t size = (size_t)t->robot->m.nv * sizeof(double);
  for (int k = s->from; k < s->to; ++k)
    for (int i = s->first; i < s->last; ++i) {
      memcpy(t->data[i].applied, tau_of(t, i, k), size);
      t->robot->peer->step(&t->robot->m, &t->data[i]);
    }
  return NULL;
}

static void run(bench_batch_theirs *t, int from, int to)
{
  share shares[BENCH_BATCH_THREADS_MOST] = {{t, 0, t->robots, from, to}};
  pthread_t threads[BENCH_BATCH_THREADS_MOST];
  int is_begun[BENCH_BATCH_THREADS_MOST] = {0};
  for (int k = 0; k < t->threads; ++k)
    shares[k] = (share){t, (int)((long long)t->robots * k / t->threads),
                        (int)((long long)t->robots * (k + 1) / t->threads), from, to};
  for (int k = 1; k < t->threads; ++k)
    is_begun[k] = pthread_create(&threads[k], NULL, take_share, &shares[k]) == 0;
  take_share(&shares[0]);
  for (int k = 1; k < t->threads; ++k) {
    if (is_begun[k])
      pthread_join(threads[k], NULL);
    else
      take_share(&shares[k]);
  }
}

static void prepare(void *context)
{
  bench_batch_theirs *t = context;
  for (int i = 0; i < t->robots; ++i)
    bench_mujoco_motion_set(t->motion, frame_of(t, i), &t->robot->m, &t->data[i]);
  run(t, 0, 1);
}

static void sweep(void *context)
{
  run(context, 1, BENCH_BATCH_STEPS + 1);
}

// ---- MuJoCo's batch ---------------------------------------------------------------------------------------

static void step_batch(bench_batch_theirs *t, int k)
{
  const size_t size = (size_t)t->robot->m.nv * sizeof(double);
  for (int i = 0; i < t->robots; ++i)
    memcpy(t->batch.applied + (size_t)i * (size_t)t->batch.stride, tau_of(t, i, k), size);
  t->robot->peer->step_batch(&t->batch, 1);
}

static void prepare_batch(void *context)
{
  bench_batch_theirs *t = context;
  const size_t stride = (size_t)t->batch.stride;
  double time;
  for (int i = 0; i < t->robots; ++i) {
    bench_mujoco_data row = {.time = &time,
                             .qpos = t->batch.qpos + (size_t)i * stride,
                             .qvel = t->batch.qvel + (size_t)i * stride,
                             .warm = t->batch.warm + (size_t)i * stride};
    bench_mujoco_motion_set(t->motion, frame_of(t, i), &t->robot->m, &row);
  }
  step_batch(t, 0);
}

static void sweep_batch(void *context)
{
  for (int k = 1; k <= BENCH_BATCH_STEPS; ++k)
    step_batch(context, k);
}

bench_timer_task bench_batch_theirs_task(bench_batch_theirs *t)
{
  return (bench_timer_task){.prepare = t->data ? prepare : prepare_batch,
                            .sweep = t->data ? sweep : sweep_batch,
                            .context = t,
                            .calls = (double)t->robots * BENCH_BATCH_STEPS};
}
