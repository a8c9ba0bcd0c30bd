// Fig. 6: prox iterations against the relaxation alpha, on the problems of one gait cycle, and the largest alpha with which all of them converge.
//
// The problems are those that `exact` meets while the robot trots in each set of coordinates, so they are the same for every alpha and both
// iterations. Each is solved from zero impulses: what an iteration is worth shows best when it does not begin near the answer.
#include "papers/moreau/moreau_paper.h"
#include "papers/moreau/moreau_paper_driven.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Steps of a gait cycle.
typedef struct problems {
  int count, size, nv;
  double *state, *tau; // [count][size], [count][nv]
} problems;

static int every(const bench_moreau *m)
{
  return m->is_quick ? 8 : 2;
}

double bench_moreau_alpha_work(const bench_moreau *m)
{
  return (BENCH_STATED_CONFIGS - 1) * BENCH_ALPHAS * 1.3 * m->gait / m->period / every(m) * 300e-6;
}

static void forget(problems *p)
{
  free(p->state);
  free(p->tau);
  *p = (problems){0};
}

static ff_status collect(const bench_moreau *m, int set, problems *p, ff_error *error)
{
  ff_scene *scene = m->trot[set];
  ff_sim_def def = ff_scene_sim_def(scene);
  bench_driven d;
  bench_config_apply(&bench_configs[BENCH_EXACT + set], 0, &def);
  ff_status status = bench_driven_create(scene, &def, 1, &d, error);
  if (status != FF_OK)
    return status;
  const int cycle = (int)lround(m->gait / m->period), first = m->warm_cycles * cycle, stride = every(m);
  const size_t most = (size_t)cycle / (size_t)stride + 1;
  *p = (problems){.size = ff_sim_state_size(d.sim), .nv = d.own_nv};
  p->state = malloc(most * (size_t)p->size * sizeof(double));
  p->tau = malloc(most * (size_t)p->nv * sizeof(double));
  if (!p->state || !p->tau)
    status = FF_ERROR_MEMORY;
  for (int k = 0; k < first + cycle && status == FF_OK; ++k) {
    status = bench_driven_control(&d, error);
    if (k >= first && k % stride == 0 && status == FF_OK) {
      ff_sim_get_state(d.sim, p->state + (size_t)p->count * (size_t)p->size);
      memcpy(p->tau + (size_t)p->count++ * (size_t)p->nv, d.own_tau, (size_t)p->nv * sizeof(double));
    }
    if (status == FF_OK)
      status = ff_sim_step(d.sim, d.own_tau, error);
    ++d.steps;
  }
  bench_driven_free(&d);
  if (status != FF_OK)
    forget(p);
  return status;
}

// Mean iterations over the problems with something to solve, and which part of them did not converge.
static ff_status solve(const bench_moreau *m, int config, double alpha, const problems *p, double *iterations,
                       double *failed, ff_error *error)
{
  const ff_scene *scene = m->trot[bench_configs[config].set];
  ff_sim_def def = ff_scene_sim_def(scene);
  ff_sim *sim;
  double count = 0, sum = 0, bad = 0;
  bench_config_apply(&bench_configs[config], alpha, &def);
  def.dt = m->period;
  def.moreau.warm_start = 0;
  const ff_status status = ff_scene_create_sim(scene, &def, &sim, error);
  if (status != FF_OK)
    return status;
  for (int i = 0; i < p->count; ++i) {
    ff_error ignored;
    ff_sim_set_state(sim, p->state + (size_t)i * (size_t)p->size, &ignored);
    const int is_done = ff_sim_step(sim, p->tau + (size_t)i * (size_t)p->nv, &ignored) == FF_OK;
    const ff_step_info *info = ff_sim_info(sim);
    if (is_done && info->iterations == 0 && info->converged)
      continue;
    count += 1;
    sum += info->iterations;
    bad += !is_done || !info->converged;
  }
  ff_sim_destroy(sim);
  *iterations = count > 0 ? sum / count : NAN;
  *failed = count > 0 ? bad / count : NAN;
  return FF_OK;
}

// The end of the longest run of alphas in a row with which all converge; -1: there is none.
static int last_good(const bench_alpha_curve *c)
{
  int last = -1, longest = 0, run = 0;
  for (int i = 0; i < BENCH_ALPHAS; ++i) {
    run = c->failed[i] == 0 ? run + 1 : 0;
    if (run > longest) {
      longest = run;
      last = i;
    }
  }
  return last;
}

static ff_status find_limit(const bench_moreau *m, int config, const problems *p, bench_alpha_curve *c,
                            ff_error *error)
{
  const int last = last_good(c);
  double good = last < 0 ? 0 : c->alpha[last], bad = good + 0.1, iterations, failed;
  ff_status status = FF_OK;
  for (int k = 0; k < 3 && last >= 0 && last + 1 < BENCH_ALPHAS && status == FF_OK; ++k) {
    const double middle = 0.5 * (good + bad);
    status = solve(m, config, middle, p, &iterations, &failed, error);
    if (status == FF_OK && failed == 0)
      good = middle;
    else
      bad = middle;
  }
  c->limit = good;
  c->half = NAN;
  if (good > 0 && status == FF_OK)
    status = solve(m, config, 0.5 * good, p, &c->half, &failed, error);
  return status;
}

static ff_status measure(bench_moreau *m, int config, const problems *p, ff_error *error)
{
  bench_alpha_curve *c = &m->alphas[config];
  int lost = 0; // in a row
  c->best = INFINITY;
  for (int i = 0; i < BENCH_ALPHAS; ++i) {
    c->alpha[i] = 0.1 * (i + 1);
    c->iterations[i] = NAN;
    c->failed[i] = 1;
    if (lost >= 2 && last_good(c) >= 0)
      continue; // beyond its limit for good
    const ff_status status = solve(m, config, c->alpha[i], p, &c->iterations[i], &c->failed[i], error);
    if (status != FF_OK)
      return status;
    lost = c->failed[i] > 0.5 ? lost + 1 : 0;
    if (c->failed[i] > 0)
      c->iterations[i] = NAN;
    else if (c->iterations[i] < c->best) {
      c->best = c->iterations[i];
      c->best_alpha = c->alpha[i];
    }
  }
  c->is_measured = 1;
  return find_limit(m, config, p, c, error);
}

static void report(const bench_moreau *m)
{
  char titles[6][24] = {"limit", "paper's alpha", "half of it", "iterations", "fewest", "with alpha"};
  bench_sheet_say(&m->sheet, "Fig. 6: iterations against alpha, on %d problems of a gait cycle, from zero",
                  m->problems);
  bench_sheet_titles(&m->sheet, "", 6, titles);
  for (int c = 1; c < BENCH_STATED_CONFIGS; ++c) {
    const bench_alpha_curve *a = &m->alphas[c];
    const double figures[6] = {a->limit, bench_configs[c].alpha, 0.5 * a->limit, a->half,
                               a->best,  a->best_alpha};
    char which[32], metric[48];
    bench_sheet_row(&m->sheet, bench_configs[c].name);
    for (int k = 0; k < 6; ++k)
      bench_sheet_number(&m->sheet, figures[k]);
    bench_sheet_end(&m->sheet);
    snprintf(which, sizeof which, "config:%s", bench_configs[c].name);
    if (!m->rows)
      continue;
    bench_rows_add(m->rows, which, "alpha_limit", a->limit, "1");
    bench_rows_add(m->rows, which, "cold_iterations:half", a->half, "per step");
    for (int i = 0; i < BENCH_ALPHAS; ++i) {
      snprintf(metric, sizeof metric, "cold_iterations:alpha=%.1f", a->alpha[i]);
      if (isfinite(a->iterations[i]))
        bench_rows_add(m->rows, which, metric, a->iterations[i], "per step");
    }
  }
}

ff_status bench_moreau_alpha(bench_moreau *m, ff_error *error)
{
  double done = 0;
  for (int set = 0; set < BENCH_SETS; ++set) {
    problems p;
    ff_status status = collect(m, set, &p, error);
    if (status != FF_OK)
      return status;
    m->problems = p.count;
    for (int c = 1; c < BENCH_STATED_CONFIGS && status == FF_OK; ++c)
      if ((int)bench_configs[c].set == set) {
        status = measure(m, c, &p, error);
        done += set == 0 ? 0.05 : set == 1 ? 0.1 : 0.125;
        bench_progress_share(&m->progress, done);
      }
    forget(&p);
    if (status != FF_OK)
      return status;
  }
  bench_progress_end(&m->progress);
  report(m);
  return FF_OK;
}
