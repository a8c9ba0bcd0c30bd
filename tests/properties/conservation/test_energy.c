// Energy changes by the power of the joints' forces and dampers, and by nothing else.

#include "properties/conservation/free_motion.h"
#include "support/near.h"
#include "support/random_model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static double *vector(ffi_random *random, int count, double size)
{
  double *out = calloc((size_t)count + 1, sizeof *out);
  assert_non_null(out);
  ffi_random_vector(random, count, size, out);
  return out;
}

// How far energy minus work strays from where it began, looked at five times during a tenth of a second of
// `steps` steps; relative to the energies that were exchanged.
static double drift(const ff_model *model, const double *q, const double *v, const double *tau, int steps)
{
  enum { LOOKS = 5 };
  ffi_free_motion m = ffi_free_motion_begin(model, q, v, tau);
  const double before = ffi_free_motion_energy(&m);
  double kinetic, worst = 0, size;
  ff_dynamics_kinetic_energy(m.dynamics, &kinetic);
  size = kinetic + fabs(before);
  for (int k = 0; k < LOOKS; ++k) {
    ffi_free_motion_run(&m, steps / LOOKS, 0.1 / steps);
    const double now = ffi_free_motion_energy(&m);
    worst = fmax(worst, fabs(now - before - m.work));
    size = fmax(size, fabs(now) + fabs(m.work));
  }
  ffi_free_motion_end(&m);
  return worst / size;
}

// The balance is exact for the true motion, so a method of order four misses it by h^4: halving the step must
// divide the drift by 16, and the rest is rounding.
static void energy_balances_with_order_four(void **state)
{
  ffi_margin order = {.what = "drift of energy, h/2 over h", .tolerance = 1.0 / 11};
  ffi_margin rest = {.what = "drift of energy at the smallest step", .tolerance = 1e-9};
  int measured = 0;
  (void)state;
  for (int i = 0; i < 40; ++i) {
    ffi_forest forest;
    ffi_forest_number(i, 1, &forest);
    const ff_model_size size = ff_model_get_size(forest.model);
    ffi_random random = ffi_random_seed((uint64_t)i);
    double *q = vector(&random, size.nq, 0), *v = vector(&random, size.nv, 1),
           *tau = vector(&random, size.nv, 1);
    ffi_random_q(&random, forest.model, q);
    for (int k = 0; k < size.nv; ++k)
      v[k] /= 1 + 0.1 * size.nv; // speeds add up along a chain; keep the tips within a few turns a second
    double error = drift(forest.model, q, v, tau, 25);
    for (int steps = 50; steps <= 1600 && error > 1e-11; steps *= 2) {
      const double finer = drift(forest.model, q, v, tau, steps);
      // Far from rounding (1e-11) and already in the asymptotic range (1e-8) the ratio tells the order.
      if (error < 1e-8 && finer > 2e-13) {
        ffi_margin_add(&order, finer / error, i);
        ++measured;
      }
      error = finer;
    }
    ffi_margin_add(&rest, error, i);
    free(q);
    free(v);
    free(tau);
    ffi_forest_free(&forest);
  }
  assert_true(measured > 20);
  ffi_margin_check(&order);
  ffi_margin_check(&rest);
}

// At one instant: the slope of energy along the motion that aba gives is the power. Differences over four
// points.
static void energy_rate_is_power(void **state)
{
  static const double where[4] = {-2, -1, 1, 2}, weight[4] = {1, -8, 8, -1};
  ffi_margin margin = {.what = "slope of energy against power", .tolerance = 1e-9};
  (void)state;
  for (int i = 0; i < 60; ++i) {
    ffi_forest forest;
    ffi_forest_number(i, 1, &forest);
    const ff_model_size size = ff_model_get_size(forest.model);
    ffi_random random = ffi_random_seed((uint64_t)i + 500);
    double *q = vector(&random, size.nq, 0), *v = vector(&random, size.nv, 1),
           *tau = vector(&random, size.nv, 5);
    double *vdot = vector(&random, size.nv, 0), *step = vector(&random, size.nv, 0), rates = 0, slope = 0,
           energy = 0;
    ffi_random_q(&random, forest.model, q);
    ffi_free_motion m = ffi_free_motion_begin(forest.model, q, v, tau);
    ff_dynamics_aba(m.dynamics, q, v, tau, vdot);
    for (int k = 0; k < size.nv; ++k)
      rates += fabs(v[k]) + sqrt(fabs(vdot[k]));
    const double h =
        0.01 / rates; // how long it takes to change by a hundredth: h^4/30 of the energy is 3e-10 of it
    for (int s = 0; s < 4; ++s) {
      for (int k = 0; k < size.nv; ++k) {
        step[k] = where[s] * h * v[k];
        m.v[k] = v[k] + where[s] * h * vdot[k];
      }
      ff_model_integrate(forest.model, q, step, m.q);
      const double now = ffi_free_motion_energy(&m);
      slope += weight[s] * now / (12 * h);
      energy = fmax(energy, fabs(now));
    }
    ffi_margin_add(&margin, fabs(slope - ffi_free_motion_power(&m, v)) / (energy * rates), i);
    ffi_free_motion_end(&m);
    free(q);
    free(v);
    free(tau);
    free(vdot);
    free(step);
    ffi_forest_free(&forest);
  }
  ffi_margin_check(&margin);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(energy_rate_is_power),
      cmocka_unit_test(energy_balances_with_order_four),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
