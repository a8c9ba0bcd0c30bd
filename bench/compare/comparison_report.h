/// comparison_report.h: a comparison as a table, as rows and as a figure. A "truth" is a reference solution that errors
/// are measured against.
#ifndef BENCH_COMPARISON_REPORT_H
#define BENCH_COMPARISON_REPORT_H

#include "common/json_rows.h"
#include "common/table.h"

#include <footfall/compare.h>

/// What a figure has room for.
enum { BENCH_COMPARISON_SCHEMES_MOST = 24, BENCH_COMPARISON_SUBSTEPS_MOST = 24 };

/// The truths, then a line for every configuration.
void bench_comparison_report_print(const ff_comparison *comparison, const bench_table *table);

/// Rows of case `trial->name`: error:SCHEME:dt=...us:common:mean and so on.
void bench_comparison_report_rows(const ff_comparison *comparison, bench_json_rows *rows);

/// A figure: for every truth a row of panels, mean error over speed and over step; for the common one medians too.
int bench_comparison_report_draw(const ff_comparison *comparison, FILE *file); ///< 0 if there is no memory

#endif
