// Jacobians of frames and points against finite differences, column by column, and against velocities.

#include "dynamics/differences.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { FORESTS = 40 };

// Poses of all frames, [frames x 12].
static void poses_of(ffi_case *c, const double *q, const double *v, const void *data, double *out)
{
  (void)v;
  (void)data;
  ff_dynamics_kinematics(c->dynamics, q, NULL, NULL);
  for (int f = 0; f < c->frames; ++f)
    ff_dynamics_frame_pose(c->dynamics, f, out + 12 * f, out + 12 * f + 3);
}

// The six rows of a Jacobian in the asked axes from (velocity of the origin, angular velocity) in world axes.
static void express(const double *pose, ff_axes axes, const double aligned[6], double out[6])
{
  const double *p = pose, *R = pose + 3, *v = aligned, *w = aligned + 3;
  memcpy(out, aligned, 6 * sizeof *out);
  if (axes == FF_AXES_WORLD) {
    out[0] = v[0] - (w[1] * p[2] - w[2] * p[1]);
    out[1] = v[1] - (w[2] * p[0] - w[0] * p[2]);
    out[2] = v[2] - (w[0] * p[1] - w[1] * p[0]);
  }
  for (int k = 0; axes == FF_AXES_LOCAL && k < 3; ++k) {
    out[k] = R[k] * v[0] + R[3 + k] * v[1] + R[6 + k] * v[2];
    out[3 + k] = R[k] * w[0] + R[3 + k] * w[1] + R[6 + k] * w[2];
  }
}

static void differentiate(ffi_case *c, void *margin)
{
  const int n = c->nv, size = 12 * c->frames;
  double *unit = ffi_doubles(n), *zero = ffi_doubles(n), *pose = ffi_doubles(size),
         *rate = ffi_doubles(n * size);
  double *J = ffi_doubles(6 * n);
  for (int j = 0; j < n; ++j) {
    unit[j] = 1;
    ffi_derivative(c, poses_of, NULL, size, (ffi_differences_path){unit, zero, 2e-3}, rate + j * size);
    unit[j] = 0;
  }
  poses_of(c, c->q, c->v, NULL, pose);
  double reach = 1; // [m]
  for (int f = 0; f < c->frames; ++f)
    reach = fmax(reach, ffi_size(3, pose + 12 * f));
  for (int f = 0; f < c->frames; ++f)
    for (int axes = FF_AXES_WORLD; axes <= FF_AXES_LOCAL_ALIGNED; ++axes) {
      ff_dynamics_frame_jacobian(c->dynamics, f, (ff_axes)axes, J);
      for (int j = 0; j < n; ++j) {
        double aligned[6], want[6];
        memcpy(aligned, rate + j * size + 12 * f, 3 * sizeof *aligned);
        ffi_angular_velocity(pose + 12 * f + 3, rate + j * size + 12 * f + 3, aligned + 3);
        express(pose + 12 * f, (ff_axes)axes, aligned, want);
        for (int r = 0; r < 6; ++r)
          ffi_margin_add(margin, ffi_gap(1, &J[r * n + j], &want[r]) / reach, c->number);
      }
    }
  free(unit);
  free(zero);
  free(pose);
  free(rate);
  free(J);
}

static void jacobians_are_derivatives_of_poses(void **state)
{
  (void)state;
  // Five points, h = 2 mrad or mm: truncation h^4/30 = 5e-13, rounding 1.5 eps/h = 2e-13 a level.
  ffi_margin margin = {.what = "frame Jacobians against differences", .tolerance = 1e-11};
  ffi_for_each_case(FORESTS, differentiate, &margin);
  ffi_margin_check(&margin);
}

// velocity = J v and acceleration = J vdot + bias, in all axes.
static void multiply(ffi_case *c, void *margin)
{
  const int n = c->nv;
  double *J = ffi_doubles(6 * n);
  for (int f = 0; f < c->frames; ++f)
    for (int axes = FF_AXES_WORLD; axes <= FF_AXES_LOCAL_ALIGNED; ++axes) {
      double twist[6], rise[6], bias[6], size[2] = {1, 1};
      ff_dynamics_kinematics(c->dynamics, c->q, c->v, c->vdot);
      ff_dynamics_frame_jacobian(c->dynamics, f, (ff_axes)axes, J);
      ff_dynamics_frame_velocity(c->dynamics, f, (ff_axes)axes, twist);
      ff_dynamics_frame_acceleration(c->dynamics, f, (ff_axes)axes, rise);
      ff_dynamics_frame_bias(c->dynamics, f, (ff_axes)axes, bias);
      for (int r = 0; r < 6; ++r) {
        double velocity = 0, acceleration = bias[r];
        size[1] = fmax(size[1], fabs(bias[r]));
        for (int j = 0; j < n; ++j) {
          velocity += J[r * n + j] * c->v[j];
          acceleration += J[r * n + j] * c->vdot[j];
          size[0] = fmax(size[0], fabs(J[r * n + j] * c->v[j]));
          size[1] = fmax(size[1], fabs(J[r * n + j] * c->vdot[j]));
        }
        ffi_margin_add(margin, ffi_gap(1, &twist[r], &velocity) / size[0], c->number);
        ffi_margin_add(margin, ffi_gap(1, &rise[r], &acceleration) / size[1], c->number);
      }
    }
  free(J);
}

static void velocities_and_accelerations_are_products(void **state)
{
  (void)state;
  // Sums of up to 100 terms over 40 levels, each term a few roundings.
  ffi_margin margin = {.what = "J v and J vdot + bias", .tolerance = 1e-12};
  ffi_for_each_case(FORESTS, multiply, &margin);
  ffi_margin_check(&margin);
}

// ---- Points -----------------------------------------------------------------------------------------------

static void point_position(ffi_case *c, const double *q, const double *v, const void *data, double *out)
{
  const ff_point *point = data;
  double p[3], R[9];
  (void)v;
  ff_dynamics_kinematics(c->dynamics, q, NULL, NULL);
  ff_dynamics_frame_pose(c->dynamics, point->frame, p, R);
  for (int r = 0; r < 3; ++r)
    out[r] = p[r] + R[3 * r] * point->offset[0] + R[3 * r + 1] * point->offset[1] +
             R[3 * r + 2] * point->offset[2];
}

static void differentiate_points(ffi_case *c, void *margin)
{
  enum { POINTS = 5 };
  const int n = c->nv;
  ff_point points[POINTS];
  double *J = ffi_doubles(3 * POINTS * n), *unit = ffi_doubles(n), *zero = ffi_doubles(n);
  double at[3], reach = 1;
  for (int k = 0; k < POINTS; ++k) {
    points[k].frame = ffi_random_below(&c->random, c->frames);
    ffi_random_vector(&c->random, 3, 0.3, points[k].offset);
    point_position(c, c->q, NULL, &points[k], at);
    reach = fmax(reach, ffi_size(3, at));
  }
  ff_dynamics_kinematics(c->dynamics, c->q, NULL, NULL);
  ff_dynamics_point_jacobian(c->dynamics, POINTS, points, J);
  for (int j = 0; j < n; ++j) {
    unit[j] = 1;
    for (int k = 0; k < POINTS; ++k) {
      double rate[3];
      ffi_derivative(c, point_position, &points[k], 3, (ffi_differences_path){unit, zero, 2e-3}, rate);
      for (int r = 0; r < 3; ++r)
        ffi_margin_add(margin, ffi_gap(1, &J[(3 * k + r) * n + j], &rate[r]) / reach, c->number);
    }
    unit[j] = 0;
  }
  free(J);
  free(unit);
  free(zero);
}

static void point_jacobians_are_derivatives_of_positions(void **state)
{
  (void)state;
  ffi_margin margin = {.what = "point Jacobians against differences", .tolerance = 1e-11}; // as for frames
  ffi_for_each_case(FORESTS, differentiate_points, &margin);
  ffi_margin_check(&margin);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(jacobians_are_derivatives_of_poses),
      cmocka_unit_test(velocities_and_accelerations_are_products),
      cmocka_unit_test(point_jacobians_are_derivatives_of_positions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
