/// anchors.h: contacts after a step of the steppers that move their anchors by small displacements.
///
/// An anchor is kept in the frame of the body (or ground) that it lies on. A displacement seen from there can be added without
/// knowing where that body will be, so a step needs no kinematics at its end, and an anchor that does not move keeps its bits.
#ifndef FFI_STEP_ANCHORS_H
#define FFI_STEP_ANCHORS_H

#include "step/eval/evaluation.h"

/// The frame that a contact's anchor is fixed in, where it was when `near` was found.
static inline const ffi_pose *ffi_anchor_frame(const ffi_system *s, const ffi_state_kinematics *at,
                                               const ffi_detect_candidate *near)
{
  const int ground = s->scene->pairs[near->pair].ground;
  return ground >= 0 && !near->flipped ? &at->ground[ground] : &at->body[near->b];
}

/// The tangential part of a vector.
void ffi_anchor_tangential(const double n[3], const double a[3], double out[3]);

/// A vector of world axes in the axes of a frame.
void ffi_anchor_to_frame(const ffi_pose *frame, const double a[3], double out[3]);

/// A point of the world as an anchor in a frame.
void ffi_anchor_at(const ffi_pose *frame, const double point[3], double anchor[3]);

/// to->touching: the contacts of `at`, their anchors displaced by shift [count][3], seen from b, in world axes of now; anchors are those of
/// `known` where it has them. force [count][3]: mean over the step. Either may be NULL for zeros. Counts contacts in the
/// step's info.
void ffi_anchor_store(const ffi_system *s, const ffi_state *known, const ffi_evaluation *at,
                      const double (*shift)[3], const double (*force)[3], ffi_state *to);

#endif
