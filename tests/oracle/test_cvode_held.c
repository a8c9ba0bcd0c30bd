// Arms held by stiff springs, by CVODE and by the exponential steppers at long steps: a pendulum whose motor drags it
// round, a crank whose tip is held to the world, two arms that hold each other.
//
// CVODE integrates joint angles and rates with forces written here from their definition: force = -K (distance) - B
// (its rate) at the points, and the public dynamics. All joints are hinges, so q is a vector.
#include <footfall/builder.h>
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
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 8, ELEMENTS = 2 };

typedef struct arm {
  ff_model *model;
  ff_dynamics *dynamics;
  int n;
  ff_element_def element[ELEMENTS];
  int element_count;
  double q[MOST], v[MOST];
  double force_tolerance; // of the steppers; 0: the default
} arm;

// Rods of 0.3 m, one after another, from (x, 0, 1), hinges about axes that tip more and more out of the plane.
static int add_rods(ff_builder *b, int count, char side, double x, double tip)
{
  int parent = FF_WORLD;
  for (int i = 0; i < count; ++i) {
    ff_error error;
    char name[16];
    snprintf(name, sizeof name, "%c%d", side, i);
    ff_link_def rod = ff_link_def_default();
    rod.name = name;
    rod.parent = parent;
    rod.joint.type = FF_JOINT_REVOLUTE;
    rod.joint.axis[0] = tip * i;
    rod.joint.axis[1] = 1;
    rod.joint.pose.position[0] = i == 0 ? x : 0;
    rod.joint.pose.position[2] = i == 0 ? 1 : -0.3;
    rod.inertia.mass = 0.5 + 0.2 * i;
    rod.inertia.com[2] = -0.14;
    rod.inertia.com[0] = 0.01;
    rod.inertia.matrix[0] = rod.inertia.matrix[3] = 0.004;
    rod.inertia.matrix[5] = 0.001;
    if (ff_builder_add_link(b, &rod, &parent, &error) != FF_OK)
      fail_msg("%s", error.message);
  }
  return parent;
}

static arm make_arm(int left, int right, double tip)
{
  arm a = {.n = left + right};
  ff_builder *b;
  ff_error error;
  assert_int_equal(ff_builder_create("arms", &b, &error), FF_OK);
  add_rods(b, left, 'a', 0, tip);
  add_rods(b, right, 'b', 0.5, tip);
  if (ff_builder_finish(b, &a.model, &error) != FF_OK)
    fail_msg("%s", error.message);
  ff_builder_destroy(b);
  assert_int_equal(ff_dynamics_create(a.model, NULL, &a.dynamics, &error), FF_OK);
  assert_int_equal(ff_model_get_size(a.model).nq, a.n);
  return a;
}

static void free_arm(arm *a)
{
  ff_dynamics_destroy(a->dynamics);
  ff_model_destroy(a->model);
}

static ff_point end_of(const arm *a, const char *link)
{
  const ff_point p = {.frame = ff_model_find_frame(a->model, link), .offset = {0, 0, -0.3}};
  assert_true(p.frame > 0);
  return p;
}

// Where a point is, and how it moves; frame 0: the world.
static void motion_of(const arm *a, const ff_point *p, double x[3], double u[3], double *J)
{
  double position[3], R[9], twist[6], rows[6 * MOST];
  memset(J, 0, 3 * MOST * sizeof *J);
  memcpy(x, p->offset, 3 * sizeof *x);
  memset(u, 0, 3 * sizeof *u);
  if (p->frame == 0)
    return;
  ff_dynamics_frame_pose(a->dynamics, p->frame, position, R);
  ff_dynamics_frame_velocity(a->dynamics, p->frame, FF_AXES_LOCAL_ALIGNED, twist);
  ff_dynamics_frame_jacobian(a->dynamics, p->frame, FF_AXES_LOCAL_ALIGNED, rows);
  double arm_of[3];
  for (int k = 0; k < 3; ++k) {
    arm_of[k] = R[3 * k] * p->offset[0] + R[3 * k + 1] * p->offset[1] + R[3 * k + 2] * p->offset[2];
    x[k] = position[k] + arm_of[k];
  }
  for (int k = 0; k < 3; ++k) { // u + omega x arm
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    u[k] = twist[k] + twist[3 + i] * arm_of[j] - twist[3 + j] * arm_of[i];
    for (int c = 0; c < a->n; ++c)
      J[MOST * k + c] =
          rows[k * a->n + c] + rows[(3 + i) * a->n + c] * arm_of[j] - rows[(3 + j) * a->n + c] * arm_of[i];
  }
}

static void add_element(const arm *a, const ff_element_def *e, double t, const double *q, const double *v,
                        double *tau)
{
  if (e->type == FF_ELEMENT_JOINT_PD) {
    const double reference = e->reference + t * e->reference_velocity;
    tau[e->joint] +=
        e->stiffness * (reference - q[e->joint]) + e->damping * (e->reference_velocity - v[e->joint]);
    return;
  }
  double x[2][3], u[2][3], J[2][3 * MOST];
  motion_of(a, &e->a, x[0], u[0], J[0]);
  motion_of(a, &e->b, x[1], u[1], J[1]);
  for (int k = 0; k < 3; ++k) {
    const double force = -e->stiffness * (x[0][k] - x[1][k]) - e->damping * (u[0][k] - u[1][k]);
    for (int c = 0; c < a->n; ++c)
      tau[c] += force * (J[0][MOST * k + c] - J[1][MOST * k + c]);
  }
}

static int rates(realtype t, N_Vector y_vector, N_Vector rate_vector, void *user)
{
  arm *a = user;
  const double *q = N_VGetArrayPointer(y_vector), *v = q + a->n;
  double *rate = N_VGetArrayPointer(rate_vector), tau[MOST] = {0};
  ff_dynamics_kinematics(a->dynamics, q, v, NULL);
  for (int i = 0; i < a->element_count; ++i)
    add_element(a, &a->element[i], t, q, v, tau);
  memcpy(rate, v, (size_t)a->n * sizeof *rate);
  ff_dynamics_aba(a->dynamics, q, v, tau, rate + a->n);
  return 0;
}

static void integrate_with_cvode(arm *a, double duration, double *out)
{
  SUNContext context;
  assert_int_equal(SUNContext_Create(NULL, &context), 0);
  N_Vector y = N_VNew_Serial(2 * a->n, context);
  double *start = N_VGetArrayPointer(y), reached = 0;
  memcpy(start, a->q, (size_t)a->n * sizeof *start);
  memcpy(start + a->n, a->v, (size_t)a->n * sizeof *start);
  void *cvode = CVodeCreate(CV_BDF, context);
  SUNMatrix matrix = SUNDenseMatrix(2 * a->n, 2 * a->n, context);
  SUNLinearSolver solver = SUNLinSol_Dense(y, matrix, context);
  assert_int_equal(CVodeInit(cvode, rates, 0, y), CV_SUCCESS);
  assert_int_equal(CVodeSStolerances(cvode, 1e-13, 1e-14), CV_SUCCESS);
  assert_int_equal(CVodeSetUserData(cvode, a), CV_SUCCESS);
  assert_int_equal(CVodeSetLinearSolver(cvode, solver, matrix), CV_SUCCESS);
  assert_int_equal(CVodeSetMaxNumSteps(cvode, 1000000), CV_SUCCESS);
  assert_int_equal(CVodeSetStopTime(cvode, duration), CV_SUCCESS);
  assert_true(CVode(cvode, duration, y, &reached, CV_NORMAL) >= 0);
  memcpy(out, start, 2 * (size_t)a->n * sizeof *out);
  SUNLinSolFree(solver);
  SUNMatDestroy(matrix);
  CVodeFree(&cvode);
  N_VDestroy(y);
  SUNContext_Free(&context);
}

static double error_of(const arm *a, ff_stepper stepper, double duration, int steps, const double *want)
{
  ff_sim_def def = ff_sim_def_default();
  ff_sim *sim;
  ff_error error;
  def.stepper = stepper;
  def.dt = duration / steps;
  if (a->force_tolerance > 0) {
    def.expo.force_tolerance = a->force_tolerance;
    def.expo.max_substeps = 64;
  }
  def.ground_count = 0;
  def.elements = a->element;
  def.element_count = a->element_count;
  if (ff_sim_create(a->model, &def, &sim, &error) != FF_OK || ff_sim_reset(sim, a->q, a->v, &error) != FF_OK)
    fail_msg("%s", error.message);
  for (int k = 0; k < steps; ++k)
    assert_int_equal(ff_sim_step(sim, NULL, &error), FF_OK);
  const double distance = fmax(ffi_gap(a->n, ff_sim_q(sim), want), ffi_gap(a->n, ff_sim_v(sim), want + a->n));
  ff_sim_destroy(sim);
  return distance;
}

typedef struct step_counts {
  double duration; // [s]
  int first, count;
} step_counts;

// Errors with `first`, 2 first, 4 first ... steps, printed, and the order of the last three: at the longest ones
// springs swing within a step, and the order is not yet there.
static double table(arm *a, ff_stepper stepper, step_counts steps, const double *want, double *error)
{
  const int count = steps.count;
  print_message("  %-10s", ff_stepper_name(stepper));
  for (int k = 0; k < count; ++k) {
    error[k] = error_of(a, stepper, steps.duration, steps.first << k, want);
    print_message("  %.1f ms: %.1e", 1e3 * steps.duration / (steps.first << k), error[k]);
  }
  const double order = log2(error[count - 3] / error[count - 1]) / 2;
  print_message("  order %.2f\n", order);
  return order;
}

// ---- What a held gravity must do ---------------------------------------------------------------------------
//
// A motor of K = 1e5 N m/rad and B = 100 N m s/rad drags a rod through 1.5 rad in 0.5 s. Springs are solved exactly,
// and the mass of one rod is constant: all that is wrong is gravity's torque G within a step, held at its value at the
// start (expo-paper), or on the chord between both ends (expo). The error e is the motor's answer to what is left out,
//
//     I e'' + B e' + K e = G held - G along the motion,        the motion q_end - rate (T - t),
//
// integrated here by Runge and Kutta's rule. It has forgotten all but the last steps: B / K is 1 ms, and 0.1 s are
// taken. This leaves out that e changes G by dG/dq e, and that the motion sags: dG/dq / K = 7e-6 of e each. CVODE keeps
// 1e-13 of 3 rad/s in a step, and less in all: with 1e-11 instead it is 25 times that off, 7e-10 rad/s.

static const double motor_stiffness = 1e5, motor_damping = 100, motor_rate = 3;

static double gravity_at(arm *a, double q)
{
  double g;
  ff_dynamics_gravity(a->dynamics, &q, &g);
  return g;
}

// By its definition: about the hinge.
static double rod_inertia(void)
{
  return 0.004 + 0.5 * (0.14 * 0.14 + 0.01 * 0.01);
}

static void answer_to(double torque, const double e[2], double rate[2])
{
  rate[0] = e[1];
  rate[1] = (torque - motor_damping * e[1] - motor_stiffness * e[0]) / rod_inertia();
}

// The rate of e at the end.
static double error_by_hand(arm *a, ff_stepper stepper, double end, double dt)
{
  enum { CUTS = 2000 };
  const int steps = (int)(0.1 / dt + 0.5);
  double e[2] = {0, 0};
  for (int n = 0; n < steps * CUTS; ++n) {
    const double h = dt / CUTS, from = end - motor_rate * dt * (steps - n / CUTS);
    const double first = gravity_at(a, from), last = gravity_at(a, from + motor_rate * dt);
    double k[4][2], at[2] = {e[0], e[1]};
    for (int r = 0; r < 4; ++r) {
      const double t = (n % CUTS) * h + (double[]){0, 0.5, 0.5, 1}[r] * h,
                   along = gravity_at(a, from + motor_rate * t),
                   held = stepper == FF_STEPPER_EXPO ? first + t / dt * (last - first) : first;
      answer_to(along - held, at, k[r]);
      for (int i = 0; i < 2; ++i)
        at[i] = e[i] + (double[]){0.5, 0.5, 1, 0}[r] * h * k[r][i];
    }
    for (int i = 0; i < 2; ++i)
      e[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
  }
  return fabs(e[1]);
}

// At 10 ms, ten times what the motor needs, expo's velocity is wrong by G'' (dt / 2 - B / K) / K, 2.5e-7 rad/s; shorter
// than that it falls with dt^2.
static void a_motor_drags_a_pendulum(void **state)
{
  (void)state;
  arm a = make_arm(1, 0, 0);
  a.element[0] = ff_element_def_default();
  a.element[0].joint = 0;
  a.element[0].stiffness = motor_stiffness;
  a.element[0].damping = motor_damping;
  a.element[0].reference = 0.3;
  a.element[0].reference_velocity = motor_rate;
  a.element_count = 1;
  a.q[0] = 0.31;
  a.force_tolerance = 1e-12;
  double want[2 * MOST], error[8];
  integrate_with_cvode(&a, 0.5, want);
  for (int s = FF_STEPPER_EXPO; s <= FF_STEPPER_EXPO_PAPER; ++s) {
    table(&a, (ff_stepper)s, (step_counts){0.5, 50, 5}, want, error);
    for (int k = 0; k < 5; ++k) {
      const double by_hand = error_by_hand(&a, (ff_stepper)s, want[0], 0.01 / (1 << k));
      print_message("  by hand: %.5e, not %.5e\n", by_hand, error[k]);
      assert_true(fabs(error[k] - by_hand) < 1.4e-5 * by_hand + 25 * 1e-13 * motor_rate);
    }
  }
  free_arm(&a);
}

static ff_element_def spring(ff_point from, ff_point to, double stiffness, double damping)
{
  ff_element_def e = ff_element_def_default();
  e.type = FF_ELEMENT_POINT;
  e.a = from;
  e.b = to;
  e.stiffness = stiffness;
  e.damping = damping;
  return e;
}

// Three rods, the last one's end held to a point of the world: what is left is a crank that swings.
static void a_crank_swings(void **state)
{
  (void)state;
  for (int stiff = 0; stiff < 2; ++stiff) {
    arm a = make_arm(3, 0, 0);
    const double q[3] = {0.5, -1.2, 0.4};
    memcpy(a.q, q, sizeof q);
    ff_point tip = end_of(&a, "a2"), hook = {.frame = 0};
    double u[3], J[3 * MOST];
    ff_dynamics_kinematics(a.dynamics, a.q, a.v, NULL);
    motion_of(&a, &tip, hook.offset, u, J);
    a.element[0] = stiff ? spring(tip, hook, 1e6, 500) : spring(tip, hook, 1e4, 50);
    a.element_count = 1;
    double want[2 * MOST], error[8];
    integrate_with_cvode(&a, 0.4, want);
    print_message("crank, K = %.0e: %.2f rad/s\n", a.element[0].stiffness, ffi_size(3, want + 3));
    const double order = table(&a, FF_STEPPER_EXPO, (step_counts){0.4, 80, 8}, want, error);
    assert_true(fabs(order - 2) < 0.1);
    const double longest = error[0];
    const double published = table(&a, FF_STEPPER_EXPO_PAPER, (step_counts){0.4, 80, 8}, want, error);
    assert_true(fabs(published - 1) < 0.1);
    assert_true(longest < error[3]); // at eight times its step
    free_arm(&a);
  }
}

// The point of another link that is where a point is now.
static ff_point same_place(const arm *a, const ff_point *other, const char *link)
{
  ff_point p = end_of(a, link);
  double x[3], u[3], J[3 * MOST], position[3], R[9];
  ff_dynamics_kinematics(a->dynamics, a->q, a->v, NULL);
  motion_of(a, other, x, u, J);
  ff_dynamics_frame_pose(a->dynamics, p.frame, position, R);
  for (int k = 0; k < 3; ++k)
    p.offset[k] =
        R[k] * (x[0] - position[0]) + R[3 + k] * (x[1] - position[1]) + R[6 + k] * (x[2] - position[2]);
  return p;
}

// Two arms of two rods that hold each other by their ends: rows between two branches.
static void two_arms_hold_each_other(void **state)
{
  (void)state;
  arm a = make_arm(2, 2, 0.3);
  const double q[4] = {-0.6, 0.4, 0.6, -0.4}, v[4] = {0.2, -0.1, 0.3, 0.1};
  memcpy(a.q, q, sizeof q);
  memcpy(a.v, v, sizeof v);
  const ff_point left = end_of(&a, "a1");
  const ff_point right = same_place(&a, &left, "b1");
  a.element[0] = spring(left, right, 2e4, 60);
  a.element[1] = ff_element_def_default();
  a.element[1].joint = 1;
  a.element[1].stiffness = 50;
  a.element[1].damping = 1;
  a.element[1].reference = 0.2;
  a.element_count = 2;
  double want[2 * MOST], error[8];
  integrate_with_cvode(&a, 0.3, want);
  const double order = table(&a, FF_STEPPER_EXPO, (step_counts){0.3, 60, 8}, want, error);
  assert_true(fabs(order - 2) < 0.1);
  const double longest = error[0];
  const double published = table(&a, FF_STEPPER_EXPO_PAPER, (step_counts){0.3, 60, 8}, want, error);
  assert_true(fabs(published - 1) < 0.1);
  assert_true(longest < error[3]);
  free_arm(&a);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_motor_drags_a_pendulum),
      cmocka_unit_test(a_crank_swings),
      cmocka_unit_test(two_arms_hold_each_other),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
