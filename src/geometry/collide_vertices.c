// Points and hulls against boxes and height fields, boxes against height fields: vertex by vertex.
#include "geometry/narrow_phase.h"
#include "geometry/patch.h"
#include "geometry/surface.h"

// A material point x of A, all in B's frame. `centre` is the middle of A; NULL for a single point. Returns the gap; infinite where there is no surface.
static double put_vertex(ffi_narrow_phase *meeting, int feature, const double x[3], const double *centre)
{
  ffi_touch touch = {.feature = feature, .roll = FFI_ROLL_NONE};
  if (!ffi_surface_distance(meeting->b, x, centre, touch.normal, &touch.gap))
    return (double)INFINITY;
  ffi_v3_copy(x, touch.point);
  ffi_v3_copy(x, touch.centre);
  ffi_narrow_phase_put(meeting, &touch);
  return touch.gap;
}

void ffi_collide_vertices_point(ffi_narrow_phase *meeting)
{
  double x[3];
  ffi_to_local(meeting->pb, meeting->Rb, meeting->pa, x);
  put_vertex(meeting, 0, x, NULL);
}

// The vertices. Under faces and edges of a hull there may also be edges and corners of a box: not unless the hull is beyond the box's sides along two of its axes, for then it is over an edge.
void ffi_collide_vertices_hull(ffi_narrow_phase *meeting)
{
  const ffi_solid *a = meeting->a, *b = meeting->b;
  double p[3], R[9], x[3], middle[3] = {0}, least = (double)INFINITY;
  int beyond[3] = {0};
  ffi_narrow_phase_relative(meeting, p, R);
  for (int i = 0; i < a->vertex_count; ++i) // the frame's origin may lie anywhere
    ffi_v3_add_scaled(1.0 / a->vertex_count, a->vertices + 3 * i, middle);
  ffi_to_world(p, R, middle, middle);
  for (int i = 0; i < a->vertex_count; ++i) {
    ffi_to_world(p, R, a->vertices + 3 * i, x);
    least = ffi_smaller(least, put_vertex(meeting, i, x, middle));
    for (int k = 0; k < 3; ++k)
      beyond[k] |= fabs(x[k]) > 0.5 * b->size[k];
  }
  if (b->type == FF_SHAPE_BOX && beyond[0] + beyond[1] + beyond[2] >= 2)
    ffi_patch_beyond(meeting, least, a->vertex_count);
}

void ffi_collide_vertices_box(ffi_narrow_phase *meeting)
{
  const double *size = meeting->a->size;
  double p[3], R[9];
  ffi_narrow_phase_relative(meeting, p, R);
  for (int i = 0; i < 8; ++i) {
    double x[3] = {i & 1 ? 0.5 * size[0] : -0.5 * size[0], i & 2 ? 0.5 * size[1] : -0.5 * size[1],
                   i & 4 ? 0.5 * size[2] : -0.5 * size[2]};
    ffi_to_world(p, R, x, x);
    put_vertex(meeting, i, x, NULL);
  }
}
