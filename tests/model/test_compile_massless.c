// Joints that carry nothing are refused, and only those.
#include "model/forest.h"

// One joint of a type with one link of this mass and principal moments, its centre at `com`.
typedef struct lone_joint {
  ff_joint_type type;
  double axis[3], mass, com[3], moments[3], armature;
  int is_fine;
} lone_joint;

static ff_status try_joint(const lone_joint *j, ff_error *error)
{
  ff_builder *b = new_builder();
  ff_model *model = NULL;
  ff_link_def def = solid_link("arm", FF_WORLD, "elbow", j->type);
  memcpy(def.joint.axis, j->axis, sizeof def.joint.axis);
  def.joint.armature = j->armature;
  def.inertia = (ff_inertia){.mass = j->mass,
                             .com = {j->com[0], j->com[1], j->com[2]},
                             .matrix = {j->moments[0], 0, 0, j->moments[1], 0, j->moments[2]}};
  ff_builder_set_source(b, "arm.xml", 4);
  add_link(b, &def);
  ff_builder_set_source(b, "other.xml", 99);
  ff_status status = ff_builder_finish(b, &model, error);
  ff_builder_destroy(b);
  ff_model_destroy(model);
  return status;
}

static void one_joint_by_type(void **state)
{
  static const lone_joint rows[] = {
      // revolute: inertia about the axis, from the link's own or from its distance
      {FF_JOINT_REVOLUTE, {0, 0, 1}, 0, {0, 0, 0}, {0, 0, 0}, 0, 0},
      {FF_JOINT_REVOLUTE, {0, 0, 1}, 0, {0, 0, 0}, {0, 0, 0}, 1e-9, 1},
      {FF_JOINT_REVOLUTE, {0, 0, 1}, 1, {0, 0, 1}, {0, 0, 0}, 0, 0}, // a point on the axis
      {FF_JOINT_REVOLUTE, {0, 0, 1}, 1, {1e-3, 0, 1}, {0, 0, 0}, 0, 1},
      {FF_JOINT_REVOLUTE, {1, 2, 3}, 1, {1, 2, 3}, {0, 0, 0}, 0, 0}, // on a slanted axis, to rounding
      {FF_JOINT_REVOLUTE, {1, 2, 3}, 1e-9, {1, 2, 3.001}, {0, 0, 0}, 0, 1},
      {FF_JOINT_REVOLUTE, {0, 0, 1}, 1, {0, 0, 0}, {1, 1, 0}, 0, 0}, // a rod along the axis
      {FF_JOINT_REVOLUTE, {0, 0, 1}, 1, {0, 0, 0}, {1, 1, 1e-9}, 0, 1},
      {FF_JOINT_REVOLUTE, {0, 0, 1}, 0, {0, 0, 0}, {0, 0, 1e-20}, 0, 1}, // massless but with a moment
      {FF_JOINT_REVOLUTE, {0, 0, 1}, 1, {0, 0, 0}, {1, 1, -0.1}, 0, 0},  // indefinite along the axis
      {FF_JOINT_REVOLUTE, {0, 0, 1}, 1, {0, 0, 0}, {-0.1, 1, 1}, 0, 1},  // only across it: a warning
      {FF_JOINT_CONTINUOUS, {0, 1, 0}, 0, {0, 0, 0}, {0, 0, 0}, 0, 0},
      // prismatic: mass
      {FF_JOINT_PRISMATIC, {0, 0, 1}, 0, {0, 0, 0}, {1, 1, 1}, 0, 0},
      {FF_JOINT_PRISMATIC, {0, 0, 1}, 1e-30, {0, 0, 0}, {0, 0, 0}, 0, 1},
      {FF_JOINT_PRISMATIC, {0, 0, 1}, 0, {0, 0, 0}, {0, 0, 0}, 0.1, 1},
      // spherical: all three
      {FF_JOINT_SPHERICAL, {0, 0, 0}, 1, {0, 0, 1}, {0, 0, 0}, 0, 0}, // a ball on a string
      {FF_JOINT_SPHERICAL, {0, 0, 0}, 1, {0, 0, 1}, {0, 0, 1e-6}, 0, 1},
      {FF_JOINT_SPHERICAL, {0, 0, 0}, 1, {0, 0, 1}, {0, 0, 0}, 1e-6, 1},
      {FF_JOINT_SPHERICAL, {0, 0, 0}, 1, {3, 1, 2}, {0, 0, 0}, 0, 0},
      // planar: mass and the moment about its centre
      {FF_JOINT_PLANAR, {0, 0, 1}, 1, {1, 2, 3}, {0, 0, 0}, 0, 0},
      {FF_JOINT_PLANAR, {0, 0, 1}, 1, {1, 2, 3}, {0, 0, 1e-3}, 0, 1},
      {FF_JOINT_PLANAR, {1, 0, 0}, 1, {0, 0, 0}, {1e-3, 0, 0}, 0, 1},
      {FF_JOINT_PLANAR, {0, 0, 1}, 0, {0, 0, 0}, {1, 1, 1}, 0, 0},
      // free
      {FF_JOINT_FREE, {0, 0, 0}, 1, {1, 2, 3}, {1, 1, 1}, 0, 1},
      {FF_JOINT_FREE, {0, 0, 0}, 1, {1, 2, 3}, {0, 0, 0}, 0, 0},
      {FF_JOINT_FREE, {0, 0, 0}, 0, {0, 0, 0}, {1, 1, 1}, 0, 0},
      {FF_JOINT_FREE, {0, 0, 0}, 1, {0, 0, 0}, {0, 1, 1}, 0, 0},
      {FF_JOINT_FREE, {0, 0, 0}, 1, {0.1, 0, 0}, {1e-9, 1e-9, 1e-9}, 0, 1},
      {FF_JOINT_FREE, {0, 0, 0}, 0, {0, 0, 0}, {0, 0, 0}, 1, 1},
      // fixed: nothing to carry
      {FF_JOINT_FIXED, {0, 0, 0}, 0, {0, 0, 0}, {0, 0, 0}, 0, 1},
  };
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    ff_error e = {0};
    ff_status status = try_joint(&rows[i], &e);
    if (status != (rows[i].is_fine ? FF_OK : FF_ERROR_MODEL))
      fail_msg("row %d: %s", (int)i, e.message);
    if (!rows[i].is_fine) {
      assert_true(strncmp(e.message, "arm.xml:4: joint 'elbow': it moves no ", 38) == 0);
      assert_non_null(strstr(e.message, "acceleration would be undefined"));
    }
  }
}

static void what_hangs_further_out_counts(void **state)
{
  (void)state;
  for (int heavy = 0; heavy < 2; ++heavy) { // a universal joint: two hinges with a massless link between them
    ff_builder *b = new_builder();
    ff_model *model = NULL;
    ff_error e = {0};
    ff_link_def cross = solid_link("cross", FF_WORLD, "first", FF_JOINT_REVOLUTE);
    ff_link_def plate = solid_link("plate", 0, "mount", FF_JOINT_FIXED);
    ff_link_def arm = solid_link("arm", 1, "second", FF_JOINT_REVOLUTE);
    cross.inertia = plate.inertia = ff_inertia_zero();
    arm.joint.axis[0] = 1;
    arm.joint.axis[2] = 0;
    arm.joint.armature = 0.1;
    if (!heavy)
      arm.inertia = ff_inertia_zero();
    add_link(b, &cross);
    add_link(b, &plate);
    add_link(b, &arm);
    assert_int_equal(ff_builder_finish(b, &model, &e), heavy ? FF_OK : FF_ERROR_MODEL);
    if (!heavy) // the second has an armature; the first carries nothing
      assert_non_null(strstr(e.message, "joint 'first'"));
    ff_builder_destroy(b);
    ff_model_destroy(model);
  }
}

// ---- Joints that carry something, but nothing of their own -------------------------------------------------

// A chain of links, root first: each with its type, axis, place, armature, and a body or none.
typedef struct chain_link {
  ff_joint_type type;
  double axis[3], at[3], armature;
  int is_solid;
} chain_link;

static ff_status try_chain(const chain_link *chain, int count, ff_error *error)
{
  static const char *const names[] = {"l0", "l1", "l2", "l3", "l4", "l5"};
  static const char *const joints[] = {"j0", "j1", "j2", "j3", "j4", "j5"};
  ff_builder *b = new_builder();
  ff_model *model = NULL;
  for (int i = 0; i < count; ++i) {
    ff_link_def def = solid_link(names[i], i - 1, joints[i], chain[i].type);
    memcpy(def.joint.axis, chain[i].axis, sizeof def.joint.axis);
    memcpy(def.joint.pose.position, chain[i].at, sizeof chain[i].at);
    def.joint.armature = chain[i].armature;
    if (!chain[i].is_solid)
      def.inertia = ff_inertia_zero();
    add_link(b, &def);
  }
  const ff_status status = ff_builder_finish(b, &model, error);
  ff_builder_destroy(b);
  ff_model_destroy(model);
  return status;
}

static void a_motion_that_the_next_joint_undoes_is_refused(void **state)
{
#define FREE                                                                                                 \
  FF_JOINT_FREE,                                                                                             \
  {                                                                                                          \
    0, 0, 0                                                                                                  \
  }
#define HINGE(x, y, z)                                                                                       \
  FF_JOINT_REVOLUTE,                                                                                         \
  {                                                                                                          \
    x, y, z                                                                                                  \
  }
#define SLIDE(x, y, z)                                                                                       \
  FF_JOINT_PRISMATIC,                                                                                        \
  {                                                                                                          \
    x, y, z                                                                                                  \
  }
#define BALL                                                                                                 \
  FF_JOINT_SPHERICAL,                                                                                        \
  {                                                                                                          \
    0, 0, 0                                                                                                  \
  }
#define PLANE(x, y, z)                                                                                       \
  FF_JOINT_PLANAR,                                                                                           \
  {                                                                                                          \
    x, y, z                                                                                                  \
  }
  static const struct {
    int refused; // the joint, -1: none
    int count;
    chain_link chain[6];
  } rows[] = {
      // a floating base without mass under a hinge, a slider, a ball, at its origin or elsewhere
      {0, 2, {{FREE, {0}, 0, 0}, {HINGE(0, 1, 0), {0}, 0, 1}}},
      {0, 2, {{FREE, {0}, 0, 0}, {HINGE(1, 2, 3), {0.3, 0.2, -0.7}, 0, 1}}},
      {0, 3, {{FREE, {0}, 0, 0}, {HINGE(0, 0, 1), {0.3, 0, 0}, 0, 1}, {HINGE(0, 1, 0), {1, 0, 0}, 0, 1}}},
      {0, 2, {{FREE, {0}, 0, 0}, {SLIDE(1, 2, 3), {0.3, 0.2, -0.7}, 0, 1}}},
      {0, 2, {{FREE, {0}, 0, 0}, {BALL, {100, 0, 0}, 0, 1}}},
      {0, 2, {{FREE, {0}, 0, 0}, {PLANE(1, 1, 0), {0, 1, 0}, 0, 1}}},
      {-1, 2, {{FREE, {0}, 0, 1}, {HINGE(0, 1, 0), {0}, 0, 1}}},
      {-1, 2, {{FREE, {0}, 0, 0}, {HINGE(0, 1, 0), {0}, 1e-6, 1}}}, // held by the hinge's armature
      {-1, 2, {{FREE, {0}, 1e-6, 0}, {HINGE(0, 1, 0), {0}, 0, 1}}}, // or by its own
      // coincident parallel joints with a massless link between them
      {0, 2, {{HINGE(0, 0, 1), {0}, 0, 0}, {HINGE(0, 0, 1), {0}, 0, 1}}},
      {0, 2, {{HINGE(0, 0, 1), {0}, 0, 0}, {HINGE(0, 0, 2), {0, 0, 5}, 0, 1}}},
      {0, 2, {{HINGE(1, 2, 3), {0}, 0, 0}, {HINGE(-1, -2, -3), {2, 4, 6}, 0, 1}}},
      {-1, 2, {{HINGE(0, 0, 1), {0}, 0, 0}, {HINGE(0, 0, 1), {1e-3, 0, 0}, 0, 1}}}, // side by side
      {-1, 2, {{HINGE(0, 0, 1), {0}, 0, 0}, {HINGE(0, 0, 1), {0}, 1e-9, 1}}},
      {-1, 2, {{HINGE(0, 0, 1), {0}, 1e-9, 0}, {HINGE(0, 0, 1), {0}, 0, 1}}},
      {0, 2, {{SLIDE(1, 2, 3), {0}, 0, 0}, {SLIDE(-1, -2, -3), {1, 0, 0}, 0, 1}}},
      {1, 3, {{FREE, {0}, 0, 1}, {BALL, {0, 1, 0}, 0, 0}, {HINGE(1, 2, 0), {0}, 0, 1}}},
      {1, 3, {{HINGE(1, 0, 0), {0}, 0, 1}, {PLANE(0, 0, 1), {0}, 0, 0}, {SLIDE(1, 1, 0), {0}, 0, 1}}},
      {0,
       4,
       {{HINGE(1, 0, 0), {0}, 0, 0},
        {HINGE(0, 1, 0), {0}, 0, 0},
        {HINGE(0, 0, 1), {0}, 0, 0},
        {HINGE(1, 1, 1), {0}, 0, 1}}}, // four hinges through one point turn in three ways
      {0,
       4,
       {{SLIDE(1, 0, 0), {0}, 0, 0},
        {SLIDE(0, 1, 0), {0}, 0, 0},
        {SLIDE(0, 0, 1), {0}, 0, 0},
        {SLIDE(1, 1, 1), {0}, 0, 1}}},
      // composed joints, massless in between
      {-1, 2, {{HINGE(1, 0, 0), {0}, 0, 0}, {HINGE(0, 1, 0), {0}, 0, 1}}},
      {-1, 3, {{HINGE(1, 0, 0), {0}, 0, 0}, {HINGE(0, 1, 0), {0}, 0, 0}, {HINGE(0, 0, 1), {0}, 0, 1}}},
      {-1,
       6,
       {{SLIDE(1, 0, 0), {0}, 0, 0},
        {SLIDE(0, 1, 0), {0}, 0, 0},
        {SLIDE(0, 0, 1), {0}, 0, 0},
        {HINGE(1, 0, 0), {0}, 0, 0},
        {HINGE(0, 1, 0), {0}, 0, 0},
        {HINGE(0, 0, 1), {0}, 0, 1}}},
      {-1, 2, {{BALL, {0}, 0, 0}, {HINGE(0, 0, 1), {0.1, 0, 0}, 0.1, 1}}},
      {-1, 3, {{HINGE(0, 0, 1), {0}, 0.1, 0}, {SLIDE(0, 1, 0), {0}, 0.1, 0}, {BALL, {0}, 0.1, 0}}},
  };
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    ff_error e = {0};
    const ff_status status = try_chain(rows[i].chain, rows[i].count, &e);
    if (status != (rows[i].refused < 0 ? FF_OK : FF_ERROR_MODEL))
      fail_msg("row %d: %d %s", (int)i, (int)status, e.message);
    if (rows[i].refused < 0)
      continue;
    char joint[64], link[64];
    snprintf(joint, sizeof joint, "joint 'j%d'", rows[i].refused);
    snprintf(link, sizeof link, "give link 'l%d' mass", rows[i].refused);
    assert_string_equal(e.thing, joint);
    assert_non_null(strstr(e.message, link));
    assert_int_equal(strstr(e.message, "fixed base") != NULL,
                     rows[i].chain[rows[i].refused].type == FF_JOINT_FREE);
  }
}

// Singular only where the arm is straight: the roll joint turns points on its axis.
static void an_unlucky_neutral_configuration_is_no_reason(void **state)
{
  (void)state;
  ff_builder *b = new_builder();
  ff_link_def roll = solid_link("roll", FF_WORLD, "a", FF_JOINT_REVOLUTE),
              bend = solid_link("bend", 0, "b", FF_JOINT_REVOLUTE);
  roll.inertia = ff_inertia_zero();
  bend.joint.axis[0] = 1;
  bend.joint.axis[2] = 0;
  bend.joint.pose.position[2] = 1;
  bend.inertia = (ff_inertia){.mass = 1, .com = {0, 0, 1}};
  add_link(b, &roll);
  add_link(b, &bend);
  ff_model_destroy(finish(b));
}

// Hinges all parallel, or each across the last, or slanted: thin links of which all that hang behind weigh much more.
static void long_chains_are_accepted(void **state)
{
  static const double axes[][2][3] = {
      {{0, 1, 0}, {0, 1, 0}}, {{0, 1, 0}, {1, 0, 0}}, {{1, 2, 3}, {-3, 1, 2}}, {{0, 1, 0}, {0, 0, 1}}};
  (void)state;
  for (size_t t = 0; t < sizeof axes / sizeof *axes; ++t) {
    ff_builder *b = new_builder();
    for (int i = 0; i < FF_MAX_DEPTH; ++i) {
      char name[16];
      snprintf(name, sizeof name, "l%d", i);
      ff_link_def def = solid_link(name, i - 1, NULL, i ? FF_JOINT_REVOLUTE : FF_JOINT_FREE);
      memcpy(def.joint.axis, axes[t][i % 2], sizeof def.joint.axis);
      def.joint.pose.position[2] = i ? -0.1 : 0; // a rope of rods, 0.1 m long and 4 mm thick, 1 g each
      def.inertia = (ff_inertia){.mass = 1e-3, .com = {0, 0, -0.05}, .matrix = {8e-7, 0, 0, 8e-7, 0, 2e-9}};
      add_link(b, &def);
    }
    ff_model_destroy(finish(b));
  }
}

static void a_negative_moment_is_named(void **state)
{
  (void)state;
  ff_builder *b = new_builder();
  ff_model *model = NULL;
  ff_error e = {0};
  ff_link_def base = solid_link("base", FF_WORLD, "root", FF_JOINT_FREE),
              tail = solid_link("tail", 0, "t", FF_JOINT_FIXED);
  tail.inertia.matrix[3] = -0.5;
  add_link(b, &base);
  add_link(b, &tail);
  assert_int_equal(ff_builder_finish(b, &model, &e), FF_ERROR_MODEL);
  assert_non_null(strstr(e.message, "joint 'root'"));
  assert_non_null(strstr(e.message, "link 'tail'"));
  assert_non_null(strstr(e.message, "principal moments -0.5, 0.1, 0.1"));
  ff_builder_destroy(b);
}

static void numbers_that_overflow_are_refused(void **state)
{
  (void)state;
  const double big[][3] = {{1e308, 1, 1}, {1, 1e200, 1}, {1, 1, 1.5e308}};
  for (size_t i = 0; i < sizeof big / sizeof *big; ++i) {
    ff_builder *b = new_builder();
    ff_model *model = NULL;
    ff_error e = {0};
    ff_link_def base = solid_link("base", FF_WORLD, "root", FF_JOINT_FREE),
                more = solid_link("more", 0, "glue", FF_JOINT_FIXED);
    base.inertia.mass = more.inertia.mass = big[i][0];
    base.inertia.com[0] = big[i][1];
    for (int k = 0; k < 6; ++k)
      base.inertia.matrix[k] = more.inertia.matrix[k] = k == 0 || k == 3 || k == 5 ? big[i][2] : 0;
    add_link(b, &base);
    add_link(b, &more);
    assert_int_equal(ff_builder_finish(b, &model, &e), FF_ERROR_MODEL);
    assert_non_null(strstr(e.message, "link 'base'"));
    assert_non_null(strstr(e.message, "overflow"));
    assert_null(model);
    ff_builder_destroy(b);
  }
}

// ---- Filling --------------------------------------------------------------------------------------------------------

// A massless base that carries everything by a hinge, two hinges about one axis, and a leaf: each gets the least, once.
// A joint with a rotor, and one that carries something, do not.
static void what_moves_nothing_is_filled(void **state)
{
  (void)state;
  ff_builder *b = new_builder();
  ff_model *model = NULL;
  ff_error e = {0};
  int count = -1;
  ff_link_def base = solid_link("base", FF_WORLD, "root", FF_JOINT_FREE);
  ff_link_def one = solid_link("one", 0, "first", FF_JOINT_REVOLUTE);
  ff_link_def two = solid_link("two", 1, "second", FF_JOINT_REVOLUTE);
  ff_link_def leaf = solid_link("leaf", 2, "wheel", FF_JOINT_REVOLUTE);
  ff_link_def rotor = solid_link("rotor", 2, "rotor", FF_JOINT_REVOLUTE);
  base.inertia = one.inertia = leaf.inertia = rotor.inertia = ff_inertia_zero();
  rotor.joint.armature = 0.1;
  ff_builder_set_source(b, "arm.xml", 7);
  add_link(b, &base);
  ff_builder_set_source(b, "arm.xml", 8);
  add_link(b, &one);
  add_link(b, &two);
  add_link(b, &leaf);
  add_link(b, &rotor);
  assert_int_equal(ff_builder_finish(b, &model, &e), FF_ERROR_MODEL);
  assert_int_equal(ff_builder_fill_massless(b, &count, &e), FF_OK);
  assert_int_equal(count, 3);
  assert_int_equal(ff_builder_finish(b, &model, &e), FF_OK);
  assert_true(fabs(ff_model_mass(model) - two.inertia.mass - 3e-3) < 1e-12);
  assert_non_null(strstr(ff_model_warning(model, 0), "arm.xml:7: "));
  assert_non_null(strstr(ff_model_warning(model, 0), "joints that move no mass: 3, "));
  assert_non_null(strstr(ff_model_warning(model, 0), "'root', 'first', 'wheel'"));
  ff_model_destroy(model);
  assert_int_equal(ff_builder_fill_massless(b, &count, &e), FF_OK); // nothing is left to do
  assert_int_equal(count, 0);
  ff_builder_destroy(b);
}

// No mass at all, or a negative moment, is a mistake: refused as before.
static void mistakes_are_not_filled(void **state)
{
  (void)state;
  for (int i = 0; i < 2; ++i) {
    ff_builder *b = new_builder();
    ff_model *model = NULL;
    ff_error e = {0};
    int count = -1;
    ff_link_def arm = solid_link("arm", FF_WORLD, "joint", FF_JOINT_REVOLUTE);
    arm.inertia = ff_inertia_zero();
    arm.inertia.mass = i;
    if (i == 1)
      arm.inertia.matrix[0] = arm.inertia.matrix[3] = arm.inertia.matrix[5] = -1;
    add_link(b, &arm);
    assert_int_equal(ff_builder_fill_massless(b, &count, &e), FF_OK);
    assert_int_equal(count, 0);
    assert_int_equal(ff_builder_finish(b, &model, &e), FF_ERROR_MODEL);
    ff_builder_destroy(b);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_joint_by_type),
      cmocka_unit_test(what_hangs_further_out_counts),
      cmocka_unit_test(a_motion_that_the_next_joint_undoes_is_refused),
      cmocka_unit_test(an_unlucky_neutral_configuration_is_no_reason),
      cmocka_unit_test(long_chains_are_accepted),
      cmocka_unit_test(a_negative_moment_is_named),
      cmocka_unit_test(numbers_that_overflow_are_refused),
      cmocka_unit_test(what_moves_nothing_is_filled),
      cmocka_unit_test(mistakes_are_not_filled),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
