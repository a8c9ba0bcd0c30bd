// Lays out the scratch of a thread once, in one block, and binds robots to it.
#include "sim/sim_workspace.h"

#include <stdlib.h>

// Run twice, counting and placing; the system's world and robot are set.
static void lay_out(ffi_sim_workspace *w, ffi_block *block)
{
  ffi_system *s = &w->system;
  const size_t nv = (size_t)s->model->size.nv;
  s->detection = ffi_detect_layout(s->colliders, block);
  s->work = ffi_block_take(block, 1, sizeof *s->work);
  s->spare = ffi_state_kinematics_layout_work(s, block);
  w->next = ffi_state_layout(s, block);
  w->tau = ffi_block_take(block, nv, sizeof *w->tau);
  w->change = ffi_block_take(block, nv, sizeof *w->change);
  w->other = ffi_block_take(block, nv, sizeof *w->other);
  w->rows = ffi_block_take(block, 3 * (size_t)ffi_evaluation_stride(s), sizeof *w->rows);
  w->dofs = ffi_block_take(block, (size_t)ffi_evaluation_stride(s), sizeof *w->dofs);
  s->memory = s->world->stepper->layout(s, block);
  if (!s->def->watch_passing)
    return;
  ffi_tunnelling_check_layout(s->colliders, block, &w->tunnelling_check);
  w->advance = ffi_advance_layout(s->colliders, block);
}

static ffi_block measure(ffi_sim_workspace *plan)
{
  ffi_block block = {0};
  ffi_block_keep(&block, 1, sizeof *plan);
  lay_out(plan, &block);
  return block;
}

size_t ffi_sim_workspace_bytes(const ff_world *world)
{
  ffi_sim_workspace plan = {.system = ffi_system_of(world)};
  const ffi_block block = measure(&plan);
  return ffi_block_bytes(&block);
}

// Memory comes from calloc(): an exact exponential of 500 contacts takes half a gigabyte, and pages that are never
// used are never touched.
ffi_sim_workspace *ffi_sim_workspace_create(const ff_world *world)
{
  ffi_sim_workspace plan = {.system = ffi_system_of(world)};
  const ffi_block measured = measure(&plan);
  void *memory = calloc(1, ffi_block_bytes(&measured));
  if (!memory)
    return NULL;
  ffi_block block = ffi_block_in(memory, &measured);
  ffi_sim_workspace *w = ffi_block_keep(&block, 1, sizeof *w);
  *w = plan;
  w->memory = memory;
  w->kept = block.kept_base;
  w->kept_bytes = measured.kept;
  w->scratch = block.base;
  w->scratch_bytes = measured.used;
  lay_out(w, &block);
  return w;
}

void ffi_sim_workspace_free(ffi_sim_workspace *w)
{
  if (w)
    free(w->memory);
}

void ffi_sim_workspace_bind(ffi_sim_workspace *w, const ffi_sim_workspace_robot *robot)
{
  ffi_system *s = &w->system;
  s->model = &robot->parameters->model;
  s->elements = robot->parameters->elements;
  s->materials = robot->parameters->materials;
  s->mass_version = robot->parameters->version;
  s->tau = robot->tau;
  s->info = robot->info;
  s->history = robot->history;
  s->interrupt = robot->interrupt;
  s->present = robot->present;
}
