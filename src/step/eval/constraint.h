/// constraint.h: compliant constraints: points and welds between two bodies, couplings between joints.
#ifndef FFI_STEP_EVAL_CONSTRAINT_H
#define FFI_STEP_EVAL_CONSTRAINT_H

#include "step/eval/rows3.h"
#include "step/system/system.h"

/// Three rows of a point or weld element. A point has one such block, linear; a weld has two, linear and angular. A
/// coupling is the first row of a block, the other two are zero.
typedef struct ffi_constraint {
  int element, angular;
  int is_rigid; ///< a coupling that explicit steppers keep without a spring: coupling.h
  double K, B;
  double x[3]; ///< offset between the ends [m], or the rotation vector between their axes [rad], world axes
  double u[3]; ///< its rate
  double c[3]; ///< rate of u at vdot = 0
  double force[3]; ///< on end a: -K x - B u
  ffi_rows3 rows;

  // The resistance of a contact to turning, turning.h: element -1. K and B are 0 while it slides.
  double own_K, own_B; ///< while it sticks [N m/rad], [N m s/rad]
  double limit;        ///< of its moment [N m]
  int slides;          ///< `force` is constant
  int stops; ///< it would reverse within the substep: one that slides has a damper of `force` instead
} ffi_constraint;

/// The most blocks of an evaluation: those of elements, and two of each contact where there is torsional or rolling
/// friction.
int ffi_constraint_most(const ffi_system *s);

/// out->constraint: the blocks of all point and weld elements, stored from `room` on.
void ffi_constraint_place_all(const ffi_system *s, const ffi_state *x, ffi_rows3_room room,
                              ffi_evaluation *out);

#endif
