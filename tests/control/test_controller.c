// Controllers by their kind: what they refuse, that they are pure and allocate nothing, and limits they keep.
#include "robots.h"
#include "support/alloc_counter.h"

#include <footfall/control/controller.h>

static const char *feet[] = {"HL_FOOT", "HR_FOOT", "FL_FOOT", "FR_FOOT"};

static ff_controller_def squat_def(void)
{
  ff_controller_def def = ff_controller_def_default();
  def.type = FF_CONTROLLER_SQUAT;
  def.period = 0.04;
  def.squat = (ff_squat_def){.feet = feet, .feet_count = 4, .amplitude = {0, 0, 0.03}, .rate = {0, 0, 2}};
  return def;
}

static ff_controller_def walk_def(void)
{
  ff_controller_def def = ff_controller_def_default();
  def.type = FF_CONTROLLER_WALK;
  def.period = 0.04;
  def.middle = 1;
  def.walk.right_foot = "r_ankle";
  def.walk.left_foot = "l_ankle";
  def.walk.base = "base_link";
  def.walk.sole_height = 0.07;
  return def;
}

static ff_controller_def trot_def(void)
{
  static const char *in_order[] = {"FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"};
  ff_controller_def def = ff_controller_def_default();
  def.type = FF_CONTROLLER_TROT;
  def.period = 0.002;
  def.middle = 1;
  def.trot.base = "base_link";
  def.trot.feet = in_order, def.trot.feet_count = 4;
  return def;
}

static ff_controller *must_create(const ff_model *model, const ff_controller_def *def, const double *q)
{
  ff_controller *controller;
  ff_error error;
  ffi_must(ff_controller_create(model, def, q, &controller, &error), &error);
  return controller;
}

static void refuse(const ff_model *model, const ff_controller_def *def, const char *thing)
{
  ff_controller *controller = (ff_controller *)1;
  ff_error error = {0};
  const double *q = ff_model_posture(model, 0);
  assert_int_equal(ff_controller_create(model, def, q, &controller, &error), FF_ERROR_ARGUMENT);
  assert_null(controller);
  assert_string_equal(error.thing, thing);
}

static void what_makes_no_sense_is_refused_by_field(void **state)
{
  (void)state;
  static const char *wrong[] = {"HL_FOOT", "nose"};
  ff_model *solo = ffi_robot("solo12.urdf"), *romeo = ffi_robot("romeo.urdf");
  ff_controller_def def = squat_def();
  def.squat.feet = wrong, def.squat.feet_count = 2;
  refuse(solo, &def, "squat.feet[1]");
  wrong[1] = "world";
  refuse(solo, &def, "squat.feet[1]");
  wrong[1] = NULL;
  refuse(solo, &def, "squat.feet[1]");
  def.squat.feet_count = 0;
  refuse(solo, &def, "squat.feet");
  def.squat.feet_count = 65;
  refuse(solo, &def, "squat.feet");
  def = squat_def(), def.period = 0;
  refuse(solo, &def, "period");
  def.period = NAN;
  refuse(solo, &def, "period");
  def.period = 1, def.type = (ff_controller_type)77;
  refuse(solo, &def, "type");
  def.type = FF_CONTROLLER_FEEDBACK;
  refuse(solo, &def, "feedback");
  def = walk_def(), def.walk.base = "nowhere";
  refuse(romeo, &def, "walk.base");
  def = walk_def(), def.walk.left_foot = NULL;
  refuse(romeo, &def, "walk.left_foot");
  ff_model_destroy(solo);
  ff_model_destroy(romeo);
}

static void a_trot_refuses_by_field(void **state)
{
  (void)state;
  static const char *wrong[] = {"FL_FOOT", "FR_FOOT", "HL_FOOT", "paw"};
  static const char *const fields[] = {
      "trot.frequency",   "trot.duty",       "trot.duty",      "trot.speed",     "trot.height",
      "trot.step_height", "trot.start_time", "trot.ramp_time", "trot.placement", "trot.frequency"};
  ff_model *solo = ffi_robot("solo12.urdf");
  ff_controller_def def = trot_def();
  def.trot.base = "nowhere";
  refuse(solo, &def, "trot.base");
  def = trot_def(), def.trot.feet = wrong;
  refuse(solo, &def, "trot.feet[3]");
  def = trot_def(), def.trot.feet_count = 3;
  refuse(solo, &def, "trot.feet");
  def.trot.feet = NULL, def.trot.feet_count = 4;
  refuse(solo, &def, "trot.feet");
  for (int i = 0; i < 10; ++i) {
    def = trot_def();
    ff_trot_task_def *t = &def.trot;
    double *const numbers[] = {&t->frequency,   &t->duty,       &t->duty,      &t->speed,     &t->height,
                               &t->step_height, &t->start_time, &t->ramp_time, &t->placement, &t->frequency};
    static const double values[] = {0, 0.4, 1, INFINITY, 0, -1, -1, 0, NAN, NAN};
    *numbers[i] = values[i];
    refuse(solo, &def, fields[i]);
  }
  ff_model_destroy(solo);
}

static void kinds_without_torques_give_none(void **state)
{
  (void)state;
  ff_model *model = ffi_robot("solo12.urdf");
  const double *q = ffi_robot_posture(model, "standing"), v[18] = {0};
  for (int type = FF_CONTROLLER_NONE; type <= FF_CONTROLLER_POSTURE_PD; ++type) {
    ff_controller_def def = ff_controller_def_default();
    double tau[18] = {1, 2, 3}, com[3];
    def.type = (ff_controller_type)type;
    ff_controller *controller = must_create(model, &def, q);
    assert_int_equal(ff_controller_tau(controller, 0, q, v, tau, NULL), FF_OK);
    assert_int_equal(ff_controller_com(controller, 0, com), 0);
    for (int i = 0; i < 18; ++i)
      assert_true(tau[i] == 0);
    ff_controller_destroy(controller);
  }
  ff_model_destroy(model);
}

// kp (q0 - q) - kd v on every motor, nothing on what floats; gains that are no numbers are refused.
static void a_posture_pulls_back(void **state)
{
  (void)state;
  ff_model *model = ffi_robot("starleth.urdf");
  const double *q0 = ffi_robot_posture(model, "standing");
  ff_controller_def def = ff_controller_def_default();
  double q[19], v[18] = {0}, tau[18], com[3];
  def.type = FF_CONTROLLER_POSTURE;
  def.kp = -1;
  refuse(model, &def, "kp");
  def.kp = 30, def.kd = NAN;
  refuse(model, &def, "kd");
  def.kd = 2;
  ff_controller *controller = must_create(model, &def, q0);
  memcpy(q, q0, sizeof q);
  q[8] += 0.5, v[7] = 0.25; // the second joint
  assert_int_equal(ff_controller_tau(controller, 0, q, v, tau, NULL), FF_OK);
  for (int i = 0; i < 18; ++i)
    assert_true(fabs(tau[i] - (i == 7 ? -30 * 0.5 - 2 * 0.25 : 0)) < 1e-14);
  assert_int_equal(ff_controller_com(controller, 0, com), 0);
  ff_controller_destroy(controller);
  ff_model_destroy(model);
}

// States near a posture at random times: forwards, backwards, and by a controller that was never asked anything else.
static void check_pure(ff_model *model, const ff_controller_def *def, const char *posture, double end)
{
  enum { COUNT = 12 };
  static double q[COUNT][FFI_MOST_NV + 1], v[COUNT][FFI_MOST_NV], tau[COUNT][FFI_MOST_NV];
  const double *q0 = ffi_robot_posture(model, posture);
  const int nv = ff_model_get_size(model).nv;
  double again[FFI_MOST_NV], t[COUNT];
  ffi_random random = ffi_random_seed(11);
  ff_controller *controller = must_create(model, def, q0);
  for (int k = 0; k < COUNT; ++k) {
    double dv[FFI_MOST_NV];
    ff_error error;
    ffi_random_vector(&random, nv, 0.01, dv);
    ff_model_integrate(model, q0, dv, q[k]);
    ffi_random_vector(&random, nv, 0.05, v[k]);
    t[k] = end * k / COUNT;
    ffi_must(ff_controller_tau(controller, t[k], q[k], v[k], tau[k], &error), &error);
  }
  const long before = ffi_test_alloc_count();
  for (int k = COUNT - 1; k >= 0; --k) {
    assert_int_equal(ff_controller_tau(controller, t[k], q[k], v[k], again, NULL), FF_OK);
    assert_memory_equal(again, tau[k], (size_t)nv * sizeof(double));
  }
  assert_int_equal(ffi_test_alloc_count(), before);
  for (int k = 0; k < COUNT; ++k) {
    ff_controller *fresh = must_create(model, def, q0);
    assert_int_equal(ff_controller_tau(fresh, t[k], q[k], v[k], again, NULL), FF_OK);
    assert_memory_equal(again, tau[k], (size_t)nv * sizeof(double));
    ff_controller_destroy(fresh);
  }
  ff_controller_destroy(controller);
}

static void controllers_are_pure_and_allocate_nothing(void **state)
{
  (void)state;
  ff_model *solo = ffi_robot("solo12.urdf"), *romeo = ffi_robot("romeo.urdf");
  ff_controller_def def = squat_def();
  check_pure(solo, &def, "squat", 4);
  def = walk_def();
  check_pure(romeo, &def, "standing", 8); // through single and double support
  def = trot_def();
  check_pure(solo, &def, "straight_standing", 2); // on four feet and on both pairs
  def.type = FF_CONTROLLER_POSTURE, def.kp = 3, def.kd = 0.1;
  check_pure(solo, &def, "squat", 1);
  ff_model_destroy(solo);
  ff_model_destroy(romeo);
}

static void the_squat_asks_for_its_sine(void **state)
{
  (void)state;
  ff_model *model = ffi_robot("solo12.urdf");
  const double *q0 = ffi_robot_posture(model, "squat");
  ff_controller_def def = squat_def();
  def.squat.offset[0] = 0.01;
  ff_controller *controller = must_create(model, &def, q0);
  ff_dynamics *dynamics;
  double com[3], start[3];
  assert_int_equal(ff_dynamics_create(model, NULL, &dynamics, NULL), FF_OK);
  ff_dynamics_kinematics(dynamics, q0, NULL, NULL);
  ff_dynamics_com(dynamics, start);
  assert_int_equal(ff_controller_com(controller, 0.7, com), 1);
  assert_true(fabs(com[0] - start[0] - 0.01) < 1e-15 && fabs(com[2] - start[2] - 0.03 * sin(1.4)) < 1e-15);
  ff_dynamics_destroy(dynamics);
  ff_controller_destroy(controller);
  ff_model_destroy(model);
}

// With torque_limits no torque is above the joint's effort, even when asked to leap.
static void torques_keep_to_the_joints_limits(void **state)
{
  (void)state;
  ff_model *model = ffi_robot("solo12.urdf");
  const double *q0 = ffi_robot_posture(model, "squat"), v[18] = {0};
  double most[2] = {0};
  ff_joint_info joint;
  ff_model_joint(model, 1, &joint);
  for (int is_limited = 0; is_limited < 2; ++is_limited) {
    ff_controller_def def = squat_def();
    double tau[18];
    ff_error error;
    def.tasks.contact = (ff_task){.weight = 1, .kp = 1, .kd = -1};
    def.tasks.torque_limits = is_limited;
    def.tasks.com.kp = 1e6;
    def.squat.offset[2] = 0.05;
    ff_controller *controller = must_create(model, &def, q0);
    ffi_must(ff_controller_tau(controller, 0, q0, v, tau, &error), &error);
    for (int i = 6; i < 18; ++i)
      most[is_limited] = fmax(most[is_limited], fabs(tau[i]));
    ff_controller_destroy(controller);
  }
  print_message("  %.3g N m without limits, %.3g with; the limit is %.3g\n", most[0], most[1], joint.effort);
  assert_true(most[0] > joint.effort && most[1] <= joint.effort * (1 + 1e-9));
  ff_model_destroy(model);
}

static void running_out_of_memory_is_an_error(void **state)
{
  (void)state;
  if (!ffi_test_alloc_works())
    skip();
  ff_model *model = ffi_robot("romeo.urdf");
  const double *q0 = ffi_robot_posture(model, "standing");
  ff_controller_def def = walk_def();
  def.tasks.torque_limits = 1;
  for (long n = 1;; ++n) {
    ff_controller *controller = NULL;
    ffi_test_alloc_fail_at(n);
    const ff_status status = ff_controller_create(model, &def, q0, &controller, NULL);
    const int has_failed = ffi_test_alloc_failed();
    ff_controller_destroy(controller);
    assert_int_equal(status, has_failed ? FF_ERROR_MEMORY : FF_OK);
    if (!has_failed) {
      assert_true(n > 3);
      break;
    }
  }
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_makes_no_sense_is_refused_by_field),
      cmocka_unit_test(a_trot_refuses_by_field),
      cmocka_unit_test(kinds_without_torques_give_none),
      cmocka_unit_test(a_posture_pulls_back),
      cmocka_unit_test(controllers_are_pure_and_allocate_nothing),
      cmocka_unit_test(the_squat_asks_for_its_sine),
      cmocka_unit_test(torques_keep_to_the_joints_limits),
      cmocka_unit_test(running_out_of_memory_is_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
