// Joint limits that were free in a substep that runs into them. See expo_joint_limits.h.
#include "step/expo/expo_joint_limits.h"

#include <math.h>

// How far a coordinate is beyond a joint limit, the lower (-1) or the upper (1); negative inside.
static double depth(const ff_element_def *def, int side, double q)
{
  return side < 0 ? def->lower - q : q - def->upper;
}

// The limit that a row ran into without a force: at the end of the substep the joint is beyond it, and deeper than at
// the start. 0: none.
static int missed(const ffi_system *s, const ffi_expo *e, int r)
{
  const ffi_joint_law_row *row = &e->start->joint_row[r];
  const ffi_element *el = &s->elements[e->start->joint_row_element[r]];
  if (el->def.type != FF_ELEMENT_JOINT_LIMIT || row->regime != 0)
    return 0;
  const double start = ffi_line_position(&el->line, e->start_state->q),
               end = ffi_line_position(&el->line, e->end_state->q);
  for (int side = -1; side <= 1; side += 2)
    if (depth(&el->def, side, end) > fmax(0, depth(&el->def, side, start)))
      return side;
  return 0;
}

int ffi_expo_joint_limits_are_missed(const ffi_system *s, const ffi_expo *e)
{
  for (int r = 0; r < e->start->joint_row_count; ++r)
    if (missed(s, e, r))
      return 1;
  return 0;
}

int ffi_expo_joint_limits_mark(const ffi_system *s, ffi_expo *e)
{
  int met = 0;
  for (int r = 0; r < e->start->joint_row_count; ++r) {
    const int side = missed(s, e, r), element = e->start->joint_row_element[r];
    if (side == 0 || e->event_regime[element] != FFI_REGIME_BY_LAW)
      continue;
    e->event_regime[element] = side;
    ++met;
  }
  return met;
}

void ffi_expo_joint_limits_apply(const ffi_system *s, ffi_expo *e)
{
  for (int r = 0; r < e->start->joint_row_count; ++r) {
    const int element = e->start->joint_row_element[r], side = e->event_regime[element];
    if (side != FFI_REGIME_BY_LAW)
      ffi_expo_joint_events_set_regime(s, e->start_state, e->start, r, side);
  }
}
