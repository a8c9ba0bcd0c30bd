// The log of a run: its file and format, and the rows of HDF5.
#define _POSIX_C_SOURCE 200809L
#include "cli/error_message.h"
#include "cli/memory.h"
#include "run/run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// ---- Where, and which -----------------------------------------------------------------------------------------------

static const char *last_part(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

// The ending of a name, from the last dot on; "" if there is none.
static const char *ending_of(const char *path)
{
  const char *name = last_part(path), *dot = strrchr(name, '.');
  return dot && dot != name ? dot : "";
}

ffi_run_log_format ffi_run_log_format_of(const char *path)
{
  if (!path)
    return FFI_RUN_LOG_NONE;
  const char *ending = ending_of(path);
  if (strcmp(ending, ".h5") == 0 || strcmp(ending, ".hdf5") == 0)
    return FFI_RUN_LOG_HDF5;
  return strcmp(ending, ".mcap") == 0 ? FFI_RUN_LOG_MCAP : FFI_RUN_LOG_CSV;
}

// A name without an ending may be a pipe or a device, which get CSV.
int ffi_run_log_check_name(const char *option, const char *path)
{
  static const char *const known[] = {"", ".csv", ".h5", ".hdf5", ".mcap"};
  const char *ending = ending_of(path);
  if (!*last_part(path)) {
    ffi_error_message("'%s %s' names no file", option, path);
    return 0;
  }
  for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i)
    if (strcmp(ending, known[i]) == 0)
      return 1;
  ffi_error_message("'%s %s': the name of a log ends in .h5, .csv or .mcap", option, path);
  return 0;
}

// NAME of out/NAME.h5: that of the scene or the model. A resumed log gets the next number: walk, walk-2, walk-3.
static void name_of(const ffi_run_request *r, char *name, size_t size)
{
  const char *path = r->resume ? r->resume : r->path;
  int length = (int)(strlen(last_part(path)) - strlen(ending_of(path))), number = 1;
  snprintf(name, size, "%.*s", length, last_part(path));
  char *dash = strrchr(name, '-'), *end = NULL;
  if (!r->resume)
    return;
  const long counted = dash && dash > name ? strtol(dash + 1, &end, 10) : 0;
  if (counted > 1 && counted < 1000000 && end && !*end) {
    number = (int)counted;
    *dash = '\0';
  }
  length = (int)strlen(name);
  snprintf(name + length, size - (size_t)length, "-%d", number + 1);
}

int ffi_run_log_choose(ffi_run_request *r)
{
  const char *said = getenv("FOOTFALL_OUT"), *folder = said ? said : "out";
  char name[512];
  if (r->log || r->has_no_log || !*folder)
    return 1;
  name_of(r, name, sizeof name);
  r->own_log = ffi_memory_need(NULL, strlen(folder) + strlen(name) + 8);
  sprintf(r->own_log, "%s/%s.h5", folder, name);
  r->log = r->own_log;
  if (mkdir(folder, 0777) == 0 || errno == EEXIST)
    return 1;
  ffi_error_message("%s: the folder of the log cannot be made: %s; '--out FILE' chooses another, "
                    "'--no-log' writes none",
                    r->log, strerror(errno));
  return 0;
}

// ---- HDF5 -----------------------------------------------------------------------------------------------------------

// How to read the model from the log.
static ff_load_def load_of(const ff_scene_def *def, ff_load_point **points)
{
  ff_load_def load = ff_load_def_default();
  *points = ffi_memory_need(NULL, ((size_t)def->contact_points_count + 1) * sizeof **points);
  for (int i = 0; i < def->contact_points_count; ++i) {
    const ff_scene_point *from = &def->contact_points[i];
    (*points)[i] = (ff_load_point){.link = from->link, .name = from->name};
    memcpy((*points)[i].at, from->at, sizeof from->at);
  }
  load.fixed_base = def->load.fixed_base;
  load.mimic = def->load.mimic;
  load.contact_parameters = def->load.contact_parameters;
  load.massless = def->load.massless;
  load.contact_points = *points;
  load.contact_point_count = def->contact_points_count;
  return load;
}

static int open_hdf5(ffi_run_log *log, const ffi_run_request *r, const ffi_run_scene *scene)
{
  ff_ground_def plane;
  ff_load_point *points;
  const ff_load_def load = load_of(ff_scene_get_def(scene->scene), &points);
  ff_log_def def = ff_log_def_default();
  ff_error error;
  def.model = scene->model;
  def.sim = scene->sim;
  def.scene = scene->has_task ? scene->scene : NULL;
  def.title = ff_scene_get_def(scene->scene)->title;
  def.file = r->path;
  def.ground = ffi_run_scene_ground(scene, &plane, &def.ground_count);
  def.load = &load;
  def.files = r->source ? ff_log_files(r->source) : r->files;
  def.arguments = r->arguments;
  def.argument_count = r->argument_count;
  def.rows = ffi_run_options_steps(r) / r->log_every + 2;
  const int is_open = ff_log_create(log->path, &def, &log->hdf5, &error) == FF_OK;
  if (!is_open)
    ffi_error_message("%s%s", error.message,
                      r->own_log ? "; '--out FILE' chooses another place, '--no-log' writes none" : "");
  free(points);
  if (is_open)
    ffi_run_motor_forces_begin(&log->motor_forces, scene->scene);
  return is_open;
}

static int write_hdf5(ffi_run_log *log, const ffi_run_scene *scene, long long step)
{
  ff_log_row row = {.time = ff_sim_time(scene->sim),
                    .step = step,
                    .q = ff_scene_now_q(scene->scene),
                    .v = ff_scene_now_v(scene->scene),
                    .tau = ffi_run_scene_tau(scene),
                    .motor = ffi_run_motor_forces_get(&log->motor_forces, scene->scene),
                    .energy = ff_sim_energy(scene->sim),
                    .info = *ff_sim_info(scene->sim)};
  row.contacts = ff_scene_contacts(scene->scene, &row.contact_count);
  if (ff_log_write(log->hdf5, &row, &log->error) == FF_OK)
    return 1;
  log->has_failed = 1;
  return 0;
}

static int close_hdf5(ffi_run_log *log, const ffi_run_end *end)
{
  ff_error error = {0};
  const long long before = ff_log_written(log->hdf5), all = log->rows;
  ff_log_set_end(log->hdf5, end->outcome, end->reason);
  const int is_whole = ff_log_finish(log->hdf5, &error) == FF_OK;
  log->rows = is_whole ? all : before;
  ffi_run_motor_forces_end(&log->motor_forces);
  if (!is_whole)
    ffi_error_message("%s; it ends after %lld row%s", log->has_failed ? log->error.message : error.message,
                      before, before == 1 ? "" : "s");
  return is_whole;
}

// ---- Any ------------------------------------------------------------------------------------------------------------

int ffi_run_log_open(ffi_run_log *log, const ffi_run_request *request, const ffi_run_scene *scene)
{
  *log = (ffi_run_log){.format = ffi_run_log_format_of(request->log), .path = request->log};
  switch (log->format) {
  case FFI_RUN_LOG_CSV: return ffi_run_csv_open(&log->csv, log->path, scene->model);
  case FFI_RUN_LOG_HDF5: return open_hdf5(log, request, scene);
  case FFI_RUN_LOG_MCAP:
    return ffi_run_mcap_open(&log->mcap, log->path, request->path,
                             request->source ? ff_log_files(request->source) : request->files, scene);
  default: return 1;
  }
}

int ffi_run_log_row(ffi_run_log *log, const ffi_run_scene *scene, long long step)
{
  ++log->rows;
  switch (log->format) {
  case FFI_RUN_LOG_CSV: return ffi_run_csv_row(&log->csv, scene);
  case FFI_RUN_LOG_HDF5: return write_hdf5(log, scene, step);
  case FFI_RUN_LOG_MCAP: return ffi_run_mcap_row(&log->mcap, scene, step);
  default: return 1;
  }
}

int ffi_run_log_close(ffi_run_log *log, const ffi_run_end *end)
{
  switch (log->format) {
  case FFI_RUN_LOG_CSV: return ffi_run_csv_close(&log->csv, end, &log->rows);
  case FFI_RUN_LOG_HDF5: return close_hdf5(log, end);
  case FFI_RUN_LOG_MCAP: return ffi_run_mcap_close(&log->mcap, end, &log->rows);
  default: return 1;
  }
}
