// MJCF: what MuJoCo 2.2 cannot be asked about (names, newer words, the list of what was ignored). That the
// robots themselves are MuJoCo's is shown in tests/oracle/test_mjcf_mujoco.c.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model_text.h"

#include <footfall/footfall.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

// ---- Helpers ------------------------------------------------------------------------------------------------

static ff_model *load(const char *text)
{
  return load_text(text, NULL);
}

static void expect_close(double got, double want, const char *what)
{
  // Values of size 1 to 100 after a handful of operations.
  if (!(fabs(got - want) <= 16 * DBL_EPSILON * fmax(1, fabs(want))))
    fail_msg("%s: got %.17g, expected %.17g", what, got, want);
}

// ---- Names --------------------------------------------------------------------------------------------------

static void the_nameless_get_names_that_nobody_has(void **state)
{
  (void)state;
  ff_model *model = load("<mujoco><worldbody>"
                         "<body><joint/><geom size='0.1'/>"
                         "<body name='body1'><joint name='joint0'/><geom size='0.1'/></body></body>"
                         "<body><freejoint/><geom size='0.1'/></body>"
                         "</worldbody></mujoco>");
  assert_string_equal(link_named(model, "body1-2").joint_name,
                      "joint0-2"); // body 1 and joint 0 of the document
  assert_string_equal(link_named(model, "body1").joint_name, "joint0");
  assert_string_equal(link_named(model, "body3").joint_name, "joint2");
  ff_model_destroy(model);
}

static void bodies_joints_and_sites_may_share_a_name(void **state)
{
  (void)state;
  ff_model *model =
      load("<mujoco><worldbody><body name='hip'><joint name='hip' pos='0 0 1'/><geom size='0.1'/>"
           "<site name='hip' pos='1 2 3'/><site name='world'/>"
           "<body name='foot'><geom size='0.1'/><site name='foot:site'/><site name='foot'/></body></body>"
           "</worldbody></mujoco>");
  assert_string_equal(link_named(model, "hip:hip").joint_name, "hip");
  assert_string_equal(link_named(model, "hip").joint_name, "hip:fixed");
  assert_string_equal(link_named(model, "foot").joint_name, "foot:fixed");
  assert_true(ff_model_find_frame(model, "hip:site") > 0);
  assert_true(ff_model_find_frame(model, "world:site") > 0);
  assert_true(ff_model_find_frame(model, "foot:site") > 0);
  assert_true(ff_model_find_frame(model, "foot:site-2") > 0);
  assert_int_equal(ff_model_find_frame(model, "world"), 0);
  ff_model_destroy(model);
}

static void the_model_is_called_as_the_file_says(void **state)
{
  (void)state;
  ff_model *named = load("<mujoco model='robot'><worldbody>" ARM "</worldbody></mujoco>");
  ff_model *nameless = load("<mujoco><worldbody>" ARM "</worldbody></mujoco>");
  assert_string_equal(ff_model_name(named), "robot");
  assert_string_equal(ff_model_name(nameless), "mujoco");
  ff_model_destroy(named);
  ff_model_destroy(nameless);
}

// ---- Joints -------------------------------------------------------------------------------------------------

static void angles_are_degrees_unless_the_compiler_says_radian(void **state)
{
  (void)state;
  const char *body =
      "<worldbody><body><joint name='a' range='-90 45' springref='30' stiffness='1'/><geom size='0.1'/>"
      "</body><body><joint name='b' type='slide' range='-90 45' springref='30'/><geom size='0.1'/></body>"
      "</worldbody></mujoco>";
  char text[600];
  for (int is_radian = 0; is_radian < 2; ++is_radian) {
    snprintf(text, sizeof text, "<mujoco>%s%s", is_radian ? "<compiler angle='radian'/>" : "", body);
    ff_model *model = load(text);
    const double unit = is_radian ? 1 : pi / 180;
    expect_close(joint_named(model, "a").lower, -90 * unit, "lower");
    expect_close(joint_named(model, "a").upper, 45 * unit, "upper");
    expect_close(joint_named(model, "a").spring_reference, 30 * unit, "spring reference");
    expect_close(joint_named(model, "b").lower, -90, "lower of a slide");
    expect_close(joint_named(model, "b").spring_reference, 30, "spring reference of a slide");
    ff_model_destroy(model);
  }
}

static void joints_without_range_turn_for_ever(void **state)
{
  (void)state;
  ff_model *model = load(
      "<mujoco><worldbody><body><joint name='a'/><joint name='b' axis='1 0 0' range='0 1'/>"
      "<joint name='c' axis='0 1 0' range='0 1' limited='false'/><geom size='0.1'/></body></worldbody></mujoco>");
  assert_int_equal(joint_named(model, "a").type, FF_JOINT_CONTINUOUS);
  assert_int_equal(joint_named(model, "b").type, FF_JOINT_REVOLUTE);
  assert_int_equal(joint_named(model, "c").type, FF_JOINT_CONTINUOUS);
  assert_int_equal(joint_named(model, "b").has_limits, 1);
  ff_model_destroy(model);
}

static void the_range_of_actuator_forces_is_the_effort(void **state)
{
  (void)state;
  ff_model *model =
      load("<mujoco><worldbody><body><joint name='a' actuatorfrcrange='-30 30'/>"
           "<joint name='b' axis='1 0 0' actuatorfrcrange='-10 20'/><joint name='c' axis='0 1 0'/>"
           "<geom size='0.1'/></body></worldbody></mujoco>");
  expect_close(joint_named(model, "a").effort, 30, "effort");
  expect_close(joint_named(model, "b").effort, 20, "effort");
  assert_true(isinf(joint_named(model, "c").effort));
  assert_warning(model, "actuatorfrcrange is not symmetric");
  ff_model_destroy(model);
}

static void a_ball_joint_loses_its_range_with_a_warning(void **state)
{
  (void)state;
  ff_model *model = load(
      "<mujoco><worldbody><body><joint type='ball' range='0 30'/><geom size='0.1'/></body></worldbody></mujoco>");
  assert_warning(model, "ignored the range of a ball joint: these joints turn without limit");
  ff_model_destroy(model);
}

// ---- Frames and places --------------------------------------------------------------------------------------

// A frame is a pose around what is inside; so the same tree with the poses multiplied out must be the same.
static void frames_are_poses(void **state)
{
  (void)state;
  ff_model *framed = load(
      "<mujoco><default><default class='big'><geom size='0.3'/></default></default><worldbody>"
      "<frame pos='1 0 0' euler='0 0 90'>"
      "<geom name='rock' size='0.1' pos='0.5 0 0'/>"
      "<frame pos='1 0 0'><body name='a' pos='0 2 0'><freejoint/>"
      "<frame pos='0 0 1' euler='90 0 0' childclass='big'><geom name='g' pos='0 1 0'/><site name='s' pos='0 0 1'/>"
      "</frame></body></frame></frame></worldbody></mujoco>");
  double q[7];
  ff_shape_info shape;
  ff_model_neutral(framed, q);
  // (1,0,0) + Rz(90)((1,0,0) + (0,2,0)) = (1,0,0) + (-2,1,0)
  expect_close(q[0], -1, "x");
  expect_close(q[1], 1, "y");
  expect_close(q[2], 0, "z");
  expect_close(q[5], sqrt(0.5), "qz");
  expect_close(q[6], sqrt(0.5), "qw");
  assert_int_equal(ff_model_get_size(framed).shapes, 2);
  for (int i = 0; i < 2; ++i) {
    ff_model_shape(framed, i, &shape);
    const int is_rock = strcmp(shape.def.name, "rock") == 0;
    const double want[2][3] = {{0, 0, 2}, {1, 0.5, 0}}; // Rx(90) turns y to z
    for (int k = 0; k < 3; ++k)
      expect_close(shape.def.pose.position[k], want[is_rock][k], shape.def.name);
    expect_close(shape.def.size[0], is_rock ? 0.1 : 0.3, "radius");
  }
  ff_model_destroy(framed);
}

static void the_elements_own_orientation_replaces_that_of_its_class(void **state)
{
  (void)state;
  ff_model *model =
      load("<mujoco><default><geom type='box' size='1 1 1' euler='90 0 0'/></default><worldbody><body>"
           "<freejoint/><geom name='own' quat='1 0 0 0'/></body></worldbody></mujoco>");
  ff_shape_info shape;
  ff_model_shape(model, 0, &shape);
  expect_close(shape.def.pose.quaternion[0], 0, "qx");
  expect_close(shape.def.pose.quaternion[3], 1, "qw");
  ff_model_destroy(model);
}

// ---- Shapes -------------------------------------------------------------------------------------------------

static void ellipsoids_are_shapes(void **state)
{
  (void)state;
  ff_model *model = load(
      "<mujoco><worldbody><body name='a'><freejoint/><geom type='ellipsoid' size='0.1 0.2 0.3' mass='5'/>"
      "</body></worldbody></mujoco>");
  const ff_inertia inertia = link_named(model, "a").inertia;
  ff_shape_info shape;
  expect_close(inertia.mass, 5, "mass");
  expect_close(inertia.matrix[0], 0.2 * 0.2 + 0.3 * 0.3, "xx"); // m (b^2 + c^2) / 5
  expect_close(inertia.matrix[5], 0.1 * 0.1 + 0.2 * 0.2, "zz");
  ff_model_shape(model, 0, &shape);
  assert_int_equal(shape.def.type, FF_SHAPE_ELLIPSOID);
  for (int k = 0; k < 3; ++k)
    expect_close(shape.def.size[k], 0.1 * (k + 1), "size");
  ff_model_destroy(model);
}

static void the_rows_of_a_height_field_begin_at_the_far_side(void **state)
{
  (void)state;
  ff_model *model = load(
      "<mujoco><asset><hfield name='hills' nrow='2' ncol='3' size='1 2 3 4' elevation='5 6 7  8 9 15'/>"
      "<hfield name='flat' nrow='2' ncol='2' size='1 1 1 1'/></asset><worldbody>"
      "<geom type='hfield' hfield='hills'/><geom type='hfield' hfield='flat'/>" ARM "</worldbody></mujoco>");
  static const double heights[6] = {0.9, 1.2, 3, 0, 0.3, 0.6}; // 0 to 3, the last row of the text first
  ff_shape_info shape;
  ff_model_shape(model, 0, &shape);
  assert_int_equal(shape.def.type, FF_SHAPE_HEIGHTFIELD);
  assert_int_equal(shape.def.rows, 2);
  assert_int_equal(shape.def.columns, 3);
  expect_close(shape.def.size[0], 2, "width");
  expect_close(shape.def.size[1], 4, "depth");
  for (int i = 0; i < 6; ++i)
    expect_close(shape.def.heights[i], heights[i], "height");
  ff_model_shape(model, 1, &shape);
  for (int i = 0; i < 4; ++i)
    expect_close(shape.def.heights[i], 0, "flat");
  ff_model_destroy(model);
}

// Two bodies: a box made of two boxes of half the length must have the inertia of the whole.
static void inertias_of_geoms_add_up(void **state)
{
  (void)state;
  ff_model *model = load(
      "<mujoco><worldbody>"
      "<body name='whole'><freejoint/><geom type='box' size='0.2 0.1 0.05' euler='0 0 30'/></body>"
      "<body name='halves'><freejoint/><frame euler='0 0 30'><geom type='box' size='0.1 0.1 0.05' pos='0.1 0 0'/>"
      "<geom type='box' size='0.1 0.1 0.05' pos='-0.1 0 0'/></frame></body></worldbody></mujoco>");
  const ff_inertia whole = link_named(model, "whole").inertia, halves = link_named(model, "halves").inertia;
  expect_close(whole.mass, 8 * 0.2 * 0.1 * 0.05 * 1000, "mass");
  expect_close(halves.mass, whole.mass, "mass of two halves");
  for (int i = 0; i < 6; ++i)
    expect_close(halves.matrix[i], whole.matrix[i], "inertia");
  ff_model_destroy(model);
}

// ---- Newer actuators ----------------------------------------------------------------------------------------

static ff_actuator_info actuator_of(const char *element)
{
  char text[1000];
  ff_actuator_info info;
  snprintf(
      text, sizeof text,
      "<mujoco><worldbody><body><joint name='j' range='-40 80' axis='0 1 0'/><geom size='0.1'/></body></worldbody>"
      "<actuator>%s</actuator></mujoco>",
      element);
  ff_model *model = load(text);
  assert_int_equal(ff_model_actuator(model, 0, &info), FF_OK);
  ff_model_destroy(model);
  info.name = NULL;
  return info;
}

static void a_position_actuator_may_have_damping(void **state)
{
  (void)state;
  const ff_actuator_info info = actuator_of("<position joint='j' kp='20' kv='3'/>");
  assert_int_equal(info.type, FF_ACTUATOR_POSITION);
  expect_close(info.kp, 20, "kp");
  expect_close(info.kv, 3, "kv");
}

// What the element does not say, its class does, though the class may also speak of other kinds of actuators.
static void classes_give_gains_to_position_actuators(void **state)
{
  (void)state;
  ff_actuator_info info;
  ff_model *model =
      load("<mujoco><default><velocity kv='9'/><position kp='75' kv='5' inheritrange='1'/>"
           "<default class='slow'><position timeconst='0.1'/></default></default>"
           "<worldbody><body><joint name='j' range='-40 80'/><geom size='0.1'/></body></worldbody><actuator>"
           "<position name='p' joint='j'/><position class='slow' joint='j'/><motor name='m' joint='j'/>"
           "</actuator></mujoco>");
  assert_int_equal(ff_model_get_size(model).actuators, 3);
  ff_model_actuator(model, 0, &info);
  expect_close(info.kp, 75, "kp");
  expect_close(info.kv, 5, "kv");
  expect_close(info.control_range[1], 80 * pi / 180, "upper");
  ff_model_actuator(model, 2, &info);
  assert_string_equal(info.name, "m");
  assert_int_equal(info.type, FF_ACTUATOR_MOTOR);
  expect_close(info.gear, 1, "gear");
  assert_true(isinf(info.control_range[1]));
  ff_model_destroy(model);
}

static void a_position_actuator_may_inherit_its_range(void **state)
{
  (void)state;
  const ff_actuator_info info = actuator_of("<position joint='j' kp='20' inheritrange='0.5'/>");
  expect_close(info.control_range[0], (20 - 30) * pi / 180,
               "lower"); // about the middle of -40..80, half as wide
  expect_close(info.control_range[1], (20 + 30) * pi / 180, "upper");
}

static void actuators_without_counterpart_are_listed(void **state)
{
  (void)state;
  ff_model *model =
      load("<mujoco><worldbody><body><joint name='j'/><geom size='0.1'/>"
           "<body><joint name='ball' type='ball'/><geom size='0.1'/></body></body></worldbody><actuator>"
           "<muscle joint='j'/><muscle joint='j'/><motor tendon='t'/><motor joint='ball'/>"
           "<general joint='j' dyntype='filter'/><position joint='j' timeconst='0.1'/>"
           "<general joint='j' biastype='affine' biasprm='1 0 0'/></actuator>"
           "<tendon><spatial name='t'/></tendon></mujoco>");
  assert_int_equal(ff_model_get_size(model).actuators, 2);
  assert_warning(model, "ignored <muscle> in <actuator>, 2 times, first here");
  assert_warning(model, "ignored the filter ('timeconst') of an actuator, 2 times, first here: these");
  assert_warning(model, "ignored actuators on a spatial tendon");
  assert_warning(model, "ignored actuators on joints with more than one coordinate");
  assert_warning(model, "ignored actuators that are neither motor nor position nor velocity");
  ff_model_destroy(model);
}

// A keyframe whose quaternion is zero says nothing; the others are kept. An empty colour is none.
static void small_faults_of_files_are_passed_over(void **state)
{
  (void)state;
  ff_model *model =
      load_text("<mujoco><asset><material name='m' rgba=''/></asset><worldbody>\n"
                "<body><joint name='free' type='free'/><geom size='1' rgba=''/></body></worldbody>\n"
                "<keyframe><key name='good' qpos='0 0 1 2 0 0 0'/>\n"
                "<key name='zero' qpos='0 0 1 0 0 0 0'/></keyframe></mujoco>",
                NULL);
  assert_true(ff_model_find_posture(model, "good") >= 0);
  assert_int_equal(ff_model_find_posture(model, "zero"), -1);
  assert_warning(model,
                 "text:4: keyframe 'zero' is left out: the quaternion of joint 'free' in its qpos is zero");
  ff_shape_info shape;
  assert_int_equal(ff_model_shape(model, 0, &shape), FF_OK);
  assert_true(shape.def.rgba[0] == 0.5 && shape.def.rgba[3] == 1);
  ff_model_destroy(model);
}

// ---- What was ignored ---------------------------------------------------------------------------------------

static void the_list_of_ignored_things_is_short_and_the_worst_comes_first(void **state)
{
  (void)state;
  ff_model *model =
      load("<mujoco>\n"
           "<option timestep='0.01' wind='1 0 0'/>\n"
           "<visual/><statistic/><size/><custom/>\n"
           "<worldbody><light/><camera/><camera/>\n"
           "<body name='a' gravcomp='1' colour='red'><joint/>\n"
           "<geom size='0.1' condim='3' margin='0'/><geom size='0.1' condim='4' solref='0.01 1'/>\n"
           "<geom size='0.1' solref='0.01 1'/></body></worldbody>\n"
           "<equality><weld body1='a' solimp='0.9'/><weld body1='a' solref='0.01 1'/>"
           "<connect body1='a' anchor='0 0 0' active='false'/></equality>\n"
           "<contact><exclude body1='a' body2='world'/></contact><deformable><flex/></deformable>\n"
           "<tendon><spatial/></tendon><sensor><gyro/></sensor>\n"
           "</mujoco>");
  static const char *const expected[] = {
      "text:9: ignored <flex> in <deformable>: these soft bodies are missing",
      "text:10: ignored <spatial> in <tendon>: what they hold or drive moves freely",
      "text:2: ignored attribute 'wind' of <option>: no wind blows",
      "text:8: ignored attribute 'solimp' of <weld>: this weld is as stiff as contacts are by default",
      "text:8: ignored attribute 'solref' of <weld>: this weld is as stiff as contacts are by default",
      "text:5: ignored attribute 'colour' of <body>: not known to this reader, the motion may differ from MuJoCo's",
      "text:2: ignored settings of a simulator, not of the robot: attribute 'timestep' of <option>",
      ("text:3: ignored without effect on the motion: <visual>, <statistic>, <custom>, <sensor>, <light>, "
       "<camera> (2), <connect> that is switched off"),
  };
  const int count = (int)(sizeof expected / sizeof *expected);
  for (int i = 0; i < count && i < ff_model_get_size(model).warnings; ++i)
    assert_string_equal(ff_model_warning(model, i), expected[i]);
  assert_int_equal(ff_model_get_size(model).warnings, count);
  ff_model_destroy(model);
}

static void plugins_are_listed(void **state)
{
  (void)state;
  ff_model *model = load("<mujoco><extension/><worldbody><body><freejoint/><plugin plugin='a'/>"
                         "<geom size='0.1'><plugin plugin='b'/></geom></body></worldbody></mujoco>");
  assert_warning(model, "ignored <plugin>: the forces that it makes are missing");
  assert_warning(model, "ignored <plugin> in <geom>: the forces that it makes are missing");
  assert_warning(model, "ignored <extension>: the forces that plugins make are missing");
  ff_model_destroy(model);
}

// The outermost class may have another name, and materials have classes too.
static void classes_colour_materials(void **state)
{
  (void)state;
  ff_shape_info shape;
  ff_model *model =
      load("<mujoco><default class='all'><material rgba='0 1 0 1'/>"
           "<default class='blue'><material rgba='0 0 1 1'/></default></default>"
           "<asset><material name='a'/><material name='b' class='blue'/></asset><worldbody><body><freejoint/>"
           "<geom size='0.1' material='a' class='all'/><geom size='0.1' material='b' rgba='2 0.5 -1 1'/>"
           "<geom size='0.1' material='b'/></body></worldbody></mujoco>");
  const double want[3][3] = {{0, 1, 0}, {1, 0.5, 0}, {0, 0, 1}}; // colours are cut to 0..1
  for (int i = 0; i < 3; ++i) {
    assert_int_equal(ff_model_shape(model, i, &shape), FF_OK);
    assert_close(shape.def.rgba, want[i], 3, 0, "colour");
  }
  ff_model_destroy(model);
}

static void what_touches_in_group_3_is_not_drawn(void **state)
{
  (void)state;
  ff_shape_info shape;
  ff_model *model =
      load("<mujoco><default class='all'><default class='bones'><geom group='3'/></default></default>"
           "<worldbody><body><freejoint/><geom size='0.1'/><geom size='0.1' group='2'/>"
           "<geom size='0.1' class='bones'/><geom size='0.1' group='5'/>"
           "<geom size='0.1' group='2' contype='0' conaffinity='0'/></body></worldbody></mujoco>");
  const int both = FF_SHAPE_VISUAL | FF_SHAPE_COLLISION;
  const int want[5] = {both, both, FF_SHAPE_COLLISION, FF_SHAPE_COLLISION, FF_SHAPE_VISUAL};
  for (int i = 0; i < 5; ++i) {
    assert_int_equal(ff_model_shape(model, i, &shape), FF_OK);
    assert_int_equal(shape.def.purpose, want[i]);
  }
  ff_model_destroy(model);
}

static void gravity_can_be_switched_off(void **state)
{
  (void)state;
  double gravity[3];
  ff_model *model = load("<mujoco><option gravity='0 0 -5'><flag gravity='disable'/></option><worldbody>" ARM
                         "</worldbody></mujoco>");
  ff_model_gravity(model, gravity);
  for (int i = 0; i < 3; ++i)
    assert_true(gravity[i] == 0);
  assert_int_equal(ff_model_get_size(model).warnings, 0);
  ff_model_destroy(model);
}

static void bodies_without_mass_get_some(void **state)
{
  (void)state;
  static const char text[] =
      "<mujoco><worldbody><body name='arm'><joint name='j'/><geom size='0.1'/>\n"
      "<body name='sensor' pos='0 0 1'><joint name='k'/></body></body></worldbody></mujoco>";
  ff_load_def def = ff_load_def_default();
  ff_error error;
  ff_model *model = load(text);
  ff_link_info link;
  ff_model_link(model, ff_model_find_link(model, "sensor"), &link);
  assert_true(link.inertia.mass == 1e-3 && link.inertia.matrix[0] == 1e-6);
  assert_warning(model, "joints that move no mass: 1, whose links have 1 g and 1e-6 kg m^2 each now: 'k'");
  ff_model_destroy(model);
  for (ff_massless_policy policy = FF_MASSLESS_FIX; policy <= FF_MASSLESS_REFUSE; ++policy) {
    def.massless = policy;
    assert_int_equal(ff_model_load_memory(text, strlen(text), "robot.xml", &def, &model, &error),
                     FF_ERROR_MODEL);
    assert_non_null(strstr(error.message, "joint 'k': it moves no inertia"));
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(small_faults_of_files_are_passed_over),
      cmocka_unit_test(the_nameless_get_names_that_nobody_has),
      cmocka_unit_test(bodies_joints_and_sites_may_share_a_name),
      cmocka_unit_test(the_model_is_called_as_the_file_says),
      cmocka_unit_test(angles_are_degrees_unless_the_compiler_says_radian),
      cmocka_unit_test(joints_without_range_turn_for_ever),
      cmocka_unit_test(the_range_of_actuator_forces_is_the_effort),
      cmocka_unit_test(a_ball_joint_loses_its_range_with_a_warning),
      cmocka_unit_test(frames_are_poses),
      cmocka_unit_test(the_elements_own_orientation_replaces_that_of_its_class),
      cmocka_unit_test(ellipsoids_are_shapes),
      cmocka_unit_test(the_rows_of_a_height_field_begin_at_the_far_side),
      cmocka_unit_test(inertias_of_geoms_add_up),
      cmocka_unit_test(a_position_actuator_may_have_damping),
      cmocka_unit_test(classes_give_gains_to_position_actuators),
      cmocka_unit_test(a_position_actuator_may_inherit_its_range),
      cmocka_unit_test(actuators_without_counterpart_are_listed),
      cmocka_unit_test(bodies_without_mass_get_some),
      cmocka_unit_test(the_list_of_ignored_things_is_short_and_the_worst_comes_first),
      cmocka_unit_test(plugins_are_listed),
      cmocka_unit_test(classes_colour_materials),
      cmocka_unit_test(what_touches_in_group_3_is_not_drawn),
      cmocka_unit_test(gravity_can_be_switched_off),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
