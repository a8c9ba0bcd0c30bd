// Derivatives of inverse and forward dynamics against differences and against complex steps.

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
static void inverse_dynamics(ffi_case *c, const double *q, const double *v, const double *vdot, int count,
                             const ff_point_force *forces, double *tau)
{
  double *J = ffi_doubles(3 * c->nv);
  ff_dynamics_rnea(c->dynamics, q, v, vdot, tau);
  ff_dynamics_kinematics(c->dynamics, q, NULL, NULL);
  for (int k = 0; k < count; ++k) {
    ff_dynamics_point_jacobian(c->dynamics, 1, &forces[k].point, J);
    for (int i = 0; i < c->nv; ++i)
      for (int r = 0; r < 3; ++r)
        tau[i] -= J[r * c->nv + i] * forces[k].force[r];
  }
  free(J);
}

// Largest |got - want| in units of the mass matrix (cases.h) and seconds, over the largest |want|, at least 1: d tau / d vdot
// is 1 in these units, and some derivatives are zero altogether.
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

static void by_differences(ffi_case *c, int count, const ff_point_force *forces, double *dq, double *dv)
{
  const int n = c->nv;
  const double h = 1e-5;
  double *q = ffi_doubles(c->nq), *step = ffi_doubles(n), *v = ffi_doubles(n), *plus = ffi_doubles(n),
         *minus = ffi_doubles(n);
  for (int k = 0; k < n; ++k) {
    step[k] = h;
    ff_model_integrate(c->model, c->q, step, q);
    inverse_dynamics(c, q, c->v, c->vdot, count, forces, plus);
    step[k] = -h;
    ff_model_integrate(c->model, c->q, step, q);
    inverse_dynamics(c, q, c->v, c->vdot, count, forces, minus);
    step[k] = 0;
    for (int i = 0; i < n; ++i)
      dq[i * n + k] = (plus[i] - minus[i]) / (2 * h);
    memcpy(v, c->v, (size_t)n * sizeof *v);
    v[k] = c->v[k] + h;
    inverse_dynamics(c, c->q, v, c->vdot, count, forces, plus);
    v[k] = c->v[k] - h;
    inverse_dynamics(c, c->q, v, c->vdot, count, forces, minus);
    for (int i = 0; i < n; ++i)
      dv[i * n + k] = (plus[i] - minus[i]) / (2 * h);
  }
  free(q);
  free(step);
  free(v);
  free(plus);
  free(minus);
}

typedef struct inverse_margins {
  ffi_margin q, v;
} inverse_margins;

static void compare_with_differences(ffi_case *c, void *data)
{
  inverse_margins *m = data;
  const int n = c->nv;
  ff_point_force forces[FORCES];
  random_forces(c, forces);
  double *dq = ffi_doubles(n * n), *dv = ffi_doubles(n * n), *want_q = ffi_doubles(n * n),
         *want_v = ffi_doubles(n * n);
  for (int count = 0; count <= FORCES; count += FORCES) {
    by_differences(c, count, forces, want_q, want_v);
    ff_dynamics_rnea_derivatives(c->dynamics, c->q, c->v, c->vdot, forces, count, dq, dv);
    ffi_margin_add(&m->q, derivative_error(c, dq, want_q), c->number);
    ffi_margin_add(&m->v, derivative_error(c, dv, want_v), c->number);
  }
  free(dq);
  free(dv);
  free(want_q);
  free(want_v);
}

static void inverse_dynamics_against_differences(void **state)
{
  (void)state;
  inverse_margins m = {.q = {.what = "d tau / d q against differences", .tolerance = 1e-6},
                       .v = {.what = "d tau / d v against differences", .tolerance = 1e-6}};
  ffi_for_each_case(FORESTS, compare_with_differences, &m);
  ffi_margin_check(&m.q);
  ffi_margin_check(&m.v);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(inverse_dynamics_against_differences),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
