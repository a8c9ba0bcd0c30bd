// Memory: the arena, blocks, growing arrays, the table of names, the clock.
#include "base/arena.h"

#include "base/block.h"
#include "base/clock.h"
#include "base/grow.h"
#include "base/names.h"
#include "support/alloc_counter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void pieces_are_aligned_zero_and_apart(void **state)
{
  enum { N = 3000 };
  static unsigned char *pieces[N];
  static size_t sizes[N];
  (void)state;
  ffi_arena arena = {0};
  for (size_t i = 0; i < N; ++i) {
    sizes[i] = (i * 7919) % 977 + (i % 500 == 0 ? 100000 : 0);
    pieces[i] = ffi_arena_take(&arena, sizes[i], 1);
    assert_non_null(pieces[i]);
    assert_int_equal((uintptr_t)pieces[i] % _Alignof(max_align_t), 0);
    for (size_t k = 0; k < sizes[i]; ++k) {
      assert_int_equal(pieces[i][k], 0);
      pieces[i][k] = (unsigned char)(i % 251 + 1);
    }
  }
  for (size_t i = 0; i < N; ++i) // none overwrote another
    for (size_t k = 0; k < sizes[i]; ++k)
      assert_int_equal(pieces[i][k], i % 251 + 1);
  ffi_arena_free(&arena);
  assert_null(arena.chunks);
  ffi_arena_free(&arena);
}

static void many_pieces_cost_few_allocations(void **state)
{
  (void)state;
  if (!ffi_test_alloc_works())
    skip();
  ffi_arena arena = {0};
  const long before = ffi_test_alloc_count();
  for (int i = 0; i < 100000; ++i)
    assert_non_null(ffi_arena_string(&arena, "sixteen letters."));
  assert_true(ffi_test_alloc_count() - before < 16);
  ffi_arena_free(&arena);
}

static void impossible_sizes_are_refused(void **state)
{
  (void)state;
  ffi_arena arena = {0};
  assert_null(ffi_arena_take(&arena, SIZE_MAX, 1));
  assert_null(ffi_arena_take(&arena, SIZE_MAX / 2, 3));
  assert_null(ffi_arena_take(&arena, 1, SIZE_MAX));
  ffi_test_alloc_fail_at(1);
  char *none = ffi_arena_string(&arena, "text");
  if (ffi_test_alloc_failed())
    assert_null(none);
  assert_string_equal(ffi_arena_string(&arena, "text"), "text");
  ffi_arena_free(&arena);
}

static size_t lay_out(ffi_block *block, int **numbers, double **reals, const char **text)
{
  *numbers = ffi_block_take(block, 3, sizeof **numbers);
  *reals = ffi_block_take(block, 5, sizeof **reals);
  *text = ffi_block_string(block, "hello");
  assert_null(ffi_block_string(block, NULL));
  return block->used;
}

static void a_block_measures_what_it_places(void **state)
{
  (void)state;
  int *numbers;
  double *reals;
  const char *text;
  ffi_block measure = {0};
  const size_t size = lay_out(&measure, &numbers, &reals, &text);
  assert_null(numbers);
  assert_null(text);
  ffi_block memory = {.base = calloc(1, size)};
  assert_non_null(memory.base);
  assert_int_equal(lay_out(&memory, &numbers, &reals, &text), size);
  assert_int_equal(((char *)reals - memory.base) % FFI_BLOCK_ALIGN, 0);
  assert_true((char *)reals >= (char *)(numbers + 3));
  assert_string_equal(text, "hello");
  assert_true(text + 6 == memory.base + size);
  free(memory.base);
}

static void arrays_grow_and_survive_failure(void **state)
{
  (void)state;
  int *items = NULL, count = 0, capacity = 0;
  for (int i = 0; i < 1000; ++i) {
    void *moved = ffi_grow(items, count, &capacity, sizeof *items);
    assert_non_null(moved);
    items = moved;
    items[count++] = i;
  }
  const int full = capacity;
  count = capacity;
  assert_null(ffi_grow(items, count, &capacity, SIZE_MAX / 4));
  assert_int_equal(capacity, full);
  for (int i = 0; i < 1000; ++i)
    assert_int_equal(items[i], i);
  free(items);
  capacity = INT_MAX;
  assert_null(ffi_grow(NULL, INT_MAX, &capacity, 1));
}

static void names_are_found_among_many(void **state)
{
  enum { N = 20000 };
  static char keys[N][16];
  (void)state;
  ffi_names names = {0};
  assert_int_equal(ffi_names_find(&names, "x"), -1);
  for (int i = 0; i < N; ++i) {
    snprintf(keys[i], sizeof keys[i], "link%d", i);
    assert_int_equal(ffi_names_find(&names, keys[i]), -1);
    assert_true(ffi_names_reserve(&names));
    ffi_names_put(&names, keys[i], i);
  }
  for (int i = 0; i < N; ++i)
    assert_int_equal(ffi_names_find(&names, keys[i]), i);
  assert_int_equal(ffi_names_find(&names, ""), -1);
  assert_int_equal(ffi_names_find(&names, "link"), -1);
  ffi_names_free(&names);
}

static void a_table_without_memory_stays_as_it_was(void **state)
{
  (void)state;
  if (!ffi_test_alloc_works())
    skip();
  char keys[32][12];
  ffi_names names = {0};
  for (int i = 0; i < 32; ++i) { // the first table is full after 32
    snprintf(keys[i], sizeof keys[i], "%d", i);
    assert_true(ffi_names_reserve(&names));
    ffi_names_put(&names, keys[i], i);
  }
  ffi_test_alloc_fail_at(1);
  assert_false(ffi_names_reserve(&names));
  assert_true(ffi_test_alloc_failed());
  for (int i = 0; i < 32; ++i)
    assert_int_equal(ffi_names_find(&names, keys[i]), i);
  assert_true(ffi_names_reserve(&names));
  ffi_names_free(&names);
}

static void the_clock_goes_forward(void **state)
{
  (void)state;
  double last = ffi_clock_seconds();
  for (int i = 0; i < 1000; ++i) {
    double now = ffi_clock_seconds();
    assert_true(now >= last);
    last = now;
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pieces_are_aligned_zero_and_apart),
      cmocka_unit_test(many_pieces_cost_few_allocations),
      cmocka_unit_test(impossible_sizes_are_refused),
      cmocka_unit_test(a_block_measures_what_it_places),
      cmocka_unit_test(arrays_grow_and_survive_failure),
      cmocka_unit_test(names_are_found_among_many),
      cmocka_unit_test(a_table_without_memory_stays_as_it_was),
      cmocka_unit_test(the_clock_goes_forward),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
