/// expo.h: `footfall bench expo`: errors of the exponential steppers, and the contribution of each of their parts.
///
/// Every case is one function in a file of its own, which prints its tables and adds its rows. All figures except times
/// are reproducible on the same instruction set.
#ifndef BENCH_EXPO_H
#define BENCH_EXPO_H

#include "common/json_rows.h"
#include "common/table.h"

#include <footfall/sim.h>

typedef struct bench_expo {
  bench_table table;
  bench_json_rows *rows; ///< NULL: not wanted
  const char *models;    ///< folder, may be NULL
  int is_quick;          ///< fewer step lengths, coarser truths
} bench_expo;

/// Error of the paper's Pade orders and of the fast path over dt |A|, on solo12 with springs at its feet.
ff_status bench_expo_orders(const bench_expo *bench, ff_error *error);

/// Error and cost of `expo`, of `expo` without one of its parts, and of the other steppers, on solo12: no event,
/// landing with friction 1 and with 0.3.
ff_status bench_expo_ablation_stance(const bench_expo *bench, ff_error *error);
ff_status bench_expo_ablation_landing(const bench_expo *bench, ff_error *error);
ff_status bench_expo_ablation_sliding(const bench_expo *bench, ff_error *error);

/// A mass that slides along a curved path: the two friction laws.
ff_status bench_expo_slope(const bench_expo *bench, ff_error *error);

/// The longest step with which solo12 stands, its motors inside or outside of the step.
ff_status bench_expo_motors(const bench_expo *bench, ff_error *error);

/// Add a row if rows are wanted.
void bench_expo_row(const bench_expo *bench, const char *which, const char *metric, double value,
                    const char *unit);

/// Load solo12. On failure the error names the place where it was looked for.
ff_status bench_expo_solo12(const bench_expo *bench, ff_model **model, ff_error *error);

#endif
