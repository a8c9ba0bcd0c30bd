// Checksums of logs: no flipped bit, no two exchanged words, no missing end goes unnoticed.
#include "io/log/log_sum.h"
#include "support/random_state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 200 };

static uint64_t sum_of(const void *bytes, size_t size)
{
  return ffi_log_sum_add(ffi_log_sum_begin(1), bytes, size);
}

// Every bit of blocks of every length, whole words and not.
static void every_bit_counts(void **state)
{
  ffi_random random = ffi_random_seed(1);
  unsigned char bytes[MOST];
  (void)state;
  for (size_t i = 0; i < sizeof bytes; ++i)
    bytes[i] = (unsigned char)ffi_random_below(&random, 256);
  for (size_t size = 1; size <= sizeof bytes; ++size) {
    const uint64_t sum = sum_of(bytes, size);
    for (size_t bit = 0; bit < 8 * size; ++bit) {
      bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
      assert_true(sum_of(bytes, size) != sum);
      bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
  }
}

// Where Fletcher's sum is blind: words in another order, all zeros for all ones, zeros behind the end.
static void order_and_length_count(void **state)
{
  uint64_t words[MOST / 8];
  ffi_random random = ffi_random_seed(2);
  (void)state;
  for (size_t i = 0; i < MOST / 8; ++i)
    words[i] = ffi_random_bits(&random);
  const uint64_t sum = sum_of(words, sizeof words);
  for (size_t i = 0; i < MOST / 8; ++i)
    for (size_t k = 0; k < i; ++k) {
      const uint64_t kept = words[i];
      words[i] = words[k];
      words[k] = kept;
      assert_true(sum_of(words, sizeof words) != sum);
      words[k] = words[i];
      words[i] = kept;
    }
  assert_true(sum_of(words, sizeof words) == sum);
  for (size_t size = 0; size < MOST; ++size) {
    unsigned char none[MOST] = {0}, all[MOST];
    memset(all, 0xff, sizeof all);
    assert_true(sum_of(none, size) != sum_of(none, size + 1));
    assert_true(size == 0 || sum_of(none, size) != sum_of(all, size));
  }
}

// A row in another row's place, and blocks cut at another place.
static void place_counts(void **state)
{
  const double numbers[4] = {1, 2, 3, 4};
  (void)state;
  assert_true(ffi_log_sum_begin(1) != ffi_log_sum_begin(2));
  const uint64_t one = ffi_log_sum_add(ffi_log_sum_add(0, numbers, 8), numbers + 1, 24),
                 other = ffi_log_sum_add(ffi_log_sum_add(0, numbers, 16), numbers + 2, 16);
  assert_true(one != other);
}

// Logs that were written stay readable: the sum of known bytes is what it was.
static void it_stays_the_same(void **state)
{
  unsigned char bytes[100];
  (void)state;
  for (int i = 0; i < 100; ++i)
    bytes[i] = (unsigned char)i;
  assert_true(sum_of(bytes, sizeof bytes) == UINT64_C(0x38b76636cc2ea163));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_bit_counts),
      cmocka_unit_test(order_and_length_count),
      cmocka_unit_test(place_counts),
      cmocka_unit_test(it_stays_the_same),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
