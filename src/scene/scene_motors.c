// Motors that hold the start of a scene: elements of its sim, and the model's own servos.
#include "scene/scene.h"

#include <footfall/builder.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// A file may have fields for several controllers. A gain that the caller overrides must be one of the present
// controller.
static ff_status refuse_gains(const ff_scene *scene, ff_error *error)
{
  const ff_scene_controller *c = &scene->def->controller;
  const char *const paths[2] = {"controller.kp", "controller.kd"};
  const double gains[2] = {c->kp, c->kd};
  for (int i = 0; i < 2; ++i) {
    if (!isnan(gains[i]) && ffi_scene_is_changed(scene, paths[i]))
      return ffi_scene_fail(scene, FF_ERROR_ARGUMENT, paths[i], error,
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
    return ffi_scene_fail(scene, FF_ERROR_PARSE, path, error, "is missing; %s needs it",
                          ff_controller_name(type));
  return ffi_scene_fail(scene, FF_ERROR_PARSE, path, error,
                        "is missing, and controller.joints does not set it for the joint '%.80s'", joint);
}

// Checks controller.joints: names that the model has, each once, of joints that are left to motors. rows [joints of the
// model]: the entry of each joint, -1: none.
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
      return ffi_scene_start_unknown_joint(scene, path, c->joints[i].name, error);
    if (ff_model_drive(scene->model, id) != FF_DRIVE_MOTOR || rows[id] >= 0)
      return ffi_scene_fail(scene, FF_ERROR_ARGUMENT, path, error,
                            rows[id] >= 0
                                ? "the joint '%.80s' is listed twice"
                                : "'posture-pd' has no motor on the joint '%.80s'; remove its gains",
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
    return ffi_scene_fail(
        scene, FF_ERROR_ARGUMENT, "controller.joints", error,
        "only 'posture-pd' has gains of single joints; 'posture' has controller.kp and controller.kd");
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

// A controller that holds the start also sets the references of the model's own position servos.
void ffi_scene_motors_aim(const ff_scene *scene, ff_sim *sim)
{
  const ff_controller_type type = scene->def->controller.type;
  ff_actuator_info actuator;
  ff_joint_info joint;
  if (scene->cut || (type != FF_CONTROLLER_POSTURE_PD && type != FF_CONTROLLER_POSTURE))
    return;
  for (int i = 0; ff_model_actuator(scene->model, i, &actuator) == FF_OK; ++i) {
    if (ff_model_joint(scene->model, actuator.joint, &joint) != FF_OK)
      continue;
    const int is_aimed = actuator.type == FF_ACTUATOR_POSITION && joint.stiffness == 0;
    const int motor = is_aimed ? ff_sim_find_motor(sim, actuator.joint) : -1;
    if (motor >= 0)
      ff_sim_set_reference(sim, motor, scene->q[joint.q], 0);
  }
}
