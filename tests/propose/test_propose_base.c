// Which robots are fixed to the world, which float, and which have ground: by rules, and overruled.
#define _GNU_SOURCE // mkstemps

#include "propose/proposal.h"
#include "support/must.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void check_base(const char *model, int fixes_base, ff_proposal_state expected)
{
  ff_proposal *p = ffi_proposal_must(model, NULL);
  if (p->fixes_base != fixes_base || p->state != expected)
    fail_msg("%s: fixed %d, state %d", model, p->fixes_base, (int)p->state);
  assert_int_equal(p->floating, !fixes_base);
  ff_proposal_destroy(p);
}

static void roots_float_or_not_by_rule(void **state)
{
  (void)state;
  check_base(ROBOTS "arm_without_world.urdf", 1, FF_PROPOSAL_HELD);
  check_base(ROBOTS "hand_mimic.urdf", 1, FF_PROPOSAL_HELD);
  check_base(ROBOTS "gripper_mimic.urdf", 1, FF_PROPOSAL_HELD);
  check_base(ROBOTS "car.urdf", 0, FF_PROPOSAL_STANDS); // wheels
  check_base(ROBOTS "mobile_manipulator.urdf", 0,
             FF_PROPOSAL_STANDS);                                // wheels, and casters of the root itself
  check_base(ROBOTS "quad_spheres.urdf", 0, FF_PROPOSAL_STANDS); // feet
  check_base(ROBOTS "digitigrade.urdf", 0, FF_PROPOSAL_STANDS);
  check_base(ROBOTS "drone.urdf", 0, FF_PROPOSAL_STANDS);     // rotors
  check_base(ROBOTS "quad_meshes.urdf", 0, FF_PROPOSAL_LIES); // its feet were not found, so nobody knows
  check_base(ROBOTS "mesh_arm.urdf", 1, FF_PROPOSAL_HELD);
  check_base(ROBOTS "cart_pole.urdf", 1,
             FF_PROPOSAL_HELD); // its root has no mass, though the cart could stand
  check_base(ROBOTS "mesh_hand.urdf", 1, FF_PROPOSAL_HELD); // its root is a palm
}

// Read as it is, the rail would float: the warning says what helps, and a fixed base has none.
static void a_root_without_mass_is_told(void **state)
{
  (void)state;
  for (int is_fixed = 0; is_fixed < 2; ++is_fixed) {
    ff_load_def load = ff_load_def_default();
    ff_model *model;
    ff_error error;
    load.fixed_base = is_fixed;
    ffi_must(ff_model_load(ROBOTS "cart_pole.urdf", &load, &model, &error), &error);
    assert_int_equal(ff_model_get_size(model).warnings, !is_fixed);
    const char *warning = ff_model_warning(model, 0);
    assert_true(is_fixed || (strstr(warning, "'root_joint'") && strstr(warning, "a root by '--fixed-base'")));
    ff_model_destroy(model);
  }
}

// What the user says counts.
static void the_rule_can_be_overruled(void **state)
{
  (void)state;
  ff_proposal_def def = ff_proposal_def_default();
  ff_load_def load = ff_load_def_default();
  def.base_rule = FF_PROPOSAL_BASE_FLOATING;
  ff_proposal *p = ffi_proposal_must(ROBOTS "gripper_mimic.urdf", &def);
  assert_true(!p->fixes_base && p->floating == 1);
  assert_null(strstr(p->text, "fixed_base"));
  ff_proposal_destroy(p);
  def = ff_proposal_def_default();
  load.fixed_base = 1;
  def.load = &load;
  p = ffi_proposal_must(ROBOTS "quad_spheres.urdf", &def);
  assert_true(!p->fixes_base && p->floating == 0); // not by rule
  assert_non_null(strstr(p->text, "fixed_base: true"));
  ff_proposal_destroy(p);
}

// The arm's wrist hangs below z = 0 at zero; on a pedestal of its own file there is room for ground.
static void no_ground_through_fixed_robots(void **state)
{
  (void)state;
  ff_proposal *p = ffi_proposal_must(ROBOTS "cart_pole.urdf", NULL);
  assert_string_equal(p->fixed_because, "its root has no mass");
  assert_non_null(strstr(p->text, "its root has no mass"));
  assert_true(p->has_no_ground);
  ff_proposal_destroy(p);
  p = ffi_proposal_must(ROBOTS "arm_without_world.urdf", NULL);
  assert_true(p->fixes_base && strstr(p->fixed_because, "neither wheels nor feet"));
  assert_true(p->has_no_ground);
  assert_non_null(strstr(p->text, "ground: []"));
  ff_proposal_destroy(p);
  p = ffi_proposal_must(MODELS "pendulum.urdf", NULL);
  assert_int_equal(p->has_no_ground, strstr(p->text, "ground: []") != NULL);
  ff_proposal_destroy(p);
}

// An arm beside a cup is held or falls as one alone: the cup, which floats, is not the robot. Its torques need no feet.
static void a_cup_is_not_the_robot(void **state)
{
  (void)state;
  ff_proposal *p = ffi_proposal_must(ROBOTS "arm_and_cup.xml", NULL);
  assert_int_equal(p->state, FF_PROPOSAL_HELD);
  assert_true(p->has_gravity && p->stands_on_count == 0);
  assert_non_null(strstr(p->text, "title: \"arm_and_cup: holds its posture\""));
  assert_non_null(strstr(p->text, "of 'cup' [m]"));
  ff_proposal_destroy(p);
  static const char model[] =
      "<mujoco model='swing'><worldbody><geom type='plane' size='2 2 .1'/>"
      "<body name='cup' pos='2 0 .05'><freejoint/><geom type='box' size='.05 .05 .05'/></body>"
      "<body pos='0 0 2'><joint name='a' axis='0 1 0'/><geom size='.1' pos='.5 0 0'/></body>"
      "<body pos='0 2 2'><joint name='b' axis='0 1 0'/><geom size='.1' pos='0 0 -.5'/></body>"
      "</worldbody><actuator><motor joint='b'/></actuator></mujoco>"; // nothing drives a
  char path[] = "/tmp/footfall-propose-XXXXXX.xml";
  const int file = mkstemps(path, 4);
  assert_true(file >= 0 && write(file, model, sizeof model - 1) == (ssize_t)sizeof model - 1);
  close(file);
  p = ffi_proposal_must(path, NULL);
  assert_int_equal(p->state, FF_PROPOSAL_MOVES);
  assert_non_null(strstr(p->text, "does not keep its posture"));
  ff_proposal_destroy(p);
  unlink(path);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(roots_float_or_not_by_rule), cmocka_unit_test(a_root_without_mass_is_told),
      cmocka_unit_test(the_rule_can_be_overruled),  cmocka_unit_test(no_ground_through_fixed_robots),
      cmocka_unit_test(a_cup_is_not_the_robot),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
