/// expo_energy.h: substeps that would gain energy, and how they are taken instead.
///
/// The frozen motion of springs and dampers gains no energy, whatever its length: modes that a subinterval does not
/// resolve are damped out (math/poles.h). A substep can gain all the same where contacts begin or end between
/// samples, or where mean forces are projected on their cones one by one. The energy of such suspect substeps is
/// checked. One that has gained is taken again with every contact that it meets as a spring along its normal all the
/// time, without friction, unloaded at first if there is a gap. That is a frozen motion, which gains nothing, and
/// such springs hold at its end no less than the overlap there does. Impacts far shorter than a substep are then
/// absorbed. docs/theory/expo.md, section 5.
#ifndef FFI_STEP_EXPO_ENERGY_H
#define FFI_STEP_EXPO_ENERGY_H

#include "step/expo/expo_substep.h"

/// The energy that a corrected substep gains, relative to what it may gain; 0 where its motion is so slow that it gains
/// hardly anything. Above 1 the substep is too long for the frozen system.
double ffi_expo_energy_excess(ffi_system *s, ffi_expo *e, double h);

/// After prediction, evaluation and correction: if the substep has gained energy, take it again, shortened to
/// p->min_length at the shortest. *absorbed: whether it was taken again.
ff_status ffi_expo_energy_bound(ffi_system *s, ffi_expo *e, ffi_expo_substep *p, int *absorbed,
                                ff_error *error);

#endif
