// Bent knees for robots on two legs.
//
// A leg is the chain from the base to a foot. Its pitch joints turn about the robot's lateral axis: hip, knee, ankle;
// the one in the middle is the knee. The knee is bent as far as `bent`, forward where limits allow; then all joints of
// the leg put the foot flat again, at one height with the other foot and below the centre of mass. That is solved by
// damped least squares on the pose of each foot, with joints kept inside their limits.
#include "propose/propose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_JOINTS = 16, LEGS = 2, ROUNDS = 200, SHIFTS = 12 };

static const double bent = 0.5;     // [rad]
static const double margin = 0.02;  // joints stay so far inside their limits [rad]
static const double close = 1e-4;   // a foot is where it shall be [m, rad]
static const double damping = 1e-3; // of least squares [m^2]: legs are straight at first, which is singular
static const double lateral = 0.8, flat = 0.9; // cosines: what is a pitch joint, and an upright base

typedef struct leg {
  int joints[MOST_JOINTS], count; // from the base to the foot
  int knee;                       // of the model
  int frame;                      // of the foot
  double middle[3];               // of the foot's points, in its frame
  double position[3], R[9];       // of the foot, wanted
} leg;

typedef struct bender {
  ffi_propose *p;
  leg legs[LEGS];
  double *q, *J; // [nq], [6][nv]
} bender;

// ---- The legs -------------------------------------------------------------------------------------------------------

static void axis_of(const ffi_propose *p, const ff_joint_info *joint, double axis[3])
{
  ff_link_info link;
  double at[3], R[9];
  ff_model_link(p->model, joint->link, &link);
  ff_dynamics_frame_pose(p->dynamics, link.frame, at, R);
  for (int k = 0; k < 3; ++k)
    axis[k] = R[3 * k] * joint->axis[0] + R[3 * k + 1] * joint->axis[1] + R[3 * k + 2] * joint->axis[2];
}

// From the foot up to the base. 0: a chain that is too long, or has joints of other kinds.
static int find_chain(const ffi_propose *p, int link, leg *out)
{
  ff_link_info info;
  ff_joint_info joint;
  int up[MOST_JOINTS];
  ff_model_link(p->model, link, &info);
  out->count = 0;
  for (int j = info.joint; j != p->result.base; j = joint.parent) {
    if (out->count == MOST_JOINTS || ff_model_joint(p->model, j, &joint) != FF_OK || joint.nq != 1 ||
        joint.type == FF_JOINT_PRISMATIC)
      return 0;
    up[out->count++] = j;
  }
  for (int i = 0; i < out->count; ++i)
    out->joints[i] = up[out->count - 1 - i];
  out->frame = info.frame;
  return 1;
}

// After kinematics. 0: fewer than three pitch joints.
static int find_knee(const ffi_propose *p, leg *out)
{
  int pitch[MOST_JOINTS], count = 0;
  for (int i = 0; i < out->count; ++i) {
    ff_joint_info joint;
    double axis[3];
    ff_model_joint(p->model, out->joints[i], &joint);
    axis_of(p, &joint, axis);
    if (fabs(axis[1]) > lateral && ff_model_drive(p->model, out->joints[i]) != FF_DRIVE_NONE)
      pitch[count++] = out->joints[i];
  }
  out->knee = count >= 3 ? pitch[count == 3 ? 1 : count - 2] : -1;
  return count >= 3;
}

static double within(const ff_joint_info *joint, double value)
{
  const double room = fmin(margin, 0.5 * (joint->upper - joint->lower));
  return joint->has_limits ? fmax(joint->lower + room, fmin(joint->upper - room, value)) : value;
}

// Bend by `bent` about the lateral axis, which moves the knee forward, or the other way if that is where its limits
// leave room.
static void bend_knee(bender *b, const leg *l)
{
  ff_joint_info joint;
  double axis[3];
  ff_model_joint(b->p->model, l->knee, &joint);
  axis_of(b->p, &joint, axis);
  const double sign = axis[1] > 0 ? 1 : -1, q0 = b->q[joint.q];
  const double ahead = fabs(within(&joint, q0 + sign * bent) - q0),
               back = fabs(within(&joint, q0 - sign * bent) - q0);
  b->q[joint.q] = within(&joint, q0 + (ahead >= 0.5 * bent || ahead >= back ? sign : -sign) * bent);
}

// ---- Feet where they shall be ---------------------------------------------------------------------------------------

// Of the foot from where it shall be: translation, then rotation, world axes. After kinematics.
static double error_of(const bender *b, const leg *l, double e[6])
{
  double at[3], R[9], D[9] = {0}, worst = 0;
  ff_dynamics_frame_pose(b->p->dynamics, l->frame, at, R);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k)
        D[3 * i + j] += l->R[3 * i + k] * R[3 * j + k];
  for (int k = 0; k < 3; ++k)
    e[k] = l->position[k] - at[k];
  e[3] = 0.5 * (D[7] - D[5]);
  e[4] = 0.5 * (D[2] - D[6]);
  e[5] = 0.5 * (D[3] - D[1]);
  for (int k = 0; k < 6; ++k)
    worst = fmax(worst, fabs(e[k]));
  return worst;
}

// Solve the symmetric positive definite 6 x 6 system in place, by Gauss and Jordan.
static void solve6(double A[6][6], double x[6])
{
  for (int i = 0; i < 6; ++i) {
    const double pivot = 1 / A[i][i];
    for (int k = 0; k < 6; ++k)
      A[i][k] *= pivot;
    x[i] *= pivot;
    for (int r = 0; r < 6; ++r) {
      const double times = r == i ? 0 : A[r][i];
      for (int k = 0; k < 6; ++k)
        A[r][k] -= times * A[i][k];
      x[r] -= times * x[i];
    }
  }
}

// One step of all joints of the leg: dq = J' (J J' + damping)^-1 e.
static double step(bender *b, const leg *l)
{
  const ffi_propose *p = b->p;
  const int nv = ff_model_get_size(p->model).nv;
  double e[6], A[6][6] = {{0}};
  ff_dynamics_kinematics(p->dynamics, b->q, NULL, NULL);
  const double worst = error_of(b, l, e);
  ff_dynamics_frame_jacobian(p->dynamics, l->frame, FF_AXES_LOCAL_ALIGNED, b->J);
  for (int pass = 0; pass < 2; ++pass) {
    for (int i = 0; i < l->count; ++i) {
      ff_joint_info joint;
      ff_model_joint(p->model, l->joints[i], &joint);
      double dq = 0;
      for (int r = 0; r < 6; ++r) {
        const double Jr = b->J[r * nv + joint.v];
        dq += Jr * e[r];
        for (int c = 0; c < 6 && pass == 0; ++c)
          A[r][c] += Jr * b->J[c * nv + joint.v];
      }
      if (pass == 1)
        b->q[joint.q] = within(&joint, b->q[joint.q] + dq);
    }
    for (int r = 0; r < 6 && pass == 0; ++r)
      A[r][r] += damping;
    if (pass == 0)
      solve6(A, e);
  }
  return worst;
}

// Of the middle of the feet from below the centre of mass, along the ground.
static void offset_of(const bender *b, double off[2])
{
  double com[3], at[3], R[9];
  ff_dynamics_kinematics(b->p->dynamics, b->q, NULL, NULL);
  ff_dynamics_com(b->p->dynamics, com);
  off[0] = com[0], off[1] = com[1];
  for (int i = 0; i < LEGS; ++i) {
    const leg *l = &b->legs[i];
    ff_dynamics_frame_pose(b->p->dynamics, l->frame, at, R);
    for (int k = 0; k < 2; ++k)
      off[k] -=
          (at[k] + R[3 * k] * l->middle[0] + R[3 * k + 1] * l->middle[1] + R[3 * k + 2] * l->middle[2]) /
          LEGS;
  }
}

// Heights: the legs are shorter now by what bending takes. Both feet get the mean.
static void shorten(bender *b)
{
  double rise[LEGS], lengths[LEGS];
  ff_joint_info hip;
  for (int i = 0; i < LEGS; ++i) {
    double top[3], R[9];
    ff_link_info link;
    ff_model_joint(b->p->model, b->legs[i].joints[0], &hip);
    ff_model_link(b->p->model, hip.link, &link);
    ff_dynamics_frame_pose(b->p->dynamics, link.frame, top, R);
    lengths[i] = fabs(top[2] - b->legs[i].position[2]);
    rise[i] = lengths[i] * (1 - cos(bent / 2));
  }
  for (int i = 0; i < LEGS; ++i)
    b->legs[i].position[2] += (rise[0] + rise[1]) / LEGS;
}

static int solve(bender *b)
{
  double worst = INFINITY;
  for (int shift = 0; shift < SHIFTS; ++shift) {
    double off[2];
    worst = 0;
    for (int i = 0; i < LEGS; ++i) {
      double left = INFINITY;
      for (int round = 0; round < ROUNDS && left > close; ++round)
        left = step(b, &b->legs[i]);
      worst = fmax(worst, left);
    }
    offset_of(b, off);
    worst = fmax(worst, fmax(fabs(off[0]), fabs(off[1])));
    for (int i = 0; i < LEGS; ++i)
      for (int k = 0; k < 2; ++k)
        b->legs[i].position[k] += off[k];
  }
  return worst < 10 * close;
}

// ---- The whole ------------------------------------------------------------------------------------------------------

// At p->q: two feet that hang on the base by chains of their own.
static int find_legs(bender *b)
{
  ffi_propose *p = b->p;
  ffi_propose_support s;
  if (!ffi_propose_feet_find(p, &s) || s.count != LEGS || s.has_root)
    return 0;
  ff_dynamics_kinematics(p->dynamics, p->q, NULL, NULL);
  for (int i = 0; i < LEGS; ++i) {
    leg *l = &b->legs[i];
    if (!find_chain(p, s.links[i], l) || !find_knee(p, l))
      return 0;
    ff_dynamics_frame_pose(p->dynamics, l->frame, l->position, l->R);
    for (int k = 0; k < 3; ++k) {
      l->middle[k] = 0;
      for (int r = 0; r < 3; ++r)
        l->middle[k] += l->R[3 * r + k] * (s.middle[i][r] - l->position[r]);
    }
  }
  return b->legs[0].joints[0] != b->legs[1].joints[0];
}

static int is_upright(const ffi_propose *p)
{
  ff_joint_info base;
  ff_model_joint(p->model, p->result.base, &base);
  const double *x = p->q + base.q + 3;
  return 1 - 2 * (x[0] * x[0] + x[1] * x[1]) > flat;
}

int ffi_propose_bend(ffi_propose *p)
{
  const ff_model_size size = ff_model_get_size(p->model);
  bender b = {.p = p};
  int is_bent = 0;
  if (size.joints <= 3 * LEGS || !is_upright(p) || !find_legs(&b))
    return 0;
  b.q = malloc((size_t)size.nq * sizeof *b.q);
  b.J = malloc(6 * (size_t)size.nv * sizeof *b.J);
  p->is_short |= !b.q || !b.J;
  if (b.q && b.J) {
    memcpy(b.q, p->q, (size_t)size.nq * sizeof *b.q);
    shorten(&b);
    for (int i = 0; i < LEGS; ++i)
      bend_knee(&b, &b.legs[i]);
    is_bent = solve(&b);
  }
  if (is_bent)
    memcpy(p->q, b.q, (size_t)size.nq * sizeof *b.q);
  free(b.q);
  free(b.J);
  return is_bent;
}
