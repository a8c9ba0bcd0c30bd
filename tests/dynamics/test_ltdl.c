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

// A point mass at the end of an arm with two parallel hinges and a massless upper part. Stretched or folded, both
// hinges move the mass along the same line, so M is singular there, to rounding; bent it is not.
static ff_model *arm_with_point_mass(double upper, double lower)
{
  ff_link_def links[2];
  for (int i = 0; i < 2; ++i) {
    links[i] = ff_link_def_default();
    links[i].name = i ? "lower" : "upper";
    links[i].joint.name = i ? "elbow" : "shoulder";
    links[i].joint.type = FF_JOINT_REVOLUTE;
    links[i].joint.axis[2] = 1;
  }
  links[1].joint.pose.position[0] = upper;
  links[1].inertia.mass = 0.7;
  links[1].inertia.com[0] = lower;
  return ffi_chain(2, links);
}

static ff_status factor_at(ff_dynamics *dynamics, double shoulder, double elbow, ff_error *error)
{
  double q[2 * 8];
  const int lanes = ff_dynamics_lanes(dynamics);
  for (int lane = 0; lane < lanes; ++lane) { // one robot is in question, the last one; the others are bent
    q[lane] = shoulder;
    q[lanes + lane] = lane == lanes - 1 ? elbow : 1;
  }
  ff_dynamics_crba(dynamics, q);
  return ff_dynamics_factor(dynamics, error);
}

static void a_singular_matrix_is_an_error(void **state)
{
  static const double pi = 3.14159265358979323846;
  (void)state;
  for (int number = 0; number < 100; ++number) {
    ff_model *model = arm_with_point_mass(0.3 + 0.013 * number, 0.21 + 0.0077 * number);
    for (int variant = 0; variant < 6; ++variant) {
      const ff_dynamics_def def = {.lanes = variant % 2 ? FF_LANES_WIDE : 1,
                                   .isa = (ff_isa)(FF_ISA_BASE + variant / 2),
                                   .max_points = 1};
      ff_dynamics *dynamics;
      ff_error error = {.status = FF_OK};
      if (ff_dynamics_create(model, &def, &dynamics, NULL) != FF_OK)
        continue; // the machine lacks it
      assert_int_equal(factor_at(dynamics, 0.1 * number, 0, &error), FF_ERROR_NUMERIC);
      assert_int_equal(error.status, FF_ERROR_NUMERIC);
      assert_non_null(strstr(error.message, "positive definite at joint 'shoulder'"));
      assert_int_equal(factor_at(dynamics, 0.1 * number, pi, NULL), FF_ERROR_NUMERIC);
      assert_int_equal(factor_at(dynamics, 0.1 * number, 1, &error), FF_OK);
      assert_int_equal(factor_at(dynamics, 0.1 * number, 1e-4, &error), FF_OK); // nearly: a pivot of 1e-8
      ff_dynamics_destroy(dynamics);
    }
    ff_model_destroy(model);
  }
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
