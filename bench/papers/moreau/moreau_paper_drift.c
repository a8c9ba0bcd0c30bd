// Feet that sink while the robot stands: contact is kept on velocities only, so what the solver leaves of them adds up. At the paper's tolerances, with several steps.
#include "papers/moreau/moreau_paper.h"
#include "papers/moreau/moreau_paper_driven.h"

#include <math.h>
#include <stdio.h>

const char *const bench_ways_standing[BENCH_WAYS_STANDING] = {"HmJ", "HmJ from zero", "HmS", "exact",
                                                              "exact, stabilised"};

enum { FEET = 8 };
static const double settle = 2; // [s]

static const char *const row_names[BENCH_WAYS_STANDING] = {"HmJ", "HmJ-cold", "HmS", "exact",
                                                           "exact-stabilised"};

static double duration_of(const bench_moreau *m)
{
  return m->is_quick ? 6 : 60;
}

double bench_moreau_drift_work(const bench_moreau *m)
{
  return BENCH_WAYS_STANDING * duration_of(m) / m->period * (4 * 40e-6 + 15 * 5e-6);
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

// The fastest foot [m/min]; NAN if a step failed or no foot stands all the time.
static ff_status run(const bench_moreau *m, ff_scene *scene, int way, int substeps, double *sinking,
                     ff_error *error)
{
  static const int configs[BENCH_WAYS_STANDING] = {BENCH_HMJ, BENCH_HMJ, BENCH_HMS, BENCH_EXACT, BENCH_EXACT};
  ff_sim_def def = ff_scene_sim_def(scene);
  bench_driven d;
  bench_config_apply(&bench_configs[configs[way]], bench_moreau_alpha_of(m, configs[way]), &def);
  def.moreau.warm_start = way != 1;
  def.moreau.stabilise = way == 4;
  ff_status status = bench_driven_create(scene, &def, substeps, &d, error);
  if (status != FF_OK)
    return status;
  const long long first = llround(settle / m->period) * substeps,
                  last = first + llround(duration_of(m) / m->period) * substeps;
  int id[FEET], now_id[FEET], count = 0;
  double deep[FEET], now[FEET];
  for (long long k = 0; k < last && status == FF_OK; ++k) {
    status = bench_driven_step(&d, error);
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
  bench_driven_free(&d);
  return status;
}

// Between two middles of steps the pieces go straight on with a velocity that keeps the joint together at the first of them only, so a joint that turns with omega at a
// distance l from the centre of mass opens by l omega^2 dt^2 / 2 in a step: the rate is proportional to dt. That is what is looked at here.
static ff_status run_cut(const bench_moreau *m, int substeps, double *rate, ff_error *error)
{
  ff_scene *scene = m->trot[FF_CUT_MAXIMAL];
  ff_sim_def def = ff_scene_sim_def(scene);
  bench_driven d;
  bench_config_apply(&bench_configs[BENCH_EXACT + FF_CUT_MAXIMAL], 0, &def);
  ff_status status = bench_driven_create(scene, &def, substeps, &d, error);
  if (status != FF_OK)
    return status;
  const long long cycle = llround(m->gait / m->period) * substeps, first = m->warm_cycles * cycle,
                  last = first + 2 * cycle;
  double before = 0, now = 0;
  for (long long k = 0; k < last && status == FF_OK; ++k) {
    status = bench_driven_step(&d, error);
    now = ff_sim_info(d.sim)->drift;
    before = k + 1 == first ? now : before;
  }
  *rate = (now - before) / (2 * m->gait) * 60;
  bench_driven_free(&d);
  return status;
}

static void report_cut(const bench_moreau *m)
{
  const bench_standing *s = &m->standing;
  char titles[BENCH_STEPS_CUT][24], metric[64];
  for (int i = 0; i < BENCH_STEPS_CUT; ++i)
    snprintf(titles[i], sizeof titles[0], "%.4g ms", 1e3 * s->cut_dt[i]);
  bench_sheet_say(&m->sheet,
                  "Cut joints open while trotting, maximal coordinates, exact [um/min] (paper: 0.59)");
  bench_sheet_titles(&m->sheet, "", BENCH_STEPS_CUT, titles);
  bench_sheet_row(&m->sheet, "");
  for (int i = 0; i < BENCH_STEPS_CUT; ++i) {
    bench_sheet_number(&m->sheet, 1e6 * s->cut_rate[i]);
    snprintf(metric, sizeof metric, "joints:exact:maximal:dt=%.4gus", 1e6 * s->cut_dt[i]);
    if (m->rows)
      bench_rows_add(m->rows, "drift", metric, 1e6 * s->cut_rate[i], "um/min");
  }
  bench_sheet_end(&m->sheet);
}

static void report(const bench_moreau *m)
{
  const bench_standing *s = &m->standing;
  char titles[BENCH_STEPS_STANDING][24], metric[64];
  for (int i = 0; i < BENCH_STEPS_STANDING; ++i)
    snprintf(titles[i], sizeof titles[0], "%.4g ms", 1e3 * s->dt[i]);
  bench_sheet_say(&m->sheet, "Feet sink while standing [um/min] (paper: 750, whatever the step)");
  bench_sheet_titles(&m->sheet, "", BENCH_STEPS_STANDING, titles);
  for (int w = 0; w < BENCH_WAYS_STANDING; ++w) {
    bench_sheet_row(&m->sheet, bench_ways_standing[w]);
    for (int i = 0; i < BENCH_STEPS_STANDING; ++i) {
      const double um = 1e6 * s->sinking[w][i];
      if (isfinite(um))
        bench_sheet_error(&m->sheet, um);
      else
        bench_sheet_text(&m->sheet, "");
      snprintf(metric, sizeof metric, "stand:%s:dt=%.4gus", row_names[w], 1e6 * s->dt[i]);
      if (m->rows)
        bench_rows_add(m->rows, "drift", metric, um, "um/min");
    }
    bench_sheet_end(&m->sheet);
  }
}

ff_status bench_moreau_drift(bench_moreau *m, ff_error *error)
{
  static const int substeps[BENCH_STEPS_STANDING] = {1, 2, 4, 8};
  bench_standing *s = &m->standing;
  ff_scene *scene;
  ff_status status = bench_moreau_scene(m, "starleth-stand.yaml", FF_CUT_MINIMAL, 50, 0, &scene, error);
  if (status != FF_OK)
    return status;
  for (int i = 0; i < BENCH_STEPS_STANDING; ++i) {
    s->dt[i] = ff_scene_period(scene) / substeps[i];
    for (int w = 0; w < BENCH_WAYS_STANDING && status == FF_OK; ++w) {
      status = run(m, scene, w, substeps[i], &s->sinking[w][i], error);
      bench_progress_share(&m->progress, (i + (w + 1.0) / BENCH_WAYS_STANDING) / BENCH_STEPS_STANDING);
    }
  }
  ff_scene_destroy(scene);
  for (int i = 0; i < BENCH_STEPS_CUT && status == FF_OK; ++i) {
    s->cut_dt[i] = m->period / substeps[i];
    status = run_cut(m, substeps[i], &s->cut_rate[i], error);
  }
  if (status != FF_OK)
    return status;
  s->is_measured = 1;
  bench_progress_end(&m->progress);
  report(m);
  report_cut(m);
  return FF_OK;
}
