/// moreau_robot.h: StarlETH on its feet, held by motors, stepped by moreau.
#ifndef FFI_TESTS_STEP_MOREAU_ROBOT_H
#define FFI_TESTS_STEP_MOREAU_ROBOT_H

#include <footfall/sim.h>

/// Destroy the result.
ff_model *ffi_moreau_starleth(void);

/// In the standing posture, with a motor at each joint of one freedom that is told to go elsewhere. Motors saturate at 40 N m, those of every third
/// joint at `weakest` [N m]. Steps of `dt` [s]. Destroy the result.
ff_sim *ffi_moreau_robot(const ff_model *model, const ff_moreau_def *moreau, double dt, double weakest);

#endif
