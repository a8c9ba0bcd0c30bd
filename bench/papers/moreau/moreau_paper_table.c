// Table 1 and Fig. 7: StarlETH trots for 25 gait cycles, in eleven configurations and with `exact`. Each with the fewest steps per control period that stay bounded, as in the paper.
#include "papers/moreau/moreau_paper.h"
#include "papers/moreau/moreau_paper_peer.h"
#include "papers/moreau/moreau_paper_replay.h"
#include "peers/peer_mujoco.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// What a step does in each phase; the paper's parts are M and h, the inverse of M, the inverse of G_B, u_E, and the rest.
const char *const bench_moreau_phases[FF_PHASE_COUNT] = {"kinematics, detection, h",
                                                         "M and its factors, rows, M^-1 W", "G, G_B and u_E",
                                                         "new state, contacts kept"};

static int rounds(const bench_moreau *m)
{
  return m->is_quick ? 3 : 4;
}

double bench_moreau_table_work(const bench_moreau *m)
{
  const double steps = (m->warm_cycles + m->cycles) * m->gait / m->period;
  return BENCH_CONFIGS * steps * 60e-6 + (2 + rounds(m)) * BENCH_CONFIGS * steps * 45e-6;
}

static int substeps_of(const bench_moreau *m, int config)
{
  const int ground = bench_configs[config].contact == FF_HARD_CONTACT_HARD ? 0 : 1,
            n = m->bounded.fewest[ground];
  return n > 0 ? n : ground == 0 ? 1 : 2;
}

static ff_status record(bench_moreau *m, int config, bench_recording *r, ff_error *error)
{
  const bench_config *c = &bench_configs[config];
  bench_evaluation *e = &m->table[config];
  ff_scene *scene = m->trot[c->set];
  ff_sim_def def = ff_scene_sim_def(scene);
  e->alpha = bench_moreau_alpha_of(m, config);
  e->substeps = substeps_of(m, config);
  bench_config_apply(c, e->alpha, &def);
  const int steps = (int)lround(m->gait / m->period) * e->substeps;
  const ff_status status =
      bench_recording_make(scene, &def, e->substeps, m->warm_cycles, m->cycles, steps, r, error);
  if (status != FF_OK)
    return status;
  if (!bench_recording_is_repeated(r, 2)) {
    snprintf(error->message, sizeof error->message, "%s: steps played back differ from those recorded",
             c->name);
    return error->status = FF_ERROR_NUMERIC;
  }
  if (r->seconds > 0.5 * r->blocks * r->steps * 1e-3) // slow: one round is long enough to be exact
    r->motion.rounds = 1;
  e->iterations = c->contact == FF_HARD_CONTACT_HARD ? r->iterations : 0;
  e->iterations_most = c->contact == FF_HARD_CONTACT_HARD ? r->iterations_most : 0;
  e->unconverged = r->unconverged;
  e->contacts = r->contacts;
  e->drift = c->set == FF_CUT_MINIMAL ? NAN : r->drift;
  e->drift_per_minute = c->set == FF_CUT_MINIMAL ? NAN : r->drift_per_minute;
  return FF_OK;
}

static ff_status conclude(bench_moreau *m, int config, bench_recording *r)
{
  bench_evaluation *e = &m->table[config];
  e->us = bench_motion_us(&r->motion);
  e->evals_per_s = 1e6 / e->us;
  e->rtf = m->period / e->substeps / (1e-6 * e->us);
  const int is_slow = r->motion.rounds == 1;
  e->is_measured = bench_recording_phases(r, is_slow ? 1 : 5, is_slow ? 2 : 4, e->phase, &e->deviation);
  return e->is_measured ? FF_OK : FF_ERROR_MEMORY;
}

static void report_config(const bench_moreau *m, int config)
{
  const bench_config *c = &bench_configs[config];
  const bench_evaluation *e = &m->table[config];
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
  bench_sheet_row(&m->sheet, c->name);
  for (size_t k = 0; k < sizeof figures / sizeof *figures; ++k)
    bench_sheet_number(&m->sheet, figures[k]);
  bench_sheet_end(&m->sheet);
  if (!m->rows)
    return;
  snprintf(which, sizeof which, "config:%s", c->name);
  bench_rows_add(m->rows, which, "evals_per_s", e->evals_per_s, "1/s");
  bench_rows_add(m->rows, which, "rtf", e->rtf, "x");
  bench_rows_add(m->rows, which, "us_per_step", e->us, "us");
  bench_rows_add(m->rows, which, "us_deviation", e->deviation, "us");
  bench_rows_add(m->rows, which, "steps_per_period", e->substeps, "per period");
  bench_rows_add(m->rows, which, "iterations:mean", e->iterations, "per step");
  bench_rows_add(m->rows, which, "iterations:max", e->iterations_most, "per step");
  bench_rows_add(m->rows, which, "unconverged", e->unconverged, "of steps");
  bench_rows_add(m->rows, which, "alpha", e->alpha, "1");
  bench_rows_add(m->rows, which, "contacts", e->contacts, "mean");
  if (isfinite(c->rtf)) {
    bench_rows_add(m->rows, which, "paper:evals_per_s", c->evals_per_s, "1/s");
    bench_rows_add(m->rows, which, "paper:rtf", c->rtf, "x");
  }
  if (isfinite(e->drift)) {
    bench_rows_add(m->rows, which, "drift_rate", 1e6 * e->drift_per_minute, "um/min");
    bench_rows_add(m->rows, which, "drift_most", 1e6 * e->drift, "um");
  }
  for (int p = 0; p < FF_PHASE_COUNT; ++p) {
    char metric[48];
    snprintf(metric, sizeof metric, "phase:%s", ff_phase_name((ff_phase)p));
    bench_rows_add(m->rows, which, metric, e->phase[p], "us");
  }
}

static void report(const bench_moreau *m)
{
  char titles[][24] = {"evals/s", "paper", "rtf",       "paper", "us",
                       "iter.",   "most",  "unconv. %", "alpha", "paper"};
  bench_sheet_say(&m->sheet, "Table 1: %d gait cycles of trot, controller left out", m->cycles);
  bench_sheet_titles(&m->sheet, "", 10, titles);
  for (int c = 0; c < BENCH_CONFIGS; ++c)
    report_config(m, c);
  if (m->mujoco.is_measured)
    bench_sheet_say(&m->sheet,
                    "MuJoCo %s on the same robot, trotting, same controller: %.3g us a step, %.2g contacts",
                    bench_mujoco_version(), m->mujoco.us, m->mujoco.contacts);
  else
    bench_sheet_say(&m->sheet, "MuJoCo was not measured: %s", m->mujoco.why);
  if (!m->rows)
    return;
  const double ours = m->table[BENCH_HMJ].us, exact = m->table[BENCH_EXACT].us;
  bench_rows_add(m->rows, "speed", "us_per_step:minimal:goal_4", fmin(ours, exact), "us");
  bench_rows_add(m->rows, "speed", "us_per_step:maximal:goal_30",
                 fmin(fmin(m->table[BENCH_HMJD].us, m->table[BENCH_HMSD].us), m->table[BENCH_EXACT + 2].us),
                 "us");
  bench_rows_add(m->rows, "speed", "us_per_step:paper", 1e6 / bench_configs[BENCH_HMJ].evals_per_s, "us");
  if (m->mujoco.is_measured) {
    bench_rows_add(m->rows, "speed", "us_per_step:mujoco", m->mujoco.us, "us");
    bench_rows_add(m->rows, "speed", "contacts:mujoco", m->mujoco.contacts, "mean");
    bench_rows_add(m->rows, "speed", "mujoco_over_ours", m->mujoco.us / fmin(ours, exact), "x");
  }
}

ff_status bench_moreau_table(bench_moreau *m, ff_error *error)
{
  bench_recording *r = calloc(BENCH_CONFIGS, sizeof *r);
  bench_motion *motions[BENCH_CONFIGS + 1];
  int count = 0;
  ff_status status = r ? FF_OK : FF_ERROR_MEMORY;
  for (int c = 0; c < BENCH_CONFIGS && status == FF_OK; ++c) {
    status = record(m, c, &r[c], error);
    motions[count++] = &r[c].motion;
    bench_progress_share(&m->progress, 0.4 * (c + 1) / BENCH_CONFIGS);
  }
  bench_trotting_mujoco *rival = NULL;
  if (status == FF_OK) {
    rival = bench_trotting_mujoco_create(m, m->mujoco.why, sizeof m->mujoco.why);
    if (rival)
      motions[count++] = bench_trotting_mujoco_motion(rival);
    bench_motions_time(motions, count, rounds(m), bench_progress_share, &m->progress);
    for (int c = 0; c < BENCH_CONFIGS && status == FF_OK; ++c)
      status = conclude(m, c, &r[c]);
    if (rival)
      m->mujoco = (bench_rival){.is_measured = 1,
                                .us = bench_motion_us(bench_trotting_mujoco_motion(rival)),
                                .contacts = bench_trotting_mujoco_contacts(rival)};
    bench_progress_end(&m->progress);
    report(m);
  }
  bench_trotting_mujoco_destroy(rival);
  for (int c = 0; r && c < BENCH_CONFIGS; ++c)
    bench_recording_free(&r[c]);
  free(r);
  return status;
}
