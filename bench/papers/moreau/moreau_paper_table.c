// Table 1 and Fig. 7: StarlETH trots for 25 gait cycles, in eleven configurations, and with `exact` and `sor-split`,
// each with the fewest steps per control period that stay bounded, as in the paper.
#include "papers/moreau/moreau_paper.h"
#include "papers/moreau/moreau_paper_mujoco.h"
#include "papers/moreau/moreau_paper_replay.h"
#include "peers/mujoco_release.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Contents of the phases of a step; the paper's are M and h, the inverse of M, the inverse of G_B, u_E, and the rest.
const char *const bench_moreau_paper_table_phases[FF_PHASE_COUNT] = {
    "kinematics, detection, h", "M and its factors, rows, M^-1 W", "G, G_B and u_E",
    "new state, contacts kept"};

static int rounds(const bench_moreau_paper *m)
{
  return m->run.is_quick ? 3 : 4;
}

double bench_moreau_paper_table_work(const void *paper)
{
  const bench_moreau_paper *m = paper;
  const double steps = (m->warm_cycles + m->cycles) * m->gait / m->period;
  return BENCH_MOREAU_CONFIGS * steps * 60e-6 + (2 + rounds(m)) * BENCH_MOREAU_CONFIGS * steps * 45e-6;
}

static int substeps_of(const bench_moreau_paper *m, int config)
{
  const int ground = bench_moreau_paper_configs[config].contact == FF_HARD_CONTACT_HARD ? 0 : 1,
            n = m->bounded.fewest[ground];
  return n > 0 ? n : ground == 0 ? 1 : 2;
}

static ff_status record(bench_moreau_paper *m, int config, bench_moreau_paper_replay *r, ff_error *error)
{
  const bench_moreau_paper_config *c = &bench_moreau_paper_configs[config];
  bench_moreau_paper_cost *e = &m->table[config];
  ff_scene *scene = m->trot[c->set];
  ff_sim_def def = ff_scene_sim_def(scene);
  e->alpha = bench_moreau_paper_configs_alpha(m, config);
  e->substeps = substeps_of(m, config);
  bench_moreau_paper_configs_apply(c, e->alpha, &def);
  const int steps = (int)lround(m->gait / m->period) * e->substeps;
  const ff_status status = bench_moreau_paper_replay_make(
      &(bench_moreau_paper_replay_def){scene, &def, e->substeps, m->warm_cycles, m->cycles, steps}, r, error);
  if (status != FF_OK)
    return status;
  if (!bench_moreau_paper_replay_is_repeated(r, 2)) {
    snprintf(error->message, sizeof error->message, "%s: the replayed steps differ from the recorded ones",
             c->name);
    return error->status = FF_ERROR_NUMERIC;
  }
  if (r->seconds > 0.5 * r->blocks * r->steps * 1e-3) // slow: one round is long enough for an accurate time
    r->motion.rounds = 1;
  e->iterations = c->contact == FF_HARD_CONTACT_HARD ? r->iterations : 0;
  e->iterations_most = c->contact == FF_HARD_CONTACT_HARD ? r->iterations_most : 0;
  e->unconverged = r->unconverged;
  e->contacts = r->contacts;
  e->drift = c->set == FF_CUT_MINIMAL ? NAN : r->drift;
  e->drift_per_minute = c->set == FF_CUT_MINIMAL ? NAN : r->drift_per_minute;
  return FF_OK;
}

static ff_status conclude(bench_moreau_paper *m, int config, bench_moreau_paper_replay *r)
{
  bench_moreau_paper_cost *e = &m->table[config];
  e->us = bench_moreau_paper_replay_us(&r->motion, 0);
  e->us_slow = bench_claim_slower(e->us, bench_moreau_paper_replay_us(&r->motion, 1));
  e->evals_per_s = 1e6 / e->us;
  e->rtf = m->period / e->substeps / (1e-6 * e->us);
  const int is_slow = r->motion.rounds == 1;
  e->is_measured = bench_moreau_paper_replay_phases(r, is_slow ? 1 : 5, is_slow ? 2 : 4, e->phase,
                                                    &e->judging, &e->deviation);
  return e->is_measured ? FF_OK : FF_ERROR_MEMORY;
}

static void report_config(const bench_moreau_paper *m, int config)
{
  const bench_moreau_paper_config *c = &bench_moreau_paper_configs[config];
  const bench_moreau_paper_cost *e = &m->table[config];
  const double figures[] = {e->evals_per_s,
                            c->evals_per_s,
                            e->rtf,
                            c->rtf,
                            e->us,
                            e->iterations,
                            e->iterations_most,
                            100 * e->unconverged,
                            e->alpha > 0 ? e->alpha : NAN,
                            c->alpha};
  char which[32];
  bench_table_row(&m->run.table, c->name);
  for (size_t k = 0; k < sizeof figures / sizeof *figures; ++k)
    bench_table_number(&m->run.table, figures[k]);
  bench_table_end(&m->run.table);
  if (!m->run.rows)
    return;
  snprintf(which, sizeof which, "config:%s", c->name);
  bench_json_rows_add(m->run.rows, which, "evals_per_s", e->evals_per_s, "1/s");
  bench_json_rows_add(m->run.rows, which, "rtf", e->rtf, "x");
  bench_json_rows_add(m->run.rows, which, "us_per_step", e->us, "us");
  bench_json_rows_add(m->run.rows, which, "us_deviation", e->deviation, "us");
  bench_json_rows_add(m->run.rows, which, "us_judging", e->judging, "us");
  bench_json_rows_add(m->run.rows, which, "steps_per_period", e->substeps, "per period");
  bench_json_rows_add(m->run.rows, which, "iterations:mean", e->iterations, "per step");
  bench_json_rows_add(m->run.rows, which, "iterations:max", e->iterations_most, "per step");
  bench_json_rows_add(m->run.rows, which, "unconverged", e->unconverged, "of steps");
  bench_json_rows_add(m->run.rows, which, "alpha", e->alpha, "1");
  bench_json_rows_add(m->run.rows, which, "contacts", e->contacts, "mean");
  if (isfinite(c->rtf)) {
    bench_json_rows_add(m->run.rows, which, "paper:evals_per_s", c->evals_per_s, "1/s");
    bench_json_rows_add(m->run.rows, which, "paper:rtf", c->rtf, "x");
  }
  if (isfinite(e->drift)) {
    bench_json_rows_add(m->run.rows, which, "drift_rate", 1e6 * e->drift_per_minute, "um/min");
    bench_json_rows_add(m->run.rows, which, "drift_most", 1e6 * e->drift, "um");
  }
  for (int p = 0; p < FF_PHASE_COUNT; ++p) {
    char metric[48];
    snprintf(metric, sizeof metric, "phase:%s", ff_phase_name((ff_phase)p));
    bench_json_rows_add(m->run.rows, which, metric, e->phase[p], "us");
  }
}

static void report_inverse(const bench_moreau_paper *m)
{
  static const char *const sets[BENCH_MOREAU_SETS] = {"minimal", "extended", "maximal"};
  char titles[][24] = {"M", "its factors", "M^-1, if formed"}, metric[48];
  bench_table_say(&m->run.table, "Fig. 7: parts of a step that depend on the coordinates alone [us]");
  bench_table_titles(&m->run.table, "", 3, titles);
  for (int set = 0; set < BENCH_MOREAU_SETS; ++set) {
    const bench_moreau_paper_inverse *i = &m->inverse[set];
    const double us[3] = {i->mass, i->factors, i->inverse};
    static const char *const parts[3] = {"mass", "factors", "inverse"};
    bench_table_row(&m->run.table, sets[set]);
    for (int k = 0; k < 3; ++k) {
      bench_table_number(&m->run.table, us[k]);
      snprintf(metric, sizeof metric, "part:%s:%s", parts[k], sets[set]);
      bench_paper_row(&m->run, "speed", metric, us[k], "us");
    }
    bench_table_end(&m->run.table);
  }
}

static void report(const bench_moreau_paper *m)
{
  char titles[][24] = {"evals/s", "paper", "rtf",       "paper", "us",
                       "iter.",   "most",  "unconv. %", "alpha", "paper"};
  bench_table_say(&m->run.table, "Table 1: %d gait cycles of trot, without the controller's time", m->cycles);
  bench_table_titles(&m->run.table, "", 10, titles);
  for (int c = 0; c < BENCH_MOREAU_CONFIGS; ++c)
    report_config(m, c);
  if (m->mujoco.is_measured)
    bench_table_say(&m->run.table,
                    "%s on the same robot, trotting, same controller: %.3g us per step, %.2g contacts",
                    bench_mujoco_release_found().name, m->mujoco.us, m->mujoco.contacts);
  else
    bench_table_say(&m->run.table, "MuJoCo was not measured: %s", m->mujoco.why);
  if (!m->run.rows)
    return;
  const double ours = m->table[BENCH_MOREAU_HMJ].us, exact = m->table[BENCH_MOREAU_EXACT].us;
  bench_json_rows_add(m->run.rows, "speed", "us_per_step:minimal:goal_4", fmin(ours, exact), "us");
  bench_json_rows_add(m->run.rows, "speed", "us_per_step:maximal:goal_30",
                      fmin(fmin(m->table[BENCH_MOREAU_HMJD].us, m->table[BENCH_MOREAU_HMSD].us),
                           m->table[BENCH_MOREAU_EXACT + 2].us),
                      "us");
  bench_json_rows_add(m->run.rows, "speed", "us_per_step:paper",
                      1e6 / bench_moreau_paper_configs[BENCH_MOREAU_HMJ].evals_per_s, "us");
  if (m->mujoco.is_measured) {
    bench_json_rows_add(m->run.rows, "speed", "us_per_step:mujoco", m->mujoco.us, "us");
    bench_json_rows_add(m->run.rows, "speed", "contacts:mujoco", m->mujoco.contacts, "mean");
    bench_json_rows_add(m->run.rows, "speed", "mujoco_over_ours", m->mujoco.us / fmin(ours, exact), "x");
  }
}

ff_status bench_moreau_paper_table_run(void *paper, ff_error *error)
{
  bench_moreau_paper *m = paper;
  bench_moreau_paper_replay *r = calloc(BENCH_MOREAU_CONFIGS, sizeof *r);
  bench_moreau_paper_replay_motion *motions[BENCH_MOREAU_CONFIGS + 1];
  int count = 0;
  ff_status status = r ? FF_OK : FF_ERROR_MEMORY;
  for (int c = 0; c < BENCH_MOREAU_CONFIGS && status == FF_OK; ++c) {
    status = record(m, c, &r[c], error);
    motions[count++] = &r[c].motion;
    bench_progress_share(&m->run.progress, 0.4 * (c + 1) / BENCH_MOREAU_CONFIGS);
  }
  bench_moreau_paper_mujoco *other = NULL;
  if (status == FF_OK) {
    other = bench_moreau_paper_mujoco_create(m, m->mujoco.why, sizeof m->mujoco.why);
    if (other)
      motions[count++] = bench_moreau_paper_mujoco_motion(other);
    bench_moreau_paper_replay_time(motions, count, rounds(m), bench_progress_share, &m->run.progress);
    for (int c = 0; c < BENCH_MOREAU_CONFIGS && status == FF_OK; ++c)
      status = conclude(m, c, &r[c]);
    for (int set = 0; set < BENCH_MOREAU_SETS && status == FF_OK; ++set)
      status = bench_moreau_paper_inverse_measure(r[BENCH_MOREAU_EXACT + set].sim, &m->inverse[set], error);
    if (other)
      m->mujoco = (bench_moreau_paper_mujoco_time){
          .is_measured = 1,
          .us = bench_moreau_paper_replay_us(bench_moreau_paper_mujoco_motion(other), 0),
          .contacts = bench_moreau_paper_mujoco_contacts(other)};
    bench_progress_end(&m->run.progress);
    report(m);
    report_inverse(m);
  }
  bench_moreau_paper_mujoco_destroy(other);
  for (int c = 0; r && c < BENCH_MOREAU_CONFIGS; ++c)
    bench_moreau_paper_replay_free(&r[c]);
  free(r);
  return status;
}
