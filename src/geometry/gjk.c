// Nearest points of two convex cores by the algorithm of Gilbert, Johnson and Keerthi (GJK): the point of their
// difference nearest to the origin, by simplices that come closer in each step. Each step bounds the distance from
// above, and the support point towards the origin bounds it from below.
#include "geometry/convex.h"
#include "math/vec3.h"

#include <float.h>
#include <math.h>

enum { most_steps = 256 };
static const double close_enough = 1e-13; // of the square of the distance, between its two bounds
static const double touching = 1e-14;     // of the sizes: distances below are rounding

static int has_vertex(const ffi_convex_simplex *s, const ffi_convex_vertex *v)
{
  for (int i = 0; i < s->count; ++i)
    if (s->vertex[i].w[0] == v->w[0] && s->vertex[i].w[1] == v->w[1] && s->vertex[i].w[2] == v->w[2])
      return 1;
  return 0;
}

static void begin(const ffi_convex *a, const ffi_convex *b, ffi_convex_simplex *s, double v[3])
{
  if (s->count == 0) {
    double on_a[3], on_b[3], towards[3];
    ffi_convex_middle(a, on_a);
    ffi_convex_middle(b, on_b);
    ffi_v3_sub(on_b, on_a, towards);
    ffi_convex_difference_support(a, b, towards, &s->vertex[0]);
    s->count = 1;
  }
  ffi_simplex_nearest(s, v);
}

ffi_gjk_result ffi_gjk(const ffi_convex *a, const ffi_convex *b, double most, ffi_convex_simplex *s,
                       double v[3])
{
  double size = 0;
  begin(a, b, s, v);
  for (int step = 0; step < most_steps && s->count < 4; ++step) {
    const double square = ffi_v3_dot(v, v);
    for (int i = 0; i < s->count; ++i)
      size = fmax(size, fmax(ffi_v3_norm(s->vertex[i].a), ffi_v3_norm(s->vertex[i].b)));
    if (square <= touching * touching * size * size)
      return FFI_GJK_OVERLAP;
    ffi_convex_vertex next;
    double towards[3], nearer[3];
    ffi_v3_scale(-1, v, towards);
    ffi_convex_difference_support(a, b, towards, &next);
    const double along = ffi_v3_dot(v, next.w); // the distance is at least along / |v|
    if (square - along <= close_enough * square || has_vertex(s, &next))
      return FFI_GJK_APART;
    if (along > 0 && along > most * sqrt(square))
      return FFI_GJK_FARTHER;
    ffi_convex_simplex trial = *s;
    trial.vertex[trial.count++] = next;
    ffi_simplex_nearest(&trial, nearer);
    if (trial.count < 4 && ffi_v3_dot(nearer, nearer) >= square)
      return FFI_GJK_APART; // rounding: no progress
    *s = trial;
    ffi_v3_copy(nearer, v);
  }
  return s->count < 4 ? FFI_GJK_APART : FFI_GJK_OVERLAP;
}
