/// landing_reference.h: the truth of a landing, by rk4 alone: short steps, and where something touches down ever
/// shorter ones.
///
/// rk4 takes the contacts of a step's start, so a touch-down comes late by up to a step, which costs it its order. Here
/// a step in which something begins to touch is taken back and made in two halves, and so on, down to a part in 2^19:
/// at steps of 5 us late by 10 ps. Lift-offs, slips and sticks are kinks, which cost a step its square: there 16 parts
/// are enough. It shares laws and geometry with `expo`, but no exponential, no event search and no corrector.
#ifndef FFI_TESTS_LANDING_REFERENCE_H
#define FFI_TESTS_LANDING_REFERENCE_H

#include "properties/order/order.h"

/// q and v at the end, after `steps` steps, to end [nq + nv].
void ffi_landing_reference_run(const ffi_order_scene *scene, int steps, double *end);

#endif
