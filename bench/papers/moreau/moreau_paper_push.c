// Random pushes on the standing robot, each configuration with alpha at half the limit of its trot: does every step still converge?
#include "papers/moreau/moreau_paper.h"
#include "papers/moreau/moreau_paper_driven.h"

#include <math.h>
#include <stdio.h>

// A thousand in all, more where a step costs less; and `exact` beside them, in minimal coordinates, for comparison.
static int pushes_of(const bench_moreau *m, int config)
{
  const bench_config *c = &bench_configs[config];
  if (m->is_quick)
    return c->set == FF_CUT_MINIMAL ? 10 : c->set == FF_CUT_MAXIMAL && c->bilateral == FF_HARD_PROX ? 1 : 3;
  if (c->set == FF_CUT_MINIMAL)
    return 250;
  return c->set == FF_CUT_EXTENDED ? 100 : c->bilateral == FF_HARD_DIRECT ? 40 : 10;
}

static double duration_of(const ff_scene *scene)
{
  return fmin(ff_scene_get_def(scene)->duration, 2); // it lies by then
}

double bench_moreau_push_work(const bench_moreau *m)
{
  static const double us[BENCH_EXACT + 1] = {0, 25, 30, 45, 80, 50, 80, 150, 3000, 150, 3000, 10};
  double work = 0;
  for (int c = 1; c <= BENCH_EXACT; ++c)
    work += pushes_of(m, c) * (5e-3 + 800e-6 * us[c]);
  return work;
}

static ff_status run(const bench_moreau *m, ff_scene *scene, int config, bench_pushed *out, ff_error *error)
{
  ff_sim_def def = ff_scene_sim_def(scene);
  bench_driven d;
  ff_error ignored;
  bench_config_apply(&bench_configs[config], bench_moreau_alpha_of(m, config), &def);
  const ff_status status = bench_driven_create(scene, &def, 1, &d, error);
  if (status != FF_OK)
    return status;
  const long long steps = llround(duration_of(scene) / d.period), before = out->unconverged;
  for (long long k = 0; k < steps; ++k) {
    if (bench_driven_step(&d, &ignored) != FF_OK || !isfinite(bench_driven_speed(&d))) {
      ++out->failures;
      break;
    }
    const ff_step_info *info = ff_sim_info(d.sim);
    ++out->steps;
    out->unconverged += !info->converged;
    out->worst_residual = fmax(out->worst_residual, info->residual);
    out->contacts_most = info->contacts > out->contacts_most ? info->contacts : out->contacts_most;
    out->iterations_most = info->iterations > out->iterations_most ? info->iterations : out->iterations_most;
  }
  ++out->pushes;
  out->with_unconverged += out->unconverged > before;
  bench_driven_free(&d);
  return FF_OK;
}

static void report(const bench_moreau *m)
{
  char titles[][24] = {"pushes", "failed", "with unconv.", "steps", "unconv. %", "residual", "contacts"};
  bench_sheet_say(&m->sheet, "Random pushes, alpha at half its limit");
  bench_sheet_titles(&m->sheet, "", 7, titles);
  for (int c = 1; c <= BENCH_EXACT; ++c) {
    const bench_pushed *p = &m->pushed[c];
    const double part = p->steps > 0 ? (double)p->unconverged / (double)p->steps : NAN;
    char which[32];
    bench_sheet_row(&m->sheet, bench_configs[c].name);
    bench_sheet_number(&m->sheet, p->pushes);
    bench_sheet_number(&m->sheet, p->failures);
    bench_sheet_number(&m->sheet, p->with_unconverged);
    bench_sheet_number(&m->sheet, (double)p->steps);
    bench_sheet_error(&m->sheet, 100 * part);
    bench_sheet_error(&m->sheet, p->worst_residual);
    bench_sheet_number(&m->sheet, p->contacts_most);
    bench_sheet_end(&m->sheet);
    snprintf(which, sizeof which, "config:%s", bench_configs[c].name);
    if (!m->rows)
      continue;
    bench_rows_add(m->rows, which, "push:pushes", p->pushes, "1");
    bench_rows_add(m->rows, which, "push:failures", p->failures, "1");
    bench_rows_add(m->rows, which, "push:with_unconverged", p->with_unconverged, "1");
    bench_rows_add(m->rows, which, "push:unconverged", part, "of steps");
    bench_rows_add(m->rows, which, "push:worst_residual", p->worst_residual, "1");
    bench_rows_add(m->rows, which, "push:contacts_most", p->contacts_most, "1");
  }
}

ff_status bench_moreau_push(bench_moreau *m, ff_error *error)
{
  int seed = 0;
  for (int c = 1; c <= BENCH_EXACT; ++c) {
    const int count = pushes_of(m, c);
    for (int i = 0; i < count; ++i) {
      ff_scene *scene;
      ff_status status =
          bench_moreau_scene(m, "starleth-push.yaml", bench_configs[c].set, 50, ++seed, &scene, error);
      if (status != FF_OK)
        return status;
      status = run(m, scene, c, &m->pushed[c], error);
      ff_scene_destroy(scene);
      if (status != FF_OK)
        return status;
      bench_progress_share(&m->progress, (c - 1 + (i + 1.0) / count) / BENCH_EXACT);
    }
  }
  bench_progress_end(&m->progress);
  report(m);
  return FF_OK;
}
