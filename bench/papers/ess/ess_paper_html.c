// The report of bench ess-paper.
#include "common/html.h"
#include "papers/ess/ess_paper.h"
#include "peers/mujoco_release.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Styles of lines: ours is thick and blue.
enum { OURS = 0, THEIRS = 1, LOCATED = 2, EXPO = 3, EXACT = 5, FITTED = 12 };
static const int plate_styles[BENCH_ESS_PLATE_METHODS] = {OURS, LOCATED, THEIRS, EXPO};

// ---- Order ----------------------------------------------------------------------------------------------

static void write_order(FILE *f, const bench_ess_paper *b)
{
  const bench_ess_paper_order *o = &b->order;
  double inverse[BENCH_ESS_ORDER_SAMPLES], line[BENCH_ESS_ORDER_SAMPLES];
  for (int i = 0; i < BENCH_ESS_ORDER_SAMPLES; ++i) {
    inverse[i] = 1 / o->epsilon[i];
    line[i] = o->factor * pow(o->epsilon[i], o->order);
  }
  const int first = BENCH_ESS_ORDER_FIRST, fitted = BENCH_ESS_ORDER_LAST - BENCH_ESS_ORDER_FIRST + 1;
  const bench_plot_series series[] = {
      {.name = "ess", .x = inverse, .y = o->error, .count = BENCH_ESS_ORDER_SAMPLES, .style = OURS},
      {.name = "fitted",
       .x = inverse + first,
       .y = line + first,
       .count = fitted,
       .style = FITTED,
       .has_no_markers = 1}};
  const bench_plot plot = {
      .x = {"1 / epsilon", 1, 0, 0}, .y = {"RMS error", 1, 0, 0}, .series = series, .series_count = 2};
  fprintf(
      f,
      "<h2>Fig. 4.1: the order</h2>\n<p>Three guards, a field that is affine between them, an exact solution. The "
      "error is the RMS distance of the integrator's own samples from that solution; the line is fitted to "
      "samples %d to %d of 40. Order <b>%.3f</b>; the paper's is %.1f. At the left end the whole motion is "
      "projected.</p>\n",
      BENCH_ESS_ORDER_FIRST, BENCH_ESS_ORDER_LAST, o->order, bench_ess_paper_published_order);
  bench_html_draw(f, &(bench_plot_figure){.plots = &plot, .plot_count = 1, .columns = 1});
}

// ---- Hopper ---------------------------------------------------------------------------------------------

static void write_methods(FILE *f, const bench_ess_paper_method *methods, int count)
{
  fputs("<table><tr><th></th><th>RMS error</th><th>run [us]</th><th>epsilon</th></tr>\n", f);
  for (int i = 0; i < count; ++i) {
    fputs("<tr>", f);
    bench_html_text(f, "td", methods[i].name);
    bench_html_number(f, methods[i].error);
    bench_html_number(f, 1e6 * methods[i].seconds);
    bench_html_number(f, methods[i].epsilon);
    fputs("</tr>\n", f);
  }
  fputs("</table>\n", f);
}

static void write_calibration(FILE *f, const bench_ess_paper *b)
{
  const bench_ess_paper_hopper *s = &b->hopper;
  if (!s->methods[BENCH_ESS_HOP_CONTACT].is_measured) {
    fputs("<p class=\"soft\">MuJoCo was not measured: ", f);
    bench_plot_escape(f, b->no_mujoco);
    fputs("</p>\n", f);
    return;
  }
  fprintf(
      f,
      "<p>Table 5.1: the epsilon at which ess has the error of %s, both in steps of 2 ms, and the times of "
      "both.</p>\n"
      "<table><tr><th>leg in MuJoCo</th><th>epsilon'</th><th>MuJoCo [us]</th><th>ess [us]</th><th>ratio</th></tr>\n",
      bench_mujoco_release_found().name);
  for (int i = 0; i < BENCH_ESS_HOP_PEERS; ++i) {
    fputs("<tr>", f);
    bench_html_text(f, "td", s->methods[i].name);
    bench_html_number(f, s->epsilon[i]);
    bench_html_number(f, 1e6 * s->methods[i].seconds);
    bench_html_number(f, 1e6 * s->seconds[i]);
    bench_html_number(f, s->methods[i].seconds / s->seconds[i]);
    fputs("</tr>\n", f);
  }
  fputs("<tr><td>the paper (NumPy)</td>", f);
  bench_html_number(f, bench_ess_paper_published_epsilon);
  bench_html_number(f, 1e6 * bench_ess_paper_published_mujoco);
  bench_html_number(f, 1e6 * bench_ess_paper_published_ess);
  bench_html_number(f, bench_ess_paper_published_mujoco / bench_ess_paper_published_ess);
  fputs("</tr>\n</table>\n", f);
}

// Times, height and speed of a trace, or of the exact motion, and the residuals. Points are thinned to what is visible.
// Returns their number.
enum { SEEN = 500 };
static int sample(const bench_ess_trace *t, int is_exact, double out[5][SEEN])
{
  const int every = t->count / SEEN + 1;
  int count = 0;
  for (int i = 0; i < t->count; i += every, ++count) {
    double exact[2];
    bench_ess_hopper_exact(&bench_ess_paper_usual_hopper, t->t[i], exact);
    out[0][count] = t->t[i];
    for (int k = 0; k < 2; ++k) {
      out[1 + k][count] = is_exact ? exact[k] : t->x[2 * i + k];
      out[3 + k][count] = t->x[2 * i + k] - exact[k];
    }
  }
  return count;
}

// Fig. 5.1: height and speed, and below them their residuals.
static void write_residuals(FILE *f, const bench_ess_paper *b)
{
  enum { RUNS = 3 };
  static const char *const names[RUNS] = {"ess", "MuJoCo", "exact"};
  static const int styles[RUNS] = {OURS, THEIRS, EXACT};
  static const char *const titles[4] = {"Height", "Speed", "Residual of the height", "Residual of the speed"};
  static const char *const units[4] = {"m", "m/s", "m", "m/s"};
  double(*values)[5][SEEN] = calloc(RUNS, sizeof *values);
  int counts[RUNS] = {0};
  bench_plot_series series[4][RUNS];
  bench_plot plots[4];
  if (!values)
    return;
  for (int r = 0; r < RUNS; ++r)
    counts[r] = sample(&b->hopper.trace[r == 1 ? 0 : 1], r == 2, values[r]);
  for (int k = 0; k < 4; ++k) {
    const int runs = k < 2 ? RUNS : RUNS - 1;
    for (int r = 0; r < runs; ++r)
      series[k][r] = (bench_plot_series){.name = names[r],
                                         .x = values[r][0],
                                         .y = values[r][1 + k],
                                         .count = counts[r],
                                         .style = styles[r],
                                         .has_no_markers = 1};
    plots[k] = (bench_plot){.title = titles[k],
                            .x = {"t [s]", 0, 0, bench_ess_paper_duration},
                            .y = {units[k], 0, 0, 0},
                            .series = series[k],
                            .series_count = runs};
  }
  bench_html_draw(f, &(bench_plot_figure){
                         .title = "Fig. 5.1: the hopper", .plots = plots, .plot_count = 4, .columns = 2});
  free(values);
}

static void write_hopper(FILE *f, const bench_ess_paper *b)
{
  const bench_ess_paper_hopper *s = &b->hopper;
  const bench_ess_hopper *h = &bench_ess_paper_usual_hopper;
  fprintf(
      f,
      "<h2>The hopper</h2>\n<p>%g kg on a leg of %g m and %g N/m, dropped from %g m, for %g s, no damping; mass and "
      "stiffness are ours, the paper does not give them. The error is the RMS distance from the exact "
      "(z, z'). All have steps of 2 ms: <i>ess</i> projects to guards, <i>dopri5</i> locates them, <i>expo</i> is "
      "our exponential stepper, exact for such a leg. MuJoCo's leg is a contact, a joint "
      "limit, or an applied force.</p>\n",
      h->mass, h->length, h->stiffness, h->start, bench_ess_paper_duration);
  write_methods(f, s->methods, BENCH_ESS_HOP_METHODS);
  write_calibration(f, b);
  write_residuals(f, b);
  fprintf(
      f,
      "<h2>The hopper with a preload</h2>\n<p>Its leg has a preload of %g N from the moment of contact: the force "
      "jumps, which is the case that motivated the paper. Contact forces of MuJoCo and of our steppers start "
      "at zero, so there the preload is a force that the user applies in steps that start in contact, and the error "
      "is of first order in the step. Order of ess in epsilon: %.2f.</p>\n",
      s->preloaded.preload, s->preload_order);
  write_methods(f, s->preload, BENCH_ESS_PRELOADED_METHODS);
}

// ---- Equal error ----------------------------------------------------------------------------------------

// The Pareto front: from the smallest error on, only points that are faster.
static int frontier(const bench_ess_paper_work_precision_curve *c, double *x, double *y)
{
  double last = 0;
  int count = 0;
  for (;;) {
    int best = -1;
    for (int i = 0; i < c->count; ++i) // the next larger error
      if (c->error[i] > last && (best < 0 || c->error[i] < c->error[best]))
        best = i;
    if (best < 0)
      return count;
    last = c->error[best];
    if (count == 0 || 1e6 * c->seconds[best] < y[count - 1]) {
      x[count] = last;
      y[count++] = 1e6 * c->seconds[best];
    }
  }
}

static void write_equal_table(FILE *f, const bench_ess_paper *b, int search)
{
  fprintf(f, "<p>Time of %s over that of ess.</p>\n<table><tr><th>RMS error</th>",
          bench_ess_paper_work_precision_searches[search]);
  for (int i = 0; i < BENCH_ESS_ERROR_LEVELS; ++i)
    fprintf(f, "<th>%.0e</th>", bench_ess_paper_work_precision_levels[i]);
  fprintf(f, "<th>%.2g</th></tr>\n", b->target);
  for (int k = 0; k < BENCH_ESS_SYSTEMS; ++k) {
    if (!b->equal[k].is_measured)
      continue;
    fputs("<tr>", f);
    bench_html_text(f, "td", b->equal[k].name);
    for (int i = 0; i < BENCH_ESS_ERROR_LEVELS; ++i)
      bench_html_number(f, b->equal[k].over[search].at_level[i]);
    bench_html_number(f, b->equal[k].over[search].at_mujoco);
    fputs("</tr>\n", f);
  }
  fputs("</table>\n", f);
}

static void write_equal(FILE *f, const bench_ess_paper *b)
{
  static const int styles[BENCH_ESS_SEARCHES] = {OURS, EXPO, LOCATED};
  double x[BENCH_ESS_SYSTEMS][BENCH_ESS_SEARCHES][BENCH_ESS_WORK_PRECISION_POINTS],
      y[BENCH_ESS_SYSTEMS][BENCH_ESS_SEARCHES][BENCH_ESS_WORK_PRECISION_POINTS];
  bench_plot_series series[BENCH_ESS_SYSTEMS][BENCH_ESS_SEARCHES];
  bench_plot plots[BENCH_ESS_SYSTEMS];
  int count = 0;
  for (int k = 0; k < BENCH_ESS_SYSTEMS; ++k) {
    if (!b->equal[k].is_measured)
      continue;
    for (int c = 0; c < BENCH_ESS_SEARCHES; ++c)
      series[count][c] =
          (bench_plot_series){.name = bench_ess_paper_work_precision_searches[c],
                              .x = x[count][c],
                              .y = y[count][c],
                              .count = frontier(&b->equal[k].curves[c], x[count][c], y[count][c]),
                              .style = styles[c]};
    plots[count] = (bench_plot){.title = b->equal[k].name,
                                .x = {"RMS error", 1, 0, 0},
                                .y = {"run [us]", 1, 0, 0},
                                .series = series[count],
                                .series_count = BENCH_ESS_SEARCHES};
    ++count;
  }
  fprintf(
      f,
      "<h2>Projected or located, at equal error</h2>\n"
      "<p>With adaptive steps, over a grid of epsilons and tolerances; the figure shows the Pareto front. "
      "<i>root</i> is ess with bands of no width, so that its search finds the guards themselves: equal root "
      "searches. <i>dopri5</i> also samples every step, so that it misses no guard. MuJoCo's error on the hopper "
      "is %.2g. Errors of plates are measured at the integrator's own samples; of the hopper, at all steps of "
      "MuJoCo, whose error ess reaches in %.3g us, root in %.3g us and dopri5 in %.3g us.</p>\n",
      b->target, 1e6 * b->equal[0].seconds[BENCH_ESS_PROJECTED],
      1e6 * b->equal[0].seconds[BENCH_ESS_SEARCHED], 1e6 * b->equal[0].seconds[BENCH_ESS_SAMPLED]);
  bench_html_draw(f, &(bench_plot_figure){.plots = plots, .plot_count = count, .columns = 2});
  write_equal_table(f, b, BENCH_ESS_SEARCHED);
  write_equal_table(f, b, BENCH_ESS_SAMPLED);
}

// ---- Plates ---------------------------------------------------------------------------------------------

static int has_method(const bench_ess_paper_plate *s, int method)
{
  return s->count > 0 && isfinite(s->cases[0].seconds[method]);
}

static void write_plate_table(FILE *f, const bench_ess_paper_plate *s)
{
  fputs("<table><tr><th>contacts</th>", f);
  for (int w = 0; w < BENCH_ESS_PLATE_METHODS; ++w)
    if (has_method(s, w))
      fprintf(f, "<th>%s [us]</th><th>RMS error</th>", bench_ess_paper_plate_methods[w]);
  fputs("<th>ess: us per contact</th><th>crossings</th><th>reversals</th></tr>\n", f);
  for (int i = 0; i < s->count; ++i) {
    const bench_ess_paper_plate_case *c = &s->cases[i];
    fprintf(f, "<tr><td>%d</td>", c->springs);
    for (int w = 0; w < BENCH_ESS_PLATE_METHODS; ++w)
      if (has_method(s, w)) {
        bench_html_number(f, 1e6 * c->seconds[w]);
        bench_html_number(f, c->error[w]);
      }
    bench_html_number(f, 1e6 * c->seconds[BENCH_ESS_PLATE_ESS] / c->springs);
    bench_html_number(f, c->crossings);
    bench_html_number(f, c->turned);
    fputs("</tr>\n", f);
  }
  fputs("<tr><td>per contact</td>", f);
  for (int w = 0; w < BENCH_ESS_PLATE_METHODS; ++w)
    if (has_method(s, w)) {
      bench_html_number(f, 1e6 * s->marginal[w]);
      fputs("<td></td>", f);
    }
  fputs("<td></td><td></td><td></td></tr>\n</table>\n", f);
}

// The time of a run, and in the second panel the time per contact, or the error.
static void draw_plates(FILE *f, const bench_ess_paper_plate *s, int is_log, int has_errors)
{
  double x[BENCH_ESS_PLATES], y[2][BENCH_ESS_PLATE_METHODS][BENCH_ESS_PLATES];
  bench_plot_series series[2][BENCH_ESS_PLATE_METHODS];
  int count = 0;
  for (int i = 0; i < s->count; ++i)
    x[i] = s->cases[i].springs;
  for (int w = 0; w < BENCH_ESS_PLATE_METHODS; ++w) {
    if (!has_method(s, w))
      continue;
    for (int i = 0; i < s->count; ++i) {
      y[0][w][i] = 1e6 * s->cases[i].seconds[w];
      y[1][w][i] = has_errors ? s->cases[i].error[w] : y[0][w][i] / x[i];
    }
    for (int k = 0; k < 2; ++k)
      series[k][count] = (bench_plot_series){.name = bench_ess_paper_plate_methods[w],
                                             .x = x,
                                             .y = y[k][w],
                                             .count = s->count,
                                             .style = plate_styles[w]};
    ++count;
  }
  const bench_plot plots[2] = {{.title = "A run",
                                .x = {"contacts", is_log, 0, 0},
                                .y = {"us", is_log, 0, 0},
                                .series = series[0],
                                .series_count = count},
                               {.title = has_errors ? "Its error" : "Per contact",
                                .x = {"contacts", is_log, 0, 0},
                                .y = {has_errors ? "RMS" : "us", 1, 0, 0},
                                .series = series[1],
                                .series_count = count}};
  bench_html_draw(f, &(bench_plot_figure){.plots = plots, .plot_count = 2, .columns = 2});
}

static void write_plates(FILE *f, const bench_ess_paper *b)
{
  const bench_ess_plate p = bench_ess_paper_make_plate(100, 0);
  fprintf(
      f,
      "<h2>Fig. 5.2: the plate on many springs</h2>\n"
      "<p>A plate of %g kg, 8 m long, falls on a bed of %g m whose springs have 4000 N/m and 40 N s/m in total, for "
      "%g s, from %d random starts at rest, z in (2, 3), angle in (-0.1, 0.1); "
      "except for the starts, these figures are ours. Steps of 2 ms, epsilon %.3g as found with the hopper. The "
      "figure shows the median; errors are RMS distances from guards located to eleven digits (ess, "
      "dopri5).</p>\n",
      p.mass, 2 * p.half, bench_ess_paper_duration, b->bed.starts, b->epsilon);
  draw_plates(f, &b->bed, 0, 1);
  write_plate_table(f, &b->bed);
  fprintf(
      f,
      "<h2>Up to a thousand contacts</h2>\n<p>The paper saw irregular behaviour from about 150 contacts on. Here "
      "times follow a + b n + c n<sup>2</sup>: ordinary steps evaluate n springs, and so does each of some 4 n "
      "crossings. The largest deviation of a median from such a parabola is %.2g %% (ess) and %.2g %% (dopri5). The "
      "error does not grow.</p>\n",
      100 * b->crowd.rough[BENCH_ESS_PLATE_ESS], 100 * b->crowd.rough[BENCH_ESS_PLATE_DOPRI5]);
  draw_plates(f, &b->crowd, 1, 0);
  write_plate_table(f, &b->crowd);
  fputs(
      "<h2>The plate with feet</h2>\n<p>The same plate with vertical springs that move with it and stand on level "
      "ground. MuJoCo and our steppers have contacts of this kind, so that <i>expo</i> can be compared. "
      "Their contacts never pull; those of ess pull at the very end of stance, as in the paper. The error is "
      "measured against each method's own limit: located guards; MuJoCo in steps of 0.1 ms by RK4; expo's equations "
      "in steps of "
      "0.01 ms.</p>\n",
      f);
  draw_plates(f, &b->feet, 0, 1);
  write_plate_table(f, &b->feet);
}

int bench_ess_paper_html(const void *paper, FILE *f)
{
  const bench_ess_paper *b = paper;
  bench_html_paper(
      f, "The ESS paper, reproduced",
      "The experiments of Anderson and Revzen, <i>Rapid integrator for a class of multi-contact systems</i>, arXiv "
      "2402.00279",
      b->run.is_quick ? "fewer plates and starts" : NULL);
  bench_html_claims(f, "Each claim, judged by the data below.", b->run.claims, b->run.claim_count);
  write_order(f, b);
  write_hopper(f, b);
  write_equal(f, b);
  write_plates(f, b);
  bench_ess_paper_html_proof(f, b);
  bench_ess_paper_html_robots(f, b);
  bench_html_end(f);
  return 1;
}
