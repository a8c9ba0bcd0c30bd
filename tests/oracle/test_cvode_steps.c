// A robot in contact, by CVODE and by the steppers: solo12 on its feet, held by motors, pushed so that it sways, and
// pushed so that it slips.
//
// CVODE integrates q, v and the anchors as one ordinary differential equation, written here from the contact law's
// definition and the public dynamics; of contacts, steps and groups it knows nothing: quaternions are four numbers to
// it.
#include <footfall/load.h>
#include <footfall/sim.h>

#include "support/near.h"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { NQ = 19, NV = 18, FEET = 4, JOINTS = 12, STATES = NQ + NV + 2 * FEET };

typedef struct robot {
  ff_model *model;
  ff_dynamics *dynamics;
  int foot[FEET];
  double K, B, mu;
  double hold[JOINTS]; // references of the motors
  double q[NQ], v[NV];
} robot;

static const double motor_stiffness = 20, motor_damping = 0.5;

static robot make_robot(double K, double B, double mu, double push)
{
  static const char *const feet[FEET] = {"FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"};
  robot r = {.K = K, .B = B, .mu = mu};
  ff_error error;
  assert_int_equal(ff_model_load(FFI_TEST_SOURCE_DIR "/models/solo12.urdf", NULL, &r.model, &error), FF_OK);
  assert_int_equal(ff_dynamics_create(r.model, NULL, &r.dynamics, &error), FF_OK);
  for (int i = 0; i < FEET; ++i)
    r.foot[i] = ff_model_find_frame(r.model, feet[i]);
  memcpy(r.q, ff_model_posture(r.model, ff_model_find_posture(r.model, "standing")), sizeof r.q);
  memcpy(r.hold, r.q + 7, sizeof r.hold);
  r.q[2] -= 2.5 * 9.81 / 4 / K; // about its weight
  for (int k = 0; k < NV; ++k)
    r.v[k] = 0.02 * ((7 * k) % 5 - 2);
  r.v[0] += push;
  r.v[1] += 0.6 * push;
  return r;
}

static void free_robot(robot *r)
{
  ff_dynamics_destroy(r->dynamics);
  ff_model_destroy(r->model);
}

// The law of one foot at x with velocity u over the plane z = 0, its anchor at a: force, and the anchor's velocity.
static void foot_law(const robot *r, const double *x, const double *u, const double *a, double *force,
                     double *anchor_rate)
{
  const double push = fmax(0, -r->K * x[2] - r->B * u[2]);
  const double T[2] = {r->K * (a[0] - x[0]) - r->B * u[0], r->K * (a[1] - x[1]) - r->B * u[1]};
  const double size = hypot(T[0], T[1]), share = size > r->mu * push ? r->mu * push / size : 1;
  for (int k = 0; k < 2; ++k) {
    force[k] = share * T[k];
    anchor_rate[k] = (force[k] - T[k]) / r->B;
  }
  force[2] = push;
}

// dq/dt of the floating base and the joints.
static void configuration_rate(const double *q, const double *v, double *rate)
{
  const double x = q[3], y = q[4], z = q[5], w = q[6], *o = v + 3;
  const double R[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                       2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                       2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
  for (int k = 0; k < 3; ++k)
    rate[k] = R[3 * k] * v[0] + R[3 * k + 1] * v[1] + R[3 * k + 2] * v[2];
  rate[3] = 0.5 * (w * o[0] + y * o[2] - z * o[1]);
  rate[4] = 0.5 * (w * o[1] + z * o[0] - x * o[2]);
  rate[5] = 0.5 * (w * o[2] + x * o[1] - y * o[0]);
  rate[6] = -0.5 * (x * o[0] + y * o[1] + z * o[2]);
  memcpy(rate + 7, v + 6, JOINTS * sizeof *rate);
}

static int rates(realtype t, N_Vector y_vector, N_Vector rate_vector, void *user)
{
  robot *r = user;
  const double *q = N_VGetArrayPointer(y_vector), *v = q + NQ, *anchor = v + NV;
  double *rate = N_VGetArrayPointer(rate_vector), tau[NV] = {0}, J[6 * NV];
  (void)t;
  ff_dynamics_kinematics(r->dynamics, q, v, NULL);
  for (int i = 0; i < FEET; ++i) {
    double x[3], u[6], force[3];
    ff_dynamics_frame_pose(r->dynamics, r->foot[i], x, NULL);
    ff_dynamics_frame_velocity(r->dynamics, r->foot[i], FF_AXES_LOCAL_ALIGNED, u);
    ff_dynamics_frame_jacobian(r->dynamics, r->foot[i], FF_AXES_LOCAL_ALIGNED, J);
    foot_law(r, x, u, anchor + 2 * i, force, rate + NQ + NV + 2 * i);
    for (int k = 0; k < NV; ++k)
      tau[k] += J[k] * force[0] + J[NV + k] * force[1] + J[2 * NV + k] * force[2];
  }
  for (int j = 0; j < JOINTS; ++j)
    tau[6 + j] += motor_stiffness * (r->hold[j] - q[7 + j]) - motor_damping * v[6 + j];
  configuration_rate(q, v, rate);
  ff_dynamics_aba(r->dynamics, q, v, tau, rate + NQ);
  return 0;
}

// y [STATES] after `duration`, from the robot's state with the anchors where the feet are.
static void integrate_with_cvode(robot *r, double duration, double *out)
{
  SUNContext context;
  assert_int_equal(SUNContext_Create(NULL, &context), 0);
  N_Vector y = N_VNew_Serial(STATES, context);
  double *start = N_VGetArrayPointer(y), reached = 0;
  memcpy(start, r->q, sizeof r->q);
  memcpy(start + NQ, r->v, sizeof r->v);
  ff_dynamics_kinematics(r->dynamics, r->q, r->v, NULL);
  for (int i = 0; i < FEET; ++i) {
    double x[3];
    ff_dynamics_frame_pose(r->dynamics, r->foot[i], x, NULL);
    memcpy(start + NQ + NV + 2 * i, x, 2 * sizeof *x);
  }
  void *cvode = CVodeCreate(CV_BDF, context);
  SUNMatrix matrix = SUNDenseMatrix(STATES, STATES, context);
  SUNLinearSolver solver = SUNLinSol_Dense(y, matrix, context);
  assert_int_equal(CVodeInit(cvode, rates, 0, y), CV_SUCCESS);
  assert_int_equal(CVodeSStolerances(cvode, 1e-11, 1e-13), CV_SUCCESS);
  assert_int_equal(CVodeSetUserData(cvode, r), CV_SUCCESS);
  assert_int_equal(CVodeSetLinearSolver(cvode, solver, matrix), CV_SUCCESS);
  assert_int_equal(CVodeSetMaxNumSteps(cvode, 1000000), CV_SUCCESS);
  assert_int_equal(CVodeSetStopTime(cvode, duration), CV_SUCCESS);
  assert_true(CVode(cvode, duration, y, &reached, CV_NORMAL) >= 0);
  memcpy(out, start, STATES * sizeof *out);
  SUNLinSolFree(solver);
  SUNMatDestroy(matrix);
  CVodeFree(&cvode);
  N_VDestroy(y);
  SUNContext_Free(&context);
}

// The largest difference in q, and in v times the duration, between CVODE and a stepper.
static double compare(robot *r, ff_stepper stepper, double duration, int steps, const double *want,
                      int *slipping)
{
  ff_ground_def ground = ff_ground_def_default();
  ff_element_def motors[JOINTS];
  ff_error error;
  ff_sim *sim = NULL;
  ground.shape.material =
      (ff_material){.stiffness = r->K, .damping = r->B, .friction = r->mu, .restitution = 0};
  ground.gives_pair = 1;
  for (int j = 0; j < JOINTS; ++j) {
    motors[j] = ff_element_def_default();
    motors[j].joint = 1 + j;
    motors[j].stiffness = motor_stiffness;
    motors[j].damping = motor_damping;
    motors[j].reference = r->hold[j];
  }
  ff_sim_def def = ff_sim_def_default();
  def.stepper = stepper;
  def.dt = duration / steps;
  def.ground = &ground;
  def.ground_count = 1;
  def.elements = motors;
  def.element_count = JOINTS;
  def.model_elements = 0;
  assert_int_equal(ff_sim_create(r->model, &def, &sim, &error), FF_OK);
  assert_int_equal(ff_sim_reset(sim, r->q, r->v, &error), FF_OK);
  *slipping = 0;
  for (int k = 0; k < steps; ++k) {
    assert_int_equal(ff_sim_step(sim, NULL, &error), FF_OK);
    *slipping += ff_sim_info(sim)->slipping;
  }
  double change[NV];
  ff_model_difference(r->model, want, ff_sim_q(sim), change);
  const double distance = fmax(ffi_size(NV, change), duration * ffi_gap(NV, ff_sim_v(sim), want + NQ));
  ff_sim_destroy(sim);
  return distance;
}

typedef struct expectation {
  ff_stepper stepper;
  int steps;
  double error;
} expectation;

static void follow(robot *r, double duration, const expectation *expected, int count, int has_slip)
{
  double want[STATES];
  integrate_with_cvode(r, duration, want);
  for (int k = 0; k < count; ++k) {
    int slipping;
    const double error = compare(r, expected[k].stepper, duration, expected[k].steps, want, &slipping);
    print_message("  %-10s %5d steps: error %.1e, %d slips\n", ff_stepper_name(expected[k].stepper),
                  expected[k].steps, error, slipping);
    assert_true(error < expected[k].error);
    assert_true(has_slip ? slipping > 0 && slipping < 4 * expected[k].steps : slipping == 0);
  }
  free_robot(r);
}

// Smooth: rk4 down to CVODE's own error; the others to what their order leaves.
static void sways(void **state)
{
  (void)state;
  robot r = make_robot(3e3, 30, 100, 0);
  static const expectation expected[] = {
      {FF_STEPPER_RK4, 400, 1e-10},
      {FF_STEPPER_EULER, 1000, 1e-4},
      {FF_STEPPER_SYMPLECTIC, 1000, 1e-4},
      {FF_STEPPER_IMPLICIT, 1000, 1e-4},
  };
  follow(&r, 0.05, expected, 4, 0);
}

// Feet that begin to slip and stick again: each such moment costs rk4 its order, so its steps are small.
static void slips(void **state)
{
  (void)state;
  robot r = make_robot(3e3, 30, 0.4, 0.08);
  static const expectation expected[] = {
      {FF_STEPPER_RK4, 4000, 1e-7},
      {FF_STEPPER_EULER, 4000, 1e-3},
      {FF_STEPPER_SYMPLECTIC, 4000, 1e-3},
      {FF_STEPPER_IMPLICIT, 4000, 1e-3},
  };
  follow(&r, 0.1, expected, 4, 1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(sways), cmocka_unit_test(slips)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
