/// sides.h: rows of things that hold or push two bodies: Jacobian, relative velocity, and its rate at vdot = 0.
#ifndef FFI_STEP_SIDES_H
#define FFI_STEP_SIDES_H

#include "step/instant.h"

/// c->rows, u, c and creep from the poses and the bias pass; J [3][stride], dofs [stride] are the contact's storage.
void ffi_contact_rows(const ffi_system *s, ffi_contact *c, const double *v, double *J, int *dofs, int stride);

/// Rows in world axes of the velocity (or angular velocity) of body a relative to body b at the point x; J [3][stride], dofs [stride] are their storage.
void ffi_relative_rows(const ffi_system *s, int a, int b, const double x[3], int angular, double *J,
                       int *dofs, int stride, ffi_rows3 *rows);

/// The blocks of point and weld elements; J and dofs continue the instant's storage.
void ffi_place_holds(const ffi_system *s, const ffi_state *x, double *J, int *dofs, ffi_instant *out);

/// Factor the mass matrix that crba left in the workspace; FF_ERROR_NUMERIC names the joint if it is singular.
ff_status ffi_system_factor(ffi_system *s, ff_error *error);

/// How far the feature's point of a moves, seen from b, with a small displacement dx [nv]. J [3][stride] and dofs [stride] are room to work in.
void ffi_near_displacement(const ffi_system *s, const ffi_near *near, const double *dx, double *J, int *dofs,
                           int stride, double out[3]);

#endif
