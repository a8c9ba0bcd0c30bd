// The report of bench expo-paper: one page of HTML, everything drawn in it, for light and dark.
#include "common/html.h"
#include "compare/comparison_report.h"
#include "papers/expo/expo_paper.h"
#include "papers/expo/expo_paper_stated.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Table 1 and 2 ----------------------------------------------------------------------------------------

static void write_periods(FILE *f, const bench_paper *p)
{
  fputs(
      "<h2>Table 1: control periods</h2>\n<table><tr><th>test</th><th>ours [ms]</th><th>paper [ms]</th><th>periods</th></tr>\n",
      f);
  for (int t = 0; t < BENCH_TESTS; ++t)
    if (p->has_test[t]) {
      fputs("<tr>", f);
      bench_html_text(f, "td", bench_stated_tests[t].name);
      bench_html_number(f, 1e3 * p->tests[t].trial.period);
      bench_html_number(f, 1e3 * bench_stated_tests[t].period);
      fprintf(f, "<td>%d</td></tr>\n", p->tests[t].trial.periods);
    }
  fputs("</table>\n", f);
}

static void write_stability(FILE *f, const bench_paper *p)
{
  fputs(
      "<h2>Table 2: longest steps that stay bounded</h2>\n<p>In ms, the controller in the loop, nothing reset. Bounded: no step fails and |v| stays below ten times the "
      "truth's largest; so do all shorter steps that were tried. "
      "<i>published</i> is expo-paper with the contact springs of the paper, at rest where a contact is first seen; elsewhere they rest at the surface.</p>\n<table><tr><th>test</th>",
      f);
  for (int i = 0; i < BENCH_STABLE_SCHEMES; ++i)
    bench_html_text(f, "th", bench_stable_schemes[i]);
  fputs("<th>paper: expo</th><th>paper: euler</th><th>paper: implicit</th></tr>\n", f);
  for (int t = 0; t < BENCH_TESTS; ++t)
    if (p->has_test[t]) {
      fputs("<tr>", f);
      bench_html_text(f, "td", bench_stated_tests[t].name);
      for (int i = 0; i < BENCH_STABLE_SCHEMES; ++i)
        bench_html_number(f, p->stability[t].substeps[i] > 0
                                 ? 1e3 * p->tests[t].trial.period / p->stability[t].substeps[i]
                                 : NAN);
      bench_html_number(f, 1e3 * bench_stated_tests[t].stable_expo);
      bench_html_number(f, 1e3 * bench_stated_tests[t].stable_euler);
      bench_html_number(f, 1e3 * bench_stated_tests[t].stable_implicit);
      fputs("</tr>\n", f);
    }
  fputs("</table>\n", f);
}

// ---- Fig. 2 and 3 -----------------------------------------------------------------------------------------

static int write_errors(FILE *f, const bench_paper *p)
{
  fputs(
      "<h2>Fig. 2 and 3: local errors</h2>\n<p>The largest component of the error of q and v after one control period that begins in the truth's state, in SI units. The common "
      "truth is one for all steppers; how far a second method is from it is shaded.</p>\n",
      f);
  for (int t = 0; t < BENCH_TESTS; ++t) {
    if (!p->errors[t])
      continue;
    const ff_solution *truth = p->errors[t]->common_solution;
    fputs("<figure>", f);
    if (!bench_comparison_draw(p->errors[t], f))
      return 0;
    fputs("</figure>\n", f);
    fprintf(
        f,
        "<p class=\"soft\">Common truth of %s: expo with %.4g us; rk4 with %.4g us, where they differ shorter, is off by %.1e in the mean, %.1e at worst.</p>\n",
        bench_stated_tests[t].name, 1e6 * p->tests[t].trial.period / truth->substeps,
        1e6 * p->tests[t].trial.period / p->errors[t]->check->substeps, truth->tolerance_mean,
        truth->tolerance_worst);
  }
  return 1;
}

// ---- Fig. 4 -----------------------------------------------------------------------------------------------

static void write_stiffness(FILE *f, const bench_paper *p)
{
  double x[2][BENCH_SETTINGS], y[2][BENCH_SOFT_SCHEMES][BENCH_SETTINGS];
  bench_series series[2][BENCH_SOFT_SCHEMES];
  int count[2] = {0, 0};
  for (int k = 0; k < BENCH_SETTINGS; ++k) {
    const int which = k < BENCH_STIFFNESSES ? 0 : 1;
    if (!p->settings[k].is_measured)
      continue;
    x[which][count[which]] = which == 0 ? p->settings[k].stiffness : p->settings[k].ratio;
    for (int i = 0; i < BENCH_SOFT_SCHEMES; ++i)
      y[which][i][count[which]] = p->settings[k].error[i];
    ++count[which];
  }
  if (count[0] + count[1] == 0)
    return;
  for (int w = 0; w < 2; ++w)
    for (int i = 0; i < BENCH_SOFT_SCHEMES; ++i)
      series[w][i] = (bench_series){.name = bench_soft_schemes[i],
                                    .x = x[w],
                                    .y = y[w][i],
                                    .count = count[w],
                                    .style = bench_style_of(bench_soft_schemes[i])};
  const bench_plot plots[2] = {{.title = "Damping ratio 0.5",
                                .x = {"stiffness K [N/m]", 1, 0, 0},
                                .y = {"mean local error [SI]", 1, 0, 0},
                                .series = series[0],
                                .series_count = BENCH_SOFT_SCHEMES},
                               {.title = "K = 1e5 N/m",
                                .x = {"damping ratio", 0, 0, 0},
                                .y = {"mean local error [SI]", 1, 0, 0},
                                .series = series[1],
                                .series_count = BENCH_SOFT_SCHEMES}};
  fputs(
      "<h2>Fig. 4: stiffness and damping</h2>\n<p>Solo trots; steps of 2 ms, explicit Euler 1/2 ms, as in the paper, which finds its scheme flat up to 1e8 N/m.</p>\n",
      f);
  bench_html_draw(f, &(bench_figure){.plots = plots, .plot_count = 2, .columns = 2});
}

// ---- Fig. 5 and 6 -----------------------------------------------------------------------------------------

static void write_predictions(FILE *f, const bench_paper *p)
{
  static const char *const names[2] = {"predicted", "true"};
  bench_series series[BENCH_STARTS][2 * BENCH_FEET];
  bench_plot plots[BENCH_STARTS];
  char titles[BENCH_STARTS][160];
  if (!p->has_test[BENCH_SQUAT])
    return;
  for (int i = 0; i < BENCH_STARTS; ++i) {
    const bench_prediction *one = &p->predictions[i];
    for (int k = 0; k < 2 * one->feet; ++k) // predictions lie on top
      series[i][k] = (bench_series){.name = names[k / one->feet],
                                    .x = one->time,
                                    .y = k < one->feet ? one->predicted[k] : one->truth[k - one->feet],
                                    .count = BENCH_FORCE_TIMES,
                                    .style = k < one->feet ? 12 : 0,
                                    .has_no_markers = 1};
    snprintf(titles[i], sizeof titles[i], "%s: off by %.1f %%", one->name, 100 * one->error);
    plots[i] = (bench_plot){.title = titles[i],
                            .x = {"time [ms]", 0, 0, 20},
                            .y = {"normal force [N]", 0, 0, 0},
                            .series = series[i],
                            .series_count = 2 * one->feet};
  }
  fputs(
      "<h2>Fig. 5: forces predicted over 20 ms</h2>\n<p>Solo's four feet where the squat begins, with four velocities. The prediction holds the mass matrix and the Jacobians of the "
      "start (eq. 12).</p>\n",
      f);
  bench_html_draw(f, &(bench_figure){.plots = plots, .plot_count = BENCH_STARTS, .columns = 2});
}

static void write_traces(FILE *f, const bench_paper *p)
{
  bench_series series[2];
  bench_plot plots[2];
  char titles[2][160];
  int count = 0;
  for (int i = 0; i < 2; ++i) {
    const bench_trace *t = &p->traces[i];
    if (t->count == 0)
      continue;
    snprintf(titles[count], sizeof titles[count], "%s: a contact point of %s",
             bench_stated_tests[i == 0 ? BENCH_TROT : BENCH_WALK].what, t->name);
    series[count] = (bench_series){
        .name = "normal force", .x = t->time, .y = t->force, .count = t->count, .has_no_markers = 1};
    plots[count] = (bench_plot){.title = titles[count],
                                .x = {"time [s]", 0, 0, t->time[t->count - 1]},
                                .y = {"normal force [N]", 0, 0, 0},
                                .series = &series[count],
                                .series_count = 1};
    ++count;
  }
  if (count == 0)
    return;
  fputs(
      "<h2>Fig. 6: normal forces</h2>\n<p>Of one contact point. A damper makes the force jump when a point comes down with a velocity.</p>\n",
      f);
  bench_html_draw(f, &(bench_figure){.plots = plots, .plot_count = count, .columns = count});
}

// ---- Table 3 ----------------------------------------------------------------------------------------------

static void write_implicit(FILE *f, const bench_times *t)
{
  fputs(
      "<p>The implicit method, Solo squats, steps of 10 ms; the paper's appendix:</p>\n"
      "<table><tr><th></th><th>ours</th><th>share</th><th>paper</th><th>share</th></tr>\n<tr><td>step [us]</td>",
      f);
  bench_html_number(f, t->implicit.us);
  fputs("<td></td>", f);
  bench_html_number(f, bench_stated_implicit_us);
  fputs("<td></td></tr>\n", f);
  for (int i = 0; i < FF_PHASE_COUNT; ++i) {
    fprintf(f, "<tr><td>%s [us]</td>", bench_implicit_parts[i]);
    bench_html_number(f, t->implicit.phase[i]);
    bench_html_number(f, t->implicit.phase[i] / t->implicit.us);
    bench_html_number(f, bench_stated_implicit_share[i] * bench_stated_implicit_us);
    bench_html_number(f, bench_stated_implicit_share[i]);
    fputs("</tr>\n", f);
  }
  const struct {
    const char *name;
    double ours, stated;
  } rows[] = {
      {"Newton's iterations", t->implicit.iterations, bench_stated_implicit_iterations},
      {"derivatives of the dynamics, a call [us]", t->aba_derivatives_us, bench_stated_aba_derivatives_us},
      {"derivatives of integrate and difference, a call [us]", t->lie_derivatives_us, NAN},
      {"expo is faster by", t->implicit.us / t->expo.us, bench_stated_expo_is_faster}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    fprintf(f, "<tr><td>%s</td>", rows[i].name);
    bench_html_number(f, rows[i].ours);
    fputs("<td></td>", f);
    bench_html_number(f, rows[i].stated);
    fputs("<td></td></tr>\n", f);
  }
  fputs("</table>\n", f);
}

static void write_times(FILE *f, const bench_paper *p)
{
  const bench_times *t = &p->times;
  fputs("<h2>Table 3: where the time goes</h2>\n", f);
  if (p->has_test[BENCH_TROT]) {
    fputs(
        "<p>Microseconds of a step, Solo trots. The paper's scheme with the fewest multiplications took 39 us, with the standard exponential 94 us, on its authors' machine.</p>\n"
        "<table><tr><th>operation</th>",
        f);
    for (int s = 0; s < BENCH_TIMED_SCHEMES; ++s)
      bench_html_text(f, "th", t->trot[s].name);
    fputs("<th>paper</th><th>paper, standard</th></tr>\n", f);
    for (int k = 0; k < 4; ++k) {
      const int phase = bench_stated_times[k].phase;
      fputs("<tr>", f);
      bench_html_text(f, "td", bench_stated_times[k].operation);
      for (int s = 0; s < BENCH_TIMED_SCHEMES; ++s)
        bench_html_number(f, !isfinite(t->trot[s].us) ? NAN
                             : phase < 0              ? t->trot[s].us
                                                      : t->trot[s].phase[phase]);
      bench_html_number(f, bench_stated_times[k].fast);
      bench_html_number(f, bench_stated_times[k].standard);
      fputs("</tr>\n", f);
    }
    fprintf(
        f,
        "</table>\n<p class=\"soft\">The paper's explicit Euler: %.0f us a step. What implicit does in each phase is named below.</p>\n",
        bench_stated_euler_us);
  }
  if (p->has_test[BENCH_SQUAT])
    write_implicit(f, t);
}

int bench_paper_html(const bench_paper *p, FILE *f)
{
  bench_html_paper(
      f, "The exponential paper, done again",
      "Section 6 of Hammoud, Olivieri, Righetti, Carpentier and Del Prete, <i>Exponential integration for efficient and accurate multi-body simulation with stiff viscoelastic "
      "contacts</i>, Multibody System Dynamics 54 (2022)",
      p->is_quick ? "coarser truths, fewer periods, fewer schemes" : NULL);
  bench_html_claims(
      f,
      "Each claim of the paper, judged by the data below: for <code>expo</code>, and for the published scheme, <code>expo-paper</code>.",
      p->claims, p->claim_count);
  write_periods(f, p);
  const int is_drawn = write_errors(f, p);
  write_stiffness(f, p);
  write_stability(f, p);
  write_predictions(f, p);
  write_traces(f, p);
  write_times(f, p);
  bench_html_end(f);
  return is_drawn;
}
