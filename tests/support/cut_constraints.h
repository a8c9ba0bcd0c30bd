/// cut_constraints.h: the constraints between the pieces of a cut model as dense matrices, from the public kinematics
/// alone.
#ifndef FFI_TESTS_CUT_CONSTRAINTS_H
#define FFI_TESTS_CUT_CONSTRAINTS_H

#include "support/random_state.h"

#include <footfall/cut.h>
#include <footfall/dynamics.h>

/// Rows of all elements of a model that hold two frames.
int ffi_cut_constraints_count(const ff_model *model);

/// J [rows x nv] and gap [rows] at q; either may be NULL. Rows, directions and gaps are the library's (element_rows.h),
/// Jacobians those of the two frames, moved to the row's point here.
void ffi_cut_constraints_place(ff_dynamics *dynamics, const ff_model *model, const double *q, double *J,
                               double *gap);

/// A cut by a preset that drops whatever its joints would lose; a failed test if it is refused.
ff_cut *ffi_cut_constraints_cut(const ff_model *model, ff_cut_set set);
ff_cut *ffi_cut_constraints_cut_at_joints(const ff_model *model, ff_cut_set set); ///< pieces float there

/// A cut at each joint that loses nothing of its rigid-body dynamics, with a probability; NULL if no joint is cut.
/// Joints with damping are included if that may be dropped.
ff_cut *ffi_cut_constraints_cut_some(const ff_model *model, ffi_random *random, double probability,
                                     int drop_damping);

#endif
