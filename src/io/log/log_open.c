// Opening a log: is it one, can all of it be read, how many rows has it?
#define _POSIX_C_SOURCE 200809L
#include "base/fail.h"
#include "io/log/log_place.h"
#include "io/log/log_read.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

ff_status ffi_log_open_damaged(const ff_log *log, ff_error *error, const char *what)
{
  if (errno == ENOMEM)
    return ffi_fail(error, FF_ERROR_MEMORY, log->info.path, 0, NULL, "no memory to read it");
  ffi_log_be_quiet_at_exit();
  return ffi_fail(error, FF_ERROR_PARSE, log->info.path, 0, NULL,
                  "the log is damaged: %s cannot be read. If it is a copy, copy it again; else run it again",
                  what);
}

// In a file that is being written HDF5 may meet records that are half written. It then reads them again, a hundred
// times, and waits twice as long each time, from 1 ns on: for centuries, if they are damaged. 24 times take 30 ms;
// where nobody writes any more, 8 are enough for programs whose lock we do not see.
enum { ATTEMPTS_BUSY = 24, ATTEMPTS_ALONE = 8 };

// One that is finished, or, as HDF5 calls it, one with a single writer: alive, or killed.
static hid_t open_file(const char *path)
{
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file >= 0)
    return file;
  const hid_t how = H5Pcreate(H5P_FILE_ACCESS);
  if (H5Pset_metadata_read_attempts(how, ffi_log_place_is_busy(path) ? ATTEMPTS_BUSY : ATTEMPTS_ALONE) >= 0)
    file = H5Fopen(path, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, how);
  H5Pclose(how);
  return file;
}

// Is it shorter than its first record says? HDF5 then reads nothing of it. The record: a signature of 8 bytes, the
// version, two sizes and flags, one byte each, two addresses of 8 bytes, and the length.
static int is_cut(const char *path, long long *have, long long *need)
{
  enum { LENGTH_AT = 28 };
  unsigned char head[LENGTH_AT + 8];
  FILE *file = fopen(path, "rb");
  const int is_read =
      file && fread(head, 1, sizeof head, file) == sizeof head && fseek(file, 0, SEEK_END) == 0;
  *have = is_read ? ftell(file) : 0;
  if (file)
    fclose(file);
  *need = 0;
  for (int i = 7; is_read && i >= 0; --i)
    *need = (long long)((unsigned long long)*need << 8 | head[LENGTH_AT + i]);
  return is_read && head[8] == 3 && *have < *need && *need < (long long)1 << 50;
}

static ff_status open_any(ff_log *log, ff_error *error)
{
  const char *path = log->info.path;
  FILE *probe = fopen(path, "rb");
  if (!probe && errno == ENOMEM)
    return ffi_log_open_damaged(log, error, "it");
  if (!probe)
    return ffi_fail(error, FF_ERROR_FILE, path, 0, NULL, "cannot be opened: %s",
                    errno == ENOENT ? "there is no such file" : "it may not be read");
  fclose(probe);
  if (H5Fis_hdf5(path) <= 0)
    return ffi_fail(
        error, FF_ERROR_PARSE, path, 0, NULL,
        "is not a log; Footfall reads HDF5 logs, which 'footfall run MODEL --out FILE.h5' writes");
  log->file = open_file(path);
  if (log->file >= 0)
    return FF_OK;
  long long have, need;
  if (errno == ENOMEM || !is_cut(path, &have, &need))
    return ffi_log_open_damaged(log, error, "the file as a whole");
  ffi_log_be_quiet_at_exit();
  return ffi_fail(
      error, FF_ERROR_PARSE, path, 0, NULL,
      "the log is damaged: its end is missing, it has %lld bytes of %lld, and none can be read. If it "
      "is a copy, copy it again; else run it again",
      have, need);
}

static ff_status check_format(ff_log *log, ff_error *error)
{
  char *format = ffi_log_get_text(log->file, "format"), *program = ffi_log_get_text(log->file, "program");
  int version = 0;
  ff_status status = FF_OK;
  if (!format && (errno == ENOMEM || H5Aexists(log->file, "format") != 0))
    status = ffi_log_open_damaged(log, error, "its format");
  else if (!format || strcmp(format, FFI_LOG_FORMAT) != 0 ||
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

// The writer may be about to write it: then its checksum is wrong for a moment.
static int read_done(const ff_log *log, ffi_log_done *done)
{
  enum { TRIES = 5 };
  const struct timespec moment = {.tv_nsec = 1000000};
  const int count = log->info.has_sums ? 5 : 4;
  for (int tries = 0; tries < TRIES; ++tries) {
    if (!ffi_log_read_part(log->file, "done", H5T_NATIVE_INT64, (ffi_log_read_rows){0, count, 1}, done))
      return 0;
    if (!log->info.has_sums || ffi_log_end_is_right(log, done))
      return 1;
    nanosleep(&moment, NULL);
  }
  return 0;
}

static ff_status read_sizes(ff_log *log, ff_error *error)
{
  ff_log_info *info = &log->info;
  ffi_log_done done = {0};
  int counts[2] = {0};
  const htri_t has_sums = H5Lexists(log->file, FFI_LOG_SUMS_TABLE, H5P_DEFAULT);
  info->has_sums = has_sums > 0;
  if (has_sums < 0 || !read_done(log, &done) || done.rows < 0 || done.contacts < 0 || done.states < 0 ||
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
                        .is_whole = done.is_whole != 0,
                        .has_sums = info->has_sums};
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
      width_of(log->file, "states/tau", 2, done.states) != nv || state < 1 ||
      (info->has_sums && (width_of(log->file, FFI_LOG_SUMS_TABLE, 1, done.rows) != 1 ||
                          width_of(log->file, "states/sum", 1, done.states) != 1)))
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
  b->sums = ffi_arena_take(&log->arena, rows, sizeof *b->sums);
  b->is_bad = ffi_arena_take(&log->arena, rows, sizeof *b->is_bad);
  log->state = ffi_arena_take(&log->arena, (size_t)log->state_size + 1, sizeof *log->state);
  log->state_q = ffi_arena_take(&log->arena, nq, sizeof *log->state_q);
  log->state_tau = ffi_arena_take(&log->arena, nv, sizeof *log->state_tau);
  log->memory = ffi_arena_take(&log->arena, (size_t)log->memory_size + 1, sizeof *log->memory);
  if (log->memory && b->time && b->q && b->v && b->tau && b->motor && b->energy && b->steps && b->sums &&
      b->is_bad && log->state && log->state_q && log->state_tau)
    return FF_OK;
  return ffi_fail(error, FF_ERROR_MEMORY, log->info.path, 0, NULL, "no memory to read it");
}

static ff_status open_tables(ff_log *log, ff_error *error)
{
  static const char *const names[FFI_LOG_READ_TABLES] = {
      "time", "q", "v", "tau", "motor", "energy", "steps", "contacts", FFI_LOG_SUMS_TABLE};
  for (int i = 0; i < FFI_LOG_READ_TABLES - !log->info.has_sums; ++i) {
    log->tables[i] = H5Dopen2(log->file, names[i], H5P_DEFAULT);
    if (log->tables[i] < 0)
      return ffi_log_open_damaged(log, error, "its tables");
  }
  return FF_OK;
}

// The time of the first row from `at` on, or of the last one before, that is not damaged. 0: there is none.
static int good_time(ff_log *log, long long at, int way, double *out)
{
  while (at >= 0 && at < log->info.rows) {
    const ffi_log_read_block *b = &log->block;
    if (ffi_log_read_block_of(log, at, NULL) != FF_OK) { // the next block
      at = way > 0 ? at - at % FFI_LOG_READ_BLOCK + FFI_LOG_READ_BLOCK : at - at % FFI_LOG_READ_BLOCK - 1;
    } else if (b->is_bad[at - b->first]) {
      at += way;
    } else {
      *out = b->time[at - b->first];
      return 1;
    }
  }
  return 0;
}

// Without any good row a log may still be resumed.
static ff_status read_ends(ff_log *log, ff_error *error)
{
  const long long rows = log->info.rows;
  if (rows == 0 || (good_time(log, 0, 1, &log->info.from) && good_time(log, rows - 1, -1, &log->info.to)))
    return FF_OK;
  log->info.from = log->info.to = (double)NAN;
  return errno == ENOMEM ? ffi_log_open_damaged(log, error, "its rows") : FF_OK;
}

ff_status ff_log_open(const char *path, ff_log **out, ff_error *error)
{
  if (out)
    *out = NULL;
  if (!path || !out)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_log_open", "an argument is NULL");
  ff_log *log = calloc(1, sizeof *log);
  if (log)
    log->file = -1, log->block.damaged = -1;
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
