// How many steps a control period needs: hard, compliant, and compliant with ten times the damping; the controller in the loop.
//
// Bounded: no step fails, the robot stays upright and |v| stays below ten times that of the hard ground with the shortest step. Told is the least number of
// steps per period of which that is true, and of all larger ones that were tried.
#include "papers/moreau/moreau_paper.h"
#include "papers/moreau/moreau_paper_driven.h"

#include <math.h>
#include <stdio.h>

const int bench_tried[BENCH_TRIED] = {1, 2, 3, 4, 6, 8, 12, 16};
const char *const bench_ground_names[BENCH_GROUNDS] = {"hard", "compliant", "damped"};

static const double bound = 10;

static double duration_of(const bench_moreau *m)
{
  return m->is_quick ? 4 : 20;
}

double bench_moreau_stability_work(const bench_moreau *m)
{
  double steps = 0;
  for (int i = 0; i < BENCH_TRIED; ++i)
    steps += bench_tried[i] * 5e-6 + 60e-6; // a step and a share of the controller
  return BENCH_GROUNDS * steps * duration_of(m) / m->period;
}

// The largest |v|; INFINITY if it is not bounded.
static ff_status run(const bench_moreau *m, ff_scene *scene, int config, int substeps, double limit,
                     double *speed, ff_error *error)
{
  ff_sim_def def = ff_scene_sim_def(scene);
  bench_driven d;
  ff_error ignored;
  bench_config_apply(&bench_configs[config], 0, &def);
  const ff_status status = bench_driven_create(scene, &def, substeps, &d, error);
  if (status != FF_OK)
    return status;
  const long long steps = llround(duration_of(m) / m->period) * substeps;
  double most = 0;
  for (long long k = 0; k < steps && isfinite(most); ++k) {
    if (bench_driven_step(&d, &ignored) != FF_OK || !bench_driven_is_upright(&d))
      most = INFINITY;
    most = fmax(most, bench_driven_speed(&d));
    if (!(most <= limit))
      most = INFINITY;
  }
  bench_driven_free(&d);
  *speed = most;
  return FF_OK;
}

static ff_status try_ground(bench_moreau *m, int ground, ff_scene *scene, double *done, ff_error *error)
{
  bench_bounded *b = &m->bounded;
  const double part = 1.0 / (BENCH_GROUNDS * BENCH_TRIED);
  int is_unbroken = 1;
  for (int i = BENCH_TRIED - 1; i >= 0; --i) {
    const ff_status status = run(m, scene, ground == 0 ? BENCH_HMJ : BENCH_CM, bench_tried[i],
                                 b->limit > 0 ? b->limit : INFINITY, &b->speed[ground][i], error);
    if (status != FF_OK)
      return status;
    if (b->limit == 0)
      b->limit = bound * b->speed[ground][i];
    is_unbroken = is_unbroken && isfinite(b->speed[ground][i]);
    if (is_unbroken)
      b->fewest[ground] = bench_tried[i];
    *done += part;
    bench_progress_share(&m->progress, *done);
  }
  return FF_OK;
}

static void report(const bench_moreau *m)
{
  char titles[BENCH_TRIED + 1][24], metric[64];
  for (int i = 0; i < BENCH_TRIED; ++i)
    snprintf(titles[i], sizeof titles[0], "%d", bench_tried[i]);
  snprintf(titles[BENCH_TRIED], sizeof titles[0], "fewest");
  bench_sheet_say(&m->sheet,
                  "Steps per control period of %.3g ms: largest |v| of %.3g s of trot; empty: not bounded",
                  1e3 * m->period, duration_of(m));
  bench_sheet_titles(&m->sheet, "", BENCH_TRIED + 1, titles);
  for (int g = 0; g < BENCH_GROUNDS; ++g) {
    bench_sheet_row(&m->sheet, bench_ground_names[g]);
    for (int i = 0; i < BENCH_TRIED; ++i)
      bench_sheet_number(&m->sheet, m->bounded.speed[g][i]);
    bench_sheet_number(&m->sheet, m->bounded.fewest[g] > 0 ? (double)m->bounded.fewest[g] : NAN);
    bench_sheet_end(&m->sheet);
    snprintf(metric, sizeof metric, "fewest_steps:%s", bench_ground_names[g]);
    if (m->rows)
      bench_rows_add(m->rows, "stability", metric,
                     m->bounded.fewest[g] > 0 ? (double)m->bounded.fewest[g] : NAN, "per period");
  }
}

ff_status bench_moreau_stability(bench_moreau *m, ff_error *error)
{
  static const double damping[BENCH_GROUNDS] = {50, 50, 500};
  double done = 0;
  for (int g = 0; g < BENCH_GROUNDS; ++g) {
    ff_scene *scene;
    ff_status status =
        bench_moreau_scene(m, "starleth-trot.yaml", FF_CUT_MINIMAL, damping[g], 0, &scene, error);
    if (status != FF_OK)
      return status;
    status = try_ground(m, g, scene, &done, error);
    ff_scene_destroy(scene);
    if (status != FF_OK)
      return status;
  }
  m->bounded.is_measured = 1;
  bench_progress_end(&m->progress);
  report(m);
  return FF_OK;
}
