// URDF: the tree, its root, spellings, size. Joints, shapes and our own element have tests of their own.
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

static void what_is_ignored_is_counted_worst_first(void **state)
{
  (void)state;
  ff_model *model = load_text(
      "<robot name='r' version='1.0'><link name='a'>" INERTIAL "<unknown/><self_collision_checking/></link>"
      "<transmission name='t'><joint name='nothing'/><actuator name='m'/></transmission>"
      "<gazebo reference='nothing'><mu1>0.2</mu1></gazebo><gazebo/><sensor name='s'><parent link='nothing'/></sensor>"
      "<ros2_control name='c'/><drake:ignore/><frob/><frob/><loop_joint/></robot>",
      NULL);
  static const char *const expected[] = {
      "text:1: ignored <transmission>: motors act on the joints directly; gears and couplings of motors are missing",
      "text:1: ignored <ros2_control>: no controller of ROS runs",
      "text:1: ignored <gazebo>, 2 times, first here: the friction, damping and plugins that it sets do not act",
      ("text:1: <robot>: unknown elements are ignored: <unknown>, <self_collision_checking>, <drake:ignore>, <frob>, "
       "<loop_joint> (the first is at line 1)"),
      "text:1: ignored without effect on the motion: <sensor>",
  };
  const int count = (int)(sizeof expected / sizeof *expected);
  for (int i = 0; i < count && i < ff_model_get_size(model).warnings; ++i)
    assert_string_equal(ff_model_warning(model, i), expected[i]);
  assert_int_equal(ff_model_get_size(model).warnings, count);
  ff_model_destroy(model);
}

// ---- Without mass -------------------------------------------------------------------------------------------

#define LINK(name) "<link name='" name "'/>"
#define JOINT(name, type, parent, child, more)                                                               \
  "<joint name='" name "' type='" type "'><parent link='" parent "'/><child link='" child "'/>" more         \
  "</joint>"

static void moving_links_without_mass_get_some(void **state)
{
  (void)state;
  const double none[6] = {0}, least[6] = {1e-6, 0, 0, 1e-6, 0, 1e-6};
  ff_model *model = load_text(
      "<robot name='r'>\n" TWO_LINKS HINGE "\n" LINK("sensor") LINK("tip") LINK("rotor") LINK("bracket")
          LINK("carrier") "<link name='load'>" INERTIAL "</link>" //
      JOINT("turn", "continuous", "arm", "sensor", "") JOINT("tilt", "continuous", "sensor", "tip",
                                                             "<axis xyz='0 1 0'/>")
          JOINT("spin", "continuous", "arm", "rotor", "<dynamics armature='0.1'/>")
              JOINT("bolt", "fixed", "arm", "bracket", "") JOINT("lift", "continuous", "arm", "carrier", "")
                  JOINT("carry", "continuous", "carrier", "load", "<axis xyz='0 0 1'/>") "</robot>",
      NULL);
  static const char *const light[] = {"sensor", "tip"}, *const others[] = {"rotor", "bracket", "carrier"};
  for (int i = 0; i < 2; ++i) {
    const ff_inertia inertia = link_named(model, light[i]).inertia;
    assert_true(inertia.mass == 1e-3);
    assert_close(inertia.matrix, least, 6, 0, light[i]);
  }
  for (int i = 0; i < 3; ++i) {
    const ff_inertia inertia = link_named(model, others[i]).inertia;
    assert_true(inertia.mass == 0);
    assert_close(inertia.matrix, none, 6, 0, others[i]);
  }
  assert_warning(
      model, "text:3: <link> 'sensor': moving links without mass, that carry none either: 2, with 1 g and "
             "1e-6 kg m^2 each now: 'sensor', 'tip'; give them an <inertial>");
  ff_model_destroy(model);
}

#define LIGHT                                                                                                \
  "<robot name='r'>\n" TWO_LINKS HINGE "\n" LINK("sensor") LINK("tip")                                       \
      JOINT("turn", "continuous", "arm", "sensor", "")                                                       \
          JOINT("tilt", "continuous", "sensor", "tip",                                                       \
                "") "<footfall><actuator joint='tilt'/><posture name='p'><joint name='turn' value='1'/>"     \
                    "<joint name='hinge' value='0.5'/></posture></footfall></robot>"

static void moving_links_without_mass_are_fixed_or_refused(void **state)
{
  (void)state;
  ff_load_def def = ff_load_def_default();
  ff_error error;
  ff_model *model;
  def.massless = FF_MASSLESS_FIX;
  model = load_text(LIGHT, &def);
  assert_int_equal(ff_model_find_joint(model, "turn"), -1);
  assert_int_equal(ff_model_find_joint(model, "tilt"), -1);
  assert_int_equal(ff_model_get_size(model).nv, 7);
  assert_int_equal(ff_model_get_size(model).actuators, 0);
  assert_true(ff_model_find_posture(model, "p") >= 0);
  assert_warning(
      model, "<joint> 'turn': joints whose links neither have nor carry mass: 2, fixed now: 'turn', 'tilt'");
  ff_model_destroy(model);
  def.massless = FF_MASSLESS_REFUSE;
  assert_int_equal(ff_model_load_memory(LIGHT, strlen(LIGHT), "text", &def, &model, &error), FF_ERROR_MODEL);
  assert_non_null(strstr(error.message, "joint 'tilt': it moves no inertia"));
}

// A base that everything hangs on by a hinge: what it carries does not help its own motion.
static void a_base_without_mass_gets_some(void **state)
{
  (void)state;
  ff_model *model = load_text("<robot name='r'>\n" LINK("base") "<link name='arm'>" INERTIAL "</link>" //
                              JOINT("hinge", "continuous", "base", "arm", "") "</robot>",
                              NULL);
  assert_true(link_named(model, "base").inertia.mass == 1e-3);
  assert_warning(model, "text:2: joints that move no mass: 1,");
  ff_model_destroy(model);
}

// Yaw, pitch and roll of a neck without masses between them: as long as the pitch is zero, the outer axes are one.
static void a_neck_that_is_singular_at_zero(void **state)
{
  (void)state;
  static const char *const pitched[] = {"0 0 0", "0 0.3 0", "0 1.5e-6 0"};
  static const int warnings[] = {1, 0, 1};
  for (int i = 0; i < 3; ++i) {
    char text[2000];
    snprintf(text, sizeof text,
             "<robot name='r'><link name='base'>" INERTIAL "</link>" LINK("a")
                 LINK("b") "<link name='head'>" INERTIAL
                           "</link>" JOINT("yaw", "continuous", "base", "a", "<axis xyz='0 0 1'/>")
                               JOINT("pitch", "continuous", "a", "b", "<axis xyz='0 1 0'/><origin rpy='%s'/>")
                                   JOINT("roll", "continuous", "b", "head", "<axis xyz='0 0 1'/>") "</robot>",
             pitched[i]);
    ff_model *model = load_text(text, NULL);
    assert_int_equal(
        warnings_with(model, "joint 'yaw': with all joints at zero it and later joints can move without"),
        warnings[i]);
    assert_int_equal(ff_model_get_size(model).warnings, warnings[i]);
    ff_model_destroy(model);
  }
}

// ---- The root ---------------------------------------------------------------------------------------------

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
      cmocka_unit_test(moving_links_without_mass_get_some),
      cmocka_unit_test(moving_links_without_mass_are_fixed_or_refused),
      cmocka_unit_test(a_base_without_mass_gets_some),
      cmocka_unit_test(a_neck_that_is_singular_at_zero),
      cmocka_unit_test(joints_are_ordered_depth_first_by_name),
      cmocka_unit_test(spelling_does_not_matter),
      cmocka_unit_test(starts_and_ends_do_not_matter),
      cmocka_unit_test(name_spaces_do_not_matter),
      cmocka_unit_test(a_comma_locale_does_not_matter),
      cmocka_unit_test(what_is_ignored_is_counted_worst_first),
      cmocka_unit_test(the_root_floats),
      cmocka_unit_test(the_root_is_fixed_on_request),
      cmocka_unit_test(a_root_called_world_is_the_world),
      cmocka_unit_test(several_things_can_stand_in_the_world),
      cmocka_unit_test(a_joint_may_be_called_root_joint),
      cmocka_unit_test(the_example_of_the_guide_works),
      cmocka_unit_test(a_chain_of_two_thousand_links_is_read),
      cmocka_unit_test(every_failed_allocation_is_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
