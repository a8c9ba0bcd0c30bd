/// weight_moment.h: moments by which the springs of a hull's corners resist tilts that make them stiffer.
///
/// On planes the stiffness of a corner is w K, with a weight w that depends on how the hull is tilted
/// (geometry/plane/hull_weights.h). Its spring holds the energy w K x^2 / 2, so besides its force there is the moment
/// -K x^2 / 2 times the gradient of w. Without it springs would gain or lose energy as the hull tilts.
/// docs/theory/contact.md, section 5
#ifndef FFI_STEP_EVAL_WEIGHT_MOMENT_H
#define FFI_STEP_EVAL_WEIGHT_MOMENT_H

#include "step/eval/evaluation.h"

/// Adds the moments of an evaluation's contacts to its bias forces. `room` is scratch.
void ffi_weight_moment_add(const ffi_system *s, const ffi_rows3_room *room, ffi_evaluation *out);

#endif
