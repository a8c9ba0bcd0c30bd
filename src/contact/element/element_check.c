// What a sim accepts as an element.
#include "contact/element/element_check.h"

#include "base/fail.h"
#include "model/element_flaw.h"
#include "model/model.h"

#include <stdio.h>

void ffi_element_check_name(const ff_element_def *def, int number, char *out, size_t size)
{
  if (def->name)
    snprintf(out, size, "element '%.100s'", def->name);
  else
    snprintf(out, size, "element %d", number);
}

static ff_status refuse(const ff_element_def *def, int number, ff_error *error, const char *text)
{
  char thing[128];
  ffi_element_check_name(def, number, thing, sizeof thing);
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
  return FF_OK;
}

static ff_status check_ends(const ff_model *model, const ff_element_def *def, int number, ff_error *error)
{
  const ff_point *ends[2] = {&def->a, &def->b};
  char text[256];
  for (int i = 0; i < 2; ++i) {
    if (ends[i]->frame >= 0 && ends[i]->frame < model->size.frames)
      continue;
    const int frame = ends[i]->frame;
    snprintf(text, sizeof text, "its end %c is on frame %d; the model has frames 0..%d", "ab"[i], frame,
             model -> size.frames - 1);
    return refuse(def, number, error, text);
  }
  const ffi_frame *a = &model->frames[def->a.frame], *b = &model->frames[def->b.frame];
  if (a->body != b->body)
    return FF_OK;
  snprintf(text, sizeof text, "its ends are on '%.80s' and '%.80s', which do not move against each other",
           a->name, b->name);
  return refuse(def, number, error, text);
}

// Here, below the steppers, because elements are the first that must know.
int ff_stepper_is_hard(ff_stepper stepper)
{
  return stepper == FF_STEPPER_MOREAU || stepper == FF_STEPPER_CA || stepper == FF_STEPPER_C2A;
}

ff_status ffi_element_check_stepper(const ff_element_def *def, int number, ff_stepper stepper,
                                    ff_error *error)
{
  const int is_jointed =
      def->type == FF_ELEMENT_HINGE || def->type == FF_ELEMENT_SLIDER || def->type == FF_ELEMENT_PLANAR;
  const int is_held = def->is_rigid && (def->type == FF_ELEMENT_POINT || def->type == FF_ELEMENT_WELD);
  if ((!is_jointed && !is_held) || ff_stepper_is_hard(stepper))
    return FF_OK;
  char thing[128];
  ffi_element_check_name(def, number, thing, sizeof thing);
  return ffi_fail(error, FF_ERROR_UNSUPPORTED, NULL, 0, thing,
                  "it is a rigid %s, and this stepper has springs only; take 'moreau', 'ca' or 'c2a', or %s",
                  ff_element_type_name(def->type),
                  is_jointed ? "a model that is not cut there" : "give it a stiffness in place of is_rigid");
}

ff_status ffi_element_check(const ff_model *model, const ff_element_def *def, int number, ff_error *error)
{
  ff_status status = FF_OK;
  int is_on_joint = 0;
  switch (def->type) {
  case FF_ELEMENT_JOINT_PD:
  case FF_ELEMENT_JOINT_LIMIT:
    status = check_joint(model, def, number, error);
    is_on_joint = 1;
    break;
  case FF_ELEMENT_POINT:
  case FF_ELEMENT_WELD:
  case FF_ELEMENT_HINGE:
  case FF_ELEMENT_SLIDER:
  case FF_ELEMENT_PLANAR: status = check_ends(model, def, number, error); break;
  }
  const ffi_element_flaw flaw = ffi_element_flaw_find(def);
  if (status != FF_OK || !flaw.text[0])
    return status;
  return is_on_joint ? refuse_joint(model, def, number, error, flaw.text)
                     : refuse(def, number, error, flaw.text);
}
