// Only create asks for memory, and it says so when there is none.

#include "dynamics/cases.h"
#include "dynamics/kernel_outputs.h"
#include "support/alloc_counter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void count(ffi_case *c, void *data)
{
  const ff_dynamics_def def = {.lanes = *(const int *)data, .max_points = FFI_OUTPUT_POINTS};
  ff_dynamics *dynamics;
  assert_int_equal(ff_dynamics_create(c->model, &def, &dynamics, NULL), FF_OK);
  ffi_lane_state state = ffi_lane_state_make(c->model, ff_dynamics_lanes(dynamics), &c->random);
  ffi_outputs out = ffi_outputs_make(c->model, ff_dynamics_lanes(dynamics));
  const long allocations = ffi_test_alloc_count(), frees = ffi_test_free_count();
  ffi_outputs_compute(dynamics, c->model, &state, 0, &out);
  ffi_outputs_compute(dynamics, c->model, &state, 1, &out);
  assert_int_equal(ffi_test_alloc_count(), allocations);
  assert_int_equal(ffi_test_free_count(), frees);
  ffi_outputs_free(&out);
  ffi_lane_state_free(&state);
  ff_dynamics_destroy(dynamics);
}

static void kernels_allocate_nothing(void **state)
{
  (void)state;
  if (!ffi_test_alloc_works())
    skip();
  for (int wide = 0; wide < 2; ++wide) {
    int lanes = wide ? FF_LANES_WIDE : 1;
    ffi_for_each_case(20, count, &lanes);
  }
}

static void destroy_frees_what_create_allocates(void **state)
{
  ffi_forest forest;
  ff_dynamics *dynamics = NULL;
  (void)state;
  if (!ffi_test_alloc_works())
    skip();
  ffi_forest_number(7, 1, &forest);
  const long allocations = ffi_test_alloc_count(), frees = ffi_test_free_count();
  assert_int_equal(ff_dynamics_create(forest.model, NULL, &dynamics, NULL), FF_OK);
  assert_true(ffi_test_alloc_count() > allocations);
  ff_dynamics_destroy(dynamics);
  assert_int_equal(ffi_test_free_count() - frees, ffi_test_alloc_count() - allocations);
  ffi_forest_free(&forest);
}

static void no_memory_is_an_error(void **state)
{
  ffi_forest forest;
  (void)state;
  if (!ffi_test_alloc_works())
    skip();
  ffi_forest_number(7, 1, &forest);
  const long before = ffi_test_alloc_count() - ffi_test_free_count();
  long failed = 0; // those are counted as allocations too
  for (long n = 1;; ++n) {
    ff_dynamics *dynamics = (ff_dynamics *)&forest; // create must not leave this
    ff_error error = {.status = FF_OK};
    ffi_test_alloc_fail_at(n);
    const ff_status status = ff_dynamics_create(forest.model, NULL, &dynamics, &error);
    if (!ffi_test_alloc_failed()) { // fewer than n allocations: all of them were tried
      assert_int_equal(status, FF_OK);
      assert_true(failed > 0);
      ff_dynamics_destroy(dynamics);
      break;
    }
    ++failed;
    assert_int_equal(status, FF_ERROR_MEMORY);
    assert_int_equal(error.status, FF_ERROR_MEMORY);
    assert_non_null(strstr(error.message, "memory"));
    assert_null(dynamics);
  }
  assert_int_equal(ffi_test_alloc_count() - ffi_test_free_count(), before + failed);
  ffi_forest_free(&forest);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kernels_allocate_nothing),
      cmocka_unit_test(destroy_frees_what_create_allocates),
      cmocka_unit_test(no_memory_is_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
