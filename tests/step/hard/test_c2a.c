// ca and c2a: plain time stepping as their limit, orders of convergence, and options.
#include "step/hard/c2a_case.h"
#include "support/must.h"
#include "support/near.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const double g = FFI_C2A_CASE_GRAVITY;

// ---- Plain time stepping -----------------------------------------------------------------------------------

// z += h v; v -= h g; then v is limited to close at most the rest of the gap in one more step.
static void h_min_of_dt_is_plain_time_stepping(void **state)
{
  (void)state;
  const ffi_loose ball = ffi_c2a_case_ball(0.5, 0);
  ff_model *model = ffi_loose_model(1, &ball, g);
  for (int k = 0; k < 2; ++k) {
    ff_sim_def def = ffi_c2a_case_def(ffi_c2a_case_steppers[k], 0.0078125); // 2^-7: no rounding in the times
    def.c2a.h_min = def.dt;
    ff_sim *sim = ffi_must_sim(model, &def);
    ffi_loose_state at = {.position = {0, 0, 0.5}};
    ffi_loose_reset(sim, 1, &at);
    double z = 0.5, v = 0;
    for (int i = 0; i < 100; ++i) {
      ffi_must_step(sim, NULL);
      z += def.dt * v;
      v += def.dt * -g;
      v = fmax(v, -fmax(z - 0.1 - def.c2a.skin, 0) / def.dt);
      ffi_loose_read(sim, 1, &at);
      assert_true(at.position[2] == z);
      ffi_check_near("velocity", at.velocity[2], v, 4e-16 * 4); // the impulse is solved for
      assert_int_equal(ff_sim_info(sim)->integrator_steps, 1);
      v = at.velocity[2];
    }
    assert_true(z > 0.1 && z < 0.1 + 2 * def.c2a.skin);
    ff_sim_destroy(sim);
  }
  ff_model_destroy(model);
}

// A heap of boxes and a ball: with h_min beyond dt both algorithms take the same steps.
static void with_h_min_of_dt_both_are_one(void **state)
{
  (void)state;
  const ff_material m = ffi_hard_material(0.4, 0.3, 0);
  const ffi_loose bodies[3] = {{.shape = FF_SHAPE_BOX, .size = {0.2, 0.3, 0.1}, .mass = 2, .material = m},
                               {.shape = FF_SHAPE_SPHERE, .size = {0.1}, .mass = 1, .material = m},
                               {.shape = FF_SHAPE_BOX, .size = {0.2, 0.2, 0.2}, .mass = 0.5, .material = m}};
  const ffi_loose_state start[3] = {{.position = {0, 0, 0.2}, .spin = {1, 2, 0}},
                                    {.position = {0.02, 0, 0.5}, .velocity = {0.3, 0, -1}},
                                    {.position = {0, 0.05, 0.8}, .spin = {0, 3, 1}}};
  ff_model *model = ffi_loose_model(3, bodies, g);
  ff_sim *sim[2];
  for (int k = 0; k < 2; ++k) {
    ff_sim_def def = ffi_c2a_case_def(ffi_c2a_case_steppers[k], 0.004);
    def.c2a.h_min = 1;
    sim[k] = ffi_must_sim(model, &def);
    ffi_loose_reset(sim[k], 3, start);
  }
  int touched = 0;
  for (int i = 0; i < 200; ++i) {
    ffi_must_step(sim[0], NULL), ffi_must_step(sim[1], NULL);
    touched += ff_sim_info(sim[0])->contacts > 0;
    assert_memory_equal(ff_sim_q(sim[0]), ff_sim_q(sim[1]), 21 * sizeof(double));
    assert_memory_equal(ff_sim_v(sim[0]), ff_sim_v(sim[1]), 18 * sizeof(double));
  }
  assert_true(touched > 100);
  ff_sim_destroy(sim[0]), ff_sim_destroy(sim[1]);
  ff_model_destroy(model);
}

// No substep is longer than dt, so gaps that close within h_min but not within dt do not matter: ground that is a
// second away does not slow down a fall.
static void h_min_beyond_dt_changes_nothing(void **state)
{
  (void)state;
  const ffi_loose ball = ffi_c2a_case_ball(0.5, 0);
  ff_model *model = ffi_loose_model(1, &ball, g);
  for (int k = 0; k < 2; ++k) {
    ff_sim *sim[2];
    for (int i = 0; i < 2; ++i) {
      ff_sim_def def = ffi_c2a_case_def(ffi_c2a_case_steppers[k], 0.004);
      def.c2a.h_min = i > 0 ? 1 : def.dt;
      sim[i] = ffi_must_sim(model, &def);
      ffi_loose_state at = {.position = {0, 0, 0.5}, .velocity = {1, 0, 0}};
      ffi_loose_reset(sim[i], 1, &at);
    }
    for (int i = 0; i < 100; ++i) {
      ffi_must_step(sim[0], NULL), ffi_must_step(sim[1], NULL);
      assert_memory_equal(ff_sim_q(sim[0]), ff_sim_q(sim[1]), 7 * sizeof(double));
      assert_memory_equal(ff_sim_v(sim[0]), ff_sim_v(sim[1]), 6 * sizeof(double));
    }
    assert_true(ff_sim_info(sim[0])->contacts > 0);
    ff_sim_destroy(sim[0]), ff_sim_destroy(sim[1]);
  }
  ff_model_destroy(model);
}

// ---- Orders ------------------------------------------------------------------------------------------------

// State of a double pendulum after 0.4 s.
static void swing(ff_stepper stepper, ff_c2a_scheme scheme, double dt, double end[4])
{
  ff_model *model = ffi_double_pendulum();
  ff_sim_def def = ffi_c2a_case_def(stepper, dt);
  def.c2a.scheme = scheme;
  def.c2a.error_control = 0;
  def.ground_count = 0;
  ff_sim *sim = ffi_must_sim(model, &def);
  const double q[2] = {0.7, -0.4}, v[2] = {1, 2};
  ffi_must_reset(sim, q, v);
  ffi_must_run(sim, (int)lround(0.4 / dt), NULL);
  memcpy(end, ff_sim_q(sim), 2 * sizeof *end);
  memcpy(end + 2, ff_sim_v(sim), 2 * sizeof *end);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

// ca is of first order, c2a's extrapolation of second, with both schemes; rk4 gives the reference solution.
static void orders_are_one_and_two(void **state)
{
  (void)state;
  double truth[4];
  swing(FF_STEPPER_RK4, FF_C2A_SEMI_IMPLICIT, 1e-4, truth);
  for (int k = 0; k < 2; ++k)
    for (int scheme = 0; scheme < FF_C2A_SCHEME_COUNT; ++scheme) {
      double error[4];
      for (int i = 0; i < 4; ++i) {
        double end[4];
        swing(ffi_c2a_case_steppers[k], (ff_c2a_scheme)scheme, 0.008 / (1 << i), end);
        error[i] = ffi_gap(4, end, truth);
      }
      const double order = log2(error[2] / error[3]);
      print_message("             %s, %s: errors %.2e %.2e %.2e %.2e, order %.2f\n",
                    ff_stepper_name(ffi_c2a_case_steppers[k]), ff_c2a_scheme_name((ff_c2a_scheme)scheme),
                    error[0], error[1], error[2], error[3], order);
      ffi_check_near("order", order, ffi_c2a_case_steppers[k] == FF_STEPPER_CA ? 1 : 2, 0.1);
    }
}

// A tumbling body keeps its momentum, and a free ball its parabola: extrapolated Euler steps are exact for constant
// force.
static void a_flight_is_exact(void **state)
{
  (void)state;
  const ffi_loose body = {
      .shape = FF_SHAPE_BOX, .size = {0.1, 0.2, 0.4}, .mass = 2, .material = ffi_hard_material(1, 0, 0)};
  ff_model *model = ffi_loose_model(1, &body, g);
  ff_sim_def def = ffi_c2a_case_def(FF_STEPPER_C2A, 0.01);
  def.ground_count = 0;
  ff_sim *sim = ffi_must_sim(model, &def);
  ffi_loose_state at = {.velocity = {1, 2, 3}, .spin = {0, 0, 5}};
  ffi_loose_reset(sim, 1, &at);
  ffi_must_run(sim, 100, NULL);
  ffi_loose_read(sim, 1, &at);
  ffi_check_near("x", at.position[0], 1, 1e-13);
  ffi_check_near("z", at.position[2], 3 - g / 2, 1e-12);
  ffi_check_near("fall", at.velocity[2], 3 - g, 1e-12);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

// A rod that spins at 5000 rad/s about a skew axis, 5 rad a step: its energy does not grow. And one at 3 rad/s, whose
// angular momentum is constant to the order of the stepper.
static void spins_do_not_blow_up(void **state)
{
  (void)state;
  const ffi_loose rod = {
      .shape = FF_SHAPE_BOX, .size = {0.01, 0.02, 0.5}, .mass = 0.1, .material = ffi_hard_material(0, 0, 0)};
  ff_model *model = ffi_loose_model(1, &rod, 0);
  for (int k = 0; k < 2; ++k)
    for (int slow = 0; slow < 2; ++slow) {
      ff_sim_def def = ffi_c2a_case_def(ffi_c2a_case_steppers[k], 0.001);
      def.ground_count = 0;
      ff_sim *sim = ffi_must_sim(model, &def);
      ffi_loose_state at = {.velocity = {1, 2, 3}};
      for (int i = 0; i < 3; ++i)
        at.spin[i] = (slow ? 3 : 5000) * (i - 0.7);
      ffi_loose_reset(sim, 1, &at);
      double before[6], after[6];
      const double energy = ffi_loose_kinetic(1, &rod, &at);
      ffi_loose_momentum(1, &rod, &at, before);
      for (int i = 0; i < 200; ++i) {
        ffi_must_step(sim, NULL);
        ffi_loose_read(sim, 1, &at);
        assert_true(ffi_loose_kinetic(1, &rod, &at) <=
                    energy * (1 + (ffi_c2a_case_steppers[k] == FF_STEPPER_CA ? 1e-9 : 0.01)));
      }
      ffi_loose_momentum(1, &rod, &at, after);
      print_message("             %s: momentum off by %.1e of %.1e, energy %.6f\n",
                    ff_stepper_name(ffi_c2a_case_steppers[k]), ffi_gap(3, before + 3, after + 3),
                    ffi_size(3, before + 3), ffi_loose_kinetic(1, &rod, &at) / energy);
      if (slow)
        ffi_check_near("momentum", ffi_gap(3, before + 3, after + 3) / ffi_size(3, before + 3), 0,
                       ffi_c2a_case_steppers[k] == FF_STEPPER_CA ? 0.02 : 1e-3);
      ff_sim_destroy(sim);
    }
  ff_model_destroy(model);
}

// ---- Options -----------------------------------------------------------------------------------------------

static void dissipation_takes_its_share(void **state)
{
  (void)state;
  const ffi_loose ball = ffi_c2a_case_ball(0, 0);
  ff_model *model = ffi_loose_model(1, &ball, 0);
  for (int k = 0; k < 2; ++k)
    for (int is_rayleigh = 0; is_rayleigh < 2; ++is_rayleigh) {
      ff_sim_def def = ffi_c2a_case_def(ffi_c2a_case_steppers[k], 0.01);
      def.ground_count = 0;
      def.c2a.error_control = 0;
      *(is_rayleigh ? &def.c2a.rayleigh : &def.c2a.dissipation) = 0.1;
      ff_sim *sim = ffi_must_sim(model, &def);
      ffi_loose_state at = {.velocity = {1, 0, 0}};
      ffi_loose_reset(sim, 1, &at);
      ffi_must_run(sim, 20, NULL);
      ffi_loose_read(sim, 1, &at);
      const double want = is_rayleigh ? pow(1 + 0.01 * 0.1, -20) : pow(0.9, 20);
      ffi_check_near("speed", at.velocity[0], want, 1e-14);
      ff_sim_destroy(sim);
    }
  ff_model_destroy(model);
}

// Every accepted substep that is not of the shortest length meets the tolerance of the energy; a tenth of the
// tolerance takes more substeps.
static void energies_are_as_accurate_as_asked(void **state)
{
  (void)state;
  ff_model *model = ffi_double_pendulum();
  long long last = 0;
  for (int i = 0; i < 3; ++i) {
    ff_sim_def def = ffi_c2a_case_def(FF_STEPPER_C2A, 0.05);
    def.ground_count = 0;
    def.c2a.relative_error = pow(10, -2 - i);
    def.c2a.absolute_error = 1e-9;
    ff_sim *sim = ffi_must_sim(model, &def);
    const double q[2] = {0.7, -0.4}, v[2] = {1, 2};
    ffi_must_reset(sim, q, v);
    const double start = ff_sim_energy(sim).total;
    ffi_must_run(sim, 40, NULL);
    const ff_sim_totals t = ff_sim_get_totals(sim);
    print_message(
        "             %.0e: %lld substeps, %lld rejected, share %.2e, energy off by %.1e of %.1e J\n",
        def.c2a.relative_error, t.integrator_steps, t.rejected, t.energy_share,
        ff_sim_energy(sim).total - start, ff_sim_energy(sim).kinetic);
    assert_int_equal(t.tries[FF_C2A_FORCED], 0);
    assert_true(t.energy_share <= 1.01 * def.c2a.relative_error);
    assert_true(t.integrator_steps > 2 * last);
    last = t.integrator_steps;
    ff_sim_destroy(sim);
  }
  ff_model_destroy(model);
}

// The history lists the tries in order: a rejected try is longer than the next one, and the accepted ones add up to
// dt.
static void history_adds_up(void **state)
{
  (void)state;
  const ffi_loose ball = ffi_c2a_case_ball(0, 0.5);
  ff_model *model = ffi_loose_model(1, &ball, g);
  ff_sim_def def = ffi_c2a_case_def(FF_STEPPER_C2A, 0.05);
  ff_sim *sim = ffi_must_sim(model, &def);
  ffi_loose_state at = {.position = {0, 0, 0.2}};
  ffi_loose_reset(sim, 1, &at);
  int rejected = 0;
  for (int i = 0; i < 5; ++i) {
    ffi_must_step(sim, NULL);
    const ff_step_info *info = ff_sim_info(sim);
    int tries = 0;
    for (int r = 0; r < FF_C2A_REASON_COUNT; ++r)
      tries += info->tries[r];
    assert_int_equal(tries, info->integrator_steps + info->rejected);
    if (tries > FF_C2A_HISTORY)
      continue;
    double sum = 0;
    int count;
    const ff_c2a_try *history = ff_sim_history(sim, &count);
    assert_int_equal(count, tries);
    for (int j = 0; j < tries; ++j) {
      const ff_c2a_try *t = &history[j];
      const int is_taken = t->reason == FF_C2A_TAKEN || t->reason == FF_C2A_FORCED;
      sum += is_taken ? t->length : 0;
      rejected += !is_taken;
      assert_true(is_taken || history[j + 1].length < t->length);
    }
    ffi_check_near("sum", sum, def.dt, 1e-12);
  }
  assert_true(rejected > 0);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

// Algorithm 1: a substep is shorter than h_min only where something could be touched before, and then it is forced, as
// long as it is free but a hundredth of h_min at least; or at the end of dt.
static void ca_forces_what_could_touch(void **state)
{
  (void)state;
  const ffi_loose ball = ffi_c2a_case_ball(0, 0.5);
  ff_model *model = ffi_loose_model(1, &ball, g);
  ff_sim_def def = ffi_c2a_case_def(FF_STEPPER_CA, 0.01);
  ff_sim *sim = ffi_must_sim(model, &def);
  int forced = 0;
  for (int i = 0; i < 10; ++i) { // from here to the ground takes a part of h_min
    ffi_loose_state at = {.position = {0, 0, 0.1 + 2e-4},
                          .velocity = {0, 0, -2e-4 / (0.1 + 0.07 * i) / def.c2a.h_min}};
    ffi_loose_reset(sim, 1, &at);
    ffi_must_step(sim, NULL);
    int count;
    const ff_c2a_try *history = ff_sim_history(sim, &count);
    for (int j = 0; j + 1 < count; ++j) {
      const int is_short = history[j].length < def.c2a.h_min * (1 - 1e-9);
      forced += is_short;
      if (is_short != (history[j].reason == FF_C2A_FORCED && is_short) ||
          !(history[j].length >= 0.01 * def.c2a.h_min * (1 - 1e-9)))
        fail_msg("step %d: a substep of %g s, reason %d", i, history[j].length, (int)history[j].reason);
    }
  }
  print_message("%d substeps shorter than h_min\n", forced);
  assert_true(forced > 0);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

// A plate that lands flat on more points than max_contacts: refused, and it does not sink in.
static void what_has_no_room_is_refused(void **state)
{
  (void)state;
  const ffi_loose plate = {
      .shape = FF_SHAPE_BOX, .size = {1, 1, 0.1}, .mass = 1, .material = ffi_hard_material(0, 0, 0)};
  ff_model *model = ffi_loose_model(1, &plate, g);
  for (int k = 0; k < 2; ++k) {
    ff_sim_def def = ffi_c2a_case_def(ffi_c2a_case_steppers[k], 0.01);
    def.max_contacts = 2;
    ff_sim *sim = ffi_must_sim(model, &def);
    ffi_loose_state at = {.position = {0, 0, 0.2}};
    ff_error error;
    ff_status status = FF_OK;
    ffi_loose_reset(sim, 1, &at);
    for (int i = 0; i < 100 && status == FF_OK; ++i)
      status = ff_sim_step(sim, NULL, &error);
    ffi_loose_read(sim, 1, &at);
    assert_int_equal(status, FF_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "max_contacts"));
    assert_true(at.position[2] > 0.05);
    ff_sim_destroy(sim);
  }
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(h_min_of_dt_is_plain_time_stepping),
      cmocka_unit_test(with_h_min_of_dt_both_are_one),
      cmocka_unit_test(h_min_beyond_dt_changes_nothing),
      cmocka_unit_test(orders_are_one_and_two),
      cmocka_unit_test(a_flight_is_exact),
      cmocka_unit_test(spins_do_not_blow_up),
      cmocka_unit_test(dissipation_takes_its_share),
      cmocka_unit_test(energies_are_as_accurate_as_asked),
      cmocka_unit_test(history_adds_up),
      cmocka_unit_test(ca_forces_what_could_touch),
      cmocka_unit_test(what_has_no_room_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
