// The pendulum against its closed form and against small steps in time; plans keep their promises.
#include "control/lipm.h"

#include "robots.h"

#include <footfall/control/reference.h>

#include <float.h>

static void it_moves_as_its_equation_says(void **state)
{
  (void)state;
  const double w = 4, p = 0.3, x0 = 0.1, v0 = -0.2;
  ffi_margin position = {.what = "pendulum, position", .tolerance = 1e-12};
  ffi_margin velocity = {.what = "pendulum, velocity", .tolerance = 1e-11};
  for (int i = 0; i <= 20; ++i) {
    // sum of the two exponentials that solve x'' = w^2 (x - p)
    const double t = 0.05 * i, grow = (x0 - p + v0 / w) / 2, die = (x0 - p - v0 / w) / 2;
    double out[3];
    ffi_lipm_move(w, p, x0, x0 + v0 / w, t, out);
    ffi_margin_add(&position, fabs(out[0] - p - grow * exp(w * t) - die * exp(-w * t)), i);
    ffi_margin_add(&velocity, fabs(out[1] - w * (grow * exp(w * t) - die * exp(-w * t))), i);
    ffi_margin_add(&velocity, fabs(out[2] - w * w * (out[0] - p)), i);
  }
  ffi_margin_check(&position);
  ffi_margin_check(&velocity);
}

// p by hand: with one interval that is free between ends where p is fixed there is nothing to choose. Here two
// intervals and two ends decide all: x_end from rest at 0 needs p_0 = -c, p_1 = x_end + c with one c, by symmetry; in
// closed form c = x_end / (2 (cosh wT - 1)).
static void two_intervals_are_decided_by_the_ends(void **state)
{
  (void)state;
  const double w = 3, T = 0.4, end = 0.05, c = end / (2 * (cosh(w * T) - 1));
  const double want[2] = {0, 0}, lo[2] = {-9, -9}, hi[2] = {9, 9};
  double p[2], x[3], xi[3];
  const ffi_lipm_axis axis = {.count = 2,
                              .w = w,
                              .interval = T,
                              .want = want,
                              .lo = lo,
                              .hi = hi,
                              .x_end = end,
                              .pressure_weight = 1};
  assert_int_equal(ffi_lipm_plan(&axis, p, x, xi, NULL), FF_OK);
  ffi_check_near("first p", p[0], -c, 1e-13);
  ffi_check_near("second p", p[1], end + c, 1e-13);
  ffi_check_near("half way", x[1], end / 2, 1e-13);
}

// From any start, moving: what moves by the two pressures, as its equation says, is at rest at the end.
static void a_moving_start_ends_at_rest(void **state)
{
  (void)state;
  const double w = 3, T = 0.4, want[2] = {0, 0}, lo[2] = {-9, -9}, hi[2] = {9, 9};
  for (int k = 0; k < 9; ++k) {
    const double x0 = 0.02 * (k % 3 - 1), v0 = 0.1 * (k / 3 - 1), end = 0.05;
    double p[2], x[3], xi[3], at[3] = {x0, v0};
    const ffi_lipm_axis axis = {.count = 2,
                                .w = w,
                                .interval = T,
                                .want = want,
                                .lo = lo,
                                .hi = hi,
                                .x0 = x0,
                                .v0 = v0,
                                .x_end = end,
                                .pressure_weight = 1};
    assert_int_equal(ffi_lipm_plan(&axis, p, x, xi, NULL), FF_OK);
    for (int i = 0; i < 2; ++i)
      ffi_lipm_move(w, p[i], at[0], at[0] + at[1] / w, T, at);
    ffi_check_near("place", at[0], end, 1e-12);
    ffi_check_near("speed", at[1], 0, 1e-12);
  }
}

static ff_walk *must_walk(const ff_walk_def *def)
{
  ff_error error;
  ff_walk *walk = NULL;
  ffi_must(ff_walk_create(def, &walk, &error), &error);
  return walk;
}

// The centre of mass by small steps of its own equation from the start, with the p that the plan tells; a minute of it,
// where rounding grows by exp(w t) in such a run, so each second begins anew from the plan.
static void com_obeys_its_pressure(void **state)
{
  (void)state;
  ff_walk_def def = ff_walk_def_default();
  def.steps = 40;
  def.step_height = 0.03;
  ff_walk *walk = must_walk(&def);
  const double w2 = 9.81 / def.com[2], h = 1e-4;
  ffi_margin place = {.what = "com against Runge-Kutta",
                      .tolerance = 1e-9}; // (w h)^4 exp(4), and the rounding of times
  ffi_margin jump = {.what = "com and its speed across intervals", .tolerance = 1e-9};
  ff_walk_moment m, before;
  for (double start = 0; start + 1 < ff_walk_duration(walk); start += 1) {
    ff_walk_at(walk, start, &m);
    double x[2] = {m.com.position[1], m.com.velocity[1]};
    for (int k = 0; k < 10000; ++k) {
      ff_walk_at(walk, start + (k + 0.5) * h, &m);
      const double p = m.pressure[1];
      const double a1 = w2 * (x[0] - p), v2 = x[1] + h / 2 * a1, a2 = w2 * (x[0] + h / 2 * x[1] - p),
                   v3 = x[1] + h / 2 * a2, a3 = w2 * (x[0] + h / 2 * v2 - p), v4 = x[1] + h * a3,
                   a4 = w2 * (x[0] + h * v3 - p);
      x[0] += h / 6 * (x[1] + 2 * v2 + 2 * v3 + v4);
      x[1] += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    ff_walk_at(walk, start + 1, &m);
    ffi_margin_add(&place, fabs(x[0] - m.com.position[1]), (int)start);
  }
  for (int k = 1; k * def.interval < ff_walk_duration(walk); ++k) {
    ff_walk_at(walk, k * def.interval - 1e-8, &before);
    ff_walk_at(walk, k * def.interval, &m);
    for (int axis = 0; axis < 2; ++axis) {
      ffi_margin_add(&jump,
                     fabs(m.com.position[axis] - before.com.position[axis] - 1e-8 * m.com.velocity[axis]), k);
      ffi_margin_add(&jump, fmax(0, fabs(m.com.velocity[axis] - before.com.velocity[axis]) - 5e-8), k);
    }
  }
  ffi_margin_check(&place);
  ffi_margin_check(&jump);
  ff_walk_destroy(walk);
}

// Inside the sole that stands, by its margin; between both inside the hull of both.
static int is_in_soles(const ff_walk_def *def, const ff_walk_moment *m)
{
  double lo[2] = {INFINITY, INFINITY}, hi[2] = {-INFINITY, -INFINITY};
  const double slack = 1e-9;
  for (int foot = 0; foot < 2; ++foot)
    for (int axis = 0; axis < 2 && m->is_standing[foot]; ++axis) {
      lo[axis] = fmin(lo[axis], m->feet[foot].position[axis] + def->sole[2 * axis] + def->margin);
      hi[axis] = fmax(hi[axis], m->feet[foot].position[axis] + def->sole[2 * axis + 1] - def->margin);
    }
  for (int axis = 0; axis < 2; ++axis)
    if (m->pressure[axis] < lo[axis] - slack || m->pressure[axis] > hi[axis] + slack)
      return 0;
  return 1;
}

static void pressure_stays_in_the_soles(void **state)
{
  (void)state;
  for (int side = 0; side < 2; ++side) {
    ff_walk_def def = ff_walk_def_default();
    def.steps = 7;
    def.first_swing = (ff_side)side;
    ff_walk *walk = must_walk(&def);
    ff_walk_moment m;
    int last = 0, stands[3] = {0, 0, 0};
    for (double t = 0; t < ff_walk_duration(walk) + 1; t += 0.005) {
      ff_walk_at(walk, t, &m);
      assert_true(is_in_soles(&def, &m));
      assert_true(m.steps_taken >= last && m.steps_taken <= last + 1);
      assert_true(m.is_standing[0] || m.is_standing[1]);
      ++stands[m.is_standing[0] + 2 * m.is_standing[1] - 1];
      last = m.steps_taken;
    }
    assert_true(stands[0] > 100 && stands[1] > 100 && stands[2] > 100);
    assert_int_equal(last, 7);
    // side by side at the end, the centre of mass at rest between the feet's middles
    ffi_check_near("right foot", m.feet[0].position[0], 0.3, 1e-12);
    ffi_check_near("left foot", m.feet[1].position[0], 0.3, 1e-12);
    ffi_check_near("com, x", m.com.position[0], 0.325, 1e-9);
    ffi_check_near("com, y", m.com.position[1], 0, 1e-9);
    assert_true(m.com.velocity[0] == 0 && m.com.acceleration[1] == 0);
    ff_walk_destroy(walk);
  }
}

// Velocity and acceleration are the derivatives of the place, and nothing jumps: not even the acceleration, where a
// foot lifts and lands.
static void feet_swing_smoothly(void **state)
{
  (void)state;
  ff_walk_def def = ff_walk_def_default();
  ff_walk *walk = must_walk(&def);
  ffi_margin slope = {.what = "foot, differences",
                      .tolerance = 1e-8}; // h^2/6 of a third derivative of 60 x 0.1 m/s^3
  ffi_margin ends = {.what = "foot, speed and acceleration at the ends", .tolerance = 1e-12};
  const double h = 5e-5;
  double highest = 0;
  ff_walk_moment m, a, b;
  for (double t = 0.0123; t < ff_walk_duration(walk); t += 0.0177) {
    ff_walk_at(walk, t, &m);
    ff_walk_at(walk, t - h, &a);
    ff_walk_at(walk, t + h, &b);
    for (int foot = 0; foot < 2; ++foot)
      for (int k = 0; k < 3; ++k) {
        const ff_motion *f = &m.feet[foot], *f0 = &a.feet[foot], *f1 = &b.feet[foot];
        ffi_margin_add(&slope, fabs((f1->position[k] - f0->position[k]) / (2 * h) - f->velocity[k]),
                       (int)(100 * t));
        ffi_margin_add(&slope, fabs((f1->velocity[k] - f0->velocity[k]) / (2 * h) - f->acceleration[k]) / 20,
                       (int)(100 * t));
      }
    highest = fmax(highest, fmax(m.feet[0].position[2], m.feet[1].position[2]));
  }
  for (int k = 0; k <= 4; ++k)
    for (int end = 0; end < 2; ++end) { // steps begin at 1 s, take 1 s, and follow after 0.2 s
      ff_walk_at(walk, 1 + 1.2 * k + end, &m);
      for (int foot = 0; foot < 2; ++foot) {
        ffi_margin_add(&ends, ffi_size(3, m.feet[foot].velocity), k);
        ffi_margin_add(&ends, ffi_size(3, m.feet[foot].acceleration), k);
      }
    }
  ffi_margin_check(&slope);
  ffi_margin_check(&ends);
  ffi_check_near("highest", highest, def.step_height, 1e-4);
  ff_walk_destroy(walk);
}

static void squat_is_its_own_derivative(void **state)
{
  (void)state;
  ffi_margin slope = {.what = "squat, differences", .tolerance = 1e-7}; // h^2/6 of some m/s^4
  for (int soft = 0; soft < 2; ++soft) {
    const ff_squat squat = {{1, 2, 3}, {0.02, 0, 0.03}, {3, 1, 2}, soft ? 1.5 : 0};
    for (double t = 0.01; t < 4; t += 0.037) {
      const double h = 1e-4;
      double x0[3], x1[3], v0[3], v1[3], v[3], a[3];
      ff_squat_at(&squat, t - h, x0, v0, NULL);
      ff_squat_at(&squat, t + h, x1, v1, NULL);
      ff_squat_at(&squat, t, NULL, v, a);
      for (int k = 0; k < 3; ++k) {
        ffi_margin_add(&slope, fabs((x1[k] - x0[k]) / (2 * h) - v[k]), (int)(1000 * t));
        ffi_margin_add(&slope, fabs((v1[k] - v0[k]) / (2 * h) - a[k]), (int)(1000 * t));
      }
    }
    double x[3], v[3];
    ff_squat_at(&squat, acos(-1.0) / 4 + (soft ? acos(-1.0) : 0), x, NULL, NULL); // sin 2t = 1
    ffi_check_near("top", x[2], 3.03, 1e-12);
    ff_squat_at(&squat, 0, x, v, NULL);
    ffi_check_near("starts with", v[2], soft ? 0 : 0.06, 1e-15);
  }
  ffi_margin_check(&slope);
}

static void bad_walks_are_refused(void **state)
{
  (void)state;
  ff_error error;
  ff_walk *walk;
  for (int k = 0; k < 8; ++k) {
    ff_walk_def def = ff_walk_def_default();
    switch (k) {
    case 0: def.steps = 0; break;
    case 1: def.com[2] = -1; break;
    case 2: def.step_time = NAN; break;
    case 3: def.margin = 0.06; break;
    case 4: def.com_velocity[1] = 2; break; // nothing can catch it
    case 5: def.step_length = 0.3; break;   // soles not side by side
    case 6: def.interval = 0; break;
    default: def.com[1] = 5; break;
    }
    error.message[0] = '\0';
    assert_int_equal(ff_walk_create(&def, &walk, &error), FF_ERROR_ARGUMENT);
    assert_null(walk);
    assert_true(strlen(error.message) > 10);
  }
  ff_walk_def def = ff_walk_def_default();
  def.interval = 1e-3;
  assert_int_equal(ff_walk_create(&def, &walk, &error), FF_ERROR_LIMIT);
  ff_walk_destroy(NULL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_moves_as_its_equation_says),
      cmocka_unit_test(two_intervals_are_decided_by_the_ends),
      cmocka_unit_test(a_moving_start_ends_at_rest),
      cmocka_unit_test(com_obeys_its_pressure),
      cmocka_unit_test(pressure_stays_in_the_soles),
      cmocka_unit_test(feet_swing_smoothly),
      cmocka_unit_test(squat_is_its_own_derivative),
      cmocka_unit_test(bad_walks_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
