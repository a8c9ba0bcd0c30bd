// Loops in C of what Python calls once a step: what footfall.measure compares Python with.
#include "glue.h"

ff_status ffp_sim_loop(ff_sim *sim, const double *u, int steps, ff_error *error)
{
  ff_status status = FF_OK;
  for (int k = 0; k < steps && status == FF_OK; ++k) {
    status = ff_sim_set_controls(sim, u, error);
    if (status == FF_OK)
      status = ff_sim_step(sim, NULL, error);
  }
  return status;
}

ff_status ffp_batch_loop(ff_batch *batch, const double *u, int steps, ff_error *error)
{
  ff_status status = FF_OK;
  for (int k = 0; k < steps && status == FF_OK; ++k) {
    status = ff_batch_set_controls(batch, u, error);
    if (status == FF_OK)
      status = ff_batch_step(batch, NULL, error);
  }
  return status;
}
