// The report of bench c2a-paper: what is ours, accuracy against time and what flies through a wall.
#include "common/html.h"
#include "papers/c2a/c2a_paper.h"
#include "peers/peer_mujoco.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- Accuracy against time ---------------------------------------------------------------------------------

static const char *const contacts[BENCH_EQUALITIES] = {"Soft contact", "Hard contact"};
static const char *const kinds[BENCH_EQUAL_KINDS] = {"first order, fixed", "higher order, fixed",
                                                     "error control"};

// Mean errors above, medians below.
static void draw_equal(FILE *f, const bench_c2a *b)
{
  enum { PANELS = 2 * BENCH_EQUALITIES };
  static double cost[BENCH_EQUALITIES][BENCH_EQUALS_MOST][BENCH_EQUAL_POINTS_MOST];
  bench_series series[PANELS][BENCH_EQUALS_MOST];
  bench_plot plots[PANELS];
  for (int p = 0; p < PANELS; ++p) {
    const int e = p % BENCH_EQUALITIES, is_median = p >= BENCH_EQUALITIES;
    const bench_equality *q = &b->equal[e];
    for (int w = 0; w < q->count; ++w) {
      const bench_equal_way *way = &q->ways[w];
      for (int i = 0; i < way->count; ++i)
        cost[e][w][i] = 1e3 * way->cost[i];
      series[p][w] = (bench_series){.name = way->name,
                                    .x = is_median ? way->median : way->error,
                                    .y = cost[e][w],
                                    .count = way->count,
                                    .style = bench_style_of(way->name)};
    }
    plots[p] = (bench_plot){.title = contacts[e],
                            .x = {is_median ? "median local error" : "mean local error", 1, 0, 0},
                            .y = {"ms of a simulated second", 1, 0, 0},
                            .series = series[p],
                            .series_count = q->count};
  }
  bench_html_draw(f, &(bench_figure){.plots = plots, .plot_count = PANELS, .columns = 2});
}

static void write_equal_table(FILE *f, const bench_c2a *b)
{
  fputs("<table><tr><th>ms of a simulated second at an error of</th><th></th>", f);
  for (int i = 0; i < BENCH_EQUAL_ERRORS; ++i)
    fprintf(f, "<th>%.0e</th>", bench_equal_errors[i]);
  fputs("<th>gain</th><th>gain at equal medians</th></tr>\n", f);
  for (int e = 0; e < BENCH_EQUALITIES; ++e)
    for (int k = 0; k < BENCH_EQUAL_KINDS; ++k) {
      fprintf(f, "<tr><td>%s</td><td>%s</td>", contacts[e], kinds[k]);
      for (int i = 0; i < BENCH_EQUAL_ERRORS; ++i)
        bench_html_number(f, 1e3 * b->equal[e].cost[k][i]);
      bench_html_number(f, b->equal[e].gain[k]);
      bench_html_number(f, b->equal[e].gain_of_medians[k]);
      fputs("</tr>\n", f);
    }
  fputs("</table>\n", f);
}

static void write_equal(FILE *f, const bench_c2a *b)
{
  if (!b->equal[BENCH_HARD].is_measured)
    return;
  fputs(
      "<h2>Accuracy against time</h2>\n<p>Ours, for the paper's verdicts. The trot with 2 ms of control: each period begins in the state of a truth, with its torques, and how far its end is off is the error, the largest of all coordinates and velocities. The mean over periods is that of the few with a touch-down; the median is that of smooth motion. Soft and hard contact are "
      "different models with a truth each: expo in steps of 1/64 ms; extrapolated steps of <i>c2a</i> of 1/256 ms. The table has the fastest method of each kind; the gain is the median, over errors of 1e-2 and less that both reach, of the time of first order in fixed steps over its own.</p>\n",
      f);
  draw_equal(f, b);
  write_equal_table(f, b);
}

// ---- Tunnels -----------------------------------------------------------------------------------------------

static void write_tunnel_table(FILE *f, const bench_tunnel_study *s)
{
  fputs("<table><tr><th>% through</th>", f);
  for (int i = 0; i < BENCH_THROW_SPEEDS; ++i)
    fprintf(f, "<th>%g m/s</th>", bench_throw_speeds[i]);
  fputs("<th>all</th><th>failed</th><th>gained</th></tr>\n", f);
  for (int i = 0; i < s->count; ++i) {
    fputs("<tr>", f);
    bench_html_text(f, "td", s->by[i].name);
    for (int k = 0; k < BENCH_THROW_SPEEDS; ++k)
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

// Soft contacts of ours on the left, hard ones and MuJoCo on the right.
static void draw_tunnels(FILE *f, const bench_tunnel_study *s)
{
  bench_series series[2][BENCH_THROWERS];
  int count[2] = {0};
  for (int i = 0; i < s->count; ++i) {
    const int side = !is_soft(s->by[i].name);
    series[side][count[side]++] = (bench_series){.name = s->by[i].name,
                                                 .x = bench_throw_speeds,
                                                 .y = s->by[i].through,
                                                 .count = BENCH_THROW_SPEEDS,
                                                 .style = bench_style_of(s->by[i].name)};
  }
  bench_plot plots[2];
  for (int k = 0; k < 2; ++k)
    plots[k] = (bench_plot){.title = k == 0 ? "Soft contact" : "Hard contact, and MuJoCo",
                            .x = {"speed [m/s]", 1, 0, 0},
                            .y = {"share that goes through", 0, -0.02, 1.02},
                            .series = series[k],
                            .series_count = count[k]};
  bench_html_draw(f, &(bench_figure){.plots = plots, .plot_count = 2, .columns = 2});
}

static void write_tunnel(FILE *f, const bench_c2a *b)
{
  const bench_tunnel_study *s = &b->tunnel;
  if (!s->is_measured)
    return;
  fprintf(
      f,
      "<h2>What flies through a wall</h2>\n<p>Ours, not the paper's. A ball of 1 cm, a rod of 10 cm and a sheet of 10 x 5 cm, 1 mm thick, thrown at a wall of 1 mm: %d throws at each speed, any attitude and spin, within 30 degrees of straight on, anywhere between two steps of 1 ms; the same throws for all. Soft contact "
      "has %.0e N/m, which would hold the ball at any of these speeds; the sheet, 5 g, would push that spring 1 mm deep at 45 m/s, and is then through for no fault of a stepper's. <i>Failed</i>: a step did. <i>Gained</i>: the thing has more than 1 %% more energy than it came with.</p>\n",
      s->throws, bench_throw_stiffness);
  if (b->no_mujoco[0]) {
    fputs("<p class=\"soft\">MuJoCo was not measured: ", f);
    bench_write_escaped(f, b->no_mujoco);
    fputs("</p>\n", f);
  } else
    fprintf(
        f,
        "<p>MuJoCo is %s: <i>mujoco</i> with the stiffest contacts that it takes at this step, a time constant of 2 ms, <i>mujoco:default</i> with its own 20 ms.</p>\n",
        bench_mujoco_version());
  draw_tunnels(f, s);
  write_tunnel_table(f, s);
}

void bench_c2a_html_ours(const bench_c2a *b, FILE *f)
{
  write_equal(f, b);
  write_tunnel(f, b);
}
