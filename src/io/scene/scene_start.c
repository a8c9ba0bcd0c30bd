// The state in which a scene begins, and motors that hold it.
#include "base/fail.h"
#include "io/scene/scene_object.h"

#include <footfall/builder.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Posture --------------------------------------------------------------------------------------------------------

static ff_status unknown_posture(const ff_scene *scene, ff_error *error)
{
  char all[400] = "";
  const char *name;
  ff_nearest nearest = {.word = scene->def->start.posture};
  for (int i = 0; (name = ff_model_posture_name(scene->model, i)) != NULL; ++i) {
    const size_t used = strlen(all);
    snprintf(all + used, sizeof all - used, "%s%s", i > 0 ? ", " : "", name);
    ff_nearest_try(&nearest, name);
  }
  return ffi_scene_fail(&scene->source, FF_ERROR_ARGUMENT, "start.posture", error,
                        "the model has no posture '%.80s'; %s%s%s has %s", scene->def->start.posture,
                        nearest.meant ? "did you mean '" : "", nearest.meant ? nearest.meant : "",
                        nearest.meant ? "'? It" : "it", *all ? all : "none at all");
}

static ff_status take_posture(ff_scene *scene, ff_error *error)
{
  const char *wanted = scene->def->start.posture;
  const int has_any = ff_model_get_size(scene->model).postures > 0;
  if (!wanted && scene->trajectory) {
    const ff_feedback_def *way = ff_trajectory_feedback(scene->trajectory);
    memcpy(scene->q, way->q, (size_t)scene->nq * sizeof *scene->q);
    memcpy(scene->v, way->v, (size_t)scene->nv * sizeof *scene->v);
    scene->posture = "trajectory";
    return FF_OK;
  }
  int posture = ff_model_find_posture(scene->model, wanted ? wanted : "standing");
  if (posture < 0 && wanted)
    return unknown_posture(scene, error);
  if (posture < 0 && has_any)
    posture = 0;
  scene->posture = ff_model_posture_name(scene->model, posture);
  if (posture >= 0)
    memcpy(scene->q, ff_model_posture(scene->model, posture), (size_t)scene->nq * sizeof *scene->q);
  else
    ff_model_neutral(scene->model, scene->q);
  return FF_OK;
}

// ---- Base -----------------------------------------------------------------------------------------------------------

static ff_status find_base(const ff_scene *scene, const char *path, ff_joint_info *base, ff_error *error)
{
  int count;
  if (ff_model_joint(scene->model, ff_model_base(scene->model, &count), base) == FF_OK)
    return FF_OK;
  return ffi_scene_fail(&scene->source, FF_ERROR_ARGUMENT, path, error,
                        count == 0 ? "nothing floats in this model" : "several bodies float in this model");
}

static int is_moving(const double velocity[6])
{
  for (int k = 0; k < 6; ++k)
    if (velocity[k] != 0)
      return 1;
  return 0;
}

static ff_status place_base(ff_scene *scene, ff_error *error)
{
  const ff_scene_start *start = &scene->def->start;
  const double origin[3] = {0};
  const int has_position = !isnan(start->position[0]), has_quaternion = !isnan(start->quaternion[0]),
            has_rpy = !isnan(start->rpy[0]), has_velocity = is_moving(start->velocity);
  const char *path = has_position     ? "start.position"
                     : has_quaternion ? "start.quaternion"
                     : has_rpy        ? "start.rpy"
                     : has_velocity   ? "start.velocity"
                                      : NULL;
  ff_joint_info base = {0};
  if (!path)
    return FF_OK;
  const ff_status status = find_base(scene, path, &base, error);
  if (status != FF_OK)
    return status;
  if (has_quaternion && has_rpy)
    return ffi_scene_fail(&scene->source, FF_ERROR_ARGUMENT, "start.rpy", error,
                          "start.quaternion says it already");
  double square = 0;
  for (int k = 0; k < 4 && has_quaternion; ++k)
    square += start->quaternion[k] * start->quaternion[k];
  if (has_quaternion && !(square > 1e-12 && square < 1e12)) // far from a unit one: a mistake
    return ffi_scene_fail(&scene->source, FF_ERROR_ARGUMENT, "start.quaternion", error,
                          "must be of unit length, not %g", sqrt(square));
  const ff_pose turned = ff_pose_from_rpy(origin, start->rpy);
  const double *quaternion = has_quaternion ? start->quaternion : turned.quaternion;
  if (has_position)
    memcpy(scene->q + base.q, start->position, sizeof start->position);
  if (has_quaternion || has_rpy)
    memcpy(scene->q + base.q + 3, quaternion, sizeof turned.quaternion);
  if (has_velocity)
    memcpy(scene->v + base.v, start->velocity, sizeof start->velocity);
  return FF_OK;
}

static ff_status unknown_joint(const ff_scene *scene, const char *path, const char *name, ff_error *error)
{
  ff_nearest nearest = {.word = name};
  ff_joint_info joint;
  for (int j = 0; ff_model_joint(scene->model, j, &joint) == FF_OK; ++j)
    ff_nearest_try(&nearest, joint.name);
  return ffi_scene_fail(&scene->source, FF_ERROR_ARGUMENT, path, error,
                        "the model has no joint '%.80s'%s%s%s", name, nearest.meant ? "; did you mean '" : "",
                        nearest.meant ? nearest.meant : "", nearest.meant ? "'?" : "");
}

// ---- Joints ---------------------------------------------------------------------------------------------------------

static ff_status set_joint(ff_scene *scene, int index, ff_error *error)
{
  const ff_scene_joint *given = &scene->def->start.joints[index];
  const int id = ff_model_find_joint(scene->model, given->name);
  ff_joint_info joint;
  char path[64];
  snprintf(path, sizeof path, "start.joints[%d]", index);
  if (id < 0)
    return unknown_joint(scene, path, given->name, error);
  ff_model_joint(scene->model, id, &joint);
  if (joint.nq != 1)
    return ffi_scene_fail(&scene->source, FF_ERROR_ARGUMENT, path, error,
                          "the joint '%.80s' has %d coordinates, not one", given->name, joint.nq);
  if (!isnan(given->position))
    scene->q[joint.q] = given->position;
  if (!isnan(given->velocity))
    scene->v[joint.v] = given->velocity;
  return FF_OK;
}

ff_status ffi_scene_start_make(ff_scene *scene, ff_error *error)
{
  scene->q = calloc((size_t)scene->nq + 1, sizeof *scene->q);
  scene->v = calloc((size_t)scene->nv + 1, sizeof *scene->v);
  scene->tau = calloc((size_t)scene->nv + 1, sizeof *scene->tau);
  if (!scene->q || !scene->v || !scene->tau)
    return ffi_scene_no_memory(scene, error);
  ff_status status = take_posture(scene, error);
  if (status == FF_OK)
    status = place_base(scene, error);
  for (int i = 0; i < scene->def->start.joints_count && status == FF_OK; ++i)
    status = set_joint(scene, i, error);
  if (status == FF_OK)
    ff_model_normalize(scene->model, scene->q);
  return status;
}

// ---- Motors ---------------------------------------------------------------------------------------------------------

// A file may have fields for more than one controller. Who asks for a gain at the command line means the present one.
static ff_status refuse_gains(const ff_scene *scene, ff_error *error)
{
  const ff_scene_controller *c = &scene->def->controller;
  const char *const paths[2] = {"controller.kp", "controller.kd"};
  const double gains[2] = {c->kp, c->kd};
  for (int i = 0; i < 2; ++i) {
    const ffi_yaml_node *node = ffi_yaml_nearest(scene->source.root, paths[i]);
    if (!isnan(gains[i]) && node && node->said)
      return ffi_scene_fail(&scene->source, FF_ERROR_ARGUMENT, paths[i], error,
                            "is a gain of posture-pd and posture; the controller '%s' has none",
                            ff_controller_name(c->type));
  }
  return FF_OK;
}

static ff_status missing_gain(const ff_scene *scene, int is_kp, const char *joint, ff_error *error)
{
  const ff_controller_type type = scene->def->controller.type;
  const char *path = is_kp ? "controller.kp" : "controller.kd";
  if (!joint)
    return ffi_scene_fail(&scene->source, FF_ERROR_PARSE, path, error, "is missing; %s needs it",
                          ff_controller_name(type));
  return ffi_scene_fail(&scene->source, FF_ERROR_PARSE, path, error,
                        "is missing, and controller.joints does not say it for the joint '%.80s'", joint);
}

// controller.joints: names that the model has, each once, of joints that are left to motors. rows [joints of the model]: which says what a
// joint has, -1: none.
static ff_status find_gains(const ff_scene *scene, int *rows, ff_error *error)
{
  const ff_scene_controller *c = &scene->def->controller;
  const int joints = ff_model_get_size(scene->model).joints;
  for (int j = 0; j < joints; ++j)
    rows[j] = -1;
  for (int i = 0; i < c->joints_count; ++i) {
    const int id = ff_model_find_joint(scene->model, c->joints[i].name);
    char path[64];
    snprintf(path, sizeof path, "controller.joints[%d]", i);
    if (id < 0)
      return unknown_joint(scene, path, c->joints[i].name, error);
    if (ff_model_drive(scene->model, id) != FF_DRIVE_MOTOR || rows[id] >= 0)
      return ffi_scene_fail(&scene->source, FF_ERROR_ARGUMENT, path, error,
                            rows[id] >= 0 ? "the joint '%.80s' has gains already"
                                          : "the joint '%.80s' is not left to motors",
                            c->joints[i].name);
    rows[id] = i;
  }
  return FF_OK;
}

static ff_status hold(ff_scene *scene, const int *rows, ff_error *error)
{
  const ff_scene_controller *c = &scene->def->controller;
  ff_joint_info joint;
  for (int j = 0; ff_model_joint(scene->model, j, &joint) == FF_OK; ++j) {
    const ff_scene_gain *own = rows[j] >= 0 ? &c->joints[rows[j]] : NULL;
    const double kp = own && !isnan(own->kp) ? own->kp : c->kp, kd = own && !isnan(own->kd) ? own->kd : c->kd;
    if (ff_model_drive(scene->model, j) != FF_DRIVE_MOTOR)
      continue;
    if (isnan(kp) || isnan(kd))
      return missing_gain(scene, isnan(kp), joint.name, error);
    scene->elements[scene->element_count++] = ff_model_motor(scene->model, j, scene->q[joint.q], kp, kd);
  }
  return FF_OK;
}

// Every joint that is left to motors is held.
ff_status ffi_scene_motors_make(ff_scene *scene, ff_error *error)
{
  const ff_scene_controller *c = &scene->def->controller;
  if (c->type != FF_CONTROLLER_POSTURE_PD && c->type != FF_CONTROLLER_POSTURE)
    return refuse_gains(scene, error);
  if (c->joints_count > 0 && c->type == FF_CONTROLLER_POSTURE)
    return ffi_scene_fail(&scene->source, FF_ERROR_ARGUMENT, "controller.joints", error,
                          "is of posture-pd; posture has one pair of gains");
  if (c->joints_count == 0 && (isnan(c->kp) || isnan(c->kd)))
    return missing_gain(scene, isnan(c->kp), NULL, error);
  if (c->type == FF_CONTROLLER_POSTURE)
    return FF_OK; // torques
  const size_t room = (size_t)ff_model_get_size(scene->model).joints + 1;
  int *rows = calloc(room, sizeof *rows);
  scene->elements = calloc(room, sizeof *scene->elements);
  if (!rows || !scene->elements) {
    free(rows);
    return ffi_scene_no_memory(scene, error);
  }
  ff_status status = find_gains(scene, rows, error);
  if (status == FF_OK)
    status = hold(scene, rows, error);
  free(rows);
  return status;
}

// Who holds the start holds it everywhere: the model's own servos are aimed at it, as those of 'footfall run MODEL' are.
void ffi_scene_motors_aim(const ff_scene *scene, ff_sim *sim)
{
  const ff_controller_type type = scene->def->controller.type;
  ff_actuator_info actuator;
  ff_joint_info joint;
  if (scene->cut || (type != FF_CONTROLLER_POSTURE_PD && type != FF_CONTROLLER_POSTURE))
    return;
  for (int i = 0; ff_model_actuator(scene->model, i, &actuator) == FF_OK; ++i) {
    ff_model_joint(scene->model, actuator.joint, &joint);
    const int is_aimed = actuator.type == FF_ACTUATOR_POSITION && joint.stiffness == 0;
    const int motor = is_aimed ? ff_sim_find_motor(sim, actuator.joint) : -1;
    if (motor >= 0)
      ff_sim_set_reference(sim, motor, scene->q[joint.q], 0);
  }
}
