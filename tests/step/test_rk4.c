// Runge-Kutta of order 4 on the group: its order in flight, stance, slip and rolling, closed forms, and anchors that settle faster than a step.

#include "step/group_rate.h"
#include "step/loose.h"
#include "step/physics.h"
#include "support/near.h"
#include "support/random_model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static const ff_stepper stepper = FF_STEPPER_RK4;

// q (+) x moves with v when x moves with the rate: central differences in a model with every kind of joint. The rate's own error is of the fourth
// order in x, with a factor of 1/720.
static void group_rates(void **state)
{
  (void)state;
  ffi_margin margin = {.what = "rate on the group", .tolerance = 1e-8};
  for (int k = 0; k < 40; ++k) {
    ffi_forest *forest = malloc(sizeof *forest);
    assert_non_null(forest);
    ffi_forest_make(&(ffi_forest_def){.seed = (uint64_t)k, .links = 8}, forest);
    const ff_model_size size = ff_model_get_size(forest->model);
    const size_t nv = (size_t)size.nv, nq = (size_t)size.nq;
    double *all = malloc((6 * nv + 3 * nq + 1) * sizeof *all);
    assert_non_null(all);
    double *x = all, *v = x + nv, *rate = v + nv, *moved = rate + nv, *got = moved + nv, *q = got + nv,
           *before = q + nq, *after = before + nq;
    ffi_random random = ffi_random_seed((uint64_t)(1000 + k));
    const double h = 1e-4;
    ffi_random_q(&random, forest->model, q);
    ffi_random_vector(&random, size.nv, 0.02, x);
    ffi_random_vector(&random, size.nv, 1, v);
    ffi_group_rate(forest->model, x, v, rate);
    for (int side = -1; side <= 1; side += 2) {
      for (int i = 0; i < size.nv; ++i)
        moved[i] = x[i] + side * h * rate[i];
      ff_model_integrate(forest->model, q, moved, side < 0 ? before : after);
    }
    ff_model_difference(forest->model, before, after, got);
    for (int i = 0; i < size.nv; ++i)
      got[i] /= 2 * h;
    ffi_margin_add(&margin, ffi_gap(size.nv, got, v), k);
    free(all);
    ffi_forest_free(forest);
    free(forest);
  }
  ffi_margin_check(&margin);
}

static void has_order_4(void **state)
{
  (void)state;
  assert_true(fabs(ffi_physics_flight(stepper) - 4) < 0.2);
  assert_true(fabs(ffi_physics_stance(stepper) - 4) < 0.4);
  assert_true(fabs(ffi_physics_slip(stepper) - 4) < 0.2);
  assert_true(fabs(ffi_physics_roll(stepper) - 4) < 0.2);
}

// An error of the fourth order over 20 rad/s and a second: 20 (20 dt)^4 / 120 of 0.025 m.
static void follows_a_mass_on_the_floor(void **state)
{
  (void)state;
  const double coarse = ffi_physics_mass_on_floor(stepper, 1e-2),
               fine = ffi_physics_mass_on_floor(stepper, 5e-3);
  print_message("  errors %.2e, %.2e m\n", coarse, fine);
  assert_true(coarse < 7e-6 && fabs(log2(coarse / fine) - 4) < 0.2);
}

static void does_not_creep(void **state)
{
  (void)state;
  const double way = ffi_physics_creep(stepper, 1e-3, 60);
  print_message("  %.1e m in a second\n", way);
  assert_true(way < 1e-15);
}

// Also with anchors that settle in 1/2 ms, in 1/100 ms and at once, where steps are 1 ms.
static void slides(void **state)
{
  (void)state;
  static const double dampings[] = {60, 5, 0.1, 0};
  for (int k = 0; k < 4; ++k) {
    const double error = ffi_physics_sliding(stepper, 1e-3, dampings[k]);
    print_message("  damping %g: acceleration wrong by %.1e of it\n", dampings[k], error);
    assert_true(error < (k < 2 ? 1e-6 : 1e-2)); // without damping the block still bounces on its springs
  }
}

static void keeps_nothing_from_step_to_step(void **state)
{
  (void)state;
  ffi_physics_nothing_lingers(stepper);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(group_rates),    cmocka_unit_test(has_order_4),
      cmocka_unit_test(does_not_creep), cmocka_unit_test(follows_a_mass_on_the_floor),
      cmocka_unit_test(slides),         cmocka_unit_test(keeps_nothing_from_step_to_step),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
