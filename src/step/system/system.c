// The nominal system of a world.
#include "step/system/system.h"

#include "step/step_kernels.h"
#include "step/system/parameters.h"

ffi_system ffi_system_of(const ff_world *world)
{
  const ff_parameters *p = world->nominal;
  return (ffi_system){.world = world,
                      .def = &world->def,
                      .k = world->k,
                      .step_k = ffi_step_kernels_find(world->k->isa),
                      .colliders = &world->colliders,
                      .element_count = world->element_count,
                      .law_count = world->law_count,
                      .most_reach = world->owned.most_reach,
                      .has_turning = world->has_turning,
                      .turning = world->turning,
                      .turning_at = world->owned.force_count,
                      .friction_count = world->owned.friction_count,
                      .constraint_count = world->owned.constraint_count,
                      .max_contacts = world->max_contacts,
                      .model = &p->model,
                      .elements = p->elements,
                      .materials = p->materials};
}
