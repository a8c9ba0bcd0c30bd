// Is anything in a log damaged? All of it is read and compared with its checksums.
#include "base/fail.h"
#include "io/log/log_read.h"

#include <stdlib.h>
#include <string.h>

// ---- Rows and states ------------------------------------------------------------------------------------------------

static void add_rows(ff_log_damage *out, long long first, long long count)
{
  if (out->rows == 0)
    out->first_row = first;
  out->last_row = first + count - 1;
  out->rows += count;
}

static ff_status check_rows(ff_log *log, ff_log_damage *out, ff_error *error)
{
  const ffi_log_read_block *b = &log->block;
  for (long long row = 0; row < log->info.rows; row += FFI_LOG_READ_BLOCK) {
    const long long left = log->info.rows - row,
                    count = left < FFI_LOG_READ_BLOCK ? left : FFI_LOG_READ_BLOCK;
    const ff_status status = ffi_log_read_block_of(log, row, error);
    if (status == FF_ERROR_MEMORY)
      return status;
    if (status != FF_OK)
      add_rows(out, row, count);
    for (long long i = 0; status == FF_OK && i < count; ++i)
      if (b->is_bad[i])
        add_rows(out, row + i, 1);
  }
  return FF_OK;
}

static ff_status check_states(ff_log *log, ff_log_damage *out, ff_error *error)
{
  ff_log_state state;
  out->last_state = -1;
  for (long long i = 0; i < log->info.states; ++i) {
    const ff_status status = ff_log_read_state(log, i, &state, error);
    if (status == FF_ERROR_MEMORY)
      return status;
    if (status == FF_OK) {
      out->last_state = i;
      out->last_time = state.time;
    }
    out->states += status != FF_OK;
  }
  return FF_OK;
}

// ---- Names and units ------------------------------------------------------------------------------------------------

// They are for other readers: ours has them from the model.
static int is_good_list(hid_t file, const char *name)
{
  const hid_t set = H5Dopen2(file, name, H5P_DEFAULT), type = H5Dget_type(set), space = H5Dget_space(set);
  const size_t size = H5Tget_size(type);
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  int is_good = set >= 0 && size > 0 && size < (size_t)1 << 20 && count >= 0 && count < 1 << 24;
  char *text = is_good ? calloc((size_t)count + 1, size) : NULL;
  is_good = text && (count == 0 || H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0) &&
            ffi_log_has_sum(set, text, (size_t)count * size);
  free(text);
  H5Sclose(space);
  H5Tclose(type);
  H5Dclose(set);
  return is_good;
}

static ff_status check_lists(ff_log *log, ff_log_damage *out, ff_error *error)
{
  static const char *const lists[] = {"names/q",     "names/v",      "names/energy",
                                      "names/links", "names/joints", "names/shapes",
                                      "units/q",     "units/v",      "units/tau"};
  for (size_t i = 0; i < sizeof lists / sizeof lists[0] && !out->list; ++i) {
    if (is_good_list(log->file, lists[i]))
      continue;
    out->list = lists[i];
    if (ffi_log_open_damaged(log, error, lists[i]) == FF_ERROR_MEMORY)
      return FF_ERROR_MEMORY;
  }
  return FF_OK;
}

ff_status ff_log_check(ff_log *log, ff_log_damage *out, ff_error *error)
{
  if (!log || !out)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_log_check", "an argument is NULL");
  const ffi_log_quiet quiet = ffi_log_be_quiet();
  ff_error why;
  *out = (ff_log_damage){0};
  ff_status status = check_rows(log, out, &why);
  if (status == FF_OK)
    status = check_states(log, out, &why);
  if (status == FF_OK && log->info.has_sums)
    status = check_lists(log, out, &why);
  ffi_log_be_as_before(&quiet);
  if (status != FF_OK && error)
    *error = why;
  return status;
}
