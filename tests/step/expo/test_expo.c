// The exponential steppers where they are exact: a point on three skew slides, held by motors and pressed on the floor, is a linear system. Its exact motion
// is found by Taylor's series in long double; `exact` gives it at any step to rounding, `auto` to its tolerance, the paper's orders in their order.
#include <footfall/builder.h>
#include <footfall/sim.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const double axis[3][3] = {{1, 0, 0}, {0.6, 0.8, 0}, {0.28, 0.0, 0.96}}, mass[3] = {2, 0.3, 0.8};
static const double start_v[3] = {0.04, -0.02, 0.01};
static const double gravity = 500; // it presses the point on the floor, so that it never lifts off

typedef struct system {
  double stiffness, damping; // of the contact
  double motor, brake;       // of all three slides
} system;

static const system soft = {1e4, 50, 100, 2}, stiff = {1e6, 300, 1e4, 10}, undamped = {1e5, 0, 1e3, 0};

// A little off the place where the last slide's weight is carried: the others are held by what they slide on.
static void start_of(const system *s, double q[3])
{
  q[0] = 1e-3;
  q[1] = -2e-3;
  q[2] = -1.1 * mass[2] * gravity / s->stiffness;
}

static ff_model *slides(const system *s)
{
  ff_builder *b;
  ff_model *model;
  ff_error error;
  int parent = FF_WORLD;
  const double down[3] = {0, 0, -gravity};
  assert_int_equal(ff_builder_create("slides", &b, &error), FF_OK);
  for (int i = 0; i < 3; ++i) {
    char name[8];
    snprintf(name, sizeof name, "s%d", i);
    ff_link_def link = ff_link_def_default();
    link.name = name;
    link.parent = parent;
    link.joint.type = FF_JOINT_PRISMATIC;
    memcpy(link.joint.axis, axis[i], sizeof axis[i]);
    link.inertia.mass = mass[i];
    link.inertia.matrix[0] = link.inertia.matrix[3] = link.inertia.matrix[5] = 0.01;
    assert_int_equal(ff_builder_add_link(b, &link, &parent, &error), FF_OK);
  }
  ff_shape_def point = ff_shape_def_default();
  point.type = FF_SHAPE_POINT;
  point.material = (ff_material){.stiffness = s->stiffness, .damping = s->damping, .friction = 1e6};
  assert_int_equal(ff_builder_add_shape(b, parent, &point, &error), FF_OK);
  assert_int_equal(ff_builder_set_gravity(b, down, &error), FF_OK);
  assert_int_equal(ff_builder_finish(b, &model, &error), FF_OK);
  ff_builder_destroy(b);
  return model;
}

// vdot of a state by hand: M vdot = J'(K (anchor - p) - B pdot) - motor q - brake v + weight.
static void accelerate(const system *s, const long double *q, const long double *v, const long double *force0,
                       int is_constant, long double *a)
{
  long double f[3], p[3] = {0}, u[3] = {0}, M[3][4];
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) {
      p[k] += axis[i][k] * q[i];
      u[k] += axis[i][k] * v[i];
    }
  for (int i = 0; i < 3; ++i) {
    f[i] = -s->motor * q[i] - s->brake * v[i] + (is_constant ? force0[i] : 0);
    for (int k = 0; k < 3; ++k)
      f[i] += axis[i][k] * (-s->stiffness * p[k] - s->damping * u[k]);
    for (int j = 0; j < 3; ++j) {
      long double carried = 0, cosine = 0;
      for (int k = i > j ? i : j; k < 3; ++k)
        carried += mass[k];
      for (int k = 0; k < 3; ++k)
        cosine += axis[i][k] * axis[j][k];
      M[i][j] = carried * cosine;
    }
    M[i][3] = f[i];
  }
  for (int c = 0; c < 3; ++c) // Gauss-Jordan; M is positive definite
    for (int r = 0; r < 3; ++r)
      for (int k = 3; k >= c && r != c; --k)
        M[r][k] -= M[r][c] / M[c][c] * M[c][k];
  for (int i = 0; i < 3; ++i)
    a[i] = M[i][3] / M[i][i];
}

// Steps of Taylor's series of 30 terms, each a hundredth of a millisecond: the fastest rate here is some 1e4 per second.
static void exact_motion(const system *s, double duration, double *q_out, double *v_out)
{
  long double q[3], v[3], force0[3] = {0}, anchor[2] = {0};
  double h = 1e-5, start_q[3];
  start_of(s, start_q);
  for (int i = 0; i < 3; ++i) {
    q[i] = start_q[i];
    v[i] = start_v[i];
    for (int k = 0; k < 2; ++k)
      anchor[k] += axis[i][k] * (long double)start_q[i];
  }
  for (int i = 0; i < 3; ++i) {
    long double carried = 0;
    for (int k = i; k < 3; ++k)
      carried += mass[k];
    force0[i] =
        -carried * gravity * axis[i][2] + s->stiffness * (axis[i][0] * anchor[0] + axis[i][1] * anchor[1]);
  }
  for (int n = (int)lround(duration / h); n > 0; --n) {
    long double cq[3], cv[3], a[3], power = 1, next_q[3], next_v[3];
    memcpy(cq, q, sizeof q); // coefficients of the series, times h^k
    memcpy(cv, v, sizeof v);
    memcpy(next_q, q, sizeof q);
    memcpy(next_v, v, sizeof v);
    for (int k = 0; k < 30; ++k) {
      accelerate(s, cq, cv, force0, k == 0, a);
      for (int i = 0; i < 3; ++i) {
        cq[i] = cv[i] / (k + 1);
        cv[i] = a[i] / (k + 1);
      }
      power *= h;
      for (int i = 0; i < 3; ++i) {
        next_q[i] += power * cq[i];
        next_v[i] += power * cv[i];
      }
    }
    memcpy(q, next_q, sizeof q);
    memcpy(v, next_v, sizeof v);
  }
  for (int i = 0; i < 3; ++i) {
    q_out[i] = (double)q[i];
    v_out[i] = (double)v[i];
  }
}

// Largest errors of a position and of a velocity.
typedef struct gap {
  double q, v, impulse_error;
  int capped;
} gap;

static gap run(const system *s, ff_stepper stepper, ff_exponential exponential, double tolerance,
               double duration, int steps)
{
  ff_model *model = slides(s);
  ff_element_def motor[3];
  double start_q[3];
  ff_sim *sim;
  ff_error error;
  for (int i = 0; i < 3; ++i) {
    motor[i] = ff_element_def_default();
    motor[i].joint = i;
    motor[i].stiffness = s->motor;
    motor[i].damping = s->brake;
  }
  start_of(s, start_q);
  ff_sim_def def = ff_sim_def_default();
  def.stepper = stepper;
  def.dt = duration / steps;
  def.elements = motor;
  def.element_count = 3;
  def.expo.exponential = exponential;
  def.expo.force_tolerance = tolerance;
  def.expo.max_substeps = 64;
  if (ff_sim_create(model, &def, &sim, &error) != FF_OK ||
      ff_sim_reset(sim, start_q, start_v, &error) != FF_OK)
    fail_msg("%s", error.message);
  gap g = {0};
  for (int k = 0; k < steps; ++k) {
    if (ff_sim_step(sim, NULL, &error) != FF_OK)
      fail_msg("%s", error.message);
    assert_int_equal(ff_sim_info(sim)->contacts, 1);
    assert_int_equal(ff_sim_info(sim)->pieces, 1);
    g.impulse_error = fmax(g.impulse_error, ff_sim_info(sim)->force_error);
    g.capped |= ff_sim_info(sim)->capped;
  }
  double q[3], v[3];
  exact_motion(s, duration, q, v);
  for (int i = 0; i < 3; ++i) {
    g.q = fmax(g.q, fabs(ff_sim_q(sim)[i] - q[i]));
    g.v = fmax(g.v, fabs(ff_sim_v(sim)[i] - v[i]));
  }
  ff_sim_destroy(sim);
  ff_model_destroy(model);
  return g;
}

static const ff_stepper steppers[2] = {FF_STEPPER_EXPO, FF_STEPPER_EXPO_PAPER};

static void exact_is_exact_at_any_step(void **state)
{
  (void)state;
  static const system *const all[] = {&soft, &stiff, &undamped};
  double worst = 0;
  for (int s = 0; s < 2; ++s)
    for (int k = 0; k < 3; ++k)
      for (int steps = 1; steps < 50; steps *= 7) {
        const gap g = run(all[k], steppers[s], FF_EXPONENTIAL_EXACT, 1e-4, 0.02, steps);
        worst = fmax(worst, fmax(g.q / 0.02, g.v));
      }
  print_message("exact: off by %.1e, relative to the start\n", worst);
  assert_true(worst < 1e-13); // t |A| is up to 200
}

static void the_fast_path_keeps_its_tolerance(void **state)
{
  (void)state;
  static const system *const all[] = {&soft, &stiff, &undamped};
  for (int k = 0; k < 3; ++k)
    for (double tolerance = 1e-2; tolerance > 1e-11; tolerance /= 100) {
      double worst = 0;
      for (int s = 0; s < 2; ++s)
        for (int steps = 1; steps < 50; steps *= 7) {
          const gap g = run(all[k], steppers[s], FF_EXPONENTIAL_AUTO, tolerance, 0.02, steps);
          assert_int_equal(g.capped, 0);
          assert_true(g.impulse_error <= tolerance);
          worst = fmax(worst, g.v);
        }
      print_message("K = %.0e, tolerance %.0e: velocities off by %.1e\n", all[k]->stiffness, tolerance,
                    worst);
      // of what gravity does in the longest step, 10 m/s
      assert_true(worst < 10 * tolerance + 1e-10);
    }
}

// Reduced orders: each better than the one below it, and all good for short steps.
static void orders_of_the_paper_come_in_order(void **state)
{
  (void)state;
  for (int s = 0; s < 2; ++s) {
    double before = INFINITY;
    print_message("%-10s", ff_stepper_name(steppers[s]));
    for (ff_exponential e = FF_EXPONENTIAL_ORDER_1; e <= FF_EXPONENTIAL_ORDER_7; ++e) {
      const gap g = run(&soft, steppers[s], e, 1e-4, 0.02, 20); // t |A| is 0.3
      print_message("  %s %.1e", ff_exponential_name(e), g.v);
      assert_true(g.v < before || g.v < 1e-12);
      before = g.v;
    }
    print_message("\n");
    assert_true(before < 1e-12);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exact_is_exact_at_any_step),
      cmocka_unit_test(the_fast_path_keeps_its_tolerance),
      cmocka_unit_test(orders_of_the_paper_come_in_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
