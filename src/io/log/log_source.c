// The inputs of a logged run, read again: files, ground, how the model is loaded.
#include "base/fail.h"
#include "io/log/log_read.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FILES = 100000, MOST_GROUND = 10000 };
static const hsize_t most_bytes = (hsize_t)1 << 30; // of one array

// ---- Arrays ---------------------------------------------------------------------------------------------------------

// How long an array of one dimension is; -1: there is none.
static long long length_of(hid_t place, const char *name)
{
  const hid_t set = H5Dopen2(place, name, H5P_DEFAULT), space = H5Dget_space(set);
  hsize_t count = 0;
  const int is_line =
      H5Sget_simple_extent_ndims(space) == 1 && H5Sget_simple_extent_dims(space, &count, NULL) == 1;
  H5Sclose(space);
  H5Dclose(set);
  return is_line && count <= most_bytes ? (long long)count : -1;
}

// All of an array into the arena; NULL on failure. One element more is there, all zero.
static void *take_array(ff_log *log, hid_t place, const char *name, hid_t type, long long *count)
{
  *count = length_of(place, name);
  const size_t size = H5Tget_size(type);
  if (*count < 0 || (hsize_t)*count > most_bytes / size)
    return NULL;
  void *data = ffi_arena_take(&log->arena, (size_t)*count + 1, size);
  const hid_t set = H5Dopen2(place, name, H5P_DEFAULT);
  const int is_good = data && (*count == 0 || H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0) &&
                      ffi_log_has_sum(set, data, (size_t)*count * size);
  H5Dclose(set);
  return is_good ? data : NULL;
}

static const char *take_text(ff_log *log, hid_t object, const char *name)
{
  char *text = ffi_log_get_text(object, name);
  const char *kept = text ? ffi_arena_string(&log->arena, text) : NULL;
  free(text);
  return kept;
}

// A list of texts of equal room; NULL on failure.
static const char **take_texts(ff_log *log, hid_t place, const char *name, int *count)
{
  const hid_t set = H5Dopen2(place, name, H5P_DEFAULT), type = H5Dget_type(set), wide = H5Tcopy(H5T_C_S1);
  const int is_text = type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0;
  const size_t size = is_text ? H5Tget_size(type) : 0;
  long long length = -1;
  const char **list = NULL;
  char *text = NULL;
  if (size > 0 && size < (size_t)1 << 20 && H5Tset_size(wide, size) >= 0 &&
      H5Tset_cset(wide, H5T_CSET_UTF8) >= 0)
    text = take_array(log, place, name, wide, &length);
  if (text)
    list = ffi_arena_take(&log->arena, (size_t)length + 1, sizeof *list);
  for (long long i = 0; list && i < length; ++i) {
    char *one = text + (size_t)i * size;
    one[size - 1] = '\0';
    list[i] = one;
  }
  H5Tclose(wide);
  H5Tclose(type);
  H5Dclose(set);
  *count = (int)length;
  return list;
}

// ---- Parts ----------------------------------------------------------------------------------------------------------

static int find_kind(const char *name, ff_file_kind *out)
{
  for (int k = 0; name && k < FF_FILE_KIND_COUNT; ++k)
    if (strcmp(ff_file_kind_name((ff_file_kind)k), name) == 0) {
      *out = (ff_file_kind)k;
      return 1;
    }
  return 0;
}

// A file whose bytes are damaged is left out, and named.
static int read_file(ff_log *log, hid_t group, int index)
{
  char number[32];
  ff_file file = {0};
  long long size;
  snprintf(number, sizeof number, "%d", index);
  const hid_t set = H5Dopen2(group, number, H5P_DEFAULT);
  char *kind = ffi_log_get_text(set, "kind"), *name = ffi_log_get_text(set, "name"),
       *path = ffi_log_get_text(set, "path");
  file.name = name;
  file.path = path;
  file.data = take_array(log, group, number, H5T_NATIVE_UINT8, &size);
  file.size = (size_t)size;
  int is_good = name && path && find_kind(kind, &file.kind);
  if (is_good && file.data) {
    is_good = ff_files_add(log->files, &file, NULL) == FF_OK;
  } else if (is_good && errno != ENOMEM) {
    log->damaged_kind = file.kind;
    log->info.damaged_file = ffi_arena_string(&log->arena, path);
    is_good = log->info.damaged_file != NULL;
  } else {
    is_good = 0;
  }
  free(kind);
  free(name);
  free(path);
  H5Dclose(set);
  return is_good;
}

static int read_files(ff_log *log, hid_t source)
{
  const hid_t group = H5Gopen2(source, "files", H5P_DEFAULT);
  H5G_info_t info = {0};
  int is_good = H5Gget_info(group, &info) >= 0 && info.nlinks <= MOST_FILES;
  log->files = ff_files_create();
  log->info.damaged_file = "";
  for (int i = 0; is_good && log->files && i < (int)info.nlinks; ++i)
    is_good = read_file(log, group, i);
  H5Gclose(group);
  return is_good && log->files;
}

static int read_load(ff_log *log, hid_t source)
{
  int links = 0, named = 0, mimic = 0, softness = FF_CONTACT_PARAMETERS_STATED, massless = FF_MASSLESS_LEAST;
  long long numbers;
  log->load = ff_load_def_default();
  const char **link = take_texts(log, source, "point_links", &links),
             **name = take_texts(log, source, "point_names", &named);
  const double *at = take_array(log, source, "point_at", H5T_NATIVE_DOUBLE, &numbers);
  if (!link || !name || !at || links != named || numbers != 3LL * links ||
      !ffi_log_get_number(source, "fixed_base", H5T_NATIVE_INT, &log->load.fixed_base) ||
      !ffi_log_get_number(source, "mimic", H5T_NATIVE_INT, &mimic) ||
      (H5Aexists(source, "contact_parameters") > 0 &&
       !ffi_log_get_number(source, "contact_parameters", H5T_NATIVE_INT, &softness)) ||
      (H5Aexists(source, "massless") > 0 &&
       !ffi_log_get_number(source, "massless", H5T_NATIVE_INT, &massless)))
    return 0;
  ff_load_point *points = ffi_arena_take(&log->arena, (size_t)links + 1, sizeof *points);
  for (int i = 0; points && i < links; ++i) {
    points[i] = (ff_load_point){.link = link[i], .name = name[i][0] ? name[i] : NULL};
    memcpy(points[i].at, at + 3 * (size_t)i, sizeof points[i].at);
  }
  log->load.mimic = (ff_mimic_policy)mimic;
  log->load.contact_parameters = (ff_contact_parameters)softness;
  log->load.massless = (ff_massless_policy)massless;
  log->load.contact_points = points;
  log->load.contact_point_count = links;
  log->load.from = log->files;
  return points != NULL;
}

static int unpack_ground(ff_log *log, int index, const ffi_log_ground *from, ff_ground_def *to)
{
  *to = ff_ground_def_default();
  to->gives_pair = from->gives_pair;
  to->shape.type = (ff_shape_type)from->type;
  to->shape.rows = from->rows;
  to->shape.columns = from->columns;
  to->shape.material.stiffness = from->stiffness;
  to->shape.material.damping = from->damping;
  to->shape.material.friction = from->friction;
  memcpy(to->shape.pose.position, from->position, sizeof from->position);
  memcpy(to->shape.pose.quaternion, from->quaternion, sizeof from->quaternion);
  memcpy(to->shape.size, from->size, sizeof from->size);
  memcpy(to->velocity, from->velocity, sizeof from->velocity);
  if (to->shape.type != FF_SHAPE_HEIGHTFIELD)
    return to->shape.type == FF_SHAPE_PLANE || to->shape.type == FF_SHAPE_BOX;
  char name[32];
  long long count;
  snprintf(name, sizeof name, "heights_%d", index);
  to->shape.heights = take_array(log, log->file, name, H5T_NATIVE_DOUBLE, &count);
  return to->shape.heights && from->rows >= 2 && from->columns >= 2 &&
         count == (long long)from->rows * from->columns;
}

static int read_ground(ff_log *log)
{
  const hid_t type = ffi_log_ground_type();
  long long count;
  const ffi_log_ground *packed = take_array(log, log->file, "ground", type, &count);
  H5Tclose(type);
  if (!packed || count > MOST_GROUND)
    return 0;
  log->ground = ffi_arena_take(&log->arena, (size_t)count + 1, sizeof *log->ground);
  log->ground_count = (int)count;
  int is_good = log->ground != NULL;
  for (int i = 0; is_good && i < log->ground_count; ++i)
    is_good = unpack_ground(log, i, &packed[i], &log->ground[i]);
  return is_good;
}

ff_status ffi_log_source_read(ff_log *log, ff_error *error)
{
  ff_log_info *info = &log->info;
  const hid_t source = H5Gopen2(log->file, "source", H5P_DEFAULT);
  info->title = take_text(log, log->file, "title");
  info->file = take_text(log, log->file, "file");
  info->stepper = take_text(log, log->file, "stepper");
  const int has_names = info->title && info->file && info->stepper &&
                        ffi_log_get_number(log->file, "dt", H5T_NATIVE_DOUBLE, &info->dt) && info->dt > 0;
  log->arguments = take_texts(log, source, "arguments", &log->argument_count);
  const int is_good =
      has_names && log->arguments && read_files(log, source) && read_load(log, source) && read_ground(log);
  H5Gclose(source);
  return is_good ? FF_OK : ffi_log_open_damaged(log, error, "what was run");
}

// ---- What users ask for ---------------------------------------------------------------------------------------------

const ff_files *ff_log_files(const ff_log *log)
{
  return log->files;
}

const char *const *ff_log_arguments(const ff_log *log, int *count)
{
  *count = log->argument_count;
  return log->arguments;
}

const ff_ground_def *ff_log_ground(const ff_log *log, int *count)
{
  *count = log->ground_count;
  return log->ground;
}

ff_status ff_log_model(ff_log *log, const ff_model **out, ff_error *error)
{
  *out = NULL;
  const ff_file *file = ff_files_find(log->files, FF_FILE_MODEL, NULL);
  const int has_damage = log->info.damaged_file[0] != '\0';
  if (has_damage && log->damaged_kind != FF_FILE_SCENE && log->damaged_kind != FF_FILE_TRAJECTORY)
    return ffi_fail(error, FF_ERROR_PARSE, log->info.path, 0, log->info.damaged_file,
                    "the log is damaged: '%.400s', which its robot needs, cannot be read",
                    log->info.damaged_file);
  if (!file)
    return ffi_fail(error, FF_ERROR_MODEL, log->info.path, 0, NULL,
                    "the log was written without the files of its robot");
  if (!log->model) {
    const ff_status status = ff_model_load(file->path, &log->load, &log->model, error);
    log->block.count = 0; // rows read before were not checked against the model
    if (status != FF_OK)
      return status;
  }
  const ff_model_size size = ff_model_get_size(log->model);
  if (size.nq != log->info.nq || size.nv != log->info.nv)
    return ffi_fail(error, FF_ERROR_PARSE, log->info.path, 0, NULL,
                    "the log is damaged: its rows do not have the coordinates of its robot");
  *out = log->model;
  return FF_OK;
}
