// The stepper ess against closed forms: bounces through touch-downs and lift-offs, friction that begins to slip, a
// block that stops, a stop, a motor that saturates; the order in epsilon.
#include "analytic/bouncer.h"
#include "analytic/scene.h"

static const ff_material soft = {.stiffness = 2e4, .damping = 20, .friction = 0.5},
                         hard = {.stiffness = 1e6, .damping = 200, .friction = 0.5},
                         elastic = {.stiffness = 2e4, .damping = 0, .friction = 0.5};
static const double mass = 2, drop = 0.1, horizon = 1.2;

static ff_sim_def ess_def(double dt, double epsilon, double tolerance)
{
  ff_sim_def def = ff_sim_def_default();
  def.stepper = FF_STEPPER_ESS;
  def.dt = dt;
  def.ess.epsilon = epsilon;
  def.ess.relative_tolerance = 0;
  def.ess.absolute_tolerance = tolerance;
  return def;
}

typedef struct gap {
  double z, v; // largest differences, of the drop and of the speed of the first impact
  double end;  // of the height at the end, of the drop
  int landings;
  ff_sim_totals totals;
} gap;

static gap bounce(const ff_sim_def *def, const ff_material *ground)
{
  ff_model *model = scene_mass(mass, ground);
  ff_sim *sim = ffi_must_sim(model, def);
  ffi_must_reset(sim, &drop, NULL);
  bouncer exact = {mass, scene_gravity, ground->stiffness, ground->damping, .z = drop};
  gap g = {0};
  for (int k = 1; k * def->dt < horizon + def->dt / 2; ++k) {
    double z, v;
    ffi_must_run(sim, 1, NULL);
    bouncer_at(&exact, k * def->dt, &z, &v);
    g.end = fabs(ff_sim_q(sim)[0] - z) / drop;
    g.z = fmax(g.z, g.end);
    g.v = fmax(g.v, fabs(ff_sim_v(sim)[0] - v) / sqrt(2 * scene_gravity * drop));
  }
  g.landings = exact.landings;
  g.totals = ff_sim_get_totals(sim);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
  return g;
}

// Each landing takes over the error of the one before some times larger, and adds those of its steps and of two
// straight lines of 1e-7 m, on which the force changes: (1e-7 m)^2 K / 2 m v of velocity. In contact an error of the
// way is w times that of velocity.
static void bounces_to_its_tolerance(void **state)
{
  (void)state;
  const ff_material *grounds[] = {&soft, &hard, &elastic};
  const double steps[] = {0.1, 0.01, 0.002};
  for (int g = 0; g < 3; ++g)
    for (int i = 0; i < 3; ++i) {
      const ff_sim_def def = ess_def(steps[i], 1e-7, 1e-12);
      const gap off = bounce(&def, grounds[g]);
      printf(
          "K %g, B %g, dt %g: %d landings, height %.1e, velocity %.1e; %lld steps, %lld projections, %lld roots\n",
          grounds[g]->stiffness, grounds[g]->damping, def.dt, off.landings, off.z, off.v,
          off.totals.integrator_steps, off.totals.projections, off.totals.located);
      assert_in_range(off.landings, 4, 100);
      assert_true(off.totals.touchdowns == off.landings);
      assert_true(off.totals.projections + off.totals.located >= 2 * off.landings - 1);
      const double bar = 1e-8 * grounds[g]->stiffness / soft.stiffness,
                   w = sqrt(grounds[g]->stiffness / mass);
      ffi_check_near("height", off.z, 0, bar);
      ffi_check_near("velocity", off.v, 0, w * drop * bar / sqrt(2 * scene_gravity * drop));
    }
}

// The default's tolerance of 1e-6 a step, over some hundred steps.
static void defaults_are_good_to_a_tenth_of_a_percent(void **state)
{
  (void)state;
  ff_sim_def def = ff_sim_def_default();
  def.stepper = FF_STEPPER_ESS;
  def.dt = 0.002;
  const gap off = bounce(&def, &soft);
  printf("height %.1e, velocity %.1e\n", off.z, off.v);
  ffi_check_near("height", off.z, 0, 1e-3);
}

// With steps of the integrator that have no error to speak of, what is left is that of straight lines: the square of
// their time. Where in its band a line begins is chance, so a line is put through many. dt is long enough for all
// lines.
static void is_of_second_order_in_epsilon(void **state)
{
  (void)state;
  enum { COUNT = 25 };
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (int k = 0; k < COUNT; ++k) {
    const double epsilon = 1e-4 * pow(10, -2.0 * k / (COUNT - 1));
    const ff_sim_def def = ess_def(0.3, epsilon, 1e-13);
    const gap off = bounce(&def, &soft);
    const double x = log(epsilon), y = log(off.end);
    if (k % 6 == 0)
      printf("epsilon %.1e: height %.2e, %lld projections, %lld roots\n", epsilon, off.end,
             off.totals.projections, off.totals.located);
    assert_true(off.totals.projections >= off.landings);
    sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  const double order = (COUNT * sxy - sx * sy) / (COUNT * sxx - sx * sx);
  printf("order %.3f\n", order);
  assert_true(fabs(order - 2) < 0.1);
}

// ---- Friction ----------------------------------------------------------------------------------------------

// A mass of 1 kg on a cart of 10^9 kg that moves at `speed`. It sticks until K v t + B v = mu N; the elongation then
// relaxes to mu N / K with the rate K / B, at once without a damper.
static double elongation_at(const ff_material *m, double t, double speed)
{
  const double last = m->friction * 1 * scene_gravity / m->stiffness, lag = m->damping / m->stiffness;
  const double begin = fmax(0, last / speed - lag);
  if (t < begin)
    return speed * t;
  return m->damping > 0 ? last + (speed * begin - last) * exp((begin - t) / lag) : last;
}

static void slides(const ff_material *m, double dt, double speed)
{
  ff_model *model = scene_cart(1e9, 1, m);
  const ff_sim_def def = ess_def(dt, 1e-7, 1e-12);
  ff_sim *sim = ffi_must_sim(model, &def);
  const double sunk = scene_gravity / m->stiffness, q[2] = {0, -sunk}, v[2] = {speed, 0};
  double worst = 0;
  ffi_must_reset(sim, q, v);
  for (int k = 1; k <= 20; ++k) {
    int count;
    ffi_must_run(sim, 1, NULL);
    const ff_contact *c = ff_sim_contacts(sim, &count);
    assert_int_equal(count, 1);
    worst = fmax(worst, fabs(c->point[0] - c->anchor[0] - elongation_at(m, k * dt, speed)));
  }
  printf("B %g, %g m/s, dt %g: elongation off by %.1e of %.1e\n", m->damping, speed, dt, worst,
         m->friction * sunk);
  ffi_check_near("elongation", worst, 0, 1e-9 * m->friction * sunk + 2e-11);
  if (speed < 0.5)
    assert_true(ff_sim_get_totals(sim).slips == 1);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

static void friction_slips_when_it_should(void **state)
{
  (void)state;
  const ff_material damped = {.stiffness = 1e4, .damping = 50, .friction = 0.5},
                    undamped = {.stiffness = 1e4, .damping = 0, .friction = 0.5};
  const double steps[] = {0.01, 0.002, 0.0005};
  for (int i = 0; i < 3; ++i) {
    slides(&damped, steps[i], 1); // from the start
    slides(&damped, steps[i], 0.07);
    slides(&undamped, steps[i], 0.07);
  }
}

// On the level at 1 m/s, contact points as high as its centre of mass: v^2 / (2 mu g), less the way that the friction
// springs pull it back, mu m g / (4 K); see test_slope.c.
static void block_stops_where_coulomb_says(void **state)
{
  (void)state;
  const ff_material m = {.stiffness = 2e4, .damping = 100, .friction = 0.5};
  const double want =
      1 / (2 * m.friction * scene_gravity) - m.friction * mass * scene_gravity / (4 * m.stiffness);
  const double steps[] = {0.1, 0.01, 0.002};
  ff_model *model = scene_block(mass, 0, &m);
  for (int i = 0; i < 3; ++i) {
    const ff_sim_def def = ess_def(steps[i], 1e-7, 1e-12);
    ff_sim *sim = ffi_must_sim(model, &def);
    const double q[7] = {0, 0, -mass * scene_gravity / (4 * m.stiffness), 0, 0, 0, 1}, v[6] = {1};
    ffi_must_reset(sim, q, v);
    ffi_must_run(sim, (int)lround(1 / def.dt), NULL);
    printf("dt %g: way off by %.1e\n", def.dt, ff_sim_q(sim)[0] / want - 1);
    ffi_check_near("way", ff_sim_q(sim)[0] / want, 1, 1e-8);
    ffi_check_near("speed", ff_sim_v(sim)[0], 0, 1e-9);
    assert_true(ff_sim_get_totals(sim).sticks >= 4);
    ff_sim_destroy(sim);
  }
  ff_model_destroy(model);
}

// A block that spins on springs alone: nothing holds it back, and there is nothing for the integrator to follow.
static void ice_is_no_work(void **state)
{
  (void)state;
  const ff_material ice = {.stiffness = 2e4, .damping = 0, .friction = 0};
  const double q[7] = {0, 0, -mass * scene_gravity / (4 * ice.stiffness), 0, 0, 0, 1}, v[6] = {[5] = 3};
  ff_model *model = scene_block(mass, 0, &ice);
  const ff_sim_def def = ess_def(0.01, 1e-7, 1e-9);
  ff_sim *sim = ffi_must_sim(model, &def);
  ffi_must_reset(sim, q, v);
  ffi_must_run(sim, 100, NULL);
  ffi_check_near("spin", ff_sim_v(sim)[5], 3, 1e-9);
  assert_in_range(ff_sim_get_totals(sim).integrator_steps, 100, 110);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

// ---- Stops and motors --------------------------------------------------------------------------------------

// The speed after a wheel of 0.1 kg m^2 at 5 rad/s has met a stop, in 0.15 s.
static void stop_throws_back(void **state)
{
  (void)state;
  const double moment = 0.1, start = 0.7834, speed = 5, steps[] = {0.15, 0.01, 0.001};
  ff_model *model = scene_wheel(moment);
  ff_element_def stop = ff_element_def_default();
  stop.type = FF_ELEMENT_JOINT_LIMIT;
  stop.joint = 0;
  stop.stiffness = 1e4;
  stop.damping = 10;
  stop.upper = 1;
  for (int i = 0; i < 3; ++i) {
    ff_sim_def def = ess_def(steps[i], 1e-7, 1e-12);
    def.elements = &stop;
    def.element_count = 1;
    ff_sim *sim = ffi_must_sim(model, &def);
    ffi_must_reset(sim, &start, &speed);
    ffi_must_run(sim, (int)lround(0.15 / def.dt), NULL);
    bouncer exact = {moment, 0, stop.stiffness, stop.damping, .z = stop.upper - start, .v = -speed};
    double z, want;
    bouncer_at(&exact, 0.15, &z, &want);
    assert_int_equal(exact.releases, 1);
    printf("dt %g: rebound off by %.1e\n", def.dt, -ff_sim_v(sim)[0] / want - 1);
    ffi_check_near("rebound", -ff_sim_v(sim)[0], want, 1e-8);
    ffi_check_near("angle", stop.upper - ff_sim_q(sim)[0], z, 1e-8);
    ff_sim_destroy(sim);
  }
  ff_model_destroy(model);
}

// A motor without damping, K x beyond its effort at first: constant acceleration until x = effort / K, then a quarter
// of an oscillation to x = 0. From x0 at rest: v^2 = 2 (x0 - x1) effort / I there, and by energy v0^2 = v^2 + K x1^2 /
// I at x = 0.
static void motor_leaves_its_saturation(void **state)
{
  (void)state;
  const double I = 0.5, K = 200, effort = 20, x0 = 0.5, x1 = effort / K;
  const double v1 = sqrt(2 * (x0 - x1) * effort / I), w = sqrt(K / I), t1 = v1 * I / effort,
               t0 = t1 + atan2(x1 * w, v1) / w, v0 = sqrt(v1 * v1 + w * w * x1 * x1);
  ff_model *model = scene_wheel(I);
  ff_element_def motor = ff_element_def_default();
  motor.joint = 0;
  motor.stiffness = K;
  motor.damping = 0;
  motor.effort = effort;
  for (int steps = 1; steps <= 100; steps *= 10) {
    ff_sim_def def = ess_def(t0 / steps, 1e-7, 1e-12);
    def.elements = &motor;
    def.element_count = 1;
    ff_sim *sim = ffi_must_sim(model, &def);
    ffi_must_reset(sim, &x0, NULL);
    ffi_must_run(sim, steps, NULL);
    printf("%d steps: angle %.1e, rate off by %.1e\n", steps, ff_sim_q(sim)[0], -ff_sim_v(sim)[0] / v0 - 1);
    ffi_check_near("angle", ff_sim_q(sim)[0], 0, 1e-9);
    ffi_check_near("rate", -ff_sim_v(sim)[0], v0, 1e-9 * v0);
    assert_true(ff_sim_get_totals(sim).projections + ff_sim_get_totals(sim).located == 1);
    ff_sim_destroy(sim);
  }
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bounces_to_its_tolerance),
      cmocka_unit_test(defaults_are_good_to_a_tenth_of_a_percent),
      cmocka_unit_test(is_of_second_order_in_epsilon),
      cmocka_unit_test(friction_slips_when_it_should),
      cmocka_unit_test(block_stops_where_coulomb_says),
      cmocka_unit_test(ice_is_no_work),
      cmocka_unit_test(stop_throws_back),
      cmocka_unit_test(motor_leaves_its_saturation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
