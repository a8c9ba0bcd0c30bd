// Ellipsoids. Against a plane in closed form; against any other convex solid one touch, at the signed distance; against
// a height field as balls are (collide_ball_field.c): features 0 .. 3 are the quadrants in which normals lean.
// docs/theory/detection.md, sections 1, 5 and 6
#include "geometry/convex.h"
#include "geometry/distance_height_field.h"
#include "geometry/ellipsoid/ellipsoid.h"
#include "geometry/height_field.h"
#include "geometry/narrow_phase.h"

// The ellipsoid's lowest point along -normal: a touch of this gap.
static void put(ffi_narrow_phase *query, int feature, const double normal[3], double gap)
{
  ffi_touch touch = {.feature = feature, .gap = gap, .roll = FFI_ROLL_SURFACE};
  double down[3], local[3];
  ffi_v3_copy(normal, touch.normal);
  ffi_v3_scale(-1, normal, down);
  ffi_m3_tmulv(query->Ra, down, local);
  ffi_ellipsoid_support(query->a->size, local, local);
  ffi_to_world(query->pa, query->Ra, local, touch.point);
  ffi_v3_copy(query->pa, touch.centre);
  ffi_narrow_phase_put_world(query, &touch);
}

// How far the ellipsoid reaches from its centre along a unit vector of the world.
static double reach_along(const ffi_narrow_phase *query, const double n[3])
{
  double local[3], x[3];
  ffi_m3_tmulv(query->Ra, n, local);
  ffi_ellipsoid_support(query->a->size, local, x);
  return ffi_v3_dot(local, x);
}

void ffi_collide_ellipsoid_plane(ffi_narrow_phase *query)
{
  double normal[3], centre[3];
  ffi_axis(query->Rb, 2, normal);
  ffi_v3_sub(query->pa, query->pb, centre);
  put(query, 0, normal, ffi_v3_dot(normal, centre) - reach_along(query, normal));
}

// ---- Convex solids ------------------------------------------------------------------------------------------

enum { TRIES = 3 };
static const double lifted = 0.01; // of the size: how far apart cores are measured for their normal
static const double same = 1e-9;   // a turn of the normal that is not worth another try
static const double flush = 1e-6;  // sine of the angle to a box's face that is the error of the search

static int measure(const ffi_narrow_phase *m, const double p[3], ffi_distance *found)
{
  return ffi_distance_measure(&(ffi_solid_at){m->a, p, m->Ra}, &(ffi_solid_at){m->b, m->pb, m->Rb}, NULL,
                              found);
}

// Cores that overlap or just touch have a normal that is known to 1e-6. Measured again, with A moved away along it,
// its error is smaller: docs/theory/detection.md, section 5.
static void improve(const ffi_narrow_phase *m, double away, double n[3])
{
  for (int i = 0; i < TRIES; ++i) {
    double moved[3], turned[3];
    ffi_distance again;
    ffi_v3_copy(m->pa, moved);
    ffi_v3_add_scaled(away, n, moved);
    if (!measure(m, moved, &again))
      return;
    ffi_v3_sub(again.normal, n, turned);
    ffi_v3_copy(again.normal, n);
    if (ffi_v3_norm(turned) < same)
      return;
  }
}

// A normal that is a box's face but for rounding is that face's.
static void snap(const ffi_narrow_phase *m, double n[3])
{
  for (int k = 0; k < 3 && m->b->type == FF_SHAPE_BOX; ++k) {
    double axis[3], off[3];
    ffi_axis(m->Rb, k, axis);
    if (ffi_v3_dot(axis, n) < 0)
      ffi_v3_scale(-1, axis, axis);
    ffi_v3_sub(n, axis, off);
    if (ffi_v3_norm(off) < flush)
      ffi_v3_copy(axis, n);
  }
}

void ffi_collide_ellipsoid_convex(ffi_narrow_phase *query)
{
  ffi_distance found;
  if (!measure(query, query->pa, &found) || !ffi_is_near(found.value, query->margin))
    return;
  const double swept = ffi_convex_swept_radius(query->a) + ffi_convex_swept_radius(query->b);
  const double away = lifted * query->a->radius - (found.value + swept);
  if (away > 0)
    improve(query, away, found.normal);
  snap(query, found.normal);
  if (fabs(ffi_v3_dot(found.normal, found.normal) - 1) < 1e-9)
    put(query, 0, found.normal, found.value);
}

// ---- Height fields ------------------------------------------------------------------------------------------

typedef struct search {
  const ffi_narrow_phase *query;
  double centre[3];       // in the field's frame
  double low[3], high[3]; // what is nearer than the margin is in this box, in the field's frame
  double E[9]; // R S^2 R', in the field's frame: the lowest point along -m is at -E m / sqrt(m' E m)
  struct {
    double gap, normal[3]; // normal in the world
  } best[4];
} search;

// n: in the field's frame.
static void offer(search *s, double gap, const double n[3], const double normal[3])
{
  const int quadrant = (n[0] < 0) + 2 * (n[1] < 0);
  if (!(gap < s->best[quadrant].gap))
    return;
  s->best[quadrant].gap = gap;
  ffi_v3_copy(normal, s->best[quadrant].normal);
}

// Is the foot of the lowest point over a triangle's plane clearly outside the triangle? Mostly it is. Lengths of m
// cancel.
static int is_foot_outside(const search *s, const double corner[3][3], const double slope[2])
{
  const double m[3] = {-slope[0], -slope[1], 1}, square = ffi_v3_dot(m, m),
               *extent = s->query->b->field->size;
  double Em[3], r[3];
  ffi_m3_mulv(s->E, m, Em);
  const double reach = sqrt(ffi_v3_dot(m, Em));
  ffi_v3_sub(s->centre, corner[0], r);
  const double along = (ffi_v3_dot(m, r) - reach) / square, shrink = 1 / reach;
  const double slack = 1e-9 * (extent[0] + extent[1] + s->query->a->radius);
  for (int k = 0; k < 2; ++k) {
    const double foot = s->centre[k] - shrink * Em[k] - along * m[k];
    const double low = ffi_smaller(corner[0][k], ffi_smaller(corner[1][k], corner[2][k]));
    const double high = ffi_larger(corner[0][k], ffi_larger(corner[1][k], corner[2][k]));
    if (foot < low - slack || foot > high + slack)
      return 1;
  }
  return 0;
}

// The lowest point over a triangle counts if its foot is inside, and the centre is above the triangle's plane.
static void try_face(search *s, int column, int row, int is_upper)
{
  const ffi_narrow_phase *query = s->query;
  const ffi_height_field *field = query->b->field;
  double slope[2], corner[3][3], r[3], normal[3], down[3], x[3];
  ffi_height_field_corners(field, column, row, is_upper, corner);
  if (ffi_larger(corner[0][2], ffi_larger(corner[1][2], corner[2][2])) < s->low[2])
    return;
  ffi_height_field_slope(field, column, row, is_upper, slope);
  if (is_foot_outside(s, (const double(*)[3])corner, slope))
    return;
  const double up = 1 / sqrt(1 + slope[0] * slope[0] + slope[1] * slope[1]);
  const double n[3] = {-up * slope[0], -up * slope[1], up};
  ffi_v3_sub(s->centre, corner[0], r);
  const double height = ffi_v3_dot(n, r);
  if (!(height >= 0 && height <= query->a->radius + query->margin))
    return;
  ffi_m3_mulv(query->Rb, n, normal);
  ffi_v3_scale(-1, normal, down);
  ffi_m3_tmulv(query->Ra, down, x);
  ffi_ellipsoid_support(query->a->size, x, x);
  ffi_m3_mulv(query->Ra, x, x);
  ffi_m3_tmulv(query->Rb, x, x); // from the centre to the lowest point
  const double gap = height + ffi_v3_dot(n, x);
  ffi_v3_add(s->centre, x, r);
  ffi_v3_add_scaled(-gap, n, r); // the foot
  ffi_height_field_triangle at;
  if (ffi_height_field_find(field, r[0], r[1], &at) && at.column == column && at.row == row &&
      at.is_upper == is_upper)
    offer(s, gap, n, normal);
}

// The cells `first` .. `last` from x to y.
static void cells_between(double x, double y, double size, int cells, int *first, int *last)
{
  const double from = floor((x / size + 0.5) * cells), to = floor((y / size + 0.5) * cells);
  *first = from > 0 ? (int)ffi_smaller(from, cells) : 0;
  *last = to < cells - 1 ? (int)ffi_larger(to, -1) : cells - 1;
}

// E, and the box, with a little more for rounding.
static void find_bounds(search *s)
{
  const ffi_narrow_phase *query = s->query;
  double p[3], R[9];
  ffi_narrow_phase_relative(query, p, R);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      s->E[3 * i + j] = 0;
      for (int k = 0; k < 3; ++k)
        s->E[3 * i + j] += R[3 * i + k] * query->a->size[k] * query->a->size[k] * R[3 * j + k];
    }
  for (int k = 0; k < 3; ++k) {
    double axis[3];
    ffi_axis(query->Rb, k, axis);
    const double reach = reach_along(query, axis) + query->margin + 1e-9 * query->a->radius;
    s->low[k] = s->centre[k] - reach;
    s->high[k] = s->centre[k] + reach;
  }
}

// Ridges and peaks: the place of the distance, unless a face is as near. Deeper than the core it is not known.
static void try_ridge(search *s)
{
  const ffi_narrow_phase *query = s->query;
  ffi_distance_height_field_range within = {-ffi_convex_swept_radius(query->a),
                                            nextafter(query->margin, (double)INFINITY)};
  for (int i = 0; i < 4; ++i)
    within.most = ffi_smaller(within.most, s->best[i].gap - 1e-9 * query->a->radius);
  ffi_convex a;
  ffi_distance found;
  double n[3];
  ffi_convex_set(query->a, query->pa, query->Ra, &a);
  if (!(within.most > within.least) ||
      !ffi_distance_height_field(&a, query->b->field, query->pb, query->Rb, within, &found))
    return;
  ffi_m3_tmulv(query->Rb, found.normal, n);
  offer(s, found.value, n, found.normal);
}

// The triangle above a centre below the field.
static void try_above(search *s, const double n[3], double height)
{
  double normal[3];
  ffi_m3_mulv(s->query->Rb, n, normal);
  offer(s, height - reach_along(s->query, normal), n, normal);
}

void ffi_collide_ellipsoid_field(ffi_narrow_phase *query)
{
  search s = {.query = query};
  const ffi_height_field *field = query->b->field;
  const double reach = query->a->radius + query->margin;
  double n[3], height;
  int columns[2], rows[2];
  ffi_to_local(query->pb, query->Rb, query->pa, s.centre);
  if (!ffi_height_field_distance(field, s.centre, n, &height) || s.centre[2] - field->high > reach)
    return;
  for (int i = 0; i < 4; ++i)
    s.best[i].gap = (double)INFINITY;
  find_bounds(&s);
  cells_between(s.low[0], s.high[0], field->size[0], field->columns - 1, &columns[0], &columns[1]);
  cells_between(s.low[1], s.high[1], field->size[1], field->rows - 1, &rows[0], &rows[1]);
  for (int row = rows[0]; height >= 0 && row <= rows[1]; ++row)
    for (int column = columns[0]; column <= columns[1]; ++column) {
      try_face(&s, column, row, 0);
      try_face(&s, column, row, 1);
    }
  if (height < 0)
    try_above(&s, n, height);
  else
    try_ridge(&s);
  for (int i = 0; i < 4; ++i)
    if (ffi_is_near(s.best[i].gap, query->margin))
      put(query, i, s.best[i].normal, s.best[i].gap);
}
