// Above a height field. Each prism below a triangle is convex and has its own direction; those that the thing cannot come over, or that are lower than it gets, need none.
#include "contact/advance/advance_memory.h"

#include "geometry/convex.h"
#include "geometry/distance_height_field.h"
#include "geometry/height_field.h"
#include "geometry/narrow_phase.h"

// A thing on its way over a field, in the field's frame.
typedef struct flight {
  const ffi_solid *solid;
  const ffi_height_field *field;
  ffi_pose from, to;
  double rind, floor, bend, h;
  double doubt_from, doubt_to;
  double low[3], high[3]; ///< where it can get
} flight;

static void relative_place(const ffi_pose *x, const ffi_pose *y, ffi_pose *out)
{
  ffi_m3_tmul(y->R, x->R, out->R);
  ffi_to_local(y->p, y->R, x->p, out->p);
}

static void find_extent(flight *f)
{
  const double sag = 0.125 * f->bend * f->h * f->h + f->doubt_to + f->rind;
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

// Are both ends, and what is between, beyond n x = height?
static int is_beyond(const flight *f, const double n[3], double height)
{
  const double a = ffi_pair_separation_core_low(f->solid, &f->from, n) - height - f->rind - f->doubt_from;
  const double b = ffi_pair_separation_core_low(f->solid, &f->to, n) - height - f->rind - f->doubt_to;
  return ffi_pair_separation_least_between(a, b, f->bend, f->h) >= f->floor;
}

// By the direction in which the thing is nearest to the prism at one of the ends.
static int is_clear_from(const flight *f, const ffi_pose *place, const double prism[6][3])
{
  ffi_convex x, y;
  ffi_distance d;
  double top[3];
  ffi_convex_set(f->solid, place->p, place->R, &x);
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

static int is_triangle_clear(const flight *f, const double corner[3][3])
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
  return is_clear_from(f, &f->from, (const double(*)[3])prism) ||
         is_clear_from(f, &f->to, (const double(*)[3])prism);
}

static void get_triangle(const ffi_height_field *field, int column, int row, int is_upper, double out[3][3])
{
  ffi_height_field_point(field, column, row, out[0]);
  ffi_height_field_point(field, column + 1, row + is_upper, out[1]);
  ffi_height_field_point(field, column + 1 - is_upper, row + 1, out[2]);
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

int ffi_pair_separation_field_between(const ffi_advance *a, const ffi_colliders *scene,
                                      const ffi_pair_separation *w)
{
  const ffi_solid *solid = &scene->parties[w->x].solid;
  flight f = {.solid = solid,
              .field = scene->parties[w->y].solid.field,
              .rind = ffi_convex_rind(solid),
              .floor = w->floor,
              .bend = w->bend,
              .h = a->next.time - a->now.time,
              .doubt_from = w->doubt * a->now.time,
              .doubt_to = w->doubt * a->next.time};
  relative_place(&a->now.course[w->x].place, &a->now.course[w->y].place, &f.from);
  relative_place(&a->next.course[w->x].place, &a->next.course[w->y].place, &f.to);
  find_extent(&f);
  if (!ffi_all_finite(f.low, 3) || !ffi_all_finite(f.high, 3))
    return 0;
  if (f.low[2] - f.field->high >= f.floor)
    return 1;
  const cells c = find_below(&f);
  double corner[3][3];
  for (int row = c.row[0]; row <= c.row[1]; ++row)
    for (int i = 2 * c.column[0]; i < 2 * c.column[1] + 2; ++i) {
      get_triangle(f.field, i / 2, row, i % 2, corner);
      if (!is_triangle_clear(&f, (const double(*)[3])corner))
        return 0;
    }
  return 1;
}

double ffi_pair_separation_field_depth(const ffi_advance *a, const ffi_colliders *scene,
                                       const ffi_pair_separation *w)
{
  const ffi_solid *solid = &scene->parties[w->x].solid;
  flight f = {.solid = solid, .field = scene->parties[w->y].solid.field, .rind = ffi_convex_rind(solid)};
  relative_place(&a->now.course[w->x].place, &a->now.course[w->y].place, &f.from);
  f.to = f.from;
  find_extent(&f);
  const cells c = find_below(&f);
  double corner[3][3], prism[6][3], least = 0;
  ffi_convex x, y;
  ffi_distance d;
  ffi_convex_set(f.solid, f.from.p, f.from.R, &x);
  for (int row = c.row[0]; row <= c.row[1]; ++row)
    for (int i = 2 * c.column[0]; i < 2 * c.column[1] + 2; ++i) {
      get_triangle(f.field, i / 2, row, i % 2, corner);
      if (fmax(corner[0][2], fmax(corner[1][2], corner[2][2])) <= f.low[2])
        continue;
      make_prism(&f, (const double(*)[3])corner, prism);
      ffi_convex_set_prism((const double(*)[3])prism, &y);
      ffi_distance_convex(&x, &y, NULL, &d);
      least = fmin(least, d.value);
    }
  return least;
}
