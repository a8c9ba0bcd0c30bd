/// lane_plan.h: what of a world the steps in lanes need, listed once.
///
/// Robots of one world do the same arithmetic as long as nothing rare happens. Then several take their steps together,
/// one in each lane of the processor's vectors (kernels/lane_step.c). What is rare shows as a lane that is refused, and
/// that robot's step is taken by the general stepper. Of `expo`, calm steps are taken in lanes: those without events,
/// in which all contacts stick, no motor saturates, no joint comes near its stops and nothing new touches.
///
/// Not all worlds can have steps in lanes; `why_not` says why.
#ifndef FFI_STEP_LANES_LANE_PLAN_H
#define FFI_STEP_LANES_LANE_PLAN_H

#include "base/block.h"
#include "step/frozen/frozen.h"

enum { FFI_LANE_SAMPLES = 4, FFI_LANE_MOST_FEATURES = 128, FFI_LANE_MOST_APART = 64 };

/// A point, or a ball about a point, that can touch a plane.
typedef struct ffi_lane_feature {
  int id, pair; ///< of its contact
  int body;
  double centre[3]; ///< in the body's internal frame [m]
  double radius;    ///< 0: a material point [m]
  int plane;
} ffi_lane_feature;

/// A plane that does not move with a robot.
typedef struct ffi_lane_plane {
  int ground;    ///< -1: a shape that is fixed to the world, at `at`
  ffi_pose at;   ///< the normal is its z axis
  double offset; ///< of the boundary along the normal [m]
} ffi_lane_plane;

/// Two balls, or a ball and a half space, that must stay apart: their shapes touch in other ways.
typedef struct ffi_lane_apart {
  int body_a, body_b; ///< body_b -1: the half space `plane`
  double a[3], b[3];  ///< centres in the bodies' internal frames [m]
  int plane;
  double reach; ///< sum of the radii [m]
} ffi_lane_apart;

/// A motor, spring or stop on one joint.
typedef struct ffi_lane_joint {
  int element, q, v;
} ffi_lane_joint;

/// Constants of the poles, as in ffi_frozen and ffi_expo_events.
typedef struct ffi_lane_poles {
  double inverse[5][FFI_COMPLEX], weight[5][FFI_COMPLEX], unresolved[4][FFI_COMPLEX];
  double position_weight[FFI_LANE_SAMPLES][FFI_COMPLEX], velocity_weight[FFI_LANE_SAMPLES][FFI_COMPLEX];
  double swing[FFI_COMPLEX];
} ffi_lane_poles;

typedef struct ffi_lane_plan {
  const ff_world *world;
  const char *why_not; ///< why no step can be taken in lanes, in words; NULL: some can
  int feature_count;
  ffi_lane_feature *feature; ///< in increasing order of id
  int *feature_of_id;        ///< [ids] -1: contacts of other kinds
  int plane_count;
  ffi_lane_plane *plane;
  int apart_count;
  ffi_lane_apart *apart; ///< [at most FFI_LANE_MOST_APART]
  int motor_count, stop_count;
  ffi_lane_joint *motor, *stop;
  double length; ///< a turn of 1 rad of any joint moves no feature by more [m]
  ffi_lane_poles poles;
} ffi_lane_plan;

/// Place and fill the lists in a block (run twice: counting, placing).
void ffi_lane_plan_layout(const ff_world *world, ffi_block *block, ffi_lane_plan *plan);

#endif
