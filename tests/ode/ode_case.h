/// ode_case.h: equations and calls that the tests of ff_ode share. Errors fail the test.
#ifndef FFI_TESTS_ODE_CASE_H
#define FFI_TESTS_ODE_CASE_H

#include <footfall/ode.h>

#define FFI_ODE_CASE_GRAVITY 9.81

/// A ball that is thrown: height and velocity. Its motion is a parabola, which steps and interpolant have exactly.
int ffi_ode_case_thrown(double t, const double *x, double *rate, void *user);

/// A swing: x'' = -x.
int ffi_ode_case_swing(double t, const double *x, double *rate, void *user);

/// A definition of two numbers whose guards are x[0] - height[k]; height ends with NaN.
ff_ode_def ffi_ode_case_def(ff_ode_rate rate, int guards, double *height);

ff_ode *ffi_ode_case_create(const ff_ode_def *def);
void ffi_ode_case_start(ff_ode *ode, double x, double v); ///< at time 0
int ffi_ode_case_advance(ff_ode *ode, double t_end);      ///< the guard that stopped it, or -1

#endif
