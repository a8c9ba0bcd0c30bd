#include "control/plan_jump.h"

#include "base/fail.h"
#include "math/quaternion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  FEET = FFI_PLAN_JUMP_FEET,
  TRUNK = FFI_PLAN_JUMP_FEET
}; ///< frame tasks: the feet, then the trunk's attitude

struct ffi_plan_jump {
  const ff_model *model;
  ffi_plan_jump_def def;
  ffi_plan_jump_course course;
  ff_whole_body *body;
  ff_dynamics *dynamics;
  int nq, nv;
  double mass;
  double com[3];        ///< at the start
  double from[FEET][3]; ///< feet from the centre of mass, at the start
  double landed;        ///< when feet met the ground, infinity before
  double fall[2];       ///< height and speed of the centre of mass then, downwards
  double *work;         ///< [2 nq + 4 nv]
  int hip[FEET];        ///< frames of the links above the knees, which turn about the hips
  double leg[FEET];     ///< stretched, from hip to foot [m]
};

ffi_plan_jump_def ffi_plan_jump_def_default(void)
{
  return (ffi_plan_jump_def){.course = {
                                 .stand_time = 0.1,
                                 .crouch_time = 0.4,
                                 .flight_time = 0.63,
                                 .rise_time = 0.6,
                                 .low = 0.092,
                                 .high = 0.21,
                                 .tuck = 0.16,
                                 .touch = 0.215,
                                 .rest = 0.092,
                                 .brake_time = 0.08,
                                 .retract_time = 0.03,
                                 .load_time = 0.01,
                                 .hold = 0.01,
                             }};
}

// ---- Creation -----------------------------------------------------------------------------------------------------

// Feet that stand are asked to stay as they are, not to go back to anywhere.
static ff_status make_body(ffi_plan_jump *jump, ff_error *error)
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
  def.hold = jump->course.hold;
  return ff_whole_body_create(jump->model, &def, &jump->body, error);
}

static double distance(const double a[3], const double b[3])
{
  return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

// After kinematics: where legs begin, and how long they are.
static void measure_leg(ffi_plan_jump *jump, int foot)
{
  ff_frame_info frame;
  ff_joint_info knee, hip;
  ff_link_info shin, thigh;
  double at[3][3];
  jump->leg[foot] = INFINITY;
  ff_model_frame(jump->model, jump->def.feet[foot], &frame);
  if (ff_model_joint(jump->model, frame.joint, &knee) != FF_OK ||
      ff_model_joint(jump->model, knee.parent, &hip) != FF_OK)
    return;
  ff_model_link(jump->model, knee.link, &shin);
  ff_model_link(jump->model, hip.link, &thigh);
  jump->hip[foot] = thigh.frame;
  ff_dynamics_frame_pose(jump->dynamics, jump->def.feet[foot], at[0], NULL);
  ff_dynamics_frame_pose(jump->dynamics, shin.frame, at[1], NULL);
  ff_dynamics_frame_pose(jump->dynamics, thigh.frame, at[2], NULL);
  jump->leg[foot] = distance(at[0], at[1]) + distance(at[1], at[2]);
}

static void begin(ffi_plan_jump *jump, const double *q)
{
  double g[3];
  ff_model_gravity(jump->model, g);
  jump->course.gravity = -g[2];
  jump->mass = ff_model_mass(jump->model);
  ff_dynamics_kinematics(jump->dynamics, q, NULL, NULL);
  ff_dynamics_com(jump->dynamics, jump->com);
  jump->course.stand = jump->com[2];
  for (int i = 0; i < FEET; ++i) {
    ff_dynamics_frame_pose(jump->dynamics, jump->def.feet[i], jump->from[i], NULL);
    for (int k = 0; k < 3; ++k)
      jump->from[i][k] -= jump->com[k];
    measure_leg(jump, i);
  }
  jump->landed = INFINITY;
  ff_whole_body_hold(jump->body, q);
}

ff_status ffi_plan_jump_create(const ff_model *model, const ffi_plan_jump_def *def, const double *q,
                               ffi_plan_jump **out, ff_error *error)
{
  *out = NULL;
  ffi_plan_jump *jump = calloc(1, sizeof *jump);
  if (!jump)
    return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, "jump", "no memory");
  jump->model = model;
  jump->def = *def;
  jump->course = def->course;
  jump->nq = ff_model_get_size(model).nq;
  jump->nv = ff_model_get_size(model).nv;
  ff_status status = FF_OK;
  jump->work = calloc(2 * (size_t)jump->nq + 4 * (size_t)jump->nv, sizeof *jump->work);
  if (!jump->work)
    status = ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, "jump", "no memory");
  if (status == FF_OK)
    status = make_body(jump, error);
  if (status == FF_OK)
    status = ff_dynamics_create(model, NULL, &jump->dynamics, error);
  if (status != FF_OK)
    goto fail;
  begin(jump, q);
  *out = jump;
  return FF_OK;
fail:
  ffi_plan_jump_destroy(jump);
  return status;
}

void ffi_plan_jump_destroy(ffi_plan_jump *jump)
{
  if (!jump)
    return;
  ff_whole_body_destroy(jump->body);
  ff_dynamics_destroy(jump->dynamics);
  free(jump->work);
  free(jump);
}

// ---- In the air ---------------------------------------------------------------------------------------------------

// Where the centre of mass is and how fast it moves. After kinematics.
static void find_com(ffi_plan_jump *jump, double com[3], double rate[3])
{
  double momentum[6];
  ff_dynamics_com(jump->dynamics, com);
  ff_dynamics_momentum(jump->dynamics, momentum);
  for (int k = 0; k < 3; ++k)
    rate[k] = momentum[k] / jump->mass;
}

// A foot's place, velocity and acceleration in the middle of the hold.
static void ask_foot(ffi_plan_jump *jump, int foot, const double at[3], const double rate[3],
                     const double more[3])
{
  ff_pose pose = ff_pose_identity(); // only its place counts
  double velocity[6] = {0}, acceleration[6] = {0};
  memcpy(pose.position, at, sizeof pose.position);
  memcpy(velocity, rate, 3 * sizeof *rate);
  memcpy(acceleration, more, 3 * sizeof *more);
  ff_whole_body_set_frame(jump->body, foot, &pose, velocity, acceleration);
}

// A place for a foot, from the centre of mass: the one wished for, or the nearest to it that a leg reaches that is not quite straight. 0: it is another.
// A robot that turns in the air may lift a hip beyond what its leg could follow.
static int reach_for(const ffi_plan_jump *jump, int foot, double t, const double com[3], const double wish[3],
                     double out[3])
{
  const double most = 0.95 * jump->leg[foot]; // the knee bent by 36 degrees
  double hip[3];
  memcpy(out, wish, 3 * sizeof *out);
  if (t < jump->course.brake_time || !isfinite(most))
    return 1;
  ff_dynamics_frame_pose(jump->dynamics, jump->hip[foot], hip, NULL);
  for (int k = 0; k < 3; ++k)
    hip[k] -= com[k];
  const double way = distance(hip, wish);
  if (way <= most)
    return 1;
  for (int k = 0; k < 3; ++k)
    out[k] = hip[k] + (wish[k] - hip[k]) * most / way;
  return 0;
}

// Feet are where the centre of mass, which falls freely, takes them, `t` after they lifted. After kinematics.
static void ask_flight(ffi_plan_jump *jump, double t)
{
  const double ahead = jump->course.hold / 2;
  double com[3], rate[3], r[3];
  find_com(jump, com, rate);
  ffi_plan_jump_course_reach(&jump->course, t, r);
  for (int i = 0; i < FEET; ++i) {
    const double wish[3] = {jump->from[i][0], jump->from[i][1], -r[0]};
    double at[3], velocity[3], acceleration[3], below[3];
    const int is_near = reach_for(jump, i, t, com, wish, below);
    for (int k = 0; k < 3; ++k) {
      const double free_fall = k == 2 ? -jump->course.gravity : 0;
      at[k] = com[k] + ahead * (rate[k] + free_fall * ahead / 2) + below[k];
      velocity[k] = rate[k] + free_fall * ahead - (k < 2 || !is_near ? 0 : r[1]);
      acceleration[k] = free_fall - (k < 2 || !is_near ? 0 : r[2]);
    }
    ask_foot(jump, i, at, velocity, acceleration);
  }
}

// Kinematics where held torques lead in the air at the end of the hold: midpoint steps, whose error is that of the square of 1/16 of a hold.
static void glide(ffi_plan_jump *jump, const double *q, const double *v, const double *tau)
{
  enum { STEPS = 16 };
  const double h = jump->course.hold / STEPS;
  double *at = jump->work, *middle = at + jump->nq, *rate = middle + jump->nq, *middle_rate = rate + jump->nv,
         *way = middle_rate + jump->nv, *vdot = way + jump->nv;
  memcpy(at, q, (size_t)jump->nq * sizeof *q);
  memcpy(rate, v, (size_t)jump->nv * sizeof *v);
  for (int step = 0; step < STEPS; ++step) {
    ff_dynamics_aba(jump->dynamics, at, rate, tau, vdot);
    for (int i = 0; i < jump->nv; ++i) {
      middle_rate[i] = rate[i] + vdot[i] * h / 2;
      way[i] = rate[i] * h / 2;
    }
    ff_model_integrate(jump->model, at, way, middle);
    ff_dynamics_aba(jump->dynamics, middle, middle_rate, tau, vdot);
    for (int i = 0; i < jump->nv; ++i) {
      rate[i] += vdot[i] * h;
      way[i] = middle_rate[i] * h;
    }
    ff_model_integrate(jump->model, at, way, middle);
    memcpy(at, middle, (size_t)jump->nq * sizeof *at);
  }
  ff_dynamics_kinematics(jump->dynamics, at, rate, NULL);
}

// ---- Feet meet the ground -----------------------------------------------------------------------------------------

typedef struct meeting {
  double at[3], rate[3], wish[3],
      push[3]; ///< a foot's place and velocity, its velocity wished for at the hold's end, acceleration asked for
} meeting;

static void foot_rate(const ffi_plan_jump *jump, int foot, double rate[3])
{
  double velocity[6];
  ff_dynamics_frame_velocity(jump->dynamics, jump->def.feet[foot], FF_AXES_LOCAL_ALIGNED, velocity);
  memcpy(rate, velocity, 3 * sizeof *rate);
}

// After kinematics.
static void begin_meeting(ffi_plan_jump *jump, int holds, meeting feet[FEET])
{
  const double hold = jump->course.hold;
  double com[3], rate[3];
  find_com(jump, com, rate);
  for (int i = 0; i < FEET; ++i) {
    meeting *m = &feet[i];
    ff_dynamics_frame_pose(jump->dynamics, jump->def.feet[i], m->at, NULL);
    foot_rate(jump, i, m->rate);
    for (int k = 0; k < 3; ++k) {
      m->wish[k] =
          k < 2 ? rate[k] : m->rate[k] + hold * ffi_plan_jump_course_stop(holds, hold, m->at[k], m->rate[k]);
      m->push[k] = (m->wish[k] - m->rate[k]) / hold;
    }
  }
}

// Asks for the middle of the hold.
static void ask_meeting(ffi_plan_jump *jump, const meeting feet[FEET])
{
  const double ahead = jump->course.hold / 2;
  for (int i = 0; i < FEET; ++i) {
    double at[3], rate[3];
    for (int k = 0; k < 3; ++k) {
      at[k] = feet[i].at[k] + ahead * (feet[i].rate[k] + feet[i].push[k] * ahead / 2);
      rate[k] = feet[i].rate[k] + feet[i].push[k] * ahead;
    }
    ask_foot(jump, i, at, rate, feet[i].push);
  }
}

// After glide(): how far velocities of feet are from those wished for.
static double miss(const ffi_plan_jump *jump, const meeting feet[FEET])
{
  double square = 0;
  for (int i = 0; i < FEET; ++i) {
    double rate[3];
    foot_rate(jump, i, rate);
    for (int k = 0; k < 3; ++k)
      square += (feet[i].wish[k] - rate[k]) * (feet[i].wish[k] - rate[k]);
  }
  return square;
}

// Legs turn by some tenths of a radian within a hold, and torques that are right in its middle leave a tenth of what feet should have lost. So it is
// foretold what torques do, and what is missing is asked for in addition; four times, each leaving a quarter or so of the error.
static ff_status meet_ground(ffi_plan_jump *jump, int holds, const double *q, const double *v,
                             ff_error *error)
{
  enum { TIMES = 4 };
  const double hold = jump->course.hold;
  meeting feet[FEET], before[FEET];
  double least = INFINITY;
  begin_meeting(jump, holds, feet);
  for (int time = 0;; ++time) {
    ask_meeting(jump, feet);
    const ff_status status = ff_whole_body_solve(jump->body, q, v, error);
    if (status != FF_OK || time == TIMES)
      return status;
    glide(jump, q, v, ff_whole_body_tau(jump->body));
    const double missing = miss(jump, feet);
    if (!(missing < least)) { // a leg that gets straight: less is more
      ask_meeting(jump, before);
      return ff_whole_body_solve(jump->body, q, v, error);
    }
    least = missing;
    memcpy(before, feet, sizeof before);
    for (int i = 0; i < FEET; ++i) {
      double rate[3];
      foot_rate(jump, i, rate);
      for (int k = 0; k < 3; ++k)
        feet[i].push[k] += (feet[i].wish[k] - rate[k]) / hold;
    }
  }
}

// ---- A moment -----------------------------------------------------------------------------------------------------

// Holds until feet meet the ground; 0 from then on. A foot that is on the ground before its time counts. After kinematics.
static int look_for_ground(ffi_plan_jump *jump, double time)
{
  double com[3], rate[3], foot[3], lowest = INFINITY;
  find_com(jump, com, rate);
  const int left = ffi_plan_jump_course_holds_left(&jump->course, com[2], rate[2]);
  if (isfinite(jump->landed))
    return 0;
  for (int i = 0; i < FEET; ++i) {
    ff_dynamics_frame_pose(jump->dynamics, jump->def.feet[i], foot, NULL);
    lowest = fmin(lowest, foot[2]);
  }
  if (time < ffi_plan_jump_course_lift_time(&jump->course) + jump->course.flight_time / 2 ||
      (lowest > 0 && left > 0))
    return left > 0 ? left : 1;
  jump->landed = time;
  jump->fall[0] = com[2];
  jump->fall[1] = -rate[2];
  return 0;
}

static void ask(ffi_plan_jump *jump, double time, int is_flying)
{
  const double middle = time + jump->course.hold / 2;
  double z[3] = {0};
  if (is_flying)
    ask_flight(jump, middle - ffi_plan_jump_course_lift_time(&jump->course));
  else if (isfinite(jump->landed))
    ffi_plan_jump_course_after(&jump->course, jump->fall[0], jump->fall[1], middle - jump->landed, z);
  else
    ffi_plan_jump_course_before(&jump->course, middle, z);
  const double at[3] = {jump->com[0], jump->com[1], z[0]}, rate[3] = {0, 0, z[1]}, more[3] = {0, 0, z[2]};
  ff_whole_body_set_com(jump->body, at, rate,
                        more); // in the air it cannot be had, and costs the same whatever is done
  for (int i = 0; i < FEET; ++i) {
    ff_whole_body_set_contact(jump->body, i, !is_flying, NULL);
    ff_whole_body_set_frame_weight(jump->body, i, is_flying);
  }
  ff_whole_body_set_frame_weight(jump->body, TRUNK, is_flying ? 0 : 0.1);
}

ff_status ffi_plan_jump_tau(ffi_plan_jump *jump, double time, const double *q, const double *v, double *tau,
                            ff_error *error)
{
  const double half = jump->course.hold / 2;
  ff_dynamics_kinematics(jump->dynamics, q, v, NULL);
  const int left = look_for_ground(jump, time);
  const int is_flying = time + half >= ffi_plan_jump_course_lift_time(&jump->course) && left > 0;
  ask(jump, time, is_flying);
  const int is_meeting = is_flying && left * jump->course.hold < jump->course.retract_time + half;
  const ff_status status =
      is_meeting ? meet_ground(jump, left, q, v, error) : ff_whole_body_solve(jump->body, q, v, error);
  memcpy(tau, ff_whole_body_tau(jump->body), (size_t)jump->nv * sizeof *tau);
  return status;
}
