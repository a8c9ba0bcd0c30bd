// The outline of points in a plane, and the corners that stand for it.  docs/theory/detection.md, section 1
#include "geometry/plane/hull_rim.h"

#include "math/larger.h"
#include "math/vec3.h"

#include <math.h>
#include <stdlib.h>

// A corner that adds less than this part of the outline's area is not needed.
static const double least_gain = 1e-3;

// Weights are multiples of this: corners that are alike but for rounding have the same.
static const double unit = 0x1p-16;

// A point of the plane.
typedef struct place {
  double x, y;
  int point;
} place;

typedef struct outline {
  place *corner; // counter-clockwise
  double *along; // length of the outline up to each, and its whole length behind the last
  int count;
  double area;
} outline;

static int compare_places(const void *a, const void *b)
{
  const place *p = a, *q = b;
  return p->x != q->x ? (p->x < q->x ? -1 : 1) : p->y != q->y ? (p->y < q->y ? -1 : 1) : p->point - q->point;
}

// Twice the area of a triangle, positive if it is counter-clockwise.
static double turn(const place *a, const place *b, const place *c)
{
  return (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
}

static int extend(place *chain, int count, int least, const place *next)
{
  while (count >= least && !(turn(&chain[count - 2], &chain[count - 1], next) > 0))
    --count;
  chain[count] = *next;
  return count + 1;
}

// The outline of sorted places: the lower chain, then the upper one back. `chain` has room for 2 count.
static int find_outline(const place *sorted, int count, place *chain)
{
  int n = 0;
  for (int i = 0; i < count; ++i)
    n = extend(chain, n, 2, &sorted[i]);
  const int lower = n;
  for (int i = count - 2; i >= 0; --i)
    n = extend(chain, n, lower + 1, &sorted[i]);
  return n - 1; // the first is there twice
}

static void measure(outline *o)
{
  double x = 0;
  o->area = 0;
  for (int i = 0; i < o->count; ++i) {
    const place *a = &o->corner[i], *b = &o->corner[(i + 1) % o->count];
    o->along[i] = x;
    x += hypot(b->x - a->x, b->y - a->y);
    o->area += 0.5 * turn(&o->corner[0], a, b);
  }
  o->along[o->count] = x;
}

static int farthest_from(const outline *o, double x, double y)
{
  int best = 0;
  double most = -1;
  for (int i = 0; i < o->count; ++i) {
    const double far = hypot(o->corner[i].x - x, o->corner[i].y - y);
    if (far > most * (1 + 1e-9))
      most = far, best = i;
  }
  return best;
}

// The corner between two of the outline, `from` before `to`, that makes the largest triangle with them; -1: none.
static int largest_between(const outline *o, int from, int to, double *area)
{
  int best = -1;
  *area = 0;
  if (to <= from)
    to += o->count;
  for (int i = from + 1; i < to; ++i) {
    const double own = 0.5 * turn(&o->corner[from], &o->corner[i % o->count], &o->corner[to % o->count]);
    if (own > *area * (1 + 1e-9))
      *area = own, best = i % o->count;
  }
  return best;
}

// Inserts the corner that adds most. Returns 0 if it adds too little.
static int insert_one(const outline *o, int *chosen, int count)
{
  int best = -1, after = 0;
  double most = least_gain * o->area;
  for (int k = 0; k < count; ++k) {
    double area;
    const int corner = largest_between(o, chosen[k], chosen[(k + 1) % count], &area);
    if (corner >= 0 && area > most * (1 + 1e-9))
      most = area, best = corner, after = k;
  }
  if (best < 0)
    return 0;
  for (int k = count; k > after + 1; --k)
    chosen[k] = chosen[k - 1];
  chosen[after + 1] = best;
  return 1;
}

// Moves corners one after another to where the polygon is larger, until none does. A few sweeps are enough.
static void improve(const outline *o, int *chosen, int count)
{
  for (int sweep = 0, moved = 1; moved && sweep < 20; ++sweep) {
    moved = 0;
    for (int k = 0; k < count; ++k) {
      const int before = chosen[(k + count - 1) % count], after = chosen[(k + 1) % count];
      double area;
      const int corner = largest_between(o, before, after, &area);
      const double own = 0.5 * turn(&o->corner[before], &o->corner[chosen[k]], &o->corner[after]);
      if (corner >= 0 && area > own + 1e-9 * o->area) {
        chosen[k] = corner;
        moved = 1;
      }
    }
  }
}

static int choose(const outline *o, int *chosen)
{
  double x = 0, y = 0;
  for (int i = 0; i < o->count; ++i)
    x += o->corner[i].x / o->count, y += o->corner[i].y / o->count;
  const int first = farthest_from(o, x, y), second = farthest_from(o, o->corner[first].x, o->corner[first].y);
  int count = 2;
  chosen[0] = first, chosen[1] = second;
  while (count < FFI_HULL_RIM_MOST && insert_one(o, chosen, count))
    ++count;
  if (count > 2)
    improve(o, chosen, count);
  return count;
}

// The length of the outline from one corner forwards to another.
static double length_between(const outline *o, int from, int to)
{
  const double length = o->along[to] - o->along[from];
  return length > 0 ? length : length + o->along[o->count];
}

static void weigh(const outline *o, const int *chosen, ffi_hull_rim *out)
{
  const int n = out->count;
  for (int k = 0; k < n; ++k) {
    const int before = chosen[(k + n - 1) % n], after = chosen[(k + 1) % n];
    const double part = 0.5 * (length_between(o, before, chosen[k]) + length_between(o, chosen[k], after));
    out->corner[k] = o->corner[chosen[k]].point;
    out->weight[k] = n <= 4 ? 1 : unit * round(4 * part / o->along[o->count] / unit);
  }
}

static void find_axes(const double normal[3], double e[2][3])
{
  const int axis = fabs(normal[0]) < 0.7 ? 0 : 1;
  const double x[3] = {axis == 0, axis == 1, 0};
  ffi_v3_cross(normal, x, e[0]);
  ffi_v3_scale(1 / ffi_v3_norm(e[0]), e[0], e[0]);
  ffi_v3_cross(normal, e[0], e[1]);
}

ff_status ffi_hull_rim_find(const double *points, const double normal[3], int count, const int *members,
                            ffi_hull_rim *out)
{
  int chosen[FFI_HULL_RIM_MOST];
  double e[2][3];
  *out = (ffi_hull_rim){0};
  if (count < 3)
    return FF_OK;
  place *places = malloc((size_t)count * sizeof *places);
  outline o = {.corner = malloc(2 * (size_t)count * sizeof *o.corner),
               .along = malloc(2 * (size_t)count * sizeof *o.along)};
  const int has_memory = places && o.corner && o.along;
  if (has_memory) {
    find_axes(normal, e);
    for (int i = 0; i < count; ++i) {
      const double *x = points + 3 * members[i];
      places[i] = (place){ffi_v3_dot(e[0], x), ffi_v3_dot(e[1], x), members[i]};
    }
    qsort(places, (size_t)count, sizeof *places, compare_places);
    o.count = find_outline(places, count, o.corner);
    measure(&o);
    out->count = o.count > 2 && o.area > 0 ? choose(&o, chosen) : 0;
    out->count = out->count > 2 ? out->count : 0;
    weigh(&o, chosen, out);
  }
  free(places);
  free(o.corner);
  free(o.along);
  return has_memory ? FF_OK : FF_ERROR_MEMORY;
}

double ffi_hull_rim_distance(const ffi_hull_rim *rim, const double *points, const double normal[3],
                             const double x[3])
{
  double most = -(double)INFINITY;
  for (int k = 0; k < rim->count; ++k) {
    const double *a = points + 3 * rim->corner[k], *b = points + 3 * rim->corner[(k + 1) % rim->count];
    double along[3], out[3], r[3];
    ffi_v3_sub(b, a, along);
    ffi_v3_cross(along, normal, out);
    ffi_v3_sub(x, a, r);
    most = ffi_larger(most, ffi_v3_dot(r, out) / ffi_v3_norm(out));
  }
  return most;
}

void ffi_hull_rim_sort(ffi_hull_rim *rim)
{
  for (int k = 1; k < rim->count; ++k)
    for (int i = k; i > 0 && rim->corner[i] < rim->corner[i - 1]; --i) {
      const int corner = rim->corner[i];
      const double weight = rim->weight[i];
      rim->corner[i] = rim->corner[i - 1], rim->weight[i] = rim->weight[i - 1];
      rim->corner[i - 1] = corner, rim->weight[i - 1] = weight;
    }
}
