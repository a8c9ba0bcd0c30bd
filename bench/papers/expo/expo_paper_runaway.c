// Table 2, where a scheme is not bounded with the paper's step: finds the step that gains energy.
#include "papers/expo/expo_paper.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double too_much = 1.5;
enum { CONTACTS_MOST = 256 };

typedef struct known_contacts {
  int count, id[CONTACTS_MOST];
} known_contacts;

// Depth of the deepest new contact [m]; marks all as known.
static double take_new_contacts(ff_sim *sim, known_contacts *known)
{
  int count;
  const ff_contact *contacts = ff_sim_contacts(sim, &count);
  known_contacts now = {0};
  double deepest = 0;
  for (int i = 0; i < count && i < CONTACTS_MOST; ++i) {
    int is_known = 0;
    for (int k = 0; k < known->count; ++k)
      is_known |= known->id[k] == contacts[i].id;
    if (!is_known)
      deepest = fmax(deepest, contacts[i].penetration);
    now.id[now.count++] = contacts[i].id;
  }
  *known = now;
  return deepest;
}

typedef struct search {
  const ff_trial *trial;
  ff_sim *sim;
  int substeps;
  double *tau;
  known_contacts known;
} search;

// Control period k; returns 0 at the end of the run.
static int take_period(search *s, int k, bench_expo_paper_runaway *out)
{
  const ff_trial *trial = s->trial;
  ff_sim *sim = s->sim;
  double *tau = s->tau;
  ff_error ignored;
  memset(tau, 0, (size_t)ff_model_get_size(trial->model).nv * sizeof *tau);
  if (trial->control &&
      trial->control(k * trial->period, ff_sim_q(sim), ff_sim_v(sim), tau, trial->user, &ignored) != FF_OK)
    return 0;
  for (int i = 0; i < s->substeps; ++i) {
    const ff_energy before = ff_sim_energy(sim);
    if (ff_sim_step(sim, tau, &ignored) != FF_OK)
      return 0;
    const ff_energy after = ff_sim_energy(sim);
    const double depth = take_new_contacts(sim, &s->known), work = after.control_work - before.control_work;
    if (after.total - work > too_much * before.total && depth > out->depth)
      *out = (bench_expo_paper_runaway){
          .at = ff_sim_time(sim), .depth = depth, .energy = before.total, .brought = after.total};
  }
  return 1;
}

ff_status bench_expo_paper_runaway_find(const ff_trial *trial, const ff_scheme *scheme, int substeps,
                                        bench_expo_paper_runaway *out, ff_error *error)
{
  double *tau = calloc((size_t)ff_model_get_size(trial->model).nv + 1, sizeof *tau);
  search s = {.trial = trial, .substeps = substeps, .tau = tau};
  ff_sim *sim = NULL;
  *out = (bench_expo_paper_runaway){0};
  ff_status status =
      tau ? ff_trial_sim(trial, scheme, substeps, &sim, error) : (error->status = FF_ERROR_MEMORY);
  if (status == FF_OK)
    status = ff_sim_reset(sim, trial->q, trial->v, error);
  if (status == FF_OK) {
    s.sim = sim;
    take_new_contacts(sim, &s.known);
    if (trial->begin)
      trial->begin(trial->user);
    for (int k = 0; k < trial->periods && take_period(&s, k, out);)
      ++k;
    out->is_one = 1;
    out->time = ff_sim_time(sim);
  }
  ff_sim_destroy(sim);
  free(tau);
  return status;
}
