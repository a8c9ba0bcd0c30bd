// The convex hull of all points. Every point outside belongs to one face that it sees; the farthest of a face's points
// is added next, and those whose face was replaced look for another one in the cone (hull_surface.h, 5).
#include "math/hull.h"

#include "math/hull_surface.h"
#include "math/orient.h"

#include <stdlib.h>
#include <string.h>

typedef struct hull {
  ffi_hull_surface surface;
  int *owner; // [count] the face that a point belongs to, or -1: it is inside, or a corner
  int *next;  // [count] the next point of the same face, or -1
  int top;    // of the cone made last
  int base;   // the edge of its rim to count from
} hull;

static ffi_hull_result create(hull *h, int count, const double *points)
{
  *h = (hull){0};
  const ffi_hull_result result = ffi_hull_surface_create(&h->surface, count, points);
  if (result != FFI_HULL_OK)
    return result;
  h->owner = malloc((size_t)count * sizeof *h->owner);
  h->next = malloc((size_t)count * sizeof *h->next);
  return h->owner && h->next ? FFI_HULL_OK : FFI_HULL_NO_MEMORY;
}

static void destroy(hull *h)
{
  ffi_hull_surface_free(&h->surface);
  free(h->owner);
  free(h->next);
}

// ---- Which face a point belongs to ------------------------------------------------------------------------

// To the list of a face; the farthest comes first.
static void give(hull *h, int i, int face, double distance)
{
  ffi_hull_surface_face *f = &h->surface.faces[face];
  h->owner[i] = face;
  if (f->first < 0 || distance > f->far) {
    h->next[i] = f->first;
    f->first = i;
    f->far = distance;
  } else {
    h->next[i] = h->next[f->first];
    h->next[f->first] = i;
  }
}

// To the face that it is farthest above, of some; to none if it sees none.
static void give_to_any(hull *h, int i, const int *faces, int count)
{
  int best = -1;
  double most = 0;
  for (int k = 0; k < count; ++k) {
    double distance;
    if (ffi_hull_surface_sees(&h->surface, faces[k], i, &distance) && (best < 0 || distance > most)) {
      best = faces[k];
      most = distance;
    }
  }
  h->owner[i] = -1;
  if (best >= 0)
    give(h, i, best, most);
}

// The rim's corner k, counted from one at which the cone bends.
static int rim_corner(const hull *h, int k)
{
  const ffi_hull_surface *s = &h->surface;
  const int at = h->base + k;
  return s->rim[at < s->rim_count ? at : at - s->rim_count].from;
}

// The sign of the plane through the cone's top and two corners of its rim, for a point.
static int sign_at(hull *h, int a, int b, int i)
{
  const ffi_hull_surface *s = &h->surface;
  ++h->surface.tests;
  return ffi_orient_sign(ffi_hull_surface_point(s, rim_corner(h, a)),
                         ffi_hull_surface_point(s, rim_corner(h, b)), ffi_hull_surface_point(s, h->top),
                         ffi_hull_surface_point(s, i));
}

// Count corners of the rim from one whose two faces are not in one plane. There is one, or all of the cone were in it.
static void find_base(hull *h)
{
  const int n = h->surface.rim_count;
  h->base = 0;
  while (h->base + 1 < n && sign_at(h, 0, 1, rim_corner(h, n - 1)) == 0)
    ++h->base;
}

// Of a point in line with the cone's top and the rim's corner 0: does the top lie between them?
static int is_behind(const hull *h, int i)
{
  const double *t = ffi_hull_surface_point(&h->surface, h->top), *x = ffi_hull_surface_point(&h->surface, i);
  const double *c = ffi_hull_surface_point(&h->surface, rim_corner(h, 0));
  for (int k = 0; k < 3; ++k)
    if (c[k] != t[k])
      return c[k] > t[k] ? x[k] < t[k] : x[k] > t[k];
  return 0;
}

// To a face of the cone that it sees, or to none, in log time. Planes through the line from the top to the rim's corner
// 0 cut the cone into wedges, one for each pair of neighbours; a point that the two faces at corner 0 do not see is in
// one of these wedges, where one face is the cone's. A point in the planes of both of these faces is on the line; there
// it is outside if it is behind the top, and looks at all faces then.
static void give_to_cone(hull *h, int i)
{
  const ffi_hull_surface *s = &h->surface;
  const int n = s->cone_count;
  double distance;
  int low = 1, high = n - 1;
  for (int k = 0; k < n; k += n - 1) {
    const int face = s->cone[(h->base + k) % n];
    if (ffi_hull_surface_sees(&h->surface, face, i, &distance)) {
      give(h, i, face, distance);
      return;
    }
  }
  const int is_on_last = sign_at(h, 0, high, i) == 0;
  if (is_on_last && sign_at(h, 0, low, i) == 0) {
    give_to_any(h, i, s->cone, is_behind(h, i) ? n : 0);
    return;
  }
  // Several corners in line with corner 0 have one plane. Then the face wanted is behind the last of the first ones,
  // but before the first of the last ones.
  while (high - low > 1) {
    const int middle = low + (high - low) / 2, where = sign_at(h, 0, middle, i);
    if (where < 0 || (where == 0 && !is_on_last))
      low = middle;
    else
      high = middle;
  }
  give_to_any(h, i, &s->cone[(h->base + low) % n], 1);
}

// ---- All points -------------------------------------------------------------------------------------------

// Add the farthest point of a face.
static int add_farthest(hull *h, int face)
{
  ffi_hull_surface *s = &h->surface;
  const int top = s->faces[face].first;
  int orphan = -1;
  if (!ffi_hull_surface_look(s, top, face))
    return 0;
  for (int k = 0; k < s->seen_count; ++k)
    for (int i = s->faces[s->seen[k]].first; i >= 0;) {
      const int next = h->next[i];
      h->owner[i] = -1;
      if (i != top) {
        h->next[i] = orphan;
        orphan = i;
      }
      i = next;
    }
  if (!ffi_hull_surface_raise(s, top))
    return 0;
  h->top = top;
  if (orphan >= 0)
    find_base(h);
  while (orphan >= 0) {
    const int i = orphan;
    orphan = h->next[i];
    give_to_cone(h, i);
  }
  return 1;
}

static int have_common_factor(int a, int b)
{
  while (b > 0) {
    const int rest = a % b;
    a = b;
    b = rest;
  }
  return a > 1;
}

// The hull of all points. Each turn of the inner loop makes a corner of a point that has no owner ever after. Points
// take turns in steps of the golden section, so that neighbours in a list, which are neighbours in a scan or on a
// spiral, come late after each other: each finds a hull that is even, and sees few faces of it.
static ffi_hull_result wrap(hull *h)
{
  static const int first_faces[4] = {0, 1, 2, 3};
  const int n = h->surface.count;
  int corner[4];
  const ffi_hull_result result = ffi_hull_surface_start(&h->surface, corner);
  if (result != FFI_HULL_OK)
    return result;
  for (int i = 0; i < n; ++i)
    give_to_any(h, i, first_faces, 4);
  int step = (int)(0.6180339887498949 * n);
  while (have_common_factor(step, n))
    ++step;
  for (int turn = 0, i = 0; turn < n; ++turn, i = (int)(((long long)i + step) % n))
    while (h->owner[i] >= 0)
      if (!add_farthest(h, h->owner[i]))
        return FFI_HULL_NO_MEMORY;
  return FFI_HULL_OK;
}

// ---- Integrals --------------------------------------------------------------------------------------------

// Sum over tetrahedra from `o` to the faces: volume V = a . (b x c) / 6, first moment V (a + b + c) / 4,
// second moment V / 20 (a a' + b b' + c c' + s s') with s = a + b + c. As area times height, of which the normal knows
// more digits than the product has: a needle's volume is 1e-8 of its length cubed, and less.
static void integrate(const ffi_hull_surface *s, const double *points, const double o[3],
                      ffi_hull_integrals *out)
{
  double first[3] = {0, 0, 0};
  *out = (ffi_hull_integrals){0};
  for (int i = 0; i < s->face_count; ++i) {
    double x[4][3], u[3], v[3], twice_area[3];
    const double *n = s->faces[i].normal;
    if (s->faces[i].v[0] < 0)
      continue;
    for (int k = 0; k < 3; ++k)
      ffi_v3_sub(points + 3 * (ptrdiff_t)s->faces[i].v[k], o, x[k]);
    for (int k = 0; k < 3; ++k)
      x[3][k] = x[0][k] + x[1][k] + x[2][k];
    ffi_v3_sub(x[1], x[0], u);
    ffi_v3_sub(x[2], x[0], v);
    ffi_v3_cross(u, v, twice_area);
    const double V = ffi_v3_dot(twice_area, n) * ffi_v3_dot(x[0], n) / 6;
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

ffi_hull_result ffi_hull_solid(int count, const double *points, ffi_hull_integrals *out)
{
  hull h;
  double o[3] = {0, 0, 0};
  ffi_hull_result result = create(&h, count, points);
  if (result == FFI_HULL_OK)
    result = wrap(&h);
  if (result != FFI_HULL_OK)
    goto done;
  for (int i = 0; i < count; ++i)
    ffi_v3_add_scaled(1.0 / count, points + 3 * (ptrdiff_t)i, o); // inside, so nothing cancels
  integrate(&h.surface, points, o, out);
  if (!(out->volume > 0))
    result = FFI_HULL_FLAT;
done:
  destroy(&h);
  return result;
}

// ---- Faces ------------------------------------------------------------------------------------------------

// A corner of the surface is extreme if it is the end of three edges or more at which the surface bends. Others came
// before those between which they lie. List the extreme ones in `extreme`, sorted; `bends` [count] is for counting.
static int list_extreme(const ffi_hull_surface *s, int *bends, int *extreme)
{
  int n = 0;
  memset(bends, 0, (size_t)s->count * sizeof *bends);
  for (int i = 0; i < s->face_count; ++i) {
    const ffi_hull_surface_face *f = &s->faces[i];
    for (int k = 0; k < 3 && f->v[0] >= 0; ++k) {
      const ffi_hull_surface_face *g = &s->faces[f->across[k]];
      const int from = f->v[k], to = f->v[(k + 1) % 3], opposite = g->v[0] + g->v[1] + g->v[2] - from - to;
      if (from < to &&
          ffi_orient_sign(ffi_hull_surface_point(s, f->v[0]), ffi_hull_surface_point(s, f->v[1]),
                          ffi_hull_surface_point(s, f->v[2]), ffi_hull_surface_point(s, opposite))) {
        ++bends[from];
        ++bends[to];
      }
    }
  }
  for (int i = 0; i < s->count; ++i)
    if (bends[i] >= 3)
      extreme[n++] = i;
  return n;
}

static void add_work(const ffi_hull_surface *s, ffi_hull_work *work)
{
  if (!work)
    return;
  work->faces_made += s->made;
  work->tests += s->tests;
  work->whole += s->whole;
  if (s->face_count > work->most_faces)
    work->most_faces = s->face_count;
}

// The faces of a surface; its points are numbered as in `number`, or NULL.
static ffi_hull_result list_faces(const ffi_hull_surface *s, const int *number, int **faces, int *count)
{
  // NOLINTNEXTLINE(clang-analyzer-optin.portability.UnixAPI): a hull has four faces at least
  *faces = malloc((size_t)s->face_count * 3 * sizeof **faces);
  if (!*faces)
    return FFI_HULL_NO_MEMORY;
  for (int i = 0; i < s->face_count; ++i)
    for (int k = 0; k < 3 && s->faces[i].v[0] >= 0; ++k)
      (*faces)[(*count)++] = number ? number[s->faces[i].v[k]] : s->faces[i].v[k];
  *count /= 3;
  return FFI_HULL_OK;
}

// The hull of the extreme points alone.
static ffi_hull_result wrap_again(const double *points, const int *extreme, int n, hull *h)
{
  // NOLINTNEXTLINE(clang-analyzer-optin.portability.UnixAPI): a hull has four corners at least
  double *kept = malloc(3 * (size_t)n * sizeof *kept);
  if (!kept)
    return FFI_HULL_NO_MEMORY;
  for (int i = 0; i < n; ++i)
    ffi_v3_copy(points + 3 * (ptrdiff_t)extreme[i], kept + 3 * (ptrdiff_t)i);
  ffi_hull_result result = create(h, n, kept);
  free(kept);
  return result == FFI_HULL_OK ? wrap(h) : result;
}

ffi_hull_result ffi_hull_faces(int count, const double *points, int **faces, int *face_count,
                               ffi_hull_work *work)
{
  hull h, again = {0};
  *faces = NULL;
  *face_count = 0;
  if (work)
    *work = (ffi_hull_work){0};
  ffi_hull_result result = create(&h, count, points);
  if (result == FFI_HULL_OK)
    result = wrap(&h);
  if (result != FFI_HULL_OK)
    goto done;
  add_work(&h.surface, work);
  int *extreme = h.owner; // no point has an owner now
  const int n = list_extreme(&h.surface, h.next, extreme);
  if (2 * n - 4 == h.surface.face_count - h.surface.free_count) {
    result = list_faces(&h.surface, NULL, faces, face_count);
    goto done;
  }
  ffi_hull_surface_free(&h.surface);
  result = wrap_again(points, extreme, n, &again);
  if (result == FFI_HULL_OK)
    result = list_faces(&again.surface, extreme, faces, face_count);
  add_work(&again.surface, work);
  destroy(&again);
done:
  destroy(&h);
  return result;
}
