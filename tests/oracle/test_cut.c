// A robot and its pieces are the same robot: forward dynamics of the pieces under their constraints, from one dense
// system
//
//     M vdot - J' lambda = tau - h,     J vdot = -Jdot v
//
// solved by LAPACK, against articulated bodies on the model that was not cut. Accelerations of all links are compared.
// Jdot v is a difference of order 6 of J v along the motion, so nothing of the comparison comes from formulas for it.
#include "support/cut_constraints.h"
#include "support/must.h"
#include "support/near.h"
#include "support/random_model.h"

#include <footfall/load.h>

#include <lapacke.h>

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static double *numbers(int count)
{
  return calloc((size_t)count + 1, sizeof(double));
}

static ff_dynamics *dynamics_of(const ff_model *model)
{
  ff_dynamics *d;
  ff_error error;
  ffi_must(ff_dynamics_create(model, NULL, &d, &error), &error);
  return d;
}

// u [rows] = J(q (+) t v) v.
static void row_velocity(ff_dynamics *d, const ff_model *model, const double *q, const double *v, double t,
                         double *u)
{
  const ff_model_size s = ff_model_get_size(model);
  const int rows = ffi_cut_constraints_count(model);
  double *J = numbers(rows * s.nv), *at = numbers(s.nq), *dv = numbers(s.nv);
  for (int k = 0; k < s.nv; ++k)
    dv[k] = t * v[k];
  ff_model_integrate(model, q, dv, at);
  ffi_cut_constraints_place(d, model, at, J, NULL);
  for (int i = 0; i < rows; ++i) {
    u[i] = 0;
    for (int k = 0; k < s.nv; ++k)
      u[i] += J[i * s.nv + k] * v[k];
  }
  free(J);
  free(at);
  free(dv);
}

// Jdot v by differences of order 6. Velocities here are of order 1..10 per second, so h = 2e-3 leaves h^6 10^7 = 6e-10
// of the scale at worst and eps / h = 1e-13 from rounding.
static void bias_of_rows(ff_dynamics *d, const ff_model *model, const double *q, const double *v, double *out)
{
  static const double weight[3] = {45.0 / 60, -9.0 / 60, 1.0 / 60};
  const double h = 2e-3;
  const int rows = ffi_cut_constraints_count(model);
  double *u = numbers(rows);
  memset(out, 0, (size_t)rows * sizeof *out);
  for (int n = 1; n <= 3; ++n)
    for (int sign = -1; sign <= 1; sign += 2) {
      row_velocity(d, model, q, v, sign * n * h, u);
      for (int i = 0; i < rows; ++i)
        out[i] += sign * weight[n - 1] * u[i] / h;
    }
  free(u);
}

// vdot [nv] of the pieces.
static void constrained_dynamics(const ff_model *model, const double *q, const double *v, const double *tau,
                                 double *vdot)
{
  const int nv = ff_model_get_size(model).nv, rows = ffi_cut_constraints_count(model), n = nv + rows;
  ff_dynamics *d = dynamics_of(model);
  double *M = numbers(nv * nv), *J = numbers(rows * nv), *h = numbers(nv), *A = numbers(n * n),
         *x = numbers(n);
  lapack_int *pivots = calloc((size_t)n + 1, sizeof *pivots);
  ff_dynamics_bias(d, q, v, h);
  ff_dynamics_crba(d, q);
  ff_dynamics_mass_matrix(d, M);
  bias_of_rows(d, model, q, v, x + nv);
  ffi_cut_constraints_place(d, model, q, J, NULL);
  for (int i = 0; i < nv; ++i) {
    x[i] = tau[i] - h[i];
    for (int k = 0; k < nv; ++k)
      A[i * n + k] = M[i * nv + k];
    for (int r = 0; r < rows; ++r) {
      A[i * n + nv + r] = -J[r * nv + i];
      A[(nv + r) * n + i] = J[r * nv + i];
    }
  }
  for (int r = 0; r < rows; ++r)
    x[nv + r] = -x[nv + r];
  assert_int_equal(LAPACKE_dgesv(LAPACK_ROW_MAJOR, n, 1, A, n, pivots, x, 1), 0);
  memcpy(vdot, x, (size_t)nv * sizeof *vdot);
  free(M);
  free(J);
  free(h);
  free(A);
  free(x);
  free(pivots);
  ff_dynamics_destroy(d);
}

// The worst difference of the links' accelerations, over the largest.
static double compare_links(const ff_model *source, const ff_model *pieces, ff_dynamics *d,
                            ff_dynamics *d_cut)
{
  double worst = 0, scale = 0;
  for (int i = 0; i < ff_model_get_size(source).links; ++i) {
    ff_link_info link;
    ff_model_link(source, i, &link);
    const int frame = ff_model_find_frame(pieces, link.name);
    double want[6], got[6];
    assert_true(frame > 0);
    ff_dynamics_frame_acceleration(d, link.frame, FF_AXES_LOCAL_ALIGNED, want);
    ff_dynamics_frame_acceleration(d_cut, frame, FF_AXES_LOCAL_ALIGNED, got);
    worst = fmax(worst, ffi_gap(6, got, want));
    scale = fmax(scale, ffi_size(6, want));
  }
  return worst / (1 + scale);
}

// One random state and force.
static void try_state(const ff_cut *cut, ffi_random *random, ffi_margin *margin, int where)
{
  const ff_model *source = ff_cut_source(cut), *pieces = ff_cut_model(cut);
  const ff_model_size s = ff_model_get_size(source), c = ff_model_get_size(pieces);
  double *q = numbers(s.nq), *v = numbers(s.nv), *tau = numbers(s.nv), *vdot = numbers(s.nv);
  double *q_cut = numbers(c.nq), *v_cut = numbers(c.nv), *tau_cut = numbers(c.nv), *vdot_cut = numbers(c.nv);
  ff_dynamics *d = dynamics_of(source), *d_cut = dynamics_of(pieces);
  ffi_random_q(random, source, q);
  ffi_random_vector(random, s.nv, 1, v);
  ffi_random_vector(random, s.nv, 10, tau);
  ff_dynamics_aba(d, q, v, tau, vdot);
  ff_dynamics_kinematics(d, q, v, vdot);
  ff_cut_spread(cut, q, v, q_cut, v_cut);
  ff_cut_tau(cut, q_cut, tau, tau_cut);
  constrained_dynamics(pieces, q_cut, v_cut, tau_cut, vdot_cut);
  ff_dynamics_kinematics(d_cut, q_cut, v_cut, vdot_cut);
  ffi_margin_add(margin, compare_links(source, pieces, d, d_cut), where);
  double *arrays[] = {q, v, tau, vdot, q_cut, v_cut, tau_cut, vdot_cut};
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; ++i)
    free(arrays[i]);
  ff_dynamics_destroy(d);
  ff_dynamics_destroy(d_cut);
}

// Systems of up to 400 unknowns whose condition is 1e5 or so, by the masses of links: eps times that, beside the
// differences' error; a term that is wrong or missing shows as 1e-3 and more.
static const double tolerance = 1e-10;

static void robots_accelerate_alike(void **state)
{
  static const char *const files[] = {"starleth.urdf", "solo12.urdf", "romeo.urdf", "pendulum.urdf"};
  ffi_margin sets = {.what = "extended and maximal", .tolerance = tolerance};
  ffi_margin lists = {.what = "random lists", .tolerance = tolerance};
  (void)state;
  for (int i = 0; i < 4; ++i) {
    char path[512];
    ff_error error;
    ff_model *model;
    ffi_random random = ffi_random_seed((uint64_t)i + 1);
    snprintf(path, sizeof path, "%s/models/%s", FFI_TEST_SOURCE_DIR, files[i]);
    ffi_must(ff_model_load(path, NULL, &model, &error), &error);
    for (ff_cut_set set = FF_CUT_EXTENDED; set <= FF_CUT_MAXIMAL; ++set) {
      if (i == 3 && set == FF_CUT_EXTENDED) // nothing hangs on the bob
        continue;
      for (int n = 0; n < 4; ++n) {
        ff_cut *cut =
            n < 2 ? ffi_cut_constraints_cut(model, set) : ffi_cut_constraints_cut_at_joints(model, set);
        try_state(cut, &random, &sets, i);
        ff_cut_destroy(cut);
      }
    }
    for (int n = 0; n < 3; ++n) {
      ff_cut *cut = ffi_cut_constraints_cut_some(model, &random, 0.4, 0);
      if (cut)
        try_state(cut, &random, &lists, i);
      ff_cut_destroy(cut);
    }
    ff_model_destroy(model);
  }
  ffi_margin_check(&sets);
  ffi_margin_check(&lists);
}

static void count_elements(const ff_cut *cut, int counts[FF_ELEMENT_PLANAR + 1])
{
  ff_element_def element;
  for (int i = 0; ff_model_element(ff_cut_model(cut), i, &element) == FF_OK; ++i)
    ++counts[element.type];
}

// With and without armature and damping on some joints, which stay whole then.
static void forests_accelerate_alike(void **state)
{
  enum { FORESTS = 40 };
  ffi_margin margin = {.what = "forests", .tolerance = tolerance};
  int counts[FF_ELEMENT_PLANAR + 1] = {0};
  (void)state;
  for (int i = 0; i < 2 * FORESTS; ++i) {
    ffi_forest forest;
    ffi_random random = ffi_random_seed((uint64_t)i + 100);
    if (i < FORESTS)
      ffi_forest_number(i, 0, &forest);
    else
      ffi_forest_make(
          &(ffi_forest_def){.seed = (uint64_t)i, .links = 1 + i % FFI_FOREST_LINKS, .is_unloaded = 1},
          &forest);
    for (int n = 0; n < 2; ++n) {
      ff_cut *cut = ffi_cut_constraints_cut_some(forest.model, &random, n ? 1 : 0.4, 0);
      if (cut) {
        try_state(cut, &random, &margin, i);
        count_elements(cut, counts);
      }
      ff_cut_destroy(cut);
    }
    ffi_forest_free(&forest);
  }
  assert_true(counts[FF_ELEMENT_HINGE] > 50 && counts[FF_ELEMENT_SLIDER] > 50);
  assert_true(counts[FF_ELEMENT_POINT] > 50 && counts[FF_ELEMENT_PLANAR] > 50);
  ffi_margin_check(&margin);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(robots_accelerate_alike),
      cmocka_unit_test(forests_accelerate_alike),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
