#include "local_error.h"

#include "timer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

bench_spread bench_spread_of(const double *values, int count)
{
  bench_spread s = {NAN, NAN, NAN};
  double *sorted = malloc(((size_t)count + 1) * sizeof *sorted), sum = 0;
  int n = 0;
  for (int i = 0; i < count && sorted; ++i)
    if (isfinite(values[i]))
      sum += sorted[n++] = values[i];
  if (n > 0) {
    qsort(sorted, (size_t)n, sizeof *sorted, ascending);
    s = (bench_spread){sum / n, 0.5 * (sorted[(n - 1) / 2] + sorted[n / 2]), sorted[n - 1]};
  }
  free(sorted);
  return s;
}

// Two readings of the clock, one after the other.
static double clock_seconds(void)
{
  double least = 1;
  for (int i = 0; i < 100; ++i) {
    const double start = bench_thread_seconds();
    least = fmin(least, bench_thread_seconds() - start);
  }
  return least;
}

typedef struct pass {
  const bench_trial *trial;
  ff_sim **sims; // [count]
  double *work;  // [nv]
  double clock;  // seconds
} pass;

// One period of one configuration. Only the lack of a state to start from is a failure here.
static ff_status take_period(const pass *p, bench_local *l, ff_sim *sim, int k, int round, ff_error *error)
{
  const bench_truth *t = l->truth;
  const double *tau = t->tau + (size_t)k * (size_t)t->nv;
  ff_status status = ff_sim_set_state(sim, t->states + (size_t)k * (size_t)t->state_size, error),
            stepped = FF_OK;
  if (status != FF_OK)
    return status;
  ff_error ignored;
  int unconverged = 0;
  const double start = bench_thread_seconds();
  for (int i = 0; i < l->substeps && stepped == FF_OK; ++i) {
    stepped = ff_sim_step(sim, tau, &ignored);
    unconverged += !ff_sim_info(sim)->converged;
  }
  const double seconds = fmax(0, bench_thread_seconds() - start - p->clock);
  l->seconds[k] = round == 0 ? seconds : fmin(l->seconds[k], seconds);
  if (round > 0)
    return FF_OK;
  l->failures += stepped != FF_OK;
  l->unconverged += unconverged;
  if (stepped != FF_OK) {
    l->error[k] = l->norm[k] = NAN;
    return FF_OK;
  }
  bench_truth_distance(t, p->trial->model, k + 1, ff_sim_q(sim), ff_sim_v(sim), p->work, &l->error[k],
                       &l->norm[k]);
  l->below += l->error[k] <= t->tolerance[k];
  return FF_OK;
}

static void sum_up(const bench_trial *trial, bench_local *l)
{
  const int n = l->truth ? l->truth->periods : 0;
  double seconds = 0;
  int whole = 0; // periods
  l->max_norm = bench_spread_of(l->error, n);
  l->two_norm = bench_spread_of(l->norm, n);
  for (int k = 0; k < n; ++k)
    if (isfinite(l->error[k])) {
      seconds += l->seconds[k];
      ++whole;
    }
  l->speed = whole > 0 ? whole * trial->period / seconds : NAN;
  l->step_us = whole > 0 ? 1e6 * seconds / ((double)whole * l->substeps) : NAN;
}

static ff_status allocate(bench_local *l, ff_error *error)
{
  const size_t n = (size_t)(l->truth ? l->truth->periods : 0) + 1;
  l->error = calloc(n, sizeof *l->error);
  l->norm = calloc(n, sizeof *l->norm);
  l->seconds = calloc(n, sizeof *l->seconds);
  for (size_t k = 0; k < n && l->error && l->norm; ++k)
    l->error[k] = l->norm[k] = NAN;
  l->failures = l->unconverged = l->below = 0;
  if (l->error && l->norm && l->seconds)
    return FF_OK;
  snprintf(error->message, sizeof error->message, "there is not enough memory");
  return error->status = FF_ERROR_MEMORY;
}

static int takes_part(const bench_local *l, int round)
{
  return l->truth && (l->rounds == 0 || round < l->rounds);
}

// Steps of all rounds.
static double work_of(const bench_local *list, int count, int rounds)
{
  double steps = 0;
  for (int round = 0; round < rounds; ++round)
    for (int i = 0; i < count; ++i)
      steps += takes_part(&list[i], round) ? (double)list[i].substeps * list[i].truth->periods : 0;
  return steps;
}

static ff_status go_through(const pass *p, bench_local *list, int count, int rounds,
                            void (*progress)(void *, double), void *user, ff_error *error)
{
  const double all = work_of(list, count, rounds);
  double done = 0;
  for (int round = 0; round < rounds; ++round)
    for (int i = 0; i < count; ++i) {
      bench_local *l = &list[(i + round) % count]; // not always after the same neighbour
      if (!takes_part(l, round))
        continue;
      for (int k = 0; k < l->truth->periods; k = bench_trial_next(p->trial, k)) {
        const ff_status status = take_period(p, l, p->sims[l - list], k, round, error);
        if (status != FF_OK)
          return status;
      }
      done += (double)l->substeps * l->truth->periods;
      if (progress)
        progress(user, done / all);
    }
  return FF_OK;
}

ff_status bench_local_run(const bench_trial *trial, bench_local *list, int count, int rounds,
                          void (*progress)(void *, double), void *user, ff_error *error)
{
  const int nv = ff_model_get_size(trial->model).nv;
  pass p = {.trial = trial,
            .sims = calloc((size_t)count + 1, sizeof(ff_sim *)),
            .work = calloc((size_t)nv + 1, sizeof *p.work),
            .clock = clock_seconds()};
  ff_status status = p.sims && p.work ? FF_OK : (error->status = FF_ERROR_MEMORY);
  for (int i = 0; i < count; ++i) // all of them, so that all can be released
    list[i].error = list[i].norm = list[i].seconds = NULL;
  for (int i = 0; i < count && status == FF_OK; ++i) {
    status = allocate(&list[i], error);
    if (status == FF_OK)
      status = bench_trial_sim(trial, &list[i].scheme, list[i].substeps, &p.sims[i], error);
  }
  if (status == FF_OK)
    status = go_through(&p, list, count, rounds, progress, user, error);
  for (int i = 0; i < count && status == FF_OK; ++i)
    sum_up(trial, &list[i]);
  for (int i = 0; i < count && p.sims; ++i)
    ff_sim_destroy(p.sims[i]);
  free(p.sims);
  free(p.work);
  return status;
}

void bench_local_free(bench_local *list, int count)
{
  for (int i = 0; i < count; ++i) {
    free(list[i].error);
    free(list[i].norm);
    free(list[i].seconds);
    list[i].error = list[i].norm = list[i].seconds = NULL;
  }
}
