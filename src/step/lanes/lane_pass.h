/// lane_pass.h: one pass of steps in lanes: several robots, one in each lane, and what becomes of each.
///
/// The kernels (lane_kernels.h) read and write it; its caller fills it.
#ifndef FFI_STEP_LANES_LANE_PASS_H
#define FFI_STEP_LANES_LANE_PASS_H

#include "step/lanes/lane_plan.h"

enum { FFI_LANE_MOST_LANES = 8 };

/// The robot in a lane.
typedef struct ffi_lane_robot {
  const ffi_state *from;
  ffi_state *to;     ///< if the step is done: q, v and contacts at its end. May be `from`
  const double *tau; ///< [nv] all that is given for this step
  const ff_parameters *parameters;
} ffi_lane_robot;

/// What the kernels say of a lane.
typedef enum ffi_lane_outcome {
  FFI_LANE_DONE,  ///< its `to` is the state at the end
  FFI_LANE_FINER, ///< it needs more subintervals
  FFI_LANE_ALONE, ///< its step must be taken by the general stepper
} ffi_lane_outcome;

/// Why a lane is not done.
typedef enum ffi_lane_reason {
  FFI_LANE_STATE, ///< contacts that no step in lanes leaves, springs that a jump of the geometry has stretched
  FFI_LANE_TOUCH, ///< something new touches, or may
  FFI_LANE_SLIP,  ///< a contact slides or parts
  FFI_LANE_JOINT, ///< a motor saturates, a joint is near a stop
  FFI_LANE_ERROR, ///< too few subintervals
  FFI_LANE_FAST,  ///< moves or turns too far
  FFI_LANE_REASONS
} ffi_lane_reason;

/// What is known of a step that is done.
typedef struct ffi_lane_report {
  double penetration, force_error; ///< of ff_step_info
  int slipping;                    ///< the same
  int push_id;                     ///< the contact with the largest force; -1: there is none
  double push;                     ///< its force [N]
  double control_work;             ///< of tau over the step [J]
  double reference_work;           ///< of the moving references of motors, at most [J]
  double energy[2];                ///< at the start: total; in motion and springs [J]
} ffi_lane_report;

typedef struct ffi_lane_pass {
  double dt;
  int subintervals; ///< of expo
  int lanes;        ///< in use
  ffi_lane_robot lane[FFI_LANE_MOST_LANES];
  ffi_lane_outcome outcome[FFI_LANE_MOST_LANES]; ///< out
  ffi_lane_reason reason[FFI_LANE_MOST_LANES];   ///< out: why not, if it is not done
  ffi_lane_report report[FFI_LANE_MOST_LANES];   ///< out
} ffi_lane_pass;

#endif
