// Creates and frees a batch. All its memory but the hosts' is one block.
#include "batch/batch_lanes.h"

#include "base/def.h"
#include "base/fail.h"
#include "model/model.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const ff_batch_def defaults = {.robots = 1};
static const ffi_def_kind kind = {"ff_batch_def", sizeof(ff_batch_def), &defaults};

void ff_batch_def_init(ff_batch_def *def, size_t size)
{
  ffi_def_init(def, size, &kind);
}

static ff_status check(const ff_batch_def *def, ff_error *error)
{
  if (def->robots < 1 || def->robots > FF_BATCH_MOST_ROBOTS)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_batch_create", "robots is %d; it must be 1..%d",
                    def->robots, FF_BATCH_MOST_ROBOTS);
  if (def->threads < 0 || def->threads > FF_BATCH_MOST_THREADS)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_batch_create", "threads is %d; it must be 0..%d",
                    def->threads, FF_BATCH_MOST_THREADS);
  return FF_OK;
}

// Run twice: counting and placing.
static void lay_out(ff_batch *b, ffi_block *block)
{
  const ff_model_size *size = &b->world->model->size;
  const size_t n = (size_t)b->def.robots, threads = (size_t)b->def.threads;
  const size_t nu = (size_t)b->world->control_count;
  ffi_sim_robot robot = {0};
  ffi_lane_plan_layout(b->world, block, &b->plan);
  b->workers = ffi_block_keep(block, threads, sizeof *b->workers);
  b->robots = ffi_block_keep(block, n, sizeof *b->robots);
  b->status = ffi_block_keep(block, n, sizeof *b->status);
  b->message = ffi_block_keep(block, n, sizeof *b->message);
  b->q = ffi_block_keep(block, n * (size_t)size->nq, sizeof *b->q);
  b->v = ffi_block_keep(block, n * (size_t)size->nv, sizeof *b->v);
  b->time = ffi_block_keep(block, n, sizeof *b->time);
  for (size_t k = 0; k < threads; ++k) {
    ffi_batch_worker w = {.tau = ffi_block_take(block, FFI_BATCH_BLOCK * (size_t)size->nv, sizeof *w.tau),
                          .u = ffi_block_take(block, FF_BATCH_GROUP * nu, sizeof *w.u),
                          .lanes = ffi_batch_lanes_layout(&b->plan, block)};
    if (b->workers)
      b->workers[k] = w;
  }
  for (size_t i = 0; i < n; ++i)
    ffi_sim_robot_layout(b->world, block, b->robots ? &b->robots[i] : &robot);
}

static size_t bytes_of_robot(const ff_world *world)
{
  ffi_block block = {0};
  ffi_sim_robot robot;
  ffi_sim_robot_layout(world, &block, &robot);
  return ffi_block_round(block.kept);
}

// Robots of worker k: whole groups, so that a group has one worker.
static void divide(ff_batch *b)
{
  const long long groups = (b->def.robots + FF_BATCH_GROUP - 1) / FF_BATCH_GROUP;
  for (int k = 0; k < b->def.threads; ++k) {
    ffi_batch_worker *w = &b->workers[k];
    const long long first = groups * k / b->def.threads, last = groups * (k + 1) / b->def.threads;
    w->batch = b;
    w->guest = w->seen = -1;
    w->first = (int)(first * FF_BATCH_GROUP);
    w->last = last == groups ? b->def.robots : (int)(last * FF_BATCH_GROUP);
  }
}

static ff_status add_hosts(ff_batch *b, ff_error *error)
{
  for (int k = 0; k < b->def.threads; ++k) {
    ffi_batch_worker *w = &b->workers[k];
    const ff_status status = ff_sim_create_in(b->world, &w->host, error);
    if (status != FF_OK)
      return status;
    ffi_sim_robot_leave(w->host, &w->own);
  }
  return FF_OK;
}

static void start_robots(void *user, int member)
{
  ff_batch *b = user;
  ffi_batch_worker *w = &b->workers[member];
  for (int i = w->first; i < w->last; ++i) {
    b->robots[i].parameters = b->world->nominal;
    ffi_sim_state_start(ffi_batch_enter(w, i));
    ffi_batch_leave(w, i);
  }
}

// At most so many threads as there are groups.
static int count_threads(const ff_batch_def *def)
{
  const int wanted = def->threads > 0 ? def->threads : ffi_batch_crew_processors();
  const int groups = (def->robots + FF_BATCH_GROUP - 1) / FF_BATCH_GROUP;
  const int most = groups < FF_BATCH_MOST_THREADS ? groups : FF_BATCH_MOST_THREADS;
  return wanted < most ? wanted : most;
}

static ff_status fill(ff_batch *b, ff_error *error)
{
  ffi_block measure = {0};
  lay_out(b, &measure);
  b->bytes = ffi_block_bytes(&measure);
  b->robot_bytes = bytes_of_robot(b->world);
  b->memory = calloc(1, b->bytes);
  if (!b->memory)
    return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, "ff_batch_create",
                    "no memory for %d robots of %zu bytes", b->def.robots, b->robot_bytes);
  ffi_block block = ffi_block_in(b->memory, &measure);
  lay_out(b, &block);
  assert(block.used <= measure.used && block.kept <= measure.kept);
  divide(b);
  const ff_status status = add_hosts(b, error);
  if (status != FF_OK)
    return status;
  b->crew = ffi_batch_crew_create(b->def.threads, b->def.pinned);
  if (!b->crew)
    return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, "ff_batch_create",
                    "the system gives no %d threads; set ff_batch_def.threads", b->def.threads);
  ffi_batch_crew_run(b->crew, start_robots, b);
  return FF_OK;
}

ff_status ff_batch_create(ff_world *world, const ff_batch_def *def, ff_batch **out, ff_error *error)
{
  ff_batch_def wanted;
  if (!out)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_batch_create", "`out` is NULL");
  *out = NULL;
  if (!world)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_batch_create", "the world is NULL");
  ff_status status = ffi_def_take(def, &kind, &wanted, error);
  if (status == FF_OK)
    status = check(&wanted, error);
  if (status != FF_OK)
    return status;
  ff_batch *b = calloc(1, sizeof *b);
  if (!b)
    return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, "ff_batch_create", "no memory for a batch");
  b->def = wanted;
  b->def.threads = count_threads(&wanted);
  b->world = ffi_sim_world_retain(world);
  status = fill(b, error);
  if (status != FF_OK)
    ff_batch_destroy(b);
  else
    *out = b;
  return status;
}

void ff_batch_destroy(ff_batch *b)
{
  if (!b)
    return;
  if (b->crew)
    ff_batch_wait(b);
  ffi_batch_crew_destroy(b->crew);
  for (int k = 0; b->workers && k < b->def.threads; ++k) {
    ffi_batch_worker *w = &b->workers[k];
    if (!w->host)
      continue;
    if (w->guest >= 0)
      ffi_sim_robot_leave(w->host, &b->robots[w->guest]);
    if (w->own.state)
      ffi_sim_robot_enter(w->host, &w->own);
    ff_sim_destroy(w->host);
  }
  for (int i = 0; b->robots && i < b->def.robots; ++i)
    if (b->robots[i].parameters != b->world->nominal)
      ffi_parameters_free(b->robots[i].parameters);
  ff_world_destroy(b->world);
  free(b->memory);
  free(b);
}

// ---- Robots and hosts ---------------------------------------------------------------------------------------

ffi_batch_worker *ffi_batch_worker_of(const ff_batch *batch, int robot)
{
  int low = 0, high = batch->def.threads - 1;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (robot < batch->workers[middle].last)
      high = middle;
    else
      low = middle + 1;
  }
  return &batch->workers[low];
}

ff_sim *ffi_batch_enter(ffi_batch_worker *w, int robot)
{
  ffi_sim_robot_enter(w->host, &w->batch->robots[robot]);
  return w->host;
}

void ffi_batch_show(ff_batch *b, int robot)
{
  const ff_model_size *size = &b->world->model->size;
  const ffi_state *x = b->robots[robot].state;
  if (size->nq > 0)
    memcpy(b->q + (size_t)robot * (size_t)size->nq, x->q, (size_t)size->nq * sizeof *x->q);
  if (size->nv > 0)
    memcpy(b->v + (size_t)robot * (size_t)size->nv, x->v, (size_t)size->nv * sizeof *x->v);
  b->time[robot] = x->time;
}

void ffi_batch_leave(ffi_batch_worker *w, int robot)
{
  ffi_sim_robot_leave(w->host, &w->batch->robots[robot]);
  ffi_batch_show(w->batch, robot);
}

void ffi_batch_settle(ff_batch *batch)
{
  ff_batch_wait(batch);
  for (int k = 0; k < batch->def.threads; ++k) {
    ffi_batch_worker *w = &batch->workers[k];
    if (w->guest < 0)
      continue;
    ffi_batch_leave(w, w->guest);
    if (w->host->state->stamp != w->guest_stamp)
      batch->status[w->guest] = FF_OK;
    w->guest = -1;
  }
}

void ffi_batch_run(ff_batch *batch, ffi_batch_crew_work work, void *user)
{
  ffi_batch_settle(batch);
  ffi_batch_crew_run(batch->crew, work, user);
}

// ---- Queries ------------------------------------------------------------------------------------------------

ff_world *ff_batch_world(const ff_batch *batch)
{
  return batch->world;
}

int ff_batch_count(const ff_batch *batch)
{
  return batch->def.robots;
}

int ff_batch_threads(const ff_batch *batch)
{
  return batch->def.threads;
}

ff_batch_memory ff_batch_get_memory(const ff_batch *batch)
{
  const ff_model_size *size = &batch->world->model->size;
  const size_t arrays =
      ((size_t)size->nq + (size_t)size->nv + 1) * sizeof(double) + sizeof(ff_status) + FFI_BATCH_MESSAGE;
  ffi_block calm = {0};
  ffi_batch_lanes_layout(&batch->plan, &calm);
  const size_t host = ffi_sim_workspace_bytes(batch->world) + ffi_sim_evaluation_bytes(batch->world);
  return (ff_batch_memory){.robot = batch->robot_bytes + sizeof(ffi_sim_robot) + arrays,
                           .thread = host + ffi_block_bytes(&calm),
                           .total = batch->bytes + (size_t)batch->def.threads * host};
}

const char *ff_batch_alone_name(ff_batch_alone reason)
{
  static const char *const names[] = {"world", "state", "touch", "slip", "joint", "error", "fast"};
  return (int)reason >= 0 && (int)reason < FF_BATCH_ALONE_COUNT ? names[reason] : NULL;
}

ff_batch_counts ff_batch_get_counts(ff_batch *batch)
{
  ff_batch_counts counts = {.why = batch->plan.why_not};
  ffi_batch_settle(batch);
  for (int k = 0; k < batch->def.threads; ++k) {
    for (int r = 0; r < FF_BATCH_ALONE_COUNT; ++r) {
      counts.alone[r] += batch->workers[k].alone[r];
      counts.steps += batch->workers[k].alone[r];
    }
    counts.in_lanes += batch->workers[k].lane_steps;
    counts.lanes += batch->workers[k].lanes_passed;
    counts.useful += batch->workers[k].lane_steps;
  }
  counts.steps += counts.in_lanes;
  return counts;
}

const double *ff_batch_q(ff_batch *batch)
{
  ffi_batch_settle(batch);
  return batch->q;
}

const double *ff_batch_v(ff_batch *batch)
{
  ffi_batch_settle(batch);
  return batch->v;
}

const double *ff_batch_time(ff_batch *batch)
{
  ffi_batch_settle(batch);
  return batch->time;
}
