// A jump that reacts to any state: the tasks of the whole-body program at each moment (docs/theory/control.md, trot and
// jump).
#include "base/fail.h"
#include "control/smooth.h"
#include "math/quaternion.h"
#include "math/vec3.h"

#include <footfall/control/gait.h>

#include <stdlib.h>
#include <string.h>

enum { LEGS = 4 };

struct ff_jump {
  const ff_model *model;
  ff_jump_def def;
  ff_whole_body *body;
  ff_dynamics *dynamics;
  int nq, nv;
  double *standing, *landing; ///< [nq] each
  double com[3];              ///< where it stands
  double gravity, speed;      ///< g, and upwards when it leaves the ground [m/s]
  double push_time;
};

ff_jump_def ff_jump_def_default(void)
{
  return (ff_jump_def){
      .flight = 0.64,
      .start_time = 0.2,
      .crouch_time = 0.5,
      .crouch = 0.07,
      .stroke = 0.14,
      .lowest = 0.09,
      .friction = 0.8,
      .torque_limit = INFINITY,
  };
}

// ---- Creation -----------------------------------------------------------------------------------------------------

static const char *flaw_of(const ff_model *model, const ff_jump_def *def)
{
  const ff_model_size size = ff_model_get_size(model);
  const double numbers[] = {def->flight, def->start_time, def->crouch_time, def->crouch,
                            def->stroke, def->lowest,     def->hold};
  ff_joint_info root;
  if (size.roots != 1 || ff_model_joint(model, 0, &root) != FF_OK || root.type != FF_JOINT_FREE)
    return "the model must be one tree with a floating base";
  if (!ffi_all_finite(numbers, (int)(sizeof numbers / sizeof numbers[0])) ||
      (def->landing && !ffi_all_finite(def->landing, size.nq)))
    return "a number of the definition is not finite";
  if (!(def->flight > 0) || !(def->crouch_time > 0) || !(def->stroke > 0) || def->start_time < 0 ||
      def->hold < 0)
    return "flight, crouch_time and stroke must be positive, start_time and hold not negative";
  if (!(def->torque_limit > 0))
    return "torque_limit must be positive";
  return NULL;
}

// The centre of mass first, then the trunk's attitude. Standing feet get no acceleration; they are not pulled back to a
// position.
static ff_status make_body(ff_jump *jump, ff_error *error)
{
  static const double origin[3] = {0, 0, 0};
  ff_contact_task feet[LEGS];
  ff_frame_task trunk = ff_frame_task_default();
  trunk.frame = jump->def.base;
  trunk.mask[0] = trunk.mask[1] = trunk.mask[2] = 0;
  trunk.task.kp = 200;
  for (int i = 0; i < LEGS; ++i) {
    feet[i] = ff_contact_task_default();
    feet[i].frame = jump->def.feet[i];
    feet[i].points = origin;
    feet[i].point_count = 1;
    feet[i].friction = jump->def.friction;
    feet[i].task = (ff_task){.weight = 10, .kp = 0, .kd = 20};
  }
  double *limits = malloc((size_t)jump->nv * sizeof *limits);
  if (!limits)
    return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, "ff_jump_create", "no memory");
  for (int i = 0; i < jump->nv; ++i)
    limits[i] = jump->def.torque_limit;
  ff_whole_body_def def = ff_whole_body_def_default();
  def.contacts = feet;
  def.contact_count = LEGS;
  def.frames = &trunk;
  def.frame_count = 1;
  def.com = (ff_task){.weight = 10, .kp = 100, .kd = -1};
  def.posture = (ff_task){.weight = 1e-4, .kp = 100, .kd = -1};
  def.force_weight = 1e-6;
  def.torque_limits = limits;
  def.hold = jump->def.hold;
  const ff_status status = ff_whole_body_create(jump->model, &def, &jump->body, error);
  free(limits);
  return status;
}

static void begin(ff_jump *jump, const double *q)
{
  const ff_jump_def *def = &jump->def;
  double gravity[3];
  ff_model_gravity(jump->model, gravity);
  memcpy(jump->standing, q, (size_t)jump->nq * sizeof *q);
  memcpy(jump->landing, def->landing ? def->landing : q, (size_t)jump->nq * sizeof *q);
  jump->def.landing = NULL; // the caller's
  ff_dynamics_kinematics(jump->dynamics, q, NULL, NULL);
  ff_dynamics_com(jump->dynamics, jump->com);
  jump->gravity = ffi_v3_norm(gravity);
  jump->speed = jump->gravity * def->flight / 2;
  jump->push_time = 2.5 * def->stroke / jump->speed; // mean over final speed of a smooth push: 0.4
  ff_whole_body_hold(jump->body, q);
}

ff_status ff_jump_create(const ff_model *model, const ff_jump_def *def, const double *q, ff_jump **out,
                         ff_error *error)
{
  if (!model || !def || !q || !out)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_jump_create",
                    "the model, the def, q or `out` is NULL");
  *out = NULL;
  const char *flaw = flaw_of(model, def);
  if (flaw)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "jump", "%s", flaw);
  ff_status status = FF_OK;
  ff_jump *jump = calloc(1, sizeof *jump);
  if (!jump)
    return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, "ff_jump_create", "no memory");
  jump->model = model;
  jump->def = *def;
  jump->nq = ff_model_get_size(model).nq;
  jump->nv = ff_model_get_size(model).nv;
  jump->standing = calloc(2 * (size_t)jump->nq, sizeof *jump->standing);
  if (!jump->standing) {
    status = ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, "ff_jump_create", "no memory");
    goto fail;
  }
  jump->landing = jump->standing + jump->nq;
  status = make_body(jump, error);
  if (status == FF_OK)
    status = ff_dynamics_create(model, NULL, &jump->dynamics, error);
  if (status != FF_OK)
    goto fail;
  begin(jump, q);
  *out = jump;
  return FF_OK;
fail:
  ff_jump_destroy(jump);
  return status;
}

void ff_jump_destroy(ff_jump *jump)
{
  if (!jump)
    return;
  ff_whole_body_destroy(jump->body);
  ff_dynamics_destroy(jump->dynamics);
  free(jump->standing);
  free(jump);
}

double ff_jump_takeoff(const ff_jump *jump)
{
  return jump->def.start_time + jump->def.crouch_time + jump->push_time;
}

// ---- On the ground, before ----------------------------------------------------------------------------------------

// Height, speed and acceleration of the centre of mass until it leaves the ground.
static void push_at(const ff_jump *jump, double time, double out[3])
{
  const ff_jump_def *def = &jump->def;
  const double stand[3] = {jump->com[2]}, low[3] = {jump->com[2] - def->crouch},
               high[3] = {low[0] + def->stroke, jump->speed, -jump->gravity};
  const double crouched = time - def->start_time, pushed = crouched - def->crouch_time;
  if (crouched <= 0)
    memcpy(out, stand, sizeof stand);
  else if (pushed <= 0)
    ffi_smooth_between(stand, low, def->crouch_time, crouched, out);
  else
    ffi_smooth_between(low, high, jump->push_time, fmin(pushed, jump->push_time), out);
}

// ---- In the air and after -----------------------------------------------------------------------------------------

// Do feet touch the ground, or will they until the middle of the hold?
static int is_touching(const ff_jump *jump)
{
  const double slack = 5e-4; // standing feet penetrate by some 0.1 mm, and may vibrate
  for (int i = 0; i < LEGS; ++i) {
    double at[3], velocity[6];
    ff_dynamics_frame_pose(jump->dynamics, jump->def.feet[i], at, NULL);
    ff_dynamics_frame_velocity(jump->dynamics, jump->def.feet[i], FF_AXES_LOCAL_ALIGNED, velocity);
    if (at[2] + velocity[2] * jump->def.hold / 2 <= slack)
      return 1;
  }
  return 0;
}

// Falling: the acceleration that stops it at the lowest height, v^2 / 2 over the height left. Else: slowly up.
static void land(const ff_jump *jump, const double com[3], double rate, double out[3])
{
  const double most = 5 * jump->gravity, near = 0.02, reach = 0.04, half = jump->def.hold / 2;
  const double height = com[2] + rate * half, left = height - (jump->com[2] - jump->def.lowest);
  if (rate < -0.1) {
    out[2] = fmin(most, rate * rate / (2 * fmax(near, left)));
    out[1] = rate + out[2] * half;
    out[0] = height;
    return;
  }
  out[0] = com[2] + fmax(-reach, fmin(reach, jump->com[2] - com[2]));
  out[1] = out[2] = 0;
}

static void ask(ff_jump *jump, double time)
{
  const double middle = time + jump->def.hold / 2, takeoff = ff_jump_takeoff(jump);
  double com[3], momentum[6], z[3];
  ff_dynamics_com(jump->dynamics, com);
  ff_dynamics_momentum(jump->dynamics, momentum);
  const double rate = momentum[2] / ff_model_mass(jump->model);
  const int is_before = middle < takeoff,
            is_on = is_before || (time > takeoff + jump->def.flight / 4 && is_touching(jump));
  if (is_before)
    push_at(jump, middle, z);
  else
    land(jump, com, rate, z);
  const double place[3] = {is_on ? jump->com[0] : com[0], is_on ? jump->com[1] : com[1], z[0]};
  const double velocity[3] = {0, 0, z[1]}, acceleration[3] = {0, 0, z[2]};
  const int is_landing = !is_before && (!is_on || rate < -0.1);
  ff_whole_body_set_posture(jump->body, is_landing ? jump->landing : jump->standing);
  ff_whole_body_set_com(jump->body, place, velocity, acceleration);
  for (int i = 0; i < LEGS; ++i)
    ff_whole_body_set_contact(jump->body, i, is_on, NULL);
}

ff_status ff_jump_tau(ff_jump *jump, double time, const double *q, const double *v, double *tau,
                      ff_error *error)
{
  if (!ffi_all_finite(q, jump->nq) || !ffi_all_finite(v, jump->nv) || !isfinite(time))
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_jump_tau", "time, q or v is not finite");
  ff_dynamics_kinematics(jump->dynamics, q, v, NULL);
  ask(jump, time);
  const ff_status status = ff_whole_body_solve(jump->body, q, v, error);
  memcpy(tau, ff_whole_body_tau(jump->body), (size_t)jump->nv * sizeof *tau);
  return status;
}
