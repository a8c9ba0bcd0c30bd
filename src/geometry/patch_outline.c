// Convex outlines of the corners of two solids in the plane between them, and their crossings.
// docs/theory/detection.md, section 5
#include "geometry/patch.h"

// Twice the area of a triangle, > 0 if it is counter-clockwise.
static double turn(const double a[2], const double b[2], const double c[2])
{
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static double square_between(const double a[2], const double b[2])
{
  return (b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]);
}

// The next corner of the convex hull after `from`: all others are to the left of the line there; of several on one line
// the farthest. -1: all are at one place.
static int next_around(const ffi_patch_outline *o, int from)
{
  int best = -1;
  for (int i = 0; i < o->count; ++i) {
    const double far = square_between(o->at[from], o->at[i]);
    if (!(far > 0))
      continue;
    const double side = best < 0 ? -1 : turn(o->at[from], o->at[best], o->at[i]);
    if (side < 0 || (side == 0 && far > square_between(o->at[from], o->at[best])))
      best = i;
  }
  return best;
}

// The direction of the edge of an outline of two corners: the solid's middle is to its left, as it would be with more
// corners; from the first corner if the middle is straight above.
static void turn_edge(const ffi_patch_side *side, const double tangents[6], int start, int end,
                      ffi_patch_outline *o)
{
  if (start > end) {
    const int kept = start;
    start = end;
    end = kept;
  }
  double middle[3];
  ffi_convex_middle(&side->convex, middle);
  const double at[2] = {ffi_v3_dot(middle, tangents), ffi_v3_dot(middle, tangents + 3)};
  const int is_left = turn(o->at[start], o->at[end], at) >= -1e-6 * square_between(o->at[start], o->at[end]);
  o->next[is_left ? start : end] = is_left ? end : start;
  o->next[is_left ? end : start] = -1;
}

void ffi_patch_outline_set(const ffi_patch_side *side, double thick, const double tangents[6], int count,
                           const int *numbers, ffi_patch_outline *o)
{
  const int most = numbers ? count : side->corner_count;
  o->count = 0;
  for (int i = 0; i < most && o->count < FFI_PATCH_OUTLINE_MOST; ++i) {
    ffi_patch_corner *corner = &o->corner[o->count];
    ffi_patch_side_corner(side, numbers ? numbers[i] : i, corner);
    if (!(corner->height < thick))
      continue;
    o->at[o->count][0] = ffi_v3_dot(corner->core, tangents);
    o->at[o->count][1] = ffi_v3_dot(corner->core, tangents + 3);
    o->next[o->count++] = -1;
  }
  int start = 0;
  for (int i = 1; i < o->count; ++i)
    if (o->at[i][1] < o->at[start][1] || (o->at[i][1] == o->at[start][1] && o->at[i][0] < o->at[start][0]))
      start = i;
  int at = start, edges = 0;
  for (int next = o->count > 0 ? next_around(o, at) : -1; next >= 0 && o->next[at] < 0 && edges < o->count;
       ++edges) {
    o->next[at] = next;
    at = next;
    next = next_around(o, at);
  }
  if (edges == 2)
    turn_edge(side, tangents, start, o->next[start], o);
}

int ffi_patch_outline_cross(const ffi_patch_outline *a, int edge_a, const ffi_patch_outline *b, int edge_b,
                            double part[2], double *sine)
{
  const double *a0 = a->at[edge_a], *a1 = a->at[a->next[edge_a]], *b0 = b->at[edge_b],
               *b1 = b->at[b->next[edge_b]];
  const double from_b0 = turn(b0, b1, a0), from_b1 = turn(b0, b1, a1), from_a0 = turn(a0, a1, b0),
               from_a1 = turn(a0, a1, b1);
  if (!((from_b0 > 0) != (from_b1 > 0) && (from_a0 > 0) != (from_a1 > 0)))
    return 0;
  part[0] = from_b0 / (from_b0 - from_b1);
  part[1] = from_a0 / (from_a0 - from_a1);
  *sine = (from_b1 - from_b0) / sqrt(square_between(a0, a1) * square_between(b0, b1));
  return isfinite(part[0]) && isfinite(part[1]) && isfinite(*sine);
}
