// c2a's extrapolation is of second order, ca of first, for joints of all kinds.
#include "support/must.h"
#include "support/near.h"
#include "support/random_model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const ff_stepper both[2] = {FF_STEPPER_CA, FF_STEPPER_C2A};

static ff_sim_def def_of(ff_stepper stepper, double dt)
{
  ff_sim_def def = ff_sim_def_default();
  def.stepper = stepper;
  def.dt = dt;
  def.ground_count = 0;
  def.c2a.error_control = 0;
  return def;
}

// Joints of all kinds, floating and in chains: extrapolation is of second order on their groups too. How far a forest is from where rk4 has it after 0.02 s, in velocities of the joints
// and, on the way between both, in positions.
static double stray(const ffi_forest *forest, ff_stepper stepper, int steps, const double *q, const double *v,
                    const double *truth)
{
  const ff_model_size size = ff_model_get_size(forest->model);
  const ff_sim_def def = def_of(stepper, 0.02 / steps);
  ff_sim *sim = ffi_must_sim(forest->model, &def);
  double way[FFI_FOREST_LINKS * 6], most = 0;
  ffi_must_reset(sim, q, v);
  ffi_must_run(sim, steps, NULL);
  ff_model_difference(forest->model, truth, ff_sim_q(sim), way);
  for (int i = 0; i < size.nv; ++i)
    most = fmax(most, fmax(fabs(way[i]), 0.02 * fabs(ff_sim_v(sim)[i] - truth[size.nq + i])));
  ff_sim_destroy(sim);
  return most;
}

static void all_joints_have_the_order(void **state)
{
  (void)state;
  for (int i = 0; i < 12; ++i) {
    ffi_forest forest;
    ffi_forest_make(&(ffi_forest_def){.seed = (uint64_t)i + 1, .links = 1 + i / 2, .is_unloaded = i % 2},
                    &forest);
    const ff_model_size size = ff_model_get_size(forest.model);
    ffi_random random = ffi_random_seed((uint64_t)i);
    double q[FFI_FOREST_LINKS * 7], v[FFI_FOREST_LINKS * 6], truth[FFI_FOREST_LINKS * 13];
    ffi_random_q(&random, forest.model, q);
    ffi_random_vector(&random, size.nv, 3, v);
    const ff_sim_def def = def_of(FF_STEPPER_RK4, 1e-4);
    ff_sim *sim = ffi_must_sim(forest.model, &def);
    ffi_must_reset(sim, q, v);
    ffi_must_run(sim, 200, NULL);
    memcpy(truth, ff_sim_q(sim), (size_t)size.nq * sizeof *truth);
    memcpy(truth + size.nq, ff_sim_v(sim), (size_t)size.nv * sizeof *truth);
    ff_sim_destroy(sim);
    for (int k = 0; k < 2; ++k) {
      const double coarse = stray(&forest, both[k], 20, q, v, truth),
                   fine = stray(&forest, both[k], 40, q, v, truth), order = log2(coarse / fine);
      print_message("             forest %d, %d velocities, %s: %.2e %.2e, order %.2f\n", i, size.nv,
                    ff_stepper_name(both[k]), coarse, fine, order);
      if (coarse > 1e-12) // else it is exact: a joint that turns or slides evenly
        ffi_check_near("order", order, both[k] == FF_STEPPER_CA ? 1 : 2, 0.15);
    }
    ffi_forest_free(&forest);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_joints_have_the_order)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
