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

// Force in the spring of row r after the motion; joint: the number of its spring in the frozen system.
static double spring_of(const ffi_system *s, const ffi_expo *e, int r, int joint, double h)
{
  const ffi_joint_law_row *row = &e->start->joint_row[r];
  const ff_element_def *def = &s->elements[e->start->joint_row_element[r]].def;
  const double travel =
      h * ffi_joint_law_rate(row, e->start_state->v) + ffi_joint_law_rate(row, e->frozen.delta_x);
  // a braked motion is not that of its springs: the anchor moves along
  return ffi_friction_spring(def, row, regime_of(e, row, def, joint), e->is_braked ? 0 : travel, h);
}

static int is_friction(const ffi_system *s, const ffi_expo *e, int r)
{
  return s->elements[e->start->joint_row_element[r]].def.type == FF_ELEMENT_JOINT_FRICTION;
}

static int is_in_frozen(const ffi_expo *e, int r)
{
  return e->start->joint_row[r].K > 0 || e->start->joint_row[r].B > 0;
}

void ffi_expo_friction_finish(const ffi_system *s, ffi_expo *e, double h)
{
  if (s->friction_count == 0)
    return;
  for (int r = 0, joint = 0; r < e->start->joint_row_count; joint += is_in_frozen(e, r), ++r)
    if (is_friction(s, e, r))
      e->end_state->element_force[s->elements[e->start->joint_row_element[r]].force_at] =
          spring_of(s, e, r, joint, h);
}

double ffi_expo_friction_gain(const ffi_system *s, const ffi_expo *e, double h)
{
  double sum = 0;
  for (int r = 0, joint = 0; r < e->start->joint_row_count; joint += is_in_frozen(e, r), ++r) {
    if (!is_friction(s, e, r))
      continue;
    const ffi_element *el = &s->elements[e->start->joint_row_element[r]];
    const double before = e->start_state->element_force[el->force_at], after = spring_of(s, e, r, joint, h);
    sum += (after * after - before * before) / (2 * el->def.stiffness);
  }
  return sum;
}
