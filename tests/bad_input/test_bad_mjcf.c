// Malformed MJCF: every file of tests/bad_input/mjcf is refused as its table says, giants are refused quickly, no
// truncation or flipped byte of a good file does harm, and running out of memory anywhere is an error like another.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // mkdtemp
#endif

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "corpus.h"
#include "support/alloc_counter.h"
#include "valgrind.h"

#include <footfall/builder.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---- The corpus -------------------------------------------------------------------------------------------

static const char good[] =
    "<mujoco model='good'>\n"
    "  <compiler angle='degree' eulerseq='XYZ' autolimits='true' boundmass='0.1' balanceinertia='true' meshdir='m'/>\n"
    "  <option gravity='0 0 -9.81' timestep='0.01'><flag contact='disable' filterparent='disable'/></option>\n"
    "  <default><geom density='500' friction='0.8'/><joint damping='0.1'/>\n"
    "    <default class='leg'><geom type='capsule' size='0.05 0.2'/><motor gear='20' ctrlrange='-1 1'/>"
    "<equality solref='-1 -2'/></default></default>\n"
    "  <asset><mesh file='shell.stl' scale='1 1 1'/><mesh name='tetra' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/>\n"
    "    <material name='red' rgba='1 0 0 1'/><texture name='t'/></asset>\n"
    "  <worldbody><geom type='plane' size='1 1 1' material='red'/><light/><site name='origin' zaxis='1 0 0'/>\n"
    "    <body name='trunk' pos='0 0 1' euler='10 20 30'><freejoint name='root'/>\n"
    "      <inertial pos='0 0 0.1' mass='3' fullinertia='1 1 1 0.1 0 0'/><geom type='mesh' "
    "mesh='shell' contype='0' conaffinity='0'/>\n"
    "      <frame pos='0 0 0.1' axisangle='0 0 1 90'><body name='leg' childclass='leg' xyaxes='1 0 0 0 1 0'>\n"
    "        <joint name='hip_x' axis='1 0 0' pos='0 0 0.1' range='-30 40' ref='5' springref='3' stiffness='2'/>\n"
    "        <joint name='hip_y' type='slide' axis='0 1 0' armature='0.1' frictionloss='0.2'/>\n"
    "        <site name='toe'/><geom name='shin'/><geom type='ellipsoid' size='0.1 0.2 0.3' fromto='0 0 0 1 0 0'/>"
    "<geom type='mesh' mesh='tetra'/>\n"
    "        <body><joint type='ball'/><geom name='foot' type='box' size='0.1 0.2 0.3' mass='2'/></body></body>"
    "</frame></body></worldbody>\n"
    "  <contact><pair geom1='shin' geom2='foot' friction='0.5'/><exclude body1='trunk' body2='leg'/></contact>\n"
    "  <actuator><motor name='a' joint='hip_x' class='leg'/><position joint='hip_y' kp='30' forcerange='-5 5'/>\n"
    "    <general joint='hip_x' biastype='affine' gainprm='2' biasprm='0 -2 -1'/><muscle/></actuator>\n"
    "  <equality><weld name='w' body1='trunk' body2='leg' torquescale='2'/><connect body1='leg' "
    "anchor='0 0 1' solref='-9 -1'/>\n"
    "    <connect site1='origin' site2='toe' class='leg'/><joint joint1='hip_x' joint2='hip_y' polycoef='0 1 0 0 0'/>"
    "<tendon tendon1='cord'/></equality><tendon><fixed name='cord' range='-1 1' stiffness='2' frictionloss='0.1'>"
    "<joint joint='hip_x' coef='1'/><joint joint='hip_y' coef='-2'/></fixed></tendon><sensor/>\n"
    "  <keyframe><key name='home' qpos='0 0 1 1 0 0 0 0.1 0.2 1 0 0 0'/><key/></keyframe>\n"
    "</mujoco>\n";

static const char wrong[] = {'\0', '<', '"', '-', '9', 'e', '\xff', ' ', '\'', 'x', '/'};

static const corpus mjcf = {.folder = FFI_TEST_SOURCE_DIR "/tests/bad_input/mjcf",
                            .ending = ".xml",
                            .least = 211,
                            .good = good,
                            .length = sizeof good - 1,
                            .wrong = wrong,
                            .wrong_count = sizeof wrong,
                            .cut_step = 5,
                            .cut_longest = 37};

static void running_out_of_memory_is_an_error(void **state)
{
  (void)state;
  if (!ffi_test_alloc_works())
    skip();
  fail_in_turn(&mjcf, NULL);
  fail_in_turn(&mjcf, FFI_TEST_SOURCE_DIR "/tests/oracle/mjcf/included.xml");
  fail_in_turn(&mjcf, FFI_TEST_SOURCE_DIR "/tests/oracle/mjcf/humanoid.xml");
}

// ---- Giants -------------------------------------------------------------------------------------------------

static void deep_bodies_are_refused(void **state)
{
  (void)state;
  text t = {0};
  append(&t, "<mujoco><worldbody>");
  append_times(&t, 100000, "<body><joint/><geom size='1'/>");
  append_times(&t, 100000, "</body>");
  append(&t, "</worldbody></mujoco>");
  refuse(&t, FF_ERROR_LIMIT, "nested more than 250 deep");
}

static void too_many_bodies_are_refused(void **state)
{
  (void)state;
  text t = {0};
  append(&t, "<mujoco><default><geom size='1'/></default><worldbody>");
  append_times(&t, FF_MAX_LINKS + 1, "<body><geom/></body>\n");
  append(&t, "</worldbody></mujoco>");
  refuse(&t, FF_ERROR_LIMIT, "more than 100000 bodies");
}

static void too_many_joints_are_refused(void **state)
{
  (void)state;
  text t = {0};
  append(&t, "<mujoco><default><geom size='1'/></default><worldbody>");
  append_times(&t, FF_MAX_LINKS / 3 + 1,
               "<body><joint/><joint axis='1 0 0'/><joint axis='0 1 0'/><geom/></body>\n");
  append(&t, "</worldbody></mujoco>");
  refuse(&t, FF_ERROR_LIMIT, "more than 100000 joints");
}

static void too_many_classes_are_refused(void **state)
{
  (void)state;
  text t = {0};
  append(&t, "<mujoco><default>");
  for (int i = 0; i < 10001; ++i)
    append(&t, "<default class='c%d'/>\n", i);
  append(&t, "</default></mujoco>");
  refuse(&t, FF_ERROR_LIMIT, "more than 10000 classes");
}

static void append_mesh(text *t, const char *name, int vertices)
{
  append(t, "<mesh name='%s' vertex='", name);
  for (int i = 0; i < vertices; ++i)
    append(t, "%d %d %d ", i % 7, i % 11, i % 13);
  append(t, "'/>");
}

static void too_many_vertices_are_refused(void **state)
{
  (void)state;
  text t = {0};
  append(&t, "<mujoco><asset>");
  append_mesh(&t, "m", 10001);
  append(&t, "</asset></mujoco>");
  refuse(&t, FF_ERROR_LIMIT, "more than 10000 vertices in one mesh");
}

static void too_many_meshes_are_refused(void **state)
{
  (void)state;
  text t = {0};
  append(&t, "<mujoco><asset>");
  for (int i = 0; i < 11; ++i) {
    const char name[2] = {(char)('a' + i), 0};
    append_mesh(&t, name, 10000);
  }
  append(&t, "</asset></mujoco>");
  refuse(&t, FF_ERROR_LIMIT, "100000 in all");
}

// A small file that would make a large model: each geom would copy all vertices.
static void a_vertex_bomb_is_refused(void **state)
{
  (void)state;
  text t = {0};
  append(&t, "<mujoco><default><geom type='mesh' mesh='m'/></default><asset>");
  append_mesh(&t, "m", 10000);
  append(&t, "</asset><worldbody>");
  append_times(&t, 1001, "<geom/>");
  append(&t, "</worldbody></mujoco>");
  refuse(&t, FF_ERROR_LIMIT, "more than 10000000 vertices in all geoms");
}

// The same with keyframes that say nothing.
static void a_keyframe_bomb_is_refused(void **state)
{
  (void)state;
  text t = {0};
  append(&t, "<mujoco><default><geom size='1'/></default><worldbody>");
  append_times(&t, 10000, "<body><joint/><geom/></body>");
  append(&t, "</worldbody><keyframe>");
  append_times(&t, 101, "<key/>");
  append(&t, "</keyframe></mujoco>");
  refuse(&t, FF_ERROR_LIMIT, "more than 1000000 coordinates in all postures");
}

static void long_names_are_refused(void **state)
{
  (void)state;
  static const char *const starts[] = {"<body name='", "<body name='a'><joint name='",
                                       "<body name='a'><geom size='1' name='", "<site name='"};
  static const char *const ends[] = {"'><joint/><geom size='1'/></body>", "'/><geom size='1'/></body>",
                                     "'/></body>", "'/><body><geom size='1'/></body>"};
  for (size_t i = 0; i < sizeof starts / sizeof *starts; ++i) {
    text t = {0};
    append(&t, "<mujoco><worldbody>%s", starts[i]);
    append_times(&t, 103, "0123456789");
    append(&t, "%s</worldbody></mujoco>", ends[i]);
    refuse(&t, FF_ERROR_LIMIT, "longer than 1024");
  }
}

static void long_paths_are_refused(void **state)
{
  (void)state;
  static const char *const starts[] = {"<asset><mesh file='", "<include file='"};
  static const char *const ends[] = {"'/></asset>", "'/>"};
  for (size_t i = 0; i < sizeof starts / sizeof *starts; ++i) {
    text t = {0};
    append(&t, "<mujoco>%s", starts[i]);
    append_times(&t, 410, "0123456789");
    append(&t, "%s</mujoco>", ends[i]);
    refuse(&t, FF_ERROR_LIMIT, "longer than 4096");
  }
}

static void a_thousand_unknown_attributes_are_listed_and_cut(void **state)
{
  (void)state;
  text t = {0};
  ff_model *model = NULL;
  ff_error error = {0};
  append(&t, "<mujoco><worldbody>");
  for (int i = 0; i < 1000; ++i)
    append(&t, "<body odd%d='1'><geom size='1'/></body>\n", i);
  append(&t, "</worldbody></mujoco>");
  assert_int_equal(ff_model_load_memory(t.data, t.length, "odd", NULL, &model, &error), FF_OK);
  const int count = ff_model_get_size(model).warnings;
  assert_in_range(count, 200, 202);
  assert_non_null(strstr(ff_model_warning(model, count - 1), "more kinds of things, 800 times"));
  ff_model_destroy(model);
  free(t.data);
}

// ---- Giants of several files --------------------------------------------------------------------------------

static void write_file(const char *folder, int number, const text *t)
{
  char path[200];
  snprintf(path, sizeof path, "%s/%d.xml", folder, number);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  assert_int_equal(fwrite(t->data, 1, t->length, file), t->length);
  fclose(file);
}

// `count` files, each with `depth` nested bodies around the include of the next one.
static void refuse_files(int count, int depth, const char *fragment)
{
  char folder[] = "/tmp/footfall-mjcf-XXXXXX", path[200];
  ff_error error = {0};
  ff_model *model = NULL;
  assert_non_null(mkdtemp(folder));
  for (int i = 0; i < count; ++i) {
    text t = {0};
    append(&t, "<mujoco>%s", i ? "" : "<worldbody>");
    append_times(&t, depth, "<body><joint/><geom size='1'/>");
    if (i + 1 < count)
      append(&t, "<include file='%d.xml'/>", i + 1);
    append_times(&t, depth, "</body>");
    append(&t, "%s</mujoco>", i ? "" : "</worldbody>");
    write_file(folder, i, &t);
    free(t.data);
  }
  snprintf(path, sizeof path, "%s/0.xml", folder);
  const ff_status status = ff_model_load(path, NULL, &model, &error);
  for (int i = 0; i < count; ++i) {
    snprintf(path, sizeof path, "%s/%d.xml", folder, i);
    unlink(path);
  }
  rmdir(folder);
  if (status != FF_ERROR_LIMIT || !strstr(error.message, fragment))
    fail_msg("status %d, %s", (int)status, error.message);
  assert_null(model);
}

static void deep_nesting_through_includes_is_refused(void **state)
{
  (void)state;
  refuse_files(6, 200, "nested more than 1000 deep");
}

static void too_many_files_are_refused(void **state)
{
  (void)state;
  refuse_files(258, 1, "more than 256 files");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      CORPUS_TESTS((void *)&mjcf),
      cmocka_unit_test(running_out_of_memory_is_an_error),
      cmocka_unit_test(deep_bodies_are_refused),
      cmocka_unit_test(too_many_classes_are_refused),
      cmocka_unit_test(too_many_vertices_are_refused),
      cmocka_unit_test(too_many_meshes_are_refused),
      cmocka_unit_test(a_vertex_bomb_is_refused),
      cmocka_unit_test(long_names_are_refused),
      cmocka_unit_test(long_paths_are_refused),
      cmocka_unit_test(a_thousand_unknown_attributes_are_listed_and_cut),
      cmocka_unit_test(deep_nesting_through_includes_is_refused),
      cmocka_unit_test(too_many_files_are_refused),
  };
  const struct CMUnitTest giants[] = {
      cmocka_unit_test(too_many_bodies_are_refused),
      cmocka_unit_test(too_many_joints_are_refused),
      cmocka_unit_test(a_keyframe_bomb_is_refused),
  };
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  return is_under_valgrind() ? failed : failed + cmocka_run_group_tests(giants, NULL, NULL);
}
