#include "io/trajectory/trajectory.h"

#include "base/fail.h"
#include "io/files.h"

#include <stdlib.h>

int ffi_trajectory_controls(const ff_model *model)
{
  ff_joint_info joint;
  int nu = 0;
  for (int j = 0; ff_model_joint(model, j, &joint) == FF_OK; ++j)
    nu += joint.type == FF_JOINT_FREE ? 0 : joint.nv;
  return nu;
}

ff_status ffi_trajectory_allocate(ff_trajectory *t)
{
  const size_t states = (size_t)t->def.states, nq = (size_t)t->nq, nv = (size_t)t->nv, nu = (size_t)t->nu;
  t->def.q = t->q = calloc(states * nq, sizeof *t->q);
  t->def.v = t->v = calloc(states * nv, sizeof *t->v);
  t->def.control = t->control = calloc(states * nu + 1, sizeof *t->control);
  t->def.gain = t->gain = calloc(states * nu * 2 * nv + 1, sizeof *t->gain);
  return t->q && t->v && t->control && t->gain
             ? FF_OK
             : ffi_fail(NULL, FF_ERROR_MEMORY, NULL, 0, NULL, "no memory for %d states", t->def.states);
}

ff_status ff_trajectory_load(const char *path, const ff_model *model, ff_trajectory **out, ff_error *error)
{
  if (!path || !model || !out)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_trajectory_load",
                    "the path, the model or `out` is NULL");
  return ffi_trajectory_load(NULL, NULL, path, path, model, out, error);
}

ff_status ffi_trajectory_load(ff_files *keep, const ff_files *from, const char *name, const char *path,
                              const ff_model *model, ff_trajectory **out, ff_error *error)
{
  char *text = NULL;
  size_t length = 0;
  *out = NULL;
  ff_status status = ffi_files_read(keep, from, FF_FILE_TRAJECTORY, name, path, &text, &length, error);
  if (status != FF_OK)
    return status;
  ff_trajectory *t = calloc(1, sizeof *t);
  if (!t)
    status = ffi_fail(error, FF_ERROR_MEMORY, path, 0, NULL, "no memory to read it");
  else
    status = ffi_trajectory_read(text, path, model, t, error);
  free(text);
  if (status != FF_OK)
    ff_trajectory_destroy(t);
  else
    *out = t;
  return status;
}

void ff_trajectory_destroy(ff_trajectory *t)
{
  if (!t)
    return;
  free(t->q);
  free(t->v);
  free(t->control);
  free(t->gain);
  free(t->notes);
  free(t);
}

const ff_feedback_def *ff_trajectory_feedback(const ff_trajectory *trajectory)
{
  return &trajectory->def;
}

const char *ff_trajectory_notes(const ff_trajectory *trajectory)
{
  return trajectory->notes ? trajectory->notes : "";
}
