/// ess_plate.h: a plate in a plane that falls on springs: its equations, as an event-selected system and otherwise.
///
/// The state is (x, z, theta, and their rates), of the centre of mass. Springs stand on the ground at evenly spaced places and touch the plate from below without friction
/// (the ESS paper's section 5.2), so that with the paper's guard
///
///     h_i = length + tan(theta) (x - x_i) - z
///
/// spring i is shorter by h_i and pushes with k h_i + b h_i' along -Dh_i, from h_i = 0 on its way up to h_i = 0 on its way down. The plate is longer than the bed. The same plate can have
/// its springs under itself (`has_feet`), standing upright on the ground whatever the plate's angle: h_i = length - z - s_i sin(theta) with the spring at s_i along the plate.
/// That one has contacts that MuJoCo and Footfall's own steppers know.
#ifndef BENCH_ESS_PLATE_H
#define BENCH_ESS_PLATE_H

#include "papers/ess/ess_trace.h"

enum { BENCH_PLATE_SIZE = 6 };

typedef struct bench_plate {
  int springs;      ///< >= 2
  double half;      ///< of the bed: springs from -half to half [m]
  double mass;      ///< [kg]
  double inertia;   ///< [kg m^2]
  double stiffness; ///< of each spring [N/m]
  double damping;   ///< [N s/m]
  double length;    ///< of a spring [m]
  double gravity;   ///< [m/s^2]
  int has_feet;
  int cannot_pull; ///< forces below zero are none (MuJoCo's and our steppers' contacts); for bench_plate_fine alone
} bench_plate;

double bench_plate_place(const bench_plate *plate, int spring); ///< x_i or s_i [m]

/// Values of the touch-down guards [springs] and, if Dh is not NULL, their derivatives by x, z, theta [springs][3].
void bench_plate_guards(const bench_plate *plate, const double *x, double *h, double *Dh);

/// Guards: touch-down of each spring, then lift-off of each, which is its negative. The model of the user (ess_trace.h) is a bench_plate. `rearm` [2 springs] is
/// filled and must outlive the def.
ff_ess_def bench_plate_def(const bench_plate *plate, ff_ess_rearm *rearm);

/// From x0 to the times of a trace by many small steps of the classical method of order 4 that ask at each stage who touches, with nothing known of
/// guards: the other way to a truth, good for some digits. NAN if there is no memory, else the error of the trace as bench_trace_error().
double bench_plate_fine(const bench_plate *plate, const double *x0, double step, const bench_trace *trace);

/// A start of the paper's: at rest, z in (2, 3), theta in (-0.1, 0.1), over the middle of the bed. The same for all plates.
void bench_plate_start(int number, double x0[BENCH_PLATE_SIZE]);

#endif
