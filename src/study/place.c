// Placing a robot on a plane: the gap under its lowest point, lifting, tilting.
#include <footfall/place.h>

#include "model/shape/shape_lowest.h"

#include <math.h>
#include <string.h>

static void normal_of(const ff_pose *plane, double n[3])
{
  double R[9];
  ff_pose_rotation(plane, R);
  for (int k = 0; k < 3; ++k)
    n[k] = R[3 * k + 2];
}

static double dot(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// The least n . x over a shape on a frame at (position, R), in the world; NAN if it is not known.
static double lowest_in_world(const ff_shape_def *s, const double position[3], const double R[9],
                              const double n[3])
{
  double in_frame[3], in_shape[3], own[9];
  ff_pose_rotation(&s->pose, own);
  for (int k = 0; k < 3; ++k)
    in_frame[k] = R[k] * n[0] + R[3 + k] * n[1] + R[6 + k] * n[2];
  for (int k = 0; k < 3; ++k)
    in_shape[k] = own[k] * in_frame[0] + own[3 + k] * in_frame[1] + own[6 + k] * in_frame[2];
  return ffi_shape_lowest(s, in_shape) + (dot(n, position) + dot(in_frame, s->pose.position));
}

double ff_place_gap(const ff_model *model, ff_dynamics *dynamics, const double *q, const ff_pose *plane)
{
  const int count = ff_model_get_size(model).shapes;
  double n[3], lowest = (double)NAN;
  normal_of(plane, n);
  ff_dynamics_kinematics(dynamics, q, NULL, NULL);
  for (int i = 0; i < count; ++i) {
    ff_shape_info shape;
    ff_frame_info frame;
    double position[3], R[9];
    ff_model_shape(model, i, &shape);
    ff_model_frame(model, shape.frame, &frame);
    if (frame.joint < 0 || !(shape.def.purpose & FF_SHAPE_COLLISION))
      continue;
    ff_dynamics_frame_pose(dynamics, shape.frame, position, R);
    lowest = fmin(lowest, lowest_in_world(&shape.def, position, R, n)); // fmin ignores NAN
  }
  return lowest - dot(n, plane->position);
}

int ff_place_lift(const ff_model *model, const ff_pose *plane, double height, double *q)
{
  const int joints = ff_model_get_size(model).joints;
  double n[3];
  int count = 0;
  normal_of(plane, n);
  for (int j = 0; j < joints; ++j) {
    ff_joint_info joint;
    ff_model_joint(model, j, &joint);
    if (joint.type != FF_JOINT_FREE)
      continue;
    ++count;
    for (int k = 0; k < 3; ++k)
      q[joint.q + k] += height * n[k];
  }
  return count;
}

int ff_place_tilt(const ff_model *model, const ff_pose *plane, double *q)
{
  const int joints = ff_model_get_size(model).joints;
  int count = 0;
  for (int j = 0; j < joints; ++j) {
    ff_joint_info joint;
    ff_pose pose;
    ff_model_joint(model, j, &joint);
    if (joint.type != FF_JOINT_FREE)
      continue;
    ++count;
    memcpy(pose.position, q + joint.q, sizeof pose.position);
    memcpy(pose.quaternion, q + joint.q + 3, sizeof pose.quaternion);
    pose = ff_pose_compose(plane, &pose);
    memcpy(q + joint.q, pose.position, sizeof pose.position);
    memcpy(q + joint.q + 3, pose.quaternion, sizeof pose.quaternion);
  }
  return count;
}
