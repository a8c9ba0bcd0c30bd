/// ess_mujoco.h: the hopper and the plate in MuJoCo, as simulators (ess_simulator.h).
///
/// MuJoCo has no unilateral springs, but its soft constraints can act as such: a constraint of impedance d exerts a
/// force d/(1-d)/A (aref - a), where A is its inverse inertia and aref the acceleration of a given spring and damper.
/// With the smallest impedance that MuJoCo accepts, 1e-4, the term -a acts like a ten-thousandth of the mass, and the
/// rest is the wanted spring and damper. So a contact equals ours up to 1e-4 (n contacts up to n 1e-4, since each adds
/// its share of mass), except that its force never pulls.
#ifndef BENCH_ESS_MUJOCO_H
#define BENCH_ESS_MUJOCO_H

#include "papers/ess/ess_hopper.h"
#include "papers/ess/ess_plate.h"

#include <stddef.h>

typedef enum bench_ess_mujoco_integrator {
  BENCH_ESS_MUJOCO_EULER,
  BENCH_ESS_MUJOCO_RK4
} bench_ess_mujoco_integrator;

/// How MuJoCo models the hopper's leg.
typedef enum bench_ess_mujoco_leg {
  BENCH_ESS_LEG_LIMIT,   ///< the lower limit of its slide joint: no collision detection
  BENCH_ESS_LEG_CONTACT, ///< a sphere above a plane
  BENCH_ESS_LEG_USER,    ///< a force applied by a callback: the user's only means for a preload
} bench_ess_mujoco_leg;

typedef struct bench_ess_mujoco_options {
  bench_ess_mujoco_leg leg;
  bench_ess_mujoco_integrator integrator;
  double dt; ///< [s]
} bench_ess_mujoco_options;

/// 0 without MuJoCo, or if it refuses the model; `why` then says so. The models must outlive the simulators.
int bench_ess_mujoco_hopper(const bench_ess_hopper *hopper, const bench_ess_mujoco_options *options,
                            bench_ess_simulator *out, char *why, size_t size);

/// Springs of the bed are spheres below a box, feet are spheres above a plane; explicit pairs spare MuJoCo the search.
/// Feet equal ours. A sphere of the bed pushes normal to the box, not vertically, and with its radius of 1 m it meets a
/// tilted plate earlier, by (1 - cos(theta)) m: the same work, not the same motion.
int bench_ess_mujoco_plate(const bench_ess_plate *plate, bench_ess_mujoco_integrator integrator, double dt,
                           bench_ess_simulator *out, char *why, size_t size);

#endif
