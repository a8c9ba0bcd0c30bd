// The motion linearised over an interval, x_{k+1} = A x_k + B u_k, by central differences through the simulation
// (docs/theory/control.md, planned motions and their gains).
//
// States are in the tangent spaces of the motion's own states. Each run starts from a reset, which puts the anchors of
// standing feet where these feet are. With the motion's own anchors, a robot whose feet came down 1 cm elsewhere would
// seem to be pulled back by 1000 N, and gains that rely on this force make the robot fall. The tangential spring force
// at the start of the interval is missing in both runs of a difference, so it cancels.
//
// Sizes of the differences: 1e-5 m changes a force by 1 N at 1e5 N/m, while a foot carries several N, so contacts stay
// closed. A changed state may have another number of substeps, which changes velocities by about 1e-7 of 1 m/s: 1e-4
// of the effect that is measured.
#include "control/plan.h"

#include <string.h>

static const double small_q = 1e-5, small_v = 1e-3, small_u = 1e-2;

size_t ffi_plan_linearize_work(const ff_plan *plan)
{
  return (size_t)plan->nq + 4 * (size_t)plan->nx;
}

// A change at the start of an interval.
typedef struct change {
  int column; // below nx: of the state; else of the torques
  double by;
} change;

// The end of interval k after a change: end [nx] is its difference from the motion's own next state.
static ff_status end_of(ff_plan *plan, int k, change c, double *work, double *end, ff_error *error)
{
  const int nq = plan->nq, nv = plan->nv, nx = plan->nx;
  const size_t at = (size_t)k;
  double *q = work, *v = q + nq, *shift = v + nv, tau[64] = {0};
  const double *from = plan->recorded_q + at * (size_t)nq, *next = from + nq;
  memset(shift, 0, (size_t)nv * sizeof *shift);
  memcpy(v, plan->recorded_v + at * (size_t)nv, (size_t)nv * sizeof *v);
  memcpy(tau + FFI_PLAN_FREE, plan->control + at * (size_t)plan->nu, (size_t)plan->nu * sizeof *tau);
  if (c.column < nv)
    shift[c.column] = c.by;
  else if (c.column < nx)
    v[c.column - nv] += c.by;
  else
    tau[FFI_PLAN_FREE + c.column - nx] += c.by;
  ff_model_integrate(plan->model, from, shift, q);
  ff_status status = ff_sim_reset(plan->linear_sim, q, v, error);
  for (int i = 0; status == FF_OK && i < plan->def.answer_steps; ++i)
    status = ff_sim_step(plan->linear_sim, tau, error);
  if (status != FF_OK)
    return status;
  ff_model_difference(plan->model, next, ff_sim_q(plan->linear_sim), end);
  for (int i = 0; i < nv; ++i)
    end[nv + i] = ff_sim_v(plan->linear_sim)[i] - plan->recorded_v[(at + 1) * (size_t)nv + (size_t)i];
  return FF_OK;
}

ff_status ffi_plan_linearize(ff_plan *plan, int k, double *work, ff_error *error)
{
  const int nx = plan->nx, nu = plan->nu;
  double *A = plan->A + (size_t)k * (size_t)(nx * nx), *B = plan->B + (size_t)k * (size_t)(nx * nu);
  double *ahead = work + plan->nq + nx, *behind = ahead + nx;
  for (int column = 0; column < nx + nu; ++column) {
    const double by = column < plan->nv ? small_q : column < nx ? small_v : small_u;
    ff_status status = end_of(plan, k, (change){column, by}, work, ahead, error);
    if (status == FF_OK)
      status = end_of(plan, k, (change){column, -by}, work, behind, error);
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
