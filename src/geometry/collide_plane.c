// Points, spheres, capsules, boxes and hulls against a plane.  docs/theory/detection.md, section 1. Computed in the
// world, gaps first: a robot over its ground spends most of detection here.
#include "geometry/narrow_phase.h"
#include "geometry/plane/hull_patch.h"

// Height of x above the plane through p with the unit normal n.
static inline double height_above(const double p[3], const double n[3], const double x[3])
{
  return n[0] * (x[0] - p[0]) + n[1] * (x[1] - p[1]) + n[2] * (x[2] - p[2]);
}

void ffi_collide_plane_point(ffi_narrow_phase *query)
{
  ffi_touch touch = {.owner = 0};
  ffi_axis(query->Rb, 2, touch.normal);
  touch.gap = height_above(query->pb, touch.normal, query->pa);
  ffi_v3_copy(query->pa, touch.point);
  ffi_v3_copy(query->pa, touch.centre);
  ffi_narrow_phase_put_world(query, &touch);
}

// A ball about `centre`, a point of A.
static void put_ball(ffi_narrow_phase *query, int feature, const double normal[3], const double centre[3],
                     double radius)
{
  const double gap = height_above(query->pb, normal, centre) - radius;
  if (!ffi_is_near(gap, query->margin))
    return;
  ffi_touch *touch = &query->out[query->count++];
  *touch = (ffi_touch){.feature = feature, .gap = gap, .roll = FFI_ROLL_SPHERE};
  ffi_v3_copy(normal, touch->normal);
  ffi_v3_copy(centre, touch->centre);
  for (int k = 0; k < 3; ++k)
    touch->point[k] = centre[k] - radius * normal[k];
}

void ffi_collide_plane_sphere(ffi_narrow_phase *query)
{
  double normal[3];
  ffi_axis(query->Rb, 2, normal);
  put_ball(query, 0, normal, query->pa, query->a->size[0]);
}

void ffi_collide_plane_capsule(ffi_narrow_phase *query)
{
  double normal[3], end[3];
  ffi_axis(query->Rb, 2, normal);
  for (int i = 0; i < 2; ++i) {
    const double h = (i ? -0.5 : 0.5) * query->a->size[1];
    ffi_to_world(query->pa, query->Ra, (const double[]){0, 0, h}, end);
    put_ball(query, i, normal, end, query->a->size[0]);
  }
}

// A material point of A: x in A's frame.
static void put_corner(ffi_narrow_phase *query, int feature, const double normal[3], const double x[3],
                       double gap)
{
  ffi_touch *touch = &query->out[query->count++];
  *touch = (ffi_touch){.feature = feature, .gap = gap, .roll = FFI_ROLL_NONE};
  ffi_v3_copy(normal, touch->normal);
  ffi_to_world(query->pa, query->Ra, x, touch->point);
  ffi_v3_copy(touch->point, touch->centre);
}

// Bits of a corner's number: x, y, z positive.
void ffi_collide_plane_box(ffi_narrow_phase *query)
{
  double normal[3], up[3]; // the normal in the world and in A's frame
  ffi_axis(query->Rb, 2, normal);
  ffi_m3_tmulv(query->Ra, normal, up);
  const double *size = query->a->size, middle = height_above(query->pb, normal, query->pa);
  for (int i = 0; i < 8; ++i) {
    const double x[3] = {i & 1 ? 0.5 * size[0] : -0.5 * size[0], i & 2 ? 0.5 * size[1] : -0.5 * size[1],
                         i & 4 ? 0.5 * size[2] : -0.5 * size[2]};
    const double gap = middle + ffi_v3_dot(up, x);
    if (ffi_is_near(gap, query->margin))
      put_corner(query, i, normal, x, gap);
  }
}

// A hull by its patch.
static void put_patch(ffi_narrow_phase *query)
{
  double normal[3], up[3];
  ffi_axis(query->Rb, 2, normal);
  ffi_m3_tmulv(query->Ra, normal, up);
  const double middle = height_above(query->pb, normal, query->pa);
  if (!(fabs(ffi_v3_dot(up, up) - 1) < 1e-3) || !(fabs(middle) <= DBL_MAX))
    return;
  ffi_hull_patch_point points[FFI_HULL_PATCH_POINTS];
  ffi_hull_patch_find(query->a->patch, up, points);
  for (int i = 0; i < FFI_HULL_PATCH_POINTS; ++i) {
    const double gap = middle + ffi_v3_dot(up, points[i].at);
    if (!ffi_is_near(gap, query->margin))
      continue;
    put_corner(query, i, normal, points[i].at, gap);
    if (!points[i].moves)
      continue;
    ffi_touch *touch = &query->out[query->count - 1];
    touch->roll = FFI_ROLL_BENT;
    ffi_sym3_rotate(query->Ra, points[i].bend, touch->bend);
  }
}

void ffi_collide_plane_hull(ffi_narrow_phase *query)
{
  if (query->a->patch) {
    put_patch(query);
    return;
  }
  double normal[3], up[3];
  ffi_axis(query->Rb, 2, normal);
  ffi_m3_tmulv(query->Ra, normal, up);
  const double middle = height_above(query->pb, normal, query->pa);
  for (int i = 0; i < query->a->vertex_count; ++i) {
    const double *x = query->a->vertices + 3 * i, gap = middle + ffi_v3_dot(up, x);
    if (ffi_is_near(gap, query->margin))
      put_corner(query, i, normal, x, gap);
  }
}
