// Poses: a position and a unit quaternion.
#include <footfall/pose.h>

#include "math/quaternion.h"

// Back to unit length. A quaternion that is no rotation (zero, or not finite) stays as it is, for a creator to refuse.
static void tidy(double quaternion[4])
{
  double unit[4];
  if (ffi_quat_normalize(quaternion, unit))
    memcpy(quaternion, unit, sizeof unit);
}

ff_pose ff_pose_identity(void)
{
  return (ff_pose){.quaternion = {0, 0, 0, 1}};
}

ff_pose ff_pose_from_rpy(const double position[3], const double rpy[3])
{
  const double roll[4] = {sin(rpy[0] / 2), 0, 0, cos(rpy[0] / 2)};
  const double pitch[4] = {0, sin(rpy[1] / 2), 0, cos(rpy[1] / 2)};
  const double yaw[4] = {0, 0, sin(rpy[2] / 2), cos(rpy[2] / 2)};
  ff_pose pose;
  ffi_v3_copy(position, pose.position);
  ffi_quat_mul(yaw, pitch, pose.quaternion);
  ffi_quat_mul(pose.quaternion, roll, pose.quaternion);
  tidy(pose.quaternion);
  return pose;
}

ff_pose ff_pose_from_rotation(const double position[3], const double R[9])
{
  ff_pose pose;
  ffi_v3_copy(position, pose.position);
  ffi_quat_from_matrix(R, pose.quaternion);
  return pose;
}

ff_pose ff_pose_compose(const ff_pose *a, const ff_pose *b)
{
  ff_pose c;
  ffi_quat_rotate(a->quaternion, b->position, c.position);
  ffi_v3_add(c.position, a->position, c.position);
  ffi_quat_mul(a->quaternion, b->quaternion, c.quaternion);
  tidy(c.quaternion);
  return c;
}

ff_pose ff_pose_inverse(const ff_pose *a)
{
  ff_pose c;
  ffi_quat_conjugate(a->quaternion, c.quaternion);
  ffi_quat_rotate(c.quaternion, a->position, c.position);
  ffi_v3_scale(-1, c.position, c.position);
  return c;
}

void ff_pose_rotation(const ff_pose *pose, double R[9])
{
  ffi_quat_matrix(pose->quaternion, R);
}
