// Linear feedback along a trajectory: what it interpolates, what it adds up, and a squat that is recorded, disturbed
// and done again.
#include "robots.h"

#include "support/alloc_counter.h"

#include <footfall/control/feedback.h>
#include <footfall/control/reference.h>

enum { NQ = 19, NV = 18, NU = 12 };

static ff_feedback *must_feedback(const ff_model *model, const ff_feedback_def *def)
{
  ff_error error;
  ff_feedback *feedback = NULL;
  ffi_must(ff_feedback_create(model, def, &feedback, &error), &error);
  return feedback;
}

// A base that turns by 1 rad about x and moves by 0.1 m along it, which is one screw: half of it is half of both.
static void states_are_interpolated_along_the_group(void **state)
{
  (void)state;
  ff_model *model = ffi_robot("solo12.urdf");
  double q[2][NQ] = {{0}}, v[2][NV] = {{0}}, at[NQ], rate[NV];
  q[0][6] = 1;
  q[1][0] = 0.1;
  q[1][3] = sin(0.5);
  q[1][6] = cos(0.5);
  q[0][10] = 1;
  q[1][10] = 3;
  v[0][0] = 2;
  v[1][0] = 4;
  ff_feedback_def def = ff_feedback_def_default();
  def.states = 2;
  def.interval = 0.5;
  def.q = q[0];
  def.v = v[0];
  ff_feedback *feedback = must_feedback(model, &def);
  assert_int_equal(ff_feedback_controls(feedback), NU);
  ffi_check_near("duration", ff_feedback_duration(feedback), 0.5, 1e-15);
  const double times[5] = {-1, 0, 0.125, 0.5, 9}, shares[5] = {0, 0, 0.25, 1, 1};
  for (int i = 0; i < 5; ++i) {
    const double s = shares[i];
    ff_feedback_reference(feedback, times[i], at, rate);
    ffi_check_near("x", at[0], 0.1 * s, 1e-15);
    ffi_check_near("turn", at[3], sin(s / 2), 1e-15);
    ffi_check_near("turn", at[6], cos(s / 2), 1e-15);
    ffi_check_near("joint", at[10], 1 + 2 * s, 1e-14);
    ffi_check_near("velocity", rate[0], 2 + 2 * s, 1e-14);
  }
  ff_feedback_destroy(feedback);
  ff_model_destroy(model);
}

// Controls and gains are held over an interval; numbers that a person can follow.
static void control_is_held_and_gains_count_what_is_missing(void **state)
{
  (void)state;
  ff_model *model = ffi_robot("solo12.urdf");
  static double q[3][NQ], v[3][NV], u[2][NU], K[2][NU][2 * NV];
  double x[NQ] = {0}, rate[NV] = {0}, tau[NV], limits[NV];
  for (int k = 0; k < 3; ++k)
    q[k][6] = 1;
  q[1][7] = 1; // joint 0 at the second state, and there it stays
  q[2][7] = 1;
  u[0][0] = 5;
  u[1][0] = 7;
  K[0][0][6] = 10;     // joint 0's torque per joint 0's way,
  K[0][0][NV + 6] = 2; // and per its speed
  K[1][3][2] = 100;    // joint 3's torque per the base's height
  ff_feedback_def def = ff_feedback_def_default();
  def.states = 3;
  def.interval = 0.1;
  def.q = q[0];
  def.v = v[0];
  def.control = u[0];
  def.gain = K[0][0];
  for (int i = 0; i < NV; ++i)
    limits[i] = i == 9 ? 1.5 : INFINITY;
  def.torque_limits = limits;
  ff_feedback *feedback = must_feedback(model, &def);
  x[6] = 1;
  x[7] = 0.3;
  rate[6] = 0.5;
  const long before = ffi_test_alloc_count();
  ff_feedback_tau(feedback, 0.05, x, rate, tau); // reference 0.5: 5 + 10 (0.5 - 0.3) - 2 0.5
  ffi_check_near("first interval", tau[6], 6, 1e-12);
  x[2] = -0.01; // a base too low by 1 cm
  ff_feedback_tau(feedback, 0.1, x, rate, tau);
  ffi_check_near("second interval", tau[6], 7, 1e-12);
  ffi_check_near("height", tau[9], 1, 1e-12);
  x[2] = -0.03;
  ff_feedback_tau(feedback, 5, x, rate, tau);
  ffi_check_near("limit", tau[9], 1.5, 0);
  for (int i = 0; i < 6; ++i)
    assert_true(tau[i] == 0);
  assert_int_equal(ffi_test_alloc_count(), before);
  ff_feedback_destroy(feedback);
  ff_model_destroy(model);
}

enum { SAMPLES = 301 };
typedef struct record {
  double q[SAMPLES][NQ], v[SAMPLES][NV], u[SAMPLES - 1][NU], K[SAMPLES - 1][NU][2 * NV];
} record;

// A squat under whole-body control, 3 s at 10 ms.
static void make_record(ff_model *model, ff_sim *sim, record *r)
{
  ff_contact_task feet[4];
  ff_whole_body_def def = ffi_squat_def(model, feet);
  def.posture.weight = 1e-5;
  def.hold = 0.01;
  ff_whole_body *body = ffi_must_whole_body(model, &def);
  ff_squat squat = {
      .centre = {0.0159, 0.0004, 0.199}, .amplitude = {0, 0, 0.03}, .rate = {0, 0, 2}, .rise = 1};
  ffi_must_reset(sim, ffi_robot_posture(model, "squat"), NULL);
  ff_whole_body_hold(body, ff_sim_q(sim));
  for (int k = 0; k < SAMPLES; ++k) {
    double x[3], dx[3], ddx[3];
    memcpy(r->q[k], ff_sim_q(sim), sizeof r->q[k]);
    memcpy(r->v[k], ff_sim_v(sim), sizeof r->v[k]);
    if (k == SAMPLES - 1)
      break;
    ff_squat_at(&squat, (k + 0.5) * 0.01, x, dx, ddx);
    ff_whole_body_set_com(body, x, dx, ddx);
    ffi_must_solve(body, ff_sim_q(sim), ff_sim_v(sim));
    memcpy(r->u[k], ff_whole_body_tau(body) + 6, sizeof r->u[k]);
    for (int i = 0; i < NU; ++i) {
      r->K[k][i][6 + i] = 3;
      r->K[k][i][NV + 6 + i] = 0.1;
    }
    ffi_must_step(sim, ff_whole_body_tau(body));
  }
  ff_whole_body_destroy(body);
}

// Undisturbed it is the same motion again but for rounding: feedback has nothing to add. Started beside it, it comes
// back.
static void a_recorded_squat_is_done_again(void **state)
{
  (void)state;
  ff_model *model = ffi_robot("solo12.urdf");
  ff_sim_def sim_def = ff_sim_def_default();
  sim_def.dt = 0.01;
  ff_sim *sim = ffi_must_sim(model, &sim_def);
  record *r = calloc(1, sizeof *r);
  assert_non_null(r);
  make_record(model, sim, r);
  ff_feedback_def def = ff_feedback_def_default();
  def.states = SAMPLES;
  def.q = r->q[0];
  def.v = r->v[0];
  def.control = r->u[0];
  def.gain = r->K[0][0];
  for (int disturbed = 0; disturbed < 3; ++disturbed) {
    double start[NQ], dv[NV] = {0}, tau[NV], gap[NV];
    if (disturbed == 2)
      def.gain = NULL; // and without feedback it would not
    ff_feedback *feedback = must_feedback(model, &def);
    for (int i = 6; i < NV && disturbed; ++i)
      dv[i] = i % 3 == 1 ? 0.02 : i % 3 == 2 ? -0.04 : 0; // a little higher on its legs
    dv[2] = disturbed ? 0.004 : 0;
    ff_model_integrate(model, r->q[0], dv, start);
    ffi_must_reset(sim, start, NULL);
    for (int k = 0; k < SAMPLES - 1; ++k) {
      ff_feedback_tau(feedback, k * def.interval, ff_sim_q(sim), ff_sim_v(sim), tau);
      if (ff_sim_step(sim, tau, NULL) != FF_OK)
        break;
    }
    ff_model_difference(model, r->q[SAMPLES - 1], ff_sim_q(sim), gap);
    const double off = ffi_size(NV, gap);
    print_message("  %s, %s: off by %.1e at the end\n", disturbed ? "disturbed" : "as recorded",
                  disturbed == 2 ? "no feedback" : "feedback", off);
    assert_true(disturbed == 0 ? off < 1e-9 : disturbed == 1 ? off < 0.01 : off > 0.05);
    ff_feedback_destroy(feedback);
  }
  free(r);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

static void bad_trajectories_are_refused(void **state)
{
  (void)state;
  ff_model *model = ffi_robot("solo12.urdf");
  static double q[2][NQ], v[2][NV], u[NU];
  static const double negative[NV] = {[8] = -1};
  ff_feedback *feedback;
  ff_error error;
  for (int k = 0; k < 6; ++k) {
    ff_feedback_def def = ff_feedback_def_default();
    def.states = 2;
    def.q = q[0];
    def.v = v[0];
    def.control = u;
    u[3] = 0;
    switch (k) {
    case 0: def.states = 1; break;
    case 1: def.q = NULL; break;
    case 2: def.interval = -1; break;
    case 3: u[3] = NAN; break;
    case 4: def.interval = INFINITY; break;
    default: def.torque_limits = negative; break;
    }
    assert_int_equal(ff_feedback_create(model, &def, &feedback, &error), FF_ERROR_ARGUMENT);
    assert_null(feedback);
    assert_non_null(strstr(error.message, "trajectory"));
  }
  assert_int_equal(ff_feedback_create(NULL, NULL, &feedback, &error), FF_ERROR_ARGUMENT);
  ff_feedback_destroy(NULL);
  ff_model_destroy(model);
}

// A feedback made of another one's trajectory gives the same torques, to the bit.
static void a_trajectory_is_given_back(void **state)
{
  (void)state;
  ff_model *model = ffi_robot("solo12.urdf");
  double q[3][NQ] = {{0}}, v[3][NV] = {{0}}, control[2][NU], gain[2][NU][2 * NV], limits[NV], at[NQ] = {0},
         speed[NV] = {0}, tau[2][NV];
  for (int k = 0; k < 3; ++k) {
    q[k][6] = 1;
    for (int i = 7; i < NQ; ++i)
      q[k][i] = 0.1 * i * k;
  }
  for (int k = 0; k < 2; ++k)
    for (int i = 0; i < NU; ++i) {
      control[k][i] = sin(k + 2 * i);
      for (int j = 0; j < 2 * NV; ++j)
        gain[k][i][j] = cos(k + 3 * i + 5 * j);
    }
  for (int i = 0; i < NV; ++i)
    limits[i] = 2;
  at[6] = 1;
  ff_feedback_def def = ff_feedback_def_default();
  def.states = 3, def.interval = 0.5, def.q = q[0], def.v = v[0], def.control = control[0];
  def.gain = gain[0][0], def.torque_limits = limits, def.repeats = 1, def.repeat_from = 1;
  ff_feedback *one = must_feedback(model, &def);
  const ff_feedback_def back = ff_feedback_get_def(one);
  assert_true(back.states == 3 && back.interval == 0.5 && back.repeats == 1 && back.repeat_from == 1);
  ff_feedback *other = must_feedback(model, &back);
  for (double time = 0; time < 3; time += 0.13) {
    ff_feedback_tau(one, time, at, speed, tau[0]);
    ff_feedback_tau(other, time, at, speed, tau[1]);
    assert_memory_equal(tau[0], tau[1], sizeof tau[0]);
  }
  assert_true(tau[0][10] != 0);
  ff_feedback_destroy(one);
  ff_feedback_destroy(other);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(states_are_interpolated_along_the_group),
      cmocka_unit_test(control_is_held_and_gains_count_what_is_missing),
      cmocka_unit_test(a_recorded_squat_is_done_again),
      cmocka_unit_test(bad_trajectories_are_refused),
      cmocka_unit_test(a_trajectory_is_given_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
