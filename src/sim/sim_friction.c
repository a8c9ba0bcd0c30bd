// Dry friction of joints for the user: in the present state, and as a parameter.
#include "base/fail.h"
#include "model/model.h"
#include "sim/sim.h"

// The law of a velocity's dry friction; NULL: it has none.
static ffi_element *law_of(const ff_world *world, ffi_element *elements, int v)
{
  for (int e = world->element_count; e < world->law_count; ++e)
    if (elements[e].line.v[0] == v)
      return &elements[e];
  return NULL;
}

ff_status ff_sim_joint_friction(const ff_sim *sim, int v, ff_joint_friction *out)
{
  if (!sim || !out || v < 0 || v >= sim->system->model->size.nv)
    return FF_ERROR_ARGUMENT;
  const ffi_element *law = law_of(sim->world, sim->parameters->elements, v);
  *out = (ff_joint_friction){0};
  if (law)
    *out = (ff_joint_friction){law->def.effort, law->def.stiffness, law->def.damping,
                               sim->state->element_force[law->force_at]};
  return FF_OK;
}

ff_status ff_parameters_set_joint_friction(ff_parameters *p, int v, double limit, ff_error *error)
{
  ffi_element *law = p && v >= 0 ? law_of(p->world, p->elements, v) : NULL;
  if (!law)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_parameters",
                    "velocity %d has no dry friction in this world, so that it cannot be changed", v);
  if (!(limit > 0 && isfinite(limit)))
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_parameters",
                    "dry friction must be finite and > 0, not %g", limit);
  law->def.effort = limit;
  return FF_OK;
}
