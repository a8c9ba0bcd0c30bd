// Points and hulls against boxes and height fields, boxes against height fields: vertex by vertex.
// docs/theory/detection.md, sections 2 and 6
#include "geometry/narrow_phase.h"
#include "geometry/patch.h"
#include "geometry/plane/hull_weights.h"
#include "geometry/surface.h"

// How the hull A stands on the part of B's surface that was looked at last.
typedef struct standing {
  const ffi_hull_weights *weights; // NULL: all are 1
  const double *R;                 // of A, in B's frame
  double normal[3];                // of that part, in B's frame; zero before the first
  ffi_hull_weights_stand stand;
  double slope[3]; // of its share, in B's frame
  int next;        // for ffi_hull_weights_of()
} standing;

// Vertex i of a hull: its weight on a plane with the normal of the touch. 0: none.
static int weigh(standing *s, int i, ffi_touch *touch)
{
  if (!s->weights)
    return 1;
  if (!ffi_v3_is_equal(s->normal, touch->normal)) {
    double up[3];
    ffi_v3_copy(touch->normal, s->normal);
    ffi_m3_tmulv(s->R, s->normal, up);
    s->stand = ffi_hull_weights_find(s->weights, up);
    ffi_m3_mulv(s->R, s->stand.slope, s->slope);
    s->next = 0;
  }
  const ffi_hull_weights_parts parts = ffi_hull_weights_of(s->weights, &s->stand, i, &s->next);
  const double weight = parts.own + s->stand.share * parts.more;
  touch->lack = 1 - weight;
  ffi_v3_scale(parts.more, s->slope, touch->weight_slope);
  return ffi_hull_weights_carries(weight);
}

// A material point x of A, in B's frame. `centre` is the middle of A; NULL for a single point, `s` NULL but for hulls.
// Returns the gap; infinite where there is no surface.
static double put_vertex(ffi_narrow_phase *query, int feature, const double x[3], const double *centre,
                         standing *s)
{
  ffi_touch touch = {.feature = feature, .roll = FFI_ROLL_NONE};
  if (!ffi_surface_distance(query->b, x, centre, touch.normal, &touch.gap))
    return (double)INFINITY;
  ffi_v3_copy(x, touch.point);
  ffi_v3_copy(x, touch.centre);
  if (ffi_is_near(touch.gap, query->margin) && (!s || weigh(s, feature, &touch)))
    ffi_narrow_phase_put(query, &touch);
  return touch.gap;
}

void ffi_collide_vertices_point(ffi_narrow_phase *query)
{
  double x[3];
  ffi_to_local(query->pb, query->Rb, query->pa, x);
  put_vertex(query, 0, x, NULL, NULL);
}

// Where the vertices of a hull with weights are along the axes of B's frame.
static void extend(const ffi_hull_weights *w, const double p[3], const double R[9], double low[3],
                   double high[3])
{
  enum { WIDE = FFI_HULL_WEIGHTS_BLOCK };
  for (int k = 0; k < 3; ++k) {
    const double *r = R + 3 * k;
    double least[WIDE], most[WIDE];
    for (int i = 0; i < WIDE; ++i)
      least[i] = (double)INFINITY, most[i] = -(double)INFINITY;
    for (int first = 0; first < w->count; first += WIDE)
      for (int i = 0; i < WIDE; ++i) {
        const double x = r[0] * w->x[first + i] + r[1] * w->y[first + i] + r[2] * w->z[first + i];
        least[i] = x < least[i] ? x : least[i];
        most[i] = x > most[i] ? x : most[i];
      }
    low[k] = least[0], high[k] = most[0];
    for (int i = 1; i < WIDE; ++i) {
      low[k] = ffi_smaller(least[i], low[k]);
      high[k] = ffi_larger(most[i], high[k]);
    }
    low[k] += p[k], high[k] += p[k];
  }
}

// Is what reaches from `low` to `high` above the face across `axis`, and hardly below it?
static int is_within(const double half[3], const double middle[3], int axis, const double low[3],
                     const double high[3])
{
  const double depth = half[axis] - (middle[axis] > 0 ? low[axis] : -high[axis]);
  int is = 1;
  for (int k = 0; k < 3; ++k)
    is &=
        k == axis || (low[k] >= -half[k] && high[k] <= half[k] && depth < 0.5 * (half[k] - fabs(middle[k])));
  return is;
}

// Is hull A over a face of box B, within its sides? Then that is a plane for it: its middle is out of the face, and by
// eq. 1 no other face is the way out of a vertex, at least half as far behind a side as the middle is. The face's axis,
// or -1.
static int face_below(const ffi_narrow_phase *query, const double p[3], const double R[9],
                      const double middle[3])
{
  double low[3], high[3], half[3];
  int axis = 2;
  for (int k = 0; k < 3; ++k)
    half[k] = 0.5 * query->b->size[k];
  for (int k = 0; k < 2; ++k)
    if (fabs(middle[k]) - half[k] > fabs(middle[axis]) - half[axis])
      axis = k;
  if (!(fabs(middle[axis]) > half[axis]))
    return -1;
  const double reach = query->a->weights->reach;
  for (int k = 0; k < 3; ++k)
    low[k] = middle[k] - reach, high[k] = middle[k] + reach;
  if (is_within(half, middle, axis, low, high)) // all of a ball around it is
    return axis;
  extend(query->a->weights, p, R, low, high);
  return is_within(half, middle, axis, low, high) ? axis : -1;
}

static void collide_face(ffi_narrow_phase *query, int axis, double side)
{
  double normal[3], p[3];
  ffi_axis(query->Rb, axis, normal);
  ffi_v3_scale(side, normal, normal);
  ffi_v3_copy(query->pb, p);
  ffi_v3_add_scaled(0.5 * query->b->size[axis], normal, p);
  ffi_collide_plane_hull_at(query, p, normal);
}

// The vertices of A. Under faces and edges of a hull there may also be edges and corners of a box, but only if the hull
// is beyond the box's sides along two of its axes: then it is over an edge.
void ffi_collide_vertices_hull(ffi_narrow_phase *query)
{
  const ffi_solid *a = query->a, *b = query->b;
  double p[3], R[9], x[3], middle[3] = {0}, least = (double)INFINITY;
  int beyond[3] = {0};
  standing s = {.weights = a->weights, .R = R};
  ffi_narrow_phase_relative(query, p, R);
  for (int i = 0; !a->weights && i < a->vertex_count; ++i) // the frame's origin may lie anywhere
    ffi_v3_add_scaled(1.0 / a->vertex_count, a->vertices + 3 * i, middle);
  if (a->weights)
    ffi_v3_copy(a->weights->mean, middle);
  ffi_to_world(p, R, middle, middle);
  const int axis = b->type == FF_SHAPE_BOX && a->weights ? face_below(query, p, R, middle) : -1;
  if (axis >= 0) {
    collide_face(query, axis, middle[axis] > 0 ? 1 : -1);
    return;
  }
  for (int i = 0; i < a->vertex_count; ++i) {
    ffi_to_world(p, R, a->vertices + 3 * i, x);
    least = ffi_smaller(least, put_vertex(query, i, x, middle, &s));
    for (int k = 0; k < 3; ++k)
      beyond[k] |= fabs(x[k]) > 0.5 * b->size[k];
  }
  if (b->type == FF_SHAPE_BOX && beyond[0] + beyond[1] + beyond[2] >= 2)
    ffi_patch_beyond(query, least, a->vertex_count);
}

void ffi_collide_vertices_box(ffi_narrow_phase *query)
{
  const double *size = query->a->size;
  double p[3], R[9];
  ffi_narrow_phase_relative(query, p, R);
  for (int i = 0; i < 8; ++i) {
    double x[3] = {i & 1 ? 0.5 * size[0] : -0.5 * size[0], i & 2 ? 0.5 * size[1] : -0.5 * size[1],
                   i & 4 ? 0.5 * size[2] : -0.5 * size[2]};
    ffi_to_world(p, R, x, x);
    put_vertex(query, i, x, NULL, NULL);
  }
}
