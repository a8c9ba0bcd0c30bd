// A scene from its file: the file, then the model and the trajectory that it names.
#include "base/fail.h"
#include "io/scene/scene_file.h"
#include "io/trajectory/trajectory.h"
#include "scene/scene.h"

#include <stdlib.h>
#include <string.h>

// ---- Files that the scene names -------------------------------------------------------------------------------------

// Path of a file that the scene names, relative to the scene's folder; malloc'ed, NULL: no memory.
static char *path_of(const ffi_scene_file *file, const char *name)
{
  const char *slash = strrchr(file->path, '/');
  const size_t folder = slash && name[0] != '/' ? (size_t)(slash - file->path) + 1 : 0;
  char *path = malloc(folder + strlen(name) + 1);
  if (!path)
    return NULL;
  memcpy(path, file->path, folder);
  memcpy(path + folder, name, strlen(name) + 1);
  return path;
}

// Folders for meshes, NULL-terminated; *out has what is to be freed even after a failure.
static ff_status make_folders(const ffi_scene_file *file, const ff_scene_load_options *load, char ***out,
                              ff_error *error)
{
  *out = calloc((size_t)load->mesh_paths_count + 1, sizeof **out);
  if (!*out)
    return ffi_scene_file_no_memory(file, error);
  for (int i = 0; i < load->mesh_paths_count; ++i) {
    (*out)[i] = path_of(file, load->mesh_paths[i]);
    if (!(*out)[i])
      return ffi_scene_file_no_memory(file, error);
  }
  return FF_OK;
}

static void free_folders(char **folders)
{
  for (int i = 0; folders && folders[i]; ++i)
    free(folders[i]);
  free(folders);
}

// Errors inside a model's file have that file's line; errors of its name have the scene's.
static ff_status say_where(const ffi_scene_file *file, ff_status status, ff_error *error)
{
  if (!error)
    return status;
  const ff_error old = *error;
  if (strncmp(old.thing, "contact_points", 14) == 0)
    return ffi_scene_file_fail(file, status, old.thing, error, "%s",
                               strstr(old.message, old.thing) + strlen(old.thing) + 2);
  if (status == FF_ERROR_FILE && old.line == 0)
    return ffi_scene_file_fail(file, status, "model", error, "%s", old.message);
  return status;
}

static ff_status load_model(const ffi_scene_file *file, ff_scene *scene, ff_error *error)
{
  const ff_scene_def *def = scene->def;
  ff_load_def load = ff_load_def_default();
  char **folders = NULL;
  ff_load_point *points = NULL;
  char *srdf = NULL;
  ff_status status = make_folders(file, &def->load, &folders, error);
  if (status != FF_OK)
    goto end;
  points = calloc((size_t)def->contact_points_count + 1, sizeof *points);
  scene->model_file = path_of(file, def->model);
  if (!points || !scene->model_file) {
    status = ffi_scene_file_no_memory(file, error);
    goto end;
  }
  for (int i = 0; i < def->contact_points_count; ++i) {
    points[i] = (ff_load_point){.link = def->contact_points[i].link, .name = def->contact_points[i].name};
    memcpy(points[i].at, def->contact_points[i].at, sizeof points[i].at);
  }
  load.fixed_base = def->load.fixed_base;
  load.mimic = def->load.mimic;
  if (def->load.srdf && *def->load.srdf && !(load.srdf = srdf = path_of(file, def->load.srdf))) {
    status = ffi_scene_file_no_memory(file, error);
    goto end;
  }
  if (def->load.srdf && !*def->load.srdf)
    load.srdf = "";
  load.contact_parameters = def->load.contact_parameters;
  load.massless = def->load.massless;
  load.mesh_paths = (const char *const *)folders;
  load.contact_points = points;
  load.contact_point_count = def->contact_points_count;
  load.keep = file->keep;
  load.from = file->from;
  status = ff_model_load(scene->model_file, &load, &scene->own_model, error);
  scene->model = scene->own_model;
  if (status != FF_OK)
    say_where(file, status, error);
end:
  free(points);
  free(srdf);
  free_folders(folders);
  return status;
}

// The trajectory of a feedback. Its own errors have their own file and line.
static ff_status load_trajectory(const ffi_scene_file *file, ff_scene *scene, ff_trajectory **out,
                                 ff_error *error)
{
  const char *name = scene->def->controller.trajectory;
  if (scene->def->controller.type != FF_CONTROLLER_FEEDBACK)
    return FF_OK;
  if (!name)
    return ffi_scene_file_fail(file, FF_ERROR_PARSE, "controller.trajectory", error,
                               "is missing; feedback needs it");
  scene->trajectory_file = path_of(file, name);
  if (!scene->trajectory_file)
    return ffi_scene_file_no_memory(file, error);
  const ffi_files_request request = {file->keep, file->from, FF_FILE_TRAJECTORY, name,
                                     scene->trajectory_file};
  const ff_status status = ffi_trajectory_load(&request, scene->model, out, error);
  if (status == FF_ERROR_FILE && error && error->line == 0) {
    const ff_error old = *error;
    ffi_scene_file_fail(file, status, "controller.trajectory", error, "%s", old.message);
  }
  return status;
}

// ---- The file as the scene's source ---------------------------------------------------------------------------------

static ff_status fail_at_field(const void *data, ff_status status, const char *path, const char *text,
                               ff_error *error)
{
  return ffi_scene_file_fail(data, status, path, error, "%s", text);
}

static int is_changed(const void *data, const char *path)
{
  const ffi_scene_file *file = data;
  const ffi_yaml_node *node = ffi_yaml_nearest(file->root, path);
  return node && node->said;
}

static const char *warning_at(const void *data, int index)
{
  const ffi_scene_file *file = data;
  const ffi_scene_file_warning *w = index >= 0 ? file->warnings : NULL;
  for (; w && index > 0; --index)
    w = w->next;
  return w ? w->text : NULL;
}

static void destroy_file(void *data)
{
  ffi_scene_file *file = data;
  ffi_arena_free(&file->arena);
  free(file);
}

// ---- The whole ------------------------------------------------------------------------------------------------------

static ff_status load(ff_scene *scene, ffi_scene_file *file, ff_error *error)
{
  ff_trajectory *trajectory = NULL;
  ff_status status = load_model(file, scene, error);
  if (status == FF_OK)
    status = load_trajectory(file, scene, &trajectory, error);
  scene->def->controller.feedback = trajectory ? ff_trajectory_feedback(trajectory) : NULL;
  if (status == FF_OK)
    status = ffi_scene_make(scene, error);
  scene->def->controller.feedback = NULL; // the controller has a copy
  ff_trajectory_destroy(trajectory);
  return status;
}

ff_status ff_scene_load(const char *path, const ff_scene_override *overrides, int override_count,
                        ff_scene **out, ff_error *error)
{
  return ff_scene_load_files(path, overrides, override_count, NULL, NULL, out, error);
}

ff_status ff_scene_load_files(const char *path, const ff_scene_override *overrides, int override_count,
                              ff_files *keep, const ff_files *from, ff_scene **out, ff_error *error)
{
  if (out)
    *out = NULL;
  if (!path || !out || override_count < 0 || (override_count > 0 && !overrides))
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_scene_load", "an argument is NULL");
  const ffi_scene_file_overrides changes = {overrides, override_count};
  ff_scene *scene = calloc(1, sizeof *scene);
  ffi_scene_file *file = calloc(1, sizeof *file);
  if (!scene || !file) {
    free(scene);
    free(file);
    return ffi_fail(error, FF_ERROR_MEMORY, path, 0, NULL, "no memory for a scene");
  }
  file->keep = keep;
  file->from = from;
  scene->source = (ffi_scene_source){file, fail_at_field, is_changed, warning_at, destroy_file};
  ff_status status = ffi_scene_file_read(file, path, &changes, &scene->def, error);
  scene->file = file->path;
  if (status == FF_OK)
    status = load(scene, file, error);
  if (status != FF_OK) {
    ff_scene_destroy(scene);
    return status;
  }
  file->keep = NULL; // the caller's: they need not live as long
  file->from = NULL;
  *out = scene;
  return FF_OK;
}
