// A convex solid and a height field. The solid part below a triangle is a prism, which is convex; the distance to the
// field is that to the nearest prism. Cells are tried in square rings about the cell below the solid, until no cell
// farther out can be nearer. A prism whose box or top plane is farther than the nearest so far needs no search.
#include "geometry/distance_height_field.h"

#include "geometry/height_field.h"
#include "geometry/narrow_phase.h"
#include "math/vec3.h"

#include <math.h>

typedef struct search {
  const ffi_convex *a;
  const ffi_height_field *field;
  const double *p, *R;
  double ball[3], radius; ///< holds the solid, in the field's frame
  double low[3], high[3]; ///< box that holds its core, in the field's frame
  double bottom;          ///< of all prisms, below the solid
  double least;           ///< of what is sought: the search ends at or below it
  ffi_distance best;
} search;

// The depth of a solid that overlaps the prism: how far it reaches below the triangle.
static void below(const search *s, const double corner[6][3], ffi_distance *out)
{
  double d[3], e[3], n[3], down[3], from[3];
  ffi_v3_sub(corner[1], corner[0], d);
  ffi_v3_sub(corner[2], corner[0], e);
  ffi_v3_cross(d, e, n);
  ffi_v3_set(0, 0, 1, out->normal); // for a triangle without area, which a field does not have
  ffi_direction(n, out->normal);
  ffi_v3_scale(-1, out->normal, down);
  ffi_convex_support(s->a, down, out->on_a);
  ffi_v3_add_scaled(s->a->swept_radius, down, out->on_a);
  ffi_v3_sub(out->on_a, corner[0], from);
  out->value = ffi_v3_dot(out->normal, from);
  ffi_v3_copy(out->on_a, out->on_b);
  ffi_v3_add_scaled(-out->value, out->normal, out->on_b);
}

// Of the sizes: bounds are compared with results of a search, which has this rounding and far less.
static const double rounding = 1e-10;

// A lower bound of the signed distance to the prism below a triangle, by the boxes of triangle and core; none if these
// overlap.
static double at_least_by_box(const search *s, const double corner[3][3])
{
  double square = 0;
  for (int k = 0; k < 3; ++k) {
    const double low = ffi_smaller(corner[0][k], ffi_smaller(corner[1][k], corner[2][k]));
    const double high = ffi_larger(corner[0][k], ffi_larger(corner[1][k], corner[2][k]));
    const double below = k == 2 ? 0 : low - s->high[k];
    const double out = ffi_larger(ffi_larger(below, s->low[k] - high), 0);
    square += out * out;
  }
  return square > 0 ? sqrt(square) - s->a->swept_radius : -(double)INFINITY;
}

// Another, by the triangle's plane: the prism is below it. Cores that overlap have just this distance.
static double at_least_by_plane(const search *s, const double corner[3][3])
{
  double d[3], e[3], n[3] = {0, 0, 1}, down[3], x[3];
  ffi_v3_sub(corner[1], corner[0], d);
  ffi_v3_sub(corner[2], corner[0], e);
  ffi_v3_cross(d, e, n);
  ffi_direction(n, n);
  ffi_m3_mulv(s->R, n, down);
  ffi_v3_scale(-1, down, down);
  ffi_convex_support(s->a, down, x);
  ffi_to_local(s->p, s->R, x, x);
  ffi_v3_sub(x, corner[0], x);
  return ffi_v3_dot(n, x) - s->a->swept_radius;
}

// The nearest so far, with room for rounding.
static double most_of(const search *s)
{
  return s->best.value + rounding * (s->radius + fabs(s->best.value));
}

static int is_farther(const search *s, const double corner[3][3])
{
  const double most = most_of(s);
  return at_least_by_box(s, corner) > most || at_least_by_plane(s, corner) > most;
}

static void try_triangle(search *s, const double corner[3][3])
{
  if (is_farther(s, corner))
    return;
  double prism[6][3], foot[3];
  for (int i = 0; i < 3; ++i) {
    ffi_to_world(s->p, s->R, corner[i], prism[i]);
    ffi_v3_set(corner[i][0], corner[i][1], fmin(s->bottom, corner[i][2] - 1), foot);
    ffi_to_world(s->p, s->R, foot, prism[3 + i]);
  }
  ffi_convex b;
  ffi_convex_simplex simplex = {.count = 0};
  ffi_distance found = {.normal = {0, 0, 1}};
  double apart[3];
  ffi_convex_set_prism((const double(*)[3])prism, &b);
  const ffi_gjk_result result = ffi_gjk(s->a, &b, most_of(s) + s->a->swept_radius, &simplex, apart);
  if (result == FFI_GJK_FARTHER)
    return;
  if (result == FFI_GJK_APART) {
    found.value = ffi_direction(apart, found.normal);
    ffi_distance_from_simplex(s->a, &b, &simplex, &found);
  } else {
    below(s, (const double(*)[3])prism, &found);
  }
  if (found.value < s->best.value)
    s->best = found;
}

static void try_cell(search *s, int column, int row)
{
  const ffi_height_field *f = s->field;
  if (column < 0 || row < 0 || column >= f->columns - 1 || row >= f->rows - 1 || s->best.value <= s->least)
    return;
  double corner[3][3];
  for (int is_upper = 0; is_upper < 2; ++is_upper) {
    ffi_height_field_corners(f, column, row, is_upper, corner);
    try_triangle(s, (const double(*)[3])corner);
  }
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

// A ball that holds the solid and a box that holds its core, in the field's frame.
static void find_bounds(search *s)
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
    s->low[k] = low[k];
    s->high[k] = high[k];
    s->ball[k] = 0.5 * (high[k] + low[k]);
    square += 0.25 * (high[k] - low[k]) * (high[k] - low[k]);
  }
  s->radius = sqrt(square) + s->a->swept_radius;
  s->bottom = s->ball[2] - 2 * s->radius - 1;
}

// 0 for a place that is not a number.
static int clamped_cell(double at, double cell, double extent, int cells)
{
  const double place = floor((at + 0.5 * extent) / cell);
  return place >= cells - 1 ? cells - 1 : place > 0 ? (int)place : 0;
}

int ffi_distance_height_field(const ffi_convex *a, const ffi_height_field *field, const double p[3],
                              const double R[9], ffi_distance_height_field_range within, ffi_distance *out)
{
  if (!field)
    return 0;
  search s = {.a = a, .field = field, .p = p, .R = R, .least = within.least, .best.value = within.most};
  find_bounds(&s);
  const int columns = field->columns - 1, rows = field->rows - 1;
  const int column = clamped_cell(s.ball[0], ffi_height_field_cell_size(field, 0), field->size[0], columns);
  const int row = clamped_cell(s.ball[1], ffi_height_field_cell_size(field, 1), field->size[1], rows);
  const double cell = fmin(ffi_height_field_cell_size(field, 0), ffi_height_field_cell_size(field, 1));
  const int rings = columns > rows ? columns : rows;
  for (int ring = 0; ring <= rings && s.best.value > s.least; ++ring) {
    const double beyond =
        (ring - 1) * cell - s.radius; // of these cells from the solid; below 0 they may overlap
    if (beyond > 0 && beyond >= s.best.value)
      break;
    try_ring(&s, column, row, ring);
  }
  if (!(s.best.value > within.least && s.best.value < within.most && s.best.value <= 1e300))
    return 0;
  *out = s.best;
  return 1;
}
