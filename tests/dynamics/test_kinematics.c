// Poses against the description composed link by link; velocities and accelerations against differences.

#include "dynamics/differences.h"

#include <footfall/pose.h>

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { FORESTS = 60 };

// ---- Poses ------------------------------------------------------------------------------------------------

static ff_pose shift(const double along[3], double by)
{
  ff_pose pose = ff_pose_identity();
  for (int k = 0; k < 3; ++k)
    pose.position[k] = by * along[k];
  return pose;
}

static ff_pose turn(const double axis[3], double angle)
{
  ff_pose pose = ff_pose_identity();
  for (int k = 0; k < 3; ++k)
    pose.quaternion[k] = sin(angle / 2) * axis[k];
  pose.quaternion[3] = cos(angle / 2);
  return pose;
}

// The directions of a planar joint's first two coordinates (see model.h).
static void plane_axes(const double n[3], double x[3], double y[3])
{
  int least = 0;
  memset(x, 0, 3 * sizeof *x);
  for (int k = 1; k < 3; ++k)
    if (fabs(n[k]) < fabs(n[least]))
      least = k;
  int cardinal = -1;
  for (int k = 0; k < 3; ++k)
    if (fabs(fabs(n[k]) - 1) < 1e-12)
      cardinal = k;
  if (cardinal >= 0)
    x[(cardinal + 1) % 3] = 1;
  else {
    const double length = sqrt(1 - n[least] * n[least]);
    const int a = (least + 1) % 3, b = (least + 2) % 3; // e x n, e the axis farthest from n
    x[a] = -n[b] / length;
    x[b] = n[a] / length;
  }
  y[0] = n[1] * x[2] - n[2] * x[1];
  y[1] = n[2] * x[0] - n[0] * x[2];
  y[2] = n[0] * x[1] - n[1] * x[0];
}

// What the coordinates of a joint do to the link behind it.
static ff_pose motion(const ff_joint_info *joint, const double *q)
{
  ff_pose pose = ff_pose_identity(), a, b;
  double x[3], y[3];
  switch (joint->type) {
  case FF_JOINT_PRISMATIC: return shift(joint->axis, q[0]);
  case FF_JOINT_REVOLUTE:
  case FF_JOINT_CONTINUOUS: return turn(joint->axis, q[0]);
  case FF_JOINT_SPHERICAL: memcpy(pose.quaternion, q, sizeof pose.quaternion); return pose;
  case FF_JOINT_PLANAR:
    plane_axes(joint->axis, x, y);
    a = shift(x, q[0]);
    b = shift(y, q[1]);
    pose = ff_pose_compose(&a, &b);
    a = turn(joint->axis, q[2]);
    return ff_pose_compose(&pose, &a);
  default: return pose;
  }
}

// Poses of all links in the world, from the public description alone. Parents come before their children.
static void compose_links(const ffi_case *c, ff_pose *poses)
{
  for (int k = 0; k < c->links; ++k) {
    ff_link_info link;
    ff_joint_info joint = {.type = FF_JOINT_FIXED};
    ff_model_link(c->model, k, &link);
    if (link.joint_type != FF_JOINT_FIXED)
      ff_model_joint(c->model, link.joint, &joint);
    if (joint.type == FF_JOINT_FREE) {
      memcpy(poses[k].position, c->q + joint.q, sizeof poses[k].position);
      memcpy(poses[k].quaternion, c->q + joint.q + 3, sizeof poses[k].quaternion);
      continue;
    }
    assert_true(link.parent < k);
    const ff_pose moved = motion(&joint, c->q + joint.q), origin = ff_pose_identity();
    const ff_pose placed = ff_pose_compose(link.parent < 0 ? &origin : &poses[link.parent], &link.pose);
    poses[k] = ff_pose_compose(&placed, &moved);
  }
}

static void compare_pose(ffi_case *c, int frame, const ff_pose *want, double size, ffi_margin *margin)
{
  double p[3], R[9], turned[9];
  ff_dynamics_frame_pose(c->dynamics, frame, p, R);
  ff_pose_rotation(want, turned);
  ffi_margin_add(margin, ffi_gap(9, R, turned), c->number);
  ffi_margin_add(margin, ffi_gap(3, p, want->position) / size, c->number);
}

static void compare_poses(ffi_case *c, void *margin)
{
  ff_pose *poses = calloc((size_t)c->links, sizeof *poses);
  assert_non_null(poses);
  ff_dynamics_kinematics(c->dynamics, c->q, NULL, NULL);
  compose_links(c, poses);
  double size = 1; // how far from the origin things are [m]
  for (int k = 0; k < c->links; ++k)
    size = fmax(size, ffi_size(3, poses[k].position));
  for (int k = 0; k < c->links; ++k) {
    ff_link_info link;
    ff_model_link(c->model, k, &link);
    compare_pose(c, link.frame, &poses[k], size, margin);
  }
  for (int f = 0; c->forest && f < c->forest->frame_count; ++f) {
    const ff_pose origin = ff_pose_identity(), *at = &origin;
    if (c->forest->frame_links[f] != FF_WORLD)
      at = &poses[ff_model_find_link(c->model, c->forest->link_names[c->forest->frame_links[f]])];
    const ff_pose want = ff_pose_compose(at, &c->forest->frame_poses[f]);
    compare_pose(c, ff_model_find_frame(c->model, c->forest->frame_names[f]), &want, size, margin);
  }
  free(poses);
}

static void poses_compose(void **state)
{
  (void)state;
  // Each of up to 40 links adds some four roundings on either side.
  ffi_margin margin = {.what = "poses of links and frames", .tolerance = 200 * DBL_EPSILON};
  ffi_for_each_case(FORESTS, compare_poses, &margin);
  ffi_margin_check(&margin);
}

// q may have quaternions that are not of unit length: only their direction counts.
static void scale_quaternions(ffi_case *c, void *margin)
{
  double *q = ffi_doubles(c->nq), p[3], R[9], other_p[3], other_R[9];
  memcpy(q, c->q, (size_t)c->nq * sizeof *q);
  for (int k = 0; k < ff_model_get_size(c->model).joints; ++k) {
    ff_joint_info joint;
    ff_model_joint(c->model, k, &joint);
    const int at = joint.type == FF_JOINT_FREE ? 3 : joint.type == FF_JOINT_SPHERICAL ? 0 : 7;
    for (int i = at; i < joint.nq; ++i)
      q[joint.q + i] *= 1.25;
  }
  for (int f = 0; f < c->frames; ++f) {
    ff_dynamics_kinematics(c->dynamics, c->q, NULL, NULL);
    ff_dynamics_frame_pose(c->dynamics, f, p, R);
    ff_dynamics_kinematics(c->dynamics, q, NULL, NULL);
    ff_dynamics_frame_pose(c->dynamics, f, other_p, other_R);
    ffi_margin_add(margin, ffi_gap(9, other_R, R), c->number);
    ffi_margin_add(margin, ffi_gap(3, other_p, p) / fmax(1, ffi_size(3, p)), c->number);
  }
  free(q);
}

static void only_the_direction_of_a_quaternion_counts(void **state)
{
  (void)state;
  ffi_margin margin = {.what = "poses with quaternions of length 1.25", .tolerance = 200 * DBL_EPSILON};
  ffi_for_each_case(20, scale_quaternions, &margin);
  ffi_margin_check(&margin);
}

// ---- Velocities, accelerations ----------------------------------------------------------------------------

static void pose_of(ffi_case *c, const double *q, const double *v, const void *frame, double *out)
{
  (void)v;
  ff_dynamics_kinematics(c->dynamics, q, NULL, NULL);
  ff_dynamics_frame_pose(c->dynamics, *(const int *)frame, out, out + 3);
}

// Rates whose sum is 1, so that no point turns faster than 1 rad/s and all derivatives in time are of the
// size of what they are derivatives of.
static double *slow(ffi_case *c, const double *rates)
{
  double *out = ffi_doubles(c->nv), sum = 0;
  for (int i = 0; i < c->nv; ++i)
    sum += fabs(rates[i]);
  for (int i = 0; i < c->nv; ++i)
    out[i] = rates[i] / sum;
  return out;
}

// With h = 2 ms: truncation h^4/30 = 5e-13, rounding 1.5 eps / h = 2e-13, times 40 levels of roundings.
enum { STEP_MS = 2 };
static const double difference_tolerance = 1e-11;

static double reach(ffi_case *c)
{
  double p[3], size = 1;
  ff_dynamics_kinematics(c->dynamics, c->q, NULL, NULL);
  for (int f = 0; f < c->frames; ++f) {
    ff_dynamics_frame_pose(c->dynamics, f, p, NULL);
    size = fmax(size, ffi_size(3, p));
  }
  return size;
}

static void differentiate_poses(ffi_case *c, void *margin)
{
  double *v = slow(c, c->v), *zero = ffi_doubles(c->nv);
  const double size = reach(c);
  for (int f = 0; f < c->frames; ++f) {
    double pose[12], rate[12], want[6], got[6], spatial[6], local[6];
    ffi_derivative(c, pose_of, &f, 12, (ffi_differences_path){v, zero, STEP_MS * 1e-3}, rate);
    ff_dynamics_kinematics(c->dynamics, c->q, v, NULL);
    ff_dynamics_frame_pose(c->dynamics, f, pose, pose + 3);
    memcpy(want, rate, 3 * sizeof *want);
    ffi_angular_velocity(pose + 3, rate + 3, want + 3);
    ff_dynamics_frame_velocity(c->dynamics, f, FF_AXES_LOCAL_ALIGNED, got);
    ffi_margin_add(margin, ffi_gap(6, got, want) / size, c->number);

    // At the world's origin: v - omega x p. In the frame's axes: R' v, R' omega.
    ff_dynamics_frame_velocity(c->dynamics, f, FF_AXES_WORLD, spatial);
    ff_dynamics_frame_velocity(c->dynamics, f, FF_AXES_LOCAL, local);
    const double *p = pose, *R = pose + 3, *w = want + 3;
    const double at_origin[6] = {want[0] - (w[1] * p[2] - w[2] * p[1]),
                                 want[1] - (w[2] * p[0] - w[0] * p[2]),
                                 want[2] - (w[0] * p[1] - w[1] * p[0]),
                                 w[0],
                                 w[1],
                                 w[2]};
    ffi_margin_add(margin, ffi_gap(6, spatial, at_origin) / size, c->number);
    for (int k = 0; k < 3; ++k) {
      const double own[2] = {R[k] * want[0] + R[3 + k] * want[1] + R[6 + k] * want[2],
                             R[k] * w[0] + R[3 + k] * w[1] + R[6 + k] * w[2]};
      ffi_margin_add(margin, ffi_gap(1, &local[k], &own[0]) / size, c->number);
      ffi_margin_add(margin, ffi_gap(1, &local[3 + k], &own[1]) / size, c->number);
    }
  }
  free(v);
  free(zero);
}

static void velocities_are_rates_of_poses(void **state)
{
  (void)state;
  ffi_margin margin = {.what = "velocities against differences of poses", .tolerance = difference_tolerance};
  ffi_for_each_case(FORESTS, differentiate_poses, &margin);
  ffi_margin_check(&margin);
}

typedef struct frame_axes {
  int frame;
  ff_axes axes;
} frame_axes;

static void velocity_of(ffi_case *c, const double *q, const double *v, const void *data, double *out)
{
  const frame_axes *at = data;
  ff_dynamics_kinematics(c->dynamics, q, v, NULL);
  ff_dynamics_frame_velocity(c->dynamics, at->frame, at->axes, out);
}

static void differentiate_velocities(ffi_case *c, void *margin)
{
  double *v = slow(c, c->v), *vdot = slow(c, c->vdot), *zero = ffi_doubles(c->nv);
  const double size = reach(c);
  for (int f = 0; f < c->frames; ++f)
    for (int axes = FF_AXES_WORLD; axes <= FF_AXES_LOCAL_ALIGNED; ++axes) {
      const frame_axes at = {f, (ff_axes)axes};
      double want[6], got[6];
      ffi_derivative(c, velocity_of, &at, 6, (ffi_differences_path){v, vdot, STEP_MS * 1e-3}, want);
      ff_dynamics_kinematics(c->dynamics, c->q, v, vdot);
      ff_dynamics_frame_acceleration(c->dynamics, f, at.axes, got);
      ffi_margin_add(margin, ffi_gap(6, got, want) / size, c->number);
      ffi_derivative(c, velocity_of, &at, 6, (ffi_differences_path){v, zero, STEP_MS * 1e-3}, want);
      ff_dynamics_kinematics(c->dynamics, c->q, v, NULL);
      ff_dynamics_frame_bias(c->dynamics, f, at.axes, got);
      ffi_margin_add(margin, ffi_gap(6, got, want) / size, c->number);
    }
  free(v);
  free(vdot);
  free(zero);
}

static void accelerations_are_rates_of_velocities(void **state)
{
  (void)state;
  ffi_margin margin = {.what = "accelerations against differences", .tolerance = difference_tolerance};
  ffi_for_each_case(FORESTS, differentiate_velocities, &margin);
  ffi_margin_check(&margin);
}

// Frames that belong to the world do not move, exactly.
static void look_at_the_world(ffi_case *c, void *data)
{
  double p[3], R[9], twist[6];
  (void)data;
  ff_dynamics_kinematics(c->dynamics, c->q, c->v, c->vdot);
  ff_dynamics_frame_pose(c->dynamics, 0, p, R);
  for (int k = 0; k < 3; ++k)
    assert_true(p[k] == 0);
  for (int k = 0; k < 9; ++k)
    assert_true(R[k] == (k % 4 == 0));
  for (int f = 0; f < c->frames; ++f) {
    ff_frame_info frame;
    ff_model_frame(c->model, f, &frame);
    for (int axes = FF_AXES_WORLD; frame.joint < 0 && axes <= FF_AXES_LOCAL_ALIGNED; ++axes) {
      ff_dynamics_frame_velocity(c->dynamics, f, (ff_axes)axes, twist);
      assert_true(ffi_size(6, twist) == 0);
      ff_dynamics_frame_acceleration(c->dynamics, f, (ff_axes)axes, twist);
      assert_true(ffi_size(6, twist) == 0);
      ff_dynamics_frame_bias(c->dynamics, f, (ff_axes)axes, twist);
      assert_true(ffi_size(6, twist) == 0);
    }
  }
}

static void the_world_stays_where_it_is(void **state)
{
  (void)state;
  ffi_for_each_case(FORESTS, look_at_the_world, NULL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(poses_compose),
      cmocka_unit_test(only_the_direction_of_a_quaternion_counts),
      cmocka_unit_test(velocities_are_rates_of_poses),
      cmocka_unit_test(accelerations_are_rates_of_velocities),
      cmocka_unit_test(the_world_stays_where_it_is),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
