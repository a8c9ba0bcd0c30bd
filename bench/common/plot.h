/// plot.h: line plots as SVG: several panels in one figure with a common legend.
///
///     const bench_plot_series lines[] = {{.name = "expo", .x = dt, .y = error, .count = 8, .style = 0}};
///     const bench_plot plots[] = {{.title = "Solo squats", .x = {"step [ms]", 1}, .y = {"error", 1},
///                                  .series = lines, .series_count = 1}};
///     bench_plot_write(file, &(bench_plot_figure){.title = "Local errors", .plots = plots, .plot_count = 1,
///                                                 .columns = 1});
///
/// A figure is a file of its own or part of an HTML page. It carries its colours, for light and dark themes, and no
/// scripts. A marker shows its numbers as a tooltip. Colours are safe for colour-blind readers; markers differ too.
#ifndef BENCH_PLOT_H
#define BENCH_PLOT_H

#include <stdio.h>

/// A line with markers. Points that are not finite, or not above 0 on a logarithmic axis, are omitted and break the
/// line.
typedef struct bench_plot_series {
  const char *name;
  const double *x, *y; ///< [count]
  int count;
  int style; ///< colour, dash and marker, 0..BENCH_PLOT_STYLES - 1; one name should have one style in all panels
  const unsigned char *hollow; ///< [count] 1: a hollow marker; may be NULL
  int has_no_markers;          ///< for lines of many points
} bench_plot_series;

enum { BENCH_PLOT_STYLES = 23 };

typedef struct bench_plot_axis {
  const char *label; ///< with its unit
  int is_log;
  double from, to; ///< both 0: fitted to the data
} bench_plot_axis;

typedef struct bench_plot {
  const char *title; ///< may be NULL
  bench_plot_axis x, y;
  const bench_plot_series *series;
  int series_count;
  double floor;           ///< > 0: values below it are not significant; shaded
  const char *floor_name; ///< label of the shaded part; may be NULL
} bench_plot;

typedef struct bench_plot_figure {
  const char *title, *note; ///< may be NULL
  const bench_plot *plots;
  int plot_count;
  int columns; ///< panels side by side
} bench_plot_figure;

/// The whole figure, an <svg> element without an XML declaration.
void bench_plot_write(FILE *file, const bench_plot_figure *figure);

/// The style of a scheme (<footfall/compare.h>) or stepper, the same in all figures.
int bench_plot_style(const char *name);

/// Write text with the characters escaped that XML and HTML reserve.
void bench_plot_escape(FILE *file, const char *text);

#endif
