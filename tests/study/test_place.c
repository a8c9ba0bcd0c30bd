// Where robots are put, and what holds them: lowest points against corners of one's own, gains against
// inertias by hand.
#include "support/must.h"
#include "support/robots.h"

#include <footfall/load.h>
#include <footfall/place.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const double pi = 3.141592653589793;

static ff_dynamics *workspace(const ff_model *model)
{
  ff_dynamics *dynamics;
  ff_error error;
  ffi_must(ff_dynamics_create(model, NULL, &dynamics, &error), &error);
  return dynamics;
}

static ff_model *of_text(const char *text)
{
  ff_model *model;
  ff_error error;
  ffi_must(ff_model_load_memory(text, strlen(text), "text", NULL, &model, &error), &error);
  return model;
}

// A box of 0.2 x 0.3 x 0.4 m that floats: its eight corners, rotated one by one, against the plane's normal.
static void gap_of_a_box(void **state)
{
  (void)state;
  static const double half[3] = {0.1, 0.15, 0.2};
  ff_model *model = of_text(
      "<robot name='box'><link name='box'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>"
      "<collision><geometry><box size='0.2 0.3 0.4'/></geometry></collision></link></robot>");
  ff_dynamics *dynamics = workspace(model);
  for (int sample = 0; sample < 50; ++sample) {
    const double a = 0.37 * sample, b = 0.11 * sample - 2, at[3] = {0.3 * sin(a), -0.2, 0.9};
    const double rpy[3] = {a, b, 0.5 * a}, tilt[3] = {0.2 * sin(b), 0.3 * cos(a), 0};
    const double origin[3] = {0.1, 0.2, -0.3};
    const ff_pose pose = ff_pose_from_rpy(at, rpy), plane = ff_pose_from_rpy(origin, tilt);
    double q[7], R[9], P[9], least = (double)INFINITY;
    ff_pose_rotation(&pose, R);
    ff_pose_rotation(&plane, P);
    for (int corner = 0; corner < 8; ++corner) {
      double height = 0;
      for (int k = 0; k < 3; ++k) {
        double x = at[k] - origin[k];
        for (int l = 0; l < 3; ++l)
          x += R[3 * k + l] * (corner & (1 << l) ? half[l] : -half[l]);
        height += P[3 * k + 2] * x;
      }
      least = fmin(least, height);
    }
    memcpy(q, at, sizeof at);
    memcpy(q + 3, pose.quaternion, sizeof pose.quaternion);
    assert_true(fabs(ff_place_gap(model, dynamics, q, &plane) - least) < 1e-14);
    assert_int_equal(ff_place_lift(model, &plane, 0.25 - least, q), 1);
    assert_true(fabs(ff_place_gap(model, dynamics, q, &plane) - 0.25) < 1e-14);
  }
  ff_dynamics_destroy(dynamics);
  ff_model_destroy(model);
}

// What stands on z = 0 stands on a slope after it was tilted with it.
static void tilt_keeps_the_gap(void **state)
{
  (void)state;
  static const double level[3] = {0}, slope[3] = {0.1, -0.2, 0.7}, at[3] = {1, 2, 3};
  ff_model *model = ffi_robot("solo12.urdf");
  ff_dynamics *dynamics = workspace(model);
  const ff_pose flat = ff_pose_from_rpy(level, level), plane = ff_pose_from_rpy(at, slope);
  double q[19];
  memcpy(q, ffi_robot_posture(model, "standing"), sizeof q);
  const double gap = ff_place_gap(model, dynamics, q, &flat);
  assert_int_equal(ff_place_tilt(model, &plane, q), 1);
  assert_true(fabs(ff_place_gap(model, dynamics, q, &plane) - gap) < 1e-14);
  ff_dynamics_destroy(dynamics);
  ff_model_destroy(model);
}

static void nothing_to_touch_with(void **state)
{
  (void)state;
  ff_model *model =
      of_text("<robot name='mass'><link name='mass'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
              "izz='1'/></inertial></link></robot>");
  ff_dynamics *dynamics = workspace(model);
  const ff_pose plane = ff_pose_identity();
  double q[7] = {0, 0, 0, 0, 0, 0, 1};
  assert_true(isnan(ff_place_gap(model, dynamics, q, &plane)));
  ff_dynamics_destroy(dynamics);
  ff_model_destroy(model);
}

// A rod of mass m and length l on a hinge at its end, fixed to the world: I = m l^2 / 3.
static void gains_of_a_rod(void **state)
{
  (void)state;
  ff_model *model = of_text(
      "<robot name='rod'><link name='world'/><joint name='hinge' type='revolute'><parent link='world'/>"
      "<child link='rod'/><axis xyz='0 1 0'/>"
      "<limit lower='-1' upper='1' effort='50' velocity='9'/></joint><link name='rod'><inertial>"
      "<origin xyz='0.3 0 0'/><mass value='2'/>"
      "<inertia ixx='1e-9' iyy='0.06' izz='0.06'/></inertial></link></robot>");
  ff_dynamics *dynamics = workspace(model);
  ff_element_def motor[1];
  double q = 0.25;
  const double I = 2 * 0.6 * 0.6 / 3, kp = I * 64 * pi * pi;
  assert_int_equal(ff_place_motors(model, dynamics, &q, (double)NAN, (double)NAN, motor), 1);
  assert_true(fabs(motor[0].stiffness - kp) < 1e-12 * kp);
  assert_true(fabs(motor[0].damping - sqrt(kp * I)) < 1e-12 * kp);
  assert_int_equal(motor[0].joint, 0);
  assert_int_equal(ff_place_motors(model, dynamics, &q, 7, 3, motor), 1);
  assert_true(motor[0].stiffness == 7 && motor[0].damping == 3);
  ff_dynamics_destroy(dynamics);
  ff_model_destroy(model);
}

// The same rod with a weak motor: its whole effort at 0.2 rad.
static void gains_of_a_weak_motor(void **state)
{
  (void)state;
  ff_model *model = of_text(
      "<robot name='rod'><link name='world'/><joint name='hinge' type='revolute'><parent link='world'/>"
      "<child link='rod'/><axis xyz='0 1 0'/>"
      "<limit lower='-1' upper='1' effort='10' velocity='9'/></joint><link name='rod'><inertial>"
      "<origin xyz='0.3 0 0'/><mass value='2'/>"
      "<inertia ixx='1e-9' iyy='0.06' izz='0.06'/></inertial></link></robot>");
  ff_dynamics *dynamics = workspace(model);
  ff_element_def motor[1];
  double q = 0.25;
  assert_int_equal(ff_place_bounded_motors(model, dynamics, &q, motor), 1);
  assert_true(fabs(motor[0].stiffness - 10 / 0.2) < 1e-12 * 50);
  assert_true(fabs(motor[0].damping - 50 / (8 * pi)) < 1e-12 * 50);
  ff_dynamics_destroy(dynamics);
  ff_model_destroy(model);
}

// A body of 10 kg that floats, with a leg below and an arm beside it, each of 1 kg on a hinge without limits of effort:
// the arm's motor moves the arm, that of the leg, which stands, the body and the arm.
static void legs_carry_the_robot_and_arms_themselves(void **state)
{
  (void)state;
  ff_model *model = of_text(
      "<robot name='r'><link name='body'><inertial><mass value='10'/><inertia ixx='.2' iyy='.3' izz='.4'/></inertial>"
      "<collision><geometry><box size='.2 .2 .2'/></geometry></collision></link>"
      "<joint name='hip' type='continuous'><parent link='body'/><child link='leg'/><origin xyz='0 0 -.1'/>"
      "<axis xyz='0 1 0'/></joint><link name='leg'><inertial><origin xyz='0 0 -.2'/><mass value='1'/>"
      "<inertia ixx='.01' iyy='.01' izz='.01'/></inertial>"
      "<collision><origin xyz='0 0 -.2'/><geometry><box size='.04 .04 .4'/></geometry></collision></link>"
      "<joint name='shoulder' type='continuous'><parent link='body'/><child link='arm'/><origin xyz='0 .15 .1'/>"
      "<axis xyz='0 1 0'/></joint><link name='arm'><inertial><origin xyz='0 0 -.1'/><mass value='1'/>"
      "<inertia ixx='.01' iyy='.02' izz='.01'/></inertial>"
      "<collision><origin xyz='0 0 -.1'/><geometry><box size='.04 .04 .2'/></geometry></collision></link></robot>");
  ff_dynamics *dynamics = workspace(model);
  ff_element_def motors[3];
  double q[16];
  ff_model_neutral(model, q);
  const double w2 = 64 * pi * pi, arm = 0.02 + 0.1 * 0.1;
  // Above the hip at (0, 0, -0.1): the body's centre is 0.1 m away, the arm's, at (0, 0.15, 0), as well.
  const double robot = 0.3 + 10 * 0.1 * 0.1 + 0.02 + 1 * 0.1 * 0.1;
  assert_int_equal(ff_place_bounded_motors(model, dynamics, q, motors), 2);
  for (int i = 0; i < 2; ++i) {
    const double want = w2 * (strcmp(motors[i].name, "hip") == 0 ? robot : arm);
    if (!(fabs(motors[i].stiffness - want) < 1e-12 * want))
      fail_msg("%s: %g, not %g", motors[i].name, motors[i].stiffness, want);
  }
  ff_dynamics_destroy(dynamics);
  ff_model_destroy(model);
}

// A body of 10 kg on a wheel of radius 0.1 m, whose fork swivels: the wheel rolls 10.5 kg along, m h^2 = 0.105 kg m^2;
// the swivel turns fork and wheel about the vertical.
static void wheels_roll_the_robot(void **state)
{
  (void)state;
  ff_model *model = of_text(
      "<robot name='r'><link name='body'><inertial><mass value='10'/><inertia ixx='.2' iyy='.3' izz='.4'/></inertial>"
      "<collision><geometry><box size='.4 .2 .1'/></geometry></collision></link>"
      "<joint name='swivel' type='continuous'><parent link='body'/><child link='fork'/><origin xyz='.2 0 0'/>"
      "<axis xyz='0 0 1'/></joint><link name='fork'><inertial><mass value='.5'/>"
      "<inertia ixx='.001' iyy='.001' izz='.002'/></inertial></link>"
      "<joint name='axle' type='continuous'><parent link='fork'/><child link='wheel'/><origin xyz='-.03 0 -.1'/>"
      "<axis xyz='0 1 0'/></joint><link name='wheel'><inertial><mass value='1'/>"
      "<inertia ixx='.003' iyy='.005' izz='.003'/></inertial>"
      "<collision><geometry><sphere radius='.1'/></geometry></collision></link></robot>");
  ff_dynamics *dynamics = workspace(model);
  ff_element_def motors[3];
  double q[16];
  ff_model_neutral(model, q);
  const double w2 = 64 * pi * pi, rolled = 10.5 * 0.1 * 0.1, swung = 0.002 + 0.003 + 1 * 0.03 * 0.03;
  assert_int_equal(ff_place_bounded_motors(model, dynamics, q, motors), 2);
  for (int i = 0; i < 2; ++i) {
    const double want = w2 * (strcmp(motors[i].name, "axle") == 0 ? rolled : swung);
    if (!(fabs(motors[i].stiffness - want) < 1e-12 * want))
      fail_msg("%s: %g, not %g", motors[i].name, motors[i].stiffness, want);
  }
  ff_dynamics_destroy(dynamics);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gap_of_a_box),          cmocka_unit_test(tilt_keeps_the_gap),
      cmocka_unit_test(nothing_to_touch_with), cmocka_unit_test(gains_of_a_rod),
      cmocka_unit_test(gains_of_a_weak_motor), cmocka_unit_test(legs_carry_the_robot_and_arms_themselves),
      cmocka_unit_test(wheels_roll_the_robot),
  };
  return cmocka_run_group_tests_name("study/place", tests, NULL, NULL);
}
