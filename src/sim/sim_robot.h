/// sim_robot.h: a robot without a thread: what a sim holds of it beside its workspace. A batch has many, and one sim
/// for each thread that takes them in one after another.
#ifndef FFI_SIM_SIM_ROBOT_H
#define FFI_SIM_SIM_ROBOT_H

#include "sim/sim.h"
#include "step/lanes/lane_pass.h"

typedef struct ffi_sim_robot {
  ff_parameters *parameters; ///< its own, or the world's
  ffi_state *state;
  double *tau, *push, *control; ///< [nv] each, see sim.h
  int has_push, has_control;
  int last_push_id; ///< see sim.h
  double last_push_force, last_push_time;
  ff_step_info info;
  ff_sim_totals totals;
  ffi_sim_judgement judgement;
} ffi_sim_robot;

/// Place state and inputs of a robot of a world in a block (run twice: counting, placing).
void ffi_sim_robot_layout(const ff_world *world, ffi_block *block, ffi_sim_robot *robot);

/// The sim becomes this robot; it is of the same world. What the sim was before is forgotten, unless it was copied by
/// ffi_sim_robot_leave().
void ffi_sim_robot_enter(ff_sim *sim, const ffi_sim_robot *robot);

/// Copy to `robot` what the sim knows of its present robot.
void ffi_sim_robot_leave(const ff_sim *sim, ffi_sim_robot *robot);

/// A step of the robot was taken in lanes: its state has q, v and contacts of the end. Completes it, judges and counts
/// the step. info: of the step, as far as the lanes know it; stamps: given to states so far.
void ffi_sim_robot_step_finish(const ff_world *world, const ff_step_info *info, const ffi_lane_report *report,
                               uint64_t *stamps, ffi_sim_robot *robot);

#endif
