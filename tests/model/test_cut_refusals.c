// Cut models: what cannot be cut, or would be lost, is refused by name.
#include "model/cut_cases.h"
#include "support/alloc_counter.h"
#include "support/must.h"
#include "support/robots.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void expect_refusal(const ff_model *model, const ff_cut_def *def, ff_status want, const char *words)
{
  ff_error error = {0};
  ff_cut *cut = (ff_cut *)&error;
  const ff_status status = ff_cut_create(model, def, &cut, &error);
  if (status != want || cut || !strstr(error.message, words))
    fail_msg("status %d, '%s'; wanted %d, '%s'", (int)status, error.message, (int)want, words);
  assert_int_equal(ff_cut_create(model, def, &cut, NULL), want);
}

static void bad_lists_are_refused(void **state)
{
  (void)state;
  ff_model *model = ffi_cut_workshop();
  const char *names[2] = {"pin", "pin"};
  ff_cut_def def = ff_cut_def_default();
  static const struct {
    const char *name;
    ff_status status;
    const char *words;
  } cases[] = {
      {"knee", FF_ERROR_ARGUMENT, "joint 'knee': the model has no joint of this name"},
      {"", FF_ERROR_ARGUMENT, "the model has no joint of this name"},
      {"glue", FF_ERROR_ARGUMENT, "joint 'glue': it is fixed, so there is nothing to cut"},
      {"hook_free", FF_ERROR_ARGUMENT, "joint 'hook_free': it is free, so what it carries floats already"},
      {"pin", FF_ERROR_ARGUMENT, "joint 'pin': it is listed twice"},
      {NULL, FF_ERROR_ARGUMENT, "joints[1] is NULL"},
  };
  def.set = FF_CUT_LISTED;
  def.joints = names;
  def.joint_count = 2;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    names[1] = cases[i].name;
    expect_refusal(model, &def, cases[i].status, cases[i].words);
  }
  def.joint_count = 0;
  expect_refusal(model, &def, FF_ERROR_MODEL, "the list of joints is empty");
  def.joint_count = -1;
  expect_refusal(model, &def, FF_ERROR_ARGUMENT, "joint_count is -1");
  def.joint_count = 1;
  def.joints = NULL;
  expect_refusal(model, &def, FF_ERROR_ARGUMENT, "joints is NULL");
  def.set = (ff_cut_set)9;
  expect_refusal(model, &def, FF_ERROR_ARGUMENT, "there is no set 9");
  def.set = FF_CUT_MAXIMAL;
  expect_refusal(NULL, &def, FF_ERROR_ARGUMENT, "an argument is NULL");
  assert_int_equal(ff_cut_create(model, NULL, NULL, NULL), FF_ERROR_ARGUMENT);
  ff_model_destroy(model);
  model = ffi_robot("ball.urdf");
  expect_refusal(model, &def, FF_ERROR_MODEL, "no joint can be cut");
  def.set = FF_CUT_EXTENDED;
  expect_refusal(model, &def, FF_ERROR_MODEL, "no joint hangs on a root body");
  ff_model_destroy(model);
}

typedef enum loss { ARMATURE, LIMITS, DAMPING, FRICTION, SPRING, SERVO, PD, STOP, LOSSES } loss;

// A pendulum whose joint has one of these.
static ff_model *lossy(loss what)
{
  ff_builder *b = ffi_must_begin("pendulum");
  ff_link_def link = ff_link_def_default();
  ff_error error;
  link.name = "rod";
  link.joint.name = "hinge";
  link.joint.type = FF_JOINT_REVOLUTE;
  link.joint.axis[1] = 1;
  link.inertia = (ff_inertia){.mass = 1, .matrix = {1, 0, 0, 1, 0, 1}};
  link.joint.armature = what == ARMATURE;
  link.joint.has_limits = what == LIMITS;
  link.joint.upper = 1;
  link.joint.damping = what == DAMPING;
  link.joint.friction = what == FRICTION;
  link.joint.stiffness = what == SPRING;
  link.joint.effort = link.joint.velocity = 3; // of motors, which are no loss
  ffi_must_add_link(b, &link);
  ff_actuator_def motor = ff_actuator_def_default();
  motor.link = 0;
  ffi_must(ff_builder_add_actuator(b, &motor, &error), &error);
  motor.type = FF_ACTUATOR_VELOCITY;
  motor.kv = 1;
  if (what == SERVO)
    ffi_must(ff_builder_add_actuator(b, &motor, &error), &error);
  ff_element_def element = ff_element_def_default();
  element.type = what == STOP ? FF_ELEMENT_JOINT_LIMIT : FF_ELEMENT_JOINT_PD;
  element.lower = -1;
  if (what == STOP || what == PD)
    ffi_must(ff_builder_add_element(b, &element, "hinge", NULL, &error), &error);
  return ffi_must_finish(b);
}

static void what_would_be_lost_is_refused_unless_it_may_be(void **state)
{
  static const char *const words[LOSSES] = {"its armature", "its limits", "its damping", "its dry friction",
                                            "its spring",   "its servo",  "its servo",   "its limits"};
  (void)state;
  for (loss what = ARMATURE; what < LOSSES; ++what) {
    ff_model *model = lossy(what);
    ff_cut_def def = ff_cut_def_default();
    ff_error error;
    ff_cut *cut;
    char text[64];
    def.set = FF_CUT_MAXIMAL;
    // Allowed: everything else.
    def.drop_armature = what != ARMATURE;
    def.drop_limits = what != LIMITS && what != STOP;
    def.drop_damping = what != DAMPING;
    def.drop_friction = what != FRICTION;
    def.drop_springs = what != SPRING;
    def.drop_servos = what != SERVO && what != PD;
    snprintf(text, sizeof text, "joint 'hinge': cut, it would lose %s;", words[what]);
    expect_refusal(model, &def, FF_ERROR_UNSUPPORTED, text);
    def.drop_armature = def.drop_limits = def.drop_damping = def.drop_friction = def.drop_springs =
        def.drop_servos = 1;
    ffi_must(ff_cut_create(model, &def, &cut, &error), &error);
    assert_int_equal(ff_model_get_size(ff_cut_model(cut)).actuators, 0);
    assert_int_equal(ff_model_get_size(ff_cut_model(cut)).elements, 1);
    ff_cut_destroy(cut);
    ff_model_destroy(model);
  }
}

// A link without mass is fine on a joint whose child is heavy, but not afloat.
static void a_piece_needs_inertia(void **state)
{
  (void)state;
  ff_builder *b = ffi_must_begin("cardan");
  ff_link_def link = ff_link_def_default();
  link.name = "cross";
  link.joint.type = FF_JOINT_REVOLUTE;
  link.joint.axis[0] = 1;
  const int cross = ffi_must_add_link(b, &link);
  link.name = "rod";
  link.parent = cross;
  link.joint.axis[1] = 1;
  link.inertia = (ff_inertia){.mass = 1, .matrix = {1, 0, 0, 1, 0, 1}};
  ffi_must_add_link(b, &link);
  ff_model *model = ffi_must_finish(b);
  ff_cut_def def = ff_cut_def_default();
  def.set = FF_CUT_MAXIMAL;
  expect_refusal(model, &def, FF_ERROR_MODEL, "cross");
  ff_model_destroy(model);
}

static void no_memory_is_survived(void **state)
{
  (void)state;
  if (!ffi_test_alloc_works())
    skip();
  ff_model *model = ffi_cut_workshop();
  static const char *const joints[] = {"turn", "sling"};
  ff_cut_def def = {.set = FF_CUT_LISTED, .joints = joints, .joint_count = 2};
  long tried = 0;
  for (;;) {
    ff_cut *cut;
    ff_error error;
    ffi_test_alloc_fail_at(++tried);
    const ff_status status = ff_cut_create(model, &def, &cut, &error);
    const int has_failed = ffi_test_alloc_failed();
    ffi_test_alloc_fail_at(0);
    assert_true(status == FF_OK ? cut != NULL : cut == NULL && status == FF_ERROR_MEMORY);
    ff_cut_destroy(cut);
    if (!has_failed) {
      assert_int_equal(status, FF_OK);
      break;
    }
  }
  assert_true(tried > 10);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bad_lists_are_refused),
      cmocka_unit_test(what_would_be_lost_is_refused_unless_it_may_be),
      cmocka_unit_test(a_piece_needs_inertia),
      cmocka_unit_test(no_memory_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
