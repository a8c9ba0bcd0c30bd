// What is drawn for a run becomes parameters, a start and pushes. See scene_vary.h.
#include "scene/scene_vary.h"

#include "base/fail.h"
#include "base/philox.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The first number of what varies; `middle` if the field does not.
static double drawn(const ffi_scene_draws *d, ffi_scene_vary_kind kind, int which, uint32_t index,
                    double middle)
{
  for (int i = 0; i < d->count; ++i)
    if (d->list[i].field->kind == kind && d->list[i].field->which == which)
      return ffi_scene_vary_draw(&d->list[i], d->seed, d->run, index);
  return middle;
}

static int varies(const ffi_scene_draws *d, ffi_scene_vary_kind kind)
{
  for (int i = 0; i < d->count; ++i)
    if (d->list[i].field->kind == kind)
      return 1;
  return 0;
}

// ---- Can it vary? ---------------------------------------------------------------------------------------------------

static int count_motors(const ff_scene *scene)
{
  const int joints = ff_model_get_size(scene->model).joints;
  int count = 0;
  for (int j = 0; j < joints; ++j)
    count += ff_sim_find_motor(scene->sim, j) >= 0;
  return count;
}

static int count_single(const ff_scene *scene)
{
  ff_joint_info joint;
  int count = 0;
  for (int j = 0; ff_model_joint(scene->model, j, &joint) == FF_OK; ++j)
    count += joint.nq == 1;
  return count;
}

// What a field lacks to act on, NULL: nothing.
static const char *lack_of(const ff_scene *scene, const ffi_scene_vary_field *f)
{
  const int is_restitution = f->kind == FFI_SCENE_VARY_MATERIAL && f->which == 3;
  switch (f->kind) {
  case FFI_SCENE_VARY_MATERIAL:
    if (scene->ground_count < 0)
      return "the model brings its own ground";
    if (scene->ground_count == 0)
      return "the scene has no ground";
    return is_restitution && !ff_stepper_is_hard(scene->def->sim.stepper)
               ? "the contacts of this stepper are compliant"
               : NULL;
  case FFI_SCENE_VARY_GROUND:
    return scene->ground_count < 0    ? "the model brings its own ground"
           : scene->ground_count == 0 ? "the scene has no ground"
                                      : NULL;
  case FFI_SCENE_VARY_MOTORS:
    return count_motors(scene) == 0 ? "neither the controller nor the model has motors with gains" : NULL;
  case FFI_SCENE_VARY_POSITION:
  case FFI_SCENE_VARY_TURN:
  case FFI_SCENE_VARY_VELOCITY:
    return scene->watch.base < 0 ? "the model does not have exactly one floating base" : NULL;
  case FFI_SCENE_VARY_JOINTS:
  case FFI_SCENE_VARY_SPEEDS: return count_single(scene) == 0 ? "the model has no such joints" : NULL;
  case FFI_SCENE_VARY_PUSHES: return scene->def->pushes.list_count == 0 ? "the scene has no pushes" : NULL;
  default: return NULL;
  }
}

ff_status ffi_scene_vary_apply_check(const ff_scene *scene, const ffi_scene_varied *varied, ff_error *error)
{
  const char *lack = lack_of(scene, varied->field);
  if (!lack)
    return FF_OK;
  return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, varied->field->about.name, "cannot vary: %s", lack);
}

int ffi_scene_vary_apply_numbers(const ff_scene *scene, const ffi_scene_varied *varied)
{
  switch (varied->field->kind) {
  case FFI_SCENE_VARY_JOINTS:
  case FFI_SCENE_VARY_SPEEDS: return count_single(scene);
  case FFI_SCENE_VARY_PUSHES: return scene->def->pushes.list_count * (varied->field->which == 3 ? 3 : 1);
  default: return 1;
  }
}

// ---- Parameters -----------------------------------------------------------------------------------------------------

ff_ground_def *ffi_scene_vary_apply_ground(const ff_scene *scene, ff_error *error)
{
  const size_t count = scene->ground_count > 0 ? (size_t)scene->ground_count : 0;
  ff_ground_def *ground = calloc(count + 1, sizeof *ground);
  ff_material common;
  if (!ground) {
    ffi_scene_no_memory(scene, error);
    return NULL;
  }
  for (size_t i = 0; i < count; ++i) {
    ground[i] = scene->ground[i];
    if (ground[i].gives_pair)
      continue;
    if (!ff_model_common_material(scene->model, &common)) {
      ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "material",
               "cannot vary: the robot's shapes differ in material; give the scene stiffness, damping and "
               "friction");
      free(ground);
      return NULL;
    }
    ground[i].shape.material = common;
    ground[i].gives_pair = 1;
  }
  return ground;
}

static ff_status set_materials(const ffi_scene_draws *d, const ff_parameters *nominal, ff_parameters *out,
                               ff_error *error)
{
  ff_status status = FF_OK;
  for (int i = 0; i < d->scene->ground_count && status == FF_OK; ++i) {
    ff_material m;
    status = ff_parameters_ground_material(nominal, i, &m);
    double *const numbers[FFI_SCENE_VARY_MATERIALS] = {&m.stiffness, &m.damping, &m.friction, &m.restitution};
    for (int k = 0; k < FFI_SCENE_VARY_MATERIALS; ++k)
      *numbers[k] = drawn(d, FFI_SCENE_VARY_MATERIAL, k, 0, *numbers[k]);
    if (status == FF_OK)
      status = ff_parameters_set_ground_material(out, i, &m, error);
  }
  return status;
}

static ff_status scale_masses(const ffi_scene_draws *d, const ff_parameters *nominal, ff_parameters *out,
                              ff_error *error)
{
  const double factor = drawn(d, FFI_SCENE_VARY_MASS, 0, 0, 1);
  const int links = ff_model_get_size(d->scene->model).links;
  ff_status status = FF_OK;
  for (int i = 0; i < links && status == FF_OK; ++i) {
    ff_inertia inertia;
    if (ff_parameters_inertia(nominal, i, &inertia) != FF_OK)
      continue;
    inertia.mass *= factor;
    for (int k = 0; k < 6; ++k)
      inertia.matrix[k] *= factor;
    status = ff_parameters_set_inertia(out, i, &inertia, error);
  }
  return status;
}

static ff_status set_gravity(const ffi_scene_draws *d, const ff_parameters *nominal, ff_parameters *out,
                             ff_error *error)
{
  double g[3];
  ff_parameters_gravity(nominal, g);
  const double size = hypot(hypot(g[0], g[1]), g[2]), strength = drawn(d, FFI_SCENE_VARY_GRAVITY, 0, 0, size);
  for (int k = 0; k < 3; ++k)
    g[k] = size > 0 ? g[k] / size * strength : k == 2 ? -strength : 0;
  return ff_parameters_set_gravity(out, g, error);
}

static ff_status scale_gains(const ffi_scene_draws *d, const ff_parameters *nominal, ff_parameters *out,
                             ff_error *error)
{
  const int joints = ff_model_get_size(d->scene->model).joints;
  ff_status status = FF_OK;
  for (int j = 0; j < joints && status == FF_OK; ++j) {
    const int element = ff_sim_find_motor(d->scene->sim, j);
    double kp, kd, effort;
    if (element < 0 || ff_parameters_gains(nominal, element, &kp, &kd, &effort) != FF_OK)
      continue;
    kp *= drawn(d, FFI_SCENE_VARY_MOTORS, 0, 0, 1);
    kd *= drawn(d, FFI_SCENE_VARY_MOTORS, 1, 0, 1);
    effort *= drawn(d, FFI_SCENE_VARY_MOTORS, 2, 0, 1);
    status = ff_parameters_set_gains(out, element, kp, kd, effort, error);
  }
  return status;
}

// What the ground is moved by: turned about the origin, then raised.
static ff_pose ground_move(const ffi_scene_draws *d)
{
  const double up[3] = {0, 0, drawn(d, FFI_SCENE_VARY_GROUND, 0, 0, 0)};
  const double pitch[3] = {0, drawn(d, FFI_SCENE_VARY_GROUND, 1, 0, 0), 0};
  return ff_pose_from_rpy(up, pitch);
}

static ff_status move_ground(const ffi_scene_draws *d, const ff_parameters *nominal, ff_parameters *out,
                             ff_error *error)
{
  const ff_pose move = ground_move(d);
  ff_status status = FF_OK;
  for (int i = 0; i < d->scene->ground_count && status == FF_OK; ++i) {
    ff_pose pose;
    double velocity[6];
    status = ff_parameters_ground(nominal, i, &pose, velocity);
    pose = ff_pose_compose(&move, &pose);
    if (status == FF_OK)
      status = ff_parameters_set_ground(out, i, &pose, velocity, error);
  }
  return status;
}

int ffi_scene_vary_apply_has_parameters(const ffi_scene_draws *d)
{
  return varies(d, FFI_SCENE_VARY_MATERIAL) || varies(d, FFI_SCENE_VARY_MASS) ||
         varies(d, FFI_SCENE_VARY_GRAVITY) || varies(d, FFI_SCENE_VARY_MOTORS) ||
         varies(d, FFI_SCENE_VARY_GROUND);
}

ff_status ffi_scene_vary_apply_parameters(const ffi_scene_draws *d, const ff_parameters *nominal,
                                          ff_parameters *out, ff_error *error)
{
  ff_status status = ff_parameters_copy(nominal, out, error);
  if (status == FF_OK && varies(d, FFI_SCENE_VARY_MATERIAL))
    status = set_materials(d, nominal, out, error);
  if (status == FF_OK && varies(d, FFI_SCENE_VARY_MASS))
    status = scale_masses(d, nominal, out, error);
  if (status == FF_OK && varies(d, FFI_SCENE_VARY_GRAVITY))
    status = set_gravity(d, nominal, out, error);
  if (status == FF_OK && varies(d, FFI_SCENE_VARY_MOTORS))
    status = scale_gains(d, nominal, out, error);
  if (status == FF_OK && varies(d, FFI_SCENE_VARY_GROUND))
    status = move_ground(d, nominal, out, error);
  return status;
}

// ---- Start ----------------------------------------------------------------------------------------------------------

// A base as a pose, and back.
static ff_pose pose_of(const double *q)
{
  ff_pose pose;
  memcpy(pose.position, q, sizeof pose.position);
  memcpy(pose.quaternion, q + 3, sizeof pose.quaternion);
  return pose;
}

static void put_pose(const ff_pose *pose, double *q)
{
  memcpy(q, pose->position, sizeof pose->position);
  memcpy(q + 3, pose->quaternion, sizeof pose->quaternion);
}

// Robots that are placed on the ground go with it.
static void follow_ground(const ffi_scene_draws *d, double *q)
{
  const ff_pose move = ground_move(d);
  ff_joint_info joint;
  for (int j = 0; ff_model_joint(d->scene->model, j, &joint) == FF_OK; ++j) {
    if (joint.type != FF_JOINT_FREE)
      continue;
    ff_pose pose = pose_of(q + joint.q);
    pose = ff_pose_compose(&move, &pose);
    put_pose(&pose, q + joint.q);
  }
}

static void vary_base(const ffi_scene_draws *d, double *q, double *v)
{
  const double origin[3] = {0};
  double rpy[3];
  ff_joint_info base;
  if (ff_model_joint(d->scene->model, d->scene->watch.base, &base) != FF_OK)
    return;
  for (int k = 0; k < 3; ++k) {
    q[base.q + k] += drawn(d, FFI_SCENE_VARY_POSITION, k, 0, 0);
    rpy[k] = drawn(d, FFI_SCENE_VARY_TURN, k, 0, 0);
  }
  if (varies(d, FFI_SCENE_VARY_TURN)) {
    const ff_pose turn = ff_pose_from_rpy(origin, rpy);
    ff_pose pose = pose_of(q + base.q);
    memset(pose.position, 0, sizeof pose.position);
    pose = ff_pose_compose(&turn, &pose);
    memcpy(q + base.q + 3, pose.quaternion, sizeof pose.quaternion);
  }
  for (int k = 0; k < 6; ++k)
    v[base.v + k] += drawn(d, FFI_SCENE_VARY_VELOCITY, k, 0, 0);
}

void ffi_scene_vary_apply_start(const ffi_scene_draws *d, double *q, double *v)
{
  ff_joint_info joint;
  uint32_t number = 0;
  memcpy(q, d->scene->q, (size_t)d->scene->nq * sizeof *q);
  memcpy(v, d->scene->v, (size_t)d->scene->nv * sizeof *v);
  if (d->scene->def->start.on_ground && varies(d, FFI_SCENE_VARY_GROUND))
    follow_ground(d, q);
  vary_base(d, q, v);
  for (int j = 0; ff_model_joint(d->scene->model, j, &joint) == FF_OK; ++j) {
    if (joint.nq != 1)
      continue;
    q[joint.q] += drawn(d, FFI_SCENE_VARY_JOINTS, 0, number, 0);
    v[joint.v] += drawn(d, FFI_SCENE_VARY_SPEEDS, 0, number, 0);
    ++number;
  }
}

// ---- Pushes ---------------------------------------------------------------------------------------------------------

enum { NUMBERS_OF_PUSH = 8 }; // drawn for a push, with one to spare

// Up to `width` to both sides, by the scene's own `vary`.
static double own(const ffi_scene_draws *d, int push, int number, double width)
{
  const double u = ffi_philox_uniform(d->seed, d->run, ffi_philox_stream("pushes.list.vary"),
                                      (uint32_t)(push * NUMBERS_OF_PUSH + number));
  return width * (2 * u - 1);
}

static int has_vary(const ff_scene_vary *v)
{
  return v->magnitude > 0 || v->angle > 0 || v->tilt > 0 || v->place > 0 || v->time > 0;
}

void ffi_scene_vary_apply_pushes(const ffi_scene_draws *d, const ffi_scene_force *written,
                                 ffi_scene_force *out)
{
  for (int i = 0; i < d->scene->def->pushes.list_count; ++i) {
    const ff_scene_vary *v = &d->scene->def->pushes.list[i].vary;
    const uint32_t index = (uint32_t)i;
    ffi_scene_change by;
    by.scale = drawn(d, FFI_SCENE_VARY_PUSHES, 0, index, 1 + own(d, i, 0, v->magnitude));
    by.angle = drawn(d, FFI_SCENE_VARY_PUSHES, 1, index, own(d, i, 1, v->angle));
    by.tilt = drawn(d, FFI_SCENE_VARY_PUSHES, 2, index, own(d, i, 2, v->tilt));
    for (uint32_t k = 0; k < 3; ++k)
      by.place[k] = drawn(d, FFI_SCENE_VARY_PUSHES, 3, 3 * index + k, own(d, i, 3 + (int)k, v->place));
    by.time = drawn(d, FFI_SCENE_VARY_PUSHES, 4, index, (own(d, i, 6, v->time) + v->time) / 2);
    out[i] = written[i];
    if (has_vary(v) || varies(d, FFI_SCENE_VARY_PUSHES)) // else as written, to the bit
      ffi_scene_push_change(&out[i], &by);
  }
}
