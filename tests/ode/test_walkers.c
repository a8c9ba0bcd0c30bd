// Machines that walk down a slope, with impacts: fixed points, periods and eigenvalues of their stride, as published
// or computed elsewhere.
#include <footfall/ess.h>
#include <footfall/ode.h>

#include "../../bench/papers/c2a/passive_walker.h"
#include "math/dense.h"
#include "math/near.h"
#include "ode/eigenvalues.h"

enum { MOST = 8, MIDDLE = 0, STRIKE = 1 };

typedef struct machine {
  const char *name;
  int size;
  int (*rate)(const double *x, double *rate);
  void (*guards)(const double *x, double *h); // in the middle of the stride, and as the foot strikes; rising
  int (*strike)(const double *x, double *out);
  double start[MOST]; // right after a strike
  double period;
  int modes; // eigenvalues that are known, by falling modulus, one for each pair; the rest are 0
  double real[5], imaginary[5];
  double digits; // to which they are known, or expected
} machine;

static int stick_rate(const double *x, double *rate)
{
  bench_passive_walker_stick_rate(0.009, x, rate);
  return 0;
}

static void stick_guards(const double *x, double *h)
{
  h[MIDDLE] = -x[0];
  h[STRIKE] = bench_passive_walker_stick_gap(x);
}

static int stick_strike(const double *x, double *out)
{
  bench_passive_walker_stick_strike(x, out);
  return 0;
}

static void toy_guards(const double *x, double *h)
{
  h[MIDDLE] = PI - x[3];
  h[STRIKE] = -bench_passive_walker_toy_height(x);
}

// Garcia et al. 1998 and Coleman et al. 2001; recomputed by independent programs to the digits that are given.
static const machine stick = {
    .name = "stick walker",
    .size = BENCH_PASSIVE_WALKER_STICK_SIZE,
    .rate = stick_rate,
    .guards = stick_guards,
    .strike = stick_strike,
    .start = {0.200310900544247, -0.199832473004953, 0.400621801088494, -0.015822999948309},
    .period = 3.882463752851,
    .modes = 1,
    .real = {-0.190099841066}, // by its variational equation in long double, beside this code
    .imaginary = {0.557598776682},
    .digits = 1e-8};

static const machine toy = {.name = "toy walker",
                            .size = BENCH_PASSIVE_WALKER_TOY_SIZE,
                            .rate = bench_passive_walker_toy_rate,
                            .guards = toy_guards,
                            .strike = bench_passive_walker_toy_strike,
                            .start = {0.098667659866352, -0.009248610677113, -0.160165834955406,
                                      3.435833890383295, -0.132209655102885, -0.019909619884479,
                                      0.471242374663337, -0.392559168661934},
                            .period = 1.00711403622,
                            .modes = 4,
                            .real = {-0.819757, -0.792705, 0.386599, -0.218395},
                            .imaginary = {0.179391, 0.250674, 0.593085, 0},
                            .digits = 1e-6};

// ---- Strides by ff_ode ------------------------------------------------------------------------------------

static int ode_rate(double t, const double *x, double *rate, void *user)
{
  (void)t;
  return ((const machine *)user)->rate(x, rate);
}

static void ode_guards(double t, const double *x, double *value, void *user)
{
  (void)t;
  ((const machine *)user)->guards(x, value);
}

static ff_ode *create_ode(machine *m)
{
  static const signed char rising[2] = {1, 1};
  ff_ode_def def = ff_ode_def_default();
  def.size = m->size;
  def.rate = ode_rate;
  def.guards = 2;
  def.guard = ode_guards;
  def.direction = rising;
  def.user = m;
  def.relative_tolerance = def.absolute_tolerance = 1e-13;
  ff_ode *ode;
  assert_int_equal(ff_ode_create(&def, &ode, NULL), FF_OK);
  return ode;
}

// From x to right after the next strike that follows the middle of a stride. How long that takes.
static double stride(const machine *m, ff_ode *ode, const double *x, double *out)
{
  int guard, is_over_middle = 0;
  assert_int_equal(ff_ode_start(ode, 0, x, NULL), FF_OK);
  for (;;) {
    assert_int_equal(ff_ode_advance(ode, 10, &guard, NULL), FF_OK);
    assert_true(guard >= 0);
    if (guard == STRIKE && is_over_middle)
      break;
    is_over_middle |= guard == MIDDLE;
  }
  assert_int_equal(m->strike(ff_ode_state(ode), out), 0);
  return ff_ode_time(ode);
}

// How a stride's end moves with its start, by central differences: those with h and 2 h together are exact to h^4.
static void differences(const machine *m, ff_ode *ode, const double *x, double *D)
{
  const int n = m->size;
  const double h = 1e-4;
  for (int j = 0; j < n; ++j) {
    double end[4][MOST];
    const double by[4] = {-2 * h, -h, h, 2 * h};
    for (int i = 0; i < 4; ++i) {
      double moved[MOST];
      memcpy(moved, x, sizeof moved);
      moved[j] += by[i];
      (void)stride(m, ode, moved, end[i]);
    }
    for (int i = 0; i < n; ++i)
      D[i * n + j] = (8 * (end[2][i] - end[1][i]) - (end[3][i] - end[0][i])) / (12 * h);
  }
}

// The eigenvalues of D to six digits, and zeros beside them.
static void check_modes(const machine *m, const double *D, double tolerance)
{
  double real[MOST], imaginary[MOST];
  ffi_eigenvalues(m->size, D, real, imaginary);
  int k = 0;
  for (int i = 0; i < m->modes; ++i) {
    print_message("%s: %.9f +- %.9f i, |.| %.9f\n", m->name, real[k], imaginary[k],
                  hypot(real[k], imaginary[k]));
    assert_near(real[k], m->real[i], tolerance);
    assert_near(imaginary[k], m->imaginary[i], tolerance);
    if (m->imaginary[i] != 0) {
      ++k;
      assert_near(real[k], m->real[i], tolerance);
      assert_near(imaginary[k], -m->imaginary[i], tolerance);
    }
    ++k;
  }
  for (; k < m->size; ++k)
    assert_near(hypot(real[k], imaginary[k]), 0,
                1e-3); // of multiplicity: D is exact to 1e-10, these to a root of it
}

static void check_strides_of_ode(machine m)
{
  ff_ode *ode = create_ode(&m);
  double end[MOST], D[MOST * MOST];
  assert_near(stride(&m, ode, m.start, end), m.period, 1e-10);
  for (int i = 0; i < m.size; ++i)
    assert_near(end[i], m.start[i], 1e-10); // the toy's is known to 2e-11, of its integrator's error
  differences(&m, ode, m.start, D);
  check_modes(&m, D, 1e-6);
  ff_ode_destroy(ode);
}

static void a_stride_of_the_stick_walker_by_ff_ode(void **state)
{
  (void)state;
  check_strides_of_ode(stick);
}

static void a_stride_of_the_toy_walker_by_ff_ode(void **state)
{
  (void)state;
  check_strides_of_ode(toy);
}

// ---- Strides by ff_ess ------------------------------------------------------------------------------------

static int ess_field(double t, const double *x, const signed char *side, double *dx, void *user)
{
  (void)t;
  (void)side;
  return ((const machine *)user)->rate(x, dx);
}

static void ess_guards(const double *x, double *h, void *user)
{
  ((const machine *)user)->guards(x, h);
}

static int ess_reset(int guard, double t, const double *x, const signed char *side, double *out, void *user)
{
  (void)t;
  (void)side;
  const machine *m = user;
  if (guard == STRIKE)
    return m->strike(x, out);
  memcpy(out, x, (size_t)m->size * sizeof *out);
  return 0;
}

// The middle of the stride arms the strike, and the strike the middle.
static const signed char start_side[2] = {-1, 1};

static ff_ess *create_ess(machine *m, ff_ess_method method, double epsilon)
{
  static const ff_ess_rearm rearm[2] = {{MIDDLE, STRIKE}, {STRIKE, MIDDLE}};
  ff_ess_def def = ff_ess_def_default();
  def.system = (ff_ess_system){
      .size = m->size, .guards = 2, .field = ess_field, .guard = ess_guards, .reset = ess_reset, .user = m};
  def.method = method;
  def.epsilon = epsilon;
  def.rearm = rearm;
  def.rearm_count = 2;
  def.relative_tolerance = def.absolute_tolerance = 1e-13;
  ff_ess *ess;
  ff_error error;
  if (ff_ess_create(&def, &ess, &error) != FF_OK)
    fail_msg("%s", error.message);
  return ess;
}

// Through the next strike. When that is.
static double next_strike(ff_ess *ess)
{
  for (int guard = -1; guard != STRIKE;) {
    ff_error error;
    if (ff_ess_next(ess, 100, &guard, &error) != FF_OK)
      fail_msg("%s", error.message);
    assert_true(guard >= 0);
  }
  return ff_ess_time(ess);
}

static double distance(int n, const double *a, const double *b)
{
  double worst = 0;
  for (int i = 0; i < n; ++i)
    worst = fmax(worst, fabs(a[i] - b[i]));
  return worst;
}

// Five strides with located guards: what is off at the start grows by the largest eigenvalue at most, and for a
// stride or two by what is not normal in the map.
static void check_located_strides(machine m)
{
  ff_ess *ess = create_ess(&m, FF_ESS_LOCATE, 1e-3);
  assert_int_equal(ff_ess_start(ess, 0, m.start, start_side, NULL), FF_OK);
  for (int n = 1; n <= 5; ++n) {
    assert_near(next_strike(ess), n * m.period, 1e-9);
    assert_true(distance(m.size, ff_ess_state(ess), m.start) <= 1e-9);
  }
  assert_int_equal(ff_ess_get_info(ess).crossings, 10);
  ff_ess_destroy(ess);
}

static void located_strides_return_to_their_start(void **state)
{
  (void)state;
  check_located_strides(stick);
  check_located_strides(toy);
}

// A stride with projections is off by epsilon squared, for bands that are narrow against the foot's highest, 0.034.
static void check_projected_strides(machine m)
{
  double error[3];
  for (int i = 0; i < 3; ++i) {
    ff_ess *ess = create_ess(&m, FF_ESS_PROJECT, 0.002 / (1 << (2 * i)));
    assert_int_equal(ff_ess_start(ess, 0, m.start, start_side, NULL), FF_OK);
    (void)next_strike(ess);
    assert_int_equal(ff_ess_get_info(ess).projections, 2);
    error[i] = distance(m.size, ff_ess_state(ess), m.start);
    ff_ess_destroy(ess);
    print_message("%s: epsilon %g, error %.3g\n", m.name, 0.002 / (1 << (2 * i)), error[i]);
    if (i > 0)
      assert_near(log(error[i - 1] / error[i]) / log(4), 2, 0.25);
  }
}

static void projected_strides_are_of_second_order(void **state)
{
  (void)state;
  check_projected_strides(stick);
  check_projected_strides(toy);
}

// x := x - (D - 1)^-1 (P(x) - x), until it stands. From three digits; D is that of the last stride.
static void find_cycle(const machine *m, ff_ess *ess, double *x, double *period, double *D)
{
  const int n = m->size;
  for (int i = 0; i < n; ++i)
    x[i] = 1e-3 * round(1e3 * m->start[i]);
  for (int turn = 0;; ++turn) {
    double end[MOST], A[MOST * MOST], by[MOST], gap[MOST];
    int row[MOST];
    ff_error error;
    if (ff_ess_return_map(ess, 0, x, start_side, STRIKE, 10, end, period, D, &error) != FF_OK)
      fail_msg("%s", error.message);
    print_message("%s: after %d corrections off by %.3g\n", m->name, turn, distance(n, end, x));
    if (distance(n, end, x) < 1e-12)
      return;
    assert_true(turn < 8);
    for (int i = 0; i < n; ++i) {
      gap[i] = end[i] - x[i];
      for (int j = 0; j < n; ++j)
        A[i * n + j] = D[i * n + j] - (i == j);
    }
    assert_int_equal(ffi_dense_lu(n, n, A, row), FFI_FACTORED);
    ffi_dense_lu_solve(n, n, A, row, gap, by);
    for (int i = 0; i < n; ++i)
      x[i] -= by[i];
  }
}

static void check_cycle(machine m)
{
  ff_ess *ess = create_ess(&m, FF_ESS_LOCATE, 1e-3);
  double x[MOST], period, D[MOST * MOST], by_differences[MOST * MOST];
  find_cycle(&m, ess, x, &period, D);
  assert_near(period, m.period, 1e-10);
  assert_true(distance(m.size, x, m.start) <= 1e-10); // as exact as it is known
  check_modes(&m, D, m.digits);
  ff_ode *ode = create_ode(&m);
  differences(&m, ode, x, by_differences);
  const double off = distance(m.size * m.size, D, by_differences);
  print_message("%s: derivative off by %.3g\n", m.name, off);
  assert_true(off < 1e-6); // what differences with this step are exact to
  ff_ode_destroy(ode);
  ff_ess_destroy(ess);
}

static void the_cycle_of_the_stick_walker_and_its_eigenvalues(void **state)
{
  (void)state;
  check_cycle(stick);
  machine quoted = stick; // by differences of an independent program
  quoted.real[0] = -0.1900996475;
  quoted.imaginary[0] = 0.5575995212;
  quoted.digits = 1e-6;
  check_cycle(quoted);
}

static void the_cycle_of_the_toy_walker_and_its_eigenvalues(void **state)
{
  (void)state;
  check_cycle(toy);
}

// The derivative over a whole period from anywhere on the cycle: the same eigenvalues, and 1 along the motion.
static void check_monodromy(machine m)
{
  ff_ess *ess = create_ess(&m, FF_ESS_LOCATE, 1e-3);
  double x[MOST], rate[MOST], period, D[MOST * MOST];
  signed char side[2];
  find_cycle(&m, ess, x, &period, D);
  assert_int_equal(ff_ess_start(ess, 0, x, start_side, NULL), FF_OK);
  assert_int_equal(ff_ess_advance(ess, 0.3 * period, NULL), FF_OK);
  memcpy(x, ff_ess_state(ess), (size_t)m.size * sizeof *x);
  memcpy(side, ff_ess_side(ess), sizeof side);
  ff_error error;
  if (ff_ess_monodromy(ess, 0, x, side, period, D, &error) != FF_OK)
    fail_msg("%s", error.message);
  assert_true(distance(m.size, ff_ess_state(ess), x) < 1e-10);
  assert_int_equal(m.rate(x, rate), 0);
  for (int i = 0; i < m.size; ++i) { // the velocity comes back
    double sum = 0;
    for (int j = 0; j < m.size; ++j)
      sum += D[i * m.size + j] * rate[j];
    assert_near(sum, rate[i], 1e-8);
  }
  for (int i = m.modes; i > 0; --i) {
    m.real[i] = m.real[i - 1];
    m.imaginary[i] = m.imaginary[i - 1];
  }
  m.real[0] = 1;
  m.imaginary[0] = 0;
  ++m.modes;
  check_modes(&m, D, 2 * m.digits);
  ff_ess_destroy(ess);
}

static void over_a_period_the_same_eigenvalues_and_one(void **state)
{
  (void)state;
  check_monodromy(stick);
  check_monodromy(toy);
}

// ---- What the tests stand on ------------------------------------------------------------------------------

static void the_toy_walker_has_the_energies_that_are_known(void **state)
{
  (void)state;
  const double before[8] = {-0.098667659866352, 0.009248610677113,  0.134075401838092, 2.847351416796295,
                            0.009741065008745,  -0.003186364004931, 0.880878410869083, 0.012209621786924};
  double after[8];
  assert_near(bench_passive_walker_toy_kinetic_energy(toy.start), 0.073386833, 5e-10);
  assert_near(bench_passive_walker_toy_kinetic_energy(before), 0.109327118, 5e-10);
  assert_near(bench_passive_walker_toy_kinetic_energy(toy.start) +
                  bench_passive_walker_toy_potential_energy(toy.start),
              0.710897553, 5e-10);
  assert_int_equal(bench_passive_walker_toy_strike(before, after), 0);
  for (int i = 0; i < 8; ++i)
    assert_near(after[i], toy.start[i], 1e-14);
}

// Gravity's power is what the kinetic energy gains, and what the potential energy loses, that of the contact on its
// way down too: along random motions, by differences of order 4.
static void the_toy_walker_gains_what_gravity_gives(void **state)
{
  (void)state;
  rng r = {11};
  for (int n = 0; n < 200; ++n) {
    double x[8], rate[8], energy[4], height[4];
    for (int i = 0; i < 8; ++i)
      x[i] = random_in(&r, -1, 1) + (i == 3 ? PI : 0);
    assert_int_equal(bench_passive_walker_toy_rate(x, rate), 0);
    const double h = 1e-3, by[4] = {-2 * h, -h, h, 2 * h};
    for (int k = 0; k < 4; ++k) {
      double moved[8];
      for (int i = 0; i < 8; ++i)
        moved[i] = x[i] + by[k] * rate[i];
      energy[k] = bench_passive_walker_toy_kinetic_energy(moved);
      height[k] = bench_passive_walker_toy_potential_energy(moved);
    }
    const double gain = (8 * (energy[2] - energy[1]) - (energy[3] - energy[0])) / (12 * h);
    const double rise = (8 * (height[2] - height[1]) - (height[3] - height[0])) / (12 * h);
    assert_near(gain, bench_passive_walker_toy_power(x), 1e-7); // h^4 and energies of up to 30
    assert_near(bench_passive_walker_toy_descent(x) - rise, bench_passive_walker_toy_power(x), 1e-7);
  }
}

// B = S A S^-1 with known eigenvalues, S made of shears.
static void eigenvalues_are_those_that_were_put_in(void **state)
{
  (void)state;
  enum { N = 7 };
  double A[N * N] = {0};
  const double real[N] = {0.9, -0.8, -0.8, 0.5, 0.3, 0.3, 0}, imaginary[N] = {0, 0.2, -0.2, 0, 0.1, -0.1, 0};
  for (int i = 0; i < N; ++i) {
    A[i * N + i] = real[i];
    if (imaginary[i] > 0) {
      A[i * N + i + 1] = imaginary[i];
      A[(i + 1) * N + i] = -imaginary[i];
    }
  }
  rng r = {12};
  for (int n = 0; n < 30; ++n) {
    const int i = random_below(&r, N), j = (i + 1 + random_below(&r, N - 1)) % N;
    const double by = random_in(&r, -1, 1);
    for (int k = 0; k < N; ++k) // row i += by row j
      A[i * N + k] += by * A[j * N + k];
    for (int k = 0; k < N; ++k) // column j -= by column i
      A[k * N + j] -= by * A[k * N + i];
  }
  double got[N], got_imaginary[N];
  ffi_eigenvalues(N, A, got, got_imaginary);
  for (int i = 0; i < N; ++i) {
    assert_near(got[i], real[i], 1e-10);
    assert_near(got_imaginary[i], imaginary[i], 1e-10);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(eigenvalues_are_those_that_were_put_in),
      cmocka_unit_test(the_toy_walker_has_the_energies_that_are_known),
      cmocka_unit_test(the_toy_walker_gains_what_gravity_gives),
      cmocka_unit_test(a_stride_of_the_stick_walker_by_ff_ode),
      cmocka_unit_test(a_stride_of_the_toy_walker_by_ff_ode),
      cmocka_unit_test(located_strides_return_to_their_start),
      cmocka_unit_test(projected_strides_are_of_second_order),
      cmocka_unit_test(the_cycle_of_the_stick_walker_and_its_eigenvalues),
      cmocka_unit_test(the_cycle_of_the_toy_walker_and_its_eigenvalues),
      cmocka_unit_test(over_a_period_the_same_eigenvalues_and_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
