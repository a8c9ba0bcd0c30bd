// The sparse factor solves as a dense Cholesky factor does.

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

typedef struct margins {
  ffi_margin forward, backward;
} margins;

static void solve(ffi_case *c, void *data)
{
  margins *m = data;
  const int n = c->nv;
  double *x = ffi_doubles(n), *dense = ffi_doubles(n);
  ff_error error;
  ff_dynamics_crba(c->dynamics, c->q);
  if (ff_dynamics_factor(c->dynamics, &error) != FF_OK)
    fail_msg("case %d: %s", c->number, error.message);
  for (int k = 0; k < 3; ++k) { // the factor serves any number of right-hand sides
    for (int i = 0; i < n; ++i)
      x[i] = dense[i] = c->w[i] * ffi_random_between(&c->random, -1, 1);
    double *b = ffi_doubles(n);
    memcpy(b, x, (size_t)n * sizeof *b);
    ff_dynamics_solve(c->dynamics, x);
    ffi_dense_solve(n, c->G, 1, dense);
    ffi_margin_add(&m->forward, ffi_motion_error(c, x, dense) / ffi_solve_rounding(c), c->number);
    for (int i = 0; i < n; ++i) {
      double residual = -b[i], size = fabs(b[i]);
      for (int j = 0; j < n; ++j) {
        residual += c->M[i * n + j] * x[j];
        size = fmax(size, c->w[i] * c->w[j] * fabs(x[j]));
      }
      ffi_margin_add(&m->backward, fabs(residual) / size, c->number);
    }
    free(b);
  }
  free(x);
  free(dense);
}

static void it_solves_like_a_dense_factor(void **state)
{
  // Both factorisations are backward stable: they differ by at most the condition number times the rounding
  // of their sums; and what is put back in gives the right-hand side to the rounding of sums of up to a
  // hundred terms.
  margins m = {
      .forward = {.what = "solve against dense Cholesky, / condition", .tolerance = 2},
      .backward = {.what = "M x against b", .tolerance = 100 * DBL_EPSILON},
  };
  (void)state;
  ffi_for_each_case(FORESTS, solve, &m);
  ffi_margin_check(&m.forward);
  ffi_margin_check(&m.backward);
}

// A first link without mass and a second one on the same axis: either can take the other's part.
static ff_model *singular_model(void)
{
  ff_link_def links[2];
  for (int i = 0; i < 2; ++i) {
    links[i] = ff_link_def_default();
    links[i].name = i ? "b" : "a";
    links[i].joint.type = FF_JOINT_REVOLUTE;
    links[i].joint.axis[2] = 1;
  }
  links[1].inertia.mass = 1;
  double *moments = links[1].inertia.matrix;
  moments[0] = moments[3] = moments[5] = 0.25; // a power of two: no rounding
  return ffi_chain(2, links);
}

static void a_singular_matrix_is_an_error(void **state)
{
  ff_model *model = singular_model();
  (void)state;
  for (int wide = 0; wide < 2; ++wide) {
    ff_dynamics *dynamics;
    const ff_dynamics_def def = {.lanes = wide ? FF_LANES_WIDE : 1, .max_points = 1};
    ff_error error = {.status = FF_OK};
    double q[2 * 8] = {0};
    assert_int_equal(ff_dynamics_create(model, &def, &dynamics, NULL), FF_OK);
    ff_dynamics_crba(dynamics, q);
    assert_int_equal(ff_dynamics_factor(dynamics, &error), FF_ERROR_NUMERIC);
    assert_int_equal(error.status, FF_ERROR_NUMERIC);
    assert_non_null(strstr(error.message, "positive definite"));
    ff_dynamics_crba(dynamics, q);
    assert_int_equal(ff_dynamics_factor(dynamics, NULL), FF_ERROR_NUMERIC);
    ff_dynamics_destroy(dynamics);
  }
  ff_model_destroy(model);
}

// One NaN in q of one lane spoils that lane; the call must say so, whichever lane and coordinate it is.
static void a_state_that_is_not_finite_is_an_error(void **state)
{
  static const double bad[] = {NAN, INFINITY, -INFINITY};
  (void)state;
  for (int number = 0; number < 20; ++number) {
    ffi_forest forest;
    ffi_forest_number(number, 1, &forest);
    const ff_model_size size = ff_model_get_size(forest.model);
    for (int wide = 0; wide < 2; ++wide) {
      ff_dynamics *dynamics;
      const ff_dynamics_def def = {.lanes = wide ? FF_LANES_WIDE : 1, .max_points = 1};
      assert_int_equal(ff_dynamics_create(forest.model, &def, &dynamics, NULL), FF_OK);
      const int lanes = ff_dynamics_lanes(dynamics);
      double *one = ffi_doubles(size.nq), *q = ffi_doubles(size.nq * lanes);
      ffi_random random = ffi_random_seed(3);
      ffi_random_q(&random, forest.model, one);
      for (int lane = 0; lane < lanes; ++lane)
        ffi_random_to_lane(size.nq, one, lanes, lane, q);
      for (int j = 0; j < size.joints; ++j) {
        ff_joint_info joint, carrier;
        ff_model_joint(forest.model, j, &joint);
        // The angle of a joint that something heavy hangs from on another joint shapes the matrix.
        if (joint.parent < 0 || joint.type != FF_JOINT_REVOLUTE)
          continue;
        ff_model_joint(forest.model, joint.parent, &carrier);
        if (carrier.type != FF_JOINT_SPHERICAL && carrier.type != FF_JOINT_FREE)
          continue;
        for (int lane = 0; lane < lanes; ++lane)
          for (int k = 0; k < 3; ++k) {
            q[joint.q * lanes + lane] = bad[k];
            ff_dynamics_crba(dynamics, q);
            assert_int_equal(ff_dynamics_factor(dynamics, NULL), FF_ERROR_NUMERIC);
            q[joint.q * lanes + lane] = one[joint.q];
            ff_dynamics_crba(dynamics, q);
            assert_int_equal(ff_dynamics_factor(dynamics, NULL), FF_OK);
          }
      }
      free(one);
      free(q);
      ff_dynamics_destroy(dynamics);
    }
    ffi_forest_free(&forest);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_solves_like_a_dense_factor),
      cmocka_unit_test(a_singular_matrix_is_an_error),
      cmocka_unit_test(a_state_that_is_not_finite_is_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
