// The model of a scene.
#include "base/fail.h"
#include "io/scene/scene_object.h"

#include <stdlib.h>
#include <string.h>

char *ffi_scene_model_path(const ff_scene *scene, const char *name)
{
  const char *slash = strrchr(scene->source.file, '/');
  const size_t folder = slash && name[0] != '/' ? (size_t)(slash - scene->source.file) + 1 : 0;
  char *path = malloc(folder + strlen(name) + 1);
  if (!path)
    return NULL;
  memcpy(path, scene->source.file, folder);
  memcpy(path + folder, name, strlen(name) + 1);
  return path;
}

// Folders for meshes, NULL-terminated; *out has what is to be freed even after a failure.
static ff_status make_folders(const ff_scene *scene, char ***out, ff_error *error)
{
  const ff_scene_load_options *load = &scene->def->load;
  *out = calloc((size_t)load->mesh_paths_count + 1, sizeof **out);
  if (!*out)
    return ffi_scene_no_memory(scene, error);
  for (int i = 0; i < load->mesh_paths_count; ++i) {
    (*out)[i] = ffi_scene_model_path(scene, load->mesh_paths[i]);
    if (!(*out)[i])
      return ffi_scene_no_memory(scene, error);
  }
  return FF_OK;
}

static void free_folders(char **folders)
{
  for (int i = 0; folders && folders[i]; ++i)
    free(folders[i]);
  free(folders);
}

// What is wrong inside a model's file is said with that file's line; what is wrong with naming it, with the scene's.
static ff_status say_where(const ff_scene *scene, ff_status status, ff_error *error)
{
  if (!error)
    return status;
  const ff_error old = *error;
  if (strncmp(old.thing, "contact_points", 14) == 0)
    return ffi_scene_fail(&scene->source, status, old.thing, error, "%s",
                          strstr(old.message, old.thing) + strlen(old.thing) + 2);
  if (status == FF_ERROR_FILE && old.line == 0)
    return ffi_scene_fail(&scene->source, status, "model", error, "%s", old.message);
  return status;
}

ff_status ffi_scene_model_load(ff_scene *scene, ff_error *error)
{
  const ff_scene_def *def = scene->def;
  ff_load_def load = ff_load_def_default();
  char **folders = NULL;
  ff_load_point *points = NULL;
  ff_status status = make_folders(scene, &folders, error);
  if (status != FF_OK)
    goto end;
  points = calloc((size_t)def->contact_points_count + 1, sizeof *points);
  scene->model_file = ffi_scene_model_path(scene, def->model);
  if (!points || !scene->model_file) {
    status = ffi_scene_no_memory(scene, error);
    goto end;
  }
  for (int i = 0; i < def->contact_points_count; ++i) {
    points[i] = (ff_load_point){.link = def->contact_points[i].link, .name = def->contact_points[i].name};
    memcpy(points[i].at, def->contact_points[i].at, sizeof points[i].at);
  }
  load.fixed_base = def->load.fixed_base;
  load.mimic = def->load.mimic;
  load.mesh_paths = (const char *const *)folders;
  load.contact_points = points;
  load.contact_point_count = def->contact_points_count;
  load.keep = scene->source.keep;
  load.from = scene->source.from;
  status = ff_model_load(scene->model_file, &load, &scene->model, error);
  if (status != FF_OK)
    say_where(scene, status, error);
end:
  free(points);
  free_folders(folders);
  return status;
}
