// A stride by explicit Euler, symplectic Euler and RK4, and the search for the longest step.
#include "papers/c2a/c2a_walker.h"

#include "papers/c2a/passive_walker.h"

#include <math.h>
#include <string.h>

enum { SIZE = BENCH_PASSIVE_WALKER_TOY_SIZE + 1 };

const char *const bench_c2a_walker_names[BENCH_C2A_WALK_METHODS] = {"euler", "symplectic", "rk4"};

// The fixed point of the gait and its period, to all known digits (Coleman et al. 2001).
const double bench_c2a_walker_period = 1.00711403622;
static const double start[SIZE] = {0.098667659866352, -0.009248610677113, -0.160165834955406,
                                   3.435833890383295, -0.132209655102885, -0.019909619884479,
                                   0.471242374663337, -0.392559168661934, 0};

// Returns 0 if the equations cannot be solved; so do the methods.
static int rate_of(const double *x, double *rate)
{
  if (bench_passive_walker_toy_rate(x, rate) != 0)
    return 0;
  rate[BENCH_PASSIVE_WALKER_TOY_SIZE] = bench_passive_walker_toy_descent(x);
  return 1;
}

static double energy_of(const double *x)
{
  return bench_passive_walker_toy_kinetic_energy(x) + bench_passive_walker_toy_potential_energy(x) -
         x[BENCH_PASSIVE_WALKER_TOY_SIZE];
}

static void add(double h, const double *rate, const double *x, double *out)
{
  for (int i = 0; i < SIZE; ++i)
    out[i] = x[i] + h * rate[i];
}

static int step_euler(double h, double *x)
{
  double rate[SIZE];
  if (!rate_of(x, rate))
    return 0;
  add(h, rate, x, x);
  return 1;
}

static int step_symplectic(double h, double *x)
{
  enum { ANGLES = BENCH_PASSIVE_WALKER_TOY_SIZE / 2 };
  double rate[SIZE];
  if (!rate_of(x, rate))
    return 0;
  for (int i = ANGLES; i < BENCH_PASSIVE_WALKER_TOY_SIZE; ++i)
    x[i] += h * rate[i];
  x[BENCH_PASSIVE_WALKER_TOY_SIZE] += h * bench_passive_walker_toy_descent(x);
  for (int i = 0; i < ANGLES; ++i)
    x[i] += h * x[ANGLES + i];
  return 1;
}

static int step_rk4(double h, double *x)
{
  static const double along[4] = {0, 0.5, 0.5, 1}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  double k[SIZE] = {0}, at[SIZE], sum[SIZE] = {0};
  for (int s = 0; s < 4; ++s) {
    add(h * along[s], k, x, at);
    if (!rate_of(at, k))
      return 0;
    add(weight[s], k, sum, sum);
  }
  add(h, sum, x, x);
  return 1;
}

static int (*const steps[BENCH_C2A_WALK_METHODS])(double h, double *x) = {step_euler, step_symplectic,
                                                                          step_rk4};
static const int solved[BENCH_C2A_WALK_METHODS] = {1, 1, 4}; // times in a step

double bench_c2a_walker_stride(bench_c2a_walker_method method, double dt, int has_energy,
                               long long *evaluations)
{
  const long long count = (long long)ceil(bench_c2a_walker_period / dt * (1 - 1e-12));
  double x[SIZE], worst = 0;
  memcpy(x, start, sizeof x);
  const double whole = energy_of(x);
  for (long long k = 0; k < count; ++k) {
    const double left = bench_c2a_walker_period - (double)k * dt;
    if (!steps[method](fmin(dt, left), x))
      return INFINITY;
    if (!has_energy)
      continue;
    worst = fmax(worst, fabs(energy_of(x) - whole) / whole);
    if (!(worst < 1e6))
      return INFINITY;
  }
  if (evaluations)
    *evaluations = count * solved[method];
  return worst;
}

// ---- Many strides ---------------------------------------------------------------------------------------------------

// Shorten the step from `from` so that the swing foot ends at the slope; *x is where it led, below. By bisection: the
// foot comes down once in a step.
static int shorten(bench_c2a_walker_method method, const double *from, double dt, double *x)
{
  double above = 0, below = dt;
  for (int i = 0; i < 60 && below - above > 1e-15 * dt; ++i) {
    const double middle = 0.5 * (above + below);
    memcpy(x, from, SIZE * sizeof *x);
    if (!steps[method](middle, x))
      return 0;
    if (bench_passive_walker_toy_height(x) > 0)
      above = middle;
    else
      below = middle;
  }
  return 1;
}

// Lean or pitch of more than a radian is a fall.
static int stands(const double *x)
{
  return fabs(x[1]) < 1 && fabs(x[2]) < 1;
}

int bench_c2a_walker_strides(bench_c2a_walker_method method, double dt, int most)
{
  double x[SIZE], before[SIZE], after[SIZE] = {0}, since = 0;
  memcpy(x, start, sizeof x);
  for (int strides = 0; strides < most;) {
    memcpy(before, x, sizeof x);
    if (!steps[method](dt, x) || !stands(x) || since > 3 * bench_c2a_walker_period)
      return strides;
    since += dt;
    // The foot begins at the slope and rises; it comes down in the second half of a stride.
    if (since < 0.5 * bench_c2a_walker_period || bench_passive_walker_toy_height(x) > 0 ||
        bench_passive_walker_toy_height(before) <= 0)
      continue;
    if (!shorten(method, before, dt, x) || bench_passive_walker_toy_strike(x, after) != 0)
      return strides;
    memcpy(x, after, sizeof x);
    since = 0;
    ++strides;
  }
  return most;
}

// ---- The longest step -----------------------------------------------------------------------------------------------

// The largest deviation over steps from dt down to three quarters of it, so that a lucky step does not count.
static double worst_below(bench_c2a_walker_method method, double dt)
{
  double worst = 0;
  for (int i = 0; i < 4; ++i)
    worst = fmax(worst, bench_c2a_walker_stride(method, dt * (1 - i / 12.0), 1, NULL));
  return worst;
}

// Bisection at first; then the point where a power law through both ends meets the tolerance, kept away from the ends.
double bench_c2a_walker_longest_step(bench_c2a_walker_method method, double tolerance)
{
  double bad = 2, good = 1, at_bad = INFINITY, at_good = worst_below(method, good);
  while (at_good > tolerance && good > 1e-7) {
    bad = good, at_bad = at_good;
    good *= 0.5;
    at_good = worst_below(method, good);
  }
  if (at_good > tolerance)
    return NAN;
  for (int turn = 0; turn < 40 && bad - good > 1e-3 * good; ++turn) {
    const double share = log(tolerance / at_good) / log(at_bad / at_good); // 0 if a value is not finite
    const double inner = fmin(fmax(share, 0), 1) + (turn % 2 ? -5e-4 : 5e-4);
    const double middle = isfinite(at_bad) && turn < 12
                              ? good * pow(bad / good, fmin(fmax(inner, 0.01), 0.99))
                              : 0.5 * (bad + good);
    const double worst = worst_below(method, middle);
    if (worst > tolerance)
      bad = middle, at_bad = worst;
    else
      good = middle, at_good = worst;
  }
  return good;
}
