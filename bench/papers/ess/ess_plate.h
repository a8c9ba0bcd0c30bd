/// ess_plate.h: a planar plate that falls on springs: its equations, as an event-selected system and for fixed steps.
///
/// The state is (x, z, theta) of the centre of mass, and their rates. Springs stand on the ground at evenly spaced
/// places and touch the plate from below without friction (ESS paper, section 5.2). With the paper's guard
///
///     h_i = length + tan(theta) (x - x_i) - z
///
/// spring i is compressed by h_i and pushes with k h_i + b h_i' along -Dh_i, from the rising zero of h_i to its falling
/// zero. The plate is longer than the bed. The same plate can have feet (`has_feet`): springs attached to it that stay
/// vertical at any angle of the plate, h_i = length - z - s_i sin(theta) with the spring at s_i along the plate. MuJoCo
/// and Footfall's own steppers have contacts of this kind.
#ifndef BENCH_ESS_PLATE_H
#define BENCH_ESS_PLATE_H

#include "papers/ess/ess_simulator.h"

enum { BENCH_ESS_PLATE_SIZE = 6 };

typedef struct bench_ess_plate {
  int springs;      ///< >= 2
  double half;      ///< of the bed: springs from -half to half [m]
  double mass;      ///< [kg]
  double inertia;   ///< [kg m^2]
  double stiffness; ///< of each spring [N/m]
  double damping;   ///< [N s/m]
  double length;    ///< of a spring [m]
  double gravity;   ///< [m/s^2]
  int has_feet;
  int cannot_pull; ///< negative forces are zero (as in MuJoCo and our steppers); only for bench_ess_plate_fine
} bench_ess_plate;

double bench_ess_plate_place(const bench_ess_plate *plate, int spring); ///< x_i or s_i [m]

/// Values of the touch-down guards [springs] and, if Dh is not NULL, their derivatives with respect to x, z, theta
/// [springs][3].
void bench_ess_plate_guards(const bench_ess_plate *plate, const double *x, double *h, double *Dh);

/// Guards: touch-down of each spring, then lift-off of each, which is its negative. The user's `model`
/// (ess_simulator.h) is a bench_ess_plate. `rearm` [2 springs] is filled and must outlive the def.
ff_ess_def bench_ess_plate_def(const bench_ess_plate *plate, ff_ess_rearm *rearm);

/// The error of a trace as bench_ess_trace_error(), against a second reference solution, accurate to some digits: many
/// small steps of classical RK4 from x0 that test for contact at each stage and use no guards. NAN if there is no
/// memory.
double bench_ess_plate_fine(const bench_ess_plate *plate, const double *x0, double step,
                            const bench_ess_trace *trace);

/// A start as in the paper: at rest, z in (2, 3), theta in (-0.1, 0.1), over the middle of the bed. The same for all
/// plates.
void bench_ess_plate_start(int number, double x0[BENCH_ESS_PLATE_SIZE]);

#endif
