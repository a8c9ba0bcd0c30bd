// Feet that sink while the robot stands: contact is enforced on velocities only, so residual velocities accumulate. At
// the paper's tolerances, with several step lengths.
#include "papers/controlled_robot.h"
#include "papers/moreau/moreau_paper.h"

#include <math.h>
#include <stdio.h>

const char *const bench_moreau_paper_drift_methods[BENCH_MOREAU_DRIFT_METHODS] = {
    "HmJ", "HmJ from zero", "HmS", "exact", "exact, stabilised"};

enum { FEET = 8 };
static const double settle = 2; // [s]

static const char *const row_names[BENCH_MOREAU_DRIFT_METHODS] = {"HmJ", "HmJ-cold", "HmS", "exact",
                                                                  "exact-stabilised"};

static double duration_of(const bench_moreau_paper *m)
{
  return m->run.is_quick ? 6 : 60;
}

double bench_moreau_paper_drift_work(const void *paper)
{
  const bench_moreau_paper *m = paper;
  return BENCH_MOREAU_DRIFT_METHODS * duration_of(m) / m->period * (4 * 40e-6 + 15 * 5e-6);
}

static int depths(ff_sim *sim, int id[FEET], double deep[FEET])
{
  int count;
  const ff_contact *c = ff_sim_contacts(sim, &count);
  count = count < FEET ? count : FEET;
  for (int i = 0; i < count; ++i) {
    id[i] = c[i].id;
    deep[i] = c[i].penetration;
  }
  return count;
}

// The fastest foot [m/min]; NAN if a step failed or no foot is in contact all the time.
static ff_status run(const bench_moreau_paper *m, ff_scene *scene, int method, int substeps, double *sinking,
                     ff_error *error)
{
  static const int configs[BENCH_MOREAU_DRIFT_METHODS] = {
      BENCH_MOREAU_HMJ, BENCH_MOREAU_HMJ, BENCH_MOREAU_HMS, BENCH_MOREAU_EXACT, BENCH_MOREAU_EXACT};
  ff_sim_def def = ff_scene_sim_def(scene);
  bench_controlled_robot d;
  bench_moreau_paper_configs_apply(&bench_moreau_paper_configs[configs[method]],
                                   bench_moreau_paper_configs_alpha(m, configs[method]), &def);
  def.moreau.warm_start = method != 1;
  def.moreau.stabilise = method == 4;
  ff_status status = bench_controlled_robot_create(scene, &def, substeps, &d, error);
  if (status != FF_OK)
    return status;
  const long long first = llround(settle / m->period) * substeps,
                  last = first + llround(duration_of(m) / m->period) * substeps;
  int id[FEET], now_id[FEET], count = 0;
  double deep[FEET], now[FEET];
  for (long long k = 0; k < last && status == FF_OK; ++k) {
    status = bench_controlled_robot_step(&d, error);
    if (k + 1 == first)
      count = depths(d.sim, id, deep);
  }
  const int now_count = depths(d.sim, now_id, now);
  *sinking = NAN;
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < now_count; ++j)
      if (id[i] == now_id[j]) {
        const double rate = (now[j] - deep[i]) / duration_of(m) * 60;
        *sinking = isnan(*sinking) || fabs(rate) > fabs(*sinking) ? rate : *sinking;
      }
  bench_controlled_robot_free(&d);
  return status;
}

// Between the midpoints of two steps the links move with a constant velocity that satisfies the joint only at the first
// midpoint. A joint that turns with omega at a distance l from the centre of mass therefore opens by l omega^2 dt^2 / 2
// per step, and the drift rate is proportional to dt. This study measures it.
static ff_status run_cut(const bench_moreau_paper *m, int substeps, double *rate, ff_error *error)
{
  ff_scene *scene = m->trot[FF_CUT_MAXIMAL];
  ff_sim_def def = ff_scene_sim_def(scene);
  bench_controlled_robot d;
  bench_moreau_paper_configs_apply(&bench_moreau_paper_configs[BENCH_MOREAU_EXACT + FF_CUT_MAXIMAL], 0, &def);
  ff_status status = bench_controlled_robot_create(scene, &def, substeps, &d, error);
  if (status != FF_OK)
    return status;
  const long long cycle = llround(m->gait / m->period) * substeps, first = m->warm_cycles * cycle,
                  last = first + 2 * cycle;
  double before = 0, now = 0;
  for (long long k = 0; k < last && status == FF_OK; ++k) {
    status = bench_controlled_robot_step(&d, error);
    now = ff_sim_info(d.sim)->drift;
    before = k + 1 == first ? now : before;
  }
  *rate = (now - before) / (2 * m->gait) * 60;
  bench_controlled_robot_free(&d);
  return status;
}

static void report_cut(const bench_moreau_paper *m)
{
  const bench_moreau_paper_drift *s = &m->standing;
  char titles[BENCH_MOREAU_CUT_STEPS][24], metric[64];
  for (int i = 0; i < BENCH_MOREAU_CUT_STEPS; ++i)
    snprintf(titles[i], sizeof titles[0], "%.4g ms", 1e3 * s->cut_dt[i]);
  bench_table_say(&m->run.table,
                  "Cut joints open while trotting, maximal coordinates, exact [um/min] (paper: 0.59)");
  bench_table_titles(&m->run.table, "", BENCH_MOREAU_CUT_STEPS, titles);
  bench_table_row(&m->run.table, "");
  for (int i = 0; i < BENCH_MOREAU_CUT_STEPS; ++i) {
    bench_table_number(&m->run.table, 1e6 * s->cut_rate[i]);
    snprintf(metric, sizeof metric, "joints:exact:maximal:dt=%.4gus", 1e6 * s->cut_dt[i]);
    if (m->run.rows)
      bench_json_rows_add(m->run.rows, "drift", metric, 1e6 * s->cut_rate[i], "um/min");
  }
  bench_table_end(&m->run.table);
}

static void report(const bench_moreau_paper *m)
{
  const bench_moreau_paper_drift *s = &m->standing;
  char titles[BENCH_MOREAU_DRIFT_STEPS][24], metric[64];
  for (int i = 0; i < BENCH_MOREAU_DRIFT_STEPS; ++i)
    snprintf(titles[i], sizeof titles[0], "%.4g ms", 1e3 * s->dt[i]);
  bench_table_say(&m->run.table, "Feet sink while standing [um/min] (paper: 750, whatever the step)");
  bench_table_titles(&m->run.table, "", BENCH_MOREAU_DRIFT_STEPS, titles);
  for (int w = 0; w < BENCH_MOREAU_DRIFT_METHODS; ++w) {
    bench_table_row(&m->run.table, bench_moreau_paper_drift_methods[w]);
    for (int i = 0; i < BENCH_MOREAU_DRIFT_STEPS; ++i) {
      const double um = 1e6 * s->sinking[w][i];
      if (isfinite(um))
        bench_table_error(&m->run.table, um);
      else
        bench_table_text(&m->run.table, "");
      snprintf(metric, sizeof metric, "stand:%s:dt=%.4gus", row_names[w], 1e6 * s->dt[i]);
      if (m->run.rows)
        bench_json_rows_add(m->run.rows, "drift", metric, um, "um/min");
    }
    bench_table_end(&m->run.table);
  }
}

ff_status bench_moreau_paper_drift_run(void *paper, ff_error *error)
{
  bench_moreau_paper *m = paper;
  static const int substeps[BENCH_MOREAU_DRIFT_STEPS] = {1, 2, 4, 8};
  bench_moreau_paper_drift *s = &m->standing;
  ff_scene *scene;
  ff_status status = bench_moreau_paper_scene(
      m, &(bench_moreau_paper_scene_def){"starleth-stand.yaml", FF_CUT_MINIMAL, 50, 0}, &scene, error);
  if (status != FF_OK)
    return status;
  for (int i = 0; i < BENCH_MOREAU_DRIFT_STEPS; ++i) {
    s->dt[i] = ff_scene_period(scene) / substeps[i];
    for (int w = 0; w < BENCH_MOREAU_DRIFT_METHODS && status == FF_OK; ++w) {
      status = run(m, scene, w, substeps[i], &s->sinking[w][i], error);
      bench_progress_share(&m->run.progress,
                           (i + (w + 1.0) / BENCH_MOREAU_DRIFT_METHODS) / BENCH_MOREAU_DRIFT_STEPS);
    }
  }
  ff_scene_destroy(scene);
  for (int i = 0; i < BENCH_MOREAU_CUT_STEPS && status == FF_OK; ++i) {
    s->cut_dt[i] = m->period / substeps[i];
    status = run_cut(m, substeps[i], &s->cut_rate[i], error);
  }
  if (status != FF_OK)
    return status;
  s->is_measured = 1;
  bench_progress_end(&m->run.progress);
  report(m);
  report_cut(m);
  return FF_OK;
}
