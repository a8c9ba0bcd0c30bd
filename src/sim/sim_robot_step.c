// The end of a step that was taken in lanes: what ff_sim_step() does for one that a sim has taken.
#include "sim/sim_robot.h"

#include "model/model.h"
#include "step/system/parameters.h"

#include <string.h>

static void clear_inputs(ffi_sim_robot *r, size_t nv)
{
  if (r->has_push)
    memset(r->push, 0, nv * sizeof *r->push);
  if (r->has_control)
    memset(r->control, 0, nv * sizeof *r->control);
  r->has_push = r->has_control = 0;
}

// What moves by itself. Ground stands still in lanes.
static void advance(const ff_world *world, const ffi_lane_report *report, ffi_state *x)
{
  const double dt = world->def.dt;
  x->time += dt;
  x->is_placed = 0;
  x->control_work += report->control_work;
  for (int e = 0; e < world->element_count; ++e)
    x->reference[e] += dt * x->reference_velocity[e];
  if (x->element_force_count > 0) // no element in lanes has one
    memset(x->element_force, 0, (size_t)x->element_force_count * sizeof *x->element_force);
}

void ffi_sim_robot_step_finish(const ff_world *world, const ff_step_info *info, const ffi_lane_report *report,
                               uint64_t *stamps, ffi_sim_robot *r)
{
  ffi_state *x = r->state;
  r->info = *info;
  const ffi_sim_judged judged = {&r->judgement, &r->info, &r->parameters->model, world->def.dt};
  ffi_sim_judgement_begin_with(&judged, x->stamp, report->energy[0], report->energy[1]);
  advance(world, report, x);
  x->stamp = ++*stamps;
  ffi_sim_judgement_delay(&r->judgement, x->stamp, report->control_work + report->reference_work);
  if (world->max_pending > 0 && ffi_sim_elements_take_due(world, x))
    x->stamp = ++*stamps; // not judged: its springs are not those that the step left
  r->info.contacts = x->touching_count;
  ffi_sim_info_add(&r->info, &r->totals);
  if (report->push_id >= 0) {
    r->last_push_id = report->push_id;
    r->last_push_force = report->push;
    r->last_push_time = x->time;
  }
  clear_inputs(r, (size_t)world->model->size.nv);
}
