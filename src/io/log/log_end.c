// How a run ended. Its datasets are made at the start, with the outcome of a program that is killed, because a file
// that is read while it is written can get no new datasets.
#include "io/log/log_read.h"
#include "io/log/log_sum.h"
#include "io/log/log_write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static hid_t text_type(size_t size)
{
  const hid_t type = H5Tcopy(H5T_C_S1);
  if (type >= 0 && H5Tset_size(type, size) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0)
    return type;
  H5Tclose(type);
  return -1;
}

static const char *const names[3] = {"outcome", "reason", "time"};
static const size_t sizes[3] = {FFI_LOG_OUTCOME_SIZE, FFI_LOG_REASON_SIZE, 0};

static hid_t type_of(int part)
{
  return sizes[part] > 0 ? text_type(sizes[part]) : H5Tcopy(H5T_NATIVE_DOUBLE);
}

int ffi_log_end_create(ff_log_writer *w)
{
  const hid_t group = H5Gcreate2(w->file, "end", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
              space = H5Screate(H5S_SCALAR);
  int is_good = group >= 0 && space >= 0;
  for (int i = 0; i < 3 && is_good; ++i) {
    const hid_t type = type_of(i);
    w->end_sets[i] = H5Dcreate2(group, names[i], type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    is_good = w->end_sets[i] >= 0;
    H5Tclose(type);
  }
  H5Sclose(space);
  H5Gclose(group);
  snprintf(w->outcome, sizeof w->outcome, "%s", FFI_LOG_NOT_ENDED);
  is_good = is_good && ffi_log_end_write(w);
  snprintf(w->outcome, sizeof w->outcome, "finished");
  return is_good;
}

int ffi_log_end_write(ff_log_writer *w)
{
  const void *values[3] = {w->outcome, w->reason, &w->last_time};
  int is_good = 1;
  for (int i = 0; i < 3; ++i) {
    const hid_t type = type_of(i);
    is_good = is_good && H5Dwrite(w->end_sets[i], type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values[i]) >= 0 &&
              H5Dflush(w->end_sets[i]) >= 0;
    H5Tclose(type);
  }
  return is_good;
}

void ffi_log_end_close(ff_log_writer *w)
{
  for (int i = 0; i < 3; ++i)
    if (w->end_sets[i] > 0)
      H5Dclose(w->end_sets[i]);
}

// As many whole characters as fit, the rest zero, so that equal runs give equal files.
static void take(char *to, size_t size, const char *from)
{
  size_t length = strlen(from) < size ? strlen(from) : size - 1;
  while (length > 0 && from[length] && ((unsigned char)from[length] & 0xc0) == 0x80)
    --length; // within a letter of several bytes
  memset(to, 0, size);
  memcpy(to, from, length);
}

void ff_log_set_end(ff_log_writer *w, const char *outcome, const char *reason)
{
  if (!w)
    return;
  take(w->outcome, sizeof w->outcome, outcome && *outcome ? outcome : "finished");
  take(w->reason, sizeof w->reason, reason ? reason : "");
}

// ---- The count of what is there -------------------------------------------------------------------------------------

int64_t ffi_log_end_sum(const ffi_log_done *done, const char *outcome, const char *reason, double time)
{
  uint64_t sum = ffi_log_sum_add(ffi_log_sum_begin(0), done, offsetof(ffi_log_done, sum));
  if (done->is_whole) { // else they do not count
    sum = ffi_log_sum_add(sum, outcome, FFI_LOG_OUTCOME_SIZE);
    sum = ffi_log_sum_add(sum, reason, FFI_LOG_REASON_SIZE);
    sum = ffi_log_sum_add(sum, &time, sizeof time);
  }
  return (int64_t)sum;
}

// ---- Reading --------------------------------------------------------------------------------------------------------

static int read_value(hid_t group, int part, void *out)
{
  const hid_t set = H5Dopen2(group, names[part], H5P_DEFAULT), type = type_of(part),
              space = H5Dget_space(set);
  const int is_good = set >= 0 && H5Sget_simple_extent_npoints(space) == 1 &&
                      H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) >= 0;
  H5Sclose(space);
  H5Tclose(type);
  H5Dclose(set);
  return is_good;
}

int ffi_log_end_is_right(const ff_log *log, const ffi_log_done *done)
{
  char outcome[FFI_LOG_OUTCOME_SIZE] = "", reason[FFI_LOG_REASON_SIZE] = "";
  double time = 0;
  int is_read = 1;
  if (done->is_whole) {
    const hid_t group = H5Gopen2(log->file, "end", H5P_DEFAULT);
    is_read = read_value(group, 0, outcome) && read_value(group, 1, reason) && read_value(group, 2, &time);
    H5Gclose(group);
  }
  return is_read &&
         ffi_log_sum_is((uint64_t)ffi_log_end_sum(done, outcome, reason, time), (uint64_t)done->sum);
}

// One without it was written by an earlier version: all that is known is whether it was finished.
int ffi_log_end_read(ff_log *log)
{
  ff_log_info *info = &log->info;
  char outcome[FFI_LOG_OUTCOME_SIZE] = "", reason[FFI_LOG_REASON_SIZE] = "";
  info->ended = info->to;
  if (H5Lexists(log->file, "end", H5P_DEFAULT) > 0) {
    const hid_t group = H5Gopen2(log->file, "end", H5P_DEFAULT);
    const int is_read = read_value(group, 0, outcome) && read_value(group, 1, reason) &&
                        (!info->is_whole || read_value(group, 2, &info->ended));
    H5Gclose(group);
    if (!is_read)
      return 0;
  }
  outcome[sizeof outcome - 1] = reason[sizeof reason - 1] = '\0';
  info->outcome = ffi_arena_string(&log->arena, !info->is_whole ? FFI_LOG_NOT_ENDED
                                                : outcome[0]    ? outcome
                                                                : "finished");
  info->reason = ffi_arena_string(&log->arena, info->is_whole ? reason : "");
  return info->outcome && info->reason;
}
