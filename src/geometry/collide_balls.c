// Spheres and capsules against each other, and spheres against boxes.
//
// A capsule is a segment with a radius. Two of them have up to five touches: the ends of A and of B against the other's
// segment, and the place where the segments cross. An end of B whose place on A is an end of A is that end's touch already, and
// a crossing that is no deeper than the ends of either is theirs: both are raised until they are needed.
#include "geometry/narrow_phase.h"
#include "geometry/segment.h"
#include "geometry/surface.h"

// Part of a capsule's length at which one of its touches counts as another place than its end.
static const double enough_apart = 5e-3;

static ffi_segment axis_of(const ffi_solid *capsule, const double p[3], const double R[9])
{
  ffi_segment s = {.half = 0.5 * capsule->size[1]};
  ffi_v3_copy(p, s.middle);
  ffi_axis(R, 2, s.axis);
  return s;
}

// A ball of A about `at` against one of B about `other`, or the other way round for owner 1. `fallback` is the normal for
// balls about the same point.
static ffi_touch two_balls(int owner, const double at[3], double radius, const double other[3],
                           double other_radius, const double fallback[3])
{
  ffi_touch touch = {.owner = owner, .roll = FFI_ROLL_SPHERE};
  const double side = owner ? -1 : 1;
  double away[3];
  for (int k = 0; k < 3; ++k)
    away[k] = side * (at[k] - other[k]);
  ffi_v3_copy(fallback, touch.normal);
  touch.gap = ffi_direction(away, touch.normal) - radius - other_radius;
  ffi_v3_copy(at, touch.centre);
  for (int k = 0; k < 3; ++k)
    touch.point[k] = at[k] - side * radius * touch.normal[k];
  return touch;
}

void ffi_collide_balls_spheres(ffi_narrow_phase *meeting)
{
  double z[3];
  ffi_axis(meeting->Rb, 2, z);
  const ffi_touch touch = two_balls(0, meeting->pa, meeting->a->size[0], meeting->pb, meeting->b->size[0], z);
  ffi_narrow_phase_put_world(meeting, &touch);
}

void ffi_collide_balls_sphere_capsule(ffi_narrow_phase *meeting)
{
  const ffi_segment b = axis_of(meeting->b, meeting->pb, meeting->Rb);
  double near[3], x[3];
  ffi_axis(meeting->Rb, 0, x);
  ffi_segment_point(&b, ffi_segment_nearest(&b, meeting->pa), near);
  const ffi_touch touch = two_balls(0, meeting->pa, meeting->a->size[0], near, meeting->b->size[0], x);
  ffi_narrow_phase_put_world(meeting, &touch);
}

void ffi_collide_ball_box_sphere(ffi_narrow_phase *meeting)
{
  const double *size = meeting->b->size, half[3] = {0.5 * size[0], 0.5 * size[1], 0.5 * size[2]};
  const double radius = meeting->a->size[0];
  ffi_touch touch = {.roll = FFI_ROLL_SPHERE};
  ffi_to_local(meeting->pb, meeting->Rb, meeting->pa, touch.centre);
  touch.gap = ffi_box_distance(half, touch.centre, NULL, touch.normal) - radius;
  ffi_v3_copy(touch.centre, touch.point);
  ffi_v3_add_scaled(-radius, touch.normal, touch.point);
  ffi_narrow_phase_put(meeting, &touch);
}

// ---- Two capsules -----------------------------------------------------------------------------------------

// Which way A leaves B when their axes meet: normal to both, A's middle on its side.
static void way_out(const ffi_segment *a, const ffi_segment *b, const double x[3], double out[3])
{
  double r[3], n[3];
  ffi_v3_sub(a->middle, b->middle, r);
  ffi_v3_cross(a->axis, b->axis, n);
  ffi_v3_copy(x, out);
  ffi_direction(n, out);
  if (ffi_v3_dot(out, r) < 0)
    ffi_v3_scale(-1, out, out);
}

// The ends of one against the other's segment. Ends of B are raised near ends of A. Distances to `gap` [2].
static void put_ends(ffi_narrow_phase *meeting, const ffi_segment *own, const ffi_segment *other, int owner,
                     const double fallback[3], double gap[2])
{
  const double radius[2] = {meeting->a->size[0], meeting->b->size[0]};
  for (int i = 0; i < 2; ++i) {
    double end[3], near[3];
    ffi_segment_point(own, i ? -own->half : own->half, end);
    const double at = ffi_segment_nearest(other, end);
    ffi_segment_point(other, at, near);
    ffi_touch touch = two_balls(owner, end, radius[owner], near, radius[1 - owner], fallback);
    touch.feature = 2 * owner + i;
    gap[i] = touch.gap;
    if (owner == 1)
      touch.gap += ffi_raise(other->half - fabs(at), 2 * enough_apart * other->half);
    ffi_narrow_phase_put_world(meeting, &touch);
  }
}

// How much deeper than the line between the ends' gaps a crossing is.
static double sag_of(const ffi_segment *s, double at, double gap, const double ends[2])
{
  const double part = 0.5 * (1 + at / s->half);
  return part * ends[0] + (1 - part) * ends[1] - gap;
}

void ffi_collide_balls_capsules(ffi_narrow_phase *meeting)
{
  const ffi_segment a = axis_of(meeting->a, meeting->pa, meeting->Ra),
                    b = axis_of(meeting->b, meeting->pb, meeting->Rb);
  double x[3], out[3], ends_a[2], ends_b[2], on_a, on_b, at[3], near[3];
  ffi_axis(meeting->Rb, 0, x);
  way_out(&a, &b, x, out);
  put_ends(meeting, &a, &b, 0, out, ends_a);
  put_ends(meeting, &b, &a, 1, out, ends_b);
  if (!(a.half > 0 && b.half > 0))
    return;
  ffi_segment_segment(&a, &b, &on_a, &on_b);
  ffi_segment_point(&a, on_a, at);
  ffi_segment_point(&b, on_b, near);
  ffi_touch touch = two_balls(0, at, meeting->a->size[0], near, meeting->b->size[0], out);
  const double sag_a = sag_of(&a, on_a, touch.gap, ends_a), sag_b = sag_of(&b, on_b, touch.gap, ends_b);
  touch.feature = 4;
  touch.roll = FFI_ROLL_LINE;
  ffi_v3_copy(a.axis, touch.axis);
  touch.gap += ffi_raise(ffi_smaller(sag_a, sag_b), 2 * enough_apart * ffi_smaller(a.half, b.half));
  ffi_narrow_phase_put_world(meeting, &touch);
}
