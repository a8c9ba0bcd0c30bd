// Cost over the number of contacts: balls at rest in a pit, up to a thousand contacts, with each solver and in MuJoCo.
#include "common/timer.h"
#include "papers/moreau/moreau_paper.h"
#include "papers/moreau/moreau_paper_mujoco.h"

#include <footfall/load.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const bench_moreau_paper_ball_pit_solvers[BENCH_MOREAU_SOLVERS] = {"jor", "sor", "exact"};

enum { ROUNDS = 5, STEPS = 10, MOST_CONTACTS = 4000 };
static const double patience = 2; // time limit of a solver after its first round [s]
static const int balls[BENCH_MOREAU_PITS] = {4, 16, 48, 96, 192, 448};
static const double dt = 2.5e-3, settle = 2; // [s]

static int pits_of(const bench_moreau_paper *m)
{
  return m->run.is_quick ? 3 : BENCH_MOREAU_PITS;
}

double bench_moreau_paper_ball_pit_work(const void *paper)
{
  const bench_moreau_paper *m = paper;
  double work = 0;
  for (int i = 0; i < pits_of(m); ++i)
    work += balls[i] * 0.1;
  return work;
}

// Balls of 0.1 m and 0.1 kg above a square pit, in about `side` layers of side x side; no two balls touch or are
// exactly above each other.
static void write_balls(FILE *out, int count, int side)
{
  for (int i = 0; i < count; ++i) {
    const int layer = i / (side * side), in = i % (side * side);
    const double first = -0.055 * (side - 1);
    const int column = in % side, row = in / side;
    fprintf(
        out,
        "<body pos=\"%.6f %.6f %.6f\"><freejoint/><geom type=\"sphere\" size=\"0.05\" mass=\"0.1\"/></body>\n",
        first + 0.11 * column + 4e-3 * cos(12.9898 * i), first + 0.11 * row + 4e-3 * cos(78.233 * i),
        0.06 + 0.105 * layer);
  }
}

static char *pit_text(int count)
{
  const int side = (int)ceil(cbrt(count)), contacts = 5 * count + 20; // for MuJoCo; ours is MOST_CONTACTS
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  if (!out)
    return NULL;
  fprintf(out,
          "<mujoco><option gravity=\"0 0 -9.81\" cone=\"elliptic\"/><size nconmax=\"%d\" njmax=\"%d\"/>\n"
          "<default><geom friction=\"0.5 0 0\" condim=\"3\"/></default><worldbody>\n"
          "<geom type=\"plane\" size=\"5 5 0.1\"/>\n",
          contacts, 3 * contacts);
  for (int w = 0; w < 4; ++w) {
    const double half = 0.055 * side + 5e-3, sign = w % 2 == 0 ? 1 : -1, x = w < 2 ? sign : 0, y = sign - x;
    fprintf(out, "<geom type=\"plane\" size=\"5 5 0.1\" pos=\"%.3f %.3f 0\" zaxis=\"%g %g 0\"/>\n", -half * x,
            -half * y, x, y);
  }
  write_balls(out, count, side);
  fputs("</worldbody></mujoco>\n", out);
  if (fclose(out) == 0)
    return text;
  free(text);
  return NULL;
}

static ff_status settle_pit(const ff_model *model, ff_sim_def *def, double **state, ff_error *error)
{
  ff_sim *sim;
  ff_status status = ff_sim_create(model, def, &sim, error);
  if (status != FF_OK)
    return status;
  for (int k = 0; k < (int)(settle / dt) && status == FF_OK; ++k)
    status = ff_sim_step(sim, NULL, error);
  *state = malloc((size_t)ff_sim_state_size(sim) * sizeof **state);
  if (*state)
    ff_sim_get_state(sim, *state);
  else
    status = FF_ERROR_MEMORY;
  ff_sim_destroy(sim);
  return status;
}

// Take steps from the current state. Returns the number taken within the time limit.
static int take_steps(ff_sim *sim, double until, int s, bench_moreau_paper_ball_pit *out)
{
  ff_error ignored;
  int done = 0;
  out->iterations[s] = out->unconverged[s] = 0;
  while (done < STEPS && bench_timer_thread_seconds() < until && ff_sim_step(sim, NULL, &ignored) == FF_OK) {
    ++done;
    out->iterations[s] += ff_sim_info(sim)->iterations;
    out->unconverged[s] += !ff_sim_info(sim)->converged;
  }
  out->iterations[s] /= done;
  out->unconverged[s] /= done;
  return done;
}

// From the settled state: some steps with this solver until the transient is over, then as many rounds of the same
// steps as the time limit allows.
static ff_status time_solver(const ff_model *model, const ff_sim_def *def, const double *settled, int s,
                             bench_moreau_paper_ball_pit *out, ff_error *error)
{
  ff_sim *sim;
  ff_status status = ff_sim_create(model, def, &sim, error);
  if (status != FF_OK)
    return status;
  double *state = malloc((size_t)ff_sim_state_size(sim) * sizeof *state);
  status = state ? ff_sim_set_state(sim, settled, error) : FF_ERROR_MEMORY;
  out->us[s] = INFINITY;
  if (status == FF_OK) {
    const double until = bench_timer_thread_seconds() + patience;
    take_steps(sim, until, s, out);
    ff_sim_get_state(sim, state);
    for (int r = 0; r < ROUNDS && (r == 0 || bench_timer_thread_seconds() < until); ++r) {
      ff_sim_set_state(sim, state, error);
      const double from = bench_timer_thread_seconds();
      const int done = take_steps(sim, r == 0 ? from + patience : until + patience, s, out);
      out->us[s] = fmin(out->us[s], 1e6 * (bench_timer_thread_seconds() - from) / done);
      out->contacts[s] = ff_sim_info(sim)->contacts;
    }
  }
  free(state);
  ff_sim_destroy(sim);
  return status;
}

static ff_status measure(const char *text, bench_moreau_paper_ball_pit *out, ff_error *error)
{
  static const ff_hard_solver solvers[BENCH_MOREAU_SOLVERS] = {FF_HARD_JOR, FF_HARD_SOR, FF_HARD_EXACT};
  ff_model *model;
  double *state = NULL;
  ff_status status = ff_model_load_memory(text, strlen(text), "pit", NULL, &model, error);
  if (status != FF_OK)
    return status;
  ff_sim_def def = ff_sim_def_default();
  def.stepper = FF_STEPPER_MOREAU;
  def.dt = dt;
  def.max_contacts = MOST_CONTACTS;
  def.moreau.solver = FF_HARD_SOR;
  def.moreau.max_iterations = 200; // while the balls fall
  def.moreau.stabilise = 1;
  status = settle_pit(model, &def, &state, error);
  def.moreau = ff_sim_def_default().moreau;
  for (int s = 0; s < BENCH_MOREAU_SOLVERS && status == FF_OK; ++s) {
    def.moreau.solver = solvers[s];
    status = time_solver(model, &def, state, s, out, error);
  }
  free(state);
  ff_model_destroy(model);
  return status;
}

static void report_pit(const bench_moreau_paper *m, const bench_moreau_paper_ball_pit *p)
{
  char which[32], metric[64];
  snprintf(which, sizeof which, "pit:%d", p->balls);
  bench_table_row(&m->run.table, which);
  for (int s = 0; s <= BENCH_MOREAU_SOLVERS; ++s) {
    const char *name = s < BENCH_MOREAU_SOLVERS ? bench_moreau_paper_ball_pit_solvers[s] : "mujoco";
    bench_table_number(&m->run.table, p->contacts[s] > 0 ? (double)p->contacts[s] : NAN);
    bench_table_number(&m->run.table, p->us[s]);
    if (s < BENCH_MOREAU_SOLVERS)
      bench_table_number(&m->run.table, 100 * p->unconverged[s]);
    if (!m->run.rows || !isfinite(p->us[s]))
      continue;
    snprintf(metric, sizeof metric, "%s:contacts", name);
    bench_json_rows_add(m->run.rows, which, metric, p->contacts[s], "1");
    snprintf(metric, sizeof metric, "%s:us_per_step", name);
    bench_json_rows_add(m->run.rows, which, metric, p->us[s], "us");
    snprintf(metric, sizeof metric, "%s:us_per_contact", name);
    bench_json_rows_add(m->run.rows, which, metric, p->us[s] / p->contacts[s], "us");
    if (s == BENCH_MOREAU_SOLVERS)
      continue;
    snprintf(metric, sizeof metric, "%s:iterations", name);
    bench_json_rows_add(m->run.rows, which, metric, p->iterations[s], "per step");
    snprintf(metric, sizeof metric, "%s:unconverged", name);
    bench_json_rows_add(m->run.rows, which, metric, p->unconverged[s], "of steps");
  }
  bench_table_end(&m->run.table);
}

ff_status bench_moreau_paper_ball_pit_run(void *paper, ff_error *error)
{
  bench_moreau_paper *m = paper;
  char titles[][24] = {"jor: contacts",   "us", "unconv. %", "sor: contacts", "us", "unconv. %",
                       "exact: contacts", "us", "unconv. %", "MuJoCo: cont.", "us"};
  double work = 0;
  for (int i = 0; i < pits_of(m); ++i) {
    bench_moreau_paper_ball_pit *p = &m->pits[i];
    p->balls = balls[i];
    p->us[BENCH_MOREAU_SOLVERS] = NAN;
    char *text = pit_text(balls[i]);
    if (!text)
      return error->status = FF_ERROR_MEMORY;
    const ff_status status = measure(text, p, error);
    if (status == FF_OK &&
        !bench_moreau_paper_mujoco_ball_pit(text, dt, settle, m->run.is_quick ? 1 : 20,
                                            &p->us[BENCH_MOREAU_SOLVERS], &p->contacts[BENCH_MOREAU_SOLVERS]))
      p->us[BENCH_MOREAU_SOLVERS] = NAN;
    free(text);
    if (status != FF_OK)
      return status;
    p->is_measured = 1;
    work += balls[i] * 0.1;
    bench_progress_share(&m->run.progress, work / bench_moreau_paper_ball_pit_work(m));
  }
  bench_progress_end(&m->run.progress);
  bench_table_say(&m->run.table, "Balls at rest in a pit, steps of %.3g ms", 1e3 * dt);
  bench_table_titles(&m->run.table, "", 11, titles);
  for (int i = 0; i < pits_of(m); ++i)
    report_pit(m, &m->pits[i]);
  return FF_OK;
}
