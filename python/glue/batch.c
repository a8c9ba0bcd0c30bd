// Many robots of a batch in one call.
#include "glue.h"

ff_status ffp_batch_push(ff_batch *batch, int link, const double at[3], const unsigned char *mask,
                         const double *force, const double *torque, ff_error *error)
{
  const int count = ff_batch_count(batch);
  ff_status status = FF_OK;
  for (int i = 0; i < count && status == FF_OK; ++i)
    if (!mask || mask[i])
      status = ff_sim_push(ff_batch_sim(batch, i), link, at, force ? force + 3 * i : NULL,
                           torque ? torque + 3 * i : NULL, error);
  return status;
}

static ff_status scale_masses(const ff_parameters *from, ff_parameters *to, int links, double factor,
                              ff_error *error)
{
  ff_status status = FF_OK;
  for (int i = 0; i < links && status == FF_OK; ++i) {
    ff_inertia inertia;
    if (ff_parameters_inertia(from, i, &inertia) != FF_OK)
      continue;
    inertia.mass *= factor;
    for (int j = 0; j < 6; ++j)
      inertia.matrix[j] *= factor;
    status = ff_parameters_set_inertia(to, i, &inertia, error);
  }
  return status;
}

static ff_status scale_materials(const ff_parameters *from, ff_parameters *to, int shapes,
                                 const ffp_variation *by, ff_error *error)
{
  ff_status status = FF_OK;
  for (int i = 0; i < shapes && status == FF_OK; ++i) {
    ff_material material;
    if (ff_parameters_material(from, i, &material) != FF_OK)
      continue; // only drawn
    material.friction *= by->friction;
    material.stiffness *= by->stiffness;
    material.damping *= by->damping;
    status = ff_parameters_set_material(to, i, &material, error);
  }
  return status;
}

static ff_status scale_gains(const ff_parameters *from, ff_parameters *to, ff_sim *sim, double factor,
                             ff_error *error)
{
  const int count = ff_sim_element_count(sim);
  ff_status status = FF_OK;
  for (int i = 0; i < count && status == FF_OK; ++i) {
    ff_element_def element;
    double stiffness, damping, effort;
    if (ff_sim_element(sim, i, &element) != FF_OK || element.type != FF_ELEMENT_JOINT_PD ||
        ff_parameters_gains(from, i, &stiffness, &damping, &effort) != FF_OK)
      continue;
    status = ff_parameters_set_gains(to, i, factor * stiffness, factor * damping, effort, error);
  }
  return status;
}

ff_status ffp_batch_vary(ff_batch *batch, int count, const int *robots, const ffp_variation *factors,
                         ff_error *error)
{
  ff_world *world = ff_batch_world(batch);
  const ff_model_size size = ff_model_get_size(ff_world_model(world));
  ff_parameters *standard = NULL, *own = NULL;
  ff_status status = ff_parameters_create(world, &standard, error);
  if (status == FF_OK)
    status = ff_parameters_create(world, &own, error);
  for (int k = 0; k < count && status == FF_OK; ++k) {
    const ffp_variation *by = &factors[k];
    status = ff_parameters_copy(standard, own, error);
    if (status == FF_OK && by->mass != 1)
      status = scale_masses(standard, own, size.links, by->mass, error);
    if (status == FF_OK && (by->friction != 1 || by->stiffness != 1 || by->damping != 1))
      status = scale_materials(standard, own, size.shapes, by, error);
    if (status == FF_OK && by->gains != 1)
      status = scale_gains(standard, own, ff_batch_sim(batch, robots[k]), by->gains, error);
    if (status == FF_OK)
      status = ff_batch_set_parameters(batch, robots[k], own, error);
  }
  ff_parameters_destroy(standard);
  ff_parameters_destroy(own);
  return status;
}
