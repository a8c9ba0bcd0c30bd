/// frozen_sweep.h: how well the fast path keeps its word, over many random systems.
#ifndef FFI_TESTS_STEP_FROZEN_SWEEP_H
#define FFI_TESTS_STEP_FROZEN_SWEEP_H

typedef struct ffi_frozen_quality {
  int count;           ///< not capped
  int capped, ramps;   ///< capped; solved again with ramps
  int off, off_ramp;   ///< of those, wrong by more than 4 times the tolerance in velocity or mean force
  double worst;        ///< velocity, mean and double mean, over the tolerance
  double worst_capped; ///< velocity, relative, of what does not slide
} ffi_frozen_quality;

/// `count` systems from number `first` on. Fails the test if more than 1 of 100 is wrong by more than 4 times the tolerance, or any by
/// more than 300 times (or 1e-5, where rounding of large forces shows), without saying so; or if a capped one is not bounded: off by more than 10 times the velocity.
ffi_frozen_quality ffi_frozen_sweep(double tolerance, int max_substeps, int first, int count);

#endif
