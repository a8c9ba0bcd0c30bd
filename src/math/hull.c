// A convex hull, point by point: faces that see the new point are replaced by a cone from their rim to it.
//
// The surface stays closed whatever rounding does to the question which faces see a point (every directed
// edge keeps its opposite), so the volume integral below is always that of a closed surface, off by at most
// tolerance times area.
#include "math/hull.h"

#include "math/vec3.h"

#include <float.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef struct face {
  int v[3];         // corners, counter-clockwise seen from outside
  double normal[3]; // unit
  double offset;    // normal . x on the face
  int id;           // faces are numbered as they come, and stay in that order
} face;

typedef struct edge {
  int from, to;
} edge;

typedef struct hull {
  const double *points;
  face *faces;
  edge *rim; // edges of the faces that see the point at hand
  int face_count, face_capacity, rim_count, rim_capacity, next_id;
  double tolerance; // a point this close to a face is on it [m]
} hull;

static const double *point(const hull *h, int i)
{
  return h->points + 3 * (ptrdiff_t)i;
}

static void *grown(void *items, int needed, int *capacity, size_t size)
{
  if (needed <= *capacity)
    return items;
  int larger = needed > 2 * *capacity ? needed : 2 * *capacity;
  void *moved = realloc(items, (size_t)larger * size);
  if (moved)
    *capacity = larger;
  return moved;
}

static int add_face(hull *h, int a, int b, int c)
{
  face *faces = grown(h->faces, h->face_count + 1, &h->face_capacity, sizeof *faces);
  if (!faces)
    return 0;
  h->faces = faces;
  face *f = &h->faces[h->face_count++];
  double ab[3], ac[3];
  *f = (face){.v = {a, b, c}, .id = h->next_id++};
  ffi_v3_sub(point(h, b), point(h, a), ab);
  ffi_v3_sub(point(h, c), point(h, a), ac);
  ffi_v3_cross(ab, ac, f->normal);
  double n = ffi_v3_norm(f->normal);
  if (n > 0) // a sliver without a normal sees nothing, and has no volume either
    ffi_v3_scale(1 / n, f->normal, f->normal);
  f->offset = ffi_v3_dot(f->normal, point(h, a));
  return 1;
}

// ---- Start: four points that span a volume ----------------------------------------------------------------

// The point with the largest value of |(x - o) . n|, |(x - o) x d| or |x - o|, whichever vector is given.
static int farthest(const hull *h, int count, int o, const double *d, const double *n, double *distance)
{
  int best = o;
  *distance = 0;
  for (int i = 0; i < count; ++i) {
    double r[3], c[3];
    ffi_v3_sub(point(h, i), point(h, o), r);
    if (d)
      ffi_v3_cross(r, d, c);
    double far = n ? fabs(ffi_v3_dot(r, n)) : ffi_v3_norm(d ? c : r);
    if (far > *distance) {
      *distance = far;
      best = i;
    }
  }
  return best;
}

static ffi_hull_result start(hull *h, int count)
{
  double size, width, height, d[3], e[3], n[3], r[3];
  const int a = farthest(h, count, 0, NULL, NULL, &size);
  const int b = farthest(h, count, a, NULL, NULL, &size);
  double largest = 0;
  for (int i = 0; i < 3 * count; ++i)
    largest = fmax(largest, fabs(h->points[i]));
  // rounding of the differences and products in a distance
  h->tolerance = 16 * DBL_EPSILON * (size + largest);
  if (!(size > h->tolerance))
    return FFI_HULL_FLAT;
  ffi_v3_sub(point(h, b), point(h, a), d);
  ffi_v3_scale(1 / ffi_v3_norm(d), d, d);
  const int c = farthest(h, count, a, d, NULL, &width);
  if (!(width > h->tolerance))
    return FFI_HULL_FLAT;
  ffi_v3_sub(point(h, c), point(h, a), e);
  ffi_v3_cross(d, e, n);
  ffi_v3_scale(1 / ffi_v3_norm(n), n, n);
  const int t = farthest(h, count, a, NULL, n, &height);
  if (!(height > 4 * h->tolerance))
    return FFI_HULL_FLAT;
  ffi_v3_sub(point(h, t), point(h, a), r);
  const int swap = ffi_v3_dot(r, n) > 0; // the base must look away from the top
  const int p = swap ? c : b, q = swap ? b : c;
  return add_face(h, a, p, q) && add_face(h, p, a, t) && add_face(h, q, p, t) && add_face(h, a, q, t)
             ? FFI_HULL_OK
             : FFI_HULL_NO_MEMORY;
}

// ---- One more point ---------------------------------------------------------------------------------------

// Edges by their ends, so that an edge and its opposite become neighbours.
static int compare_edges(const void *x, const void *y)
{
  const edge *a = x, *b = y;
  int a0 = a->from < a->to ? a->from : a->to, a1 = a->from + a->to - a0;
  int b0 = b->from < b->to ? b->from : b->to, b1 = b->from + b->to - b0;
  if (a0 != b0)
    return a0 < b0 ? -1 : 1;
  if (a1 != b1)
    return a1 < b1 ? -1 : 1;
  return (a->from > b->from) - (a->from < b->from);
}

// Remove the faces that see x; leave their edges in the rim.
static int remove_visible(hull *h, const double x[3])
{
  h->rim_count = 0;
  int kept = 0;
  for (int i = 0; i < h->face_count; ++i) {
    const face f = h->faces[i];
    if (ffi_v3_dot(f.normal, x) - f.offset <= h->tolerance) {
      h->faces[kept++] = f;
      continue;
    }
    edge *rim = grown(h->rim, h->rim_count + 3, &h->rim_capacity, sizeof *rim);
    if (!rim)
      return 0;
    h->rim = rim;
    for (int k = 0; k < 3; ++k)
      h->rim[h->rim_count++] = (edge){f.v[k], f.v[(k + 1) % 3]};
  }
  h->face_count = kept;
  return 1;
}

static int add_point(hull *h, int i)
{
  if (!remove_visible(h, point(h, i)))
    return 0;
  if (h->rim_count == 0)
    return 1; // inside
  qsort(h->rim, (size_t)h->rim_count, sizeof *h->rim, compare_edges);
  for (int k = 0; k < h->rim_count; ++k) {
    const edge e = h->rim[k];
    if (k + 1 < h->rim_count && h->rim[k + 1].from == e.to && h->rim[k + 1].to == e.from)
      ++k; // both of its faces went
    else if (!add_face(h, e.from, e.to, i))
      return 0;
  }
  return 1;
}

// ---- Integrals --------------------------------------------------------------------------------------------

// Sum over tetrahedra from `o` to the faces: volume V = a . (b x c) / 6, first moment V (a + b + c) / 4,
// second moment V / 20 (a a' + b b' + c c' + s s') with s = a + b + c.
static void integrate(const hull *h, const double o[3], ffi_hull_integrals *out)
{
  double first[3] = {0, 0, 0};
  *out = (ffi_hull_integrals){0};
  for (int i = 0; i < h->face_count; ++i) {
    double x[4][3], n[3];
    for (int k = 0; k < 3; ++k)
      ffi_v3_sub(point(h, h->faces[i].v[k]), o, x[k]);
    for (int k = 0; k < 3; ++k)
      x[3][k] = x[0][k] + x[1][k] + x[2][k];
    ffi_v3_cross(x[1], x[2], n);
    const double V = ffi_v3_dot(x[0], n) / 6;
    out->volume += V;
    ffi_v3_add_scaled(V / 4, x[3], first);
    int at = 0;
    for (int r = 0; r < 3; ++r)
      for (int c = r; c < 3; ++c, ++at)
        for (int k = 0; k < 4; ++k)
          out->moments[at] += V / 20 * x[k][r] * x[k][c];
  }
  if (!(out->volume > 0))
    return;
  const double V = out->volume;
  int at = 0;
  for (int r = 0; r < 3; ++r) {
    out->centre[r] = o[r] + first[r] / V;
    for (int c = r; c < 3; ++c)
      out->moments[at++] -= first[r] * first[c] / V;
  }
}

// The hull of all points.
static ffi_hull_result wrap(hull *h, int count)
{
  ffi_hull_result result = start(h, count);
  for (int i = 0; i < count && result == FFI_HULL_OK; ++i)
    if (!add_point(h, i))
      result = FFI_HULL_NO_MEMORY;
  return result;
}

ffi_hull_result ffi_hull_solid(int count, const double *points, ffi_hull_integrals *out)
{
  hull h = {.points = points};
  double o[3] = {0, 0, 0};
  ffi_hull_result result = wrap(&h, count);
  if (result != FFI_HULL_OK)
    goto done;
  for (int i = 0; i < count; ++i)
    ffi_v3_add_scaled(1.0 / count, point(&h, i), o); // inside, so nothing cancels
  integrate(&h, o, out);
  if (!(out->volume > 0))
    result = FFI_HULL_FLAT;
done:
  free(h.faces);
  free(h.rim);
  return result;
}

ffi_hull_result ffi_hull_faces(int count, const double *points, int **faces, int *face_count)
{
  hull h = {.points = points};
  ffi_hull_result result = wrap(&h, count);
  *faces = NULL;
  *face_count = 0;
  if (result == FFI_HULL_OK) {
    // NOLINTNEXTLINE(clang-analyzer-optin.portability.UnixAPI): a hull has four faces at least
    *faces = malloc((size_t)h.face_count * 3 * sizeof **faces);
    result = *faces ? FFI_HULL_OK : FFI_HULL_NO_MEMORY;
  }
  for (int i = 0; result == FFI_HULL_OK && i < h.face_count; ++i)
    memcpy(*faces + 3 * (*face_count)++, h.faces[i].v, sizeof h.faces[i].v);
  free(h.faces);
  free(h.rim);
  return result;
}

// ---- Few corners --------------------------------------------------------------------------------------------

// A point that may be outside: how far beyond which face.
typedef struct outlier {
  int point, owner; // the face's id
  double beyond;
} outlier;

// The largest distance beyond faces from number `first` on.
static void find_beyond(const hull *h, int first, outlier *o)
{
  for (int i = first; i < h->face_count; ++i) {
    const face *f = &h->faces[i];
    const double beyond = ffi_v3_dot(f->normal, point(h, o->point)) - f->offset;
    if (beyond > o->beyond) {
      o->beyond = beyond;
      o->owner = f->id;
    }
  }
}

static int is_there(const hull *h, int id)
{
  int low = 0, high = h->face_count;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (h->faces[middle].id < id)
      low = middle + 1;
    else
      high = middle;
  }
  return low < h->face_count && h->faces[low].id == id;
}

// Update the distances after faces from id `first_new` on were added. Points that are inside now are dropped; the
// farthest comes first. Returns how many are left.
static int update_outliers(const hull *h, int first_new, outlier *outliers, int count)
{
  int first = h->face_count, kept = 0, farthest = 0;
  while (first > 0 && h->faces[first - 1].id >= first_new)
    --first;
  for (int i = 0; i < count; ++i) {
    outlier o = outliers[i];
    const int has_owner = is_there(h, o.owner);
    if (!has_owner)
      o.beyond = 0;
    find_beyond(h, has_owner ? first : 0, &o);
    if (!(o.beyond > h->tolerance))
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

// Do faces of three directions or more meet at a point? A point in a face, on an edge or inside is no corner.
static int is_corner(const hull *h, int i)
{
  // cosine of the angle between normals; rounding turns those of well-shaped faces by 1e-15
  const double same = 1 - 1e-12;
  const face *seen[2] = {NULL, NULL};
  for (int k = 0; k < h->face_count; ++k) {
    const face *f = &h->faces[k];
    if (f->v[0] != i && f->v[1] != i && f->v[2] != i)
      continue;
    if (!seen[0])
      seen[0] = f;
    else if (ffi_v3_dot(seen[0]->normal, f->normal) >= same)
      continue;
    else if (!seen[1])
      seen[1] = f;
    else if (ffi_v3_dot(seen[1]->normal, f->normal) < same)
      return 1;
  }
  return 0;
}

static int list_corners(const hull *h, int count, int *corner)
{
  int kept = 0;
  for (int i = 0; i < count; ++i)
    if (is_corner(h, corner[i]))
      corner[kept++] = corner[i];
  return kept;
}

ffi_hull_result ffi_hull_find_corners(int count, const double *points, double tolerance,
                                      ffi_hull_corners *out)
{
  int *corner = out->corner;
  hull h = {.points = points};
  outlier *outliers = malloc((size_t)count * sizeof *outliers);
  ffi_hull_result result = outliers ? start(&h, count) : FFI_HULL_NO_MEMORY;
  int used = 4, outside = count;
  out->left = 0;
  if (result != FFI_HULL_OK)
    goto done;
  corner[0] = h.faces[0].v[0], corner[1] = h.faces[0].v[1], corner[2] = h.faces[0].v[2];
  corner[3] = h.faces[1].v[2]; // the top
  for (int i = 0; i < count; ++i)
    outliers[i] = (outlier){.point = i, .owner = -1};
  outside = update_outliers(&h, 0, outliers, outside);
  while (outside > 0 && outliers[0].beyond > tolerance && used < out->most) {
    const int first_new = h.next_id;
    corner[used++] = outliers[0].point;
    if (!add_point(&h, outliers[0].point)) {
      result = FFI_HULL_NO_MEMORY;
      goto done;
    }
    outside = update_outliers(&h, first_new, outliers, outside);
  }
  out->left = outside > 0 ? outliers[0].beyond : 0;
  out->count = list_corners(&h, used, corner);
done:
  free(outliers);
  free(h.faces);
  free(h.rim);
  return result;
}
