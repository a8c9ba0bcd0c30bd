// Motors inside the step hold the start; torques carry the weight, so that the motors need not give way to pull.
//
// A robot that is fixed to the world gets its gravity torques. One that floats stands on the soles of its feet: their
// forces f shall have the sum F and the moment T about the centre of mass c that
//
//     F = m (-g - w^2 e - 2 w e'),    T = -I (w^2 phi + 2 w omega),    w^2 = |g| / h,
//
// e the error of c over the middle of the soles, horizontal, phi and omega the base's turn from its start and its
// angular velocity, h the height of c above the soles, I = m (h/3)^2. These are critically damped, and as fast as the
// robot would fall: a centre of mass that is off by e needs forces that act e farther out. Of all forces at the
// corners of the soles those of least squares are taken, without corners that would have to pull. The joints' torques
// are then g(q) - sum J' f, within the efforts of their motors and position servos; the rows of the base vanish if F
// and T could be met.
#include "base/fail.h"
#include "control/controller.h"
#include "math/dense.h"
#include "math/vec3.h"
#include "model/shape/shape_lowest.h"

#include <footfall/builder.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FEET = 64, CORNERS = 4 };

// ---- Soles ----------------------------------------------------------------------------------------------------------

// The least d . x over the collision shapes of a link, in the world, after kinematics; INFINITY if it has none.
static double lowest_of(const ff_controller *c, int link, const double d[3])
{
  ff_shape_info shape;
  double lowest = INFINITY;
  for (int i = 0; ff_model_shape(c->model, i, &shape) == FF_OK; ++i) {
    double at[3], R[9], own[9], in_frame[3], in_shape[3];
    if (shape.link != link || !(shape.def.purpose & FF_SHAPE_COLLISION))
      continue;
    ff_dynamics_frame_pose(c->dynamics, shape.frame, at, R);
    ff_pose_rotation(&shape.def.pose, own);
    for (int k = 0; k < 3; ++k)
      in_frame[k] = R[k] * d[0] + R[3 + k] * d[1] + R[6 + k] * d[2];
    for (int k = 0; k < 3; ++k)
      in_shape[k] = own[k] * in_frame[0] + own[3 + k] * in_frame[1] + own[6 + k] * in_frame[2];
    const double own_lowest = ffi_shape_lowest(&shape.def, in_shape);
    const double far = ffi_v3_dot(d, at) + ffi_v3_dot(in_frame, shape.def.pose.position);
    lowest = fmin(lowest, own_lowest + far); // fmin ignores NAN
  }
  return lowest;
}

// How far the sole reaches along t: the farthest point, where what is higher by z counts less by `steep` z.
static double reach_of(const ff_controller *c, int link, const double up[3], const double t[3])
{
  static const double steep = 20;
  double d[3];
  for (int k = 0; k < 3; ++k)
    d[k] = steep * up[k] - t[k];
  const double length = ffi_v3_norm(d);
  ffi_v3_scale(1 / length, d, d);
  return steep * lowest_of(c, link, up) - length * lowest_of(c, link, d);
}

// Corners of the rectangle around the lowest points of a link; its origin if it has no shapes.
static void find_sole(const ff_controller *c, int link, ff_point *corners)
{
  const ffi_controller_stand *s = c->stand;
  const double zero[3] = {0};
  ff_link_info info;
  double t[2][3], axis[3] = {0}, at[3], R[9], reach[2][2] = {{0}};
  ff_model_link(c->model, link, &info);
  ff_dynamics_frame_pose(c->dynamics, info.frame, at, R);
  axis[fabs(s->up[0]) < 0.9 ? 0 : 1] = 1;
  ffi_v3_cross(s->up, axis, t[1]);
  ffi_v3_scale(1 / ffi_v3_norm(t[1]), t[1], t[1]);
  ffi_v3_cross(t[1], s->up, t[0]);
  const double lowest = lowest_of(c, link, s->up);
  for (int i = 0; i < 2 && isfinite(lowest); ++i) {
    double back[3];
    ffi_v3_scale(-1, t[i], back);
    reach[i][0] = -reach_of(c, link, s->up, back);
    reach[i][1] = reach_of(c, link, s->up, t[i]);
  }
  for (int k = 0; k < CORNERS; ++k) {
    double p[3];
    ff_point *out = &corners[k];
    out->frame = info.frame;
    memcpy(out->offset, zero, sizeof zero);
    if (!isfinite(lowest))
      continue;
    for (int i = 0; i < 3; ++i)
      p[i] = t[0][i] * reach[0][k & 1] + t[1][i] * reach[1][k >> 1] + s->up[i] * lowest - at[i];
    for (int i = 0; i < 3; ++i)
      out->offset[i] = R[i] * p[0] + R[3 + i] * p[1] + R[6 + i] * p[2];
  }
}

// After kinematics.
static void point_at(const ff_controller *c, const ff_point *point, double p[3])
{
  double R[9];
  ff_dynamics_frame_pose(c->dynamics, point->frame, p, R);
  for (int k = 0; k < 3; ++k)
    p[k] += R[3 * k] * point->offset[0] + R[3 * k + 1] * point->offset[1] + R[3 * k + 2] * point->offset[2];
}

static void middle_of(const ff_controller *c, double middle[3])
{
  const ffi_controller_stand *s = c->stand;
  memset(middle, 0, 3 * sizeof *middle);
  for (int i = 0; i < s->point_count; ++i) {
    double p[3];
    point_at(c, &s->points[i], p);
    for (int k = 0; k < 3; ++k)
      middle[k] += p[k] / s->point_count;
  }
}

// ---- Creation -------------------------------------------------------------------------------------------------------

static ff_status no_memory(ff_error *error)
{
  return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, NULL, "no memory for a controller");
}

static ff_status find_feet(ff_controller *c, const ff_controller_def *def, ff_error *error)
{
  ffi_controller_stand *s = c->stand;
  for (int i = 0; i < def->feet_count; ++i) {
    char field[32];
    ff_link_info link;
    const char *name = def->feet[i] ? def->feet[i] : "";
    const int id = ff_model_find_link(c->model, name);
    snprintf(field, sizeof field, "feet[%d]", i);
    if (ff_model_link(c->model, id, &link) != FF_OK)
      return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, field, "the model has no link '%.80s'", name);
    if (link.joint < 0)
      return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, field, "the link '%.80s' does not move", name);
    find_sole(c, id, &s->points[CORNERS * i]);
  }
  s->point_count = CORNERS * def->feet_count;
  return FF_OK;
}

// The most that the position servos of a joint give together, 0: it has none.
static double servo_effort(const ff_model *model, int j, double most)
{
  ff_actuator_info actuator;
  double sum = 0;
  for (int i = 0; ff_model_actuator(model, i, &actuator) == FF_OK; ++i)
    if (actuator.joint == j && actuator.type == FF_ACTUATOR_POSITION)
      sum += fmax(fabs(actuator.force_range[0]), fabs(actuator.force_range[1]));
  return fmax(0, fmin(most, sum));
}

static void find_efforts(ff_controller *c)
{
  ff_joint_info joint;
  for (int j = 0; ff_model_joint(c->model, j, &joint) == FF_OK; ++j) {
    const ff_drive drive = ff_model_drive(c->model, j);
    if (drive == FF_DRIVE_MOTOR)
      c->stand->effort[joint.v] = ff_model_motor(c->model, j, 0, 0, 0).effort;
    else if (drive == FF_DRIVE_SERVO)
      c->stand->effort[joint.v] = servo_effort(c->model, j, joint.effort);
  }
}

// After the feet: where the centre of mass is above them.
static void find_start(ff_controller *c)
{
  ffi_controller_stand *s = c->stand;
  double com[3], middle[3], at[3];
  ff_dynamics_com(c->dynamics, com);
  middle_of(c, middle);
  for (int k = 0; k < 3; ++k)
    s->over[k] = com[k] - middle[k];
  s->height = fmax(ffi_v3_dot(s->over, s->up), 1e-3);
  for (int k = 0; k < 3; ++k)
    s->over[k] -= ffi_v3_dot(s->over, s->up) * s->up[k];
  ff_dynamics_frame_pose(c->dynamics, s->base_frame, at, s->R);
}

// Does something float that has joints? Loose things need no motors.
static int floats(const ff_model *model)
{
  ff_joint_info joint, parent;
  for (int j = 0; ff_model_joint(model, j, &joint) == FF_OK; ++j)
    if (ff_model_joint(model, joint.parent, &parent) == FF_OK && parent.type == FF_JOINT_FREE)
      return 1;
  return 0;
}

static ff_status check(const ff_controller *c, const ff_controller_def *def, ff_error *error)
{
  int floating;
  ff_model_base(c->model, &floating);
  if (def->feet_count < 0 || def->feet_count > MOST_FEET || (def->feet_count > 0 && !def->feet))
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "feet", "needs 0 to %d links, not %d", MOST_FEET,
                    def->feet_count);
  if (floats(c->model) && def->feet_count == 0)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "feet",
                    "is missing: the robot floats, so `gravity` needs the links that carry its weight");
  if (def->feet_count > 0 && ff_model_base(c->model, NULL) < 0)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "feet",
                    floating == 0 ? "the robot is fixed to the world, so it needs no feet"
                                  : "several robots float in this model");
  return FF_OK;
}

static ff_status create(ff_controller *c, const ff_controller_def *def, const double *q0, ff_error *error)
{
  double g[3];
  ff_joint_info joint;
  ff_link_info link;
  if (!def->gravity)
    return FF_OK;
  ff_status status = check(c, def, error);
  if (status != FF_OK)
    return status;
  ffi_controller_stand *s = c->stand = calloc(1, sizeof *s);
  if (!s)
    return no_memory(error);
  const size_t points = (size_t)CORNERS * (size_t)def->feet_count, nv = (size_t)c->nv;
  s->points = calloc(points + 1, sizeof *s->points);
  s->J = calloc(3 * points * nv + 1, sizeof *s->J);
  s->effort = calloc(nv + 1, sizeof *s->effort);
  if (!s->points || !s->J || !s->effort)
    return no_memory(error);
  find_efforts(c);
  if ((status = ffi_controller_loops_create(c, error)) != FF_OK)
    return status;
  ff_model_gravity(c->model, g);
  s->mass = ff_model_mass(c->model);
  s->weight = s->mass * ffi_v3_norm(g);
  s->base = def->feet_count > 0 ? ff_model_base(c->model, NULL) : -1;
  if (s->base < 0 || !(s->weight > 0))
    return FF_OK;
  ffi_v3_scale(-s->mass / s->weight, g, s->up);
  ff_model_joint(c->model, s->base, &joint);
  ff_model_link(c->model, joint.link, &link);
  s->base_frame = link.frame;
  ff_dynamics_kinematics(c->dynamics, q0, NULL, NULL);
  status = find_feet(c, def, error);
  if (status == FF_OK)
    find_start(c);
  return status;
}

void ffi_controller_stand_free(ff_controller *c)
{
  ffi_controller_stand *s = c->stand;
  if (!s)
    return;
  free(s->points);
  free(s->J);
  free(s->effort);
  ffi_controller_loops_free(s->loops);
  free(s);
}

// ---- Torques --------------------------------------------------------------------------------------------------------

// The turn from R0 to R as a vector, world axes; beyond a right angle its direction and more than its sine.
static void turn_of(const double R[9], const double R0[9], double phi[3])
{
  double D[9] = {0};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k)
        D[3 * i + j] += R[3 * i + k] * R0[3 * j + k];
  phi[0] = 0.5 * (D[7] - D[5]);
  phi[1] = 0.5 * (D[2] - D[6]);
  phi[2] = 0.5 * (D[3] - D[1]);
}

// F and T / h of the file's head, after kinematics with v; `com` out.
static void find_wrench(const ff_controller *c, double com[3], double wrench[6])
{
  const ffi_controller_stand *s = c->stand;
  const double g = s->weight / s->mass, w = sqrt(g / s->height),
               inertia = s->mass * s->height * s->height / 9;
  double momentum[6], middle[3], e[3], speed[3], at[3], R[9], rate[6], phi[3];
  ff_dynamics_com(c->dynamics, com);
  ff_dynamics_momentum(c->dynamics, momentum);
  ff_dynamics_frame_pose(c->dynamics, s->base_frame, at, R);
  ff_dynamics_frame_velocity(c->dynamics, s->base_frame, FF_AXES_LOCAL_ALIGNED, rate);
  middle_of(c, middle);
  turn_of(R, s->R, phi);
  for (int k = 0; k < 3; ++k) {
    e[k] = com[k] - middle[k] - s->over[k];
    speed[k] = momentum[k] / s->mass;
  }
  const double rise = ffi_v3_dot(e, s->up), climb = ffi_v3_dot(speed, s->up);
  for (int k = 0; k < 3; ++k) {
    const double push = w * w * (e[k] - rise * s->up[k]) + 2 * w * (speed[k] - climb * s->up[k]);
    wrench[k] = s->weight * s->up[k] - s->mass * push;
    wrench[3 + k] = -inertia * (w * w * phi[k] + 2 * w * rate[3 + k]) / s->height;
  }
}

// Least squares: f = A' (A A')^-1 wrench, A = (1; [p - com] / h) of the corners that are on. The matrix is singular
// where all corners are on a line: a little more on its diagonal gives up what cannot be met.
static void share(const ff_controller *c, const double com[3], const double wrench[6], const char *is_on,
                  double (*f)[3])
{
  static const double little = 1e-6;
  const ffi_controller_stand *s = c->stand;
  double K[36] = {0}, y[6];
  for (int i = 0; i < s->point_count; ++i) {
    double p[3], A[6][3] = {{0}};
    if (!is_on[i])
      continue;
    point_at(c, &s->points[i], p);
    for (int k = 0; k < 3; ++k)
      p[k] = (p[k] - com[k]) / s->height;
    A[0][0] = A[1][1] = A[2][2] = 1;
    A[3][1] = -p[2], A[3][2] = p[1], A[4][0] = p[2], A[4][2] = -p[0], A[5][0] = -p[1], A[5][1] = p[0];
    for (int a = 0; a < 6; ++a)
      for (int b = 0; b < 6; ++b)
        K[6 * a + b] += A[a][0] * A[b][0] + A[a][1] * A[b][1] + A[a][2] * A[b][2];
  }
  for (int a = 0; a < 6; ++a)
    K[7 * a] += little;
  memcpy(y, wrench, sizeof y);
  ffi_dense_cholesky(6, 6, K);
  ffi_dense_cholesky_solve(6, 6, K, y);
  for (int i = 0; i < s->point_count; ++i) {
    double p[3], turned[3];
    point_at(c, &s->points[i], p);
    for (int k = 0; k < 3; ++k)
      p[k] = (p[k] - com[k]) / s->height;
    ffi_v3_cross(y + 3, p, turned);
    for (int k = 0; k < 3; ++k)
      f[i][k] = is_on[i] ? y[k] + turned[k] : 0;
  }
}

// Forces of the corners [point_count] that none pulls.
static void find_forces(const ff_controller *c, double (*f)[3])
{
  const ffi_controller_stand *s = c->stand;
  char is_on[CORNERS * MOST_FEET];
  double com[3], wrench[6];
  int dropped = 1, left = s->point_count;
  memset(is_on, 1, sizeof is_on);
  memset(f, 0, (size_t)s->point_count * sizeof *f);
  find_wrench(c, com, wrench);
  while (dropped && left > 0) {
    share(c, com, wrench, is_on, f);
    dropped = 0;
    for (int i = 0; i < s->point_count; ++i)
      if (is_on[i] && ffi_v3_dot(f[i], s->up) < 0) {
        is_on[i] = 0;
        dropped = 1;
        --left;
      }
  }
  if (left == 0)
    memset(f, 0, (size_t)s->point_count * sizeof *f);
}

static ff_status update(ff_controller *c, double time, const double *q, const double *v, double *tau,
                        ff_error *error)
{
  const ffi_controller_stand *s = c->stand;
  double f[CORNERS * MOST_FEET][3];
  (void)time, (void)error;
  memset(tau, 0, (size_t)c->nv * sizeof *tau);
  if (!s || !(s->weight > 0))
    return FF_OK;
  ff_dynamics_gravity(c->dynamics, q, tau);
  ff_dynamics_kinematics(c->dynamics, q, v, NULL);
  if (s->base >= 0) {
    find_forces(c, f);
    ff_dynamics_point_jacobian(c->dynamics, s->point_count, s->points, s->J);
    for (int row = 0; row < 3 * s->point_count; ++row)
      for (int i = 0; i < c->nv; ++i)
        tau[i] -= s->J[(size_t)row * (size_t)c->nv + (size_t)i] * f[row / 3][row % 3];
  }
  ffi_controller_loops_carry(c, q, tau);
  for (int i = 0; i < c->nv; ++i)
    tau[i] = fmax(-s->effort[i], fmin(s->effort[i], tau[i]));
  return FF_OK;
}

static int says_no_com(const ff_controller *c, double time, double com[3])
{
  (void)c, (void)time, (void)com;
  return 0;
}

const ffi_controller_kind ffi_controller_stand_kind = {"posture-pd", create, update, says_no_com};
