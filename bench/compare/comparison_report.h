/// comparison_report.h: a comparison as a table, as rows for machines and as pictures.
#ifndef BENCH_COMPARISON_REPORT_H
#define BENCH_COMPARISON_REPORT_H

#include "common/plot.h"
#include "common/rows.h"
#include "common/sheet.h"

#include <footfall/compare.h>

enum { BENCH_SCHEMES_MOST = 24, BENCH_SUBSTEPS_MOST = 24 }; ///< that a picture has room for

/// What the truths are, then a line for every configuration.
void bench_comparison_print(const ff_comparison *comparison, const bench_sheet *sheet);

/// Rows of case `trial->name`: error:SCHEME:dt=...us:common:mean and so on.
void bench_comparison_add_rows(const ff_comparison *comparison, bench_rows *rows);

/// Which figure of an error is drawn.
typedef enum bench_figure_of { BENCH_MEAN, BENCH_MEDIAN, BENCH_LARGEST } bench_figure_of;

/// Lines of one panel, one for each scheme, and the numbers that they point to.
typedef struct bench_curves {
  bench_series series[BENCH_SCHEMES_MOST];
  int count;
  double x[BENCH_SCHEMES_MOST][BENCH_SUBSTEPS_MOST], y[BENCH_SCHEMES_MOST][BENCH_SUBSTEPS_MOST];
  unsigned char hollow[BENCH_SCHEMES_MOST][BENCH_SUBSTEPS_MOST];
} bench_curves;

/// Errors against the common truth or each one's own, over the real-time factor or over the step in ms. Hollow: periods have failed. Not to be
/// moved: the series point into it.
void bench_comparison_curves(const ff_comparison *comparison, int is_own, bench_figure_of which,
                             int is_over_speed, bench_curves *out);

/// A picture: for every truth a row of panels, mean error over speed and over step; for the common one medians too.
int bench_comparison_draw(const ff_comparison *comparison, FILE *file); ///< 0 if there is no memory

#endif
