// The state in which a scene begins.
#include "base/fail.h"
#include "scene/scene.h"

#include <footfall/place.h>

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
  return ffi_scene_fail(scene, FF_ERROR_ARGUMENT, "start.posture", error,
                        "the model has no posture '%.80s'; %s%s%s has %s", scene->def->start.posture,
                        nearest.meant ? "did you mean '" : "", nearest.meant ? nearest.meant : "",
                        nearest.meant ? "'? It" : "it", *all ? all : "none at all");
}

static ff_status take_posture(ff_scene *scene, ff_error *error)
{
  const char *wanted = scene->def->start.posture;
  const int has_any = ff_model_get_size(scene->model).postures > 0;
  const ff_feedback_def *feedback = scene->def->controller.feedback;
  const int is_following = scene->def->controller.type == FF_CONTROLLER_FEEDBACK && feedback;
  if (!wanted && is_following) {
    memcpy(scene->q, feedback->q, (size_t)scene->nq * sizeof *scene->q);
    memcpy(scene->v, feedback->v, (size_t)scene->nv * sizeof *scene->v);
    scene->posture = "trajectory";
    return FF_OK;
  }
  if (!wanted && scene->def->start.q)
    return FF_OK; // all of it is given
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
  return ffi_scene_fail(scene, FF_ERROR_ARGUMENT, path, error,
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
    return ffi_scene_fail(scene, FF_ERROR_ARGUMENT, "start.rpy", error,
                          "start.quaternion also sets the orientation; keep one of them");
  double square = 0;
  for (int k = 0; k < 4 && has_quaternion; ++k)
    square += start->quaternion[k] * start->quaternion[k];
  if (has_quaternion && !(square > 1e-12 && square < 1e12)) // far from a unit one: a mistake
    return ffi_scene_fail(scene, FF_ERROR_ARGUMENT, "start.quaternion", error,
                          "its length must be within 1e-6..1e6, not %g", sqrt(square));
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

ff_status ffi_scene_start_unknown_joint(const ff_scene *scene, const char *path, const char *name,
                                        ff_error *error)
{
  ff_nearest nearest = {.word = name};
  ff_joint_info joint;
  for (int j = 0; ff_model_joint(scene->model, j, &joint) == FF_OK; ++j)
    ff_nearest_try(&nearest, joint.name);
  return ffi_scene_fail(scene, FF_ERROR_ARGUMENT, path, error, "the model has no joint '%.80s'%s%s%s", name,
                        nearest.meant ? "; did you mean '" : "", nearest.meant ? nearest.meant : "",
                        nearest.meant ? "'?" : "");
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
    return ffi_scene_start_unknown_joint(scene, path, given->name, error);
  ff_model_joint(scene->model, id, &joint);
  if (joint.nq != 1)
    return ffi_scene_fail(scene, FF_ERROR_ARGUMENT, path, error,
                          "the joint '%.80s' has %d coordinates, not one", given->name, joint.nq);
  if (!isnan(given->position))
    scene->q[joint.q] = given->position;
  if (!isnan(given->velocity))
    scene->v[joint.v] = given->velocity;
  return FF_OK;
}

// ---- On the ground --------------------------------------------------------------------------------------------------

// The only ground, if it is a plane: that of the scene, or the model's own.
static int find_plane(const ff_scene *scene, ff_pose *plane)
{
  ff_shape_info shape;
  ff_frame_info frame;
  int count = 0, is_plane = 0;
  if (scene->ground_count >= 0) {
    *plane = scene->ground_count == 1 ? scene->ground[0].shape.pose : ff_pose_identity();
    return scene->ground_count == 1 && scene->ground[0].shape.type == FF_SHAPE_PLANE;
  }
  for (int i = 0; ff_model_shape(scene->model, i, &shape) == FF_OK; ++i) {
    ff_model_frame(scene->model, shape.frame, &frame);
    if (frame.joint >= 0 || !(shape.def.purpose & FF_SHAPE_COLLISION))
      continue;
    is_plane = ++count == 1 && shape.frame == 0 && shape.def.type == FF_SHAPE_PLANE;
    *plane = shape.def.pose;
  }
  return is_plane;
}

static ff_status put_on_ground(ff_scene *scene, ff_error *error)
{
  ff_pose plane;
  ff_dynamics *dynamics;
  int floating;
  ff_model_base(scene->model, &floating);
  if (!find_plane(scene, &plane))
    return ffi_scene_fail(scene, FF_ERROR_ARGUMENT, "start.on_ground", error,
                          "the ground must be one plane; set start.position instead");
  if (floating == 0)
    return ffi_scene_fail(scene, FF_ERROR_ARGUMENT, "start.on_ground", error,
                          scene->def->load.fixed_base
                              ? "the base is fixed to the world by load.fixed_base; remove one of the two"
                              : "nothing floats in this model, so there is nothing to move");
  const ff_status status = ff_dynamics_create(scene->model, NULL, &dynamics, error);
  if (status != FF_OK)
    return status;
  ff_place_tilt(scene->model, &plane, scene->q);
  const double gap = ff_place_gap(scene->model, dynamics, scene->q, &plane);
  ff_dynamics_destroy(dynamics);
  if (isnan(gap))
    return ffi_scene_fail(scene, FF_ERROR_ARGUMENT, "start.on_ground", error,
                          "the model has no collision shapes that could touch the ground");
  ff_place_lift(scene->model, &plane, -gap, scene->q);
  return FF_OK;
}

ff_status ffi_scene_start_make(ff_scene *scene, ff_error *error)
{
  const ff_scene_start *start = &scene->def->start;
  scene->q = calloc((size_t)scene->nq + 1, sizeof *scene->q);
  scene->v = calloc((size_t)scene->nv + 1, sizeof *scene->v);
  scene->tau = calloc((size_t)scene->nv + 1, sizeof *scene->tau);
  if (!scene->q || !scene->v || !scene->tau)
    return ffi_scene_no_memory(scene, error);
  ff_status status = take_posture(scene, error);
  if (start->q)
    memcpy(scene->q, start->q, (size_t)scene->nq * sizeof *scene->q);
  if (start->v)
    memcpy(scene->v, start->v, (size_t)scene->nv * sizeof *scene->v);
  if (status == FF_OK)
    status = place_base(scene, error);
  for (int i = 0; i < start->joints_count && status == FF_OK; ++i)
    status = set_joint(scene, i, error);
  if (status == FF_OK)
    ff_model_normalize(scene->model, scene->q);
  if (status == FF_OK && start->on_ground)
    status = put_on_ground(scene, error);
  return status;
}
