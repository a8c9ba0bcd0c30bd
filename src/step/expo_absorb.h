/// expo_absorb.h: pieces that would gain energy, and how they are taken instead.
///
/// The frozen motion of springs and dampers gains nothing, whatever its length: modes that a sub-step does not resolve are absorbed (math/poles.h). A
/// piece can gain all the same where contacts begin or end unseen between looks, or where mean forces are brought into their cones one by one. Pieces that
/// may have are asked for their energy. One that has gained is taken again with every contact that it met held as a spring along its normal all the
/// time, without friction, unloaded at first if there is a gap: that is a frozen motion, which gains nothing, and what such springs hold at its end is
/// no less than what the overlap there holds. Impacts far shorter than a piece are then absorbed. docs/theory/expo.md, section 5.
#ifndef FFI_STEP_EXPO_ABSORB_H
#define FFI_STEP_EXPO_ABSORB_H

#include "step/expo.h"

/// Energy at the end of the piece beyond that at its start and what was put in by tau, moving references and moving ground, as a share of the energy of motion
/// and of springs at the start. After the motion over h is known and looked at; poses are then those of e->end again.
double ffi_absorb_gain(ffi_system *s, ffi_expo *e, double h);

/// The frozen system of e->start with contacts as springs along their normals: those that push or come nearer, and those whose e->mode is not
/// released, which the piece is known to meet. Sets e->mode. After crba.
void ffi_absorb_freeze(ffi_system *s, ffi_expo *e);

#endif
