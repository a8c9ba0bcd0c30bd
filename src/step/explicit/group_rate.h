/// group_rate.h: differential equations on a robot's configurations, written in the tangent space where one starts.
#ifndef FFI_STEP_GROUP_RATE_H
#define FFI_STEP_GROUP_RATE_H

#include <footfall/model.h>

/// The rate [nv] of the displacement x [nv] for which q (+) x moves with the velocity v [nv]:
///
///     xdot = v + 1/2 [x, v] + 1/12 [x, [x, v]] + O(x^4)
///
/// the inverse of the exponential's derivative, cut where methods of order 4 need no more (the cubic term is zero). Joints with one
/// coordinate have no brackets. `out` may be v.
void ffi_group_rate(const ff_model *model, const double *x, const double *v, double *out);

#endif
