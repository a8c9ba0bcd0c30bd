// The allocation counter counts, and fails what it was told to fail.

#include "support/alloc_counter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void *volatile keep; // so that no allocation is optimised away

static void every_kind_is_counted(void **state)
{
  void *aligned = NULL;
  (void)state;
  const long before = ffi_test_alloc_count(), freed = ffi_test_free_count();
  keep = malloc(8);
  keep = realloc(keep, 16);
  free(keep);
  keep = calloc(2, 8);
  free(keep);
  keep = aligned_alloc(64, 64);
  free(keep);
  assert_int_equal(posix_memalign(&aligned, 64, 64), 0);
  free(aligned);
  free(NULL);
  assert_int_equal(ffi_test_alloc_count() - before, 5);
  assert_int_equal(ffi_test_free_count() - freed, 4);
}

static void the_chosen_one_fails(void **state)
{
  (void)state;
  ffi_test_alloc_fail_at(2);
  void *volatile first = malloc(8);
  void *volatile second = calloc(1, 8);
  void *volatile third = malloc(8);
  assert_non_null(first);
  assert_null(second);
  assert_non_null(third);
  assert_true(ffi_test_alloc_failed());
  free(first);
  free(third);
}

static void a_failure_can_be_called_off(void **state)
{
  (void)state;
  ffi_test_alloc_fail_at(1);
  assert_false(ffi_test_alloc_failed());
  keep = malloc(8);
  assert_non_null(keep);
  free(keep);
}

static void the_most_bytes_are_those_held_at_once(void **state)
{
  (void)state;
  if (!ffi_test_alloc_works())
    skip();
  (void)ffi_test_alloc_most_bytes();
  for (int i = 0; i < 3; ++i) {
    keep = malloc(100000);
    free(keep);
  }
  const long one = ffi_test_alloc_most_bytes();
  assert_in_range(one, 100000, 110000);
  keep = malloc(100000);
  keep = realloc(keep, 200000);
  free(keep);
  assert_in_range(ffi_test_alloc_most_bytes(), 300000, 320000);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_kind_is_counted),
      cmocka_unit_test(the_chosen_one_fails),
      cmocka_unit_test(a_failure_can_be_called_off),
      cmocka_unit_test(the_most_bytes_are_those_held_at_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
