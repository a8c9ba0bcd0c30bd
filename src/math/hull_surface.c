// A closed convex surface of triangles: scaled points, the first four, and what one more changes.
#include "math/hull_surface.h"

#include "base/grow.h"
#include "math/orient.h"

#include <assert.h>
#include <float.h>
#include <stdlib.h>

// ---- Points -----------------------------------------------------------------------------------------------

// A power of two changes no digit of a number, so hulls of all sizes are found alike.
static void scale_points(ffi_hull_surface *s, const double *points)
{
  const size_t n = 3 * (size_t)s->count;
  double largest = 0;
  for (size_t i = 0; i < n; ++i)
    largest = fmax(largest, fabs(points[i]));
  (void)frexp(largest, &s->exponent); // largest in [0.5, 1) 2^exponent
  for (size_t i = 0; i < n; ++i)
    s->x[i] = ffi_orient_snap(ldexp(points[i], -s->exponent));
}

ffi_hull_result ffi_hull_surface_create(ffi_hull_surface *s, int count, const double *points)
{
  *s = (ffi_hull_surface){.count = count};
  if (count < 4)
    return FFI_HULL_FLAT;
  s->x = malloc(3 * (size_t)count * sizeof *s->x);
  if (!s->x)
    return FFI_HULL_NO_MEMORY;
  scale_points(s, points);
  return FFI_HULL_OK;
}

void ffi_hull_surface_free(ffi_hull_surface *s)
{
  free(s->x);
  free(s->faces);
  free(s->free_faces);
  free(s->seen);
  free(s->rim);
  free(s->cone);
  free(s->path);
  *s = (ffi_hull_surface){0};
}

// ---- Lists ------------------------------------------------------------------------------------------------

static int push(int **list, int *count, int *capacity, int item)
{
  int *grown = ffi_grow(*list, *count, capacity, sizeof *grown);
  if (!grown)
    return 0;
  *list = grown;
  (*list)[(*count)++] = item;
  return 1;
}

static int push_rim(ffi_hull_surface *s, ffi_hull_surface_edge edge)
{
  ffi_hull_surface_edge *grown = ffi_grow(s->rim, s->rim_count, &s->rim_capacity, sizeof *grown);
  if (!grown)
    return 0;
  s->rim = grown;
  s->rim[s->rim_count++] = edge;
  return 1;
}

// The place of a new face, or -1.
static int add_face(ffi_hull_surface *s, int a, int b, int c)
{
  int place = s->face_count;
  if (s->free_count > 0) {
    place = s->free_faces[--s->free_count];
  } else {
    ffi_hull_surface_face *grown = ffi_grow(s->faces, s->face_count, &s->face_capacity, sizeof *grown);
    if (!grown)
      return -1;
    s->faces = grown;
    ++s->face_count;
  }
  ffi_hull_surface_face *f = &s->faces[place];
  *f = (ffi_hull_surface_face){.v = {a, b, c}, .first = -1, .id = s->made++};
  ffi_orient_normal(ffi_hull_surface_point(s, a), ffi_hull_surface_point(s, b), ffi_hull_surface_point(s, c),
                    f->normal);
  ffi_v3_copy(ffi_hull_surface_point(s, a), f->at);
  f->offset = ffi_v3_dot(f->normal, f->at);
  return place;
}

// ---- Start: four points that span a volume ----------------------------------------------------------------

// The point with the largest value of |(x - o) . n|, |(x - o) x d| or |x - o|, whichever vector is given.
static int farthest(const ffi_hull_surface *s, int o, const double *d, const double *n, double *distance)
{
  int best = o;
  *distance = 0;
  for (int i = 0; i < s->count; ++i) {
    double r[3], c[3];
    ffi_v3_sub(ffi_hull_surface_point(s, i), ffi_hull_surface_point(s, o), r);
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

static int sign_of(const ffi_hull_surface *s, const int v[3], int d)
{
  return ffi_orient_sign(ffi_hull_surface_point(s, v[0]), ffi_hull_surface_point(s, v[1]),
                         ffi_hull_surface_point(s, v[2]), ffi_hull_surface_point(s, d));
}

static int find_four(ffi_hull_surface *s, int v[4])
{
  double size, width, height, d[3], n[3], largest = 0;
  for (int i = 0; i < 3 * s->count; ++i)
    largest = fmax(largest, fabs(s->x[i]));
  v[0] = farthest(s, 0, NULL, NULL, &size);
  v[1] = farthest(s, v[0], NULL, NULL, &size);
  s->tolerance = 16 * DBL_EPSILON * (size + largest);
  if (!(size > s->tolerance))
    return 0;
  ffi_v3_sub(ffi_hull_surface_point(s, v[1]), ffi_hull_surface_point(s, v[0]), d);
  ffi_v3_scale(1 / ffi_v3_norm(d), d, d);
  v[2] = farthest(s, v[0], d, NULL, &width);
  if (!(width > s->tolerance))
    return 0;
  ffi_orient_normal(ffi_hull_surface_point(s, v[0]), ffi_hull_surface_point(s, v[1]),
                    ffi_hull_surface_point(s, v[2]), n);
  v[3] = farthest(s, v[0], NULL, n, &height);
  return height > 4 * s->tolerance && sign_of(s, v, v[3]) != 0;
}

ffi_hull_result ffi_hull_surface_start(ffi_hull_surface *s, int corner[4])
{
  // Edge k of face i is an edge of this face.
  static const int across[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  int v[4];
  if (!find_four(s, v))
    return FFI_HULL_FLAT;
  const int is_above = sign_of(s, v, v[3]) > 0; // the base must look away from the top
  const int a = v[0], p = v[is_above ? 2 : 1], q = v[is_above ? 1 : 2], t = v[3];
  const int faces[4][3] = {{a, p, q}, {p, a, t}, {q, p, t}, {a, q, t}};
  for (int i = 0; i < 4; ++i) {
    if (add_face(s, faces[i][0], faces[i][1], faces[i][2]) < 0)
      return FFI_HULL_NO_MEMORY;
    for (int k = 0; k < 3; ++k)
      s->faces[i].across[k] = across[i][k];
  }
  corner[0] = a, corner[1] = p, corner[2] = q, corner[3] = t;
  return FFI_HULL_OK;
}

// ---- One more point ---------------------------------------------------------------------------------------

int ffi_hull_surface_sees(ffi_hull_surface *s, int face, int point, double *distance)
{
  double rounding;
  *distance = ffi_hull_surface_distance(&s->faces[face], ffi_hull_surface_point(s, point), &rounding);
  ++s->tests;
  if (fabs(*distance) > rounding)
    return *distance > 0;
  ++s->whole;
  return sign_of(s, s->faces[face].v, point) > 0;
}

static int edge_from(const ffi_hull_surface_face *f, int v)
{
  return f->v[0] == v ? 0 : f->v[1] == v ? 1 : 2;
}

static int push_path(ffi_hull_surface *s, ffi_hull_surface_step step)
{
  ffi_hull_surface_step *grown = ffi_grow(s->path, s->path_count, &s->path_capacity, sizeof *grown);
  if (!grown)
    return 0;
  s->path = grown;
  s->path[s->path_count++] = step;
  return 1;
}

// Edge k of a face that is seen: on to the face behind it, or a part of the rim.
static int cross_edge(ffi_hull_surface *s, int point, int face, int k)
{
  const int from = s->faces[face].v[k], to = s->faces[face].v[(k + 1) % 3], other = s->faces[face].across[k];
  ffi_hull_surface_face *g = &s->faces[other];
  if (g->look == s->look)
    return 1; // seen before
  const int outer_k = edge_from(g, to);
  if (g->look != -s->look) {
    double distance;
    g->look = ffi_hull_surface_sees(s, other, point, &distance) ? s->look : -s->look;
    if (g->look > 0)
      return push(&s->seen, &s->seen_count, &s->seen_capacity, other) &&
             push_path(s, (ffi_hull_surface_step){other, (outer_k + 1) % 3, 2});
  }
  return push_rim(s, (ffi_hull_surface_edge){from, to, other, outer_k});
}

// Around each face from the edge on by which it was entered, and into the next as soon as there is one: the path runs
// along a tree of faces that fills the disc, and passes the edges of its rim in their order.
int ffi_hull_surface_look(ffi_hull_surface *s, int point, int face)
{
  s->seen_count = s->rim_count = s->path_count = 0;
  s->faces[face].look = ++s->look;
  if (!push(&s->seen, &s->seen_count, &s->seen_capacity, face) ||
      !push_path(s, (ffi_hull_surface_step){face, 0, 3}))
    return 0;
  while (s->path_count > 0) {
    ffi_hull_surface_step *at = &s->path[s->path_count - 1];
    const int k = at->k, here = at->face;
    if (at->left == 0) {
      --s->path_count;
      continue;
    }
    at->k = (k + 1) % 3;
    --at->left;
    if (!cross_edge(s, point, here, k))
      return 0;
  }
  return 1;
}

int ffi_hull_surface_raise(ffi_hull_surface *s, int point)
{
  const int n = s->rim_count;
  for (int i = 0; i < s->seen_count; ++i) {
    s->faces[s->seen[i]].v[0] = -1;
    if (!push(&s->free_faces, &s->free_count, &s->free_capacity, s->seen[i]))
      return 0;
  }
  s->seen_count = s->cone_count = 0;
  for (int i = 0; i < n; ++i) {
    const ffi_hull_surface_edge e = s->rim[i];
    assert(e.to == s->rim[(i + 1) % n].from);
    const int place = add_face(s, e.from, e.to, point);
    if (place < 0 || !push(&s->cone, &s->cone_count, &s->cone_capacity, place))
      return 0;
    s->faces[place].across[0] = e.outer;
    s->faces[e.outer].across[e.outer_k] = place;
  }
  for (int i = 0; i < n; ++i) {
    s->faces[s->cone[i]].across[1] = s->cone[(i + 1) % n];
    s->faces[s->cone[(i + 1) % n]].across[2] = s->cone[i];
  }
  return 1;
}
