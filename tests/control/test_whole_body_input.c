// Definitions that make no sense are refused with a reason, and no memory is an error, not a crash.
#include "robots.h"

#include "support/alloc_counter.h"

static void spoil(int k, ff_whole_body_def *def, ff_contact_task feet[4], ff_frame_task *frame)
{
  static const double sick[3] = {0, NAN, 0}, negative[18] = {[7] = -1};
  switch (k) {
  case 0: def->com.weight = -1; break;
  case 1: def->com.kp = NAN; break;
  case 2: def->posture.kd = -2; break;
  case 3: def->momentum.weight = INFINITY; break;
  case 4: def->force_weight = 0; break;
  case 5: def->acceleration_weight = NAN; break;
  case 6: def->max_iterations = 0; break;
  case 7: def->hold = -0.01; break;
  case 8: def->torque_limits = negative; break;
  case 9: def->contacts = NULL; break;
  case 10: def->contact_count = -1; break;
  case 11: feet[1].frame = 0; break; // the world
  case 12: feet[1].frame = 100000; break;
  case 13: feet[1].points = NULL; break;
  case 14: feet[1].points = sick; break;
  case 15: feet[1].point_count = 0; break;
  case 16: feet[1].point_count = 65; break;
  case 17: memset(feet[1].normal, 0, sizeof feet[1].normal); break;
  case 18: feet[1].friction = 0; break;
  case 19: feet[1].min_force = -1; break;
  case 20: feet[1].max_force = 0.5; break; // below min_force, 1
  case 21: feet[1].max_force = NAN; break;
  case 22: frame->frame = -1; break;
  case 23: frame->task.weight = NAN; break;
  default: def->frames = NULL; break;
  }
}

static void nonsense_is_refused(void **state)
{
  (void)state;
  ff_model *model = ffi_robot("solo12.urdf");
  for (int k = -1; k <= 24; ++k) {
    ff_contact_task feet[4];
    ff_frame_task frame = ff_frame_task_default();
    ff_error error = {.message = ""};
    ff_whole_body *body = NULL;
    ff_whole_body_def def = ffi_squat_def(model, feet);
    frame.frame = ffi_robot_frame(model, "base_link");
    def.frames = &frame;
    def.frame_count = 1;
    if (k >= 0)
      spoil(k, &def, feet, &frame);
    const ff_status status = ff_whole_body_create(model, &def, &body, &error);
    if (status != (k < 0 ? FF_OK : FF_ERROR_ARGUMENT) || (k >= 0 && (body || strlen(error.message) < 20)))
      fail_msg("case %d: %s '%s'", k, ff_status_name(status), error.message);
    ff_whole_body_destroy(body);
  }
  ff_model_destroy(model);
}

// A pendulum does not float.
static void momentum_needs_a_floating_robot(void **state)
{
  (void)state;
  ff_model *model = ffi_robot("pendulum.urdf");
  ff_whole_body *body;
  ff_whole_body_def def = ff_whole_body_def_default();
  def.momentum.weight = 1;
  assert_int_equal(ff_whole_body_create(model, &def, &body, NULL), FF_ERROR_UNSUPPORTED);
  ff_model_destroy(model);
}

// Without free joints and contacts: posture alone, which is computed torque control. vdot is what the gains ask for.
static void an_arm_needs_no_ground(void **state)
{
  (void)state;
  ff_model *model = ffi_robot("pendulum.urdf");
  const ff_model_size size = ff_model_get_size(model);
  double q[16] = {0}, v[16], zero[16] = {0};
  assert_true(size.nq == size.nv && size.nv <= 16 && size.nv > 0);
  ff_whole_body_def def = ff_whole_body_def_default();
  def.posture = (ff_task){.weight = 1, .kp = 9, .kd = 4};
  def.acceleration_weight = 1e-15;
  ff_whole_body *body = ffi_must_whole_body(model, &def);
  for (int i = 0; i < size.nv; ++i) {
    q[i] = 0.3 + i;
    v[i] = 1 - 0.4 * i;
  }
  ff_whole_body_set_posture(body, zero);
  ffi_must_solve(body, q, v);
  for (int i = 0; i < size.nv; ++i)
    ffi_check_near("acceleration", ff_whole_body_vdot(body)[i], -9 * q[i] - 4 * v[i], 1e-12 * 100);
  ff_whole_body_destroy(body);
  ff_model_destroy(model);
}

static void no_memory_is_an_error(void **state)
{
  (void)state;
  if (!ffi_test_alloc_works())
    skip();
  ff_model *model = ffi_robot("solo12.urdf");
  ff_contact_task feet[4];
  const ff_whole_body_def def = ffi_squat_def(model, feet);
  long tried = 0;
  for (long n = 1;; ++n) {
    ff_whole_body *body = NULL;
    ffi_test_alloc_fail_at(n);
    const ff_status status = ff_whole_body_create(model, &def, &body, NULL);
    const int failed = ffi_test_alloc_failed();
    ff_whole_body_destroy(body);
    if (!failed)
      break;
    assert_int_equal(status, FF_ERROR_MEMORY);
    assert_null(body);
    ++tried;
  }
  assert_true(tried >= 2);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nonsense_is_refused),
      cmocka_unit_test(momentum_needs_a_floating_robot),
      cmocka_unit_test(an_arm_needs_no_ground),
      cmocka_unit_test(no_memory_is_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
