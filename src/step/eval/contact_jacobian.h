/// contact_jacobian.h: rows between two bodies: Jacobian, relative velocity, and its rate at vdot = 0.
///
/// A row's velocity is that of a point of body a relative to body b; either may be the world or moving ground.
/// contact.md, section 5.
#ifndef FFI_STEP_EVAL_CONTACT_JACOBIAN_H
#define FFI_STEP_EVAL_CONTACT_JACOBIAN_H

#include "step/eval/evaluation.h"
#include "step/step_kernels.h"

/// Two points, each of a body.
typedef struct ffi_contact_jacobian_points {
  int a, b;              ///< bodies, 0: the world
  const double *xa, *xb; ///< [3] in the world
} ffi_contact_jacobian_points;

/// c->rows, u, c and creep from the poses and the bias pass: u = J v, udot = J vdot + c (contact.md, eq. 6).
void ffi_contact_jacobian(const ffi_system *s, const ffi_state_kinematics *at, const double *v,
                          const ffi_rows3_room *room, ffi_contact *c);

/// Rows in world axes of the velocity (or angular velocity) of a point of body a relative to one of body b.
void ffi_contact_jacobian_relative(const ffi_system *s, const ffi_state_kinematics *at,
                                   const ffi_contact_jacobian_points *of, int angular,
                                   const ffi_rows3_room *room, ffi_rows3 *rows);

/// Acceleration of the point x of a body at vdot = 0, and angular velocity and acceleration; zero for the world.
void ffi_contact_jacobian_motion(const ffi_system *s, const ffi_state_kinematics *at, int body,
                                 const double x[3], ffi_step_kernels_motion *out);

/// How far the feature's point of a moves, seen from b, with a small displacement dx [nv]. `room` is scratch.
void ffi_contact_jacobian_displacement(const ffi_system *s, const ffi_state_kinematics *at,
                                       const ffi_detect_candidate *near, const double *dx,
                                       const ffi_rows3_room *room, double out[3]);

#endif
