/// plot_axis.h: an axis of a plot: its range, its ticks and where a value is on it.
#ifndef BENCH_PLOT_AXIS_H
#define BENCH_PLOT_AXIS_H

#include <stdio.h>

typedef struct bench_scale {
  int is_log;
  double from, to;      ///< of values; on a logarithmic scale their logarithms to base 10
  double start, length; ///< on paper; length < 0 for upwards
} bench_scale;

/// Does the axis show this value at all?
int bench_scale_has(const bench_scale *scale, double value);

/// Where it is on paper.
double bench_scale_at(const bench_scale *scale, double value);

/// Room for all of lowest..highest, which may be empty (lowest > highest): whole decades, or round numbers.
bench_scale bench_scale_for(int is_log, double lowest, double highest);

enum { BENCH_TICKS_MOST = 128 };
typedef struct bench_tick {
  double value;
  int is_major;
  char label[64]; ///< markup of SVG; empty: none
} bench_tick;

/// How many there are. `room`: most labels.
int bench_scale_ticks(const bench_scale *scale, int room, bench_tick ticks[BENCH_TICKS_MOST]);

#endif
