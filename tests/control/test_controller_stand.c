// Torques that carry the weight: of a rod as in the textbook, of a robot on feet such that nothing sags; and what is
// refused.
#include "robots.h"
#include "support/must.h"

#include <footfall/builder.h>
#include <footfall/control/controller.h>

static const double g = 9.81;

// A rod on a hinge about y, its centre so far out along x, with a motor of any effort.
static ff_link_def link_of(const char *name, int parent, const char *joint, double mass, double out)
{
  ff_link_def link = ff_link_def_default();
  link.name = name;
  link.parent = parent;
  link.joint.name = joint;
  link.joint.type = FF_JOINT_REVOLUTE;
  link.joint.axis[0] = link.joint.axis[2] = 0, link.joint.axis[1] = 1;
  link.inertia = (ff_inertia){.mass = mass, .com = {out, 0, 0}, .matrix = {0.01, 0, 0, 0.06, 0, 0.06}};
  return link;
}

static int joint_row(const ff_model *model, const char *name)
{
  ff_joint_info joint;
  assert_int_equal(ff_model_joint(model, ff_model_find_joint(model, name), &joint), FF_OK);
  return joint.v;
}

// A rod of mass 2 kg, its centre 0.3 m out, with this effort.
static ff_model *rod(double effort)
{
  ff_builder *builder = ffi_must_begin("rod");
  ff_link_def link = link_of("rod", FF_WORLD, "hinge", 2, 0.3);
  link.joint.effort = effort;
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

// A position servo takes torques too, within what it gives: the larger end of its range.
static void a_servo_is_carried(void **state)
{
  (void)state;
  for (int weak = 0; weak < 2; ++weak) {
    ff_builder *builder = ffi_must_begin("rod");
    ff_link_def link = link_of("rod", FF_WORLD, "hinge", 2, 0.3);
    ff_actuator_def servo = ff_actuator_def_default();
    ff_error error;
    servo.link = ffi_must_add_link(builder, &link);
    servo.type = FF_ACTUATOR_POSITION;
    servo.kp = 100;
    if (weak)
      servo.force_range[0] = -1, servo.force_range[1] = 4;
    ffi_must(ff_builder_add_actuator(builder, &servo, &error), &error);
    ff_model *model = ffi_must_finish(builder);
    const double q = 0.4, v = 0, want = -2 * g * 0.3 * cos(q);
    double tau;
    ff_controller *c = create(model, NULL, 0, &q);
    ffi_must(ff_controller_tau(c, 0, &q, &v, &tau, &error), &error);
    assert_true(fabs(tau - (weak ? -4 : want)) < 1e-12 * 6);
    ff_controller_destroy(c);
    ff_model_destroy(model);
  }
}

// A bar hangs level on two cranks of the same length; only the first has a motor. By virtual work it gives
// -g L cos q (m + M): both cranks' masses m act at half their length, the bar's M at their ends.
static void a_loop_carries_torques_to_its_motor(void **state)
{
  (void)state;
  static const double L = 0.2, D = 0.3, m = 0.5, M = 1.7;
  ff_builder *b = ffi_must_begin("parallelogram");
  ff_link_def a = link_of("a", FF_WORLD, "a", m, L / 2), bar = link_of("bar", 0, "bar", M, D / 2),
              other = link_of("other", FF_WORLD, "other", m, L / 2);
  ff_element_def pin = ff_element_def_default();
  ff_error error;
  bar.parent = ffi_must_add_link(b, &a);
  bar.joint.pose.position[0] = L;
  bar.joint.effort = other.joint.effort = 0;
  ffi_must_add_link(b, &bar);
  other.joint.pose.position[0] = D;
  ffi_must_add_link(b, &other);
  pin.type = FF_ELEMENT_POINT;
  pin.stiffness = 1e6, pin.damping = 1e3;
  pin.a.offset[0] = D, pin.b.offset[0] = L;
  ffi_must(ff_builder_add_element(b, &pin, "bar", "other", &error), &error);
  ff_model *model = ffi_must_finish(b);
  const int i = joint_row(model, "a"), k = joint_row(model, "bar"), l = joint_row(model, "other");
  for (double angle = -1.3; angle < 1.4; angle += 0.4) {
    double q[3], v[3] = {0}, tau[3];
    q[i] = q[l] = angle;
    q[k] = -angle;
    ff_controller *c = create(model, NULL, 0, q);
    ffi_must(ff_controller_tau(c, 0, q, v, tau, &error), &error);
    const double want = -g * L * cos(angle) * (m + M);
    // The regularisation is 1e-9 of the diagonal.
    if (fabs(tau[i] - want) > 1e-7 * g * L * (m + M) || tau[k] != 0 || tau[l] != 0)
      fail_msg("at %g: %g and not %g, %g, %g", angle, tau[i], want, tau[k], tau[l]);
    ff_controller_destroy(c);
  }
  ff_model_destroy(model);
}

// q2 = 0.3 + 2 q1 - q1^2 / 2: the leader's motor gives g1 + (2 - q1) g2.
static void a_coupling_carries_torques_to_its_leader(void **state)
{
  (void)state;
  ff_builder *b = ffi_must_begin("coupled");
  ff_link_def first = link_of("first", FF_WORLD, "first", 1, 0.2),
              second = link_of("second", FF_WORLD, "second", 2, 0.1);
  ff_element_def coupling = ff_element_def_default();
  ff_error error;
  ffi_must_add_link(b, &first);
  ffi_must_add_link(b, &second);
  coupling.type = FF_ELEMENT_COUPLING;
  coupling.polynomial[0] = 0.3, coupling.polynomial[1] = 2, coupling.polynomial[2] = -0.5;
  ffi_must(ff_builder_add_element(b, &coupling, "second", "first", &error), &error);
  ff_model *model = ffi_must_finish(b);
  const int i = joint_row(model, "first"), k = joint_row(model, "second");
  double q[2], v[2] = {0}, tau[2];
  q[i] = 0.4;
  q[k] = 0.3 + 2 * q[i] - q[i] * q[i] / 2;
  ff_controller *c = create(model, NULL, 0, q);
  ffi_must(ff_controller_tau(c, 0, q, v, tau, &error), &error);
  const double want = -g * (0.2 * cos(q[i]) + (2 - q[i]) * 0.2 * cos(q[k]));
  if (fabs(tau[i] - want) > 1e-7 * g || tau[k] != 0)
    fail_msg("%g and not %g, %g", tau[i], want, tau[k]);
  ff_controller_destroy(c);
  ff_model_destroy(model);
}

// A loose thing beside it changes nothing, and needs no feet: m g l cos q again.
static void loose_things_need_no_feet(void **state)
{
  (void)state;
  ff_builder *builder = ffi_must_begin("rod and ball");
  ff_link_def link = link_of("rod", FF_WORLD, "hinge", 2, 0.3),
              ball = link_of("ball", FF_WORLD, "ball", 5, 0);
  ball.joint.type = FF_JOINT_FREE;
  ffi_must_add_link(builder, &ball);
  ffi_must_add_link(builder, &link);
  ff_model *model = ffi_must_finish(builder);
  double q[8] = {0, 0, 0, 0, 0, 0, 1, 0.4}, v[7] = {0}, tau[7];
  ff_controller *c = create(model, NULL, 0, q);
  ff_error error;
  ffi_must(ff_controller_tau(c, 0, q, v, tau, &error), &error);
  const double want = -2 * g * 0.3 * cos(0.4);
  for (int i = 0; i < 7; ++i)
    if (fabs(tau[i] - (i == joint_row(model, "hinge") ? want : 0)) > 1e-12)
      fail_msg("tau[%d] is %g", i, tau[i]);
  ff_controller_destroy(c);
  ff_model_destroy(model);
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
      cmocka_unit_test(a_servo_is_carried),
      cmocka_unit_test(a_loop_carries_torques_to_its_motor),
      cmocka_unit_test(a_coupling_carries_torques_to_its_leader),
      cmocka_unit_test(loose_things_need_no_feet),
      cmocka_unit_test(nothing_sags),
      cmocka_unit_test(wrong_feet_are_refused),
  };
  return cmocka_run_group_tests_name("control/controller_stand", tests, NULL, NULL);
}
