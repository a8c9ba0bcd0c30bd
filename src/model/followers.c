// Followers from leaders.
#include "model/followers.h"
#include "model/model.h"

#include <stddef.h>

double ffi_followers_polynomial(const double polynomial[5], double x, double *slope, double *curvature)
{
  double value = 0, first = 0, second = 0;
  for (int k = 4; k >= 0; --k) {
    second = second * x + 2 * first;
    first = first * x + value;
    value = value * x + polynomial[k];
  }
  if (slope)
    *slope = first;
  if (curvature)
    *curvature = second;
  return value;
}

// The position of a joint, or with tendon >= 0 of that tendon.
static double position_of(const ff_model *model, int joint, int tendon, const double *q)
{
  if (tendon < 0)
    return joint < 0 ? 0 : q[model->joints[joint].q];
  const ff_tendon_info *t = &model->tendons[tendon];
  double sum = 0;
  for (int k = 0; k < t->count; ++k)
    sum += t->coefficients[k] * q[model->joints[t->joints[k]].q];
  return sum;
}

static double velocity_of(const ff_model *model, int joint, int tendon, const double *v)
{
  if (tendon < 0)
    return joint < 0 ? 0 : v[model->joints[joint].v];
  const ff_tendon_info *t = &model->tendons[tendon];
  double sum = 0;
  for (int k = 0; k < t->count; ++k)
    sum += t->coefficients[k] * v[model->joints[t->joints[k]].v];
  return sum;
}

int ffi_followers_place(const ff_model *model, const ff_element_def *e, double *q, double *v)
{
  if (e->tendon >= 0)
    return 0;
  const ff_joint_info *joint = &model->joints[e->joint];
  const double leader = position_of(model, e->leader, e->leader_tendon, q);
  double slope;
  const double wanted = ffi_followers_polynomial(e->polynomial, leader, &slope, NULL);
  const int moves = q[joint->q] != wanted;
  q[joint->q] = wanted;
  if (v)
    v[joint->v] = slope * velocity_of(model, e->leader, e->leader_tendon, v);
  return moves;
}

// A chain of n followers listed from its end takes n rounds. One that bites its own tail never settles, and is left
// after as many.
void ff_model_place_followers(const ff_model *model, double *q)
{
  int moves = 1;
  for (int round = 0; moves && round <= model->size.elements; ++round) {
    moves = 0;
    for (int i = 0; i < model->size.elements; ++i)
      if (model->elements[i].type == FF_ELEMENT_COUPLING)
        moves |= ffi_followers_place(model, &model->elements[i], q, NULL);
  }
}
