/// sim_turning.h: which worlds have torsional and rolling friction, and how stiff its springs are.
///
/// The springs of a contact have a frequency with the inertia that they turn. How easily that turns is, for each body,
/// the largest eigenvalue of J M^-1 J' at the neutral configuration, J its angular Jacobian, times the most contact
/// points that it has with one other body or one ground.  docs/theory/turning-friction.md, eq. 3a
#ifndef FFI_SIM_TURNING_H
#define FFI_SIM_TURNING_H

#include "step/system/world.h"

/// Makes world->turning if a pair of colliders has such friction. Refuses steppers that do not know it. Needs the
/// colliders.
ff_status ffi_sim_turning_prepare(ff_world *world, ff_error *error);

/// Fills it. Needs the nominal parameters.
ff_status ffi_sim_turning_choose(ff_world *world, ff_error *error);

#endif
