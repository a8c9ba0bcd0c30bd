// Creates, copies and frees a sim. All its memory is laid out here.
#include "sim/sim.h"
#include "base/fail.h"
#include "model/model.h"

#include <stdlib.h>

// What a sim has beside its workspace; run twice: counting and placing. Returns the state.
static ffi_state *lay_out(const ffi_system *s, ffi_block *block, ff_sim *sim)
{
  ffi_state *state = ffi_state_layout(s, block);
  sim->tau = ffi_block_take(block, (size_t)s->model->size.nv, sizeof *sim->tau);
  sim->push = ffi_block_take(block, (size_t)s->model->size.nv, sizeof *sim->push);
  sim->control = ffi_block_take(block, (size_t)s->model->size.nv, sizeof *sim->control);
  sim->contacts = ffi_block_take(block, (size_t)s->max_contacts, sizeof *sim->contacts);
  ffi_evaluation_layout(s, block, &sim->present);
  return state;
}

// Memory for the robot: state, parameters, evaluation.
static ff_status add_robot(ff_sim *sim, ff_error *error)
{
  ffi_block measure = {0};
  lay_out(sim->system, &measure, sim);
  sim->memory = calloc(1, ffi_block_bytes(&measure));
  if (!sim->memory)
    return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, "ff_sim_create", "no memory for a robot of %zu bytes",
                    ffi_block_bytes(&measure));
  ffi_block block = ffi_block_in(sim->memory, &measure);
  sim->state = lay_out(sim->system, &block, sim);
  const ff_status status = ffi_parameters_create(sim->world, &sim->parameters, error);
  if (status == FF_OK)
    ffi_sim_bind(sim);
  return status;
}

void ffi_sim_bind(ff_sim *sim)
{
  const ffi_sim_workspace_robot robot = {.parameters = sim->parameters,
                                         .tau = sim->tau,
                                         .info = &sim->info,
                                         .history = &sim->history,
                                         .interrupt = &sim->interrupt,
                                         .present = &sim->present};
  ffi_sim_workspace_bind(sim->workspace, &robot);
}

size_t ffi_sim_evaluation_bytes(const ff_world *world)
{
  const ffi_system s = ffi_system_of(world);
  ff_sim plan = {0};
  ffi_block block = {0};
  lay_out(&s, &block, &plan);
  return ffi_block_bytes(&block) - world->shape.bytes;
}

// More than this is a mistake in max_contacts, not a wish: it is reserved at once, and taken page by page [bytes].
static const double most_bytes = 64.0 * (1 << 30);

static ff_status check_bytes(const ff_world *world, ff_error *error)
{
  const double bytes = (double)ffi_sim_workspace_bytes(world), giga = 1 << 30;
  if (bytes <= most_bytes)
    return FF_OK;
  const int is_exact =
      world->def.stepper == FF_STEPPER_EXPO && world->def.expo.exponential != FF_EXPONENTIAL_AUTO;
  return ffi_fail(
      error, FF_ERROR_LIMIT, NULL, 0, "ff_sim_create",
      "a simulation of %d velocities with max_contacts = %d takes %.3g GB, more than %g GB; reduce %s%s",
      world->model->size.nv, world->max_contacts, bytes / giga, most_bytes / giga,
      world->max_contacts > 0 ? "max_contacts" : "the robot",
      is_exact ? ", or take the exponential 'auto', which needs less" : "");
}

ff_status ff_sim_create_in(ff_world *world, ff_sim **out, ff_error *error)
{
  if (!out)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_create_in", "`out` is NULL");
  *out = NULL;
  if (!world)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_create_in", "the world is NULL");
  ff_status status = check_bytes(world, error);
  if (status != FF_OK)
    return status;
  ff_sim *sim = calloc(1, sizeof *sim);
  if (!sim)
    return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, "ff_sim_create", "no memory for a simulation");
  atomic_init(&sim->interrupt.asked, 0);
  sim->world = ffi_sim_world_retain(world);
  sim->workspace = ffi_sim_workspace_create(world);
  if (!sim->workspace) {
    status = ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, "ff_sim_create",
                      "no memory for a simulation of %zu bytes; reduce max_contacts",
                      ffi_sim_workspace_bytes(world));
  } else {
    sim->system = &sim->workspace->system;
    status = add_robot(sim, error);
  }
  if (status != FF_OK) {
    ff_sim_destroy(sim);
    return status;
  }
  ffi_sim_state_start(sim);
  *out = sim;
  return FF_OK;
}

ff_status ff_sim_create(const ff_model *model, const ff_sim_def *def, ff_sim **out, ff_error *error)
{
  ff_world *world;
  if (!out)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_create", "`out` is NULL");
  *out = NULL;
  ff_status status = ff_world_create(model, def, &world, error);
  if (status != FF_OK)
    return status;
  status = ff_sim_create_in(world, out, error);
  ff_world_destroy(world); // the sim owns it too
  return status;
}

ff_status ff_sim_clone(const ff_sim *sim, ff_sim **out, ff_error *error)
{
  if (!sim || !out)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_clone", "%s is NULL",
                    sim ? "`out`" : "the sim");
  ff_sim *clone = NULL;
  const ff_status status = ff_sim_create_in(sim->world, &clone, error);
  *out = clone;
  if (status != FF_OK || !clone)
    return status;
  ffi_parameters_copy(sim->parameters, clone->parameters);
  ffi_sim_bind(clone);
  ffi_state_copy(sim->system, sim->state, clone->state);
  const size_t bytes = (size_t)sim->system->model->size.nv * sizeof *clone->tau;
  memcpy(clone->tau, sim->tau, bytes);
  memcpy(clone->push, sim->push, bytes);
  memcpy(clone->control, sim->control, bytes);
  clone->has_push = sim->has_push;
  clone->has_control = sim->has_control;
  clone->info = sim->info;
  clone->history = sim->history;
  clone->totals = sim->totals;
  clone->last_push = sim->last_push;
  ffi_sim_state_changed(clone);
  clone->judgement = sim->judgement;
  clone->judgement.stamp = sim->judgement.stamp == sim->state->stamp ? clone->state->stamp : 0;
  return FF_OK;
}

void ff_sim_destroy(ff_sim *sim)
{
  if (!sim)
    return;
  ffi_sim_workspace_free(sim->workspace);
  ffi_parameters_free(sim->parameters);
  ff_world_destroy(sim->world);
  free(sim->memory);
  free(sim);
}

const ff_model *ff_sim_model(const ff_sim *sim)
{
  return sim->world->model;
}

ff_world *ff_sim_world(const ff_sim *sim)
{
  return sim->world;
}

double ff_sim_dt(const ff_sim *sim)
{
  return sim->world->def.dt;
}

ff_stepper ff_sim_stepper(const ff_sim *sim)
{
  return sim->world->def.stepper;
}
