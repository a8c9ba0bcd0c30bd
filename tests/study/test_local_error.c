// Local errors: those of a mass are what a closed form says, those of a robot fall as each stepper's order says, and
// neither depends on what
// was measured before.
#include "trials.h"

static void describe(const ff_local_error *l)
{
  print_message("  %-20s %5d steps a period: mean %.2e, median %.2e, largest %.2e, %d failed, %.2f us\n",
                l->scheme.name, l->substeps, l->max_norm.mean, l->max_norm.median, l->max_norm.largest,
                l->failures, l->step_us);
}

static ff_scheme scheme(const char *name)
{
  ff_scheme s;
  assert_true(ff_scheme_find(name, &s));
  return s;
}

// ---- A mass in contact all the time: every figure has a closed form ------------------------------------------

// 1 kg, 100 rad/s, a tenth of critical damping.
static void make_standing(mass_trial *m, double period, int periods)
{
  const mass_trial_def mass = {.mass = 1,
                               .stiffness = 1e4,
                               .damping = 20,
                               .z = -1.5e-3,
                               .v = 0.02,
                               .period = period,
                               .periods = periods};
  mass_trial_make(m, &mass);
}

static void truth_is_the_closed_form(void **state)
{
  (void)state;
  mass_trial m;
  make_standing(&m, 4e-3, 50);
  const ff_scheme rk4 = scheme("rk4");
  ff_solution *t = must_truth(&m.trial, &rk4, 256);
  for (int k = 0; k < t->periods; ++k) {
    double z = t->q[k], v = t->v[k];
    mass_exact(&m, t->tau[k], m.trial.period, &z, &v);
    assert_true(t->tau[k] == m.push[k % 2]);
    assert_true(fabs(z - t->q[k + 1]) < 1e-14 &&
                fabs(v - t->v[k + 1]) < 1e-12); // (w h)^4 / 120 is 5e-14 of 0.1 m/s
  }
  ff_solution_destroy(t);
  mass_trial_free(&m);
}

// Explicit Euler of eq. 34 written out once more, from the truth's states.
static void errors_are_those_of_the_formula(void **state)
{
  (void)state;
  enum { SUBSTEPS = 4 };
  mass_trial m;
  make_standing(&m, 4e-3, 50);
  const ff_scheme rk4 = scheme("rk4");
  ff_solution *t = must_truth(&m.trial, &rk4, 256);
  ff_local_error l = {.scheme = scheme("euler"), .substeps = SUBSTEPS, .solution = t};
  must_measure(&m.trial, &l, 1, 1);
  describe(&l);
  const double h = m.trial.period / SUBSTEPS;
  double sum = 0, most = 0, all[50];
  for (int k = 0; k < t->periods; ++k) {
    double z = t->q[k], v = t->v[k], exact_z = z, exact_v = v;
    mass_exact(&m, t->tau[k], m.trial.period, &exact_z, &exact_v);
    for (int i = 0; i < SUBSTEPS; ++i) {
      const double a = -9.81 + (t->tau[k] - m.stiffness * z - m.damping * v) / m.mass;
      z += h * v + 0.5 * h * h * a;
      v += h * a;
    }
    const double dz = z - exact_z, dv = v - exact_v;
    all[k] = fmax(fabs(dz), fabs(dv));
    sum += all[k];
    most = fmax(most, all[k]);
    assert_true(fabs(l.error[k] - all[k]) < 1e-11); // the truth's own error, and rounding
    assert_true(fabs(l.norm[k] - hypot(dz, dv)) < 1e-11);
  }
  int less = 0, more = 0;
  for (int k = 0; k < 50; ++k) {
    less += all[k] < l.max_norm.median;
    more += all[k] > l.max_norm.median;
  }
  assert_true(less == 25 && more == 25);
  assert_true(fabs(l.max_norm.mean - sum / 50) < 1e-11 && fabs(l.max_norm.largest - most) < 1e-11);
  assert_true(most > 1e-4); // there was something to measure
  ff_local_error_free(&l, 1);
  ff_solution_destroy(t);
  mass_trial_free(&m);
}

static double slope_between(const ff_local_error *coarse, const ff_local_error *fine)
{
  return log2(coarse->max_norm.mean / fine->max_norm.mean) / log2((double)fine->substeps / coarse->substeps);
}

// Over a period of fixed length errors add up: h^p. Over one step alone: h^(p+1).
static void orders_on_a_mass(void **state)
{
  static const struct {
    const char *name;
    int order;
  } steppers[] = {{"euler", 1}, {"symplectic", 1}, {"implicit", 1}, {"rk4", 4}};
  (void)state;
  mass_trial m;
  const ff_scheme rk4 = scheme("rk4");
  for (int s = 0; s < 4; ++s) {
    make_standing(&m, 4e-3, 50);
    ff_solution *t = must_truth(&m.trial, &rk4, 256);
    ff_local_error two[2];
    for (int i = 0; i < 2; ++i)
      two[i] = (ff_local_error){.scheme = scheme(steppers[s].name), .substeps = 8 << i, .solution = t};
    must_measure(&m.trial, two, 2, 1);
    const double many = slope_between(&two[0], &two[1]);
    ff_local_error_free(two, 2);
    ff_solution_destroy(t);
    mass_trial_free(&m);
    double one[2];
    for (int i = 0; i < 2; ++i) { // one step of 1/4 ms, then of 1/8 ms, from the same state
      make_standing(&m, i ? 1.25e-4 : 2.5e-4, 1);
      t = must_truth(&m.trial, &rk4, 256);
      ff_local_error l = {.scheme = scheme(steppers[s].name), .substeps = 1, .solution = t};
      must_measure(&m.trial, &l, 1, 1);
      one[i] = l.error[0];
      ff_local_error_free(&l, 1);
      ff_solution_destroy(t);
      mass_trial_free(&m);
    }
    const double single = log2(one[0] / one[1]);
    print_message("  %-12s order %.2f over a period, %.2f over a step\n", steppers[s].name, many, single);
    assert_true(fabs(many - steppers[s].order) < 0.15);
    assert_true(fabs(single - steppers[s].order - 1) < 0.15);
  }
}

// A linear system is what an exponential solves exactly: one step of 4 ms, 0.4 rad of swing, is right to the tolerance
// asked for.
static void exponentials_are_exact_on_a_mass(void **state)
{
  static const char *const names[] = {"expo", "expo-paper", "expo-paper:exact"};
  (void)state;
  mass_trial m;
  make_standing(&m, 4e-3, 50);
  const ff_scheme rk4 = scheme("rk4");
  ff_solution *t = must_truth(&m.trial, &rk4, 256);
  for (int i = 0; i < 3; ++i) {
    ff_local_error l = {.scheme = scheme(names[i]), .substeps = 1, .solution = t};
    l.scheme.expo.force_tolerance = 1e-11;
    l.scheme.expo.max_substeps = 64;
    must_measure(&m.trial, &l, 1, 1);
    describe(&l);
    assert_true(l.max_norm.largest < 1e-10);
    ff_local_error_free(&l, 1);
  }
  ff_solution_destroy(t);
  mass_trial_free(&m);
}

// ---- A common truth ------------------------------------------------------------------------------------------

// A mass that falls onto its spring within the second period: the truth is the closed form's to within the tolerance
// that the other
// method gave it, and a stepper that has not seen the touch-down in time is found out.
static void two_methods_vouch_for_a_landing(void **state)
{
  (void)state;
  mass_trial m;
  const mass_trial_def mass = {
      .mass = 1, .stiffness = 1e4, .damping = 20, .z = 1e-3, .v = -0.1, .period = 4e-3, .periods = 4};
  mass_trial_make(&m, &mass);
  const ff_scheme expo = scheme("expo"), rk4 = scheme("rk4");
  ff_solution *t = must_truth(&m.trial, &expo, 256);
  ff_error error;
  ff_solution_check check = {rk4, 4096, 0};
  ffi_must(ff_solution_verify(t, &m.trial, &check, NULL, &error), &error);
  double worst = 0, mean = 0;
  for (int k = 0; k < t->periods; ++k) {
    double z = t->q[k], v = t->v[k];
    mass_exact(&m, t->tau[k], m.trial.period, &z, &v);
    const double off = fmax(fabs(z - t->q[k + 1]), fabs(v - t->v[k + 1]));
    print_message("  period %d: off by %.1e, tolerance %.1e\n", k, off, t->tolerance[k]);
    assert_true(off < t->tolerance[k] + 1e-9);
    assert_true(t->tolerance[k] < 2e-6); // rk4 sees the touch-down late by up to 1 us: B v / m of it
    worst = fmax(worst, t->tolerance[k]);
    mean += t->tolerance[k] / t->periods;
  }
  assert_true(t->tolerance_worst == worst && fabs(t->tolerance_mean - mean) < 1e-15);
  check.refinements = 2;
  ffi_must(ff_solution_verify(t, &m.trial, &check, NULL, &error), &error);
  assert_true(t->tolerance_worst < worst / 8); // sixteen times shorter steps
  ff_local_error two[2] = {{.scheme = expo, .substeps = 256, .solution = t},
                           {.scheme = scheme("expo-paper"), .substeps = 1, .solution = t}};
  must_measure(&m.trial, two, 2, 1);
  assert_true(two[0].max_norm.largest == 0 && two[0].below == 4); // its own truth
  assert_true(two[1].below < 4 && two[1].max_norm.largest > 100 * worst);
  ff_local_error_free(two, 2);
  ff_solution_destroy(t);
  mass_trial_free(&m);
}

// ---- Failures ------------------------------------------------------------------------------------------------

// A mass leaves its spring at 1 m/s, with explicit steps, much too long for that spring, at 2.5 m/s, which is refused.
// That period is counted and is in no mean;
// the others, in flight, have no error.
static void failures_are_counted(void **state)
{
  (void)state;
  mass_trial m;
  const mass_trial_def mass = {
      .mass = 1, .stiffness = 1e8, .damping = 200, .z = -1e-4, .period = 4e-3, .periods = 10};
  mass_trial_make(&m, &mass);
  m.sim.max_speed = 1.5;
  const ff_scheme expo = scheme("expo");
  ff_solution *t = must_truth(&m.trial, &expo, 64);
  ff_local_error l = {.scheme = scheme("euler"), .substeps = 16, .solution = t};
  must_measure(&m.trial, &l, 1, 2);
  describe(&l);
  assert_int_equal(l.failures, 1);
  assert_true(isnan(l.error[0]) && isnan(l.norm[0]));
  assert_true(l.max_norm.largest < 1e-12 && l.speed > 0);
  ff_local_error_free(&l, 1);
  m.trial.periods = 1;
  ff_solution_destroy(t);
  t = must_truth(&m.trial, &expo, 64);
  l.solution = t;
  must_measure(&m.trial, &l, 1, 1);
  assert_true(isnan(l.max_norm.mean) && isnan(l.two_norm.median) && isnan(l.speed));
  ff_local_error_free(&l, 1);
  ff_solution_destroy(t);
  mass_trial_free(&m);
}

// ---- Solo ----------------------------------------------------------------------------------------------------

// Feet stand and stick: a smooth motion between events, so each stepper has its order. Steps are of a length at which
// it can be seen: explicit
// ones below their limit of stability.
static void orders_on_a_squat(void **state)
{
  static const struct {
    const char *name;
    int coarse; ///< steps per period of 40 ms
    double order;
  } steppers[] = {
      {"expo", 8, 2}, {"expo-paper", 32, 1}, {"implicit", 128, 1}, {"euler", 1024, 1}, {"rk4", 512, 4}};
  (void)state;
  squat_trial s;
  squat_trial_make(&s, 6);
  const ff_scheme rk4 = scheme("rk4");
  ff_solution *t = must_truth(&s.trial, &rk4, 4096);
  for (int i = 0; i < 5; ++i) {
    ff_local_error two[2];
    for (int k = 0; k < 2; ++k)
      two[k] = (ff_local_error){
          .scheme = scheme(steppers[i].name), .substeps = steppers[i].coarse << k, .solution = t};
    two[0].scheme.expo.force_tolerance = two[1].scheme.expo.force_tolerance = 1e-9;
    must_measure(&s.trial, two, 2, 1);
    const double slope = log2(two[0].max_norm.median / two[1].max_norm.median);
    describe(&two[0]);
    describe(&two[1]);
    print_message("  %-12s order %.2f\n", steppers[i].name, slope);
    assert_true(fabs(slope - steppers[i].order) < 0.3);
    ff_local_error_free(two, 2);
  }
  ff_solution_destroy(t);
  squat_trial_free(&s);
}

// ---- Nothing is left behind ----------------------------------------------------------------------------------

static const char *const pure[] = {
    "expo",       "expo:order-1", "expo-paper", "expo-paper:order-1", "expo-paper:exact", "euler",
    "symplectic", "rk4",          "implicit"};
enum { PURE = sizeof pure / sizeof *pure };

// The period from instant k in a sim that has never done anything else.
static void check_fresh(const ff_trial *trial, const ff_local_error *l, int k)
{
  const ff_solution *t = l->solution;
  ff_sim *sim = NULL;
  ff_error error;
  double work[64], distance[2];
  ffi_must(ff_trial_sim(trial, &l->scheme, l->substeps, &sim, &error), &error);
  ffi_must(ff_sim_set_state(sim, t->states + k * t->state_size, &error), &error);
  for (int i = 0; i < l->substeps; ++i)
    ffi_must(ff_sim_step(sim, t->tau + k * t->nv, &error), &error);
  ff_solution_distance(t, k + 1, ff_sim_q(sim), ff_sim_v(sim), work, distance);
  if (distance[0] != l->error[k] || distance[1] != l->norm[k])
    fail_msg("%s, period %d: %.17g, in a fresh sim %.17g", l->scheme.name, k, l->error[k], distance[0]);
  ff_sim_destroy(sim);
}

static void resets_leave_nothing_behind(void **state)
{
  (void)state;
  squat_trial s;
  squat_trial_make(&s, 5);
  const ff_scheme expo = scheme("expo");
  ff_solution *t = must_truth(&s.trial, &expo, 256);
  ff_local_error all[PURE], backwards[PURE];
  for (int i = 0; i < PURE; ++i) {
    all[i] = (ff_local_error){.scheme = scheme(pure[i]), .substeps = 64, .solution = t};
    backwards[PURE - 1 - i] = all[i];
  }
  must_measure(&s.trial, all, PURE, 1);
  must_measure(&s.trial, backwards, PURE, 3);
  for (int i = 0; i < PURE; ++i) {
    ff_local_error alone = {.scheme = scheme(pure[i]), .substeps = 64, .solution = t};
    must_measure(&s.trial, &alone, 1, 1);
    for (int k = 0; k < t->periods; ++k) {
      assert_true(memcmp(&all[i].error[k], &alone.error[k], sizeof(double)) == 0);
      assert_true(memcmp(&all[i].error[k], &backwards[PURE - 1 - i].error[k], sizeof(double)) == 0);
      if (isfinite(all[i].error[k]))
        check_fresh(&s.trial, &all[i], k);
    }
    ff_local_error_free(&alone, 1);
  }
  ff_local_error_free(all, PURE);
  ff_local_error_free(backwards, PURE);
  ff_solution_destroy(t);
  squat_trial_free(&s);
}

// A controller that is a function of time and state gives again, from the truth's states, the torques that the truth
// has.
static void torques_are_those_of_the_states(void **state)
{
  (void)state;
  squat_trial s;
  squat_trial_make(&s, 8);
  const ff_scheme expo = scheme("expo");
  ff_solution *t = must_truth(&s.trial, &expo, 32);
  ff_error error;
  for (int k = t->periods - 1; k >= 0; --k) {
    double tau[64] = {0};
    ffi_must(s.trial.control(k * s.trial.period, t->q + k * t->nq, t->v + k * t->nv, tau, &s, &error),
             &error);
    assert_memory_equal(tau, t->tau + k * t->nv, (size_t)t->nv * sizeof *tau);
  }
  ff_solution_destroy(t);
  squat_trial_free(&s);
}

static void schemes_have_names(void **state)
{
  (void)state;
  ff_scheme s;
  assert_true(ff_scheme_find("expo-paper:order-5", &s) && s.expo.exponential == FF_EXPONENTIAL_ORDER_5);
  assert_true(ff_scheme_find("expo:order-1", &s) && s.expo.order == 1 && s.stepper == FF_STEPPER_EXPO);
  assert_false(ff_scheme_find("rk4:order-1", &s));
  assert_false(ff_scheme_find("expo:order-3", &s));
  assert_false(ff_scheme_find("expo-paper:", &s));
  assert_false(ff_scheme_find("eul", &s));
  assert_false(ff_scheme_find("expo-paper:order-5-and-much-more-than-any-name-has", &s));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(truth_is_the_closed_form),
      cmocka_unit_test(errors_are_those_of_the_formula),
      cmocka_unit_test(orders_on_a_mass),
      cmocka_unit_test(exponentials_are_exact_on_a_mass),
      cmocka_unit_test(two_methods_vouch_for_a_landing),
      cmocka_unit_test(failures_are_counted),
      cmocka_unit_test(orders_on_a_squat),
      cmocka_unit_test(resets_leave_nothing_behind),
      cmocka_unit_test(torques_are_those_of_the_states),
      cmocka_unit_test(schemes_have_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
