// A scene's file in place of a model: options of the command line change its fields, and the library makes the sim.
#include "cli/complain.h"
#include "run/run.h"

#include <stdlib.h>
#include <string.h>

int ffi_run_is_scene(const char *path)
{
  const char *dot = strrchr(path, '.');
  return dot && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0);
}

static int is_changed(const ffi_run_request *r, const char *field)
{
  for (int i = 0; i < r->changes.count; ++i)
    if (strcmp(r->changes.list[i].path, field) == 0)
      return 1;
  return 0;
}

// Names in a scene are from its own folder, as its model's is; those of the command line from the working folder.
static void place_log(ffi_run_request *r, const char *file)
{
  const char *slash = strrchr(r->path, '/');
  const size_t length = slash ? (size_t)(slash - r->path) + 1 : 0;
  r->log = file;
  if (length == 0 || file[0] == '/' || strcmp(file, "-") == 0 || is_changed(r, "log.file"))
    return;
  r->own_log = ffi_need_memory(NULL, length + strlen(file) + 1);
  memcpy(r->own_log, r->path, length);
  strcpy(r->own_log + length, file);
  r->log = r->own_log;
}

// What the summary and the loop look up in the request. 0 after a complaint.
static int tell_request(const ff_scene *file, ffi_run_request *r)
{
  const ff_scene_def *def = ff_scene_get_def(file);
  r->sim.stepper = def->sim.stepper;
  r->sim.moreau = ff_scene_sim_def(file).moreau;
  r->sim.c2a = ff_scene_sim_def(file).c2a;
  r->sim.dt = def->sim.dt;
  r->duration = def->duration;
  r->slope = def->ground_count == 1 ? def->ground[0].slope : 0;
  if (r->log || r->has_no_log || r->source || !def->log.file)
    return 1;
  place_log(r, def->log.file);
  return ffi_run_check_log("log.file", def->log.file);
}

// The material of the pair, if there is one ground and it says so.
static void tell_ground(const ff_sim_def *def, ffi_run_request *r)
{
  if (def->ground_count != 1 || !def->ground[0].gives_pair)
    return;
  r->stiffness = def->ground[0].shape.material.stiffness;
  r->damping = def->ground[0].shape.material.damping;
  r->friction = def->ground[0].shape.material.friction;
}

static void widen(double range[2], double value, int is_first)
{
  range[0] = is_first || value < range[0] ? value : range[0];
  range[1] = is_first || value > range[1] ? value : range[1];
}

// Whom a scene holds: by its own motors, which are elements of the sim, and by the model's servos. The elements stay the scene's.
static void tell_motors(const ff_scene *file, const ff_sim_def *def, ffi_run_motors *out)
{
  const ff_model *model = ff_scene_model(file);
  const int joints = ff_model_get_size(model).joints;
  for (int i = 0; i < def->element_count; ++i) {
    widen(out->kp, def->elements[i].stiffness, i == 0);
    widen(out->kd, def->elements[i].damping, i == 0);
  }
  out->count = def->element_count;
  for (int j = 0; def->model_elements && j < joints; ++j)
    out->model_count += ff_model_drive(model, j) == FF_DRIVE_SERVO;
}

int ffi_run_open_file(ffi_run_request *r, ffi_run_scene *scene)
{
  ff_error error;
  const ff_files *from = r->source ? ff_log_files(r->source) : NULL;
  if (ff_scene_load_files(r->path, r->changes.list, r->changes.count, r->files, from, &scene->file, &error) !=
      FF_OK) {
    ffi_complain_of_file(r->path, &error);
    r->failure = ffi_changes_status(&r->changes, &error);
    return 0;
  }
  ffi_changes_warn(scene->file);
  const ff_sim_def def = ff_scene_sim_def(scene->file);
  if (!ffi_changes_check(&r->changes, def.stepper)) {
    r->failure = FFI_EXIT_USAGE;
    return 0;
  }
  const int is_told = tell_request(scene->file, r);
  tell_ground(&def, r);
  tell_motors(scene->file, &def, &scene->motors);
  scene->model = ff_scene_model(scene->file);
  scene->sim = ff_scene_sim(scene->file);
  scene->posture = ff_scene_posture(scene->file);
  scene->has_plane = def.ground_count == 1 && def.ground[0].shape.type == FF_SHAPE_PLANE;
  scene->plane = scene->has_plane ? def.ground[0].shape.pose : ff_pose_identity();
  const int nq = ff_model_get_size(scene->model).nq;
  scene->q = ffi_need_memory(NULL, ((size_t)nq + 1) * sizeof *scene->q);
  memcpy(scene->q, ff_scene_q(scene->file), (size_t)nq * sizeof *scene->q);
  if (is_told && !ffi_run_check_output(r))
    r->failure = FFI_EXIT_USAGE;
  if (!is_told || r->failure == FFI_EXIT_USAGE)
    return 0;
  if (r->log_every == 0)
    r->log_every = ff_scene_get_def(scene->file)->log.every;
  return ffi_spare_file(r->log, "scene", r->path, "the log") &&
         ffi_spare_model(r->log, ff_scene_model_file(scene->file), "the log") &&
         ffi_spare_file(r->log, "trajectory", ff_scene_trajectory_file(scene->file), "the log");
}
