// The controller of a scene: its options become an ff_controller_def.
#include "scene/scene.h"

#include <stdio.h>
#include <string.h>

// An error of a controller names its field: add the file's line. `trajectory` is the field of a file.
static ff_status say_where(const ff_scene *scene, ff_status status, ff_error *error)
{
  static const char *const fields[] = {"squat", "walk", "trot", "type", "period", "feedback", "feet"};
  char path[160] = "controller";
  if (!error || status == FF_ERROR_MEMORY)
    return status;
  const ff_error old = *error;
  const char *text = old.message;
  for (size_t i = 0; i < sizeof fields / sizeof fields[0]; ++i)
    if (strncmp(old.thing, fields[i], strlen(fields[i])) == 0) {
      snprintf(path, sizeof path, "controller.%s", old.thing);
      text += strlen(old.thing) + 2;
      break;
    }
  if (!scene->file && strcmp(old.thing, "trajectory") == 0)
    snprintf(path, sizeof path, "controller.feedback");
  return ffi_scene_fail(scene, status, path, error, "%s", text);
}

static ff_status create(const ff_scene *scene, const ff_feedback_def *feedback, ff_controller **out,
                        ff_error *error)
{
  const ff_scene_controller *c = &scene->def->controller;
  ff_controller_def def = ff_controller_def_default();
  def.type = c->type;
  def.period = scene->period;
  def.middle = c->middle;
  def.tasks = c->tasks;
  def.squat = c->squat;
  def.walk = c->walk;
  def.trot = c->trot;
  def.kp = c->kp;
  def.kd = c->kd;
  def.gravity = c->gravity;
  def.feet = c->feet;
  def.feet_count = c->feet_count;
  ff_status status = FF_OK;
  if (c->type == FF_CONTROLLER_WALK &&
      (status = ffi_scene_walk_ground(scene, &def.walk.ground, error)) != FF_OK)
    return status;
  def.feedback = feedback;
  if (def.tasks.contact.weight < 0) { // not given
    def.tasks.contact.weight = 1;
    def.tasks.contact.is_strict = 1;
  }
  status = ff_controller_create(scene->model, &def, scene->q, out, error);
  return status == FF_OK ? FF_OK : say_where(scene, status, error);
}

ff_status ffi_scene_controller_make(ff_scene *scene, ff_error *error)
{
  return create(scene, scene->def->controller.feedback, &scene->controller, error);
}

ff_status ffi_scene_controller_again(const ff_scene *scene, ff_controller **out, ff_error *error)
{
  ff_feedback_def feedback;
  return create(scene, ff_controller_get_feedback(scene->controller, &feedback) ? &feedback : NULL, out,
                error);
}
