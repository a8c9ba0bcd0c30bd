// Do two models move alike, and have the same joints, postures and actuators?
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "same_model.h"

#include <footfall/dynamics.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double random_number(uint64_t *seed)
{
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

void ffi_same_numbers(const double *a, const double *b, size_t count, double scale, const char *name,
                      const char *what)
{
  for (size_t i = 0; i < count; ++i)
    if (!(fabs(a[i] - b[i]) <= 1e-12 * scale))
      fail_msg("%s: %s [%zu] is %.17g, was %.17g", name, what, i, b[i], a[i]);
}

static double largest(const double *x, size_t count)
{
  double most = 1;
  for (size_t i = 0; i < count; ++i)
    most = fmax(most, fabs(x[i]));
  return most;
}

// What a state gives: M [nv x nv], bias [nv], and of every link of the first model, by name, position and rotation.
typedef struct picture {
  double *M, *bias, *poses;
} picture;

static picture take_picture(const ff_model *model, const ff_model *names, const double *q, const double *v)
{
  const ff_model_size size = ff_model_get_size(names);
  const size_t nv = (size_t)size.nv;
  ff_dynamics *dynamics;
  ff_error error;
  ff_link_info link;
  picture p = {.M = calloc(nv * nv + 1, sizeof(double)),
               .bias = calloc(nv + 1, sizeof(double)),
               .poses = calloc(12 * (size_t)size.links + 1, sizeof(double))};
  assert_int_equal(ff_dynamics_create(model, NULL, &dynamics, &error), FF_OK);
  ff_dynamics_kinematics(dynamics, q, v, NULL);
  for (int i = 0; ff_model_link(names, i, &link) == FF_OK; ++i) {
    const int frame = ff_model_find_frame(model, link.name);
    if (frame < 0 && link.inertia.mass == 0) // MJCF puts its joint into the next body
      continue;
    if (frame < 0)
      fail_msg("there is no link '%s'", link.name);
    ff_dynamics_frame_pose(dynamics, frame, p.poses + 12 * i, p.poses + 12 * i + 3);
  }
  ff_dynamics_crba(dynamics, q);
  ff_dynamics_mass_matrix(dynamics, p.M);
  ff_dynamics_bias(dynamics, q, v, p.bias);
  ff_dynamics_destroy(dynamics);
  return p;
}

static void free_picture(picture *p)
{
  free(p->M);
  free(p->bias);
  free(p->poses);
}

// MJCF has no planar joints: a planar one has rates in its own axes there, which turn by its angle.
int ffi_same_has_planar(const ff_model *model)
{
  ff_joint_info joint;
  for (int j = 0; ff_model_joint(model, j, &joint) == FF_OK; ++j)
    if (joint.type == FF_JOINT_PLANAR)
      return 1;
  return 0;
}

static void turn_rates(const ff_model *model, const double *q, const double *v, double *out)
{
  ff_joint_info joint;
  memcpy(out, v, (size_t)ff_model_get_size(model).nv * sizeof *v);
  for (int j = 0; ff_model_joint(model, j, &joint) == FF_OK; ++j) {
    if (joint.type != FF_JOINT_PLANAR)
      continue;
    const double c = cos(q[joint.q + 2]), s = sin(q[joint.q + 2]), *x = v + joint.v;
    out[joint.v] = c * x[0] - s * x[1];
    out[joint.v + 1] = s * x[0] + c * x[1];
  }
}

static double kinetic(const double *M, const double *v, size_t nv)
{
  double sum = 0;
  for (size_t i = 0; i < nv; ++i)
    for (size_t j = 0; j < nv; ++j)
      sum += 0.5 * M[i * nv + j] * v[i] * v[j];
  return sum;
}

void ffi_same_motion(const ff_model *a, const ff_model *b, int compares_rates, const char *name)
{
  const ff_model_size size = ff_model_get_size(a), other = ff_model_get_size(b);
  const size_t nq = (size_t)size.nq, nv = (size_t)size.nv;
  double *q = malloc((nq + 1) * sizeof *q), *v = malloc((nv + 1) * sizeof *v);
  uint64_t seed = 7;
  assert_int_equal(size.nq, other.nq);
  assert_int_equal(size.nv, other.nv);
  for (int trial = 0; trial < 5; ++trial) {
    ff_model_neutral(a, q);
    for (size_t i = 0; i < nv; ++i)
      v[i] = 2 * random_number(&seed);
    ff_model_integrate(a, q, v, q);
    for (size_t i = 0; i < nv; ++i)
      v[i] = 2 * random_number(&seed);
    picture one = take_picture(a, a, q, v), two = take_picture(b, a, q, v);
    for (size_t i = 0; i < (size_t)size.links; ++i) // what was not there cannot be compared
      if (two.poses[12 * i + 3] == 0 && two.poses[12 * i + 4] == 0 && two.poses[12 * i + 5] == 0)
        memset(one.poses + 12 * i, 0, 12 * sizeof(double));
    ffi_same_numbers(one.poses, two.poses, 12 * (size_t)size.links,
                     largest(one.poses, 12 * (size_t)size.links), name, "pose");
    if (compares_rates) {
      ffi_same_numbers(one.M, two.M, nv * nv, largest(one.M, nv * nv), name, "mass matrix");
      ffi_same_numbers(one.bias, two.bias, nv, largest(one.bias, nv), name, "bias");
    } else {
      double *turned = malloc((nv + 1) * sizeof *turned);
      turn_rates(a, q, v, turned);
      const double before = kinetic(one.M, v, nv), after = kinetic(two.M, turned, nv);
      ffi_same_numbers(&before, &after, 1, fmax(1, before), name, "kinetic energy");
      free(turned);
    }
    free_picture(&one);
    free_picture(&two);
  }
  free(q);
  free(v);
}

void ffi_same_number(double a, double b, const char *name, const char *what)
{
  if (!(a == b || fabs(a - b) <= 1e-14 * fabs(a)))
    fail_msg("%s: %s is %.17g, was %.17g", name, what, b, a);
}

void ffi_same_properties(const ff_model *a, const ff_model *b, const char *name)
{
  ff_joint_info one, two;
  for (int j = 0; ff_model_joint(a, j, &one) == FF_OK; ++j) {
    ff_model_joint(b, j, &two);
    assert_string_equal(one.name, two.name);
    ffi_same_number(one.lower, two.lower, name, "lower limit");
    ffi_same_number(one.upper, two.upper, name, "upper limit");
    ffi_same_number(one.damping, two.damping, name, "damping");
    ffi_same_number(one.friction, two.friction, name, "friction");
    ffi_same_number(one.armature, two.armature, name, "armature");
    if (one.effort > 0)
      ffi_same_number(one.effort, two.effort, name, "effort");
  }
  const ff_model_size size = ff_model_get_size(a);
  for (int i = 0; i < size.postures; ++i) {
    const int there = ff_model_find_posture(b, ff_model_posture_name(a, i));
    assert_true(there >= 0);
    ffi_same_numbers(ff_model_posture(a, i), ff_model_posture(b, there), (size_t)size.nq, 10, name,
                     "posture");
  }
  assert_int_equal(size.actuators, ff_model_get_size(b).actuators);
  for (int i = 0; i < size.actuators; ++i) {
    ff_actuator_info x, y;
    ff_model_actuator(a, i, &x);
    ff_model_actuator(b, i, &y);
    assert_int_equal(x.type, y.type);
    assert_int_equal(x.joint, y.joint);
    assert_int_equal(x.frame < 0, y.frame < 0);
    ffi_same_numbers(x.wrench, y.wrench, 6, 1, name, "wrench");
    ffi_same_number(x.gear, y.gear, name, "gear");
    ffi_same_number(x.kp, y.kp, name, "kp");
    ffi_same_number(x.kv, y.kv, name, "kv");
    for (int k = 0; k < 2; ++k) {
      ffi_same_number(x.control_range[k], y.control_range[k], name, "control range");
      ffi_same_number(x.force_range[k], y.force_range[k], name, "force range");
    }
  }
}
