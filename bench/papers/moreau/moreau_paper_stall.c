// Where JOR and SOR stall: a stack of ten boxes, a heavy box on a light one, and a stack of alternating light and heavy
// boxes. `exact` beside them.
#include "common/timer.h"
#include "papers/moreau/moreau_paper.h"

#include <footfall/load.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double dt = 2.5e-3;

static double duration_of(const bench_moreau_paper *m)
{
  return m->run.is_quick ? 0.1 : 1;
}

double bench_moreau_paper_stall_work(const void *paper)
{
  const bench_moreau_paper *m = paper;
  return BENCH_MOREAU_STALLS * BENCH_MOREAU_SOLVERS * duration_of(m) / dt * 2e-3;
}

// A stack of cubes of 0.2 m; every second one, from the second on, is `ratio` times as heavy. Each is 5 mm inside the
// corners of the one below, so that all corners touch.
static size_t tower_text(char *text, size_t size, int count, double ratio)
{
  size_t used = (size_t)snprintf(
      text, size,
      "<mujoco><option gravity=\"0 0 -9.81\"/><default><geom friction=\"0.6\"/></default><worldbody>"
      "<geom type=\"plane\" size=\"5 5 0.1\"/>\n");
  for (int i = 0; i < count; ++i)
    used += (size_t)snprintf(
        text + used, size - used,
        "<body pos=\"0 0 %.6f\"><freejoint/><geom type=\"box\" size=\"%.3f %.3f 0.1\" mass=\"%.9g\"/></body>\n",
        0.1 + 0.2 * i, 0.1 - 0.003 * i, 0.1 - 0.003 * i, i % 2 == 1 ? ratio : 1.0);
  used += (size_t)snprintf(text + used, size - used, "</worldbody></mujoco>\n");
  return used;
}

static ff_status run(const bench_moreau_paper *m, const ff_model *model, int s, bench_moreau_paper_stall *out,
                     ff_error *error)
{
  static const ff_hard_solver solvers[BENCH_MOREAU_SOLVERS] = {FF_HARD_JOR, FF_HARD_SOR, FF_HARD_EXACT};
  ff_sim_def def = ff_sim_def_default();
  ff_sim *sim;
  def.stepper = FF_STEPPER_MOREAU;
  def.dt = dt;
  def.moreau.solver = solvers[s];
  ff_status status = ff_sim_create(model, &def, &sim, error);
  if (status != FF_OK)
    return status;
  const int steps = (int)lround(duration_of(m) / dt);
  const double from = bench_timer_thread_seconds();
  for (int k = 0; k < steps && status == FF_OK; ++k) {
    status = ff_sim_step(sim, NULL, error);
    const ff_step_info *info = ff_sim_info(sim);
    out->iterations[s] += (double)info->iterations / steps;
    out->unconverged[s] += (double)!info->converged / steps;
    out->residual[s] = fmax(out->residual[s], info->residual);
  }
  out->us[s] = 1e6 * (bench_timer_thread_seconds() - from) / steps;
  ff_sim_destroy(sim);
  return status;
}

static void report(const bench_moreau_paper *m)
{
  char titles[3 * BENCH_MOREAU_SOLVERS][24], metric[64];
  for (int s = 0; s < BENCH_MOREAU_SOLVERS; ++s) {
    snprintf(titles[3 * s], sizeof titles[0], "%s: us", bench_moreau_paper_ball_pit_solvers[s]);
    snprintf(titles[3 * s + 1], sizeof titles[0], "iterations");
    snprintf(titles[3 * s + 2], sizeof titles[0], "unconv. %%");
  }
  bench_table_say(&m->run.table, "Where JOR and SOR stall (automatic alpha, at most 1000 iterations)");
  bench_table_titles(&m->run.table, "", 3 * BENCH_MOREAU_SOLVERS, titles);
  for (int i = 0; i < BENCH_MOREAU_STALLS; ++i) {
    const bench_moreau_paper_stall *p = &m->stalls[i];
    bench_table_row(&m->run.table, p->name);
    for (int s = 0; s < BENCH_MOREAU_SOLVERS; ++s) {
      const double figures[4] = {p->us[s], p->iterations[s], p->unconverged[s], p->residual[s]};
      static const char *const metrics[4] = {"us_per_step", "iterations", "unconverged", "worst_residual"};
      static const char *const units[4] = {"us", "per step", "of steps", "1"};
      bench_table_number(&m->run.table, p->us[s]);
      bench_table_number(&m->run.table, p->iterations[s]);
      bench_table_number(&m->run.table, 100 * p->unconverged[s]);
      for (int k = 0; k < 4 && m->run.rows; ++k) {
        snprintf(metric, sizeof metric, "%s:%s", bench_moreau_paper_ball_pit_solvers[s], metrics[k]);
        bench_json_rows_add(m->run.rows, p->name, metric, figures[k], units[k]);
      }
    }
    bench_table_end(&m->run.table);
  }
}

ff_status bench_moreau_paper_stall_run(void *paper, ff_error *error)
{
  bench_moreau_paper *m = paper;
  static const struct {
    const char *name;
    int count;
    double ratio;
  } towers[BENCH_MOREAU_STALLS] = {
      {"stack of ten", 10, 1}, {"1 kg under 1 t", 2, 1000}, {"stack of ten, 1 and 100 kg", 10, 100}};
  for (int i = 0; i < BENCH_MOREAU_STALLS; ++i) {
    char text[4096];
    ff_model *model;
    const size_t length = tower_text(text, sizeof text, towers[i].count, towers[i].ratio);
    ff_status status = ff_model_load_memory(text, length, "tower", NULL, &model, error);
    m->stalls[i].name = towers[i].name;
    if (status != FF_OK)
      return status;
    for (int s = 0; s < BENCH_MOREAU_SOLVERS && status == FF_OK; ++s) {
      status = run(m, model, s, &m->stalls[i], error);
      bench_progress_share(&m->run.progress, (i + (s + 1.0) / BENCH_MOREAU_SOLVERS) / BENCH_MOREAU_STALLS);
    }
    ff_model_destroy(model);
    if (status != FF_OK)
      return status;
    m->stalls[i].is_measured = 1;
  }
  bench_progress_end(&m->run.progress);
  report(m);
  return FF_OK;
}
