// PD with saturation, one-sided limits, and dry friction.
#include "contact/element/joint_law.h"

#include <math.h>

// Two-sided. Beyond its effort the force is constant, without stiffness or damping.
static void saturating_law(const ff_element_def *def, double x, double u, ffi_joint_law_row *row)
{
  row->x = x;
  row->u = u;
  row->K = def->stiffness;
  row->B = def->damping;
  row->force = -row->K * row->x - row->B * row->u;
  row->regime = row->force > def->effort ? 1 : row->force < -def->effort ? -1 : 0;
  if (row->regime == 0)
    return;
  row->K = row->B = 0;
  row->force = row->regime * def->effort;
}

// One-sided. x is measured from the limit that q is beyond, inside from the nearer one: negative beyond the lower,
// positive beyond the upper. Beyond a limit but leaving it so fast that the damper would pull, there is no force.
static void limit_law(const ff_element_def *def, double q, double v, ffi_joint_law_row *row)
{
  const double from_lower = q - def->lower,
               from_upper = q - def->upper; // +infinity, -infinity: no such limit
  const int is_lower = from_lower < 0 || (from_upper <= 0 && from_lower < -from_upper);
  const int side = is_lower ? -1 : 1;
  row->x = is_lower ? from_lower : from_upper;
  row->u = v;
  const double force = -def->stiffness * row->x - def->damping * v;
  const int is_pushing = side * row->x > 0 && side * force < 0;
  row->regime = is_pushing ? side : 0;
  row->K = is_pushing ? def->stiffness : 0;
  row->B = is_pushing ? def->damping : 0;
  row->force = is_pushing ? force : 0;
}

void ffi_joint_law(const ff_element_def *def, double reference, double velocity, double q, double v,
                   ffi_joint_law_row *row)
{
  if (def->type == FF_ELEMENT_JOINT_PD)
    saturating_law(def, q - reference, v - velocity, row);
  else if (def->type == FF_ELEMENT_JOINT_FRICTION)
    saturating_law(def, -reference, v, row); // x: from the anchor to the joint
  else
    limit_law(def, q, v, row);
}

double ffi_joint_law_elongation(const ff_element_def *def, int regime, double elongation, double travel,
                                double h)
{
  if (regime == 0)
    return elongation - travel;
  const double limit = regime * def->effort / def->stiffness;
  const double decay = def->damping > 0 ? exp(-h * def->stiffness / def->damping) : 0;
  return limit + (elongation - limit) * decay;
}

double ffi_joint_law_limit_energy(const ff_element_def *def, double q)
{
  if (q >= def->lower && q <= def->upper) // the usual case
    return 0;
  const double depth = q < def->lower ? def->lower - q : q - def->upper;
  return 0.5 * def->stiffness * depth * depth;
}
