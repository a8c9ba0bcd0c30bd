/// dopri5.h: steps of Dormand and Prince's pair of orders 5(4), with its interpolant of order 4 (Hairer, Norsett and
/// Wanner, II.5, II.6). ode.md
///
/// Steps are taken in displacements from the state at the beginning of the step, so states may live on a manifold;
/// see footfall/ode.h for retract and pull. The slope at the end of a step is the slope at the beginning of the next
/// one, unless the field or the state has changed in between: then call ffi_dopri5_go_on().
///
/// **Error control.** A step is accepted if each number of its error estimate is at most absolute + relative * size,
/// where size is the larger of |x| at both ends, or 1 on a manifold, whose states have no size of their own. The next
/// length follows from this error and the one before it (II.4, PI control). A rate that is refused or not finite
/// shortens the step. A step that is cut by t_end does not shorten the next one.
///
/// The next step depends only on t, x, h, log_error, and slope[0] if has_slope (evaluating it again gives the same
/// bits).
#ifndef FFI_ODE_DOPRI5_H
#define FFI_ODE_DOPRI5_H

#include "base/block.h"

#include <footfall/ode.h>

enum { FFI_DOPRI5_STAGES = 7 };

typedef struct ffi_dopri5 {
  int size, tangent;
  ff_ode_rate rate;
  ff_ode_retract retract;
  ff_ode_pull pull;
  void *user;
  double relative_tolerance, absolute_tolerance, max_step, fixed_step, first_step;

  double t;      ///< now
  double *x;     ///< [size] now
  double h;      ///< length of the next step that the controller wants, >= 0; 0: not chosen yet
  int has_slope; ///< is slope[0] that at (t, x)?
  double *slope[FFI_DOPRI5_STAGES]; ///< [tangent] each; after a step slope[0] is that at its end
  double *velocity;                 ///< [tangent] before it is pulled
  double from, to;                  ///< times of the last step
  double *x_from;                   ///< [size] state at its beginning
  double *dense[4];                 ///< [tangent] coefficients of its interpolant
  double *trial_x, *trial_d;        ///< [size], [tangent]
  double log_error;                 ///< logarithm of the last accepted step's error, for the controller
  ff_ode_info info;
} ffi_dopri5;

/// Are all numbers finite? 0 times an infinity or NaN is not 0.
static inline int ffi_dopri5_all_finite(int n, const double *x)
{
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += 0 * x[i];
  return sum == 0;
}

/// Place the arrays in a block (run twice: counting, placing). Sizes must be set.
void ffi_dopri5_layout(ffi_dopri5 *d, ffi_block *block);

/// Begin at (t, x); counts are cleared and the first step is chosen anew.
void ffi_dopri5_begin(ffi_dopri5 *d, double t, const double *x);

/// Go on from (t, x) with the same step length: after a jump, or with another field. x may be d->x.
void ffi_dopri5_go_on(ffi_dopri5 *d, double t, const double *x);

/// One accepted step, not beyond t_end (which may lie before t; at t itself nothing is done). FF_ERROR_NUMERIC: no
/// rate, or steps too short; d->t and d->x are then as before. Bounded: each trial is shorter than the one before by
/// a tenth at least.
ff_status ffi_dopri5_step(ffi_dopri5 *d, double t_end, ff_error *error);

/// The state at time t by the interpolant of the last step; at its ends the very bits of the states there. x must not
/// be d->x. Uses trial_d.
void ffi_dopri5_at(const ffi_dopri5 *d, double t, double *x);

/// Cut the last step short at t inside of it: (t, x) becomes the present, the interpolant stays that of the whole
/// step.
void ffi_dopri5_cut(ffi_dopri5 *d, double t);

#endif
