// A plan is made: checked, recorded, linearised, given its gains.
#include "control/plan.h"

#include "base/fail.h"
#include "base/names.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_NV = 64, MOST_STEPS = 100000 }; ///< torques are in arrays of MOST_NV

static const char *const names[FF_PLAN_MOTION_COUNT] = {"trot", "jump"};

const char *ff_plan_motion_name(ff_plan_motion motion)
{
  return (int)motion >= 0 && (int)motion < FF_PLAN_MOTION_COUNT ? names[motion] : "unknown";
}

int ff_plan_motion_find(const char *name, ff_plan_motion *motion)
{
  const int found = ffi_names_index(name, names, FF_PLAN_MOTION_COUNT);
  if (found >= 0)
    *motion = (ff_plan_motion)found;
  return found >= 0;
}

// A landing that comes early or late needs lower gains than steps do: legs in the air are light, and gains for standing
// make them vibrate.
static const ff_plan_cost usual[FF_PLAN_MOTION_COUNT] = {
    [FF_PLAN_TROT] = {.position = 1,
                      .attitude = 1,
                      .joint = 0.1,
                      .velocity = 0.1,
                      .turning = 0.1,
                      .joint_rate = 0.001,
                      .torque = 1},
    [FF_PLAN_JUMP] = {.position = 1,
                      .attitude = 1,
                      .joint = 3,
                      .velocity = 0.1,
                      .turning = 0.1,
                      .joint_rate = 0.005,
                      .torque = 10},
};

ff_plan_def ff_plan_def_default(ff_plan_motion motion)
{
  ff_plan_def def = {.motion = motion, .interval = 0.01, .steps = 40, .answer_steps = 10};
  def.cost = usual[motion == FF_PLAN_JUMP ? FF_PLAN_JUMP : FF_PLAN_TROT];
  return def;
}

// ---- Creation -----------------------------------------------------------------------------------------------------

static const char *flaw_of(const ff_model *model, const ff_plan_def *def)
{
  const ff_model_size size = ff_model_get_size(model);
  const ff_plan_cost *c = &def->cost;
  const double costs[] = {c->position, c->attitude, c->joint, c->velocity, c->turning, c->joint_rate};
  ff_joint_info root;
  ff_frame_info frame;
  if ((int)def->motion < 0 || (int)def->motion >= FF_PLAN_MOTION_COUNT)
    return "there is no such motion";
  if (size.roots != 1 || ff_model_joint(model, 0, &root) != FF_OK || root.type != FF_JOINT_FREE)
    return "the model must be one tree with a floating base";
  if (size.nv > MOST_NV || size.nv <= FFI_PLAN_FREE)
    return "the model has no motors, or more than 58";
  if (!(def->interval > 0 && def->interval <= 0.1) || def->steps < 1 || def->steps > MOST_STEPS ||
      def->answer_steps < 1 || def->answer_steps > MOST_STEPS)
    return "the interval must be positive and at most 0.1 s, with 1 to 100000 steps";
  for (size_t i = 0; i < sizeof costs / sizeof costs[0]; ++i)
    if (!(costs[i] >= 0 && isfinite(costs[i])))
      return "a cost is negative or not finite";
  if (!(c->torque > 0 && isfinite(c->torque)))
    return "the cost of torques must be finite and above 0";
  for (int i = -1; i < 4; ++i)
    if (ff_model_frame(model, i < 0 ? def->base : def->feet[i], &frame) != FF_OK || frame.joint < 0)
      return "the base or a foot is not a frame on a moving link";
  return NULL;
}

static ff_status allocate(ff_plan *plan, ff_error *error)
{
  const size_t n = (size_t)plan->intervals, nq = (size_t)plan->nq, nv = (size_t)plan->nv,
               nu = (size_t)plan->nu, nx = (size_t)plan->nx;
  plan->feedback.q = plan->q = calloc((n + 1) * nq, sizeof *plan->q);
  plan->feedback.v = plan->v = calloc((n + 1) * nv, sizeof *plan->v);
  plan->feedback.control = plan->control = calloc(n * nu, sizeof *plan->control);
  plan->feedback.gain = plan->gain = calloc(n * nu * nx, sizeof *plan->gain);
  plan->recorded_q = calloc((n + 1) * nq, sizeof *plan->recorded_q);
  plan->recorded_v = calloc((n + 1) * nv, sizeof *plan->recorded_v);
  plan->A = calloc(n * nx * nx, sizeof *plan->A);
  plan->B = calloc(n * nx * nu, sizeof *plan->B);
  if (plan->q && plan->v && plan->control && plan->gain && plan->recorded_q && plan->recorded_v && plan->A &&
      plan->B)
    return FF_OK;
  return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, "plan", "no memory");
}

static ff_status set_up(ff_plan *plan, ff_error *error)
{
  ff_sim_def def = ff_sim_def_default();
  const ff_model_size size = ff_model_get_size(plan->model);
  plan->nq = size.nq;
  plan->nv = size.nv;
  plan->nu = size.nv - FFI_PLAN_FREE;
  plan->nx = 2 * size.nv;
  plan->feedback = ff_feedback_def_default();
  plan->feedback.interval = plan->def.interval;
  ffi_plan_record_length(plan);
  plan->feedback.states = plan->intervals + 1;
  def.dt = plan->def.interval / plan->def.steps;
  ff_status status = ff_sim_create(plan->model, &def, &plan->sim, error);
  if (status != FF_OK)
    return status;
  def.dt = plan->def.interval / plan->def.answer_steps;
  status = ff_sim_create(plan->model, &def, &plan->linear_sim, error);
  return status == FF_OK ? allocate(plan, error) : status;
}

static ff_status find_answers(ff_plan *plan, ff_error *error)
{
  ff_status status = FF_OK;
  double *work = calloc(ffi_plan_linearize_work(plan), sizeof *work);
  if (!work)
    return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, "plan", "no memory");
  for (int k = 0; status == FF_OK && k < plan->intervals; ++k) {
    status = ffi_plan_linearize(plan, k, work, error);
    if (status == FF_OK && plan->def.progress &&
        !plan->def.progress((k + 1.0) / (plan->intervals + 1.0), plan->def.user))
      status = ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "plan", "given up as asked for");
  }
  free(work);
  return status;
}

ff_status ff_plan_create(const ff_model *model, const ff_plan_def *def, const double *q, ff_plan **out,
                         ff_error *error)
{
  if (!model || !def || !q || !out)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_plan_create",
                    "the model, the def, q or `out` is NULL");
  *out = NULL;
  const char *flaw = flaw_of(model, def);
  if (flaw)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "plan", "%s", flaw);
  ff_plan *plan = calloc(1, sizeof *plan);
  if (!plan)
    return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, "plan", "no memory");
  plan->model = model;
  plan->def = *def;
  ff_status status = set_up(plan, error);
  if (status == FF_OK)
    status = ffi_plan_record(plan, q, error);
  if (status == FF_OK)
    status = find_answers(plan, error);
  if (status == FF_OK)
    status = ffi_plan_gains(plan, error);
  if (status != FF_OK)
    goto fail;
  *out = plan;
  return FF_OK;
fail:
  ff_plan_destroy(plan);
  return status;
}

void ff_plan_destroy(ff_plan *plan)
{
  if (!plan)
    return;
  double *arrays[] = {plan->q,          plan->v,          plan->control, plan->gain,
                      plan->recorded_q, plan->recorded_v, plan->A,       plan->B};
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; ++i)
    free(arrays[i]);
  ff_sim_destroy(plan->sim);
  ff_sim_destroy(plan->linear_sim);
  free(plan);
}

const ff_feedback_def *ff_plan_feedback(const ff_plan *plan)
{
  return &plan->feedback;
}
