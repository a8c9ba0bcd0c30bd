#include "truth.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int bench_truth_substeps(const bench_trial *trial, ff_stepper stepper, double finest)
{
  const int is_first_order = stepper == FF_STEPPER_EULER || stepper == FF_STEPPER_SYMPLECTIC;
  return bench_trial_substeps(trial, finest) * (is_first_order ? 8 : 1);
}

static ff_status no_memory(ff_error *error)
{
  snprintf(error->message, sizeof error->message, "there is not enough memory");
  return error->status = FF_ERROR_MEMORY;
}

static bench_truth *allocate(const bench_trial *trial, const ff_sim *sim)
{
  bench_truth *t = calloc(1, sizeof *t);
  if (!t)
    return NULL;
  const ff_model_size size = ff_model_get_size(trial->model);
  const size_t n = (size_t)trial->periods;
  t->nq = size.nq, t->nv = size.nv, t->periods = trial->periods, t->state_size = ff_sim_state_size(sim);
  t->states = calloc((n + 1) * (size_t)t->state_size, sizeof *t->states);
  t->q = calloc((n + 1) * (size_t)t->nq + 1, sizeof *t->q);
  t->v = calloc((n + 1) * (size_t)t->nv + 1, sizeof *t->v);
  t->tau = calloc(n * (size_t)t->nv + 1, sizeof *t->tau);
  t->tolerance = calloc(n + 1, sizeof *t->tolerance);
  if (t->states && t->q && t->v && t->tau && t->tolerance)
    return t;
  bench_truth_destroy(t);
  return NULL;
}

void bench_truth_destroy(bench_truth *t)
{
  if (!t)
    return;
  free(t->states);
  free(t->q);
  free(t->v);
  free(t->tau);
  free(t->tolerance);
  free(t);
}

static void record(bench_truth *t, const ff_sim *sim, int k)
{
  ff_sim_get_state(sim, t->states + (size_t)k * (size_t)t->state_size);
  memcpy(t->q + (size_t)k * (size_t)t->nq, ff_sim_q(sim), (size_t)t->nq * sizeof *t->q);
  memcpy(t->v + (size_t)k * (size_t)t->nv, ff_sim_v(sim), (size_t)t->nv * sizeof *t->v);
}

static ff_status run(bench_truth *t, const bench_trial *trial, ff_sim *sim, void (*progress)(void *, double),
                     void *user, ff_error *error)
{
  ff_status status = ff_sim_reset(sim, trial->q, trial->v, error);
  if (trial->begin)
    trial->begin(trial->user);
  record(t, sim, 0);
  for (int k = 0; k < t->periods && status == FF_OK; ++k) {
    double *tau = t->tau + (size_t)k * (size_t)t->nv;
    if (trial->control)
      status = trial->control(k * trial->period, ff_sim_q(sim), ff_sim_v(sim), tau, trial->user, error);
    for (int i = 0; i < t->substeps && status == FF_OK; ++i)
      status = ff_sim_step(sim, tau, error);
    record(t, sim, k + 1);
    if (progress)
      progress(user, (k + 1.0) / t->periods);
  }
  return status;
}

ff_status bench_truth_create(const bench_trial *trial, const bench_scheme *scheme, int substeps,
                             void (*progress)(void *, double), void *user, bench_truth **out, ff_error *error)
{
  ff_sim *sim = NULL;
  bench_truth *t = NULL;
  ff_status status = bench_trial_sim(trial, scheme, substeps, &sim, error);
  if (status == FF_OK) {
    t = allocate(trial, sim);
    if (!t)
      status = no_memory(error);
  }
  if (status == FF_OK) {
    t->scheme = *scheme;
    t->substeps = substeps;
    status = run(t, trial, sim, progress, user, error);
  }
  ff_sim_destroy(sim);
  if (status != FF_OK) {
    bench_truth_destroy(t);
    t = NULL;
  }
  *out = t;
  return status;
}

void bench_truth_distance(const bench_truth *t, const ff_model *model, int k, const double *q,
                          const double *v, double *work, double *largest, double *euclidean)
{
  const double *true_v = t->v + (size_t)k * (size_t)t->nv;
  double most = 0, sum = 0;
  ff_model_difference(model, t->q + (size_t)k * (size_t)t->nq, q, work);
  for (int i = 0; i < t->nv; ++i) {
    const double dv = v[i] - true_v[i];
    most = fmax(most, fmax(fabs(work[i]), fabs(dv)));
    sum += work[i] * work[i] + dv * dv;
  }
  *largest = most;
  *euclidean = sqrt(sum);
}

const double bench_truth_enough = 1e-7;

// How far the end of period k is from the truth, with this sim and so many steps.
static ff_status check_period(bench_truth *t, const bench_trial *trial, int k, ff_sim *sim, int substeps,
                              double *work, ff_error *error)
{
  double norm;
  ff_status status = ff_sim_set_state(sim, t->states + (size_t)k * (size_t)t->state_size, error);
  for (int i = 0; i < substeps && status == FF_OK; ++i)
    status = ff_sim_step(sim, t->tau + (size_t)k * (size_t)t->nv, error);
  if (status == FF_OK)
    bench_truth_distance(t, trial->model, k + 1, ff_sim_q(sim), ff_sim_v(sim), work, &t->tolerance[k], &norm);
  return status;
}

static void sum_up(bench_truth *t, const bench_trial *trial)
{
  int judged = 0;
  t->tolerance_mean = t->tolerance_worst = 0;
  for (int k = 0; k < t->periods; k = bench_trial_next(trial, k), ++judged) {
    t->tolerance_mean += t->tolerance[k];
    t->tolerance_worst = fmax(t->tolerance_worst, t->tolerance[k]);
  }
  t->tolerance_mean /= judged > 0 ? judged : 1;
}

ff_status bench_truth_check(bench_truth *t, const bench_trial *trial, const bench_scheme *scheme,
                            int substeps, int refinements, void (*progress)(void *, double), void *user,
                            ff_error *error)
{
  const int levels = 1 + (refinements < BENCH_REFINEMENTS_MOST ? refinements : BENCH_REFINEMENTS_MOST);
  ff_sim *sims[1 + BENCH_REFINEMENTS_MOST] = {NULL};
  double *work = malloc(((size_t)t->nv + 1) * sizeof *work);
  ff_status status = work ? FF_OK : no_memory(error);
  for (int i = 0; i < levels && status == FF_OK; ++i)
    status = bench_trial_sim(trial, scheme, substeps << 2 * i, &sims[i], error);
  for (int k = 0; k < t->periods && status == FF_OK; k = bench_trial_next(trial, k)) {
    t->tolerance[k] = INFINITY;
    for (int i = 0; i < levels && status == FF_OK && t->tolerance[k] > bench_truth_enough; ++i)
      status = check_period(t, trial, k, sims[i], substeps << 2 * i, work, error);
    if (progress)
      progress(user, (k + 1.0) / t->periods);
  }
  sum_up(t, trial);
  for (int i = 0; i < levels; ++i)
    ff_sim_destroy(sims[i]);
  free(work);
  return status;
}

// ---- Changes -----------------------------------------------------------------------------------------------

enum { CONTACTS_MOST = 256 };

typedef struct contact_set {
  int count, id[CONTACTS_MOST];
  ff_contact_mode mode[CONTACTS_MOST];
} contact_set;

static void read_contacts(ff_sim *sim, contact_set *set)
{
  int count;
  const ff_contact *contacts = ff_sim_contacts(sim, &count);
  set->count = count < CONTACTS_MOST ? count : CONTACTS_MOST;
  for (int i = 0; i < set->count; ++i) {
    set->id[i] = contacts[i].id;
    set->mode[i] = contacts[i].mode;
  }
}

static int is_same(const contact_set *a, const contact_set *b)
{
  const size_t n = (size_t)a->count;
  return a->count == b->count && memcmp(a->id, b->id, n * sizeof *a->id) == 0 &&
         memcmp(a->mode, b->mode, n * sizeof *a->mode) == 0;
}

ff_status bench_truth_changes(const bench_truth *t, const bench_trial *trial, char *changes, ff_error *error)
{
  contact_set sets[2] = {0};
  ff_sim *sim = NULL;
  ff_status status = bench_trial_sim(trial, &t->scheme, t->substeps, &sim, error);
  for (int k = 0; k <= t->periods && status == FF_OK; ++k) {
    status = ff_sim_set_state(sim, t->states + (size_t)k * (size_t)t->state_size, error);
    if (status != FF_OK)
      break;
    read_contacts(sim, &sets[k % 2]);
    if (k > 0)
      changes[k - 1] = (char)!is_same(&sets[0], &sets[1]);
  }
  ff_sim_destroy(sim);
  return status;
}
