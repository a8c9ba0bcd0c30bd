// How deep two cores overlap: the point of their difference's surface that is nearest to the origin, from inside. A polytope inside the difference, which holds the
// origin, grows where its nearest face is, until that face is the difference's own (van den Bergen's expanding polytope).
#include "geometry/convex.h"
#include "geometry/narrow_phase.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

enum { vertices_most = 200, faces_most = 2 * vertices_most, edges_most = faces_most };
static const double close_enough = 1e-12; // of the size of the difference
static const double nearly = 1e-6;        // of the size: faces that may hold the place where the way out ends
static const double thin = 1e-12;         // a difference that is thinner than that of its size is flat

typedef struct face {
  int vertex[3];
  double normal[3], distance; ///< outward; of the origin from the plane, >= 0
} face;

typedef struct polytope {
  ffi_convex_vertex vertex[vertices_most];
  int vertices;
  face face[faces_most];
  int faces;
  double size;
} polytope;

// 0 if the three points lie on a line.
static int put_face(polytope *p, int i, int j, int k)
{
  const double *a = p->vertex[i].w;
  double d[3], e[3], n[3];
  face *f = &p->face[p->faces];
  ffi_v3_sub(p->vertex[j].w, a, d);
  ffi_v3_sub(p->vertex[k].w, a, e);
  ffi_v3_cross(d, e, n);
  if (p->faces == faces_most || !(ffi_direction(n, f->normal) > 1e-30 * p->size * p->size))
    return 0;
  f->vertex[0] = i, f->vertex[1] = j, f->vertex[2] = k;
  f->distance = ffi_v3_dot(f->normal, a);
  ++p->faces;
  return 1;
}

// A vertex off the span of those there are, along one of the two ways of `direction`.
static int spread(const ffi_convex *a, const ffi_convex *b, polytope *p, const double direction[3])
{
  double unit[3];
  ffi_v3_set(0, 0, 0, unit);
  if (!(ffi_direction(direction, unit) > 0))
    return 0;
  for (int sign = 1; sign >= -1; sign -= 2) {
    double towards[3];
    ffi_convex_vertex *v = &p->vertex[p->vertices];
    ffi_v3_scale(sign, unit, towards);
    ffi_convex_difference_support(a, b, towards, v);
    const double beyond = fabs(ffi_v3_dot(unit, v->w) - ffi_v3_dot(unit, p->vertex[0].w));
    if (beyond > thin * p->size) {
      ++p->vertices;
      return 1;
    }
  }
  return 0;
}

// Directions across the span of the vertices: 3 for a point, 2 for a line, 1 for a plane.
static int across(const polytope *p, double out[3][3])
{
  if (p->vertices == 1) {
    memset(out, 0, 9 * sizeof(double));
    out[0][0] = out[1][1] = out[2][2] = 1;
    return 3;
  }
  double d[3], e[3];
  ffi_v3_sub(p->vertex[1].w, p->vertex[0].w, d);
  if (p->vertices == 3) {
    ffi_v3_sub(p->vertex[2].w, p->vertex[0].w, e);
    ffi_v3_cross(d, e, out[0]);
    return 1;
  }
  const int k = fabs(d[0]) <= fabs(d[1]) && fabs(d[0]) <= fabs(d[2]) ? 0 : fabs(d[1]) <= fabs(d[2]) ? 1 : 2;
  e[0] = k == 0, e[1] = k == 1, e[2] = k == 2;
  ffi_v3_cross(d, e, out[0]);
  ffi_v3_cross(d, out[0], out[1]);
  return 2;
}

// Four vertices around the origin, which lies in the span of those of the simplex. 0: the difference is flat, and `normal` is across it.
static int enclose(const ffi_convex *a, const ffi_convex *b, const ffi_convex_simplex *s, polytope *p,
                   double normal[3])
{
  p->vertices = s->count;
  p->faces = 0;
  p->size = 0;
  memcpy(p->vertex, s->vertex, (size_t)s->count * sizeof *s->vertex);
  for (int k = 0; k < 6; ++k) {
    const double axis[3] = {k == 0   ? 1
                            : k == 1 ? -1
                                     : 0,
                            k == 2   ? 1
                            : k == 3 ? -1
                                     : 0,
                            k == 4   ? 1
                            : k == 5 ? -1
                                     : 0};
    ffi_convex_vertex far;
    ffi_convex_difference_support(a, b, axis, &far);
    p->size = fmax(p->size, ffi_v3_norm(far.w));
  }
  while (p->vertices < 4) {
    double direction[3][3];
    int is_spread = 0;
    const int ways = across(p, direction);
    for (int i = 0; i < ways && !is_spread; ++i)
      is_spread = spread(a, b, p, direction[i]);
    if (!is_spread) {
      if (!(ffi_direction(direction[0], normal) > 0))
        ffi_v3_set(0, 0, 1, normal);
      return 0;
    }
  }
  double x[3], d[3], e[3], g[3];
  ffi_v3_sub(p->vertex[1].w, p->vertex[0].w, d);
  ffi_v3_sub(p->vertex[2].w, p->vertex[0].w, e);
  ffi_v3_sub(p->vertex[3].w, p->vertex[0].w, g);
  ffi_v3_cross(d, e, x);
  const int is_left =
      ffi_v3_dot(x, g) > 0; // then the first three have to be seen from outside the other way round
  const int i = is_left ? 2 : 1, j = is_left ? 1 : 2;
  return put_face(p, 0, i, j) && put_face(p, 0, 3, i) && put_face(p, i, 3, j) && put_face(p, j, 3, 0);
}

typedef struct edges {
  int count, from[edges_most], to[edges_most];
} edges;

// An edge that is seen from both sides lies between two faces that are taken away.
static void toggle(edges *e, int from, int to)
{
  for (int i = 0; i < e->count; ++i)
    if (e->from[i] == to && e->to[i] == from) {
      --e->count;
      e->from[i] = e->from[e->count];
      e->to[i] = e->to[e->count];
      return;
    }
  if (e->count < edges_most) {
    e->from[e->count] = from;
    e->to[e->count++] = to;
  }
}

typedef enum growth { GROWN, NO_PATCH, TORN } growth;

// Take away the faces that the new vertex, the last one, sees, and close the hole with it. NO_PATCH, and nothing is changed: in these numbers what it sees is not
// one patch, with as many edges around it as faces and two more. TORN: a hole is left.
static growth grow(polytope *p, double beyond)
{
  edges rim = {.count = 0};
  int is_seen[faces_most], seen = 0;
  const double *w = p->vertex[p->vertices - 1].w;
  for (int i = 0; i < p->faces; ++i) {
    const face *f = &p->face[i];
    is_seen[i] = ffi_v3_dot(f->normal, w) - f->distance > beyond * p->size;
    seen += is_seen[i];
    for (int k = 0; k < 3 && is_seen[i]; ++k)
      toggle(&rim, f->vertex[k], f->vertex[(k + 1) % 3]);
  }
  if (rim.count != seen + 2)
    return NO_PATCH;
  for (int i = p->faces - 1; i >= 0; --i)
    if (is_seen[i])
      p->face[i] = p->face[--p->faces];
  int is_closed = 1;
  for (int i = 0; i < rim.count; ++i)
    is_closed &= put_face(p, rim.from[i], rim.to[i], p->vertices - 1);
  return is_closed ? GROWN : TORN;
}

// Faces that the vertex lies in, or nearly, may count as seen or not: one of both makes a patch.
static int grow_somehow(polytope *p)
{
  static const double beyond[] = {1e-12, 1e-14, 0, 1e-10, 1e-8};
  growth how = NO_PATCH;
  for (size_t i = 0; how == NO_PATCH && i < sizeof beyond / sizeof beyond[0]; ++i)
    how = grow(p, beyond[i]);
  return how == GROWN;
}

static face nearest_face(const polytope *p)
{
  int best = 0;
  for (int i = 1; i < p->faces; ++i)
    if (p->face[i].distance < p->face[best].distance)
      best = i;
  return p->face[best];
}

// The face whose plane has the difference on one side after the shortest move, and that move: how far the difference reaches beyond the origin along the face's
// normal. That is a way out for certain; the nearest face's distance is the shortest there can be, and the two come together. Faces of needles may be
// turned by rounding: then the nearest face comes nearer again, and it is time to stop.
static double expand(const ffi_convex *a, const ffi_convex *b, polytope *p, face *out)
{
  double shortest = (double)INFINITY, least = 0;
  while (p->vertices < vertices_most) {
    const face near = nearest_face(p);
    ffi_convex_vertex *v = &p->vertex[p->vertices];
    if (near.distance < least - close_enough * p->size)
      break;
    least = near.distance;
    ffi_convex_difference_support(a, b, near.normal, v);
    const double reach = ffi_v3_dot(near.normal, v->w);
    if (reach <= shortest + close_enough *
                                p->size) { // of equal ones the last: its plane is nearer to the way out's end
      shortest = fmin(reach, shortest);
      *out = near;
    }
    ++p->vertices;
    if (shortest - least <= close_enough * p->size || !grow_somehow(p))
      break;
  }
  return shortest;
}

// The point of a face that is nearest to the origin, as a simplex. Returns how far it is.
static double foot(const polytope *p, const face *f, ffi_convex_simplex *s)
{
  double nearest[3];
  for (int k = 0; k < 3; ++k)
    s->vertex[k] = p->vertex[f->vertex[k]];
  s->count = 3;
  ffi_simplex_nearest(s, nearest);
  return ffi_v3_norm(nearest);
}

// The point of the polytope's surface that is nearest to the origin. Of faces that are nearly in one plane the nearest plane need not be that of the nearest point.
static void place(const polytope *p, double depth, ffi_convex_simplex *s)
{
  double least = (double)INFINITY;
  for (int i = 0; i < p->faces; ++i) {
    ffi_convex_simplex trial;
    if (p->face[i].distance > depth + nearly * p->size)
      continue;
    const double far = foot(p, &p->face[i], &trial);
    if (far < least) {
      least = far;
      *s = trial;
    }
  }
}

double ffi_epa(const ffi_convex *a, const ffi_convex *b, ffi_convex_simplex *s, double normal[3])
{
  polytope p;
  if (!enclose(a, b, s, &p, normal))
    return 0; // witnesses are those of the simplex
  face best = p.face[0];
  const double depth = expand(a, b, &p, &best);
  foot(&p, &best, s);
  place(&p, depth, s);
  ffi_v3_scale(-1, best.normal, normal);
  return fmax(depth, 0);
}
