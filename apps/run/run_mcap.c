// A run as MCAP: numbers of every row for PlotJuggler and the plots of Foxglove; poses, shapes and forces, 60 times a
// second, for Foxglove's 3-D panel.
//
//     /state     q, v, tau by name      /tf     where links are         foxglove.FrameTransforms
//     /energy    energies               /scene  shapes, once; forces    foxglove.SceneUpdate
//     /contacts  contacts, sums, and the force on each link
#define _POSIX_C_SOURCE 200809L
#include "run/run_mcap.h"

#include "cli/error_message.h"
#include "cli/memory.h"

#include <footfall/version.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double picture_interval = 1.0 / 60; // [s] of simulated time
static const double weight_length = 0.25;        // length of an arrow of the robot's weight [m]

// ---- Values ---------------------------------------------------------------------------------------------------------

static void put_named(ffi_mcap *m, const char *key, char *const *names, int count, const double *values)
{
  ffi_mcap_put(m, key);
  for (int i = 0; i < count; ++i) {
    ffi_mcap_put(m, i > 0 ? "," : "");
    ffi_mcap_quote(m, names[i]);
    ffi_mcap_put(m, ":");
    ffi_mcap_number(m, values ? values[i] : 0);
  }
  ffi_mcap_put(m, "}");
}

// ---- Numbers of a row -----------------------------------------------------------------------------------------------

static void put_state(ffi_run_mcap *log, const ffi_run_scene *scene, long long step, uint64_t time)
{
  const ff_model_size size = ff_model_get_size(scene->model);
  ffi_mcap *m = &log->file;
  ffi_mcap_begin(m, FFI_RUN_MCAP_STATE, time);
  ffi_mcap_put(m, "{\"step\":");
  ffi_mcap_integer(m, step);
  put_named(m, ",\"q\":{", log->q_names, size.nq, ff_scene_now_q(scene->scene));
  put_named(m, ",\"v\":{", log->v_names, size.nv, ff_scene_now_v(scene->scene));
  put_named(m, ",\"tau\":{", log->v_names, size.nv, ffi_run_scene_tau(scene));
  put_named(m, ",\"motor\":{", log->v_names, size.nv,
            ffi_run_motor_forces_get(&log->motor_forces, scene->scene));
  ffi_mcap_put(m, "}");
  ffi_mcap_end(m);
}

static void put_energy(ffi_mcap *m, const ffi_run_scene *scene, uint64_t time)
{
  const ff_energy e = ff_sim_energy(scene->sim);
  const double values[] = {e.kinetic, e.potential, e.elastic, e.total, e.control_power, e.control_work};
  static const char *const names[] = {"{\"kinetic\":", ",\"potential\":",     ",\"elastic\":",
                                      ",\"total\":",   ",\"control_power\":", ",\"control_work\":"};
  ffi_mcap_begin(m, FFI_RUN_MCAP_ENERGY, time);
  for (int i = 0; i < 6; ++i) {
    ffi_mcap_put(m, names[i]);
    ffi_mcap_number(m, values[i]);
  }
  ffi_mcap_put(m, "}");
  ffi_mcap_end(m);
}

const char *ffi_run_mcap_link_name(const ff_model *model, int link)
{
  ff_link_info info;
  return ff_model_link(model, link, &info) == FF_OK ? info.name : "world";
}

static void put_contact(ffi_mcap *m, const ff_model *model, const ff_contact *c)
{
  static const char *const modes[] = {"\"released\"", "\"stick\"", "\"slip\""};
  ffi_mcap_put(m, "{\"id\":");
  ffi_mcap_integer(m, c->id);
  ffi_mcap_put(m, ",\"link\":");
  ffi_mcap_quote(m, ffi_run_mcap_link_name(model, c->link_a));
  ffi_mcap_put(m, ",\"on\":");
  ffi_mcap_quote(m, ffi_run_mcap_link_name(model, c->link_b));
  ffi_mcap_put(m, ",\"mode\":");
  ffi_mcap_put(m, modes[c->mode]);
  ffi_mcap_put(m, ",\"point\":");
  ffi_run_mcap_scene_vector(m, c->point);
  ffi_mcap_put(m, ",\"normal\":");
  ffi_run_mcap_scene_vector(m, c->normal);
  ffi_mcap_put(m, ",\"force\":");
  ffi_run_mcap_scene_vector(m, c->force);
  ffi_mcap_put(m, ",\"slip\":");
  ffi_mcap_number(m, hypot(c->slip[0], c->slip[1]));
  ffi_mcap_put(m, ",\"penetration\":");
  ffi_mcap_number(m, c->penetration);
  ffi_mcap_put(m, "}");
}

static void put_contacts(ffi_run_mcap *log, const ffi_run_scene *scene, uint64_t time)
{
  ffi_mcap *m = &log->file;
  ffi_run_contact_sums *t = &log->contact_sums;
  int count;
  const ff_contact *contacts = ff_scene_contacts(scene->scene, &count);
  ffi_run_contact_sums_update(t, scene);
  ffi_mcap_begin(m, FFI_RUN_MCAP_CONTACTS, time);
  ffi_mcap_put(m, "{\"count\":");
  ffi_mcap_integer(m, count);
  ffi_mcap_put(m, ",\"slipping\":");
  ffi_mcap_integer(m, t->slipping);
  ffi_mcap_put(m, ",\"penetration\":");
  ffi_mcap_number(m, t->penetration);
  ffi_mcap_put(m, ",\"normal_force\":");
  ffi_mcap_number(m, t->normal_force);
  ffi_mcap_put(m, ",\"forces\":{");
  for (int i = 0; i < t->link_count; ++i) {
    ffi_mcap_put(m, i > 0 ? "," : "");
    ffi_mcap_quote(m, ffi_run_mcap_link_name(scene->model, t->links[i]));
    ffi_mcap_put(m, ":");
    ffi_run_mcap_scene_vector(m, t->forces + 3 * t->links[i]);
  }
  ffi_mcap_put(m, "},\"contacts\":[");
  for (int i = 0; i < count; ++i) {
    ffi_mcap_put(m, i > 0 ? "," : "");
    put_contact(m, scene->model, &contacts[i]);
  }
  ffi_mcap_put(m, "]}");
  ffi_mcap_end(m);
}

// ---- The log --------------------------------------------------------------------------------------------------------

static char **make_names(const ff_model *model, int is_velocity, int count)
{
  char **names = ffi_memory_need(NULL, ((size_t)count + 1) * sizeof *names);
  for (int i = 0; i < count; ++i) {
    char name[1100];
    const char *unit;
    ff_log_column(model, is_velocity, i, name, sizeof name, &unit);
    names[i] = ffi_memory_need(NULL, strlen(name) + 1);
    strcpy(names[i], name);
  }
  names[count] = NULL;
  return names;
}

static void free_names(char **names)
{
  for (int i = 0; names && names[i]; ++i)
    free(names[i]);
  free(names);
}

// Attaches the files of the run.
static void attach_files(ffi_mcap *m, const ff_files *files)
{
  for (int i = 0; i < ff_files_count(files); ++i) {
    const ff_file *file = ff_files_get(files, i);
    const char *type = file->kind == FF_FILE_SCENE   ? "application/yaml"
                       : file->kind == FF_FILE_MODEL ? "application/xml"
                                                     : "application/octet-stream";
    ffi_mcap_attach(m, file->path, type, file->data, file->size);
  }
}

// What was run, and how.
static void put_run(ffi_mcap *m, const ffi_run_scene *scene, const char *file)
{
  char dt[32];
  snprintf(dt, sizeof dt, "%.9g", ff_sim_dt(scene->sim));
  const char *const pairs[][2] = {{"program", "footfall " FF_VERSION},
                                  {"file", file},
                                  {"robot", ff_model_name(scene->model)},
                                  {"stepper", ff_stepper_name(ff_sim_stepper(scene->sim))},
                                  {"dt", dt}};
  ffi_mcap_metadata(m, "run", pairs, sizeof pairs / sizeof pairs[0]);
}

int ffi_run_mcap_open(ffi_run_mcap *log, const char *path, const char *file, const ff_files *files,
                      const ffi_run_scene *scene)
{
  const ff_model_size size = ff_model_get_size(scene->model);
  const double weight = 9.81 * ff_model_mass(scene->model);
  ff_error error;
  *log = (ffi_run_mcap){.path = path, .next_picture = -INFINITY};
  if (!ffi_mcap_open(&log->file, path, "footfall " FF_VERSION)) {
    ffi_error_message("%s: cannot be written: %s", path, ffi_growing_file_reason(errno));
    return 0;
  }
  char *state_schema = ffi_run_mcap_schema_state(scene->model);
  if (!state_schema || ff_dynamics_create(scene->model, NULL, &log->dynamics, &error) != FF_OK) {
    ffi_error_message("%s: cannot be written: %s", path, state_schema ? error.message : "no memory");
    free(state_schema);
    log->file.failed = ENOMEM;
    ffi_mcap_close(&log->file);
    ffi_mcap_free(&log->file);
    return 0;
  }
  log->newton = weight > 0 ? weight_length / weight : 0;
  log->q_names = make_names(scene->model, 0, size.nq);
  log->v_names = make_names(scene->model, 1, size.nv);
  ffi_run_contact_sums_begin(&log->contact_sums, scene->model);
  ffi_run_motor_forces_begin(&log->motor_forces, scene->scene);
  put_run(&log->file, scene, file);
  attach_files(&log->file, files);
  ffi_mcap_channel(&log->file, "/state", "footfall.State", state_schema);
  ffi_mcap_channel(&log->file, "/energy", "footfall.Energy", ffi_run_mcap_schema_energy);
  ffi_mcap_channel(&log->file, "/contacts", "footfall.Contacts", ffi_run_mcap_schema_contacts);
  ffi_mcap_channel(&log->file, "/tf", "foxglove.FrameTransforms", ffi_run_mcap_schema_transforms);
  ffi_mcap_channel(&log->file, "/scene", "foxglove.SceneUpdate", ffi_run_mcap_schema_scene);
  free(state_schema);
  return 1;
}

int ffi_run_mcap_row(ffi_run_mcap *log, const ffi_run_scene *scene, long long step)
{
  const double now = ff_sim_time(scene->sim);
  const uint64_t time = (uint64_t)llround(1e9 * now);
  if (log->file.message_count == 0)
    ffi_run_mcap_scene_shapes(&log->file, scene, time);
  put_state(log, scene, step, time);
  put_energy(&log->file, scene, time);
  put_contacts(log, scene, time);
  if (now >= log->next_picture) {
    log->next_picture = now + picture_interval * (1 - 1e-9);
    ffi_run_mcap_scene_transforms(log, scene, time);
    ffi_run_mcap_scene_forces(log, scene, time);
  }
  return ffi_mcap_flush_if_due(&log->file);
}

static void put_end(ffi_mcap *m, const ffi_run_end *end)
{
  char time[32];
  snprintf(time, sizeof time, "%.9g", end->time);
  const char *const pairs[][2] = {{"outcome", end->outcome}, {"reason", end->reason}, {"time", time}};
  ffi_mcap_metadata(m, "end", pairs, sizeof pairs / sizeof pairs[0]);
}

int ffi_run_mcap_close(ffi_run_mcap *log, const ffi_run_end *end, long long *rows)
{
  put_end(&log->file, end);
  const ffi_growing_file *file = &log->file.file;
  const int is_begun = file->is_moved; // if not, the old file is still there
  const int is_written = ffi_mcap_close(&log->file);
  if (!is_written) {
    ffi_error_message("%s: could not be written: %s%s%s%s", log->path, ffi_growing_file_reason(errno),
                      is_begun && errno != ESTALE ? "; what is in it can be mended with 'mcap recover'" : "",
                      file->has_kept ? "; the file that was there before is now " : "",
                      file->has_kept ? file->kept : "");
    *rows = 0;
  }
  ffi_mcap_free(&log->file);
  ff_dynamics_destroy(log->dynamics);
  free_names(log->q_names);
  free_names(log->v_names);
  ffi_run_contact_sums_end(&log->contact_sums);
  ffi_run_motor_forces_end(&log->motor_forces);
  return is_written;
}
