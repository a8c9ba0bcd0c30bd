// How an interval's end answers to its begin and to the torques: central differences through the simulation.
//
// Begin and end are told in the tangent spaces of the motion's own states. Each run begins anew, so that a foot which stands is held where it is then,
// not where the motion's own foot was set down. That matters: with the motion's anchors, a robot whose feet came down elsewhere by 1 cm would seem to
// be pulled back by 1000 N, and gains that count on it throw the robot over. What tangential springs held at the begin is missing alike in
// both runs of a difference.
//
// Differences are so small that a contact which is there stays: 1e-5 m is 1 N at 1e5 N/m, where a foot carries some N. They are so large that what the
// stepper decides otherwise for a changed state (how many pieces a step has), 1e-7 of a velocity of 1 m/s, is 1e-4 of what they do.
#include "control/plan.h"

#include <string.h>

static const double small_q = 1e-5, small_v = 1e-3, small_u = 1e-2;

size_t ffi_plan_linearize_work(const ff_plan *plan)
{
  return (size_t)plan->nq + 4 * (size_t)plan->nx;
}

// Where the interval ends if it begins off the motion: `column` < nx of the state, beyond it of the torques, by `by`. end [nx] is told from
// the motion's own next state.
static ff_status end_of(ff_plan *plan, int k, int column, double by, double *work, double *end,
                        ff_error *error)
{
  const int nq = plan->nq, nv = plan->nv, nx = plan->nx;
  const size_t at = (size_t)k;
  double *q = work, *v = q + nq, *way = v + nv, tau[64] = {0};
  const double *from = plan->recorded_q + at * (size_t)nq, *next = from + nq;
  memset(way, 0, (size_t)nv * sizeof *way);
  memcpy(v, plan->recorded_v + at * (size_t)nv, (size_t)nv * sizeof *v);
  memcpy(tau + FFI_PLAN_FREE, plan->control + at * (size_t)plan->nu, (size_t)plan->nu * sizeof *tau);
  if (column < nv)
    way[column] = by;
  else if (column < nx)
    v[column - nv] += by;
  else
    tau[FFI_PLAN_FREE + column - nx] += by;
  ff_model_integrate(plan->model, from, way, q);
  ff_status status = ff_sim_reset(plan->answer_sim, q, v, error);
  for (int i = 0; status == FF_OK && i < plan->def.answer_steps; ++i)
    status = ff_sim_step(plan->answer_sim, tau, error);
  if (status != FF_OK)
    return status;
  ff_model_difference(plan->model, next, ff_sim_q(plan->answer_sim), end);
  for (int i = 0; i < nv; ++i)
    end[nv + i] = ff_sim_v(plan->answer_sim)[i] - plan->recorded_v[(at + 1) * (size_t)nv + (size_t)i];
  return FF_OK;
}

ff_status ffi_plan_linearize(ff_plan *plan, int k, double *work, ff_error *error)
{
  const int nx = plan->nx, nu = plan->nu;
  double *A = plan->A + (size_t)k * (size_t)(nx * nx), *B = plan->B + (size_t)k * (size_t)(nx * nu);
  double *ahead = work + plan->nq + nx, *behind = ahead + nx;
  for (int column = 0; column < nx + nu; ++column) {
    const double by = column < plan->nv ? small_q : column < nx ? small_v : small_u;
    ff_status status = end_of(plan, k, column, by, work, ahead, error);
    if (status == FF_OK)
      status = end_of(plan, k, column, -by, work, behind, error);
    if (status != FF_OK)
      return status;
    for (int i = 0; i < nx; ++i) {
      const double slope = (ahead[i] - behind[i]) / (2 * by);
      if (column < nx)
        A[i * nx + column] = slope;
      else
        B[i * nu + column - nx] = slope;
    }
  }
  return FF_OK;
}
