// Two quadrupeds trot by a controller that remembers nothing: at the speed and the frequency asked for, upright, with
// legs that bend the other way too.
#include "robots.h"

#include <footfall/control/controller.h>

enum { NQ = 19, NV = 18, LEGS = 4 };

typedef struct runner {
  const char *robot, *posture, *base;
  const char *feet[LEGS];
  double frequency, duty, speed, stiffness, damping, dt, end;
  ff_stepper stepper;
} runner;

typedef struct outcome {
  double speed, tilt, aside, height, frequency, air, clearance;
} outcome;

static double tilt_of(const double *q)
{
  return acos(fmax(-1, fmin(1, 1 - 2 * (q[3] * q[3] + q[4] * q[4]))));
}

static double foot_height(ff_dynamics *dynamics, int frame, const double *q)
{
  double at[3];
  ff_dynamics_kinematics(dynamics, q, NULL, NULL);
  ff_dynamics_frame_pose(dynamics, frame, at, NULL);
  return at[2];
}

static ff_sim *make_sim(const ff_model *model, const runner *r)
{
  ff_ground_def ground = ff_ground_def_default();
  ff_sim_def def = ff_sim_def_default();
  ff_error error;
  ground.gives_pair = 1;
  ground.shape.material.stiffness = r->stiffness;
  ground.shape.material.damping = r->damping;
  ground.shape.material.friction = 0.8;
  def.stepper = r->stepper;
  def.dt = r->dt;
  def.ground = &ground;
  def.ground_count = 1;
  ff_sim *sim = ffi_must_sim(model, &def);
  ffi_must(ff_sim_set_posture(sim, r->posture, &error), &error);
  return sim;
}

static ff_controller *make_controller(const ff_model *model, const runner *r, double period)
{
  const char *feet[LEGS];
  ff_controller_def def = ff_controller_def_default();
  ff_controller *controller;
  ff_error error;
  memcpy(feet, r->feet, sizeof feet);
  def.type = FF_CONTROLLER_TROT;
  def.period = period;
  def.tasks.friction = 0.6;
  def.trot.base = r->base;
  def.trot.feet = feet, def.trot.feet_count = LEGS;
  def.trot.frequency = r->frequency;
  def.trot.duty = r->duty;
  def.trot.speed = r->speed;
  def.trot.ramp_time = 1;
  ffi_must(ff_controller_create(model, &def, ffi_robot_posture(model, r->posture), &controller, &error),
           &error);
  return controller;
}

// From 5 s on: the speed; lifts of the first foot a second and the part of the time that it is in the air, which are
// the gait's.
static outcome run(const runner *r, double period)
{
  ff_model *model = ffi_robot(r->robot);
  ff_sim *sim = make_sim(model, r);
  ff_controller *controller = make_controller(model, r, period);
  ff_dynamics *dynamics;
  ff_error error;
  double tau[NV], x = 0;
  int lifts = 0, was_up = 0, up = 0, steps = 0;
  outcome o = {0};
  ffi_must(ff_dynamics_create(model, NULL, &dynamics, &error), &error);
  const int foot = ffi_robot_frame(model, r->feet[0]), substeps = (int)lround(period / r->dt);
  for (int k = 0; k * r->dt < r->end - 1e-9; ++k) {
    const double *q = ff_sim_q(sim);
    if (k % substeps == 0)
      ffi_must(ff_controller_tau(controller, k * r->dt, q, ff_sim_v(sim), tau, &error), &error);
    ffi_must_step(sim, tau);
    o.tilt = fmax(o.tilt, tilt_of(q));
    o.aside = fmax(o.aside, fabs(q[1]));
    if (k * r->dt < 5)
      x = q[0];
    else {
      const double height = foot_height(dynamics, foot, q);
      lifts += height > 0.01 && !was_up; // a bounce is no lift
      was_up = height > 0.01 || (was_up && height > 0);
      up += height > 0, ++steps;
      o.clearance = fmax(o.clearance, height);
    }
  }
  o.speed = (ff_sim_q(sim)[0] - x) / (r->end - 5);
  o.height = ff_sim_q(sim)[2];
  o.frequency = lifts / (r->end - 5);
  o.air = (double)up / steps;
  print_message(
      "  %s, dt %.3f ms: %.3f m/s, tilt %.2f deg, %.1f mm aside, %.2f Hz, in the air %.2f, up to %.1f mm\n",
      r->robot, 1e3 * r->dt, o.speed, o.tilt * 57.3, 1e3 * o.aside, o.frequency, o.air, 1e3 * o.clearance);
  ff_dynamics_destroy(dynamics);
  ff_controller_destroy(controller);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
  return o;
}

static void check(const runner *r, const outcome *o)
{
  assert_true(fabs(o->speed - r->speed) < 0.02);
  assert_true(o->tilt < 0.02 && o->aside < 0.03);
  assert_true(fabs(o->frequency - r->frequency) < 0.1); // one more or less of ten steps or more
  assert_true(fabs(o->air - (1 - r->duty)) < 0.1); // springs keep a foot above the ground's surface shorter
  assert_true(o->clearance > 0.03 && o->clearance < 0.06); // of 5 cm
}

static runner starleth(void)
{
  return (runner){.robot = "starleth.urdf",
                  .posture = "standing",
                  .base = "BASE",
                  .feet = {"LF_FOOT", "RF_FOOT", "LH_FOOT", "RH_FOOT"},
                  .frequency = 1.25,
                  .duty = 0.6,
                  .speed = 0.2,
                  .stiffness = 3e4,
                  .damping = 50,
                  .dt = 0.0025,
                  .end = 15};
}

// The springs of Gehring et al.'s compliant contact, one step per period of control.
static void starleth_trots(void **state)
{
  (void)state;
  const runner r = starleth();
  const outcome o = run(&r, 0.0025);
  check(&r, &o);
}

// Every other stepper gets there as well, an explicit one with half the step: the controller knows nothing of them.
static void starleth_trots_by_other_steppers(void **state)
{
  (void)state;
  static const struct {
    ff_stepper stepper;
    double dt;
  } cases[] = {{FF_STEPPER_SYMPLECTIC, 0.00125}, {FF_STEPPER_RK4, 0.00125}, {FF_STEPPER_IMPLICIT, 0.0025}};
  for (int i = 0; i < 3; ++i) {
    runner r = starleth();
    r.stepper = cases[i].stepper;
    r.dt = cases[i].dt;
    const outcome o = run(&r, 0.0025);
    check(&r, &o);
  }
}

static void it_trots_backwards_and_on_the_spot(void **state)
{
  (void)state;
  for (int i = 0; i < 2; ++i) {
    runner r = starleth();
    r.speed = i ? -0.2 : 0;
    const outcome o = run(&r, 0.0025);
    check(&r, &o);
  }
}

static void solo_trots(void **state)
{
  (void)state;
  const runner r = {.robot = "solo12.urdf",
                    .posture = "straight_standing",
                    .base = "base_link",
                    .feet = {"FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"},
                    .frequency = 2.5,
                    .duty = 0.6,
                    .speed = 0.2,
                    .stiffness = 1e5,
                    .damping = 300,
                    .dt = 0.002,
                    .end = 15};
  const outcome o = run(&r, 0.002);
  check(&r, &o);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(starleth_trots),
      cmocka_unit_test(starleth_trots_by_other_steppers),
      cmocka_unit_test(it_trots_backwards_and_on_the_spot),
      cmocka_unit_test(solo_trots),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
