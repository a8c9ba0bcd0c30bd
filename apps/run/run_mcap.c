// A run as MCAP: numbers of every row for PlotJuggler and the plots of Foxglove; poses, shapes and forces for the latter's 3-D panel, as often as one can see.
//
//     /state     q, v, tau by name      /tf     where links are         foxglove.FrameTransforms
//     /energy    energies               /scene  shapes, once; forces    foxglove.SceneUpdate
//     /contacts  contacts, sums, and the force on each link
#define _POSIX_C_SOURCE 200809L
#include "run/run_mcap.h"
#include "cli/complain.h"

#include <footfall/version.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double picture_interval = 1.0 / 60; // [s] of the sim's time
static const double weight_length = 0.25;        // arrows of the robot's weight are so long [m]

// ---- Schemas --------------------------------------------------------------------------------------------------------

static const char energy_schema[] =
    FFI_OBJECT("\"kinetic\":" FFI_NUMBER ",\"potential\":" FFI_NUMBER ",\"elastic\":" FFI_NUMBER
               ",\"total\":" FFI_NUMBER ",\"control_power\":" FFI_NUMBER ",\"control_work\":" FFI_NUMBER);
static const char contacts_schema[] = FFI_OBJECT(
    "\"count\":" FFI_INTEGER ",\"slipping\":" FFI_INTEGER ",\"penetration\":" FFI_NUMBER
    ",\"normal_force\":" FFI_NUMBER ",\"forces\":{\"type\":\"object\",\"additionalProperties\":" FFI_VECTOR
    "},\"contacts\":" FFI_LIST(FFI_OBJECT("\"id\":" FFI_INTEGER ",\"link\":" FFI_TEXT ",\"on\":" FFI_TEXT
                                          ",\"mode\":" FFI_TEXT ",\"point\":" FFI_VECTOR
                                          ",\"normal\":" FFI_VECTOR ",\"force\":" FFI_VECTOR
                                          ",\"slip\":" FFI_NUMBER ",\"penetration\":" FFI_NUMBER)));
static void put_json_name(FILE *out, const char *name)
{
  fputc('"', out);
  for (; *name; ++name) {
    const unsigned char c = (unsigned char)*name;
    if (c == '"' || c == '\\')
      fprintf(out, "\\%c", c);
    else if (c < 0x20)
      fprintf(out, "\\u%04x", c);
    else
      fputc(c, out);
  }
  fputc('"', out);
}

// q, v and tau have the model's names.
static char *make_state_schema(const ff_model *model)
{
  const ff_model_size size = ff_model_get_size(model);
  static const char *const parts[] = {"q", "v", "tau", "motor"};
  char *text = NULL;
  size_t length;
  FILE *out = open_memstream(&text, &length);
  if (!out)
    return NULL;
  fputs("{\"type\":\"object\",\"properties\":{\"step\":" FFI_INTEGER, out);
  for (int p = 0; p < 4; ++p) {
    const int count = p == 0 ? size.nq : size.nv;
    fprintf(out, ",\"%s\":{\"type\":\"object\",\"properties\":{", parts[p]);
    for (int i = 0; i < count; ++i) {
      char name[1100];
      const char *unit;
      ff_log_column(model, p > 0, i, name, sizeof name, &unit);
      fputs(i > 0 ? "," : "", out);
      put_json_name(out, name);
      fputs(":" FFI_NUMBER, out);
    }
    fputs("}}", out);
  }
  fputs("}}", out);
  return fclose(out) == 0 ? text : NULL;
}

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
  ffi_mcap_begin(m, FFI_MCAP_STATE, time);
  ffi_mcap_put(m, "{\"step\":");
  ffi_mcap_integer(m, step);
  put_named(m, ",\"q\":{", log->q_names, size.nq, ffi_run_q(scene));
  put_named(m, ",\"v\":{", log->v_names, size.nv, ffi_run_v(scene));
  put_named(m, ",\"tau\":{", log->v_names, size.nv, scene->file ? ff_scene_tau(scene->file) : NULL);
  put_named(m, ",\"motor\":{", log->v_names, size.nv, ffi_run_drives_force(&log->drives, scene));
  ffi_mcap_put(m, "}");
  ffi_mcap_end(m);
}

static void put_energy(ffi_mcap *m, const ffi_run_scene *scene, uint64_t time)
{
  const ff_energy e = ff_sim_energy(scene->sim);
  const double values[] = {e.kinetic, e.potential, e.elastic, e.total, e.control_power, e.control_work};
  static const char *const names[] = {"{\"kinetic\":", ",\"potential\":",     ",\"elastic\":",
                                      ",\"total\":",   ",\"control_power\":", ",\"control_work\":"};
  ffi_mcap_begin(m, FFI_MCAP_ENERGY, time);
  for (int i = 0; i < 6; ++i) {
    ffi_mcap_put(m, names[i]);
    ffi_mcap_number(m, values[i]);
  }
  ffi_mcap_put(m, "}");
  ffi_mcap_end(m);
}

const char *ffi_mcap_link_name(const ff_model *model, int link)
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
  ffi_mcap_quote(m, ffi_mcap_link_name(model, c->link_a));
  ffi_mcap_put(m, ",\"on\":");
  ffi_mcap_quote(m, ffi_mcap_link_name(model, c->link_b));
  ffi_mcap_put(m, ",\"mode\":");
  ffi_mcap_put(m, modes[c->mode]);
  ffi_mcap_put(m, ",\"point\":");
  ffi_mcap_vector(m, c->point);
  ffi_mcap_put(m, ",\"normal\":");
  ffi_mcap_vector(m, c->normal);
  ffi_mcap_put(m, ",\"force\":");
  ffi_mcap_vector(m, c->force);
  ffi_mcap_put(m, ",\"slip\":");
  ffi_mcap_number(m, hypot(c->slip[0], c->slip[1]));
  ffi_mcap_put(m, ",\"penetration\":");
  ffi_mcap_number(m, c->penetration);
  ffi_mcap_put(m, "}");
}

static void put_contacts(ffi_run_mcap *log, const ffi_run_scene *scene, uint64_t time)
{
  ffi_mcap *m = &log->file;
  ffi_run_touch *t = &log->touch;
  int count;
  const ff_contact *contacts = ffi_run_contacts(scene, &count);
  ffi_run_touch_sum(t, scene);
  ffi_mcap_begin(m, FFI_MCAP_CONTACTS, time);
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
    ffi_mcap_quote(m, ffi_mcap_link_name(scene->model, t->links[i]));
    ffi_mcap_put(m, ":");
    ffi_mcap_vector(m, t->forces + 3 * t->links[i]);
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
  char **names = ffi_need_memory(NULL, ((size_t)count + 1) * sizeof *names);
  for (int i = 0; i < count; ++i) {
    char name[1100];
    const char *unit;
    ff_log_column(model, is_velocity, i, name, sizeof name, &unit);
    names[i] = ffi_need_memory(NULL, strlen(name) + 1);
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

// What was run, beside the messages.
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
static void tell_run(ffi_mcap *m, const ffi_run_scene *scene, const char *file)
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
    ffi_complain("%s: cannot be written: %s", path, strerror(errno));
    return 0;
  }
  char *state_schema = make_state_schema(scene->model);
  if (!state_schema || ff_dynamics_create(scene->model, NULL, &log->dynamics, &error) != FF_OK) {
    ffi_complain("%s: cannot be written: %s", path, state_schema ? error.message : "no memory");
    free(state_schema);
    return 0;
  }
  log->newton = weight > 0 ? weight_length / weight : 0;
  log->q_names = make_names(scene->model, 0, size.nq);
  log->v_names = make_names(scene->model, 1, size.nv);
  ffi_run_touch_begin(&log->touch, scene->model);
  ffi_run_drives_begin(&log->drives, scene);
  tell_run(&log->file, scene, file);
  attach_files(&log->file, files);
  ffi_mcap_channel(&log->file, "/state", "footfall.State", state_schema);
  ffi_mcap_channel(&log->file, "/energy", "footfall.Energy", energy_schema);
  ffi_mcap_channel(&log->file, "/contacts", "footfall.Contacts", contacts_schema);
  ffi_mcap_channel(&log->file, "/tf", "foxglove.FrameTransforms", ffi_mcap_transforms_schema);
  ffi_mcap_channel(&log->file, "/scene", "foxglove.SceneUpdate", ffi_mcap_scene_schema);
  free(state_schema);
  return 1;
}

int ffi_run_mcap_row(ffi_run_mcap *log, const ffi_run_scene *scene, long long step)
{
  const double now = ff_sim_time(scene->sim);
  const uint64_t time = (uint64_t)llround(1e9 * now);
  if (log->file.message_count == 0)
    ffi_mcap_shapes(&log->file, scene, time);
  put_state(log, scene, step, time);
  put_energy(&log->file, scene, time);
  put_contacts(log, scene, time);
  if (now >= log->next_picture) {
    log->next_picture = now + picture_interval * (1 - 1e-9);
    ffi_mcap_transforms(log, scene, time);
    ffi_mcap_forces(log, scene, time);
  }
  return ffi_mcap_flush_if_due(&log->file);
}

static void tell_end(ffi_mcap *m, const ffi_run_end *end)
{
  char time[32];
  snprintf(time, sizeof time, "%.9g", end->time);
  const char *const pairs[][2] = {{"outcome", end->outcome}, {"reason", end->reason}, {"time", time}};
  ffi_mcap_metadata(m, "end", pairs, sizeof pairs / sizeof pairs[0]);
}

int ffi_run_mcap_close(ffi_run_mcap *log, const ffi_run_end *end, long long *rows)
{
  tell_end(&log->file, end);
  const int is_begun = !log->file.part; // else what was there before still is
  const int is_written = ffi_mcap_close(&log->file);
  if (!is_written) {
    ffi_complain("%s: could not be written: %s%s", log->path, strerror(errno),
                 is_begun ? "; what is in it can be mended with 'mcap recover'" : "");
    *rows = 0;
  }
  ff_dynamics_destroy(log->dynamics);
  free_names(log->q_names);
  free_names(log->v_names);
  ffi_run_touch_end(&log->touch);
  ffi_run_drives_end(&log->drives);
  return is_written;
}
