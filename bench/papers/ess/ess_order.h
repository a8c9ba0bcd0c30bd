/// ess_order.h: the ESS paper's order test: three guards, a field that is affine on each side of them, and its motion in closed form.
///
/// Table 4.1 of the paper. Guards are (x, y, -z), so that all rise; from (-0.4, -0.15, 0.3) the motion crosses y = 0, z = 0 and x = 0, in this order, within 0.5 s.
/// On each side it turns round a point, or grows or decays, so that it can be written down.
#ifndef BENCH_ESS_ORDER_H
#define BENCH_ESS_ORDER_H

#include <footfall/ess.h>

extern const double bench_order_start[3];
extern const double bench_order_duration; ///< [s]

/// When x, y and z pass zero [s].
void bench_order_crossings(double at[3]);

/// The true state at t in 0..duration; a bench_truth_at (ess_trace.h), `ignored` may be NULL.
int bench_order_at(void *ignored, double t, double *x);

/// What to integrate, with everything else at its default.
ff_ess_def bench_order_def(void);

#endif
