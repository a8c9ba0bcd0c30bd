// Spheres and capsules against boxes. A capsule touches with both end balls and where its axis crosses an edge of the
// box between them.  docs/theory/detection.md, sections 3 and 4
#include "geometry/edge_crossing.h"
#include "geometry/narrow_phase.h"
#include "geometry/surface.h"

void ffi_collide_ball_box_sphere(ffi_narrow_phase *query)
{
  const double *size = query->b->size, half[3] = {0.5 * size[0], 0.5 * size[1], 0.5 * size[2]};
  const double radius = query->a->size[0];
  ffi_touch touch = {.roll = FFI_ROLL_SPHERE};
  ffi_to_local(query->pb, query->Rb, query->pa, touch.centre);
  touch.gap = ffi_box_distance(half, touch.centre, NULL, touch.normal) - radius;
  ffi_v3_copy(touch.centre, touch.point);
  ffi_v3_add_scaled(-radius, touch.normal, touch.point);
  ffi_narrow_phase_put(query, &touch);
}

void ffi_collide_ball_box_capsule(ffi_narrow_phase *query)
{
  const double *size = query->b->size, half[3] = {0.5 * size[0], 0.5 * size[1], 0.5 * size[2]};
  const double radius = query->a->size[0], reach = 0.5 * query->a->size[1] + radius + query->margin;
  double p[3], R[9], end[2][3], normal[3], distance[2];
  ffi_narrow_phase_relative(query, p, R);
  if (ffi_box_distance(half, p, NULL, normal) > reach)
    return;
  for (int i = 0; i < 2; ++i) {
    ffi_to_world(p, R, (const double[]){0, 0, (i ? -0.5 : 0.5) * query->a->size[1]}, end[i]);
    ffi_touch touch = {.feature = i, .roll = FFI_ROLL_SPHERE};
    distance[i] = ffi_box_distance(half, end[i], NULL, touch.normal);
    touch.gap = distance[i] - radius;
    ffi_v3_copy(end[i], touch.centre);
    ffi_v3_copy(end[i], touch.point);
    ffi_v3_add_scaled(-radius, touch.normal, touch.point);
    ffi_narrow_phase_put(query, &touch);
  }
  const ffi_edge_crossing_segment axis = {end[0], end[1], {distance[0], distance[1]}, NULL};
  ffi_edge_crossing crossing;
  if (ffi_edge_crossing_find(half, &axis, query->margin + radius, &crossing)) {
    ffi_touch touch = {.feature = 2, .gap = crossing.gap - radius, .roll = FFI_ROLL_LINE};
    ffi_v3_copy(crossing.normal, touch.normal);
    ffi_v3_copy(crossing.point, touch.centre);
    ffi_v3_copy(crossing.axis, touch.axis);
    ffi_v3_copy(crossing.point, touch.point);
    ffi_v3_add_scaled(-radius, touch.normal, touch.point);
    ffi_narrow_phase_put(query, &touch);
  }
}
