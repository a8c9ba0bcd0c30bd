// Derivatives of inverse and forward dynamics against differences and against complex steps. That lanes agree and that
// nothing is allocated is tested with all other kernels, in test_lanes.c and test_allocations.c.

#include "dynamics/cases.h"
#include "dynamics/complex_rnea.h"
#include "dynamics/dense.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { FORESTS = 60, FORCES = 4 };

// Forces on random frames, the world's among them.
static void random_forces(ffi_case *c, ff_point_force *forces)
{
  for (int k = 0; k < FORCES; ++k) {
    forces[k].point.frame = ffi_random_below(&c->random, c->frames);
    ffi_random_vector(&c->random, 3, 0.5, forces[k].point.offset);
    ffi_random_vector(&c->random, 3, 50, forces[k].force);
  }
}

// tau = M vdot + h - sum J' f, by functions tested elsewhere.
static void inverse_dynamics(ffi_case *c, const ffi_complex_rnea_input *at, double *tau)
{
  double *J = ffi_doubles(3 * c->nv);
  ff_dynamics_rnea(c->dynamics, at->q, at->v, at->vdot, tau);
  ff_dynamics_kinematics(c->dynamics, at->q, NULL, NULL);
  for (int k = 0; k < at->count; ++k) {
    ff_dynamics_point_jacobian(c->dynamics, 1, &at->forces[k].point, J);
    for (int i = 0; i < c->nv; ++i)
      for (int r = 0; r < 3; ++r)
        tau[i] -= J[r * c->nv + i] * at->forces[k].force[r];
  }
  free(J);
}

// Largest |got - want| in units of the mass matrix (cases.h) and seconds, over the largest |want|, at least 1: d tau /
// d vdot is 1 in these units, and some derivatives are zero.
static double derivative_error(const ffi_case *c, const double *got, const double *want)
{
  double error = 0, size = 1;
  for (int i = 0; i < c->nv; ++i)
    for (int k = 0; k < c->nv; ++k) {
      const int at = i * c->nv + k;
      error = fmax(error, ffi_gap(1, got + at, want + at) / (c->w[i] * c->w[k]));
      size = fmax(size, fabs(want[at]) / (c->w[i] * c->w[k]));
    }
  return error / size;
}

// A function of position and velocity, [nv].
typedef void (*dynamics_of)(ffi_case *c, const double *q, const double *v, int count,
                            const ff_point_force *forces, double *out);

enum { PLUS, MINUS, SIDES };
static const double h = 1e-5;

static void by_differences(ffi_case *c, dynamics_of of, int count, const ff_point_force *forces, double *dq,
                           double *dv)
{
  const int n = c->nv;
  double *q = ffi_doubles(c->nq), *step = ffi_doubles(n), *v = ffi_doubles(n),
         *out[SIDES] = {ffi_doubles(n), ffi_doubles(n)};
  for (int k = 0; k < n; ++k) {
    for (int side = 0; side < SIDES; ++side) {
      step[k] = side == PLUS ? h : -h;
      ff_model_integrate(c->model, c->q, step, q);
      of(c, q, c->v, count, forces, out[side]);
    }
    step[k] = 0;
    for (int i = 0; i < n; ++i)
      dq[i * n + k] = (out[PLUS][i] - out[MINUS][i]) / (2 * h);
    memcpy(v, c->v, (size_t)n * sizeof *v);
    for (int side = 0; side < SIDES; ++side) {
      v[k] = c->v[k] + (side == PLUS ? h : -h);
      of(c, c->q, v, count, forces, out[side]);
    }
    for (int i = 0; i < n; ++i)
      dv[i * n + k] = (out[PLUS][i] - out[MINUS][i]) / (2 * h);
  }
  free(q);
  free(step);
  free(v);
  free(out[PLUS]);
  free(out[MINUS]);
}

// Derivatives by the library and by others, [nv x nv] each.
typedef struct derivatives {
  double *q, *v, *want_q, *want_v;
} derivatives;

static derivatives derivatives_create(int n)
{
  return (derivatives){ffi_doubles(n * n), ffi_doubles(n * n), ffi_doubles(n * n), ffi_doubles(n * n)};
}

static void derivatives_free(derivatives *d)
{
  free(d->q);
  free(d->v);
  free(d->want_q);
  free(d->want_v);
}

typedef struct inverse_margins {
  ffi_margin q, v;
} inverse_margins;

static void judge_inverse(ffi_case *c, int count, const ff_point_force *forces, derivatives *d,
                          inverse_margins *m)
{
  ff_dynamics_rnea_derivatives(c->dynamics, c->q, c->v, c->vdot, forces, count, d->q, d->v);
  ffi_margin_add(&m->q, derivative_error(c, d->q, d->want_q), c->number);
  ffi_margin_add(&m->v, derivative_error(c, d->v, d->want_v), c->number);
}

static void torques_of(ffi_case *c, const double *q, const double *v, int count, const ff_point_force *forces,
                       double *tau)
{
  inverse_dynamics(c, &(ffi_complex_rnea_input){q, v, c->vdot, forces, count}, tau);
}

static void compare_with_differences(ffi_case *c, void *data)
{
  ff_point_force forces[FORCES];
  random_forces(c, forces);
  derivatives d = derivatives_create(c->nv);
  for (int count = 0; count <= FORCES; count += FORCES) {
    by_differences(c, torques_of, count, forces, d.want_q, d.want_v);
    judge_inverse(c, count, forces, &d, data);
  }
  derivatives_free(&d);
}

static void inverse_dynamics_against_differences(void **state)
{
  (void)state;
  // Steps of 1e-5: rounding 1e-16 of forces that may be 1e4 times their derivatives, over the step; its square is far
  // below.
  inverse_margins m = {.q = {.what = "d tau / d q against differences", .tolerance = 1e-6},
                       .v = {.what = "d tau / d v against differences", .tolerance = 1e-6}};
  ffi_for_each_case(FORESTS, compare_with_differences, &m);
  ffi_margin_check(&m.q);
  ffi_margin_check(&m.v);
}

// ---- Complex steps ----------------------------------------------------------------------------------------

static void forces_on_links(ffi_case *c, ff_point_force *forces)
{
  random_forces(c, forces);
  for (int k = 0; k < FORCES; ++k) {
    ff_link_info link;
    ff_model_link(c->model, ffi_random_below(&c->random, c->links), &link);
    forces[k].point.frame = link.frame;
  }
}

static void compare_with_complex(ffi_case *c, void *data)
{
  ff_point_force forces[FORCES];
  forces_on_links(c, forces);
  derivatives d = derivatives_create(c->nv);
  for (int count = 0; count <= FORCES; count += FORCES) {
    ffi_complex_derivatives(c->model, &(ffi_complex_rnea_input){c->q, c->v, c->vdot, forces, count}, d.want_q,
                            d.want_v);
    judge_inverse(c, count, forces, &d, data);
  }
  derivatives_free(&d);
}

static void inverse_dynamics_against_complex_steps(void **state)
{
  (void)state;
  // Some 10 roundings for each of up to 40 levels, on either side, as for rnea itself.
  inverse_margins m = {.q = {.what = "d tau / d q against complex steps", .tolerance = 1000 * DBL_EPSILON},
                       .v = {.what = "d tau / d v against complex steps", .tolerance = 1000 * DBL_EPSILON}};
  ffi_for_each_case(FORESTS, compare_with_complex, &m);
  ffi_margin_check(&m.q);
  ffi_margin_check(&m.v);
}

// ---- Forward dynamics -------------------------------------------------------------------------------------

// vdot of M vdot + h = tau + sum J' f.
static void forward_dynamics(ffi_case *c, const double *q, const double *v, int count,
                             const ff_point_force *forces, double *vdot)
{
  double *tau = ffi_doubles(c->nv), *zero = ffi_doubles(c->nv), *bias = ffi_doubles(c->nv);
  inverse_dynamics(c, &(ffi_complex_rnea_input){q, v, zero, forces, count}, tau);
  ff_dynamics_bias(c->dynamics, q, v, bias);
  for (int i = 0; i < c->nv; ++i)
    tau[i] = c->tau[i] - (tau[i] - bias[i]);
  ff_dynamics_aba(c->dynamics, q, v, tau, vdot);
  free(tau);
  free(zero);
  free(bias);
}

// As derivative_error, for accelerations.
static double response_error(const ffi_case *c, const double *got, const double *want)
{
  double error = 0, size = 1;
  for (int i = 0; i < c->nv; ++i)
    for (int k = 0; k < c->nv; ++k) {
      const int at = i * c->nv + k;
      error = fmax(error, ffi_gap(1, got + at, want + at) * c->w[i] / c->w[k]);
      size = fmax(size, fabs(want[at]) * c->w[i] / c->w[k]);
    }
  return error / size;
}

typedef struct forward_margins {
  ffi_margin q, v, M;
} forward_margins;

// `unit`: what an error of 1 is.
static void judge_forward(ffi_case *c, int count, const ff_point_force *forces, derivatives *d, double unit,
                          forward_margins *m)
{
  ff_dynamics_aba_derivatives(c->dynamics, c->q, c->v, c->tau, forces, count, d->q, d->v, NULL);
  ffi_margin_add(&m->q, response_error(c, d->q, d->want_q) / unit, c->number);
  ffi_margin_add(&m->v, response_error(c, d->v, d->want_v) / unit, c->number);
}

// -M^-1 times the derivatives of inverse dynamics by complex steps, with a dense factor.
static void compare_with_dense(ffi_case *c, void *data)
{
  const int n = c->nv;
  ff_point_force forces[FORCES];
  forces_on_links(c, forces);
  derivatives d = derivatives_create(n);
  double *vdot = ffi_doubles(n);
  for (int count = 0; count <= FORCES; count += FORCES) {
    forward_dynamics(c, c->q, c->v, count, forces, vdot);
    ffi_complex_derivatives(c->model, &(ffi_complex_rnea_input){c->q, c->v, vdot, forces, count}, d.want_q,
                            d.want_v);
    ffi_dense_solve(n, c->G, n, d.want_q);
    ffi_dense_solve(n, c->G, n, d.want_v);
    for (int k = 0; k < n * n; ++k) {
      d.want_q[k] = -d.want_q[k];
      d.want_v[k] = -d.want_v[k];
    }
    judge_forward(c, count, forces, &d, ffi_solve_rounding(c), data);
  }
  derivatives_free(&d);
  free(vdot);
}

static void forward_dynamics_against_complex_steps(void **state)
{
  (void)state;
  // Two solves on one side, two on the other, and what they do to the coefficients of a third.
  forward_margins m = {.q = {.what = "d vdot / d q, in roundings x condition", .tolerance = 8},
                       .v = {.what = "d vdot / d v, in roundings x condition", .tolerance = 8}};
  ffi_for_each_case(FORESTS, compare_with_dense, &m);
  ffi_margin_check(&m.q);
  ffi_margin_check(&m.v);
}

static void compare_forward_with_differences(ffi_case *c, void *data)
{
  ff_point_force forces[FORCES];
  random_forces(c, forces);
  derivatives d = derivatives_create(c->nv);
  by_differences(c, forward_dynamics, FORCES, forces, d.want_q, d.want_v);
  judge_forward(c, FORCES, forces, &d, 1e-6 + ffi_solve_rounding(c) / h, data);
  derivatives_free(&d);
}

static void forward_dynamics_against_differences(void **state)
{
  (void)state;
  // 1e-6, as above, and the rounding of a solve over the step.
  forward_margins m = {.q = {.what = "d vdot / d q against differences", .tolerance = 1},
                       .v = {.what = "d vdot / d v against differences", .tolerance = 1}};
  ffi_for_each_case(FORESTS, compare_forward_with_differences, &m);
  ffi_margin_check(&m.q);
  ffi_margin_check(&m.v);
}

// Minv M = 1, Minv is symmetric, and the factor that the call leaves behind solves with M.
static void check_inverse(ffi_case *c, void *data)
{
  forward_margins *m = data;
  const int n = c->nv;
  double *Minv = ffi_doubles(n * n), *product = ffi_doubles(n * n), *one = ffi_doubles(n * n),
         *x = ffi_doubles(n);
  ff_dynamics_aba_derivatives(c->dynamics, c->q, c->v, c->tau, NULL, 0, NULL, NULL, Minv);
  ffi_dense_multiply(n, n, n, Minv, c->M, product);
  for (int i = 0; i < n; ++i)
    one[i * n + i] = 1;
  ffi_margin_add(&m->M, response_error(c, product, one) / ffi_solve_rounding(c), c->number);
  ffi_dense_transpose(n, n, Minv, product);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      ffi_margin_add(&m->q,
                     fabs(Minv[i * n + k] - product[i * n + k]) * c->w[i] * c->w[k] / ffi_solve_rounding(c),
                     c->number);
  memcpy(x, c->tau, (size_t)n * sizeof *x);
  ff_dynamics_solve(c->dynamics, x);
  ffi_dense_multiply(n, n, 1, Minv, c->tau, product);
  ffi_margin_add(&m->v, ffi_motion_error(c, x, product) / ffi_solve_rounding(c), c->number);
  free(Minv);
  free(product);
  free(one);
  free(x);
}

static void the_inverse_is_one(void **state)
{
  (void)state;
  // Errors of a backward stable inverse, in roundings times the condition number.
  forward_margins m = {.M = {.what = "Minv M - 1", .tolerance = 1},
                       .q = {.what = "asymmetry of Minv", .tolerance = 1},
                       .v = {.what = "solve after aba_derivatives against Minv", .tolerance = 1}};
  ffi_for_each_case(FORESTS, check_inverse, &m);
  ffi_margin_check(&m.M);
  ffi_margin_check(&m.q);
  ffi_margin_check(&m.v);
}

// ---- Calls ------------------------------------------------------------------------------------------------

// Each result alone has the bits that it has with the others; q may be NULL.
static void skip_outputs(ffi_case *c, void *data)
{
  const int n = c->nv;
  const size_t bytes = (size_t)(n * n) * sizeof(double);
  double *all[5], *alone = ffi_doubles(n * n);
  (void)data;
  for (int k = 0; k < 5; ++k)
    all[k] = ffi_doubles(n * n);
  ff_dynamics_rnea_derivatives(c->dynamics, c->q, c->v, c->vdot, NULL, 0, all[0], all[1]);
  ff_dynamics_aba_derivatives(c->dynamics, NULL, c->v, c->tau, NULL, 0, all[2], all[3], all[4]);
  for (int k = 0; k < 5; ++k) {
    if (k < 2)
      ff_dynamics_rnea_derivatives(c->dynamics, c->q, c->v, c->vdot, NULL, 0, k == 0 ? alone : NULL,
                                   k == 1 ? alone : NULL);
    else
      ff_dynamics_aba_derivatives(c->dynamics, c->q, c->v, c->tau, NULL, 0, k == 2 ? alone : NULL,
                                  k == 3 ? alone : NULL, k == 4 ? alone : NULL);
    assert_memory_equal(alone, all[k], bytes);
    free(all[k]);
  }
  free(alone);
}

static void outputs_can_be_skipped(void **state)
{
  (void)state;
  ffi_for_each_case(FORESTS, skip_outputs, NULL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(inverse_dynamics_against_differences),
      cmocka_unit_test(inverse_dynamics_against_complex_steps),
      cmocka_unit_test(forward_dynamics_against_differences),
      cmocka_unit_test(forward_dynamics_against_complex_steps),
      cmocka_unit_test(the_inverse_is_one),
      cmocka_unit_test(outputs_can_be_skipped),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
