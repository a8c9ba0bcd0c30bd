// Rows of a log into arrays.
#include "glue.h"

#include <math.h>
#include <string.h>

static void copy_or_nan(double *out, const double *from, int count)
{
  for (int i = 0; out && i < count; ++i)
    out[i] = from ? from[i] : (double)NAN;
}

ff_status ffp_log_read(ff_log *log, long long first, long long count, const ffp_log_arrays *out,
                       ff_error *error)
{
  const ff_log_info *info = ff_log_get_info(log);
  const size_t energies = sizeof(ff_energy) / sizeof(double);
  long long contacts = 0;
  for (long long k = 0; k < count; ++k) {
    ff_log_row row;
    const ff_status status = ff_log_read(log, first + k, &row, error);
    if (status != FF_OK)
      return status;
    if (out->time)
      out->time[k] = row.time;
    if (out->step)
      out->step[k] = row.step;
    copy_or_nan(out->q ? out->q + k * info->nq : NULL, row.q, info->nq);
    copy_or_nan(out->v ? out->v + k * info->nv : NULL, row.v, info->nv);
    copy_or_nan(out->tau ? out->tau + k * info->nv : NULL, row.tau, info->nv);
    copy_or_nan(out->motor ? out->motor + k * info->nv : NULL, row.motor, info->nv);
    if (out->energy)
      memcpy(out->energy + (size_t)k * energies, &row.energy, sizeof row.energy);
    if (out->info)
      out->info[k] = row.info;
    if (out->contact_starts)
      out->contact_starts[k] = contacts;
    if (out->contacts && row.contact_count > 0)
      memcpy(out->contacts + contacts, row.contacts, (size_t)row.contact_count * sizeof *row.contacts);
    contacts += row.contact_count;
  }
  if (out->contact_starts)
    out->contact_starts[count] = contacts;
  return FF_OK;
}
