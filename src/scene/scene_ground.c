// The ground of a scene, and the materials of contacts with it.
#include "base/fail.h"
#include "scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A material as a list of numbers.
enum { NUMBERS = 7, SOFT = 3 }; // the first of them, which contacts of all kinds have

static const char *const fields[NUMBERS] = {"material.stiffness",
                                            "material.damping",
                                            "material.friction",
                                            "material.restitution",
                                            "material.tangential_restitution",
                                            "material.torsional_friction",
                                            "material.rolling_friction"};

static void list_material(const ff_scene_material *m, double out[NUMBERS])
{
  const double numbers[NUMBERS] = {
      m->stiffness,          m->damping,         m->friction, m->restitution, m->tangential_restitution,
      m->torsional_friction, m->rolling_friction};
  memcpy(out, numbers, sizeof numbers);
}

static int count_given(const double numbers[NUMBERS], int count)
{
  int given = 0;
  for (int i = 0; i < count; ++i)
    given += !isnan(numbers[i]);
  return given;
}

static int has_material(const ff_scene_material *m)
{
  double numbers[NUMBERS];
  list_material(m, numbers);
  return count_given(numbers, NUMBERS) > 0;
}

// Of two numbers of which either may be missing: the ground's own, unless the scene's was changed by the caller.
static double choose(const ff_scene *scene, const char *path, double own, double all)
{
  return isnan(own) || (!isnan(all) && ffi_scene_is_changed(scene, path)) ? all : own;
}

// Each number of the ground's own, else of the scene, else of the robot.
static ff_status choose_material(const ff_scene *scene, int index, const ff_scene_material *own,
                                 ff_ground_def *ground, ff_error *error)
{
  char path[48] = "material";
  double mine[NUMBERS], chosen[NUMBERS];
  ff_material m;
  list_material(own, mine);
  list_material(&scene->def->material, chosen);
  for (int i = 0; i < NUMBERS; ++i)
    chosen[i] = choose(scene, fields[i], mine[i], chosen[i]);
  if (count_given(chosen, NUMBERS) == 0)
    return FF_OK;
  if (has_material(own))
    snprintf(path, sizeof path, "ground[%d]", index);
  const int is_one = ff_model_common_material(scene->model, &m);
  if (!is_one && count_given(chosen, SOFT) < SOFT)
    return ffi_scene_fail(scene, FF_ERROR_ARGUMENT, path, error,
                          "the robot's shapes differ in material, so stiffness, damping and friction must be "
                          "given together");
  if (!is_one)
    m = ff_material_default();
  double *const numbers[NUMBERS] = {
      &m.stiffness,          &m.damping,         &m.friction, &m.restitution, &m.tangential_restitution,
      &m.torsional_friction, &m.rolling_friction};
  for (int i = 0; i < NUMBERS; ++i)
    *numbers[i] = isnan(chosen[i]) ? *numbers[i] : chosen[i];
  ground->shape.material = m;
  ground->gives_pair = 1;
  return FF_OK;
}

static ff_status make_shape(const ff_scene *scene, int index, const ff_scene_ground *piece,
                            ff_shape_def *shape, ff_error *error)
{
  const int is_field = piece->type == FF_SHAPE_HEIGHTFIELD;
  const long long heights = (long long)piece->rows * piece->columns;
  char path[48];
  shape->type = piece->type;
  if (piece->type == FF_SHAPE_PLANE)
    return FF_OK;
  snprintf(path, sizeof path, "ground[%d].size", index);
  if (isnan(piece->size[0]))
    return ffi_scene_fail(scene, FF_ERROR_PARSE, path, error, "is missing; a %s needs it",
                          ff_shape_type_name(piece->type));
  for (int k = 0; k < 3; ++k)
    shape->size[k] = piece->size[k];
  snprintf(path, sizeof path, "ground[%d].heights", index);
  if (is_field && (heights == 0 || heights != piece->heights_count))
    return ffi_scene_fail(scene, FF_ERROR_PARSE, path, error, "%d heights for %d rows of %d columns",
                          piece->heights_count, piece->rows, piece->columns);
  shape->heights = piece->heights;
  shape->rows = piece->rows;
  shape->columns = piece->columns;
  return FF_OK;
}

static ff_status make_piece(const ff_scene *scene, int index, const ff_scene_ground *piece,
                            ff_ground_def *ground, ff_error *error)
{
  const double origin[3] = {0}, pitch[3] = {0, piece->slope, 0};
  const ff_pose tilted = ff_pose_from_rpy(piece->position, pitch),
                turned = ff_pose_from_rpy(origin, piece->rpy);
  *ground = ff_ground_def_default();
  ground->shape.pose = ff_pose_compose(&tilted, &turned);
  for (int k = 0; k < 6; ++k)
    ground->velocity[k] = piece->velocity[k];
  const ff_status status = make_shape(scene, index, piece, &ground->shape, error);
  return status == FF_OK ? choose_material(scene, index, &piece->material, ground, error) : status;
}

ff_status ffi_scene_ground_make(ff_scene *scene, ff_error *error)
{
  const ff_scene_def *def = scene->def;
  const int is_silent = def->ground_count < 0, is_own = ff_model_has_ground(scene->model);
  const ff_scene_ground plane = {.type = FF_SHAPE_PLANE, .material = {NAN, NAN, NAN, NAN, NAN, NAN, NAN}};
  if (is_silent && is_own && has_material(&def->material))
    return ffi_scene_fail(scene, FF_ERROR_ARGUMENT, "material", error,
                          "the model brings its own ground, so this has nothing to act on");
  if (is_silent && is_own) {
    scene->ground_count = -1;
    return FF_OK;
  }
  const int count = is_silent ? 1 : def->ground_count;
  scene->ground = calloc((size_t)count + 1, sizeof *scene->ground);
  if (!scene->ground)
    return ffi_scene_no_memory(scene, error);
  scene->ground_count = count;
  for (int i = 0; i < count; ++i) {
    const ff_status status =
        make_piece(scene, i, is_silent ? &plane : &def->ground[i], &scene->ground[i], error);
    if (status != FF_OK)
      return status;
  }
  return FF_OK;
}
