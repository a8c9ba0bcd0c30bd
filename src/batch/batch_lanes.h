/// batch_lanes.h: calm steps of a worker's robots, several at once; all other steps by the sim's stepper.
#ifndef FFI_BATCH_BATCH_LANES_H
#define FFI_BATCH_BATCH_LANES_H

#include "batch/batch.h"
#include "step/lanes/lane_kernels.h"

/// What a worker has for calm steps.
struct ffi_batch_lanes {
  const ffi_lane_kernels *kernels;
  ffi_lane_work *work;
  ffi_lane_pass pass;
  int queue[2][FFI_BATCH_BLOCK]; ///< robots that wait for a pass: with one subinterval, with two
  int waiting[2];
  const double *tau; ///< of the step under way, as the user gave it: [.][nv] from robot `first` on, or NULL
  int first;
};

/// Place it in a block (run twice: counting, placing); NULL if the plan has no calm steps, or while counting.
ffi_batch_lanes *ffi_batch_lanes_layout(const ffi_lane_plan *plan, ffi_block *block);

/// One step of each robot first .. last - 1 that has not failed, at most FFI_BATCH_BLOCK. tau [last - first][nv] or
/// NULL.
void ffi_batch_lanes_step(ffi_batch_worker *w, int first, int last, const double *tau);

#endif
