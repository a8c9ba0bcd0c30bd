// Contacts that roll, slide, stick, are carried along, are hit hard; motors and stops driven to their ends; and that
// any moment of it can be saved and taken up again.
#include "properties/contact/many_bodies.h"
#include "properties/falls/falls.h"
#include "properties/falls/robot_shapes.h"
#include "support/must.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void place(ff_sim *sim, const double *q, const double *v)
{
  ff_error error;
  if (ff_sim_reset(sim, q, v, &error) != FF_OK)
    fail_msg("%s", error.message);
}

static void near(const char *what, double got, double want, double tolerance)
{
  if (!(fabs(got - want) <= tolerance))
    fail_msg("%s is %.12g, not %.12g within %g", what, got, want, tolerance);
}

// A ball (a cylinder) thrown flat slides until friction has spun it up: momentum about the line of contact is kept, so
// it ends at v0/(1 + I/(m r^2)), 5/7 (2/3) of the start, and then rolls: v = w r, for good.
static void roll(ff_shape_type shape, double size1, double share, const double turn[4])
{
  const ff_material material = {.stiffness = 1e6, .damping = 1000, .friction = 0.5};
  const ffi_many_bodies_body body = {shape, {0.1, size1, 0}, 2};
  ff_model *model = ffi_many_bodies_loose(&body, 1, &material);
  ff_sim_def def = ff_sim_def_default();
  def.dt = 0.002;
  ff_sim *sim = ffi_must_sim(model, &def);
  // the sphere presses in by m g / K; a cylinder at both ends by half of it: it starts at rest there
  const double depth = 2 * 9.81 / 1e6 / (shape == FF_SHAPE_CYLINDER ? 2 : 1);
  const double q[7] = {0, 0, 0.1 - depth, turn[0], turn[1], turn[2], turn[3]};
  // velocities are in body axes: the world's x is the body's x for these turns about x
  const double v[6] = {1, 0, 0, 0, 0, 0};
  place(sim, q, v);
  ffi_many_bodies_run(sim, 500, NULL);
  const double speed = (ff_sim_q(sim)[0]);
  ffi_many_bodies_run(sim, 500, NULL);
  const double rolled = ff_sim_q(sim)[0] - speed; // in one second
  // The point of contact is depth above the shape's radius, relative 1e-4; the spring of friction takes as much again
  near("rolling speed", rolled, share, 1e-3 * share);
  ffi_many_bodies_run(sim, 4500, NULL);
  const double x = ff_sim_q(sim)[0];
  ffi_many_bodies_run(sim, 500, NULL);
  near("rolling speed ten seconds later", ff_sim_q(sim)[0] - x, share, 1e-5);
  const double *w = ff_sim_v(sim) + 3;
  const double spin = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
  near("w r", spin * 0.1, rolled, 1e-3 * share);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

static void a_ball_rolls(void **state)
{
  (void)state;
  roll(FF_SHAPE_SPHERE, 0, 5. / 7, (double[]){0, 0, 0, 1});
}

static void a_cylinder_rolls(void **state)
{
  (void)state;
  roll(FF_SHAPE_CYLINDER, 0.3, 2. / 3, (double[]){sqrt(0.5), 0, 0, sqrt(0.5)});
}

// A box on a belt is taken along: it slides until it has the belt's speed, and then rests on it without creeping.
static void a_belt_carries(void **state)
{
  (void)state;
  const ff_material material = {.stiffness = 1e5, .damping = 300, .friction = 0.4};
  const ffi_many_bodies_body box = {FF_SHAPE_BOX, {0.3, 0.3, 0.1}, 3};
  ff_model *model = ffi_many_bodies_loose(&box, 1, &material);
  ff_ground_def belt = ff_ground_def_default();
  belt.velocity[0] = 0.8;
  ff_sim_def def = ff_sim_def_default();
  def.ground = &belt;
  def.ground_count = 1;
  def.dt = 0.005;
  ff_sim *sim = ffi_must_sim(model, &def);
  const double q[7] = {0, 0, 0.05 - 3 * 9.81 / (4 * 1e5), 0, 0, 0, 1};
  place(sim, q, NULL);
  ffi_many_bodies_run(sim, 1000, NULL);
  const double x = ff_sim_q(sim)[0];
  near("way while it slides and after", x, 0.8 * 5 - 0.8 * 0.8 / (2 * 0.4 * 9.81), 2e-3); // it tips a little
  ffi_many_bodies_run(sim, 1000, NULL);
  near("way in five seconds", ff_sim_q(sim)[0] - x, 4, 1e-9);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

// A joint hits a stop hard: what comes back is at most what went in, at every step.
static void a_stop_gives_nothing(void **state)
{
  (void)state;
  const ff_material material = ff_material_default();
  static const double dts[] = {0.02, 0.005, 0.001};
  for (int i = 0; i < 3; ++i) {
    ff_model *model = ffi_many_bodies_chain(1, 1, &material);
    ff_element_def stop = ff_element_def_default();
    stop.type = FF_ELEMENT_JOINT_LIMIT;
    stop.joint = 0;
    stop.lower = -0.5;
    stop.upper = 0.5;
    stop.stiffness = 1e6;
    stop.damping = 10;
    ff_sim_def def = ff_sim_def_default();
    def.dt = dts[i];
    def.ground_count = 0;
    def.elements = &stop;
    def.element_count = 1;
    ff_sim *sim = ffi_must_sim(model, &def);
    const double q = 0, v = 50;
    place(sim, &q, &v);
    const double start = ff_sim_energy(sim).total;
    for (int k = 0; k < 200; ++k) {
      ffi_many_bodies_run(sim, 1, NULL);
      const double total = ff_sim_energy(sim).total;
      if (!(total <= 1.01 * start))
        fail_msg("dt %g: energy %g, at the start %g", dts[i], total, start);
    }
    ff_sim_destroy(sim);
    ff_model_destroy(model);
  }
}

// A motor of gain 1e6 that saturates swings a pendulum up and holds it.
static void a_saturating_motor_holds(void **state)
{
  (void)state;
  const ff_material material = ff_material_default();
  ff_model *model = ffi_many_bodies_chain(1, 1, &material);
  ff_element_def motor = ff_element_def_default();
  motor.joint = 0;
  motor.stiffness = 1e6;
  motor.damping = 2e5; // it brakes from 1/5 of the way on, so that 4 N m, four times the weight, suffice
  motor.effort = 4;
  motor.reference = 1.2;
  ff_sim_def def = ff_sim_def_default();
  def.dt = 0.01;
  def.ground_count = 0;
  def.elements = &motor;
  def.element_count = 1;
  ff_sim *sim = ffi_must_sim(model, &def);
  place(sim, NULL, NULL);
  ffi_many_bodies_run(sim, 1000, NULL);
  // Its linear range is 4e-5 rad/s wide, which full effort crosses in 0.1 us: it comes into it once and stays, where
  // its spring carries the weight's torque of less than 1 N m.
  near("angle", ff_sim_q(sim)[0], 1.2, 1 / 1e6);
  near("speed", ffi_many_bodies_speed(sim), 0, 1e-9);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

// Saved at random moments of a fall and taken up again by another sim: the same bits.
static void falls_can_be_taken_up(void **state)
{
  (void)state;
  for (int robot = 0; robot < FFI_ROBOT_SHAPES_ROBOTS; ++robot) {
    ff_model *model = ffi_robot_shapes_load(robot);
    ffi_falls_scene first, second;
    const ffi_falls_def on_stairs = {
        .stepper = FF_STEPPER_EXPO, .law = FF_LAW_ANCHOR, .stiffness = 1e6, .dt = 0.002, .is_stairs = 1};
    ffi_falls_open(&first, model, &on_stairs);
    ffi_falls_open(&second, model, &on_stairs);
    const size_t size = (size_t)ff_sim_state_size(first.sim);
    double *saved = malloc(size * sizeof *saved), *end = malloc(size * sizeof *end);
    assert_true(saved && end);
    for (int start = 0; start < 6; ++start) {
      ffi_random random = ffi_random_seed((uint64_t)(100 * robot + start));
      ff_error error;
      ffi_falls_start(&first, &random);
      ffi_many_bodies_run(first.sim, 50 + ffi_random_below(&random, 300), NULL);
      ff_sim_get_state(first.sim, saved);
      ffi_many_bodies_run(first.sim, 100, NULL);
      ff_sim_get_state(first.sim, end);
      assert_int_equal(ff_sim_set_state(second.sim, saved, &error), FF_OK);
      ffi_many_bodies_run(second.sim, 100, NULL);
      ff_sim_get_state(second.sim, saved);
      assert_memory_equal(saved, end, size * sizeof *end);
    }
    free(saved);
    free(end);
    ffi_falls_close(&first);
    ffi_falls_close(&second);
    ff_model_destroy(model);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_ball_rolls),
      cmocka_unit_test(a_cylinder_rolls),
      cmocka_unit_test(a_belt_carries),
      cmocka_unit_test(a_stop_gives_nothing),
      cmocka_unit_test(a_saturating_motor_holds),
      cmocka_unit_test(falls_can_be_taken_up),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
