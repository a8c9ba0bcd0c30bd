// What the parts of a robot are for: models made so that each answer is known beforehand.
#include "model/forest.h"

static void add_shape(ff_builder *b, int link, int purpose, double friction)
{
  ff_shape_def shape = ff_shape_def_default();
  ff_error error;
  shape.size[0] = 0.1;
  shape.purpose = purpose;
  shape.material.friction = friction;
  assert_int_equal(ff_builder_add_shape(b, link, &shape, &error), FF_OK);
}

// ---- Bases ----------------------------------------------------------------------------------------------------------

static ff_model *with_floating(int count)
{
  static const char *const names[3] = {"a", "b", "c"};
  ff_builder *b = new_builder();
  ff_link_def arm = solid_link("arm", FF_WORLD, "z_hinge", FF_JOINT_REVOLUTE);
  add_link(b, &arm);
  for (int i = 0; i < count; ++i) {
    ff_link_def body = solid_link(names[i], FF_WORLD, names[i], FF_JOINT_FREE);
    add_link(b, &body);
  }
  return finish(b);
}

static void a_base_is_the_only_joint_that_floats(void **state)
{
  (void)state;
  for (int floating = 0; floating < 4; ++floating) {
    ff_model *model = with_floating(floating);
    int count = -1;
    const int base = ff_model_base(model, &count);
    assert_int_equal(count, floating);
    assert_int_equal(base, floating == 1 ? ff_model_find_joint(model, "a") : -1);
    assert_int_equal(ff_model_base(model, NULL), base);
    ff_model_destroy(model);
  }
}

// Balls around a robot that floats are not its base; of two robots nobody knows.
static void a_base_carries_the_robot(void **state)
{
  (void)state;
  for (int robots = 1; robots <= 2; ++robots) {
    static const char *const limbs[2] = {"first_limb", "second_limb"}, *const trunks[2] = {"first", "second"};
    ff_builder *b = new_builder();
    ff_link_def ball = solid_link("ball", FF_WORLD, "ball", FF_JOINT_FREE);
    add_link(b, &ball);
    for (int i = 0; i < robots; ++i) {
      ff_link_def trunk = solid_link(trunks[i], FF_WORLD, trunks[i], FF_JOINT_FREE);
      const int id = add_link(b, &trunk);
      ff_link_def limb = solid_link(limbs[i], id, limbs[i], FF_JOINT_REVOLUTE);
      add_link(b, &limb);
    }
    ff_link_def other = solid_link("other", FF_WORLD, "other", FF_JOINT_FREE);
    add_link(b, &other);
    ff_model *model = finish(b);
    int count = -1;
    assert_int_equal(ff_model_base(model, &count), robots == 1 ? ff_model_find_joint(model, "first") : -1);
    assert_int_equal(count, robots + 2);
    ff_model_destroy(model);
  }
}

// ---- Shapes ---------------------------------------------------------------------------------------------------------

// Ground is what can be touched and does not move: in the world, or on a link that is fixed to it.
static void ground_is_what_does_not_move(void **state)
{
  (void)state;
  for (int where = 0; where < 3; ++where)
    for (int purpose = FF_SHAPE_VISUAL; purpose <= FF_SHAPE_COLLISION; ++purpose) {
      ff_builder *b = new_builder();
      ff_link_def body = solid_link("body", FF_WORLD, "float", FF_JOINT_FREE);
      ff_link_def table = solid_link("table", FF_WORLD, "glue", FF_JOINT_FIXED);
      const int links[3] = {FF_WORLD, add_link(b, &table), add_link(b, &body)};
      add_shape(b, links[where], purpose, 1);
      ff_model *model = finish(b);
      assert_int_equal(ff_model_has_ground(model), where < 2 && purpose == FF_SHAPE_COLLISION);
      ff_model_destroy(model);
    }
}

// Shapes of the ground and those that are only seen do not count.
static void a_common_material_is_that_of_all_that_move(void **state)
{
  (void)state;
  static const double frictions[3] = {0.25, 0.25, 0.5};
  for (int last = 0; last < 3; ++last) {
    ff_builder *b = new_builder();
    ff_link_def body = solid_link("body", FF_WORLD, "float", FF_JOINT_FREE);
    const int link = add_link(b, &body);
    ff_material material;
    for (int i = 0; i <= last; ++i)
      add_shape(b, link, FF_SHAPE_COLLISION, frictions[i]);
    add_shape(b, link, FF_SHAPE_VISUAL, 0.75);
    add_shape(b, FF_WORLD, FF_SHAPE_COLLISION, 0.875);
    ff_model *model = finish(b);
    assert_int_equal(ff_model_common_material(model, &material), last < 2);
    assert_true(last == 2 || material.friction == 0.25);
    ff_model_destroy(model);
  }
  ff_model *bare = with_floating(1);
  ff_material material;
  assert_int_equal(ff_model_common_material(bare, &material), 1);
  assert_true(material.friction == ff_material_default().friction);
  ff_model_destroy(bare);
}

// Materials that differ in one number only, whichever it is.
static void materials_differ_in_any_number(void **state)
{
  (void)state;
  for (int which = 0; which < 6; ++which) {
    ff_builder *b = new_builder();
    ff_link_def body = solid_link("body", FF_WORLD, "float", FF_JOINT_FREE);
    const int link = add_link(b, &body);
    ff_shape_def shape = ff_shape_def_default();
    ff_material *m = &shape.material, common;
    double *const numbers[5] = {&m->stiffness, &m->damping, &m->friction, &m->restitution,
                                &m->tangential_restitution};
    ff_error error;
    shape.size[0] = 0.1;
    assert_int_equal(ff_builder_add_shape(b, link, &shape, &error), FF_OK);
    if (which < 5)
      *numbers[which] += 0.5;
    assert_int_equal(ff_builder_add_shape(b, link, &shape, &error), FF_OK);
    ff_model *model = finish(b);
    assert_int_equal(ff_model_common_material(model, &common), which == 5);
    ff_model_destroy(model);
  }
}

// ---- Drives ---------------------------------------------------------------------------------------------------------

enum { PLAIN, WEAK, SPRUNG, HELD, BALL, JOINTS };
static const char *const joints[JOINTS] = {"plain", "weak", "sprung", "held", "ball"};

// A hinge of each kind; if actuators are declared, all but `plain` have one.
static ff_model *with_hinges(int has_actuators, ff_actuator_type type)
{
  ff_builder *b = new_builder();
  ff_error error;
  for (int i = 0; i < JOINTS; ++i) {
    ff_link_def def =
        solid_link(joints[i], FF_WORLD, joints[i], i == BALL ? FF_JOINT_SPHERICAL : FF_JOINT_REVOLUTE);
    def.joint.effort = i == WEAK ? 0 : 12.5;
    def.joint.stiffness = i == SPRUNG ? 3 : 0;
    ff_actuator_def actuator = ff_actuator_def_default();
    actuator.type = type;
    actuator.kp = 1;
    actuator.link = add_link(b, &def);
    if (has_actuators && i != PLAIN && i != BALL)
      assert_int_equal(ff_builder_add_actuator(b, &actuator, &error), FF_OK);
  }
  ff_element_def pd = ff_element_def_default();
  pd.type = FF_ELEMENT_JOINT_PD;
  pd.stiffness = 5;
  if (!has_actuators)
    assert_int_equal(ff_builder_add_element(b, &pd, "held", NULL, &error), FF_OK);
  return finish(b);
}

static void check_drives(ff_model *model, const ff_drive want[JOINTS])
{
  for (int i = 0; i < JOINTS; ++i)
    assert_int_equal(ff_model_drive(model, ff_model_find_joint(model, joints[i])), want[i]);
  assert_int_equal(ff_model_drive(model, -1), FF_DRIVE_NONE);
  ff_model_destroy(model);
}

static void drives_are_told_apart(void **state)
{
  (void)state;
  static const ff_drive bare[JOINTS] = {[PLAIN] = FF_DRIVE_MOTOR, [HELD] = FF_DRIVE_SERVO};
  static const ff_drive motors[JOINTS] = {[HELD] = FF_DRIVE_MOTOR};
  static const ff_drive servos[JOINTS] = {[HELD] = FF_DRIVE_SERVO};
  check_drives(with_hinges(0, FF_ACTUATOR_MOTOR), bare);
  check_drives(with_hinges(1, FF_ACTUATOR_MOTOR), motors);
  check_drives(with_hinges(1, FF_ACTUATOR_POSITION), servos);
}

static void motors_are_what_was_asked_for(void **state)
{
  (void)state;
  ff_model *model = with_hinges(0, FF_ACTUATOR_MOTOR);
  const int joint = ff_model_find_joint(model, "plain");
  const ff_element_def motor = ff_model_motor(model, joint, 0.5, 40, 2);
  assert_int_equal(motor.type, FF_ELEMENT_JOINT_PD);
  assert_int_equal(motor.joint, joint);
  assert_string_equal(motor.name, "plain");
  assert_true(motor.reference == 0.5 && motor.stiffness == 40 && motor.damping == 2 && motor.effort == 12.5);
  ff_model_destroy(model);
}

// Joint and motor have limits of their own; what holds a joint keeps to both. Two motors give what both give.
static void motors_keep_to_the_tighter_limit(void **state)
{
  (void)state;
  static const struct {
    double effort, range[2][2], want;
  } cases[] = {{12.5, {{-4, 4}, {0, 0}}, 4},     {12.5, {{-20, 20}, {0, 0}}, 12.5},
               {12.5, {{-3, 7}, {0, 0}}, 7}, // as a servo's: the larger end
               {12.5, {{-4, 4}, {-2, 2}}, 6},    {12.5, {{-INFINITY, INFINITY}, {0, 0}}, 12.5},
               {INFINITY, {{-4, 4}, {0, 0}}, 4}, {12.5, {{0, 0}, {0, 0}}, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    ff_builder *b = new_builder();
    ff_error error;
    ff_link_def def = solid_link("arm", FF_WORLD, "hinge", FF_JOINT_REVOLUTE);
    def.joint.effort = cases[i].effort;
    ff_actuator_def actuator = ff_actuator_def_default();
    actuator.link = add_link(b, &def);
    for (int k = 0; k < 2; ++k) {
      memcpy(actuator.force_range, cases[i].range[k], sizeof actuator.force_range);
      assert_int_equal(ff_builder_add_actuator(b, &actuator, &error), FF_OK);
    }
    ff_model *model = finish(b);
    assert_int_equal(ff_model_drive(model, 0), cases[i].want > 0 ? FF_DRIVE_MOTOR : FF_DRIVE_NONE);
    assert_true(ff_model_motor(model, 0, 0, 40, 2).effort == cases[i].want);
    ff_model_destroy(model);
  }
}

// A control beyond its range is not taken: the gear turns the range into force.
static void motors_keep_to_their_control_range(void **state)
{
  (void)state;
  static const struct {
    double control[2], gear, force, want;
  } cases[] = {{{-0.9, 0.9}, 50, INFINITY, 45},
               {{-1, 2}, -10, INFINITY, 20},
               {{-4, 4}, 25, 30, 30},
               {{0, 0}, 5, 9, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    ff_builder *b = new_builder();
    ff_error error;
    ff_link_def def = solid_link("arm", FF_WORLD, "hinge", FF_JOINT_REVOLUTE);
    ff_actuator_def actuator = ff_actuator_def_default();
    actuator.link = add_link(b, &def);
    actuator.gear = cases[i].gear;
    actuator.force_range[0] = -cases[i].force, actuator.force_range[1] = cases[i].force;
    memcpy(actuator.control_range, cases[i].control, sizeof actuator.control_range);
    assert_int_equal(ff_builder_add_actuator(b, &actuator, &error), FF_OK);
    ff_model *model = finish(b);
    assert_int_equal(ff_model_drive(model, 0), cases[i].want > 0 ? FF_DRIVE_MOTOR : FF_DRIVE_NONE);
    assert_true(fabs(ff_model_motor(model, 0, 0, 40, 2).effort - cases[i].want) < 1e-12 * 50);
    ff_model_destroy(model);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_base_is_the_only_joint_that_floats),
      cmocka_unit_test(a_base_carries_the_robot),
      cmocka_unit_test(ground_is_what_does_not_move),
      cmocka_unit_test(a_common_material_is_that_of_all_that_move),
      cmocka_unit_test(drives_are_told_apart),
      cmocka_unit_test(materials_differ_in_any_number),
      cmocka_unit_test(motors_are_what_was_asked_for),
      cmocka_unit_test(motors_keep_to_the_tighter_limit),
      cmocka_unit_test(motors_keep_to_their_control_range),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
