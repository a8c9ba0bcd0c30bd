// Where everything is at one state, and its mass matrix.
#include "step/eval/state_kinematics.h"

#include "base/fail.h"
#include "dynamics/one_lane.h"

#include <math.h>
#include <string.h>

ffi_work *ffi_state_kinematics_layout_work(const ffi_system *s, ffi_block *block)
{
  ffi_work *work = ffi_block_keep(block, 1, s->k->work_size);
  void *arrays = ffi_block_keep(
      block, 1, s->k->layout(s->model, 1, NULL, NULL)); // one point: for how light a shape feels
  if (arrays)
    s->k->layout(s->model, 1, arrays, work);
  return work;
}

void ffi_state_kinematics_layout(const ffi_system *s, ffi_block *block, ffi_state_kinematics *out)
{
  const size_t grounds = (size_t)s->scene->ground_count;
  _Static_assert(sizeof(ffi_pose) == sizeof(ffi_body_pose), "one layout, two names");
  *out = (ffi_state_kinematics){.work = ffi_state_kinematics_layout_work(s, block)};
  if (out->work)
    out->body = (const ffi_pose *)out->work->pose;
  out->ground = ffi_block_take(block, grounds, sizeof *out->ground);
  out->ground_velocity = ffi_block_take(block, 6 * grounds, sizeof *out->ground_velocity);
}

// A workspace has the masses of the robot that it was used for last.
static void fit(const ffi_system *s, ffi_work *work)
{
  if (work->mass_version == s->mass_version)
    return;
  s->k->refit(work, s->model);
  work->mass_version = s->mass_version;
}

ffi_work *ffi_state_kinematics_spare_work(const ffi_system *s)
{
  fit(s, s->spare);
  return s->spare;
}

double ffi_state_kinematics_energy(const ffi_system *s, const double *q, const double *v, double *height)
{
  ffi_work *work = ffi_state_kinematics_spare_work(s);
  double kinetic;
  s->k->transforms(work, q);
  s->k->kinematics(work, v, NULL);
  s->k->kinetic_energy(work, &kinetic);
  s->k->potential_energy(work, height);
  return kinetic;
}

void ffi_state_kinematics_at(const ffi_system *s, const ffi_state *x, ffi_state_kinematics *out)
{
  const size_t grounds = (size_t)s->scene->ground_count;
  out->ground_moves = 0;
  for (size_t g = 0; g < grounds; ++g)
    out->ground[g] = x->ground[g];
  for (size_t i = 0; i < 6 * grounds; ++i) {
    out->ground_velocity[i] = x->ground_velocity[i];
    out->ground_moves |= x->ground_velocity[i] != 0;
  }
  fit(s, out->work);
  s->k->transforms(out->work, x->q);
  s->k->kinematics(out->work, NULL, NULL);
  out->mass = FFI_STATE_KINEMATICS_MASS_NONE;
}

void ffi_state_kinematics_form_mass(const ffi_system *s, ffi_state_kinematics *k)
{
  if (k->mass != FFI_STATE_KINEMATICS_MASS_FORMED)
    s->k->crba(k->work);
  k->mass = FFI_STATE_KINEMATICS_MASS_FORMED;
}

ff_status ffi_state_kinematics_factor(const ffi_system *s, ffi_state_kinematics *k, ff_error *error)
{
  if (k->mass == FFI_STATE_KINEMATICS_MASS_FACTORED)
    return FF_OK;
  ffi_state_kinematics_form_mass(s, k);
  k->mass = FFI_STATE_KINEMATICS_MASS_NONE; // half done, if it fails
  const ff_status status = ffi_state_kinematics_factor_work(s, k->work, error);
  if (status == FF_OK)
    k->mass = FFI_STATE_KINEMATICS_MASS_FACTORED;
  return status;
}

ff_status ffi_state_kinematics_factor_work(const ffi_system *s, ffi_work *work, ff_error *error)
{
  if (s->k->factor(work) > 0)
    return FF_OK;
  int lane;
  for (int i = 0; i < s->model->size.nv; ++i)
    if (!isfinite(work->diagonal[i]))
      return ffi_fail(error, FF_ERROR_NUMERIC, NULL, 0, "state",
                      "it is not finite any more: the motion runs away");
  const int v = s->k->bad_pivot(work, &lane);
  const char *joint = v >= 0 ? s->model->joints[s->model->dof_body[v] - 1].name : "?";
  return ffi_fail(
      error, FF_ERROR_NUMERIC, NULL, 0, "mass matrix",
      "it is singular or not finite at joint '%s': nothing resists its motion in this configuration", joint);
}
