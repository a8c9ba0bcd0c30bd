// Records states and torques step by step.
#include "motion/motion.h"

#include "common/timer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ff_status record_run(ff_sim *sim, const bench_motion_def *def, int run, bench_motion *m,
                            ff_error *error)
{
  const size_t nv = (size_t)m->nv, size = (size_t)m->size;
  const double start = bench_timer_seconds();
  ff_status status = def->start(def->user, run, sim, error);
  for (int k = -def->skip; k < m->steps && status == FF_OK; ++k) {
    const size_t frame = (size_t)run * (size_t)def->steps + (size_t)(k < 0 ? 0 : k);
    double *tau = m->tau + frame * nv; // the first frame is overwritten until recording begins
    memset(tau, 0, nv * sizeof *tau);
    ff_sim_get_state(sim, m->state + frame * size);
    status = def->control(def->user, k + def->skip, sim, tau, error);
    if (status == FF_OK)
      status = ff_sim_step(sim, tau, error);
    if (k >= 0)
      m->contacts += ff_sim_info(sim)->contacts;
    if (k >= 0 && def->patience > 0 && def->runs == 1 && bench_timer_seconds() - start > def->patience)
      m->steps = k + 1;
  }
  return status;
}

ff_status bench_motion_record(ff_sim *sim, const bench_motion_def *def, bench_motion *out, ff_error *error)
{
  const size_t frames = (size_t)def->runs * (size_t)def->steps;
  bench_motion m = {.runs = def->runs, .steps = def->steps, .size = ff_sim_state_size(sim)};
  m.nv = ff_model_get_size(ff_world_model(ff_sim_world(sim))).nv;
  m.state = malloc(frames * (size_t)m.size * sizeof *m.state);
  m.tau = malloc(frames * (size_t)m.nv * sizeof *m.tau);
  ff_status status = m.state && m.tau ? FF_OK : FF_ERROR_MEMORY;
  if (status == FF_ERROR_MEMORY)
    snprintf(error->message, sizeof error->message, "no memory");
  for (int run = 0; run < def->runs && status == FF_OK; ++run)
    status = record_run(sim, def, run, &m, error);
  m.contacts /= (double)m.runs * m.steps;
  if (status != FF_OK)
    bench_motion_free(&m);
  *out = m;
  return status;
}

void bench_motion_free(bench_motion *m)
{
  free(m->state);
  free(m->tau);
  memset(m, 0, sizeof *m);
}

// ---- Of a scene -------------------------------------------------------------------------------------------

typedef struct played {
  ff_scene *scene;
  int hold;      // steps of a control period
  double period; // [s]
  double *tau;   // [nv] of this period
} played;

static ff_status start(void *user, int run, ff_sim *sim, ff_error *error)
{
  const played *p = user;
  (void)run;
  return ff_scene_reset_sim(p->scene, sim, error);
}

static ff_status control(void *user, int step, const ff_sim *sim, double *tau, ff_error *error)
{
  const played *p = user;
  const size_t nv = (size_t)ff_model_get_size(ff_scene_model(p->scene)).nv;
  ff_status status = FF_OK;
  if (step % p->hold == 0) {
    const int period = step / p->hold;
    memset(p->tau, 0, nv * sizeof *p->tau);
    status = ff_scene_control(p->scene, period * p->period, ff_sim_q(sim), ff_sim_v(sim), p->tau, error);
  }
  memcpy(tau, p->tau, nv * sizeof *tau);
  return status;
}

ff_status bench_motion_record_scene(ff_scene *scene, ff_sim *sim, const bench_motion_def *def,
                                    bench_motion *out, ff_error *error)
{
  const double dt = ff_world_def(ff_sim_world(sim))->dt;
  played p = {.scene = scene, .period = ff_scene_period(scene)};
  bench_motion_def own = *def;
  p.hold = (int)fmax(1, round(p.period / dt));
  p.tau = calloc((size_t)ff_model_get_size(ff_scene_model(scene)).nv + 1, sizeof *p.tau);
  memset(out, 0, sizeof *out);
  if (!p.tau)
    return FF_ERROR_MEMORY;
  own.runs = 1;
  own.start = start;
  own.control = control;
  own.user = &p;
  const ff_status status = bench_motion_record(sim, &own, out, error);
  free(p.tau);
  return status;
}
