/// sides.h: rows of things that hold or push two bodies: Jacobian, relative velocity, and its rate at vdot = 0.
#ifndef FFI_STEP_SIDES_H
#define FFI_STEP_SIDES_H

#include "step/eval/evaluation.h"

/// Where three rows are stored.
typedef struct ffi_rows3_room {
  double *J; ///< [3][stride]
  int *dofs; ///< [stride]
  int stride;
} ffi_rows3_room;

/// The place of the next three.
static inline void ffi_rows3_room_next(ffi_rows3_room *room)
{
  room->J += 3 * room->stride;
  room->dofs += room->stride;
}

/// Two points, each of a body.
typedef struct ffi_contact_jacobian_points {
  int a, b;              ///< bodies, 0: the world
  const double *xa, *xb; ///< [3] in the world
} ffi_contact_jacobian_points;

/// c->rows, u, c and creep from the poses and the bias pass.
void ffi_contact_jacobian(const ffi_system *s, const ffi_state_kinematics *at, const double *v,
                          const ffi_rows3_room *room, ffi_contact *c);

/// Rows in world axes of the velocity (or angular velocity) of a point of body a relative to one of body b.
void ffi_contact_jacobian_relative(const ffi_system *s, const ffi_state_kinematics *at,
                                   const ffi_contact_jacobian_points *of, int angular,
                                   const ffi_rows3_room *room, ffi_rows3 *rows);

/// The blocks of point and weld elements, stored from `room` on.
void ffi_constraint_place_all(const ffi_system *s, const ffi_state *x, ffi_rows3_room room,
                              ffi_evaluation *out);

/// How far the feature's point of a moves, seen from b, with a small displacement dx [nv]. `room` is to work in.
void ffi_contact_jacobian_displacement(const ffi_system *s, const ffi_state_kinematics *at,
                                       const ffi_detect_candidate *near, const double *dx,
                                       const ffi_rows3_room *room, double out[3]);

#endif
