// Draws the states and interleaves them into lanes.
#include "common/random_states.h"

#include "common/random.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void random_configuration(const ff_model *model, uint64_t *seed, double *q)
{
  const int joints = ff_model_get_size(model).joints;
  for (int j = 0; j < joints; ++j) {
    ff_joint_info joint;
    ff_model_joint(model, j, &joint);
    double *x = q + joint.q;
    switch (joint.type) {
    case FF_JOINT_FREE:
      for (int k = 0; k < 3; ++k)
        x[k] = bench_random(seed);
      bench_random_quaternion(seed, x + 3);
      break;
    case FF_JOINT_SPHERICAL: bench_random_quaternion(seed, x); break;
    default:
      for (int k = 0; k < joint.nq; ++k)
        x[k] = 1.5 * bench_random(seed);
    }
  }
}

static void deal(const bench_random_states *s, const double *row, int size, int state, double *array)
{
  const int group = state / s->lanes, lane = state % s->lanes;
  for (int i = 0; i < size; ++i)
    array[(group * size + i) * s->lanes + lane] = row[i];
}

int bench_random_states_create(const ff_model *model, int lanes, bench_random_states *out)
{
  const ff_model_size size = ff_model_get_size(model);
  const size_t nq = (size_t)size.nq, nv = (size_t)size.nv;
  memset(out, 0, sizeof *out);
  out->lanes = lanes;
  out->groups = BENCH_RANDOM_STATES / lanes;
  out->nq = size.nq;
  out->nv = size.nv;
  double *row = calloc(nq + 3 * nv + 1, sizeof *row);
  out->q = malloc((BENCH_RANDOM_STATES * nq + 1) * sizeof *out->q);
  out->v = malloc((BENCH_RANDOM_STATES * nv + 1) * sizeof *out->v);
  out->vdot = malloc((BENCH_RANDOM_STATES * nv + 1) * sizeof *out->vdot);
  out->tau = malloc((BENCH_RANDOM_STATES * nv + 1) * sizeof *out->tau);
  if (!row || !out->q || !out->v || !out->vdot || !out->tau)
    goto fail;
  uint64_t seed = 12;
  for (int s = 0; s < BENCH_RANDOM_STATES; ++s) {
    random_configuration(model, &seed, row);
    for (size_t k = nq; k < nq + 3 * nv; ++k)
      row[k] = bench_random(&seed);
    deal(out, row, size.nq, s, out->q);
    deal(out, row + nq, size.nv, s, out->v);
    deal(out, row + nq + nv, size.nv, s, out->vdot);
    deal(out, row + nq + 2 * nv, size.nv, s, out->tau);
  }
  free(row);
  return 1;
fail:
  free(row);
  bench_random_states_destroy(out);
  return 0;
}

void bench_random_states_destroy(bench_random_states *s)
{
  free(s->q);
  free(s->v);
  free(s->vdot);
  free(s->tau);
  memset(s, 0, sizeof *s);
}
