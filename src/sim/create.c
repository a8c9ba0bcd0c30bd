// The life of a sim: everything it will ever need is laid out here, in one block; scene and elements bring their own.
#include "base/error.h"
#include "model/model.h"
#include "sim/sim.h"

#include <stdint.h>
#include <stdlib.h>

enum { MOST_CONTACTS = 512 }; // unless the def says how many: frozen contact systems grow with their square

// Contacts at once: as many as there can be, unless that is too many or the def says less.
static int contact_capacity(const ff_sim_def *def, const ffi_scene *scene)
{
  const int most = def->max_contacts > 0 ? def->max_contacts : MOST_CONTACTS;
  return scene->most_near < most ? scene->most_near : most;
}

static void layout_kernels(ffi_system *s, ffi_block *block)
{
  const int points = s->max_contacts + 2 * s->element_count;
  s->work = ffi_block_take(block, 1, s->k->work_size);
  void *arrays = ffi_block_take(block, 1, s->k->layout(s->model, points, NULL, NULL));
  if (arrays)
    s->k->layout(s->model, points, arrays, s->work);
}

// Run twice, counting and placing; everything of `sim` but its arrays is set.
static void layout(ff_sim *sim, ffi_block *block)
{
  ffi_system *s = &sim->system;
  const size_t nv = (size_t)s->model->size.nv;
  layout_kernels(s, block);
  for (int i = 0; i < 2; ++i)
    ffi_state_layout(s, block, &sim->states[i]);
  sim->tau = ffi_block_take(block, nv, sizeof *sim->tau);
  sim->asked = ffi_block_take(block, nv, sizeof *sim->asked);
  sim->change = ffi_block_take(block, nv, sizeof *sim->change);
  sim->other = ffi_block_take(block, nv, sizeof *sim->other);
  sim->contacts = ffi_block_take(block, (size_t)s->max_contacts, sizeof *sim->contacts);
  s->tau = sim->tau;
  s->memory = sim->stepper->layout(s, block);
  ffi_instant_layout(s, block, &sim->report);
  ffi_sim_watch_layout(sim, block);
}

// A system whose pointers into the sim point into this one.
static void bind(ff_sim *sim)
{
  sim->system.def = &sim->def;
  sim->system.info = &sim->info;
  sim->now = &sim->states[0];
  sim->next = &sim->states[1];
}

// The sim that `plan` describes, in one block. NULL if there is no memory. It comes from calloc and is aligned by hand, so that what
// is never used (an exact exponential of 500 contacts takes half a gigabyte) is never touched.
static ff_sim *build(ff_sim *plan, size_t *bytes)
{
  ffi_block measure = {0};
  ffi_block_take(&measure, 1, sizeof(ff_sim));
  layout(plan, &measure);
  *bytes = measure.used + FFI_BLOCK_ALIGN;
  char *memory = calloc(1, *bytes);
  if (!memory)
    return NULL;
  ffi_block block = {.base = memory + (FFI_BLOCK_ALIGN - (uintptr_t)memory % FFI_BLOCK_ALIGN)};
  ff_sim *sim = ffi_block_take(&block, 1, sizeof *sim);
  *sim = *plan;
  sim->memory = memory;
  bind(sim);
  layout(sim, &block);
  return sim;
}

ff_status ff_sim_create(const ff_model *model, const ff_sim_def *def, ff_sim **out, ff_error *error)
{
  if (!out)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_create", "`out` is NULL");
  *out = NULL;
  ff_sim plan = {.def = def ? *def : ff_sim_def_default()};
  ffi_system *s = &plan.system;
  ff_status status = ffi_sim_check(model, &plan.def, error);
  if (status == FF_OK)
    status = ff_isa_resolve(plan.def.isa, &plan.def.isa, error);
  if (status != FF_OK)
    return status;
  bind(&plan);
  s->model = model;
  s->k = ffi_kernels_find(plan.def.isa, 1);
  plan.stepper = ffi_sim_find_stepper(plan.def.stepper);
  status = ffi_elements_create(model, &plan.def, &s->elements, &s->element_count, error);
  if (status != FF_OK)
    goto fail;
  status = ffi_scene_create(model, &plan.def, &s->scene, error);
  if (status != FF_OK)
    goto fail;
  s->max_contacts = contact_capacity(&plan.def, &s->scene);
  plan.def.max_contacts = s->max_contacts;
  plan.def.ground = NULL; // the caller's; the scene has its own
  plan.def.ground_count = s->scene.ground_count;
  plan.def.elements = NULL;
  plan.def.element_count = s->element_count;

  size_t bytes;
  ff_sim *sim = build(&plan, &bytes);
  if (!sim) {
    status = ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, "ff_sim_create",
                      "no memory for a simulation of %zu bytes; fewer max_contacts need less", bytes);
    goto fail;
  }
  ffi_sim_take_fingerprint(sim);
  ffi_sim_start(sim);
  *out = sim;
  return FF_OK;
fail:
  ffi_elements_free(s->elements);
  ffi_scene_free(&s->scene);
  return status;
}

void ff_sim_destroy(ff_sim *sim)
{
  if (!sim)
    return;
  ffi_elements_free(sim->system.elements);
  ffi_scene_free(&sim->system.scene);
  free(sim->memory); // the sim is in it
}

const ff_model *ff_sim_model(const ff_sim *sim)
{
  return sim->system.model;
}

double ff_sim_dt(const ff_sim *sim)
{
  return sim->def.dt;
}

ff_stepper ff_sim_stepper(const ff_sim *sim)
{
  return sim->def.stepper;
}
