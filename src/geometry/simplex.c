// The point of a simplex that is nearest to the origin: that of the vertices, edges, faces and the inside whose own nearest point lies within it and is nearest
// of all. All fifteen are looked at, so that nothing depends on which region a rounding error puts the origin in.
#include "geometry/convex.h"
#include "math/vec3.h"

#include <math.h>

typedef struct candidate {
  int count, vertex[4];
  double weight[4], nearest[3], square;
} candidate;

// The nearest point is made of the vertices by the weights, so it lies in the simplex whatever rounding did to them: of thin faces it may not be the nearest, but
// it is never nearer than true.
static void keep_if_nearer(const ffi_convex_simplex *s, candidate *c, candidate *best)
{
  ffi_v3_set(0, 0, 0, c->nearest);
  for (int i = 0; i < c->count; ++i)
    ffi_v3_add_scaled(c->weight[i], s->vertex[c->vertex[i]].w, c->nearest);
  c->square = ffi_v3_dot(c->nearest, c->nearest);
  if (c->square < best->square)
    *best = *c;
}

static void try_vertex(const ffi_convex_simplex *s, int i, candidate *best)
{
  candidate c = {.count = 1, .vertex = {i}, .weight = {1}};
  keep_if_nearer(s, &c, best);
}

static void try_edge(const ffi_convex_simplex *s, int i, int j, candidate *best)
{
  const double *p = s->vertex[i].w;
  double d[3];
  ffi_v3_sub(s->vertex[j].w, p, d);
  const double t = -ffi_v3_dot(p, d) / ffi_v3_dot(d, d);
  if (!(t > 0 && t < 1))
    return;
  candidate c = {.count = 2, .vertex = {i, j}, .weight = {1 - t, t}};
  keep_if_nearer(s, &c, best);
}

static void try_face(const ffi_convex_simplex *s, int i, int j, int k, candidate *best)
{
  const double *p = s->vertex[i].w, *q = s->vertex[j].w, *r = s->vertex[k].w;
  double d[3], e[3], n[3], x[3];
  ffi_v3_sub(q, p, d);
  ffi_v3_sub(r, p, e);
  ffi_v3_cross(d, e, n);
  const double nn = ffi_v3_dot(n, n);
  if (!(nn > 0))
    return;
  candidate c = {.count = 3, .vertex = {i, j, k}};
  ffi_v3_cross(q, r, x);
  c.weight[0] = ffi_v3_dot(n, x) / nn;
  ffi_v3_cross(r, p, x);
  c.weight[1] = ffi_v3_dot(n, x) / nn;
  c.weight[2] = 1 - c.weight[0] - c.weight[1];
  if (!(c.weight[0] > 0 && c.weight[1] > 0 && c.weight[2] > 0))
    return;
  keep_if_nearer(s, &c, best);
}

static double volume(const double a[3], const double b[3], const double c[3])
{
  double x[3];
  ffi_v3_cross(b, c, x);
  return ffi_v3_dot(a, x);
}

static double largest_square(const ffi_convex_simplex *s)
{
  double most = 0;
  for (int i = 0; i < s->count; ++i)
    most = fmax(most, ffi_v3_dot(s->vertex[i].w, s->vertex[i].w));
  return most;
}

static const double inside_tolerance = 1e-12;

static void try_inside(const ffi_convex_simplex *s, candidate *best)
{
  const double *p = s->vertex[0].w, *q = s->vertex[1].w, *r = s->vertex[2].w, *t = s->vertex[3].w;
  const double part[4] = {volume(q, r, t), -volume(p, r, t), volume(p, q, t), -volume(p, q, r)};
  const double whole = part[0] + part[1] + part[2] + part[3];
  candidate c = {.count = 4, .vertex = {0, 1, 2, 3}};
  for (int i = 0; i < 4; ++i) {
    c.weight[i] = part[i] / whole;
    if (!(c.weight[i] > 0))
      return;
  }
  candidate inside = {.square = (double)INFINITY};
  keep_if_nearer(s, &c, &inside);
  if (inside.square <=
      inside_tolerance * inside_tolerance * largest_square(s)) // else it is so thin that these are no weights
    *best = inside;
}

void ffi_simplex_nearest(ffi_convex_simplex *s, double nearest[3])
{
  candidate best = {.square = (double)INFINITY};
  for (int i = 0; i < s->count; ++i) {
    try_vertex(s, i, &best);
    for (int j = i + 1; j < s->count; ++j) {
      try_edge(s, i, j, &best);
      for (int k = j + 1; k < s->count; ++k)
        try_face(s, i, j, k, &best);
    }
  }
  if (s->count == 4)
    try_inside(s, &best);
  for (int i = 0; i < best.count; ++i) { // vertex[i] >= i, so nothing is overwritten that is still needed
    s->vertex[i] = s->vertex[best.vertex[i]];
    s->weight[i] = best.weight[i];
  }
  s->count = best.count;
  ffi_v3_copy(best.nearest, nearest);
}
