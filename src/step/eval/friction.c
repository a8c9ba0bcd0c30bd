// Springs of dry friction over a step.
#include "step/eval/friction.h"

#include <math.h>

double ffi_friction_spring(const ff_element_def *def, const ffi_joint_law_row *row, int regime, double travel,
                           double h)
{
  const double force = def->stiffness * ffi_joint_law_elongation(def, regime, -row->x, travel, h);
  return fmax(-def->effort, fmin(def->effort, force));
}

void ffi_friction_move(const ffi_system *s, const ffi_evaluation *at, const double *dx, double h,
                       ffi_state *to)
{
  for (int r = 0; r < at->joint_row_count && s->friction_count > 0; ++r) {
    const ffi_element *el = &s->elements[at->joint_row_element[r]];
    const ffi_joint_law_row *row = &at->joint_row[r];
    if (el->def.type == FF_ELEMENT_JOINT_FRICTION)
      to->element_force[el->force_at] =
          ffi_friction_spring(&el->def, row, row->regime, ffi_joint_law_rate(row, dx), h);
  }
}
