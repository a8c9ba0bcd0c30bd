// The mass matrix is what inverse dynamics and the sum over links say it is.

#include "dynamics/cases.h"

#include <footfall/pose.h>

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { FORESTS = 80 };

// Column j of M is what a unit acceleration of velocity j takes at rest, beyond gravity.
static void unit_columns(ffi_case *c, void *margin)
{
  const int n = c->nv;
  double *columns = ffi_doubles(n * n), *still = ffi_doubles(n), *unit = ffi_doubles(n),
         *tau = ffi_doubles(n);
  double *gravity = ffi_doubles(n);
  ff_dynamics_gravity(c->dynamics, c->q, gravity);
  double lost = 1; // gravity cancels in the difference, its rounding does not
  for (int j = 0; j < n; ++j) {
    unit[j] = 1;
    ff_dynamics_rnea(c->dynamics, c->q, still, unit, tau);
    unit[j] = 0;
    for (int i = 0; i < n; ++i) {
      columns[i * n + j] = tau[i] - gravity[i];
      lost = fmax(lost, fabs(gravity[i]) / (c->w[i] * c->w[j]));
    }
  }
  ffi_margin_add(margin, ffi_matrix_error(c, c->M, columns) / lost, c->number);
  free(columns);
  free(still);
  free(unit);
  free(tau);
  free(gravity);
}

static void columns_are_unit_accelerations(void **state)
{
  (void)state;
  // Along a path each of up to 40 levels turns and shifts the sums once: some 10 roundings each.
  ffi_margin margin = {.what = "M against columns of rnea", .tolerance = 400 * DBL_EPSILON};
  ffi_for_each_case(FORESTS, unit_columns, &margin);
  ffi_margin_check(&margin);
}

// M = sum over links of m Jc' Jc + Jw' I Jw, plus armature, with each link as it was described.
static void sum_over_links(ffi_case *c, void *margin)
{
  const int n = c->nv;
  double *sum = ffi_doubles(n * n), *J = ffi_doubles(6 * n);
  ff_dynamics_kinematics(c->dynamics, c->q, NULL, NULL);
  for (int k = 0; k < c->links; ++k) {
    ff_link_info link;
    ff_model_link(c->model, k, &link);
    const ff_inertia *b = &link.inertia;
    const double *x = b->com, *I = b->matrix;
    ff_dynamics_frame_jacobian(c->dynamics, link.frame, FF_AXES_LOCAL, J);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        const double wi[3] = {J[3 * n + i], J[4 * n + i], J[5 * n + i]};
        const double wj[3] = {J[3 * n + j], J[4 * n + j], J[5 * n + j]};
        const double vi[3] = {J[i] + wi[1] * x[2] - wi[2] * x[1], J[n + i] + wi[2] * x[0] - wi[0] * x[2],
                              J[2 * n + i] + wi[0] * x[1] - wi[1] * x[0]};
        const double vj[3] = {J[j] + wj[1] * x[2] - wj[2] * x[1], J[n + j] + wj[2] * x[0] - wj[0] * x[2],
                              J[2 * n + j] + wj[0] * x[1] - wj[1] * x[0]};
        sum[i * n + j] += b->mass * (vi[0] * vj[0] + vi[1] * vj[1] + vi[2] * vj[2]) +
                          wi[0] * (I[0] * wj[0] + I[1] * wj[1] + I[2] * wj[2]) +
                          wi[1] * (I[1] * wj[0] + I[3] * wj[1] + I[4] * wj[2]) +
                          wi[2] * (I[2] * wj[0] + I[4] * wj[1] + I[5] * wj[2]);
      }
  }
  for (int k = 0; k < ff_model_get_size(c->model).joints; ++k) {
    ff_joint_info joint;
    ff_model_joint(c->model, k, &joint);
    for (int i = joint.v; i < joint.v + joint.nv; ++i)
      sum[i * n + i] += joint.armature;
  }
  ffi_margin_add(margin, ffi_matrix_error(c, c->M, sum), c->number);
  free(sum);
  free(J);
}

static void it_is_the_sum_over_links(void **state)
{
  (void)state;
  ffi_margin margin = {.what = "M against the sum over links", .tolerance = 400 * DBL_EPSILON}; // as above
  ffi_for_each_case(FORESTS, sum_over_links, &margin);
  ffi_margin_check(&margin);
}

// Is joint `above` on the path from the root to joint `below`? Parents have the smaller index.
static int is_ancestor(const ff_model *model, int above, int below)
{
  while (below > above) {
    ff_joint_info joint;
    ff_model_joint(model, below, &joint);
    below = joint.parent;
  }
  return below == above;
}

static void shape_of_matrix(ffi_case *c, void *data)
{
  (void)data;
  const int n = c->nv;
  int *joint_of = calloc((size_t)n + 1, sizeof *joint_of);
  for (int k = 0; k < ff_model_get_size(c->model).joints; ++k) {
    ff_joint_info joint;
    ff_model_joint(c->model, k, &joint);
    for (int i = joint.v; i < joint.v + joint.nv; ++i)
      joint_of[i] = k;
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) {
      assert_true(c->M[i * n + j] == c->M[j * n + i]);
      if (!is_ancestor(c->model, joint_of[j], joint_of[i]))
        assert_true(c->M[i * n + j] == 0.0);
    }
  free(joint_of);
}

// Positive definiteness is asserted where every case is made: its dense factorisation must succeed.
static void it_is_symmetric_and_sparse(void **state)
{
  (void)state;
  ffi_for_each_case(FORESTS, shape_of_matrix, NULL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(columns_are_unit_accelerations),
      cmocka_unit_test(it_is_the_sum_over_links),
      cmocka_unit_test(it_is_symmetric_and_sparse),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
