// Series springs and dampers, and what makes a combined material invalid.
#include "contact/law/pair_materials.h"

#include "base/fail.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>

// Two springs, or two dampers, in series, 1 / (1/a + 1/b): exactly a/2 for a = b, exactly a for an infinite b.
// docs/theory/contact.md, section 5
static double in_series(double a, double b)
{
  const double soft = fmin(a, b), hard = fmax(a, b);
  if (soft == 0 || isinf(hard))
    return soft;
  return soft / (1 + soft / hard);
}

void ffi_pair_materials_combine(const ff_material *a, const ff_material *b, ff_material *out)
{
  const ff_material pair = {
      .stiffness = in_series(a->stiffness, b->stiffness),
      .damping = in_series(a->damping, b->damping),
      .friction = fmin(a->friction, b->friction),
      .restitution = fmax(a->restitution, b->restitution),
      .tangential_restitution = fmax(a->tangential_restitution, b->tangential_restitution),
      .torsional_friction = fmax(a->torsional_friction, b->torsional_friction),
      .rolling_friction = fmax(a->rolling_friction, b->rolling_friction),
  };
  *out = pair;
}

// What a listed pair says of itself replaces what its shapes say.
static void take_own(const ff_shape_pair *pair, ff_material *out)
{
  if (pair && pair->friction >= 0)
    out->friction = pair->friction;
  if (pair && pair->stiffness > 0)
    out->stiffness = pair->stiffness;
  if (pair && pair->damping >= 0)
    out->damping = pair->damping;
}

// "shape 3 'toe' of link 'foot'", "shape 0 of the world", "ground 1".
static void describe(const ff_model *model, const ffi_collider *collider, char *text, size_t size)
{
  if (collider->ground >= 0) {
    snprintf(text, size, "ground %d", collider->ground);
    return;
  }
  const ff_shape_info *shape = &model->shapes[collider->shape];
  const char *name = shape->def.name;
  char of[96] = "the world";
  if (shape->link >= 0)
    snprintf(of, sizeof of, "link '%.64s'", model->links[shape->link].name);
  snprintf(text, size, "shape %d%s%.64s%s of %s", collider->shape, name ? " '" : "", name ? name : "",
           name ? "'" : "", of);
}

// Why the material of a pair is not valid; NULL: it is.
static const char *fault_of(const ff_material *m, double *value)
{
  if (!(m->stiffness > 0 && isfinite(m->stiffness))) {
    *value = m->stiffness;
    return "stiffness must be finite and > 0";
  }
  if (!(m->damping >= 0 && isfinite(m->damping))) {
    *value = m->damping;
    return "damping must be finite and >= 0";
  }
  *value = m->friction;
  return m->friction >= 0 && isfinite(m->friction) ? NULL : "friction must be finite and >= 0";
}

ff_status ffi_pair_materials(const ffi_colliders *colliders, const ff_material *material, ff_material *out,
                             ff_error *error)
{
  for (int i = 0; i < colliders->pair_count; ++i) {
    const ffi_collider_pair *pair = &colliders->pairs[i];
    const ff_material *a = &material[pair->a - colliders->items], *b = &material[pair->b - colliders->items];
    if (pair->b->gives_pair)
      out[i] = *b;
    else
      ffi_pair_materials_combine(a, b, &out[i]);
    if (pair->a->side.is_paired && pair->b->side.is_paired)
      take_own(ffi_collision_pair(colliders->model, pair->shape_a, pair->shape_b), &out[i]);
    double value;
    const char *fault = fault_of(&out[i], &value);
    if (fault) {
      char first[256], second[256];
      describe(colliders->model, pair->a, first, sizeof first);
      describe(colliders->model, pair->b, second, sizeof second);
      return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, first, "where it touches %s the %s (it is %g)",
                      second, fault, value);
    }
  }
  return FF_OK;
}
