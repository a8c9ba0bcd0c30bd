/// batch_report.h: the figures of `footfall bench batch` as tables, rows and a page.
#ifndef BENCH_BATCH_REPORT_H
#define BENCH_BATCH_REPORT_H

#include "batch/batch_run.h"
#include "common/json_rows.h"
#include "common/table.h"

/// A figure of an entry, kept when the case is closed.
typedef struct bench_batch_figure {
  char name[64]; ///< the metric
  int is_ours, is_size, robots, threads;
  double rate;                        ///< robot-steps per second and core; 0: not measured
  double in_lanes, useful;            ///< shares; -1: none
  double alone[FF_BATCH_ALONE_COUNT]; ///< shares
  double bytes, instructions;         ///< per robot; per robot-step; 0: not known
  int failed;
  char why[200];
} bench_batch_figure;

/// What is kept of a case.
typedef struct bench_batch_figures {
  const bench_batch_kind *kind;
  bench_batch_figure all[BENCH_BATCH_ENTRIES];
  int count;
  double peer;                              ///< MuJoCo's best rate with one thread, 0: none
  double contacts;                          ///< mean
  const char *solver;                       ///< of moreau
  char no_lanes[BENCH_BATCH_STEPPERS][200]; ///< why a stepper takes no steps in lanes
} bench_batch_figures;

void bench_batch_report_keep(const bench_batch_run *run, bench_batch_figures *out);

/// Instructions that callgrind counted of a metric.
void bench_batch_report_count(bench_batch_figures *figures, const char *metric, double instructions);

/// Why steps were taken alone: ": touch 0.5 %, slip 3.1 %", "" if none or not said.
void bench_batch_report_alone(const bench_batch_figure *figure, char *out, size_t size);

void bench_batch_report_print(const bench_batch_figures *figures, const bench_table *table);
void bench_batch_report_rows(const bench_batch_figures *figures, bench_json_rows *rows);

#endif
