// Derivatives of flows through guards against one-sided differences: one guard after the other, and 1, 2, 3 and 10 at
// once, with jumps and without.
#include "ode/ess_order_system.h"
#include "support/alloc_counter.h"
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

static ff_ess *must_create(const ff_ess_def *def)
{
  ff_ess *ess;
  ff_error error;
  ffi_must(ff_ess_create(def, &ess, &error), &error);
  return ess;
}

static ff_ess *must_locate(ff_ess_system system)
{
  ff_ess_def def = ff_ess_def_default();
  def.system = system;
  def.method = FF_ESS_LOCATE;
  def.relative_tolerance = def.absolute_tolerance = 1e-13;
  return must_create(&def);
}

static void flow(ff_ess *ess, const double *x0, double t, int n, double *x)
{
  ff_error error;
  ffi_must(ff_ess_start(ess, 0, x0, NULL, &error), &error);
  ffi_must(ff_ess_advance(ess, t, &error), &error);
  memcpy(x, ff_ess_state(ess), (size_t)n * sizeof *x);
}

enum { MOST = 32 };

typedef struct ray {
  const double *x0, *v; // [n]
  double s;
} ray;

// The one-sided difference along v at lengths s, s/2, s/4, extrapolated twice. Along a ray the flow is smooth near
// its beginning, so s^3 is left, and rounding over s.
static void one_sided(ff_ess *ess, const ray *from, double t, int n, double *out)
{
  double s = from->s;
  double base[MOST], x[MOST], moved[MOST], difference[3][MOST];
  flow(ess, from->x0, t, n, base);
  for (int i = 0; i < 3; ++i, s /= 2) {
    for (int j = 0; j < n; ++j)
      moved[j] = from->x0[j] + s * from->v[j];
    flow(ess, moved, t, n, x);
    for (int j = 0; j < n; ++j)
      difference[i][j] = (x[j] - base[j]) / s;
  }
  for (int j = 0; j < n; ++j)
    out[j] = (difference[0][j] - 6 * difference[1][j] + 8 * difference[2][j]) / 3;
}

// ---- One after the other ----------------------------------------------------------------------------------

static void test_order_system(void **state)
{
  (void)state;
  ff_ess *ess = must_locate(ffi_order_system());
  ff_error error;
  const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  double x1[3], D[9], want[3];
  ffi_must(ff_ess_derivative(ess, 0, ffi_order_start, NULL, 0.5, 1e-9, 3, unit, x1, D, &error), &error);
  ffi_check_near("end", ffi_gap(3, x1, ffi_order_end), 0, 1e-11);
  assert_true(ff_ess_time(ess) == 0.5);
  assert_int_equal(ff_ess_get_info(ess).crossings, 3);
  for (int i = 0; i < 3; ++i) {
    one_sided(ess, &(ray){ffi_order_start, unit + 3 * i, 1e-3}, 0.5, 3, want);
    ffi_check_near("column", ffi_gap(3, D + 3 * i, want), 0, 1e-7);
  }
  // By hand: z does not know of x and y. It decays for t1 with -1, jumps by the ratio of its speeds at z = 0, which
  // is 1, and grows with 3.
  const double t1 = ffi_order_times[1];
  ffi_check_near("dz/dz", D[8], exp(-t1 + 3 * (0.5 - t1)), 1e-9);
  ffi_check_near("dx/dz", D[6], 0, 1e-9);
  ff_ess_destroy(ess);
}

// A flow and then a flow is the flow: derivatives are multiplied.
static void test_chain_rule(void **state)
{
  (void)state;
  ff_ess *ess = must_locate(ffi_order_system());
  ff_error error;
  ffi_random random = ffi_random_seed(5);
  for (int i = 0; i < 20; ++i) {
    double v[3], middle[3], w[3], two[3], one[3];
    ffi_random_vector(&random, 3, 3, v);
    const double t = ffi_random_between(&random, 0.01, 0.49);
    ffi_must(ff_ess_derivative(ess, 0, ffi_order_start, NULL, t, 0, 1, v, middle, w, &error), &error);
    signed char side[3];
    memcpy(side, ff_ess_side(ess), sizeof side);
    ffi_must(ff_ess_derivative(ess, t, middle, side, 0.5, 0, 1, w, NULL, two, &error), &error);
    ffi_must(ff_ess_derivative(ess, 0, ffi_order_start, NULL, 0.5, 0, 1, v, NULL, one, &error), &error);
    ffi_check_near("product", ffi_gap(3, one, two), 0, 1e-8);
  }
  ff_ess_destroy(ess);
}

// ---- At once ----------------------------------------------------------------------------------------------

// `guards` curved guards in R^n that meet at the origin, and as many numbers that jump, each at its own guard by a
// map of its own, which depends on x too; so jumps commute. The field is another function for every set of crossed
// guards.
typedef struct knot {
  int n, guards, jumps;
  double normal[10][MOST], bend[10][MOST];
} knot;

static double hashed(uint64_t set, int i)
{
  ffi_random random = ffi_random_seed(1000 * set + (uint64_t)i);
  return ffi_random_between(&random, -1, 1);
}

static int knot_field(double t, const double *x, const signed char *side, double *dx, void *user)
{
  const knot *k = user;
  uint64_t set = 1;
  for (int i = 0; i < k->guards; ++i)
    set = 2 * set + (side[i] > 0);
  for (int i = 0; i < k->n; ++i) {
    const double other = x[(i + 1) % k->n];
    dx[i] = 1 + 0.3 * hashed(set, i) + 0.2 * sin(x[i] * hashed(set, 40 + i) + other) + 0.05 * cos(3 * t);
    if (k->jumps)
      dx[i] += 0.1 * sin(x[k->n + i % k->guards]);
  }
  for (int i = 0; k->jumps && i < k->guards; ++i)
    dx[k->n + i] = 0.5 * x[i] - x[k->n + i];
  return 0;
}

static void knot_guard(const double *x, double *h, void *user)
{
  const knot *k = user;
  for (int g = 0; g < k->guards; ++g) {
    h[g] = 0;
    for (int i = 0; i < k->n; ++i)
      h[g] += k->normal[g][i] * x[i] + k->bend[g][i] * x[i] * x[i];
  }
}

static int knot_reset(int guard, double t, const double *x, const signed char *side, double *out, void *user)
{
  (void)side;
  const knot *k = user;
  memcpy(out, x, (size_t)(k->n + k->guards) * sizeof *x);
  out[k->n + guard] = 0.3 - 0.8 * x[k->n + guard] + 0.5 * x[0] + 0.2 * x[1] * x[1] + 0.1 * sin(2 * t);
  return 0;
}

static knot random_knot(uint64_t seed, int guards, int jumps)
{
  knot k = {.n = guards < 4 ? 4 : guards + 1, .guards = guards, .jumps = jumps};
  ffi_random random = ffi_random_seed(seed);
  for (int g = 0; g < guards; ++g)
    for (int i = 0; i < k.n; ++i) {
      k.normal[g][i] = (i == g) + ffi_random_between(&random, -0.3, 0.3) / k.n;
      k.bend[g][i] = ffi_random_between(&random, -0.1, 0.1);
    }
  return k;
}

static const double knot_time = 0.3; // from the start to the knot

// The start from which the knot is met at knot_time: backwards from it, with no guard crossed, by a method of our own.
static void before_knot(const knot *k, int size, double *x)
{
  const int steps = 2000;
  const double h = -knot_time / steps;
  signed char side[10];
  memset(side, -1, sizeof side);
  memset(x, 0, (size_t)size * sizeof *x);
  for (int i = k->n; i < size; ++i)
    x[i] = 0.7; // of the numbers that jump
  for (int s = 0; s < steps; ++s) {
    const double t = knot_time + s * h;
    double k1[MOST], k2[MOST], k3[MOST], k4[MOST], y[MOST];
    knot_field(t, x, side, k1, (void *)k);
    for (int i = 0; i < size; ++i)
      y[i] = x[i] + h / 2 * k1[i];
    knot_field(t + h / 2, y, side, k2, (void *)k);
    for (int i = 0; i < size; ++i)
      y[i] = x[i] + h / 2 * k2[i];
    knot_field(t + h / 2, y, side, k3, (void *)k);
    for (int i = 0; i < size; ++i)
      y[i] = x[i] + h * k3[i];
    knot_field(t + h, y, side, k4, (void *)k);
    for (int i = 0; i < size; ++i)
      x[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }
}

// Random directions, both ways. How much the two sides differ is told: a derivative that were linear would have no
// difference.
static void through_knot(int guards, int jumps)
{
  knot k = random_knot((uint64_t)(17 + guards), guards, jumps);
  const int size = jumps ? k.n + guards : k.n;
  ff_ess_system system = {
      .size = size, .guards = guards, .field = knot_field, .guard = knot_guard, .user = &k};
  system.reset = jumps ? knot_reset : NULL;
  ff_ess *ess = must_locate(system);
  ff_error error;
  double x0[MOST], kink = 0;
  before_knot(&k, size, x0);
  ffi_random random = ffi_random_seed(3);
  ffi_margin margin = {.what = "derivative", .tolerance = 1e-7};
  for (int trial = 0; trial < 12; ++trial) {
    double v[2 * MOST], got[2 * MOST], want[MOST], x1[MOST], end[MOST];
    ffi_random_vector(&random, size, 1, v);
    for (int i = 0; i < size; ++i)
      v[size + i] = -v[i];
    ffi_must(ff_ess_derivative(ess, 0, x0, NULL, 0.6, 1e-8, 2, v, x1, got, &error), &error);
    assert_int_equal(ff_ess_get_info(ess).crossings, guards);
    flow(ess, x0, 0.6, size, end);
    ffi_check_near("end", ffi_gap(size, x1, end), 0, 1e-9);
    for (int way = 0; way < 2; ++way) {
      one_sided(ess, &(ray){x0, v + way * size, 4e-4}, 0.6, size, want);
      ffi_margin_add(&margin, ffi_gap(size, got + way * size, want), 2 * trial + way);
    }
    for (int i = 0; i < size; ++i)
      kink = fmax(kink, fabs(got[i] + got[size + i]));
  }
  print_message("%d guards%s: the two sides differ by up to %g\n", guards, jumps ? " with jumps" : "", kink);
  if (guards == 1)
    assert_true(kink < 1e-7);
  else
    assert_true(kink > 1e-2);
  ffi_margin_check(&margin);
  ff_ess_destroy(ess);
}

static void test_knots(void **state)
{
  (void)state;
  const int guards[] = {1, 2, 3, 10};
  for (int i = 0; i < 4; ++i)
    through_knot(guards[i], 0);
}

static void test_knots_with_jumps(void **state)
{
  (void)state;
  const int guards[] = {1, 2, 3, 10};
  for (int i = 0; i < 4; ++i)
    through_knot(guards[i], 1);
}

// The derivative is positively homogeneous, through knots too, and zero of zero.
static void test_homogeneous(void **state)
{
  (void)state;
  knot k = random_knot(20, 3, 0);
  ff_ess *ess = must_locate(
      (ff_ess_system){.size = 4, .guards = 3, .field = knot_field, .guard = knot_guard, .user = &k});
  ff_error error;
  double x0[4], v[12] = {0.3, -0.2, 0.5, 0.1}, out[12];
  before_knot(&k, 4, x0);
  for (int i = 0; i < 4; ++i)
    v[4 + i] = 1e-7 * v[i];
  ffi_must(ff_ess_derivative(ess, 0, x0, NULL, 0.6, 1e-8, 3, v, NULL, out, &error), &error);
  for (int i = 0; i < 4; ++i) {
    ffi_check_near("small", out[4 + i], 1e-7 * out[i], 1e-16);
    assert_true(out[8 + i] == 0);
  }
  ff_ess_destroy(ess);
}

// ---- A ball, by hand --------------------------------------------------------------------------------------

static const double g = 9.81, e = 0.7;

static int fall(double t, const double *x, const signed char *side, double *dx, void *user)
{
  (void)t;
  (void)side;
  (void)user;
  dx[0] = x[1];
  dx[1] = -g;
  return 0;
}

static int fall_slope(double t, const double *x, const signed char *side, double *Df, void *user)
{
  (void)t;
  (void)x;
  (void)side;
  (void)user;
  Df[0] = 0, Df[1] = 1, Df[2] = 0, Df[3] = 0;
  return 0;
}

static void depth(const double *x, double *h, void *user)
{
  (void)user;
  h[0] = -x[0];
}

static int bounce(int guard, double t, const double *x, const signed char *side, double *out, void *user)
{
  (void)guard;
  (void)t;
  (void)side;
  (void)user;
  out[0] = x[0];
  out[1] = -e * x[1];
  return 0;
}

static int bounce_slope(int guard, double t, const double *x, const signed char *side, double *DR, void *user)
{
  (void)guard;
  (void)t;
  (void)x;
  (void)side;
  (void)user;
  DR[0] = 1, DR[1] = 0, DR[2] = 0, DR[3] = -e;
  return 0;
}

// Dropped from (z, v) it lands after t1 = (v + u) / g with u = sqrt(v^2 + 2 g z), and is at e u s - g s^2 / 2 with e
// u - g s, where s = t - t1.
static void test_ball(void **state)
{
  (void)state;
  const ff_ess_rearm self = {0, 0};
  for (int has_slopes = 0; has_slopes < 2; ++has_slopes) {
    ff_ess_def def = ff_ess_def_default();
    def.system = (ff_ess_system){.size = 2, .guards = 1, .field = fall, .guard = depth, .reset = bounce};
    if (has_slopes)
      def.system.field_slope = fall_slope, def.system.reset_slope = bounce_slope;
    def.rearm = &self;
    def.rearm_count = 1;
    def.relative_tolerance = def.absolute_tolerance = 1e-12;
    ff_ess *ess = must_create(&def);
    ff_error error;
    const double z = 1.1, v = 0.4, t = 0.8, u = sqrt(v * v + 2 * g * z), s = t - (v + u) / g;
    const double u_by[2] = {g / u, v / u}, s_by[2] = {-u_by[0] / g, -(1 + u_by[1]) / g};
    double D[4], x1[2];
    ffi_must(
        ff_ess_derivative(ess, 0, (double[]){z, v}, NULL, t, 0, 2, (double[]){1, 0, 0, 1}, x1, D, &error),
        &error);
    ffi_check_near("z", x1[0], e * u * s - g * s * s / 2, 1e-11);
    for (int i = 0; i < 2; ++i) {
      ffi_check_near("dz", D[2 * i], e * u_by[i] * s + (e * u - g * s) * s_by[i], 1e-9);
      ffi_check_near("dv", D[2 * i + 1], e * u_by[i] - g * s_by[i], 1e-9);
    }
    ff_ess_destroy(ess);
  }
}

// ---- What has no derivative, and what is refused ----------------------------------------------------------

static int not_selected(double t, const double *x, const signed char *side, double *dx, void *user)
{
  (void)t;
  (void)x;
  (void)user;
  dx[0] = side[0] < 0 && side[1] > 0 ? -1 : 1; // crossing 1 first turns back before 0
  dx[1] = 1;
  return 0;
}

static void planes(const double *x, double *h, void *user)
{
  (void)user;
  h[0] = x[0];
  h[1] = x[1];
}

static int swap_jumps(int guard, double t, const double *x, const signed char *side, double *out, void *user)
{
  (void)t;
  (void)side;
  (void)user;
  out[0] = x[0], out[1] = x[1];
  out[2] = guard == 0 ? x[2] + 1 : 2 * x[2]; // (1 + w) 2 is not 2 w + 1
  return 0;
}

static int straight(double t, const double *x, const signed char *side, double *dx, void *user)
{
  (void)t;
  (void)x;
  (void)side;
  (void)user;
  dx[0] = dx[1] = 1;
  dx[2] = 0;
  return 0;
}

static void test_no_derivative(void **state)
{
  (void)state;
  ff_error error;
  double out[3];
  ff_ess *ess = must_locate((ff_ess_system){.size = 2, .guards = 2, .field = not_selected, .guard = planes});
  assert_int_equal(
      ff_ess_derivative(ess, 0, (double[]){-1, -1}, NULL, 2, 1e-9, 1, (double[]){0, 1}, NULL, out, &error),
      FF_ERROR_NUMERIC);
  assert_non_null(strstr(error.message, "event-selected"));
  ff_ess_destroy(ess);
  ess = must_locate(
      (ff_ess_system){.size = 3, .guards = 2, .field = straight, .guard = planes, .reset = swap_jumps});
  const double x0[3] = {-1, -1, 1}, first[3] = {1, 0, 0}, second[3] = {0, 1, 0};
  const ff_status a = ff_ess_derivative(ess, 0, x0, NULL, 2, 1e-9, 1, first, NULL, out, &error);
  const ff_status b = ff_ess_derivative(ess, 0, x0, NULL, 2, 1e-9, 1, second, NULL, out, &error);
  assert_true(a == FF_ERROR_NUMERIC ||
              b == FF_ERROR_NUMERIC); // the motion itself takes one of the two orders
  assert_non_null(strstr(error.message, "another order"));
  ff_ess_destroy(ess);
}

static void test_bad_calls(void **state)
{
  (void)state;
  ff_ess *ess = must_locate(ffi_order_system());
  ff_error error;
  const double *x = ffi_order_start, v[3] = {1, 0, 0}, nan[3] = {0, NAN, 0};
  double out[9];
  const ff_status bad = FF_ERROR_ARGUMENT;
  assert_int_equal(ff_ess_derivative(ess, 0, x, NULL, -1, 0, 1, v, NULL, out, &error), bad);
  assert_non_null(strstr(error.message, "t1"));
  assert_int_equal(ff_ess_derivative(ess, 0, x, NULL, 1, -1, 1, v, NULL, out, &error), bad);
  assert_non_null(strstr(error.message, "together"));
  assert_int_equal(ff_ess_derivative(ess, 0, x, NULL, 1, 0, 1, nan, NULL, out, &error), bad);
  assert_non_null(strstr(error.message, "direction"));
  assert_int_equal(ff_ess_derivative(ess, 0, x, NULL, 1, 0, -1, v, NULL, out, &error), bad);
  assert_non_null(strstr(error.message, "count"));
  assert_int_equal(ff_ess_derivative(ess, 0, nan, NULL, 1, 0, 1, v, NULL, out, &error), bad);
  assert_int_equal(ff_ess_return_map(ess, 0, x, NULL, 3, 1, NULL, NULL, out, &error), bad);
  assert_non_null(strstr(error.message, "section"));
  assert_int_equal(ff_ess_return_map(ess, 0, x, NULL, 0, 0, NULL, NULL, out, &error), bad);
  assert_non_null(strstr(error.message, "max_time"));
  ff_ess_destroy(ess);
}

// Every allocation fails in turn.
static void test_no_memory(void **state)
{
  (void)state;
  if (!ffi_test_alloc_works())
    skip();
  ff_ess *ess = must_locate(ffi_order_system());
  ff_error error;
  double D[9];
  for (int n = 1;; ++n) {
    const long taken = ffi_test_alloc_count(), freed = ffi_test_free_count();
    ffi_test_alloc_fail_at(n);
    const ff_status status = ff_ess_monodromy(ess, 0, ffi_order_start, NULL, 0.1, D, &error);
    const int failed = ffi_test_alloc_failed();
    assert_int_equal(ffi_test_alloc_count() - taken - failed, ffi_test_free_count() - freed);
    assert_int_equal(status, failed ? FF_ERROR_MEMORY : FF_OK);
    if (!failed)
      break;
    assert_true(n < 10);
  }
  ff_ess_destroy(ess);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_order_system),  cmocka_unit_test(test_chain_rule),
      cmocka_unit_test(test_knots),         cmocka_unit_test(test_knots_with_jumps),
      cmocka_unit_test(test_homogeneous),   cmocka_unit_test(test_ball),
      cmocka_unit_test(test_no_derivative), cmocka_unit_test(test_bad_calls),
      cmocka_unit_test(test_no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
