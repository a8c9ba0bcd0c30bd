// A log as a recording: every row is a state.
#include "base/fail.h"

#include <footfall/log.h>

// Time between rows, which may be several steps apart.
static double spacing_of(const ff_log_info *info)
{
  return info->rows > 1 ? (info->to - info->from) / (double)(info->rows - 1) : info->dt;
}

static ff_status add_row(ff_log *log, long long k, ff_record *record, int is_last, ff_error *error)
{
  ff_log_row row;
  const ff_status status = ff_log_read(log, k, &row, error);
  if (status != FF_OK)
    return status;
  const ff_record_state state = {.time = row.time,
                                 .q = row.q,
                                 .v = row.v,
                                 .tau = row.tau,
                                 .motor = row.motor,
                                 .contacts = row.contacts,
                                 .contact_count = row.contact_count,
                                 .energy = row.energy};
  return ff_record_add(record, &state, is_last, error);
}

ff_status ff_log_record(ff_log *log, ff_record *record, ff_error *error)
{
  ff_status status = FF_OK;
  if (!log || !record)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_log_record", "an argument is NULL");
  const long long rows = ff_log_get_info(log)->rows;
  for (long long k = 0; k < rows && status == FF_OK; ++k) {
    if (k + 1 == rows || ff_record_wants(record))
      status = add_row(log, k, record, k + 1 == rows, error);
    else
      ff_record_skip(record);
  }
  return status;
}

ff_status ff_log_record_def(ff_log *log, ff_record_def *def, ff_error *error)
{
  if (!log || !def)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_log_record_def", "an argument is NULL");
  const ff_log_info *info = ff_log_get_info(log);
  def->ground = ff_log_ground(log, &def->ground_count);
  def->spacing = spacing_of(info);
  def->duration = info->to - info->from;
  return ff_log_model(log, &def->model, error);
}
