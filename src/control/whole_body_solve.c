// One control step: ask, make the program, solve it, read the answer.
#include "base/fail.h"
#include "control/whole_body.h"
#include "math/vec3.h"

#include <string.h>

// ---- The answer -------------------------------------------------------------------------------------------------

// Row i of M vdot + h - sum J' f: the torque, or what should be zero where there is no motor.
static double torque(const ff_whole_body *body, const double *x, int i)
{
  const int nv = body->nv;
  double sum = body->h[i];
  for (int k = 0; k < nv; ++k)
    sum += body->M[i * nv + k] * x[k];
  for (int p = 0; p < 3 * body->point_count; ++p)
    sum -= body->point_J[p * nv + i] * x[nv + p];
  return sum;
}

static void read_answer(ff_whole_body *body, const double *x)
{
  const int nv = body->nv;
  body->info.unmoved = 0;
  for (int i = 0; i < nv; ++i) {
    const double tau = torque(body, x, i);
    body->vdot[i] = x[i];
    body->tau[i] = body->is_driven[i] ? tau : 0;
    if (!body->is_driven[i])
      body->info.unmoved = fmax(body->info.unmoved, fabs(tau));
  }
  for (int i = 0; i < body->def.contact_count; ++i) {
    ffi_whole_body_contact *stand = &body->stands[i];
    const size_t bytes = 3 * (size_t)stand->task.point_count * sizeof *stand->force;
    if (stand->first >= 0)
      memcpy(stand->force, x + nv + 3 * stand->first, bytes);
    else
      memset(stand->force, 0, bytes);
  }
}

static double residual(const ff_whole_body *body, const ffi_whole_body_rows *rows)
{
  double square = 0;
  for (int r = 0; r < rows->count; ++r) {
    double gap = -rows->a[r];
    for (int k = 0; k < body->nv; ++k)
      gap += rows->J[r * body->nv + k] * body->vdot[k];
    square += gap * gap;
  }
  return sqrt(square);
}

static void measure(ff_whole_body *body)
{
  ff_whole_body_info *info = &body->info;
  double square = 0;
  info->com = residual(body, &body->com);
  info->momentum = residual(body, &body->momentum);
  info->contacts = info->frames = 0;
  for (int i = 0; i < body->def.frame_count; ++i)
    info->frames = fmax(info->frames, residual(body, &body->aims[i].rows));
  for (int i = 0; i < body->def.contact_count; ++i)
    if (body->stands[i].first >= 0)
      info->contacts = fmax(info->contacts, residual(body, &body->stands[i].rows));
  for (int i = 0; i < body->nv; ++i)
    if (body->is_driven[i])
      square += (body->vdot[i] - body->posture_a[i]) * (body->vdot[i] - body->posture_a[i]);
  info->posture = ffi_whole_body_is_used(&body->def.posture) ? sqrt(square) : 0;
}

// The limits that are reached, for the next search; they only mean the same while the program keeps its shape.
static void remember(ff_whole_body *body)
{
  body->guess_count = 0;
  body->guess_rows = body->program.constraints;
  body->guess_size = body->program.n;
  for (int k = 0; k < body->work.active_count; ++k)
    if (body->work.active[k] >= body->program.equalities)
      body->guess[body->guess_count++] = body->work.active[k];
  body->info.limits = body->guess_count;
}

// ---- The step ---------------------------------------------------------------------------------------------------

static const ff_program_status statuses[] = {
    [FFI_QP_SOLVED] = FF_PROGRAM_SOLVED,
    [FFI_QP_INFEASIBLE] = FF_PROGRAM_INFEASIBLE,
    [FFI_QP_NOT_CONVEX] = FF_PROGRAM_NOT_CONVEX,
    [FFI_QP_STALLED] = FF_PROGRAM_STALLED,
};

static ff_status complain(const ff_whole_body *body, ff_error *error)
{
  const char *reason = "";
  switch (body->info.status) {
  case FF_PROGRAM_INFEASIBLE:
    reason = "strict tasks and limits contradict each other; weigh a task instead, or widen a limit";
    break;
  case FF_PROGRAM_NOT_CONVEX: reason = "it is not convex to rounding; weights may be too far apart"; break;
  default: reason = "the search took more than max_iterations"; break;
  }
  return ffi_fail(error, FF_ERROR_NUMERIC, NULL, 0, "ff_whole_body_solve",
                  "no solution of %d unknowns with %d equalities and %d limits: %s", body->program.n,
                  body->program.equalities, body->program.constraints - body->program.equalities, reason);
}

static ff_status solve_at(ff_whole_body *body, const double *q, const double *v, ff_error *error)
{
  ffi_whole_body_tasks_rows(body, q, v);
  ffi_whole_body_program(body);
  const int is_same = body->guess_rows == body->program.constraints && body->guess_size == body->program.n;
  const int guesses = body->def.warm_start && is_same ? body->guess_count : 0;
  const ffi_qp_status status =
      ffi_qp_solve(&body->program, body->guess, guesses, body->def.max_iterations, &body->work);
  body->info.status = statuses[status];
  body->info.iterations += body->work.iterations;
  if (status != FFI_QP_SOLVED)
    return complain(body, error);
  remember(body);
  return FF_OK;
}

// Where the solution just found leads in half of the hold.
static void go_to_middle(ff_whole_body *body, const double *q, const double *v)
{
  const double half = body->def.hold / 2, *vdot = body->work.x;
  for (int i = 0; i < body->nv; ++i) {
    body->difference[i] = half * (v[i] + half / 2 * vdot[i]);
    body->middle_v[i] = v[i] + half * vdot[i];
  }
  ff_model_integrate(body->model, q, body->difference, body->middle_q);
}

ff_status ff_whole_body_solve(ff_whole_body *body, const double *q, const double *v, ff_error *error)
{
  if (!ffi_all_finite(q, body->nq) || !ffi_all_finite(v, body->nv))
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_whole_body_solve", "q or v is not finite");
  body->info.iterations = 0;
  ff_status status = solve_at(body, q, v, error);
  if (status == FF_OK && body->def.hold > 0) {
    go_to_middle(body, q, v);
    status = solve_at(body, body->middle_q, body->middle_v, error);
  }
  if (status != FF_OK)
    return status;
  read_answer(body, body->work.x);
  measure(body);
  return FF_OK;
}

const double *ff_whole_body_tau(const ff_whole_body *body)
{
  return body->tau;
}

const double *ff_whole_body_vdot(const ff_whole_body *body)
{
  return body->vdot;
}

const double *ff_whole_body_force(const ff_whole_body *body, int contact)
{
  return body->stands[contact].force;
}

const ff_whole_body_info *ff_whole_body_get_info(const ff_whole_body *body)
{
  return &body->info;
}
