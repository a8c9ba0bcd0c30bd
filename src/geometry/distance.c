#include "geometry/distance.h"

#include "geometry/convex.h"
#include "geometry/distance_height_field.h"
#include "geometry/narrow_phase.h"
#include "math/vec3.h"

#include <math.h>

int ffi_distance_is_known(const ffi_solid *a, const ffi_solid *b)
{
  const int is_a = ffi_convex_has_core(a), is_b = ffi_convex_has_core(b);
  const int is_wide_a = a->type == FF_SHAPE_PLANE || a->type == FF_SHAPE_HEIGHTFIELD;
  const int is_wide_b = b->type == FF_SHAPE_PLANE || b->type == FF_SHAPE_HEIGHTFIELD;
  return (is_a && (is_b || is_wide_b)) || (is_wide_a && is_b);
}

// Where the points of a simplex that the weights name lie on each core.
static void witnesses(const ffi_convex_simplex *s, double on_a[3], double on_b[3])
{
  ffi_v3_set(0, 0, 0, on_a);
  ffi_v3_set(0, 0, 0, on_b);
  for (int i = 0; i < s->count; ++i) {
    ffi_v3_add_scaled(s->weight[i], s->vertex[i].a, on_a);
    ffi_v3_add_scaled(s->weight[i], s->vertex[i].b, on_b);
  }
}

void ffi_distance_convex(const ffi_convex *a, const ffi_convex *b, ffi_distance_memory *memory,
                         ffi_distance *out)
{
  ffi_convex_simplex s = {.count = 0};
  double apart[3];
  ffi_v3_set(0, 0, 1, out->normal); // of two that are in one place
  if (memory && ffi_v3_dot(memory->direction, memory->direction) > 0) {
    double towards[3];
    ffi_v3_scale(-1, memory->direction, towards);
    ffi_convex_difference_support(a, b, towards, &s.vertex[0]);
    s.count = 1;
  }
  if (ffi_gjk(a, b, &s, apart))
    out->value = ffi_direction(apart, out->normal);
  else
    out->value = -ffi_epa(a, b, &s, out->normal);
  witnesses(&s, out->on_a, out->on_b);
  ffi_v3_add_scaled(-a->rind, out->normal, out->on_a);
  ffi_v3_add_scaled(b->rind, out->normal, out->on_b);
  out->value -= a->rind + b->rind;
  if (memory)
    ffi_v3_copy(out->normal, memory->direction);
}

static void convex_plane(const ffi_convex *a, const double p[3], const double R[9], ffi_distance *out)
{
  double down[3], from[3];
  ffi_axis(R, 2, out->normal);
  ffi_v3_scale(-1, out->normal, down);
  ffi_convex_support(a, down, out->on_a);
  ffi_v3_add_scaled(a->rind, down, out->on_a);
  ffi_v3_sub(out->on_a, p, from);
  out->value = ffi_v3_dot(out->normal, from);
  ffi_v3_copy(out->on_a, out->on_b);
  ffi_v3_add_scaled(-out->value, out->normal, out->on_b);
}

static void swap_sides(ffi_distance *d)
{
  double on_a[3];
  ffi_v3_copy(d->on_a, on_a);
  ffi_v3_copy(d->on_b, d->on_a);
  ffi_v3_copy(on_a, d->on_b);
  ffi_v3_scale(-1, d->normal, d->normal);
}

static int measure(const ffi_solid *a, const double pa[3], const double Ra[9], const ffi_solid *b,
                   const double pb[3], const double Rb[9], ffi_distance_memory *memory, ffi_distance *out)
{
  ffi_convex ca, cb;
  ffi_convex_set(a, pa, Ra, &ca);
  if (b->type == FF_SHAPE_PLANE) {
    convex_plane(&ca, pb, Rb, out);
  } else if (b->type == FF_SHAPE_HEIGHTFIELD) {
    return ffi_distance_height_field(&ca, b->field, pb, Rb, out);
  } else {
    ffi_convex_set(b, pb, Rb, &cb);
    ffi_distance_convex(&ca, &cb, memory, out);
  }
  return 1;
}

int ffi_distance_measure(const ffi_solid *a, const double pa[3], const double Ra[9], const ffi_solid *b,
                         const double pb[3], const double Rb[9], ffi_distance_memory *memory,
                         ffi_distance *out)
{
  if (!ffi_distance_is_known(a, b) || !ffi_all_finite(pa, 3) || !ffi_all_finite(Ra, 9) ||
      !ffi_all_finite(pb, 3) || !ffi_all_finite(Rb, 9))
    return 0;
  ffi_distance found;
  if (ffi_convex_has_core(a)) {
    if (!measure(a, pa, Ra, b, pb, Rb, memory, &found))
      return 0;
  } else {
    if (!measure(b, pb, Rb, a, pa, Ra, memory, &found))
      return 0;
    swap_sides(&found);
  }
  *out = found;
  return 1;
}
