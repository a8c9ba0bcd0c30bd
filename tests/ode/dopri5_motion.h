/// dopri5_motion.h: a motion that a test integrates by Dormand and Prince's steps, in memory of its own.
#ifndef FFI_TESTS_DOPRI5_MOTION_H
#define FFI_TESTS_DOPRI5_MOTION_H

#include "ode/dopri5.h"

typedef struct ffi_dopri5_motion {
  ffi_dopri5 steps;
  int calls;
  double limit; ///< where a rate that has a limit is refused, or a step
  char memory[8192];
} ffi_dopri5_motion;

ffi_dopri5_motion ffi_dopri5_motion_with_tolerance(double tolerance);
ffi_dopri5_motion ffi_dopri5_motion_with_fixed_step(double step);

/// Begin at (t, x) with states of `size` and velocities of `tangent` numbers.
void ffi_dopri5_motion_begin(ffi_dopri5_motion *m, int size, int tangent, ff_ode_rate rate, double t,
                             const double *x);

/// On to t_end.
void ffi_dopri5_motion_go(ffi_dopri5_motion *m, double t_end);

#endif
