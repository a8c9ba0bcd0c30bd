// Forces on links that the user gives for the next step.
#include "base/fail.h"
#include "contact/element/element_rows.h"
#include "math/vec3.h"
#include "sim/sim.h"
#include "step/eval/contact_jacobian.h"

static ff_status check(const ff_sim *sim, int link, const double *numbers, ff_error *error)
{
  if (!sim)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_push", "the sim is NULL");
  const ff_model *model = sim->world->model;
  if (link < 0 || link >= model->size.links)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_push",
                    "there is no link %d; the model has 0..%d", link, model->size.links - 1);
  if (!ffi_all_finite(numbers, 9))
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_push",
                    "point, force or torque on link '%.200s' is not finite", model->links[link].name);
  return FF_OK;
}

void ffi_sim_push_add(ff_sim *sim, const ff_point *at, int in_frame, const double wrench[6], double *sum)
{
  const ffi_evaluation *now = ffi_sim_state_present(sim);
  double x[3], R[9], f[6];
  const int body =
      ffi_element_rows_end(sim->system->model, ffi_state_kinematics_places(&now->at).body, at, x, R);
  for (int k = 0; k < 6; ++k)
    f[k] = in_frame ? ffi_v3_dot(R + 3 * (k % 3), wrench + 3 * (k / 3)) : wrench[k];
  if (body == 0) // nothing moves it
    return;
  const ffi_contact_jacobian_points points = {body, 0, x, x};
  const ffi_rows3_room room = {sim->workspace->rows, sim->workspace->dofs, now->stride};
  for (int angular = 0; angular < 2; ++angular) {
    ffi_rows3 rows;
    ffi_contact_jacobian_relative(sim->system, &now->at, &points, angular, &room, &rows);
    ffi_rows3_add_transposed(&rows, now->stride, f + 3 * angular, sum);
  }
}

ff_status ff_sim_push(ff_sim *sim, int link, const double at[3], const double force[3],
                      const double torque[3], ff_error *error)
{
  double numbers[9] = {0};
  const double *given[3] = {at, force, torque};
  for (int k = 0; k < 3; ++k)
    if (given[k])
      ffi_v3_copy(given[k], numbers + 3 * k);
  const ff_status status = check(sim, link, numbers, error);
  if (status != FF_OK)
    return status;
  ff_point point = {.frame = sim->world->model->links[link].frame};
  ffi_v3_copy(numbers, point.offset);
  const int nv = sim->system->model->size.nv;
  double *sum = sim->workspace->other;
  for (int k = 0; k < nv; ++k)
    sum[k] = sim->push[k];
  ffi_sim_push_add(sim, &point, 0, numbers + 3, sum);
  if (!ffi_all_finite(sum, nv))
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_push",
                    "the force on link '%.200s' is too large", sim->world->model->links[link].name);
  for (int k = 0; k < nv; ++k)
    sim->push[k] = sum[k];
  sim->has_push = 1;
  return FF_OK;
}
