// Inverse dynamics against Newton's and Euler's equations of every link, one by one.

#include "dynamics/cases.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { FORESTS = 80 };

static void cross(const double a[3], const double b[3], double out[3])
{
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

// y = I x, I as xx xy xz yy yz zz.
static void times(const double I[6], const double x[3], double y[3])
{
  y[0] = I[0] * x[0] + I[1] * x[1] + I[2] * x[2];
  y[1] = I[1] * x[0] + I[3] * x[1] + I[4] * x[2];
  y[2] = I[2] * x[0] + I[4] * x[1] + I[5] * x[2];
}

// What moves a link, in its own axes: force at its centre of mass and torque about it.
static void newton_euler(ffi_case *c, const ff_link_info *link, double force[3], double torque[3])
{
  double R[9], gravity[3], twist[6], rise[6], Iw[3], t[3], u[3];
  ff_model_gravity(c->model, gravity);
  ff_dynamics_frame_pose(c->dynamics, link->frame, NULL, R);
  ff_dynamics_frame_velocity(c->dynamics, link->frame, FF_AXES_LOCAL, twist);
  ff_dynamics_frame_acceleration(c->dynamics, link->frame, FF_AXES_LOCAL, rise);
  const double *v = twist, *w = twist + 3, *x = link->inertia.com;
  double a[3];
  cross(w, v, a); // from the spatial to the classical acceleration of the origin
  for (int k = 0; k < 3; ++k)
    a[k] += rise[k] - (R[k] * gravity[0] + R[3 + k] * gravity[1] + R[6 + k] * gravity[2]);
  cross(rise + 3, x, t);
  for (int k = 0; k < 3; ++k)
    a[k] += t[k];
  cross(w, x, t);
  cross(w, t, u);
  for (int k = 0; k < 3; ++k)
    force[k] = link->inertia.mass * (a[k] + u[k]);
  times(link->inertia.matrix, w, Iw);
  cross(w, Iw, t);
  times(link->inertia.matrix, rise + 3, torque);
  for (int k = 0; k < 3; ++k)
    torque[k] += t[k];
}

// tau = sum over links of Jc' f + Jw' n, plus armature and damping. `size` sums what goes into each, as
// magnitudes.
static void sum_of_forces(ffi_case *c, const double *v, const double *vdot, double *tau, double *size)
{
  const int n = c->nv;
  double *J = ffi_doubles(6 * n);
  ff_dynamics_kinematics(c->dynamics, c->q, v, vdot);
  for (int k = 0; k < c->links; ++k) {
    ff_link_info link;
    double force[3], torque[3], moment[3];
    ff_model_link(c->model, k, &link);
    newton_euler(c, &link, force, torque);
    cross(link.inertia.com, force, moment);
    ff_dynamics_frame_jacobian(c->dynamics, link.frame, FF_AXES_LOCAL, J);
    for (int i = 0; i < n; ++i)
      for (int r = 0; r < 3; ++r) {
        tau[i] += J[r * n + i] * force[r] + J[(3 + r) * n + i] * (moment[r] + torque[r]);
        size[i] +=
            fabs(J[r * n + i] * force[r]) + fabs(J[(3 + r) * n + i]) * (fabs(moment[r]) + fabs(torque[r]));
      }
  }
  for (int k = 0; k < ff_model_get_size(c->model).joints; ++k) {
    ff_joint_info joint;
    ff_model_joint(c->model, k, &joint);
    for (int i = joint.v; i < joint.v + joint.nv; ++i)
      tau[i] += joint.armature * vdot[i] + joint.damping * v[i];
  }
  free(J);
}

static void compare_with_sum(ffi_case *c, void *margin)
{
  double *want = ffi_doubles(c->nv), *size = ffi_doubles(c->nv), *got = ffi_doubles(c->nv);
  sum_of_forces(c, c->v, c->vdot, want, size);
  ff_dynamics_rnea(c->dynamics, c->q, c->v, c->vdot, got);
  double largest = 0; // accelerations come from all over the tree, and so does their rounding
  for (int i = 0; i < c->nv; ++i)
    largest = fmax(largest, size[i] / c->w[i]);
  for (int i = 0; i < c->nv; ++i)
    ffi_margin_add(margin, ffi_gap(1, got + i, want + i) / c->w[i] / largest, c->number);
  free(want);
  free(size);
  free(got);
}

static void it_is_newton_and_euler_for_every_link(void **state)
{
  (void)state;
  // Some 10 roundings for each of up to 40 levels, on either side, relative to the forces that are summed.
  ffi_margin margin = {.what = "rnea against the sum over links", .tolerance = 1000 * DBL_EPSILON};
  ffi_for_each_case(FORESTS, compare_with_sum, &margin);
  ffi_margin_check(&margin);
}

// tau = M vdot + h.
static void compare_with_matrix(ffi_case *c, void *margin)
{
  const int n = c->nv;
  double *want = ffi_doubles(n), *got = ffi_doubles(n);
  ff_dynamics_bias(c->dynamics, c->q, c->v, want);
  double size = 0;
  for (int i = 0; i < n; ++i) {
    size = fmax(size, fabs(want[i]) / c->w[i]);
    for (int j = 0; j < n; ++j) {
      want[i] += c->M[i * n + j] * c->vdot[j];
      size = fmax(size, fabs(c->M[i * n + j] * c->vdot[j]) / c->w[i]);
    }
  }
  ff_dynamics_rnea(c->dynamics, c->q, c->v, c->vdot, got);
  for (int i = 0; i < n; ++i)
    ffi_margin_add(margin, ffi_gap(1, got + i, want + i) / c->w[i] / size, c->number);
  free(want);
  free(got);
}

static void it_is_linear_in_the_acceleration(void **state)
{
  (void)state;
  ffi_margin margin = {.what = "rnea against M vdot + h", .tolerance = 1000 * DBL_EPSILON}; // as above
  ffi_for_each_case(FORESTS, compare_with_matrix, &margin);
  ffi_margin_check(&margin);
}

static void parts(ffi_case *c, void *data)
{
  double *zero = ffi_doubles(c->nv), *whole = ffi_doubles(c->nv), *part = ffi_doubles(c->nv);
  (void)data;
  ff_dynamics_rnea(c->dynamics, c->q, c->v, zero, whole);
  ff_dynamics_bias(c->dynamics, c->q, c->v, part);
  assert_int_equal(ffi_gap(c->nv, part, whole) <= 4 * DBL_EPSILON * ffi_size(c->nv, whole), 1);
  ff_dynamics_rnea(c->dynamics, c->q, zero, zero, whole);
  ff_dynamics_gravity(c->dynamics, c->q, part);
  assert_int_equal(ffi_gap(c->nv, part, whole) <= 4 * DBL_EPSILON * ffi_size(c->nv, whole), 1);
  free(zero);
  free(whole);
  free(part);
}

static void bias_and_gravity_are_parts_of_it(void **state)
{
  (void)state;
  ffi_for_each_case(FORESTS, parts, NULL);
}

// At rest and without gravity nothing needs a force, exactly.
static void rest_without_gravity_needs_no_force(void **state)
{
  (void)state;
  for (int i = 0; i < 20; ++i) {
    ffi_forest forest;
    ffi_forest_make(&(ffi_forest_def){.seed = (uint64_t)i, .links = 20, .has_no_gravity = 1}, &forest);
    const ff_model_size size = ff_model_get_size(forest.model);
    ffi_random random = ffi_random_seed(5);
    double *q = ffi_doubles(size.nq), *g = ffi_doubles(size.nv);
    ff_dynamics *dynamics;
    assert_int_equal(ff_dynamics_create(forest.model, NULL, &dynamics, NULL), FF_OK);
    ffi_random_q(&random, forest.model, q);
    ff_dynamics_gravity(dynamics, q, g);
    assert_true(ffi_size(size.nv, g) == 0);
    ff_dynamics_destroy(dynamics);
    free(q);
    free(g);
    ffi_forest_free(&forest);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_is_newton_and_euler_for_every_link),
      cmocka_unit_test(it_is_linear_in_the_acceleration),
      cmocka_unit_test(bias_and_gravity_are_parts_of_it),
      cmocka_unit_test(rest_without_gravity_needs_no_force),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
