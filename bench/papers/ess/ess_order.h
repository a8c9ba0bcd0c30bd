/// ess_order.h: the ESS paper's order test: three guards, a piecewise affine field, and its motion in closed form.
///
/// Table 4.1 of the paper. Guards are (x, y, -z), so that all rise; from (-0.4, -0.15, 0.3) the motion crosses y = 0, z
/// = 0 and x = 0, in this order, within 0.5 s. In each piece it rotates about a point, grows or decays.
#ifndef BENCH_ESS_ORDER_H
#define BENCH_ESS_ORDER_H

#include <footfall/ess.h>

extern const double bench_ess_order_start[3];
extern const double bench_ess_order_duration; ///< [s]

/// Times at which x, y and z cross zero [s].
void bench_ess_order_crossings(double at[3]);

/// The true state at t in 0..duration; a bench_ess_trace_truth (ess_trace.h), `ignored` may be NULL.
int bench_ess_order_at(void *ignored, double t, double *x);

/// The system to integrate, with all other options at their defaults.
ff_ess_def bench_ess_order_def(void);

#endif
