// Capsules against boxes: both end balls, and the crossing of an edge between them.
#include "geometry/narrow_phase.h"
#include "geometry/segment.h"
#include "geometry/surface.h"

void ffi_collide_ball_box_capsule(ffi_narrow_phase *meeting)
{
  const double *size = meeting->b->size, half[3] = {0.5 * size[0], 0.5 * size[1], 0.5 * size[2]};
  const double radius = meeting->a->size[0], reach = 0.5 * meeting->a->size[1] + radius + meeting->margin;
  double p[3], R[9], end[2][3], normal[3], distance[2];
  ffi_narrow_phase_relative(meeting, p, R);
  if (ffi_box_distance(half, p, NULL, normal) > reach)
    return;
  for (int i = 0; i < 2; ++i) {
    ffi_to_world(p, R, (const double[]){0, 0, (i ? -0.5 : 0.5) * meeting->a->size[1]}, end[i]);
    ffi_touch touch = {.feature = i, .roll = FFI_ROLL_SPHERE};
    distance[i] = ffi_box_distance(half, end[i], NULL, touch.normal);
    touch.gap = distance[i] - radius;
    ffi_v3_copy(end[i], touch.centre);
    ffi_v3_copy(end[i], touch.point);
    ffi_v3_add_scaled(-radius, touch.normal, touch.point);
    ffi_narrow_phase_put(meeting, &touch);
  }
  const ffi_edge_crossing_edge axis = {end[0], end[1], {distance[0], distance[1]}, NULL};
  ffi_crossing crossing;
  if (ffi_edge_crossing_find(half, &axis, meeting->margin + radius, &crossing)) {
    ffi_touch touch = {.feature = 2, .gap = crossing.gap - radius, .roll = FFI_ROLL_LINE};
    ffi_v3_copy(crossing.normal, touch.normal);
    ffi_v3_copy(crossing.point, touch.centre);
    ffi_v3_copy(crossing.axis, touch.axis);
    ffi_v3_copy(crossing.point, touch.point);
    ffi_v3_add_scaled(-radius, touch.normal, touch.point);
    ffi_narrow_phase_put(meeting, &touch);
  }
}
