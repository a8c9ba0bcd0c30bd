// The forces that a standing robot asks of its feet, by the power of its torques. In a motion v in which no foot moves
// the forces of the feet do no work, so torques and weight give the base a power, and that is told by the law alone:
//
//     tau v = g(q) v + (F + m g) c' + T w,        c', w: of the robot moved rigidly with its base
//
// with F = m (-g - W^2 e - 2 W e'), T = -I (W^2 phi + 2 W w0), W^2 = |g|/h (docs/theory/control.md, standing). Here e,
// e', phi and w0 are put in one by one, and measured from the poses.
#include "robots.h"

#include <footfall/control/controller.h>
#include <footfall/dynamics.h>

enum { NQ = 19, NV = 18, LEGS = 4 };

static const char *const feet[LEGS] = {"HL_FOOT", "HR_FOOT", "FL_FOOT", "FR_FOOT"};
static const double weight = 9.81;

typedef struct bench {
  ff_model *model;
  ff_dynamics *dynamics;
  ff_controller *controller;
  double q0[NQ], middle0[3], com0[3], mass, height;
} bench;

// The middle of the feet, which are points at the origins of their links; and their Jacobians, [3 LEGS][NV].
static void look_at_feet(const bench *b, double middle[3], double *J)
{
  ff_point points[LEGS] = {{0}};
  memset(middle, 0, 3 * sizeof *middle);
  for (int i = 0; i < LEGS; ++i) {
    ff_link_info link;
    double at[3], R[9];
    assert_int_equal(ff_model_link(b->model, ff_model_find_link(b->model, feet[i]), &link), FF_OK);
    ff_dynamics_frame_pose(b->dynamics, link.frame, at, R);
    for (int k = 0; k < 3; ++k)
      middle[k] += at[k] / LEGS;
    points[i].frame = link.frame;
  }
  if (J)
    ff_dynamics_point_jacobian(b->dynamics, LEGS, points, J);
}

static bench begin(void)
{
  bench b = {.model = ffi_robot("solo12.urdf")};
  ff_controller_def def = ff_controller_def_default();
  ff_error error;
  memcpy(b.q0, ff_model_posture(b.model, 0), sizeof b.q0);
  def.type = FF_CONTROLLER_POSTURE_PD;
  def.gravity = 1;
  def.feet = feet;
  def.feet_count = LEGS;
  ffi_must(ff_controller_create(b.model, &def, b.q0, &b.controller, &error), &error);
  ffi_must(ff_dynamics_create(b.model, NULL, &b.dynamics, &error), &error);
  b.mass = ff_model_mass(b.model);
  ff_dynamics_kinematics(b.dynamics, b.q0, NULL, NULL);
  ff_dynamics_com(b.dynamics, b.com0);
  look_at_feet(&b, b.middle0, NULL);
  b.height = b.com0[2] - b.middle0[2];
  return b;
}

static void end(bench *b)
{
  ff_controller_destroy(b->controller);
  ff_dynamics_destroy(b->dynamics);
  ff_model_destroy(b->model);
}

// x of A x = y, n x n, by elimination with exchanges; A and y are used up.
static void solve(int n, double *A, double *y)
{
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i)
      pivot = fabs(A[i * n + k]) > fabs(A[pivot * n + k]) ? i : pivot;
    for (int j = 0; j < n && pivot != k; ++j) {
      const double t = A[k * n + j];
      A[k * n + j] = A[pivot * n + j], A[pivot * n + j] = t;
    }
    const double t = y[k];
    y[k] = y[pivot], y[pivot] = t;
    for (int i = k + 1; i < n; ++i) {
      const double l = A[i * n + k] / A[k * n + k];
      for (int j = k; j < n; ++j)
        A[i * n + j] -= l * A[k * n + j];
      y[i] -= l * y[k];
    }
  }
  for (int k = n - 1; k >= 0; --k) {
    for (int j = k + 1; j < n; ++j)
      y[k] -= A[k * n + j] * y[j];
    y[k] /= A[k * n + k];
  }
}

// Joint rates with which no foot moves while the base does: v [NV] from its first six.
static void keep_feet(const double *J, double *v)
{
  double A[12 * 12], y[12];
  for (int r = 0; r < 12; ++r) {
    y[r] = 0;
    for (int k = 0; k < 6; ++k)
      y[r] -= J[r * NV + k] * v[k];
    for (int k = 0; k < 12; ++k)
      A[12 * r + k] = J[r * NV + 6 + k];
  }
  solve(12, A, y);
  memcpy(v + 6, y, sizeof y);
}

// Power that the law gives beyond weight and gravity torques: (F + m g) c' + T w for a rigid motion of the base.
static double power_of_law(const bench *b, const double *q, const double *v, const double *rigid)
{
  double com[3], middle[3], momentum[6], R[9], R0[9], at[3], rate[6], phi[3], way[6], along[6], power = 0;
  const double W = sqrt(weight / b->height), I = b->mass * b->height * b->height / 9;
  ff_joint_info joint;
  ff_link_info link;
  ff_model_joint(b->model, ff_model_base(b->model, NULL), &joint);
  ff_model_link(b->model, joint.link, &link);
  ff_dynamics_kinematics(b->dynamics, b->q0, NULL, NULL);
  ff_dynamics_frame_pose(b->dynamics, link.frame, at, R0);
  ff_dynamics_kinematics(b->dynamics, q, rigid, NULL);
  ff_dynamics_momentum(b->dynamics, way);
  ff_dynamics_frame_velocity(b->dynamics, link.frame, FF_AXES_LOCAL_ALIGNED, along);
  ff_dynamics_kinematics(b->dynamics, q, v, NULL);
  ff_dynamics_com(b->dynamics, com);
  ff_dynamics_momentum(b->dynamics, momentum);
  ff_dynamics_frame_pose(b->dynamics, link.frame, at, R);
  ff_dynamics_frame_velocity(b->dynamics, link.frame, FF_AXES_LOCAL_ALIGNED, rate);
  look_at_feet(b, middle, NULL);
  for (int k = 0; k < 3; ++k) { // small turns: the vector of the skew part of R R0'
    const int i = (k + 2) % 3, j = (k + 1) % 3;
    phi[k] = 0;
    for (int c = 0; c < 3; ++c)
      phi[k] += 0.5 * (R[3 * i + c] * R0[3 * j + c] - R[3 * j + c] * R0[3 * i + c]);
  }
  for (int k = 0; k < 3; ++k) {
    const double e = k == 2 ? 0 : com[k] - middle[k] - (b->com0[k] - b->middle0[k]),
                 speed = k == 2 ? 0 : momentum[k] / b->mass;
    power += -(W * W * e + 2 * W * speed) * way[k]; // way: mass times c'
    power += -I * (W * W * phi[k] + 2 * W * rate[3 + k]) * along[3 + k];
  }
  return power;
}

// Moves the base by `shift` from q0 while the feet stay, and gives it the velocity `speed`, both [6]; then compares
// powers for all six motions of the base. Returns whether the law asks for more than the weight.
static int compare(const bench *b, const double shift[6], const double speed[6], const char *what)
{
  double q[NQ], step[NV] = {0}, v[NV] = {0}, tau[NV], g[NV], J[12 * NV], middle[3];
  double largest = 0, worst = 0;
  ff_error error;
  memcpy(step, shift, 6 * sizeof *step);
  memcpy(v, speed, 6 * sizeof *v);
  ff_dynamics_kinematics(b->dynamics, b->q0, NULL, NULL);
  look_at_feet(b, middle, J);
  keep_feet(J, step);
  ff_model_integrate(b->model, b->q0, step, q);
  ffi_must(ff_controller_tau(b->controller, 0, q, v, tau, &error), &error);
  ff_dynamics_gravity(b->dynamics, q, g);
  ff_dynamics_kinematics(b->dynamics, q, NULL, NULL);
  look_at_feet(b, middle, J);
  for (int k = 0; k < 6; ++k) {
    double way[NV] = {0}, rigid[NV] = {0}, given = 0;
    way[k] = rigid[k] = 1;
    keep_feet(J, way);
    for (int i = 0; i < NV; ++i)
      given += (i < 6 ? 0 : tau[i] * way[i]) - g[i] * way[i];
    const double wanted = power_of_law(b, q, v, rigid);
    largest = fmax(largest, fabs(wanted));
    worst = fmax(worst, fabs(given - wanted));
  }
  // The sum of squares that forces make least has 1e-6 on its diagonal: of the weight's power at 1 m/s.
  const double tolerance = 1e-6 * b->mass * weight;
  print_message("%s: power %.4g W, off by %.2g\n", what, largest, worst);
  if (!(worst <= tolerance))
    fail_msg("%s: off by %g W of %g W", what, worst, largest);
  return largest > 100 * tolerance;
}

static void feet_give_force_and_moment(void **state)
{
  (void)state;
  static const char *const names[] = {"along x", "along y", "up", "roll", "pitch", "yaw"};
  bench b = begin();
  int asked = 0;
  for (int k = 0; k < 6; ++k) {
    const double none[6] = {0};
    double some[6] = {0};
    some[k] = 0.03;
    asked += compare(&b, some, none, names[k]);
    some[k] = 0.2;
    asked += compare(&b, none, some, names[k]);
  }
  assert_int_equal(asked, 10); // all but up
  end(&b);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(feet_give_force_and_moment),
  };
  return cmocka_run_group_tests_name("control/controller_stand_power", tests, NULL, NULL);
}
