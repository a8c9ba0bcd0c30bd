// A plate that falls onto springs, up to a thousand of them (section 5.2 of the event-selection paper): energy, sides
// at every sample, and convergence.
#include "support/must.h"
#include "support/near.h"

#include <footfall/ess.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 1000 };

// Of unit mass; x = (x, z, angle, and their rates). Guards 2i: spring i touches, 2i + 1: it lets go. Depth L0 +
// tan(angle) (x - x_i) - z.
typedef struct plate {
  int n;
  double place[MOST], stiffness; // of each spring
  ff_ess *ess;
  double worst_side; // how far it was
  double h[2 * MOST];
} plate;

static const double gravity = 9.81, inertia = 3;

static void depths(const double *x, double *h, void *user)
{
  const plate *p = user;
  const double slope = tan(x[2]), middle = 1 + slope * x[0] - x[1];
  for (int i = 0; i < p->n; ++i) {
    h[2 * i] = middle - slope * p->place[i];
    h[2 * i + 1] = -h[2 * i];
  }
}

static void depth_rates(const double *x, const double *dx, double *rate, void *user)
{
  const plate *p = user;
  const double slope = tan(x[2]), turning = (1 + slope * slope) * dx[2];
  const double middle = slope * dx[0] - dx[1] + turning * x[0];
  for (int i = 0; i < p->n; ++i) {
    rate[2 * i] = middle - turning * p->place[i];
    rate[2 * i + 1] = -rate[2 * i];
  }
}

static int field(double t, const double *x, const signed char *side, double *dx, void *user)
{
  (void)t;
  const plate *p = user;
  const double slope = tan(x[2]), middle = 1 + slope * x[0] - x[1];
  double force = 0, moment = 0;
  for (int i = 0; i < p->n; ++i) {
    const double push = side[2 * i] > 0 ? p->stiffness * (middle - slope * p->place[i]) : 0;
    force += push;
    moment += push * (x[0] - p->place[i]);
  }
  memcpy(dx, x + 3, 3 * sizeof *dx);
  dx[3] = -force * slope;
  dx[4] = force - gravity;
  dx[5] = -moment * (1 + slope * slope) / inertia;
  return 0;
}

static double energy(const plate *p, const double *x)
{
  double sum = gravity * x[1] + 0.5 * (x[3] * x[3] + x[4] * x[4] + inertia * x[5] * x[5]);
  for (int i = 0; i < p->n; ++i) {
    const double depth = fmax(0, 1 + tan(x[2]) * (x[0] - p->place[i]) - x[1]);
    sum += 0.5 * p->stiffness * depth * depth;
  }
  return sum;
}

// At every sample the springs that are taken to touch do, but for the width of the bands.
static void record(double t, const double *x, int guard, void *user)
{
  (void)t;
  (void)guard;
  plate *p = user;
  if (!p->ess)
    return;
  depths(x, p->h, p);
  for (int i = 0; i < p->n; ++i) {
    const double wrong = ff_ess_side(p->ess)[2 * i] > 0 ? -p->h[2 * i] : p->h[2 * i];
    p->worst_side = fmax(p->worst_side, wrong);
  }
}

static const double start[6] = {0, 2.2, 0.05, 0, 0, 0};

// Two seconds from the start; x is then the end. The energy that was gained.
static double fall(int n, ff_ess_method method, double epsilon, double tolerance, double *x,
                   ff_ess_info *info)
{
  plate *p = calloc(1, sizeof *p);
  ff_ess_rearm *rearm = calloc(2 * (size_t)n, sizeof *rearm);
  assert_non_null(p);
  assert_non_null(rearm);
  p->n = n;
  p->stiffness = 400. / n;
  for (int i = 0; i < n; ++i) {
    p->place[i] = -2 + 4. * i / (n - 1);
    rearm[2 * i] = (ff_ess_rearm){2 * i, 2 * i + 1};
    rearm[2 * i + 1] = (ff_ess_rearm){2 * i + 1, 2 * i};
  }
  ff_ess_def def = ff_ess_def_default();
  def.system = (ff_ess_system){
      .size = 6, .guards = 2 * n, .field = field, .guard = depths, .guard_rate = depth_rates, .user = p};
  def.rearm = rearm;
  def.rearm_count = 2 * n;
  def.method = method;
  def.epsilon = epsilon;
  def.relative_tolerance = def.absolute_tolerance = tolerance;
  def.record = record;
  ff_error error;
  ff_ess *ess;
  ffi_must(ff_ess_create(&def, &ess, &error), &error);
  ffi_must(ff_ess_start(ess, 0, start, NULL, &error), &error);
  p->ess = ess;
  ffi_must(ff_ess_advance(ess, 2, &error), &error);
  memcpy(x, ff_ess_state(ess), 6 * sizeof *x);
  *info = ff_ess_get_info(ess);
  assert_true(p->worst_side <= (method == FF_ESS_LOCATE ? 1e-12 : epsilon));
  const double gained = energy(p, x) - energy(p, start);
  ff_ess_destroy(ess);
  free(rearm);
  free(p);
  return gained;
}

// Steps of 1e-11, thousands of them, at speeds of up to 5.
static void test_energy(void **state)
{
  (void)state;
  const int counts[] = {2, 30, 200};
  for (int i = 0; i < 3; ++i) {
    double x[6];
    ff_ess_info info;
    const double gained = fall(counts[i], FF_ESS_LOCATE, 1, 1e-11, x, &info);
    print_message("%d springs: %lld crossings, energy %g\n", counts[i], info.crossings, gained);
    ffi_check_near("energy", gained, 0, 1e-7);
    assert_true(info.crossings >= 3 * counts[i]);
  }
}

// Projected, motions tend to the located one with epsilon^2.
static void test_convergence(void **state)
{
  (void)state;
  double exact[6], x[6], gap[2];
  ff_ess_info info;
  fall(50, FF_ESS_LOCATE, 1, 1e-12, exact, &info);
  for (int i = 0; i < 2; ++i) {
    fall(50, FF_ESS_PROJECT, i == 0 ? 4e-4 : 1e-4, 1e-12, x, &info);
    gap[i] = ffi_gap(6, x, exact);
  }
  print_message("errors %g %g\n", gap[0], gap[1]);
  ffi_check_near("order", log2(gap[0] / gap[1]) / 2, 2, 0.15);
}

// Where the paper saw irregular behaviour from 150 contacts on, a finer bed of springs is just a finer bed: the
// motion tends to a limit.
static void test_a_thousand(void **state)
{
  (void)state;
  double x[3][6];
  ff_ess_info info;
  const int counts[] = {250, 500, 1000};
  for (int i = 0; i < 3; ++i) {
    const double gained = fall(counts[i], FF_ESS_PROJECT, 2e-5, 1e-9, x[i], &info);
    print_message("%d springs: %lld crossings, %lld turned, energy %g\n", counts[i], info.crossings,
                  info.turned, gained);
    assert_true(info.crossings >= 3 * counts[i]);
    assert_int_equal(info.crossings, info.projections + info.located);
  }
  const double first = ffi_gap(6, x[0], x[1]), second = ffi_gap(6, x[1], x[2]);
  print_message("from 250 to 500: %g, from 500 to 1000: %g\n", first, second);
  assert_true(second <
              0.65 * first); // the ends of the bed count whole: a sum that is off by 1/n from the integral
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_energy),
      cmocka_unit_test(test_convergence),
      cmocka_unit_test(test_a_thousand),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
