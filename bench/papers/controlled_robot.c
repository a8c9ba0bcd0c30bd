// Steps a sim with the torques of a scene's controller.
#include "papers/controlled_robot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

ff_status bench_controlled_robot_create(ff_scene *scene, const ff_sim_def *def, int substeps,
                                        bench_controlled_robot *out, ff_error *error)
{
  const ff_model_size size = ff_model_get_size(ff_scene_model(scene));
  bench_controlled_robot d = {.scene = scene,
                              .cut = ff_scene_cut(scene),
                              .nq = size.nq,
                              .nv = size.nv,
                              .substeps = substeps,
                              .period = ff_scene_period(scene)};
  d.own_nv = d.cut ? ff_model_get_size(ff_cut_model(d.cut)).nv : size.nv;
  d.q = calloc((size_t)d.nq + 1, sizeof *d.q);
  d.v = calloc((size_t)d.nv + 1, sizeof *d.v);
  d.tau = calloc((size_t)d.nv + 1, sizeof *d.tau);
  d.own_tau = calloc((size_t)d.own_nv + 1, sizeof *d.own_tau);
  ff_status status = FF_ERROR_MEMORY;
  if (d.q && d.v && d.tau && d.own_tau) {
    ff_sim_def own = *def;
    own.dt = d.period / substeps;
    status = ff_scene_create_sim(scene, &own, &d.sim, error);
  }
  if (status != FF_OK) {
    bench_controlled_robot_free(&d);
    return status;
  }
  memcpy(d.q, ff_scene_q(scene), (size_t)d.nq * sizeof *d.q);
  d.height = d.q[2];
  *out = d;
  return FF_OK;
}

void bench_controlled_robot_free(bench_controlled_robot *d)
{
  ff_sim_destroy(d->sim);
  free(d->q);
  free(d->v);
  free(d->tau);
  free(d->own_tau);
  *d = (bench_controlled_robot){0};
}

static void read_state(bench_controlled_robot *d)
{
  if (d->cut) {
    ff_cut_gather(d->cut, ff_sim_q(d->sim), ff_sim_v(d->sim), d->q, d->q, d->v);
    return;
  }
  memcpy(d->q, ff_sim_q(d->sim), (size_t)d->nq * sizeof *d->q);
  memcpy(d->v, ff_sim_v(d->sim), (size_t)d->nv * sizeof *d->v);
}

ff_status bench_controlled_robot_control(bench_controlled_robot *d, ff_error *error)
{
  if (d->steps % d->substeps == 0) {
    read_state(d);
    memset(d->tau, 0, (size_t)d->nv * sizeof *d->tau);
    const long long period = d->steps / d->substeps;
    const double time = (double)period * d->period;
    const ff_status status = ff_scene_control(d->scene, time, d->q, d->v, d->tau, error);
    if (status != FF_OK)
      return status;
  }
  if (d->cut)
    ff_cut_tau(d->cut, ff_sim_q(d->sim), d->tau, d->own_tau);
  else
    memcpy(d->own_tau, d->tau, (size_t)d->nv * sizeof *d->tau);
  return FF_OK;
}

ff_status bench_controlled_robot_step(bench_controlled_robot *d, ff_error *error)
{
  ff_status status = bench_controlled_robot_control(d, error);
  if (status == FF_OK)
    status = ff_sim_step(d->sim, d->own_tau, error);
  ++d->steps;
  return status;
}

double bench_controlled_robot_speed(const bench_controlled_robot *d)
{
  const double *v = ff_sim_v(d->sim);
  double sum = 0;
  for (int i = 0; i < d->own_nv; ++i)
    sum += v[i] * v[i];
  return sqrt(sum);
}

int bench_controlled_robot_is_upright(const bench_controlled_robot *d)
{
  const double *r = d->q + 3; // vertical component of the base's z axis, quaternion x y z w
  const double up = 1 - 2 * (r[0] * r[0] + r[1] * r[1]);
  return up > sqrt(0.5) && d->q[2] > 0.5 * d->height;
}
