// FF_ESS_LOCATE sees guards that rise through zero and fall back inside one step, in any order. Guards are
// polynomials in time whose roots are chosen, so that the times of all crossings are known.
#include "support/must.h"
#include "support/near.h"
#include "support/random_state.h"

#include <footfall/ess.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { GUARDS = 3, ROOTS = 4 };

// sign * product of (t - root)
typedef struct course {
  int count;
  double sign, root[ROOTS];
} course;

static int clock_field(double t, const double *x, const signed char *side, double *dx, void *user)
{
  (void)t, (void)x, (void)side, (void)user;
  dx[0] = 1;
  return 0;
}

static void guard(const double *x, double *h, void *user)
{
  const course *all = user;
  for (int k = 0; k < GUARDS; ++k) {
    h[k] = all[k].sign;
    for (int i = 0; i < all[k].count; ++i)
      h[k] *= x[0] - all[k].root[i];
  }
}

// ---- What is to happen ------------------------------------------------------------------------------------

typedef struct rise {
  double t;
  int guard;
} rise;

static int by_time(const void *a, const void *b)
{
  const double d = ((const rise *)a)->t - ((const rise *)b)->t;
  return (d > 0) - (d < 0);
}

// The roots of all guards in (0, 1) at which they rise, in the order of time. Roots of a guard are in rising order:
// behind the last the sign is that of the polynomial.
static int all_rises(const course *all, rise *out)
{
  int count = 0;
  for (int k = 0; k < GUARDS; ++k)
    for (int i = 0; i < all[k].count; ++i) {
      const double sign_behind = (all[k].count - 1 - i) % 2 == 0 ? all[k].sign : -all[k].sign;
      if (sign_behind > 0 && all[k].root[i] > 0 && all[k].root[i] < 1)
        out[count++] = (rise){all[k].root[i], k};
    }
  qsort(out, (size_t)count, sizeof *out, by_time);
  return count;
}

// One step of length 1 has to find all of them. Times are exact to the rounding of the guards, some 10 eps of
// products that are at most 2 in all, over their slopes, which are above 0.25^3 for roots so far apart: 3e-13.
static void check_rises(course *all)
{
  const ff_ess_rearm selves[GUARDS] = {{0, 0}, {1, 1}, {2, 2}};
  const signed char armed[GUARDS] = {-1, -1, -1};
  ff_ess_def def = ff_ess_def_default();
  def.system =
      (ff_ess_system){.size = 1, .guards = GUARDS, .field = clock_field, .guard = guard, .user = all};
  def.method = FF_ESS_LOCATE;
  def.rearm = selves, def.rearm_count = GUARDS;
  def.fixed_step = 1;
  ff_ess *ess;
  ff_error error;
  ffi_must(ff_ess_create(&def, &ess, &error), &error);
  ffi_must(ff_ess_start(ess, 0, (double[]){0}, armed, &error), &error);
  rise expected[GUARDS * ROOTS];
  const int count = all_rises(all, expected);
  for (int i = 0; i <= count; ++i) {
    int crossed;
    ffi_must(ff_ess_next(ess, 1, &crossed, &error), &error);
    assert_int_equal(crossed, i < count ? expected[i].guard : -1);
    ffi_check_near("time", ff_ess_time(ess), i < count ? expected[i].t : 1, 3e-13);
  }
  ff_ess_destroy(ess);
}

// ---- Tests ------------------------------------------------------------------------------------------------

// Guards whose slopes at the ends of the step tell nothing of what is between.
static void test_humps_and_dips(void **state)
{
  (void)state;
  course all[GUARDS] = {
      {.count = 3, .sign = -1, .root = {-0.02, 0.3, 0.6}}, // falls at both ends, and is above zero between
      {.count = 3, .sign = -1, .root = {0.1, 0.45, 0.8}},  // the same, armed above zero
      {.count = 4, .sign = 1, .root = {-0.01, 0.26, 0.52, 1.2}}, // has a dip after a hump
  };
  check_rises(all);
}

// Roots that are more than a quarter of the step apart have one of its quarters between them.
static void test_random_roots_in_one_step(void **state)
{
  (void)state;
  ffi_random random = ffi_random_seed(31);
  for (int trial = 0; trial < 3000; ++trial) {
    course all[GUARDS];
    for (int k = 0; k < GUARDS; ++k) {
      all[k] = (course){.count = ROOTS, .sign = ffi_random_between(&random, -1, 1) < 0 ? -1 : 1};
      double t = ffi_random_between(&random, -0.6, 0.2);
      for (int i = 0; i < ROOTS; ++i) {
        all[k].root[i] = t;
        t += ffi_random_between(&random, 0.251, 0.4);
      }
    }
    check_rises(all);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_humps_and_dips),
      cmocka_unit_test(test_random_roots_in_one_step),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
