/// one_lane.h: the kernels' workspace for code outside the kernels: one lane, so `real` is double.
///
/// The layout of a one-lane workspace is the same for every instruction set.
#ifndef FFI_DYNAMICS_ONE_LANE_H
#define FFI_DYNAMICS_ONE_LANE_H

#ifndef FFI_LANES
#define FFI_LANES 1
#define FFI_ISA base
#endif

#include "dynamics/workspace.h"

#endif
