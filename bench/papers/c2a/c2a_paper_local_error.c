// Section IV-C: the local error of kinetic energy of the trot in steps of 1 ms, explicit and semi-implicit; and Fig. 4:
// the inverse of the relative error over a gait.
#include "papers/c2a/c2a_paper.h"

#include <math.h>
#include <stdio.h>

const char *const bench_c2a_paper_local_error_schemes[FF_C2A_SCHEME_COUNT] = {
    [FF_C2A_SEMI_IMPLICIT] = "semi-implicit", [FF_C2A_EXPLICIT] = "explicit"};

static const double dt = 1e-3, settled = 1; // [s]: after it all gait cycles are alike

static double duration_of(const bench_c2a_paper *b)
{
  return b->run.is_quick ? 2.5 : 5;
}

double bench_c2a_paper_local_error_work(const void *paper)
{
  const bench_c2a_paper *b = paper;
  return 4 * duration_of(b);
}

static void sum_up(const bench_c2a_trot_run *r, bench_c2a_paper_local_error *out)
{
  double n = 0;
  for (int k = 0; k < r->sample_count; ++k) {
    const bench_c2a_trot_sample *s = &r->samples[k];
    if (!isfinite(s->error))
      continue;
    out->error += s->error;
    out->energy += s->energy;
    out->share += bench_c2a_trot_share(s);
    ++n;
  }
  out->error /= n;
  out->energy /= n;
  out->share /= n;
  out->end = bench_c2a_trot_end(r, INFINITY);
}

// Mean energy over mean error, for each millisecond of a gait over all gaits; and the same while all feet are in
// contact, and while some are in the air.
static void fold(const bench_c2a_trot_run *r, bench_c2a_paper_local_error *out)
{
  double error[BENCH_C2A_GAIT] = {0}, energy[BENCH_C2A_GAIT] = {0}, feet[BENCH_C2A_GAIT] = {0},
         count[BENCH_C2A_GAIT] = {0};
  double all[2][2] = {{0}};
  for (int k = (int)lround(settled / dt); k < r->sample_count; ++k) {
    const bench_c2a_trot_sample *s = &r->samples[k];
    const int at = k % BENCH_C2A_GAIT;
    if (!isfinite(s->error))
      continue;
    error[at] += s->error;
    energy[at] += s->energy;
    feet[at] += s->feet;
    ++count[at];
    all[s->feet >= 4][0] += s->energy;
    all[s->feet >= 4][1] += s->error;
  }
  for (int i = 0; i < BENCH_C2A_GAIT; ++i) {
    out->stability[i] = energy[i] / error[i];
    out->feet[i] = feet[i] / count[i];
  }
  for (int k = 0; k < 2; ++k)
    out->stability_of[k] = all[k][0] / all[k][1];
}

static void report_one(const bench_c2a_paper *b, const bench_c2a_paper_local_error *of, const char *ending)
{
  for (int k = 0; k < FF_C2A_SCHEME_COUNT; ++k) {
    const bench_c2a_paper_local_error *e = &of[k];
    char name[48];
    snprintf(name, sizeof name, "%s%s", bench_c2a_paper_local_error_schemes[k], ending);
    bench_table_row(&b->run.table, name);
    bench_table_error(&b->run.table, e->error);
    bench_table_number(&b->run.table, e->energy);
    bench_table_error(&b->run.table, e->share);
    for (int i = 0; i < 2; ++i)
      bench_table_number(&b->run.table, e->stability_of[i]);
    bench_table_end(&b->run.table);
    bench_paper_row(&b->run, name, "energy_error", e->error, "J");
    bench_paper_row(&b->run, name, "energy", e->energy, "J");
    bench_paper_row(&b->run, name, "energy_error:relative", e->share, "1");
    bench_paper_row(&b->run, name, "stability:stepping", e->stability_of[0], "1");
    bench_paper_row(&b->run, name, "stability:standing", e->stability_of[1], "1");
  }
}

static void report(const bench_c2a_paper *b)
{
  char titles[][24] = {"error [J]", "energy [J]", "relative", "stepping", "standing"};
  bench_table_say(
      &b->run.table,
      "Local error of kinetic energy, trot of %g s in steps of 1 ms; energy over error while feet are in the air, "
      "and while all are in contact",
      duration_of(b));
  bench_table_titles(&b->run.table, "", 5, titles);
  report_one(b, b->local[BENCH_C2A_PRESENT][0], "");
  report_one(b, b->local[BENCH_C2A_PRESENT][1], ":coulomb");
  report_one(b, b->local[BENCH_C2A_MIDDLE][0], ":middle");
  report_one(b, b->local[BENCH_C2A_MIDDLE][1], ":middle:coulomb");
  bench_table_say(&b->run.table,
                  "The paper: explicit %.4e of %.4f J, %.3g %%; semi-implicit %.4e of %.4f J, %.4g %%",
                  bench_c2a_paper_published_explicit[0], bench_c2a_paper_published_explicit[1],
                  100 * bench_c2a_paper_published_explicit[2], bench_c2a_paper_published_semi[0],
                  bench_c2a_paper_published_semi[1], 100 * bench_c2a_paper_published_semi[2]);
}

// One controller, law and scheme.
typedef struct variant {
  bench_c2a_trot_controller controller;
  ff_impact_law law;
  ff_c2a_scheme scheme;
} variant;

static ff_status run(const bench_c2a_paper *b, const variant *v, bench_c2a_paper_local_error *out,
                     ff_error *error)
{
  bench_c2a_trot_def def = {.scenes = b->run.scenes,
                            .controller = v->controller,
                            .dt = dt,
                            .duration = duration_of(b),
                            .c2a = bench_c2a_trot_options()};
  bench_c2a_trot_run r;
  def.c2a.scheme = v->scheme;
  def.c2a.impact.law = v->law;
  def.sampled = (int)lround(def.duration / dt);
  const ff_status status = bench_c2a_trot_go(&def, &r, error);
  if (status == FF_OK) {
    sum_up(&r, out);
    fold(&r, out);
    out->is_measured = 1;
  }
  bench_c2a_trot_run_free(&r);
  return status;
}

ff_status bench_c2a_paper_local_error_run(void *paper, ff_error *error)
{
  bench_c2a_paper *b = paper;
  static const ff_impact_law laws[BENCH_C2A_LAWS] = {FF_IMPACT_DISSIPATION, FF_IMPACT_COULOMB};
  int done = 0;
  for (int c = 0; c < BENCH_C2A_CONTROLLERS; ++c)
    for (int l = 0; l < BENCH_C2A_LAWS; ++l)
      for (int k = 0; k < FF_C2A_SCHEME_COUNT; ++k) {
        const variant v = {(bench_c2a_trot_controller)c, laws[l], (ff_c2a_scheme)k};
        const ff_status status = run(b, &v, &b->local[c][l][k], error);
        if (status != FF_OK)
          return status;
        bench_progress_share(&b->run.progress,
                             ++done / (double)(BENCH_C2A_CONTROLLERS * BENCH_C2A_LAWS * FF_C2A_SCHEME_COUNT));
      }
  bench_progress_end(&b->run.progress);
  report(b);
  return FF_OK;
}
