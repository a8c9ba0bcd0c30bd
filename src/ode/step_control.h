/// step_control.h: how long the next step is, after one whose error is known. Hairer, Norsett, Wanner, "Solving Ordinary Differential Equations I", II.4: PI control.
///
/// An error is that of one step over what is allowed, and goes with the length to the power of 1/inverse_order. Logarithms are natural.
#ifndef FFI_ODE_STEP_CONTROL_H
#define FFI_ODE_STEP_CONTROL_H

#include <math.h>

typedef struct ffi_step_control {
  double inverse_order; ///< 1/k, the error of a step of length h being C h^k
  double beta;          ///< how much the error of the step before counts: Hairer takes 0.2/k
} ffi_step_control;

/// What the error before the first step's is taken to be: (II.4.24)'s start in Hairer's code, 1e-4. The memory of an error is not below it either.
static const double ffi_step_control_first_log_error = -9.210340371976182;

/// By how much the length changes after a step that was taken.
static inline double ffi_step_control_factor(const ffi_step_control *c, double log_before, double log_error)
{
  const double safety = 0.9;
  const double change = safety * exp(c->beta * log_before - (c->inverse_order - 0.75 * c->beta) * log_error);
  return change > 10 ? 10 : change < 0.2 ? 0.2 : change;
}

/// The same after one that was too long: without the memory of the step before.
static inline double ffi_step_control_factor_rejected(const ffi_step_control *c, double log_error)
{
  const double safety = 0.9;
  return fmin(0.9, fmax(0.2, safety * exp(-(c->inverse_order - 0.75 * c->beta) * log_error)));
}

#endif
