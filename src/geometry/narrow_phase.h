/// narrow_phase.h: the request for one pair of solids, and the functions that know a kind of pair.
///
/// Most functions work in B's frame, where a box has its faces along the axes and a plane is z = 0. They take A's pose
/// there (ffi_narrow_phase_relative) and add touches in that frame (ffi_narrow_phase_put), which drops those beyond the
/// margin and transforms the others to the world. Pairs of round solids, and planes, which must be fast, work in the
/// world (ffi_narrow_phase_put_world).
#ifndef FFI_GEOMETRY_NARROW_PHASE_H
#define FFI_GEOMETRY_NARROW_PHASE_H

#include "geometry/collide.h"
#include "math/larger.h"
#include "math/mat3.h"

typedef struct ffi_narrow_phase {
  const ffi_solid *a, *b;
  const double *pa, *Ra, *pb, *Rb;
  double margin;
  ffi_touch *out;
  int count;
} ffi_narrow_phase;

/// Is this gap to be listed? Not if it is not finite.
static inline int ffi_is_near(double gap, double margin)
{
  return gap <= margin && fabs(gap) <= DBL_MAX;
}

/// Column k of a rotation: the frame's axis k.
static inline void ffi_axis(const double R[9], int k, double out[3])
{
  ffi_v3_set(R[k], R[3 + k], R[6 + k], out);
}

/// p + R x
static inline void ffi_to_world(const double p[3], const double R[9], const double x[3], double out[3])
{
  ffi_m3_mulv(R, x, out);
  ffi_v3_add(out, p, out);
}

/// R' (x - p)
static inline void ffi_to_local(const double p[3], const double R[9], const double x[3], double out[3])
{
  ffi_v3_sub(x, p, out);
  ffi_m3_tmulv(R, out, out);
}

/// The smaller of two numbers in one instruction; fmin is a call. If a is NaN the result is b.
static inline double ffi_smaller(double a, double b)
{
  return a < b ? a : b;
}

/// Normalises x, whatever its length, and returns the length. A vector of zeros gives 0 and leaves `out` as it is.
static inline double ffi_direction(const double x[3], double out[3])
{
  const double square = ffi_v3_dot(x, x);
  if (square > 1e-200 && square < 1e200) { // squares neither underflow nor overflow
    const double length = sqrt(square);
    for (int k = 0; k < 3; ++k)
      out[k] = x[k] / length; // not times 1 / length: along an axis it is exactly 1
    return length;
  }
  const double m = ffi_larger(fabs(x[0]), ffi_larger(fabs(x[1]), fabs(x[2])));
  if (!(m > 0))
    return square; // 0 or NaN
  const double y[3] = {x[0] / m, x[1] / m, x[2] / m}, length = sqrt(ffi_v3_dot(y, y));
  ffi_v3_scale(1 / length, y, out);
  return m * length;
}

/// The pose of A in B's frame.
static inline void ffi_narrow_phase_relative(const ffi_narrow_phase *query, double p[3], double R[9])
{
  ffi_to_local(query->pb, query->Rb, query->pa, p);
  ffi_m3_tmul(query->Rb, query->Ra, R);
}

/// Add a touch given in the world.
static inline void ffi_narrow_phase_put_world(ffi_narrow_phase *query, const ffi_touch *touch)
{
  if (ffi_is_near(touch->gap, query->margin))
    query->out[query->count++] = *touch;
}

/// Add a touch given in B's frame.
static inline void ffi_narrow_phase_put(ffi_narrow_phase *query, const ffi_touch *touch)
{
  if (!ffi_is_near(touch->gap, query->margin))
    return;
  ffi_touch *out = &query->out[query->count++];
  *out = *touch;
  ffi_to_world(query->pb, query->Rb, touch->point, out->point);
  ffi_to_world(query->pb, query->Rb, touch->centre, out->centre);
  ffi_m3_mulv(query->Rb, touch->normal, out->normal);
  ffi_m3_mulv(query->Rb, touch->axis, out->axis);
  ffi_m3_mulv(query->Rb, touch->weight_slope, out->weight_slope);
}

/// The raise of a gap whose touch is needed by `need`: none from `enough` on, without bound towards 0.
/// docs/theory/detection.md eq. 4
static inline double ffi_raise(double need, double enough)
{
  return need >= enough ? 0 : need > 0 ? 2 * enough * (enough / need - 1) : (double)INFINITY;
}

// Each adds the touches of its kind of pair: ffi_collide_<file>[_<kind of A>].
void ffi_collide_plane_point(ffi_narrow_phase *query);
void ffi_collide_plane_sphere(ffi_narrow_phase *query);
void ffi_collide_plane_capsule(ffi_narrow_phase *query);
void ffi_collide_plane_box(ffi_narrow_phase *query);
void ffi_collide_plane_caps(ffi_narrow_phase *query); // cylinder and disk
void ffi_collide_plane_hull(ffi_narrow_phase *query);

/// The hull A above the plane through p with a unit normal, both in the world.
void ffi_collide_plane_hull_at(ffi_narrow_phase *query, const double p[3], const double normal[3]);

void ffi_collide_vertices_point(ffi_narrow_phase *query); // a box or a height field
void ffi_collide_vertices_hull(ffi_narrow_phase *query);
void ffi_collide_vertices_box(ffi_narrow_phase *query);
void ffi_collide_caps(ffi_narrow_phase *query); // cylinder and disk; a box or a height field

void ffi_collide_balls_spheres(ffi_narrow_phase *query);
void ffi_collide_balls_sphere_capsule(ffi_narrow_phase *query);
void ffi_collide_balls_capsules(ffi_narrow_phase *query);
void ffi_collide_ball_box_sphere(ffi_narrow_phase *query);
void ffi_collide_ball_box_capsule(ffi_narrow_phase *query);
void ffi_collide_box_box(ffi_narrow_phase *query);

void ffi_collide_ellipsoid_plane(ffi_narrow_phase *query);
void ffi_collide_ellipsoid_convex(ffi_narrow_phase *query);
void ffi_collide_ellipsoid_field(ffi_narrow_phase *query);

void ffi_collide_ball_field_sphere(ffi_narrow_phase *query);
void ffi_collide_ball_field_capsule(ffi_narrow_phase *query);

#endif
