// The list of a sim's elements: limits, springs, actuators and dry friction of the model, the model's own elements,
// then those of the def. The list is made twice, to count and to fill, in one block of memory: the elements, their
// lines, then their names.
#include "contact/element/elements.h"
#include "base/fail.h"
#include "contact/element/element_check.h"
#include "contact/element/element_rows.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Who defines the stop of a joint. The last of these counts.
enum { STOP_OF_JOINT, STOP_OF_MODEL, STOP_OF_USER };

// Numbers of one line.
typedef struct line_room {
  int q[FF_MAX_TENDON_JOINTS], v[FF_MAX_TENDON_JOINTS];
  double weight[FF_MAX_TENDON_JOINTS];
} line_room;

// A joint or a tendon.
typedef struct side {
  int joint, tendon, component;
} side;

typedef struct list {
  const ff_model *model;
  unsigned char *stop; // [joints] STOP_OF_...
  ffi_element *items;  // NULL: count only
  int count, visible;  // visible: without dry friction of joints, which is not for the user
  char *text;
  size_t bytes; // of names
  int *indices; // of lines
  double *weights;
  size_t lines;        // numbers of lines so far
  size_t reach;        // velocities in the reach of elements so far
  int *reached;        // [reach] of them
  unsigned char *mark; // [nv] zero between uses
  int *found;          // [nv]
  line_room *room;     // [2]
} list;

// A line of one joint or tendon; of a joint with several velocities, one of these. In `room`, to be kept.
static ffi_line line_of(const ff_model *m, const side *on, line_room *room)
{
  const ff_tendon_info *t = on->tendon >= 0 ? &m->tendons[on->tendon] : NULL;
  const int count = t ? t->count : on->joint >= 0;
  for (int k = 0; k < count; ++k) {
    const ff_joint_info *info = &m->joints[t ? t->joints[k] : on->joint];
    room->q[k] = info->nq == 1 ? info->q : -1;
    room->v[k] = info->v + on->component;
    room->weight[k] = t ? t->coefficients[k] : 1;
  }
  return ffi_line_make(count, room->q, room->v, room->weight);
}

// A line with its numbers in the block.
static ffi_line keep_line(list *l, const ffi_line *line)
{
  const size_t count = (size_t)line->count, first = l->lines;
  l->lines += count;
  if (!l->items)
    return *line;
  int *q = l->indices + 2 * first, *v = q + count;
  double *weight = l->weights + first;
  if (count > 0) {
    memcpy(q, line->q, count * sizeof *q);
    memcpy(v, line->v, count * sizeof *v);
    memcpy(weight, line->weight, count * sizeof *weight);
  }
  return ffi_line_make(line->count, q, v, weight);
}

// The reach of lines on several branches, in the block.
static const int *keep_reach(list *l, const ffi_line *line, const ffi_line *leader, int *count)
{
  *count = ffi_line_reach(l->model, line, leader, l->mark, l->found);
  const size_t first = l->reach;
  l->reach += (size_t)*count;
  return l->items ? memcpy(l->reached + first, l->found, (size_t)*count * sizeof *l->found) : NULL;
}

// What an element acts on: its lines, kept.
static void take_lines(list *l, const ff_element_def *def, ffi_element *e)
{
  const int is_coupling = def->type == FF_ELEMENT_COUPLING,
            is_friction = def->type == FF_ELEMENT_JOINT_FRICTION;
  e->is_joint = ff_element_type_is_joint(def->type);
  const side none = {-1, -1, 0};
  const side on = {def->joint, def->tendon, is_friction ? def->component : 0};
  const side follows = {def->leader, def->leader_tendon, 0};
  const ffi_line line = line_of(l->model, is_coupling || e->is_joint ? &on : &none, &l->room[0]);
  const ffi_line leader = line_of(l->model, is_coupling ? &follows : &none, &l->room[1]);
  e->is_path = ffi_line_are_on_path(l->model, &line, &leader);
  if (!e->is_path)
    e->reach = keep_reach(l, &line, &leader, &e->reach_count);
  e->line = keep_line(l, &line);
  e->leader = keep_line(l, &leader);
}

static void add(list *l, const ff_element_def *def, int is_spring)
{
  const size_t bytes = def->name ? strlen(def->name) + 1 : 0;
  ffi_element e = {.def = *def, .is_spring = is_spring};
  take_lines(l, def, &e);
  if (l->items) {
    if (def->name)
      e.def.name = memcpy(l->text + l->bytes, def->name, bytes);
    l->items[l->count] = e;
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
    if (l->model->elements[i].type == FF_ELEMENT_JOINT_LIMIT && l->model->elements[i].tendon < 0)
      l->stop[l->model->elements[i].joint] = STOP_OF_MODEL;
  for (int i = 0; i < sim->element_count; ++i)
    if (sim->elements[i].type == FF_ELEMENT_JOINT_LIMIT && sim->elements[i].tendon < 0)
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
    def.tendon = actuator->tendon;
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
      add_named(l, &def,
                actuator->tendon >= 0 ? l->model->tendons[actuator->tendon].name
                                      : l->model->joints[actuator->joint].name,
                "motor", 0);
  }
}

// Dry friction of joints, for each of their velocities.
static void add_friction(list *l)
{
  for (int i = 0; i < l->model->size.joints; ++i) {
    const ff_joint_info *joint = &l->model->joints[i];
    ff_element_def def = ff_element_def_default();
    def.type = FF_ELEMENT_JOINT_FRICTION;
    def.joint = i;
    def.effort = joint->friction;
    for (int k = 0; k < joint->nv && joint->friction > 0; ++k) {
      def.component = k;
      add(l, &def, 0);
    }
  }
}

// A stop of a tendon without a stiffness has that of joints.
static void add_tendon_stop(list *l, const ff_sim_def *sim, const ff_element_def *stop)
{
  ff_element_def def = *stop;
  if (def.stiffness == 0 && def.damping == 0) {
    def.stiffness = sim->limit_stiffness;
    def.damping = sim->limit_damping;
  }
  add(l, &def, 0);
}

static void add_own(list *l, const ff_sim_def *sim)
{
  for (int i = 0; i < l->model->size.elements; ++i) {
    const ff_element_def *def = &l->model->elements[i];
    if (def->type == FF_ELEMENT_JOINT_LIMIT && def->tendon >= 0)
      add_tendon_stop(l, sim, def);
    else if (def->type != FF_ELEMENT_JOINT_LIMIT || l->stop[def->joint] == STOP_OF_MODEL)
      add(l, def, 0);
  }
}

static void collect(list *l, const ff_sim_def *sim)
{
  l->count = 0;
  l->bytes = l->lines = l->reach = 0;
  if (sim->model_elements) {
    add_limits(l, sim);
    add_springs(l);
    add_actuators(l);
    add_own(l, sim);
  }
  for (int i = 0; i < sim->element_count; ++i)
    add(l, &sim->elements[i], 0);
  l->visible = l->count;
  if (sim->joint_friction)
    add_friction(l);
}

// Where the forces of each are in a state: elements one after the other, then dry friction of joints by velocity, so
// that a state fits the same model with other friction.
static int place_forces(list *l)
{
  int at = 0;
  for (int i = 0; i < l->visible; ++i) {
    const int rows = ffi_element_rows_count(l->items[i].def.type);
    l->items[i].force_at = at;
    at += rows > 0 ? rows : 1;
  }
  for (int i = l->visible; i < l->count; ++i)
    l->items[i].force_at = at + l->items[i].line.v[0];
  return at + l->model->size.nv;
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
    if (other->type != FF_ELEMENT_JOINT_LIMIT || other->joint != def->joint || other->tendon >= 0)
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
    if (status == FF_OK && sim->elements[i].type == FF_ELEMENT_JOINT_LIMIT && sim->elements[i].tendon < 0)
      status = refuse_second_stop(model, sim, i, error);
  }
  return status;
}

static ff_status no_memory(int count, ff_error *error)
{
  return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, "", "there is not enough memory for %d elements", count);
}

// Rows of hard steppers have room for the velocities of two trees.
static ff_status check_trees(const list *l, const ff_sim_def *sim, ff_error *error)
{
  for (int i = 0; i < l->visible && ff_stepper_is_hard(sim->stepper); ++i) {
    const ffi_element *e = &l->items[i];
    int roots = 0;
    for (int k = 0; k < e->reach_count; ++k)
      roots += l->model->dof_parent[e->reach[k]] < 0;
    if (roots <= 2)
      continue;
    char name[120];
    ffi_element_check_name(&e->def, i, name, sizeof name);
    return ffi_fail(
        error, FF_ERROR_UNSUPPORTED, NULL, 0, name,
        "its tendons join %d trees of bodies; 'moreau', 'ca' and 'c2a' can join two: take another stepper",
        roots);
  }
  return FF_OK;
}

static void free_scratch(list *l)
{
  free(l->stop);
  free(l->mark);
  free(l->found);
  free(l->room);
}

ff_status ffi_elements_create(const ff_model *model, const ff_sim_def *def, ffi_elements *out,
                              ff_error *error)
{
  list l = {.model = model};
  *out = (ffi_elements){0};
  ff_status status = check_listed(model, def, error);
  if (status != FF_OK)
    return status;
  l.stop = calloc((size_t)model->size.joints + 1, 1);
  l.mark = calloc((size_t)model->size.nv + 1, 1);
  l.found = calloc((size_t)model->size.nv + 1, sizeof *l.found);
  l.room = calloc(2, sizeof *l.room);
  if (!l.stop || !l.mark || !l.found || !l.room) {
    status = no_memory(def->element_count, error);
    goto fail;
  }
  find_stops(&l, def);
  collect(&l, def);
  out->bytes = (size_t)l.count * sizeof *l.items + l.lines * (sizeof(double) + 2 * sizeof(int)) +
               l.reach * sizeof(int) + l.bytes + 1;
  l.items = malloc(out->bytes);
  if (!l.items) {
    status = no_memory(l.count, error);
    goto fail;
  }
  l.weights = (double *)(l.items + l.count);
  l.indices = (int *)(l.weights + l.lines);
  l.reached = l.indices + 2 * l.lines;
  l.text = (char *)(l.reached + l.reach);
  collect(&l, def);
  delay_motors(&l, def->motor_delay);
  // The builder checked what the model says, but not products of it, such as gear^2 kp.
  for (int i = 0; i < l.visible - def->element_count && status == FF_OK; ++i)
    status = ffi_element_check(model, &l.items[i].def, i, error);
  for (int i = 0; i < l.visible && status == FF_OK; ++i)
    status = ffi_element_check_stepper(&l.items[i].def, i, def->stepper, error);
  if (status == FF_OK)
    status = check_trees(&l, def, error);
  if (status != FF_OK)
    goto fail;
  free_scratch(&l);
  out->items = l.items;
  out->count = l.visible;
  out->law_count = l.count;
  out->force_count = place_forces(&l);
  for (int i = 0; i < l.count; ++i)
    out->most_reach = l.items[i].reach_count > out->most_reach ? l.items[i].reach_count : out->most_reach;
  for (int i = 0; i < l.count; ++i) {
    out->friction_count += l.items[i].def.type == FF_ELEMENT_JOINT_FRICTION;
    out->constraint_count += !l.items[i].is_joint;
  }
  return FF_OK;
fail:
  free_scratch(&l);
  free(l.items);
  return status;
}

void ffi_elements_free(ffi_elements *elements)
{
  free(elements->items);
}
