/// differences.h: derivatives in time of anything that depends on q and v, by finite differences.
///
/// The state moves along q(t) = q (+) t v, v(t) = v + t vdot, whose derivative at t = 0 is (v, vdot) in every
/// joint's own way; four values at t = +-h, +-2h give the derivative with an error of h^4/30 times the fifth
/// derivative.
#ifndef FFI_TESTS_DIFFERENCES_H
#define FFI_TESTS_DIFFERENCES_H

#include "dynamics/cases.h"

/// Something with n components at a state; may call anything of c->dynamics.
typedef void ffi_quantity(ffi_case *c, const double *q, const double *v, const void *data, double *out);

/// The path from c->q and the step of the differences along it.
typedef struct ffi_differences_path {
  const double *v, *vdot; ///< [nv]
  double h;               ///< [s]
} ffi_differences_path;

/// out [n] = d/dt of the quantity at c->q and v, moving with v and vdot.
void ffi_derivative(ffi_case *c, ffi_quantity *quantity, const void *data, int n, ffi_differences_path path,
                    double *out);

/// Angular velocity, world axes, from a rotation R and its derivative: the axial vector of Rdot R'.
void ffi_angular_velocity(const double R[9], const double Rdot[9], double omega[3]);

#endif
