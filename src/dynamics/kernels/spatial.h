/// spatial.h: spatial vectors (linear, angular) over lanes, all seen from one origin and in the same axes.
#ifndef FFI_DYNAMICS_KERNELS_SPATIAL_H
#define FFI_DYNAMICS_KERNELS_SPATIAL_H

#include "dynamics/lanes.h"

typedef struct spatial {
  vec3 lin, ang;
} spatial;

FFI_ALWAYS spatial spatial_of(vec3 lin, vec3 ang)
{
  spatial x = {lin, ang};
  return x;
}
FFI_ALWAYS spatial load6(const real *a)
{
  return spatial_of(load3(a), load3(a + 3));
}
FFI_ALWAYS void store6(real *a, spatial x)
{
  store3(a, x.lin);
  store3(a + 3, x.ang);
}
FFI_ALWAYS spatial add6(spatial a, spatial b)
{
  return spatial_of(add(a.lin, b.lin), add(a.ang, b.ang));
}
FFI_ALWAYS spatial axpy6(real s, spatial a, spatial b) // s a + b
{
  return spatial_of(axpy(s, a.lin, b.lin), axpy(s, a.ang, b.ang));
}
FFI_ALWAYS real dot6(spatial a, spatial b)
{
  return a.lin.x * b.lin.x + a.lin.y * b.lin.y + a.lin.z * b.lin.z + a.ang.x * b.ang.x + a.ang.y * b.ang.y +
         a.ang.z * b.ang.z;
}
/// V x X of two motions.
FFI_ALWAYS spatial cross_motion(spatial v, spatial x)
{
  return spatial_of(add_cross(cross(v.ang, x.lin), v.lin, x.ang), cross(v.ang, x.ang));
}
/// V x* F of a motion and a force.
FFI_ALWAYS spatial cross_force(spatial v, spatial f)
{
  return spatial_of(cross(v.ang, f.lin), add_cross(cross(v.lin, f.lin), v.ang, f.ang));
}

#endif
