/// passive.h: springs hold no more than what work has put into them, whatever detection says.
///
/// A contact's spring is as long as the geometry says, and the geometry can jump: a feature begins at a depth where an edge passes over
/// another, the way out of a box changes from one face to the next, the nearest place of two edges that are all but parallel runs
/// from one end to the other. Each jump would load a spring at once, with energy from nowhere.
///
/// So each contact carries with it, `stored`, how far the motion of the last piece has stretched its springs, by the integral of
/// their velocity. At the next look the contacts of a pair of shapes may together be stretched by that much (in the sum of squares: the pair has one stiffness), those
/// that have vanished included: what one feature loses another may take over. If they are stretched farther, those that jumped are *eased*: rest
/// and anchor move towards the point until the sum is met. The gap that is reported stays that of the geometry.
///
/// Motion and geometry agree but for the error of the step, so a small part of the way since the last look is allowed for, as far as its energy
/// is a small part of that of the motion, and nothing is eased where nothing jumps. A rest below the surface comes back to it as the point rises. After a reset, or when
/// ground was moved by hand, springs are as the geometry has them: who starts inside the ground gets the spring.
#ifndef FFI_STEP_PASSIVE_H
#define FFI_STEP_PASSIVE_H

#include "step/eval/evaluation.h"

/// A `stored` that is not known: of steppers that do not integrate springs.
#define FFI_PASSIVITY_UNKNOWN 1e30

/// At the start of a step or a piece, contacts complete: ease those that hold more than they can.
void ffi_passivity_limit(const ffi_system *s, const ffi_state *x, ffi_evaluation *at);

#endif
