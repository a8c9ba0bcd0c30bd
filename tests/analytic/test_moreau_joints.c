// Hard contact's stepper at joints: dry friction, stops, motors and springs, against closed forms.
//
// A joint with constant inertia is moved by q^M = q + dt/2 v, v' = v + dt a(q^M), q' = q^M + dt/2 v': leapfrog, of
// second order. Dry friction is an impulse within +-dt f; motors pull with what their law says at the end of the step.
#include "analytic/scene.h"
#include "support/hard_scene.h"

static const double g = 9.81;

// One joint: a wheel about z or a slide along x, on which gravity does not act, or a pendulum about y.
typedef struct joint_test {
  ff_model *model;
  ff_sim *sim;
} joint_test;

static ff_link_def link_of(ff_joint_type type, int axis)
{
  ff_link_def link = ff_link_def_default();
  link.name = "link";
  link.joint.type = type;
  link.joint.axis[axis] = 1;
  link.inertia.mass = 2;
  link.inertia.matrix[0] = link.inertia.matrix[3] = link.inertia.matrix[5] = 0.05;
  return link;
}

static joint_test joint_of(const ff_link_def *link, const ff_element_def *elements, int count, double dt)
{
  ff_builder *b = ffi_must_begin("joint");
  ffi_must_add_link(b, link);
  joint_test t = {.model = ffi_must_finish(b)};
  ff_sim_def def = ffi_hard_def(dt);
  def.elements = elements;
  def.element_count = count;
  t.sim = ffi_must_sim(t.model, &def);
  return t;
}

static void joint_end(joint_test *t)
{
  ff_sim_destroy(t->sim);
  ff_model_destroy(t->model);
}

// A wheel loses f dt / I a step, and stands from the first step on that can stop it: as a block on the level. A torque
// below f does not move it, one above moves it with the rest.
static void wheel_with_dry_friction(void **state)
{
  (void)state;
  const double f = 0.3, I = 0.05, w0 = 7, dt = 0.003, a = f / I;
  ff_link_def link = link_of(FF_JOINT_REVOLUTE, 2);
  link.joint.friction = f;
  joint_test t = joint_of(&link, NULL, 0, dt);
  const double q0 = 0.2;
  ffi_must_reset(t.sim, &q0, &w0);
  ffi_must_run(t.sim, 100, NULL);
  ffi_check_near("speed", ff_sim_v(t.sim)[0], w0 - a * 100 * dt, 1e-12);
  ffi_must_run(t.sim, 400, NULL);
  const double N = floor(w0 / (a * dt)), w = w0 - N * a * dt, want = q0 + N * dt * (w0 + w) / 2 + w * dt / 2;
  ffi_check_near("stop", ff_sim_q(t.sim)[0], want, 1e-12);
  ffi_check_near("stop, exact", ff_sim_q(t.sim)[0], q0 + w0 * w0 / (2 * a), a * dt * dt / 8 * (1 + 1e-9));
  ffi_check_near("speed", ff_sim_v(t.sim)[0], 0, 1e-15);
  const double below = 0.999 * f, above = 1.5 * f, stop = ff_sim_q(t.sim)[0];
  ffi_must_run(t.sim, 1000, &below);
  ffi_check_near("creep", ff_sim_q(t.sim)[0] - stop, 0, 1e-13);
  ffi_must_run(t.sim, 100, &above);
  ffi_check_near("speed", ff_sim_v(t.sim)[0], 0.5 * f / I * 100 * dt, 1e-12);
  joint_end(&t);
}

// Where a pendulum with dry friction turns: from rest at x it swings to the other side until the friction has taken
// what it was higher, m g l (cos y - cos x) = f (x + y) for y at the other side. It stays where gravity cannot move it,
// m g l sin x <= f. Found by bisection, swing by swing.
static double pendulum_rest(double moment, double f, double x, int *swings)
{
  double side = 1;
  for (*swings = 0; moment * sin(x) > f; ++*swings) {
    double low = -asin(f / moment),
           high =
               x; // its energy is largest where gravity and friction balance, and spent before it is as high
    for (int i = 0; i < 200; ++i) {
      const double y = (low + high) / 2;
      if (moment * (cos(y) - cos(x)) - f * (x + y) > 0)
        low = y;
      else
        high = y;
    }
    side = -side;
    x = low;
    if (x < 0) { // it stopped before it came to the middle
      x = -x;
      side = -side;
    }
  }
  return side * x;
}

// Error of order 2: leapfrog's, and at each turn less than a step in which friction holds it for a while, a dt^2/8 with
// a the acceleration there, at most (m g l + f)/I. Errors at turns depend on where steps fall, so a bound of dt^2 is
// looked at, not a ratio.
static void pendulum_with_dry_friction_stops_where_energy_says(void **state)
{
  (void)state;
  const double f = 0.9, l = 0.5, m = 2, I = 0.05 + m * l * l, start = 1.4;
  int swings;
  const double want = pendulum_rest(m * g * l, f, start, &swings);
  ff_link_def link = link_of(FF_JOINT_REVOLUTE, 1);
  link.joint.friction = f;
  link.inertia.com[2] = -l;
  assert_true(swings >= 3);
  for (double dt = 0.004; dt > 2e-4; dt /= 2) {
    joint_test t = joint_of(&link, NULL, 0, dt);
    ffi_must_reset(t.sim, &start, NULL);
    ffi_must_run(t.sim, (int)lround(8 / dt), NULL);
    const double off = ff_sim_q(t.sim)[0] - want, a = (m * g * l + f) / I;
    printf("dt %g: rests at %.8f, off by %.2e after %d swings (%.3f a dt^2)\n", dt, ff_sim_q(t.sim)[0], off,
           swings, off / (a * dt * dt));
    ffi_check_near("at rest", ff_sim_v(t.sim)[0], 0, 1e-14);
    ffi_check_near("place", off, 0, swings * a * dt * dt / 4); // a/8 at each turn, as much again for leapfrog
    joint_end(&t);
  }
}

// A slide runs into its stop: it stands, at most dt |v| beyond, is pressed there by a force without moving, and comes
// off freely when the force turns.
static void slide_stands_at_its_stop(void **state)
{
  (void)state;
  const double dt = 0.002, v0 = 1.1, push = 3, pull = -5;
  ff_link_def link = link_of(FF_JOINT_PRISMATIC, 0);
  link.joint.has_limits = 1;
  link.joint.lower = -0.4;
  link.joint.upper = 0.3;
  joint_test t = joint_of(&link, NULL, 0, dt);
  ffi_must_reset(t.sim, NULL, &v0);
  const int before = (int)floor(0.3 / (v0 * dt)) - 1;
  ffi_must_run(t.sim, before, NULL);
  ffi_check_near("speed", ff_sim_v(t.sim)[0], v0, 1e-13);
  ffi_must_run(t.sim, 4, NULL);
  const double at = ff_sim_q(t.sim)[0];
  ffi_check_near("speed at the stop", ff_sim_v(t.sim)[0], 0, 1e-14);
  assert_true(at >= 0.3 && at < 0.3 + v0 * dt);
  ffi_must_run(t.sim, 1000, &push);
  ffi_check_near("creep", ff_sim_q(t.sim)[0] - at, 0, 1e-13);
  ffi_must_run(t.sim, 100, &pull); // m = 2
  ffi_check_near("speed off", ff_sim_v(t.sim)[0], pull / 2 * 100 * dt, 1e-12);
  ffi_must_run(t.sim, 1000, &pull);
  assert_true(ff_sim_q(t.sim)[0] <= -0.4 && ff_sim_q(t.sim)[0] > -0.4 - sqrt(0.7 * 5) * dt);
  joint_end(&t);
}

// A pendulum swings against its stop: the impulse takes all of its momentum at once, and it leans there.
static void pendulum_meets_its_stop(void **state)
{
  (void)state;
  const double dt = 0.001, start = 1;
  ff_link_def link = link_of(FF_JOINT_REVOLUTE, 1);
  link.inertia.com[2] = -0.5;
  link.joint.has_limits = 1;
  link.joint.lower = 0.25;
  link.joint.upper = 3;
  joint_test t = joint_of(&link, NULL, 0, dt);
  ffi_must_reset(t.sim, &start, NULL);
  double speed = 0;
  while (ff_sim_v(t.sim)[0] < 0 || ff_sim_time(t.sim) < dt / 2) {
    speed = -ff_sim_v(t.sim)[0];
    ffi_must_step(t.sim, NULL);
    assert_true(ff_sim_time(t.sim) < 2);
  }
  const double I = 0.05 + 2 * 0.25, moment = 2 * g * 0.5,
               want = sqrt(2 * moment * (cos(0.25) - cos(start)) / I);
  ffi_check_near("speed it came with", speed, want, moment / I * sin(0.25) * dt); // half a step early or late
  const double at = ff_sim_q(t.sim)[0];
  ffi_must_run(t.sim, 1000, NULL);
  ffi_check_near("creep", ff_sim_q(t.sim)[0] - at, 0, 1e-13);
  joint_end(&t);
}

// ---- Motors -------------------------------------------------------------------------------------------------

static ff_element_def motor(double K, double B, double reference)
{
  ff_element_def def = ff_element_def_default();
  def.joint = 0;
  def.stiffness = K;
  def.damping = B;
  def.reference = reference;
  return def;
}

// A motor on a slide with mass m pulls with -K (q' - r) - B v', where q' = q + dt/2 (v + v'). With p = dt v, s = dt^2
// K/m and b = dt B/m, x = q - r:
//
//     p' = (p - s (x + p/2))/(1 + s/2 + b),     x' = x + p/2 + p'/2
//
// whose determinant is 1/(1 + s/2 + b): never growing, however large dt. Run beside the sim, step by step.
static void motor_steps_as_computed(void **state)
{
  (void)state;
  const double Ks[] = {50, 2e4, 1e8}, Bs[] = {0, 3, 500}, m = 2, dt = 0.004, r = 0.3;
  for (int i = 0; i < 9; ++i) {
    const double K = Ks[i / 3], B = Bs[i % 3], s = dt * dt * K / m, b = dt * B / m, v0 = 0.7;
    const ff_element_def element = motor(K, B, r);
    const ff_link_def link = link_of(FF_JOINT_PRISMATIC, 0);
    joint_test t = joint_of(&link, &element, 1, dt);
    ffi_must_reset(t.sim, NULL, &v0);
    double x = -r, p = dt * v0;
    for (int k = 0; k < 500; ++k) {
      ffi_must_step(t.sim, NULL);
      const double middle = x + p / 2;
      p = (p - s * middle) / (1 + s / 2 + b);
      x = middle + p / 2;
      ffi_check_near("q", ff_sim_q(t.sim)[0], r + x, 1e-12);
      ffi_check_near("dt v", dt * ff_sim_v(t.sim)[0], p, 1e-12);
    }
    joint_end(&t);
  }
}

// Against the oscillation itself the order is 1: the determinant is that of a damper of B + K dt/2.
static void motor_is_a_spring_with_order_1(void **state)
{
  (void)state;
  const double K = 80, B = 4, m = 2, T = 1, x0 = 0.5, w = sqrt(K / m - B * B / (4 * m * m)), d = B / (2 * m);
  const double want = exp(-d * T) * x0 * (cos(w * T) + d / w * sin(w * T));
  double last = 0;
  for (double dt = 0.004; dt > 4e-4; dt /= 2) {
    const ff_element_def element = motor(K, B, 0);
    const ff_link_def link = link_of(FF_JOINT_PRISMATIC, 0);
    joint_test t = joint_of(&link, &element, 1, dt);
    ffi_must_reset(t.sim, &x0, NULL);
    ffi_must_run(t.sim, (int)lround(T / dt), NULL);
    const double error = fabs(ff_sim_q(t.sim)[0] - want);
    if (last > 0)
      ffi_check_near("order", log2(last / error), 1, 0.15);
    last = error;
    joint_end(&t);
  }
}

// A motor that cannot give more than its effort pulls with that: v = effort/m t until its law asks for less. And never
// more than that, in no step.
static void motor_saturates(void **state)
{
  (void)state;
  const double dt = 0.002, effort = 6, m = 2;
  ff_element_def element = motor(40, 20, 1);
  element.effort = effort;
  const ff_link_def link = link_of(FF_JOINT_PRISMATIC, 0);
  joint_test t = joint_of(&link, &element, 1, dt);
  ffi_must_reset(t.sim, NULL, NULL);
  double v = 0;
  for (int k = 0; k < 5000; ++k) {
    ffi_must_step(t.sim, NULL);
    const double force = m * (ff_sim_v(t.sim)[0] - v) / dt;
    v = ff_sim_v(t.sim)[0];
    if (!(fabs(force) <= effort * (1 + 1e-9)))
      fail_msg("step %d: %.17g N of %g N", k, force, effort);
    if (k == 149)
      ffi_check_near("speed", v, effort / m * 150 * dt, 1e-12);
  }
  ffi_check_near("place", ff_sim_q(t.sim)[0], 1,
                 1e-9); // it got there: the law's slow root is 2.8 per second
  joint_end(&t);
}

// A motor that was at its effort in the last step is a row of the problem, also where its law asks for less again. Step
// by step m (v' - v) = dt clip(-K (q + dt/2 (v + v') - r) - B v'), whose sides meet once: found by bisection.
static void comes_back(joint_test t, double m, const ff_element_def *motor, double dt)
{
  const double K = motor->stiffness, B = motor->damping, r = motor->reference, effort = motor->effort;
  double q = 0, v = 0;
  int came_back = 0, was_clipped = 0;
  ffi_must_reset(t.sim, NULL, NULL);
  for (int k = 0; k < 400; ++k) {
    const double before = v;
    double low = -100, high = 100;
    for (int i = 0; i < 80; ++i) {
      const double end = 0.5 * (low + high), force = -K * (q + dt / 2 * (v + end) - r) - B * end;
      *(m * (end - v) < dt * fmax(-effort, fmin(effort, force)) ? &low : &high) = end;
    }
    v = low;
    q += dt / 2 * (before + v);
    ffi_must_step(t.sim, NULL);
    assert_int_equal(ff_sim_info(t.sim)->converged, 1);
    const int is_clipped = fabs(m * (v - before)) > dt * effort * (1 - 1e-9);
    came_back += was_clipped && !is_clipped;
    was_clipped = is_clipped;
    ffi_check_near("speed", ff_sim_v(t.sim)[0], v, 2e-6 * (1 + fabs(v))); // impulses are found to 1e-6
    ffi_check_near("place", ff_sim_q(t.sim)[0], q, 1e-6);
  }
  assert_true(came_back > 0);
  joint_end(&t);
}

static void motor_comes_back_as_its_law_says(void **state)
{
  (void)state;
  const double dt = 0.004;
  ff_element_def element = motor(300, 40, 0.5);
  element.effort = 25;
  const ff_link_def link = link_of(FF_JOINT_PRISMATIC, 0);
  comes_back(joint_of(&link, &element, 1, dt), 2, &element, dt);
}

// The same of two slides that are held together in a point: the motor's row and the point's are one problem.
static void motor_of_two_comes_back(void **state)
{
  (void)state;
  const double dt = 0.004;
  ff_builder *b = ffi_must_begin("joint");
  ff_link_def link = link_of(FF_JOINT_PRISMATIC, 0);
  ff_element_def elements[2] = {motor(300, 40, 0.5), ff_element_def_default()};
  ff_link_info info;
  ffi_must_add_link(b, &link);
  link.name = "other";
  ffi_must_add_link(b, &link);
  joint_test t = {.model = ffi_must_finish(b)};
  elements[0].effort = 25;
  elements[1].type = FF_ELEMENT_POINT;
  assert_int_equal(ff_model_link(t.model, 0, &info), FF_OK);
  elements[1].a.frame = info.frame;
  assert_int_equal(ff_model_link(t.model, 1, &info), FF_OK);
  elements[1].b.frame = info.frame;
  ff_sim_def def = ffi_hard_def(dt);
  def.elements = elements;
  def.element_count = 2;
  t.sim = ffi_must_sim(t.model, &def);
  comes_back(t, 4, &elements[0], dt);
}

// Damping of the joint itself: v' = v/(1 + dt c/m), at the end of the step like all else.
static void damped_slide_slows_down(void **state)
{
  (void)state;
  const double dt = 0.01, c = 5, m = 2, v0 = 3;
  ff_link_def link = link_of(FF_JOINT_PRISMATIC, 0);
  link.joint.damping = c;
  joint_test t = joint_of(&link, NULL, 0, dt);
  ffi_must_reset(t.sim, NULL, &v0);
  ffi_must_run(t.sim, 50, NULL);
  ffi_check_near("speed", ff_sim_v(t.sim)[0], v0 * pow(1 + dt * c / m, -50), 1e-12);
  joint_end(&t);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wheel_with_dry_friction),
      cmocka_unit_test(pendulum_with_dry_friction_stops_where_energy_says),
      cmocka_unit_test(slide_stands_at_its_stop),
      cmocka_unit_test(pendulum_meets_its_stop),
      cmocka_unit_test(motor_steps_as_computed),
      cmocka_unit_test(motor_is_a_spring_with_order_1),
      cmocka_unit_test(motor_saturates),
      cmocka_unit_test(motor_comes_back_as_its_law_says),
      cmocka_unit_test(motor_of_two_comes_back),
      cmocka_unit_test(damped_slide_slows_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
