// Forces on links, for the next step.
#include "base/fail.h"
#include "math/mat3.h"
#include "math/vec3.h"
#include "sim/sim.h"
#include "step/eval/contact_jacobian.h"

// A point of a link's frame in the world.
static void place(const ff_sim *sim, const ffi_state_kinematics *at, int frame, const double offset[3],
                  double x[3])
{
  const ffi_frame *f = &sim->system->model->frames[frame];
  const ffi_pose *body = &ffi_state_kinematics_places(at).body[f->body];
  double in_body[3];
  ffi_m3_mulv(f->R, offset, in_body);
  ffi_v3_add(f->p, in_body, in_body);
  ffi_m3_mulv(body->R, in_body, x);
  ffi_v3_add(body->p, x, x);
}

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

ff_status ff_sim_push(ff_sim *sim, int link, const double at[3], const double force[3],
                      const double torque[3], ff_error *error)
{
  double numbers[9] = {0}, *offset = numbers, *f = numbers + 3, *t = numbers + 6, x[3];
  const double *given[3] = {at, force, torque};
  for (int k = 0; k < 3; ++k)
    if (given[k])
      ffi_v3_copy(given[k], numbers + 3 * k);
  const ff_status status = check(sim, link, numbers, error);
  if (status != FF_OK)
    return status;
  const int frame = sim->world->model->links[link].frame, body = sim->world->model->frames[frame].body;
  if (body == 0) // nothing moves it
    return FF_OK;
  const ffi_evaluation *now = ffi_sim_state_present(sim);
  place(sim, &now->at, frame, offset, x);
  const ffi_contact_jacobian_points points = {body, 0, x, x};
  const ffi_rows3_room room = {sim->workspace->rows, sim->workspace->dofs, now->stride};
  ffi_rows3 rows;
  const int nv = sim->system->model->size.nv;
  double *sum = sim->workspace->other;
  memcpy(sum, sim->push, (size_t)nv * sizeof *sum);
  ffi_contact_jacobian_relative(sim->system, &now->at, &points, 0, &room, &rows);
  ffi_rows3_add_transposed(&rows, now->stride, f, sum);
  ffi_contact_jacobian_relative(sim->system, &now->at, &points, 1, &room, &rows);
  ffi_rows3_add_transposed(&rows, now->stride, t, sum);
  if (!ffi_all_finite(sum, nv))
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_push",
                    "the force on link '%.200s' is absurdly large", sim->world->model->links[link].name);
  memcpy(sim->push, sum, (size_t)nv * sizeof *sum);
  sim->has_push = 1;
  return FF_OK;
}
