/// roots.h: where functions of time first pass zero inside a step. ode.md, section 4
///
/// The functions, *guards*, are given by their values along the step, from an interpolant. Every guard has a *side*:
/// the sign of its last value. It passes where it reaches zero or the other sign, in a direction that is asked for. A
/// guard whose side is 0 was zero and has to leave first: its next sign is its side.
///
/// **What is found.** A step is sampled at its quarters and close to both of its ends, and at those eighths where a
/// guess from the quarters would matter. A sign that changes from one sample to the next is a root. Three samples
/// with the least |value| in their middle may hide two roots, a dip through zero and back. There the bottom is
/// searched until it is on the other side, or, if the guard is convex, could not be. Not found are pairs of roots
/// between two samples that no sample around them hints at. The first root is enclosed to a few units in the last
/// place; the result is the end of the enclosure at which the guard has passed. Where the guard is exactly zero
/// there, it is followed until it is beyond, by 1e-7 of the step at most, so that its new side is known.
///
/// Guards are evaluated all together, so a search for one shrinks the enclosures of all.
#ifndef FFI_ODE_ROOTS_H
#define FFI_ODE_ROOTS_H

#include "base/block.h"

enum {
  FFI_ROOTS_SAMPLES = 10, ///< in a step, with its end; four of them are evaluated only where they matter
  FFI_ROOTS_IGNORE = 2,   ///< a direction: not searched for
};

typedef struct ffi_roots {
  int guards;
  /// value [guards] at time t of the present step.
  void (*at)(double t, double *value, void *user);
  void *user;
  const signed char *direction; ///< [guards] +1 rising, -1 falling, 0 both, FFI_ROOTS_IGNORE; NULL: both

  signed char *side;                 ///< [guards] -1, +1; 0: has to leave zero first
  double *value;                     ///< [guards] at the present time
  double *sample[FFI_ROOTS_SAMPLES]; ///< [guards] values in the step
  double *trial;                     ///< [guards]
  double *low, *high;                ///< [guards] times between which each passes first; NaN if it does not
  double *low_value, *high_value;    ///< [guards] there
  signed char *low_side;             ///< [guards] before it passes
  long long evaluations;             ///< since it was set to 0
} ffi_roots;

/// Place the arrays in a block (run twice: counting, placing). `guards` must be set.
void ffi_roots_layout(ffi_roots *r, ffi_block *block);

/// Set the sides from the signs of `value`, which the caller has set.
void ffi_roots_begin(ffi_roots *r);

/// The first guard that passes in (from, to], `to` after or before `from`; value and side are those at `from`. 1:
/// there is one, at *t; 0: none, *t = to. value is then that at *t. The sides of guards that passed in a direction
/// that is not asked for are updated. Guards that have passed wait for ffi_roots_take().
int ffi_roots_find(ffi_roots *r, double from, double to, double *t);

/// The lowest guard that has passed and was not taken yet, or -1; it is then on its new side.
int ffi_roots_take(ffi_roots *r);

/// The lowest guard whose value is not a number, or -1.
int ffi_roots_lost(const ffi_roots *r);

#endif
