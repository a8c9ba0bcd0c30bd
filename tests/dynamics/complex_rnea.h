/// complex_rnea.h: inverse dynamics over complex numbers, for derivatives without differences.
///
/// For an analytic function f(x + i h) = f(x) + i h f'(x) - h^2 f''(x) / 2 ...: with h = 1e-40 the imaginary part over
/// h is the derivative to the last digit, since nothing is subtracted. This is Newton and Euler in world axes, link by
/// link, each link's force walked down to its root: no recursion, no internal frames, nothing of the library but
/// queries of the model.
#ifndef FFI_TESTS_COMPLEX_RNEA_H
#define FFI_TESTS_COMPLEX_RNEA_H

#include <footfall/dynamics.h>

#include <complex.h>

typedef double complex ffi_complex;

/// Where the robot is and how it moves. The configuration is q (+) step, exact to first order in step.
typedef struct ffi_complex_state {
  const double *q;                    ///< [nq]
  const ffi_complex *step, *v, *vdot; ///< [nv]
  const ff_point_force *forces;       ///< on frames of links only
  int count;
} ffi_complex_state;

/// tau [nv] = M vdot + h - sum J' f.
void ffi_complex_rnea(const ff_model *model, const ffi_complex_state *state, ffi_complex *tau);

/// Input of inverse dynamics, in real numbers.
typedef struct ffi_complex_rnea_input {
  const double *q;              ///< [nq]
  const double *v, *vdot;       ///< [nv]
  const ff_point_force *forces; ///< [count]
  int count;
} ffi_complex_rnea_input;

/// dtau_dq and dtau_dv [nv x nv] by complex steps. Forces as for ffi_complex_rnea().
void ffi_complex_derivatives(const ff_model *model, const ffi_complex_rnea_input *at, double *dtau_dq,
                             double *dtau_dv);

#endif
