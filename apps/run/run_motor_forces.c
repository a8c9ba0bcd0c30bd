// Forces of motors that are elements of the sim, ordered as the model's velocities.
#include "cli/memory.h"
#include "run/run.h"

#include <stdlib.h>
#include <string.h>

// The index of the velocity in the model of a joint of the sim, whose coordinates may differ; -1: the model has no such
// joint, or the joint has several velocities.
static int velocity_of(ff_scene *scene, int joint)
{
  ff_joint_info of_sim, of_model;
  if (ff_model_joint(ff_sim_model(ff_scene_sim(scene)), joint, &of_sim) != FF_OK)
    return -1;
  for (int j = 0; ff_model_joint(ff_scene_model(scene), j, &of_model) == FF_OK; ++j)
    if (strcmp(of_model.name, of_sim.name) == 0)
      return of_model.nv == 1 && of_sim.nv == 1 ? of_model.v : -1;
  return -1;
}

void ffi_run_motor_forces_begin(ffi_run_motor_forces *d, ff_scene *scene)
{
  const ff_sim *sim = ff_scene_sim(scene);
  const int elements = ff_sim_element_count(sim), nv = ff_model_get_size(ff_scene_model(scene)).nv;
  ff_element_def element;
  *d = (ffi_run_motor_forces){0};
  d->element = ffi_memory_need(NULL, (size_t)elements * sizeof *d->element);
  d->velocity = ffi_memory_need(NULL, (size_t)elements * sizeof *d->velocity);
  d->force = ffi_memory_need(NULL, (size_t)nv * sizeof *d->force);
  for (int e = 0; ff_sim_element(sim, e, &element) == FF_OK; ++e) {
    const int at = element.type == FF_ELEMENT_JOINT_PD ? velocity_of(scene, element.joint) : -1;
    if (at < 0)
      continue;
    d->element[d->count] = e;
    d->velocity[d->count++] = at;
  }
}

const double *ffi_run_motor_forces_get(ffi_run_motor_forces *d, ff_scene *scene)
{
  const int nv = ff_model_get_size(ff_scene_model(scene)).nv;
  if (d->count == 0)
    return NULL;
  memset(d->force, 0, (size_t)nv * sizeof *d->force);
  for (int i = 0; i < d->count; ++i) {
    double force[6];
    ff_sim_element_force(ff_scene_sim(scene), d->element[i], force);
    d->force[d->velocity[i]] += force[0];
  }
  return d->force;
}

void ffi_run_motor_forces_end(ffi_run_motor_forces *d)
{
  free(d->element);
  free(d->velocity);
  free(d->force);
  *d = (ffi_run_motor_forces){0};
}
