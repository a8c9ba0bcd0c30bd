// The stepper `ess` on the robots of the Expo paper: error and speed of a control period, beside expo and rk4. The ESS
// paper has no robots; it recommends its integrator for them, and for real time.
#include "common/scene_trial.h"
#include "common/shipped_file.h"
#include "papers/ess/ess_paper.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const bench_ess_paper_robots_names[BENCH_ESS_ROBOTS] = {"solo-squat", "solo-jump", "solo-trot",
                                                                    "romeo-walk"};
static const double seconds_of[BENCH_ESS_ROBOTS] = {8, 8, 15, 25}; // estimates, full

// The quick variant: one robot, some periods, and no verdict.
static int is_wanted(const bench_ess_paper *b, int robot)
{
  return !b->run.is_quick || strcmp(bench_ess_paper_robots_names[robot], "solo-trot") == 0;
}

double bench_ess_paper_robots_work(const void *paper)
{
  const bench_ess_paper *b = paper;
  double work = 0;
  for (int k = 0; k < BENCH_ESS_ROBOTS; ++k)
    work += is_wanted(b, k) ? seconds_of[k] * (b->run.is_quick ? 0.1 : 1) : 0;
  return work;
}

// Keep the configuration if it is a better one for its scheme: rk4 has many steps.
static void keep(const ff_comparison *c, int i, bench_ess_paper_robot *out)
{
  const ff_local_error *l = &c->common[i], *timed = ff_comparison_timed(c, i);
  const int s = l->scheme.stepper == FF_STEPPER_ESS    ? BENCH_ESS_ROBOT_ESS
                : l->scheme.stepper == FF_STEPPER_EXPO ? BENCH_ESS_ROBOT_EXPO
                                                       : BENCH_ESS_ROBOT_RK4;
  const double dt = c->trial->period / l->substeps;
  if (s != BENCH_ESS_ROBOT_RK4 && l->substeps != 1)
    return;
  if (s == BENCH_ESS_ROBOT_RK4 && (l->failures > 0 || l->max_norm.mean > 0.1 || dt < out->dt[s]))
    return;
  out->dt[s] = dt;
  out->error[s] = l->failures > 0 ? (double)NAN : fmax(l->max_norm.mean, c->common_solution->tolerance_mean);
  out->speed[s] = timed->speed;
  out->longest[s] = 0;
  for (int k = 0; k < timed->solution->periods; ++k)
    out->longest[s] = fmax(out->longest[s], timed->seconds[k]);
  out->slower[s] = 1 / bench_claim_slower(1 / timed->speed, 1 / timed->slower);
}

static ff_status measure(const bench_ess_paper *b, int robot, bench_ess_paper_robot *out, ff_error *error)
{
  static const char *const names[] = {"ess", "expo", "rk4"};
  char path[4096], file[64];
  ff_scheme schemes[3];
  bench_scene_trial test = {0};
  ff_comparison *c = NULL;
  ff_comparison_def def = ff_comparison_def_default();
  snprintf(file, sizeof file, "%s.yaml", bench_ess_paper_robots_names[robot]);
  if (!bench_shipped_file_scene(b->run.scenes, file, path, sizeof path)) {
    snprintf(error->message, sizeof error->message, "%.400s: cannot be read", path);
    return error->status = FF_ERROR_FILE;
  }
  ff_status status = bench_scene_trial_load(path, NULL, 0, &test, error);
  if (status != FF_OK)
    return status;
  for (int i = 0; i < 3; ++i)
    ff_scheme_find(names[i], &schemes[i]);
  if (b->run.is_quick)
    ff_trial_spread(&test.trial, 100);
  def.schemes = schemes;
  def.scheme_count = 3;
  def.has_own = 0;
  def.rounds = 3;
  def.finest = b->run.is_quick ? 1e-3 / 16 : 1e-3 / 64;
  def.check_refinements = b->run.is_quick ? 1 : 2;
  status = ff_comparison_run(&test.trial, &def, &c, error);
  *out = (bench_ess_paper_robot){.period = test.trial.period};
  for (int s = 0; s < BENCH_ESS_ROBOT_SCHEMES; ++s)
    out->error[s] = out->speed[s] = out->slower[s] = (double)NAN;
  for (int i = 0; status == FF_OK && i < c->count; ++i)
    keep(c, i, out);
  out->is_measured = status == FF_OK;
  ff_comparison_destroy(c);
  bench_scene_trial_free(&test);
  return status;
}

static void report(const bench_ess_paper *b)
{
  static const char *const names[BENCH_ESS_ROBOT_SCHEMES] = {"ess", "expo", "rk4"};
  char titles[][24] = {"step [ms]", "error", "times real time"}, metric[48];
  bench_table_say(&b->run.table, "Robots: mean local error of a control period, and speed");
  bench_table_titles(&b->run.table, "", 3, titles);
  for (int k = 0; k < BENCH_ESS_ROBOTS; ++k)
    for (int s = 0; s < BENCH_ESS_ROBOT_SCHEMES && b->robots[k].is_measured; ++s) {
      const bench_ess_paper_robot *r = &b->robots[k];
      char name[48];
      snprintf(name, sizeof name, "%s, %s", bench_ess_paper_robots_names[k], names[s]);
      bench_table_row(&b->run.table, name);
      bench_table_number(&b->run.table, 1e3 * r->dt[s]);
      bench_table_error(&b->run.table, r->error[s]);
      bench_table_number(&b->run.table, r->speed[s]);
      bench_table_end(&b->run.table);
      snprintf(metric, sizeof metric, "%s:%s:error", bench_ess_paper_robots_names[k], names[s]);
      bench_paper_row(&b->run, "robots", metric, r->error[s], "SI");
      snprintf(metric, sizeof metric, "%s:%s:speed", bench_ess_paper_robots_names[k], names[s]);
      bench_paper_row(&b->run, "robots", metric, r->speed[s], "x");
      snprintf(metric, sizeof metric, "%s:%s:longest", bench_ess_paper_robots_names[k], names[s]);
      bench_paper_row(&b->run, "robots", metric, 1e3 * r->longest[s], "ms");
      snprintf(metric, sizeof metric, "%s:%s:step", bench_ess_paper_robots_names[k], names[s]);
      bench_paper_row(&b->run, "robots", metric, 1e3 * r->dt[s], "ms");
    }
}

ff_status bench_ess_paper_robots_run(void *paper, ff_error *error)
{
  bench_ess_paper *b = paper;
  double done = 0;
  for (int k = 0; k < BENCH_ESS_ROBOTS; ++k) {
    if (!is_wanted(b, k))
      continue;
    const ff_status status = measure(b, k, &b->robots[k], error);
    if (status != FF_OK)
      return status;
    done += seconds_of[k] * (b->run.is_quick ? 0.1 : 1);
    bench_progress_share(&b->run.progress, done / bench_ess_paper_robots_work(b));
  }
  bench_progress_end(&b->run.progress);
  report(b);
  return FF_OK;
}
