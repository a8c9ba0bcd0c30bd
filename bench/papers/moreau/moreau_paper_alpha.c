// Fig. 6: prox iterations over the relaxation alpha, on the problems of one gait cycle, and the largest alpha with
// which all of them converge.
//
// The problems are those of a trot with `exact` in each set of coordinates, so they are the same for every alpha and
// for JOR and SOR. Each is solved from zero impulses, not from a warm start, so that the iterations needed become
// visible.
#include "papers/controlled_robot.h"
#include "papers/moreau/moreau_paper.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// States and torques of the steps of a gait cycle.
typedef struct problems {
  int count, size, nv;
  double *state, *tau; // [count][size], [count][nv]
} problems;

static int every(const bench_moreau_paper *m)
{
  return m->run.is_quick ? 8 : 2;
}

double bench_moreau_paper_alpha_work(const void *paper)
{
  const bench_moreau_paper *m = paper;
  return (BENCH_MOREAU_PUBLISHED_CONFIGS - 1) * BENCH_MOREAU_ALPHAS * 1.3 * m->gait / m->period / every(m) *
         300e-6;
}

static void release_all(problems *p)
{
  free(p->state);
  free(p->tau);
  *p = (problems){0};
}

static ff_status collect(const bench_moreau_paper *m, int set, problems *p, ff_error *error)
{
  ff_scene *scene = m->trot[set];
  ff_sim_def def = ff_scene_sim_def(scene);
  bench_controlled_robot d;
  bench_moreau_paper_configs_apply(&bench_moreau_paper_configs[BENCH_MOREAU_EXACT + set], 0, &def);
  ff_status status = bench_controlled_robot_create(scene, &def, 1, &d, error);
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
    status = bench_controlled_robot_control(&d, error);
    if (k >= first && k % stride == 0 && status == FF_OK) {
      ff_sim_get_state(d.sim, p->state + (size_t)p->count * (size_t)p->size);
      memcpy(p->tau + (size_t)p->count++ * (size_t)p->nv, d.own_tau, (size_t)p->nv * sizeof(double));
    }
    if (status == FF_OK)
      status = ff_sim_step(d.sim, d.own_tau, error);
    ++d.steps;
  }
  bench_controlled_robot_free(&d);
  if (status != FF_OK)
    release_all(p);
  return status;
}

// Over the problems that have contacts: mean iterations, and the share that did not converge.
typedef struct effort {
  double iterations, failed;
} effort;

static ff_status solve(const bench_moreau_paper *m, int config, double alpha, const problems *p, effort *out,
                       ff_error *error)
{
  const ff_scene *scene = m->trot[bench_moreau_paper_configs[config].set];
  ff_sim_def def = ff_scene_sim_def(scene);
  ff_sim *sim;
  double count = 0, sum = 0, bad = 0;
  bench_moreau_paper_configs_apply(&bench_moreau_paper_configs[config], alpha, &def);
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
  out->iterations = count > 0 ? sum / count : NAN;
  out->failed = count > 0 ? bad / count : NAN;
  return FF_OK;
}

// The end of the longest sequence of alphas with which all problems converge; -1: there is none.
static int last_good(const bench_moreau_paper_alpha_curve *c)
{
  int last = -1, longest = 0, run = 0;
  for (int i = 0; i < BENCH_MOREAU_ALPHAS; ++i) {
    run = c->failed[i] == 0 ? run + 1 : 0;
    if (run > longest) {
      longest = run;
      last = i;
    }
  }
  return last;
}

static ff_status find_limit(const bench_moreau_paper *m, int config, const problems *p,
                            bench_moreau_paper_alpha_curve *c, ff_error *error)
{
  const int last = last_good(c);
  double good = last < 0 ? 0 : c->alpha[last], bad = good + 0.1;
  effort now = {0};
  ff_status status = FF_OK;
  for (int k = 0; k < 3 && last >= 0 && last + 1 < BENCH_MOREAU_ALPHAS && status == FF_OK; ++k) {
    const double middle = 0.5 * (good + bad);
    status = solve(m, config, middle, p, &now, error);
    if (status == FF_OK && now.failed == 0)
      good = middle;
    else
      bad = middle;
  }
  c->limit = good;
  c->half = NAN;
  if (good > 0 && status == FF_OK)
    status = solve(m, config, 0.5 * good, p, &now, error);
  if (good > 0 && status == FF_OK)
    c->half = now.iterations;
  return status;
}

static ff_status measure(bench_moreau_paper *m, int config, const problems *p, ff_error *error)
{
  bench_moreau_paper_alpha_curve *c = &m->alphas[config];
  int lost = 0; // consecutive
  c->best = INFINITY;
  for (int i = 0; i < BENCH_MOREAU_ALPHAS; ++i) {
    c->alpha[i] = 0.1 * (i + 1);
    c->iterations[i] = NAN;
    c->failed[i] = 1;
    if (lost >= 2 && last_good(c) >= 0)
      continue; // well beyond its limit
    effort now;
    const ff_status status = solve(m, config, c->alpha[i], p, &now, error);
    if (status != FF_OK)
      return status;
    c->iterations[i] = now.iterations;
    c->failed[i] = now.failed;
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

static void report(const bench_moreau_paper *m)
{
  char titles[6][24] = {"limit", "paper's alpha", "half of it", "iterations", "fewest", "with alpha"};
  bench_table_say(&m->run.table,
                  "Fig. 6: iterations over alpha, on %d problems of a gait cycle, from zero impulses",
                  m->problems);
  bench_table_titles(&m->run.table, "", 6, titles);
  for (int c = 1; c < BENCH_MOREAU_PUBLISHED_CONFIGS; ++c) {
    const bench_moreau_paper_alpha_curve *a = &m->alphas[c];
    const double figures[6] = {
        a->limit, bench_moreau_paper_configs[c].alpha, 0.5 * a->limit, a->half, a->best, a->best_alpha};
    char which[32], metric[48];
    bench_table_row(&m->run.table, bench_moreau_paper_configs[c].name);
    for (int k = 0; k < 6; ++k)
      bench_table_number(&m->run.table, figures[k]);
    bench_table_end(&m->run.table);
    snprintf(which, sizeof which, "config:%s", bench_moreau_paper_configs[c].name);
    if (!m->run.rows)
      continue;
    bench_json_rows_add(m->run.rows, which, "alpha_limit", a->limit, "1");
    bench_json_rows_add(m->run.rows, which, "cold_iterations:half", a->half, "per step");
    for (int i = 0; i < BENCH_MOREAU_ALPHAS; ++i) {
      snprintf(metric, sizeof metric, "cold_iterations:alpha=%.1f", a->alpha[i]);
      if (isfinite(a->iterations[i]))
        bench_json_rows_add(m->run.rows, which, metric, a->iterations[i], "per step");
    }
  }
}

ff_status bench_moreau_paper_alpha_run(void *paper, ff_error *error)
{
  bench_moreau_paper *m = paper;
  double done = 0;
  for (int set = 0; set < BENCH_MOREAU_SETS; ++set) {
    problems p;
    ff_status status = collect(m, set, &p, error);
    if (status != FF_OK)
      return status;
    m->problems = p.count;
    for (int c = 1; c < BENCH_MOREAU_PUBLISHED_CONFIGS && status == FF_OK; ++c)
      if ((int)bench_moreau_paper_configs[c].set == set) {
        status = measure(m, c, &p, error);
        done += set == 0 ? 0.05 : set == 1 ? 0.1 : 0.125;
        bench_progress_share(&m->run.progress, done);
      }
    release_all(&p);
    if (status != FF_OK)
      return status;
  }
  bench_progress_end(&m->run.progress);
  report(m);
  return FF_OK;
}
