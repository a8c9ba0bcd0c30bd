// slow: some ten seconds. Orders of convergence of a block that slides, spins, stops and lands on a floor with little
// friction. The truth is rk4's; where contacts begin, which costs rk4 its order,
// that of rk4 which searches for touch-downs (landing_reference.h).
//
// Orders are those of the last three rows of a table, where they have come to rest. An error a h^p + b h^(p+1) has the
// order p + log2((1 + r) / (1 + r/4)) / 2 there, with r = b h / a at the first of the three: p - 0.15 for a next term
// of -1/4 of the leading one, p + 0.15 for one of 1/3. expo must have 2 - 0.15 at least; more is no fault. What is said
// to be of order 1 must be, within both. Before, at steps of milliseconds, springs swing within a step and friction
// turns within one after a landing: there the error falls faster or more slowly than its order, and what is asked is
// only that it is far below the others'.
#include "properties/order/error_tolerance.h"
#include "properties/order/landing_reference.h"
#include "properties/order/order.h"

#include <footfall/builder.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const double mass = 3, gravity = 9.81, stiffness = 1e5;

static ff_model *block(void)
{
  ff_builder *b;
  ff_model *model;
  ff_error error;
  int link;
  ff_link_def body = ff_link_def_default();
  body.name = "block";
  body.joint.type = FF_JOINT_FREE;
  body.inertia.mass = mass;
  body.inertia.matrix[0] = 0.02;
  body.inertia.matrix[3] = 0.03;
  body.inertia.matrix[5] = 0.04;
  assert_int_equal(ff_builder_create("block", &b, &error), FF_OK);
  assert_int_equal(ff_builder_add_link(b, &body, &link, &error), FF_OK);
  for (int i = 0; i < 8; ++i) {
    ff_shape_def corner = ff_shape_def_default();
    corner.type = FF_SHAPE_POINT;
    corner.pose.position[0] = i & 1 ? 0.1 : -0.1;
    corner.pose.position[1] = i & 2 ? 0.15 : -0.15;
    corner.pose.position[2] = i & 4 ? 0.05 : -0.05;
    corner.material = (ff_material){.stiffness = stiffness, .damping = 200, .friction = 0.3};
    assert_int_equal(ff_builder_add_shape(b, link, &corner, &error), FF_OK);
  }
  assert_int_equal(ff_builder_finish(b, &model, &error), FF_OK);
  ff_builder_destroy(b);
  return model;
}

// Its lower face `above` the plane, parallel to it or tilted, moving along it and spinning.
static ffi_order_scene scene(const ff_model *model, const ff_ground_def *ground, double above, double tilt,
                             double spin, double duration)
{
  ffi_order_scene s = {.model = model, .def = ff_sim_def_default(), .duration = duration};
  s.def.ground = ground;
  s.def.ground_count = 1;
  ff_pose in_plane = ff_pose_identity();
  in_plane.position[2] = 0.05 + above;
  in_plane.quaternion[0] = 0.8 * sin(tilt / 2);
  in_plane.quaternion[1] = 0.6 * sin(tilt / 2);
  in_plane.quaternion[3] = cos(tilt / 2);
  const ff_pose pose = ff_pose_compose(&ground->shape.pose, &in_plane);
  memcpy(s.q, pose.position, sizeof pose.position);
  memcpy(s.q + 3, pose.quaternion, sizeof pose.quaternion);
  s.v[0] = 0.5;
  s.v[1] = 0.2;
  s.v[5] = spin;
  return s;
}

static ff_ground_def slope_of(double angle)
{
  ff_ground_def ground = ff_ground_def_default();
  const double origin[3] = {0, 0, 0}, rpy[3] = {0, angle, 0};
  ground.shape.pose = ff_pose_from_rpy(origin, rpy);
  return ground;
}

static void is_second(double order)
{
  if (!(order > 2 - 0.15))
    fail_msg("expo is of order %.3f, not 2", order);
}

static void is_first(const char *what, double order)
{
  if (!(fabs(order - 1) < 0.15))
    fail_msg("%s is of order %.3f, not 1", what, order);
}

// Four corners that slide all the time, each in its own direction, which turns.
static void spinning_down_a_slope(void **state)
{
  (void)state;
  ff_model *model = block();
  const ff_ground_def ground = slope_of(0.5);
  const ffi_order_scene s = scene(model, &ground, -mass * gravity * cos(0.5) / 4 / stiffness, 0, 3, 0.1);
  double truth[2 * FFI_ORDER_MOST], error[16];
  print_message("spinning down a slope\n");
  ffi_order_run(&s, &ffi_order_rk4, 1 << 15, truth);
  ffi_order_measure(&s, &ffi_order_expo, truth, 32, 8, error);
  is_second(ffi_order_tail(8, error));
  const double longest = error[0];
  ffi_order_measure(&s, &ffi_order_first, truth, 32, 6, error);
  is_first("order 1", ffi_order_tail(6, error));
  assert_true(longest < error[5]); // 32 times longer steps
  ffi_order_measure(&s, &ffi_order_paper, truth, 32, 6, error);
  is_first("expo-paper", ffi_order_tail(6, error));
  ff_model_destroy(model);
}

// From sliding to rest, corner by corner.
static void sliding_to_rest(void **state)
{
  (void)state;
  ff_model *model = block();
  const ff_ground_def ground = slope_of(0);
  const ffi_order_scene s = scene(model, &ground, -mass * gravity / 4 / stiffness, 0, 2, 0.2);
  double truth[2 * FFI_ORDER_MOST], error[16];
  print_message("sliding to rest\n");
  ffi_order_run(&s, &ffi_order_rk4, 1 << 17, truth);
  ffi_order_measure(&s, &ffi_order_expo, truth, 16, 12, error);
  is_second(ffi_order_tail(12, error));
  const double long_one = error[3];
  ffi_order_measure(&s, &ffi_order_first, truth, 16, 8, error);
  is_first("order 1", ffi_order_tail(8, error));
  assert_true(long_one < error[7]); // 16 times longer steps
  ffi_order_measure(&s, &ffi_order_paper, truth, 64, 6, error);
  is_first("expo-paper", ffi_order_tail(6, error));
  ff_model_destroy(model);
}

// Landing, sliding, lifting off: flat, then on a corner.
static void ffi_landings(void **state)
{
  (void)state;
  ff_model *model = block();
  const ff_ground_def ground = slope_of(0);
  for (int askew = 0; askew < 2; ++askew) {
    ffi_order_scene s = scene(model, &ground, askew ? 0.05 : 0.01, askew ? 0.3 : 0, 2, 0.1);
    s.v[2] = askew ? -0.5 : 0;
    double truth[2 * FFI_ORDER_MOST], other[2 * FFI_ORDER_MOST], ours[8], late[8], theirs[8];
    ffi_landing_reference_run(&s, 1 << 15, truth);
    ffi_order_run(&s, &ffi_order_expo, 1 << 16, other);
    const double doubt = ffi_order_distance(&s, truth, other);
    print_message("landing %s; expo in %d steps comes as near as %.1e\n", askew ? "on a corner" : "flat",
                  1 << 16, doubt);
    ffi_order_measure(&s, &ffi_order_expo, truth, 64, 7, ours);
    assert_true(doubt < ours[6] / 10); // a tenth in the last row: 0.07 of the order
    is_second(ffi_order_tail(7, ours));
    ffi_order_measure(&s, &ffi_order_first, truth, 128, 7, late);
    is_first("order 1", ffi_order_tail(7, late));
    // where contacts are taken at the ends of steps, the error is that of one late touch-down
    ffi_order_measure(&s, &ffi_order_no_events, truth, 64, 6, late);
    ffi_order_measure(&s, &ffi_order_paper, truth, 64, 6, theirs);
    for (int k = 0; k < 6; ++k)
      assert_true(ours[k] < late[k] / 20 && ours[k] < theirs[k] / 50);
  }
  ff_model_destroy(model);
}

// The same with an accuracy instead of a step.
static void landings_to_an_accuracy(void **state)
{
  (void)state;
  ff_model *model = block();
  const ff_ground_def ground = slope_of(0);
  ffi_error_tolerance a = {.longest = 4};
  for (int i = 0; i < 8; ++i) {
    ffi_order_scene s = scene(model, &ground, 0.01 + 0.005 * i, 0.04 * i, 2, 0.15);
    s.v[2] = -0.05 * i;
    double truth[2 * FFI_ORDER_MOST];
    ffi_landing_reference_run(&s, 1 << 14, truth);
    ffi_error_tolerance_add(&a, &s, truth);
  }
  const ffi_error_tolerance_found found = ffi_error_tolerance_conclude(&a);
  assert_true(found.slope > 0.7 && found.slope < 1.3);
  assert_true(found.largest < 10); // of one step, and they add up
  for (int k = 2; k < FFI_ERROR_TOLERANCE_COUNT;
       ++k) // from 1e-4 on; before, steps are as long as they may be
    assert_true(found.saved[k] > 1.2);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(spinning_down_a_slope),
      cmocka_unit_test(sliding_to_rest),
      cmocka_unit_test(ffi_landings),
      cmocka_unit_test(landings_to_an_accuracy),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
