/// bouncer.h: the exact motion of a mass above a one-sided spring and damper, piece by piece.
///
///     m z'' = -m g + max(0, -K z - B z')  while z < 0,      m z'' = -m g  otherwise
///
/// Flight is a parabola, contact a damped oscillation about -m g / K. A contact begins at z = 0, or below it when the force
/// becomes positive again, and ends when the force becomes zero. Each end is found by bisection down to the last bit.
#ifndef FFI_TESTS_ANALYTIC_BOUNCER_H
#define FFI_TESTS_ANALYTIC_BOUNCER_H

typedef struct bouncer {
  double mass, gravity, stiffness, damping; ///< damping below critical: B^2 < 4 K m
  double time;                              ///< of the last event
  double z, v;                              ///< then
  int pushes;                               ///< 1: in contact from then on
  int landings, releases;                   ///< so far
} bouncer;

/// The state at `time`, not before the last event; events up to it are gone through.
void bouncer_at(bouncer *b, double time, double *z, double *v);

#endif
