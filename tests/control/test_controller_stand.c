// Torques that carry the weight: of a rod as in the textbook, of a robot on feet such that nothing sags; and what is
// refused.
#include "robots.h"
#include "support/must.h"

#include <footfall/builder.h>
#include <footfall/control/controller.h>

static const double g = 9.81;

// A rod of mass 2 kg on a hinge about y, its centre 0.3 m out along x, with this effort.
static ff_model *rod(double effort)
{
  ff_builder *builder = ffi_must_begin("rod");
  ff_link_def link = ff_link_def_default();
  link.name = "rod";
  link.joint.name = "hinge";
  link.joint.type = FF_JOINT_REVOLUTE;
  link.joint.axis[0] = link.joint.axis[2] = 0, link.joint.axis[1] = 1;
  link.joint.effort = effort;
  link.inertia = (ff_inertia){.mass = 2, .com = {0.3, 0, 0}, .matrix = {0.01, 0, 0, 0.06, 0, 0.06}};
  ffi_must_add_link(builder, &link);
  return ffi_must_finish(builder);
}

static ff_controller *create(const ff_model *model, const char *const *feet, int count, const double *q)
{
  ff_controller_def def = ff_controller_def_default();
  ff_controller *controller;
  ff_error error;
  def.type = FF_CONTROLLER_POSTURE_PD;
  def.gravity = 1;
  def.feet = feet;
  def.feet_count = count;
  ffi_must(ff_controller_create(model, &def, q, &controller, &error), &error);
  return controller;
}

// Gravity turns the rod about +y by m g l cos q; no more than its effort is given.
static void a_rod_is_carried(void **state)
{
  (void)state;
  for (int weak = 0; weak < 2; ++weak) {
    ff_model *model = rod(weak ? 3 : 50);
    for (double q = -3; q < 3; q += 0.7) {
      const double v = 1.5, want = -2 * g * 0.3 * cos(q), most = weak ? 3 : 50;
      double tau;
      ff_error error;
      ff_controller *c = create(model, NULL, 0, &q);
      ffi_must(ff_controller_tau(c, 0, &q, &v, &tau, &error), &error);
      assert_true(fabs(tau - fmax(-most, fmin(most, want))) < 1e-12 * 6);
      ff_controller_destroy(c);
    }
    ff_model_destroy(model);
  }
}

// A robot on four feet, at rest on them: the motors have nothing left to carry, however weak they are.
static void nothing_sags(void **state)
{
  (void)state;
  static const char *const feet[] = {"HL_FOOT", "HR_FOOT", "FL_FOOT", "FR_FOOT"};
  ff_model *model = ffi_robot("solo12.urdf");
  const double *q0 = ff_model_posture(model, 0);
  double worst[2] = {0};
  for (int with = 0; with < 2; ++with) {
    ff_element_def motors[12];
    ff_sim_def def = ff_sim_def_default();
    ff_controller *c = create(model, feet, 4, q0);
    int count = 0;
    for (int j = 0; j < ff_model_get_size(model).joints; ++j) {
      ff_joint_info joint;
      ff_model_joint(model, j, &joint);
      if (joint.nv == 1)
        motors[count++] = ff_model_motor(model, j, q0[joint.q], 10, 0.5);
    }
    def.elements = motors, def.element_count = count, def.dt = 1e-3;
    ff_sim *sim = ffi_must_sim(model, &def);
    ffi_must_reset(sim, q0, NULL);
    for (int k = 0; k < 3000; ++k) {
      double tau[18] = {0};
      ff_error error;
      if (with)
        ffi_must(ff_controller_tau(c, k * def.dt, ff_sim_q(sim), ff_sim_v(sim), tau, &error), &error);
      ffi_must_step(sim, tau);
    }
    for (int i = 7; i < 19; ++i)
      worst[with] = fmax(worst[with], fabs(ff_sim_q(sim)[i] - q0[i]));
    ff_sim_destroy(sim);
    ff_controller_destroy(c);
  }
  // Without, a knee turns by some m g l / 4 kp, 2.5 kg and 0.1 m: 0.06 rad. With, contacts give way by 60 um.
  if (!(worst[1] < 2e-3) || !(worst[0] > 10 * worst[1]))
    fail_msg("joints are off by %g rad with torques, %g without", worst[1], worst[0]);
  ff_model_destroy(model);
}

static void refuse(const ff_model *model, const double *q, const char *const *feet, int count,
                   const char *thing)
{
  ff_controller_def def = ff_controller_def_default();
  ff_controller *controller = NULL;
  ff_error error = {0};
  def.type = FF_CONTROLLER_POSTURE_PD;
  def.gravity = 1;
  def.feet = feet;
  def.feet_count = count;
  assert_int_equal(ff_controller_create(model, &def, q, &controller, &error), FF_ERROR_ARGUMENT);
  assert_null(controller);
  assert_string_equal(error.thing, thing);
}

static void wrong_feet_are_refused(void **state)
{
  (void)state;
  static const char *const feet[] = {"HL_FOOT", "nose", NULL};
  ff_model *solo = ffi_robot("solo12.urdf"), *fixed = rod(5);
  const double *q = ff_model_posture(solo, 0), zero = 0;
  refuse(solo, q, NULL, 0, "feet");
  refuse(solo, q, feet, 2, "feet[1]");
  refuse(solo, q, feet + 1, 2, "feet[0]");
  refuse(solo, q, feet + 2, 1, "feet[0]");
  refuse(solo, q, NULL, 1, "feet");
  refuse(solo, q, feet, 65, "feet");
  refuse(solo, q, feet, -1, "feet");
  refuse(fixed, &zero, feet, 1, "feet");
  ff_model_destroy(fixed);
  ff_model_destroy(solo);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_rod_is_carried),
      cmocka_unit_test(nothing_sags),
      cmocka_unit_test(wrong_feet_are_refused),
  };
  return cmocka_run_group_tests_name("control/controller_stand", tests, NULL, NULL);
}
