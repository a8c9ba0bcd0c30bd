/// ess_hopper.h: a mass on a leg that is a spring, hopping on one line; its motion in closed form, and as an event-selected system.
///
/// The ESS paper's section 5.1: in flight z'' = -g; from touch-down, where z falls through the leg's length, to lift-off, where it rises through it,
/// z'' = -g + (k (length - z) + preload) / m. The paper's hopper has no preload; the robot that it was written for has: its leg pushes with all of it from the
/// moment of contact on. The paper prints the guards with the signs that make them fall; here touch-down is length - z and lift-off z - length, both rising, as its
/// requirement 4 wants.
#ifndef BENCH_ESS_HOPPER_H
#define BENCH_ESS_HOPPER_H

#include "papers/ess/ess_trace.h"

typedef struct bench_hopper {
  double mass;      ///< [kg]
  double stiffness; ///< [N/m]
  double length;    ///< of the leg [m]
  double preload;   ///< [N]
  double gravity;   ///< [m/s^2]
  double start;     ///< height, at rest [m], > length
} bench_hopper;

/// The true state (z, z') at t.
void bench_hopper_exact(const bench_hopper *hopper, double t, double x[2]);
int bench_hopper_at(void *hopper, double t, double *x); ///< the same, as a bench_truth_at

double bench_hopper_touchdown(const bench_hopper *hopper); ///< the first, [s]
double bench_hopper_stance(const bench_hopper *hopper);    ///< how long it lasts [s]

/// What to integrate, with everything else at its default. The model of its user (ess_trace.h) is a bench_hopper.
ff_ess_def bench_hopper_def(void);

#endif
