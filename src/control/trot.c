// A trot: the tasks of the whole-body program at each moment (docs/theory/control.md, trot and jump).
#include "control/trot.h"

#include "base/fail.h"
#include "control/smooth.h"
#include "math/quaternion.h"

#include <stdlib.h>
#include <string.h>

enum {
  LEGS = 4,
  TRUNK = 4,
  WAY = 5
}; // frame tasks: of the feet, of the trunk's height and attitude, of its motion along the ground

struct ff_trot {
  const ff_model *model;
  ff_trot_def def;
  ff_whole_body *body;
  ff_dynamics *dynamics;
  ff_pose start;          ///< of the trunk
  double under[LEGS][2];  ///< feet from the trunk, at the start
  double level[LEGS];     ///< their height there, at which they land again
  double lifted[LEGS][3]; ///< feet when the present step began
  int step;               ///< the present one, -1: before the first
};

ff_trot_def ff_trot_def_default(void)
{
  return (ff_trot_def){
      .speed = 0.2,
      .start_time = 0.3,
      .ramp_time = 0.5,
      .step_time = 0.2,
      .both_time = 0.04,
      .step_height = 0.05,
      .sink = 0.005,
      .placement = 0.05,
      .friction = 0.8,
      .torque_limit = INFINITY,
  };
}

// ---- Creation -----------------------------------------------------------------------------------------------------

static const char *flaw_of(const ff_model *model, const ff_trot_def *def)
{
  const ff_model_size size = ff_model_get_size(model);
  const double numbers[] = {def->speed,       def->start_time, def->ramp_time, def->step_time, def->both_time,
                            def->step_height, def->sink,       def->placement, def->hold};
  ff_joint_info root;
  if (size.roots != 1 || ff_model_joint(model, 0, &root) != FF_OK || root.type != FF_JOINT_FREE)
    return "the model must be one tree with a floating base";
  if (!ffi_all_finite(numbers, (int)(sizeof numbers / sizeof numbers[0])))
    return "a number of the definition is not finite";
  if (def->start_time < 0 || !(def->ramp_time > 0) || def->both_time < 0 || def->hold < 0 ||
      !(def->step_time - def->both_time > 1e-3))
    return "times must not be negative, ramp_time positive, a step longer than both_time";
  if (!(def->torque_limit > 0))
    return "torque_limit must be positive";
  return NULL;
}

// Gains: a foot in the air follows within 0.1 s, the trunk within 0.2 s. Short steps make both faster: a swing has at
// least 4.5 time constants of its foot, a step 2.4 of the trunk. The trunk's motion along the ground, which two feet
// hardly control within a step, is slower and has less weight. Standing feet get no acceleration; they are not pulled
// back to a position.
static double foot_gain(const ff_trot_def *def)
{
  const double least = 4.5 / (def->step_time - def->both_time);
  return fmax(900, least * least);
}

static double trunk_gain(const ff_trot_def *def)
{
  const double least = 2.4 / def->step_time;
  return fmax(150, least * least);
}

static ff_status make_body(ff_trot *trot, ff_error *error)
{
  static const double origin[3] = {0, 0, 0};
  ff_contact_task feet[LEGS];
  ff_frame_task frames[LEGS + 2];
  for (int i = 0; i < LEGS + 2; ++i) {
    frames[i] = ff_frame_task_default();
    frames[i].frame = i < LEGS ? trot->def.feet[i] : trot->def.base;
    for (int k = 0; k < 6; ++k)
      frames[i].mask[k] = i < LEGS ? k < 3 : i == TRUNK ? k >= 2 : k < 2;
    frames[i].task.kp = i < LEGS ? foot_gain(&trot->def) : i == TRUNK ? trunk_gain(&trot->def) : 20;
  }
  frames[WAY].task.weight = 0.1;
  for (int i = 0; i < LEGS; ++i) {
    feet[i] = ff_contact_task_default();
    feet[i].frame = trot->def.feet[i];
    feet[i].points = origin;
    feet[i].point_count = 1;
    feet[i].friction = trot->def.friction;
    feet[i].task = (ff_task){.weight = 10, .kp = 0, .kd = 20};
  }
  const int nv = ff_model_get_size(trot->model).nv;
  double *limits = malloc((size_t)nv * sizeof *limits);
  if (!limits)
    return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, "ff_trot_create", "no memory");
  for (int i = 0; i < nv; ++i)
    limits[i] = trot->def.torque_limit;
  ff_whole_body_def def = ff_whole_body_def_default();
  def.contacts = feet;
  def.contact_count = LEGS;
  def.frames = frames;
  def.frame_count = LEGS + 2;
  def.posture.weight = 1e-4;
  def.force_weight = 1e-6;
  def.torque_limits = limits;
  def.hold = trot->def.hold;
  const ff_status status = ff_whole_body_create(trot->model, &def, &trot->body, error);
  free(limits);
  return status;
}

// After kinematics.
static void find_feet(ff_trot *trot)
{
  for (int i = 0; i < LEGS; ++i)
    ff_dynamics_frame_pose(trot->dynamics, trot->def.feet[i], trot->lifted[i], NULL);
}

static void begin(ff_trot *trot, const double *q)
{
  double R[9];
  ff_dynamics_kinematics(trot->dynamics, q, NULL, NULL);
  ff_dynamics_frame_pose(trot->dynamics, trot->def.base, trot->start.position, R);
  ffi_quat_from_matrix(R, trot->start.quaternion);
  trot->start.position[2] -= trot->def.sink;
  find_feet(trot);
  for (int i = 0; i < LEGS; ++i) {
    trot->level[i] = trot->lifted[i][2];
    for (int k = 0; k < 2; ++k)
      trot->under[i][k] = trot->lifted[i][k] - trot->start.position[k];
  }
  trot->step = -1;
  ff_whole_body_hold(trot->body, q);
}

ff_status ff_trot_create(const ff_model *model, const ff_trot_def *def, const double *q, ff_trot **out,
                         ff_error *error)
{
  if (!model || !def || !q || !out)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_trot_create",
                    "the model, the def, q or `out` is NULL");
  *out = NULL;
  const char *flaw = flaw_of(model, def);
  if (flaw)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "trot", "%s", flaw);
  ff_trot *trot = calloc(1, sizeof *trot);
  if (!trot)
    return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, "ff_trot_create", "no memory");
  trot->model = model;
  trot->def = *def;
  ff_status status = make_body(trot, error);
  if (status == FF_OK)
    status = ff_dynamics_create(model, NULL, &trot->dynamics, error);
  if (status != FF_OK)
    goto fail;
  begin(trot, q);
  *out = trot;
  return FF_OK;
fail:
  ff_trot_destroy(trot);
  return status;
}

void ff_trot_destroy(ff_trot *trot)
{
  if (!trot)
    return;
  ff_whole_body_destroy(trot->body);
  ff_dynamics_destroy(trot->dynamics);
  free(trot);
}

// ---- A moment -----------------------------------------------------------------------------------------------------

typedef struct moment {
  int swing;                 ///< which pair is in the air: 0 fore left and hind right, 1 the others, -1 none
  double since;              ///< its lift [s]
  double speed;              ///< that it should have [m/s]
  double way;                ///< that it should have come [m]
  double at[3], velocity[6]; ///< of the trunk
} moment;

int ffi_trot_step_at(const ff_trot_def *def, double time)
{
  const double since = time - def->start_time +
                       1e-9 * def->step_time; // a time that is a step's start up to rounding belongs to it
  return since < 0 ? -1 : (int)fmin(since / def->step_time, 1e9);
}

static moment look(const ff_trot *trot, double time)
{
  const ff_trot_def *def = &trot->def;
  const double middle = time + def->hold / 2, gone = fmax(0, middle - def->start_time), ramp = def->ramp_time;
  moment m = {.swing = trot->step < 0 ? -1 : trot->step % 2};
  m.since = middle - def->start_time - trot->step * def->step_time;
  if (m.since > def->step_time - def->both_time)
    m.swing = -1;
  m.speed = def->speed * fmin(1, gone / ramp);
  m.way = def->speed * (gone < ramp ? gone * gone / (2 * ramp) : gone - ramp / 2);
  ff_dynamics_frame_pose(trot->dynamics, def->base, m.at, NULL);
  ff_dynamics_frame_velocity(trot->dynamics, def->base, FF_AXES_LOCAL_ALIGNED, m.velocity);
  return m;
}

// Landing position of a foot: the leg's place under the trunk as it will be then, ahead by half of the next step, and
// by `placement` for each m/s of excess speed.
static double landing(const ff_trot *trot, const moment *m, int leg, int axis, double left)
{
  const double wanted = axis == 0 ? m->speed : 0, is = m->velocity[axis];
  return m->at[axis] + is * left + trot->under[leg][axis] + wanted * trot->def.step_time / 2 +
         trot->def.placement * (is - wanted);
}

static void swing_leg(ff_trot *trot, const moment *m, int leg)
{
  const double time = trot->def.step_time - trot->def.both_time, height = trot->def.step_height;
  double along[3], up[3], velocity[6] = {0}, acceleration[6] = {0};
  ff_pose pose = ff_pose_identity(); // only its position counts
  ffi_smooth_step(m->since / time, along);
  ffi_smooth_hump(m->since / time, up);
  for (int k = 0; k < 3; ++k) {
    const double from = trot->lifted[leg][k];
    const double way = k < 2 ? landing(trot, m, leg, k, time - m->since) - from : trot->level[leg] - from;
    const double rise = k < 2 ? 0 : height;
    pose.position[k] = from + way * along[0] + rise * up[0];
    velocity[k] = (way * along[1] + rise * up[1]) / time;
    acceleration[k] = (way * along[2] + rise * up[2]) / (time * time);
  }
  ff_whole_body_set_frame(trot->body, leg, &pose, velocity, acceleration);
}

static void ask(ff_trot *trot, const moment *m)
{
  const double velocity[6] = {m->speed};
  ff_pose trunk = trot->start;
  for (int leg = 0; leg < LEGS; ++leg) {
    const int pair = leg == 0 || leg == 3 ? 0 : 1, is_swinging = m->swing == pair;
    ff_whole_body_set_contact(trot->body, leg, !is_swinging, NULL);
    ff_whole_body_set_frame_weight(trot->body, leg, is_swinging);
    if (is_swinging)
      swing_leg(trot, m, leg);
  }
  trunk.position[0] += m->way;
  ff_whole_body_set_frame(trot->body, WAY, &trunk, velocity, NULL);
  trunk.position[0] = m->at[0]; // so that the error of its attitude has no lever arm
  trunk.position[1] = m->at[1];
  ff_whole_body_set_frame(trot->body, TRUNK, &trunk, NULL, NULL);
}

ff_status ff_trot_tau(ff_trot *trot, double time, const double *q, const double *v, double *tau,
                      ff_error *error)
{
  const int nv = ff_model_get_size(trot->model).nv, step = ffi_trot_step_at(&trot->def, time);
  if (!ffi_all_finite(q, ff_model_get_size(trot->model).nq) || !ffi_all_finite(v, nv) || !isfinite(time))
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_trot_tau", "time, q or v is not finite");
  ff_dynamics_kinematics(trot->dynamics, q, v, NULL);
  if (step != trot->step) {
    trot->step = step;
    find_feet(trot);
  }
  const moment m = look(trot, time);
  ask(trot, &m);
  const ff_status status = ff_whole_body_solve(trot->body, q, v, error);
  memcpy(tau, ff_whole_body_tau(trot->body), (size_t)nv * sizeof *tau);
  return status;
}

void ff_trot_get_state(const ff_trot *trot, double state[FF_TROT_STATE])
{
  memcpy(state, trot->lifted, sizeof trot->lifted);
  state[FF_TROT_STATE - 1] = trot->step;
}

void ff_trot_set_state(ff_trot *trot, const double state[FF_TROT_STATE])
{
  memcpy(trot->lifted, state, sizeof trot->lifted);
  trot->step = (int)state[FF_TROT_STATE - 1];
}
