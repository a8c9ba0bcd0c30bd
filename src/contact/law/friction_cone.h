/// friction_cone.h: all projections onto the friction cone |f_t| <= mu f_n, f_n >= 0.
///
///   - ffi_friction_cone_project: the projection of the Expo paper, which keeps the normal part (soft contact);
///   - ffi_friction_cone_nearest: the nearest point in the metric 1/r, and its derivative (impact map, cone or
///     pyramid);
///   - ffi_friction_cone_disc: the nearest point of the disc that a given normal impulse leaves (hard contact).
#ifndef FFI_CONTACT_FRICTION_CONE_H
#define FFI_CONTACT_FRICTION_CONE_H

#include <math.h>

/// Brings a force into the friction cone about the unit vector n: a force that pulls becomes zero, a tangential part
/// that exceeds mu times the normal part is shortened, its direction kept. Expo paper eqs 21-24 (its authors'
/// projection, which keeps the normal part). Returns 1 if the force changed.
int ffi_friction_cone_project(double mu, const double n[3], double force[3]);

/// The point of the cone nearest to x in the metric 1/r, docs/theory/impact.md eq. 4. Where r_n = 0 the normal part is
/// zero, where r_t = 0 the tangential part is.
///   faces      0: round cone; else sides of a regular pyramid about it
///   r, x, out  [3] t1, t2, n; r of the two tangents is the same
void ffi_friction_cone_nearest(double mu, int faces, const double *r, const double *x, double *out);

/// Its derivative D = d out / d x [3][3]. Returns how many rows are not fixed: 0, 1 (the normal) or 3.
int ffi_friction_cone_derivative(double mu, int faces, const double *r, const double *x, double *D);

/// (x, y) to the nearest point of the disc of this radius, >= 0. Moreau paper eq. 13
static inline void ffi_friction_cone_disc(double radius, double *x, double *y)
{
  const double squared = *x * *x + *y * *y;
  if (squared > radius * radius) {
    const double shorter = radius / sqrt(squared);
    *x *= shorter;
    *y *= shorter;
  }
}

#endif
