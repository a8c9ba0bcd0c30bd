// Elongations of dry friction at the stages and at the end.
#include "step/explicit/rk4_spring.h"

#include <math.h>

static int is_friction(const ffi_system *s, int element)
{
  return s->elements[element].def.type == FF_ELEMENT_JOINT_FRICTION;
}

static int law_count(const ffi_system *s)
{
  return s->friction_count > 0 ? s->law_count : 0;
}

static void store(const ffi_element *el, double elongation, ffi_state *to)
{
  const double force = el->def.stiffness * elongation;
  to->element_force[el->force_at] = fmax(-el->def.effort, fmin(el->def.effort, force));
}

void ffi_rk4_spring_begin(const ffi_system *s, const ffi_state *from, double dt, ffi_rk4_spring *spring)
{
  for (int e = 0; e < law_count(s); ++e) {
    const ff_element_def *def = &s->elements[e].def;
    if (is_friction(s, e))
      spring[e] = (ffi_rk4_spring){.start = from->element_force[s->elements[e].force_at] / def->stiffness,
                                   .is_stiff = dt * def->stiffness > def->damping};
  }
}

void ffi_rk4_spring_stage(const ffi_system *s, const ffi_evaluation *now, double weight,
                          ffi_rk4_spring *spring)
{
  for (int r = 0; r < now->joint_row_count && s->friction_count > 0; ++r) {
    const int e = now->joint_row_element[r];
    const ffi_joint_law_row *row = &now->joint_row[r];
    const ff_element_def *def = &s->elements[e].def;
    if (!is_friction(s, e))
      continue;
    ffi_rk4_spring *p = &spring[e];
    p->regime = row->regime;
    p->rate = row->regime == 0 ? -row->u
              : p->is_stiff    ? 0
                               : (row->force + def->stiffness * row->x) / def->damping;
    p->rate_sum += weight * p->rate;
  }
}

void ffi_rk4_spring_at(const ffi_system *s, const ffi_rk4_spring *spring, double h, ffi_state *x)
{
  for (int e = 0; e < law_count(s); ++e)
    if (is_friction(s, e))
      store(&s->elements[e], spring[e].start + h * spring[e].rate, x);
}

void ffi_rk4_spring_end(const ffi_system *s, double dt, const ffi_rk4_spring *spring, ffi_state *to)
{
  for (int e = 0; e < law_count(s); ++e) {
    if (!is_friction(s, e))
      continue;
    double elongation = spring[e].start + dt * spring[e].rate_sum;
    if (spring[e].is_stiff && spring[e].regime != 0)
      elongation = ffi_joint_law_elongation(&s->elements[e].def, spring[e].regime, elongation, 0, dt);
    store(&s->elements[e], elongation, to);
  }
}
