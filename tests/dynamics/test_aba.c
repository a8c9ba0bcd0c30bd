// Forward dynamics against the mass matrix and against inverse dynamics.

#include "dynamics/cases.h"
#include "dynamics/dense.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { FORESTS = 80 };

static void compare_with_matrix(ffi_case *c, void *margin)
{
  double *want = ffi_doubles(c->nv), *got = ffi_doubles(c->nv);
  ff_dynamics_bias(c->dynamics, c->q, c->v, want);
  for (int i = 0; i < c->nv; ++i)
    want[i] = c->tau[i] - want[i];
  ffi_dense_solve(c->nv, c->G, 1, want);
  ff_dynamics_aba(c->dynamics, c->q, c->v, c->tau, got);
  ffi_margin_add(margin, ffi_motion_error(c, got, want) / ffi_solve_rounding(c), c->number);
  free(want);
  free(got);
}

static void it_solves_with_the_mass_matrix(void **state)
{
  (void)state;
  // Two ways to solve the same equations differ by the condition number times the rounding of their sums.
  ffi_margin margin = {.what = "aba against M^-1 (tau - h), / condition", .tolerance = 2};
  ffi_for_each_case(FORESTS, compare_with_matrix, &margin);
  ffi_margin_check(&margin);
}

// Back through rnea, relative to the largest force that is added up on the way.
static void compare_with_rnea(ffi_case *c, void *margin)
{
  const int n = c->nv;
  double *vdot = ffi_doubles(n), *tau = ffi_doubles(n), *h = ffi_doubles(n);
  ff_dynamics_aba(c->dynamics, c->q, c->v, c->tau, vdot);
  ff_dynamics_rnea(c->dynamics, c->q, c->v, vdot, tau);
  ff_dynamics_bias(c->dynamics, c->q, c->v, h);
  double size = 0;
  for (int i = 0; i < n; ++i)
    size = fmax(size, fmax(fabs(h[i]), fabs(c->tau[i])) / c->w[i] + c->w[i] * fabs(vdot[i]));
  for (int i = 0; i < n; ++i)
    ffi_margin_add(margin, ffi_gap(1, tau + i, c->tau + i) / c->w[i] / size, c->number);
  free(vdot);
  free(tau);
  free(h);
}

static void inverse_dynamics_gives_the_forces_back(void **state)
{
  (void)state;
  // Roundings as in rnea, 10 for each of up to 40 levels, and as many again in aba.
  ffi_margin margin = {.what = "rnea of aba against tau", .tolerance = 1000 * DBL_EPSILON};
  ffi_for_each_case(FORESTS, compare_with_rnea, &margin);
  ffi_margin_check(&margin);
}

// A tree that nothing holds, at rest and without forces, accelerates with gravity and does not bend.
static void what_falls_does_not_bend(void **state)
{
  (void)state;
  for (int i = 0; i < 20; ++i) {
    ffi_forest forest;
    ffi_forest_make(&(ffi_forest_def){.seed = (uint64_t)i, .links = 1 + 2 * i, .has_one_root = 1}, &forest);
    const ff_model_size size = ff_model_get_size(forest.model);
    double *q = ffi_doubles(size.nq), *zero = ffi_doubles(size.nv), *vdot = ffi_doubles(size.nv), a[6];
    ffi_random random = ffi_random_seed((uint64_t)i);
    ff_dynamics *dynamics;
    assert_int_equal(ff_dynamics_create(forest.model, NULL, &dynamics, NULL), FF_OK);
    ffi_random_q(&random, forest.model, q);
    ff_dynamics_aba(dynamics, q, zero, zero, vdot);
    // Accelerations of joints are what is left of 9.81 m/s^2 over arms of centimetres: 1e3 rad/s^2 cancel.
    const double tolerance = 1e4 * DBL_EPSILON * 9.81 * size.nv;
    assert_true(ffi_size(size.nv - 6, vdot + 6) < tolerance);
    ff_dynamics_kinematics(dynamics, q, zero, vdot);
    for (int f = 1; f < size.frames; ++f) {
      ff_frame_info frame;
      ff_model_frame(forest.model, f, &frame);
      if (frame.joint < 0)
        continue;
      ff_dynamics_frame_acceleration(dynamics, f, FF_AXES_LOCAL_ALIGNED, a);
      assert_true(ffi_gap(3, a, forest.gravity) < 10 * tolerance);
      assert_true(ffi_size(3, a + 3) < tolerance);
    }
    ff_dynamics_destroy(dynamics);
    free(q);
    free(zero);
    free(vdot);
    ffi_forest_free(&forest);
  }
}

// What is no number does not vanish on the way: a caller who looks at the result sees it.
static void spoil(ffi_case *c, void *data)
{
  double *got = ffi_doubles(c->nv);
  (void)data;
  for (int i = 0; i < c->nv; ++i) {
    const double tau = c->tau[i];
    c->tau[i] = NAN;
    ff_dynamics_aba(c->dynamics, c->q, c->v, c->tau, got);
    assert_true(isnan(got[i]));
    c->tau[i] = tau;
    ff_dynamics_rnea(c->dynamics, c->q, c->v, c->tau, got);
    assert_true(!isnan(got[i])); // nothing of it is left in the workspace
  }
  free(got);
}

static void no_number_does_not_vanish(void **state)
{
  (void)state;
  ffi_for_each_case(20, spoil, NULL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_solves_with_the_mass_matrix),
      cmocka_unit_test(inverse_dynamics_gives_the_forces_back),
      cmocka_unit_test(what_falls_does_not_bend),
      cmocka_unit_test(no_number_does_not_vanish),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
