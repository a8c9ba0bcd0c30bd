/// sides.h: rows of things that hold or push two bodies: Jacobian, relative velocity, and its rate at vdot = 0.
#ifndef FFI_STEP_SIDES_H
#define FFI_STEP_SIDES_H

#include "step/instant.h"

/// Where three rows are stored.
typedef struct ffi_row_room {
  double *J; ///< [3][stride]
  int *dofs; ///< [stride]
  int stride;
} ffi_row_room;

/// The place of the next three.
static inline void ffi_row_room_next(ffi_row_room *room)
{
  room->J += 3 * room->stride;
  room->dofs += room->stride;
}

/// Two points, each of a body.
typedef struct ffi_two_points {
  int a, b;              ///< bodies, 0: the world
  const double *xa, *xb; ///< [3] in the world
} ffi_two_points;

/// c->rows, u, c and creep from the poses and the bias pass.
void ffi_contact_rows(const ffi_system *s, const ffi_kinematics *at, const double *v,
                      const ffi_row_room *room, ffi_contact *c);

/// Rows in world axes of the velocity (or angular velocity) of a point of body a relative to one of body b.
void ffi_relative_rows(const ffi_system *s, const ffi_kinematics *at, const ffi_two_points *of, int angular,
                       const ffi_row_room *room, ffi_rows3 *rows);

/// The blocks of point and weld elements, stored from `room` on.
void ffi_place_holds(const ffi_system *s, const ffi_state *x, ffi_row_room room, ffi_instant *out);

/// How far the feature's point of a moves, seen from b, with a small displacement dx [nv]. `room` is to work in.
void ffi_near_displacement(const ffi_system *s, const ffi_kinematics *at, const ffi_near *near,
                           const double *dx, const ffi_row_room *room, double out[3]);

#endif
