// Who collides, by hand: what counts as one robot, parents, lists and masks, materials of listed pairs, and what the
// builder refuses.
#include "contact/collider_cases.h"

#include <footfall/collision.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void ball(ff_builder *b, int link)
{
  collider_case_shape(b, link, &(collider_case_solid){.type = FF_SHAPE_SPHERE, .size = {0.1}});
}

static void expect(const ff_model *model, int a, int b, int self_collision, ff_collision wanted)
{
  const ff_collision said = ff_model_collision(model, a, b, self_collision);
  if (said != wanted || ff_model_collision(model, b, a, self_collision) != wanted)
    fail_msg("shapes %d and %d: '%s', not '%s'", a, b, ff_collision_name(said), ff_collision_name(wanted));
}

static int count_pairs(const ff_model *model, int self_collision)
{
  ff_sim_def def = collider_case_def(NULL, 0, self_collision);
  ffi_colliders colliders = collider_case_create(model, &def);
  const int count = colliders.pair_count;
  ffi_colliders_free(&colliders);
  return count;
}

// A palm fixed in the world (0), a plate fixed to it (1), two fingers of two links (2 3, 4 5); a ball on its own (6).
static ff_builder *gripper(void)
{
  ff_builder *b = collider_case_builder();
  const int palm = collider_case_link(b, "palm", FF_WORLD, FF_JOINT_FIXED);
  const int plate = collider_case_link(b, "plate", palm, FF_JOINT_FIXED);
  ball(b, palm);
  ball(b, plate);
  for (int k = 0; k < 2; ++k) {
    const int near = collider_case_link(b, k ? "right" : "left", palm, FF_JOINT_REVOLUTE);
    const int tip = collider_case_link(b, k ? "right_tip" : "left_tip", near, FF_JOINT_REVOLUTE);
    ball(b, near);
    ball(b, tip);
  }
  ball(b, collider_case_link(b, "loose", FF_WORLD, FF_JOINT_FREE));
  return b;
}

static void a_gripper_is_one_robot(void **state)
{
  (void)state;
  ff_model *model = collider_case_finish(gripper());
  ff_link_info palm, tip, loose;
  ff_model_link(model, ff_model_find_link(model, "palm"), &palm);
  ff_model_link(model, ff_model_find_link(model, "right_tip"), &tip);
  ff_model_link(model, ff_model_find_link(model, "loose"), &loose);
  assert_int_equal(ff_model_get_size(model).robots, 2);
  assert_int_equal(ff_model_get_size(model).roots, 3);
  assert_true(palm.robot == tip.robot && palm.robot != loose.robot);
  assert_int_equal(count_pairs(model, 0), 6); // the loose ball with each
  expect(model, 0, 1, 1, FF_COLLISION_ONE_BODY);
  expect(model, 1, 2, 1, FF_COLLISION_PARENT); // the plate is fixed to the palm, which carries the finger
  expect(model, 1, 3, 1, FF_COLLISION_YES);
  expect(model, 1, 3, 0, FF_COLLISION_SELF);
  expect(model, 2, 4, 1, FF_COLLISION_YES); // two fingers
  expect(model, 2, 4, 0, FF_COLLISION_SELF);
  expect(model, 3, 6, 0, FF_COLLISION_YES);
  expect(model, 6, 6, 1, FF_COLLISION_ONE_BODY);
  expect(model, 3, 7, 1, FF_COLLISION_DRAWN);             // there is no shape 7
  assert_int_equal(count_pairs(model, 1), 6 + 2 * 2 + 4); // base and tips, fingers
  ff_model_destroy(model);
}

static void a_robot_is_no_ground(void **state)
{
  (void)state;
  ff_model *model = collider_case_finish(gripper());
  ff_sim_def def = collider_case_def(NULL, -1, 0);
  ffi_colliders colliders = collider_case_create(model, &def);
  assert_int_equal(colliders.ground_count,
                   1); // the plate is part of the gripper, so there is the default ground
  ffi_colliders_free(&colliders);
  ff_model_destroy(model);
}

static void parents_follow_the_rule(void **state)
{
  (void)state;
  static const ff_collision fixed[] = {FF_COLLISION_PARENT, FF_COLLISION_YES, FF_COLLISION_YES},
                            moving[] = {FF_COLLISION_PARENT, FF_COLLISION_PARENT, FF_COLLISION_YES};
  for (int rule = FF_PARENT_SPARED; rule <= FF_PARENT_COLLIDES; ++rule) {
    ff_error error;
    ff_builder *b = gripper();
    assert_int_equal(ff_builder_set_parent_rule(b, (ff_parent_rule)rule, &error), FF_OK);
    ff_model *model = collider_case_finish(b);
    assert_int_equal(ff_model_parent_rule(model), rule);
    expect(model, 0, 2, 1, fixed[rule]);
    expect(model, 2, 3, 1, moving[rule]);
    ff_model_destroy(model);
  }
}

// Two hinges in a row with a massless link between them: a joint with two axes.
static void a_massless_link_is_part_of_the_joint(void **state)
{
  (void)state;
  for (int has_shape = 0; has_shape < 2; ++has_shape) {
    ff_error error;
    ff_builder *b = collider_case_builder();
    ff_link_def cross = ff_link_def_default();
    const int trunk = collider_case_link(b, "trunk", FF_WORLD, FF_JOINT_FREE);
    int id;
    cross.name = "cross";
    cross.parent = trunk;
    cross.joint.type = FF_JOINT_REVOLUTE;
    cross.joint.axis[0] = 1;
    assert_int_equal(ff_builder_add_link(b, &cross, &id, &error), FF_OK);
    const int leg = collider_case_link(b, "leg", id, FF_JOINT_REVOLUTE);
    ball(b, trunk);
    ball(b, leg);
    if (has_shape)
      ball(b, id);
    ff_model *model = collider_case_finish(b);
    expect(model, 0, 1, 1, has_shape ? FF_COLLISION_YES : FF_COLLISION_PARENT);
    ff_model_destroy(model);
  }
}

static void exclusions_and_lists(void **state)
{
  (void)state;
  ff_error error;
  ff_builder *b = gripper();
  ff_shape_pair tips = ff_shape_pair_default(), palm = tips, rigid = tips;
  tips.a = 5;
  tips.b = 3;
  tips.friction = 0.25;
  palm.a = 0;
  palm.b = 2;
  rigid.a = 0;
  rigid.b = 1;
  assert_int_equal(ff_builder_exclude(b, 6, FF_WORLD, &error), FF_OK);
  assert_int_equal(ff_builder_exclude(b, 3, 6, &error), FF_OK); // left_tip and the loose ball, twice
  assert_int_equal(ff_builder_exclude(b, 6, 3, &error), FF_OK);
  assert_int_equal(ff_builder_exclude(b, 3, 5, &error), FF_OK); // a listed pair collides all the same
  assert_int_equal(ff_builder_add_pair(b, &palm, &error), FF_OK);
  assert_int_equal(ff_builder_add_pair(b, &rigid, &error), FF_OK);
  tips.friction = 7;
  assert_int_equal(ff_builder_add_pair(b, &tips, &error), FF_OK);
  tips.friction = 0.25;
  assert_int_equal(ff_builder_add_pair(b, &tips, &error), FF_OK); // the later one counts
  ff_model *model = collider_case_finish(b);
  assert_int_equal(ff_model_get_size(model).exclusions, 3);
  assert_int_equal(ff_model_get_size(model).pairs, 3);
  expect(model, 3, 6, 1, FF_COLLISION_EXCLUDED);
  expect(model, 3, 5, 0, FF_COLLISION_LISTED);
  expect(model, 0, 2, 0, FF_COLLISION_LISTED);
  expect(model, 0, 1, 1, FF_COLLISION_ONE_BODY);
  assert_int_equal(count_pairs(model, 0), 5 + 2);

  ff_sim_def def = collider_case_def(NULL, 0, 0);
  ffi_colliders colliders = collider_case_create(model, &def);
  ff_material materials[16];
  int found = 0;
  assert_int_equal(collider_case_materials(&colliders, materials, &error), FF_OK);
  for (int i = 0; i < colliders.pair_count; ++i) {
    const ffi_collider_pair *p = &colliders.pairs[i];
    const int is_tips = p->shape_a == 3 && p->shape_b == 5;
    found += is_tips;
    assert_true(materials[i].friction == (is_tips ? 0.25 : 1));
    assert_true(materials[i].stiffness == ff_material_default().stiffness / 2);
  }
  assert_int_equal(found, 1);
  ffi_colliders_free(&colliders);
  ff_model_destroy(model);
}

static void masks(void **state)
{
  (void)state;
  static const struct {
    int type[2], affinity[2];
    ff_collision wanted;
  } table[] = {
      {{1, 1}, {1, 1}, FF_COLLISION_YES},    {{2, 1}, {1, 1}, FF_COLLISION_YES},
      {{2, 1}, {0, 1}, FF_COLLISION_MASKED}, {{0, 0}, {-1, -1}, FF_COLLISION_MASKED},
      {{-1, 0}, {0, 4}, FF_COLLISION_YES},   {{INT32_MIN, 0}, {0, INT32_MIN}, FF_COLLISION_YES},
  };
  for (size_t k = 0; k < sizeof table / sizeof *table; ++k) {
    ff_error error;
    ff_builder *b = collider_case_builder();
    for (int i = 0; i < 2; ++i) {
      ff_shape_def shape = ff_shape_def_default();
      shape.size[0] = 1;
      shape.contype = table[k].type[i];
      shape.conaffinity = table[k].affinity[i];
      const int link = collider_case_link(b, i ? "two" : "one", FF_WORLD, FF_JOINT_FREE);
      assert_int_equal(ff_builder_add_shape(b, link, &shape, &error), FF_OK);
    }
    ff_model *model = collider_case_finish(b);
    expect(model, 0, 1, 0, table[k].wanted);
    ff_sim_def def = collider_case_def(NULL, -1, 0);
    ffi_colliders colliders = collider_case_create(model, &def);
    int on_ground = 0;
    for (int i = 0; i < 2; ++i)
      on_ground += table[k].type[i] || table[k].affinity[i];
    assert_int_equal(colliders.pair_count, on_ground + (table[k].wanted == FF_COLLISION_YES));
    ffi_colliders_free(&colliders);
    ff_model_destroy(model);
  }
}

static void counts_are_of_all_pairs(void **state)
{
  (void)state;
  ff_model *model = collider_case_finish(gripper());
  long long off[FF_COLLISION_COUNT], on[FF_COLLISION_COUNT], sum = 0;
  ff_model_collisions(model, 0, off);
  ff_model_collisions(model, 1, on);
  for (int i = 0; i < FF_COLLISION_COUNT; ++i)
    sum += off[i];
  assert_int_equal(sum, 7 * 6 / 2);
  assert_int_equal(off[FF_COLLISION_YES], 6);
  assert_int_equal(off[FF_COLLISION_YES] + off[FF_COLLISION_SELF], on[FF_COLLISION_YES]);
  assert_int_equal(on[FF_COLLISION_ONE_BODY], 1);
  assert_int_equal(on[FF_COLLISION_PARENT], 4 + 2);
  ff_model_destroy(model);
}

static void refused(ff_status status, ff_status wanted, const ff_error *error, const char *message)
{
  if (status != wanted || !strstr(error->message, message))
    fail_msg("status %d, '%s'", (int)status, error->message);
}

static void the_builder_refuses_nonsense(void **state)
{
  (void)state;
  ff_error error;
  ff_builder *b = gripper();
  ff_shape_pair pair = ff_shape_pair_default();
  refused(ff_builder_exclude(b, 0, 7, &error), FF_ERROR_ARGUMENT, &error, "there is no link 7");
  refused(ff_builder_exclude(b, -2, 0, &error), FF_ERROR_ARGUMENT, &error, "there is no link -2");
  refused(ff_builder_exclude(NULL, 0, 0, &error), FF_ERROR_ARGUMENT, &error, "an argument is NULL");
  refused(ff_builder_add_pair(b, &pair, &error), FF_ERROR_ARGUMENT, &error, "there is no shape -1");
  pair.a = pair.b = 1;
  refused(ff_builder_add_pair(b, &pair, &error), FF_ERROR_MODEL, &error, "cannot collide with itself");
  pair.b = 7;
  refused(ff_builder_add_pair(b, &pair, &error), FF_ERROR_ARGUMENT, &error, "there is no shape 7");
  pair.b = 2;
  pair.friction = -0.5;
  refused(ff_builder_add_pair(b, &pair, &error), FF_ERROR_MODEL, &error,
          "its friction must be finite and >= 0");
  pair.friction = -1;
  pair.stiffness = 0;
  refused(ff_builder_add_pair(b, &pair, &error), FF_ERROR_MODEL, &error,
          "its stiffness must be finite and > 0");
  refused(ff_builder_set_parent_rule(b, (ff_parent_rule)3, &error), FF_ERROR_ARGUMENT, &error,
          "there is no rule 3 for parents");
  ff_model *model = collider_case_finish(b);
  assert_int_equal(ff_model_get_size(model).pairs + ff_model_get_size(model).exclusions, 0);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_gripper_is_one_robot),  cmocka_unit_test(a_robot_is_no_ground),
      cmocka_unit_test(parents_follow_the_rule), cmocka_unit_test(a_massless_link_is_part_of_the_joint),
      cmocka_unit_test(exclusions_and_lists),    cmocka_unit_test(masks),
      cmocka_unit_test(counts_are_of_all_pairs), cmocka_unit_test(the_builder_refuses_nonsense),
  };
  return cmocka_run_group_tests_name("contact/collisions", tests, NULL, NULL);
}
