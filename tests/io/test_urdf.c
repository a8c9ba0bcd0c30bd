// URDF: the tree, joints, inertia and spellings. Shapes and our own element have tests of their own.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/model.h"
#include "model_text.h"
#include "support/alloc_counter.h"
#include "support/comma_locale.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- The tree ---------------------------------------------------------------------------------------------

// Two legs and a head on a trunk, written upside down: joints before links, children before parents.
static const char biped[] =
    "<robot name='biped'>"
    "<joint name='right_knee' type='revolute'><child link='right_shin'/><parent link='right_thigh'/>"
    "<axis xyz='0 1 0'/><limit lower='0' upper='2' effort='40' velocity='8'/></joint>"
    "<joint type='continuous' name='neck'><parent link='trunk'/><child link='head'/><axis xyz='0 0 1'/></joint>"
    "<joint name='left_knee' type='revolute'><parent link='left_thigh'/><child link='left_shin'/>"
    "<axis xyz='0 1 0'/><limit lower='0' upper='2' effort='40' velocity='8'/></joint>"
    "<link name='right_shin'>" INERTIAL "</link>"
    "<joint name='right_hip' type='revolute'><parent link='trunk'/><child link='right_thigh'/>"
    "<axis xyz='1 0 0'/><limit lower='-1' upper='1' effort='50' velocity='9'/></joint>"
    "<joint name='left_hip' type='revolute'><parent link='trunk'/><child link='left_thigh'/>"
    "<axis xyz='1 0 0'/><limit lower='-1' upper='1' effort='50' velocity='9'/></joint>"
    "<link name='head'>" INERTIAL "</link><link name='left_thigh'>" INERTIAL "</link>"
    "<link name='trunk'>" INERTIAL "</link><link name='right_thigh'>" INERTIAL "</link>"
    "<link name='left_shin'>" INERTIAL "</link></robot>";

static void check_biped(const ff_model *model)
{
  static const struct {
    const char *name, *link;
    int parent, q, v;
  } order[] = {{"root_joint", "trunk", -1, 0, 0},      {"left_hip", "left_thigh", 0, 7, 6},
               {"left_knee", "left_shin", 1, 8, 7},    {"neck", "head", 0, 9, 8},
               {"right_hip", "right_thigh", 0, 10, 9}, {"right_knee", "right_shin", 4, 11, 10}};
  const ff_model_size size = ff_model_get_size(model);
  assert_int_equal(size.joints, 6);
  assert_int_equal(size.links, 6);
  assert_int_equal(size.nq, 12);
  assert_int_equal(size.nv, 11);
  assert_int_equal(size.actuated, 5);
  assert_int_equal(size.roots, 1);
  assert_string_equal(ff_model_name(model), "biped");
  for (int i = 0; i < size.joints; ++i) {
    ff_joint_info joint;
    ff_link_info link;
    assert_int_equal(ff_model_joint(model, i, &joint), FF_OK);
    assert_int_equal(ff_model_link(model, joint.link, &link), FF_OK);
    assert_string_equal(joint.name, order[i].name);
    assert_string_equal(link.name, order[i].link);
    assert_int_equal(joint.parent, order[i].parent);
    assert_int_equal(joint.q, order[i].q);
    assert_int_equal(joint.v, order[i].v);
  }
  const ff_joint_info hip = joint_named(model, "left_hip");
  assert_true(hip.lower == -1 && hip.upper == 1 && hip.effort == 50 && hip.velocity == 9 && hip.axis[0] == 1);
}

static void joints_are_ordered_depth_first_by_name(void **state)
{
  (void)state;
  ff_model *model = load_text(biped, NULL);
  check_biped(model);
  assert_int_equal(ff_model_get_size(model).warnings, 0);
  ff_model_destroy(model);
}

// ---- Spellings --------------------------------------------------------------------------------------------

// The biped with every "<" of an element preceded, every '>' followed, and every "'" replaced by something.
static char *respell(const char *before, const char *after, char quote)
{
  char *out = malloc(20 * sizeof biped);
  char *at = out;
  assert_non_null(out);
  for (const char *c = biped; *c; ++c) {
    const int is_inner = c != biped && c + 1 != biped + sizeof biped - 1;
    if (*c == '<' && is_inner)
      at = stpcpy(at, before);
    *at++ = (char)(*c == '\'' ? quote : *c);
    if (*c == '>' && is_inner)
      at = stpcpy(at, after);
  }
  *at = 0;
  return out;
}

static void spelling_does_not_matter(void **state)
{
  (void)state;
  static const struct {
    const char *before, *after;
    char quote;
  } spellings[] = {{"", "", '"'},
                   {"\n\n  ", "\t", '\''},
                   {"\r\n", "", '"'},
                   {"<!-- <joint name='x'> & -->", "", '"'},
                   {"<![CDATA[<link name='x'>]]>", " words ", '"'},
                   {"<?robot anything?>", "&amp;&#65;", '"'}};
  for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; ++i) {
    char *text = respell(spellings[i].before, spellings[i].after, spellings[i].quote);
    ff_model *model = load_text(text, NULL);
    check_biped(model);
    ff_model_destroy(model);
    free(text);
  }
}

static void starts_and_ends_do_not_matter(void **state)
{
  (void)state;
  static const char *const starts[] = {
      "\xEF\xBB\xBF", "\n \t", "<?xml version=\"1.0\" encoding=\"latin1\"?>\r\n",
      "<!DOCTYPE robot SYSTEM \"robot.dtd\">", "\xEF\xBB\xBF<?xml version='1.0'?><!-- x -->"};
  for (size_t i = 0; i < sizeof starts / sizeof starts[0]; ++i) {
    char text[sizeof biped + 200];
    snprintf(text, sizeof text, "%s%s\n<!-- end -->\n", starts[i], biped);
    ff_model *model = load_text(text, NULL);
    check_biped(model);
    ff_model_destroy(model);
  }
}

static void name_spaces_do_not_matter(void **state)
{
  (void)state;
  char text[sizeof biped + 200];
  snprintf(text, sizeof text,
           "<robot xmlns='http://www.ros.org' xmlns:xacro='http://www.ros.org/wiki/xacro' %s",
           biped + strlen("<robot "));
  ff_model *model = load_text(text, NULL);
  check_biped(model);
  ff_model_destroy(model);
}

static void a_comma_locale_does_not_matter(void **state)
{
  (void)state;
  if (!ffi_comma_locale_begin())
    skip();
  ff_model *model = load_text("<robot name='r'><link name='a'><inertial><mass value='1.25'/>"
                              "<inertia ixx='1' iyy='1' izz='1'/></inertial></link></robot>",
                              NULL);
  assert_true(ff_model_mass(model) == 1.25);
  ff_model_destroy(model);
  ffi_comma_locale_end();
}

static void what_is_known_is_ignored_silently_and_the_rest_named_once(void **state)
{
  (void)state;
  ff_model *model = load_text(
      "<robot name='r' version='1.0'><link name='a'>" INERTIAL "<unknown/><self_collision_checking/></link>"
      "<transmission name='t'><joint name='nothing'/><actuator name='m'/></transmission>"
      "<gazebo reference='nothing'><mu1>0.2</mu1></gazebo><gazebo/><sensor name='s'><parent link='nothing'/></sensor>"
      "<ros2_control name='c'/><drake:ignore/><frob/><frob/><loop_joint/></robot>",
      NULL);
  assert_int_equal(ff_model_get_size(model).warnings, 1);
  assert_int_equal(warnings_with(model,
                                 "text:1: <robot>: unknown elements are ignored: <drake:ignore>, <frob>, "
                                 "<loop_joint> (the first is at line 1)"),
                   1);
  ff_model_destroy(model);
}

// ---- The root ---------------------------------------------------------------------------------------------

#define TWO_LINKS "<link name='base'>" INERTIAL "</link><link name='arm'>" INERTIAL "</link>"
#define HINGE                                                                                                \
  "<joint name='hinge' type='continuous'><parent link='base'/><child link='arm'/><origin xyz='0 0 2'/></joint>"

static void the_root_floats(void **state)
{
  (void)state;
  ff_model *model = load_text("<robot name='r'>" TWO_LINKS HINGE "</robot>", NULL);
  const ff_joint_info root = joint_named(model, "root_joint");
  assert_int_equal(root.type, FF_JOINT_FREE);
  assert_int_equal(root.parent, -1);
  assert_int_equal(ff_model_get_size(model).nv, 7);
  ff_model_destroy(model);
}

static void the_root_is_fixed_on_request(void **state)
{
  (void)state;
  ff_load_def def = ff_load_def_default();
  def.fixed_base = 1;
  ff_model *model = load_text("<robot name='r'>" TWO_LINKS HINGE "</robot>", &def);
  assert_int_equal(ff_model_get_size(model).nv, 1);
  assert_int_equal(ff_model_get_size(model).links, 2);
  assert_int_equal(link_named(model, "base").joint, -1);
  assert_int_equal(link_named(model, "base").joint_type, FF_JOINT_FIXED);
  assert_true(ff_model_mass(model) == 1); // what moves
  ff_model_destroy(model);
}

static void a_root_called_world_is_the_world(void **state)
{
  (void)state;
  ff_model *model = load_text(
      "<robot name='r'><link name='world'><collision><geometry><box size='9 9 1'/></geometry></collision></link>"
      "<joint name='stand' type='fixed'><parent link='world'/><child link='base'/><origin xyz='0 0 3'/>"
      "</joint>" TWO_LINKS HINGE "</robot>",
      NULL);
  const ff_model_size size = ff_model_get_size(model);
  ff_shape_info shape;
  assert_int_equal(size.nv, 1);
  assert_int_equal(size.links, 2);
  assert_int_equal(size.frames, 3);
  assert_int_equal(ff_model_find_link(model, "world"), -1);
  assert_int_equal(ff_model_find_frame(model, "world"), 0);
  assert_int_equal(ff_model_shape(model, 0, &shape), FF_OK);
  assert_int_equal(shape.link, -1);
  assert_true(shape.def.size[0] == 9);
  assert_int_equal(link_named(model, "base").parent, -1);
  assert_true(link_named(model, "base").pose.position[2] == 3);
  ff_model_destroy(model);
}

static void several_things_can_stand_in_the_world(void **state)
{
  (void)state;
  ff_model *model = load_text(
      "<robot name='r'><link name='world'/>" TWO_LINKS HINGE "<link name='ball'>" INERTIAL "</link>"
      "<link name='shelf'/><link name='box'>" INERTIAL "</link>"
      "<joint name='robot' type='floating'><parent link='world'/><child link='base'/><origin xyz='1 2 3'/></joint>"
      "<joint name='loose' type='floating'><parent link='world'/><child link='ball'/></joint>"
      "<joint name='wall' type='fixed'><parent link='world'/><child link='shelf'/><origin xyz='0 0 5'/></joint>"
      "<joint name='on_shelf' type='floating'><parent link='shelf'/><child link='box'/><origin xyz='0 1 0'/></joint>"
      "</robot>",
      NULL);
  const ff_model_size size = ff_model_get_size(model);
  double q[22];
  assert_int_equal(size.roots, 3);
  assert_int_equal(size.nq, 22);
  assert_int_equal(joint_named(model, "loose").q,
                   0); // alphabetical: loose, robot and its hinge, wall with on_shelf
  assert_int_equal(joint_named(model, "robot").q, 7);
  assert_int_equal(joint_named(model, "on_shelf").q, 15);
  ff_model_neutral(model, q);
  assert_close(q + 7, (double[]){1, 2, 3, 0, 0, 0, 1}, 7, 0, "where the robot starts");
  assert_close(q + 15, (double[]){0, 1, 5, 0, 0, 0, 1}, 7, 0, "where the box starts");
  ff_model_destroy(model);
}

static void a_joint_may_be_called_root_joint(void **state)
{
  (void)state;
  ff_model *model = load_text("<robot name='r'>" TWO_LINKS "<joint name='root_joint' type='continuous'>"
                              "<parent link='base'/><child link='arm'/></joint></robot>",
                              NULL);
  assert_int_equal(joint_named(model, "root_joint").type, FF_JOINT_CONTINUOUS);
  assert_int_equal(joint_named(model, "footfall_root_joint").type, FF_JOINT_FREE);
  ff_model_destroy(model);
}

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
  assert_int_equal(ff_model_get_size(model).warnings, 0);
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

static void mimic_joints_are_refused_by_default(void **state)
{
  (void)state;
  const ff_error error = load_error(MIMIC("revolute", "0 0 1", "0"), NULL);
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

// ---- The guide --------------------------------------------------------------------------------------------

// The example of docs/guide/urdf.md, read from the page itself.
static void the_example_of_the_guide_works(void **state)
{
  (void)state;
  FILE *page = fopen(FFI_TEST_SOURCE_DIR "/docs/guide/urdf.md", "r");
  char text[8000] = "";
  char line[1000];
  int is_inside = 0;
  assert_non_null(page);
  while (fgets(line, sizeof line, page)) {
    is_inside |= strncmp(line, "<robot ", 7) == 0;
    if (is_inside)
      strcat(text, line);
    if (strncmp(line, "</robot>", 8) == 0)
      break;
  }
  fclose(page);
  ff_model *model = load_text(text, NULL);
  assert_int_equal(ff_model_get_size(model).warnings, 0);
  assert_int_equal(ff_model_get_size(model).nv, 7);
  assert_int_equal(ff_model_get_size(model).shapes, 2);
  assert_int_equal(ff_model_get_size(model).postures, 1);
  assert_true(joint_named(model, "knee").armature == 0.001);
  ff_model_destroy(model);
}

// ---- Size and memory --------------------------------------------------------------------------------------

static char *chain_text(int count)
{
  char *text = malloc((size_t)count * 400 + 100);
  assert_non_null(text);
  char *at = text + sprintf(text, "<robot name='chain'>");
  for (int i = count - 1; i >= 0; --i) // children first
    at += sprintf(at, "<link name='l%d'>" INERTIAL "</link>", i);
  for (int i = 1; i < count; ++i)
    at += sprintf(
        at,
        "<joint name='j%d' type='continuous'><parent link='l%d'/><child link='l%d'/><origin xyz='0.5 0 0'/>"
        "<axis xyz='0 %d %d'/></joint>",
        i, i - 1, i, i % 2, !(i % 2));
  sprintf(at, "</robot>");
  return text;
}

static void a_chain_of_two_thousand_links_is_read(void **state)
{
  (void)state;
  enum { COUNT = 2000 };
  char *text = chain_text(COUNT);
  ff_model *model = load_text(text, NULL);
  const ff_model_size size = ff_model_get_size(model);
  assert_int_equal(size.links, COUNT);
  assert_int_equal(size.nv, 6 + COUNT - 1);
  assert_true(ff_model_mass(model) == COUNT);
  const ff_joint_info last = joint_named(model, "j1999");
  assert_int_equal(last.parent, COUNT - 2);
  assert_int_equal(last.v, 6 + COUNT - 2);
  assert_true(last.axis[1] == 1);
  ff_model_destroy(model);
  free(text);
}

static void every_failed_allocation_is_an_error(void **state)
{
  (void)state;
  static const char robot[] =
      "<robot name='r'><frob/><material name='red'><color rgba='1 0 0 1'/></material>" TWO_LINKS HINGE
      "<link name='tip'><visual><geometry><mesh filename='package://a/b.stl'/></geometry><material "
      "name='red'/></visual>"
      "</link><joint name='weld' type='fixed'><parent link='arm'/><child link='tip'/></joint>"
      "<footfall><point link='tip'/><frame link='tip' name='f'/><posture name='p'><joint name='hinge' "
      "value='1'/></posture>"
      "<actuator joint='hinge'/></footfall></robot>";
  if (!ffi_test_alloc_works())
    skip();
  long n = 1;
  for (;; ++n) {
    ff_error error = {0};
    ff_model *model = NULL;
    ffi_test_alloc_fail_at(n);
    const ff_status status = ff_model_load_memory(robot, strlen(robot), "text", NULL, &model, &error);
    const int has_failed = ffi_test_alloc_failed();
    ff_model_destroy(model);
    if (!has_failed)
      break;
    if (status != FF_ERROR_MEMORY && !(status == FF_OK && model))
      fail_msg("allocation %ld failed: status %d, %s", n, (int)status, error.message);
  }
  assert_true(n > 20);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(joints_are_ordered_depth_first_by_name),
      cmocka_unit_test(spelling_does_not_matter),
      cmocka_unit_test(starts_and_ends_do_not_matter),
      cmocka_unit_test(name_spaces_do_not_matter),
      cmocka_unit_test(a_comma_locale_does_not_matter),
      cmocka_unit_test(what_is_known_is_ignored_silently_and_the_rest_named_once),
      cmocka_unit_test(the_root_floats),
      cmocka_unit_test(the_root_is_fixed_on_request),
      cmocka_unit_test(a_root_called_world_is_the_world),
      cmocka_unit_test(several_things_can_stand_in_the_world),
      cmocka_unit_test(a_joint_may_be_called_root_joint),
      cmocka_unit_test(every_type_of_joint_is_read),
      cmocka_unit_test(the_axis_is_x_by_default),
      cmocka_unit_test(limits_and_dynamics_are_read),
      cmocka_unit_test(missing_limits_are_none_and_a_warning),
      cmocka_unit_test(limits_may_be_infinite),
      cmocka_unit_test(locked_joints_are_a_warning),
      cmocka_unit_test(of_two_elements_the_first_counts),
      cmocka_unit_test(origins_are_read),
      cmocka_unit_test(mimic_joints_are_refused_by_default),
      cmocka_unit_test(mimic_joints_can_be_free),
      cmocka_unit_test(mimic_joints_can_be_fixed_at_their_offset),
      cmocka_unit_test(a_fixed_joint_mimics_nothing),
      cmocka_unit_test(inertials_are_turned_into_the_links_axes),
      cmocka_unit_test(fixed_links_are_merged),
      cmocka_unit_test(links_may_be_massless),
      cmocka_unit_test(oddities_of_inertials_are_warnings),
      cmocka_unit_test(a_robot_without_a_name_has_one),
      cmocka_unit_test(the_example_of_the_guide_works),
      cmocka_unit_test(a_chain_of_two_thousand_links_is_read),
      cmocka_unit_test(every_failed_allocation_is_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
