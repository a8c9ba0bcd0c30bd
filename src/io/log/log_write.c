// A log as it is written: rows, states, commits, the end.
#define _GNU_SOURCE // the strerror_r that returns its text
#include "io/log/log_write.h"

#include "base/clock.h"
#include "base/def.h"
#include "base/fail.h"
#include "io/load.h"
#include "io/log/log_sum.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const double commit_seconds = 0.4; // so that less than a second is lost, even with a long step on top

static const ff_log_def defaults = {.size = sizeof defaults, .state_interval = 1};
static const ffi_def_kind def_kind = {"ff_log_def", sizeof defaults, &defaults};

void ff_log_def_init(ff_log_def *def, size_t size)
{
  ffi_def_init(def, size, &def_kind);
}

// ---- The file -------------------------------------------------------------------------------------------------------

// No memory, or the disk's reason, or HDF5's; and where the log is that was there before.
static ff_status fail(ff_log_writer *w, ff_error *error)
{
  char reason[300];
  const char *path = w->place.path;
  if (w->disk.error == ENOMEM || (!w->disk.error && errno == ENOMEM)) {
    w->failed = FF_ERROR_MEMORY;
    return ffi_fail(error, FF_ERROR_MEMORY, path, 0, NULL, "no memory to write it");
  }
  w->failed = FF_ERROR_FILE;
  if (w->disk.error == EBUSY)
    return ffi_fail(
        error, FF_ERROR_FILE, path, 0, NULL,
        "cannot be written: another program is writing this log. Wait until it has ended, or choose "
        "another file");
  if (w->disk.error)
    snprintf(reason, sizeof reason, "%s", strerror_r(w->disk.error, (char[128]){0}, 128));
  else if (w->why[0])
    snprintf(reason, sizeof reason, "%s", w->why);
  else
    ffi_log_reason(reason, sizeof reason);
  if (w->place.has_kept)
    return ffi_fail(error, FF_ERROR_FILE, path, 0, NULL,
                    "cannot be written: %s (the log that was there before is now %s)", reason, w->place.kept);
  return ffi_fail(error, FF_ERROR_FILE, path, 0, NULL, "cannot be written: %s", reason);
}

// An existing file will be replaced; programs that have it open keep it.
static ff_status check_place(const char *path, ff_error *error)
{
  struct stat info;
  if (lstat(path, &info) != 0)
    return FF_OK; // creating it reports the error
  if (!S_ISREG(info.st_mode) && !S_ISLNK(info.st_mode))
    return ffi_fail(error, FF_ERROR_FILE, path, 0, NULL, "cannot be written: it is not a regular file");
  if (access(path, W_OK) != 0 && errno != ENOENT)
    return ffi_fail(error, FF_ERROR_FILE, path, 0, NULL, "cannot be replaced: %s",
                    errno == EACCES || errno == EPERM ? "Permission denied" : "it is in use, or read-only");
  return FF_OK;
}

// The newest format, which alone can be read while it is written; new objects have no time stamps, so equal runs give
// equal files.
static int create_file(ff_log_writer *w)
{
  w->disk.file = ffi_log_place_open(&w->place);
  if (w->disk.file < 0) {
    w->disk.error = errno;
    return 0;
  }
  const hid_t how = H5Pcreate(H5P_FILE_ACCESS);
  if (ffi_log_disk_use(how, &w->disk) && H5Pset_libver_bounds(how, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST) >= 0)
    w->file = H5Fcreate(w->place.part, H5F_ACC_EXCL, H5P_DEFAULT, how);
  if (w->file < 0) {
    ffi_log_reason(w->why, sizeof w->why); // before HDF5 does anything else
    unlink(w->place.part);
    if (w->disk.file >= 0)
      close(w->disk.file);
  }
  H5Pclose(how);
  return w->file >= 0;
}

static int put_in_place(ff_log_writer *w)
{
  if (ffi_log_place_move(&w->place))
    return 1;
  w->disk.error = errno;
  return 0;
}

static int create_done(ff_log_writer *w)
{
  const hsize_t size = sizeof w->done / sizeof w->done.rows;
  w->done.sum = ffi_log_end_sum(&w->done, w->outcome, w->reason, w->last_time);
  const hid_t space = H5Screate_simple(1, &size, NULL);
  w->done_set = H5Dcreate2(w->file, "done", H5T_NATIVE_INT64, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Sclose(space);
  return w->done_set >= 0 &&
         H5Dwrite(w->done_set, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &w->done) >= 0;
}

enum { FEW = 32 }; // full states

static int create_tables(ff_log_writer *w, long long rows)
{
  const hid_t step = ffi_log_step_type(), contact = ffi_log_contact_type(), real = H5T_NATIVE_DOUBLE,
              whole = H5T_NATIVE_INT64, sum = H5T_NATIVE_UINT64;
  const hid_t group = H5Gcreate2(w->file, "states", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const int nq = w->nq > 0 ? w->nq : 1, nv = w->nv > 0 ? w->nv : 1;
  const struct {
    const char *name, *unit;
    hid_t place, type;
    ffi_log_write_table kind;
    int width;
  } all[] = {
      {"time", "s", w->file, real, FFI_LOG_TIME, 0},
      {"q", "as units/q says", w->file, real, FFI_LOG_Q, nq},
      {"v", "as units/v says", w->file, real, FFI_LOG_V, nv},
      {"tau", "as units/tau says", w->file, real, FFI_LOG_TAU, nv},
      {"motor", "as units/tau says", w->file, real, FFI_LOG_MOTOR, nv},
      {"energy", "J; control_power W", w->file, real, FFI_LOG_ENERGY, FFI_LOG_ENERGIES},
      {"steps", "penetration m, drift m, drift_angle rad", w->file, step, FFI_LOG_STEPS, 0},
      {FFI_LOG_SUMS_TABLE, "1", w->file, sum, FFI_LOG_SUMS, 0},
      {"contacts", "point m, force N, slip m/s, penetration m", w->file, contact, FFI_LOG_CONTACTS, 0},
      {"step", "1", group, whole, FFI_LOG_STATE_STEP, 0},
      {"row", "1", group, whole, FFI_LOG_STATE_ROW, 0},
      {"time", "s", group, real, FFI_LOG_STATE_TIME, 0},
      {"q", "as units/q says", group, real, FFI_LOG_STATE_Q, nq},
      {"tau", "as units/tau says", group, real, FFI_LOG_STATE_TAU, nv},
      {"state", "as ff_sim_get_state() has it", group, real, FFI_LOG_STATE, w->state_size},
      {"sum", "1", group, sum, FFI_LOG_STATE_SUM, 0},
      {"memory", "as ff_scene_get_memory() has it", group, real, FFI_LOG_STATE_MEMORY,
       w->scene ? ff_scene_memory_size(w->scene) : 0},
  };
  int is_good = step >= 0 && contact >= 0 && group >= 0;
  for (size_t i = 0; is_good && i < sizeof all / sizeof all[0]; ++i) {
    const long long expected = all[i].place == group             ? FEW
                               : all[i].kind == FFI_LOG_CONTACTS ? 4 * rows
                                                                 : rows;
    ffi_log_table *table = &w->tables[all[i].kind];
    if (all[i].kind == FFI_LOG_STATE_MEMORY && !w->scene)
      continue;
    is_good = ffi_log_table_create(all[i].place, all[i].name, all[i].type, all[i].width, expected, table) &&
              ffi_log_put_text(table->dataset, "unit", all[i].unit);
  }
  H5Gclose(group);
  H5Tclose(step);
  H5Tclose(contact);
  return is_good;
}

static void destroy(ff_log_writer *w)
{
  for (int i = 0; i < FFI_LOG_TABLES; ++i)
    ffi_log_table_close(&w->tables[i]);
  ffi_log_press_destroy(w->press);
  ffi_log_disk_release(&w->disk);
  free(w->zeros);
  free(w->last_q);
  free(w->last_tau);
  free(w->state);
  free(w->memory);
  free(w->contacts);
  ffi_log_place_free(&w->place);
  free(w);
}

static ff_log_writer *make_writer(const char *path, const ff_log_def *def)
{
  const ff_model_size size = ff_model_get_size(def->model);
  ff_log_writer *w = calloc(1, sizeof *w);
  if (!w)
    return NULL;
  w->file = w->done_set = -1;
  w->sim = def->sim;
  w->scene = def->scene;
  w->nq = size.nq;
  w->nv = size.nv;
  w->state_size = ff_sim_state_size(def->sim);
  w->state_interval = def->state_interval;
  w->next_state = -(double)INFINITY;
  w->state_at = -1;
  w->disk.file = -1;
  w->zeros = calloc((size_t)(w->nq > w->nv ? w->nq : w->nv) + 1, sizeof *w->zeros);
  w->state = calloc((size_t)w->state_size + 1, sizeof *w->state);
  w->memory = calloc(def->scene ? (size_t)ff_scene_memory_size(def->scene) : 1, sizeof *w->memory);
  w->last_q = calloc((size_t)w->nq + 1, sizeof *w->last_q);
  w->last_tau = calloc((size_t)w->nv + 1, sizeof *w->last_tau);
  w->press = ffi_log_press_create();
  if (!ffi_log_place_create(&w->place, path) || !w->press || !w->zeros || !w->state || !w->memory ||
      !w->last_q || !w->last_tau) {
    destroy(w);
    return NULL;
  }
  return w;
}

static ff_status create(const char *path, const ff_log_def *def, ff_log_writer **out, ff_error *error)
{
  ff_status status = check_place(path, error);
  if (status != FF_OK)
    return status;
  ff_log_writer *w = make_writer(path, def);
  if (!w)
    return ffi_fail(error, FF_ERROR_MEMORY, path, 0, NULL, "no memory for a log");
  const ffi_log_quiet quiet = ffi_log_be_quiet();
  if (!create_file(w) || !ffi_log_head_write(w->file, def) || !create_tables(w, def->rows) ||
      !create_done(w) || !ffi_log_end_create(w) || H5Fflush(w->file, H5F_SCOPE_GLOBAL) < 0 ||
      H5Fstart_swmr_write(w->file) < 0 || w->disk.error || !put_in_place(w)) {
    status = fail(w, error);
    if (w->file >= 0) {
      unlink(w->place.part); // nobody could read it
      H5Fclose(w->file);
    }
    destroy(w);
  } else {
    w->committed = ffi_clock_seconds();
    *out = w;
  }
  ffi_log_be_as_before(&quiet);
  return status;
}

ff_status ff_log_create(const char *path, const ff_log_def *user_def, ff_log_writer **out, ff_error *error)
{
  ff_log_def def;
  ff_load_def load;
  if (out)
    *out = NULL;
  if (!path || !user_def || !out)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_log_create", "an argument is NULL");
  ff_status status = ffi_def_take(user_def, &def_kind, &def, error);
  if (status == FF_OK)
    status = ffi_load_def_take(def.load, &load, error);
  if (status != FF_OK)
    return status;
  if (!def.model || !def.sim || !(def.state_interval > 0))
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_log_create",
                    "model or sim is NULL, or state_interval not positive");
  def.load = &load;
  return create(path, &def, out, error);
}

// ---- Rows -----------------------------------------------------------------------------------------------------------

static int append(ff_log_writer *w, ffi_log_write_table kind, const void *rows, long long count)
{
  return ffi_log_table_append(&w->tables[kind], w->press, rows, count);
}

static ffi_log_step pack_step(const ff_log_row *row, long long contacts_end)
{
  const ff_step_info *i = &row->info;
  return (ffi_log_step){.step = row->step,
                        .contacts_end = contacts_end,
                        .contacts = i->contacts,
                        .slipping = i->slipping,
                        .pieces = i->pieces,
                        .touchdowns = i->touchdowns,
                        .liftoffs = i->liftoffs,
                        .slips = i->slips,
                        .sticks = i->sticks,
                        .events_capped = i->events_capped,
                        .factorisations = i->factorisations,
                        .substeps = i->substeps,
                        .capped = i->capped,
                        .integrator_steps = i->integrator_steps,
                        .rejected = i->rejected,
                        .inaccurate = i->inaccurate,
                        .projections = i->projections,
                        .located = i->located,
                        .iterations = i->iterations,
                        .converged = i->converged,
                        .fallbacks = i->fallbacks,
                        .penetration = i->penetration,
                        .force_error = i->force_error,
                        .residual = i->residual,
                        .drift = i->drift,
                        .drift_angle = i->drift_angle};
}

static ffi_log_contact pack_contact(const ff_contact *c)
{
  ffi_log_contact out = {.id = c->id,
                         .shape_a = c->shape_a,
                         .shape_b = c->shape_b,
                         .ground = c->ground,
                         .link_a = c->link_a,
                         .link_b = c->link_b,
                         .mode = (int32_t)c->mode,
                         .slip = {(float)c->slip[0], (float)c->slip[1]},
                         .penetration = (float)c->penetration};
  for (int k = 0; k < 3; ++k) {
    out.point[k] = (float)c->point[k];
    out.normal[k] = (float)c->normal[k];
    out.force[k] = (float)c->force[k];
  }
  return out;
}

static int pack_contacts(ff_log_writer *w, const ff_log_row *row)
{
  const int count = row->contact_count;
  if (count > w->contact_room) {
    ffi_log_contact *larger = realloc(w->contacts, 2 * (size_t)count * sizeof *larger);
    if (!larger)
      return 0;
    w->contacts = larger;
    w->contact_room = 2 * count;
  }
  for (int i = 0; i < count; ++i)
    w->contacts[i] = pack_contact(&row->contacts[i]);
  return 1;
}

static int append_row(ff_log_writer *w, const ff_log_row *row)
{
  const ff_energy *e = &row->energy;
  const double energy[FFI_LOG_ENERGIES] = {e->kinetic, e->potential,     e->elastic,
                                           e->total,   e->control_power, e->control_work};
  const ffi_log_step step = pack_step(row, w->tables[FFI_LOG_CONTACTS].rows + row->contact_count);
  const double *q = w->nq > 0 ? row->q : w->zeros, *v = w->nv > 0 ? row->v : w->zeros,
               *tau = w->nv > 0 && row->tau ? row->tau : w->zeros,
               *motor = w->nv > 0 && row->motor ? row->motor : w->zeros;
  if (!pack_contacts(w, row))
    return 0;
  const ffi_log_sum_row parts = {.time = &row->time,
                                 .q = q,
                                 .v = v,
                                 .tau = tau,
                                 .motor = motor,
                                 .energy = energy,
                                 .step = &step,
                                 .contacts = w->contacts,
                                 .nq = w->nq,
                                 .nv = w->nv,
                                 .contact_count = row->contact_count};
  const uint64_t sum = ffi_log_sum_of_row(w->tables[FFI_LOG_TIME].rows, &parts);
  return append(w, FFI_LOG_CONTACTS, w->contacts, row->contact_count) &&
         append(w, FFI_LOG_TIME, &row->time, 1) && append(w, FFI_LOG_Q, q, 1) && append(w, FFI_LOG_V, v, 1) &&
         append(w, FFI_LOG_TAU, tau, 1) && append(w, FFI_LOG_MOTOR, motor, 1) &&
         append(w, FFI_LOG_ENERGY, energy, 1) && append(w, FFI_LOG_STEPS, &step, 1) &&
         append(w, FFI_LOG_SUMS, &sum, 1);
}

static void remember(ff_log_writer *w, const ff_log_row *row)
{
  w->last_time = row->time;
  w->last_step = row->step;
  memcpy(w->last_q, row->q, (size_t)w->nq * sizeof *row->q);
  memcpy(w->last_tau, row->tau ? row->tau : w->zeros, (size_t)w->nv * sizeof *row->tau);
}

// The full state of the last row, if it is not written yet and the sim still has it.
static int append_state(ff_log_writer *w)
{
  const int64_t at = w->tables[FFI_LOG_TIME].rows - 1;
  if (w->state_at == at || ff_sim_time(w->sim) != w->last_time)
    return 1;
  w->state_at = at;
  w->next_state = w->last_time + w->state_interval * (1 - 1e-9); // a sum of steps may stay a rounding below
  ff_sim_get_state(w->sim, w->state);
  if (w->scene)
    ff_scene_get_memory(w->scene, w->memory);
  const ffi_log_sum_state parts = {.step = w->last_step,
                                   .row = at,
                                   .time = w->last_time,
                                   .q = w->last_q,
                                   .tau = w->last_tau,
                                   .state = w->state,
                                   .memory = w->memory,
                                   .nq = w->nq,
                                   .nv = w->nv,
                                   .state_size = w->state_size,
                                   .memory_size = w->scene ? ff_scene_memory_size(w->scene) : 0};
  const uint64_t sum = ffi_log_sum_of_state(w->tables[FFI_LOG_STATE].rows, &parts);
  return append(w, FFI_LOG_STATE_STEP, &w->last_step, 1) && append(w, FFI_LOG_STATE_ROW, &at, 1) &&
         append(w, FFI_LOG_STATE_TIME, &w->last_time, 1) && append(w, FFI_LOG_STATE_Q, w->last_q, 1) &&
         append(w, FFI_LOG_STATE_TAU, w->last_tau, 1) &&
         (!w->scene || append(w, FFI_LOG_STATE_MEMORY, w->memory, 1)) &&
         append(w, FFI_LOG_STATE_SUM, &sum, 1) && append(w, FFI_LOG_STATE, w->state, 1);
}

// ---- Commits --------------------------------------------------------------------------------------------------------

// Tables first, down to the disk, then the record of how many rows they have: it is true whenever the program is
// killed.
static int commit(ff_log_writer *w, int is_last)
{
  ffi_log_done done = {.rows = w->tables[FFI_LOG_TIME].rows,
                       .contacts = w->tables[FFI_LOG_CONTACTS].rows,
                       .states = w->tables[FFI_LOG_STATE].rows,
                       .is_whole = is_last};
  done.sum = ffi_log_end_sum(&done, w->outcome, w->reason, w->last_time);
  for (int i = 0; i < FFI_LOG_TABLES; ++i)
    if (!(is_last ? ffi_log_table_finish(&w->tables[i], w->press) : ffi_log_table_commit(&w->tables[i])))
      return 0;
  if (!ffi_log_press_take(w->press) || H5Fflush(w->file, H5F_SCOPE_GLOBAL) < 0 || w->disk.error ||
      (is_last && !ffi_log_end_write(w)) ||
      H5Dwrite(w->done_set, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &done) < 0 ||
      H5Dflush(w->done_set) < 0 || w->disk.error)
    return 0;
  w->done = done;
  w->committed = ffi_clock_seconds();
  return 1;
}

// Does the row fill up a chunk? Then HDF5 is called.
static int fills_up(const ff_log_writer *w, const ff_log_row *row)
{
  for (int i = 0; i < FFI_LOG_CONTACTS; ++i)
    if ((w->tables[i].rows + 1) % w->tables[i].chunk_rows == 0)
      return 1;
  const ffi_log_table *contacts = &w->tables[FFI_LOG_CONTACTS];
  return contacts->rows % contacts->chunk_rows + row->contact_count >= contacts->chunk_rows;
}

ff_status ff_log_write(ff_log_writer *w, const ff_log_row *row, ff_error *error)
{
  if (!w || !row || !row->q || !row->v || row->contact_count < 0)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_log_write", "an argument is NULL");
  if (w->failed != FF_OK)
    return ffi_fail(error, w->failed, w->place.path, 0, NULL, "could not be written before");
  const int is_due = ffi_clock_seconds() - w->committed > commit_seconds,
            has_state = is_due || row->time >= w->next_state, calls = has_state || fills_up(w, row);
  const ffi_log_quiet quiet = calls ? ffi_log_be_quiet() : (ffi_log_quiet){0};
  ff_status status = FF_OK;
  remember(w, row);
  if (!append_row(w, row) || (has_state && !append_state(w)) || (is_due && !commit(w, 0)) || w->disk.error)
    status = fail(w, error);
  if (calls)
    ffi_log_be_as_before(&quiet);
  return status;
}

long long ff_log_written(const ff_log_writer *w)
{
  return w ? w->done.rows : 0;
}

ff_status ff_log_finish(ff_log_writer *w, ff_error *error)
{
  if (!w)
    return FF_OK;
  const ffi_log_quiet quiet = ffi_log_be_quiet();
  const int had_failed = w->failed != FF_OK;
  ff_status status = FF_OK;
  if (had_failed)
    status = ffi_fail(error, w->failed, w->place.path, 0, NULL, "could not be written before");
  else if (!append_state(w) || !commit(w, 1))
    status = fail(w, error);
  for (int i = 0; i < FFI_LOG_TABLES; ++i)
    ffi_log_table_close(&w->tables[i]);
  H5Dclose(w->done_set);
  ffi_log_end_close(w);
  const int is_lost = ffi_log_place_is_lost(w->disk.file);
  if ((H5Fclose(w->file) < 0 || w->disk.error) && status == FF_OK)
    status = fail(w, error);
  if (is_lost && status == FF_OK)
    status = ffi_fail(error, FF_ERROR_FILE, w->place.path, 0, NULL,
                      "was removed or replaced while it was written, and its rows are lost");
  if (status == FF_OK)
    ffi_log_place_end(&w->place);
  destroy(w);
  ffi_log_be_as_before(&quiet);
  return status;
}
