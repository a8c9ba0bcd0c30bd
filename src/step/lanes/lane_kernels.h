/// lane_kernels.h: the steps in lanes of one variant: instruction set and number of lanes.
#ifndef FFI_STEP_LANES_LANE_KERNELS_H
#define FFI_STEP_LANES_LANE_KERNELS_H

#include "step/lanes/lane_pass.h"

typedef struct ffi_lane_work ffi_lane_work;

typedef struct ffi_lane_kernels {
  int lanes;
  /// Place the working memory of a thread in `block` (run twice: counting, placing); NULL while counting.
  ffi_lane_work *(*layout)(const ffi_lane_plan *plan, ffi_block *block);
  /// Try the steps of a pass, by the world's stepper.
  void (*step)(ffi_lane_work *w, ffi_lane_pass *pass);
} ffi_lane_kernels;

/// Those with the most lanes of an instruction set.
const ffi_lane_kernels *ffi_lane_kernels_find(ff_isa isa);

#endif
