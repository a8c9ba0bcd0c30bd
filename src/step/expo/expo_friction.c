// The springs of dry friction after a substep. See expo_friction.h.
#include "step/expo/expo_friction.h"

#include "step/eval/friction.h"

// The regime that a joint had in the substep. Where mean forces were put on their bounds, one at its bound has slid.
static int regime_of(const ffi_expo *e, const ffi_joint_law_row *row, const ff_element_def *def, int joint)
{
  if (row->regime != 0 || !e->frozen.was_projected)
    return row->regime;
  const double mean = e->frozen.joint[joint].mean;
  return mean >= def->effort ? 1 : mean <= -def->effort ? -1 : 0;
}

void ffi_expo_friction_finish(const ffi_system *s, ffi_expo *e, double h)
{
  const ffi_frozen *z = &e->frozen;
  for (int r = 0, joint = 0; r < e->start->joint_row_count; ++r) {
    const ffi_joint_law_row *row = &e->start->joint_row[r];
    const ffi_element *el = &s->elements[e->start->joint_row_element[r]];
    const int is_in_frozen = row->K > 0 || row->B > 0;
    if (el->def.type == FF_ELEMENT_JOINT_FRICTION) {
      const double travel = h * ffi_joint_law_rate(row, e->start_state->v) + ffi_joint_law_rate(row, z->delta_x);
      const int regime = regime_of(e, row, &el->def, joint);
      // a braked motion is not that of its springs: the anchor moves along
      e->end_state->element_force[el->force_at] =
          ffi_friction_spring(&el->def, row, regime, e->is_braked ? 0 : travel, h);
    }
    joint += is_in_frozen;
  }
}
