// Followers from leaders.
#include "model/followers.h"
#include "model/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

// Put all followers in their places, in as many rounds as a chain of them that is listed from its end needs. Returns
// whether they are there.
static int place_all(const ff_model *model, double *q)
{
  int moves = 1;
  for (int round = 0; moves && round <= model->size.elements; ++round) {
    moves = 0;
    for (int i = 0; i < model->size.elements; ++i)
      if (model->elements[i].type == FF_ELEMENT_COUPLING)
        moves |= ffi_followers_place(model, &model->elements[i], q, NULL);
  }
  return !moves;
}

// Is each follower where its leader wants it, but for rounding? Two that follow each other never rest.
static int are_placed(const ff_model *model, const double *q)
{
  for (int i = 0; i < model->size.elements; ++i) {
    const ff_element_def *e = &model->elements[i];
    if (e->type != FF_ELEMENT_COUPLING || e->tendon >= 0)
      continue;
    const double wanted = ffi_followers_polynomial(
        e->polynomial, position_of(model, e->leader, e->leader_tendon, q), NULL, NULL);
    if (!(fabs(q[model->joints[e->joint].q] - wanted) <= 1e-12 * (1 + fabs(wanted))))
      return 0;
  }
  return 1;
}

// Couplings in a circle may drive each other away without end; then everything stays where it was.
void ff_model_place_followers(const ff_model *model, double *q)
{
  const size_t bytes = (size_t)model->size.nq * sizeof *q;
  int couplings = 0;
  for (int i = 0; i < model->size.elements; ++i)
    couplings += model->elements[i].type == FF_ELEMENT_COUPLING;
  if (couplings == 0)
    return;
  double *before = malloc(bytes);
  if (before)
    memcpy(before, q, bytes);
  if (!place_all(model, q) && !are_placed(model, q) && before)
    memcpy(q, before, bytes);
  free(before);
}
