// M^-1 J' and J M^-1 J' of points against dense matrices.

#include "dynamics/cases.h"
#include "dynamics/dense.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { FORESTS = 80, POINTS = 6 };

// Points anywhere, the world included; the last two on the frame of the first.
static void choose_points(ffi_case *c, ff_point *points)
{
  for (int k = 0; k < POINTS; ++k) {
    points[k].frame = k < POINTS - 2 ? ffi_random_below(&c->random, c->frames) : points[0].frame;
    ffi_random_vector(&c->random, 3, 0.3, points[k].offset);
  }
}

static void factor(ffi_case *c)
{
  ff_dynamics_kinematics(c->dynamics, c->q, NULL, NULL);
  ff_dynamics_crba(c->dynamics, NULL);
  assert_int_equal(ff_dynamics_factor(c->dynamics, NULL), FF_OK);
}

typedef struct margins {
  ffi_margin solved, delassus;
} margins;

static void compare_with_dense(ffi_case *c, void *data)
{
  enum { ROWS = 3 * POINTS };
  margins *m = data;
  const int n = c->nv;
  ff_point points[POINTS];
  double *J = ffi_doubles(ROWS * n), *X = ffi_doubles(n * ROWS), *U = ffi_doubles(ROWS * ROWS);
  double *dense_X = ffi_doubles(n * ROWS), *dense_U = ffi_doubles(ROWS * ROWS);
  choose_points(c, points);
  factor(c);
  ff_dynamics_point_jacobian(c->dynamics, POINTS, points, J);
  ff_dynamics_minv_jt(c->dynamics, POINTS, points, X);
  ff_dynamics_delassus(c->dynamics, POINTS, points, U);

  ffi_dense_transpose(ROWS, n, J, dense_X);
  ffi_dense_solve(n, c->G, ROWS, dense_X);
  ffi_dense_multiply(ROWS, n, ROWS, J, dense_X, dense_U);
  const double rounding = ffi_solve_rounding(c);
  for (int r = 0; r < ROWS; ++r) {
    double error = 0, size = 0; // column r, in the units of M
    for (int i = 0; i < n; ++i) {
      error = fmax(error, ffi_gap(1, &X[i * ROWS + r], &dense_X[i * ROWS + r]) * c->w[i]);
      size = fmax(size, fabs(dense_X[i * ROWS + r]) * c->w[i]);
    }
    ffi_margin_add(&m->solved, size > 0 ? error / size / rounding : error, c->number);
    for (int s = 0; s < ROWS; ++s) {
      const double unit = sqrt(dense_U[r * ROWS + r] * dense_U[s * ROWS + s]);
      error = ffi_gap(1, &U[r * ROWS + s], &dense_U[r * ROWS + s]);
      ffi_margin_add(&m->delassus, unit > 0 ? error / unit / rounding : error, c->number);
      error =
          ffi_gap(1, &U[r * ROWS + s], &U[s * ROWS + r]); // within a block of one point the sums round twice
      assert_true(r / 3 == s / 3 ? error <= 4 * DBL_EPSILON * n * unit : error == 0);
    }
  }
  free(J);
  free(X);
  free(U);
  free(dense_X);
  free(dense_U);
}

static void they_are_dense_products(void **state)
{
  // Backward stable solves differ by the condition number times the rounding of their sums. A row of J M^-1
  // J' that is tiny against the others (a point on its joint's axis) is measured against itself; ten covers
  // that.
  margins m = {
      .solved = {.what = "M^-1 J' against dense, / condition", .tolerance = 2},
      .delassus = {.what = "J M^-1 J' against dense, / condition", .tolerance = 10},
  };
  (void)state;
  ffi_for_each_case(FORESTS, compare_with_dense, &m);
  ffi_margin_check(&m.solved);
  ffi_margin_check(&m.delassus);
}

// Points of different trees do not feel each other, and those of the world do not move: exact zeros.
static void look_for_zeros(ffi_case *c, void *data)
{
  int *zeros = data;
  for (int f = 0; f < c->frames; ++f)
    for (int g = 0; g < f; ++g) {
      ff_frame_info frames[2];
      ff_joint_info joint;
      double U[36];
      ff_model_frame(c->model, f, &frames[0]);
      ff_model_frame(c->model, g, &frames[1]);
      int roots[2] = {frames[0].joint, frames[1].joint};
      for (int k = 0; k < 2; ++k)
        while (roots[k] >= 0 && (ff_model_joint(c->model, roots[k], &joint), joint.parent >= 0))
          roots[k] = joint.parent;
      if (roots[0] == roots[1] && roots[0] >= 0)
        continue;
      if (++zeros[0] % 7) // some of the many pairs
        continue;
      const ff_point points[2] = {{f, {0.1, 0.2, 0.3}}, {g, {0.3, 0.1, 0.2}}};
      factor(c);
      ff_dynamics_delassus(c->dynamics, 2, points, U);
      for (int r = 0; r < 3; ++r)
        for (int s = 0; s < 3; ++s) {
          assert_true(U[6 * r + 3 + s] == 0 && U[6 * (3 + r) + s] == 0);
          assert_true(roots[0] >= 0 || U[6 * r + s] == 0);
          assert_true(roots[1] >= 0 || U[6 * (3 + r) + 3 + s] == 0);
        }
    }
}

static void strangers_do_not_couple(void **state)
{
  int zeros = 0;
  (void)state;
  ffi_for_each_case(40, look_for_zeros, &zeros);
  assert_true(zeros > 1000);
}

// None at all, and exactly as many as there is room for.
static void no_points_and_many_points(ffi_case *c, void *data)
{
  const int count = 40;
  const ff_dynamics_def def = {.lanes = 1, .max_points = count};
  ff_dynamics *dynamics;
  double *U = ffi_doubles(9 * count * count), untouched = 7;
  (void)data;
  assert_int_equal(ff_dynamics_create(c->model, &def, &dynamics, NULL), FF_OK);
  ff_dynamics_kinematics(dynamics, c->q, NULL, NULL);
  ff_dynamics_crba(dynamics, NULL);
  assert_int_equal(ff_dynamics_factor(dynamics, NULL), FF_OK);
  ff_dynamics_delassus(dynamics, 0, NULL, &untouched);
  ff_dynamics_minv_jt(dynamics, 0, NULL, &untouched);
  ff_dynamics_point_jacobian(dynamics, 0, NULL, &untouched);
  assert_true(untouched == 7);

  ff_point points[40];
  for (int k = 0; k < count; ++k) {
    points[k].frame = ffi_random_below(&c->random, c->frames);
    ffi_random_vector(&c->random, 3, 0.3, points[k].offset);
  }
  ff_dynamics_delassus(dynamics, count, points, U);
  for (int r = 0; r < 3 * count; ++r)
    assert_true(U[r * 3 * count + r] >= 0);
  ff_dynamics_destroy(dynamics);
  free(U);
}

static void any_number_of_points_up_to_the_limit(void **state)
{
  (void)state;
  ffi_for_each_case(20, no_points_and_many_points, NULL);
}

// point_jacobian is not bound by max_points, and leaves all else alone.
static void jacobian_of_more_points_than_the_limit(void **state)
{
  ffi_forest forest;
  const ff_dynamics_def def = {.lanes = 1, .max_points = 0};
  ff_dynamics *dynamics;
  (void)state;
  ffi_forest_number(3, 0, &forest);
  const ff_model_size size = ff_model_get_size(forest.model);
  double *q = ffi_doubles(size.nq), *v = ffi_doubles(size.nv), *J = ffi_doubles(9 * size.nv);
  ffi_random random = ffi_random_seed(1);
  ffi_random_q(&random, forest.model, q);
  ffi_random_vector(&random, size.nv, 1, v);
  assert_int_equal(ff_dynamics_create(forest.model, &def, &dynamics, NULL), FF_OK);
  ff_dynamics_kinematics(dynamics, q, v, NULL);
  for (int f = 0; f < size.frames; ++f) {
    const ff_point points[3] = {{f, {0, 0, 0}}, {f, {0, 0, 1}}, {0, {0, 0, 0}}};
    double before[6], after[6], moved[3] = {0, 0, 0};
    ff_dynamics_frame_velocity(dynamics, f, FF_AXES_LOCAL_ALIGNED, before);
    ff_dynamics_point_jacobian(dynamics, 3, points, J);
    ff_dynamics_frame_velocity(dynamics, f, FF_AXES_LOCAL_ALIGNED, after);
    assert_memory_equal(before, after, sizeof before);
    for (int r = 0; r < 3; ++r)
      for (int i = 0; i < size.nv; ++i)
        moved[r] += J[r * size.nv + i] * v[i];
    assert_true(ffi_gap(3, moved, before) <= 100 * DBL_EPSILON * size.nv);
  }
  ff_dynamics_destroy(dynamics);
  free(q);
  free(v);
  free(J);
  ffi_forest_free(&forest);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(they_are_dense_products),
      cmocka_unit_test(strangers_do_not_couple),
      cmocka_unit_test(any_number_of_points_up_to_the_limit),
      cmocka_unit_test(jacobian_of_more_points_than_the_limit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
