// slow: under sanitizers. A mass that bounces on a floor, and one that comes to rest on it.
#include "analytic/bouncer.h"
#include "analytic/scene.h"

// 2 kg from 0.1 m. "soft" touches for some 30 ms, "hard" for 4.5 ms: less than half of the longest step.
static const ff_material soft = {.stiffness = 2e4, .damping = 20, .friction = 0.5},
                         hard = {.stiffness = 1e6, .damping = 200, .friction = 0.5};
static const double mass = 2, drop = 0.1, horizon = 1.2;

typedef struct gap {
  double z;     // largest difference of the height, of the drop
  double v;     // of the velocity, of that of the first impact
  int landings; // of the closed form
} gap;

static gap bounce(ff_stepper stepper, double dt, const ff_material *ground)
{
  ff_model *model = scene_mass(mass, ground);
  ff_sim_def def = ff_sim_def_default();
  def.stepper = stepper;
  def.dt = dt;
  ff_sim *sim = ffi_must_sim(model, &def);
  ffi_must_reset(sim, &drop, NULL);
  const bouncer given = {mass, scene_gravity, ground->stiffness, ground->damping, .z = drop};
  bouncer exact = bouncer_as_stepped(&given, stepper, dt);
  gap g = {0};
  for (int k = 1; k * dt < horizon + dt / 2; ++k) {
    double z, v;
    ffi_must_run(sim, 1, NULL);
    bouncer_at(&exact, k * dt, &z, &v);
    g.z = fmax(g.z, fabs(ff_sim_q(sim)[0] - z) / drop);
    g.v = fmax(g.v, fabs(ff_sim_v(sim)[0] - v) / sqrt(2 * scene_gravity * drop));
  }
  g.landings = exact.landings;
  ff_sim_destroy(sim);
  ff_model_destroy(model);
  return g;
}

static void check_expo(const ff_material *ground, double dt, double tolerance)
{
  const gap g = bounce(FF_STEPPER_EXPO, dt, ground);
  printf("expo, K %g, dt %g: %d landings, height %.1e, velocity %.1e\n", ground->stiffness, dt, g.landings,
         g.z, g.v);
  assert_in_range(g.landings, 4, 100); // three bounces at least lie behind it
  ffi_check_near("height", g.z, 0, tolerance);
  ffi_check_near("velocity", g.v, 0, 10 * tolerance);
}

// Between events the frozen system is the whole system, so only two things can be wrong. Touch-down is found to 1e-7 of
// the way at worst; flight is a parabola, which the search finds to rounding, 1e-13 of the drop, and each bounce
// multiplies that by some units: 1e-9 leaves room. The exponential has a relative error of 1e-4 of the impulse at
// worst; on the soft floor the fast path is exact to rounding, on the hard one, where K dt^2 / m is up to 50, it is
// used within its tolerance: 1e-6 is 100 times better than promised.
static void expo_bounces_as_it_should(void **state)
{
  (void)state;
  const double steps[] = {0.01, 0.005, 0.002};
  for (int i = 0; i < 3; ++i) {
    check_expo(&soft, steps[i], 1e-9);
    check_expo(&hard, steps[i], 1e-6);
  }
}

// Contacts of the others begin and end with steps, and Euler's methods have a damping of their own: the closed form is
// that of the floor as they have it (bouncer_as_stepped). What is left comes from touch-downs and lift-offs that are
// late by up to dt each:
//   2 v dt of the way, v the velocity of the first impact;
//   B v dt of impulse that is missing at a touch-down, so that it leaves faster by B dt / m: 2 B dt / m of the
//   height, and a flight that lasts longer by
//   2 v B dt / (m g), which is 4 B dt / m of the height when v falls together with it.
// All that once for each landing, at every step length; so the order is 1.
static void others_converge(void **state)
{
  (void)state;
  const double v = sqrt(2 * scene_gravity * drop), once = 2 * v / drop + 6 * soft.damping / mass;
  for (int s = FF_STEPPER_EXPO_PAPER; s < FF_STEPPER_SOFT_COUNT; ++s) {
    printf("%s:", ff_stepper_name((ff_stepper)s));
    for (double dt = 1e-3; dt > 1e-5; dt /= 2) {
      const gap g = bounce((ff_stepper)s, dt, &soft);
      printf("  %.1e of %.1e", g.z, g.landings * once * dt);
      ffi_check_near("height", g.z, 0, g.landings * once * dt);
    }
    printf("\n");
  }
}

// m g / K, to a few hundred roundings. Newton's tolerance of `implicit` is asked to be below that.
static void all_rest_where_the_spring_carries_the_weight(void **state)
{
  (void)state;
  const ff_material calm = {.stiffness = 2e4, .damping = 200, .friction = 0.5};
  ff_model *model = scene_mass(mass, &calm);
  for (int s = 0; s < FF_STEPPER_SOFT_COUNT; ++s) {
    ff_sim_def def = ff_sim_def_default();
    def.stepper = (ff_stepper)s;
    def.implicit.tolerance = 1e-14;
    ff_sim *sim = ffi_must_sim(model, &def);
    const double z = 0.01;
    ffi_must_reset(sim, &z, NULL);
    ffi_must_run(sim, 3000, NULL);
    ffi_check_near(ff_stepper_name((ff_stepper)s),
                   ff_sim_q(sim)[0] / (-mass * scene_gravity / calm.stiffness), 1, 1e-12);
    ff_sim_destroy(sim);
  }
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(expo_bounces_as_it_should),
      cmocka_unit_test(others_converge),
      cmocka_unit_test(all_rest_where_the_spring_carries_the_weight),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
