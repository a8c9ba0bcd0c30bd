// A pair with a height field. Each prism below a triangle is convex and has its own direction; prisms that the solid
// cannot come over, or that are lower than it gets, need none. docs/theory/advancement.md, section 6
#include "contact/advance/advance_memory.h"

#include "geometry/convex.h"
#include "geometry/distance_height_field.h"
#include "geometry/height_field.h"
#include "geometry/narrow_phase.h"

// The motion of a solid over a field, in the field's frame.
typedef struct flight {
  const ffi_solid *solid;
  const ffi_height_field *field;
  ffi_pose from, to;
  double swept_radius, floor, accel, h;
  double error_from, error_to;
  double low[3], high[3]; ///< box that holds the motion
} flight;

static void relative_pose(const ffi_pose *x, const ffi_pose *y, ffi_pose *out)
{
  ffi_m3_tmul(y->R, x->R, out->R);
  ffi_to_local(y->p, y->R, x->p, out->p);
}

static void find_extent(flight *f)
{
  const double sag = 0.125 * f->accel * f->h * f->h + f->error_to + f->swept_radius;
  for (int k = 0; k < 3; ++k) {
    const double up[3] = {k == 0, k == 1, k == 2}, down[3] = {-up[0], -up[1], -up[2]};
    f->low[k] = fmin(ffi_pair_separation_core_low(f->solid, &f->from, up),
                     ffi_pair_separation_core_low(f->solid, &f->to, up)) -
                sag;
    f->high[k] = -fmin(ffi_pair_separation_core_low(f->solid, &f->from, down),
                       ffi_pair_separation_core_low(f->solid, &f->to, down)) +
                 sag;
  }
}

// Is the solid beyond n x = height at both ends and in between?
static int is_beyond(const flight *f, const double n[3], double height)
{
  const double a =
      ffi_pair_separation_core_low(f->solid, &f->from, n) - height - f->swept_radius - f->error_from;
  const double b = ffi_pair_separation_core_low(f->solid, &f->to, n) - height - f->swept_radius - f->error_to;
  return ffi_pair_separation_least_between(a, b, f->accel, f->h) >= f->floor;
}

// By the normal of the distance to the prism at one of the ends.
static int is_clear_from(const flight *f, const ffi_pose *pose, const double prism[6][3])
{
  ffi_convex x, y;
  ffi_distance d;
  double top[3];
  ffi_convex_set(f->solid, pose->p, pose->R, &x);
  ffi_convex_set_prism(prism, &y);
  ffi_distance_convex(&x, &y, NULL, &d);
  ffi_convex_support(&y, d.normal, top);
  return is_beyond(f, d.normal, ffi_v3_dot(d.normal, top));
}

static void make_prism(const flight *f, const double corner[3][3], double prism[6][3])
{
  for (int i = 0; i < 3; ++i) {
    ffi_v3_copy(corner[i], prism[i]);
    ffi_v3_set(corner[i][0], corner[i][1], fmin(f->low[2], corner[i][2]) - 1, prism[3 + i]);
  }
}

// *distances: those that were measured.
static int is_triangle_clear(const flight *f, const double corner[3][3], int *distances)
{
  const double high = fmax(corner[0][2], fmax(corner[1][2], corner[2][2]));
  if (f->low[2] - high >= f->floor)
    return 1;
  double d[3], e[3], n[3], prism[6][3];
  ffi_v3_sub(corner[1], corner[0], d);
  ffi_v3_sub(corner[2], corner[0], e);
  ffi_v3_cross(d, e, n);
  if (ffi_direction(n, n) > 0 && is_beyond(f, n, ffi_v3_dot(n, corner[0])))
    return 1;
  make_prism(f, corner, prism);
  *distances += 2;
  return is_clear_from(f, &f->from, (const double(*)[3])prism) ||
         is_clear_from(f, &f->to, (const double(*)[3])prism);
}

// First and last cell between two coordinates.
static void find_cells(double low, double high, double extent, int cells, int *first, int *last)
{
  const double a = floor((low / extent + 0.5) * cells - 1e-9),
               b = floor((high / extent + 0.5) * cells + 1e-9);
  *first = a >= cells ? cells : a > 0 ? (int)a : 0;
  *last = b < 0 ? -1 : b < cells - 1 ? (int)b : cells - 1;
}

typedef struct cells {
  int column[2], row[2]; ///< first and last
} cells;

static cells find_below(const flight *f)
{
  const ffi_height_field *field = f->field;
  cells c;
  find_cells(f->low[0], f->high[0], field->size[0], field->columns - 1, &c.column[0], &c.column[1]);
  find_cells(f->low[1], f->high[1], field->size[1], field->rows - 1, &c.row[0], &c.row[1]);
  return c;
}

// Two triangles in each cell, most of which need a look at their planes alone.
static void count_cells(const ffi_advance *a, const cells *c)
{
  const double columns = c->column[1] - c->column[0] + 1, rows = c->row[1] - c->row[0] + 1;
  *a->work += 0.04 * fmax(columns, 0) * fmax(rows, 0);
}

int ffi_pair_separation_field_between(const ffi_advance *a, const ffi_colliders *colliders,
                                      const ffi_pair_separation *w)
{
  const ffi_solid *solid = &colliders->items[w->x].solid;
  flight f = {.solid = solid,
              .field = colliders->items[w->y].solid.field,
              .swept_radius = ffi_convex_swept_radius(solid),
              .floor = w->floor,
              .accel = w->accel,
              .h = a->next.time - a->now.time,
              .error_from = w->error_rate * a->now.time,
              .error_to = w->error_rate * a->next.time};
  relative_pose(&a->now.course[w->x].pose, &a->now.course[w->y].pose, &f.from);
  relative_pose(&a->next.course[w->x].pose, &a->next.course[w->y].pose, &f.to);
  find_extent(&f);
  if (!ffi_all_finite(f.low, 3) || !ffi_all_finite(f.high, 3))
    return 0;
  if (f.low[2] - f.field->high >= f.floor)
    return 1;
  const cells c = find_below(&f);
  double corner[3][3];
  int is_clear = 1, distances = 0;
  for (int row = c.row[0]; is_clear && row <= c.row[1]; ++row)
    for (int i = 2 * c.column[0]; is_clear && i < 2 * c.column[1] + 2; ++i) {
      ffi_height_field_corners(f.field, i / 2, row, i % 2, corner);
      is_clear = is_triangle_clear(&f, (const double(*)[3])corner, &distances);
    }
  count_cells(a, &c);
  ffi_pair_separation_count(a, colliders, w, distances);
  return is_clear;
}

// The least that the signed distance to a prism can be: no direction parts two convex solids by more than that.
static double at_least(const flight *f, const double corner[3][3])
{
  const double high = fmax(corner[0][2], fmax(corner[1][2], corner[2][2]));
  double d[3], e[3], n[3];
  ffi_v3_sub(corner[1], corner[0], d);
  ffi_v3_sub(corner[2], corner[0], e);
  ffi_v3_cross(d, e, n);
  const double upright = f->low[2] - high; // f->low is without the swept radius too
  if (!(ffi_direction(n, n) > 0))
    return upright;
  return fmax(upright, ffi_pair_separation_core_low(f->solid, &f->from, n) - ffi_v3_dot(n, corner[0]) -
                           f->swept_radius);
}

// The signed distance to the prism below a triangle.
static double prism_distance(const flight *f, const ffi_convex *x, const double corner[3][3])
{
  double prism[6][3];
  ffi_convex y;
  ffi_distance d;
  make_prism(f, corner, prism);
  ffi_convex_set_prism((const double(*)[3])prism, &y);
  ffi_distance_convex(x, &y, NULL, &d);
  return d.value;
}

// Of the bounds: their rounding, and that of the searches.
static const double rounding = 1e-9;

double ffi_pair_separation_field_depth(const ffi_advance *a, const ffi_colliders *colliders,
                                       const ffi_pair_separation *w)
{
  const ffi_solid *solid = &colliders->items[w->x].solid;
  flight f = {.solid = solid,
              .field = colliders->items[w->y].solid.field,
              .swept_radius = ffi_convex_swept_radius(solid)};
  relative_pose(&a->now.course[w->x].pose, &a->now.course[w->y].pose, &f.from);
  f.to = f.from;
  find_extent(&f);
  const cells c = find_below(&f);
  count_cells(a, &c);
  double corner[3][3], least = 0, promise = 0;
  int deepest[2] = {-1, -1};
  ffi_convex x;
  ffi_convex_set(f.solid, f.from.p, f.from.R, &x);
  for (int row = c.row[0]; row <= c.row[1];
       ++row) // the one that promises most first: it leaves little to search
    for (int i = 2 * c.column[0]; i < 2 * c.column[1] + 2; ++i) {
      ffi_height_field_corners(f.field, i / 2, row, i % 2, corner);
      const double bound = at_least(&f, (const double(*)[3])corner);
      if (bound < promise) {
        promise = bound;
        deepest[0] = i, deepest[1] = row;
      }
    }
  if (deepest[0] < 0)
    return 0;
  ffi_height_field_corners(f.field, deepest[0] / 2, deepest[1], deepest[0] % 2, corner);
  least = fmin(least, prism_distance(&f, &x, (const double(*)[3])corner));
  int distances = 1;
  for (int row = c.row[0]; row <= c.row[1]; ++row)
    for (int i = 2 * c.column[0]; i < 2 * c.column[1] + 2; ++i) {
      ffi_height_field_corners(f.field, i / 2, row, i % 2, corner);
      if (at_least(&f, (const double(*)[3])corner) < least + rounding * solid->radius) {
        least = fmin(least, prism_distance(&f, &x, (const double(*)[3])corner));
        ++distances;
      }
    }
  ffi_pair_separation_count(a, colliders, w, distances);
  return least;
}
