// Steps the trot, measures local errors and detects failures and falls.
#include "papers/c2a/c2a_trot.h"

#include "common/shipped_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const double bench_c2a_trot_gait = 0.3;
const char bench_c2a_trot_scene[] = "links-trot.yaml";

static const double failed_energy = 1e7; // [J], the paper's

ff_status bench_c2a_trot_load(const bench_c2a_trot_scene_def *def, ff_scene **out, ff_error *error)
{
  char path[4096], number[32], begin[32];
  if (!bench_shipped_file_scene(def->scenes, bench_c2a_trot_scene, path, sizeof path)) {
    snprintf(error->message, sizeof error->message,
             "%.200s: cannot be read; --scenes DIR says where the scenes are", path);
    return error->status = FF_ERROR_FILE;
  }
  snprintf(number, sizeof number, "%.17g", def->period);
  snprintf(begin, sizeof begin, "%.17g", def->start);
  const ff_scene_override overrides[] = {
      {"dt", number, NULL},
      {"controller.period", number, NULL},
      {"controller.trot.start_time", begin, NULL},
      {"controller.middle", def->controller == BENCH_C2A_MIDDLE ? "true" : "false", NULL}};
  return ff_scene_load(path, overrides, 4, out, error);
}

ff_c2a_def bench_c2a_trot_options(void)
{
  ff_c2a_def c2a = ff_sim_def_default().c2a;
  c2a.impact.law = FF_IMPACT_DISSIPATION;
  return c2a;
}

ff_sim_def bench_c2a_trot_plain(const ff_scene *scene, double dt)
{
  ff_sim_def def = ff_scene_sim_def(scene);
  def.stepper = FF_STEPPER_CA;
  def.dt = dt;
  def.c2a = bench_c2a_trot_options();
  def.c2a.h_min = dt;
  def.max_speed = 1e12; // this file decides what a failure is
  return def;
}

double bench_c2a_trot_share(const bench_c2a_trot_sample *s)
{
  return s->error / fmax(s->energy, 1e-6);
}

// ---- A run ----------------------------------------------------------------------------------------------

typedef struct trot {
  ff_scene *scene;
  bench_controlled_robot driven;
  ff_sim *halves; // the same with half the step
  double *state;
} trot;

static void release_all(trot *t)
{
  bench_controlled_robot_free(&t->driven);
  ff_sim_destroy(t->halves);
  free(t->state);
  ff_scene_destroy(t->scene);
}

static ff_status prepare(const bench_c2a_trot_def *def, trot *t, ff_error *error)
{
  ff_status status = bench_c2a_trot_load(
      &(bench_c2a_trot_scene_def){def->scenes, def->dt, 0, def->controller}, &t->scene, error);
  if (status != FF_OK)
    return status;
  ff_sim_def whole = bench_c2a_trot_plain(t->scene, def->dt),
             half = bench_c2a_trot_plain(t->scene, def->dt / 2);
  const double h_min[2] = {whole.c2a.h_min, half.c2a.h_min};
  whole.c2a = half.c2a = def->c2a;
  whole.c2a.h_min = h_min[0];
  half.c2a.h_min = h_min[1];
  status = bench_controlled_robot_create(t->scene, &whole, 1, &t->driven, error);
  if (status == FF_OK)
    status = ff_scene_create_sim(t->scene, &half, &t->halves, error);
  if (status != FF_OK)
    return status;
  t->state = calloc((size_t)ff_sim_state_size(t->driven.sim), sizeof *t->state);
  return t->state ? FF_OK : (error->status = FF_ERROR_MEMORY);
}

// Energy after two half steps; NAN if they fail.
static double energy_of_halves(trot *t)
{
  ff_error ignored;
  ff_sim_get_state(t->driven.sim, t->state);
  if (ff_sim_set_state(t->halves, t->state, &ignored) != FF_OK)
    return NAN;
  for (int k = 0; k < 2; ++k)
    if (ff_sim_step(t->halves, t->driven.own_tau, &ignored) != FF_OK)
      return NAN;
  return ff_sim_energy(t->halves).kinetic;
}

// Returns 0 if the step or the controller fails, or the energy is too large.
static int step(trot *t, bench_c2a_trot_sample *sample)
{
  ff_error ignored;
  bench_controlled_robot *d = &t->driven;
  if (bench_controlled_robot_control(d, &ignored) != FF_OK)
    return 0;
  if (sample) {
    ff_sim_contacts(d->sim, &sample->feet);
    sample->energy = energy_of_halves(t);
  }
  if (ff_sim_step(d->sim, d->own_tau, &ignored) != FF_OK)
    return 0;
  ++d->steps;
  const double energy = ff_sim_energy(d->sim).kinetic;
  if (sample)
    sample->error = fabs(energy - sample->energy);
  return energy < failed_energy;
}

ff_status bench_c2a_trot_go(const bench_c2a_trot_def *def, bench_c2a_trot_run *out, ff_error *error)
{
  trot t = {0};
  const int most = (int)lround(def->duration / def->dt);
  *out = (bench_c2a_trot_run){.failed_at = -1, .fell_at = -1};
  ff_status status = prepare(def, &t, error);
  if (status == FF_OK) {
    out->samples = calloc((size_t)def->sampled + 1, sizeof *out->samples);
    status = out->samples ? FF_OK : (error->status = FF_ERROR_MEMORY);
  }
  while (status == FF_OK && out->steps < most && out->failed_at < 0) {
    const int is_sampled = out->sample_count < def->sampled;
    if (!step(&t, is_sampled ? &out->samples[out->sample_count] : NULL))
      out->failed_at = out->steps;
    else if (is_sampled)
      ++out->sample_count;
    ++out->steps;
    if (out->fell_at < 0 && !bench_controlled_robot_is_upright(&t.driven))
      out->fell_at = out->steps;
  }
  release_all(&t);
  return status;
}

void bench_c2a_trot_run_free(bench_c2a_trot_run *r)
{
  free(r->samples);
  r->samples = NULL;
}

double bench_c2a_trot_end(const bench_c2a_trot_run *r, double none)
{
  const double failed = r->failed_at >= 0 ? r->failed_at : none, fell = r->fell_at >= 0 ? r->fell_at : none;
  return fmin(failed, fell);
}
