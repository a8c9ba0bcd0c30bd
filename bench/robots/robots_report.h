/// robots_report.h: the figures of `footfall bench robots` as a table, rows and a page.
#ifndef BENCH_ROBOTS_REPORT_H
#define BENCH_ROBOTS_REPORT_H

#include "common/json_rows.h"
#include "common/table.h"
#include "robots/robots_pair.h"

#include <stdio.h>

typedef struct bench_robots_result {
  const bench_robots_pair *pairs; ///< [count] by name
  int count;
  ff_isa isa;
  int is_quick;
} bench_robots_result;

/// Over all robots that were measured.
typedef struct bench_robots_summary {
  int measured, below_one, below_half;
  double median, least; ///< ratios of speeds; NAN: none was measured
} bench_robots_summary;

bench_robots_summary bench_robots_report_summary(const bench_robots_result *result);

/// A robot's row, as soon as it is measured; the titles before the first.
void bench_robots_report_titles(const bench_table *table);
void bench_robots_report_pair(const bench_robots_pair *pair, const bench_table *table);

/// After all robots: what was not measured and why, what our steps spend where MuJoCo is faster, and the summary.
void bench_robots_report_print(const bench_robots_result *result, const bench_table *table);
void bench_robots_report_rows(const bench_robots_result *result, bench_json_rows *rows);

/// For bench_command_save_html(). Returns 0 if there is no memory.
int bench_robots_report_html(const void *result, FILE *file);

#endif
