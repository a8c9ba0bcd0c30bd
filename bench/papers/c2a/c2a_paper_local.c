// Section IV-C: the local error of kinetic energy of the trot in steps of 1 ms, explicit and semi-implicit; and Fig. 4: the inverse of the relative error over a gait.
#include "papers/c2a/c2a_paper.h"

#include <math.h>
#include <stdio.h>

const char *const bench_scheme_names[FF_C2A_SCHEME_COUNT] = {
    [FF_C2A_SEMI_IMPLICIT] = "semi-implicit", [FF_C2A_EXPLICIT] = "explicit"};

static const double dt = 1e-3, settled = 1; // [s]: from here on gaits are alike

static double duration_of(const bench_c2a *b)
{
  return b->is_quick ? 2.5 : 5;
}

double bench_c2a_local_work(const bench_c2a *b)
{
  return 1 * duration_of(b);
}

static void sum_up(const bench_trot_run *r, bench_local_energy *out)
{
  double n = 0;
  for (int k = 0; k < r->sample_count; ++k) {
    const bench_trot_sample *s = &r->samples[k];
    if (!isfinite(s->error))
      continue;
    out->error += s->error;
    out->energy += s->energy;
    out->share += bench_trot_share(s);
    ++n;
  }
  out->error /= n;
  out->energy /= n;
  out->share /= n;
  out->end = bench_trot_end(r, INFINITY);
}

// Mean energy over mean error, in each millisecond of a gait over all gaits; and the same while all feet stand, and while some are in the air.
static void fold(const bench_trot_run *r, bench_local_energy *out)
{
  double error[BENCH_GAIT] = {0}, energy[BENCH_GAIT] = {0}, feet[BENCH_GAIT] = {0}, count[BENCH_GAIT] = {0};
  double all[2][2] = {{0}};
  for (int k = (int)lround(settled / dt); k < r->sample_count; ++k) {
    const bench_trot_sample *s = &r->samples[k];
    const int at = k % BENCH_GAIT;
    if (!isfinite(s->error))
      continue;
    error[at] += s->error;
    energy[at] += s->energy;
    feet[at] += s->feet;
    ++count[at];
    all[s->feet >= 4][0] += s->energy;
    all[s->feet >= 4][1] += s->error;
  }
  for (int i = 0; i < BENCH_GAIT; ++i) {
    out->stability[i] = energy[i] / error[i];
    out->feet[i] = feet[i] / count[i];
  }
  for (int k = 0; k < 2; ++k)
    out->stability_of[k] = all[k][0] / all[k][1];
}

static void report_law(const bench_c2a *b, const bench_local_energy *of, const char *ending)
{
  for (int k = 0; k < FF_C2A_SCHEME_COUNT; ++k) {
    const bench_local_energy *e = &of[k];
    char name[48];
    snprintf(name, sizeof name, "%s%s", bench_scheme_names[k], ending);
    bench_sheet_row(&b->sheet, name);
    bench_sheet_error(&b->sheet, e->error);
    bench_sheet_number(&b->sheet, e->energy);
    bench_sheet_error(&b->sheet, e->share);
    for (int i = 0; i < 2; ++i)
      bench_sheet_number(&b->sheet, e->stability_of[i]);
    bench_sheet_end(&b->sheet);
    bench_c2a_row(b, name, "energy_error", e->error, "J");
    bench_c2a_row(b, name, "energy", e->energy, "J");
    bench_c2a_row(b, name, "energy_error:relative", e->share, "1");
    bench_c2a_row(b, name, "stability:stepping", e->stability_of[0], "1");
    bench_c2a_row(b, name, "stability:standing", e->stability_of[1], "1");
  }
}

static void report(const bench_c2a *b)
{
  char titles[][24] = {"error [J]", "energy [J]", "relative", "stepping", "standing"};
  bench_sheet_say(
      &b->sheet,
      "Local error of kinetic energy, trot of %g s in steps of 1 ms; energy over error while feet are in the air, and while all stand",
      duration_of(b));
  bench_sheet_titles(&b->sheet, "", 5, titles);
  report_law(b, b->local, "");
  report_law(b, b->coulomb, ":coulomb");
  bench_sheet_say(
      &b->sheet, "The paper: explicit %.4e of %.4f J, %.3g %%; semi-implicit %.4e of %.4f J, %.4g %%",
      bench_c2a_stated_explicit[0], bench_c2a_stated_explicit[1], 100 * bench_c2a_stated_explicit[2],
      bench_c2a_stated_semi[0], bench_c2a_stated_semi[1], 100 * bench_c2a_stated_semi[2]);
}

static ff_status run(const bench_c2a *b, ff_impact_law law, ff_c2a_scheme scheme, bench_local_energy *out,
                     ff_error *error)
{
  bench_trot_def def = {.scenes = b->scenes, .dt = dt, .duration = duration_of(b), .c2a = bench_trot_c2a()};
  bench_trot_run r;
  def.c2a.scheme = scheme;
  def.c2a.impact.law = law;
  def.watched = (int)lround(def.duration / dt);
  const ff_status status = bench_trot_go(&def, &r, error);
  if (status == FF_OK) {
    sum_up(&r, out);
    fold(&r, out);
    out->is_measured = 1;
  }
  bench_trot_run_free(&r);
  return status;
}

ff_status bench_c2a_local(bench_c2a *b, ff_error *error)
{
  for (int k = 0; k < FF_C2A_SCHEME_COUNT; ++k) {
    const ff_c2a_scheme scheme = (ff_c2a_scheme)k;
    ff_status status = run(b, FF_IMPACT_DISSIPATION, scheme, &b->local[k], error);
    if (status == FF_OK)
      status = run(b, FF_IMPACT_COULOMB, scheme, &b->coulomb[k], error);
    if (status != FF_OK)
      return status;
    bench_progress_share(&b->progress, (k + 1.0) / FF_C2A_SCHEME_COUNT);
  }
  bench_progress_end(&b->progress);
  report(b);
  return FF_OK;
}
