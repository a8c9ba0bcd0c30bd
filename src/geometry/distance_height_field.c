// A convex thing above a height field. What is solid below a triangle is a prism, which is convex; the nearest of all prisms is the field. They are
// looked at in square rings about the cell below the thing, until no cell farther out can be nearer.
#include "geometry/distance_height_field.h"

#include "geometry/height_field.h"
#include "geometry/narrow_phase.h"
#include "math/vec3.h"

#include <math.h>

typedef struct search {
  const ffi_convex *a;
  const ffi_height_field *field;
  const double *p, *R;
  double ball[3], radius; ///< about the thing, in the field's frame
  double bottom;          ///< of all prisms, below the thing
  ffi_distance best;
} search;

// How far the ball is from what is solid below a triangle, at least.
static double at_least(const search *s, const double corner[3][3])
{
  double square = 0;
  for (int k = 0; k < 3; ++k) {
    const double low = k == 2 ? -(double)INFINITY : fmin(corner[0][k], fmin(corner[1][k], corner[2][k]));
    const double high = fmax(corner[0][k], fmax(corner[1][k], corner[2][k]));
    const double out = fmax(fmax(low - s->ball[k], s->ball[k] - high), 0);
    square += out * out;
  }
  return sqrt(square) - s->radius;
}

// Overlapping, a thing is as deep as it reaches below the triangle.
static void below(const search *s, const double corner[6][3], ffi_distance *out)
{
  double d[3], e[3], n[3], down[3], from[3];
  ffi_v3_sub(corner[1], corner[0], d);
  ffi_v3_sub(corner[2], corner[0], e);
  ffi_v3_cross(d, e, n);
  ffi_v3_set(0, 0, 1, out->normal); // of a triangle without area, which a field has not
  ffi_direction(n, out->normal);
  ffi_v3_scale(-1, out->normal, down);
  ffi_convex_support(s->a, down, out->on_a);
  ffi_v3_add_scaled(s->a->rind, down, out->on_a);
  ffi_v3_sub(out->on_a, corner[0], from);
  out->value = ffi_v3_dot(out->normal, from);
  ffi_v3_copy(out->on_a, out->on_b);
  ffi_v3_add_scaled(-out->value, out->normal, out->on_b);
}

static void try_triangle(search *s, const double corner[3][3])
{
  if (at_least(s, corner) >= s->best.value)
    return;
  double prism[6][3], foot[3];
  for (int i = 0; i < 3; ++i) {
    ffi_to_world(s->p, s->R, corner[i], prism[i]);
    ffi_v3_set(corner[i][0], corner[i][1], fmin(s->bottom, corner[i][2] - 1), foot);
    ffi_to_world(s->p, s->R, foot, prism[3 + i]);
  }
  ffi_convex b;
  ffi_convex_simplex simplex = {.count = 0};
  ffi_distance found;
  double apart[3];
  ffi_convex_set_prism((const double(*)[3])prism, &b);
  if (ffi_gjk(s->a, &b, &simplex, apart))
    ffi_distance_convex(s->a, &b, NULL, &found);
  else
    below(s, (const double(*)[3])prism, &found);
  if (found.value < s->best.value)
    s->best = found;
}

static void try_cell(search *s, int column, int row)
{
  const ffi_height_field *f = s->field;
  if (column < 0 || row < 0 || column >= f->columns - 1 || row >= f->rows - 1)
    return;
  double corner[3][3];
  ffi_height_field_point(f, column, row, corner[0]);
  ffi_height_field_point(f, column + 1, row, corner[1]);
  ffi_height_field_point(f, column + 1, row + 1, corner[2]);
  try_triangle(s, (const double(*)[3])corner);
  ffi_height_field_point(f, column + 1, row + 1, corner[1]);
  ffi_height_field_point(f, column, row + 1, corner[2]);
  try_triangle(s, (const double(*)[3])corner);
}

static void try_ring(search *s, int column, int row, int ring)
{
  for (int i = -ring; i <= ring; ++i) {
    try_cell(s, column + i, row - ring);
    if (ring > 0)
      try_cell(s, column + i, row + ring);
  }
  for (int i = 1 - ring; i < ring; ++i) {
    try_cell(s, column - ring, row + i);
    try_cell(s, column + ring, row + i);
  }
}

// The ball about the core and its rind, in the field's frame.
static void find_ball(search *s)
{
  double middle[3], square = 0;
  ffi_convex_middle(s->a, middle);
  for (int k = 0; k < 3; ++k) { // half the diagonal of its box, about the box's middle
    double axis[3], high[3], low[3];
    ffi_axis(s->R, k, axis);
    ffi_convex_support(s->a, axis, high);
    ffi_v3_scale(-1, axis, axis);
    ffi_convex_support(s->a, axis, low);
    ffi_to_local(s->p, s->R, high, high);
    ffi_to_local(s->p, s->R, low, low);
    s->ball[k] = 0.5 * (high[k] + low[k]);
    square += 0.25 * (high[k] - low[k]) * (high[k] - low[k]);
  }
  s->radius = sqrt(square) + s->a->rind;
  s->bottom = s->ball[2] - 2 * s->radius - 1;
}

static int clamped_cell(double at, double cell, double extent, int cells)
{
  const double place = floor((at + 0.5 * extent) / cell);
  return place <= 0 ? 0 : place >= cells - 1 ? cells - 1 : (int)place;
}

int ffi_distance_height_field(const ffi_convex *a, const ffi_height_field *field, const double p[3],
                              const double R[9], ffi_distance *out)
{
  if (!field)
    return 0;
  search s = {.a = a, .field = field, .p = p, .R = R, .best.value = (double)INFINITY};
  find_ball(&s);
  const int columns = field->columns - 1, rows = field->rows - 1;
  const int column = clamped_cell(s.ball[0], ffi_height_field_cell_size(field, 0), field->size[0], columns);
  const int row = clamped_cell(s.ball[1], ffi_height_field_cell_size(field, 1), field->size[1], rows);
  const double cell = fmin(ffi_height_field_cell_size(field, 0), ffi_height_field_cell_size(field, 1));
  const int rings = columns > rows ? columns : rows;
  for (int ring = 0; ring <= rings && (ring - 1) * cell - s.radius < s.best.value; ++ring)
    try_ring(&s, column, row, ring);
  if (!(s.best.value <= 1e300))
    return 0;
  *out = s.best;
  return 1;
}
