// The motion: a whole-body program moves the robot in a simulation with a fine step.
#include "base/fail.h"
#include "control/plan.h"
#include "control/plan_jump.h"

#include <footfall/control_gait.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

// A trot: some periods until it is the same from one to the next to 1e-4, then the one that repeats.
static const double trot_stand = 0.1, trot_step = 0.2, jump_time = 2.5, trot_ramp = 0.3;
enum { TROT_BEFORE = 6 };

static int intervals_of(const ff_plan *plan, double time)
{
  return (int)lround(time / plan->def.interval);
}

void ffi_plan_record_length(ff_plan *plan)
{
  if (plan->def.motion == FF_PLAN_JUMP) {
    plan->intervals = intervals_of(plan, jump_time);
    return;
  }
  const int period = intervals_of(plan, 2 * trot_step);
  plan->feedback.repeats = 1;
  plan->feedback.repeat_from = intervals_of(plan, trot_stand) + TROT_BEFORE * period;
  plan->intervals = plan->feedback.repeat_from + period;
}

// ---- Controllers --------------------------------------------------------------------------------------------------

typedef struct mover {
  ff_trot *trot;
  ffi_plan_jump *jump;
} mover;

static ff_status mover_create(const ff_plan *plan, const double *q, mover *m, ff_error *error)
{
  *m = (mover){0};
  if (plan->def.motion == FF_PLAN_JUMP) {
    ffi_plan_jump_def def = ffi_plan_jump_def_default();
    def.base = plan->def.base;
    memcpy(def.feet, plan->def.feet, sizeof def.feet);
    def.course.hold = plan->def.interval;
    return ffi_plan_jump_create(plan->model, &def, q, &m->jump, error);
  }
  ff_trot_def def = ff_trot_def_default();
  def.base = plan->def.base;
  memcpy(def.feet, plan->def.feet, sizeof def.feet);
  def.start_time = trot_stand;
  def.ramp_time = trot_ramp;
  def.step_time = trot_step;
  def.hold = plan->def.interval;
  return ff_trot_create(plan->model, &def, q, &m->trot, error);
}

static void mover_destroy(mover *m)
{
  ff_trot_destroy(m->trot);
  ffi_plan_jump_destroy(m->jump);
}

static ff_status mover_tau(mover *m, double time, const double *q, const double *v, double *tau,
                           ff_error *error)
{
  return m->trot ? ff_trot_tau(m->trot, time, q, v, tau, error)
                 : ffi_plan_jump_tau(m->jump, time, q, v, tau, error);
}

// ---- Recording ----------------------------------------------------------------------------------------------------

static void keep_state(ff_plan *plan, int k)
{
  const size_t at = (size_t)k, nq = (size_t)plan->nq, nv = (size_t)plan->nv;
  memcpy(plan->q + at * nq, ff_sim_q(plan->sim), nq * sizeof(double));
  memcpy(plan->v + at * nv, ff_sim_v(plan->sim), nv * sizeof(double));
  memcpy(plan->recorded_q + at * nq, ff_sim_q(plan->sim), nq * sizeof(double));
  memcpy(plan->recorded_v + at * nv, ff_sim_v(plan->sim), nv * sizeof(double));
}

// The last state becomes the one that it repeats, ahead by the way that it should have come.
static void close_round(ff_plan *plan)
{
  const size_t nq = (size_t)plan->nq, nv = (size_t)plan->nv, from = (size_t)plan->feedback.repeat_from,
               last = (size_t)plan->intervals;
  const double way = 2 * trot_step * ff_trot_def_default().speed;
  memcpy(plan->q + last * nq, plan->q + from * nq, nq * sizeof(double));
  memcpy(plan->v + last * nv, plan->v + from * nv, nv * sizeof(double));
  plan->q[last * nq] += way;
}

// A sim's advice, a shorter step or motors, is for those who could follow it: here it is the motion that does not suit the robot as it stands.
static ff_status blame_motion(const ff_plan *plan, ff_status status, ff_error *error)
{
  char thing[sizeof error->thing];
  if (status != FF_ERROR_NUMERIC || !error)
    return status;
  snprintf(thing, sizeof thing, "%s", error->thing);
  return ffi_fail(error, status, NULL, 0, "plan",
                  "the %s runs away at t = %.4g s (%s): it cannot be made from this posture; try another",
                  ff_plan_motion_name(plan->def.motion), ff_sim_time(plan->sim), thing);
}

ff_status ffi_plan_record(ff_plan *plan, const double *q, ff_error *error)
{
  const size_t nu = (size_t)plan->nu;
  double tau[64];
  mover m;
  ff_status status = ff_sim_reset(plan->sim, q, NULL, error);
  if (status != FF_OK)
    return status;
  status = mover_create(plan, q, &m, error);
  for (int k = 0; status == FF_OK && k < plan->intervals; ++k) {
    keep_state(plan, k);
    status = mover_tau(&m, k * plan->def.interval, ff_sim_q(plan->sim), ff_sim_v(plan->sim), tau, error);
    memcpy(plan->control + (size_t)k * nu, tau + FFI_PLAN_FREE, nu * sizeof *tau);
    for (int i = 0; status == FF_OK && i < plan->def.steps; ++i)
      status = ff_sim_step(plan->sim, tau, error);
  }
  mover_destroy(&m);
  if (status != FF_OK)
    return blame_motion(plan, status, error);
  keep_state(plan, plan->intervals);
  if (plan->feedback.repeats)
    close_round(plan);
  return FF_OK;
}
