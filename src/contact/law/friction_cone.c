#include "contact/law/friction_cone.h"

#include "math/vec3.h"

#include <math.h>

int ffi_friction_cone_project(double mu, const double n[3], double force[3])
{
  const double normal = ffi_v3_dot(force, n);
  if (normal <= 0) {
    const int was_zero = force[0] == 0 && force[1] == 0 && force[2] == 0;
    ffi_v3_set(0, 0, 0, force);
    return !was_zero;
  }
  double t[3];
  for (int k = 0; k < 3; ++k)
    t[k] = force[k] - normal * n[k];
  const double length = sqrt(ffi_v3_dot(t, t)), most = mu * normal;
  if (!(length > most))
    return 0;
  for (int k = 0; k < 3; ++k)
    force[k] = normal * n[k] + t[k] * (most / length);
  return 1;
}
