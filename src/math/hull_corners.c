// Few corners of a hull: always the point that is farthest outside of the corners so far becomes one.
#include "math/hull_corners.h"

#include "math/hull_surface.h"

#include <stdlib.h>

// A point that may be outside: how far beyond which face. Of equal points, or those as far out, the first one counts.
typedef struct outlier {
  int point, owner; // a face's place
  unsigned id;      // that face's number: it is still there if the place has it
  double beyond;    // the largest of its distances above all faces
} outlier;

static void look_beyond(const ffi_hull_surface *s, int face, outlier *o)
{
  const ffi_hull_surface_face *f = &s->faces[face];
  const double beyond = ffi_v3_dot(f->normal, ffi_hull_surface_point(s, o->point)) - f->offset;
  if (beyond > o->beyond && f->v[0] >= 0) {
    o->beyond = beyond;
    o->owner = face;
    o->id = f->id;
  }
}

// Update the distances of those from number `first` on after a cone was added. Others, and points that are inside now,
// are dropped; the farthest comes first. Returns how many are left.
static int update_outliers(const ffi_hull_surface *s, int first, int count, outlier *outliers)
{
  int kept = 0, farthest = 0;
  for (int i = first; i < count; ++i) {
    outlier o = outliers[i];
    if (o.owner >= 0 && s->faces[o.owner].v[0] >= 0 && s->faces[o.owner].id == o.id) {
      for (int k = 0; k < s->cone_count; ++k)
        look_beyond(s, s->cone[k], &o);
    } else {
      o.beyond = 0;
      for (int k = 0; k < s->face_count; ++k)
        look_beyond(s, k, &o);
    }
    if (!(o.beyond > s->tolerance))
      continue;
    outliers[kept] = o;
    if (o.beyond > outliers[farthest].beyond)
      farthest = kept;
    ++kept;
  }
  if (kept > 0) {
    const outlier o = outliers[0];
    outliers[0] = outliers[farthest];
    outliers[farthest] = o;
  }
  return kept;
}

// Make the farthest outlier a corner. Returns how many are left, or -1 without memory.
static int add_farthest(ffi_hull_surface *s, outlier *outliers, int count)
{
  const outlier o = outliers[0];
  // It does see the face: its distance is more than the tolerance, 32 x 2^-53 (size + largest), and off by less. Two
  // products of vectors no longer than sqrt(3) largest, with 3 roundings each, are off by 10.4 x 2^-53 largest; their
  // difference and the normal, of a length of two sizes at most, by 18 x 2^-53 size.
  if (!ffi_hull_surface_look(s, o.point, o.owner) || !ffi_hull_surface_raise(s, o.point))
    return -1;
  return update_outliers(s, 1, count, outliers);
}

// ---- Which ones to keep -----------------------------------------------------------------------------------

// The first two planes of faces around a point, and whether there is a third. A point in a face, on an edge or inside
// is no corner.
typedef struct fan {
  int point, seen[2]; // faces, or -1
  int is_on_surface, is_corner;
} fan;

// Are two faces in one plane, but for `slack`? The angle between them does not tell, for faces may be narrow.
static int share_plane(const ffi_hull_surface *s, double slack, int face, int other)
{
  const ffi_hull_surface_face *f = &s->faces[face], *g = &s->faces[other];
  for (int k = 0; k < 3; ++k)
    if (fabs(ffi_v3_dot(f->normal, ffi_hull_surface_point(s, g->v[k])) - f->offset) > slack)
      return 0;
  return ffi_v3_dot(f->normal, g->normal) > 0; // not the two sides of a foil
}

static void add_to_fan(const ffi_hull_surface *s, double slack, int face, fan *c)
{
  c->is_on_surface = 1;
  for (int i = 0; i < 2; ++i) {
    if (c->seen[i] < 0) {
      c->seen[i] = face;
      return;
    }
    if (share_plane(s, slack, c->seen[i], face))
      return;
  }
  c->is_corner = 1;
}

static int compare_fans(const void *x, const void *y)
{
  const fan *a = x, *b = y;
  return (a->point > b->point) - (a->point < b->point);
}

// Keep those of `used` corners at which faces of three planes or more meet; if these are so few that they span no
// volume, as in a foil, all that are on the surface. Returns how many, or -1 without memory.
static int list_corners(const ffi_hull_surface *s, double slack, int used, int *corner)
{
  int corners = 0, kept = 0;
  fan *fans = malloc((size_t)used * sizeof *fans);
  if (!fans)
    return -1;
  for (int i = 0; i < used; ++i)
    fans[i] = (fan){.point = corner[i], .seen = {-1, -1}};
  qsort(fans, (size_t)used, sizeof *fans, compare_fans);
  for (int i = 0; i < s->face_count; ++i)
    for (int k = 0; k < 3 && s->faces[i].v[0] >= 0; ++k) {
      const fan key = {.point = s->faces[i].v[k]};
      add_to_fan(s, slack, i, bsearch(&key, fans, (size_t)used, sizeof *fans, compare_fans));
    }
  for (int i = 0; i < used; ++i)
    corners += fans[i].is_corner;
  for (int i = 0; i < used; ++i) {
    const fan key = {.point = corner[i]}, *c = bsearch(&key, fans, (size_t)used, sizeof *fans, compare_fans);
    if (corners < 4 ? c->is_on_surface : c->is_corner)
      corner[kept++] = corner[i];
  }
  free(fans);
  return kept;
}

// From the first four on until the others are near enough or there are enough corners. -1 without memory.
static int add_corners(ffi_hull_surface *s, double tolerance, outlier *outliers, ffi_hull_corners *out)
{
  int used = 4, outside = s->count;
  for (int i = 0; i < outside; ++i)
    outliers[i] = (outlier){.point = i, .owner = -1};
  outside = update_outliers(s, 0, outside, outliers);
  while (outside > 0 && outliers[0].beyond > tolerance && used < out->most) {
    out->corner[used++] = outliers[0].point;
    outside = add_farthest(s, outliers, outside);
  }
  if (outside < 0)
    return -1;
  out->left = outside > 0 ? ldexp(outliers[0].beyond, s->exponent) : 0;
  // Of points in a face the one with the most noise comes first, perhaps. A hundredth of the tolerance holds the noise
  // of floats, and is little beside what is left.
  return list_corners(s, fmax(s->tolerance, 0.01 * tolerance), used, out->corner);
}

ffi_hull_result ffi_hull_corners_find(int count, const double *points, double tolerance,
                                      ffi_hull_corners *out, ffi_hull_work *work)
{
  ffi_hull_surface s;
  out->left = 0;
  out->count = 0;
  ffi_hull_result result = ffi_hull_surface_create(&s, count, points);
  if (result == FFI_HULL_OK)
    result = ffi_hull_surface_start(&s, out->corner);
  if (result != FFI_HULL_OK)
    goto done;
  outlier *outliers = malloc((size_t)count * sizeof *outliers);
  out->count = outliers ? add_corners(&s, ldexp(tolerance, -s.exponent), outliers, out) : -1;
  free(outliers);
  if (out->count < 0) {
    out->count = 0;
    result = FFI_HULL_NO_MEMORY;
  }
  if (work)
    *work = (ffi_hull_work){s.made, s.tests, s.whole, s.face_count};
done:
  ffi_hull_surface_free(&s);
  return result;
}
