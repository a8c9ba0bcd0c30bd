/// meeting.h: one pair on its way through detection, and the functions that know a kind of pair.
///
/// Most of them work in B's frame, where a box has its faces along the axes and a plane is z = 0. They see A's pose there
/// (ffi_narrow_phase_relative) and hand over touches there (ffi_narrow_phase_put), which sorts out the ones beyond the margin and turns
/// the others into the world. Pairs of round things, and planes, which must be fast, work in the world (ffi_narrow_phase_put_world).
#ifndef FFI_GEOMETRY_MEETING_H
#define FFI_GEOMETRY_MEETING_H

#include "geometry/collide.h"
#include "math/mat3.h"

typedef struct ffi_narrow_phase {
  const ffi_solid *a, *b;
  const double *pa, *Ra, *pb, *Rb;
  double margin;
  ffi_touch *out;
  int count;
} ffi_narrow_phase;

/// Is this gap to be listed? Not if it is no number, nor if something at infinity made it.
static inline int ffi_is_near(double gap, double margin)
{
  return gap <= margin && fabs(gap) <= DBL_MAX;
}

/// Column k of a rotation: where the frame's axis k points.
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

/// The larger and the smaller of two numbers, in one instruction each; fmax and fmin are calls. What is no number loses.
static inline double ffi_larger(double a, double b)
{
  return a > b ? a : b;
}

static inline double ffi_smaller(double a, double b)
{
  return a < b ? a : b;
}

/// To unit length, whatever the length, and the length. A vector of zeros gives 0 and leaves `out` alone.
static inline double ffi_direction(const double x[3], double out[3])
{
  const double square = ffi_v3_dot(x, x);
  if (square > 1e-200 && square < 1e200) { // far from where squares end
    const double length = sqrt(square);
    for (int k = 0; k < 3; ++k)
      out[k] = x[k] / length; // not times 1 / length: along an axis it is exactly 1
    return length;
  }
  const double m = ffi_larger(fabs(x[0]), ffi_larger(fabs(x[1]), fabs(x[2])));
  if (!(m > 0))
    return square; // 0, or no number
  const double y[3] = {x[0] / m, x[1] / m, x[2] / m}, length = sqrt(ffi_v3_dot(y, y));
  ffi_v3_scale(1 / length, y, out);
  return m * length;
}

/// The pose of A in B's frame.
static inline void ffi_narrow_phase_relative(const ffi_narrow_phase *meeting, double p[3], double R[9])
{
  ffi_to_local(meeting->pb, meeting->Rb, meeting->pa, p);
  ffi_m3_tmul(meeting->Rb, meeting->Ra, R);
}

/// Add a touch given in the world.
static inline void ffi_narrow_phase_put_world(ffi_narrow_phase *meeting, const ffi_touch *touch)
{
  if (ffi_is_near(touch->gap, meeting->margin))
    meeting->out[meeting->count++] = *touch;
}

/// Add a touch given in B's frame.
static inline void ffi_narrow_phase_put(ffi_narrow_phase *meeting, const ffi_touch *touch)
{
  if (!ffi_is_near(touch->gap, meeting->margin))
    return;
  ffi_touch *out = &meeting->out[meeting->count++];
  *out = *touch;
  ffi_to_world(meeting->pb, meeting->Rb, touch->point, out->point);
  ffi_to_world(meeting->pb, meeting->Rb, touch->centre, out->centre);
  ffi_m3_mulv(meeting->Rb, touch->normal, out->normal);
  ffi_m3_mulv(meeting->Rb, touch->axis, out->axis);
}

/// The raise of a gap that depends on how much its touch is needed: none from `enough` on, without bound towards 0.
/// See docs/theory/detection.md, section 3.
static inline double ffi_raise(double need, double enough)
{
  return need >= enough ? 0 : need > 0 ? 2 * enough * (enough / need - 1) : (double)INFINITY;
}

// Each adds the touches of its kind of pair. What B is comes last in the name.
void ffi_collide_plane_point(ffi_narrow_phase *meeting);
void ffi_collide_plane_sphere(ffi_narrow_phase *meeting);
void ffi_collide_plane_capsule(ffi_narrow_phase *meeting);
void ffi_collide_plane_box(ffi_narrow_phase *meeting);
void ffi_collide_plane_hull(ffi_narrow_phase *meeting);

void ffi_collide_vertices_point(ffi_narrow_phase *meeting); // a box or a height field
void ffi_collide_vertices_hull(ffi_narrow_phase *meeting);
void ffi_collide_vertices_box(ffi_narrow_phase *meeting);
void ffi_collide_caps(ffi_narrow_phase *meeting); // cylinder and disk; a plane, a box or a height field

void ffi_collide_balls_spheres(ffi_narrow_phase *meeting);
void ffi_collide_balls_sphere_capsule(ffi_narrow_phase *meeting);
void ffi_collide_balls_capsules(ffi_narrow_phase *meeting);
void ffi_collide_ball_box_sphere(ffi_narrow_phase *meeting);
void ffi_collide_ball_box_capsule(ffi_narrow_phase *meeting);
void ffi_collide_box_box(ffi_narrow_phase *meeting);

void ffi_collide_ball_field_sphere(ffi_narrow_phase *meeting);
void ffi_collide_ball_field_capsule(ffi_narrow_phase *meeting);

#endif
