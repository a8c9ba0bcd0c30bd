/// frozen_sweep.h: how well the fast path keeps its word, over many random systems.
#ifndef FFI_TESTS_STEP_FROZEN_SWEEP_H
#define FFI_TESTS_STEP_FROZEN_SWEEP_H

typedef struct ffi_frozen_quality {
  int count;                        ///< not capped
  int capped, capped_slides, ramps; ///< capped; those of them that slide; solved again with ramps
  int grows,
      unknown; ///< friction makes them grow, thirtyfold or more; beyond all numbers: they must be capped
  int hidden;  ///< they grow, and are neither right nor capped: left out, and at most one in a thousand
  int rounded; ///< of `count`, beyond the tolerance by no more than rounding
  double worst,
      worst_ramp; ///< largest error of velocity and mean force over the tolerance, of those not capped
  double
      tightest; ///< least bound over error, of those that do not slide and are wrong by far more than rounding
  double worst_slide; ///< largest error of those that slide and are capped
  double substeps;    ///< mean, of all
} ffi_frozen_quality;

/// `count` systems from number `first` on. Fails the test
///
///     if one that is not capped is wrong by more than its tolerance, with ramps or without, in velocity or mean force. From a tolerance of 1e-7 down
///     rounding is allowed for, as ffi_frozen_case_gap derives it.
///     if one without sliding contacts, capped or not, is wrong by more than the bound it reports.
///     if one that slides and is capped is wrong by more than the bound it reports, or by more than what step/frozen_runaway.h allows.
///     if one that is capped could have had more sub-steps, unless it grows.
///     if one without sliding contacts reaches more than its start and the other forces can give.
ffi_frozen_quality ffi_frozen_sweep(double tolerance, int max_substeps, int first, int count);

#endif
