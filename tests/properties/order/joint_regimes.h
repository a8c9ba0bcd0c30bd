/// joint_regimes.h: the motion of a robot whose joints have stops and motors that saturate, by Runge-Kutta steps of
/// fourth order between changes of regime.
///
/// A regime is held during a step: a stop pushes as a spring and a damper or not at all, a motor is linear or constant.
/// A step at whose end the regime no longer holds is shortened by bisection to the last bit at which it does, and the
/// regime changed there. With short steps that is the truth to rounding; it shares the forward dynamics with the
/// library, but no stepper, no law and no search.
#ifndef FFI_TESTS_JOINT_REGIMES_H
#define FFI_TESTS_JOINT_REGIMES_H

#include "properties/order/order.h"

/// The end of a scene without contacts, whose joints are hinges or slides and whose elements (at most 8) are joint
/// elements of joint i at coordinate i; to end [nq + nv]. Returns the number of changes.
int ffi_joint_regimes_run(const ffi_order_scene *scene, int steps, double *end);

#endif
