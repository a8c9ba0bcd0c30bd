// Local errors of steppers after one control period, and the time they take.
#include "study/study.h"

#include "base/clock.h"

#include <math.h>
#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

ff_spread ff_spread_of(const double *values, int count, double *scratch)
{
  ff_spread s = {(double)NAN, (double)NAN, (double)NAN};
  double sum = 0;
  int n = 0;
  for (int i = 0; i < count; ++i)
    if (isfinite(values[i]))
      sum += scratch[n++] = values[i];
  if (n > 0) {
    qsort(scratch, (size_t)n, sizeof *scratch, ascending);
    s = (ff_spread){sum / n, 0.5 * (scratch[(n - 1) / 2] + scratch[n / 2]), scratch[n - 1]};
  }
  return s;
}

// Two readings of the clock, one after the other.
static double clock_seconds(void)
{
  double least = 1;
  for (int i = 0; i < 100; ++i) {
    const double start = ffi_clock_thread_seconds();
    least = fmin(least, ffi_clock_thread_seconds() - start);
  }
  return least;
}

typedef struct pass {
  const ff_trial *trial;
  ff_sim **sims;  // [count]
  double *work;   // [nv]
  double *sorted; // [periods]
  double **next;  // [count][periods] the second shortest times, seconds
  double clock;   // seconds
} pass;

// The shortest time of a period so far and the second shortest.
static void keep_time(double seconds, int round, double *least, double *next)
{
  if (round == 0)
    *least = *next = seconds;
  else if (round == 1)
    *next = fmax(seconds, *least), *least = fmin(seconds, *least);
  else if (seconds < *least)
    *next = *least, *least = seconds;
  else
    *next = fmin(*next, seconds);
}

// One period of one configuration. Only the lack of a state to start from is a failure here.
static ff_status take_period(const pass *p, ff_local_error *l, int which, int k, int round, ff_error *error)
{
  ff_sim *sim = p->sims[which];
  const ff_solution *t = l->solution;
  const double *tau = t->tau + (size_t)k * (size_t)t->nv;
  ff_status status = ff_sim_set_state(sim, t->states + (size_t)k * (size_t)t->state_size, error),
            stepped = FF_OK;
  if (status != FF_OK)
    return status;
  ff_error ignored;
  int unconverged = 0;
  const double start = ffi_clock_thread_seconds();
  for (int i = 0; i < l->substeps && stepped == FF_OK; ++i) {
    stepped = ff_sim_step(sim, tau, &ignored);
    unconverged += !ff_sim_info(sim)->converged;
  }
  const double seconds = fmax(0, ffi_clock_thread_seconds() - start - p->clock);
  keep_time(seconds, round, &l->seconds[k], &p->next[which][k]);
  if (round > 0)
    return FF_OK;
  l->failures += stepped != FF_OK;
  l->unconverged += unconverged;
  if (stepped != FF_OK) {
    l->error[k] = l->norm[k] = (double)NAN;
    return FF_OK;
  }
  double distance[2];
  ff_solution_distance(t, k + 1, ff_sim_q(sim), ff_sim_v(sim), p->work, distance);
  l->error[k] = distance[0];
  l->norm[k] = distance[1];
  l->below += l->error[k] <= t->tolerance[k];
  return FF_OK;
}

static void sum_up(const pass *p, ff_local_error *l, const double *next)
{
  const int n = l->solution ? l->solution->periods : 0;
  double seconds = 0, slower = 0;
  int whole = 0; // periods
  l->max_norm = ff_spread_of(l->error, n, p->sorted);
  l->two_norm = ff_spread_of(l->norm, n, p->sorted);
  for (int k = 0; k < n; ++k)
    if (isfinite(l->error[k])) {
      seconds += l->seconds[k];
      slower += next[k];
      ++whole;
    }
  l->speed = whole > 0 ? whole * p->trial->period / seconds : (double)NAN;
  l->slower = whole > 0 ? whole * p->trial->period / slower : (double)NAN;
  l->step_us = whole > 0 ? 1e6 * seconds / ((double)whole * l->substeps) : (double)NAN;
  l->dt = p->trial->period / l->substeps;
}

static ff_status allocate(ff_local_error *l, double **next, ff_error *error)
{
  const size_t n = (size_t)(l->solution ? l->solution->periods : 0) + 1;
  *next = calloc(n, sizeof **next);
  l->error = calloc(n, sizeof *l->error);
  l->norm = calloc(n, sizeof *l->norm);
  l->seconds = calloc(n, sizeof *l->seconds);
  for (size_t k = 0; k < n && l->error && l->norm; ++k)
    l->error[k] = l->norm[k] = (double)NAN;
  l->failures = l->unconverged = l->below = 0;
  if (l->error && l->norm && l->seconds && *next)
    return FF_OK;
  return ffi_trial_no_memory(error);
}

static int takes_part(const ff_local_error *l, int round)
{
  return l->solution && (l->rounds == 0 || round < l->rounds);
}

// Steps of all rounds.
static double work_of(const ff_local_error *list, int count, int rounds)
{
  double steps = 0;
  for (int round = 0; round < rounds; ++round)
    for (int i = 0; i < count; ++i)
      steps += takes_part(&list[i], round) ? (double)list[i].substeps * list[i].solution->periods : 0;
  return steps;
}

static ff_status go_through(const pass *p, ff_local_error *list, int count, int rounds,
                            const ff_progress *progress, ff_error *error)
{
  const double all = work_of(list, count, rounds);
  double done = 0;
  for (int round = 0; round < rounds; ++round)
    for (int i = 0; i < count; ++i) {
      ff_local_error *l =
          &list[(i + round) % count]; // in another order in each round, so that caches favour nobody
      if (!takes_part(l, round))
        continue;
      ff_status status = FF_OK;
      for (int k = 0; k < l->solution->periods && status == FF_OK; k = ff_trial_next(p->trial, k))
        status = take_period(p, l, (int)(l - list), k, round, error);
      done += (double)l->substeps * l->solution->periods;
      if (status == FF_OK)
        status = ffi_trial_progress(progress, "errors and times", done / all, error);
      if (status != FF_OK)
        return status;
    }
  return FF_OK;
}

// Of all, so that all can be released; and the largest number of periods.
static int clear(ff_local_error *list, int count)
{
  int most = 0;
  for (int i = 0; i < count; ++i) {
    list[i].error = list[i].norm = list[i].seconds = NULL;
    if (list[i].solution && list[i].solution->periods > most)
      most = list[i].solution->periods;
  }
  return most;
}

static ff_status measure(const ff_trial *trial, ff_local_error *list, int count, int rounds,
                         const ff_progress *progress, ff_error *error)
{
  const int nv = ff_model_get_size(trial->model).nv, most = clear(list, count);
  pass p = {.trial = trial,
            .sims = calloc((size_t)count + 1, sizeof(ff_sim *)),
            .work = calloc((size_t)nv + 1, sizeof *p.work),
            .sorted = calloc((size_t)most + 1, sizeof *p.sorted),
            .next = calloc((size_t)count + 1, sizeof *p.next),
            .clock = clock_seconds()};
  ff_status status = p.sims && p.work && p.sorted && p.next ? FF_OK : ffi_trial_no_memory(error);
  for (int i = 0; i < count && status == FF_OK; ++i) {
    status = allocate(&list[i], &p.next[i], error);
    if (status == FF_OK)
      status = ff_trial_sim(trial, &list[i].scheme, list[i].substeps, &p.sims[i], error);
  }
  if (status == FF_OK)
    status = go_through(&p, list, count, rounds, progress, error);
  for (int i = 0; i < count && status == FF_OK; ++i)
    sum_up(&p, &list[i], p.next[i]);
  for (int i = 0; i < count && p.sims; ++i)
    ff_sim_destroy(p.sims[i]);
  for (int i = 0; i < count && p.next; ++i)
    free(p.next[i]);
  free(p.next);
  free(p.sims);
  free(p.work);
  free(p.sorted);
  return status;
}

ff_status ff_local_error_measure(const ff_trial *user_trial, ff_local_error *list, int count, int rounds,
                                 const ff_progress *progress, ff_error *error)
{
  ff_trial trial;
  if (!list || count < 0 || rounds < 1)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_local_error_measure", "no list, or no rounds");
  const ff_status status = ffi_trial_take(user_trial, &trial, error);
  if (status != FF_OK) {
    clear(list, count);
    return status;
  }
  return measure(&trial, list, count, rounds, progress, error);
}

void ff_local_error_free(ff_local_error *list, int count)
{
  for (int i = 0; i < count; ++i) {
    free(list[i].error);
    free(list[i].norm);
    free(list[i].seconds);
    list[i].error = list[i].norm = list[i].seconds = NULL;
  }
}
