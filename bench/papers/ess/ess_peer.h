/// ess_peer.h: the hopper and the plate in MuJoCo, as movers (ess_trace.h). Optional (FF_HAVE_MUJOCO).
///
/// MuJoCo has no springs that push only, but its soft constraints become that: a constraint of impedance d answers with a force d/(1-d)/A (aref - a), where A is its inverse inertia and
/// aref the acceleration of a spring and damper, which are given directly. With the least impedance that it takes, 1e-4, the -a of it is a ten-thousandth
/// of the mass, and what is left is the spring and damper that was asked for. So a contact is the same as ours up to 1e-4 (n of them, up to n 1e-4: each adds its share of mass to
/// what stands on it); only that its forces never pull.
#ifndef BENCH_ESS_PEER_H
#define BENCH_ESS_PEER_H

#include "papers/ess/ess_hopper.h"
#include "papers/ess/ess_plate.h"

#include <stddef.h>

typedef enum bench_peer_integrator { BENCH_PEER_EULER, BENCH_PEER_RK4 } bench_peer_integrator;

/// What the hopper's leg is to MuJoCo.
typedef enum bench_peer_leg {
  BENCH_LEG_LIMIT,   ///< the lower end of its slide's range: nothing has to be detected
  BENCH_LEG_CONTACT, ///< a sphere above a plane
  BENCH_LEG_USER,    ///< a force that we apply: what MuJoCo lets a user do for a preload
} bench_peer_leg;

/// 0 without MuJoCo, or if it refuses the model; `why` then says so. The models must outlive the movers.
int bench_hopper_mujoco(const bench_hopper *hopper, bench_peer_leg leg, bench_peer_integrator integrator,
                        double dt, bench_mover *out, char *why, size_t size);

/// Springs of the bed are spheres below a box, feet are spheres above a plane, each pair of them named to MuJoCo so that it need not search. Feet are the same as ours. A sphere of the bed
/// presses square to the box, not upright, and as it is round and 1 m thick it meets a leaning plate earlier, by 1 - cos(theta) of a metre: as much work, not the same motion.
int bench_plate_mujoco(const bench_plate *plate, bench_peer_integrator integrator, double dt,
                       bench_mover *out, char *why, size_t size);

#endif
