// Rows of the tasks at a state: J vdot = a with a = a_ref + kd (v_ref - v) + kp (x_ref (-) x) - Jdot v
// (docs/theory/control.md, whole-body inverse dynamics).
#include "control/whole_body.h"
#include "math/lie.h"
#include "math/quaternion.h"

#include <string.h>

// out [rows] = J v
static void times(int rows, int nv, const double *J, const double *v, double *out)
{
  for (int r = 0; r < rows; ++r) {
    out[r] = 0;
    for (int k = 0; k < nv; ++k)
      out[r] += J[r * nv + k] * v[k];
  }
}

// ---- The motion of one thing --------------------------------------------------------------------------------------

// Error of a frame's pose (position, R): log of the pose from it to the reference, linear and angular part in world
// axes.
static void pose_error(const double position[3], const double R[9], const ffi_whole_body_reference *at,
                       double error[6])
{
  double own[4], back[4], between[4], gap[3], local[3], xi[6];
  ffi_quat_from_matrix(R, own);
  ffi_quat_conjugate(own, back);
  ffi_quat_mul(back, at->quaternion, between);
  ffi_v3_sub(at->position, position, gap);
  ffi_m3_tmulv(R, gap, local);
  ffi_lie_se3_log(local, between, xi);
  ffi_m3_mulv(R, xi, error);
  ffi_m3_mulv(R, xi + 3, error + 3);
}

// All six rows of a frame. J [6][nv], a [6].
static void ask_pose(ff_whole_body *body, int frame, const ffi_whole_body_reference *at, const ff_task *task,
                     double *J, double a[6])
{
  double position[3], R[9], velocity[6], bias[6], error[6];
  const double kd = ffi_whole_body_kd(task);
  ff_dynamics_frame_pose(body->dynamics, frame, position, R);
  ff_dynamics_frame_velocity(body->dynamics, frame, FF_AXES_LOCAL_ALIGNED, velocity);
  ff_dynamics_frame_bias(body->dynamics, frame, FF_AXES_LOCAL_ALIGNED, bias);
  ff_dynamics_frame_jacobian(body->dynamics, frame, FF_AXES_LOCAL_ALIGNED, J);
  pose_error(position, R, at, error);
  for (int r = 0; r < 6; ++r)
    a[r] = at->acceleration[r] + kd * (at->velocity[r] - velocity[r]) + task->kp * error[r] - bias[r];
}

// Position of a point of a frame, its velocity, and Jdot v: that of the frame's origin and of the rotation.
static void point_motion(const ff_dynamics *d, const ff_point *point, double x[3], double u[3],
                         double bias[3])
{
  double R[9], velocity[6], rise[6], arm[3], turn[3], inward[3], t[3];
  ff_dynamics_frame_pose(d, point->frame, x, R);
  ff_dynamics_frame_velocity(d, point->frame, FF_AXES_LOCAL_ALIGNED, velocity);
  ff_dynamics_frame_bias(d, point->frame, FF_AXES_LOCAL_ALIGNED, rise);
  ffi_m3_mulv(R, point->offset, arm);
  ffi_v3_add(x, arm, x);
  ffi_v3_cross(velocity + 3, arm, turn);
  ffi_v3_cross(velocity + 3, turn, inward);
  ffi_v3_cross(rise + 3, arm, t);
  for (int r = 0; r < 3; ++r) {
    u[r] = velocity[r] + turn[r];
    bias[r] = rise[r] + t[r] + inward[r];
  }
}

// ---- Tasks --------------------------------------------------------------------------------------------------------

static void ask_stand(ff_whole_body *body, ffi_whole_body_contact *stand)
{
  const ff_task *task = &stand->task.task;
  ffi_whole_body_rows *rows = &stand->rows;
  if (stand->task.point_count > 1) {
    rows->count = 6;
    ask_pose(body, stand->task.frame, &stand->at, task, rows->J, rows->a);
    return;
  }
  double x[3], u[3], bias[3];
  rows->count = 3;
  ff_dynamics_point_jacobian(body->dynamics, 1, stand->points, rows->J);
  point_motion(body->dynamics, stand->points, x, u, bias);
  for (int r = 0; r < 3; ++r)
    rows->a[r] = -ffi_whole_body_kd(task) * u[r] + task->kp * (stand->at.position[r] - x[r]) - bias[r];
}

// The rows that the mask selects, moved to the front.
static void ask_aim(ff_whole_body *body, ffi_whole_body_frame *aim)
{
  const size_t nv = (size_t)body->nv;
  ffi_whole_body_rows *rows = &aim->rows;
  rows->count = 0;
  if (!ffi_whole_body_is_used(&aim->task.task))
    return;
  ask_pose(body, aim->task.frame, &aim->at, &aim->task.task, rows->J, rows->a);
  for (size_t r = 0; r < 6; ++r) {
    if (!aim->task.mask[r])
      continue;
    const size_t to = (size_t)rows->count++;
    memmove(rows->J + to * nv, rows->J + r * nv, nv * sizeof *rows->J);
    rows->a[to] = rows->a[r];
  }
}

static void ask_com(ff_whole_body *body, const double *v, const double momentum_bias[6])
{
  const ff_task *task = &body->def.com;
  double at[3], rate[3];
  const double mass = ff_model_mass(body->model);
  body->com.count = ffi_whole_body_is_used(task) ? 3 : 0;
  if (body->com.count == 0)
    return;
  ff_dynamics_com(body->dynamics, at);
  ff_dynamics_com_jacobian(body->dynamics, body->com.J);
  times(3, body->nv, body->com.J, v, rate);
  for (int r = 0; r < 3; ++r)
    body->com.a[r] = body->com_reference[2][r] +
                     ffi_whole_body_kd(task) * (body->com_reference[1][r] - rate[r]) +
                     task->kp * (body->com_reference[0][r] - at[r]) - momentum_bias[r] / mass;
}

// The rows of M of a free root are the momentum of everything behind it, about the root's origin and in its axes.
static void ask_momentum(ff_whole_body *body, const double momentum_bias[6])
{
  const ff_task *task = &body->def.momentum;
  double position[3], R[9], com[3], arm[3], momentum[6];
  const int nv = body->nv;
  const double *lin = body->M + body->root_v * nv, *ang = lin + 3 * nv;
  body->momentum.count = ffi_whole_body_is_used(task) ? 3 : 0;
  if (body->momentum.count == 0)
    return;
  ff_dynamics_frame_pose(body->dynamics, body->root_frame, position, R);
  ff_dynamics_com(body->dynamics, com);
  ff_dynamics_momentum(body->dynamics, momentum);
  ffi_v3_sub(position, com, arm);
  for (int k = 0; k < nv; ++k) {
    const double p[3] = {lin[k], lin[nv + k], lin[2 * nv + k]}, l[3] = {ang[k], ang[nv + k], ang[2 * nv + k]};
    double world_p[3], world_l[3], t[3];
    ffi_m3_mulv(R, p, world_p);
    ffi_m3_mulv(R, l, world_l);
    ffi_v3_cross(arm, world_p, t);
    for (int r = 0; r < 3; ++r)
      body->momentum.J[r * nv + k] = world_l[r] + t[r];
  }
  for (int r = 0; r < 3; ++r)
    body->momentum.a[r] = -ffi_whole_body_kd(task) * momentum[3 + r] - momentum_bias[3 + r];
}

// Its rows are unit vectors.
static void ask_posture(ff_whole_body *body, const double *q, const double *v)
{
  const ff_task *task = &body->def.posture;
  ff_model_difference(body->model, q, body->posture, body->difference);
  for (int k = 0; k < body->nv; ++k)
    body->posture_a[k] = -ffi_whole_body_kd(task) * v[k] + task->kp * body->difference[k];
}

// ---- All of it ----------------------------------------------------------------------------------------------------

// The points of the contacts that are on, one after the other.
static void gather_points(ff_whole_body *body)
{
  body->point_count = 0;
  for (int i = 0; i < body->def.contact_count; ++i) {
    ffi_whole_body_contact *stand = &body->stands[i];
    stand->first = stand->task.is_on ? body->point_count : -1;
    for (int p = 0; p < stand->task.point_count && stand->task.is_on; ++p)
      body->points[body->point_count++] = stand->points[p];
  }
  if (body->point_count > 0)
    ff_dynamics_point_jacobian(body->dynamics, body->point_count, body->points, body->point_J);
}

void ffi_whole_body_tasks_rows(ff_whole_body *body, const double *q, const double *v)
{
  double momentum_bias[6];
  ff_dynamics *d = body->dynamics;
  ff_dynamics_bias(d, q, v, body->h);
  ff_dynamics_crba(d, NULL);
  ff_dynamics_mass_matrix(d, body->M);
  ff_dynamics_kinematics(d, NULL, v, NULL);
  ff_dynamics_momentum_bias(d, momentum_bias);
  ask_com(body, v, momentum_bias);
  ask_momentum(body, momentum_bias);
  ask_posture(body, q, v);
  for (int i = 0; i < body->def.frame_count; ++i)
    ask_aim(body, &body->aims[i]);
  for (int i = 0; i < body->def.contact_count; ++i)
    if (body->stands[i].task.is_on)
      ask_stand(body, &body->stands[i]);
  gather_points(body);
}

void ffi_whole_body_tasks_evaluate(ff_whole_body *body, const double *q)
{
  ff_dynamics_kinematics(body->dynamics, q, NULL, NULL);
}

void ffi_whole_body_tasks_reference(ff_whole_body *body, int frame, ffi_whole_body_reference *at)
{
  double R[9];
  memset(at, 0, sizeof *at);
  ff_dynamics_frame_pose(body->dynamics, frame, at->position, R);
  ffi_quat_from_matrix(R, at->quaternion);
}

void ffi_whole_body_tasks_contact(ff_whole_body *body, ffi_whole_body_contact *stand)
{
  double R[9], arm[3];
  ffi_whole_body_tasks_reference(body, stand->task.frame, &stand->at);
  if (stand->task.point_count > 1)
    return;
  ff_dynamics_frame_pose(body->dynamics, stand->task.frame, NULL, R);
  ffi_m3_mulv(R, stand->points->offset, arm);
  ffi_v3_add(stand->at.position, arm, stand->at.position);
}
