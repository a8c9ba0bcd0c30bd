/// one_robot.h: the kernels' workspace as code outside the kernels sees it: one lane, so `real` is double.
///
/// The layout of a one-lane workspace is the same for every instruction set.
#ifndef FFI_DYNAMICS_ONE_ROBOT_H
#define FFI_DYNAMICS_ONE_ROBOT_H

#ifndef FFI_LANES
#define FFI_LANES 1
#define FFI_ISA base
#endif

#include "dynamics/workspace.h"

#endif
