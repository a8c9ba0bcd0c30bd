/// plot.h: line plots as SVG: several panels in one picture, one legend for all of them.
///
///     const bench_series lines[] = {{.name = "expo", .x = dt, .y = error, .count = 8, .style = 0}};
///     const bench_plot plots[] = {{.title = "Solo squats", .x = {"step [ms]", 1}, .y = {"error", 1}, .series = lines, .series_count = 1}};
///     bench_figure_write(file, &(bench_figure){.title = "Local errors", .plots = plots, .plot_count = 1, .columns = 1});
///
/// A picture stands by itself and can as well be put into a page of HTML: colours are in it, for light and dark; nothing in it runs. A marker tells its
/// numbers when it is pointed at. Colours can be told apart by people who see fewer of them, and markers differ too.
#ifndef BENCH_PLOT_H
#define BENCH_PLOT_H

#include <stdio.h>

/// A line with markers. Points that are not finite, or not above 0 on a logarithmic axis, are left out and break the line.
typedef struct bench_series {
  const char *name;
  const double *x, *y; ///< [count]
  int count;
  int style; ///< which look, see bench_style_count; the same name should have the same in all panels
  const unsigned char *hollow; ///< [count] 1: an empty marker, for what needs a second look; may be NULL
  int has_no_markers;          ///< for lines of many points
} bench_series;

enum { bench_style_count = 23 };

typedef struct bench_axis {
  const char *label; ///< with its unit
  int is_log;
  double from, to; ///< both 0: what the data need
} bench_axis;

typedef struct bench_plot {
  const char *title; ///< may be NULL
  bench_axis x, y;
  const bench_series *series;
  int series_count;
  double floor;           ///< > 0: values below it mean nothing; shaded
  const char *floor_name; ///< said there; may be NULL
} bench_plot;

typedef struct bench_figure {
  const char *title, *note; ///< may be NULL
  const bench_plot *plots;
  int plot_count;
  int columns; ///< panels side by side
} bench_figure;

/// The whole picture, an <svg> element without an XML declaration.
void bench_figure_write(FILE *file, const bench_figure *figure);

/// A style for a name of a scheme (trial.h) or stepper: the same everywhere.
int bench_style_of(const char *name);

/// Text as it must stand in XML and HTML.
void bench_write_escaped(FILE *file, const char *text);

#endif
