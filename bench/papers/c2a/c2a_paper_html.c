// The report of bench c2a-paper: the paper's experiments.
#include "common/html.h"
#include "papers/c2a/c2a_paper.h"

#include <math.h>
#include <stdio.h>

// ---- Walker ---------------------------------------------------------------------------------------------

static void write_walker_table(FILE *f, const bench_c2a_paper_walker *w)
{
  fputs(
      "<table><tr><th>energy kept to</th><th></th><th>longest step</th><th>evaluations per stride</th><th>stride "
      "[us]</th><th>times Euler's efficiency</th><th>in time</th></tr>\n",
      f);
  for (int t = 0; t < BENCH_C2A_WALK_TOLERANCES; ++t)
    for (int m = 0; m < BENCH_C2A_WALK_METHODS; ++m) {
      fprintf(f, "<tr><td>%.3g %%</td>", 100 * bench_c2a_paper_walker_tolerances[t]);
      bench_html_text(f, "td", bench_c2a_walker_names[m]);
      bench_html_number(f, w->longest[m][t]);
      bench_html_number(f, w->evaluations[m][t]);
      bench_html_number(f, 1e6 * w->seconds[m][t]);
      bench_html_number(f, w->evaluations[BENCH_C2A_WALK_EULER][t] / w->evaluations[m][t]);
      bench_html_number(f, w->seconds[BENCH_C2A_WALK_EULER][t] / w->seconds[m][t]);
      fputs("</tr>\n", f);
    }
  fprintf(f, "<tr><td>the paper</td><td>euler</td><td>%.1e</td><td></td><td></td><td>1</td><td></td></tr>\n",
          bench_c2a_paper_published_euler);
  fprintf(
      f,
      "<tr><td>the paper</td><td>rk4</td><td>%.2g</td><td></td><td></td><td>%.3g</td><td></td></tr>\n</table>\n",
      bench_c2a_paper_published_rk4, bench_c2a_paper_published_speedup);
}

static void write_walker(FILE *f, const bench_c2a_paper *b)
{
  const bench_c2a_paper_walker *w = &b->walker;
  bench_plot_series series[BENCH_C2A_WALK_METHODS];
  if (!w->is_measured)
    return;
  for (int m = 0; m < BENCH_C2A_WALK_METHODS; ++m)
    series[m] = (bench_plot_series){.name = bench_c2a_walker_names[m],
                                    .x = w->dt,
                                    .y = w->deviation[m],
                                    .count = BENCH_C2A_WALK_POINTS,
                                    .style = bench_plot_style(bench_c2a_walker_names[m])};
  const bench_plot plot = {.x = {"step", 1, 0, 0},
                           .y = {"|E - E0| / E0", 1, 0, 0},
                           .series = series,
                           .series_count = BENCH_C2A_WALK_METHODS};
  fprintf(
      f,
      "<h2>Section IV-B: RK4 against Euler on the passive walker</h2>\n"
      "<p>One stride from the fixed point of its gait, in the walker's own coordinates, fixed steps; the largest "
      "deviation of the total energy. The paper demands 0.001 %% and reports steps of %.2g and %.2g: with these "
      "the deviation is %.2g %% and %.2g %%, so they agree with each other at about 0.15 %%, not at the printed "
      "tolerance.</p>\n",
      bench_c2a_paper_published_euler, bench_c2a_paper_published_rk4,
      100 * w->published[BENCH_C2A_WALK_EULER], 100 * w->published[BENCH_C2A_WALK_RK4]);
  bench_html_draw(f, &(bench_plot_figure){.plots = &plot, .plot_count = 1, .columns = 1});
  write_walker_table(f, w);
}

// ---- Failure --------------------------------------------------------------------------------------------

static const int ours = 0, theirs = 1, third = 2;

// The steps to failure of a run, or all steps taken, with a hollow marker.
static double drawn(const bench_c2a_paper_ending *e, unsigned char *hollow)
{
  *hollow = (unsigned char)!isfinite(e->end);
  return *hollow ? e->taken : e->end;
}

static void write_ending(FILE *f, const bench_c2a_paper_ending *e)
{
  bench_html_number(f, e->failed);
  bench_html_number(f, e->fell);
}

static void write_failures(FILE *f, const bench_c2a_paper *b)
{
  const bench_c2a_paper_failure *s = &b->failure[BENCH_C2A_PRESENT];
  double dt[BENCH_C2A_FAILURE_STEPS_ALL], end[BENCH_C2A_FAILURE_STEPS_ALL],
      share[BENCH_C2A_FAILURE_STEPS_ALL];
  unsigned char hollow[BENCH_C2A_FAILURE_STEPS_ALL];
  if (!s->is_measured)
    return;
  for (int i = 0; i < BENCH_C2A_FAILURE_STEPS_ALL; ++i) {
    dt[i] = 1e3 * bench_c2a_paper_failure_steps[i];
    end[i] = drawn(&s->ends[i], &hollow[i]);
    share[i] = 100 * s->ends[i].share;
  }
  const bench_plot_series lines[2] = {{.name = "steps to failure",
                                       .x = dt,
                                       .y = end,
                                       .count = BENCH_C2A_FAILURE_STEPS_ALL,
                                       .style = ours,
                                       .hollow = hollow},
                                      {.name = "local error before",
                                       .x = dt,
                                       .y = share,
                                       .count = BENCH_C2A_FAILURE_STEPS_ALL,
                                       .style = theirs}};
  const bench_plot plots[2] = {{.title = "Steps to failure",
                                .x = {"step [ms]", 0, 0, 0},
                                .y = {"steps", 1, 0, 0},
                                .series = &lines[0],
                                .series_count = 1},
                               {.title = "Local error of kinetic energy before",
                                .x = {"step [ms]", 0, 0, 0},
                                .y = {"%", 1, 0, 0},
                                .series = &lines[1],
                                .series_count = 1}};
  fputs(
      "<h2>Fig. 3: steps to failure</h2>\n<p>LINKS trots in fixed steps, plain time-stepping (<i>ca</i> with its "
      "minimum step equal to its step), with the paper's impact law, controlled before each step. Failure: kinetic "
      "energy above 10<sup>7</sup> J, a step that fails, or a fall. Hollow markers: no failure within this number "
      "of steps. The paper's list ends at 10 ms. On "
      "the right the mean relative local error over the first gait, or over the first half of the steps to "
      "failure.</p>\n",
      f);
  bench_html_draw(f, &(bench_plot_figure){.plots = plots, .plot_count = 2, .columns = 2});
  fputs(
      "<table><tr><th>step [ms]</th><th>steps to failure</th><th>steps to a fall</th><th>steps taken</th><th>local "
      "error [%]</th></tr>\n",
      f);
  for (int i = 0; i < BENCH_C2A_FAILURE_STEPS_ALL; ++i) {
    fprintf(f, "<tr><td>%g</td>", dt[i]);
    write_ending(f, &s->ends[i]);
    bench_html_number(f, s->ends[i].taken);
    bench_html_number(f, share[i]);
    fputs("</tr>\n", f);
  }
  fputs("</table>\n", f);
  if (isfinite(s->correlation))
    fprintf(
        f,
        "<p>Rank correlation of error and steps to failure over the paper's list %.2f; of error and time to failure "
        "%.2f. With torques for the middle of the step %.2f.</p>\n",
        s->correlation, s->correlation_time, b->failure[BENCH_C2A_MIDDLE].correlation);
  if (isfinite(s->correlation_all))
    fprintf(f, "<p>Over all steps of the table it is %.2f.</p>\n", s->correlation_all);
}

static void write_dissipation(FILE *f, const bench_c2a_paper *b)
{
  const bench_c2a_paper_dissipation *s = &b->dissipation;
  double end[2][BENCH_C2A_LAMBDAS];
  unsigned char hollow[2][BENCH_C2A_LAMBDAS];
  if (!s->is_measured)
    return;
  for (int k = 0; k < 2; ++k)
    for (int i = 0; i < BENCH_C2A_LAMBDAS; ++i)
      end[k][i] = drawn(&s->ends[k][i], &hollow[k][i]);
  const bench_plot_series lines[2] = {{.name = "exponential",
                                       .x = bench_c2a_paper_failure_lambdas,
                                       .y = end[0],
                                       .count = BENCH_C2A_LAMBDAS,
                                       .style = ours,
                                       .hollow = hollow[0]},
                                      {.name = "Rayleigh",
                                       .x = bench_c2a_paper_failure_lambdas,
                                       .y = end[1],
                                       .count = BENCH_C2A_LAMBDAS,
                                       .style = third,
                                       .hollow = hollow[1]}};
  const bench_plot plot = {
      .x = {"lambda", 0, 0, 1}, .y = {"steps to failure", 1, 0, 0}, .series = lines, .series_count = 2};
  fprintf(
      f,
      "<h2>Fig. 5: dissipation</h2>\n<p>Steps of %g ms. After each step, velocities are multiplied by 1 - lambda; "
      "Rayleigh's dissipation is a force of -lambda / dt M v. Hollow markers: no failure within this number of "
      "steps.</p>\n",
      1e3 * s->dt);
  bench_html_draw(f, &(bench_plot_figure){.plots = &plot, .plot_count = 1, .columns = 1});
  fputs("<table><tr><th>lambda</th><th>steps to failure</th><th>to a fall</th><th>Rayleigh: steps to "
        "failure</th><th>to a fall</th></tr>\n",
        f);
  for (int i = 0; i < BENCH_C2A_LAMBDAS; ++i) {
    fprintf(f, "<tr><td>%g</td>", bench_c2a_paper_failure_lambdas[i]);
    write_ending(f, &s->ends[0][i]);
    write_ending(f, &s->ends[1][i]);
    fputs("</tr>\n", f);
  }
  fputs("</table>\n", f);
}

// ---- Local errors ---------------------------------------------------------------------------------------

static void write_errors(FILE *f, const char *name, double error, double energy, double share)
{
  fputs("<tr>", f);
  bench_html_text(f, "td", name);
  bench_html_number(f, error);
  bench_html_number(f, energy);
  bench_html_number(f, 100 * share);
  fputs("</tr>\n", f);
}

static void write_gait(FILE *f, const bench_c2a_paper *b)
{
  double at[BENCH_C2A_GAIT];
  bench_plot_series lines[FF_C2A_SCHEME_COUNT + 1];
  const bench_c2a_paper_local_error *e = b->local[BENCH_C2A_PRESENT][0];
  for (int i = 0; i < BENCH_C2A_GAIT; ++i)
    at[i] = i;
  for (int k = 0; k < FF_C2A_SCHEME_COUNT; ++k)
    lines[k] = (bench_plot_series){.name = bench_c2a_paper_local_error_schemes[k],
                                   .x = at,
                                   .y = e[k].stability,
                                   .count = BENCH_C2A_GAIT,
                                   .style = k,
                                   .has_no_markers = 1};
  lines[FF_C2A_SCHEME_COUNT] = (bench_plot_series){.name = "feet in contact",
                                                   .x = at,
                                                   .y = e[0].feet,
                                                   .count = BENCH_C2A_GAIT,
                                                   .style = 5,
                                                   .has_no_markers = 1};
  const bench_plot plots[2] = {{.title = "Kinetic energy over its local error",
                                .x = {"time in the gait [ms]", 0, 0, BENCH_C2A_GAIT},
                                .y = {"stability", 1, 0, 0},
                                .series = lines,
                                .series_count = FF_C2A_SCHEME_COUNT},
                               {.title = "Feet in contact",
                                .x = {"time in the gait [ms]", 0, 0, BENCH_C2A_GAIT},
                                .y = {"feet", 0, 0, 4.5},
                                .series = &lines[FF_C2A_SCHEME_COUNT],
                                .series_count = 1}};
  fprintf(
      f,
      "<h2>Fig. 4: stability over a gait</h2>\n"
      "<p>Mean kinetic energy over its mean local error in each millisecond of the gait, from 1 s on. It is %.3g "
      "while some feet are in the air and %.3g while all are in contact (semi-implicit); the paper gives no "
      "numbers.</p>\n",
      e[FF_C2A_SEMI_IMPLICIT].stability_of[0], e[FF_C2A_SEMI_IMPLICIT].stability_of[1]);
  bench_html_draw(f, &(bench_plot_figure){.plots = plots, .plot_count = 2, .columns = 2});
}

static void write_local(FILE *f, const bench_c2a_paper *b)
{
  static const char words[] =
      "<h2>Section IV-C: explicit or semi-implicit</h2>\n"
      "<p>The local error of a step of 1 ms of the trot: the kinetic energy after it minus that after two half "
      "steps. Means over all steps. Impacts minimise the kinetic energy, as in the paper, or follow Coulomb's law, "
      "the default; torques are computed for the present instant, as in the paper, or for the middle of the step.</p>\n"
      "<table><tr><th></th><th>error [J]</th><th>kinetic energy [J]</th><th>relative error [%]</th></tr>\n";
  if (!b->local[0][0][FF_C2A_EXPLICIT].is_measured)
    return;
  fputs(words, f);
  for (int c = 0; c < BENCH_C2A_CONTROLLERS; ++c)
    for (int l = 0; l < BENCH_C2A_LAWS; ++l)
      for (int k = 0; k < FF_C2A_SCHEME_COUNT; ++k) {
        const bench_c2a_paper_local_error *e = &b->local[c][l][k];
        char name[80];
        snprintf(name, sizeof name, "%s%s%s", bench_c2a_paper_local_error_schemes[k],
                 l ? ", Coulomb's law" : "",
                 c == BENCH_C2A_MIDDLE ? ", torques for the middle of the step" : "");
        write_errors(f, name, e->error, e->energy, e->share);
      }
  write_errors(f, "the paper, semi-implicit", bench_c2a_paper_published_semi[0],
               bench_c2a_paper_published_semi[1], bench_c2a_paper_published_semi[2]);
  write_errors(f, "the paper, explicit", bench_c2a_paper_published_explicit[0],
               bench_c2a_paper_published_explicit[1], bench_c2a_paper_published_explicit[2]);
  fputs("</table>\n", f);
  write_gait(f, b);
}

static void write_control(FILE *f, const bench_c2a_paper *b)
{
  static const char *const names[BENCH_C2A_CONTROLLED] = {"trot", "a fifth of the time standing",
                                                          "trot, explicit"};
  if (!b->control[0].is_measured)
    return;
  fputs(
      "<h2>Section IV-D: steps by error control</h2>\n"
      "<p>The longest steps with which the kinetic energies of one step and of two half steps differ by at most "
      "0.25 %, from 0.5 to 5 ms, without advancement, controlled before each step.</p>\n"
      "<table><tr><th></th><th>mean step [ms]</th><th>while it walks [ms]</th><th>steps</th><th>tries per "
      "step</th><th>share at 0.5 ms</th><th>failed at [s]</th></tr>\n",
      f);
  for (int i = 0; i < BENCH_C2A_CONTROLLED; ++i) {
    const bench_c2a_paper_error_control *r = &b->control[i];
    fputs("<tr>", f);
    bench_html_text(f, "td", names[i]);
    bench_html_number(f, 1e3 * r->mean);
    bench_html_number(f, 1e3 * r->walking);
    bench_html_number(f, r->steps);
    bench_html_number(f, r->tries / (double)r->steps);
    bench_html_number(f, r->shortest);
    bench_html_number(f, r->failed_at);
    fputs("</tr>\n", f);
  }
  fprintf(
      f,
      "<tr><td>the paper</td><td>%.4f</td><td>%.4f</td><td>about 2000</td><td></td><td></td><td></td></tr>\n</table>\n",
      1e3 * bench_c2a_paper_published_mean, 1e3 * bench_c2a_paper_published_walking);
}

// ---- All of it ------------------------------------------------------------------------------------------

int bench_c2a_paper_html(const void *paper, FILE *f)
{
  const bench_c2a_paper *b = paper;
  bench_html_paper(
      f, "The C2A paper, reproduced",
      "The experiments of Zapolsky and Drumwright, <i>Adaptive integration for controlling speed vs. accuracy in "
      "multi-rigid body simulation</i>, IROS 2015",
      b->run.is_quick ? "fewer throws and shorter runs" : NULL);
  bench_html_claims(f, "Each claim, judged by the data below.", b->run.claims, b->run.claim_count);
  write_walker(f, b);
  write_failures(f, b);
  write_local(f, b);
  write_control(f, b);
  write_dissipation(f, b);
  bench_c2a_paper_html_ours(b, f);
  bench_html_end(f);
  return 1;
}
