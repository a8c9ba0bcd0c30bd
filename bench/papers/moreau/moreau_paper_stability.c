// The number of steps that a control period needs: hard, compliant, and compliant with ten times the damping; with the
// controller in the loop.
//
// Bounded: no step fails, the robot stays upright and |v| stays below ten times that of the hard ground with the
// shortest step. The result is the smallest number of steps per period for which this holds for it and for all larger
// numbers that were tried.
#include "papers/controlled_robot.h"
#include "papers/moreau/moreau_paper.h"

#include <math.h>
#include <stdio.h>

const int bench_moreau_paper_stability_steps[BENCH_MOREAU_STABILITY_STEPS] = {1, 2, 3, 4, 6, 8, 12, 16};
const char *const bench_moreau_paper_stability_grounds[BENCH_MOREAU_GROUNDS] = {"hard", "compliant",
                                                                                "damped"};

static const double bound = 10;

static double duration_of(const bench_moreau_paper *m)
{
  return m->run.is_quick ? 4 : 20;
}

double bench_moreau_paper_stability_work(const void *paper)
{
  const bench_moreau_paper *m = paper;
  double steps = 0;
  for (int i = 0; i < BENCH_MOREAU_STABILITY_STEPS; ++i)
    steps += bench_moreau_paper_stability_steps[i] * 5e-6 + 60e-6; // a step and a share of the controller
  return BENCH_MOREAU_GROUNDS * steps * duration_of(m) / m->period;
}

// The largest |v|; INFINITY if it is not bounded.
static ff_status run(const bench_moreau_paper *m, ff_scene *scene, int config, int substeps, double *speed,
                     ff_error *error)
{
  const double limit = m->bounded.limit > 0 ? m->bounded.limit : INFINITY;
  ff_sim_def def = ff_scene_sim_def(scene);
  bench_controlled_robot d;
  ff_error ignored;
  bench_moreau_paper_configs_apply(&bench_moreau_paper_configs[config], 0, &def);
  const ff_status status = bench_controlled_robot_create(scene, &def, substeps, &d, error);
  if (status != FF_OK)
    return status;
  const long long steps = llround(duration_of(m) / m->period) * substeps;
  double most = 0;
  for (long long k = 0; k < steps && isfinite(most); ++k) {
    if (bench_controlled_robot_step(&d, &ignored) != FF_OK || !bench_controlled_robot_is_upright(&d))
      most = INFINITY;
    most = fmax(most, bench_controlled_robot_speed(&d));
    if (!(most <= limit))
      most = INFINITY;
  }
  bench_controlled_robot_free(&d);
  *speed = most;
  return FF_OK;
}

static ff_status try_ground(bench_moreau_paper *m, int ground, ff_scene *scene, double *done, ff_error *error)
{
  bench_moreau_paper_stability *b = &m->bounded;
  const double part = 1.0 / (BENCH_MOREAU_GROUNDS * BENCH_MOREAU_STABILITY_STEPS);
  int is_unbroken = 1;
  for (int i = BENCH_MOREAU_STABILITY_STEPS - 1; i >= 0; --i) {
    const ff_status status = run(m, scene, ground == 0 ? BENCH_MOREAU_HMJ : BENCH_MOREAU_CM,
                                 bench_moreau_paper_stability_steps[i], &b->speed[ground][i], error);
    if (status != FF_OK)
      return status;
    if (b->limit == 0)
      b->limit = bound * b->speed[ground][i];
    is_unbroken = is_unbroken && isfinite(b->speed[ground][i]);
    if (is_unbroken)
      b->fewest[ground] = bench_moreau_paper_stability_steps[i];
    *done += part;
    bench_progress_share(&m->run.progress, *done);
  }
  return FF_OK;
}

static void report(const bench_moreau_paper *m)
{
  char titles[BENCH_MOREAU_STABILITY_STEPS + 1][24], metric[64];
  for (int i = 0; i < BENCH_MOREAU_STABILITY_STEPS; ++i)
    snprintf(titles[i], sizeof titles[0], "%d", bench_moreau_paper_stability_steps[i]);
  snprintf(titles[BENCH_MOREAU_STABILITY_STEPS], sizeof titles[0], "fewest");
  bench_table_say(&m->run.table,
                  "Steps per control period of %.3g ms: largest |v| of %.3g s of trot; empty: not bounded",
                  1e3 * m->period, duration_of(m));
  bench_table_titles(&m->run.table, "", BENCH_MOREAU_STABILITY_STEPS + 1, titles);
  for (int g = 0; g < BENCH_MOREAU_GROUNDS; ++g) {
    bench_table_row(&m->run.table, bench_moreau_paper_stability_grounds[g]);
    for (int i = 0; i < BENCH_MOREAU_STABILITY_STEPS; ++i)
      bench_table_number(&m->run.table, m->bounded.speed[g][i]);
    bench_table_number(&m->run.table, m->bounded.fewest[g] > 0 ? (double)m->bounded.fewest[g] : NAN);
    bench_table_end(&m->run.table);
    snprintf(metric, sizeof metric, "fewest_steps:%s", bench_moreau_paper_stability_grounds[g]);
    if (m->run.rows)
      bench_json_rows_add(m->run.rows, "stability", metric,
                          m->bounded.fewest[g] > 0 ? (double)m->bounded.fewest[g] : NAN, "per period");
  }
}

ff_status bench_moreau_paper_stability_run(void *paper, ff_error *error)
{
  bench_moreau_paper *m = paper;
  static const double damping[BENCH_MOREAU_GROUNDS] = {50, 50, 500};
  double done = 0;
  for (int g = 0; g < BENCH_MOREAU_GROUNDS; ++g) {
    ff_scene *scene;
    ff_status status = bench_moreau_paper_scene(
        m, &(bench_moreau_paper_scene_def){"starleth-trot.yaml", FF_CUT_MINIMAL, damping[g], 0}, &scene,
        error);
    if (status != FF_OK)
      return status;
    status = try_ground(m, g, scene, &done, error);
    ff_scene_destroy(scene);
    if (status != FF_OK)
      return status;
  }
  m->bounded.is_measured = 1;
  bench_progress_end(&m->run.progress);
  report(m);
  return FF_OK;
}
