// The report of bench expo-paper.
#include "common/html.h"
#include "compare/comparison_report.h"
#include "papers/expo/expo_paper.h"
#include "papers/expo/expo_paper_published.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Table 1 and 2 --------------------------------------------------------------------------------------

static void write_periods(FILE *f, const bench_expo_paper *p)
{
  fputs("<h2>Table 1: control periods</h2>\n<table><tr><th>test</th><th>ours [ms]</th><th>paper "
        "[ms]</th><th>periods</th></tr>\n",
        f);
  for (int t = 0; t < BENCH_EXPO_TESTS; ++t)
    if (p->has_test[t]) {
      fputs("<tr>", f);
      bench_html_text(f, "td", bench_expo_paper_published_tests[t].name);
      bench_html_number(f, 1e3 * p->tests[t].trial.period);
      bench_html_number(f, 1e3 * bench_expo_paper_published_tests[t].period);
      fprintf(f, "<td>%d</td></tr>\n", p->tests[t].trial.periods);
    }
  fputs("</table>\n", f);
}

static void write_stability(FILE *f, const bench_expo_paper *p)
{
  fputs(
      "<h2>Table 2: longest steps that stay bounded</h2>\n"
      "<p>In ms, with the controller in the loop and without resets. Bounded: no step fails and |v| stays below ten "
      "times "
      "the truth's largest, also with all shorter steps that were tried. "
      "<i>published</i> is expo-paper with the paper's contact springs, whose rest position is where a contact is "
      "first detected; in all others it is the surface.</p>\n<table><tr><th>test</th>",
      f);
  for (int i = 0; i < BENCH_EXPO_STABILITY_SCHEMES; ++i)
    bench_html_text(f, "th", bench_expo_paper_stability_schemes[i]);
  fputs("<th>paper: expo</th><th>paper: euler</th><th>paper: implicit</th></tr>\n", f);
  for (int t = 0; t < BENCH_EXPO_TESTS; ++t)
    if (p->has_test[t]) {
      fputs("<tr>", f);
      bench_html_text(f, "td", bench_expo_paper_published_tests[t].name);
      for (int i = 0; i < BENCH_EXPO_STABILITY_SCHEMES; ++i)
        bench_html_number(f, p->stability[t].substeps[i] > 0
                                 ? 1e3 * p->tests[t].trial.period / p->stability[t].substeps[i]
                                 : NAN);
      bench_html_number(f, 1e3 * bench_expo_paper_published_tests[t].stable_expo);
      bench_html_number(f, 1e3 * bench_expo_paper_published_tests[t].stable_euler);
      bench_html_number(f, 1e3 * bench_expo_paper_published_tests[t].stable_implicit);
      fputs("</tr>\n", f);
    }
  fputs("</table>\n", f);
}

// ---- Fig. 2 and 3 ---------------------------------------------------------------------------------------

static int write_errors(FILE *f, const bench_expo_paper *p)
{
  fputs(
      "<h2>Fig. 2 and 3: local errors</h2>\n<p>The largest component of the error of q and v after one control "
      "period that starts in the truth's state, in SI units. All steppers "
      "share the common truth; its difference from a second method is shaded.</p>\n",
      f);
  for (int t = 0; t < BENCH_EXPO_TESTS; ++t) {
    if (!p->errors[t])
      continue;
    const ff_solution *truth = p->errors[t]->common_solution;
    fputs("<figure>", f);
    if (!bench_comparison_report_draw(p->errors[t], f))
      return 0;
    fputs("</figure>\n", f);
    fprintf(
        f,
        "<p class=\"soft\">Common truth of %s: expo with %.4g us; rk4 with %.4g us, shorter where they differ, "
        "deviates by %.1e in the mean, %.1e at worst.</p>\n",
        bench_expo_paper_published_tests[t].name, 1e6 * p->tests[t].trial.period / truth->substeps,
        1e6 * p->tests[t].trial.period / p->errors[t]->check->substeps, truth->tolerance_mean,
        truth->tolerance_worst);
  }
  return 1;
}

// ---- Fig. 4 ---------------------------------------------------------------------------------------------

static void write_stiffness(FILE *f, const bench_expo_paper *p)
{
  double x[2][BENCH_EXPO_SETTINGS], y[2][BENCH_EXPO_STIFFNESS_SCHEMES][BENCH_EXPO_SETTINGS];
  bench_plot_series series[2][BENCH_EXPO_STIFFNESS_SCHEMES];
  int count[2] = {0, 0};
  for (int k = 0; k < BENCH_EXPO_SETTINGS; ++k) {
    const int which = k < BENCH_EXPO_STIFFNESSES ? 0 : 1;
    if (!p->settings[k].is_measured)
      continue;
    x[which][count[which]] = which == 0 ? p->settings[k].stiffness : p->settings[k].ratio;
    for (int i = 0; i < BENCH_EXPO_STIFFNESS_SCHEMES; ++i)
      y[which][i][count[which]] = p->settings[k].error[i];
    ++count[which];
  }
  if (count[0] + count[1] == 0)
    return;
  for (int w = 0; w < 2; ++w)
    for (int i = 0; i < BENCH_EXPO_STIFFNESS_SCHEMES; ++i)
      series[w][i] = (bench_plot_series){.name = bench_expo_paper_stiffness_schemes[i],
                                         .x = x[w],
                                         .y = y[w][i],
                                         .count = count[w],
                                         .style = bench_plot_style(bench_expo_paper_stiffness_schemes[i])};
  const bench_plot plots[2] = {{.title = "Damping ratio 0.5",
                                .x = {"stiffness K [N/m]", 1, 0, 0},
                                .y = {"mean local error [SI]", 1, 0, 0},
                                .series = series[0],
                                .series_count = BENCH_EXPO_STIFFNESS_SCHEMES},
                               {.title = "K = 1e5 N/m",
                                .x = {"damping ratio", 0, 0, 0},
                                .y = {"mean local error [SI]", 1, 0, 0},
                                .series = series[1],
                                .series_count = BENCH_EXPO_STIFFNESS_SCHEMES}};
  fputs(
      "<h2>Fig. 4: stiffness and damping</h2>\n"
      "<p>Solo trots; steps of 2 ms, explicit Euler 1/2 ms, as in the paper, which finds its scheme flat up to 1e8 "
      "N/m.</p>\n",
      f);
  bench_html_draw(f, &(bench_plot_figure){.plots = plots, .plot_count = 2, .columns = 2});
}

// ---- Fig. 5 and 6 ---------------------------------------------------------------------------------------

static void write_predictions(FILE *f, const bench_expo_paper *p)
{
  static const char *const names[2] = {"predicted", "true"};
  bench_plot_series series[BENCH_EXPO_STARTS][2 * BENCH_EXPO_FEET];
  bench_plot plots[BENCH_EXPO_STARTS];
  char titles[BENCH_EXPO_STARTS][160];
  if (!p->has_test[BENCH_EXPO_SQUAT])
    return;
  for (int i = 0; i < BENCH_EXPO_STARTS; ++i) {
    const bench_expo_paper_prediction *one = &p->predictions[i];
    for (int k = 0; k < 2 * one->feet; ++k) // predictions are drawn on top
      series[i][k] = (bench_plot_series){.name = names[k / one->feet],
                                         .x = one->time,
                                         .y = k < one->feet ? one->predicted[k] : one->truth[k - one->feet],
                                         .count = BENCH_EXPO_FORCE_TIMES,
                                         .style = k < one->feet ? 12 : 0,
                                         .has_no_markers = 1};
    snprintf(titles[i], sizeof titles[i], "%s: error %.1f %%", one->name, 100 * one->error);
    plots[i] = (bench_plot){.title = titles[i],
                            .x = {"time [ms]", 0, 0, 20},
                            .y = {"normal force [N]", 0, 0, 0},
                            .series = series[i],
                            .series_count = 2 * one->feet};
  }
  fputs(
      "<h2>Fig. 5: forces predicted over 20 ms</h2>\n"
      "<p>Solo's four feet where the squat begins, with four initial velocities. The prediction freezes the mass "
      "matrix and the Jacobians of the "
      "start (eq. 12).</p>\n",
      f);
  bench_html_draw(f, &(bench_plot_figure){.plots = plots, .plot_count = BENCH_EXPO_STARTS, .columns = 2});
}

static void write_traces(FILE *f, const bench_expo_paper *p)
{
  bench_plot_series series[2];
  bench_plot plots[2];
  char titles[2][160];
  int count = 0;
  for (int i = 0; i < 2; ++i) {
    const bench_expo_paper_force_trace *t = &p->traces[i];
    if (t->count == 0)
      continue;
    snprintf(titles[count], sizeof titles[count], "%s: a contact point of %s",
             bench_expo_paper_published_tests[i == 0 ? BENCH_EXPO_TROT : BENCH_EXPO_WALK].what, t->name);
    series[count] = (bench_plot_series){
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
      "<h2>Fig. 6: normal forces</h2>\n<p>Of one contact point. The damper makes the force jump when a point lands "
      "with a velocity.</p>\n",
      f);
  bench_html_draw(f, &(bench_plot_figure){.plots = plots, .plot_count = count, .columns = count});
}

// ---- Table 3 --------------------------------------------------------------------------------------------

static void write_implicit(FILE *f, const bench_expo_paper_times *t)
{
  fputs(
      "<p>The implicit method on Solo squats, steps of 10 ms (the paper's appendix):</p>\n"
      "<table><tr><th></th><th>ours</th><th>share</th><th>paper</th><th>share</th></tr>\n<tr><td>step [us]</td>",
      f);
  bench_html_number(f, t->implicit.us);
  fputs("<td></td>", f);
  bench_html_number(f, bench_expo_paper_published_implicit_us);
  fputs("<td></td></tr>\n", f);
  for (int i = 0; i < FF_PHASE_COUNT; ++i) {
    fprintf(f, "<tr><td>%s [us]</td>", bench_expo_paper_times_implicit_parts[i]);
    bench_html_number(f, t->implicit.phase[i]);
    bench_html_number(f, t->implicit.phase[i] / t->implicit.us);
    bench_html_number(f,
                      bench_expo_paper_published_implicit_share[i] * bench_expo_paper_published_implicit_us);
    bench_html_number(f, bench_expo_paper_published_implicit_share[i]);
    fputs("</tr>\n", f);
  }
  const struct {
    const char *name;
    double ours, published;
  } rows[] = {{"Newton's iterations", t->implicit.iterations, bench_expo_paper_published_implicit_iterations},
              {"derivatives of the dynamics, a call [us]", t->aba_derivatives_us,
               bench_expo_paper_published_aba_derivatives_us},
              {"derivatives of integrate and difference, a call [us]", t->lie_derivatives_us, NAN},
              {"expo is faster by", t->implicit.us / t->expo.us, bench_expo_paper_published_expo_is_faster}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    fprintf(f, "<tr><td>%s</td>", rows[i].name);
    bench_html_number(f, rows[i].ours);
    fputs("<td></td>", f);
    bench_html_number(f, rows[i].published);
    fputs("<td></td></tr>\n", f);
  }
  fputs("</table>\n", f);
}

static void write_times(FILE *f, const bench_expo_paper *p)
{
  const bench_expo_paper_times *t = &p->times;
  fputs("<h2>Table 3: time of the phases of a step</h2>\n", f);
  if (p->has_test[BENCH_EXPO_TROT]) {
    fputs(
        "<p>Microseconds per step, Solo trots. The paper's scheme took 39 us with the fewest multiplications and 94 "
        "us with the standard exponential, on its authors' machine.</p>\n"
        "<table><tr><th>operation</th>",
        f);
    for (int s = 0; s < BENCH_EXPO_TIMED_SCHEMES; ++s)
      bench_html_text(f, "th", t->trot[s].name);
    fputs("<th>paper</th><th>paper, standard</th></tr>\n", f);
    for (int k = 0; k < 4; ++k) {
      const int phase = bench_expo_paper_published_times[k].phase;
      fputs("<tr>", f);
      bench_html_text(f, "td", bench_expo_paper_published_times[k].operation);
      for (int s = 0; s < BENCH_EXPO_TIMED_SCHEMES; ++s)
        bench_html_number(f, !isfinite(t->trot[s].us) ? NAN
                             : phase < 0              ? t->trot[s].us
                                                      : t->trot[s].phase[phase]);
      bench_html_number(f, bench_expo_paper_published_times[k].fast);
      bench_html_number(f, bench_expo_paper_published_times[k].standard);
      fputs("</tr>\n", f);
    }
    fprintf(
        f,
        "</table>\n<p class=\"soft\">The paper's explicit Euler: %.0f us per step. The table below names the phases "
        "of implicit.</p>\n",
        bench_expo_paper_published_euler_us);
  }
  if (p->has_test[BENCH_EXPO_SQUAT])
    write_implicit(f, t);
}

int bench_expo_paper_html(const void *paper, FILE *f)
{
  const bench_expo_paper *p = paper;
  bench_html_paper(
      f, "The Expo paper, reproduced",
      "Section 6 of Hammoud, Olivieri, Righetti, Carpentier and Del Prete, <i>Exponential integration for efficient "
      "and accurate multi-body simulation with stiff viscoelastic "
      "contacts</i>, Multibody System Dynamics 54 (2022)",
      p->run.is_quick ? "coarser truths, fewer periods, fewer schemes" : NULL);
  bench_html_claims(
      f,
      "Each claim of the paper, judged by the data below: for <code>expo</code>, and for the published scheme, "
      "<code>expo-paper</code>.",
      p->run.claims, p->run.claim_count);
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
