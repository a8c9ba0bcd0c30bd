#include "contact/scene.h"

#include "math/vec3.h"

#include <math.h>

void ffi_contact_tangents(const double n[3], double t1[3], double t2[3])
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

void ffi_ground_velocity(const ffi_ground *ground, const double x[3], double velocity[3])
{
  double arm[3], turning[3];
  ffi_v3_sub(x, ground->place.p, arm);
  ffi_v3_cross(ground->velocity + 3, arm, turning);
  ffi_v3_add(ground->velocity, turning, velocity);
}
