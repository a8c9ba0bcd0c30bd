// The judgement of steps by their energy: a gain is reported, work that somebody puts in is none, and a step that
// multiplies the energy is refused.
#include "sim/toys.h"
#include "support/random_model.h"

#include <math.h>
#include <string.h>

static const double K = 1e4, mass = 2;

// A mass on an undamped spring, without gravity along it.
static ff_model *make_spring(void)
{
  ff_builder *b = ffi_must_begin("spring");
  ff_link_def link = ff_link_def_default();
  link.name = "mass";
  link.joint.name = "rail";
  link.joint.type = FF_JOINT_PRISMATIC;
  link.joint.axis[0] = 1;
  link.joint.stiffness = K;
  link.inertia = ff_inertia_zero();
  link.inertia.mass = mass;
  ffi_must_add_link(b, &link);
  return ffi_must_finish(b);
}

static ff_sim *make_sim(const ff_model *model, ff_stepper stepper, double dt)
{
  ff_sim_def def = ff_sim_def_default();
  def.stepper = stepper;
  def.dt = dt;
  def.ground_count = 0;
  return ffi_must_sim(model, &def);
}

// Euler's method winds the spring up: by (w dt)^4 / 4 of its energy in each step. The energies here are by hand.
static void a_gain_is_reported(void **state)
{
  (void)state;
  ff_model *model = make_spring();
  const double dt = 2e-3, x0 = 0.5;
  ff_sim *sim = make_sim(model, FF_STEPPER_EULER, dt);
  ffi_must_reset(sim, &x0, NULL);
  double lowest = 0.5 * K * x0 * x0, peak = lowest;
  int reports = 0;
  for (int k = 0; k < 400; ++k) {
    ffi_must_step(sim, NULL);
    const double x = ff_sim_q(sim)[0], v = ff_sim_v(sim)[0], energy = 0.5 * K * x * x + 0.5 * mass * v * v;
    peak = fmax(peak, energy);
    const int expected = energy - lowest > 0.01 * peak;
    if (fabs(energy - lowest - 0.01 * peak) > 1e-9 * peak)
      assert_int_equal(ff_sim_info(sim)->gained, expected);
    lowest = expected ? energy : fmin(lowest, energy);
    reports += expected;
  }
  assert_true(reports > 5);
  assert_int_equal(ff_sim_get_totals(sim).gained, reports);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

// Neither a short run nor somebody who sets the same reference before each step hides a gain.
static void a_gain_does_not_hide(void **state)
{
  (void)state;
  ff_model *model = make_spring();
  const double x0 = 0.01;
  for (int sets = 0; sets < 2; ++sets) {
    ff_sim *sim = make_sim(model, FF_STEPPER_EULER, 1e-2);
    ffi_must_reset(sim, &x0, NULL);
    for (int k = 0; k < 8; ++k) {
      if (sets)
        assert_int_equal(ff_sim_set_reference(sim, 0, 0, 0), FF_OK);
      ffi_must_step(sim, NULL);
    }
    assert_true(ff_sim_get_totals(sim).gained > 0);
    ff_sim_destroy(sim);
  }
  ff_model_destroy(model);
}

// Methods that keep the energy of a spring report nothing.
static void what_keeps_energy_reports_nothing(void **state)
{
  (void)state;
  static const ff_stepper steppers[] = {FF_STEPPER_EXPO,     FF_STEPPER_EXPO_PAPER, FF_STEPPER_RK4,
                                        FF_STEPPER_IMPLICIT, FF_STEPPER_ESS,        FF_STEPPER_MOREAU};
  ff_model *model = make_spring();
  const double x0 = 0.5;
  for (size_t i = 0; i < sizeof steppers / sizeof *steppers; ++i) {
    ff_sim *sim = make_sim(model, steppers[i], 1e-3);
    ffi_must_reset(sim, &x0, NULL);
    ffi_must_run(sim, 1000, NULL);
    assert_int_equal(ff_sim_get_totals(sim).gained, 0);
    ff_sim_destroy(sim);
  }
  ff_model_destroy(model);
}

// A force of 10 N on 2 kg: 2500 J after 10 s, all of it work of tau.
static void work_of_tau_is_no_gain(void **state)
{
  (void)state;
  ff_model *model = toy_cube(NULL);
  ff_sim_def def = ff_sim_def_default();
  def.ground_count = 0;
  ff_sim *sim = ffi_must_sim(model, &def);
  const double tau[6] = {10, 0, 2 * toy_gravity, 0, 0, 0};
  ffi_must_run(sim, 10000, tau);
  assert_true(ff_sim_energy(sim).kinetic > 2400);
  assert_int_equal(ff_sim_get_totals(sim).gained, 0);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

// Whoever moves the reference of a motor does the work, in one jump or steadily.
static void moving_a_reference_is_no_gain(void **state)
{
  (void)state;
  ff_model *model = make_spring();
  ff_sim *sim = make_sim(model, FF_STEPPER_EXPO, 1e-3);
  for (int k = 0; k < 200; ++k) {
    if (k % 20 == 0) {
      const double to = k % 40 ? 0.5 : -0.5;
      assert_int_equal(ff_sim_set_reference(sim, 0, to, k > 100 ? 3 : 0), FF_OK);
    }
    ffi_must_step(sim, NULL);
    assert_int_equal(ff_sim_info(sim)->gained, 0);
  }
  assert_true(ff_sim_energy(sim).kinetic > 10);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

// A belt carries a cube along.
static void moving_ground_is_no_gain(void **state)
{
  (void)state;
  ff_model *model = toy_cube(NULL);
  ff_sim *sim = ffi_must_sim(model, NULL);
  const double q[7] = {0, 0, 0.1, 0, 0, 0, 1}, belt[6] = {2, 0, 0, 0, 0, 0};
  ffi_must_reset(sim, q, NULL);
  assert_int_equal(ff_sim_move_ground(sim, 0, NULL, belt), FF_OK);
  ffi_must_run(sim, 1000, NULL);
  assert_true(ff_sim_energy(sim).kinetic > 3.9);
  assert_int_equal(ff_sim_get_totals(sim).gained, 0);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

// A step that is a hundred times too long for the spring would turn its 50 J into 78 MJ, at a speed that is allowed. It
// is refused, and the mass stays where it was.
static void an_absurd_energy_is_refused(void **state)
{
  (void)state;
  ff_model *model = make_spring();
  ff_sim_def def = ff_sim_def_default();
  def.stepper = FF_STEPPER_SYMPLECTIC;
  def.dt = 0.5;
  def.ground_count = 0;
  ff_sim *sim = ffi_must_sim(model, &def);
  const double x0 = 0.1;
  ff_error error;
  ffi_must_reset(sim, &x0, NULL);
  assert_int_equal(ff_sim_step(sim, NULL, &error), FF_ERROR_NUMERIC);
  assert_true(strstr(error.message, "would raise the energy") && strstr(error.message, "'rail'"));
  assert_true(ff_sim_q(sim)[0] == x0 && ff_sim_v(sim)[0] == 0 && ff_sim_time(sim) == 0);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

// The gain of each step is the change of the energies that are reported, less the work: of random forests, with every
// joint, several roots and gravity in any direction. Those energies are sums over the bodies; the judgement takes its
// from the mass matrix or, with implicit, from its factors. They agree to the rounding of sums of some hundred terms.
static void the_gain_is_that_of_the_energies(void **state)
{
  (void)state;
  ffi_margin off = {.what = "gain of a step", .tolerance = 1e-13};
  int positive = 0;
  for (int i = 0; i < 90; ++i) {
    ffi_forest forest;
    ffi_forest_number(i, 1, &forest);
    const ff_model_size size = ff_model_get_size(forest.model);
    static const ff_stepper steppers[] = {FF_STEPPER_EXPO_PAPER, FF_STEPPER_EULER, FF_STEPPER_IMPLICIT};
    ff_sim *sim = make_sim(forest.model, steppers[i % 3], 1e-3);
    ffi_random random = ffi_random_seed((uint64_t)i);
    double *q = calloc((size_t)size.nq + 1, sizeof *q), *v = calloc((size_t)size.nv + 1, sizeof *v);
    ff_error error;
    ffi_random_q(&random, forest.model, q);
    ffi_random_vector(&random, size.nv, 5, v);
    ffi_must_reset(sim, q, v);
    for (int k = 0; k < 20; ++k) {
      const ff_energy before = ff_sim_energy(sim);
      if (ff_sim_step(sim, NULL, &error) != FF_OK)
        break; // as fast as that some of them run away
      const ff_energy after = ff_sim_energy(sim);
      const double change = after.total - before.total,
                   size_of = fabs(before.potential) + fabs(after.potential) + before.kinetic + after.kinetic +
                             before.elastic + after.elastic;
      ffi_margin_add(&off, fabs(ff_sim_info(sim)->gain - fmax(0, change)) / size_of, i);
      positive += change > 0;
    }
    free(q);
    free(v);
    ff_sim_destroy(sim);
    ffi_forest_free(&forest);
  }
  assert_true(positive > 200);
  ffi_margin_check(&off);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_gain_is_reported),
      cmocka_unit_test(a_gain_does_not_hide),
      cmocka_unit_test(what_keeps_energy_reports_nothing),
      cmocka_unit_test(work_of_tau_is_no_gain),
      cmocka_unit_test(moving_a_reference_is_no_gain),
      cmocka_unit_test(moving_ground_is_no_gain),
      cmocka_unit_test(the_gain_is_that_of_the_energies),
      cmocka_unit_test(an_absurd_energy_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
