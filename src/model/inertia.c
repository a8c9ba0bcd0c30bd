// Sums and transforms of mass distributions, and whether one is physically possible.
#include "model/inertia.h"

#include "math/eigen3.h"
#include "math/quaternion.h"

#include <stdio.h>

ff_inertia ff_inertia_zero(void)
{
  return (ff_inertia){0};
}

ff_inertia ff_inertia_add(const ff_inertia *a, const ff_inertia *b)
{
  ff_inertia sum = {.mass = a->mass + b->mass};
  double wb = sum.mass > 0 ? b->mass / sum.mass : 0.5;
  double apart[3];
  ffi_v3_sub(b->com, a->com, apart);
  ffi_v3_copy(a->com, sum.com);
  ffi_v3_add_scaled(wb, apart, sum.com);
  for (int i = 0; i < 6; ++i)
    sum.matrix[i] = a->matrix[i] + b->matrix[i];
  // Two masses at a distance turn about their common centre like one reduced mass at that distance.
  if (sum.mass > 0)
    ffi_sym3_add_point(a->mass * wb, apart, sum.matrix);
  return sum;
}

ff_inertia ff_inertia_transform(const ff_pose *pose, const ff_inertia *inertia)
{
  ff_inertia out = {.mass = inertia->mass};
  double R[9];
  ff_pose_rotation(pose, R);
  ffi_m3_mulv(R, inertia->com, out.com);
  ffi_v3_add(out.com, pose->position, out.com);
  ffi_sym3_rotate(R, inertia->matrix, out.matrix);
  return out;
}

ffi_inertia_moments ffi_inertia_moments_place(const double p[3], const double R[9], const ff_inertia *inertia)
{
  ffi_inertia_moments out = {.mass = inertia->mass};
  double c[3];
  ffi_m3_mulv(R, inertia->com, c);
  ffi_v3_add(c, p, c);
  ffi_v3_scale(out.mass, c, out.mc);
  ffi_sym3_rotate(R, inertia->matrix, out.I);
  ffi_sym3_add_point(out.mass, c, out.I);
  return out;
}

// I' = R I R' + m (|p|^2 1 - p p') + 2 (p.h) 1 - p h' - h p',  h = R mc: no division by a mass that may be
// zero.
ffi_inertia_moments ffi_inertia_moments_move(const double p[3], const double R[9],
                                             const ffi_inertia_moments *a)
{
  ffi_inertia_moments out = {.mass = a->mass};
  double h[3];
  ffi_m3_mulv(R, a->mc, h);
  ffi_sym3_rotate(R, a->I, out.I);
  ffi_sym3_add_point(a->mass, p, out.I);
  double ph = 2 * ffi_v3_dot(p, h);
  int k = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j)
      out.I[k++] += (i == j ? ph : 0) - p[i] * h[j] - h[i] * p[j];
  ffi_v3_copy(h, out.mc);
  ffi_v3_add_scaled(a->mass, p, out.mc);
  return out;
}

void ffi_inertia_moments_add(const ffi_inertia_moments *a, ffi_inertia_moments *sum)
{
  sum->mass += a->mass;
  ffi_v3_add(sum->mc, a->mc, sum->mc);
  for (int i = 0; i < 6; ++i)
    sum->I[i] += a->I[i];
}

void ffi_inertia_moments_lift(const double p[3], const double R[9], const ff_inertia *inertia, double share,
                              double lift[4])
{
  const ffi_inertia_moments m = ffi_inertia_moments_place(p, R, inertia);
  lift[0] += share * m.mass;
  ffi_v3_add_scaled(share, m.mc, lift + 1);
}

ffi_inertia_suspicion ffi_inertia_suspicious(const ff_inertia *inertia, char *text, size_t room)
{
  double m[3];
  ffi_eigen3(inertia->matrix, m);
  // Rotating a matrix into place and finding its eigenvalues costs some ten roundings of the largest one.
  const double rounding = 64 * DBL_EPSILON * fmax(fabs(m[0]), fabs(m[2]));
  if (m[0] < -rounding) {
    snprintf(text, room, "its inertia is not positive definite: principal moments %.6g, %.6g, %.6g kg m^2",
             m[0], m[1], m[2]);
    return FFI_INERTIA_INDEFINITE;
  }
  double gap = m[2] - (m[0] + m[1]);
  if (gap > rounding) {
    snprintf(text, room,
             "its inertia breaks the triangle inequality: principal moments %.6g, %.6g, %.6g kg m^2 with "
             "%.6g + %.6g < %.6g by %.3g",
             m[0], m[1], m[2], m[0], m[1], m[2], gap);
    return FFI_INERTIA_TRIANGLE;
  }
  return FFI_INERTIA_POSSIBLE;
}
