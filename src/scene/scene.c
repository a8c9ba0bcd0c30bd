// A scene: creation from a model and a def, sims, steps, access.
#include "scene/scene.h"

#include "base/clock.h"
#include "base/def.h"
#include "base/fail.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Failing --------------------------------------------------------------------------------------------------------

ff_status ffi_scene_fail(const ff_scene *scene, ff_status status, const char *path, ff_error *error,
                         const char *format, ...)
{
  char text[700];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  if (scene->source.fail)
    return scene->source.fail(scene->source.data, status, path, text, error);
  return ffi_fail(error, status, NULL, 0, path, "%s", text);
}

ff_status ffi_scene_no_memory(const ff_scene *scene, ff_error *error)
{
  return ffi_fail(error, FF_ERROR_MEMORY, scene->file, 0, NULL, "no memory for a scene");
}

int ffi_scene_is_changed(const ff_scene *scene, const char *path)
{
  return scene->source.is_changed && scene->source.is_changed(scene->source.data, path);
}

// ---- Time -----------------------------------------------------------------------------------------------------------

static int has_torques(const ff_scene *scene)
{
  const ff_scene_controller *c = &scene->def->controller;
  return c->type == FF_CONTROLLER_POSTURE_PD ? c->gravity : c->type != FF_CONTROLLER_NONE;
}

// Torques, pushes or controls that are forces.
int ffi_scene_has_forces(const ff_scene *scene)
{
  return has_torques(scene) || scene->def->pushes.list_count > 0 || scene->input_count > 0;
}

// A period is a whole number of steps.
static ff_status set_period(ff_scene *scene, ff_error *error)
{
  const ff_scene_def *def = scene->def;
  const double dt = def->sim.dt;
  scene->period = isnan(def->controller.period) || !has_torques(scene) ? dt : def->controller.period;
  const double steps = round(scene->period / dt);
  if (!(steps >= 1) || steps > 1e9 || fabs(scene->period / dt - steps) > 1e-9 * steps)
    return ffi_scene_fail(scene, FF_ERROR_ARGUMENT, "controller.period", error,
                          "%g s is not a multiple of dt, %g s", scene->period, dt);
  if (def->duration / dt > 1e15)
    return ffi_scene_fail(scene, FF_ERROR_ARGUMENT, "duration", error,
                          "%g s in steps of %g s are more than 1e15 steps", def->duration, dt);
  scene->substeps = (int)steps;
  return FF_OK;
}

// Without a file ff_sim_create() reports it; with one the message has the line.
static ff_status check_accuracy(const ff_scene *scene, ff_error *error)
{
  const ff_sim_def *s = &scene->def->sim;
  if (!scene->file || s->accuracy == 0 || s->stepper != FF_STEPPER_EXPO || s->expo.order == 2)
    return FF_OK;
  return ffi_scene_fail(scene, FF_ERROR_ARGUMENT, "stepper.accuracy", error,
                        "needs the corrector, which 'order: 1' leaves out");
}

long long ff_scene_steps(const ff_scene *scene)
{
  return (long long)ceil(scene->def->duration / scene->def->sim.dt *
                         (1 - 1e-12)); // 10 / 0.01 may come out above 1000
}

// ---- Sims -----------------------------------------------------------------------------------------------------------

void ff_scene_get_sim_def(const ff_scene *scene, ff_sim_def *out)
{
  ff_sim_def def = scene->def->sim;
  def.ground = scene->ground;
  def.ground_count = scene->ground_count;
  def.elements = scene->elements;
  def.element_count = scene->element_count;
  ffi_def_give(&def, &(ffi_def_kind){"ff_sim_def", sizeof def, &def}, out);
}

ff_status ff_scene_reset_sim(const ff_scene *scene, ff_sim *sim, ff_error *error)
{
  const ff_status status =
      ff_sim_reset(sim, scene->cut ? scene->cut_q : scene->q, scene->cut ? scene->cut_v : scene->v, error);
  if (status == FF_OK) {
    ffi_scene_motors_aim(scene, sim);
    ffi_scene_controls_aim(scene, sim);
  }
  return status;
}

ff_status ff_scene_create_sim(const ff_scene *scene, const ff_sim_def *def, ff_sim **out, ff_error *error)
{
  ff_status status = ff_sim_create(scene->cut ? ff_cut_model(scene->cut) : scene->model, def, out, error);
  if (status == FF_OK)
    status = ff_scene_reset_sim(scene, *out, error);
  if (status != FF_OK) {
    ff_sim_destroy(*out);
    *out = NULL;
  }
  return status;
}

// Errors of the sim name functions; a scene's name its fields.
static ff_status say_where(const ff_scene *scene, ff_status status, ff_error *error)
{
  const ff_error old = *error;
  const int is_start = strcmp(old.thing, "ff_sim_reset") == 0;
  const int is_function = strncmp(old.thing, "ff_", 3) == 0, is_field = strcmp(old.thing, "stepper") == 0;
  return ffi_scene_fail(scene, status, is_start ? "start" : "stepper", error, "%s",
                        old.message + (is_function || is_field ? strlen(old.thing) + strlen(": ") : 0));
}

static ff_status make_sim(ff_scene *scene, ff_error *error)
{
  ff_sim_def def = ff_scene_sim_def(scene);
  def.watch_passing = 1; // tunnelling makes a result wrong
  const ff_status status = ff_scene_create_sim(scene, &def, &scene->sim, error);
  return status != FF_OK && error && scene->file ? say_where(scene, status, error) : status;
}

// ---- Creation -------------------------------------------------------------------------------------------------------

ff_status ffi_scene_make(ff_scene *scene, ff_error *error)
{
  ff_status status;
  scene->nq = ff_model_get_size(scene->model).nq;
  scene->nv = ff_model_get_size(scene->model).nv;
  if ((status = ffi_scene_check_def(scene, error)) != FF_OK || (status = set_period(scene, error)) != FF_OK ||
      (status = check_accuracy(scene, error)) != FF_OK ||
      (status = ffi_scene_ground_make(scene, error)) != FF_OK ||
      (status = ffi_scene_start_make(scene, error)) != FF_OK ||
      (status = ffi_scene_motors_make(scene, error)) != FF_OK ||
      (status = ffi_scene_cut_make(scene, error)) != FF_OK ||
      (status = ffi_scene_push_make(scene, error)) != FF_OK ||
      (status = ffi_scene_controller_make(scene, error)) != FF_OK ||
      (status = make_sim(scene, error)) != FF_OK || (status = ffi_scene_controls_make(scene, error)) != FF_OK)
    return status;
  return ffi_scene_watch_begin(scene, error);
}

ff_status ff_scene_create(const ff_model *model, const ff_scene_def *def, ff_scene **out, ff_error *error)
{
  if (out)
    *out = NULL;
  if (!model || !def || !out)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_scene_create", "an argument is NULL");
  if (def->contact_points_count < 0)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "contact_points", "its count, %d, is below 0",
                    def->contact_points_count);
  if (def->contact_points_count > 0)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "contact_points",
                    "can be added only while a model is loaded, see ff_load_def");
  ff_scene *scene = calloc(1, sizeof *scene);
  if (!scene)
    return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, NULL, "no memory for a scene");
  scene->model = model;
  ff_status status = ffi_scene_def_copy(&scene->arena, model, def, &scene->def, error);
  if (status == FF_OK)
    status = ffi_scene_make(scene, error);
  if (status != FF_OK) {
    ff_scene_destroy(scene);
    return status;
  }
  scene->def->controller.feedback = NULL; // the caller's; the controller has a copy
  *out = scene;
  return FF_OK;
}

void ff_scene_destroy(ff_scene *scene)
{
  if (!scene)
    return;
  ffi_scene_watch_end(scene);
  ff_sim_destroy(scene->sim);
  ffi_scene_cut_free(scene);
  ffi_scene_push_free(scene);
  ffi_scene_controls_free(scene);
  ff_controller_destroy(scene->controller);
  free(scene->elements);
  free(scene->ground);
  free(scene->q);
  free(scene->v);
  free(scene->tau);
  ff_model_destroy(scene->own_model);
  free(scene->model_file);
  free(scene->trajectory_file);
  if (scene->source.destroy)
    scene->source.destroy(scene->source.data);
  ffi_arena_free(&scene->arena);
  free(scene);
}

// ---- Access ---------------------------------------------------------------------------------------------------------

int ff_scene_warning_count(const ff_scene *scene)
{
  int count = 0;
  while (ff_scene_warning(scene, count))
    ++count;
  return count;
}

const char *ff_scene_warning(const ff_scene *scene, int index)
{
  return scene->source.warning ? scene->source.warning(scene->source.data, index) : NULL;
}

const ff_scene_def *ff_scene_get_def(const ff_scene *scene)
{
  return scene->def;
}

const char *ff_scene_file(const ff_scene *scene)
{
  return scene->file;
}

const char *ff_scene_model_file(const ff_scene *scene)
{
  return scene->model_file ? scene->model_file : scene->def->model;
}

const char *ff_scene_trajectory_file(const ff_scene *scene)
{
  return scene->trajectory_file;
}

const ff_model *ff_scene_model(const ff_scene *scene)
{
  return scene->model;
}

const double *ff_scene_q(const ff_scene *scene)
{
  return scene->q;
}

const double *ff_scene_v(const ff_scene *scene)
{
  return scene->v;
}

const char *ff_scene_posture(const ff_scene *scene)
{
  return scene->posture;
}

ff_sim *ff_scene_sim(ff_scene *scene)
{
  return scene->sim;
}

double ff_scene_period(const ff_scene *scene)
{
  return scene->period;
}

double ff_scene_control_seconds(const ff_scene *scene)
{
  return scene->control_seconds;
}

// ---- Running --------------------------------------------------------------------------------------------------------

ff_status ff_scene_control(ff_scene *scene, double time, const double *q, const double *v, double *tau,
                           ff_error *error)
{
  const double start = ffi_clock_seconds();
  const ff_status status = ff_controller_tau(scene->controller, time, q, v, tau, error);
  scene->control_seconds += ffi_clock_seconds() - start;
  if (status == FF_OK) {
    ffi_scene_push_add(scene, time, q, tau);
    ffi_scene_controls_add(scene, q, tau);
  }
  if (status != FF_OK && error) {
    const ff_error old = *error;
    ffi_fail(error, status, NULL, 0, NULL, "the controller (%s) at %.6g s: %s",
             ff_controller_name(scene->def->controller.type), time, old.message);
  }
  return status;
}

ff_status ff_scene_step(ff_scene *scene, ff_error *error)
{
  const long long period = scene->step / scene->substeps;
  if (ffi_scene_has_forces(scene) && scene->step % scene->substeps == 0) {
    const ff_status status = ff_scene_control(scene, (double)period * scene->period, ff_scene_now_q(scene),
                                              ff_scene_now_v(scene), scene->tau, error);
    if (status != FF_OK)
      return status;
  }
  const ff_status status =
      ff_sim_step(scene->sim, ffi_scene_has_forces(scene) ? ffi_scene_cut_spread_tau(scene) : NULL, error);
  scene->step += status == FF_OK;
  ffi_scene_cut_gather(scene);
  return status;
}

const double *ff_scene_tau(const ff_scene *scene)
{
  return scene->tau;
}

long long ff_scene_step_count(const ff_scene *scene)
{
  return scene->step;
}

ff_status ff_scene_resume(ff_scene *scene, long long step, const double *state, const double *q,
                          const double *tau, ff_error *error)
{
  if (!scene || !state || !q || !tau || step < 0)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_scene_resume", "an argument is NULL or negative");
  const ff_status status = ff_sim_set_state(scene->sim, state, error);
  if (status != FF_OK)
    return status;
  scene->step = step;
  memcpy(scene->tau, tau, (size_t)scene->nv * sizeof *tau);
  if (scene->cut) // from where the last step had gathered it
    memcpy(scene->now_q, q, (size_t)scene->nq * sizeof *q);
  ffi_scene_cut_gather(scene);
  return FF_OK;
}
