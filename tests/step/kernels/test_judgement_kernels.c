// The kernels that judge a step, of every instruction set that this machine has: numbers of a state against a plain
// loop, for all lengths and with an unusual number in every place.
#include "step/step_kernels.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 19, STRIDE = 9 };

static const double least = 1e-100, most = 50;
static const double unusual[] = {NAN,   INFINITY, -INFINITY, 50,      -50,    50.000001, -50.000001,
                                 1e300, 5e-101,   -5e-101,   -1e-100, 4e-324, -0.0,      0};
enum { UNUSUAL = sizeof unusual / sizeof *unusual };

static const ff_isa sets[] = {FF_ISA_BASE, FF_ISA_AVX2, FF_ISA_AVX512};

// The next instruction set that this machine has, NULL at the end.
static const ffi_step_kernels *next_kernels(int *at)
{
  while (*at < 3) {
    const ff_isa isa = sets[(*at)++];
    if (ffi_isa_kernels(isa, 1))
      return ffi_step_kernels_find(isa);
  }
  return NULL;
}

static void fill(double *x, int count)
{
  for (int i = 0; i < count; ++i)
    x[i] = 0.37 * (i + 1) * (i % 3 == 1 ? -1 : 1);
}

static double settled(double x, double smallest)
{
  return fabs(x) < smallest ? 0 : x;
}

static void must_be_settled(const double *before, const double *after, int count, double smallest)
{
  for (int i = 0; i < count; ++i) {
    const double expected = settled(before[i], smallest);
    assert_true(isnan(expected) ? isnan(after[i]) : after[i] == expected);
  }
}

static void numbers_are_settled(void **state)
{
  (void)state;
  int at = 0, known = 0;
  for (const ffi_step_kernels *k; (k = next_kernels(&at)) != NULL; ++known)
    for (int count = 0; count <= MOST; ++count)
      for (int place = 0; place < count; ++place)
        for (int u = 0; u < UNUSUAL; ++u) {
          double x[MOST + 1], before[MOST + 1];
          fill(x, MOST + 1);
          x[place] = unusual[u];
          memcpy(before, x, sizeof x);
          assert_int_equal(k->settle(x, count, least, most), fabs(unusual[u]) <= most);
          must_be_settled(before, x, count, least);
          assert_true(x[count] == before[count]); // behind them nothing changes
        }
  assert_true(known > 0);
}

static void moved_numbers_are_settled(void **state)
{
  (void)state;
  int at = 0;
  for (const ffi_step_kernels *k; (k = next_kernels(&at)) != NULL;)
    for (int count = 0; count <= MOST; ++count)
      for (int place = 0; place < count; ++place)
        for (int u = 0; u < UNUSUAL; ++u) {
          double x[MOST + 1], from[MOST + 1], before[MOST + 1];
          fill(x, MOST + 1);
          memcpy(from, x, sizeof x);
          from[place] = 0;
          x[place] = unusual[u];
          memcpy(before, x, sizeof x);
          assert_int_equal(k->settle_moved(x, from, count, least, most), fabs(unusual[u]) <= most);
          must_be_settled(before, x, count, least);
          assert_true(x[count] == before[count]);
        }
}

static void records_are_settled(void **state)
{
  (void)state;
  const double smallest[8] = {least, least, least, least, 0, least, least, least};
  int at = 0;
  for (const ffi_step_kernels *k; (k = next_kernels(&at)) != NULL;)
    for (int records = 0; records <= 3; ++records)
      for (int place = 0; place < STRIDE * records; ++place)
        for (int u = 0; u < UNUSUAL; ++u) {
          double x[3 * STRIDE], before[3 * STRIDE];
          const int field = place % STRIDE;
          fill(x, 3 * STRIDE);
          x[place] = unusual[u];
          memcpy(before, x, sizeof x);
          assert_int_equal(k->settle_records(x, records, STRIDE, smallest, most),
                           field == 8 || fabs(unusual[u]) <= most);
          for (int i = 0; i < 3 * STRIDE; ++i) // the ninth is none of it
            must_be_settled(before + i, x + i, 1,
                            i % STRIDE == 8 || i >= STRIDE * records ? 0 : smallest[i % STRIDE]);
        }
}

static void nothing_is_zero_but_zeros(void **state)
{
  (void)state;
  int at = 0;
  for (const ffi_step_kernels *k; (k = next_kernels(&at)) != NULL;)
    for (int count = 0; count <= MOST; ++count) {
      double x[MOST] = {0};
      assert_true(k->is_zero(x, count));
      for (int place = 0; place < MOST; ++place) {
        x[place] = place % 2 ? 4e-324 : NAN;
        assert_int_equal(k->is_zero(x, count), place >= count);
        x[place] = -0.0;
        assert_true(k->is_zero(x, count));
      }
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_are_settled),
      cmocka_unit_test(moved_numbers_are_settled),
      cmocka_unit_test(records_are_settled),
      cmocka_unit_test(nothing_is_zero_but_zeros),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
