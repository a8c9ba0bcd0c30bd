/// c2a.h: steps that no contact is missed in: the options of the steppers `ca` and `c2a`.
///
/// Both advance positions only as far as nothing can touch on the way, whatever the speed and however thin the things, and treat contact by impulses
/// (impact.h). `ca` takes Euler steps of dt, cut at contacts. `c2a` also compares each step with two of half its length, cuts it until the kinetic energies of the
/// two agree, and goes on from their extrapolation, which is of second order between contacts. docs/theory/c2a.md. Start from ff_sim_def_default().c2a.
#ifndef FOOTFALL_C2A_H
#define FOOTFALL_C2A_H

#include <footfall/impact.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Where forces of an Euler step are taken; positions always move with the velocity of its start.
typedef enum ff_c2a_scheme {
  FF_C2A_SEMI_IMPLICIT, ///< "semi-implicit": at the new positions (default)
  FF_C2A_EXPLICIT,      ///< "explicit": at the old ones
} ff_c2a_scheme;
enum { FF_C2A_SCHEME_COUNT = FF_C2A_EXPLICIT + 1 };              ///< how many schemes there are
const char *ff_c2a_scheme_name(ff_c2a_scheme scheme);            ///< as scenes write it; never NULL
int ff_c2a_scheme_find(const char *name, ff_c2a_scheme *scheme); ///< 1 if there is one of that name

/// Options of `ca` and `c2a`.
typedef struct ff_c2a_def {
  /// Shortest step [s], > 0, at most 1000, default 1e-5: how exactly the time of a contact is found, and the bound of the work (a hundredth of it where things come nearer even so). From dt on: plain time-stepping of dt
  double h_min;
  double skin; ///< distance at which things touch, and which they keep [m], > 0, at most 0.1, default 1e-4
  int advancement; ///< 1 (default): stop where something might be touched, and keep the skin; 0: neither, contacts are looked for where steps end and what has sunk in stays there
  int error_control; ///< `c2a`: 1 (default): cut steps until energies agree; 0: steps of dt, still extrapolated
  double absolute_error; ///< `c2a`: of the kinetic energy in a step [J], >= 0, default 1e-6
  /// `c2a`: of the kinetic energy in a step, 0..1, default 0.0025 (the paper's); ff_sim_def.accuracy takes its place
  double relative_error;
  ff_c2a_scheme scheme; ///< default FF_C2A_SEMI_IMPLICIT
  double dissipation;   ///< lambda, 0..1: after each step velocities are multiplied by 1 - lambda; default 0
  double rayleigh; ///< [1/s], >= 0: a force of -rayleigh times the momentum of each velocity, M v; default 0
  /// See impact.h; default ff_impact_def_default() with FF_IMPACT_COULOMB: in sustained sliding the convex laws, the paper's, are wrong by a few percent
  ff_impact_def impact;
} ff_c2a_def;

/// Why a step inside a step ended as it did.
typedef enum ff_c2a_reason {
  FF_C2A_TAKEN,  ///< taken
  FF_C2A_FORCED, ///< taken, as short as h_min, or as is free if that is less, but no less than h_min/100: nothing longer is known to be free, or accurate
  FF_C2A_ENERGY, ///< rejected: kinetic energies differ too much
  FF_C2A_HALFWAY, ///< rejected: from its middle on something could be touched
  FF_C2A_DOUBT,   ///< rejected: with the error of the velocity something could be touched
  FF_C2A_PATH,    ///< rejected: on the way to the extrapolated position something would be touched
} ff_c2a_reason;
enum { FF_C2A_REASON_COUNT = FF_C2A_PATH + 1 };       ///< how many reasons there are
const char *ff_c2a_reason_name(ff_c2a_reason reason); ///< "taken", "forced", "energy", ... never NULL

/// One step inside a step, taken or not; ff_step_info.history lists them.
typedef struct ff_c2a_try {
  double length;        ///< [s]
  ff_c2a_reason reason; ///< why it was taken or given up
} ff_c2a_try;

enum { FF_C2A_HISTORY = 32 }; ///< tries of a step that are kept

#ifdef __cplusplus
}
#endif
#endif
