// Malformed URDF: every file of tests/bad_input/urdf is refused as its table says, giants are refused quickly, no
// truncation or flipped byte of a good file does harm, and running out of memory anywhere is an error like another.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "corpus.h"
#include "support/alloc_counter.h"
#include "valgrind.h"

#include <footfall/builder.h>

#include <stdlib.h>
#include <string.h>

// ---- The corpus -------------------------------------------------------------------------------------------

static const char good[] =
    "<?xml version='1.0'?>\n"
    "<robot name='good'>\n"
    "  <material name='red'><color rgba='1 0 0 1'/></material>\n"
    "  <link name='base'>\n"
    "    <inertial><origin xyz='0 0 0.1' rpy='0 0 1'/><mass value='2'/>"
    "<inertia ixx='0.1' ixy='0' iyy='0.2' izz='0.2'/></inertial>\n"
    "    <visual><geometry><mesh filename='package://good/base.stl' scale='1 1 1'/></geometry><material name='red'/>"
    "</visual>\n"
    "    <contact><lateral_friction value='0.9'/><stiffness value='1e4'/></contact>\n"
    "    <collision name='c'><origin xyz='0 0 1'/><geometry><box size='1 2 3'/></geometry></collision>\n"
    "  </link>\n"
    "  <link name='arm'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>\n"
    "  <joint name='hinge' type='revolute'>\n"
    "    <origin xyz='0 0 1' rpy='0 1 0'/><parent link='base'/><child link='arm'/><axis xyz='0 1 0'/>\n"
    "    <limit lower='-1' upper='1' effort='5' velocity='2'/><dynamics damping='0.1' friction='0.2'/>\n"
    "  </joint>\n"
    "  <footfall><point link='arm' xyz='0 0 -1' name='tip'/><frame link='arm' name='grip' xyz='0 0 1'/>\n"
    "    <posture name='up'><root xyz='0 0 1'/><joint name='hinge' value='0.5'/></posture>\n"
    "    <actuator joint='hinge' type='position' kp='10' kv='1'/>\n"
    "    <element name='loop' type='weld' a='grip' b_xyz='0 0 1' stiffness='1e4' damping='10' angular_stiffness='5'/>\n"
    "    <element type='joint_limit' joint='hinge' stiffness='1e3' upper='0.9'/>"
    "<element type='joint_pd' joint='hinge' stiffness='3' effort='2'/>\n"
    "    <exclude link1='base' link2='arm'/><pair link1='base' link2='arm' collision2='0' friction='0.5'/>\n"
    "    <filter link='base' collision='0' contype='3'/><parents collide='fixed'/></footfall>\n"
    "</robot>\n";

static const char wrong[] = {'\0', '<', '"', '-', '9', 'e', '\xff', ' '};

static const corpus urdf = {.folder = FFI_TEST_SOURCE_DIR "/tests/bad_input/urdf",
                            .ending = ".urdf",
                            .least = 273,
                            .good = good,
                            .length = sizeof good - 1,
                            .wrong = wrong,
                            .wrong_count = sizeof wrong,
                            .cut_step = 3,
                            .cut_longest = 17};

static void running_out_of_memory_is_an_error(void **state)
{
  (void)state;
  if (!ffi_test_alloc_works())
    skip();
  fail_in_turn(&urdf, NULL);
  fail_in_turn(&urdf, FFI_TEST_SOURCE_DIR "/models/solo12.urdf");
}

// ---- Giants -----------------------------------------------------------------------------------------------

static void twenty_megabytes_of_nesting_are_refused(void **state)
{
  (void)state;
  text open = {0};
  append(&open, "<robot name='bomb'>");
  append_times(&open, 3 << 20, "<link>\n");
  refuse(&open, FF_ERROR_LIMIT, "nested more than 250 deep");
}

static void a_nesting_bomb_with_its_end_is_refused(void **state)
{
  (void)state;
  text whole = {0};
  append(&whole, "<robot name='bomb'>");
  append_times(&whole, 100000, "<a>");
  append_times(&whole, 100000, "</a>");
  append(&whole, "</robot>");
  refuse(&whole, FF_ERROR_LIMIT, "nested more than 250 deep");
}

static void a_million_attributes_are_refused(void **state)
{
  (void)state;
  text wide = {0};
  append(&wide, "<robot name='bomb'");
  for (int i = 0; i < 1000000; ++i)
    append(&wide, " a%d='>'", i);
  append(&wide, "/>");
  refuse(&wide, FF_ERROR_LIMIT, "more than 256 attributes");
}

static void a_giant_attribute_is_refused(void **state)
{
  (void)state;
  text name = {0};
  append(&name, "<robot name='bomb'>\n<link name='");
  append_times(&name, 1 << 20, "0123456789");
  append(&name, "'/></robot>");
  refuse(&name, FF_ERROR_LIMIT, "longer than 8 MiB");
}

static void millions_of_numbers_are_refused(void **state)
{
  (void)state;
  text numbers = {0};
  append(&numbers, "<robot name='bomb'><link name='a'><inertial><origin xyz='");
  append_times(&numbers, 3000000, "0 ");
  append(&numbers, "'/><mass value='1'/></inertial></link></robot>");
  refuse(&numbers, FF_ERROR_PARSE, "'xyz' must have 3 numbers");
}

static void millions_of_digits_are_refused(void **state)
{
  (void)state;
  text digits = {0};
  append(&digits, "<robot name='bomb'><link name='a'><inertial><mass value='");
  append_times(&digits, 200000, "9999999999");
  append(&digits, "'/></inertial></link></robot>");
  refuse(&digits, FF_ERROR_PARSE, "is not finite");
}

static void too_many_elements_are_refused(void **state)
{
  (void)state;
  text elements = {0};
  append(&elements, "<robot name='bomb'>");
  append_times(&elements, 4000001, "<a/>");
  append(&elements, "</robot>");
  refuse(&elements, FF_ERROR_LIMIT, "more than 4 million elements");
}

static void too_many_links_are_refused(void **state)
{
  (void)state;
  text links = {0};
  append(&links, "<robot name='bomb'>");
  for (int i = 0; i <= FF_MAX_LINKS; ++i)
    append(&links, "<link name='l%d'/>\n", i);
  append(&links, "</robot>");
  refuse(&links, FF_ERROR_LIMIT, "there are more than 100000 links");
}

static void too_many_joints_are_refused(void **state)
{
  (void)state;
  text joints = {0};
  append(&joints, "<robot name='bomb'><link name='a'/><link name='b'/>");
  for (int i = 0; i <= FF_MAX_LINKS; ++i)
    append(&joints, "<joint name='j%d' type='fixed'/>\n", i);
  append(&joints, "</robot>");
  refuse(&joints, FF_ERROR_LIMIT, "there are more than 100000 joints");
}

// Each would take as much memory as the robot has coordinates.
static void too_many_postures_are_refused(void **state)
{
  (void)state;
  text postures = {0};
  append(&postures, "<robot name='bomb'><link name='world'/>");
  for (int i = 0; i < 10000; ++i)
    append(&postures,
           "<link name='l%d'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>"
           "<joint name='j%d' type='floating'><parent link='world'/><child link='l%d'/></joint>",
           i, i, i);
  append(&postures, "<footfall>");
  for (int i = 0; i <= 1000000 / 70000; ++i)
    append(&postures, "<posture name='p%d'/>", i);
  append(&postures, "</footfall></robot>");
  refuse(&postures, FF_ERROR_LIMIT, "more than 1000000 coordinates in all postures: 15 of 70000 each");
}

// 99,999 points on a link with a million things in it: time must not be their product.
static void many_points_on_a_full_link_are_quick(void **state)
{
  (void)state;
  text points = {0};
  append(&points, "<robot name='bomb'><link name='a'>");
  append_times(&points, 1000000, "<x/>");
  append(&points, "</link><footfall>");
  append_times(&points, 99999, "<point link='a'/>");
  append(&points, "</footfall></robot>");
  refuse(&points, FF_ERROR_MODEL, "inertia"); // it is massless, found out last
}

static void append_chain(text *t, int count)
{
  append(t, "<robot name='chain'>");
  for (int i = 0; i < count; ++i)
    append(t, "<link name='l%d'/>\n", i);
  for (int i = 1; i < count; ++i)
    append(t, "<joint name='j%d' type='fixed'><parent link='l%d'/><child link='l%d'/></joint>\n", i, i - 1,
           i);
  append(t, "</robot>");
}

static void too_deep_a_chain_is_refused(void **state)
{
  (void)state;
  text chain = {0};
  append_chain(&chain, FF_MAX_DEPTH + 2);
  refuse(&chain, FF_ERROR_LIMIT, "10000");
}

static void a_large_cycle_is_refused(void **state)
{
  (void)state;
  text cycle = {0};
  append_chain(&cycle, 50000);
  cycle.length -= strlen("</robot>");
  append(&cycle,
         "<joint name='close' type='fixed'><parent link='l49999'/><child link='l0'/></joint></robot>");
  refuse(&cycle, FF_ERROR_MODEL, "cycle");
}

static void too_large_a_file_is_refused(void **state)
{
  (void)state;
  text file = {.length = (64u << 20) + 1};
  file.data = malloc(file.length);
  assert_non_null(file.data);
  memset(file.data, ' ', file.length);
  refuse(&file, FF_ERROR_LIMIT, "larger than 64 MiB");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      CORPUS_TESTS((void *)&urdf),
      cmocka_unit_test(running_out_of_memory_is_an_error),
      cmocka_unit_test(twenty_megabytes_of_nesting_are_refused),
      cmocka_unit_test(a_nesting_bomb_with_its_end_is_refused),
      cmocka_unit_test(a_giant_attribute_is_refused),
      cmocka_unit_test(millions_of_numbers_are_refused),
      cmocka_unit_test(millions_of_digits_are_refused),
      cmocka_unit_test(too_deep_a_chain_is_refused),
      cmocka_unit_test(too_large_a_file_is_refused),
  };
  const struct CMUnitTest giants[] = {
      cmocka_unit_test(a_million_attributes_are_refused),
      cmocka_unit_test(too_many_elements_are_refused),
      cmocka_unit_test(too_many_links_are_refused),
      cmocka_unit_test(too_many_joints_are_refused),
      cmocka_unit_test(too_many_postures_are_refused),
      cmocka_unit_test(many_points_on_a_full_link_are_quick),
      cmocka_unit_test(a_large_cycle_is_refused),
  };
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  return is_under_valgrind() ? failed : failed + cmocka_run_group_tests(giants, NULL, NULL);
}
