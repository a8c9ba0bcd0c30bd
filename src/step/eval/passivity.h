/// passivity.h: contact springs never hold more energy than work has put into them, whatever detection reports.
///
/// A contact's spring is as long as the geometry says, and the geometry can jump. A feature begins at a depth where
/// an edge passes over another. The shortest way out of a box changes from one face to the next. The nearest points
/// of two nearly parallel edges run from one end to the other. Each jump would load a spring at once, with energy
/// from nowhere.
///
/// So each contact carries `stored`: how far the motion of the last substep has stretched its springs, by the
/// integral of their velocity. At the next evaluation the contacts of a pair of shapes may together be stretched by
/// that much (contact.md, eq. 5a: the sum of squares, as the pair has one stiffness). Contacts that have vanished
/// count too: what one feature loses another may take over. If the contacts are stretched farther, those that jumped
/// are *unloaded*: rest and anchor move towards the point until the sum is met. The reported gap stays that of the
/// geometry.
///
/// Motion and geometry agree up to the error of the step. So a small part of the travel since the last evaluation is
/// allowed, as far as its energy is a small part of the kinetic energy, and nothing is unloaded where nothing jumps.
/// A rest below the surface comes back to it as the point rises. After a reset, or when ground was moved by hand,
/// springs are as the geometry has them: a robot that starts inside the ground gets the spring.
#ifndef FFI_STEP_EVAL_PASSIVITY_H
#define FFI_STEP_EVAL_PASSIVITY_H

#include "step/eval/evaluation.h"

/// A `stored` that is not known: of steppers that do not integrate springs.
#define FFI_PASSIVITY_UNKNOWN 1e30

/// At the start of a step or substep, contacts complete: unload those that hold more than they can.
void ffi_passivity_limit(const ffi_system *s, const ffi_state *x, ffi_evaluation *at);

#endif
