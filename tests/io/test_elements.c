// Elements in files: what <element> of URDF and <connect>, <weld> of MJCF are read as.
#include <footfall/builder.h>
#include <footfall/dynamics.h>
#include <footfall/load.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model_text.h"

static ff_element_def get(const ff_model *model, int i)
{
  ff_element_def e;
  if (ff_model_element(model, i, &e) != FF_OK)
    fail_msg("there is no element %d", i);
  return e;
}

static void expect_end(const ff_model *model, const ff_point *end, const char *frame, double x, double y,
                       double z)
{
  const double offset[3] = {x, y, z};
  ff_frame_info info;
  assert_int_equal(ff_model_frame(model, end->frame, &info), FF_OK);
  assert_string_equal(info.name, frame);
  assert_close(end->offset, offset, 3, 1e-15, frame); // a few roundings of numbers of 1 m
}

// ---- URDF -------------------------------------------------------------------------------------------------

#define ROBOT                                                                                                \
  "<robot name='r'><link name='base'>" INERTIAL "</link><link name='arm'>" INERTIAL "</link>"                \
  "<joint name='hinge' type='revolute'><parent link='base'/><child link='arm'/><axis xyz='0 0 1'/>"          \
  "<limit lower='-1' upper='2' effort='5' velocity='1'/></joint>"

static void urdf_has_four_kinds(void **state)
{
  (void)state;
  // Frames may stand behind the elements that use them, in another <footfall> too.
  ff_model *model = load_text(
      ROBOT
      "<link name='hand'>" INERTIAL
      "</link><joint name='wrist' type='continuous'><parent link='arm'/><child link='hand'/>"
      "<axis xyz='0 0 1'/></joint><footfall>"
      "<element name='a' type='joint_pd' joint='hinge' stiffness='10' damping='1' reference='0.5'"
      " reference_velocity='0.25' effort='3'/>"
      "<element type='joint_limit' joint='hinge' stiffness='20'/>"
      "<element name='c' type='joint_limit' joint='wrist' stiffness='20' lower='-0.5' upper='inf'/>"
      "<element name='d' type='point' a='grip' b='base' a_xyz='1 2 3' b_xyz='4 5 6' stiffness='30'/>"
      "<element name='e' type='weld' a='arm' stiffness='40' damping='4' angular_stiffness='50' angular_damping='5'/>"
      "</footfall><footfall><frame name='grip' link='arm' xyz='0 0 1'/></footfall></robot>",
      NULL);
  assert_int_equal(ff_model_get_size(model).elements, 5);
  assert_int_equal(ff_model_get_size(model).warnings, 0);
  ff_element_def e = get(model, 0);
  assert_string_equal(e.name, "a");
  assert_int_equal(e.type, FF_ELEMENT_JOINT_PD);
  assert_int_equal(e.joint, ff_model_find_joint(model, "hinge"));
  assert_true(e.stiffness == 10 && e.damping == 1 && e.reference == 0.5 && e.reference_velocity == 0.25);
  assert_true(e.effort == 3);
  e = get(model, 1);
  assert_null(e.name);
  assert_int_equal(e.type, FF_ELEMENT_JOINT_LIMIT);
  assert_true(e.stiffness == 20 && e.damping == 0 && e.lower == -1 && e.upper == 2); // the joint's
  e = get(model, 2);
  assert_true(e.lower == -0.5 && e.upper == (double)INFINITY);
  e = get(model, 3);
  assert_int_equal(e.type, FF_ELEMENT_POINT);
  assert_true(e.stiffness == 30 && e.damping == 0);
  expect_end(model, &e.a, "grip", 1, 2, 3);
  expect_end(model, &e.b, "base", 4, 5, 6);
  e = get(model, 4);
  assert_int_equal(e.type, FF_ELEMENT_WELD);
  assert_true(e.stiffness == 40 && e.damping == 4 && e.angular_stiffness == 50 && e.angular_damping == 5);
  expect_end(model, &e.a, "arm", 0, 0, 0);
  expect_end(model, &e.b, "world", 0, 0, 0);
  ff_model_destroy(model);
}

// One file serves with a base that floats and with one that is fixed: then nothing is left for the string to hold.
static void a_fixed_base_needs_no_string(void **state)
{
  static const char text[] = ROBOT
      "<footfall><frame name='hook' link='base' xyz='0 0 1'/><frame name='nail' link='world' xyz='0 0 2'/>"
      "<element name='string' type='point' a='hook' b='nail' stiffness='30'/>"
      "<element name='spring' type='point' a='hook' b='arm' stiffness='30'/></footfall></robot>";
  (void)state;
  ff_load_def def = ff_load_def_default();
  ff_model *model = load_text(text, &def);
  assert_int_equal(ff_model_get_size(model).elements, 2);
  ff_model_destroy(model);
  def.fixed_base = 1;
  model = load_text(text, &def);
  assert_int_equal(ff_model_get_size(model).elements, 1);
  assert_int_equal(ff_model_find_element(model, "spring"), 0);
  ff_model_destroy(model);
}

static void a_mimic_joint_that_is_fixed_needs_no_motor(void **state)
{
  static const char text[] =
      "<robot name='r'><link name='base'>" INERTIAL "</link><link name='arm'>" INERTIAL
      "</link><link name='finger'>" INERTIAL
      "</link><joint name='hinge' type='continuous'><parent link='base'/><child link='arm'/></joint>"
      "<joint name='twin' type='continuous'><parent link='arm'/><child link='finger'/><mimic joint='hinge'/></joint>"
      "<footfall><element type='joint_pd' joint='twin' stiffness='1'/></footfall></robot>";
  (void)state;
  ff_load_def def = ff_load_def_default();
  def.mimic = FF_MIMIC_FIX;
  ff_model *model = load_text(text, &def);
  assert_int_equal(ff_model_get_size(model).elements, 0);
  ff_model_destroy(model);
  def.mimic = FF_MIMIC_FREE;
  model = load_text(text, &def);
  assert_int_equal(ff_model_get_size(model).elements, 1);
  ff_model_destroy(model);
}

// ---- MJCF -------------------------------------------------------------------------------------------------

// "one" at (0, 0, 1), not turned; "two" at (1, 0, 0), its x along the world's y; both hinge about z. At their refs they
// stand as written.
#define SCENE                                                                                                         \
  "<mujoco><compiler angle='radian'/>%s<worldbody>"                                                                   \
  "<body name='one' pos='0 0 1'><joint axis='0 0 1' ref='0.7'/><geom size='0.1'/><site name='a' pos='0 0 2'/></body>" \
  "<body name='two' pos='1 0 0' euler='0 0 1.5707963267948966'><joint axis='0 0 1'/><geom size='0.1'/>"               \
  "<site name='b' pos='0 3 0'/></body></worldbody><equality>%s</equality></mujoco>"

static ff_model *load_scene(const char *head, const char *equality)
{
  char text[4096];
  snprintf(text, sizeof text, SCENE, head, equality);
  return load_text(text, NULL);
}

static void connect_is_a_point(void **state)
{
  (void)state;
  ff_model *model = load_scene("", "<connect name='c' body1='one' body2='two' anchor='0 2 -1'/>"
                                   "<connect body1='two' anchor='0 2 0'/>"
                                   "<connect site1='a' site2='b' solref='-500 -7'/>"
                                   "<connect body1='world' body2='two' anchor='1 0 0'/>");
  const ff_material usual = ff_material_default();
  assert_int_equal(ff_model_get_size(model).elements, 4);
  assert_int_equal(ff_model_get_size(model).warnings, 0);
  ff_element_def e = get(model, 0);
  assert_string_equal(e.name, "c");
  assert_int_equal(e.type, FF_ELEMENT_POINT);
  assert_true(e.stiffness == usual.stiffness && e.damping == usual.damping);
  assert_true(e.angular_stiffness == 0 && e.angular_damping == 0);
  expect_end(model, &e.a, "one", 0, 2,
             -1); // (0, 2, 0) in the world, so (-1, 2, 0) from two, whose x is y and y is -x
  expect_end(model, &e.b, "two", 2, 1, 0);
  e = get(model, 1);
  assert_null(e.name);
  expect_end(model, &e.a, "two", 0, 2, 0);
  expect_end(model, &e.b, "world", -1, 0, 0);
  e = get(model, 2);
  assert_true(e.stiffness == 500 && e.damping == 7);
  expect_end(model, &e.a, "a", 0, 0, 0);
  expect_end(model, &e.b, "b", 0, 0, 0);
  e = get(model, 3);
  expect_end(model, &e.a, "world", 1, 0, 0);
  expect_end(model, &e.b, "two", 0, 0, 0);
  ff_model_destroy(model);
}

// Both frames of a weld coincide, axes and origin, where the model stands as written.
static void expect_coincidence(const ff_model *model, const ff_element_def *e, const char *what)
{
  ff_dynamics *d;
  double p[2][3], R[2][9], *q = malloc((size_t)ff_model_get_size(model).nq * sizeof *q);
  assert_non_null(q);
  assert_int_equal(ff_dynamics_create(model, NULL, &d, NULL), FF_OK);
  memcpy(q, ff_model_posture(model, ff_model_find_posture(model, "qpos0")),
         (size_t)ff_model_get_size(model).nq * sizeof *q);
  ff_dynamics_kinematics(d, q, NULL, NULL);
  for (int i = 0; i < 2; ++i) {
    const ff_point *end = i ? &e->b : &e->a;
    ff_dynamics_frame_pose(d, end->frame, p[i], R[i]);
    for (int k = 0; k < 3; ++k)
      for (int l = 0; l < 3; ++l)
        p[i][k] += R[i][3 * k + l] * end->offset[l];
  }
  assert_close(p[0], p[1], 3, 1e-14, what);
  assert_close(R[0], R[1], 9, 1e-14, what);
  ff_dynamics_destroy(d);
  free(q);
}

static void weld_holds_what_is_written(void **state)
{
  (void)state;
  ff_model *model =
      load_scene("", "<weld name='w' body1='one' body2='two'/>"
                     "<weld body1='two' body2='one' anchor='0 0 4' torquescale='3' solref='-100 -2'/>"
                     "<weld body1='one' body2='world'/>");
  const ff_material usual = ff_material_default();
  assert_int_equal(ff_model_get_size(model).warnings, 0);
  ff_element_def e = get(model, 0);
  assert_int_equal(e.type, FF_ELEMENT_WELD);
  assert_true(e.stiffness == usual.stiffness && e.angular_stiffness == usual.stiffness);
  assert_true(e.damping == usual.damping && e.angular_damping == usual.damping);
  expect_end(model, &e.a, "one:w", 0, 0, 0); // its axes are not those of 'one'
  expect_end(model, &e.b, "two", 0, 0, 0);
  expect_coincidence(model, &e, "w");
  e = get(model, 1);
  assert_true(e.stiffness == 100 && e.damping == 2 && e.angular_stiffness == 900 && e.angular_damping == 18);
  expect_end(model, &e.a, "two:weld", 0, 0, 0);
  expect_end(model, &e.b, "one", 0, 0, 4);
  expect_coincidence(model, &e, "anchored");
  e = get(model, 2);
  expect_end(model, &e.a, "one", 0, 0, -1); // parallel axes need no frame
  expect_end(model, &e.b, "world", 0, 0, 0);
  expect_coincidence(model, &e, "world");
  ff_model_destroy(model);
}

static void relpose_is_of_the_second_in_the_first(void **state)
{
  (void)state;
  ff_model *model =
      load_scene("", "<weld name='w' body1='one' body2='two' relpose='1 2 3 2 0 0 0' anchor='0 0 5'/>"
                     "<weld name='x' body1='world' body2='two' relpose='1 2 3 1 0 0 1' anchor='1 0 0'/>");
  ff_element_def e = get(model, 0);
  expect_end(model, &e.a, "one", 1, 2, 3); // where the anchor is held
  expect_end(model, &e.b, "two", 0, 0, 5);
  e = get(model, 1);
  expect_end(model, &e.a, "world:x", 0, 0, 0);
  ff_dynamics *d;
  double p[3], R[9], q[2] = {0};
  const double place[3] = {1, 2, 3}, turned[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1};
  assert_int_equal(ff_dynamics_create(model, NULL, &d, NULL), FF_OK);
  ff_dynamics_kinematics(d, q, NULL, NULL);
  ff_dynamics_frame_pose(d, e.a.frame, p, R);
  assert_close(p, place, 3, 1e-15, "place");
  assert_close(R, turned, 9, 1e-15, "axes");
  ff_dynamics_destroy(d);
  ff_model_destroy(model);
}

static void classes_and_flags_count(void **state)
{
  static const char classes[] =
      "<default><equality solref='-10 -1'/><default class='off'><equality active='false'/>"
      "</default><default class='usual'><equality solref='0.02 1'/></default></default>";
  (void)state;
  ff_model *model =
      load_scene(classes, "<connect body1='one' anchor='0 0 0'/>"
                          "<connect body1='one' anchor='0 0 0' class='off'/>"
                          "<connect body1='one' anchor='0 0 0' class='off' active='true' solref='-20 0'/>"
                          "<connect body1='one' anchor='0 0 0' class='usual'/>");
  assert_int_equal(ff_model_get_size(model).elements, 3);
  assert_true(get(model, 0).stiffness == 10 && get(model, 0).damping == 1);
  assert_true(get(model, 1).stiffness == 20 && get(model, 1).damping == 0);
  assert_true(get(model, 2).stiffness == ff_material_default().stiffness);
  assert_int_equal(warnings_with(model, "<connect> that is switched off"), 1);
  ff_model_destroy(model);

  model = load_scene("<option><flag equality='disable'/></option>", "<connect body1='one' anchor='0 0 0'/>");
  assert_int_equal(ff_model_get_size(model).elements, 0);
  assert_int_equal(warnings_with(model, "<connect> that is switched off"), 1);
  ff_model_destroy(model);
}

static void what_has_no_counterpart_is_listed(void **state)
{
  (void)state;
  ff_model *model = load_scene(
      "",
      "<distance/><flex/>"
      "<connect body1='one' anchor='0 0 0' solref='0.01 1' solimp='0.9 0.9 0.1' relpose='0' margin='1'/>");
  assert_int_equal(ff_model_get_size(model).elements, 1);
  assert_int_equal(ff_model_get_size(model).warnings, 6);
  static const char *const listed[] = {"<distance> in <equality>",         "<flex> in <equality>",
                                       "attribute 'solref' of <connect>",  "attribute 'solimp' of <connect>",
                                       "attribute 'relpose' of <connect>", "attribute 'margin' of <connect>"};
  for (size_t i = 0; i < sizeof listed / sizeof listed[0]; ++i)
    if (warnings_with(model, listed[i]) != 1)
      fail_msg("%s is not listed", listed[i]);
  ff_model_destroy(model);
}

// Defaults are recognised as numbers, however they are written.
static void defaults_are_numbers(void **state)
{
  (void)state;
  ff_model *model = load_scene(
      "", "<connect body1='one' anchor='0 0 0' solref=' 0.0200 1.0' solimp='.9 0.95 1e-3  0.5 2.0'/>");
  assert_int_equal(ff_model_get_size(model).elements, 1);
  assert_int_equal(ff_model_get_size(model).warnings, 0);
  ff_model_destroy(model);
  model = load_scene(
      "", "<connect body1='one' anchor='0 0 0' solref='0.02 1.0001' solimp='0.9 0.95 0.001 0.5 2 1'/>");
  assert_int_equal(ff_model_get_size(model).warnings, 2);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(urdf_has_four_kinds),
      cmocka_unit_test(a_fixed_base_needs_no_string),
      cmocka_unit_test(a_mimic_joint_that_is_fixed_needs_no_motor),
      cmocka_unit_test(connect_is_a_point),
      cmocka_unit_test(weld_holds_what_is_written),
      cmocka_unit_test(relpose_is_of_the_second_in_the_first),
      cmocka_unit_test(classes_and_flags_count),
      cmocka_unit_test(what_has_no_counterpart_is_listed),
      cmocka_unit_test(defaults_are_numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
