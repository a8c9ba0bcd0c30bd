// Checks of an element's joint, ends, numbers and stepper, with messages that name it.
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

// Of a joint element: the message ends with the joint.
static ff_status refuse_joint(const ff_model *model, const ff_element_def *def, int number, ff_error *error,
                              const char *what)
{
  char text[512];
  snprintf(text, sizeof text, "%s, on joint '%.100s'", what, model->joints[def->joint].name);
  return refuse(def, number, error, text);
}

// A joint or a tendon that an element acts on.
typedef struct side {
  const char *what; // "joint", "leader"
  int joint, tendon;
} side;

static ff_status check_side(const ff_model *model, const ff_element_def *def, side on, int number,
                            ff_error *error)
{
  char text[256];
  const int joint = on.joint, tendon = on.tendon;
  if (tendon >= model->size.tendons) {
    snprintf(text, sizeof text, "its tendon is %d; the model has %d", tendon, model->size.tendons);
    return refuse(def, number, error, text);
  }
  if (tendon >= 0)
    return FF_OK;
  if (joint < 0 || joint >= model->size.joints) {
    snprintf(text, sizeof text, "its %s is %d; the model has joints 0..%d", on.what, joint,
             model->size.joints - 1);
    return refuse(def, number, error, text);
  }
  const ff_joint_info *info = &model->joints[joint];
  if (def->type == FF_ELEMENT_JOINT_FRICTION && def->component >= 0 && def->component < info->nv)
    return FF_OK;
  if (def->type == FF_ELEMENT_JOINT_FRICTION) {
    snprintf(text, sizeof text, "its component is %d; joint '%.100s' has %d velocities", def->component,
             info->name, info->nv);
    return refuse(def, number, error, text);
  }
  if (info->nq != 1) {
    snprintf(text, sizeof text, "only joints with one coordinate can have a %s, not a %s one",
             ff_element_type_name(def->type), ff_joint_type_name(info->type));
    return refuse_joint(model, def, number, error, text);
  }
  return FF_OK;
}

// How many velocities two lines have together, at most.
static int width(const ff_model *model, const ff_element_def *def)
{
  const int follower = def->tendon >= 0 ? model->tendons[def->tendon].count : 1;
  const int leader = def->leader_tendon >= 0 ? model->tendons[def->leader_tendon].count : def->leader >= 0;
  return follower + leader;
}

static ff_status check_coupling(const ff_model *model, const ff_element_def *def, int number, ff_error *error)
{
  ff_status status = check_side(model, def, (side){"joint", def->joint, def->tendon}, number, error);
  if (status == FF_OK && (def->leader >= 0 || def->leader_tendon >= 0))
    status = check_side(model, def, (side){"leader", def->leader, def->leader_tendon}, number, error);
  if (status != FF_OK)
    return status;
  if (def->tendon < 0 && def->leader_tendon < 0 && def->joint == def->leader)
    return refuse(def, number, error, "a joint cannot follow itself");
  if (width(model, def) > FFI_ELEMENT_COUPLING_MOST)
    return refuse(def, number, error, "it couples more than 64 joints");
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

// Defined here, below the steppers, because elements need it first.
int ff_stepper_is_hard(ff_stepper stepper)
{
  return stepper == FF_STEPPER_MOREAU || stepper == FF_STEPPER_CA || stepper == FF_STEPPER_C2A;
}

ff_status ffi_element_check_stepper(const ff_element_def *def, int number, ff_stepper stepper,
                                    ff_error *error)
{
  const int is_jointed =
      def->type == FF_ELEMENT_HINGE || def->type == FF_ELEMENT_SLIDER || def->type == FF_ELEMENT_PLANAR;
  const int is_rigid_block = def->is_rigid && (def->type == FF_ELEMENT_POINT || def->type == FF_ELEMENT_WELD);
  if ((!is_jointed && !is_rigid_block) || ff_stepper_is_hard(stepper))
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
  case FF_ELEMENT_JOINT_FRICTION:
    status = check_side(model, def, (side){"joint", def->joint, def->tendon}, number, error);
    is_on_joint = def->tendon < 0;
    break;
  case FF_ELEMENT_COUPLING: status = check_coupling(model, def, number, error); break;
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
