// Strict tasks accelerate as they ask, seen from outside: by differences in time of where things are along the
// solution.
#include "robots.h"

#include "support/random_state.h"

#include <float.h>

// ---- Tasks, by differences in time --------------------------------------------------------------------------------

// The state a time t along the solution.
static void along(ffi_bench *b, const double *vdot, double t, double *q, double *v)
{
  double dv[FFI_MOST_NV];
  for (int i = 0; i < b->nv; ++i) {
    dv[i] = t * b->v[i] + t * t / 2 * vdot[i];
    v[i] = b->v[i] + t * vdot[i];
  }
  ff_model_integrate(b->model, b->q, dv, q);
}

typedef void quantity(ff_dynamics *d, int frame, double out[6]);

static void com_of(ff_dynamics *d, int frame, double out[6])
{
  (void)frame;
  memset(out, 0, 6 * sizeof *out);
  ff_dynamics_com(d, out);
}

static void origin_of(ff_dynamics *d, int frame, double out[6])
{
  memset(out, 0, 6 * sizeof *out);
  ff_dynamics_frame_pose(d, frame, out, NULL);
}

// Value, first and second derivative in time, by five points: truncation h^4/90 of the sixth derivative and less.
static void differentiate(ffi_bench *b, const double *vdot, quantity *f, int frame, double out[3][6])
{
  const double h = 1e-3;
  double q[FFI_MOST_NV + 1], v[FFI_MOST_NV], at[5][6];
  for (int k = 0; k < 5; ++k) {
    along(b, vdot, (k - 2) * h, q, v);
    ff_dynamics_kinematics(b->dynamics, q, v, NULL);
    f(b->dynamics, frame, at[k]);
  }
  for (int r = 0; r < 6; ++r) {
    out[0][r] = at[2][r];
    out[1][r] = (8 * (at[3][r] - at[1][r]) - (at[4][r] - at[0][r])) / (12 * h);
    out[2][r] = (16 * (at[3][r] + at[1][r]) - (at[4][r] + at[0][r]) - 30 * at[2][r]) / (12 * h * h);
  }
}

// How far x'' is from a_ref + kd (v_ref - x') + kp (x_ref - x).
static double gap_of(double x[3][6], double want[3][3], const ff_task *task)
{
  const double kd = task->kd < 0 ? 2 * sqrt(task->kp) : task->kd;
  double gap = 0;
  for (int r = 0; r < 3; ++r)
    gap = fmax(gap,
               fabs(x[2][r] - want[2][r] - kd * (want[1][r] - x[1][r]) - task->kp * (want[0][r] - x[0][r])));
  return gap;
}

// Three feet stand, one swings, the centre of mass goes its way: all strict.
static void strict_tasks_accelerate_as_they_ask(void **state)
{
  (void)state;
  // Joints accelerate at some 100 rad/s^2 on arms of 0.3 m, so a sixth derivative is 15 x 0.3 x 100^3 m/s^6, h^4/90 of
  // it 5e-8.
  ffi_margin m = {.what = "strict tasks", .tolerance = 1e-6};
  ffi_bench b = ffi_bench_make("solo12.urdf");
  ff_contact_task feet[4];
  ff_whole_body_def def = ffi_squat_def(b.model, feet);
  ff_frame_task swing = ff_frame_task_default();
  for (int i = 0; i < 4; ++i) {
    feet[i].task = (ff_task){.is_strict = 1, .kp = 30, .kd = 7};
    feet[i].friction = 1e6; // so that nothing stands against it
    feet[i].min_force = 0;
  }
  def.com = (ff_task){.is_strict = 1, .kp = 20, .kd = -1};
  swing.frame = feet[3].frame;
  swing.task = (ff_task){.is_strict = 1, .kp = 50, .kd = -1};
  swing.mask[3] = swing.mask[4] = swing.mask[5] = 0;
  def.frames = &swing;
  def.frame_count = 1;
  ff_whole_body *body = ffi_must_whole_body(b.model, &def);
  ff_whole_body_set_contact(body, 3, 0, NULL);
  int solved = 0;
  for (int i = 0; i < 100; ++i) {
    ffi_random random = ffi_random_seed((uint64_t)i);
    double com[3][3], foot[3][3], stand[3][3] = {{0}}, x[3][6], R[9];
    ffi_bench_shake(&b, &random, "squat", 0.1, 0.5);
    ffi_random_vector(&random, 9, 0.1, com[0]);
    ffi_random_vector(&random, 9, 0.1, foot[0]);
    com[0][2] += 0.2;
    com[2][2] += 1;
    ff_whole_body_hold(body, ffi_robot_posture(b.model, "squat"));
    ff_whole_body_set_com(body, com[0], com[1], com[2]);
    ff_pose pose = ff_pose_identity(); // as it is now turned: then the error of the pose is that of the place
    ff_dynamics_kinematics(b.dynamics, b.q, NULL, NULL);
    ff_dynamics_frame_pose(b.dynamics, swing.frame, NULL, R);
    const double w = sqrt(1 + R[0] + R[4] + R[8]) / 2;
    pose = (ff_pose){{foot[0][0], foot[0][1], foot[0][2]},
                     {(R[7] - R[5]) / (4 * w), (R[2] - R[6]) / (4 * w), (R[3] - R[1]) / (4 * w), w}};
    double velocity[6] = {foot[1][0], foot[1][1], foot[1][2]},
           acceleration[6] = {foot[2][0], foot[2][1], foot[2][2]};
    ff_whole_body_set_frame(body, 0, &pose, velocity, acceleration);
    if (ff_whole_body_solve(body, b.q, b.v, NULL) != FF_OK)
      continue; // three feet that only push cannot do everything
    ++solved;
    const double *vdot = ff_whole_body_vdot(body);
    differentiate(&b, vdot, com_of, 0, x);
    ffi_margin_add(&m, gap_of(x, com, &def.com), i);
    differentiate(&b, vdot, origin_of, swing.frame, x);
    ffi_margin_add(&m, gap_of(x, foot, &swing.task), i);
    for (int c = 0; c < 3; ++c) {
      ff_dynamics_kinematics(b.dynamics, ffi_robot_posture(b.model, "squat"), NULL, NULL);
      ff_dynamics_frame_pose(b.dynamics, feet[c].frame, stand[0], NULL);
      differentiate(&b, vdot, origin_of, feet[c].frame, x);
      ffi_margin_add(&m, gap_of(x, stand, &feet[c].task), i);
    }
  }
  ffi_margin_check(&m);
  assert_true(solved > 30);
  ff_whole_body_destroy(body);
  ffi_bench_free(&b);
}

static void velocity_of(ff_dynamics *d, int frame, double out[6])
{
  ff_dynamics_frame_velocity(d, frame, FF_AXES_LOCAL_ALIGNED, out);
}

static void momentum_of(ff_dynamics *d, int frame, double out[6])
{
  (void)frame;
  ff_dynamics_momentum(d, out);
}

// A turned foot comes back to its pose. The turn is by 1e-4 rad about a world axis, of which its quaternion's sine is
// right to 1e-13.
static void poses_and_momentum_do_too(void **state)
{
  (void)state;
  ffi_margin turning = {.what = "angular acceleration of a pose", .tolerance = 1e-6};
  ffi_margin momentum = {.what = "rate of angular momentum over its size",
                         .tolerance = 1e-5}; // as strict tasks
  ffi_bench b = ffi_bench_make("romeo.urdf");
  ff_frame_task hand = ff_frame_task_default();
  hand.frame = ffi_robot_frame(b.model, "r_ankle");
  hand.task = (ff_task){.is_strict = 1, .kp = 4, .kd = 3};
  ff_whole_body_def def = ff_whole_body_def_default();
  def.frames = &hand;
  def.frame_count = 1;
  for (int i = 0; i < 40; ++i) {
    ffi_random random = ffi_random_seed((uint64_t)i);
    double x[3][6], R[9], at[3];
    ff_whole_body *body = ffi_must_whole_body(b.model, &def);
    ffi_bench_shake(&b, &random, "standing", 0.1, 0.5);
    // the reference: the pose as it is, turned by a small angle about a world axis and shifted
    const double angle = 1e-4;
    double axis[3];
    ffi_random_vector(&random, 3, 1, axis);
    const double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    ff_dynamics_kinematics(b.dynamics, b.q, b.v, NULL);
    ff_dynamics_frame_pose(b.dynamics, hand.frame, at, R);
    const double w = sqrt(1 + R[0] + R[4] + R[8]) / 2;
    const ff_pose now = {{0, 0, 0},
                         {(R[7] - R[5]) / (4 * w), (R[2] - R[6]) / (4 * w), (R[3] - R[1]) / (4 * w), w}};
    ff_pose turn = ff_pose_identity();
    for (int k = 0; k < 3; ++k) {
      axis[k] *= angle / length;
      turn.quaternion[k] = axis[k] / 2;
    }
    ff_pose want = ff_pose_compose(&turn, &now);
    memcpy(want.position, at, sizeof at);
    ff_whole_body_hold(body, b.q);
    ff_whole_body_set_frame(body, 0, &want, NULL, NULL);
    ffi_must_solve(body, b.q, b.v);
    differentiate(&b, ff_whole_body_vdot(body), velocity_of, hand.frame, x);
    for (int k = 0; k < 3; ++k)
      ffi_margin_add(&turning, fabs(x[1][3 + k] + 3 * x[0][3 + k] - 4 * axis[k]), i);
    ff_whole_body_destroy(body);
  }
  ffi_margin_check(&turning);
  hand.task = (ff_task){.weight = 1e-3, .kp = 4, .kd = -1};
  def.momentum = (ff_task){.is_strict = 1, .kd = 2};
  ff_contact_task soles[2] = {ffi_romeo_sole(b.model, 0), ffi_romeo_sole(b.model, 1)};
  for (int side = 0; side < 2; ++side)
    soles[side].task = (ff_task){.weight = 1, .kp = 10, .kd = -1};
  def.contacts = soles;
  def.contact_count = 2;
  ff_whole_body *body = ffi_must_whole_body(b.model, &def);
  for (int i = 0; i < 40; ++i) {
    ffi_random random = ffi_random_seed((uint64_t)i + 100);
    double x[3][6];
    ffi_bench_shake(&b, &random, "standing", 0.05, 0.3);
    ff_whole_body_hold(body, b.q);
    ffi_must_solve(body, b.q, b.v);
    differentiate(&b, ff_whole_body_vdot(body), momentum_of, 0, x);
    const double size = fmax(1, ffi_size(3, x[0] + 3));
    for (int k = 3; k < 6; ++k)
      ffi_margin_add(&momentum, fabs(x[1][k] + 2 * x[0][k]) / size, i);
  }
  ffi_margin_check(&momentum);
  ff_whole_body_destroy(body);
  ffi_bench_free(&b);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(strict_tasks_accelerate_as_they_ask),
      cmocka_unit_test(poses_and_momentum_do_too),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
