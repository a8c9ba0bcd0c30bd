// Runs a motion several times and keeps its end state and its least time.
#include "micro/expo_motion.h"

#include "common/timer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static ff_sim_def def_of(const bench_expo_motion *m, const bench_expo_motion_method *method, int steps)
{
  ff_sim_def def = m->def;
  def.stepper = method->stepper;
  def.dt = m->duration / steps;
  def.expo.order = method->order;
  def.expo.events = method->events;
  def.ground = &m->ground; // not the pointer in def, because motions are copied
  def.ground_count = 1;
  def.elements = m->motors;
  return def;
}

ff_status bench_expo_motion_run(const bench_expo_motion *m, const bench_expo_motion_method *method, int steps,
                                int repeats, bench_expo_motion_end *end, ff_error *error)
{
  const ff_model_size size = ff_model_get_size(m->model);
  const ff_sim_def def = def_of(m, method, steps);
  ff_sim *sim = NULL;
  ff_status status = ff_sim_create(m->model, &def, &sim, error);
  for (int r = 0; r < repeats && status == FF_OK; ++r) {
    status = ff_sim_reset(sim, m->q, m->v, error);
    const double start = bench_timer_seconds();
    if (status == FF_OK)
      status = ff_sim_run(sim, steps, NULL, NULL, NULL, error);
    const double us = 1e6 * (bench_timer_seconds() - start) / steps;
    end->us = r == 0 || us < end->us ? us : end->us;
  }
  if (status == FF_OK) {
    memcpy(end->q, ff_sim_q(sim), (size_t)size.nq * sizeof *end->q);
    memcpy(end->v, ff_sim_v(sim), (size_t)size.nv * sizeof *end->v);
    end->substeps = (double)ff_sim_get_totals(sim).pieces / steps;
  }
  ff_sim_destroy(sim);
  return status;
}

double bench_expo_motion_distance(const bench_expo_motion *m, const bench_expo_motion_end *a,
                                  const bench_expo_motion_end *b)
{
  const int nv = ff_model_get_size(m->model).nv;
  double change[BENCH_EXPO_MOTION_MOST], most = 0;
  ff_model_difference(m->model, a->q, b->q, change);
  for (int i = 0; i < nv; ++i)
    most = fmax(most, fmax(fabs(change[i]), fabs(a->v[i] - b->v[i])));
  return most;
}

void bench_expo_motion_dt(double dt, char text[24])
{
  if (dt >= 1e-4)
    snprintf(text, 24, "%.3g ms", 1e3 * dt);
  else
    snprintf(text, 24, "%.3g us", 1e6 * dt);
}
