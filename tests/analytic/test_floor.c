// A mass that bounces on a floor, and one that comes to rest on it.
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
  ff_sim *sim = scene_sim(model, &def);
  scene_reset(sim, &drop, NULL);
  bouncer exact = {mass, scene_gravity, ground->stiffness, ground->damping, .z = drop};
  gap g = {0};
  for (int k = 1; k * dt < horizon + dt / 2; ++k) {
    double z, v;
    scene_run(sim, 1);
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
  scene_near("height", g.z, 0, tolerance);
  scene_near("velocity", g.v, 0, 10 * tolerance);
}

// Between events the frozen system is the whole system, so only two things can be wrong. Touch-down is found to 1e-7 of the
// way at worst; flight is a parabola, which the search finds to rounding, 1e-13 of the drop, and each bounce multiplies that by some
// units: 1e-9 leaves room. The exponential has a relative error of 1e-4 of the impulse at worst; on the soft floor the fast path is
// exact to rounding, on the hard one, where K dt^2 / m is up to 50, it is used within its tolerance: 1e-6 is 100 times better than promised.
static void expo_bounces_as_it_should(void **state)
{
  (void)state;
  const double steps[] = {0.01, 0.005, 0.002};
  for (int i = 0; i < 3; ++i) {
    check_expo(&soft, steps[i], 1e-9);
    check_expo(&hard, steps[i], 1e-6);
  }
}

// Contacts of the others begin and end with steps. That moves touch-downs by up to dt, more or less at random, so the order is that of
// a line through many step sizes: 1, with room for the luck of ten of them. Euler has a damping of its own, -K dt / 2, which at the
// smallest step is 1/100 of the floor's; it acts in each contact, so some hundredths are allowed.
static void others_converge(void **state)
{
  (void)state;
  for (int s = FF_STEPPER_EXPO_PAPER; s < FF_STEPPER_IMPLICIT; ++s) {
    double sx = 0, sy = 0, sxx = 0, sxy = 0, last = 0;
    int n = 0;
    for (double dt = 0.008; dt > 1e-5; dt /= 2, ++n) {
      last = bounce((ff_stepper)s, dt, &soft).z;
      const double x = log(dt), y = log(last);
      sx += x;
      sy += y;
      sxx += x * x;
      sxy += x * y;
    }
    const double order = (n * sxy - sx * sy) / (n * sxx - sx * sx);
    printf("%s: order %.2f, height %.1e at the smallest step\n", ff_stepper_name((ff_stepper)s), order, last);
    scene_near("order", order, 1, 0.3);
    scene_near("height", last, 0, 0.05);
  }
}

// Backward Euler damps with K dt / 2 of its own, the floor's damping at 2 ms: above 0.1 ms it hardly bounces. That part of its error is
// smooth, and larger than that of late events, so two steps show the order.
static void implicit_converges(void **state)
{
  (void)state;
  const double coarse = bounce(FF_STEPPER_IMPLICIT, 4e-5, &soft).z,
               fine = bounce(FF_STEPPER_IMPLICIT, 1e-5, &soft).z;
  printf("implicit: order %.2f, height %.1e at the smallest step\n", log2(coarse / fine) / 2, fine);
  scene_near("order", log2(coarse / fine) / 2, 1, 0.3);
}

// m g / K, to a few hundred roundings. Newton's tolerance of `implicit` is asked to be below that.
static void all_rest_where_the_spring_carries_the_weight(void **state)
{
  (void)state;
  const ff_material calm = {.stiffness = 2e4, .damping = 200, .friction = 0.5};
  ff_model *model = scene_mass(mass, &calm);
  for (int s = 0; s < FF_STEPPER_COUNT; ++s) {
    ff_sim_def def = ff_sim_def_default();
    def.stepper = (ff_stepper)s;
    def.implicit.tolerance = 1e-14;
    ff_sim *sim = scene_sim(model, &def);
    const double z = 0.01;
    scene_reset(sim, &z, NULL);
    scene_run(sim, 3000);
    scene_near(ff_stepper_name((ff_stepper)s), ff_sim_q(sim)[0] / (-mass * scene_gravity / calm.stiffness), 1,
               1e-12);
    ff_sim_destroy(sim);
  }
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(expo_bounces_as_it_should),
      cmocka_unit_test(others_converge),
      cmocka_unit_test(implicit_converges),
      cmocka_unit_test(all_rest_where_the_spring_carries_the_weight),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
