// Steps of a batch: every worker takes its robots, block by block.
#include "batch/batch_lanes.h"

#include "base/fail.h"
#include "model/model.h"

#include <stdio.h>
#include <string.h>

// A robot that fails takes no more steps. Its message is kept, as much of it as there is room for.
static void note(ff_batch *b, int robot, ff_status status, const ff_error *error)
{
  b->status[robot] = status;
  if (status != FF_OK)
    snprintf(b->message[robot], sizeof b->message[robot], "%.*s", FFI_BATCH_MESSAGE - 1, error->message);
}

void ffi_batch_step_robot(ffi_batch_worker *w, int robot, const double *tau, ff_batch_alone reason)
{
  ff_error error;
  if (w->batch->status[robot] != FF_OK)
    return;
  note(w->batch, robot, ff_sim_step(ffi_batch_enter(w, robot), tau, &error), &error);
  ffi_batch_leave(w, robot);
  w->alone[reason] += w->batch->status[robot] == FF_OK;
}

void ffi_batch_step_control(ffi_batch_worker *w, int robot, const double *u)
{
  ff_error error;
  if (w->batch->status[robot] != FF_OK)
    return;
  note(w->batch, robot, ff_sim_set_controls(ffi_batch_enter(w, robot), u, &error), &error);
  ffi_batch_leave(w, robot);
}

// ---- One block ----------------------------------------------------------------------------------------------

static int end_of(const ffi_batch_worker *w, int first, int size)
{
  return first + size < w->last ? first + size : w->last;
}

static void step_block(ffi_batch_worker *w, int first, const ff_batch_inputs *inputs)
{
  const size_t nv = (size_t)w->batch->world->model->size.nv, nu = (size_t)w->batch->world->control_count;
  const int last = end_of(w, first, FFI_BATCH_BLOCK);
  for (int i = first; inputs->u && i < last; ++i)
    ffi_batch_step_control(w, i, inputs->u + (size_t)i * nu);
  ffi_batch_lanes_step(w, first, last, inputs->tau ? inputs->tau + (size_t)first * nv : NULL);
}

ff_sim *ff_batch_group_sim(const ff_batch_group *group, int index)
{
  ffi_batch_worker *w = group ? group->inside : NULL;
  if (!w || index < 0 || index >= group->count)
    return NULL;
  if (w->seen >= 0)
    ffi_batch_leave(w, w->seen);
  w->seen = group->first + index;
  return ffi_batch_enter(w, w->seen);
}

// Ask the controller about a group; its torques to `tau`, zero before. 0: it has stopped.
static int control_group(ffi_batch_worker *w, int first, const ff_batch_inputs *inputs, double *tau)
{
  ff_batch *b = w->batch;
  const size_t nq = (size_t)b->world->model->size.nq, nv = (size_t)b->world->model->size.nv;
  const size_t nu = (size_t)b->world->control_count, at = (size_t)first;
  const ff_batch_group group = {.first = first,
                                .count = end_of(w, first, FF_BATCH_GROUP) - first,
                                .q = b->q + at * nq,
                                .v = b->v + at * nv,
                                .time = b->time + at,
                                .status = b->status + at,
                                .tau = tau,
                                .u = w->u,
                                .inside = w};
  const size_t bytes = (size_t)group.count * nv * sizeof *tau;
  memset(tau, 0, bytes);
  memset(w->u, 0, FF_BATCH_GROUP * nu * sizeof *w->u);
  const ff_batch_written written = inputs->control(&group, inputs->user);
  if (w->seen >= 0)
    ffi_batch_leave(w, w->seen);
  w->seen = -1;
  if (written == FF_BATCH_NOTHING || written == FF_BATCH_U)
    memset(tau, 0, bytes);
  for (int k = 0; k < group.count && (written == FF_BATCH_U || written == FF_BATCH_TAU_AND_U); ++k)
    ffi_batch_step_control(w, first + k, w->u + (size_t)k * nu);
  return written != FF_BATCH_STOP;
}

// stopped [groups of the block]: those that take no further steps. Returns how many go on.
static int control_block(ffi_batch_worker *w, int first, const ff_batch_inputs *inputs, int *stopped)
{
  const size_t nv = (size_t)w->batch->world->model->size.nv;
  const int last = end_of(w, first, FFI_BATCH_BLOCK);
  int going = 0, groups = 0;
  for (int g = first; g < last; g += FF_BATCH_GROUP, ++groups) {
    if (!stopped[groups])
      stopped[groups] = !control_group(w, g, inputs, w->tau + (size_t)(g - first) * nv);
    going += !stopped[groups];
  }
  if (going == groups)
    ffi_batch_lanes_step(w, first, last, w->tau);
  for (int k = 0; k < groups && going < groups; ++k) {
    const int g = first + k * FF_BATCH_GROUP;
    if (!stopped[k])
      ffi_batch_lanes_step(w, g, end_of(w, g, FF_BATCH_GROUP), w->tau + (size_t)(g - first) * nv);
  }
  return going;
}

// All steps of a block before the next one: its robots' states stay in the cache.
static void step_worker(void *user, int member)
{
  ff_batch *b = user;
  ffi_batch_worker *w = &b->workers[member];
  const ff_batch_inputs *inputs = &b->request.inputs;
  for (int first = w->first; first < w->last; first += FFI_BATCH_BLOCK) {
    int stopped[FFI_BATCH_BLOCK / FF_BATCH_GROUP] = {0};
    for (int k = 0; k < b->request.steps; ++k) {
      if (!inputs->control)
        step_block(w, first, inputs);
      else if (control_block(w, first, inputs, stopped) == 0)
        break;
    }
  }
}

// ---- All groups ---------------------------------------------------------------------------------------------

static ff_status request(ff_batch *batch, int steps, const ff_batch_inputs *inputs, const char *name,
                         ff_error *error)
{
  if (!batch)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, name, "the batch is NULL");
  if (steps < 0)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, name, "steps is %d; it must be 0 or more", steps);
  ffi_batch_settle(batch);
  batch->request.steps = steps;
  batch->request.inputs = inputs ? *inputs : (ff_batch_inputs){0};
  return FF_OK;
}

ff_status ff_batch_step_many(ff_batch *batch, int steps, const ff_batch_inputs *inputs, ff_error *error)
{
  const ff_status status = request(batch, steps, inputs, "ff_batch_step_many", error);
  if (status == FF_OK)
    ffi_batch_run(batch, step_worker, batch);
  return status;
}

ff_status ff_batch_step(ff_batch *batch, const double *tau, ff_error *error)
{
  const ff_batch_inputs inputs = {.tau = tau};
  const ff_status status = request(batch, 1, &inputs, "ff_batch_step", error);
  if (status == FF_OK)
    ffi_batch_run(batch, step_worker, batch);
  return status;
}

ff_status ff_batch_begin(ff_batch *batch, int steps, const ff_batch_inputs *inputs, ff_error *error)
{
  const ff_status status = request(batch, steps, inputs, "ff_batch_begin", error);
  if (status != FF_OK)
    return status;
  if (!ffi_batch_crew_begin(batch->crew, step_worker, batch))
    return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, "ff_batch_begin", "the system gives no more threads");
  batch->is_under_way = 1;
  return FF_OK;
}

void ff_batch_wait(ff_batch *batch)
{
  if (!batch || !batch->is_under_way)
    return;
  ffi_batch_crew_wait(batch->crew);
  batch->is_under_way = 0;
}

// ---- Controls and failures ----------------------------------------------------------------------------------

typedef struct controls {
  ff_batch *batch;
  const double *u;
} controls;

static void set_worker_controls(void *user, int member)
{
  const controls *c = user;
  ffi_batch_worker *w = &c->batch->workers[member];
  for (int i = w->first; i < w->last; ++i)
    ffi_batch_step_control(w, i, c->u + (size_t)i * (size_t)c->batch->world->control_count);
}

ff_status ff_batch_set_controls(ff_batch *batch, const double *u, ff_error *error)
{
  if (!batch || !u)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_batch_set_controls", "%s NULL",
                    batch ? "u is" : "the batch is");
  controls c = {batch, u};
  ffi_batch_run(batch, set_worker_controls, &c);
  return FF_OK;
}

const ff_status *ff_batch_status(ff_batch *batch)
{
  ffi_batch_settle(batch);
  return batch->status;
}

int ff_batch_failed(ff_batch *batch)
{
  int failed = 0;
  ffi_batch_settle(batch);
  for (int i = 0; i < batch->def.robots; ++i)
    failed += batch->status[i] != FF_OK;
  return failed;
}

ff_status ff_batch_error(ff_batch *batch, int robot, ff_error *error)
{
  if (!batch || robot < 0 || robot >= batch->def.robots)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_batch_error", "there is no robot %d", robot);
  ffi_batch_settle(batch);
  if (batch->status[robot] == FF_OK)
    return FF_OK;
  return ffi_fail(error, batch->status[robot], NULL, 0, NULL, "robot %d: %s", robot, batch->message[robot]);
}

// A robot of the batch as it is now; NULL: there is none of this number.
static const ffi_sim_robot *find_robot(ff_batch *batch, int robot)
{
  if (!batch || robot < 0 || robot >= batch->def.robots)
    return NULL;
  ffi_batch_settle(batch);
  return &batch->robots[robot];
}

const ff_step_info *ff_batch_info(ff_batch *batch, int robot)
{
  const ffi_sim_robot *found = find_robot(batch, robot);
  return found ? &found->info : NULL;
}

ff_sim_totals ff_batch_get_totals(ff_batch *batch, int robot)
{
  const ffi_sim_robot *found = find_robot(batch, robot);
  return found ? found->totals : (ff_sim_totals){0};
}
