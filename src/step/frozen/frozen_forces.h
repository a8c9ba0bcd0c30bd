/// frozen_forces.h: elements of an evaluation as springs of the frozen system; its mean forces within their bounds; and
/// the motion that they give the robot.
#ifndef FFI_STEP_FROZEN_FORCES_H
#define FFI_STEP_FROZEN_FORCES_H

#include "step/frozen/frozen.h"

/// Adds the joint elements, the damping of joints and the constraints of an evaluation of `x` to the frozen system.
/// Forces of elements that do not act linearly (saturated motors) are constant: f [nv] = tau - h + them, with h less
/// its joint damping. Rows of joint elements come first, in their order, then those of joint damping.
void ffi_frozen_forces_add_elements(const ffi_system *s, const ffi_state *x, const ffi_evaluation *i,
                                    ffi_frozen *z, double *f);

/// Adds share * damping * (v - v0) to f: what joint damping, which is part of the bias h and a row of the frozen
/// system, has to be taken out of a difference of h between the velocities v0 and v.
void ffi_frozen_forces_add_damping(const ffi_system *s, double share, const double *v0, const double *v,
                                   double *f);

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
