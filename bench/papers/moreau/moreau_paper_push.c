// Random pushes on the standing robot, each configuration with alpha at half the limit of its trot: counts the steps
// that do not converge.
#include "papers/controlled_robot.h"
#include "papers/moreau/moreau_paper.h"

#include <math.h>
#include <stdio.h>

// A thousand pushes in all, more where a step is cheaper; and `exact` in minimal coordinates for comparison.
static int pushes_of(const bench_moreau_paper *m, int config)
{
  const bench_moreau_paper_config *c = &bench_moreau_paper_configs[config];
  if (m->run.is_quick)
    return c->set == FF_CUT_MINIMAL ? 10 : c->set == FF_CUT_MAXIMAL && c->bilateral == FF_HARD_PROX ? 1 : 3;
  if (c->set == FF_CUT_MINIMAL)
    return 250;
  return c->set == FF_CUT_EXTENDED ? 100 : c->bilateral == FF_HARD_DIRECT ? 40 : 10;
}

static double duration_of(const ff_scene *scene)
{
  return fmin(ff_scene_get_def(scene)->duration, 2); // it has fallen by then
}

double bench_moreau_paper_push_work(const void *paper)
{
  const bench_moreau_paper *m = paper;
  static const double us[BENCH_MOREAU_EXACT + 1] = {0, 25, 30, 45, 80, 50, 80, 150, 3000, 150, 3000, 10};
  double work = 0;
  for (int c = 1; c <= BENCH_MOREAU_EXACT; ++c)
    work += pushes_of(m, c) * (5e-3 + 800e-6 * us[c]);
  return work;
}

static ff_status run(const bench_moreau_paper *m, ff_scene *scene, int config, bench_moreau_paper_push *out,
                     ff_error *error)
{
  ff_sim_def def = ff_scene_sim_def(scene);
  bench_controlled_robot d;
  ff_error ignored;
  bench_moreau_paper_configs_apply(&bench_moreau_paper_configs[config],
                                   bench_moreau_paper_configs_alpha(m, config), &def);
  const ff_status status = bench_controlled_robot_create(scene, &def, 1, &d, error);
  if (status != FF_OK)
    return status;
  const long long steps = llround(duration_of(scene) / d.period), before = out->unconverged;
  for (long long k = 0; k < steps; ++k) {
    if (bench_controlled_robot_step(&d, &ignored) != FF_OK || !isfinite(bench_controlled_robot_speed(&d))) {
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
  bench_controlled_robot_free(&d);
  return FF_OK;
}

static void report(const bench_moreau_paper *m)
{
  char titles[][24] = {"pushes", "failed", "with unconv.", "steps", "unconv. %", "residual", "contacts"};
  bench_table_say(&m->run.table, "Random pushes, alpha at half its limit");
  bench_table_titles(&m->run.table, "", 7, titles);
  for (int c = 1; c <= BENCH_MOREAU_EXACT; ++c) {
    const bench_moreau_paper_push *p = &m->pushed[c];
    const double part = p->steps > 0 ? (double)p->unconverged / (double)p->steps : NAN;
    char which[32];
    bench_table_row(&m->run.table, bench_moreau_paper_configs[c].name);
    bench_table_number(&m->run.table, p->pushes);
    bench_table_number(&m->run.table, p->failures);
    bench_table_number(&m->run.table, p->with_unconverged);
    bench_table_number(&m->run.table, (double)p->steps);
    bench_table_error(&m->run.table, 100 * part);
    bench_table_error(&m->run.table, p->worst_residual);
    bench_table_number(&m->run.table, p->contacts_most);
    bench_table_end(&m->run.table);
    snprintf(which, sizeof which, "config:%s", bench_moreau_paper_configs[c].name);
    if (!m->run.rows)
      continue;
    bench_json_rows_add(m->run.rows, which, "push:pushes", p->pushes, "1");
    bench_json_rows_add(m->run.rows, which, "push:failures", p->failures, "1");
    bench_json_rows_add(m->run.rows, which, "push:with_unconverged", p->with_unconverged, "1");
    bench_json_rows_add(m->run.rows, which, "push:unconverged", part, "of steps");
    bench_json_rows_add(m->run.rows, which, "push:worst_residual", p->worst_residual, "1");
    bench_json_rows_add(m->run.rows, which, "push:contacts_most", p->contacts_most, "1");
  }
}

ff_status bench_moreau_paper_push_run(void *paper, ff_error *error)
{
  bench_moreau_paper *m = paper;
  int seed = 0;
  for (int c = 1; c <= BENCH_MOREAU_EXACT; ++c) {
    const int count = pushes_of(m, c);
    for (int i = 0; i < count; ++i) {
      ff_scene *scene;
      ff_status status =
          bench_moreau_paper_scene(m,
                                   &(bench_moreau_paper_scene_def){
                                       "starleth-push.yaml", bench_moreau_paper_configs[c].set, 50, ++seed},
                                   &scene, error);
      if (status != FF_OK)
        return status;
      status = run(m, scene, c, &m->pushed[c], error);
      ff_scene_destroy(scene);
      if (status != FF_OK)
        return status;
      bench_progress_share(&m->run.progress, (c - 1 + (i + 1.0) / count) / BENCH_MOREAU_EXACT);
    }
  }
  bench_progress_end(&m->run.progress);
  report(m);
  return FF_OK;
}
