// footfall run: what it does with a robot. Motions are judged by closed forms and by what holds for everything that
// stands: forces carry the weight, nothing slips, nothing sinks.
#define _POSIX_C_SOURCE 200809L
#include "cli/run/csv_table.h"
#include "cli/run/summary.h"
#include "cli/run_command.h"
#include "support/near.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// ---- Standing ---------------------------------------------------------------------------------------------

// Weight m g on `contacts` points; rest penetration m g / (contacts K) is for the springs' even share, so the deepest
// point is at least that deep, and less than ten times.
static void check_stands(const char *arguments, int contacts, double mass, double K)
{
  ffi_json_value *s = ffi_summary_of(0, arguments);
  const double weight = mass * 9.81, sag = weight / contacts / K;
  assert_string_equal(ffi_text(s, "outcome"), "finished");
  assert_int_equal(ffi_json_get(s, "error")->type, FFI_JSON_NULL);
  assert_int_equal(ffi_json_get(s, "contacts")->count, contacts);
  ffi_check_near(arguments, ffi_normal_forces(s), weight,
                 1e-3 * weight); // a robot that still sways carries a little more or less
  assert_int_equal(ffi_json_get(ffi_json_get(s, "base"), "has_fallen")->type, FFI_JSON_FALSE);
  assert_true(ffi_inner(s, "base", "height_end") > 0.97 * ffi_inner(s, "base", "height_start"));
  assert_true(ffi_inner(s, "base", "tilt") < 0.02);
  assert_true(ffi_number(s, "slip") < 1e-3);
  if (!(ffi_number(s, "penetration") >= sag * (1 - 1e-6) && ffi_number(s, "penetration") < 10 * sag))
    fail_msg("%s: %g m deep, even share %g", arguments, ffi_number(s, "penetration"), sag);
  assert_true(ffi_inner(s, "energy", "most") <=
              ffi_inner(s, "energy", "start") * (1 + 1e-9)); // motors only brake
  ffi_json_free(s);
}

static void robots_stand_on_their_motors(void **state)
{
  (void)state;
  check_stands(SOLO12 " --stepper expo --dt 10ms --duration 10", 4, 2.500003, 1e5);
  check_stands(SOLO12 " --stepper expo-paper --dt 10ms --duration 3", 4, 2.500003, 1e5);
  check_stands(SOLO12 " --stepper implicit --dt 2ms --duration 1", 4, 2.500003, 1e5);
  check_stands(SOLO12 " --stepper ess --dt 2ms --duration 1", 4, 2.500003, 1e5);
  check_stands(SOLO12 " --stepper euler --dt 50us --duration 1", 4, 2.500003, 1e5);
  check_stands(SOLO12 " --stiffness 1e6N/m --damping 1000 --duration 2 --dt 5ms", 4, 2.500003, 1e6);
  check_stands(MODEL("starleth.urdf") " --dt 5ms --duration 3", 4, 26.82, 1e5);
  check_stands(MODEL("romeo.urdf") " --dt 5ms --duration 3", 8, 40.529, 1e5);
}

static void the_steps_and_times_are_told(void **state)
{
  (void)state;
  ffi_json_value *s = ffi_summary_of(0, SOLO12 " --dt 10ms --duration 1.005s");
  ffi_check_near("dt", ffi_number(s, "dt"), 0.01, 0);
  ffi_check_near("steps", ffi_number(s, "steps"), 101, 0);
  ffi_check_near("time", ffi_number(s, "time"), 1.01, 1e-12);
  assert_true(ffi_has_note(s, "not a whole number of steps"));
  assert_true(ffi_number(s, "stepping") > 0 && ffi_number(s, "stepping") <= ffi_number(s, "wall"));
  ffi_check_near("real-time factor", ffi_number(s, "real_time_factor") * ffi_number(s, "stepping"), 1.01,
                 1e-9);
  assert_string_equal(ffi_text(s, "stepper"), "expo");
  assert_string_equal(ffi_text(s, "posture"), "standing");
  ffi_json_free(s);
  s = ffi_summary_of(0, SOLO12 " --duration 0");
  ffi_check_near("steps", ffi_number(s, "steps"), 0, 0);
  ffi_json_free(s);
}

static void people_get_a_page(void **state)
{
  static const char *const words[] = {"solo ",
                                      "stepper     expo, 100 steps of 10 ms",
                                      "times real time",
                                      "standing; 12 of 12 joints",
                                      "contacts    4 at the end",
                                      "deepest",
                                      "slip",
                                      "energy"};
  (void)state;
  ffi_output output = ffi_run("LC_ALL=C", "run " SOLO12 " --dt 10ms --duration 1");
  assert_int_equal(output.status, 0);
  assert_string_equal(output.err, ""); // progress is for terminals
  for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i)
    if (!strstr(output.out, words[i]))
      fail_msg("'%s' is not in:\n%s", words[i], output.out);
  for (const char *c = output.out; *c; ++c)
    assert_true((unsigned char)*c < 128);
  ffi_output_free(&output);
  output = ffi_run("", "run " SOLO12 " --dt 10ms --duration 1 --quiet");
  assert_int_equal(output.status, 0);
  assert_string_equal(output.out, "");
  assert_string_equal(output.err, "");
  ffi_output_free(&output);
}

// ---- Closed forms -----------------------------------------------------------------------------------------

// Free fall: z = z0 - g t^2 / 2, exact for expo, whatever the step.
static void a_ball_falls(void **state)
{
  (void)state;
  ffi_json_value *s = ffi_summary_of(0, MODEL("ball.urdf") " --posture drop --dt 20ms --duration 0.4");
  const double z = ffi_json_at(ffi_json_get(ffi_json_get(s, "base"), "end"), 2)->number;
  ffi_check_near("height", z, 1.1 - 0.5 * 9.81 * 0.16, 1e-12);
  assert_true(ffi_has_note(s, "above the ground"));
  ffi_json_free(s);
}

// A block on a slope of 20 degrees slides with g (sin 20 - mu cos 20); its start, while the ground takes up its weight,
// costs less than a thousandth of the way. With more friction than tan 20 = 0.364 it moves by the stretch of its
// springs, m g sin 20 / (4 K) = 17 um.
static void a_block_slides_or_stays(void **state)
{
  static const char *const steppers[] = {"expo --dt 2ms", "expo-paper --dt 1ms", "euler --dt 0.1ms"};
  const double way = 2 * (3.3552176060248105 - 0.25 * 9.218384609909762); // a t^2 / 2 at 2 s
  char arguments[400];
  (void)state;
  for (int i = 0; i < 6; ++i) {
    const int sticks = i % 2;
    snprintf(arguments, sizeof arguments, MODEL("sliding_block.urdf") " --duration 2 %s --stepper %s",
             sticks ? "--friction 0.5" : "", steppers[i / 2]);
    ffi_json_value *s = ffi_summary_of(0, arguments);
    const double x = ffi_json_at(ffi_json_get(ffi_json_get(s, "base"), "end"), 0)->number;
    if (sticks) {
      ffi_check_near(arguments, x, 17e-6, 17e-6);
      ffi_check_near("slip", ffi_number(s, "slip"), 0, 1e-6);
    } else {
      ffi_check_near(arguments, x, way, 2e-3 * way);
      ffi_check_near("slip", ffi_number(s, "slip"), 4 * x, 1e-2 * x); // four points, all the way
    }
    ffi_json_free(s);
  }
}

// The slope tilts the ground about y and the robot with it; it stands there and does not creep.
static void a_robot_stands_on_a_slope(void **state)
{
  const double angle = 10 * 3.141592653589793 / 180, z = 0.215897248269;
  (void)state;
  ffi_json_value *s = ffi_summary_of(0, SOLO12 " --slope 10deg --dt 5ms --duration 5");
  const ffi_json_value *base = ffi_json_get(s, "base"), *start = ffi_json_get(base, "start");
  ffi_check_near("slope", ffi_inner(s, "ground", "slope"), angle, 1e-15);
  ffi_check_near("x", ffi_json_at(start, 0)->number, z * sin(angle), 1e-12);
  ffi_check_near("z", ffi_json_at(start, 2)->number, z * cos(angle), 1e-12);
  ffi_check_near("height", ffi_number(base, "height_start"), z, 1e-12);
  ffi_check_near("normal force", ffi_normal_forces(s), 2.500003 * 9.81 * cos(angle), 0.02);
  ffi_check_near("slip", ffi_number(s, "slip"), 0, 1e-9);
  assert_int_equal(ffi_json_get(base, "has_fallen")->type, FFI_JSON_FALSE);
  ffi_json_free(s);
}

static void robots_are_placed(void **state)
{
  static const char floating[] =
      "<robot name='r'><link name='a'><inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' "
      "iyz='0' izz='1'/>"
      "</inertial><collision><geometry><box size='0.2 0.4 0.6'/></geometry></collision></link></robot>";
  char arguments[600];
  (void)state;
  ffi_json_value *s = ffi_summary_of(0, SOLO12 " --drop 20cm --duration 0");
  ffi_check_near("gap", ffi_number(s, "gap"), 0.2, 1e-12);
  ffi_check_near("height", ffi_inner(s, "base", "height_start"), 0.2 + 0.215897248269, 1e-9);
  ffi_json_free(s);
  s = ffi_summary_of(0, MODEL("links.urdf") " --posture start --duration 0"); // feet 2.8 and 3.8 mm deep
  assert_true(ffi_number(s, "gap") < -2e-3 && ffi_number(s, "gap") > -4e-3);
  assert_true(ffi_has_note(s, "deep in the ground"));
  ffi_json_free(s);
  s = ffi_summary_of(0, MODEL("links.urdf") " --posture start --on-ground --duration 0");
  ffi_check_near("gap", ffi_number(s, "gap"), 0, 1e-12);
  ffi_json_free(s);
  snprintf(arguments, sizeof arguments, "'%s' --duration 0",
           ffi_write_file("box.urdf", floating, (int)sizeof floating - 1));
  s = ffi_summary_of(0, arguments); // nobody said where it is: it must not start in the ground
  ffi_check_near("lift", ffi_number(s, "lift"), 0.3, 1e-12);
  assert_true(ffi_has_note(s, "was lifted"));
  assert_int_equal(ffi_json_get(s, "posture")->type, FFI_JSON_NULL);
  ffi_json_free(s);
  s = ffi_summary_of(0, SOLO12 " --fixed-base --duration 0.1");
  assert_int_equal(ffi_json_get(s, "base")->type, FFI_JSON_NULL);
  ffi_json_free(s);
}

// A pendulum held horizontally: at rest kp times the sag is m g l / 2 cos(sag).
static void gains_are_those_given(void **state)
{
  static const char *const ways[] = {"--pd 400Nm/rad,40", "--kp 400 --kd '40 N m s/rad'"};
  (void)state;
  for (int i = 0; i < 2; ++i) {
    char arguments[600];
    const char *path = ffi_scratch_path("pd.csv");
    snprintf(arguments, sizeof arguments,
             MODEL("pendulum.urdf") " --posture horizontal %s --duration 8 --dt 10ms --log '%s'", ways[i],
             path);
    ffi_json_value *s = ffi_summary_of(0, arguments);
    const ffi_json_value *kp = ffi_json_get(ffi_json_get(s, "motors"), "kp");
    ffi_check_near("kp", ffi_json_at(kp, 0)->number, 400, 0);
    ffi_check_near("held", ffi_inner(s, "motors", "held"), 1, 0);
    ffi_csv_table log = ffi_csv_read(ffi_scratch_path("pd.csv"));
    const double q = ffi_csv_cell(&log, log.rows - 1, "q.hinge [rad]"), sag = 1.5707963267948966 - q;
    ffi_check_near("torque", 400 * sag, 9.81 * 0.5 * cos(sag), 1e-6);
    ffi_csv_free(&log);
    ffi_json_free(s);
  }
  ffi_json_value *s = ffi_summary_of(0, MODEL("pendulum.urdf") " --no-pd --duration 0.1");
  ffi_check_near("held", ffi_inner(s, "motors", "held"), 0, 0);
  ffi_json_free(s);
  s = ffi_summary_of(0, MODEL("arm_and_boxes.xml") " --duration 0.1");
  ffi_check_near("servos", ffi_inner(s, "motors", "held_by_model"), 4, 0);
  ffi_check_near("held", ffi_inner(s, "motors", "held"), 0, 0);
  ffi_json_free(s);
}

// The loop of a model is there without a word. The rocker of the four-bar linkage turns back where crank and rod lie in
// line, its end 0.35 + 0.1 m and 0.35 - 0.1 m from the crank's hinge; the angles at its own hinge, 0.4 m from that, are
// by the law of cosines.
static void a_crank_swings_its_rocker(void **state)
{
  char arguments[600];
  double least = 1e9, most = -1e9;
  const double swing = acos((0.25 - 0.45 * 0.45) / 0.24) - acos((0.25 - 0.25 * 0.25) / 0.24);
  (void)state;
  snprintf(arguments, sizeof arguments, MODEL("four_bar.xml") " --duration 2 --log '%s'",
           ffi_scratch_path("crank.csv"));
  ffi_json_value *s = ffi_summary_of(0, arguments);
  ffi_check_near("servos", ffi_inner(s, "motors", "held_by_model"), 1, 0);
  ffi_check_near("held", ffi_inner(s, "motors", "held"), 0, 0); // the other hinges are free
  ffi_csv_table log = ffi_csv_read(ffi_scratch_path("crank.csv"));
  for (int r = 0; r < log.rows; ++r) {
    least = fmin(least, ffi_csv_cell(&log, r, "q.rocker_hinge [rad]"));
    most = fmax(most, ffi_csv_cell(&log, r, "q.rocker_hinge [rad]"));
  }
  // The servo is 5 N m s/rad strong and the links pull by less than 0.5 N m; the pin gives by 50 N / 1e6 N/m, at 0.3 m.
  ffi_check_near("turns", ffi_csv_cell(&log, log.rows - 1, "q.crank_hinge [rad]"), 4 * acos(-1), 2 * 0.5 / 5);
  ffi_check_near("swing", most - least, swing, 2 * 50e-6 / 0.3);
  ffi_csv_free(&log);
  ffi_json_free(s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(robots_stand_on_their_motors),
      cmocka_unit_test(the_steps_and_times_are_told),
      cmocka_unit_test(people_get_a_page),
      cmocka_unit_test(a_ball_falls),
      cmocka_unit_test(a_block_slides_or_stays),
      cmocka_unit_test(a_robot_stands_on_a_slope),
      cmocka_unit_test(robots_are_placed),
      cmocka_unit_test(gains_are_those_given),
      cmocka_unit_test(a_crank_swings_its_rocker),
  };
  return cmocka_run_group_tests(tests, NULL, ffi_tear_down);
}
