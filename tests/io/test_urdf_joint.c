// URDF: joints, mimic joints, inertia.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/model.h"
#include "model_text.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Joints -----------------------------------------------------------------------------------------------

static ff_model *load_joint(const char *type, const char *inside, const ff_load_def *def)
{
  char text[2000];
  snprintf(text, sizeof text,
           "<robot name='r'>" TWO_LINKS
           "<joint name='j' type='%s'><parent link='base'/><child link='arm'/>%s</joint></robot>",
           type, inside);
  return load_text(text, def);
}

static void every_type_of_joint_is_read(void **state)
{
  (void)state;
  static const struct {
    const char *name;
    ff_joint_type type;
    int nq, nv, has_axis;
  } types[] = {{"revolute", FF_JOINT_REVOLUTE, 1, 1, 1},
               {"continuous", FF_JOINT_CONTINUOUS, 1, 1, 1},
               {"prismatic", FF_JOINT_PRISMATIC, 1, 1, 1},
               {"planar", FF_JOINT_PLANAR, 3, 3, 1},
               {"spherical", FF_JOINT_SPHERICAL, 4, 3, 0}};
  for (size_t i = 0; i < sizeof types / sizeof types[0]; ++i) {
    ff_model *model = load_joint(types[i].name, "<axis xyz='0 3 -4'/><limit lower='-1' upper='2'/>", NULL);
    const ff_joint_info joint = joint_named(model, "j");
    assert_int_equal(joint.type, types[i].type);
    assert_int_equal(joint.nq, types[i].nq);
    assert_int_equal(joint.nv, types[i].nv);
    const double axis[3] = {0, types[i].has_axis ? 0.6 : 0, types[i].has_axis ? -0.8 : 0};
    assert_close(joint.axis, axis, 3, 2 * DBL_EPSILON, types[i].name); // a division and a square root
    assert_int_equal(joint.has_limits, i == 0 || i == 2);
    ff_model_destroy(model);
  }
  ff_model *model =
      load_joint("fixed", "<axis xyz='0 0 0'/><limit lower='2' upper='1'/><dynamics damping='-1'/>", NULL);
  assert_int_equal(ff_model_find_joint(model, "j"), -1);
  assert_int_equal(link_named(model, "arm").joint, 0);
  ff_model_destroy(model);
}

static void the_axis_is_x_by_default(void **state)
{
  (void)state;
  static const char *const absent[] = {"", "<axis/>"};
  for (int i = 0; i < 2; ++i) {
    ff_model *model = load_joint("continuous", absent[i], NULL);
    assert_close(joint_named(model, "j").axis, (double[]){1, 0, 0}, 3, 0, "axis");
    ff_model_destroy(model);
  }
}

static void limits_and_dynamics_are_read(void **state)
{
  (void)state;
  ff_model *model = load_joint(
      "revolute",
      "<dynamics friction='0.2' damping='0.1' armature='0.003'/><safety_controller k_velocity='x'/>"
      "<calibration rising='x'/><limit velocity='4' effort='3' upper='2' lower='-1'/>",
      NULL);
  const ff_joint_info j = joint_named(model, "j");
  assert_true(j.has_limits && j.lower == -1 && j.upper == 2 && j.effort == 3 && j.velocity == 4);
  assert_true(j.damping == 0.1 && j.friction == 0.2 && j.armature == 0.003);
  assert_int_equal(
      warnings_with(model, "ignored <safety_controller> in <joint>: joints stop at their <limit>"), 1);
  assert_int_equal(warnings_with(model, "ignored without effect on the motion: <calibration>"), 1);
  assert_int_equal(ff_model_get_size(model).warnings, 2);
  ff_model_destroy(model);
}

static void missing_limits_are_none_and_a_warning(void **state)
{
  (void)state;
  static const char *const absent[] = {"", "<limit/>", "<limit effort='3' velocity='4'/>"};
  for (int i = 0; i < 3; ++i) {
    ff_model *model = load_joint(i % 2 ? "prismatic" : "revolute", absent[i], NULL);
    const ff_joint_info j = joint_named(model, "j");
    assert_false(j.has_limits);
    assert_true(i == 2 ? j.effort == 3 && j.velocity == 4 : isinf(j.effort) && isinf(j.velocity));
    assert_int_equal(warnings_with(model, "<joint> 'j': has no lower and upper limit"), 1);
    ff_model_destroy(model);
  }
}

static void limits_may_be_infinite(void **state)
{
  (void)state;
  ff_model *model =
      load_joint("revolute", "<limit lower='-inf' upper='INF' effort='inf' velocity='Infinity'/>", NULL);
  assert_false(joint_named(model, "j").has_limits);
  assert_true(isinf(joint_named(model, "j").effort));
  assert_int_equal(ff_model_get_size(model).warnings, 0);
  ff_model_destroy(model);
  model = load_joint("revolute", "<limit lower='-0.5' upper='inf'/>", NULL);
  const ff_joint_info j = joint_named(model, "j");
  assert_true(j.has_limits && j.lower == -0.5 && isinf(j.upper));
  ff_model_destroy(model);
}

static void locked_joints_are_a_warning(void **state)
{
  (void)state;
  ff_model *model = load_joint("revolute", "<limit lower='0' upper='0' effort='0' velocity='0'/>", NULL);
  assert_true(joint_named(model, "j").has_limits);
  assert_int_equal(warnings_with(model, "no room to move"), 1);
  ff_model_destroy(model);
}

static void of_two_elements_the_first_counts(void **state)
{
  (void)state;
  ff_model *model = load_joint("continuous", "<axis xyz='0 1 0'/>\n<axis xyz='0 0 1'/>", NULL);
  assert_true(joint_named(model, "j").axis[1] == 1);
  assert_int_equal(
      warnings_with(model, "more than one <axis>; the first is taken, that of line 2 is ignored"), 1);
  ff_model_destroy(model);
}

// R of a pose, against R = Rz(yaw) Ry(pitch) Rx(roll) multiplied out by hand.
static void rpy_matrix(const double rpy[3], double R[9])
{
  const double cr = cos(rpy[0]), sr = sin(rpy[0]), cp = cos(rpy[1]), sp = sin(rpy[1]), cy = cos(rpy[2]),
               sy = sin(rpy[2]);
  const double product[9] = {cy * cp,
                             cy * sp * sr - sy * cr,
                             cy * sp * cr + sy * sr,
                             sy * cp,
                             sy * sp * sr + cy * cr,
                             sy * sp * cr - cy * sr,
                             -sp,
                             cp * sr,
                             cp * cr};
  memcpy(R, product, sizeof product);
}

static void origins_are_read(void **state)
{
  (void)state;
  const double rpy[3] = {0.3, -0.7, 2.1};
  double expected[9];
  double R[9];
  rpy_matrix(rpy, expected);
  ff_model *model = load_joint("continuous", "<origin rpy='0.3 -0.7 2.1' xyz='1 2 3'/>", NULL);
  ff_pose pose = link_named(model, "arm").pose;
  ff_pose_rotation(&pose, R);
  assert_close(pose.position, (double[]){1, 2, 3}, 3, 0, "position");
  assert_close(R, expected, 9, 8 * DBL_EPSILON, "rotation"); // a dozen roundings of numbers up to 1
  ff_model_destroy(model);

  model = load_joint("continuous", "<origin quat_xyzw='0 0 3 4'/>", NULL); // not of unit length
  pose = link_named(model, "arm").pose;
  assert_close(pose.quaternion, (double[]){0, 0, 0.6, 0.8}, 4, 4 * DBL_EPSILON, "quaternion");
  ff_model_destroy(model);
}

// ---- Mimic joints -----------------------------------------------------------------------------------------

#define MIMIC(type, axis, offset)                                                                                \
  "<robot name='r'>" TWO_LINKS HINGE "<link name='finger'>" INERTIAL "</link><joint name='m' type='" type        \
  "'>"                                                                                                           \
  "<parent link='arm'/><child link='finger'/><origin xyz='1 0 0' rpy='0 0 1.5707963267948966'/><axis xyz='" axis \
  "'/>"                                                                                                          \
  "<limit lower='-1' upper='1'/><mimic joint='hinge' multiplier='-2' offset='" offset "'/></joint></robot>"

static void mimic_joints_follow_by_default(void **state)
{
  (void)state;
  ff_model *model = load_text(MIMIC("revolute", "0 0 1", "0.25"), NULL);
  ff_element_def e;
  assert_int_equal(ff_model_get_size(model).elements, 1);
  assert_int_equal(ff_model_element(model, ff_model_find_element(model, "m_mimic"), &e), FF_OK);
  assert_int_equal(e.type, FF_ELEMENT_COUPLING);
  assert_int_equal(e.joint, ff_model_find_joint(model, "m"));
  assert_int_equal(e.leader, ff_model_find_joint(model, "hinge"));
  assert_close(e.polynomial, (double[]){0.25, -2, 0, 0, 0}, 5, 0, "offset and multiplier");
  assert_int_equal(ff_model_drive(model, e.joint), FF_DRIVE_NONE);
  ff_model_destroy(model);
}

// The hinge goes from -1 to 2, so a follower at -2 times that should reach 2 and -4.
static void limits_of_mimic_joints_that_do_not_fit_are_told(void **state)
{
  (void)state;
#define FOLLOWER(lower, upper)                                                                               \
  "<robot name='r'>" TWO_LINKS                                                                               \
  "<joint name='hinge' type='revolute'><parent link='base'/><child link='arm'/><axis xyz='0 0 1'/>"          \
  "<limit lower='-1' upper='2'/></joint><link name='finger'>" INERTIAL "</link>"                             \
  "<joint name='m' type='revolute'><parent link='arm'/><child link='finger'/><limit lower='" lower           \
  "' upper='" upper "'/><mimic joint='hinge' multiplier='-2'/></joint></robot>"
  static const struct {
    const char *text;
    int warnings;
  } cases[] = {
      {FOLLOWER("-4", "2"), 0}, {FOLLOWER("-3.99", "1.99"), 0}, {FOLLOWER("-5", "5"), 0},
      {FOLLOWER("-4", "1"), 1}, {FOLLOWER("-3", "2"), 1},       {FOLLOWER("0", "0.1"), 1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    ff_model *model = load_text(cases[i].text, NULL);
    assert_int_equal(warnings_with(model, "it mimics 'hinge', which would take it from -4 to 2"),
                     cases[i].warnings);
    ff_model_destroy(model);
  }
}

static void mimic_joints_can_be_refused(void **state)
{
  (void)state;
  ff_load_def def = ff_load_def_default();
  def.mimic = FF_MIMIC_REFUSE;
  const ff_error error = load_error(MIMIC("revolute", "0 0 1", "0"), &def);
  assert_int_equal(error.status, FF_ERROR_UNSUPPORTED);
  assert_non_null(strstr(error.message, "<joint> 'm': it mimics joint 'hinge'"));
}

static void mimic_joints_can_be_free(void **state)
{
  (void)state;
  ff_load_def def = ff_load_def_default();
  def.mimic = FF_MIMIC_FREE;
  ff_model *model = load_text(MIMIC("revolute", "0 0 1", "0.5"), &def);
  assert_int_equal(joint_named(model, "m").type, FF_JOINT_REVOLUTE);
  assert_true(joint_named(model, "m").has_limits);
  assert_int_equal(warnings_with(model, "it should mimic joint 'hinge'"), 1);
  ff_model_destroy(model);
}

static void mimic_joints_can_be_fixed_at_their_offset(void **state)
{
  (void)state;
  ff_load_def def = ff_load_def_default();
  def.mimic = FF_MIMIC_FIX;
  // About x after a quarter turn about z: the quaternion is (0 0 s c) (sin(o/2) 0 0 cos(o/2)), s = c =
  // sqrt(1/2).
  ff_model *model = load_text(MIMIC("revolute", "2 0 0", "0.5"), &def);
  const double h = sqrt(0.5);
  const double expected[4] = {h * sin(0.25), h * sin(0.25), h * cos(0.25), h * cos(0.25)};
  assert_int_equal(ff_model_find_joint(model, "m"), -1);
  assert_close(link_named(model, "finger").pose.quaternion, expected, 4, 4 * DBL_EPSILON,
               "turned by the offset");
  assert_close(link_named(model, "finger").pose.position, (double[]){1, 0, 0}, 3, 0, "place");
  assert_int_equal(warnings_with(model, "is fixed at 0.5"), 1);
  ff_model_destroy(model);
  // Along x, which is y of the parent.
  model = load_text(MIMIC("prismatic", "2 0 0", "0.5"), &def);
  assert_close(link_named(model, "finger").pose.position, (double[]){1, 0.5, 0}, 3, 4 * DBL_EPSILON,
               "shifted");
  ff_model_destroy(model);
}

static void a_fixed_joint_mimics_nothing(void **state)
{
  (void)state;
  ff_model *model = load_joint("fixed", "<mimic joint='nothing'/>", NULL);
  assert_int_equal(ff_model_get_size(model).joints, 1);
  ff_model_destroy(model);
}

// ---- Inertia ----------------------------------------------------------------------------------------------

static void inertials_are_turned_into_the_links_axes(void **state)
{
  (void)state;
  const double rpy[3] = {0.3, -0.7, 2.1};
  const double D[9] = {1, 0.1, -0.2, 0.1, 2, 0.3, -0.2, 0.3, 2.5};
  double R[9];
  double RDRt[9] = {0};
  rpy_matrix(rpy, R);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l)
          RDRt[3 * i + j] += R[3 * i + k] * D[3 * k + l] * R[3 * j + l];
  ff_model *model =
      load_text("<robot name='r'><link name='a'><inertial><inertia iyz='0.3' ixx='1' ixy='0.1' izz='2.5' "
                "ixz='-0.2' iyy='2'/><mass value='3'/><origin rpy='0.3 -0.7 2.1' xyz='1 2 3'/></inertial>"
                "</link></robot>",
                NULL);
  const ff_inertia inertia = link_named(model, "a").inertia;
  const double expected[6] = {RDRt[0], RDRt[1], RDRt[2], RDRt[4], RDRt[5], RDRt[8]};
  assert_true(inertia.mass == 3);
  assert_close(inertia.com, (double[]){1, 2, 3}, 3, 0, "centre of mass");
  assert_close(inertia.matrix, expected, 6, 40 * DBL_EPSILON,
               "inertia"); // 9 products of numbers up to 2.5, twice
  ff_model_destroy(model);
}

// base: 2 kg at the origin, diag(0.2 0.3 0.4). tool, fixed at (1 0 0) and turned by 90 degrees about z: 1 kg
// at (0.5 0 0), which is (1 0.5 0) in the base, diag(0.01 0.02 0.03), which is diag(0.02 0.01 0.03) there.
// Steiner for c = (1 0.5 0): |c|^2 1 - c c' = [0.25 -0.5 0; -0.5 1 0; 0 0 1.25].
static void fixed_links_are_merged(void **state)
{
  (void)state;
  ff_model *model = load_text(
      "<robot name='r'><link name='base'><inertial><mass value='2'/><inertia ixx='0.2' iyy='0.3' izz='0.4'/></inertial>"
      "</link><link name='empty'/><link name='tool'><inertial><origin xyz='0.5 0 0'/><mass value='1'/>"
      "<inertia ixx='0.01' iyy='0.02' izz='0.03'/></inertial></link>"
      "<joint name='a' type='fixed'><parent link='base'/><child link='empty'/><origin xyz='1 0 0'/></joint>"
      "<joint name='b' type='fixed'><parent link='empty'/><child link='tool'/><origin rpy='0 0 "
      "1.5707963267948966'/></joint>"
      "</robot>",
      NULL);
  const ff_model_size size = ff_model_get_size(model);
  assert_int_equal(size.joints, 1);
  assert_int_equal(size.links, 3);
  assert_int_equal(size.frames, 4);
  const ffi_body *body = &model->bodies[1];
  assert_true(body->mass == 3);
  assert_close(body->mc, (double[]){1, 0.5, 0}, 3, 4 * DBL_EPSILON, "first moment");
  assert_close(body->I, (double[]){0.47, -0.5, 0, 1.31, 0, 1.68}, 6, 10 * DBL_EPSILON,
               "inertia about the origin");
  assert_true(ff_model_mass(model) == 3);
  assert_int_equal(link_named(model, "tool").joint, 0);
  assert_string_equal(link_named(model, "tool").joint_name, "b");
  ff_model_destroy(model);
}

static void links_may_be_massless(void **state)
{
  (void)state;
  ff_model *model =
      load_text("<robot name='r'><link name='foot'/><link name='shin'>" INERTIAL "</link>"
                "<joint name='a' type='fixed'><parent link='foot'/><child link='shin'/></joint></robot>",
                NULL);
  assert_true(ff_model_mass(model) == 1);
  assert_true(link_named(model, "foot").inertia.mass == 0);
  ff_model_destroy(model);
}

static void oddities_of_inertials_are_warnings(void **state)
{
  (void)state;
  ff_model *model = load_text(
      "<robot name='r'><link name='a'>" INERTIAL INERTIAL "</link>"
      "<link name='p'><inertial><mass value='1'/></inertial></link>\n"
      "<link name='q'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='3'/></inertial></link>"
      "<joint name='b' type='fixed'><parent link='a'/><child link='p'/></joint>"
      "<joint name='c' type='fixed'><parent link='a'/><child link='q'/></joint></robot>",
      NULL);
  assert_int_equal(warnings_with(model, "<link> 'a': has more than one <inertial>"), 1);
  assert_int_equal(warnings_with(model, "<link> 'p': has a mass but no <inertia>"), 1);
  assert_int_equal(warnings_with(model, "text:2: link 'q'"),
                   1); // the triangle inequality, said by the builder
  assert_int_equal(warnings_with(model, "triangle"), 1);
  assert_true(ff_model_mass(model) == 3);
  ff_model_destroy(model);
}

static void a_robot_without_a_name_has_one(void **state)
{
  (void)state;
  ff_model *model = load_text("<robot><link name='a'>" INERTIAL "</link></robot>", NULL);
  assert_string_equal(ff_model_name(model), "robot");
  assert_int_equal(ff_model_get_size(model).warnings, 1);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_type_of_joint_is_read),
      cmocka_unit_test(the_axis_is_x_by_default),
      cmocka_unit_test(limits_and_dynamics_are_read),
      cmocka_unit_test(missing_limits_are_none_and_a_warning),
      cmocka_unit_test(limits_may_be_infinite),
      cmocka_unit_test(locked_joints_are_a_warning),
      cmocka_unit_test(of_two_elements_the_first_counts),
      cmocka_unit_test(origins_are_read),
      cmocka_unit_test(mimic_joints_follow_by_default),
      cmocka_unit_test(limits_of_mimic_joints_that_do_not_fit_are_told),
      cmocka_unit_test(mimic_joints_can_be_refused),
      cmocka_unit_test(mimic_joints_can_be_free),
      cmocka_unit_test(mimic_joints_can_be_fixed_at_their_offset),
      cmocka_unit_test(a_fixed_joint_mimics_nothing),
      cmocka_unit_test(inertials_are_turned_into_the_links_axes),
      cmocka_unit_test(fixed_links_are_merged),
      cmocka_unit_test(links_may_be_massless),
      cmocka_unit_test(oddities_of_inertials_are_warnings),
      cmocka_unit_test(a_robot_without_a_name_has_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
