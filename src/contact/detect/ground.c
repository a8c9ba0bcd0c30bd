#include "contact/detect/colliders.h"

#include "math/lie.h"
#include "math/mat3.h"
#include "math/quaternion.h"

#include <math.h>

void ffi_contact_frame_tangents(const double n[3], double t1[3], double t2[3])
{
  const int axis = fabs(n[0]) < 0.9 ? 0 : 1;
  for (int i = 0; i < 3; ++i)
    t1[i] = (i == axis) - n[axis] * n[i];
  ffi_v3_scale(1 / ffi_v3_norm(t1), t1, t1);
  ffi_v3_cross(n, t1, t2);
}

ff_ground_def ff_ground_def_default(void)
{
  ff_ground_def def = {.shape = ff_shape_def_default()};
  def.shape.type = FF_SHAPE_PLANE;
  const double inf = (double)INFINITY;
  def.shape.material = (ff_material){.stiffness = inf, .damping = inf, .friction = inf, .restitution = 0};
  return def;
}

void ffi_ground_velocity(const ffi_pose *place, const double *motion, const double x[3], double velocity[3])
{
  double arm[3], turning[3];
  ffi_v3_sub(x, place->p, arm);
  ffi_v3_cross(motion + 3, arm, turning);
  ffi_v3_add(motion, turning, velocity);
}

// Constant velocity of the origin, constant angular velocity about it: exact. A ground that does not turn keeps its bits.
void ffi_ground_move(const ffi_pose *from, const double velocity[6], double dt, ffi_pose *to)
{
  const double turn[3] = {velocity[3] * dt, velocity[4] * dt, velocity[5] * dt};
  *to = *from;
  for (int i = 0; i < 3; ++i)
    to->p[i] += velocity[i] * dt;
  if (turn[0] == 0 && turn[1] == 0 && turn[2] == 0)
    return;
  double quaternion[4], step[9], R[9];
  ffi_lie_so3_exp(turn, quaternion);
  ffi_quat_matrix(quaternion, step);
  ffi_m3_mul(step, to->R, R);
  ffi_m3_polish(R);
  ffi_m3_copy(R, to->R);
}
