/// frozen_forces.h: elements of an evaluation as springs of the frozen system; its mean forces within their bounds; and
/// the motion that they give the robot.
#ifndef FFI_STEP_FROZEN_FORCES_H
#define FFI_STEP_FROZEN_FORCES_H

#include "step/frozen/frozen.h"

/// Adds the joint elements and constraints of an evaluation to the frozen system. Forces of those that do not act
/// linearly (saturated motors) are constant: f [nv] = tau - h + them.
void ffi_frozen_forces_add_elements(const ffi_system *s, const ffi_evaluation *i, ffi_frozen *z, double *f);

/// What a projection needs beside the frozen system.
typedef struct ffi_frozen_forces_projection {
  const ffi_evaluation *at; ///< the start
  const int *contact_block; ///< [count] the frozen block of each contact, -1: none
  double dt;                ///< the interval's length [s]
  int has_double_means;     ///< else the displacement follows the projected mean alone (Expo paper eq. 24)
  double *scratch;          ///< [2 nv]
} ffi_frozen_forces_projection;

/// Project the mean and double mean of contacts on their cones (Expo paper eqs 21-26), clamp those of joint elements to
/// their bounds, and correct the motion (delta_v, delta_x) for the change. Factors M at need.
ff_status ffi_frozen_forces_project(ffi_system *s, ffi_frozen *z, const ffi_frozen_forces_projection *p,
                                    ff_error *error);

/// A change of velocity and a displacement beyond dt v. [nv] each
typedef struct ffi_frozen_forces_motion {
  const double *dv, *dx;
  double *scratch; ///< [nv]
} ffi_frozen_forces_motion;

/// q and v only: q of `to` = q (+) (dt v + dx), v of `to` = v + dv.                              Expo paper eqs 19-20
void ffi_frozen_forces_move(const ffi_system *s, const ffi_state *from, double dt,
                            const ffi_frozen_forces_motion *motion, ffi_state *to);

#endif
