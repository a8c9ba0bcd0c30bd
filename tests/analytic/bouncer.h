/// bouncer.h: the exact motion of a mass above a one-sided spring and damper, piece by piece.
///
///     m z'' = -m g + max(0, -K z - B z')  while z < 0,      m z'' = -m g  otherwise
///
/// Flight is a parabola, contact a damped oscillation about -m g / K. A contact begins at z = 0, or below it when the
/// force becomes positive again, and ends when the force becomes zero. Each end is found by bisection down to the last
/// bit.
#ifndef FFI_TESTS_ANALYTIC_BOUNCER_H
#define FFI_TESTS_ANALYTIC_BOUNCER_H

#include <footfall/sim.h>

typedef struct bouncer {
  double mass, gravity, stiffness, damping; ///< damping below critical: B^2 < 4 K m
  double time;                              ///< of the last event
  double z, v;                              ///< then
  int pushes;                               ///< 1: in contact from then on
  int landings, releases;                   ///< so far
} bouncer;

/// The bouncer whose exact motion in contact goes through the points that a stepper gives with steps of dt: eigenvalues
/// of one step, as those of a mass on a spring and damper. Backward Euler, for one, is a damper of K dt more, euler one
/// of K dt / 2 less. Exponential steppers and rk4: b as it is.
bouncer bouncer_as_stepped(const bouncer *b, ff_stepper stepper, double dt);

/// The state at `time`, not before the last event; events up to it are gone through.
void bouncer_at(bouncer *b, double time, double *z, double *v);

#endif
