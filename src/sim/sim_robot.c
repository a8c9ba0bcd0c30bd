// Takes robots into a sim and out of it. See sim_robot.h.
#include "sim/sim_robot.h"

#include "model/model.h"

void ffi_sim_robot_layout(const ff_world *world, ffi_block *block, ffi_sim_robot *robot)
{
  const ffi_system s = ffi_system_of(world);
  const size_t nv = (size_t)world->model->size.nv;
  robot->state = ffi_state_layout(&s, block);
  robot->tau = ffi_block_keep(block, nv, sizeof *robot->tau);
  robot->push = ffi_block_keep(block, nv, sizeof *robot->push);
  robot->control = ffi_block_keep(block, nv, sizeof *robot->control);
}

void ffi_sim_robot_enter(ff_sim *sim, const ffi_sim_robot *robot)
{
  sim->parameters = robot->parameters;
  sim->state = robot->state;
  sim->tau = robot->tau;
  sim->push = robot->push;
  sim->control = robot->control;
  sim->has_push = robot->has_push;
  sim->has_control = robot->has_control;
  sim->last_push.id = robot->last_push_id;
  sim->last_push.force = robot->last_push_force;
  sim->last_push.time = robot->last_push_time;
  sim->info = robot->info;
  sim->totals = robot->totals;
  sim->judgement = robot->judgement;
  sim->history.count = 0;
  atomic_store_explicit(&sim->interrupt.asked, 0, memory_order_relaxed); // it was for another robot
  ffi_sim_bind(sim);
}

void ffi_sim_robot_leave(const ff_sim *sim, ffi_sim_robot *robot)
{
  robot->parameters = sim->parameters;
  robot->state = sim->state;
  robot->tau = sim->tau;
  robot->push = sim->push;
  robot->control = sim->control;
  robot->has_push = sim->has_push;
  robot->has_control = sim->has_control;
  robot->last_push_id = sim->last_push.id;
  robot->last_push_force = sim->last_push.force;
  robot->last_push_time = sim->last_push.time;
  robot->info = sim->info;
  robot->totals = sim->totals;
  robot->judgement = sim->judgement;
}
