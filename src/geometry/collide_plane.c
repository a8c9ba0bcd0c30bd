// Points, spheres, capsules, boxes and hulls against a plane. In the world, and nothing is computed of touches that
// are not listed: with a robot over its ground this is most of what detection does.
#include "geometry/collide_plane.h"

#include "geometry/narrow_phase.h"

void ffi_collide_plane_point(ffi_narrow_phase *meeting)
{
  ffi_touch touch = {.owner = 0};
  ffi_axis(meeting->Rb, 2, touch.normal);
  touch.gap = ffi_collide_plane_gap(meeting->pb, touch.normal, meeting->pa);
  ffi_v3_copy(meeting->pa, touch.point);
  ffi_v3_copy(meeting->pa, touch.centre);
  ffi_narrow_phase_put_world(meeting, &touch);
}

// A ball about `centre`, which is a point of A.
static void put_ball(ffi_narrow_phase *meeting, int feature, const double normal[3], const double centre[3],
                     double radius)
{
  const double gap = ffi_collide_plane_gap(meeting->pb, normal, centre) - radius;
  if (!ffi_is_near(gap, meeting->margin))
    return;
  ffi_touch *touch = &meeting->out[meeting->count++];
  *touch = (ffi_touch){.feature = feature, .gap = gap, .roll = FFI_ROLL_SPHERE};
  ffi_v3_copy(normal, touch->normal);
  ffi_v3_copy(centre, touch->centre);
  for (int k = 0; k < 3; ++k)
    touch->point[k] = centre[k] - radius * normal[k];
}

void ffi_collide_plane_sphere(ffi_narrow_phase *meeting)
{
  double normal[3];
  ffi_axis(meeting->Rb, 2, normal);
  put_ball(meeting, 0, normal, meeting->pa, meeting->a->size[0]);
}

void ffi_collide_plane_capsule(ffi_narrow_phase *meeting)
{
  double normal[3], end[3];
  ffi_axis(meeting->Rb, 2, normal);
  for (int i = 0; i < 2; ++i) {
    const double h = (i ? -0.5 : 0.5) * meeting->a->size[1];
    ffi_to_world(meeting->pa, meeting->Ra, (const double[]){0, 0, h}, end);
    put_ball(meeting, i, normal, end, meeting->a->size[0]);
  }
}

// A material point of A: x in A's frame.
static void put_corner(ffi_narrow_phase *meeting, int feature, const double normal[3], const double x[3],
                       double gap)
{
  ffi_touch *touch = &meeting->out[meeting->count++];
  *touch = (ffi_touch){.feature = feature, .gap = gap, .roll = FFI_ROLL_NONE};
  ffi_v3_copy(normal, touch->normal);
  ffi_to_world(meeting->pa, meeting->Ra, x, touch->point);
  ffi_v3_copy(touch->point, touch->centre);
}

// Bits of a corner's number: x, y, z positive.
void ffi_collide_plane_box(ffi_narrow_phase *meeting)
{
  double normal[3], up[3]; // the normal in the world and in A's frame
  ffi_axis(meeting->Rb, 2, normal);
  ffi_m3_tmulv(meeting->Ra, normal, up);
  const double *size = meeting->a->size, middle = ffi_collide_plane_gap(meeting->pb, normal, meeting->pa);
  for (int i = 0; i < 8; ++i) {
    const double x[3] = {i & 1 ? 0.5 * size[0] : -0.5 * size[0], i & 2 ? 0.5 * size[1] : -0.5 * size[1],
                         i & 4 ? 0.5 * size[2] : -0.5 * size[2]};
    const double gap = middle + ffi_v3_dot(up, x);
    if (ffi_is_near(gap, meeting->margin))
      put_corner(meeting, i, normal, x, gap);
  }
}

void ffi_collide_plane_hull(ffi_narrow_phase *meeting)
{
  double normal[3], up[3];
  ffi_axis(meeting->Rb, 2, normal);
  ffi_m3_tmulv(meeting->Ra, normal, up);
  const double middle = ffi_collide_plane_gap(meeting->pb, normal, meeting->pa);
  for (int i = 0; i < meeting->a->vertex_count; ++i) {
    const double *x = meeting->a->vertices + 3 * i, gap = middle + ffi_v3_dot(up, x);
    if (ffi_is_near(gap, meeting->margin))
      put_corner(meeting, i, normal, x, gap);
  }
}
