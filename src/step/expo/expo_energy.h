/// expo_absorb.h: pieces that would gain energy, and how they are taken instead.
///
/// The frozen motion of springs and dampers gains nothing, whatever its length: modes that a sub-step does not resolve are absorbed (math/poles.h). A
/// piece can gain all the same where contacts begin or end unseen between looks, or where mean forces are brought into their cones one by one. Pieces that
/// may have are asked for their energy. One that has gained is taken again with every contact that it met held as a spring along its normal all the
/// time, without friction, unloaded at first if there is a gap: that is a frozen motion, which gains nothing, and what such springs hold at its end is
/// no less than what the overlap there holds. Impacts far shorter than a piece are then absorbed. docs/theory/expo.md, section 5.
#ifndef FFI_STEP_EXPO_ABSORB_H
#define FFI_STEP_EXPO_ABSORB_H

#include "step/expo/expo.h"

/// A piece that is predicted, looked at and corrected: if it has gained, take it again, shortened to `least` at the shortest. *absorbed: whether it was.
ff_status ffi_expo_energy_bound(ffi_system *s, ffi_expo *e, double least, double *h, int *was_shortened,
                                int *absorbed, ff_error *error);

#endif
