// Dry friction of a joint against closed forms. The turning points of a pendulum with friction F obey, whatever its
// inertia,
//
//     m g l (cos q_n+1 - cos q_n) = F (q_n - q_n+1)
//
// (the weight's work from one to the next is what friction takes), until m g l sin |q_n| <= F: there it stays.
#include "support/must.h"
#include "support/near.h"

#include <footfall/builder.h>
#include <footfall/parameters.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const double mass = 0.5, length = 0.3, weight = 0.5 * 9.81 * 0.3; // m g l [N m]

static ff_model *make_pendulum(double friction)
{
  ff_builder *b = ffi_must_begin("pendulum");
  ff_link_def link = ff_link_def_default();
  link.name = "bob";
  link.joint.name = "hinge";
  link.joint.type = FF_JOINT_REVOLUTE;
  link.joint.axis[1] = 1;
  link.joint.friction = friction;
  link.inertia = ff_inertia_zero();
  link.inertia.mass = mass;
  link.inertia.com[2] = -length;
  for (int k = 0; k < 6; ++k)
    link.inertia.matrix[k] = k == 0 || k == 3 || k == 5 ? 1e-3 : 0;
  ffi_must_add_link(b, &link);
  return ffi_must_finish(b);
}

// The turning point after q, by bisection on the balance above; q itself where it stays. Seen from the side it comes
// from: it passes the place where the moment vanishes, and turns before it is as far on the other side.
static double next_turn(double q, double friction)
{
  const double size = fabs(q);
  if (weight * sin(size) <= friction)
    return q;
  double low = -size, high = asin(friction / weight);
  for (int k = 0; k < 100; ++k) {
    const double middle = 0.5 * (low + high),
                 left = weight * (cos(middle) - cos(size)) - friction * (size - middle);
    *(left > 0 ? &high : &low) = middle;
  }
  return q > 0 ? low : -low;
}

static double last_turn(double q, double friction)
{
  for (;;) {
    const double next = next_turn(q, friction);
    if (next == q)
      return q;
    q = next;
  }
}

// Run until it stands; where.
static double stop_of(ff_stepper stepper, double dt, double friction, double q0, double *creep)
{
  ff_model *model = make_pendulum(friction);
  ff_sim_def def = ff_sim_def_default();
  def.stepper = stepper;
  def.dt = dt;
  def.ground_count = 0;
  ff_sim *sim = ffi_must_sim(model, &def);
  ffi_must_reset(sim, &q0, NULL);
  const int steps = (int)lround(8 / dt);
  for (int k = 0; k < steps; ++k)
    ffi_must_step(sim, NULL);
  const double q = ff_sim_q(sim)[0];
  for (int k = 0; k < steps; ++k)
    ffi_must_step(sim, NULL);
  *creep = fabs(ff_sim_q(sim)[0] - q);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
  return q;
}

// expo, ess, rk4 and the hard steppers are of second order or better between events; the spring by which the joint
// sticks gives by 2e-6 rad. The others are of first order: ten times shorter steps are nearly ten times nearer.
static void a_pendulum_stops_where_its_energy_says(void **state)
{
  (void)state;
  const double friction = 0.1, q0 = 1.2, want = last_turn(q0, friction);
  for (int k = 0; k < FF_STEPPER_COUNT; ++k) {
    const ff_stepper stepper = (ff_stepper)k;
    double creep, finer_creep;
    const double error = fabs(stop_of(stepper, 1e-3, friction, q0, &creep) - want);
    const int is_first_order =
        stepper == FF_STEPPER_EXPO_PAPER || stepper == FF_STEPPER_EULER || stepper == FF_STEPPER_IMPLICIT;
    ffi_check_near(ff_stepper_name(stepper), creep, 0, 1e-10);
    if (!is_first_order) {
      ffi_check_near(ff_stepper_name(stepper), error, 0, 1e-3 * fabs(want));
      continue;
    }
    const double finer = fabs(stop_of(stepper, 1e-4, friction, q0, &finer_creep) - want);
    if (!(finer < 0.13 * error && finer < 4e-3))
      fail_msg("%s: %g rad in steps of 1 ms, %g in steps of 0.1 ms", ff_stepper_name(stepper), error, finer);
    ffi_check_near(ff_stepper_name(stepper), finer_creep, 0, 1e-10);
  }
}

// joint-friction.md, eq. 4: while it sticks, a joint swings as a spring of 1000 rad/s with a damping ratio of 0.7 does,
// whatever its inertia: here that of the pendulum, whose weight is some thousandth of the spring.
static void what_sticks_swings(void **state)
{
  (void)state;
  const double w = 1000, zeta = 0.7, ringing = w * sqrt(1 - zeta * zeta), v0 = 1e-3, dt = 1e-4;
  ff_model *model = make_pendulum(0.1);
  ff_sim_def def = ff_sim_def_default();
  def.stepper = FF_STEPPER_ESS;
  def.dt = dt;
  def.ground_count = 0;
  def.ess.relative_tolerance = def.ess.absolute_tolerance = 1e-12;
  ff_sim *sim = ffi_must_sim(model, &def);
  ffi_must_reset(sim, NULL, &v0);
  for (int k = 1; k <= 60; ++k) {
    const double t = k * dt;
    ffi_must_step(sim, NULL);
    ffi_check_near("angle", ff_sim_q(sim)[0], v0 / ringing * exp(-zeta * w * t) * sin(ringing * t),
                   1e-4 * 0.46 * v0 / w);
  }
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

// A slide that friction alone stops: after v0^2 / (2 a), v0 / a, with a = F / m. Explicit and implicit Euler differ
// from it by dt v0 / 2.
static void a_slide_stops_after_its_braking_distance(void **state)
{
  (void)state;
  ff_builder *b = ffi_must_begin("slide");
  ff_link_def link = ff_link_def_default();
  const double v0 = 0.7, deceleration = 2, dt = 1e-3, want = v0 * v0 / (2 * deceleration);
  const double give = 1.01 * deceleration / 1e6; // of the spring of 1000 rad/s by which it sticks
  link.name = "carriage";
  link.joint.type = FF_JOINT_PRISMATIC;
  link.joint.axis[0] = 1;
  link.joint.friction = deceleration * mass;
  link.inertia.mass = mass;
  ffi_must_add_link(b, &link);
  ff_model *model = ffi_must_finish(b);
  for (int k = 0; k < FF_STEPPER_COUNT; ++k) {
    ff_sim_def def = ff_sim_def_default();
    def.stepper = (ff_stepper)k;
    def.dt = dt;
    def.ground_count = 0;
    ff_sim *sim = ffi_must_sim(model, &def);
    ffi_must_reset(sim, NULL, &v0);
    for (int step = 0; step < 500; ++step)
      ffi_must_step(sim, NULL);
    const int is_exact =
        k == FF_STEPPER_EXPO || k == FF_STEPPER_ESS || k == FF_STEPPER_MOREAU || k == FF_STEPPER_C2A;
    ffi_check_near(ff_stepper_name((ff_stepper)k), ff_sim_q(sim)[0], want, is_exact ? give : 0.6 * dt * v0);
    ffi_check_near(ff_stepper_name((ff_stepper)k), ff_sim_v(sim)[0], 0, 1e-9);
    ff_sim_destroy(sim);
  }
  ff_model_destroy(model);
}

// The option and the getter; a state of one stepper goes on with another, its friction loaded as it was.
static void friction_can_be_asked_for(void **state)
{
  (void)state;
  ff_model *model = make_pendulum(2);
  const double q0 = 1;
  double loaded[16];
  for (int k = 0; k < FF_STEPPER_COUNT; ++k) {
    ff_sim_def def = ff_sim_def_default();
    ff_joint_friction f;
    def.stepper = (ff_stepper)k;
    def.ground_count = 0;
    ff_sim *sim = ffi_must_sim(model, &def);
    ffi_must_reset(sim, &q0, NULL);
    for (int step = 0; step < 200; ++step)
      ffi_must_step(sim, NULL);
    assert_int_equal(ff_sim_joint_friction(sim, 0, &f), FF_OK);
    assert_int_equal(ff_sim_joint_friction(sim, 1, &f), FF_ERROR_ARGUMENT);
    ffi_check_near(ff_stepper_name((ff_stepper)k), f.limit, 2, 0);
    ffi_check_near(ff_stepper_name((ff_stepper)k), f.spring, weight * sin(ff_sim_q(sim)[0]),
                   1e-6); // it holds the weight
    ffi_check_near(ff_stepper_name((ff_stepper)k), ff_sim_q(sim)[0], 1, 1e-4);
    assert_true(ff_sim_state_size(sim) <= 16);
    if (k > 0) { // the state of the stepper before: it does not move
      ffi_must(ff_sim_set_state(sim, loaded, NULL), NULL);
      const double before = ff_sim_q(sim)[0];
      ffi_must_step(sim, NULL);
      ffi_check_near(ff_stepper_name((ff_stepper)k), ff_sim_q(sim)[0], before, 1e-8);
    }
    ff_sim_get_state(sim, loaded);
    ff_sim_destroy(sim);
    def.joint_friction = 0;
    sim = ffi_must_sim(model, &def);
    ffi_must_reset(sim, &q0, NULL);
    for (int step = 0; step < 100; ++step)
      ffi_must_step(sim, NULL);
    assert_true(ff_sim_q(sim)[0] < 0.95);
    ff_sim_destroy(sim);
  }
  ff_model_destroy(model);
}

// A joint that holds a weight is worn down in the midst of it: its spring is wound up beyond what friction holds now.
// It slides from where it is, and stops where the energy says.
static void friction_is_a_parameter_of_a_robot(void **state)
{
  (void)state;
  static const ff_stepper steppers[] = {FF_STEPPER_EXPO,       FF_STEPPER_RK4,    FF_STEPPER_ESS,
                                        FF_STEPPER_SYMPLECTIC, FF_STEPPER_MOREAU, FF_STEPPER_C2A};
  const double q0 = 1, worn = 0.9, wrong[] = {0, -1, INFINITY, NAN};
  ff_model *model = make_pendulum(2);
  for (size_t k = 0; k < sizeof steppers / sizeof *steppers; ++k) {
    ff_sim_def def = ff_sim_def_default();
    ff_parameters *p;
    ff_joint_friction f;
    ff_error error;
    def.stepper = steppers[k];
    def.ground_count = 0;
    ff_sim *sim = ffi_must_sim(model, &def);
    ffi_must(ff_parameters_create(ff_sim_world(sim), &p, &error), &error);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i)
      assert_int_equal(ff_parameters_set_joint_friction(p, 0, wrong[i], &error), FF_ERROR_ARGUMENT);
    assert_int_equal(ff_parameters_set_joint_friction(p, 1, worn, &error), FF_ERROR_ARGUMENT);
    assert_int_equal(ff_parameters_set_joint_friction(p, -1, worn, &error), FF_ERROR_ARGUMENT);
    ffi_must(ff_parameters_set_joint_friction(p, 0, worn, &error), &error);
    ffi_must_reset(sim, &q0, NULL);
    for (int step = 0; step < 200; ++step)
      ffi_must_step(sim, NULL);
    const double held = ff_sim_q(sim)[0];
    ffi_check_near("held", held, q0, 1e-4);
    ffi_must(ff_sim_set_parameters(sim, p, &error), &error);
    for (int step = 0; step < 8000; ++step)
      ffi_must_step(sim, NULL);
    assert_int_equal(ff_sim_joint_friction(sim, 0, &f), FF_OK);
    assert_true(f.limit == worn && fabs(f.spring) <= worn);
    const double want = last_turn(held, worn);
    ffi_check_near(ff_stepper_name(steppers[k]), ff_sim_q(sim)[0], want, 1e-3 * fabs(want));
    ff_parameters_destroy(p);
    ff_sim_destroy(sim);
  }
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_pendulum_stops_where_its_energy_says),   cmocka_unit_test(what_sticks_swings),
      cmocka_unit_test(a_slide_stops_after_its_braking_distance), cmocka_unit_test(friction_can_be_asked_for),
      cmocka_unit_test(friction_is_a_parameter_of_a_robot),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
