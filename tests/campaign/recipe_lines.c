// Makes tendons and couplings of a recipe.
#include "campaign/recipe_lines.h"

#include <stdio.h>
#include <string.h>

// ---- Tendons ------------------------------------------------------------------------------------------------

static ff_status add_servo(const ffi_recipe_tendon *t, int id, ff_builder *builder, ff_error *error)
{
  ff_actuator_def def = ff_actuator_def_default();
  def.type = FF_ACTUATOR_POSITION;
  def.tendon = id;
  def.gear = t->gear;
  def.kp = t->kp;
  def.kv = t->kv;
  def.force_range[0] = -t->force_range;
  def.force_range[1] = t->force_range;
  return ff_builder_add_actuator(builder, &def, error);
}

ff_status ffi_recipe_lines_build(const ffi_recipe *r, ff_builder *builder, ff_error *error)
{
  ff_status status = FF_OK;
  for (int i = 0; i < r->tendon_count && status == FF_OK; ++i) {
    const ffi_recipe_tendon *t = &r->tendons[i];
    char name[16];
    int id;
    snprintf(name, sizeof name, "T%d", i);
    status = ff_builder_add_tendon(builder, name, t->count, t->links, t->weights, &id, error);
    if (status == FF_OK && t->has_servo)
      status = add_servo(t, id, builder, error);
  }
  return status;
}

double ffi_recipe_lines_position(const ff_model *model, int joint, int tendon, const double *q)
{
  ff_tendon_info line;
  ff_joint_info info;
  double sum = 0;
  if (tendon >= 0 && ff_model_tendon(model, tendon, &line) == FF_OK)
    for (int k = 0; k < line.count; ++k) {
      if (ff_model_joint(model, line.joints[k], &info) == FF_OK)
        sum += line.coefficients[k] * q[info.q];
    }
  else if (joint >= 0 && ff_model_joint(model, joint, &info) == FF_OK)
    sum = q[info.q];
  return sum;
}

// ---- Couplings ----------------------------------------------------------------------------------------------

double ffi_recipe_lines_polynomial(const double polynomial[5], double x, double *slope)
{
  double value = 0;
  *slope = 0;
  for (int k = 4; k >= 0; --k) {
    *slope = *slope * x + value;
    value = value * x + polynomial[k];
  }
  return value;
}

// Followers come after their leaders, so one pass is enough.
void ffi_recipe_lines_start(const ffi_recipe *r, ffi_recipe_made *made)
{
  for (int i = 0; i < r->link_count; ++i)
    for (int k = 0; k < r->element_count; ++k) {
      const ffi_recipe_element *e = &r->elements[k];
      ff_joint_info follower, leader;
      double slope = 0, rate = 0, x = 0;
      if (e->type != FF_ELEMENT_COUPLING || e->tendon || e->leader_tendon || e->a != i ||
          ff_model_joint(made->model, made->joint_of[i], &follower) != FF_OK)
        continue;
      if (e->b != FF_WORLD && ff_model_joint(made->model, made->joint_of[e->b], &leader) == FF_OK) {
        x = made->q[leader.q];
        rate = made->v[leader.v];
      }
      made->q[follower.q] = ffi_recipe_lines_polynomial(e->polynomial, x, &slope);
      made->v[follower.v] = slope * rate;
    }
}

// A tendon that follows begins where it is: the constant of the polynomial is chosen so.
static int make_coupling(const ffi_recipe *r, const ffi_recipe_element *e, const ffi_recipe_made *made,
                         ff_element_def *def)
{
  double slope;
  if (e->b != FF_WORLD && ffi_recipe_nv(r->links[e->b].type) != 1)
    return 0;
  def->leader = e->b == FF_WORLD ? -1 : made->joint_of[e->b];
  memcpy(def->polynomial, e->polynomial, sizeof def->polynomial);
  if (!e->tendon)
    return ffi_recipe_nv(r->links[e->a].type) == 1;
  const double leader = ffi_recipe_lines_position(made->model, def->leader, -1, made->q);
  const double wanted = ffi_recipe_lines_polynomial(def->polynomial, leader, &slope);
  def->polynomial[0] += ffi_recipe_lines_position(made->model, -1, def->tendon, made->q) - wanted;
  return 1;
}

int ffi_recipe_lines_element(const ffi_recipe *r, const ffi_recipe_element *e, const ffi_recipe_made *made,
                             ff_element_def *def)
{
  def->joint = e->tendon ? -1 : made->joint_of[e->a];
  def->tendon = e->tendon - 1;
  if (e->type == FF_ELEMENT_COUPLING)
    return make_coupling(r, e, made, def);
  return e->tendon || ffi_recipe_nv(r->links[e->a].type) == 1;
}
