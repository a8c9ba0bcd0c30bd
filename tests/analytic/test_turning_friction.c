// Torsional and rolling friction of contacts against closed forms: a ball that spins stops after a time and an angle,
// one that rolls after a way, and on a slope it stays or rolls with less than its weight.
#include "analytic/scene.h"
#include "support/alloc_counter.h"

#include <string.h>

static const double radius = 0.1, mass = 2, inertia = 0.4 * 2 * 0.1 * 0.1, stiffness = 1e5;

static const ff_stepper steppers[] = {
    FF_STEPPER_EXPO, FF_STEPPER_EXPO_PAPER, FF_STEPPER_SYMPLECTIC, FF_STEPPER_EULER, FF_STEPPER_IMPLICIT,
    FF_STEPPER_RK4,  FF_STEPPER_ESS,        FF_STEPPER_MOREAU,     FF_STEPPER_CA,    FF_STEPPER_C2A};
enum { STEPPERS = sizeof steppers / sizeof *steppers };

typedef struct ride {
  ff_model *model;
  ff_ground_def ground;
  ff_sim *sim;
} ride;

static ff_model *make_ball(double torsional, double rolling)
{
  ff_builder *b = ffi_must_begin("ball");
  ff_link_def link = ff_link_def_default();
  ff_shape_def shape = ff_shape_def_default();
  link.name = "ball";
  link.joint.type = FF_JOINT_FREE;
  link.inertia.mass = mass;
  link.inertia.matrix[0] = link.inertia.matrix[3] = link.inertia.matrix[5] = inertia;
  shape.size[0] = radius;
  shape.material.stiffness = stiffness;
  shape.material.torsional_friction = torsional;
  shape.material.rolling_friction = rolling;
  ffi_must_add_shape(b, ffi_must_add_link(b, &link), &shape);
  return ffi_must_finish(b);
}

// Hard steppers find impulses to a tolerance, and what it leaves of a velocity stays: at 1e-6 N s, 0.01 um/s here.
static void solve_sharply(ff_sim_def *def)
{
  def->moreau.relative_tolerance = def->moreau.absolute_tolerance = 1e-12;
  def->c2a.impact.relative_tolerance = def->c2a.impact.absolute_tolerance = 1e-12;
}

// At rest on a plane that falls along x.
static ride begin(ff_stepper stepper, double dt, const double friction[2], double slope, const double v[6])
{
  ride r = {.model = make_ball(friction[0], friction[1]), .ground = scene_slope(slope)};
  ff_sim_def def = ff_sim_def_default();
  const double depth = ff_stepper_is_hard(stepper) ? 0 : mass * scene_gravity * cos(slope) / stiffness,
               up = radius - depth;
  solve_sharply(&def);
  def.stepper = stepper;
  def.dt = dt;
  def.ground = &r.ground;
  def.ground_count = 1;
  r.sim = ffi_must_sim(r.model, &def);
  ffi_must_reset(r.sim, (const double[7]){up * sin(slope), 0, up * cos(slope), 0, 0, 0, 1}, v);
  return r;
}

static void end(ride *r)
{
  ff_sim_destroy(r->sim);
  ff_model_destroy(r->model);
}

static double yaw(const ride *r)
{
  const double *q = ff_sim_q(r->sim);
  return 2 * atan2(q[5], q[6]);
}

// An error of at most 0.1 % in steps of 1 ms; or one of first order, and small in steps of 0.1 ms. The anchors of
// rolling contacts of expo-paper have a large one: they creep with the velocity at the start of each step.
static void expect(ff_stepper stepper, double (*error_of)(ff_stepper stepper, double dt))
{
  const double coarse = fabs(error_of(stepper, 1e-3));
  if (coarse <= 1e-3)
    return;
  const double fine = fabs(error_of(stepper, 1e-4));
  if (!(fine <= 5e-3 && fine <= 0.2 * coarse))
    fail_msg("%s: wrong by %g in steps of 1 ms, by %g in steps of 0.1 ms", ff_stepper_name(stepper), coarse,
             fine);
}

static int steps(double time, double dt)
{
  return (int)lround(time / dt);
}

// ---- Spinning -----------------------------------------------------------------------------------------------

// It loses rho m g / I of its spin each second, and turns by spin^2 / 2 of that; then it stands.
static double spin_error(ff_stepper stepper, double dt)
{
  const double friction[2] = {0.004, 0}, spin = 4, loss = 0.004 * mass * scene_gravity / inertia,
               angle = spin * spin / (2 * loss), time = spin / loss;
  ride r = begin(stepper, dt, friction, 0, (const double[6]){0, 0, 0, 0, 0, spin});
  const int half = steps(0.5 * time, dt);
  ffi_must_run(r.sim, half, NULL);
  const double faster = ff_sim_v(r.sim)[5] - (spin - loss * dt * half);
  ffi_must_run(r.sim, 3 * half, NULL);
  const double stopped = yaw(&r);
  ffi_must_run(r.sim, steps(3, dt), NULL);
  ffi_check_near(ff_stepper_name(stepper), yaw(&r), stopped, 1e-9);
  end(&r);
  return fmax(fabs(faster) / spin, fabs(stopped - angle) / angle);
}

static void a_spinning_ball_stops(void **state)
{
  (void)state;
  for (int k = 0; k < STEPPERS; ++k)
    expect(steppers[k], spin_error);
}

// ---- Rolling ------------------------------------------------------------------------------------------------

// It is slowed down by rho g / (1.4 r), whichever way it rolls; then it stands.
static double roll_error(ff_stepper stepper, double dt)
{
  const double friction[2] = {0, 0.002}, speed[2] = {0.3, 0.4},
               slowing = 0.002 * scene_gravity / (1.4 * radius), way = 0.25 / (2 * slowing);
  ride r = begin(stepper, dt, friction, 0,
                 (const double[6]){speed[0], speed[1], 0, -speed[1] / radius, speed[0] / radius, 0});
  ffi_must_run(r.sim, steps(1.5 * 0.5 / slowing, dt), NULL);
  const double x = ff_sim_q(r.sim)[0], y = ff_sim_q(r.sim)[1];
  ffi_must_run(r.sim, steps(3, dt), NULL);
  ffi_check_near(ff_stepper_name(stepper), ff_sim_q(r.sim)[0], x, 1e-9);
  ffi_check_near(ff_stepper_name(stepper), ff_sim_q(r.sim)[1], y, 1e-9);
  end(&r);
  return hypot(x - 0.6 * way, y - 0.8 * way) / way;
}

static void a_rolling_ball_stops(void **state)
{
  (void)state;
  for (int k = 0; k < STEPPERS; ++k)
    expect(steppers[k], roll_error);
}

// ---- On a slope ---------------------------------------------------------------------------------------------

// With rho = r / 10 it stays up to a slope of tan 1/10, without creep.
static void a_ball_stays_on_a_slope(void **state)
{
  (void)state;
  const double friction[2] = {0, 0.01};
  for (int k = 0; k < STEPPERS; ++k) {
    ride r = begin(steppers[k], 1e-3, friction, atan(0.09), NULL);
    ffi_must_run(r.sim, 1000, NULL);
    const double x = ff_sim_q(r.sim)[0];
    ffi_must_run(r.sim, 5000, NULL);
    ffi_check_near(ff_stepper_name(steppers[k]), ff_sim_q(r.sim)[0], x, 1e-9);
    end(&r);
  }
}

// Beyond that it rolls with g (sin - rho / r cos) / 1.4. The spring is wound up first, so it begins 3 ms late: the
// acceleration is compared, by three places a second apart.
static double slope_error(ff_stepper stepper, double dt)
{
  const double friction[2] = {0, 0.01}, steep = atan(0.2),
               gain = scene_gravity * (sin(steep) - 0.1 * cos(steep)) / 1.4;
  double x[3];
  ride r = begin(stepper, dt, friction, steep, NULL);
  for (int i = 0; i < 3; ++i) {
    ffi_must_run(r.sim, steps(i == 0 ? 0.2 : 1, dt), NULL);
    x[i] = ff_sim_q(r.sim)[0] / cos(steep);
  }
  end(&r);
  return (x[2] - 2 * x[1] + x[0]) / gain - 1;
}

static void a_ball_rolls_down_a_steeper_one(void **state)
{
  (void)state;
  for (int k = 0; k < STEPPERS; ++k)
    expect(steppers[k], slope_error);
}

// ---- Energy -------------------------------------------------------------------------------------------------

// Spinning, rolling and bouncing about, a ball only loses energy.
static void it_only_takes_energy(void **state)
{
  (void)state;
  const double friction[2] = {0.01, 0.01};
  for (int k = 0; k < STEPPERS; ++k) {
    ride r = begin(steppers[k], 1e-3, friction, 0, NULL);
    ffi_must_reset(r.sim, (const double[7]){0, 0, 0.2, 0, 0, 0, 1},
                   (const double[6]){1, 0.5, 0, 20, -30, 40});
    double before = ff_sim_energy(r.sim).total;
    const double start = before;
    for (int i = 0; i < 3000; ++i) {
      ffi_must_step(r.sim, NULL);
      const double now = ff_sim_energy(r.sim).total;
      const int only_falls =
          steppers[k] == FF_STEPPER_EXPO || steppers[k] == FF_STEPPER_ESS || ff_stepper_is_hard(steppers[k]);
      if (only_falls && !(now <= before + 1e-4 * start))
        fail_msg("%s, step %d: %g J after %g J", ff_stepper_name(steppers[k]), i, now, before);
      before = now;
    }
    if (ff_stepper_is_hard(steppers[k])) // moreau stays where the landing left it, ca and c2a keep the skin
      assert_true(ff_sim_energy(r.sim).kinetic < 1e-12 && fabs(ff_sim_q(r.sim)[2] - radius) < 1.5e-3);
    else
      ffi_check_near(ff_stepper_name(steppers[k]), before,
                     (radius - 0.5 * mass * scene_gravity / stiffness) * mass * scene_gravity, 1e-6);
    end(&r);
  }
}

// ---- At the limit -------------------------------------------------------------------------------------------

// The place in a state of the number nearest to x.
static int place_of(const double *state, int size, double x)
{
  int best = 0;
  for (int i = 1; i < size; ++i)
    if (fabs(state[i] - x) < fabs(state[best] - x))
      best = i;
  return best;
}

// A ball that spins by rounding alone, its spring wound up to the limit and a little beyond: the spring comes to rest,
// with all its way back.
static void what_stands_at_its_limit_swings_back(void **state)
{
  (void)state;
  static const ff_stepper which[] = {FF_STEPPER_EXPO, FF_STEPPER_EXPO_PAPER, FF_STEPPER_RK4, FF_STEPPER_ESS};
  const double friction[2] = {0.004, 0}, limit = 0.004 * mass * scene_gravity;
  for (size_t k = 0; k < sizeof which / sizeof *which; ++k) {
    ride r = begin(which[k], 1e-3, friction, 0, (const double[6]){0, 0, 0, 0, 0, 4});
    double saved[4000];
    ff_error error;
    const int size = (int)ff_sim_state_size(r.sim);
    assert_true(size <= 4000);
    ffi_must_run(r.sim, 50, NULL);
    ff_sim_get_state(r.sim, saved);
    saved[place_of(saved, size, ff_sim_v(r.sim)[5])] = 1e-30;
    const int spring = place_of(saved, size, -limit);
    ffi_check_near("spring", saved[spring], -limit, 1e-3 * limit);
    saved[spring] = -limit * (1 + 1e-9);
    ffi_must(ff_sim_set_state(r.sim, saved, &error), &error);
    const double start = yaw(&r);
    ffi_must_run(r.sim, 500, NULL);
    ffi_check_near(ff_stepper_name(which[k]), start - yaw(&r), limit / (inertia * 500 * 500), 1e-8);
    end(&r);
  }
}

// ---- States and refusals ------------------------------------------------------------------------------------

// A saved state goes on to the same bits, and steps allocate nothing.
static void a_state_keeps_the_springs(void **state)
{
  (void)state;
  const double friction[2] = {0.004, 0.01};
  for (int k = 0; k < STEPPERS; ++k) {
    ride r = begin(steppers[k], 1e-3, friction, 0.05, (const double[6]){0, 0, 0, 0, 0, 1});
    double saved[4000], q[7], v[6];
    ff_error error;
    assert_true(ff_sim_state_size(r.sim) <= 4000);
    ffi_must_run(r.sim, 50, NULL);
    ff_sim_get_state(r.sim, saved);
    const long before = ffi_test_alloc_count();
    ffi_must_run(r.sim, 100, NULL);
    assert_int_equal(ffi_test_alloc_count(), before);
    memcpy(q, ff_sim_q(r.sim), sizeof q);
    memcpy(v, ff_sim_v(r.sim), sizeof v);
    ffi_must_run(r.sim, 150, NULL);
    ffi_must(ff_sim_set_state(r.sim, saved, &error), &error);
    ffi_must_run(r.sim, 100, NULL);
    if (memcmp(q, ff_sim_q(r.sim), sizeof q) != 0 || memcmp(v, ff_sim_v(r.sim), sizeof v) != 0)
      fail_msg("%s: other bits", ff_stepper_name(steppers[k]));
    end(&r);
  }
}

static void steppers_without_it_say_so(void **state)
{
  (void)state;
  static const ff_stepper without[] = {FF_STEPPER_MOREAU};
  ff_model *model = make_ball(0.01, 0);
  for (size_t k = 0; k < sizeof without / sizeof *without; ++k) {
    ff_sim_def def = ff_sim_def_default();
    ff_sim *sim = NULL;
    ff_error error;
    def.stepper = without[k];
    def.moreau.contact = FF_HARD_CONTACT_COMPLIANT;
    assert_int_equal(ff_sim_create(model, &def, &sim, &error), FF_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "turning_friction: false"));
    def.turning_friction = 0;
    sim = ffi_must_sim(model, &def);
    ffi_must_run(sim, 10, NULL);
    ff_sim_destroy(sim);
  }
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_spinning_ball_stops),
      cmocka_unit_test(a_rolling_ball_stops),
      cmocka_unit_test(a_ball_stays_on_a_slope),
      cmocka_unit_test(a_ball_rolls_down_a_steeper_one),
      cmocka_unit_test(what_stands_at_its_limit_swings_back),
      cmocka_unit_test(it_only_takes_energy),
      cmocka_unit_test(a_state_keeps_the_springs),
      cmocka_unit_test(steppers_without_it_say_so),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
