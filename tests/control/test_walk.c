// Romeo stands, then walks: whole-body control along a pendulum's plan, torques held over the step of the simulation,
// 40 ms as in the exponential paper.
#include "robots.h"

#include <footfall/control/reference.h>

typedef struct walker {
  ff_model *model;
  ff_whole_body *body;
  ff_sim *sim;
  ff_dynamics *dynamics;
  ff_contact_task soles[2];
  ff_pose feet[2]; ///< at the start: their orientation stays
} walker;

typedef struct outcome {
  double com_error;  ///< largest horizontal distance of the centre of mass from the plan [m]
  double foot_error; ///< largest distance of a foot on the ground from the plan [m]
  double tilt;       ///< largest angle of the torso from upright [rad]
  double lowest;     ///< height of the centre of mass over what it should be, least [m]
  double end_speed;  ///< of the centre of mass at the end [m/s]
  double advance;    ///< of the feet along x, of both the least [m]
  int steps;
} outcome;

// The paper's tasks and weights, but for forces: it weighs those of a sole's four corners together, and their normal
// part hardly at all.
static void set_up(walker *w, const char *posture, double control_dt, int substeps, int is_held)
{
  const double gain = 10; // kp of all
  ff_frame_task frames[3] = {ff_frame_task_default(), ff_frame_task_default(), ff_frame_task_default()};
  w->model = ffi_robot("romeo.urdf");
  for (int side = 0; side < 2; ++side) {
    w->soles[side] = ffi_romeo_sole(w->model, side);
    w->soles[side].task.kp = gain;
    frames[side].frame = w->soles[side].frame;
    frames[side].task.kp = gain;
  }
  frames[2].frame = ffi_robot_frame(w->model, "base_link");
  frames[2].task.kp = gain;
  frames[2].task.weight = 1e-2;
  for (int k = 0; k < 3; ++k)
    frames[2].mask[k] = 0;
  ff_whole_body_def def = ff_whole_body_def_default();
  def.contacts = w->soles;
  def.contact_count = 2;
  def.frames = frames;
  def.frame_count = 3;
  def.com = (ff_task){.weight = 1, .kp = gain, .kd = -1};
  def.posture = (ff_task){.weight = 1e-4, .kp = gain, .kd = -1};
  def.hold = is_held ? control_dt : 0;
  w->body = ffi_must_whole_body(w->model, &def);
  ff_sim_def sim_def = ff_sim_def_default();
  sim_def.dt = control_dt / substeps;
  w->sim = ffi_must_sim(w->model, &sim_def);
  assert_int_equal(ff_dynamics_create(w->model, NULL, &w->dynamics, NULL), FF_OK);
  const double *q = ffi_robot_posture(w->model, posture);
  ffi_must_reset(w->sim, q, NULL);
  ff_whole_body_hold(w->body, q);
}

static void take_down(walker *w)
{
  ff_dynamics_destroy(w->dynamics);
  ff_sim_destroy(w->sim);
  ff_whole_body_destroy(w->body);
  ff_model_destroy(w->model);
}

// A plan from where the robot stands.
static ff_walk *make_plan(walker *w, ff_walk_def *def)
{
  ff_error error;
  ff_walk *walk;
  ff_dynamics_kinematics(w->dynamics, ff_sim_q(w->sim), NULL, NULL);
  ff_dynamics_com(w->dynamics, def->com);
  for (int side = 0; side < 2; ++side) {
    ff_dynamics_frame_pose(w->dynamics, w->soles[side].frame, def->feet[side], NULL);
    def->feet[side][2] = 0.07;
    w->feet[side] = ff_pose_identity();
  }
  def->sole_height = 0.07;
  ffi_must(ff_walk_create(def, &walk, &error), &error);
  return walk;
}

static void ask_for(walker *w, const ff_walk_moment *m)
{
  ff_whole_body_set_com(w->body, m->com.position, m->com.velocity, m->com.acceleration);
  for (int side = 0; side < 2; ++side) {
    const ff_motion *foot = &m->feet[side];
    double velocity[6] = {0}, acceleration[6] = {0};
    memcpy(w->feet[side].position, foot->position, sizeof foot->position);
    memcpy(velocity, foot->velocity, sizeof foot->velocity);
    memcpy(acceleration, foot->acceleration, sizeof foot->acceleration);
    ff_whole_body_set_frame(w->body, side, &w->feet[side], velocity, acceleration);
    if (ff_whole_body_contact_is_on(w->body, side) != m->is_standing[side])
      ff_whole_body_set_contact(w->body, side, m->is_standing[side], ff_sim_q(w->sim));
  }
}

static void look(walker *w, const ff_walk_moment *m, outcome *o)
{
  double com[3], R[9], at[3];
  ff_dynamics_kinematics(w->dynamics, ff_sim_q(w->sim), NULL, NULL);
  ff_dynamics_com(w->dynamics, com);
  ff_dynamics_frame_pose(w->dynamics, ffi_robot_frame(w->model, "base_link"), NULL, R);
  o->com_error = fmax(o->com_error, hypot(com[0] - m->com.position[0], com[1] - m->com.position[1]));
  o->lowest = fmin(o->lowest, com[2] - m->com.position[2]);
  o->tilt = fmax(o->tilt, acos(fmin(1, R[8])));
  o->advance = INFINITY;
  for (int side = 0; side < 2; ++side) {
    ff_dynamics_frame_pose(w->dynamics, w->soles[side].frame, at, NULL);
    o->advance = fmin(o->advance, at[0]);
    if (m->is_standing[side])
      o->foot_error =
          fmax(o->foot_error, hypot(at[0] - m->feet[side].position[0], at[1] - m->feet[side].position[1]));
  }
  o->steps = m->steps_taken;
}

static outcome go(walker *w, ff_walk_def *def, double dt, int substeps, int is_held)
{
  outcome o = {0};
  double momentum[6], start = INFINITY;
  ff_walk *walk = make_plan(w, def);
  const int count = (int)ceil((ff_walk_duration(walk) + 1) / dt); // and a second at rest
  for (int side = 0; side < 2; ++side)
    start = fmin(start, def->feet[side][0]);
  for (int k = 0; k < count; ++k) {
    ff_walk_moment m;
    ff_walk_at(walk, (k + (is_held ? 0.5 : 0)) * dt, &m);
    ask_for(w, &m);
    ffi_must_solve(w->body, ff_sim_q(w->sim), ff_sim_v(w->sim));
    ffi_must_run(w->sim, substeps, ff_whole_body_tau(w->body));
    ff_walk_at(walk, (k + 1) * dt, &m);
    look(w, &m, &o);
  }
  ff_dynamics_kinematics(w->dynamics, ff_sim_q(w->sim), ff_sim_v(w->sim), NULL);
  ff_dynamics_momentum(w->dynamics, momentum);
  o.end_speed = hypot(hypot(momentum[0], momentum[1]), momentum[2]) / ff_model_mass(w->model);
  o.advance -= start;
  print_message(
      "  control %2.0f ms, dt %5.3f ms, %d steps, %.2f m ahead: com off by %.1f mm, %.1f mm low, feet "
      "by %.1f mm, tilt %.1f "
      "deg, %.1e m/s at the end\n",
      1e3 * dt, 1e3 * ff_sim_dt(w->sim), o.steps, o.advance, 1e3 * o.com_error, -1e3 * o.lowest,
      1e3 * o.foot_error, o.tilt * 180 / acos(-1.0), o.end_speed);
  ff_walk_destroy(walk);
  return o;
}

static outcome walk(const char *posture, ff_walk_def *def, double dt, int substeps, int is_held)
{
  walker w;
  set_up(&w, posture, dt, substeps, is_held);
  const outcome o = go(&w, def, dt, substeps, is_held);
  take_down(&w);
  return o;
}

static void check_walk(const outcome *o, int steps, double advance, double foot, double tilt)
{
  assert_int_equal(o->steps, steps);
  assert_true(o->com_error < 5e-3);
  assert_true(-o->lowest < 5e-3);
  assert_true(o->foot_error < foot);
  assert_true(o->tilt < tilt);
  assert_true(o->end_speed < 1e-3);
  assert_true(fabs(o->advance - advance) < foot);
}

static void romeo_stands(void **state)
{
  (void)state;
  walker w;
  double moved[64];
  set_up(&w, "standing", 0.04, 1, 1);
  const int nv = ff_model_get_size(w.model).nv;
  for (int k = 0; k < 100; ++k) {
    ffi_must_solve(w.body, ff_sim_q(w.sim), ff_sim_v(w.sim));
    ffi_must_step(w.sim, ff_whole_body_tau(w.body));
  }
  ff_model_difference(w.model, ffi_robot_posture(w.model, "standing"), ff_sim_q(w.sim), moved);
  const double most = ffi_size(nv, moved), speed = ffi_size(nv, ff_sim_v(w.sim));
  print_message("  moved by %.1e rad or m, speed %.1e\n", most, speed);
  assert_true(most < 0.01 && speed < 1e-3);
  take_down(&w);
}

static void romeo_walks(void **state)
{
  (void)state;
  ff_walk_def def = ff_walk_def_default();
  outcome o = walk("standing", &def, 0.04, 1, 1);
  check_walk(&o, 4, 0.15, 5e-3, 0.09);
  o = walk("standing", &def, 0.04, 64, 1); // as the finest reference sees it
  check_walk(&o, 4, 0.15, 5e-3, 0.09);
  o = walk("standing", &def, 0.005, 1, 0);
  check_walk(&o, 4, 0.15, 5e-3, 0.09);
}

static void romeo_walks_twenty_steps(void **state)
{
  (void)state;
  ff_walk_def def = ff_walk_def_default();
  def.steps = 20;
  const outcome o = walk("standing", &def, 0.04, 1, 1);
  check_walk(&o, 20, 0.95, 5e-3, 0.09);
}

// Its posture leans over the right foot, by 0.2 rad, and a foot lifts as soon as the other is down: it leaves with half
// of the weight still on it, so that the ground's springs, 1 mm deep then, throw it up by some 2 cm. With gains of w^2
// = 10/s^2, critically damped, what a throw does is t exp(-w t) of its speed by the time t that the foot lands, 1.2 s
// later: 9.6 mm, where a centimetre, a fifth of a stride, is asked for. That it is this and nothing else is seen from
// longer steps: 1.6 s leave 0.38 of it, and to this comes what all feet are off by, 1 to 2 mm.
static void romeo_walks_from_where_the_paper_starts(void **state)
{
  (void)state;
  ff_walk_def def = ff_walk_def_default();
  def.start_time = def.both_time = 0;
  def.step_time = 1.2;
  outcome o = walk("walk", &def, 0.04, 1, 1);
  check_walk(&o, 4, 0.15, 0.01, 0.25);
  const double left = o.foot_error;
  o = walk("walk", &def, 0.04, 64, 1);
  check_walk(&o, 4, 0.15, 0.01, 0.25);
  def.step_time = 1.6;
  o = walk("walk", &def, 0.04, 1, 1);
  const double w = sqrt(10), law = 1.6 * exp(-1.6 * w) / (1.2 * exp(-1.2 * w));
  check_walk(&o, 4, 0.15, law * left + 2e-3, 0.25);
}

// Torques for the beginning of their hold come late: less exact, still upright.
static void romeo_walks_with_late_torques(void **state)
{
  (void)state;
  ff_walk_def def = ff_walk_def_default();
  const outcome o = walk("standing", &def, 0.04, 1, 0);
  assert_true(o.steps == 4 && o.tilt < 0.3 && o.end_speed < 1e-2 && o.advance > 0.1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(romeo_stands),
      cmocka_unit_test(romeo_walks),
      cmocka_unit_test(romeo_walks_twenty_steps),
      cmocka_unit_test(romeo_walks_from_where_the_paper_starts),
      cmocka_unit_test(romeo_walks_with_late_torques),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
