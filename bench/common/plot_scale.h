/// plot_scale.h: the scale of an axis: its range, its ticks and the position of a value.
#ifndef BENCH_PLOT_SCALE_H
#define BENCH_PLOT_SCALE_H

#include <stdio.h>

typedef struct bench_plot_scale {
  int is_log;
  double from, to;      ///< of values; on a logarithmic scale their logarithms to base 10
  double start, length; ///< in the figure; length < 0: upwards
} bench_plot_scale;

/// Does the axis show this value at all?
int bench_plot_scale_has(const bench_plot_scale *scale, double value);

/// Its position in the figure.
double bench_plot_scale_at(const bench_plot_scale *scale, double value);

/// A scale that covers lowest..highest, which may be empty (lowest > highest): whole decades, or round numbers.
bench_plot_scale bench_plot_scale_for(int is_log, double lowest, double highest);

enum { BENCH_PLOT_SCALE_TICKS = 128 };
typedef struct bench_plot_scale_tick {
  double value;
  int is_major;
  char label[64]; ///< markup of SVG; empty: none
} bench_plot_scale_tick;

/// Returns the number of ticks. `room`: the largest number of labels.
int bench_plot_scale_ticks(const bench_plot_scale *scale, int room,
                           bench_plot_scale_tick ticks[BENCH_PLOT_SCALE_TICKS]);

#endif
