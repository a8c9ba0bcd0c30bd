// Points, spheres, capsules, boxes and hulls against a plane.  docs/theory/detection.md, section 1. Computed in the
// world, gaps first: a robot over its ground spends most of detection here.
#include "geometry/narrow_phase.h"
#include "geometry/plane/hull_weights.h"

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

// How a hull is above a plane.
typedef struct above {
  double normal[3], up[3]; // the plane's normal, in the world and in the hull's frame
  double middle;           // height of the frame's origin
  ffi_hull_weights_stand stand;
  double slope[3]; // of the stand's share, in the world
} above;

// Vertex i of a hull, if it has a weight.
static void put_vertex(ffi_narrow_phase *query, const above *at, int i, double gap,
                       ffi_hull_weights_parts parts)
{
  const double weight = parts.own + at->stand.share * parts.more;
  if (!ffi_hull_weights_carries(weight) || !ffi_is_near(gap, query->margin))
    return;
  put_corner(query, i, at->normal, query->a->vertices + 3 * (ptrdiff_t)i, gap);
  ffi_touch *touch = &query->out[query->count - 1];
  touch->lack = 1 - weight;
  ffi_v3_scale(parts.more, at->slope, touch->weight_slope);
}

static double height_of_vertex(const above *at, const ffi_hull_weights *w, int i)
{
  return at->middle + at->up[0] * w->x[i] + at->up[1] * w->y[i] + at->up[2] * w->z[i];
}

// While a hull stands on a face, that face's corners alone; else all, in blocks: most are far.
static void put_weighted(ffi_narrow_phase *query, above *at)
{
  const ffi_hull_weights *w = query->a->weights;
  at->stand = ffi_hull_weights_find(w, at->up);
  ffi_m3_mulv(query->Ra, at->stand.slope, at->slope);
  for (int k = 0; at->stand.share == 1 && k < at->stand.count; ++k) {
    const ffi_hull_weights_corner *corner = &at->stand.corners[k];
    put_vertex(query, at, corner->vertex, height_of_vertex(at, w, corner->vertex),
               (ffi_hull_weights_parts){0, corner->weight});
  }
  for (int first = 0, next = 0; at->stand.share < 1 && first < w->count; first += FFI_HULL_WEIGHTS_BLOCK) {
    double gap[FFI_HULL_WEIGHTS_BLOCK], least = (double)INFINITY;
    for (int k = 0; k < FFI_HULL_WEIGHTS_BLOCK; ++k) {
      gap[k] = height_of_vertex(at, w, first + k);
      least = ffi_smaller(gap[k], least);
    }
    for (int k = 0; least <= query->margin && k < FFI_HULL_WEIGHTS_BLOCK && first + k < w->count; ++k)
      if (gap[k] <= query->margin)
        put_vertex(query, at, first + k, gap[k], ffi_hull_weights_of(w, &at->stand, first + k, &next));
  }
}

void ffi_collide_plane_hull(ffi_narrow_phase *query)
{
  double normal[3];
  ffi_axis(query->Rb, 2, normal);
  ffi_collide_plane_hull_at(query, query->pb, normal);
}

void ffi_collide_plane_hull_at(ffi_narrow_phase *query, const double p[3], const double normal[3])
{
  above at;
  ffi_v3_copy(normal, at.normal);
  ffi_m3_tmulv(query->Ra, at.normal, at.up);
  at.middle = height_above(p, at.normal, query->pa);
  if (query->a->weights) {
    put_weighted(query, &at);
    return;
  }
  for (int i = 0; i < query->a->vertex_count; ++i) {
    const double *x = query->a->vertices + 3 * i, gap = at.middle + ffi_v3_dot(at.up, x);
    if (ffi_is_near(gap, query->margin))
      put_corner(query, i, at.normal, x, gap);
  }
}
