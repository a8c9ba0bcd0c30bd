/// lie.h: exponentials, logarithms and Jacobians of the groups that joints move in.
///
/// SO(3): rotations as unit quaternions (x y z w), tangents w [rad].
/// SE(3): poses (p, quaternion), tangents xi = (linear, angular).
/// SE(2): planar poses (x, y, angle), tangents xi = (vx, vy, rate).
///
/// A tangent is a velocity in the moving body's own axes, held for one unit of time: g exp(xi) is where the
/// body at g is after it. Jacobians say how exp answers to a change of its argument:
///
///     exp(xi + d) = exp(xi) exp(right(xi) d) = exp(left(xi) d) exp(xi) + O(d^2),     left(xi) = right(-xi)
///
/// All are accurate to a few eps of their own size for every angle below 2 pi: half-angle forms where they
/// exist, power series where a difference would cancel. A logarithm is the shortest one, angle <= pi, and
/// loses nothing near pi, where rotation matrices would. Matrices are row-major. Outputs must not overlap
/// inputs.
#ifndef FFI_MATH_LIE_H
#define FFI_MATH_LIE_H

void ffi_lie_so3_exp(const double w[3], double q[4]);
void ffi_lie_so3_log(const double q[4], double w[3]); ///< q and -q give the same
void ffi_lie_so3_left(const double w[3], double J[9]);
void ffi_lie_so3_right(const double w[3], double J[9]);
void ffi_lie_so3_left_inverse(const double w[3], double J[9]);
void ffi_lie_so3_right_inverse(const double w[3], double J[9]);

void ffi_lie_se3_exp(const double xi[6], double p[3], double q[4]);
void ffi_lie_se3_log(const double p[3], const double q[4], double xi[6]);
void ffi_lie_se3_left(const double xi[6], double J[36]);
void ffi_lie_se3_right(const double xi[6], double J[36]);
void ffi_lie_se3_left_inverse(const double xi[6], double J[36]);
void ffi_lie_se3_right_inverse(const double xi[6], double J[36]);

/// How a tangent changes when it is seen from the other frame of a pose, Ad(g): xi_A = Ad xi_B.
void ffi_lie_se3_adjoint(const double p[3], const double q[4], double Ad[36]);

void ffi_lie_se2_exp(const double xi[3], double g[3]);
void ffi_lie_se2_log(const double g[3], double xi[3]); ///< the rate comes out in [-pi, pi]
void ffi_lie_se2_left(const double xi[3], double J[9]);
void ffi_lie_se2_right(const double xi[3], double J[9]);
void ffi_lie_se2_left_inverse(const double xi[3], double J[9]);
void ffi_lie_se2_right_inverse(const double xi[3], double J[9]);
void ffi_lie_se2_adjoint(const double g[3], double Ad[9]);

#endif
