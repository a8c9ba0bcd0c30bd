/// expo.h: how wrong `footfall bench expo` finds the exponential steppers to be, and what each of their parts is worth.
///
/// Every case is one function in a file of its own, prints its tables as it goes, and adds its figures to the rows. All figures but the microseconds
/// are the same on every run on the same instruction set.
#ifndef BENCH_EXPO_H
#define BENCH_EXPO_H

#include "common/rows.h"
#include "common/sheet.h"

#include <footfall/sim.h>

typedef struct bench_expo_run {
  bench_sheet sheet;
  bench_rows *rows;   ///< NULL: not wanted
  const char *models; ///< folder, may be NULL
  int is_quick;       ///< fewer step lengths, coarser truths
} bench_expo_run;

/// Error of the paper's orders and of the fast path over dt |A|, on solo12 whose feet are held by springs.
ff_status bench_expo_orders(const bench_expo_run *bench, ff_error *error);

/// Error and cost of `expo`, its parts left out one by one, and the other steppers, on solo12: no event, landing with friction 1 and
/// with 0.3.
ff_status bench_expo_stance(const bench_expo_run *bench, ff_error *error);
ff_status bench_expo_landing(const bench_expo_run *bench, ff_error *error);
ff_status bench_expo_sliding(const bench_expo_run *bench, ff_error *error);

/// A mass that slides along a bent path: the two laws of friction.
ff_status bench_expo_slope(const bench_expo_run *bench, ff_error *error);

/// The longest step with which solo12 stands, its motors inside of the step or outside.
ff_status bench_expo_motors(const bench_expo_run *bench, ff_error *error);

/// Add a row, if rows are wanted.
void bench_expo_row(const bench_expo_run *bench, const char *which, const char *metric, double value,
                    const char *unit);

/// Load solo12. On failure the error says where it was looked for.
ff_status bench_expo_solo12(const bench_expo_run *bench, ff_model **model, ff_error *error);

#endif
