#include "step/expo_joints.h"

#include <math.h>

// How far a motor is from leaving its regime [N m or N]: positive while it holds.
static double motor_margin(const ff_element_def *def, int regime, const ffi_joint_row *row)
{
  const double force = -def->stiffness * row->x - def->damping * row->u;
  return regime == 0 ? def->effort - fabs(force) : regime * force - def->effort;
}

static double depth_at(const ff_element_def *def, int side, double q)
{
  return side < 0 ? def->lower - q : q - def->upper;
}

// What a stop pushes with, if it may also pull.
static double push_at(const ff_element_def *def, int side, double q, double v)
{
  return def->stiffness * depth_at(def, side, q) + def->damping * side * v;
}

static double share(double before, double after)
{
  return before > 0 ? before / (before - after) : 0;
}

// A stop that pushes ceases where it would pull; a free one pushes once the joint is beyond it and the damper does not hold it back.
static double stop_change(const ff_element_def *def, int from, int to, const double q[2], const double v[2])
{
  if (from != 0)
    return share(push_at(def, from, q[0], v[0]), fmin(0, push_at(def, from, q[1], v[1])));
  const double before = -depth_at(def, to, q[0]);
  if (before > 0)
    return share(before, -depth_at(def, to, q[1]));
  return share(-push_at(def, to, q[0], v[0]), -push_at(def, to, q[1], v[1]));
}

// The row of an element in an instant, whose rows are in the order of the elements, those of distant stops left out. *at goes along.
static const ffi_joint_row *row_of(const ffi_instant *i, int element, int *at)
{
  while (*at < i->joint_row_count && i->joint_row_element[*at] < element)
    ++*at;
  return *at < i->joint_row_count && i->joint_row_element[*at] == element ? &i->joint_row[*at] : NULL;
}

double ffi_joints_first_change(const ffi_system *s, const ffi_instant *start, const ffi_instant *end,
                               const ffi_state *from, const ffi_state *to)
{
  double first = 1;
  int in_start = 0, in_end = 0;
  for (int e = 0; e < s->element_count; ++e) {
    const ffi_element *el = &s->elements[e];
    const ffi_joint_row *a = row_of(start, e, &in_start), *b = row_of(end, e, &in_end);
    const int regime[2] = {a ? a->regime : 0, b ? b->regime : 0};
    if (regime[0] == regime[1])
      continue;
    if (el->def.type == FF_ELEMENT_JOINT_PD) {
      if (!a || !b)
        continue; // a motor always has its row
      const double after = fmin(0, motor_margin(&el->def, regime[0], b));
      first = fmin(first, share(motor_margin(&el->def, regime[0], a), after));
    } else {
      const double q[2] = {from->q[el->q], to->q[el->q]}, v[2] = {from->v[el->v], to->v[el->v]};
      first = fmin(first, stop_change(&el->def, regime[0], regime[1], q, v));
    }
  }
  return first;
}
