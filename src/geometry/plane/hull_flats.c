// Flat faces of a hull: triangles merged by planes, largest first.  docs/theory/detection.md, section 1
#include "geometry/plane/hull_flats.h"

#include "math/larger.h"
#include "math/vec3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Vertices this part of the size above a plane lie in it: far above the rounding of meshes (1e-7 of the size in single
// precision, 1e-5 in files of text), and far below what a body sinks in.
static const double flat = 1e-4;

// A body stands on a face up to this tilt [rad]. Wider, it would lean farther on a load beyond the chosen corners;
// narrower, weights would change faster.
static const double widest = 0.03;

// A face with less is none: it is part of something round. Two faces whose normals are less than twice this apart are
// not both listed.
static const double narrowest = 0.005;

// Areas as parts of the square of the size: a face with five corners or more, and one with three or four.
static const double least_area = 0.01, least_simple_area = 0.1;

// What is found of one face.
typedef struct search {
  const ffi_hull_flats_hull *hull;
  double *normals; // [triangles x 3] unit, outwards
  double *areas;   // [triangles]
  char *covered;   // [triangles] lies in a face that has been found
  char *is_member; // [points] lies in the present face
  int *members;    // [points]
  int member_count;
  double normal[3], height; // its plane
  double area;
} search;

static void measure_triangles(search *s)
{
  for (int t = 0; t < s->hull->triangle_count; ++t) {
    const int *v = s->hull->triangles + 3 * t;
    const double *at = s->hull->points + 3 * v[0];
    double a[3], b[3], *n = s->normals + 3 * t;
    ffi_v3_sub(s->hull->points + 3 * v[1], at, a);
    ffi_v3_sub(s->hull->points + 3 * v[2], at, b);
    ffi_v3_cross(a, b, n);
    const double twice = ffi_v3_norm(n);
    s->areas[t] = twice / 2;
    ffi_v3_scale(twice > 0 ? 1 / twice : 0, n, n);
  }
}

static int largest_left(const search *s)
{
  int best = -1;
  for (int t = 0; t < s->hull->triangle_count; ++t)
    if (!s->covered[t] && (best < 0 || s->areas[t] > s->areas[best]))
      best = t;
  return best;
}

// The points in the highest plane across s->normal.
static void find_members(search *s)
{
  const ffi_hull_flats_hull *hull = s->hull;
  s->height = -(double)INFINITY;
  s->member_count = 0;
  for (int i = 0; i < hull->count; ++i)
    s->height = ffi_larger(s->height, ffi_v3_dot(s->normal, hull->points + 3 * i));
  for (int i = 0; i < hull->count; ++i) {
    const double below = s->height - ffi_v3_dot(s->normal, hull->points + 3 * i);
    s->is_member[i] = below <= flat * hull->size;
    if (s->is_member[i])
      s->members[s->member_count++] = i;
  }
}

static int is_in_face(const search *s, int t)
{
  const int *v = s->hull->triangles + 3 * t;
  return s->is_member[v[0]] && s->is_member[v[1]] && s->is_member[v[2]];
}

// The sum of the normals of its triangles, times their areas; `covers` marks them.
static void sum_face(search *s, int covers, double sum[3])
{
  ffi_v3_set(0, 0, 0, sum);
  s->area = 0;
  for (int t = 0; t < s->hull->triangle_count; ++t) {
    if (!is_in_face(s, t))
      continue;
    ffi_v3_add_scaled(s->areas[t], s->normals + 3 * t, sum);
    s->area += s->areas[t];
    s->covered[t] |= (char)covers;
  }
}

// The face around a triangle. Its plane is that of the triangle, then, as that may be a narrow one, of all of them.
static void find_face(search *s, int triangle)
{
  double sum[3];
  ffi_v3_copy(s->normals + 3 * triangle, s->normal);
  find_members(s);
  sum_face(s, 0, sum);
  const double length = ffi_v3_norm(sum);
  if (length > 0)
    ffi_v3_scale(1 / length, sum, s->normal);
  find_members(s);
  sum_face(s, 1, sum);
  s->covered[triangle] = 1;
}

static int is_wanted(const search *s, const double *own)
{
  const double square = s->hull->size * s->hull->size;
  int is_simple = s->member_count <= 4, is_plain = 1;
  for (int k = 0; k < s->member_count; ++k)
    is_plain &= own[s->members[k]] == 1;
  return is_simple ? !is_plain && s->area >= least_simple_area * square : s->area >= least_area * square;
}

// How far the hull may tilt before other corners carry it. A point b outside of the rim and h above the plane comes
// down at the tilt h/b. Weights may be wrong by what a thousandth of the size is in height, and end before that tilt.
static double reach_of(const search *s, const ffi_hull_rim *rim)
{
  const ffi_hull_flats_hull *hull = s->hull;
  double reach = widest;
  for (int i = 0; i < hull->count; ++i) {
    const double *x = hull->points + 3 * i, out = ffi_hull_rim_distance(rim, hull->points, s->normal, x);
    const double h = s->height - ffi_v3_dot(s->normal, x);
    if (s->is_member[i] || !(out > 0))
      continue;
    const double most = 0.7 * (h + 1e-3 * hull->size) / out;
    reach = most < reach ? most : reach;
  }
  return reach;
}

// Narrows the reach to half of the angle to each other face. Returns 0 if too little is left.
static int keep_apart(const ffi_hull_flats *flats, const double normal[3], double *reach)
{
  for (int f = 0; f < flats->count; ++f) {
    double across[3];
    ffi_v3_cross(flats->items[f].normal, normal, across);
    const double half = 0.5 * atan2(ffi_v3_norm(across), ffi_v3_dot(flats->items[f].normal, normal));
    if (half < narrowest)
      return 0;
    *reach = half < *reach ? half : *reach;
  }
  return *reach >= narrowest;
}

static ff_status add(ffi_hull_flats *flats, const ffi_hull_flat *flat_face)
{
  if (flats->count == flats->room) {
    const int room = 2 * flats->room + 8;
    ffi_hull_flat *items = realloc(flats->items, (size_t)room * sizeof *items);
    if (!items)
      return FF_ERROR_MEMORY;
    flats->items = items;
    flats->room = room;
  }
  flats->items[flats->count++] = *flat_face;
  return FF_OK;
}

// Faces found before are narrowed by those found after.
static void narrow_all(ffi_hull_flats *flats)
{
  for (int f = 0; f < flats->count; ++f)
    for (int g = 0; g < flats->count; ++g) {
      double across[3];
      const ffi_hull_flat *other = &flats->items[g];
      ffi_v3_cross(flats->items[f].normal, other->normal, across);
      const double angle = atan2(ffi_v3_norm(across), ffi_v3_dot(flats->items[f].normal, other->normal));
      if (g != f && angle < 2 * flats->items[f].reach)
        flats->items[f].reach = angle / 2;
    }
}

static ff_status add_face(search *s, const double *own, ffi_hull_flats *out)
{
  ffi_hull_flat found = {.reach = 0};
  if (!is_wanted(s, own))
    return FF_OK;
  ffi_v3_copy(s->normal, found.normal);
  ff_status status = ffi_hull_rim_find(s->hull->points, s->normal, s->member_count, s->members, &found.rim);
  if (status == FF_OK && found.rim.count > 0) {
    found.reach = reach_of(s, &found.rim);
    if (keep_apart(out, s->normal, &found.reach)) {
      ffi_hull_rim_sort(&found.rim);
      status = add(out, &found);
    }
  }
  return status;
}

ff_status ffi_hull_flats_find(const ffi_hull_flats_hull *hull, const double *own, ffi_hull_flats *out)
{
  const size_t triangles = (size_t)hull->triangle_count, points = (size_t)hull->count;
  search s = {.hull = hull};
  s.normals = malloc(3 * triangles * sizeof *s.normals);
  s.areas = malloc(triangles * sizeof *s.areas);
  s.covered = calloc(triangles, 1);
  s.is_member = calloc(points, 1);
  s.members = malloc(points * sizeof *s.members);
  ff_status status = s.normals && s.areas && s.covered && s.is_member && s.members ? FF_OK : FF_ERROR_MEMORY;
  if (status == FF_OK)
    measure_triangles(&s);
  for (int t = 0; status == FF_OK && (t = largest_left(&s)) >= 0;) {
    find_face(&s, t);
    status = add_face(&s, own, out);
  }
  narrow_all(out);
  free(s.normals);
  free(s.areas);
  free(s.covered);
  free(s.is_member);
  free(s.members);
  return status;
}

void ffi_hull_flats_free(ffi_hull_flats *flats)
{
  free(flats->items);
  *flats = (ffi_hull_flats){0};
}
