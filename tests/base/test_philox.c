// Random numbers by counter: the known answers of Philox4x32-10, and draws that are even and independent.
#include "base/philox.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

// From the tests of Random123, the authors' library (kat_vectors, philox4x32 10).
static void answers_are_the_known_ones(void **state)
{
  (void)state;
  static const struct {
    uint32_t counter[4], key[2], out[4];
  } known[] = {
      {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
      {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
       {0xffffffff, 0xffffffff},
       {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
      {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
       {0xa4093822, 0x299f31d0},
       {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
  };
  for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i) {
    uint32_t out[4];
    ffi_philox(known[i].counter, known[i].key, out);
    for (int k = 0; k < 4; ++k)
      assert_int_equal(out[k], known[i].out[k]);
  }
}

// What a seed gives must never change: studies are repeated by it.
static void draws_are_the_same_in_every_version(void **state)
{
  (void)state;
  assert_true(ffi_philox_uniform(0, 0, 0, 0) == (double)(0xe169c58d6627e8d5u >> 11) * 0x1p-53);
  assert_int_equal(ffi_philox_stream(""), 0x811c9dc5);
  assert_int_equal(ffi_philox_stream("a"), 0xe40c292c); // published values of FNV-1a
  assert_int_equal(ffi_philox_stream("foobar"), 0xbf9cf968);
}

static int compare(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// Kolmogorov's distance from the uniform distribution: above 2 / sqrt(N) with a probability of 7e-4. Along runs, along
// numbers of a field and along seeds.
static void draws_are_even(void **state)
{
  (void)state;
  enum { COUNT = 20000 };
  static double x[COUNT];
  for (int along = 0; along < 3; ++along) {
    double distance = 0;
    for (uint32_t i = 0; i < COUNT; ++i)
      x[i] = ffi_philox_uniform(along == 2 ? i : 1, along == 0 ? i : 7, 99, along == 1 ? i : 0);
    qsort(x, COUNT, sizeof x[0], compare);
    assert_true(x[0] >= 0 && x[COUNT - 1] < 1);
    for (int i = 0; i < COUNT; ++i) {
      const double apart = fmax(x[i] - (double)i / COUNT, (i + 1.0) / COUNT - x[i]);
      if (apart > distance) // with fmax() gcc 12 for 64-bit ARM fails here
        distance = apart;
    }
    if (distance > 2 / sqrt(COUNT))
      fail_msg("along %d: distance %g", along, distance);
  }
}

// Correlation of neighbours: a standard deviation of 1 / sqrt(N); four of them.
static void neighbours_are_independent(void **state)
{
  (void)state;
  enum { COUNT = 20000 };
  for (int next = 0; next < 4; ++next) { // the next run, field, number, seed
    double sum = 0;
    for (uint32_t i = 0; i < COUNT; ++i) {
      const double a = ffi_philox_uniform(3, i, 5, 0);
      const double b = ffi_philox_uniform(3 + (next == 3), i + (next == 0), 5 + (next == 1), next == 2);
      sum += 12 * (a - 0.5) * (b - 0.5);
    }
    if (fabs(sum / COUNT) > 4 / sqrt(COUNT))
      fail_msg("neighbour %d: correlation %g", next, sum / COUNT);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(answers_are_the_known_ones),
      cmocka_unit_test(draws_are_the_same_in_every_version),
      cmocka_unit_test(draws_are_even),
      cmocka_unit_test(neighbours_are_independent),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
