// GJK where two cores are apart, EPA where they overlap; planes by one support point.
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

// The nearest points on each core, from the weights of the simplex.
static void witnesses(const ffi_convex_simplex *s, double on_a[3], double on_b[3])
{
  ffi_v3_set(0, 0, 0, on_a);
  ffi_v3_set(0, 0, 0, on_b);
  for (int i = 0; i < s->count; ++i) {
    ffi_v3_add_scaled(s->weight[i], s->vertex[i].a, on_a);
    ffi_v3_add_scaled(s->weight[i], s->vertex[i].b, on_b);
  }
}

void ffi_distance_from_simplex(const ffi_convex *a, const ffi_convex *b, const ffi_convex_simplex *s,
                               ffi_distance *out)
{
  witnesses(s, out->on_a, out->on_b);
  ffi_v3_add_scaled(-a->swept_radius, out->normal, out->on_a);
  ffi_v3_add_scaled(b->swept_radius, out->normal, out->on_b);
  out->value -= a->swept_radius + b->swept_radius;
}

void ffi_distance_convex(const ffi_convex *a, const ffi_convex *b, ffi_distance_memory *memory,
                         ffi_distance *out)
{
  ffi_convex_simplex s = {.count = 0};
  double apart[3];
  ffi_v3_set(0, 0, 1, out->normal); // for two at the same place
  if (memory && ffi_v3_dot(memory->direction, memory->direction) > 0) {
    double towards[3];
    ffi_v3_scale(-1, memory->direction, towards);
    ffi_convex_difference_support(a, b, towards, &s.vertex[0]);
    s.count = 1;
  }
  if (ffi_gjk(a, b, (double)INFINITY, &s, apart) == FFI_GJK_APART)
    out->value = ffi_direction(apart, out->normal);
  else
    out->value = -ffi_epa(a, b, &s, out->normal);
  ffi_distance_from_simplex(a, b, &s, out);
  if (memory)
    ffi_v3_copy(out->normal, memory->direction);
}

static void convex_plane(const ffi_convex *a, const double p[3], const double R[9], ffi_distance *out)
{
  double down[3], from[3];
  ffi_axis(R, 2, out->normal);
  ffi_v3_scale(-1, out->normal, down);
  ffi_convex_support(a, down, out->on_a);
  ffi_v3_add_scaled(a->swept_radius, down, out->on_a);
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

static int measure(const ffi_solid_at *a, const ffi_solid_at *b, ffi_distance_memory *memory,
                   ffi_distance *out)
{
  ffi_convex ca, cb;
  ffi_convex_set(a->solid, a->p, a->R, &ca);
  if (b->solid->type == FF_SHAPE_PLANE) {
    convex_plane(&ca, b->p, b->R, out);
  } else if (b->solid->type == FF_SHAPE_HEIGHTFIELD) {
    return ffi_distance_height_field(&ca, b->solid->field, b->p, b->R, FFI_DISTANCE_HEIGHT_FIELD_ANY, out);
  } else {
    ffi_convex_set(b->solid, b->p, b->R, &cb);
    ffi_distance_convex(&ca, &cb, memory, out);
  }
  return 1;
}

int ffi_distance_measure(const ffi_solid_at *a, const ffi_solid_at *b, ffi_distance_memory *memory,
                         ffi_distance *out)
{
  if (!ffi_distance_is_known(a->solid, b->solid) || !ffi_all_finite(a->p, 3) || !ffi_all_finite(a->R, 9) ||
      !ffi_all_finite(b->p, 3) || !ffi_all_finite(b->R, 9))
    return 0;
  ffi_distance found;
  if (ffi_convex_has_core(a->solid)) {
    if (!measure(a, b, memory, &found))
      return 0;
  } else {
    if (!measure(b, a, memory, &found))
      return 0;
    swap_sides(&found);
  }
  *out = found;
  return 1;
}
