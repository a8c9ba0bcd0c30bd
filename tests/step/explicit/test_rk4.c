// Runge-Kutta of order 4 on the group: its order in flight, stance, slip and rolling, closed forms, and anchors that settle faster than a step.

#include "step/explicit/group_rate.h"
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

// On the floor: what the test of the fourth order below leaves for its finer steps. Sliding also with anchors that settle in 1/2 ms, in 1/100 ms and at once, where
// steps are 1 ms; without damping the block still bounces on its springs.
static const ffi_physics_bar bar = {.stepper = FF_STEPPER_RK4,
                                    .order = 4,
                                    .slack = 0.2,
                                    .stance_slack = 0.4,
                                    .floor_error = 5.1e-7,
                                    .dt = 1e-3,
                                    .creep = {{60, 1e-15}},
                                    .sliding = {{60, 1e-6}, {5, 1e-6}, {0.1, 1e-2}, {0, 1e-2}}};

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

// An error of the fourth order over 20 rad/s and a second: 20 (20 dt)^4 / 120 of 0.025 m.
static void follows_a_mass_to_the_fourth_order(void **state)
{
  (void)state;
  const double coarse = ffi_physics_mass_on_floor(stepper, 1e-2),
               fine = ffi_physics_mass_on_floor(stepper, 5e-3);
  print_message("  errors %.2e, %.2e m\n", coarse, fine);
  assert_true(coarse < 7e-6 && fabs(log2(coarse / fine) - 4) < 0.2);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(group_rates),
      cmocka_unit_test(follows_a_mass_to_the_fourth_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL) + ffi_physics_run(&bar);
}
