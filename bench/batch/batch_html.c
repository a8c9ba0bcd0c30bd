// The page: what is compared, throughput over the number of robots, and a table for each case.
#include "batch/batch_html.h"

#include "common/html.h"
#include "common/machine.h"
#include "peers/mujoco_release.h"

#include <footfall/dynamics.h>

#include <math.h>

static void write_top(FILE *f, const bench_batch_page *p)
{
  char machine[128], date[16];
  bench_machine_name(machine, sizeof machine);
  bench_machine_date(date, sizeof date);
  bench_html_begin(f, "Many robots at once");
  fputs("<h1>Many robots at once</h1>\n", f);
  if (p->is_quick)
    fputs("<p class=\"bad\">This is the quick variant: fewer robots and rounds; rough figures.</p>\n", f);
  fprintf(f, "<p class=\"soft\">Footfall with %s beside ", ff_isa_name(p->isa));
  bench_plot_escape(f, bench_mujoco_release_found().name);
  fprintf(f, "; %s; %s.</p>\n", machine, date);
  fputs(
      "<p>Robot-steps per second and core of <code>ff_batch_step()</code> with new torques in each step; "
      "controllers are not timed. The robots are at different moments of recorded motions. <i>scalar</i>: one "
      "<code>ff_sim</code>, one robot after the other. <i>varied</i>: stiffness, damping, friction, gravity, all "
      "masses and inertias differ from robot to robot. <i>mujoco</i>: one mjData for each robot, its motion under "
      "the same controller; <i>mujoco:batch</i>: its own batch, with new torques in each step. MuJoCo has round "
      "cones, Newton's method, its Euler integrator and no search for islands, its fastest settings of those "
      "with round cones.</p>\n",
      f);
  fputs(
      "<p><i>In lanes</i>: share of the steps taken in lanes; the others are taken one by one. <i>Lanes busy</i>: "
      "share of all lanes of all passes whose result was kept. Figures are the best of several rounds, all in "
      "turn. ",
      f);
  if (p->counted)
    fprintf(f, "Instructions per robot-step were counted by callgrind with %s.", p->counted);
  fputs("</p>\n", f);
}

// Rates over the number of robots, one line for each case.
static void draw_sizes(FILE *f, const bench_batch_page *p)
{
  double x[BENCH_BATCH_CASES][BENCH_BATCH_SIZES + 1], y[BENCH_BATCH_CASES][BENCH_BATCH_SIZES + 1];
  bench_plot_series series[BENCH_BATCH_CASES];
  int lines = 0;
  for (int c = 0; c < p->count; ++c) {
    const bench_batch_figures *all = &p->cases[c];
    int points = 0;
    for (int i = 0; i < all->count; ++i)
      if (all->all[i].is_size && points < BENCH_BATCH_SIZES) {
        x[c][points] = all->all[i].robots;
        y[c][points++] = 1e-3 * all->all[i].rate;
      }
    x[c][points] = all->all[0].robots; // the first entry is the main stepper's, with all robots
    y[c][points++] = 1e-3 * all->all[0].rate;
    series[lines++] =
        (bench_plot_series){.name = all->kind->name, .x = x[c], .y = y[c], .count = points, .style = c};
  }
  const bench_plot plot = {.x = {"robots", 1, 0, 0},
                           .y = {"1000 robot-steps per second and core", 1, 0, 0},
                           .series = series,
                           .series_count = lines};
  bench_html_draw(f, &(bench_plot_figure){.title = "Batches of one thread, by their number of robots",
                                          .plots = &plot,
                                          .plot_count = 1,
                                          .columns = 1});
}

static void write_share(FILE *f, double share)
{
  if (share < 0)
    fputs("<td></td>", f);
  else
    fprintf(f, "<td>%.1f %%</td>", 100 * share);
}

static void write_count(FILE *f, double value)
{
  if (value > 0)
    fprintf(f, "<td>%.0f</td>", value);
  else
    fputs("<td></td>", f);
}

static void write_case(FILE *f, const bench_batch_figures *all)
{
  fprintf(f, "<h2>%s</h2>\n<p>%.2g contacts in the mean.</p>\n", all->kind->name, all->contacts);
  fputs(
      "<table><tr><th></th><th>robots</th><th>threads</th><th>robot-steps/s and core</th><th>over MuJoCo's best "
      "with one thread</th><th>in lanes</th><th>lanes busy</th><th>bytes per robot</th>"
      "<th>instructions</th></tr>\n",
      f);
  for (int i = 0; i < all->count; ++i) {
    const bench_batch_figure *one = &all->all[i];
    fputs("<tr>", f);
    bench_html_text(f, "td", one->name);
    if (one->why[0]) {
      fputs("<td colspan=\"8\" class=\"text\">not measured: ", f);
      bench_plot_escape(f, one->why);
      fputs("</td></tr>\n", f);
      continue;
    }
    fprintf(f, "<td>%d</td><td>%d</td>", one->robots, one->threads);
    write_count(f, one->rate);
    bench_html_number(f, all->peer > 0 ? one->rate / all->peer : NAN);
    write_share(f, one->in_lanes);
    write_share(f, one->useful);
    write_count(f, one->bytes);
    write_count(f, one->instructions);
    fputs("</tr>\n", f);
  }
  fputs("</table>\n", f);
  for (int i = 0; i < all->count; ++i) {
    char reasons[200];
    bench_batch_report_alone(&all->all[i], reasons, sizeof reasons);
    if (reasons[0])
      fprintf(f, "<p class=\"soft\">%s, steps taken one by one%s.</p>\n", all->all[i].name, reasons);
  }
  for (int s = 0; s < BENCH_BATCH_STEPPERS; ++s)
    if (all->no_lanes[s][0]) {
      fprintf(f, "<p class=\"soft\">%s takes no steps in lanes: ",
              ff_stepper_name(all->kind->steppers[s].stepper));
      bench_plot_escape(f, all->no_lanes[s]);
      fputs(".</p>\n", f);
    }
}

int bench_batch_html(const void *page, FILE *f)
{
  const bench_batch_page *p = page;
  write_top(f, p);
  draw_sizes(f, p);
  for (int c = 0; c < p->count; ++c)
    write_case(f, &p->cases[c]);
  fputs("<p class=\"soft\">To repeat it: <code>footfall bench batch --html FILE --json FILE</code>.</p>\n",
        f);
  bench_html_end(f);
  return 1;
}
