// Which joints are cut, and whether they can be.
#include "base/fail.h"
#include "model/check.h"
#include "model/cut.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static ff_status refuse(const char *joint, ff_status status, ff_error *error, const char *words)
{
  const ffi_check_label thing = ffi_check_make_label("joint", joint);
  return ffi_fail(error, status, NULL, 0, thing.text, "%s", words);
}

// ---- Which ----------------------------------------------------------------------------------------------------------

static int is_fixed_joint(const ff_model *model, const char *name)
{
  for (int i = 0; i < model->size.links; ++i)
    if (model->links[i].joint_type == FF_JOINT_FIXED && strcmp(model->links[i].joint_name, name) == 0)
      return 1;
  return 0;
}

static ff_status choose_listed(ff_cut *cut, const ff_cut_def *def, ff_error *error)
{
  if (def->joint_count < 0 || (def->joint_count > 0 && !def->joints))
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_cut_def", "joint_count is %d%s", def->joint_count,
                    def->joint_count > 0 ? ", but joints is NULL" : "");
  for (int i = 0; i < def->joint_count; ++i) {
    const char *name = def->joints[i];
    if (!name)
      return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_cut_def", "joints[%d] is NULL", i);
    const int joint = ff_model_find_joint(cut->source, name);
    if (joint < 0)
      return refuse(name, FF_ERROR_ARGUMENT, error,
                    is_fixed_joint(cut->source, name) ? "it is fixed, so there is nothing to cut"
                                                      : "the model has no joint of this name");
    if (cut->source->joints[joint].type == FF_JOINT_FREE)
      return refuse(name, FF_ERROR_ARGUMENT, error, "it is free, so what it carries floats already");
    if (cut->joints[joint].is_cut)
      return refuse(name, FF_ERROR_ARGUMENT, error, "it is listed twice");
    cut->joints[joint].is_cut = 1;
  }
  return FF_OK;
}

static ff_status choose(ff_cut *cut, const ff_cut_def *def, ff_error *error)
{
  const ff_joint_info *joints = cut->source->joints;
  switch (def->set) {
  case FF_CUT_MINIMAL: return FF_OK;
  case FF_CUT_LISTED: return choose_listed(cut, def, error);
  case FF_CUT_MAXIMAL:
  case FF_CUT_EXTENDED:
    for (int j = 0; j < cut->source->size.joints; ++j) {
      const int is_on_root = joints[j].parent >= 0 && joints[joints[j].parent].parent < 0;
      cut->joints[j].is_cut = joints[j].type != FF_JOINT_FREE && (def->set == FF_CUT_MAXIMAL || is_on_root);
    }
    return FF_OK;
  }
  return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_cut_def", "there is no set %d", (int)def->set);
}

// ---- What each would lose -------------------------------------------------------------------------------------------

// Things about a joint that a cut model has no place for.
typedef struct losses {
  int limits, servos, ties;
} losses;

// Does a tendon pull at a joint?
static int is_pulled(const ff_model *model, int tendon, int j)
{
  for (int k = 0; tendon >= 0 && k < model->tendons[tendon].count; ++k)
    if (model->tendons[tendon].joints[k] == j)
      return 1;
  return 0;
}

static losses find_losses(const ff_model *model, int j)
{
  const ff_joint_info *joint = &model->joints[j];
  losses found = {.limits = joint->has_limits && !(isinf(joint->lower) && isinf(joint->upper))};
  for (int i = 0; i < model->size.actuators; ++i)
    found.servos |= model->actuators[i].joint == j && model->actuators[i].type != FF_ACTUATOR_MOTOR;
  for (int i = 0; i < model->size.elements; ++i) {
    const ff_element_def *e = &model->elements[i];
    found.servos |= e->type == FF_ELEMENT_JOINT_PD && e->joint == j;
    found.limits |= e->type == FF_ELEMENT_JOINT_LIMIT && e->joint == j;
    found.ties |= e->type == FF_ELEMENT_COUPLING && (e->joint == j || e->leader == j);
  }
  for (int i = 0; i < model->size.tendons; ++i)
    found.ties |= is_pulled(model, i, j);
  return found;
}

static ff_status check(const ff_model *model, int j, const ff_cut_def *def, ff_error *error)
{
  const ff_joint_info *joint = &model->joints[j];
  const losses found = find_losses(model, j);
  const struct {
    int is_lost, may_drop;
    const char *what, *field;
  } rows[] = {
      {joint->armature > 0, def->drop_armature, "armature", "drop_armature"},
      {found.limits, def->drop_limits, "limits", "drop_limits"},
      {joint->damping > 0, def->drop_damping, "damping", "drop_damping"},
      {joint->friction > 0, def->drop_friction, "dry friction", "drop_friction"},
      {joint->stiffness > 0, def->drop_springs, "spring", "drop_springs"},
      {found.servos, def->drop_servos, "servo", "drop_servos"},
  };
  if (found.ties)
    return refuse(joint->name, FF_ERROR_UNSUPPORTED, error,
                  "it is part of a tendon or a coupling, which a cut model cannot have; leave it whole");
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
    if (!rows[i].is_lost || rows[i].may_drop)
      continue;
    char words[256];
    snprintf(words, sizeof words, "cut, it would lose its %s; leave it whole, or allow that with %s",
             rows[i].what, rows[i].field);
    return refuse(joint->name, FF_ERROR_UNSUPPORTED, error, words);
  }
  return FF_OK;
}

ff_status ffi_cut_choose(ff_cut *cut, const ff_cut_def *def, ff_error *error)
{
  ff_status status = choose(cut, def, error);
  for (int j = 0; j < cut->source->size.joints && status == FF_OK; ++j)
    if (cut->joints[j].is_cut) {
      status = check(cut->source, j, def, error);
      ++cut->count;
    }
  if (status == FF_OK && cut->count == 0 && def->set != FF_CUT_MINIMAL)
    return ffi_fail(error, FF_ERROR_MODEL, NULL, 0, "ff_cut_create",
                    def->set == FF_CUT_LISTED ? "the list of joints is empty; the set 'minimal' cuts none"
                    : def->set == FF_CUT_EXTENDED
                        ? "no joint hangs on a root body, so there is nothing to cut"
                        : "no joint can be cut: nothing moves, or all floats already");
  return status;
}
