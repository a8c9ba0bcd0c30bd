// Steps of all robots of a batch, and of one sim.
#include "batch/batch_ours.h"

#include "batch/batch_block.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- A batch ----------------------------------------------------------------------------------------------

static void fill(bench_batch_ours *o, const bench_motion *motion)
{
  const size_t size = (size_t)motion->size, nv = (size_t)motion->nv, n = (size_t)o->robots;
  for (size_t i = 0; i < n; ++i) {
    const size_t frame = (size_t)bench_batch_block_frame(motion->runs, motion->steps, (int)i);
    memcpy(o->states + i * size, motion->state + frame * size, size * sizeof *o->states);
    for (size_t k = 0; k <= BENCH_BATCH_STEPS; ++k)
      memcpy(o->tau + (k * n + i) * nv, motion->tau + (frame + k) * nv, nv * sizeof *o->tau);
  }
}

ff_status bench_batch_ours_create(ff_world *world, const bench_motion *motion, const ff_batch_def *def,
                                  ff_parameters *const *varied, bench_batch_ours *out, ff_error *error)
{
  const size_t n = (size_t)def->robots;
  bench_batch_ours o = {.robots = def->robots};
  ff_status status = ff_batch_create(world, def, &o.batch, error);
  o.states = malloc(n * (size_t)motion->size * sizeof *o.states);
  o.tau = malloc((BENCH_BATCH_STEPS + 1) * n * (size_t)motion->nv * sizeof *o.tau);
  if (status == FF_OK && (!o.states || !o.tau)) {
    snprintf(error->message, sizeof error->message, "no memory");
    status = FF_ERROR_MEMORY;
  }
  for (int i = 0; i < def->robots && varied && status == FF_OK; ++i)
    status = ff_batch_set_parameters(o.batch, i, varied[i % motion->runs], error);
  if (status == FF_OK)
    fill(&o, motion);
  else
    bench_batch_ours_destroy(&o);
  *out = o;
  return status;
}

void bench_batch_ours_destroy(bench_batch_ours *o)
{
  ff_batch_destroy(o->batch);
  free(o->states);
  free(o->tau);
  memset(o, 0, sizeof *o);
}

static void step(bench_batch_ours *o, int k)
{
  const size_t nv = (size_t)ff_model_get_size(ff_world_model(ff_batch_world(o->batch))).nv;
  ff_batch_step(o->batch, o->tau + (size_t)k * (size_t)o->robots * nv, NULL);
}

static void prepare(void *context)
{
  bench_batch_ours *o = context;
  ff_batch_set_states(o->batch, NULL, o->states, NULL);
  step(o, 0);
  o->counts = ff_batch_get_counts(o->batch);
}

static void sweep(void *context)
{
  bench_batch_ours *o = context;
  const ff_batch_counts before = o->counts;
  for (int k = 1; k <= BENCH_BATCH_STEPS; ++k)
    step(o, k);
  o->counts = ff_batch_get_counts(o->batch);
  o->counts.steps -= before.steps;
  o->counts.in_lanes -= before.in_lanes;
  o->counts.lanes -= before.lanes;
  o->counts.useful -= before.useful;
  for (int r = 0; r < FF_BATCH_ALONE_COUNT; ++r)
    o->counts.alone[r] -= before.alone[r];
  const int failed = ff_batch_failed(o->batch);
  o->failed = failed > o->failed ? failed : o->failed;
}

bench_timer_task bench_batch_ours_task(bench_batch_ours *o)
{
  return (bench_timer_task){
      .prepare = prepare, .sweep = sweep, .context = o, .calls = (double)o->robots * BENCH_BATCH_STEPS};
}

// ---- One sim ----------------------------------------------------------------------------------------------

enum { SCALAR_STEPS = 2000 }; // at most, in a sweep

ff_status bench_batch_scalar_create(ff_world *world, const bench_motion *motion, bench_batch_scalar *out,
                                    ff_error *error)
{
  const int fit = SCALAR_STEPS / motion->steps;
  *out = (bench_batch_scalar){.motion = motion,
                              .runs = fit < 1              ? 1
                                      : fit < motion->runs ? fit
                                                           : motion->runs};
  return ff_sim_create_in(world, &out->sim, error);
}

void bench_batch_scalar_destroy(bench_batch_scalar *s)
{
  ff_sim_destroy(s->sim);
  memset(s, 0, sizeof *s);
}

static void sweep_scalar(void *context)
{
  bench_batch_scalar *s = context;
  const bench_motion *m = s->motion;
  for (int run = 0; run < s->runs; ++run) {
    size_t frame = (size_t)run * (size_t)m->steps;
    ff_sim_set_state(s->sim, m->state + frame * (size_t)m->size, NULL); // one in hundreds of steps
    for (int k = 0; k < m->steps; ++k, ++frame)
      s->failed |= ff_sim_step(s->sim, m->tau + frame * (size_t)m->nv, NULL) != FF_OK;
  }
}

bench_timer_task bench_batch_scalar_task(bench_batch_scalar *s)
{
  return (bench_timer_task){.sweep = sweep_scalar, .context = s, .calls = (double)s->runs * s->motion->steps};
}
