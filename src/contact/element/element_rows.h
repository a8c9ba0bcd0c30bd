/// element_rows.h: points, welds, hinges, sliders and planar ones as rows, for steppers that hold them exactly.
///
/// All rows are of the motion of body a against body b at one point x in space, that of end a: first relative velocities
/// d . (v_a(x) - v_b(x)), then relative angular velocities d . (w_a - w_b). Directions d are fixed to b's frame. That has two reasons. An
/// impulse acts on both bodies in the same point, so linear and angular momentum are kept to rounding however far the ends have drifted
/// apart. And the rate of a linear gap is exactly its row's velocity, for sliders too, whose ends are apart by right.
///
///     row of impulse L:   +L d on a,  -L d on b, both at x (linear), or couples +-L d (angular)
///
/// Gaps of angular rows are d . r with r [rad] the rotation vector from b's axes to a's (weld, slider), or axis_b x axis_a (hinge, planar); their rate is the row's
/// velocity up to the first order of r. docs/theory/coordinates.md has the derivation.
#ifndef FFI_CONTACT_ELEMENT_ROWS_H
#define FFI_CONTACT_ELEMENT_ROWS_H

#include "contact/detect/colliders.h"

enum { FFI_ELEMENT_ROWS_MAX = 6 };

typedef struct ffi_element_rows {
  int count, linear; ///< rows, and how many of them, the first, are linear; 0, 0 for joint elements
  int a, b;          ///< bodies, 0: the world
  double point[3];   ///< x, world axes [m]
  double direction[FFI_ELEMENT_ROWS_MAX][3]; ///< d, unit, world axes
  double gap[FFI_ELEMENT_ROWS_MAX];          ///< [m], then [rad]; a against b
} ffi_element_rows;

/// How many rows a type of element has when it is held exactly; 0 for joint elements.
int ffi_element_rows_count(ff_element_type type);

/// An end in the world: its point x [m] and the axes R of its frame; returns its body. poses [body_count].
int ffi_element_rows_end(const ff_model *model, const ffi_pose *poses, const ff_point *end, double x[3],
                         double R[9]);

/// Rows at the poses of the bodies [body_count].
void ffi_element_rows_set(const ff_model *model, const ff_element_def *def, const ffi_pose *poses,
                          ffi_element_rows *out);

/// The length of the linear gaps [m]: how far the ends have drifted apart.
double ffi_element_rows_drift(const ffi_element_rows *rows);

#endif
