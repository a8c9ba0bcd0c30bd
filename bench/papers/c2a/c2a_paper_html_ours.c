// The report of bench c2a-paper: our own studies, error over time and tunnelling.
#include "common/html.h"
#include "papers/c2a/c2a_paper.h"
#include "peers/mujoco_release.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- Accuracy against time ------------------------------------------------------------------------------

static const char *const contacts[BENCH_C2A_CONTACT_KINDS] = {"Soft contact", "Hard contact"};
static const char *const kinds[BENCH_C2A_METHOD_KINDS] = {"first order, fixed", "higher order, fixed",
                                                          "error control"};

// Mean errors in the upper panels, medians in the lower.
static void draw_equal(FILE *f, const bench_c2a_paper *b)
{
  enum { PANELS = 2 * BENCH_C2A_CONTACT_KINDS };
  static double cost[BENCH_C2A_CONTACT_KINDS][BENCH_C2A_METHODS_MOST][BENCH_C2A_SETTINGS_MOST];
  bench_plot_series series[PANELS][BENCH_C2A_METHODS_MOST];
  bench_plot plots[PANELS];
  for (int p = 0; p < PANELS; ++p) {
    const int e = p % BENCH_C2A_CONTACT_KINDS, is_median = p >= BENCH_C2A_CONTACT_KINDS;
    const bench_c2a_paper_work_precision *q = &b->equal[e];
    for (int w = 0; w < q->count; ++w) {
      const bench_c2a_paper_method *method = &q->methods[w];
      for (int i = 0; i < method->count; ++i)
        cost[e][w][i] = 1e3 * method->cost[i];
      series[p][w] = (bench_plot_series){.name = method->name,
                                         .x = is_median ? method->median : method->error,
                                         .y = cost[e][w],
                                         .count = method->count,
                                         .style = bench_plot_style(method->name)};
    }
    plots[p] = (bench_plot){.title = contacts[e],
                            .x = {is_median ? "median local error" : "mean local error", 1, 0, 0},
                            .y = {"ms of a simulated second", 1, 0, 0},
                            .series = series[p],
                            .series_count = q->count};
  }
  bench_html_draw(f, &(bench_plot_figure){.plots = plots, .plot_count = PANELS, .columns = 2});
}

static void write_equal_table(FILE *f, const bench_c2a_paper *b)
{
  fputs("<table><tr><th>ms of a simulated second at an error of</th><th></th>", f);
  for (int i = 0; i < BENCH_C2A_ERROR_LEVELS; ++i)
    fprintf(f, "<th>%.0e</th>", bench_c2a_paper_work_precision_errors[i]);
  fputs("<th>gain</th><th>gain at equal medians</th></tr>\n", f);
  for (int e = 0; e < BENCH_C2A_CONTACT_KINDS; ++e)
    for (int k = 0; k < BENCH_C2A_METHOD_KINDS; ++k) {
      fprintf(f, "<tr><td>%s</td><td>%s</td>", contacts[e], kinds[k]);
      for (int i = 0; i < BENCH_C2A_ERROR_LEVELS; ++i)
        bench_html_number(f, 1e3 * b->equal[e].cost[k][i]);
      bench_html_number(f, b->equal[e].gain[k]);
      bench_html_number(f, b->equal[e].gain_of_medians[k]);
      fputs("</tr>\n", f);
    }
  fputs("</table>\n", f);
}

static void write_equal(FILE *f, const bench_c2a_paper *b)
{
  if (!b->equal[BENCH_C2A_HARD].is_measured)
    return;
  fputs(
      "<h2>Error over time</h2>\n<p>Our own study, for the paper's verdicts. The trot with a control period of 2 "
      "ms: each period starts in the state of a truth, with its torques; the error is that of its end state, the "
      "largest of all coordinates and velocities. Few periods with a touch-down dominate the mean; the median is "
      "that of smooth motion. Soft and hard contact are "
      "different models, each with its own truth: expo in steps of 1/64 ms; extrapolated steps of <i>c2a</i> of "
      "1/256 ms. The table shows the fastest method of each kind; the gain is the median, over errors of 1e-2 and "
      "less that both reach, of the time of first order in fixed steps over its own.</p>\n",
      f);
  draw_equal(f, b);
  write_equal_table(f, b);
}

// ---- Tunnels --------------------------------------------------------------------------------------------

static void write_tunnel_table(FILE *f, const bench_c2a_paper_tunnelling *s)
{
  fputs("<table><tr><th>% through</th>", f);
  for (int i = 0; i < BENCH_C2A_THROW_SPEEDS; ++i)
    fprintf(f, "<th>%g m/s</th>", bench_c2a_paper_tunnelling_speeds[i]);
  fputs("<th>all</th><th>failed</th><th>gained</th></tr>\n", f);
  for (int i = 0; i < s->count; ++i) {
    fputs("<tr>", f);
    bench_html_text(f, "td", s->by[i].name);
    for (int k = 0; k < BENCH_C2A_THROW_SPEEDS; ++k)
      bench_html_number(f, 100 * s->by[i].through[k]);
    bench_html_number(f, 100 * s->by[i].total);
    bench_html_number(f, 100 * s->by[i].total_failed);
    bench_html_number(f, 100 * s->by[i].total_gained);
    fputs("</tr>\n", f);
  }
  fputs("</table>\n", f);
}

static int is_soft(const char *name)
{
  ff_stepper stepper;
  return ff_stepper_find(name, &stepper) && !ff_stepper_is_hard(stepper);
}

// Our soft contacts on the left, hard contacts and MuJoCo on the right.
static void draw_tunnels(FILE *f, const bench_c2a_paper_tunnelling *s)
{
  bench_plot_series series[2][BENCH_C2A_THROW_SIMULATORS];
  int count[2] = {0};
  for (int i = 0; i < s->count; ++i) {
    const int side = !is_soft(s->by[i].name);
    series[side][count[side]++] = (bench_plot_series){.name = s->by[i].name,
                                                      .x = bench_c2a_paper_tunnelling_speeds,
                                                      .y = s->by[i].through,
                                                      .count = BENCH_C2A_THROW_SPEEDS,
                                                      .style = bench_plot_style(s->by[i].name)};
  }
  bench_plot plots[2];
  for (int k = 0; k < 2; ++k)
    plots[k] = (bench_plot){.title = k == 0 ? "Soft contact" : "Hard contact, and MuJoCo",
                            .x = {"speed [m/s]", 1, 0, 0},
                            .y = {"share that tunnels", 0, -0.02, 1.02},
                            .series = series[k],
                            .series_count = count[k]};
  bench_html_draw(f, &(bench_plot_figure){.plots = plots, .plot_count = 2, .columns = 2});
}

static void write_tunnel(FILE *f, const bench_c2a_paper *b)
{
  const bench_c2a_paper_tunnelling *s = &b->tunnel;
  if (!s->is_measured)
    return;
  fprintf(
      f,
      "<h2>Tunnelling</h2>\n<p>Our own study. A ball of 1 cm, a rod of 10 cm and a sheet of 10 x 5 cm, 1 mm thick, "
      "thrown at a wall of 1 mm: %d throws at each speed, any attitude and spin, within 30 degrees of the wall's "
      "normal, with any phase relative to the steps of 1 ms; the same throws for all. Soft contact "
      "has %.0e N/m, which would stop the ball at any of these speeds; the sheet, 5 g, would compress that spring "
      "by 1 mm at 45 m/s, and then passes through the wall with any stepper. <i>Failed</i>: a step failed. "
      "<i>Gained</i>: the object has more than 1 %% more energy than before.</p>\n",
      s->throws, bench_c2a_throw_stiffness);
  if (b->no_mujoco[0]) {
    fputs("<p class=\"soft\">MuJoCo was not measured: ", f);
    bench_plot_escape(f, b->no_mujoco);
    fputs("</p>\n", f);
  } else
    fprintf(
        f,
        "<p>This is %s: <i>mujoco</i> with the stiffest contacts that it accepts at this step, a time constant of "
        "2 ms; <i>mujoco:default</i> with its default of 20 ms.</p>\n",
        bench_mujoco_release_found().name);
  draw_tunnels(f, s);
  write_tunnel_table(f, s);
}

void bench_c2a_paper_html_ours(const bench_c2a_paper *b, FILE *f)
{
  write_equal(f, b);
  write_tunnel(f, b);
}
