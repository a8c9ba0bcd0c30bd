/// ess_hopper.h: a mass on a spring leg that hops vertically: its motion in closed form, and as an event-selected
/// system.
///
/// The ESS paper's section 5.1: in flight z'' = -g; from touch-down, where z falls through the leg's length, to
/// lift-off, where it rises through it, z'' = -g + (k (length - z) + preload) / m. The paper's hopper has no preload;
/// the robot that motivated the paper has one, whose full force acts from the moment of contact. The paper prints
/// guards that fall at events; here touch-down is length - z and lift-off z - length, both rising, as its requirement 4
/// demands.
#ifndef BENCH_ESS_HOPPER_H
#define BENCH_ESS_HOPPER_H

#include "papers/ess/ess_simulator.h"

typedef struct bench_ess_hopper {
  double mass;      ///< [kg]
  double stiffness; ///< [N/m]
  double length;    ///< of the leg [m]
  double preload;   ///< [N]
  double gravity;   ///< [m/s^2]
  double start;     ///< height, at rest [m], > length
} bench_ess_hopper;

/// The true state (z, z') at t.
void bench_ess_hopper_exact(const bench_ess_hopper *hopper, double t, double x[2]);
int bench_ess_hopper_at(void *hopper, double t, double *x); ///< the same, as a bench_ess_trace_truth

double bench_ess_hopper_touchdown(const bench_ess_hopper *hopper); ///< time of the first [s]
double bench_ess_hopper_stance(const bench_ess_hopper *hopper);    ///< its duration [s]

/// The system to integrate, with all other options at their defaults. Its user's `model` (ess_simulator.h) is a
/// bench_ess_hopper.
ff_ess_def bench_ess_hopper_def(void);

#endif
