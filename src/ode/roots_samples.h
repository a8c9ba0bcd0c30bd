/// roots_samples.h: which guards pass zero in a step, and roughly where, by samples of it. The first part of a search; narrowing down is the second, in roots.c.
///
/// Samples are taken at the quarters of the step and close to both ends. Values in the middle between quarters are guessed from them, exactly for a
/// polynomial of degree 4, and looked up where the guess makes a difference: where it is beyond zero, or nearer to it than its neighbours are.
#ifndef FFI_ODE_ROOTS_SAMPLES_H
#define FFI_ODE_ROOTS_SAMPLES_H

#include "ode/roots.h"

/// One search for the first pass in a step.
typedef struct ffi_roots_samples {
  double time[FFI_ROOTS_SAMPLES + 1];          ///< of the samples, the step's beginning first
  signed char is_known[FFI_ROOTS_SAMPLES + 1]; ///< or guessed
  double forward;                              ///< +1 or -1
  double exact;                                ///< enclosures need not be shorter
  int halved; ///< whose ends' values are halved as they stay: the Illinois rule
  int stayed; ///< which of them stayed: -1 low, +1 high, 0 none
} ffi_roots_samples;

/// Sample the step from `from` to `to`, and enclose the first pass of each guard that is asked for: low, high and the values there, or NaN.
/// 0: none passes.
int ffi_roots_samples_take(ffi_roots *r, ffi_roots_samples *s, double from, double to);

/// The last time before t at which all guards are known, and guard k's value there, as the low end of an enclosure that ends at t with `value`.
void ffi_roots_samples_enclose_late(ffi_roots *r, const ffi_roots_samples *s, int k, double t, double value);

/// Is sample i in the middle between quarters?
static inline int ffi_roots_samples_is_middle(int i)
{
  return i % 2 == 0 && i > 0 && i < FFI_ROOTS_SAMPLES;
}

static inline void ffi_roots_samples_evaluate(ffi_roots *r, double t, double *value)
{
  ++r->evaluations;
  r->at(t, value, r->user);
}

static inline signed char ffi_roots_samples_sign(double value)
{
  return (signed char)((value > 0) - (value < 0));
}

/// Has a guard that was on `side` passed at this value? Not a number has not.
static inline int ffi_roots_samples_has_passed(int side, double value)
{
  return side != 0 && side * value <= 0;
}

/// Is passing from this side asked for?
static inline int ffi_roots_samples_is_wanted(const ffi_roots *r, int k, int side)
{
  const int direction = r->direction ? r->direction[k] : 0;
  return direction == 0 || direction == -side;
}

#endif
