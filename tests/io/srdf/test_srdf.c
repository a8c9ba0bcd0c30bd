// SRDF beside URDF: links that do not collide, postures, what is left out and said so, and where it is looked for.
#include <footfall/builder.h>
#include <footfall/collision.h>
#include <footfall/files.h>
#include <footfall/load.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define FOLDER FFI_TEST_SOURCE_DIR "/tests/io/srdf/"

static ff_model *load(const ff_load_def *def)
{
  ff_error error;
  ff_model *model;
  if (ff_model_load(FOLDER "arm.urdf", def, &model, &error) != FF_OK)
    fail_msg("%s", error.message);
  return model;
}

// Each link has one shape, and the order of both is base, upper, lower, hand.
enum { BASE, UPPER, LOWER, HAND };

static void expect(const ff_model *model, int a, int b, ff_collision wanted)
{
  const ff_collision said = ff_model_collision(model, a, b, 1);
  if (said != wanted)
    fail_msg("shapes %d and %d: '%s', not '%s'", a, b, ff_collision_name(said), ff_collision_name(wanted));
}

static int warns(const ff_model *model, const char *text)
{
  for (int i = 0; i < ff_model_get_size(model).warnings; ++i)
    if (strstr(ff_model_warning(model, i), text))
      return 1;
  return 0;
}

static double value(const ff_model *model, const char *posture, const char *joint)
{
  ff_joint_info info;
  const double *q = ff_model_posture(model, ff_model_find_posture(model, posture));
  assert_non_null(q);
  assert_int_equal(ff_model_joint(model, ff_model_find_joint(model, joint), &info), FF_OK);
  return q[info.q];
}

static void links_do_not_collide(void **state)
{
  (void)state;
  ff_model *model = load(NULL);
  assert_int_equal(ff_model_get_size(model).exclusions, 2);
  expect(model, BASE, UPPER, FF_COLLISION_EXCLUDED);
  expect(model, UPPER, HAND, FF_COLLISION_EXCLUDED);
  expect(model, UPPER, LOWER, FF_COLLISION_PARENT);
  expect(model, BASE, LOWER, FF_COLLISION_YES);
  expect(model, BASE, HAND, FF_COLLISION_YES);
  assert_int_equal(ff_model_collision(model, BASE, HAND, 0), FF_COLLISION_SELF);
  assert_int_equal(ff_model_collision(model, UPPER, HAND, 0), FF_COLLISION_EXCLUDED);
  ff_model_destroy(model);
}

static void states_are_postures(void **state)
{
  (void)state;
  ff_model *model = load(NULL);
  assert_int_equal(ff_model_get_size(model).postures, 4);
  // Two groups, one name, no joint in common: one posture.
  assert_true(value(model, "home", "shoulder") == 0.5 && value(model, "home", "elbow") == -1 &&
              value(model, "home", "wrist") == 0.25);
  // They disagree about a joint: two postures.
  assert_true(value(model, "ready", "elbow") == 1 && value(model, "ready_tool", "elbow") == 2);
  // The robot's own posture stays.
  assert_true(value(model, "folded", "elbow") == 3);
  assert_int_equal(ff_model_find_posture(model, "odd"), -1);
  ff_model_destroy(model);
}

static void what_is_left_out_is_said(void **state)
{
  (void)state;
  ff_model *model = load(NULL);
  assert_true(warns(model, "arm.srdf: read beside the URDF: 2 pairs of links that do not collide"));
  assert_true(warns(
      model,
      "4 postures; ignored, as they do not change the motion: <virtual_joint>, <group>, <end_effector>"));
  assert_true(warns(
      model, "arm.srdf:15: 1 pairs of links that do not collide name links that the robot does not have"));
  assert_true(warns(model, "arm.srdf:12: 1 values of postures name joints that the robot does not have"));
  assert_true(warns(model, "arm.srdf:12: 1 values of postures have more or fewer numbers"));
  assert_true(warns(model, "arm.srdf:11: 1 postures have the name of one in the robot's own file"));
  ff_model_destroy(model);
}

static void it_is_found_where_it_was_asked_for(void **state)
{
  (void)state;
  ff_load_def def = ff_load_def_default();
  ff_error error;
  ff_model *model;
  def.srdf = "";
  model = load(&def);
  assert_int_equal(ff_model_get_size(model).exclusions, 0);
  assert_int_equal(ff_model_get_size(model).postures, 1);
  ff_model_destroy(model);
  def.srdf = FOLDER "nowhere.srdf";
  assert_int_equal(ff_model_load(FOLDER "arm.urdf", &def, &model, &error), FF_ERROR_FILE);
  assert_non_null(strstr(error.message, "nowhere.srdf"));
  def.srdf = FOLDER "arm.srdf";
  assert_int_equal(ff_model_load(FFI_TEST_SOURCE_DIR "/models/box.xml", &def, &model, &error),
                   FF_ERROR_ARGUMENT);
  assert_non_null(strstr(error.message, "an SRDF belongs to a URDF"));
}

// A log keeps the files of a run: the SRDF among them.
static void it_is_kept_with_the_robot(void **state)
{
  (void)state;
  ff_load_def def = ff_load_def_default();
  def.keep = ff_files_create();
  ff_model *model = load(&def);
  assert_int_equal(ff_files_count(def.keep), 2);
  ff_load_def again = ff_load_def_default();
  again.from = def.keep;
  ff_model *same = load(&again);
  assert_int_equal(ff_model_get_size(same).exclusions, 2);
  assert_int_equal(ff_model_get_size(same).postures, 4);
  ff_model_destroy(model);
  ff_model_destroy(same);
  ff_files_destroy(def.keep);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(links_do_not_collide),      cmocka_unit_test(states_are_postures),
      cmocka_unit_test(what_is_left_out_is_said),  cmocka_unit_test(it_is_found_where_it_was_asked_for),
      cmocka_unit_test(it_is_kept_with_the_robot),
  };
  return cmocka_run_group_tests_name("io/srdf", tests, NULL, NULL);
}
