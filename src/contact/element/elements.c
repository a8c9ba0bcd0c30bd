// The list of a sim's elements: limits, springs and actuators of the model, the model's own elements, then those of the
// def. The list is made twice, to count and to fill, in one block of memory: the elements, then their names.
#include "contact/element/elements.h"
#include "base/fail.h"
#include "contact/element/element_check.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Who defines the stop of a joint. The last of these counts.
enum { STOP_OF_JOINT, STOP_OF_MODEL, STOP_OF_USER };

typedef struct list {
  const ff_model *model;
  unsigned char *stop; // [joints] STOP_OF_...
  ffi_element *items;  // NULL: count only
  int count;
  char *text;
  size_t bytes; // of names
} list;

static void add(list *l, const ff_element_def *def, int is_spring)
{
  const size_t bytes = def->name ? strlen(def->name) + 1 : 0;
  if (l->items) {
    ffi_element *e = &l->items[l->count];
    const int is_joint = def->type == FF_ELEMENT_JOINT_PD || def->type == FF_ELEMENT_JOINT_LIMIT;
    *e = (ffi_element){.def = *def, .q = -1, .v = -1, .is_spring = is_spring};
    if (is_joint) {
      e->q = l->model->joints[def->joint].q;
      e->v = l->model->joints[def->joint].v;
    }
    if (def->name)
      e->def.name = memcpy(l->text + l->bytes, def->name, bytes);
  }
  ++l->count;
  l->bytes += bytes;
}

// The same with a name made from the joint's: 'knee_limit'.
static void add_named(list *l, ff_element_def *def, const char *joint, const char *what, int is_spring)
{
  char name[FF_MAX_NAME + 16];
  snprintf(name, sizeof name, "%.*s_%s", (int)FF_MAX_NAME, joint, what);
  def->name = name;
  add(l, def, is_spring);
  def->name = NULL;
}

static void find_stops(list *l, const ff_sim_def *sim)
{
  for (int i = 0; i < l->model->size.elements; ++i)
    if (l->model->elements[i].type == FF_ELEMENT_JOINT_LIMIT)
      l->stop[l->model->elements[i].joint] = STOP_OF_MODEL;
  for (int i = 0; i < sim->element_count; ++i)
    if (sim->elements[i].type == FF_ELEMENT_JOINT_LIMIT)
      l->stop[sim->elements[i].joint] = STOP_OF_USER;
}

static void add_limits(list *l, const ff_sim_def *sim)
{
  for (int i = 0; i < l->model->size.joints; ++i) {
    const ff_joint_info *joint = &l->model->joints[i];
    if (!joint->has_limits || joint->nq != 1 || (isinf(joint->lower) && isinf(joint->upper)))
      continue;
    if (l->stop[i] != STOP_OF_JOINT)
      continue;
    ff_element_def def = ff_element_def_default();
    def.type = FF_ELEMENT_JOINT_LIMIT;
    def.joint = i;
    def.stiffness = sim->limit_stiffness;
    def.damping = sim->limit_damping;
    def.lower = joint->lower;
    def.upper = joint->upper;
    add_named(l, &def, joint->name, "limit", 0);
  }
}

// Their damping is the joint's own and belongs to the dynamics.
static void add_springs(list *l)
{
  for (int i = 0; i < l->model->size.joints; ++i) {
    const ff_joint_info *joint = &l->model->joints[i];
    if (!(joint->stiffness > 0) || joint->nq != 1)
      continue;
    ff_element_def def = ff_element_def_default();
    def.joint = i;
    def.stiffness = joint->stiffness;
    def.reference = joint->spring_reference;
    add_named(l, &def, joint->name, "spring", 1);
  }
}

// Position and velocity actuators at the control nearest to 0 that their range allows, seen from the joint:
//     gear (kp (control - gear q) - kv gear v) = gear^2 kp (control/gear - q) - gear^2 kv v
// A force range that is not symmetric saturates at the larger of its ends. Motors are driven by tau.
static void add_actuators(list *l)
{
  for (int i = 0; i < l->model->size.actuators; ++i) {
    const ff_actuator_info *actuator = &l->model->actuators[i];
    const double *range = actuator->force_range, gear = actuator->gear, square = gear * gear;
    ff_element_def def = ff_element_def_default();
    def.name = actuator->name;
    def.joint = actuator->joint;
    def.effort = fmax(fabs(range[0]), fabs(range[1]));
    if (actuator->type == FF_ACTUATOR_MOTOR || !(square > 0) || !(def.effort > 0))
      continue;
    const double control = fmin(fmax(0, actuator->control_range[0]), actuator->control_range[1]);
    const int is_position = actuator->type == FF_ACTUATOR_POSITION;
    def.stiffness = is_position ? square * actuator->kp : 0;
    def.damping = square * actuator->kv;
    def.reference = is_position ? control / gear : 0;
    def.reference_velocity = is_position ? 0 : control / gear;
    if (actuator->name)
      add(l, &def, 0);
    else
      add_named(l, &def, l->model->joints[actuator->joint].name, "motor", 0);
  }
}

static void add_own(list *l)
{
  for (int i = 0; i < l->model->size.elements; ++i) {
    const ff_element_def *def = &l->model->elements[i];
    if (def->type != FF_ELEMENT_JOINT_LIMIT || l->stop[def->joint] == STOP_OF_MODEL)
      add(l, def, 0);
  }
}

static void collect(list *l, const ff_sim_def *sim)
{
  l->count = 0;
  l->bytes = 0;
  if (sim->model_elements) {
    add_limits(l, sim);
    add_springs(l);
    add_actuators(l);
    add_own(l);
  }
  for (int i = 0; i < sim->element_count; ++i)
    add(l, &sim->elements[i], 0);
}

// Motors without a delay of their own have the sim's.
static void delay_motors(list *l, double delay)
{
  for (int i = 0; i < l->count; ++i) {
    ffi_element *e = &l->items[i];
    if (e->def.type == FF_ELEMENT_JOINT_PD && !e->is_spring && !(e->def.delay > 0))
      e->def.delay = delay;
  }
}

// A joint has one stop: two that are listed for one joint are an error.
static ff_status refuse_second_stop(const ff_model *model, const ff_sim_def *sim, int second, ff_error *error)
{
  const ff_element_def *def = &sim->elements[second];
  for (int i = 0; i < second; ++i) {
    const ff_element_def *other = &sim->elements[i];
    if (other->type != FF_ELEMENT_JOINT_LIMIT || other->joint != def->joint)
      continue;
    char names[2][120];
    ffi_element_check_name(other, i, names[0], sizeof names[0]);
    ffi_element_check_name(def, second, names[1], sizeof names[1]);
    return ffi_fail(
        error, FF_ERROR_ARGUMENT, NULL, 0, names[1],
        "%s is already the stop of joint '%.100s'; a joint has one stop, with a lower and an upper end",
        names[0], model->joints[def->joint].name);
  }
  return FF_OK;
}

static ff_status check_listed(const ff_model *model, const ff_sim_def *sim, ff_error *error)
{
  ff_status status = FF_OK;
  for (int i = 0; i < sim->element_count && status == FF_OK; ++i) {
    status = ffi_element_check(model, &sim->elements[i], i, error);
    if (status == FF_OK && sim->elements[i].type == FF_ELEMENT_JOINT_LIMIT)
      status = refuse_second_stop(model, sim, i, error);
  }
  return status;
}

static ff_status no_memory(int count, ff_error *error)
{
  return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, "", "there is not enough memory for %d elements", count);
}

ff_status ffi_elements_create(const ff_model *model, const ff_sim_def *def, ffi_element **out, int *count,
                              ff_error *error)
{
  list l = {.model = model};
  *out = NULL;
  *count = 0;
  ff_status status = check_listed(model, def, error);
  if (status != FF_OK)
    return status;
  l.stop = calloc((size_t)model->size.joints + 1, 1);
  if (!l.stop)
    return no_memory(def->element_count, error);
  find_stops(&l, def);
  collect(&l, def);
  l.items = malloc((size_t)l.count * sizeof *l.items + l.bytes + 1);
  if (!l.items) {
    status = no_memory(l.count, error);
    goto fail;
  }
  l.text = (char *)(l.items + l.count);
  collect(&l, def);
  delay_motors(&l, def->motor_delay);
  // The builder checked what the model says, but not products of it, such as gear^2 kp.
  for (int i = 0; i < l.count - def->element_count && status == FF_OK; ++i)
    status = ffi_element_check(model, &l.items[i].def, i, error);
  for (int i = 0; i < l.count && status == FF_OK; ++i)
    status = ffi_element_check_stepper(&l.items[i].def, i, def->stepper, error);
  if (status != FF_OK)
    goto fail;
  free(l.stop);
  *out = l.items;
  *count = l.count;
  return FF_OK;
fail:
  free(l.stop);
  free(l.items);
  return status;
}

void ffi_elements_free(ffi_element *elements)
{
  free(elements);
}
