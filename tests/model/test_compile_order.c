// The order of joints, links and frames, on trees drawn by hand.
#include "model/forest.h"

typedef struct row {
  const char *link, *joint;
  int parent;
  ff_joint_type type;
} row;

static ff_model *build(const row *rows, int count)
{
  ff_builder *b = new_builder();
  for (int i = 0; i < count; ++i) {
    ff_link_def def = solid_link(rows[i].link, rows[i].parent, rows[i].joint, rows[i].type);
    add_link(b, &def);
  }
  return finish(b);
}

static void expect_joints(const ff_model *model, const char *const *names, int count)
{
  assert_int_equal(ff_model_get_size(model).joints, count);
  for (int i = 0; i < count; ++i) {
    ff_joint_info joint;
    assert_int_equal(ff_model_joint(model, i, &joint), FF_OK);
    assert_string_equal(joint.name, names[i]);
    assert_int_equal(ff_model_find_joint(model, names[i]), i);
  }
}

static void siblings_go_by_joint_name_not_by_call(void **state)
{
  static const row rows[] = {
      {"base", "root", -1, FF_JOINT_FREE},   {"z", "leg_b", 0, FF_JOINT_REVOLUTE},
      {"y", "leg_c", 0, FF_JOINT_REVOLUTE},  {"x", "leg_a", 0, FF_JOINT_REVOLUTE},
      {"w", "a_knee", 1, FF_JOINT_REVOLUTE}, {"v", "z_knee", 3, FF_JOINT_REVOLUTE},
  };
  static const char *const order[] = {"root", "leg_a", "z_knee", "leg_b", "a_knee", "leg_c"};
  (void)state;
  ff_model *model = build(rows, 6);
  expect_joints(model, order, 6);
  ff_joint_info joint;
  ff_model_joint(model, 2, &joint);
  assert_int_equal(joint.parent, 1);
  assert_int_equal(joint.q, 8);
  assert_int_equal(joint.v, 7);
  ff_model_destroy(model);
}

static void bytes_decide_not_letters(void **state)
{
  static const row rows[] = {
      {"1", "b", -1, FF_JOINT_REVOLUTE},        {"2", "B", -1, FF_JOINT_REVOLUTE},
      {"3", "a10", -1, FF_JOINT_REVOLUTE},      {"4", "a9", -1, FF_JOINT_REVOLUTE},
      {"5", "\xc3\xa9", -1, FF_JOINT_REVOLUTE}, {"6", "_", -1, FF_JOINT_REVOLUTE},
      {"7", "a", -1, FF_JOINT_REVOLUTE},
  };
  static const char *const order[] = {"B", "_", "a", "a10", "a9", "b", "\xc3\xa9"};
  (void)state;
  ff_model *model = build(rows, 7);
  expect_joints(model, order, 7);
  assert_int_equal(ff_model_get_size(model).roots, 7);
  ff_model_destroy(model);
}

// A fixed link is walked in its place, so what hangs on it comes where its own fixed joint's name puts it.
static void fixed_links_are_walked_in_their_place(void **state)
{
  static const row rows[] = {
      {"base", "root", -1, FF_JOINT_FREE},    {"arm", "c", 0, FF_JOINT_REVOLUTE},
      {"mount", "b", 0, FF_JOINT_FIXED},      {"camera", "z", 2, FF_JOINT_REVOLUTE},
      {"leg", "a", 0, FF_JOINT_REVOLUTE},     {"plate", "d", 2, FF_JOINT_FIXED},
      {"wheel", "e", 5, FF_JOINT_CONTINUOUS},
  };
  static const char *const order[] = {"root", "a", "e", "z", "c"};
  static const char *const links[] = {"base", "leg", "mount", "plate", "wheel", "camera", "arm"};
  (void)state;
  ff_model *model = build(rows, 7);
  expect_joints(model, order, 5);
  for (int i = 0; i < 7; ++i) {
    ff_link_info link;
    ff_model_link(model, i, &link);
    assert_string_equal(link.name, links[i]);
    assert_int_equal(link.frame, i + 1);
    assert_int_equal(ff_model_find_link(model, links[i]), i);
    assert_int_equal(ff_model_find_frame(model, links[i]), i + 1);
  }
  ff_link_info plate, wheel;
  ff_model_link(model, 3, &plate);
  ff_model_link(model, 4, &wheel);
  assert_int_equal(plate.joint, 0); // moves with the base
  assert_int_equal(plate.parent, 2);
  assert_int_equal(plate.joint_type, FF_JOINT_FIXED);
  assert_string_equal(plate.joint_name, "d");
  assert_int_equal(wheel.joint, 2);
  ff_joint_info e;
  ff_model_joint(model, 2, &e);
  assert_int_equal(e.parent, 0);
  assert_int_equal(e.link, 4);
  ff_model_destroy(model);
}

static void roots_fixed_and_moving_mix(void **state)
{
  static const row rows[] = {
      {"robot", "m_robot", -1, FF_JOINT_FREE},  {"table", "b_table", -1, FF_JOINT_FIXED},
      {"lamp", "x_lamp", 1, FF_JOINT_REVOLUTE}, {"box", "c_box", -1, FF_JOINT_FREE},
      {"puck", "a_puck", 1, FF_JOINT_FREE},     {"vase", "q_vase", 1, FF_JOINT_FIXED},
  };
  static const char *const order[] = {"a_puck", "x_lamp", "c_box", "m_robot"};
  (void)state;
  ff_model *model = build(rows, 6);
  expect_joints(model, order, 4);
  const ff_model_size size = ff_model_get_size(model);
  assert_int_equal(size.roots, 4);
  assert_int_equal(size.actuated, 1);
  assert_int_equal(size.links, 6);
  assert_int_equal(size.frames, 7);
  assert_int_equal(size.nq, 7 + 1 + 7 + 7);
  assert_int_equal(size.nv, 6 + 1 + 6 + 6);
  assert_near(ff_model_mass(model), 4, 0); // the table and the vase do not move
  ff_link_info vase;
  ff_model_link(model, ff_model_find_link(model, "vase"), &vase);
  assert_int_equal(vase.joint, -1);
  ff_model_destroy(model);
}

// The order of calls must not matter: the same tree, told in many orders, gives the same model.
static void the_order_of_calls_does_not_matter(void **state)
{
  enum { N = 40 };
  (void)state;
  rng r = {1};
  forest f;
  random_forest(&r, N, &f);
  f.frame_count = 0;
  ff_model *first = build_forest(&f);
  for (int t = 0; t < 20; ++t) {
    int done[N] = {0}, id[N];
    ff_builder *b = new_builder();
    for (int k = 0; k < N;) {
      int i = random_below(&r, N);
      if (done[i] || (f.links[i].parent >= 0 && !done[f.links[i].parent]))
        continue;
      ff_link_def def = f.links[i];
      def.parent = def.parent < 0 ? FF_WORLD : id[def.parent];
      id[i] = add_link(b, &def);
      done[i] = 1;
      ++k;
    }
    ff_model *again = finish(b);
    const ff_model_size size = ff_model_get_size(first);
    for (int i = 0; i < size.joints; ++i) {
      ff_joint_info x, y;
      ff_model_joint(first, i, &x);
      ff_model_joint(again, i, &y);
      assert_string_equal(x.name, y.name);
      assert_int_equal(x.parent, y.parent);
      assert_int_equal(x.q, y.q);
      assert_int_equal(x.link, y.link);
    }
    ff_model_destroy(again);
  }
  ff_model_destroy(first);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(siblings_go_by_joint_name_not_by_call), cmocka_unit_test(bytes_decide_not_letters),
      cmocka_unit_test(fixed_links_are_walked_in_their_place), cmocka_unit_test(roots_fixed_and_moving_mix),
      cmocka_unit_test(the_order_of_calls_does_not_matter),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
