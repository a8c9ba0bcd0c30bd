// Two boxes. Where they touch, the overlap has corners of three kinds, and so have we:
//
//     feature  0 ..  7   a corner of A against B
//              8 .. 15   a corner of B against A, owner 1
//             16 .. 27   an edge of A that crosses an edge, or a face, of B between its own corners
//
// B is the larger one (the dispatcher sees to that), so its edges are not short against A and one crossing for each edge
// of A is enough. Bits of a corner's number: x, y, z positive. Edge 4 k + m runs along axis k; the bits of m say which of the four.
#include "geometry/narrow_phase.h"
#include "geometry/segment.h"
#include "geometry/surface.h"

typedef struct box {
  double half[3], radius;
} box;

static box box_of(const ffi_solid *solid)
{
  box out = {.radius = ffi_solid_radius(solid)};
  ffi_v3_scale(0.5, solid->size, out.half);
  return out;
}

static void corner_of(const box *b, int i, double out[3])
{
  for (int k = 0; k < 3; ++k)
    out[k] = i >> k & 1 ? b->half[k] : -b->half[k];
}

// The two corners, `low` and `high`, of an edge.
static void ends_of_edge(int edge, int *low, int *high)
{
  const int k = edge / 4, i = (k + 1) % 3, j = (k + 2) % 3;
  *low = (edge & 1) << i | (edge >> 1 & 1) << j;
  *high = *low | 1 << k;
}

// The corners of A, in B's frame, against B.
static void put_corners_of_a(ffi_narrow_phase *meeting, const box *b, const double p[3], double corners[8][3],
                             double gaps[8])
{
  for (int i = 0; i < 8; ++i) {
    ffi_touch touch = {.feature = i, .roll = FFI_ROLL_NONE};
    touch.gap = gaps[i] = ffi_box_distance(b->half, corners[i], p, touch.normal);
    ffi_v3_copy(corners[i], touch.point);
    ffi_v3_copy(corners[i], touch.centre);
    ffi_narrow_phase_put(meeting, &touch);
  }
}

// The corners of B against A. Here p and R are A's pose in B, so B's middle is at -R'p in A.
static void put_corners_of_b(ffi_narrow_phase *meeting, const box *a, const box *b, const double p[3],
                             const double R[9])
{
  double middle[3] = {0}, x[3], normal[3];
  ffi_to_local(p, R, middle, middle);
  for (int i = 0; i < 8; ++i) {
    ffi_touch touch = {.feature = 8 + i, .owner = 1, .roll = FFI_ROLL_NONE};
    corner_of(b, i, touch.point);
    ffi_to_local(p, R, touch.point, x);
    touch.gap = ffi_box_distance(a->half, x, middle, normal);
    ffi_m3_mulv(R, normal, touch.normal);
    ffi_v3_scale(-1, touch.normal, touch.normal); // from B to A is into A
    ffi_v3_copy(touch.point, touch.centre);
    ffi_narrow_phase_put(meeting, &touch);
  }
}

static void put_edges_of_a(ffi_narrow_phase *meeting, const box *b, const double p[3], double corners[8][3],
                           const double gaps[8])
{
  for (int edge = 0; edge < 12; ++edge) {
    int low, high;
    ffi_crossing crossing;
    ends_of_edge(edge, &low, &high);
    const ffi_edge_crossing_edge e = {corners[low], corners[high], {gaps[low], gaps[high]}, p};
    if (!ffi_edge_crossing_find(b->half, &e, meeting->margin, &crossing))
      continue;
    ffi_touch touch = {.feature = 16 + edge, .gap = crossing.gap, .roll = FFI_ROLL_LINE};
    ffi_v3_copy(crossing.point, touch.point);
    ffi_v3_copy(crossing.point, touch.centre);
    ffi_v3_copy(crossing.normal, touch.normal);
    ffi_v3_copy(crossing.axis, touch.axis);
    ffi_narrow_phase_put(meeting, &touch);
  }
}

void ffi_collide_box_box(ffi_narrow_phase *meeting)
{
  const box a = box_of(meeting->a), b = box_of(meeting->b);
  double p[3], R[9], corners[8][3], gaps[8], normal[3];
  ffi_narrow_phase_relative(meeting, p, R);
  if (ffi_box_distance(b.half, p, NULL, normal) > a.radius + meeting->margin)
    return;
  for (int i = 0; i < 8; ++i) {
    corner_of(&a, i, corners[i]);
    ffi_to_world(p, R, corners[i], corners[i]);
  }
  put_corners_of_a(meeting, &b, p, corners, gaps);
  put_corners_of_b(meeting, &a, &b, p, R);
  put_edges_of_a(meeting, &b, p, corners, gaps);
}
