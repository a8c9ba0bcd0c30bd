// Opening a log: is it one, can all of it be read, how many rows has it?
#include "base/fail.h"
#include "io/log/log_read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ff_status ffi_log_open_damaged(const ff_log *log, ff_error *error, const char *what)
{
  return ffi_fail(error, FF_ERROR_PARSE, log->info.path, 0, NULL,
                  "the log is damaged: %s cannot be read. If it is a copy, copy it again; else run it again",
                  what);
}

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
        "is not a log; Footfall reads HDF5 logs, which 'footfall run MODEL --out FILE.h5' writes");
  log->file = open_file(path);
  return log->file >= 0 ? FF_OK : ffi_log_open_damaged(log, error, "the file as a whole");
}

static ff_status check_format(ff_log *log, ff_error *error)
{
  char *format = ffi_log_get_text(log->file, "format"), *program = ffi_log_get_text(log->file, "program");
  int version = 0;
  ff_status status = FF_OK;
  if (!format || strcmp(format, FFI_LOG_FORMAT) != 0 ||
      !ffi_log_get_number(log->file, "version", H5T_NATIVE_INT, &version))
    status = ffi_fail(error, FF_ERROR_PARSE, log->info.path, 0, NULL,
                      "is HDF5, but not a log of Footfall: it lacks the attribute 'format'");
  else if (version != FF_LOG_VERSION)
    status = ffi_fail(error, FF_ERROR_UNSUPPORTED, log->info.path, 0, NULL,
                      "is a log of layout %d, and this program reads layout %d: use the program that wrote "
                      "it, %.100s",
                      version, FF_LOG_VERSION, program ? program : "which it does not name");
  log->info.program = program ? ffi_arena_string(&log->arena, program) : NULL;
  if (status == FF_OK && !log->info.program)
    status = ffi_log_open_damaged(log, error, "who wrote it");
  free(format);
  free(program);
  return status;
}

// Numbers in a row of a table with at least `rows` rows; -1: it has fewer, or there is no such table.
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
  if (!ffi_log_read_part(log->file, "done", H5T_NATIVE_INT64, (ffi_log_read_rows){0, 4, 1}, &done) ||
      done.rows < 0 || done.contacts < 0 || done.states < 0 ||
      !ffi_log_get_number(log->file, "nq", H5T_NATIVE_INT, counts) ||
      !ffi_log_get_number(log->file, "nv", H5T_NATIVE_INT, counts + 1) || counts[0] < 0 || counts[1] < 0)
    return ffi_log_open_damaged(log, error, "how many rows it has");
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
  const long long memory = width_of(log->file, "states/memory", 2, done.states);
  log->memory_size = memory > 0 ? (int)memory : 0;
  if (width_of(log->file, "time", 1, done.rows) != 1 || width_of(log->file, "q", 2, done.rows) != nq ||
      width_of(log->file, "v", 2, done.rows) != nv || width_of(log->file, "tau", 2, done.rows) != nv ||
      width_of(log->file, "motor", 2, done.rows) != nv ||
      width_of(log->file, "energy", 2, done.rows) != FFI_LOG_ENERGIES ||
      width_of(log->file, "steps", 1, done.rows) != 1 ||
      width_of(log->file, "contacts", 1, done.contacts) != 1 ||
      width_of(log->file, "states/q", 2, done.states) != nq ||
      width_of(log->file, "states/tau", 2, done.states) != nv || state < 1)
    return ffi_log_open_damaged(log, error, "its tables");
  return FF_OK;
}

static ff_status make_room(ff_log *log, ff_error *error)
{
  ffi_log_read_block *b = &log->block;
  const size_t rows = FFI_LOG_READ_BLOCK, nq = (size_t)log->info.nq + 1, nv = (size_t)log->info.nv + 1;
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
  log->memory = ffi_arena_take(&log->arena, (size_t)log->memory_size + 1, sizeof *log->memory);
  if (log->memory && b->time && b->q && b->v && b->tau && b->motor && b->energy && b->steps && log->state &&
      log->state_q && log->state_tau)
    return FF_OK;
  return ffi_fail(error, FF_ERROR_MEMORY, log->info.path, 0, NULL, "no memory to read it");
}

static ff_status open_tables(ff_log *log, ff_error *error)
{
  static const char *const names[FFI_LOG_READ_TABLES] = {"time",  "q",      "v",     "tau",
                                                         "motor", "energy", "steps", "contacts"};
  for (int i = 0; i < FFI_LOG_READ_TABLES; ++i) {
    log->tables[i] = H5Dopen2(log->file, names[i], H5P_DEFAULT);
    if (log->tables[i] < 0)
      return ffi_log_open_damaged(log, error, "its tables");
  }
  return FF_OK;
}

static ff_status read_ends(ff_log *log, ff_error *error)
{
  const long long rows = log->info.rows;
  if (rows == 0)
    return FF_OK;
  if (!ffi_log_read_part(log->file, "time", H5T_NATIVE_DOUBLE, (ffi_log_read_rows){0, 1, 1},
                         &log->info.from) ||
      !ffi_log_read_part(log->file, "time", H5T_NATIVE_DOUBLE, (ffi_log_read_rows){rows - 1, 1, 1},
                         &log->info.to))
    return ffi_log_open_damaged(log, error, "its times");
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
  for (int i = 0; log && i < FFI_LOG_READ_TABLES; ++i)
    log->tables[i] = -1;
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
    status = ffi_log_source_read(log, error);
  if (status == FF_OK)
    status = make_room(log, error);
  if (status == FF_OK)
    status = open_tables(log, error);
  if (status == FF_OK)
    status = read_ends(log, error);
  if (status == FF_OK && !ffi_log_end_read(log))
    status = ffi_log_open_damaged(log, error, "how the run ended");
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
  for (int i = 0; i < FFI_LOG_READ_TABLES; ++i)
    if (log->tables[i] >= 0)
      H5Dclose(log->tables[i]);
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
