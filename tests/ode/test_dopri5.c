// Dormand and Prince's steps against closed forms: order of the steps and of the interpolant, for vectors and for orientations; lengths chosen by tolerances; what
// stops them.
#include "ode/dopri5.h"

#include "math/lie.h"
#include "math/near.h"
#include "math/quaternion.h"

typedef struct motion {
  ffi_dopri5 steps;
  int calls;
  double limit; // where a rate that has a limit is refused, or a step
  char memory[8192];
} motion;

static void begin(motion *m, int size, int tangent, ff_ode_rate rate, double t, const double *x)
{
  ffi_dopri5 *d = &m->steps;
  d->size = size;
  d->tangent = tangent;
  d->rate = rate;
  d->user = m;
  ffi_block measure = {0};
  ffi_dopri5_layout(d, &measure);
  assert_true(measure.used <= sizeof m->memory);
  ffi_block memory = {.base = m->memory};
  ffi_dopri5_layout(d, &memory);
  ffi_dopri5_begin(d, t, x);
}

static motion with_tolerance(double tolerance)
{
  return (motion){.steps = {.relative_tolerance = tolerance, .absolute_tolerance = tolerance}};
}

static motion with_fixed_step(double step)
{
  return (motion){.steps = {.fixed_step = step}};
}

static void go(motion *m, double t_end)
{
  ff_error error;
  while (m->steps.t != t_end)
    if (ffi_dopri5_step(&m->steps, t_end, &error) != FF_OK)
      fail_msg("%s", error.message);
}

// ---- Motions with closed forms ----------------------------------------------------------------------------

// A planet on an ellipse of half axis 1 and eccentricity 0.5: (x, y, vx, vy), period 2 pi.
static int planet(double t, const double *x, double *rate, void *user)
{
  (void)t;
  ++((motion *)user)->calls;
  const double r = hypot(x[0], x[1]), r3 = r * r * r;
  rate[0] = x[2];
  rate[1] = x[3];
  rate[2] = -x[0] / r3;
  rate[3] = -x[1] / r3;
  return 0;
}

static void planet_at(double t, double *x)
{
  const double e = 0.5, b = sqrt(1 - e * e);
  double E = t; // Kepler's equation E - e sin E = t, by Newton's iteration
  for (int i = 0; i < 50; ++i)
    E -= (E - e * sin(E) - t) / (1 - e * cos(E));
  const double rate = 1 / (1 - e * cos(E));
  x[0] = cos(E) - e;
  x[1] = b * sin(E);
  x[2] = -sin(E) * rate;
  x[3] = b * cos(E) * rate;
}

// x' = x cos t + (what makes x = e^(sin t) + t): depends on time.
static int tide(double t, const double *x, double *rate, void *user)
{
  ++((motion *)user)->calls;
  rate[0] = (x[0] - t) * cos(t) + 1;
  return 0;
}

// A top without forces, moments of inertia 2, 2, 3 about its own axes: (quaternion, velocity in its axes).
static const double across = 2, along = 3;

static int top(double t, const double *x, double *rate, void *user)
{
  (void)t;
  ++((motion *)user)->calls;
  const double *w = x + 4;
  memcpy(rate, w, 3 * sizeof *rate);
  rate[3] = (across - along) / across * w[1] * w[2];
  rate[4] = (along - across) / across * w[2] * w[0];
  rate[5] = 0;
  return 0;
}

static void top_retract(const double *x, const double *d, double *out, void *user)
{
  (void)user;
  double turn[4], q[4];
  ffi_lie_so3_exp(d, turn);
  ffi_quat_mul(x, turn, q);
  ffi_quat_normalize(q, out);
  for (int i = 0; i < 3; ++i)
    out[4 + i] = x[4 + i] + d[3 + i];
}

static void top_pull(const double *x, const double *d, const double *velocity, double *rate, void *user)
{
  (void)x;
  (void)user;
  double J[9];
  ffi_lie_so3_right_inverse(d, J);
  ffi_m3_mulv(J, velocity, rate);
  memcpy(rate + 3, velocity + 3, 3 * sizeof *rate);
}

// It turns about its constant momentum L at |L| / across, and about its own axis at the rest of its spin.
static void top_at(const double *start, double t, double *x)
{
  const double *w = start + 4;
  const double own[3] = {across * w[0], across * w[1], along * w[2]};
  double L[3], slow[3], turn[4], spin[4], q[4];
  ffi_quat_rotate(start, own, L);
  ffi_v3_scale(t / across, L, slow);
  ffi_lie_so3_exp(slow, turn);
  const double rest = (1 - along / across) * w[2] * t;
  ffi_lie_so3_exp((double[]){0, 0, rest}, spin);
  ffi_quat_mul(turn, start, q);
  ffi_quat_mul(q, spin, x);
  double now[3], back[4];
  ffi_quat_conjugate(x, back);
  ffi_quat_rotate(back, L, now);
  x[4] = now[0] / across;
  x[5] = now[1] / across;
  x[6] = now[2] / along;
}

static const double top_start[7] = {0.5, -0.5, 0.1, 0.7, 1.1, -0.4, 2.3};

static void begin_top(motion *m)
{
  double x[7];
  memcpy(x, top_start, sizeof x);
  ffi_quat_normalize(x, x);
  m->steps.retract = top_retract;
  m->steps.pull = top_pull;
  begin(m, 7, 6, top, 0, x);
}

// How far the top's state x is from where it is at t: turn and velocity.
static double top_error(double t, const double *x)
{
  double start[7], want[7], back[4], off[4], turn[3];
  memcpy(start, top_start, sizeof start);
  ffi_quat_normalize(start, start);
  top_at(start, t, want);
  ffi_quat_conjugate(want, back);
  ffi_quat_mul(back, x, off);
  ffi_lie_so3_log(off, turn);
  double worst = ffi_v3_norm(turn);
  for (int i = 4; i < 7; ++i)
    worst = fmax(worst, fabs(x[i] - want[i]));
  return worst;
}

static double planet_error(double t, const double *x)
{
  double want[4], worst = 0;
  planet_at(t, want);
  for (int i = 0; i < 4; ++i)
    worst = fmax(worst, fabs(x[i] - want[i]));
  return worst;
}

static double tide_error(double t, const double *x)
{
  return fabs(x[0] - exp(sin(t)) - t);
}

typedef double (*error_of)(double t, const double *x);

// Begin motion `which` at time 0 and say how its errors are had.
static error_of begin_motion(motion *m, int which)
{
  double x[4];
  switch (which) {
  case 0:
    planet_at(0, x);
    begin(m, 4, 4, planet, 0, x);
    return planet_error;
  case 1: begin(m, 1, 1, tide, 0, (double[]){1}); return tide_error;
  default: begin_top(m); return top_error;
  }
}

// ---- Orders -----------------------------------------------------------------------------------------------

// Steps at which the leading term of each motion's error rules, and rounding does not yet.
static const double first_step[3] = {0.05, 0.2, 0.05};

static void steps_are_of_order_5(void **state)
{
  (void)state;
  for (int which = 0; which < 3; ++which) {
    double error[4];
    for (int i = 0; i < 4; ++i) {
      motion m = with_fixed_step(first_step[which] / (1 << i));
      const error_of off = begin_motion(&m, which);
      go(&m, 3);
      assert_int_equal(m.steps.info.steps, lround(3 / first_step[which]) << i);
      assert_int_equal(m.calls, 6 * m.steps.info.steps + 1); // the last slope is the next one's first
      error[i] = off(3, m.steps.x);
    }
    for (int i = 1; i < 4; ++i) {
      const double order = log2(error[i - 1] / error[i]);
      print_message("motion %d: error %.3g, order %.2f\n", which, error[i], order);
      // Higher terms are worth half an order at the longest step; rounding is 1e-15, a hundredth of the least error.
      assert_true(order > 4.8 && order < 5.7);
    }
    assert_true(error[3] > 1e-14);
  }
}

// Inside one step from an exact start the interpolant is off by h^5 times a constant, its end by h^6.
static void the_interpolant_is_of_order_4(void **state)
{
  (void)state;
  for (int which = 0; which < 3; ++which) {
    double inside[4], end[4];
    for (int i = 0; i < 4; ++i) {
      const double h = first_step[which] / (1 << i);
      motion m = with_fixed_step(h);
      const error_of off = begin_motion(&m, which);
      go(&m, h);
      end[i] = off(h, m.steps.x);
      inside[i] = 0;
      for (int j = 1; j < 10; ++j) {
        double x[7];
        ffi_dopri5_at(&m.steps, 0.1 * j * h, x);
        inside[i] = fmax(inside[i], off(0.1 * j * h, x));
      }
    }
    for (int i = 1; i < 4; ++i) {
      const double order = log2(inside[i - 1] / inside[i]), order_end = log2(end[i - 1] / end[i]);
      print_message("motion %d: inside %.3g (%.2f), end %.3g (%.2f)\n", which, inside[i], order, end[i],
                    order_end);
      assert_true(order > 4.7 && order < 5.5);
      assert_true(end[i] < 1e-14 || order_end > 5.6); // more at the planet's turning point, by symmetry
    }
  }
}

static void at_both_ends_the_interpolant_has_the_states_bits(void **state)
{
  (void)state;
  for (int which = 0; which < 3; ++which) {
    motion m = with_tolerance(1e-6);
    (void)begin_motion(&m, which);
    const size_t bytes = (size_t)m.steps.size * sizeof(double);
    for (int i = 0; i < 50; ++i) {
      double before[7], from[7], to[7];
      memcpy(before, m.steps.x, bytes);
      assert_int_equal(ffi_dopri5_step(&m.steps, 100, NULL), FF_OK);
      ffi_dopri5_at(&m.steps, m.steps.from, from);
      ffi_dopri5_at(&m.steps, m.steps.to, to);
      assert_memory_equal(to, m.steps.x, bytes);
      // A turn by nothing may move an orientation by a rounding.
      for (int j = 0; j < m.steps.size; ++j)
        assert_near(from[j], before[j], which == 2 ? EPS : 0);
    }
  }
}

// ---- Tolerances -------------------------------------------------------------------------------------------

// Errors follow the tolerance, and the number of steps its fifth root.
static void errors_are_proportional_to_tolerances(void **state)
{
  (void)state;
  for (int which = 0; which < 3; ++which) {
    const int first = 4, last = 11;
    double ratio[12], steps[12];
    for (int i = first; i <= last; ++i) {
      motion m = with_tolerance(pow(10, -i));
      const error_of off = begin_motion(&m, which);
      go(&m, 20);
      ratio[i] = off(20, m.steps.x) / pow(10, -i);
      steps[i] = (double)m.steps.info.steps;
      print_message("motion %d: tolerance 1e-%d, error / tolerance %.3g, %g steps, %lld rejected\n", which, i,
                    ratio[i], steps[i], m.steps.info.rejected);
      assert_true((double)m.steps.info.rejected <= 0.3 * steps[i] + 2);
      assert_int_equal(m.calls, m.steps.info.evaluations);
      assert_int_equal(m.calls, 6 * (m.steps.info.steps + m.steps.info.rejected) + 2);
    }
    const double power = log10(ratio[last] / ratio[first]) / (last - first);
    assert_true(fabs(power) < 0.2); // proportional: no power is left
    const double growth = log10(steps[last] / steps[first + 2]) / (last - first - 2);
    assert_near(growth, 0.2, 0.03);
  }
}

static void a_cut_by_the_end_costs_no_later_step(void **state)
{
  (void)state;
  motion whole = with_tolerance(1e-9), pieces = with_tolerance(1e-9);
  (void)begin_motion(&whole, 0);
  (void)begin_motion(&pieces, 0);
  go(&whole, 6);
  double previous = 0;
  for (int i = 1; i <= 600; ++i) {
    go(&pieces, 0.01 * i); // shorter than most steps
    assert_true(pieces.steps.t == 0.01 * i);
    assert_true(i < 300 || i > 400 || pieces.steps.h > 0.01); // far from the sun the wish stays long
    previous = pieces.steps.t;
  }
  assert_true(previous == 6);
  assert_true(pieces.steps.info.steps < 600 + whole.steps.info.steps);
  assert_true(planet_error(6, pieces.steps.x) < 1e-7);
}

static void lengths_that_are_given_are_kept(void **state)
{
  (void)state;
  motion m = with_tolerance(1e-4);
  m.steps.max_step = 0.03;
  m.steps.first_step = 0.001;
  (void)begin_motion(&m, 1);
  assert_int_equal(ffi_dopri5_step(&m.steps, 2, NULL), FF_OK);
  assert_true(m.steps.t == 0.001);
  while (m.steps.t < 2) {
    assert_int_equal(ffi_dopri5_step(&m.steps, 2, NULL), FF_OK);
    assert_true(m.steps.info.last_step <= 0.03 * (1 + 1e-5));
  }
  assert_true(m.steps.t == 2);
  assert_true(m.steps.info.steps <= 70);
}

static void going_back_leads_back(void **state)
{
  (void)state;
  for (int which = 0; which < 3; ++which) {
    motion m = with_tolerance(1e-10);
    const error_of off = begin_motion(&m, which);
    go(&m, 5);
    go(&m, -5);
    assert_true(m.steps.t == -5);
    if (which == 0) // mirrored in time
      assert_near(planet_error(-5, m.steps.x), 0, 1e-7);
    go(&m, 0);
    assert_near(off(0, m.steps.x), 0, 1e-7);
  }
}

// All that a step depends on is what the header says.
static void a_copy_of_the_named_numbers_goes_on_with_the_same_bits(void **state)
{
  (void)state;
  for (int which = 0; which < 3; ++which) {
    motion m = with_tolerance(1e-7), copy = with_tolerance(1e-7);
    (void)begin_motion(&m, which);
    (void)begin_motion(&copy, which);
    go(&m, 2);
    ffi_dopri5_go_on(&copy.steps, m.steps.t, m.steps.x);
    copy.steps.h = m.steps.h;
    copy.steps.log_error = m.steps.log_error;
    for (int i = 0; i < 30; ++i) {
      assert_int_equal(ffi_dopri5_step(&m.steps, 100, NULL), FF_OK);
      assert_int_equal(ffi_dopri5_step(&copy.steps, 100, NULL), FF_OK);
      assert_true(m.steps.t == copy.steps.t);
      assert_memory_equal(m.steps.x, copy.steps.x, (size_t)m.steps.size * sizeof(double));
    }
  }
}

static void a_step_can_be_cut_short(void **state)
{
  (void)state;
  motion m = with_tolerance(1e-8);
  (void)begin_motion(&m, 0);
  go(&m, 1);
  assert_int_equal(ffi_dopri5_step(&m.steps, 9, NULL), FF_OK);
  const double t = 0.3 * m.steps.from + 0.7 * m.steps.to;
  double x[4];
  ffi_dopri5_at(&m.steps, t, x);
  ffi_dopri5_cut(&m.steps, t);
  assert_true(m.steps.t == t);
  assert_memory_equal(m.steps.x, x, sizeof x);
  go(&m, 6);
  assert_true(planet_error(6, m.steps.x) < 1e-6);
}

// ---- What stops it ----------------------------------------------------------------------------------------

// x' = 1, where there is a rate: before the limit.
static int up_to(double t, const double *x, double *rate, void *user)
{
  (void)t;
  const motion *m = user;
  rate[0] = 1;
  return x[0] > m->limit;
}

// x' = 1 / sqrt(limit - x), not a number beyond.
static int root_of_rest(double t, const double *x, double *rate, void *user)
{
  (void)t;
  const motion *m = user;
  rate[0] = 0.1 / sqrt(m->limit - x[0]);
  return 0;
}

// x' = x^2: x = 1 / (1 - t).
static int blow_up(double t, const double *x, double *rate, void *user)
{
  (void)t;
  (void)user;
  rate[0] = x[0] * x[0];
  return 0;
}

// Until it fails; the state must then be that from before the step.
static ff_error go_until_it_fails(motion *m, double t_end)
{
  ff_error error = {.status = FF_OK};
  for (;;) {
    const double t = m->steps.t, x = m->steps.x[0];
    const ff_status status = ffi_dopri5_step(&m->steps, t_end, &error);
    if (status == FF_OK) {
      assert_true(m->steps.t < t_end);
      continue;
    }
    assert_int_equal(status, FF_ERROR_NUMERIC);
    assert_int_equal(error.status, FF_ERROR_NUMERIC);
    assert_true(m->steps.t == t && m->steps.x[0] == x);
    return error;
  }
}

static void a_refused_rate_shortens_steps_until_it_fails_at_the_brink(void **state)
{
  (void)state;
  motion m = with_tolerance(1e-6);
  m.limit = 1.5;
  begin(&m, 1, 1, up_to, 0, (double[]){0.5});
  ff_error error = go_until_it_fails(&m, 4);
  assert_true(m.steps.t <= 1 && m.steps.t > 1 - 1e-13);
  assert_non_null(strstr(error.message, "t = 1 the rate cannot be had"));
  m.limit = 3; // and goes on once it is there
  go(&m, 2);
  assert_near(m.steps.x[0], 2.5, 1e-12);

  m = with_fixed_step(0.3);
  m.limit = 1.5;
  begin(&m, 1, 1, up_to, 0, (double[]){0.5});
  error = go_until_it_fails(&m, 4);
  assert_near(m.steps.t, 0.9, 1e-15);
  assert_non_null(strstr(error.message, "step of 0.3"));

  m = with_tolerance(1e-6);
  m.limit = 0;
  begin(&m, 1, 1, up_to, 7, (double[]){0.5});
  error = go_until_it_fails(&m, 8);
  assert_non_null(strstr(error.message, "t = 7 there is no rate"));
}

static void a_rate_that_is_no_number_is_refused(void **state)
{
  (void)state;
  motion m = with_tolerance(1e-8);
  m.limit = 1;
  begin(&m, 1, 1, root_of_rest, 0, (double[]){0});
  // (limit - x)^1.5 = 1 - 0.15 t
  const ff_error error = go_until_it_fails(&m, 100);
  assert_near(m.steps.t, 1 / 0.15, 1e-4);
  assert_true(m.steps.x[0] < 1 && m.steps.x[0] > 0.999);
  assert_non_null(strstr(error.message, "t = 6.66"));
}

static void a_state_that_runs_away_is_an_error_with_its_time(void **state)
{
  (void)state;
  motion m = with_tolerance(1e-6);
  begin(&m, 1, 1, blow_up, 0, (double[]){1});
  const ff_error error = go_until_it_fails(&m, 2);
  assert_near(m.steps.t, 1, 1e-4);
  assert_true(isfinite(m.steps.x[0]) && m.steps.x[0] > 1e6);
  assert_non_null(strstr(error.message, "t = 1"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_are_of_order_5),
      cmocka_unit_test(the_interpolant_is_of_order_4),
      cmocka_unit_test(at_both_ends_the_interpolant_has_the_states_bits),
      cmocka_unit_test(errors_are_proportional_to_tolerances),
      cmocka_unit_test(a_cut_by_the_end_costs_no_later_step),
      cmocka_unit_test(lengths_that_are_given_are_kept),
      cmocka_unit_test(going_back_leads_back),
      cmocka_unit_test(a_copy_of_the_named_numbers_goes_on_with_the_same_bits),
      cmocka_unit_test(a_step_can_be_cut_short),
      cmocka_unit_test(a_refused_rate_shortens_steps_until_it_fails_at_the_brink),
      cmocka_unit_test(a_rate_that_is_no_number_is_refused),
      cmocka_unit_test(a_state_that_runs_away_is_an_error_with_its_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
