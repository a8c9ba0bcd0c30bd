/// c2a.h: conservative advancement: the options of the steppers `ca` and `c2a`, which exclude tunnelling.
///
/// Both steppers advance positions only as far as no shapes can touch on the way, at any speed and for shapes of any
/// thickness. They treat contact by impulses (impact.h).
/// - `ca` takes Euler steps of dt, shortened at contacts.
/// - `c2a` also compares each step with two steps of half its length, and shortens it until the two kinetic energies
///   agree. It continues from the extrapolation of both, which is of second order between contacts.
///
/// Both divide one step of the sim into integrator steps. docs/theory/c2a.md has the equations. Start from
/// ff_sim_def_default().c2a.
#ifndef FOOTFALL_C2A_H
#define FOOTFALL_C2A_H

#include <footfall/impact.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Where an Euler step evaluates forces. Positions always move with the velocity at the start of the step.
typedef enum ff_c2a_scheme {
  FF_C2A_SEMI_IMPLICIT, ///< "semi-implicit": at the new positions (default)
  FF_C2A_EXPLICIT,      ///< "explicit": at the old positions
} ff_c2a_scheme;
enum { FF_C2A_SCHEME_COUNT = FF_C2A_EXPLICIT + 1 };              ///< number of schemes
const char *ff_c2a_scheme_name(ff_c2a_scheme scheme);            ///< as in scenes; never NULL
int ff_c2a_scheme_find(const char *name, ff_c2a_scheme *scheme); ///< 1 if a scheme has that name

/// Options of `ca` and `c2a`.
typedef struct ff_c2a_def {
  /// Shortest integrator step [s], > 0, at most 1000, default 1e-5. It sets how exactly contact times are found, and
  /// bounds the work. Where shapes still approach, steps go down to h_min/100. h_min >= dt: plain time stepping with
  /// dt
  double h_min;
  double skin; ///< distance at which shapes touch and which they keep [m], > 0, at most 0.1, default 1e-4
  /// 1 (default): stop where shapes could touch, and keep the skin; 0: do neither: contacts are detected at the ends
  /// of steps only, and penetration remains
  int advancement;
  /// `c2a`: 1 (default): shorten steps until energies agree; 0: steps of dt, extrapolated
  int error_control;
  double absolute_error; ///< `c2a`: error tolerance of the kinetic energy in a step [J], >= 0, default 1e-6
  /// `c2a`: relative error tolerance of the kinetic energy in a step, 0..1, default 0.0025 (the paper's);
  /// ff_sim_def.accuracy replaces it
  double relative_error;
  ff_c2a_scheme scheme; ///< default FF_C2A_SEMI_IMPLICIT
  double dissipation;   ///< lambda, 0..1, default 0: velocities are multiplied by 1 - lambda after each step
  double rayleigh;      ///< mass-proportional damping [1/s], >= 0, default 0: a force of -rayleigh M v
  /// See impact.h; default ff_impact_def_default() with FF_IMPACT_COULOMB. The convex laws of the paper are wrong by
  /// a few percent in sustained sliding.
  ff_impact_def impact;
} ff_c2a_def;

/// Outcome of an attempted integrator step.
typedef enum ff_c2a_reason {
  FF_C2A_TAKEN, ///< taken
  /// Taken at the shortest length allowed: h_min, or the collision-free length if that is shorter, but at least
  /// h_min/100. No longer step is known to be free of collision, or accurate.
  FF_C2A_FORCED,
  FF_C2A_ENERGY,  ///< rejected: the kinetic energies differ too much
  FF_C2A_HALFWAY, ///< rejected: a collision is possible in the second half of the step
  FF_C2A_DOUBT,   ///< rejected: a collision is possible within the error bound of the velocity
  FF_C2A_PATH,    ///< rejected: a collision on the path to the extrapolated position
} ff_c2a_reason;
enum { FF_C2A_REASON_COUNT = FF_C2A_PATH + 1 };       ///< number of outcomes
const char *ff_c2a_reason_name(ff_c2a_reason reason); ///< "taken", "forced", "energy", ... never NULL

/// One attempted integrator step, taken or rejected; ff_sim_history() lists them.
typedef struct ff_c2a_try {
  double length;        ///< [s]
  ff_c2a_reason reason; ///< why it was taken or rejected
} ff_c2a_try;

enum { FF_C2A_HISTORY = 32 }; ///< attempted integrator steps that are kept for one step of the sim

#ifdef __cplusplus
}
#endif
#endif
