// Forces of motors that are elements of the sim, where the model's velocities are.
#include "cli/complain.h"
#include "run/run.h"

#include <stdlib.h>
#include <string.h>

// The model's first velocity of a joint of the sim, whose coordinates may be others; -1: the model has no such joint, or not so many velocities.
static int velocity_of(const ffi_run_scene *scene, int joint)
{
  ff_joint_info of_sim, of_model;
  if (ff_model_joint(ff_sim_model(scene->sim), joint, &of_sim) != FF_OK)
    return -1;
  for (int j = 0; ff_model_joint(scene->model, j, &of_model) == FF_OK; ++j)
    if (strcmp(of_model.name, of_sim.name) == 0)
      return of_model.nv == 1 && of_sim.nv == 1 ? of_model.v : -1;
  return -1;
}

void ffi_run_drives_begin(ffi_run_drives *d, const ffi_run_scene *scene)
{
  const int elements = ff_sim_element_count(scene->sim), nv = ff_model_get_size(scene->model).nv;
  ff_element_def element;
  *d = (ffi_run_drives){0};
  d->element = ffi_need_memory(NULL, (size_t)elements * sizeof *d->element);
  d->velocity = ffi_need_memory(NULL, (size_t)elements * sizeof *d->velocity);
  d->force = ffi_need_memory(NULL, (size_t)nv * sizeof *d->force);
  for (int e = 0; ff_sim_element(scene->sim, e, &element) == FF_OK; ++e) {
    const int at = element.type == FF_ELEMENT_JOINT_PD ? velocity_of(scene, element.joint) : -1;
    if (at < 0)
      continue;
    d->element[d->count] = e;
    d->velocity[d->count++] = at;
  }
}

const double *ffi_run_drives_force(ffi_run_drives *d, const ffi_run_scene *scene)
{
  const int nv = ff_model_get_size(scene->model).nv;
  if (d->count == 0)
    return NULL;
  memset(d->force, 0, (size_t)nv * sizeof *d->force);
  for (int i = 0; i < d->count; ++i) {
    double force[6];
    ff_sim_element_force(scene->sim, d->element[i], force);
    d->force[d->velocity[i]] += force[0];
  }
  return d->force;
}

void ffi_run_drives_end(ffi_run_drives *d)
{
  free(d->element);
  free(d->velocity);
  free(d->force);
  *d = (ffi_run_drives){0};
}
