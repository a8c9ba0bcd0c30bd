// A step depends on the state and on nothing else, with every stepper, also where its solver does not converge: from
// violent starts, every step is taken by a used sim and by a fresh one that is given the state. Joints come near their
// stops and leave them again within the iterations of a step; properties/contact/test_implicit_state.c has towers.
#include "properties/violent/violent.h"
#include "support/must.h"
#include "support/samples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Takes steps until one fails; returns how many did not converge.
static int run(uint64_t seed, ff_stepper stepper, double dt, int steps)
{
  ffi_violent start;
  ffi_violent_make(seed, &start);
  ff_sim_def def = ffi_violent_def(&start, stepper, dt);
  def.ess.max_steps = 200; // a step that fails must fail alike
  ff_sim *used = ffi_violent_sim(&start, &def);
  const size_t bytes = (size_t)ff_sim_state_size(used) * sizeof(double);
  double *before = malloc(bytes), *after = malloc(bytes), *own = malloc(bytes);
  assert_true(before && after && own);
  ff_status status = FF_OK;
  int unconverged = 0;
  for (int k = 0; k < steps && status == FF_OK; ++k) {
    ff_error error;
    ff_sim *fresh = ffi_violent_sim(&start, &def);
    ff_sim_get_state(used, before);
    ffi_must(ff_sim_set_state(fresh, before, &error), &error);
    status = ff_sim_step(used, NULL, &error);
    assert_int_equal(ff_sim_step(fresh, NULL, &error), status);
    unconverged += !ff_sim_info(used)->converged;
    ff_sim_get_state(used, after);
    ff_sim_get_state(fresh, own);
    if (memcmp(after, own, bytes) != 0)
      fail_msg("%s, start %d, step %d: a fresh sim goes another way", ff_stepper_name(stepper), (int)seed, k);
    ff_sim_destroy(fresh);
  }
  free(before), free(after), free(own);
  ff_sim_destroy(used);
  ffi_violent_free(&start);
  return unconverged;
}

// Chains, whose joints come within reach of their stops while Newton goes on. In the first, rows of joints that were
// not there when the tangent was taken had that of an earlier step.
static void implicit_remembers_no_tangent(void **state)
{
  (void)state;
  static const uint64_t seeds[] = {1, 41, 169}; // chains, seed % FFI_VIOLENT_KINDS == 1
  int unconverged = 0;
  for (int i = 0; i < 3; ++i)
    unconverged += run(seeds[i], FF_STEPPER_IMPLICIT, 1e-2, 16);
  for (int k = 0; k < ffi_samples(4); ++k)
    unconverged += run(1 + (uint64_t)(FFI_VIOLENT_KINDS * (k + 50)), FF_STEPPER_IMPLICIT, 1e-2, 16);
  if (ffi_samples_are_usual())
    assert_true(unconverged > 0); // else nothing was hard
}

static void every_stepper_remembers_nothing(void **state)
{
  (void)state;
  for (int i = 0; i < FF_STEPPER_COUNT; ++i)
    for (int k = 0; k < ffi_samples(4); ++k)
      run((uint64_t)k, (ff_stepper)i, 2e-3, 2);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(implicit_remembers_no_tangent),
      cmocka_unit_test(every_stepper_remembers_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
