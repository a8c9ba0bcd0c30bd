#include "control/plan_jump.h"

#include "base/error.h"
#include "math/quaternion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FEET = FFI_JUMP_FEET, TRUNK = FFI_JUMP_FEET }; ///< frame tasks: the feet, then the trunk's attitude

struct ffi_jump {
  const ff_model *model;
  ffi_jump_def def;
  ff_whole_body *body;
  ff_dynamics *dynamics;
  double gravity, mass;
  double com[3];        ///< at the start
  double from[FEET][3]; ///< feet from the centre of mass, at the start
  double landed;        ///< when the first foot touched the ground, infinity before
  double fall[2];       ///< height and speed of the centre of mass then
};

ffi_jump_def ffi_jump_def_default(void)
{
  return (ffi_jump_def){
      .stand_time = 0.1,
      .crouch_time = 0.4,
      .push_time = 0.1,
      .land_time = 0.1,
      .rise_time = 0.6,
      .flight_time = 0.68,
      .low = 0.11,
      .high = 0.21,
      .tuck = 0.16,
      .brake_time = 0.08,
      .retract_time = 0.05,
      .soften = 0.6,
      .hold = 0.01,
  };
}

// ---- Creation -----------------------------------------------------------------------------------------------------

// Feet that stand are asked to stay as they are, not to go back to anywhere.
static ff_status make_body(ffi_jump *jump, ff_error *error)
{
  static const double origin[3] = {0, 0, 0};
  ff_contact_task feet[FEET];
  ff_frame_task frames[FEET + 1];
  for (int i = 0; i < FEET + 1; ++i) {
    frames[i] = ff_frame_task_default();
    frames[i].frame = i < FEET ? jump->def.feet[i] : jump->def.base;
    for (int k = 0; k < 6; ++k)
      frames[i].mask[k] = i < FEET ? k < 3 : k >= 3;
    frames[i].task.kp = i < FEET ? 900 : 150;
    frames[i].task.weight = 0; // set at each moment
  }
  for (int i = 0; i < FEET; ++i) {
    feet[i] = ff_contact_task_default();
    feet[i].frame = jump->def.feet[i];
    feet[i].points = origin;
    feet[i].point_count = 1;
    feet[i].friction = 0.8;
    feet[i].task = (ff_task){.weight = 10, .kp = 0, .kd = 20};
  }
  ff_whole_body_def def = ff_whole_body_def_default();
  def.contacts = feet;
  def.contact_count = FEET;
  def.frames = frames;
  def.frame_count = FEET + 1;
  def.com = (ff_task){.weight = 1, .kp = 200, .kd = -1};
  def.posture.weight = 1e-5;
  def.momentum = (ff_task){
      .weight = 100, .kp = 0, .kd = 50}; // what is left of it at lift-off turns the robot in the air
  def.force_weight = 1e-6;
  def.hold = jump->def.hold;
  return ff_whole_body_create(jump->model, &def, &jump->body, error);
}

static void begin(ffi_jump *jump, const double *q)
{
  double g[3];
  ff_model_gravity(jump->model, g);
  jump->gravity = -g[2];
  jump->mass = ff_model_mass(jump->model);
  ff_dynamics_kinematics(jump->dynamics, q, NULL, NULL);
  ff_dynamics_com(jump->dynamics, jump->com);
  for (int i = 0; i < FEET; ++i) {
    ff_dynamics_frame_pose(jump->dynamics, jump->def.feet[i], jump->from[i], NULL);
    for (int k = 0; k < 3; ++k)
      jump->from[i][k] -= jump->com[k];
  }
  jump->landed = INFINITY;
  ff_whole_body_hold(jump->body, q);
}

ff_status ffi_jump_create(const ff_model *model, const ffi_jump_def *def, const double *q, ffi_jump **out,
                          ff_error *error)
{
  *out = NULL;
  ffi_jump *jump = calloc(1, sizeof *jump);
  if (!jump)
    return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, "jump", "no memory");
  jump->model = model;
  jump->def = *def;
  ff_status status = make_body(jump, error);
  if (status == FF_OK)
    status = ff_dynamics_create(model, NULL, &jump->dynamics, error);
  if (status != FF_OK)
    goto fail;
  begin(jump, q);
  *out = jump;
  return FF_OK;
fail:
  ffi_jump_destroy(jump);
  return status;
}

void ffi_jump_destroy(ffi_jump *jump)
{
  if (!jump)
    return;
  ff_whole_body_destroy(jump->body);
  ff_dynamics_destroy(jump->dynamics);
  free(jump);
}

// ---- Courses ------------------------------------------------------------------------------------------------------

// Value, velocity and acceleration at time t of the polynomial of degree 5 that has those of `from` at 0 and those of `to` at T; afterwards
// it goes on with the acceleration of `to`.
static void between(const double from[3], const double to[3], double T, double t, double out[3])
{
  if (t >= T) {
    const double after = t - T;
    out[0] = to[0] + after * (to[1] + after * to[2] / 2);
    out[1] = to[1] + after * to[2];
    out[2] = to[2];
    return;
  }
  const double d = to[0] - from[0] - T * (from[1] + T * from[2] / 2), v = (to[1] - from[1] - T * from[2]) * T,
               a = (to[2] - from[2]) * T * T, u = t / T;
  const double c3 = 10 * d - 4 * v + a / 2, c4 = -15 * d + 7 * v - a, c5 = 6 * d - 3 * v + a / 2;
  out[0] = from[0] + t * (from[1] + t * from[2] / 2) + u * u * u * (c3 + u * (c4 + u * c5));
  out[1] = from[1] + t * from[2] + u * u * (3 * c3 + u * (4 * c4 + u * 5 * c5)) / T;
  out[2] = from[2] + u * (6 * c3 + u * (12 * c4 + u * 20 * c5)) / (T * T);
}

// Height of the centre of mass while feet stand, before the flight.
static void height_before(const ffi_jump *jump, double t, double out[3])
{
  const ffi_jump_def *d = &jump->def;
  const double stand[3] = {jump->com[2], 0, 0}, low[3] = {d->low, 0, 0};
  const double lift[3] = {d->high, jump->gravity * d->flight_time / 2, -jump->gravity};
  t -= d->stand_time;
  if (t < d->crouch_time)
    between(stand, low, d->crouch_time, fmax(0, t), out);
  else
    between(low, lift, d->push_time, t - d->crouch_time, out);
}

// And after it.
static void height_after(const ffi_jump *jump, double t, double out[3])
{
  const ffi_jump_def *d = &jump->def;
  const double first[3] = {jump->fall[0], jump->fall[1], 0}, low[3] = {d->low, 0, 0},
               stand[3] = {jump->com[2], 0, 0};
  t -= jump->landed;
  if (t < d->land_time)
    between(first, low, d->land_time, t, out);
  else
    between(low, stand, d->rise_time, t - d->land_time, out);
}

// How far feet are below the centre of mass, `t` after they lifted: as they left, drawn up, stretched out, and giving way.
static void reach(const ffi_jump *jump, double t, double out[3])
{
  const ffi_jump_def *d = &jump->def;
  const double speed = jump->gravity * d->flight_time / 2, last = d->flight_time - d->retract_time;
  const double left[3] = {d->high, speed, -jump->gravity}, tuck[3] = {d->tuck, 0, 0};
  const double ready[3] = {d->high + d->soften * speed * d->retract_time / 2, 0, 0};
  const double meet[3] = {d->high, -d->soften * speed, 0};
  if (t < d->brake_time)
    between(left, tuck, d->brake_time, t, out);
  else if (t < last)
    between(tuck, ready, last - d->brake_time, t - d->brake_time, out);
  else
    between(ready, meet, d->retract_time, t - last, out);
}

// ---- A moment -----------------------------------------------------------------------------------------------------

static double lift_time(const ffi_jump_def *d)
{
  return d->stand_time + d->crouch_time + d->push_time;
}

// Feet are where the centre of mass, which falls freely, takes them. After kinematics.
static void ask_flight(ffi_jump *jump, double t)
{
  const double ahead = jump->def.hold / 2;
  double com[3], r[3], momentum[6], velocity[6] = {0}, acceleration[6] = {0};
  ff_dynamics_com(jump->dynamics, com);
  ff_dynamics_momentum(jump->dynamics, momentum);
  reach(jump, t, r);
  for (int i = 0; i < FEET; ++i) {
    ff_pose pose = ff_pose_identity(); // only its place counts
    for (int k = 0; k < 3; ++k) {
      const double free_fall = k == 2 ? -jump->gravity : 0, rate = momentum[k] / jump->mass;
      pose.position[k] = com[k] + ahead * (rate + free_fall * ahead / 2) + (k < 2 ? jump->from[i][k] : -r[0]);
      velocity[k] = rate + free_fall * ahead - (k < 2 ? 0 : r[1]);
      acceleration[k] = free_fall - (k < 2 ? 0 : r[2]);
    }
    ff_whole_body_set_frame(jump->body, i, &pose, velocity, acceleration);
  }
}

// Has a foot come down? Feet that are on their way up have not. After kinematics.
static void look_for_ground(ffi_jump *jump, double time)
{
  double foot[3], com[3], momentum[6], lowest = INFINITY;
  if (time < lift_time(&jump->def) + jump->def.flight_time / 2 || isfinite(jump->landed))
    return;
  for (int i = 0; i < FEET; ++i) {
    ff_dynamics_frame_pose(jump->dynamics, jump->def.feet[i], foot, NULL);
    lowest = fmin(lowest, foot[2]);
  }
  if (lowest > 0)
    return;
  ff_dynamics_com(jump->dynamics, com);
  ff_dynamics_momentum(jump->dynamics, momentum);
  jump->landed = time;
  jump->fall[0] = com[2];
  jump->fall[1] = momentum[2] / jump->mass;
}

static void ask(ffi_jump *jump, double time)
{
  const double middle = time + jump->def.hold / 2, lift = lift_time(&jump->def);
  const int has_landed = isfinite(jump->landed), is_flying = middle >= lift && !has_landed;
  double z[3] = {0};
  if (is_flying)
    ask_flight(jump, middle - lift);
  else if (has_landed)
    height_after(jump, middle, z);
  else
    height_before(jump, middle, z);
  const double at[3] = {jump->com[0], jump->com[1], z[0]}, rate[3] = {0, 0, z[1]}, more[3] = {0, 0, z[2]};
  ff_whole_body_set_com(jump->body, at, rate,
                        more); // in the air it cannot be had, and costs the same whatever is done
  for (int i = 0; i < FEET; ++i) {
    ff_whole_body_set_contact(jump->body, i, !is_flying, NULL);
    ff_whole_body_set_frame_weight(jump->body, i, is_flying);
  }
  ff_whole_body_set_frame_weight(jump->body, TRUNK, is_flying ? 0 : 0.1);
}

ff_status ffi_jump_tau(ffi_jump *jump, double time, const double *q, const double *v, double *tau,
                       ff_error *error)
{
  ff_dynamics_kinematics(jump->dynamics, q, v, NULL);
  look_for_ground(jump, time);
  ask(jump, time);
  const ff_status status = ff_whole_body_solve(jump->body, q, v, error);
  memcpy(tau, ff_whole_body_tau(jump->body), (size_t)ff_model_get_size(jump->model).nv * sizeof *tau);
  return status;
}
