// URDF: our own element, <footfall>.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model_text.h"

#include <footfall/builder.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// A floating base with an arm on a hinge, a slide, a ball joint, a planar joint and a fixed one.
static const char robot[] =
    "<robot name='r'><footfall>%s</footfall>"
    "<link name='base'>" INERTIAL "<contact><lateral_friction value='0.5'/></contact></link>"
    "<link name='arm'>" INERTIAL "</link><link name='slider'>" INERTIAL "</link><link name='ball'>" INERTIAL
    "</link>"
    "<link name='puck'>" INERTIAL "</link><link name='tip'/>"
    "<joint name='hinge' type='continuous'><parent link='base'/><child link='arm'/></joint>"
    "<joint name='rail' type='prismatic'><parent link='arm'/><child link='slider'/><limit lower='-1' "
    "upper='1'/></joint>"
    "<joint name='socket' type='spherical'><parent link='slider'/><child link='ball'/></joint>"
    "<joint name='table' type='planar'><parent link='base'/><child link='puck'/></joint>"
    "<joint name='weld' type='fixed'><parent link='ball'/><child link='tip'/></joint></robot>";

static ff_model *load_with(const char *inside, const ff_load_def *def)
{
  char text[4000];
  snprintf(text, sizeof text, robot, inside);
  return load_text(text, def);
}

static void points_are_collision_shapes(void **state)
{
  (void)state;
  ff_model *model = load_with(
      "<point link='base' xyz='1 2 3' name='heel'/><point link='tip'/><point link='world' xyz='0 0 9'/>",
      NULL);
  static const double places[][3] = {{1, 2, 3}, {0, 0, 0}, {0, 0, 9}};
  static const char *const links[] = {"base", "tip", NULL};
  assert_int_equal(ff_model_get_size(model).shapes, 3);
  for (int i = 0; i < 3; ++i) {
    ff_shape_info shape;
    assert_int_equal(ff_model_shape(model, i, &shape), FF_OK);
    assert_int_equal(shape.def.type, FF_SHAPE_POINT);
    assert_int_equal(shape.def.purpose, FF_SHAPE_COLLISION);
    assert_int_equal(shape.link, links[i] ? ff_model_find_link(model, links[i]) : -1);
    assert_close(shape.def.pose.position, places[i], 3, 0, "point");
    assert_true(shape.def.material.friction == (i == 0 ? 0.5 : 1)); // from the link's <contact>
    assert_true(i == 0 ? strcmp(shape.def.name, "heel") == 0 : !shape.def.name);
  }
  ff_model_destroy(model);
}

static void frames_are_added(void **state)
{
  (void)state;
  ff_model *model = load_with(
      "<frame link='tip' name='grip' xyz='1 0 0' rpy='0 0 1'/><frame name='goal' link='world' xyz='5 6 7'/>",
      NULL);
  ff_frame_info frame;
  assert_int_equal(ff_model_get_size(model).frames, 1 + 6 + 2);
  assert_int_equal(ff_model_frame(model, ff_model_find_frame(model, "grip"), &frame), FF_OK);
  assert_int_equal(frame.link, ff_model_find_link(model, "tip"));
  assert_int_equal(frame.joint, ff_model_find_joint(model, "socket"));
  assert_int_equal(ff_model_frame(model, ff_model_find_frame(model, "goal"), &frame), FF_OK);
  assert_int_equal(frame.link, -1);
  assert_int_equal(frame.joint, -1);
  ff_model_destroy(model);
}

// Where a joint's coordinates are in a posture.
static const double *slice(const ff_model *model, const char *posture, const char *joint)
{
  const double *q = ff_model_posture(model, ff_model_find_posture(model, posture));
  assert_non_null(q);
  return q + joint_named(model, joint).q;
}

static void postures_are_read(void **state)
{
  (void)state;
  ff_model *model = load_with(
      "<posture name='standing'><joint name='hinge' value='0.25'/><root xyz='1 2 3' rpy='0 0 1'/>"
      "<joint name='table' value='4 5 6'/><joint value='0 0 3 4' name='socket'/></posture>"
      "<posture name='lying'><root quaternion='0 2 0 0'/><joint name='rail' value='-0.5'/></posture>"
      "<posture name='zero'/>",
      NULL);
  assert_int_equal(ff_model_get_size(model).postures, 3);
  assert_close(slice(model, "standing", "root_joint"), (double[]){1, 2, 3, 0, 0, sin(0.5), cos(0.5)}, 7,
               2 * DBL_EPSILON, "root");
  assert_close(slice(model, "standing", "hinge"), (double[]){0.25}, 1, 0, "hinge");
  assert_close(slice(model, "standing", "table"), (double[]){4, 5, 6}, 3, 0, "table");
  assert_close(slice(model, "standing", "socket"), (double[]){0, 0, 0.6, 0.8}, 4, 2 * DBL_EPSILON, "socket");
  assert_close(slice(model, "standing", "rail"), (double[]){0}, 1, 0, "rail");
  assert_close(slice(model, "lying", "root_joint"), (double[]){0, 0, 0, 0, 1, 0, 0}, 7, 0, "root");
  assert_close(slice(model, "lying", "rail"), (double[]){-0.5}, 1, 0, "rail");
  assert_close(slice(model, "lying", "socket"), (double[]){0, 0, 0, 1}, 4, 0, "socket");
  double neutral[32];
  ff_model_neutral(model, neutral);
  assert_close(ff_model_posture(model, ff_model_find_posture(model, "zero")), neutral,
               ff_model_get_size(model).nq, 0, "zero");
  ff_model_destroy(model);
}

static void postures_serve_a_fixed_base_too(void **state)
{
  (void)state;
  ff_load_def def = ff_load_def_default();
  def.fixed_base = 1;
  ff_model *model =
      load_with("<posture name='up'><root xyz='0 0 1'/></posture>"
                "<posture name='bent'><root xyz='0 0 1'/><joint name='hinge' value='1'/></posture>",
                &def);
  assert_int_equal(ff_model_get_size(model).postures, 2);
  assert_close(slice(model, "up", "hinge"), (double[]){0}, 1, 0, "hinge");
  assert_close(slice(model, "bent", "hinge"), (double[]){1}, 1, 0, "hinge");
  ff_model_destroy(model);
}

static void floating_joints_have_postures_under_their_own_name(void **state)
{
  (void)state;
  ff_model *model = load_text(
      "<robot name='r'><link name='world'/><link name='ball'>" INERTIAL "</link>"
      "<joint name='loose' type='floating'><parent link='world'/><child link='ball'/></joint>"
      "<footfall><posture name='up'><joint name='loose' value='0 0 1  0 0 0 1'/></posture></footfall>"
      "</robot>",
      NULL);
  assert_close(slice(model, "up", "loose"), (double[]){0, 0, 1, 0, 0, 0, 1}, 7, 0, "loose");
  ff_model_destroy(model);
}

static void a_fixed_mimic_joint_may_stay_in_postures(void **state)
{
  (void)state;
  static const char text[] =
      "<robot name='r'><link name='a'>" INERTIAL "</link><link name='b'>" INERTIAL
      "</link><link name='c'>" INERTIAL "</link>"
      "<joint name='j' type='continuous'><parent link='a'/><child link='b'/></joint>"
      "<joint name='m' type='continuous'><parent link='b'/><child link='c'/><mimic joint='j'/></joint>"
      "<footfall><posture name='p'><joint name='j' value='1'/><joint name='m' value='1'/></posture></footfall></robot>";
  ff_load_def def = ff_load_def_default();
  def.mimic = FF_MIMIC_FIX;
  ff_model *model = load_text(text, &def);
  assert_close(slice(model, "p", "j"), (double[]){1}, 1, 0, "j");
  ff_model_destroy(model);
}

static void gravity_is_set(void **state)
{
  (void)state;
  double gravity[3];
  ff_model *model = load_with("", NULL);
  ff_model_gravity(model, gravity);
  assert_close(gravity, (double[]){0, 0, -9.81}, 3, 0, "default");
  ff_model_destroy(model);
  model = load_with("<gravity xyz='0.5 0 -1.62'/>", NULL);
  ff_model_gravity(model, gravity);
  assert_close(gravity, (double[]){0.5, 0, -1.62}, 3, 0, "moon");
  ff_model_destroy(model);
}

static void actuators_are_read(void **state)
{
  (void)state;
  ff_model *model =
      load_with("<actuator joint='hinge'/>"
                "<actuator name='servo' joint='rail' type='position' gear='9' kp='100' kv='3'"
                " control_range='-1 2' force_range='-5 5'/><actuator type='velocity' joint='hinge' kv='1'/>",
                NULL);
  ff_actuator_info a;
  assert_int_equal(ff_model_get_size(model).actuators, 3);
  assert_int_equal(ff_model_actuator(model, 0, &a), FF_OK);
  assert_int_equal(a.type, FF_ACTUATOR_MOTOR);
  assert_int_equal(a.joint, ff_model_find_joint(model, "hinge"));
  assert_true(a.gear == 1 && isinf(a.force_range[1]));
  assert_int_equal(ff_model_actuator(model, 1, &a), FF_OK);
  assert_string_equal(a.name, "servo");
  assert_int_equal(a.type, FF_ACTUATOR_POSITION);
  assert_int_equal(a.joint, ff_model_find_joint(model, "rail"));
  assert_true(a.gear == 9 && a.kp == 100 && a.kv == 3);
  assert_close(a.control_range, (double[]){-1, 2}, 2, 0, "control");
  assert_close(a.force_range, (double[]){-5, 5}, 2, 0, "force");
  assert_int_equal(ff_model_actuator(model, 2, &a), FF_OK);
  assert_int_equal(a.type, FF_ACTUATOR_VELOCITY);
  assert_int_equal(a.frame, -1);
  ff_model_destroy(model);
}

static void motors_push_links_and_frames(void **state)
{
  (void)state;
  ff_model *model = load_with("<frame link='arm' name='rotor' xyz='0 0 1'/>"
                              "<actuator name='r' frame='rotor' wrench='1 2 3 4 5 6' control_range='0 9'/>"
                              "<actuator frame='arm' wrench='0 0 1 0 0 0'/>",
                              NULL);
  ff_actuator_info a;
  assert_int_equal(ff_model_actuator(model, 0, &a), FF_OK);
  assert_string_equal(a.name, "r");
  assert_int_equal(a.frame, ff_model_find_frame(model, "rotor"));
  assert_true(a.joint == -1 && a.tendon == -1);
  assert_close(a.wrench, (double[]){1, 2, 3, 4, 5, 6}, 6, 0, "wrench");
  assert_close(a.control_range, (double[]){0, 9}, 2, 0, "control");
  assert_int_equal(ff_model_actuator(model, 1, &a), FF_OK);
  assert_int_equal(a.frame, ff_model_find_frame(model, "arm"));
  ff_model_destroy(model);
}

static void the_element_may_come_several_times(void **state)
{
  (void)state;
  ff_model *model = load_with("<point link='tip'/></footfall><footfall/><footfall><point link='arm'/>", NULL);
  assert_int_equal(ff_model_get_size(model).shapes, 2);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(points_are_collision_shapes),
      cmocka_unit_test(frames_are_added),
      cmocka_unit_test(postures_are_read),
      cmocka_unit_test(postures_serve_a_fixed_base_too),
      cmocka_unit_test(floating_joints_have_postures_under_their_own_name),
      cmocka_unit_test(a_fixed_mimic_joint_may_stay_in_postures),
      cmocka_unit_test(gravity_is_set),
      cmocka_unit_test(actuators_are_read),
      cmocka_unit_test(motors_push_links_and_frames),
      cmocka_unit_test(the_element_may_come_several_times),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
