// Random pushes on the standing robot, the same for all configurations, each with alpha at half the limit of its trot:
// counts runs that fail, and steps that do not converge within several limits of iterations. Beside hard contact the
// paper's compliant one, with the fewest steps per control period with which a trot stays bounded.
#include "papers/controlled_robot.h"
#include "papers/moreau/moreau_paper.h"

#include <math.h>
#include <stdio.h>

const int bench_moreau_paper_push_caps[BENCH_MOREAU_CAPS] = {100, 300, 1000, BENCH_MOREAU_ITERATIONS};

const int bench_moreau_paper_push_longer_caps[BENCH_MOREAU_LONGER_CAPS] = {10000, 30000};

// More pushes where a step is cheaper; and `exact` in minimal coordinates for comparison.
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
  static const double us[BENCH_MOREAU_EXACT + 1] = {10, 25, 30, 45, 80, 50, 80, 150, 3000, 150, 3000, 10};
  double work = 0;
  for (int c = 0; c <= BENCH_MOREAU_EXACT; ++c)
    work += pushes_of(m, c) * (5e-3 + 800e-6 * us[c]);
  return work;
}

static int substeps_of(const bench_moreau_paper *m, int config)
{
  const int n = m->bounded.fewest[bench_moreau_paper_configs[config].contact == FF_HARD_CONTACT_HARD ? 0 : 1];
  return n > 0 ? n : 1;
}

static void count_step(const ff_step_info *info, bench_moreau_paper_push *out,
                       int has_more[BENCH_MOREAU_CAPS])
{
  ++out->steps;
  out->unconverged += !info->converged;
  out->worst_residual = fmax(out->worst_residual, info->residual);
  out->contacts_most = info->contacts > out->contacts_most ? info->contacts : out->contacts_most;
  out->iterations_most = info->iterations > out->iterations_most ? info->iterations : out->iterations_most;
  for (int i = 0; i < BENCH_MOREAU_CAPS; ++i) {
    const int is_more = !info->converged || info->iterations > bench_moreau_paper_push_caps[i];
    out->more[i] += is_more;
    has_more[i] |= is_more;
  }
}

// At most `cap` iterations a step.
static ff_status run(const bench_moreau_paper *m, ff_scene *scene, int config, int cap,
                     bench_moreau_paper_push *out, ff_error *error)
{
  const double limit = m->bounded.limit > 0 ? m->bounded.limit : INFINITY;
  ff_sim_def def = ff_scene_sim_def(scene);
  bench_controlled_robot d;
  ff_error ignored;
  int has_more[BENCH_MOREAU_CAPS] = {0};
  bench_moreau_paper_configs_apply(&bench_moreau_paper_configs[config],
                                   bench_moreau_paper_configs_alpha(m, config), &def);
  def.moreau.max_iterations = cap;
  const ff_status status = bench_controlled_robot_create(scene, &def, substeps_of(m, config), &d, error);
  if (status != FF_OK)
    return status;
  const long long steps = llround(duration_of(scene) / d.period) * substeps_of(m, config),
                  before = out->unconverged;
  for (long long k = 0; k < steps; ++k) {
    if (bench_controlled_robot_step(&d, &ignored) != FF_OK || !(bench_controlled_robot_speed(&d) <= limit)) {
      ++out->failures;
      break;
    }
    count_step(ff_sim_info(d.sim), out, has_more);
  }
  ++out->pushes;
  out->with_unconverged += out->unconverged > before;
  for (int i = 0; i < BENCH_MOREAU_CAPS; ++i)
    out->with_more[i] += has_more[i];
  bench_controlled_robot_free(&d);
  return FF_OK;
}

static void report(const bench_moreau_paper *m)
{
  char titles[][24] = {"pushes", "failed", "with unconv.", "steps", "unconv. %", "residual", "contacts"};
  bench_table_say(&m->run.table, "Random pushes, alpha at half its limit");
  bench_table_titles(&m->run.table, "", 7, titles);
  for (int c = 0; c <= BENCH_MOREAU_EXACT; ++c) {
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
    for (int i = 0; i < BENCH_MOREAU_CAPS; ++i) {
      char metric[48];
      snprintf(metric, sizeof metric, "push:with_more_than:%d", bench_moreau_paper_push_caps[i]);
      bench_json_rows_add(m->run.rows, which, metric, p->with_more[i], "1");
    }
    bench_json_rows_add(m->run.rows, which, "push:contacts_most", p->contacts_most, "1");
  }
}

static void report_longer(const bench_moreau_paper *m)
{
  for (int l = 0; l < BENCH_MOREAU_LONGER_CONFIGS; ++l)
    for (int k = 0; k < BENCH_MOREAU_LONGER_CAPS; ++k) {
      const bench_moreau_paper_push *p = &m->longer[l][k];
      const char *name = bench_moreau_paper_configs[BENCH_MOREAU_HMJ + l].name;
      const int cap = bench_moreau_paper_push_longer_caps[k];
      char which[32], metric[48];
      bench_table_say(&m->run.table,
                      "%s with up to %d iterations: %d of %d pushes fail, %d have a step with more", name,
                      cap, p->failures, p->pushes, p->with_unconverged);
      snprintf(which, sizeof which, "config:%s", name);
      snprintf(metric, sizeof metric, "push:failures:cap=%d", cap);
      bench_paper_row(&m->run, which, metric, p->failures, "1");
      snprintf(metric, sizeof metric, "push:with_more_than:%d", cap);
      bench_paper_row(&m->run, which, metric, p->with_unconverged, "1");
    }
}

// Push i of a configuration, with the cap of all and, of the minimal ones, with longer caps.
static ff_status push(bench_moreau_paper *m, int c, int i, ff_error *error)
{
  const int longer = c - BENCH_MOREAU_HMJ;
  ff_scene *scene;
  ff_status status = bench_moreau_paper_scene(
      m, &(bench_moreau_paper_scene_def){"starleth-push.yaml", bench_moreau_paper_configs[c].set, 50, i + 1},
      &scene, error);
  if (status != FF_OK)
    return status;
  status = run(m, scene, c, BENCH_MOREAU_ITERATIONS, &m->pushed[c], error);
  for (int k = 0; k < BENCH_MOREAU_LONGER_CAPS && longer >= 0 && longer < BENCH_MOREAU_LONGER_CONFIGS; ++k)
    if (status == FF_OK)
      status = run(m, scene, c, bench_moreau_paper_push_longer_caps[k], &m->longer[longer][k], error);
  ff_scene_destroy(scene);
  return status;
}

ff_status bench_moreau_paper_push_run(void *paper, ff_error *error)
{
  bench_moreau_paper *m = paper;
  for (int c = 0; c <= BENCH_MOREAU_EXACT; ++c) {
    const int count = pushes_of(m, c);
    for (int i = 0; i < count; ++i) {
      const ff_status status = push(m, c, i, error);
      if (status != FF_OK)
        return status;
      bench_progress_share(&m->run.progress, (c + (i + 1.0) / count) / (BENCH_MOREAU_EXACT + 1));
    }
  }
  bench_progress_end(&m->run.progress);
  report(m);
  report_longer(m);
  return FF_OK;
}
