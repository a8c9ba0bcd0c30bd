// States and parameters of a batch's robots, one by one and all at once.
#include "batch/batch.h"

#include "base/fail.h"
#include "model/model.h"

#include <string.h>

ff_sim *ff_batch_sim(ff_batch *batch, int robot)
{
  if (!batch || robot < 0 || robot >= batch->def.robots)
    return NULL;
  ffi_batch_settle(batch);
  ffi_batch_worker *w = ffi_batch_worker_of(batch, robot);
  ff_sim *sim = ffi_batch_enter(w, robot);
  w->guest = robot;
  w->guest_stamp = sim->state->stamp;
  return sim;
}

static ff_status name_robot(int robot, const ff_error *cause, ff_error *error)
{
  return ffi_fail(error, cause->status, NULL, 0, NULL, "robot %d: %.700s", robot, cause->message);
}

static int is_chosen(const unsigned char *mask, int robot)
{
  return !mask || mask[robot];
}

ff_status ff_batch_reset(ff_batch *batch, const unsigned char *mask, const double *q, const double *v,
                         ff_error *error)
{
  if (!batch)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_batch_reset", "the batch is NULL");
  const ff_model_size *size = &batch->world->model->size;
  const size_t nq = (size_t)size->nq, nv = (size_t)size->nv;
  for (int i = 0; i < batch->def.robots; ++i) {
    ff_error cause;
    if (!is_chosen(mask, i))
      continue;
    ff_sim *sim = ff_batch_sim(batch, i);
    if (ff_sim_reset(sim, q ? q + (size_t)i * nq : NULL, v ? v + (size_t)i * nv : NULL, &cause) != FF_OK)
      return name_robot(i, &cause, error);
  }
  ffi_batch_settle(batch);
  return FF_OK;
}

int ff_batch_state_size(const ff_batch *batch)
{
  return ff_sim_state_size(batch->workers[0].host);
}

ff_status ff_batch_get_states(ff_batch *batch, double *states, ff_error *error)
{
  if (!batch || !states)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_batch_get_states", "%s NULL",
                    batch ? "`states` is" : "the batch is");
  const size_t size = (size_t)ff_batch_state_size(batch);
  for (int i = 0; i < batch->def.robots; ++i)
    ff_sim_get_state(ff_batch_sim(batch, i), states + (size_t)i * size);
  ffi_batch_settle(batch);
  return FF_OK;
}

ff_status ff_batch_set_states(ff_batch *batch, const unsigned char *mask, const double *states,
                              ff_error *error)
{
  if (!batch || !states)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_batch_set_states", "%s NULL",
                    batch ? "`states` is" : "the batch is");
  const size_t size = (size_t)ff_batch_state_size(batch);
  for (int i = 0; i < batch->def.robots; ++i) {
    ff_error cause;
    if (is_chosen(mask, i) &&
        ff_sim_set_state(ff_batch_sim(batch, i), states + (size_t)i * size, &cause) != FF_OK)
      return name_robot(i, &cause, error);
  }
  ffi_batch_settle(batch);
  return FF_OK;
}

ff_status ff_batch_set_parameters(ff_batch *batch, int robot, const ff_parameters *parameters,
                                  ff_error *error)
{
  ff_sim *sim = ff_batch_sim(batch, robot);
  if (!sim)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_batch_set_parameters", "there is no robot %d",
                    robot);
  return ff_sim_set_parameters(sim, parameters, error);
}
