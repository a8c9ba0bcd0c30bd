// Orders of convergence of an arm that runs into its stops and of a motor that saturates: what acts on joints changes inside the step, like contacts.
#include "properties/order.h"

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

// Beyond 1.5 N m it gives no more: the torque has a bend, and rk4 with short steps is the truth.
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
  ffi_order_run(&s, &ffi_order_rk4, 1 << 17, truth);
  assert_true(ffi_order_measure(&s, &ffi_order_expo, truth, 32, 7, error) > 1.8);
  assert_true(error[6] < 1e-6);
  const double first = ffi_order_measure(&s, &ffi_order_first, truth, 32, 7, error);
  assert_true(first > 0.9 && first < 1.1);
  const double paper = ffi_order_measure(&s, &ffi_order_paper, truth, 64, 6, error);
  assert_true(paper > 0.9 && paper < 1.1);
  ff_model_destroy(model);
}

// Both rods run into stops whose dampers act at once. The truth is expo's with short steps; rk4, of first order there, comes near to it.
static void an_arm_runs_into_its_stops(void **state)
{
  (void)state;
  ff_model *model = arm();
  const ff_element_def stops[2] = {stop(0, -0.2, 0.9), stop(1, -0.3, 0.3)};
  const ffi_order_scene s = scene(model, stops, 2);
  double truth[2 * FFI_ORDER_MOST], other[2][2 * FFI_ORDER_MOST], ours[8], late[8];
  ffi_order_run(&s, &ffi_order_expo, 1 << 17, truth);
  for (int k = 0; k < 2; ++k)
    ffi_order_run(&s, &ffi_order_rk4, 1 << (15 + 4 * k), other[k]);
  const double far = ffi_order_distance(&s, truth, other[0]), near = ffi_order_distance(&s, truth, other[1]);
  print_message("stops; rk4 comes as near as %.1e with %d steps, %.1e with %d\n", far, 1 << 15, near,
                1 << 19);
  assert_true(near < 1e-4 && near < far / 3);
  // a stop begins up to dt/500 late, which is of first order with a small factor; and hits fall here or there in a step
  assert_true(ffi_order_measure(&s, &ffi_order_expo, truth, 64, 7, ours) > 1);
  ffi_order_measure(&s, &ffi_order_no_events, truth, 64, 7, late);
  for (int k = 1; k < 7; ++k)
    assert_true(ours[k] < late[k] / 10);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_motor_saturates),
      cmocka_unit_test(an_arm_runs_into_its_stops),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
