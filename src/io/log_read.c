#include "io/log_read.h"

#include "base/error.h"
#include "math/quaternion.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ff_status ffi_log_damaged(const ff_log *log, ff_error *error, const char *what)
{
  return ffi_fail(error, FF_ERROR_PARSE, log->info.path, 0, NULL,
                  "the log is damaged: %s cannot be read. If it is a copy, copy it again; else run it again",
                  what);
}

// ---- Opening --------------------------------------------------------------------------------------------------------

// One that is finished, or, as HDF5 calls it, one with a single writer: alive, or killed.
static hid_t open_file(const char *path)
{
  const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  return file >= 0 ? file : H5Fopen(path, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, H5P_DEFAULT);
}

static ff_status open_any(ff_log *log, ff_error *error)
{
  const char *path = log->info.path;
  FILE *probe = fopen(path, "rb");
  if (!probe)
    return ffi_fail(error, FF_ERROR_FILE, path, 0, NULL, "cannot be opened: %s",
                    errno == ENOENT ? "there is no such file" : "it may not be read");
  fclose(probe);
  if (H5Fis_hdf5(path) <= 0)
    return ffi_fail(
        error, FF_ERROR_PARSE, path, 0, NULL,
        "is no log: logs that can be read again are HDF5, written by 'footfall run --out FILE.h5'");
  log->file = open_file(path);
  return log->file >= 0 ? FF_OK : ffi_log_damaged(log, error, "the file as a whole");
}

static ff_status check_format(ff_log *log, ff_error *error)
{
  char *format = ffi_log_get_text(log->file, "format"), *program = ffi_log_get_text(log->file, "program");
  int version = 0;
  ff_status status = FF_OK;
  if (!format || strcmp(format, FFI_LOG_FORMAT) != 0 ||
      !ffi_log_get_number(log->file, "version", H5T_NATIVE_INT, &version))
    status = ffi_fail(error, FF_ERROR_PARSE, log->info.path, 0, NULL,
                      "is HDF5, but no log of Footfall: it has no attribute 'format' that says so");
  else if (version != FF_LOG_VERSION)
    status = ffi_fail(error, FF_ERROR_UNSUPPORTED, log->info.path, 0, NULL,
                      "is a log of layout %d, and this program reads layout %d: use the program that wrote "
                      "it, %.100s",
                      version, FF_LOG_VERSION, program ? program : "which it does not name");
  log->info.program = program ? ffi_arena_string(&log->arena, program) : NULL;
  if (status == FF_OK && !log->info.program)
    status = ffi_log_damaged(log, error, "who wrote it");
  free(format);
  free(program);
  return status;
}

// Numbers in a row of a table that has `rows` at least; -1 if it has not, or is no such table.
static long long width_of(hid_t file, const char *name, int rank, long long rows)
{
  const hid_t set = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(set);
  hsize_t size[2] = {0, 1};
  const int is_table =
      H5Sget_simple_extent_ndims(space) == rank && H5Sget_simple_extent_dims(space, size, NULL) == rank;
  H5Sclose(space);
  H5Dclose(set);
  return is_table && size[0] >= (hsize_t)rows && size[1] < 1 << 24 ? (long long)size[1] : -1;
}

static ff_status read_sizes(ff_log *log, ff_error *error)
{
  ff_log_info *info = &log->info;
  ffi_log_done done = {0};
  int counts[2] = {0};
  if (!ffi_log_read_part(log->file, "done", H5T_NATIVE_INT64, 0, 4, 1, &done) || done.rows < 0 ||
      done.contacts < 0 || done.states < 0 || !ffi_log_get_number(log->file, "nq", H5T_NATIVE_INT, counts) ||
      !ffi_log_get_number(log->file, "nv", H5T_NATIVE_INT, counts + 1) || counts[0] < 0 || counts[1] < 0)
    return ffi_log_damaged(log, error, "how many rows it has");
  *info = (ff_log_info){.path = info->path,
                        .title = info->title,
                        .file = info->file,
                        .stepper = info->stepper,
                        .program = info->program,
                        .dt = info->dt,
                        .nq = counts[0],
                        .nv = counts[1],
                        .rows = done.rows,
                        .contacts = done.contacts,
                        .states = done.states,
                        .is_whole = done.is_whole != 0};
  const long long nq = info->nq > 0 ? info->nq : 1, nv = info->nv > 0 ? info->nv : 1,
                  state = width_of(log->file, "states/state", 2, done.states);
  log->state_size = (int)state;
  if (width_of(log->file, "time", 1, done.rows) != 1 || width_of(log->file, "q", 2, done.rows) != nq ||
      width_of(log->file, "v", 2, done.rows) != nv || width_of(log->file, "tau", 2, done.rows) != nv ||
      width_of(log->file, "motor", 2, done.rows) != nv ||
      width_of(log->file, "energy", 2, done.rows) != FFI_LOG_ENERGIES ||
      width_of(log->file, "steps", 1, done.rows) != 1 ||
      width_of(log->file, "contacts", 1, done.contacts) != 1 ||
      width_of(log->file, "states/q", 2, done.states) != nq ||
      width_of(log->file, "states/tau", 2, done.states) != nv || state < 1)
    return ffi_log_damaged(log, error, "its tables");
  return FF_OK;
}

static ff_status make_room(ff_log *log, ff_error *error)
{
  ffi_log_block *b = &log->block;
  const size_t rows = FFI_LOG_BLOCK, nq = (size_t)log->info.nq + 1, nv = (size_t)log->info.nv + 1;
  b->time = ffi_arena_take(&log->arena, rows, sizeof *b->time);
  b->q = ffi_arena_take(&log->arena, rows * nq, sizeof *b->q);
  b->v = ffi_arena_take(&log->arena, rows * nv, sizeof *b->v);
  b->tau = ffi_arena_take(&log->arena, rows * nv, sizeof *b->tau);
  b->motor = ffi_arena_take(&log->arena, rows * nv, sizeof *b->motor);
  b->energy = ffi_arena_take(&log->arena, rows * FFI_LOG_ENERGIES, sizeof *b->energy);
  b->steps = ffi_arena_take(&log->arena, rows + 1, sizeof *b->steps);
  log->state = ffi_arena_take(&log->arena, (size_t)log->state_size + 1, sizeof *log->state);
  log->state_q = ffi_arena_take(&log->arena, nq, sizeof *log->state_q);
  log->state_tau = ffi_arena_take(&log->arena, nv, sizeof *log->state_tau);
  if (b->time && b->q && b->v && b->tau && b->motor && b->energy && b->steps && log->state && log->state_q &&
      log->state_tau)
    return FF_OK;
  return ffi_fail(error, FF_ERROR_MEMORY, log->info.path, 0, NULL, "no memory to read it");
}

static ff_status read_ends(ff_log *log, ff_error *error)
{
  const long long rows = log->info.rows;
  if (rows == 0)
    return FF_OK;
  if (!ffi_log_read_part(log->file, "time", H5T_NATIVE_DOUBLE, 0, 1, 1, &log->info.from) ||
      !ffi_log_read_part(log->file, "time", H5T_NATIVE_DOUBLE, rows - 1, 1, 1, &log->info.to))
    return ffi_log_damaged(log, error, "its times");
  return FF_OK;
}

ff_status ff_log_open(const char *path, ff_log **out, ff_error *error)
{
  if (out)
    *out = NULL;
  if (!path || !out)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_log_open", "an argument is NULL");
  ff_log *log = calloc(1, sizeof *log);
  if (log)
    log->file = -1;
  if (!log || !(log->info.path = ffi_arena_string(&log->arena, path))) {
    free(log);
    return ffi_fail(error, FF_ERROR_MEMORY, path, 0, NULL, "no memory to read it");
  }
  const ffi_log_quiet quiet = ffi_log_be_quiet();
  ff_status status = open_any(log, error);
  if (status == FF_OK)
    status = check_format(log, error);
  if (status == FF_OK)
    status = read_sizes(log, error);
  if (status == FF_OK)
    status = ffi_log_read_head(log, error);
  if (status == FF_OK)
    status = make_room(log, error);
  if (status == FF_OK)
    status = read_ends(log, error);
  ffi_log_be_as_before(&quiet);
  if (status == FF_OK)
    *out = log;
  else
    ff_log_close(log);
  return status;
}

void ff_log_close(ff_log *log)
{
  if (!log)
    return;
  const ffi_log_quiet quiet = ffi_log_be_quiet();
  if (log->file >= 0)
    H5Fclose(log->file);
  ffi_log_be_as_before(&quiet);
  ff_model_destroy(log->model);
  ff_files_destroy(log->files);
  free(log->block.packed);
  free(log->block.contacts);
  ffi_arena_free(&log->arena);
  free(log);
}

const ff_log_info *ff_log_get_info(const ff_log *log)
{
  return &log->info;
}

// ---- Rows -----------------------------------------------------------------------------------------------------------

int ffi_log_read_part(hid_t file, const char *name, hid_t type, long long first, long long count,
                      long long width, void *out)
{
  const hid_t set = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(set);
  const int rank = H5Sget_simple_extent_ndims(space);
  const hsize_t from[2] = {(hsize_t)first, 0}, size[2] = {(hsize_t)count, (hsize_t)width};
  int is_good = (rank == 1 && width == 1) || rank == 2;
  const hid_t memory = H5Screate_simple(is_good ? rank : 1, size, NULL);
  is_good = is_good && H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, size, NULL) >= 0 &&
            H5Dread(set, type, memory, space, H5P_DEFAULT, out) >= 0;
  H5Sclose(memory);
  H5Sclose(space);
  H5Dclose(set);
  return is_good;
}

// More contacts than that in a block are no sim's: their count is damaged.
static const long long most_contacts = 1 << 22;

static int room_for_contacts(ffi_log_block *b, size_t count)
{
  if (count <= b->contact_room)
    return 1;
  ffi_log_contact *packed = realloc(b->packed, 2 * count * sizeof *packed);
  if (packed)
    b->packed = packed;
  ff_contact *contacts = realloc(b->contacts, 2 * count * sizeof *contacts);
  if (contacts)
    b->contacts = contacts;
  if (!packed || !contacts)
    return 0;
  b->contact_room = 2 * count;
  return 1;
}

static void unpack_contact(const ffi_log_contact *from, ff_contact *to)
{
  *to = (ff_contact){.id = from->id,
                     .shape_a = from->shape_a,
                     .shape_b = from->shape_b,
                     .ground = from->ground,
                     .link_a = from->link_a,
                     .link_b = from->link_b,
                     .mode = (ff_contact_mode)from->mode,
                     .slip = {(double)from->slip[0], (double)from->slip[1]},
                     .penetration = (double)from->penetration};
  for (int k = 0; k < 3; ++k) {
    to->point[k] = (double)from->point[k];
    to->normal[k] = (double)from->normal[k];
    to->force[k] = (double)from->force[k];
  }
}

// Where the contacts of a row end never goes back.
static int is_in_order(const ffi_log_block *b, long long before, long long all)
{
  for (long long i = 0; i < b->count; ++i) {
    if (b->steps[i].contacts_end < before || b->steps[i].contacts_end > all)
      return 0;
    before = b->steps[i].contacts_end;
  }
  return 1;
}

// Links and shapes that the robot has, -1: none. Before the robot is read nobody can look them up.
static int is_contact(const ff_log *log, const ffi_log_contact *c)
{
  const int links = log->model ? ff_model_get_size(log->model).links : INT_MAX,
            shapes = log->model ? ff_model_get_size(log->model).shapes : INT_MAX;
  return c->mode >= FF_CONTACT_RELEASED && c->mode <= FF_CONTACT_SLIP && c->link_a >= -1 &&
         c->link_a < links && c->link_b >= -1 && c->link_b < links && c->shape_a >= -1 &&
         c->shape_a < shapes && c->shape_b >= -1 && c->shape_b < shapes;
}

static ff_status read_contacts(ff_log *log, ff_error *error)
{
  ffi_log_block *b = &log->block;
  const long long count = b->steps[b->count - 1].contacts_end - b->contact_first;
  if (count > most_contacts)
    return ffi_log_damaged(log, error, "how many contacts it has");
  if (!room_for_contacts(b, (size_t)count))
    return ffi_fail(error, FF_ERROR_MEMORY, log->info.path, 0, NULL, "no memory for its contacts");
  if (count == 0)
    return FF_OK;
  const hid_t type = ffi_log_contact_type();
  const int is_good = ffi_log_read_part(log->file, "contacts", type, b->contact_first, count, 1, b->packed);
  H5Tclose(type);
  if (!is_good)
    return ffi_log_damaged(log, error, "its contacts");
  for (long long i = 0; i < count; ++i) {
    const ffi_log_contact *c = &b->packed[i];
    if (!is_contact(log, c))
      return ffi_log_damaged(log, error, "a contact");
    unpack_contact(c, &b->contacts[i]);
  }
  return FF_OK;
}

static ff_status read_block(ff_log *log, long long row, ff_error *error)
{
  ffi_log_block *b = &log->block;
  const long long first = row - row % FFI_LOG_BLOCK, left = log->info.rows - first,
                  count = left < FFI_LOG_BLOCK ? left : FFI_LOG_BLOCK;
  const int nq = log->info.nq > 0 ? log->info.nq : 1, nv = log->info.nv > 0 ? log->info.nv : 1;
  const hid_t step = ffi_log_step_type(), real = H5T_NATIVE_DOUBLE, file = log->file;
  ffi_log_step before = {0};
  b->count = 0;
  int is_good = (first == 0 || ffi_log_read_part(file, "steps", step, first - 1, 1, 1, &before)) &&
                ffi_log_read_part(file, "time", real, first, count, 1, b->time) &&
                ffi_log_read_part(file, "q", real, first, count, nq, b->q) &&
                ffi_log_read_part(file, "v", real, first, count, nv, b->v) &&
                ffi_log_read_part(file, "tau", real, first, count, nv, b->tau) &&
                ffi_log_read_part(file, "motor", real, first, count, nv, b->motor) &&
                ffi_log_read_part(file, "energy", real, first, count, FFI_LOG_ENERGIES, b->energy) &&
                ffi_log_read_part(file, "steps", step, first, count, 1, b->steps);
  H5Tclose(step);
  b->first = first;
  b->count = count;
  b->contact_first = before.contacts_end;
  is_good = is_good && before.contacts_end >= 0 && is_in_order(b, before.contacts_end, log->info.contacts);
  const ff_status status = is_good ? read_contacts(log, error) : ffi_log_damaged(log, error, "its rows");
  if (status != FF_OK)
    b->count = 0;
  return status;
}

static ff_step_info unpack_step(const ffi_log_step *s)
{
  return (ff_step_info){.contacts = s->contacts,
                        .slipping = s->slipping,
                        .penetration = s->penetration,
                        .pieces = s->pieces,
                        .touchdowns = s->touchdowns,
                        .liftoffs = s->liftoffs,
                        .slips = s->slips,
                        .sticks = s->sticks,
                        .events_capped = s->events_capped,
                        .factorisations = s->factorisations,
                        .substeps = s->substeps,
                        .capped = s->capped,
                        .force_error = s->force_error,
                        .integrator_steps = s->integrator_steps,
                        .rejected = s->rejected,
                        .inaccurate = s->inaccurate,
                        .projections = s->projections,
                        .located = s->located,
                        .iterations = s->iterations,
                        .converged = s->converged,
                        .residual = s->residual,
                        .fallbacks = s->fallbacks,
                        .drift = s->drift,
                        .drift_angle = s->drift_angle};
}

ff_status ff_log_read(ff_log *log, long long row, ff_log_row *out, ff_error *error)
{
  if (!log || !out || row < 0 || row >= log->info.rows)
    return ffi_fail(error, FF_ERROR_ARGUMENT, log ? log->info.path : NULL, 0, NULL, "there is no row %lld",
                    row);
  ffi_log_block *b = &log->block;
  if (row < b->first || row >= b->first + b->count) {
    const ffi_log_quiet quiet = ffi_log_be_quiet();
    const ff_status status = read_block(log, row, error);
    ffi_log_be_as_before(&quiet);
    if (status != FF_OK)
      return status;
  }
  const size_t i = (size_t)(row - b->first), nq = log->info.nq > 0 ? (size_t)log->info.nq : 1,
               nv = log->info.nv > 0 ? (size_t)log->info.nv : 1;
  const double *e = b->energy + i * FFI_LOG_ENERGIES;
  const long long from = (i > 0 ? b->steps[i - 1].contacts_end : b->contact_first) - b->contact_first;
  *out = (ff_log_row){.time = b->time[i],
                      .step = b->steps[i].step,
                      .q = b->q + i * nq,
                      .v = b->v + i * nv,
                      .tau = b->tau + i * nv,
                      .motor = b->motor + i * nv,
                      .energy = {e[0], e[1], e[2], e[3], e[4], e[5]},
                      .info = unpack_step(&b->steps[i]),
                      .contacts = b->contacts ? b->contacts + from : NULL,
                      .contact_count = (int)(b->steps[i].contacts_end - b->contact_first - from)};
  return FF_OK;
}

// ---- States, and ground ---------------------------------------------------------------------------------------------

ff_status ff_log_read_state(ff_log *log, long long index, ff_log_state *out, ff_error *error)
{
  if (!log || !out || index < 0 || index >= log->info.states)
    return ffi_fail(error, FF_ERROR_ARGUMENT, log ? log->info.path : NULL, 0, NULL,
                    "there is no full state %lld in it", index);
  const int nq = log->info.nq > 0 ? log->info.nq : 1, nv = log->info.nv > 0 ? log->info.nv : 1;
  const hid_t real = H5T_NATIVE_DOUBLE, file = log->file;
  int64_t step = 0, row = 0;
  const ffi_log_quiet quiet = ffi_log_be_quiet();
  *out = (ff_log_state){
      .state = log->state, .state_size = log->state_size, .q = log->state_q, .tau = log->state_tau};
  const int is_good = ffi_log_read_part(file, "states/step", H5T_NATIVE_INT64, index, 1, 1, &step) &&
                      ffi_log_read_part(file, "states/row", H5T_NATIVE_INT64, index, 1, 1, &row) &&
                      ffi_log_read_part(file, "states/time", real, index, 1, 1, &out->time) &&
                      ffi_log_read_part(file, "states/q", real, index, 1, nq, log->state_q) &&
                      ffi_log_read_part(file, "states/tau", real, index, 1, nv, log->state_tau) &&
                      ffi_log_read_part(file, "states/state", real, index, 1, log->state_size, log->state) &&
                      step >= 0 && log->state_size > 1 && log->state[1] == log->state_size;
  ffi_log_be_as_before(&quiet);
  out->step = step;
  out->row = row;
  return is_good ? FF_OK : ffi_log_damaged(log, error, "its full state");
}

ff_pose ff_log_ground_pose(const ff_log *log, int ground, double time)
{
  if (ground < 0 || ground >= log->ground_count)
    return ff_pose_identity();
  const ff_ground_def *g = &log->ground[ground];
  const double *w = g->velocity + 3, rate = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]),
               half = 0.5 * rate * time;
  ff_pose pose = g->shape.pose;
  for (int k = 0; k < 3; ++k)
    pose.position[k] += time * g->velocity[k];
  if (rate > 0) {
    const double s = sin(half) / rate, turn[4] = {s * w[0], s * w[1], s * w[2], cos(half)};
    ffi_quat_mul(turn, g->shape.pose.quaternion, pose.quaternion);
  }
  return pose;
}
