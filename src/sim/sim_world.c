// Creates and frees a world. It is checked and made once, and freed with its last owner.
#include "base/fail.h"
#include "model/model.h"
#include "sim/sim.h"
#include "sim/sim_springs.h"
#include "sim/sim_turning.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_CONTACTS = 512 }; // unless the def says how many: frozen contact systems grow with their square

// Most contacts at once: as many as there can be, unless that is too many or the def says less.
static int contact_capacity(const ff_sim_def *def, const ffi_colliders *colliders)
{
  const int most = def->max_contacts > 0 ? def->max_contacts : MOST_CONTACTS;
  return colliders->max_candidates < most ? colliders->max_candidates : most;
}

// Most pending references: so many a second of the delay of each motor, whatever dt, so that states fit sims with
// another dt.
static ff_status count_pending(ff_world *world, ff_error *error)
{
  enum { MOST = 100000 }; // some megabytes of a state
  for (int e = 0; e < world->element_count; ++e) {
    const ff_element_def *def = &world->elements[e].def;
    if (def->type != FF_ELEMENT_JOINT_PD || !(def->delay > 0))
      continue;
    world->max_pending += (int)ceil(def->delay * FF_REFERENCE_RATE) + 2;
    if (world->max_pending > MOST)
      return ffi_fail(
          error, FF_ERROR_LIMIT, NULL, 0, def->name ? def->name : "a motor",
          "with its delay of %g s more than %d references could be pending at once; delay fewer motors",
          def->delay, MOST);
  }
  return FF_OK;
}

static void free_world(ff_world *world)
{
  ffi_elements_free(&world->owned);
  ffi_colliders_free(&world->colliders);
  ffi_parameters_free(world->nominal);
  free(world->controls);
  free(world->turning);
  free(world);
}

// Colliders, elements, sizes; then the nominal parameters.
static ff_status fill(ff_world *world, ff_error *error)
{
  ff_sim_def *def = &world->def;
  ff_status status = ffi_elements_create(world->model, def, &world->owned, error);
  world->elements = world->owned.items;
  world->element_count = world->owned.count;
  world->law_count = world->owned.law_count;
  for (int e = 0; e < world->element_count; ++e)
    world->coupling_count += world->elements[e].def.type == FF_ELEMENT_COUPLING;
  if (status == FF_OK)
    status = ffi_colliders_create(world->model, def, &world->colliders, error);
  if (status != FF_OK)
    return status;
  world->max_contacts = contact_capacity(def, &world->colliders);
  def->max_contacts = world->max_contacts;
  def->ground = NULL; // the caller's; the world has its own
  def->ground_count = world->colliders.ground_count;
  def->elements = NULL;
  def->element_count = world->element_count;
  status = ffi_sim_turning_prepare(world, error);
  if (status == FF_OK)
    status = count_pending(world, error);
  if (status != FF_OK)
    return status;
  status = ffi_sim_controls_list(world, error);
  if (status != FF_OK)
    return status;
  world->shape = ffi_state_shape_of(world);
  world->fingerprint = ffi_sim_state_vector_fingerprint(world);
  status = ffi_parameters_create(world, &world->nominal, error);
  if (status == FF_OK)
    status = ffi_sim_springs_choose(world, error);
  return status == FF_OK ? ffi_sim_turning_choose(world, error) : status;
}

ff_status ff_world_create(const ff_model *model, const ff_sim_def *def, ff_world **out, ff_error *error)
{
  if (!out)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_world_create", "`out` is NULL");
  *out = NULL;
  ff_sim_def wanted;
  ff_status status = ffi_sim_def_take(def, &wanted, error);
  if (status == FF_OK)
    status = ffi_sim_def_check(model, &wanted, error);
  if (status == FF_OK)
    status = ff_isa_resolve(wanted.isa, &wanted.isa, error);
  if (status != FF_OK)
    return status;
  ff_world *world = calloc(1, sizeof *world);
  if (!world)
    return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, "ff_world_create", "no memory for a world");
  world->model = model;
  world->def = wanted;
  world->k = ffi_isa_kernels(wanted.isa, 1);
  world->stepper = ffi_step_find_stepper(wanted.stepper);
  world->references = 1;
  status = fill(world, error);
  if (status != FF_OK)
    free_world(world);
  else
    *out = world;
  return status;
}

ff_world *ffi_sim_world_retain(ff_world *world)
{
  __atomic_add_fetch(&world->references, 1, __ATOMIC_RELAXED);
  return world;
}

void ff_world_destroy(ff_world *world)
{
  if (world && __atomic_sub_fetch(&world->references, 1, __ATOMIC_ACQ_REL) == 0)
    free_world(world);
}

const ff_model *ff_world_model(const ff_world *world)
{
  return world->model;
}

const ff_sim_def *ff_world_def(const ff_world *world)
{
  return &world->def;
}

ff_world_memory ff_world_get_memory(const ff_world *world)
{
  return (ff_world_memory){
      .world = sizeof *world + world->colliders.bytes + world->owned.bytes + world->nominal->bytes,
      .parameters = world->nominal->bytes,
      .state = world->shape.bytes,
      .evaluation = ffi_sim_evaluation_bytes(world),
      .workspace = ffi_sim_workspace_bytes(world),
  };
}
