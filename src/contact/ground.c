#include "contact/scene.h"

#include "math/vec3.h"

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
