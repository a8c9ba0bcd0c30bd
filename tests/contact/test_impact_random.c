// The impact map on thousands of random problems: singular G, mass ratios to 10^6, mu from 0 to 1000. The program is
// convex, so all of them must be solved. Every result is checked against the optimality conditions, stated in
// support/hard_laws.c from the mass matrix on, and some against plain gradient descent.
// soak: impacts
#include "support/impact_case.h"
#include "support/near.h"
#include "support/samples.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double frictions[] = {0, 0.1, 0.8, 10, 1000, -1};
static const double ratios[] = {1, 1e3, 1e6};
enum { FRICTIONS = 6, RATIOS = 3 };

// Beyond rounding nothing more than the tolerance is allowed: xi of heavy bodies is summed in another order.
static const double honest = 1 + 1e-3;

typedef struct tally {
  int problems, converged, liars;
  double worst; // violation over tolerance
  double gain;  // of kinetic energy, over what there was
} tally;

static void add_energy(const ffi_hard_case *c, tally *t)
{
  double *u = ffi_hard_room((size_t)c->problem.nv, sizeof *u),
         *xi = ffi_hard_room((size_t)c->problem.rows + 1, sizeof *xi);
  ffi_hard_velocities(c, u, xi);
  const double before = ffi_impact_kinetic(c, c->problem.u_free), after = ffi_impact_kinetic(c, u);
  t->gain = fmax(t->gain, (after - before) / before);
  free(u);
  free(xi);
}

static void solve_and_judge(const ff_impact_def *def, ffi_hard_case *c, int has_b, tally *t)
{
  const ffi_hard_result result = ffi_impact_run(def, c, NULL);
  const int faces = def->cone == FF_IMPACT_POLYGON ? 2 * def->edges - 4 : 0;
  ++t->problems;
  t->converged += result.converged;
  ffi_impact_state_law(c, FFI_HARD_LAW_CONE, faces);
  const double violation = ffi_hard_violation(c, def->relative_tolerance, def->absolute_tolerance);
  ffi_impact_state_law(c, FFI_HARD_LAW_CONTACT, 0);
  t->worst = fmax(t->worst, violation);
  t->liars += result.converged && !(violation <= honest);
  if (!has_b)
    add_energy(c, t);
}

static void all_of(ff_impact_def def, int each, int seed, tally *t)
{
  for (int f = 0; f < HARD_FAMILIES; ++f)
    for (int k = 0; k < FRICTIONS; ++k)
      for (int r = 0; r < RATIOS; ++r)
        for (int i = 0; i < each; ++i) {
          ffi_random random = ffi_random_seed(
              (uint64_t)seed + (uint64_t)((f * FRICTIONS + k) * RATIOS + r) * 1000 + (uint64_t)i);
          ffi_hard_case *c =
              ffi_impact_case_create((ffi_hard_family)f, frictions[k], ratios[r], i % 2, &random);
          solve_and_judge(&def, c, i % 2, t);
          ffi_hard_case_destroy(c);
        }
}

static void check_tally(const char *what, const tally *t)
{
  printf(
      "%s: %d of %d solved, worst violation %.3g of its tolerance, kinetic energy grows by %.2g of itself\n",
      what, t->converged, t->problems, t->worst, t->gain);
  ffi_samples_tried(t->problems, "impacts");
  assert_int_equal(t->converged, t->problems);
  assert_int_equal(t->liars, 0);
  // E = Lambda'(xi + c)/2 <= Lambda.xi/2 of an exact solution, which is <= 0; T = 1e-6 of the impulses is about that of
  // the energy.
  assert_true(t->gain < 2e-6);
}

static void every_program_is_solved(void **state)
{
  (void)state;
  tally t = {0};
  all_of(ff_impact_def_default(), ffi_samples(24), 0, &t);
  check_tally("cone", &t);
}

static void with_pyramids_too(void **state)
{
  (void)state;
  static const int edges[] = {4, 6, 12};
  for (int k = 0; k < 3; ++k) {
    ff_impact_def def = ff_impact_def_default();
    char name[40];
    def.cone = FF_IMPACT_POLYGON;
    def.edges = edges[k];
    tally t = {0};
    all_of(def, ffi_samples(4), 200000 * (k + 1), &t);
    snprintf(name, sizeof name, "polygon, %d edges", def.edges);
    check_tally(name, &t);
  }
}

// ---- Another way to the same answer -----------------------------------------------------------------------

// Projected gradient descent with momentum that starts again when it goes uphill; step 1 / trace.
static void descend(const ffi_hard_case *c, const double *H, const double *rest, int steps, double *x)
{
  const int n = c->problem.rows;
  double *y = ffi_hard_room((size_t)n + 1, sizeof *y), *old = ffi_hard_room((size_t)n + 1, sizeof *old);
  double trace = 0, momentum = 1;
  for (int i = 0; i < n; ++i)
    trace += H[i * n + i];
  memset(x, 0, (size_t)n * sizeof *x);
  for (int k = 0; k < steps; ++k) {
    double uphill = 0;
    memcpy(old, x, (size_t)n * sizeof *x);
    for (int i = 0; i < n; ++i) {
      double gradient = rest[i];
      for (int j = 0; j < n; ++j)
        gradient += H[i * n + j] * y[j];
      x[i] = y[i] - gradient / trace;
    }
    for (int b = 0; b < c->problem.block_count; ++b)
      ffi_impact_project(&c->problem.block[b], x + c->problem.block[b].row);
    for (int i = 0; i < n; ++i)
      uphill += (y[i] - x[i]) * (x[i] - old[i]);
    const double next = uphill > 0 ? 1 : (1 + sqrt(1 + 4 * momentum * momentum)) / 2;
    for (int i = 0; i < n; ++i)
      y[i] = x[i] + (uphill > 0 ? 0 : (momentum - 1) / next * (x[i] - old[i]));
    momentum = next;
  }
  free(y);
  free(old);
}

static double objective(int n, const double *H, const double *rest, const double *x)
{
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += rest[i] * x[i];
    for (int j = 0; j < n; ++j)
      sum += x[i] * H[i * n + j] * x[j] / 2;
  }
  return sum;
}

// At the minimum, and nowhere else, |u - u'|_M^2 / 2 is at most the increase of the objective at any other admissible
// point. Descent comes within a hundredth of the value, mostly much nearer; T = 1e-10 here.
static void gradient_descent_finds_the_same_velocities(void **state)
{
  (void)state;
  ffi_margin value = {.what = "objective over descent's", .tolerance = 1e-7},
             motion = {.what = "distance beyond what that allows", .tolerance = 1e-7},
             descent = {.what = "descent's objective over ours", .tolerance = 1e-2};
  const int problems = ffi_samples(60);
  for (int i = 0; i < problems; ++i) {
    ffi_random random = ffi_random_seed((uint64_t)900000 + (uint64_t)i);
    ffi_hard_case *c = ffi_impact_case_create((ffi_hard_family)(i % 4), i % 3 ? 0.6 : -1, 1, i % 2, &random);
    const int n = c->problem.rows, nv = c->problem.nv;
    double *H, *rest, *x = ffi_hard_room((size_t)n + 1, sizeof *x), *u = ffi_hard_room((size_t)nv, sizeof *u),
                      *xi = ffi_hard_room((size_t)n + 1, sizeof *xi);
    ff_impact_def def = ff_impact_def_default();
    def.relative_tolerance = def.absolute_tolerance = 1e-10;
    assert_true(ffi_impact_run(&def, c, NULL).converged);
    ffi_impact_matrix(c, &H, &rest);
    descend(c, H, rest, 3000, x);
    const double ours = objective(n, H, rest, c->problem.impulse), theirs = objective(n, H, rest, x);
    const double scale = fabs(theirs) + 1e-6;
    ffi_margin_add(&value, fmax(ours - theirs, 0) / scale, i);
    memcpy(u, c->problem.u, (size_t)nv * sizeof *u);
    memcpy(c->problem.impulse, x, (size_t)n * sizeof *x);
    ffi_hard_velocities(c, c->problem.u, xi);
    for (int v = 0; v < nv; ++v)
      u[v] -= c->problem.u[v];
    ffi_margin_add(&motion, fmax(ffi_impact_kinetic(c, u) - (theirs - ours), 0) / scale, i);
    ffi_margin_add(&descent, fmax(theirs - ours, 0) / scale, i);
    free(H);
    free(rest);
    free(x);
    free(u);
    free(xi);
    ffi_hard_case_destroy(c);
  }
  ffi_samples_tried(problems, "impacts against descent");
  ffi_margin_check(&value);
  ffi_margin_check(&motion);
  ffi_margin_check(&descent);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_program_is_solved),
      cmocka_unit_test(with_pyramids_too),
      cmocka_unit_test(gradient_descent_finds_the_same_velocities),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
