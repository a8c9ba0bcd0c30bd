// Reference solutions: runs with very short steps, their check by a second method, and distances from them.
#include "study/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int ff_solution_substeps(const ff_trial *trial, ff_stepper stepper, double finest)
{
  const int is_first_order = stepper == FF_STEPPER_EULER || stepper == FF_STEPPER_SYMPLECTIC;
  return ff_trial_substeps(trial, finest) * (is_first_order ? 8 : 1);
}

static ff_solution *allocate(const ff_trial *trial, const ff_sim *sim)
{
  ff_solution *t = calloc(1, sizeof *t);
  if (!t)
    return NULL;
  const ff_model_size size = ff_model_get_size(trial->model);
  const size_t n = (size_t)trial->periods;
  t->model = trial->model;
  t->nq = size.nq, t->nv = size.nv, t->periods = trial->periods, t->state_size = ff_sim_state_size(sim);
  t->states = calloc((n + 1) * (size_t)t->state_size, sizeof *t->states);
  t->q = calloc((n + 1) * (size_t)t->nq + 1, sizeof *t->q);
  t->v = calloc((n + 1) * (size_t)t->nv + 1, sizeof *t->v);
  t->tau = calloc(n * (size_t)t->nv + 1, sizeof *t->tau);
  t->tolerance = calloc(n + 1, sizeof *t->tolerance);
  if (t->states && t->q && t->v && t->tau && t->tolerance)
    return t;
  ff_solution_destroy(t);
  return NULL;
}

void ff_solution_destroy(ff_solution *t)
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

static void record(ff_solution *t, const ff_sim *sim, int k)
{
  ff_sim_get_state(sim, t->states + (size_t)k * (size_t)t->state_size);
  memcpy(t->q + (size_t)k * (size_t)t->nq, ff_sim_q(sim), (size_t)t->nq * sizeof *t->q);
  memcpy(t->v + (size_t)k * (size_t)t->nv, ff_sim_v(sim), (size_t)t->nv * sizeof *t->v);
}

static ff_status run(ff_solution *t, const ff_trial *trial, ff_sim *sim, const ff_progress *progress,
                     ff_error *error)
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
    if (status == FF_OK)
      status = ffi_trial_progress(progress, "reference solution", (k + 1.0) / t->periods, error);
  }
  return status;
}

ff_status ff_solution_create(const ff_trial *user_trial, const ff_scheme *scheme, int substeps,
                             const ff_progress *progress, ff_solution **out, ff_error *error)
{
  ff_trial trial;
  ff_sim *sim = NULL;
  ff_solution *t = NULL;
  if (!out)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_solution_create", "an argument is NULL");
  *out = NULL;
  ff_status status = ffi_trial_take(user_trial, &trial, error);
  if (status == FF_OK)
    status = ff_trial_sim(&trial, scheme, substeps, &sim, error);
  if (status == FF_OK) {
    t = allocate(&trial, sim);
    if (!t)
      status = ffi_trial_no_memory(error);
  }
  if (status == FF_OK) {
    t->scheme = *scheme;
    t->substeps = substeps;
    status = run(t, &trial, sim, progress, error);
  }
  ff_sim_destroy(sim);
  if (status != FF_OK) {
    ff_solution_destroy(t);
    t = NULL;
  }
  *out = t;
  return status;
}

void ff_solution_distance(const ff_solution *t, int k, const double *q, const double *v, double *work,
                          double distance[2])
{
  const double *true_v = t->v + (size_t)k * (size_t)t->nv;
  double most = 0, sum = 0;
  ff_model_difference(t->model, t->q + (size_t)k * (size_t)t->nq, q, work);
  for (int i = 0; i < t->nv && work; ++i) { // without velocities there is no work
    const double dv = v[i] - true_v[i];
    most = fmax(most, fmax(fabs(work[i]), fabs(dv)));
    sum += work[i] * work[i] + dv * dv;
  }
  distance[0] = most;
  distance[1] = sqrt(sum);
}

// ---- Check ----------------------------------------------------------------------------------------------------------

enum { REFINEMENTS_MOST = 4 };

// How far the end of period k is from the solution, with this sim and so many steps.
static ff_status check_period(ff_solution *t, int k, ff_sim *sim, int substeps, double *work, ff_error *error)
{
  double distance[2];
  ff_status status = ff_sim_set_state(sim, t->states + (size_t)k * (size_t)t->state_size, error);
  for (int i = 0; i < substeps && status == FF_OK; ++i)
    status = ff_sim_step(sim, t->tau + (size_t)k * (size_t)t->nv, error);
  if (status != FF_OK)
    return status;
  ff_solution_distance(t, k + 1, ff_sim_q(sim), ff_sim_v(sim), work, distance);
  t->tolerance[k] = distance[0];
  return FF_OK;
}

static void sum_up(ff_solution *t, const ff_trial *trial)
{
  int judged = 0;
  t->tolerance_mean = t->tolerance_worst = 0;
  for (int k = 0; k < t->periods; k = ff_trial_next(trial, k), ++judged) {
    t->tolerance_mean += t->tolerance[k];
    t->tolerance_worst = fmax(t->tolerance_worst, t->tolerance[k]);
  }
  t->tolerance_mean /= judged > 0 ? judged : 1;
}

// All periods that are judged, by sims [levels] with shorter and shorter steps.
static ff_status check_all(ff_solution *t, const ff_trial *trial, int substeps, ff_sim *const *sims,
                           const ff_progress *progress, ff_error *error)
{
  double *work = malloc(((size_t)t->nv + 1) * sizeof *work);
  ff_status status = work ? FF_OK : ffi_trial_no_memory(error);
  for (int k = 0; k < t->periods && status == FF_OK; k = ff_trial_next(trial, k)) {
    t->tolerance[k] = (double)INFINITY;
    for (int i = 0; sims[i] && status == FF_OK && t->tolerance[k] > FF_SOLUTION_ENOUGH; ++i)
      status = check_period(t, k, sims[i], substeps << 2 * i, work, error);
    if (status == FF_OK)
      status =
          ffi_trial_progress(progress, "reference solution by another method", (k + 1.0) / t->periods, error);
  }
  sum_up(t, trial);
  free(work);
  return status;
}

ff_status ff_solution_verify(ff_solution *t, const ff_trial *user_trial, const ff_solution_check *check,
                             const ff_progress *progress, ff_error *error)
{
  ff_trial trial;
  ff_sim *sims[REFINEMENTS_MOST + 2] = {NULL}; // and a NULL behind the last
  if (!t || !check || check->refinements < 0 || check->refinements > REFINEMENTS_MOST ||
      check->substeps < 1 || check->substeps > 1 << (30 - 2 * REFINEMENTS_MOST))
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_solution_verify",
                    "an argument is NULL or out of range");
  ff_status status = ffi_trial_take(user_trial, &trial, error);
  for (int i = 0; i <= check->refinements && status == FF_OK; ++i)
    status = ff_trial_sim(&trial, &check->scheme, check->substeps << 2 * i, &sims[i], error);
  if (status == FF_OK)
    status = check_all(t, &trial, check->substeps, sims, progress, error);
  for (int i = 0; sims[i]; ++i)
    ff_sim_destroy(sims[i]);
  return status;
}

// ---- Changes --------------------------------------------------------------------------------------------------------

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

ff_status ff_solution_changes(const ff_solution *t, const ff_trial *trial, char *changes, ff_error *error)
{
  contact_set sets[2] = {0};
  ff_sim *sim = NULL;
  ff_status status = ff_trial_sim(trial, &t->scheme, t->substeps, &sim, error);
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
