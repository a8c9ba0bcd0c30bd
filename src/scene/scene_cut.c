// The coordinates in which a scene's sim steps. Controller, pushes, log and result use those of the model.
#include "base/fail.h"
#include "scene/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *flaw_of(const ff_scene_def *def, const char **path)
{
  const ff_scene_coordinates *c = &def->coordinates;
  *path = "coordinates.joints";
  if (c->joints_count > 0 && c->type != FF_CUT_LISTED)
    return "only 'listed' coordinates name joints";
  if (c->joints_count == 0 && c->type == FF_CUT_LISTED)
    return "is missing; 'listed' needs it";
  *path = "controls";
  if (c->type != FF_CUT_MINIMAL && def->controls_count > 0)
    return "need minimal coordinates";
  *path = "controller.type";
  if (c->type != FF_CUT_MINIMAL && def->controller.type == FF_CONTROLLER_POSTURE_PD)
    return "motors inside the step need coordinates of their own; 'posture' holds joints that are cut";
  *path = "coordinates.type";
  if (c->type != FF_CUT_MINIMAL && !ff_stepper_is_hard(def->sim.stepper))
    return "only the stepper 'moreau' supports cut joints; choose it, or minimal coordinates";
  return NULL;
}

static ff_status take_memory(ff_scene *scene, ff_error *error)
{
  const ff_model_size size = ff_model_get_size(ff_cut_model(scene->cut));
  scene->now_q = calloc((size_t)scene->nq + 1, sizeof *scene->now_q);
  scene->now_v = calloc((size_t)scene->nv + 1, sizeof *scene->now_v);
  scene->cut_q = calloc((size_t)size.nq + 1, sizeof *scene->cut_q);
  scene->cut_v = calloc((size_t)size.nv + 1, sizeof *scene->cut_v);
  scene->cut_tau = calloc((size_t)size.nv + 1, sizeof *scene->cut_tau);
  if (!scene->now_q || !scene->now_v || !scene->cut_q || !scene->cut_v || !scene->cut_tau)
    return ffi_scene_no_memory(scene, error);
  ff_cut_spread(scene->cut, scene->q, scene->v, scene->cut_q, scene->cut_v);
  memcpy(scene->now_q, scene->q, (size_t)scene->nq * sizeof *scene->now_q);
  memcpy(scene->now_v, scene->v, (size_t)scene->nv * sizeof *scene->now_v);
  return FF_OK;
}

// Without the model's elements the constraints that replace cut joints are listed alone: they belong to the robot.
static ff_status hold_joints(ff_scene *scene, ff_error *error)
{
  const int joints = ff_model_get_size(scene->model).joints;
  scene->elements = calloc((size_t)ff_cut_count(scene->cut) + 1, sizeof *scene->elements);
  if (!scene->elements)
    return ffi_scene_no_memory(scene, error);
  for (int j = 0; j < joints; ++j) {
    ff_cut_joint joint;
    ff_status status = ff_cut_get_joint(scene->cut, j, &joint);
    if (status == FF_OK && joint.is_cut)
      status =
          ff_model_element(ff_cut_model(scene->cut), joint.element, &scene->elements[scene->element_count++]);
    if (status != FF_OK)
      return status;
  }
  return FF_OK;
}

ff_status ffi_scene_cut_make(ff_scene *scene, ff_error *error)
{
  const ff_scene_coordinates *c = &scene->def->coordinates;
  const char *path, *flaw = flaw_of(scene->def, &path);
  if (flaw)
    return ffi_scene_fail(scene, FF_ERROR_ARGUMENT, path, error, "%s", flaw);
  if (c->type == FF_CUT_MINIMAL)
    return FF_OK;
  const int is_plain = !scene->def->sim.model_elements; // elements that do not act can be dropped
  ff_cut_def def = ff_cut_def_default();
  def.set = c->type;
  def.place = c->place;
  def.joints = (const char *const *)c->joints;
  def.joint_count = c->joints_count;
  def.drop_limits = def.drop_springs = def.drop_servos = is_plain;
  ff_status status = ff_cut_create(scene->model, &def, &scene->cut, error);
  if (status == FF_OK && is_plain)
    status = hold_joints(scene, error);
  if (status == FF_OK)
    return take_memory(scene, error);
  if (status != FF_ERROR_MEMORY && error) {
    const ff_error old = *error;
    ffi_scene_fail(scene, status, "coordinates", error, "%s", old.message);
  }
  return status;
}

void ffi_scene_cut_gather(ff_scene *scene)
{
  if (scene->cut)
    ff_cut_gather(scene->cut, ff_sim_q(scene->sim), ff_sim_v(scene->sim), scene->now_q, scene->now_q,
                  scene->now_v);
}

const double *ffi_scene_cut_spread_tau(ff_scene *scene)
{
  if (!scene->cut)
    return scene->tau;
  ff_cut_tau(scene->cut, ff_sim_q(scene->sim), scene->tau, scene->cut_tau);
  return scene->cut_tau;
}

const double *ff_scene_now_q(const ff_scene *scene)
{
  return scene->cut ? scene->now_q : ff_sim_q(scene->sim);
}

const double *ff_scene_now_v(const ff_scene *scene)
{
  return scene->cut ? scene->now_v : ff_sim_v(scene->sim);
}

const ff_cut *ff_scene_cut(const ff_scene *scene)
{
  return scene->cut;
}

void ffi_scene_cut_free(ff_scene *scene)
{
  free(scene->now_q);
  free(scene->now_v);
  free(scene->cut_q);
  free(scene->cut_v);
  free(scene->cut_tau);
  ff_cut_destroy(scene->cut);
}
