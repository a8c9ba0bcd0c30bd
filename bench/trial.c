#include "trial.h"

#include <stdio.h>
#include <string.h>

bench_scheme bench_scheme_of(ff_stepper stepper)
{
  const ff_sim_def def = ff_sim_def_default();
  bench_scheme s = {.stepper = stepper, .expo = def.expo, .implicit = def.implicit, .c2a = def.c2a};
  snprintf(s.name, sizeof s.name, "%s", ff_stepper_name(stepper));
  return s;
}

int bench_scheme_find(const char *name, bench_scheme *out)
{
  char front[32];
  const char *colon = strchr(name, ':');
  const size_t length = colon ? (size_t)(colon - name) : strlen(name);
  ff_stepper stepper;
  if (length >= sizeof front || strlen(name) >= sizeof out->name)
    return 0;
  memcpy(front, name, length);
  front[length] = '\0';
  if (!ff_stepper_find(front, &stepper))
    return 0;
  *out = bench_scheme_of(stepper);
  snprintf(out->name, sizeof out->name, "%s", name);
  if (!colon)
    return 1;
  if (stepper == FF_STEPPER_EXPO && strcmp(colon, ":order-1") == 0) {
    out->expo.order = 1;
    return 1;
  }
  return stepper == FF_STEPPER_EXPO_PAPER && ff_exponential_find(colon + 1, &out->expo.exponential);
}

ff_status bench_trial_sim(const bench_trial *trial, const bench_scheme *scheme, int substeps, ff_sim **out,
                          ff_error *error)
{
  ff_sim_def def = trial->def;
  def.stepper = scheme->stepper;
  def.dt = trial->period / substeps;
  def.expo = scheme->expo;
  def.implicit = scheme->implicit;
  def.accuracy = scheme->accuracy;
  if (scheme->has_c2a)
    def.c2a = scheme->c2a;
  if (def.c2a.h_min <= 0)
    def.c2a.h_min = def.c2a.h_min < 0 ? -def.c2a.h_min * def.dt : def.dt;
  return trial->create ? trial->create(&def, out, trial->user, error)
                       : ff_sim_create(trial->model, &def, out, error);
}

int bench_trial_substeps(const bench_trial *trial, double dt)
{
  int substeps = 1;
  while (2 * substeps * dt <=
         trial->period * (1 + 1e-12)) // a period of 64 ms has 64 steps of 1 ms, whatever their last bits
    substeps *= 2;
  return substeps;
}

int bench_trial_next(const bench_trial *trial, int k)
{
  return k + (trial->every > 1 ? trial->every : 1);
}

void bench_trial_spread(bench_trial *trial, int count)
{
  trial->every = (trial->periods + count - 1) / count;
  trial->every += trial->every % 5 == 0;
}
