// The table, the rows and the figure of a comparison.
#include "compare/comparison_report.h"

#include "common/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double us_of(const ff_comparison *c, int substeps)
{
  return 1e6 * c->trial->period / substeps;
}

// ---- Table -------------------------------------------------------------------------------------------------

static void time_text(double seconds, char text[24])
{
  if (seconds >= 1e-4)
    snprintf(text, 24, "%.4g ms", 1e3 * seconds);
  else
    snprintf(text, 24, "%.4g us", 1e6 * seconds);
}

static void print_truths(const ff_comparison *c, const bench_table *table)
{
  char period[24], step[24], other[24], finest[24];
  const ff_trial *t = c->trial;
  time_text(t->period, period);
  bench_table_say(
      table,
      "%s: %d control periods of %s%s; errors of q and v after one period, SI units, largest component",
      t->name, t->periods, period, t->every > 1 ? ", some of them judged" : "");
  if (c->common_solution) {
    time_text(t->period / c->common_solution->substeps, step);
    time_text(t->period / c->check->substeps, other);
    time_text(t->period / (c->check->substeps << 2 * c->check->refinements), finest);
    bench_table_say(
        table,
        "Common truth: %s with steps of %s; %s with %s, down to %s where they differ, differs from it by %.1e in "
        "the mean, %.1e at worst. Means marked with < are not above "
        "that.",
        c->common_solution->scheme.name, step, c->check->scheme.name, other, finest,
        c->common_solution->tolerance_mean, c->common_solution->tolerance_worst);
  }
  for (int s = 0; s < c->stepper_count; ++s)
    if (c->own_of_stepper[s].failure[0])
      bench_table_say(table, "%s has no truth of its own: %s", ff_stepper_name((ff_stepper)s),
                      c->own_of_stepper[s].failure);
  for (int s = 0; s < c->stepper_count; ++s) {
    if (!c->own_of_stepper[s].is_elsewhere)
      continue;
    time_text(c->trial->period / c->own_of_stepper[s].solution->substeps, step);
    bench_table_say(
        table,
        "The own truth of %s, with steps of %s, is a different motion from the common one: errors "
        "against it are meaningless.",
        ff_stepper_name((ff_stepper)s), step);
  }
}

// The mean error, marked if it is below the error of the truth.
static void put_mean(const bench_table *table, const ff_local_error *l)
{
  char text[32] = "";
  const int is_below =
      l->solution && l->solution->tolerance_mean > 0 && l->max_norm.mean <= l->solution->tolerance_mean;
  if (isfinite(l->max_norm.mean))
    snprintf(text, sizeof text, "%s%.1e", is_below ? "<" : "", l->max_norm.mean);
  bench_table_text(table, text);
}

static void put_errors(const bench_table *table, const ff_local_error *l)
{
  char text[24] = "";
  put_mean(table, l);
  bench_table_error(table, l->max_norm.median);
  bench_table_error(table, l->max_norm.largest);
  if (l->failures > 0)
    snprintf(text, sizeof text, "%d", l->failures);
  bench_table_text(table, text);
}

void bench_comparison_report_print(const ff_comparison *c, const bench_table *table)
{
  char titles[16][24] = {"step ms", "x real time", "us"};
  int columns = 3;
  print_truths(c, table);
  for (int k = 0; k < 2; ++k) {
    static const char *const words[4] = {"mean", "median", "largest", "failed"};
    if (!(k == 0 ? c->common : c->own))
      continue;
    for (int w = 0; w < 4; ++w)
      snprintf(titles[columns++], sizeof titles[0], "%s%s", k == 0 || !c->common ? "" : "own ", words[w]);
  }
  bench_table_say(table, "%s",
                  c->common && c->own ? "Errors against the common truth, and against each stepper's own"
                  : c->common         ? "Errors against the common truth"
                                      : "Errors against each stepper's own truth");
  bench_table_titles(table, "", columns, titles);
  for (int i = 0; i < c->count; ++i) {
    const ff_local_error *timed = ff_comparison_timed(c, i);
    char text[24];
    snprintf(text, sizeof text, "%.4g", 1e-3 * us_of(c, timed->substeps));
    bench_table_row(table, timed->scheme.name);
    bench_table_text(table, text);
    bench_table_number(table, timed->speed);
    bench_table_number(table, timed->step_us);
    if (c->common)
      put_errors(table, &c->common[i]);
    if (c->own)
      put_errors(table, &c->own[i]);
    bench_table_end(table);
  }
}

// ---- Rows --------------------------------------------------------------------------------------------------

typedef struct row_sink {
  bench_json_rows *rows;
  const ff_comparison *comparison;
} row_sink;

// The row FRONT:SCHEME:dt=...BACK.
static void add(const row_sink *to, const ff_local_error *l, const char *front, const char *back,
                double value, const char *unit)
{
  char metric[112];
  snprintf(metric, sizeof metric, "%s:%s:dt=%gus%s", front, l->scheme.name,
           us_of(to->comparison, l->substeps), back);
  bench_json_rows_add(to->rows, to->comparison->trial->name, metric, value, unit);
}

static void add_errors(const row_sink *to, const ff_local_error *l, int is_own)
{
  add(to, l, "error", is_own ? ":own:mean" : ":common:mean", l->max_norm.mean, "SI");
  add(to, l, "error", is_own ? ":own:median" : ":common:median", l->max_norm.median, "SI");
  add(to, l, "error", is_own ? ":own:largest" : ":common:largest", l->max_norm.largest, "SI");
  add(to, l, "error", is_own ? ":own:norm-mean" : ":common:norm-mean", l->two_norm.mean, "SI");
  add(to, l, "failures", is_own ? ":own" : ":common", l->failures, "periods");
  if (!is_own)
    add(to, l, "below", ":common", l->below, "periods");
}

void bench_comparison_report_rows(const ff_comparison *c, bench_json_rows *rows)
{
  const row_sink to = {rows, c};
  const char *name = c->trial->name;
  bench_json_rows_add(rows, name, "period", 1e3 * c->trial->period, "ms");
  bench_json_rows_add(rows, name, "periods", ceil((double)c->trial->periods / ff_trial_next(c->trial, 0)),
                      "");
  if (c->common_solution) {
    bench_json_rows_add(rows, name, "truth:common:mean", c->common_solution->tolerance_mean, "SI");
    bench_json_rows_add(rows, name, "truth:common:largest", c->common_solution->tolerance_worst, "SI");
    bench_json_rows_add(rows, name, "truth:common:step", us_of(c, c->common_solution->substeps), "us");
    bench_json_rows_add(rows, name, "truth:check:step", us_of(c, c->check->substeps), "us");
    bench_json_rows_add(rows, name, "truth:check:finest",
                        us_of(c, c->check->substeps << 2 * c->check->refinements), "us");
  }
  for (int i = 0; i < c->count; ++i) {
    const ff_local_error *timed = ff_comparison_timed(c, i);
    if (c->common)
      add_errors(&to, &c->common[i], 0);
    if (c->own)
      add_errors(&to, &c->own[i], 1);
    add(&to, timed, "speed", "", timed->speed, "x");
    add(&to, timed, "step", "", timed->step_us, "us");
    if (timed->scheme.stepper == FF_STEPPER_IMPLICIT)
      add(&to, timed, "unconverged", "", timed->unconverged, "steps");
  }
}

// ---- Pictures ----------------------------------------------------------------------------------------------

// Which statistic of the errors is drawn.
typedef enum statistic { MEAN, MEDIAN } statistic;

// Lines of one panel, one for each scheme, and the numbers that they point to. Not to be moved.
typedef struct curves {
  bench_plot_series series[BENCH_COMPARISON_SCHEMES_MOST];
  int count;
  double x[BENCH_COMPARISON_SCHEMES_MOST][BENCH_COMPARISON_SUBSTEPS_MOST],
      y[BENCH_COMPARISON_SCHEMES_MOST][BENCH_COMPARISON_SUBSTEPS_MOST];
  unsigned char hollow[BENCH_COMPARISON_SCHEMES_MOST][BENCH_COMPARISON_SUBSTEPS_MOST];
} curves;

static double value_of(const ff_spread *s, statistic which)
{
  return which == MEAN ? s->mean : s->median;
}

// Errors against the common truth or each stepper's own, over the real-time factor or over the step [ms]. Hollow: some
// periods failed.
static void make_curves(const ff_comparison *c, int is_own, statistic which, int is_over_speed, curves *out)
{
  const ff_local_error *list = is_own ? c->own : c->common;
  out->count = 0;
  for (int i = 0; i < c->count; ++i) {
    const ff_local_error *l = &list[i];
    if (i == 0 || strcmp(l->scheme.name, list[i - 1].scheme.name) != 0) {
      const int s = out->count++;
      out->series[s] = (bench_plot_series){.name = l->scheme.name,
                                           .x = out->x[s],
                                           .y = out->y[s],
                                           .style = bench_plot_style(l->scheme.name),
                                           .hollow = out->hollow[s]};
    }
    bench_plot_series *series = &out->series[out->count - 1];
    const int s = out->count - 1, at = series->count++;
    out->x[s][at] = is_over_speed ? ff_comparison_timed(c, i)->speed : 1e-3 * us_of(c, l->substeps);
    out->y[s][at] = value_of(&l->max_norm, which);
    out->hollow[s][at] = l->failures > 0;
  }
}

// Errors above this, in SI units, belong to a method that has lost the motion; their size is not shown.
static const double lost = 1;

static double least_error(const curves *all)
{
  double least = lost;
  for (int s = 0; s < all->count; ++s)
    for (int i = 0; i < all->series[s].count; ++i)
      if (all->y[s][i] > 0)
        least = fmin(least, all->y[s][i]);
  return least;
}

static double most_error(const curves *all)
{
  double most = 0;
  for (int s = 0; s < all->count; ++s)
    for (int i = 0; i < all->series[s].count; ++i)
      if (isfinite(all->y[s][i]))
        most = fmax(most, all->y[s][i]);
  return most;
}

int bench_comparison_report_draw(const ff_comparison *c, FILE *file)
{
  static const struct {
    const char *title;
    int is_own;
    statistic which;
  } lines[] = {{"Mean error against the common truth", 0, MEAN},
               {"Median error against the common truth", 0, MEDIAN},
               {"Mean error against own truths", 1, MEAN}};
  enum { LINES = 3 };
  curves *own = calloc(2 * LINES, sizeof *own);
  bench_plot plots[2 * LINES];
  char title[128], note[256], period[24];
  int count = 0;
  if (!own)
    return 0;
  for (int k = 0; k < LINES; ++k) {
    if (!(lines[k].is_own ? c->own : c->common))
      continue;
    for (int is_over_speed = 1; is_over_speed >= 0; --is_over_speed, ++count) {
      make_curves(c, lines[k].is_own, lines[k].which, is_over_speed, &own[count]);
      plots[count] = (bench_plot){.title = lines[k].title,
                                  .x = {is_over_speed ? "times faster than real time" : "step [ms]", 1, 0, 0},
                                  .y = {"local error [SI]", 1, 0, 0},
                                  .series = own[count].series,
                                  .series_count = own[count].count};
      if (most_error(&own[count]) > lost) {
        plots[count].y.from = pow(10, floor(log10(least_error(&own[count]))));
        plots[count].y.to = lost;
      }
      if (!lines[k].is_own && lines[k].which == MEAN) {
        plots[count].floor = c->common_solution->tolerance_mean;
        plots[count].floor_name = "two methods differ by this much";
      }
    }
  }
  time_text(c->trial->period, period);
  snprintf(title, sizeof title, "%s: local error and speed", c->trial->name);
  snprintf(
      note, sizeof note,
      "Largest component of the error of q and v after one control period of %s, %d periods; hollow: some failed",
      period, c->trial->periods);
  bench_plot_write(
      file,
      &(bench_plot_figure){.title = title, .note = note, .plots = plots, .plot_count = count, .columns = 2});
  free(own);
  return 1;
}
