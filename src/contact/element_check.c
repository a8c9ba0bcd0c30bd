// What a sim accepts as an element.
#include "contact/element_check.h"

#include "base/error.h"
#include "math/vec3.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>

// "element 'grip'", or by its number among those listed.
static ff_status refuse(const ff_element_def *def, int number, ff_error *error, const char *text)
{
  char thing[128];
  if (def->name)
    snprintf(thing, sizeof thing, "element '%.100s'", def->name);
  else
    snprintf(thing, sizeof thing, "element %d", number);
  return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, thing, "%s", text);
}

// Of a joint element: the words end with the joint they are about.
static ff_status refuse_joint(const ff_model *model, const ff_element_def *def, int number, ff_error *error,
                              const char *what)
{
  char text[512];
  snprintf(text, sizeof text, "%s, on joint '%.100s'", what, model->joints[def->joint].name);
  return refuse(def, number, error, text);
}

static ff_status check_motor(const ff_model *model, const ff_element_def *def, int number, ff_error *error)
{
  char text[256];
  if (!isfinite(def->reference) || !isfinite(def->reference_velocity)) {
    snprintf(text, sizeof text, "its reference %g or its reference_velocity %g is not finite", def->reference,
             def->reference_velocity);
    return refuse_joint(model, def, number, error, text);
  }
  if (!(def->effort > 0)) {
    snprintf(text, sizeof text, "its effort is %g; it must be > 0, and may be infinite", def->effort);
    return refuse_joint(model, def, number, error, text);
  }
  return FF_OK;
}

static ff_status check_limit(const ff_model *model, const ff_element_def *def, int number, ff_error *error)
{
  char text[256];
  if (!(def->lower <= def->upper) || (isinf(def->lower) && isinf(def->upper))) {
    snprintf(text, sizeof text, "its limits %g to %g are no range, or limit nothing", def->lower, def->upper);
    return refuse_joint(model, def, number, error, text);
  }
  return FF_OK;
}

static ff_status check_joint(const ff_model *model, const ff_element_def *def, int number, ff_error *error)
{
  char text[256];
  if (def->joint < 0 || def->joint >= model->size.joints) {
    snprintf(text, sizeof text, "its joint is %d; the model has joints 0..%d", def->joint,
             model->size.joints - 1);
    return refuse(def, number, error, text);
  }
  const ff_joint_info *joint = &model->joints[def->joint];
  if (joint->nq != 1) {
    snprintf(text, sizeof text, "only joints with one coordinate can have a %s, not a %s one",
             ff_element_type_name(def->type), ff_joint_type_name(joint->type));
    return refuse_joint(model, def, number, error, text);
  }
  return def->type == FF_ELEMENT_JOINT_PD ? check_motor(model, def, number, error)
                                          : check_limit(model, def, number, error);
}

static ff_status check_ends(const ff_model *model, const ff_element_def *def, int number, ff_error *error)
{
  const ff_point *ends[2] = {&def->a, &def->b};
  char text[256];
  for (int i = 0; i < 2; ++i) {
    if (ends[i]->frame < 0 || ends[i]->frame >= model->size.frames) {
      snprintf(text, sizeof text, "its end %c is on frame %d; the model has frames 0..%d", "ab"[i],
               ends[i] -> frame, model -> size.frames - 1);
      return refuse(def, number, error, text);
    }
    if (!ffi_all_finite(ends[i]->offset, 3)) {
      snprintf(text, sizeof text, "the offset of its end %c is not finite", "ab"[i]);
      return refuse(def, number, error, text);
    }
  }
  const ffi_frame *a = &model->frames[def->a.frame], *b = &model->frames[def->b.frame];
  if (a->body != b->body)
    return FF_OK;
  snprintf(text, sizeof text, "its ends are on '%.80s' and '%.80s', which do not move against each other",
           a->name, b->name);
  return refuse(def, number, error, text);
}

static ff_status check_gains(const ff_model *model, const ff_element_def *def, int number, ff_error *error)
{
  const struct {
    const char *name;
    double value;
  } gains[] = {
      {"stiffness", def->stiffness},
      {"damping", def->damping},
      {"angular_stiffness", def->angular_stiffness},
      {"angular_damping", def->angular_damping},
  };
  const int is_joint = def->type == FF_ELEMENT_JOINT_PD || def->type == FF_ELEMENT_JOINT_LIMIT;
  char text[256];
  for (size_t i = 0; i < sizeof gains / sizeof gains[0]; ++i) {
    if (isfinite(gains[i].value) && gains[i].value >= 0)
      continue;
    snprintf(text, sizeof text, "its %s is %g; it must be finite and >= 0", gains[i].name, gains[i].value);
    return is_joint ? refuse_joint(model, def, number, error, text) : refuse(def, number, error, text);
  }
  return FF_OK;
}

ff_status ffi_element_check(const ff_model *model, const ff_element_def *def, int number, ff_error *error)
{
  char text[64];
  ff_status status = FF_OK;
  switch (def->type) {
  case FF_ELEMENT_JOINT_PD:
  case FF_ELEMENT_JOINT_LIMIT: status = check_joint(model, def, number, error); break;
  case FF_ELEMENT_POINT:
  case FF_ELEMENT_WELD: status = check_ends(model, def, number, error); break;
  default:
    snprintf(text, sizeof text, "there is no element type %d", (int)def->type);
    return refuse(def, number, error, text);
  }
  return status == FF_OK ? check_gains(model, def, number, error) : status;
}
