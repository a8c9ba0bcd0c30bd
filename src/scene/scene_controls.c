// Controls that a scene holds from start to end.
//
// Torques, tensions and the wrenches of motors on frames become generalised forces once a period, as pushes do.
// References are set once.
#include "scene/scene.h"

#include <stdio.h>
#include <stdlib.h>

static ff_status fail_unknown(const ff_scene *scene, const ff_world *world, int index, ff_error *error)
{
  const char *name = scene->def->controls[index].name;
  ff_nearest nearest = {.word = name};
  ff_control_info info;
  char path[48];
  snprintf(path, sizeof path, "controls[%d]", index);
  for (int i = 0; ff_world_control(world, i, &info) == FF_OK; ++i)
    ff_nearest_try(&nearest, info.name);
  return ffi_scene_fail(scene, FF_ERROR_ARGUMENT, path, error,
                        "nothing with a control is called '%.80s'%s%s%s", name,
                        nearest.meant ? "; did you mean '" : "", nearest.meant ? nearest.meant : "",
                        nearest.meant ? "'?" : "; 'footfall info --json' of the scene lists all controls");
}

ff_status ffi_scene_controls_make(ff_scene *scene, ff_error *error)
{
  const ff_world *world = ff_sim_world(scene->sim);
  const int count = scene->def->controls_count;
  scene->inputs = calloc((size_t)count + 1, sizeof *scene->inputs);
  if (!scene->inputs)
    return ffi_scene_no_memory(scene, error);
  for (int i = 0; i < count; ++i) {
    ffi_scene_input input = {.value = scene->def->controls[i].value};
    if (ff_world_control(world, ff_world_find_control(world, scene->def->controls[i].name), &input.of) !=
        FF_OK)
      return fail_unknown(scene, world, i, error);
    if (input.of.kind == FF_CONTROL_TORQUE)
      scene->inputs[scene->input_count++] = input;
  }
  return scene->input_count > 0 ? ffi_scene_push_prepare(scene, error) : FF_OK;
}

void ffi_scene_controls_free(ff_scene *scene)
{
  free(scene->inputs);
}

void ffi_scene_controls_aim(const ff_scene *scene, ff_sim *sim)
{
  const ff_world *world = ff_sim_world(sim);
  for (int i = 0; i < scene->def->controls_count; ++i) {
    const ff_scene_value *given = &scene->def->controls[i];
    ff_control_info c;
    if (ff_world_control(world, ff_world_find_control(world, given->name), &c) != FF_OK)
      continue; // refused by ffi_scene_controls_make()
    if (c.kind == FF_CONTROL_REFERENCE)
      ff_sim_set_reference(sim, c.element, given->value, 0);
    else if (c.kind == FF_CONTROL_RATE)
      ff_sim_set_reference(sim, c.element, 0, given->value);
  }
}

// A motor on a frame, after kinematics.
static void add_wrench(ff_scene *scene, int actuator, double value, double *tau)
{
  ff_actuator_info a;
  ff_model_actuator(scene->model, actuator, &a);
  ff_dynamics_frame_jacobian(scene->push_dynamics, a.frame, FF_AXES_LOCAL, scene->push_J);
  for (int k = 0; k < 6; ++k)
    for (int j = 0; j < scene->nv; ++j)
      tau[j] += value * a.wrench[k] * scene->push_J[k * scene->nv + j];
}

void ffi_scene_controls_add(ff_scene *scene, const double *q, double *tau)
{
  int is_placed = 0;
  for (int i = 0; i < scene->input_count; ++i) {
    const ffi_scene_input *input = &scene->inputs[i];
    ff_tendon_info tendon;
    ff_joint_info joint;
    if (input->of.joint >= 0)
      tau[input->of.v] += input->value;
    for (int k = 0; ff_model_tendon(scene->model, input->of.tendon, &tendon) == FF_OK && k < tendon.count;
         ++k) {
      ff_model_joint(scene->model, tendon.joints[k], &joint);
      tau[joint.v] += tendon.coefficients[k] * input->value;
    }
    if (input->of.actuator < 0)
      continue;
    if (!is_placed)
      ff_dynamics_kinematics(scene->push_dynamics, q, NULL, NULL);
    is_placed = 1;
    add_wrench(scene, input->of.actuator, input->value, tau);
  }
}
