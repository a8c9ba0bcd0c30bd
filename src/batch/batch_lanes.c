// Takes robots to the lanes of calm steps, and those whose step is not calm to the sim's stepper. See batch_lanes.h.
#include "batch/batch_lanes.h"

#include "model/model.h"
#include "step/step_kernels.h"

#include <string.h>

ffi_batch_lanes *ffi_batch_lanes_layout(const ffi_lane_plan *plan, ffi_block *block)
{
  if (plan->why_not)
    return NULL;
  const ffi_system s = ffi_system_of(plan->world);
  ffi_batch_lanes *c = ffi_block_keep(block, 1, sizeof *c), x = {0};
  x.kernels = ffi_lane_kernels_find(s.k->isa);
  x.work = x.kernels->layout(plan, block);
  if (c)
    *c = x;
  return c;
}

// ---- Who may ------------------------------------------------------------------------------------------------

// May the step of a robot be taken in lanes, as far as its state and parameters alone say?
static int fits_lanes(const ffi_batch_worker *w, const ffi_sim_robot *r)
{
  const ff_world *world = w->batch->world;
  const ffi_state *x = r->state;
  const ffi_lane_plan *plan = &w->batch->plan;
  if (x->is_placed || (world->model->lift && r->parameters != world->nominal))
    return 0;
  for (int i = 0; i < 6 * world->colliders.ground_count; ++i)
    if (x->ground_velocity[i] != 0)
      return 0;
  for (int i = 0; i < x->touching_count; ++i)
    if (plan->feature_of_id[x->touching[i].id] < 0)
      return 0;
  return 1;
}

// ---- A pass ---------------------------------------------------------------------------------------------------

static void fill_lane(ffi_batch_worker *w, int lane, int robot)
{
  ffi_sim_robot *r = &w->batch->robots[robot];
  w->lanes->pass.lane[lane] = (ffi_lane_robot){r->state, r->state, r->tau, r->parameters};
}

// The step of a lane becomes that of its robot.
static void take(ffi_batch_worker *w, int lane, int robot)
{
  const ffi_lane_pass *pass = &w->lanes->pass;
  const ffi_lane_report *report = &pass->report[lane];
  ff_step_info info = {.converged = 1,
                       .slipping = report->slipping,
                       .force_error = report->force_error,
                       .penetration = report->penetration};
  if (w->batch->world->def.stepper == FF_STEPPER_EXPO ||
      w->batch->world->def.stepper == FF_STEPPER_EXPO_PAPER) {
    info.pieces = 1;
    info.substeps = info.factorisations = pass->subintervals; // 1, or 1 and 1
  }
  ffi_sim_robot_step_finish(w->batch->world, &info, report, &w->host->stamps, &w->batch->robots[robot]);
  ffi_batch_show(w->batch, robot);
}

static const ff_batch_alone reasons[FFI_LANE_REASONS] = {
    [FFI_LANE_STATE] = FF_BATCH_ALONE_STATE, [FFI_LANE_TOUCH] = FF_BATCH_ALONE_TOUCH,
    [FFI_LANE_SLIP] = FF_BATCH_ALONE_SLIP,   [FFI_LANE_JOINT] = FF_BATCH_ALONE_JOINT,
    [FFI_LANE_ERROR] = FF_BATCH_ALONE_ERROR, [FFI_LANE_FAST] = FF_BATCH_ALONE_FAST,
};

// The step of a robot is not calm.
static void step_alone(ffi_batch_worker *w, int robot, ffi_lane_reason reason)
{
  const size_t nv = (size_t)w->batch->world->model->size.nv;
  ffi_batch_step_robot(w, robot,
                       w->lanes->tau ? w->lanes->tau + (size_t)(robot - w->lanes->first) * nv : NULL,
                       reasons[reason]);
}

// Pass robots of a queue through the lanes.
static void run_pass(ffi_batch_worker *w, const int *robots, int count, int subintervals)
{
  ffi_batch_lanes *c = w->lanes;
  ffi_lane_pass *pass = &c->pass;
  pass->dt = w->batch->world->def.dt;
  pass->subintervals = subintervals;
  pass->lanes = count;
  for (int k = 0; k < count; ++k)
    fill_lane(w, k, robots[k]);
  c->kernels->step(c->work, pass);
  w->lanes_passed += c->kernels->lanes;
  for (int k = 0; k < count; ++k) {
    w->lane_steps += pass->outcome[k] == FFI_LANE_DONE;
    if (pass->outcome[k] == FFI_LANE_DONE)
      take(w, k, robots[k]);
    else if (pass->outcome[k] == FFI_LANE_FINER && subintervals == 1 &&
             w->batch->world->def.expo.max_substeps > 1)
      c->queue[1][c->waiting[1]++] = robots[k];
    else
      step_alone(w, robots[k], pass->reason[k]);
  }
}

static void run_queue(ffi_batch_worker *w, int number)
{
  ffi_batch_lanes *c = w->lanes;
  for (int first = 0; first < c->waiting[number]; first += c->kernels->lanes) {
    const int left = c->waiting[number] - first;
    run_pass(w, c->queue[number] + first, left < c->kernels->lanes ? left : c->kernels->lanes, number + 1);
  }
}

// The torques of a robot for this step to its own tau, as ff_sim_step() sums them.
static void sum_torques(ffi_sim_robot *r, const double *tau, int nv)
{
  for (int i = 0; i < nv; ++i) {
    double sum = tau ? tau[i] : 0;
    if (r->has_push)
      sum += r->push[i];
    if (r->has_control)
      sum += r->control[i];
    r->tau[i] = sum;
  }
}

void ffi_batch_lanes_step(ffi_batch_worker *w, int first, int last, const double *tau)
{
  ff_batch *b = w->batch;
  ffi_batch_lanes *c = w->lanes;
  const size_t nv = (size_t)b->world->model->size.nv;
  for (int i = first; i < last && !c; ++i)
    ffi_batch_step_robot(w, i, tau ? tau + (size_t)(i - first) * nv : NULL, FF_BATCH_ALONE_WORLD);
  if (!c)
    return;
  c->waiting[0] = c->waiting[1] = 0;
  c->tau = tau;
  c->first = first;
  for (int i = first; i < last; ++i) {
    if (b->status[i] != FF_OK)
      continue;
    sum_torques(&b->robots[i], tau ? tau + (size_t)(i - first) * nv : NULL, (int)nv);
    if (fits_lanes(w, &b->robots[i]))
      c->queue[0][c->waiting[0]++] = i;
    else
      step_alone(w, i, FFI_LANE_STATE);
  }
  run_queue(w, 0);
  run_queue(w, 1);
}
