// footfall run SCENE.yaml: loads a scene with the overrides of the command line.
#include "cli/error_message.h"
#include "cli/files/overwrite.h"
#include "cli/memory.h"
#include "cli/options/overrides.h"
#include "cli/program.h"
#include "run/run.h"

#include <stdlib.h>
#include <string.h>

int ffi_run_scene_file_is_scene(const char *path)
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

// Paths in a scene are relative to its folder; those on the command line to the working folder.
static void place_log(ffi_run_request *r, const char *file)
{
  const char *slash = strrchr(r->path, '/');
  const size_t length = slash ? (size_t)(slash - r->path) + 1 : 0;
  r->log = file;
  if (length == 0 || file[0] == '/' || strcmp(file, "-") == 0 || is_changed(r, "log.file"))
    return;
  r->own_log = ffi_memory_need(NULL, length + strlen(file) + 1);
  memcpy(r->own_log, r->path, length);
  strcpy(r->own_log + length, file);
  r->log = r->own_log;
}

// Copies what the summary and the loop need from the scene to the request. 0 after an error message.
static int fill_request(const ff_scene *file, ffi_run_request *r)
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
  return ffi_run_log_check_name("log.file", def->log.file);
}

// The material of contacts with the ground, if there is one ground that gives it.
static void fill_material(const ff_sim_def *def, ffi_run_request *r)
{
  if (def->ground_count != 1 || !def->ground[0].gives_pair)
    return;
  r->stiffness = def->ground[0].shape.material.stiffness;
  r->damping = def->ground[0].shape.material.damping;
  r->friction = def->ground[0].shape.material.friction;
}

int ffi_run_scene_file_open(ffi_run_request *r, ffi_run_scene *scene)
{
  ff_error error;
  const ff_files *from = r->source ? ff_log_files(r->source) : NULL;
  if (ff_scene_load_files(r->path, r->changes.list, r->changes.count, r->files, from, &scene->scene,
                          &error) != FF_OK) {
    ffi_error_message_of_file(r->path, &error);
    r->failure = ffi_overrides_exit_status(&r->changes, &error);
    return 0;
  }
  ffi_overrides_print_warnings(scene->scene);
  const ff_sim_def def = ff_scene_sim_def(scene->scene);
  if (!ffi_overrides_check(&r->changes, def.stepper)) {
    r->failure = FFI_EXIT_USAGE;
    return 0;
  }
  const int is_filled = fill_request(scene->scene, r);
  fill_material(&def, r);
  ffi_run_scene_describe(scene, def.model_elements);
  scene->has_plane = def.ground_count == 1 && def.ground[0].shape.type == FF_SHAPE_PLANE;
  scene->plane = scene->has_plane ? def.ground[0].shape.pose : ff_pose_identity();
  if (is_filled && !ffi_run_options_check_output(r))
    r->failure = FFI_EXIT_USAGE;
  if (!is_filled || r->failure == FFI_EXIT_USAGE)
    return 0;
  if (r->log_every == 0)
    r->log_every = ff_scene_get_def(scene->scene)->log.every;
  return ffi_overwrite_spares_file(r->log, "scene", r->path, "the log") &&
         ffi_overwrite_spares_model(r->log, ff_scene_model_file(scene->scene), "the log") &&
         ffi_overwrite_spares_file(r->log, "trajectory", ff_scene_trajectory_file(scene->scene), "the log");
}
