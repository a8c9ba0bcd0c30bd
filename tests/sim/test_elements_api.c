// Elements through the sim: a motor by closed forms with every stepper, stops, saturation, welds; and the elements of
// the joints and actuators of a model.
#include "sim/toys.h"

#include <math.h>

typedef struct phase_point {
  double x, v;
} phase_point;

// x'' = -w^2 x - 2 z w x', z < 1.
static phase_point oscillator(double w, double z, double x0, double v0, double t)
{
  const double d = w * sqrt(1 - z * z), decay = exp(-z * w * t), b = (v0 + z * w * x0) / d;
  return (phase_point){.x = decay * (x0 * cos(d * t) + b * sin(d * t)),
                       .v = decay * (v0 * cos(d * t) - (w * w * x0 + z * w * v0) / d * sin(d * t))};
}

static ff_sim *motor_sim(const ff_model *model, ff_stepper stepper, double dt, ff_element_def motor)
{
  ff_sim_def def = ff_sim_def_default();
  def.stepper = stepper;
  def.dt = dt;
  def.elements = &motor;
  def.element_count = 1;
  def.model_elements = 0;
  def.expo.force_tolerance = 1e-10;
  def.expo.max_substeps = 64;
  def.implicit.tolerance = 1e-11;
  return ffi_must_sim(model, &def);
}

static ff_element_def motor_of(double stiffness, double damping)
{
  ff_element_def motor = ff_element_def_default();
  motor.name = "motor";
  motor.joint = 0;
  motor.stiffness = stiffness;
  motor.damping = damping;
  return motor;
}

// A motor with a reference that moves turns a wheel: about the reference it is a damped oscillator.
static void a_motor_follows_the_closed_form(void **state)
{
  (void)state;
  const double I = 0.5, K = 200, B = 4, rate = 0.7, first = 0.3;
  const double w = sqrt(K / I), z = B / (2 * sqrt(K * I)), duration = 0.4;
  ff_model *model = toy_wheel(I, 0);
  for (int i = 0; i < FF_STEPPER_COUNT; ++i) {
    double error[2];
    for (int half = 0; half < 2; ++half) {
      const double dt = half ? 5e-4 : 1e-3;
      ff_element_def motor = motor_of(K, B);
      motor.reference = first;
      motor.reference_velocity = rate;
      ff_sim *sim = motor_sim(model, (ff_stepper)i, dt, motor);
      const double q = -0.5, v = 1;
      assert_int_equal(ff_sim_reset(sim, &q, &v, NULL), FF_OK);
      ffi_must_run(sim, (int)(duration / dt + 0.5), NULL);
      const phase_point want = oscillator(w, z, q - first, v - rate, duration);
      error[half] = fmax(fabs(ff_sim_q(sim)[0] - (first + rate * duration + want.x)),
                         fabs(ff_sim_v(sim)[0] - (rate + want.v)) / w);
      ff_element_def now;
      assert_int_equal(ff_sim_element(sim, 0, &now), FF_OK);
      ffi_check_near("reference", now.reference, first + rate * duration, 1e-13);
      double force;
      assert_int_equal(ff_sim_element_force(sim, 0, &force), FF_OK);
      ffi_check_near("force", force, -K * (ff_sim_q(sim)[0] - now.reference) - B * (ff_sim_v(sim)[0] - rate),
                     1e-10);
      ff_sim_destroy(sim);
    }
    print_message("             %-10s  %.2e  %.2e\n", ff_stepper_name((ff_stepper)i), error[0], error[1]);
    // Both exponential steppers are exact on a linear motion; rk4 and the first-order ones have their orders; ess its
    // tolerance.
    if (i == FF_STEPPER_EXPO || i == FF_STEPPER_EXPO_PAPER)
      assert_true(error[0] < 1e-8 && error[1] < 1e-8);
    else if (i == FF_STEPPER_ESS) // some twenty steps of the sim for each radian, each to 1e-6
      assert_true(error[0] < 1e-6 && error[1] < 1e-6);
    else if (i == FF_STEPPER_RK4)
      assert_true(error[0] < 1e-8 && error[1] < error[0] / 12);
    else
      assert_true(error[0] < 0.02 && error[1] < error[0] / 1.8);
  }
  ff_model_destroy(model);
}

// A gain of 1e5 on a light wheel, ten milliseconds a step: 4.5 radians of its own motion in each.
static void a_stiff_motor_takes_long_steps(void **state)
{
  (void)state;
  const double I = 0.5, K = 1e5, B = 20;
  ff_model *model = toy_wheel(I, 0);
  static const ff_stepper steppers[] = {FF_STEPPER_EXPO, FF_STEPPER_EXPO_PAPER};
  for (int i = 0; i < 2; ++i) {
    ff_sim *sim = motor_sim(model, steppers[i], 0.01, motor_of(K, B));
    const double q = 0.1;
    assert_int_equal(ff_sim_reset(sim, &q, NULL, NULL), FF_OK);
    for (int k = 1; k <= 20; ++k) {
      ffi_must_run(sim, 1, NULL);
      const phase_point want = oscillator(sqrt(K / I), B / (2 * sqrt(K * I)), q, 0, 0.01 * k);
      ffi_check_near("angle", ff_sim_q(sim)[0], want.x, 1e-6 * q);
      ffi_check_near("rate", ff_sim_v(sim)[0], want.v, 1e-6 * q * sqrt(K / I));
    }
    ff_sim_destroy(sim);
  }
  ff_model_destroy(model);
}

static void a_saturated_motor_is_a_constant_force(void **state)
{
  (void)state;
  ff_model *model = toy_wheel(2, 0);
  for (int i = 0; i < FF_STEPPER_COUNT; ++i) {
    ff_element_def motor = motor_of(1e4, 10);
    motor.reference = 100;
    motor.effort = 3;
    ff_sim *sim = motor_sim(model, (ff_stepper)i, 1e-3, motor);
    ffi_must_run(sim, 1000, NULL);
    double force;
    assert_int_equal(ff_sim_element_force(sim, 0, &force), FF_OK);
    assert_true(force == 3);
    ffi_check_near("rate", ff_sim_v(sim)[0], 1.5, 1e-9);
    ffi_check_near("angle", ff_sim_q(sim)[0], 0.75,
                   i == FF_STEPPER_SYMPLECTIC || i == FF_STEPPER_IMPLICIT || i == FF_STEPPER_CA ? 1e-3
                                                                                                : 1e-9);
    ff_sim_destroy(sim);
  }
  ff_model_destroy(model);
}

// A wheel hits its stop: without damping it leaves as fast as it came, after half a period, and was v sqrt(I/K) deep.
static void a_stop_throws_back(void **state)
{
  (void)state;
  const double I = 0.5, K = 2e3, speed = 2;
  ff_model *model = toy_wheel(I, 1);
  for (int side = -1; side <= 1; side += 2)
    for (int i = 0; i < FF_STEPPER_SOFT_COUNT; ++i) {
      ff_sim_def def = ff_sim_def_default();
      def.stepper = (ff_stepper)i;
      def.dt = 1e-4;
      def.limit_stiffness = K;
      def.limit_damping = 0;
      ff_sim *sim = ffi_must_sim(model, &def);
      assert_int_equal(ff_sim_element_count(sim), 1);
      const double q = 0.9 * side, v = speed * side;
      assert_int_equal(ff_sim_reset(sim, &q, &v, NULL), FF_OK);
      double deepest = 0;
      const double period = 2 * acos(-1) * sqrt(I / K);
      const int steps = (int)((2 * 0.1 / speed + period / 2) / def.dt);
      for (int k = 0; k < steps; ++k) {
        ffi_must_run(sim, 1, NULL);
        deepest = fmax(deepest, side * ff_sim_q(sim)[0] - 1);
      }
      // Back where it came from. First-order methods gain or lose w dt times the number of radians: two percent.
      const double tolerance =
          i == FF_STEPPER_EXPO || i == FF_STEPPER_RK4 || i == FF_STEPPER_ESS ? 1e-3 : 0.02;
      ffi_check_near("depth", deepest, speed * sqrt(I / K), tolerance * speed * sqrt(I / K));
      ffi_check_near("rate", ff_sim_v(sim)[0], -v, tolerance * speed);
      ffi_check_near("angle", ff_sim_q(sim)[0], q, tolerance * 0.3);
      ff_sim_destroy(sim);
    }
  ff_model_destroy(model);
}

// A cube welded to the world at its middle, at rest: the weld carries its weight, mg / K below.
static void a_weld_carries_a_cube(void **state)
{
  (void)state;
  ff_model *model = toy_cube(NULL);
  const double K = 1e4, weight = 2 * toy_gravity;
  for (int i = 0; i < FF_STEPPER_SOFT_COUNT; ++i) {
    ff_element_def weld = ff_element_def_default();
    weld.type = FF_ELEMENT_WELD;
    weld.a.frame = ff_model_find_frame(model, "cube");
    weld.b.offset[2] = 1;
    weld.stiffness = K;
    weld.damping = 200;
    weld.angular_stiffness = 100;
    weld.angular_damping = 1.5;
    ff_sim_def def = ff_sim_def_default();
    def.stepper = (ff_stepper)i;
    def.dt = 5e-4;
    def.elements = &weld;
    def.element_count = 1;
    ff_sim *sim = ffi_must_sim(model, &def);
    const double q[7] = {0.01, 0, 1, 0.1, 0.05, 0, 0.99};
    assert_int_equal(ff_sim_reset(sim, q, NULL, NULL), FF_OK);
    ffi_must_run(sim, 2000, NULL);
    double force[6];
    assert_int_equal(ff_sim_element_force(sim, 0, force), FF_OK);
    for (int k = 0; k < 6; ++k)
      ffi_check_near("force of the weld", force[k], k == 2 ? weight : 0, 1e-5 * weight);
    ffi_check_near("height", ff_sim_q(sim)[2], 1 - weight / K, 1e-8);
    ffi_check_near("upright", fabs(ff_sim_q(sim)[6]), 1, 1e-8);
    ff_sim_destroy(sim);
  }
  ff_model_destroy(model);
}

// The element of this name has these gains, references and effort.
static void expect(const ff_sim *sim, const ff_element_def *want)
{
  const char *name = want->name;
  ff_element_def e;
  const int index = ff_sim_find_element(sim, name);
  if (index < 0)
    fail_msg("there is no element '%s'", name);
  assert_int_equal(ff_sim_element(sim, index, &e), FF_OK);
  assert_string_equal(e.name, name);
  assert_int_equal(e.type, want->type);
  ffi_check_near(name, e.stiffness, want->stiffness, 1e-12 * want->stiffness);
  ffi_check_near(name, e.damping, want->damping, 1e-12 * want->damping);
  ffi_check_near(name, e.reference, want->reference, 1e-15);
  ffi_check_near(name, e.reference_velocity, want->reference_velocity, 1e-15);
  assert_true(e.effort == want->effort);
}

// Builds a chain of hinges j0, j1, ...
static ff_builder *chain(int count)
{
  ff_builder *b;
  assert_int_equal(ff_builder_create("chain", &b, NULL), FF_OK);
  for (int i = 0; i < count; ++i) {
    char name[16], joint[16];
    snprintf(name, sizeof name, "l%d", i);
    snprintf(joint, sizeof joint, "j%d", i);
    ff_link_def link = ff_link_def_default();
    link.name = name;
    link.parent = i - 1;
    link.joint.name = joint;
    link.joint.type = FF_JOINT_REVOLUTE;
    link.joint.axis[0] = 1;
    link.joint.stiffness = i == 0 ? 7 : 0;
    link.joint.spring_reference = 0.4;
    link.joint.has_limits = i == 1;
    link.joint.lower = -2;
    link.joint.upper = (double)INFINITY;
    link.inertia.mass = 1;
    link.inertia.matrix[0] = link.inertia.matrix[3] = link.inertia.matrix[5] = 1;
    assert_int_equal(ff_builder_add_link(b, &link, NULL, NULL), FF_OK);
  }
  return b;
}

static void models_bring_their_elements(void **state)
{
  (void)state;
  const double inf = (double)INFINITY;
  ff_builder *b = chain(5);
  const ff_actuator_def none = ff_actuator_def_default();
  ff_actuator_def a[5];
  for (int i = 0; i < 5; ++i) {
    a[i] = none;
    a[i].link = i;
    a[i].gear = 3;
    a[i].kp = 2;
    a[i].kv = 0.5;
  }
  a[0].name = "servo"; // 0.6 is the control nearest to 0
  a[0].type = FF_ACTUATOR_POSITION;
  a[0].control_range[0] = 0.6;
  a[0].force_range[0] = -8;
  a[0].force_range[1] = 8;
  a[1].name = "plain"; // a motor is driven by tau
  a[2].type = FF_ACTUATOR_VELOCITY;
  a[2].gear = -2;
  a[2].control_range[1] = -1;
  a[2].force_range[0] = -1;
  a[2].force_range[1] = 5;
  a[3].name = "idle"; // cannot push
  a[3].type = FF_ACTUATOR_POSITION;
  a[3].gear = 0;
  a[4].name = "weak";
  a[4].type = FF_ACTUATOR_POSITION;
  a[4].force_range[0] = a[4].force_range[1] = 0;
  for (int i = 0; i < 5; ++i)
    assert_int_equal(ff_builder_add_actuator(b, &a[i], NULL), FF_OK);
  ff_model *model;
  assert_int_equal(ff_builder_finish(b, &model, NULL), FF_OK);
  ff_builder_destroy(b);
  ff_sim_def def = ff_sim_def_default();
  def.limit_stiffness = 123;
  def.limit_damping = 4;
  ff_sim *sim = ffi_must_sim(model, &def);
  assert_int_equal(ff_sim_element_count(sim), 4);
  const ff_element_def want[] = {
      {.name = "j0_spring", .type = FF_ELEMENT_JOINT_PD, .stiffness = 7, .reference = 0.4, .effort = inf},
      {.name = "j1_limit", .type = FF_ELEMENT_JOINT_LIMIT, .stiffness = 123, .damping = 4, .effort = inf},
      {.name = "servo",
       .type = FF_ELEMENT_JOINT_PD,
       .stiffness = 9 * 2,
       .damping = 9 * 0.5,
       .reference = 0.6 / 3,
       .effort = 8},
      {.name = "j2_motor",
       .type = FF_ELEMENT_JOINT_PD,
       .damping = 4 * 0.5,
       .reference_velocity = -1 / -2.0,
       .effort = 5}, // the larger end of its range
  };
  for (size_t i = 0; i < sizeof want / sizeof want[0]; ++i)
    expect(sim, &want[i]);
  assert_int_equal(ff_sim_find_element(sim, "plain"), -1);
  assert_int_equal(ff_sim_find_element(sim, NULL), -1);
  assert_int_equal(ff_sim_find_motor(sim, 0), ff_sim_find_element(sim, "servo")); // not the spring
  assert_int_equal(ff_sim_find_motor(sim, 1), -1);
  ff_element_def e;
  assert_int_equal(ff_sim_element(sim, ff_sim_find_element(sim, "j1_limit"), &e), FF_OK);
  assert_true(e.lower == -2 && e.upper == inf);
  ff_sim_destroy(sim);

  def.model_elements = 0;
  sim = ffi_must_sim(model, &def);
  assert_int_equal(ff_sim_element_count(sim), 0);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

static void wrong_questions_are_refused(void **state)
{
  (void)state;
  ff_model *model = toy_fair();
  ff_sim *sim = ffi_must_sim(model, NULL);
  const int limit = ff_sim_find_element(sim, "elbow_limit"),
            servo = ff_sim_find_element(sim, "shoulder_servo");
  ff_element_def e;
  double force[6];
  const ff_pose pose = {.quaternion = {0, 0, 0, 0}};
  const double velocity[6] = {0, 0, 0, (double)NAN, 0, 0};
  assert_int_equal(ff_sim_element(sim, -1, &e), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_sim_element(sim, 2, &e), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_sim_element(sim, 0, NULL), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_sim_element_force(sim, 2, force), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_sim_set_reference(sim, limit, 0, 0), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_sim_set_reference(sim, servo, (double)NAN, 0), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_sim_set_reference(sim, servo, 0.1, 0), FF_OK);
  assert_int_equal(ff_sim_move_ground(sim, 1, NULL, NULL), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_sim_move_ground(sim, 0, &pose, NULL), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_sim_move_ground(sim, 0, NULL, velocity), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_sim_move_ground(sim, 0, NULL, NULL), FF_OK);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_motor_follows_the_closed_form),
      cmocka_unit_test(a_stiff_motor_takes_long_steps),
      cmocka_unit_test(a_saturated_motor_is_a_constant_force),
      cmocka_unit_test(a_stop_throws_back),
      cmocka_unit_test(a_weld_carries_a_cube),
      cmocka_unit_test(models_bring_their_elements),
      cmocka_unit_test(wrong_questions_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
