// Rows of a log, read in blocks, and its full states.
#include "io/log/log_read.h"

#include "base/fail.h"
#include "io/log/log_sum.h"
#include "math/quaternion.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

// ---- Rows -----------------------------------------------------------------------------------------------------------

// As ffi_log_read_part() of a table that is open.
static int read_rows(hid_t set, hid_t type, long long first, long long count, long long width, void *out)
{
  const hid_t space = H5Dget_space(set);
  const int rank = H5Sget_simple_extent_ndims(space);
  const hsize_t from[2] = {(hsize_t)first, 0}, size[2] = {(hsize_t)count, (hsize_t)width};
  int is_good = (rank == 1 && width == 1) || rank == 2;
  const hid_t memory = H5Screate_simple(is_good ? rank : 1, size, NULL);
  is_good = is_good && H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, size, NULL) >= 0 &&
            H5Dread(set, type, memory, space, H5P_DEFAULT, out) >= 0;
  H5Sclose(memory);
  H5Sclose(space);
  return is_good;
}

int ffi_log_read_part(hid_t file, const char *name, hid_t type, ffi_log_read_rows rows, void *out)
{
  const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
  const int is_good = read_rows(set, type, rows.first, rows.count, rows.width, out);
  H5Dclose(set);
  return is_good;
}

// No sim has more contacts in a block: a larger count is damaged.
static const long long most_contacts = 1 << 22;

static int room_for_contacts(ffi_log_read_block *b, size_t count)
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

// The ends of rows in the table of contacts never decrease.
static int is_in_order(const ffi_log_read_block *b, long long before, long long all)
{
  for (long long i = 0; i < b->count; ++i) {
    if (b->steps[i].contacts_end < before || b->steps[i].contacts_end > all)
      return 0;
    before = b->steps[i].contacts_end;
  }
  return 1;
}

// Are links and shapes in the range of the robot, or -1? Before the robot is read they cannot be checked.
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
  ffi_log_read_block *b = &log->block;
  const long long count = b->steps[b->count - 1].contacts_end - b->contact_first;
  if (count > most_contacts)
    return ffi_log_open_damaged(log, error, "how many contacts it has");
  if (!room_for_contacts(b, (size_t)count))
    return ffi_fail(error, FF_ERROR_MEMORY, log->info.path, 0, NULL, "no memory for its contacts");
  if (count == 0)
    return FF_OK;
  const hid_t type = ffi_log_contact_type();
  const int is_good =
      read_rows(log->tables[FFI_LOG_READ_CONTACTS], type, b->contact_first, count, 1, b->packed);
  H5Tclose(type);
  if (!is_good)
    return ffi_log_open_damaged(log, error, "its contacts");
  return FF_OK;
}

// Does a row have its checksum, and are its contacts possible?
static int is_good_row(const ff_log *log, long long i, long long from)
{
  const ffi_log_read_block *b = &log->block;
  const long long nq = log->info.nq, nv = log->info.nv, wide_q = nq > 0 ? nq : 1, wide_v = nv > 0 ? nv : 1,
                  count = b->steps[i].contacts_end - b->contact_first - from;
  for (long long k = 0; k < count; ++k)
    if (!is_contact(log, &b->packed[from + k]))
      return 0;
  const ffi_log_sum_row parts = {.time = b->time + i,
                                 .q = b->q + i * wide_q,
                                 .v = b->v + i * wide_v,
                                 .tau = b->tau + i * wide_v,
                                 .motor = b->motor + i * wide_v,
                                 .energy = b->energy + i * FFI_LOG_ENERGIES,
                                 .step = &b->steps[i],
                                 .contacts = count > 0 ? b->packed + from : NULL,
                                 .nq = (int)nq,
                                 .nv = (int)nv,
                                 .contact_count = (int)count};
  return !log->info.has_sums || ffi_log_sum_is(ffi_log_sum_of_row(b->first + i, &parts), b->sums[i]);
}

static void judge_rows(ff_log *log)
{
  ffi_log_read_block *b = &log->block;
  long long from = 0;
  for (long long i = 0; i < b->count; ++i) {
    b->steps[i].none = 0; // not a number of the row
    b->is_bad[i] = !is_good_row(log, i, from);
    for (; from < b->steps[i].contacts_end - b->contact_first; ++from)
      unpack_contact(&b->packed[from], &b->contacts[from]);
  }
}

static ff_status read_block(ff_log *log, long long row, ff_error *error)
{
  ffi_log_read_block *b = &log->block;
  const long long first = row - row % FFI_LOG_READ_BLOCK, left = log->info.rows - first,
                  count = left < FFI_LOG_READ_BLOCK ? left : FFI_LOG_READ_BLOCK;
  const int nq = log->info.nq > 0 ? log->info.nq : 1, nv = log->info.nv > 0 ? log->info.nv : 1;
  const hid_t step = ffi_log_step_type(), real = H5T_NATIVE_DOUBLE, *of = log->tables;
  ffi_log_step before = {0};
  b->count = 0;
  int is_good =
      (first == 0 || read_rows(of[FFI_LOG_READ_STEPS], step, first - 1, 1, 1, &before)) &&
      read_rows(of[FFI_LOG_READ_TIME], real, first, count, 1, b->time) &&
      read_rows(of[FFI_LOG_READ_Q], real, first, count, nq, b->q) &&
      read_rows(of[FFI_LOG_READ_V], real, first, count, nv, b->v) &&
      read_rows(of[FFI_LOG_READ_TAU], real, first, count, nv, b->tau) &&
      read_rows(of[FFI_LOG_READ_MOTOR], real, first, count, nv, b->motor) &&
      read_rows(of[FFI_LOG_READ_ENERGY], real, first, count, FFI_LOG_ENERGIES, b->energy) &&
      read_rows(of[FFI_LOG_READ_STEPS], step, first, count, 1, b->steps) &&
      (!log->info.has_sums || read_rows(of[FFI_LOG_READ_SUMS], H5T_NATIVE_UINT64, first, count, 1, b->sums));
  H5Tclose(step);
  b->first = first;
  b->count = count;
  b->contact_first = before.contacts_end;
  is_good = is_good && before.contacts_end >= 0 && is_in_order(b, before.contacts_end, log->info.contacts);
  const ff_status status = is_good ? read_contacts(log, error) : ffi_log_open_damaged(log, error, "its rows");
  if (status != FF_OK)
    b->count = 0;
  else
    judge_rows(log);
  return status;
}

// One that is damaged is not read again for each of its rows.
ff_status ffi_log_read_block_of(ff_log *log, long long row, ff_error *error)
{
  ffi_log_read_block *b = &log->block;
  if (row >= b->first && row < b->first + b->count)
    return FF_OK;
  if (b->damaged == row - row % FFI_LOG_READ_BLOCK)
    return ffi_log_open_damaged(log, error, "its rows");
  const ff_status status = read_block(log, row, error);
  if (status == FF_ERROR_PARSE)
    b->damaged = row - row % FFI_LOG_READ_BLOCK;
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
  ffi_log_read_block *b = &log->block;
  if (row < b->first || row >= b->first + b->count) {
    const ffi_log_quiet quiet = ffi_log_be_quiet();
    const ff_status status = ffi_log_read_block_of(log, row, error);
    ffi_log_be_as_before(&quiet);
    if (status != FF_OK)
      return status;
  }
  if (b->is_bad[row - b->first])
    return ffi_fail(
        error, FF_ERROR_PARSE, log->info.path, 0, NULL,
        "the log is damaged: row %lld is not as it was written; 'footfall info' says what can be read", row);
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

static int is_good_state(const ff_log *log, long long index, int64_t step, int64_t row,
                         const ff_log_state *state)
{
  const ffi_log_sum_state parts = {.step = step,
                                   .row = row,
                                   .time = state->time,
                                   .q = state->q,
                                   .tau = state->tau,
                                   .state = state->state,
                                   .memory = state->memory,
                                   .nq = log->info.nq,
                                   .nv = log->info.nv,
                                   .state_size = state->state_size,
                                   .memory_size = state->memory_size};
  uint64_t sum;
  return ffi_log_read_part(log->file, "states/sum", H5T_NATIVE_UINT64, (ffi_log_read_rows){index, 1, 1},
                           &sum) &&
         ffi_log_sum_is(ffi_log_sum_of_state(index, &parts), sum);
}

ff_status ff_log_read_state(ff_log *log, long long index, ff_log_state *out, ff_error *error)
{
  if (!log || !out || index < 0 || index >= log->info.states)
    return ffi_fail(error, FF_ERROR_ARGUMENT, log ? log->info.path : NULL, 0, NULL,
                    "there is no full state %lld in it", index);
  const int nq = log->info.nq > 0 ? log->info.nq : 1, nv = log->info.nv > 0 ? log->info.nv : 1;
  const hid_t real = H5T_NATIVE_DOUBLE, file = log->file;
  const ffi_log_read_rows one = {index, 1, 1};
  int64_t step = 0, row = 0;
  const ffi_log_quiet quiet = ffi_log_be_quiet();
  *out = (ff_log_state){
      .state = log->state, .state_size = log->state_size, .q = log->state_q, .tau = log->state_tau};
  if (log->memory_size > 0 &&
      ffi_log_read_part(file, "states/memory", real, (ffi_log_read_rows){index, 1, log->memory_size},
                        log->memory)) {
    out->memory = log->memory;
    out->memory_size = log->memory_size;
  }
  const int is_good =
      ffi_log_read_part(file, "states/step", H5T_NATIVE_INT64, one, &step) &&
      ffi_log_read_part(file, "states/row", H5T_NATIVE_INT64, one, &row) &&
      ffi_log_read_part(file, "states/time", real, one, &out->time) &&
      ffi_log_read_part(file, "states/q", real, (ffi_log_read_rows){index, 1, nq}, log->state_q) &&
      ffi_log_read_part(file, "states/tau", real, (ffi_log_read_rows){index, 1, nv}, log->state_tau) &&
      ffi_log_read_part(file, "states/state", real, (ffi_log_read_rows){index, 1, log->state_size},
                        log->state) &&
      (!log->info.has_sums || is_good_state(log, index, step, row, out)) && step >= 0 &&
      log->state_size > 1 && log->state[1] == log->state_size;
  const ff_status status = is_good ? FF_OK : ffi_log_open_damaged(log, error, "its full state");
  ffi_log_be_as_before(&quiet);
  out->step = step;
  out->row = row;
  return status;
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
