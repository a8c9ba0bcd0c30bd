// Orders of convergence of an arm that runs into its stops and of a motor that saturates: what acts on joints changes
// inside the step, like contacts.
#include "properties/order/joint_regimes.h"
#include "properties/order/order.h"

#include <footfall/builder.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// Two rods that hang from a hinge.
static ff_model *arm(void)
{
  ff_builder *b;
  ff_model *model;
  ff_error error;
  int parent = FF_WORLD;
  assert_int_equal(ff_builder_create("arm", &b, &error), FF_OK);
  for (int i = 0; i < 2; ++i) {
    char name[8];
    snprintf(name, sizeof name, "rod%d", i);
    ff_link_def rod = ff_link_def_default();
    rod.name = name;
    rod.parent = parent;
    rod.joint.type = FF_JOINT_REVOLUTE;
    rod.joint.axis[1] = 1;
    rod.joint.pose.position[2] = i ? -0.3 : 1;
    rod.inertia.mass = 0.6;
    rod.inertia.com[2] = -0.15;
    rod.inertia.matrix[0] = rod.inertia.matrix[3] = 0.005;
    rod.inertia.matrix[5] = 0.001;
    assert_int_equal(ff_builder_add_link(b, &rod, &parent, &error), FF_OK);
  }
  assert_int_equal(ff_builder_finish(b, &model, &error), FF_OK);
  ff_builder_destroy(b);
  return model;
}

static ffi_order_scene scene(const ff_model *model, const ff_element_def *elements, int count)
{
  ffi_order_scene s = {.model = model, .def = ff_sim_def_default(), .q = {0.8, 0.1}, .duration = 0.4};
  s.def.ground_count = 0;
  s.def.elements = elements;
  s.def.element_count = count;
  return s;
}

static ff_element_def stop(int joint, double lower, double upper)
{
  ff_element_def e = ff_element_def_default();
  e.type = FF_ELEMENT_JOINT_LIMIT;
  e.joint = joint;
  e.lower = lower;
  e.upper = upper;
  e.stiffness = 2e3;
  e.damping = 5;
  return e;
}

// The truth, with the number of times that a stop or a motor changes on the way; half as many steps must give the same
// to 1e-10.
static int truth_of(const ffi_order_scene *s, double *truth)
{
  double coarse[2 * FFI_ORDER_MOST];
  const int changes = ffi_joint_regimes_run(s, 1 << 16, truth);
  assert_int_equal(ffi_joint_regimes_run(s, 1 << 15, coarse), changes);
  const double doubt = ffi_order_distance(s, truth, coarse);
  print_message("  %d changes, truth to %.1e\n", changes, doubt);
  assert_true(doubt < 1e-10);
  return changes;
}

// Order 2 from 8 ms down, over more than a decade, whatever part of a step the changes fall into; to 1e-5 at the end.
// At each step `better` times nearer than without events.
static void check_order(const ffi_order_scene *s, const double *truth, double better)
{
  double error[8], late[8];
  assert_true(ffi_order_measure(s, &ffi_order_expo, truth, 50, 7, error) > 1.7);
  assert_true(error[6] < 1e-5);
  ffi_order_measure(s, &ffi_order_no_events, truth, 50, 7, late);
  for (int k = 0; k < 7; ++k)
    assert_true(error[k] < late[k] / better);
}

// Beyond 1.5 N m it gives no more: the torque has a bend there, on the way out and on the way back.
static void a_motor_saturates(void **state)
{
  (void)state;
  ff_model *model = arm();
  ff_element_def motor = ff_element_def_default();
  motor.joint = 1;
  motor.stiffness = 500;
  motor.damping = 5;
  motor.effort = 1.5;
  motor.reference = 0.25;
  const ffi_order_scene s = scene(model, &motor, 1);
  double truth[2 * FFI_ORDER_MOST], error[8];
  print_message("a motor that saturates\n");
  assert_true(truth_of(&s, truth) >= 1);
  assert_true(ffi_order_measure(&s, &ffi_order_expo, truth, 50, 7, error) > 1.7);
  assert_true(error[6] < 1e-6);
  const double first = ffi_order_measure(&s, &ffi_order_first, truth, 50, 7, error);
  assert_true(first > 0.9 && first < 1.1);
  const double paper = ffi_order_measure(&s, &ffi_order_paper, truth, 100, 6, error);
  assert_true(paper > 0.9 && paper < 1.1);
  ff_model_destroy(model);
}

// A stiff motor thrown to and fro by the other rod: it comes to its limit and back again and again.
static void a_motor_saturates_often(void **state)
{
  (void)state;
  ff_model *model = arm();
  ff_element_def motors[2] = {ff_element_def_default(), ff_element_def_default()};
  for (int i = 0; i < 2; ++i) {
    motors[i].joint = i;
    motors[i].stiffness = i ? 2000 : 60;
    motors[i].damping = i ? 1 : 0.2;
    motors[i].effort = i ? 0.8 : 4;
  }
  ffi_order_scene s = scene(model, motors, 2);
  s.q[1] = 0.02;
  double truth[2 * FFI_ORDER_MOST];
  print_message("motors that saturate often\n");
  assert_true(truth_of(&s, truth) >= 6);
  check_order(&s, truth, 2); // half of what is wrong at 8 ms is that the rods swing
  ff_model_destroy(model);
}

// Both rods run into stops whose dampers act at once, and are thrown back.
static void an_arm_runs_into_its_stops(void **state)
{
  (void)state;
  ff_model *model = arm();
  const ff_element_def stops[2] = {stop(0, -0.2, 0.9), stop(1, -0.3, 0.3)};
  const ffi_order_scene s = scene(model, stops, 2);
  double truth[2 * FFI_ORDER_MOST];
  print_message("stops\n");
  assert_true(truth_of(&s, truth) >= 2);
  check_order(&s, truth, 10);
  ff_model_destroy(model);
}

// A stop, a motor that saturates while the stop pushes, and the other rod's stop: each kind of change, mixed.
static void stops_and_motors_together(void **state)
{
  (void)state;
  ff_model *model = arm();
  ff_element_def elements[3] = {stop(0, -0.1, 0.9), stop(1, -0.2, 0.2), ff_element_def_default()};
  elements[2].joint = 1;
  elements[2].stiffness = 300;
  elements[2].damping = 2;
  elements[2].effort = 1;
  elements[2].reference = -0.1;
  const ffi_order_scene s = scene(model, elements, 3);
  double truth[2 * FFI_ORDER_MOST];
  print_message("stops and a motor\n");
  assert_true(truth_of(&s, truth) >= 6);
  check_order(&s, truth, 10);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_motor_saturates),
      cmocka_unit_test(a_motor_saturates_often),
      cmocka_unit_test(an_arm_runs_into_its_stops),
      cmocka_unit_test(stops_and_motors_together),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
