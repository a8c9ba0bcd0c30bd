// Piecewise constant fields with linear guards, which projections integrate exactly. The reference tries all orders
// of crossings and takes the one that is consistent.
#include "support/must.h"
#include "support/near.h"
#include "support/random_state.h"

#include <footfall/ess.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { N = 5, ORDERS = 120 };

// 32 constant fields, one for each set of crossed guards, and 5 planes through the origin; all rates are above 0.3.
typedef struct corner {
  double field[1 << N][N], normal[N][N];
} corner;

static corner random_corner(uint64_t seed)
{
  corner c;
  ffi_random random = ffi_random_seed(seed);
  for (int s = 0; s < 1 << N; ++s)
    for (int i = 0; i < N; ++i)
      c.field[s][i] = 1 + ffi_random_between(&random, -0.4, 0.4);
  for (int k = 0; k < N; ++k)
    for (int i = 0; i < N; ++i)
      c.normal[k][i] = (k == i) + ffi_random_between(&random, -0.05, 0.05);
  return c;
}

static double dot(const double *a, const double *b)
{
  double sum = 0;
  for (int i = 0; i < N; ++i)
    sum += a[i] * b[i];
  return sum;
}

static int field(double t, const double *x, const signed char *side, double *dx, void *user)
{
  (void)t;
  (void)x;
  const corner *c = user;
  int set = 0;
  for (int k = 0; k < N; ++k)
    set |= (side[k] > 0) << k;
  memcpy(dx, c->field[set], sizeof c->field[set]);
  return 0;
}

static void guard(const double *x, double *h, void *user)
{
  const corner *c = user;
  for (int k = 0; k < N; ++k)
    h[k] = dot(c->normal[k], x);
}

static void guard_slope(const double *x, double *Dh, void *user)
{
  (void)x;
  memcpy(Dh, ((const corner *)user)->normal, sizeof((const corner *)user)->normal);
}

// ---- The oracle -------------------------------------------------------------------------------------------

static void permutation(int number, int order[N])
{
  int left[N] = {0, 1, 2, 3, 4}, count = N;
  for (int i = 0; i < N; ++i, --count) {
    const int pick = number % count;
    number /= count;
    order[i] = left[pick];
    memmove(&left[pick], &left[pick + 1], (size_t)(count - pick - 1) * sizeof *left);
  }
}

// The end of the motion if guards were crossed in this order. 0: the times do not increase, so they are not.
static int follow(const corner *c, const double *x0, double end, const int order[N], double x[N])
{
  double t = 0;
  memcpy(x, x0, N * sizeof *x);
  int set = 0;
  for (int i = 0; i < N; ++i) {
    const double *f = c->field[set], *normal = c->normal[order[i]];
    const double dt = -dot(normal, x) / dot(normal, f);
    if (dt < 0)
      return 0;
    for (int k = 0; k < N; ++k) // those that are left must not have been crossed on the way
      if (!(set & 1 << k) && dot(c->normal[k], x) + dt * dot(c->normal[k], f) > 1e-13)
        return 0;
    for (int j = 0; j < N; ++j)
      x[j] += f[j] * dt;
    t += dt;
    set |= 1 << order[i];
  }
  for (int j = 0; j < N; ++j)
    x[j] += c->field[set][j] * (end - t);
  return t <= end;
}

// ---- Tests ------------------------------------------------------------------------------------------------

static int crossed[16], crossings;

static void record(double t, const double *x, int number, void *user)
{
  (void)t;
  (void)x;
  (void)user;
  if (number >= 0)
    crossed[crossings++ % 16] = number;
}

static ff_ess *new_ess(corner *c, ff_ess_method method, int has_slope)
{
  ff_ess_def def = ff_ess_def_default();
  def.system = (ff_ess_system){.size = N, .guards = N, .field = field, .guard = guard, .user = c};
  if (has_slope)
    def.system.guard_slope = guard_slope;
  def.method = method;
  def.epsilon = 0.15;
  def.record = record;
  ff_ess *ess;
  ff_error error;
  ffi_must(ff_ess_create(&def, &ess, &error), &error);
  return ess;
}

// Starts around one that meets all guards at once; all orders are reached, and each motion is exact to rounding (or,
// where rates come from differences, to theirs: 1e-10 of steps of 1).
static void all_orders(ff_ess_method method, int has_slope, double tolerance)
{
  corner c = random_corner(7);
  ff_ess *ess = new_ess(&c, method, has_slope);
  ff_error error;
  ffi_random random = ffi_random_seed(8);
  ffi_margin margin = {.what = "end", .tolerance = tolerance};
  int is_reached[ORDERS] = {0}, reached = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    double x0[N], x[N];
    ffi_random_vector(&random, N, 0.1, x0);
    for (int i = 0; i < N; ++i)
      x0[i] -= c.field[0][i];
    crossings = 0;
    ffi_must(ff_ess_start(ess, 0, x0, NULL, &error), &error);
    ffi_must(ff_ess_advance(ess, 2, &error), &error);
    assert_int_equal(crossings, N);
    int fitting = 0;
    for (int number = 0; number < ORDERS; ++number) {
      int order[N];
      permutation(number, order);
      if (!follow(&c, x0, 2, order, x))
        continue;
      ++fitting;
      assert_memory_equal(order, crossed, sizeof order);
      ffi_margin_add(&margin, ffi_gap(N, ff_ess_state(ess), x), trial);
      reached += !is_reached[number];
      is_reached[number] = 1;
    }
    assert_int_equal(fitting, 1);
  }
  ffi_margin_check(&margin);
  assert_int_equal(reached, ORDERS);
  ff_ess_destroy(ess);
}

static void test_all_orders_projecting(void **state)
{
  (void)state;
  all_orders(FF_ESS_PROJECT, 1, 2e-14);
}

static void test_all_orders_locating(void **state)
{
  (void)state;
  all_orders(FF_ESS_LOCATE, 1, 2e-14);
}

static void test_all_orders_by_differences(void **state)
{
  (void)state;
  all_orders(FF_ESS_PROJECT, 0, 1e-9);
}

// Through the corner itself, where any order will do, since all lead to nearly the same.
static void test_through_the_corner(void **state)
{
  (void)state;
  for (int method = FF_ESS_PROJECT; method <= FF_ESS_LOCATE; ++method) {
    corner c = random_corner(7);
    ff_ess *ess = new_ess(&c, (ff_ess_method)method, 1);
    ff_error error;
    double x0[N], x[N];
    for (int i = 0; i < N; ++i) {
      x0[i] = -c.field[0][i];
      x[i] = c.field[31][i];
    }
    ffi_must(ff_ess_start(ess, 0, x0, NULL, &error), &error);
    ffi_must(ff_ess_advance(ess, 2, &error), &error);
    ffi_check_near("end", ffi_gap(N, ff_ess_state(ess), x), 0, 2e-14);
    ff_ess_destroy(ess);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_all_orders_projecting),
      cmocka_unit_test(test_all_orders_locating),
      cmocka_unit_test(test_all_orders_by_differences),
      cmocka_unit_test(test_through_the_corner),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
