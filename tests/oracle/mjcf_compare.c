// Comparison of a model in Footfall and in MuJoCo. MuJoCo counts q and v in document order, ours is alphabetical; its
// quaternions are w x y z; the velocity of a free joint is linear in world axes and angular in body axes, ours is both
// in body axes: v_mujoco = X v with X from velocity_map().
#include "mjcf_compare.h"

#include "mjcf_pair.h"

#include <footfall/footfall.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// ---- Configurations -----------------------------------------------------------------------------------------

static uint64_t state = 88172645463325252u;

double ffi_mjcf_compare_uniform(double low, double high)
{
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return low + (high - low) * (double)(state >> 11) / 9007199254740992.0;
}

static void random_quaternion(double w[4])
{
  double n = 0;
  while (n < 0.1 || n > 1) {
    n = 0;
    for (int i = 0; i < 4; ++i) {
      w[i] = ffi_mjcf_compare_uniform(-1, 1);
      n += w[i] * w[i];
    }
  }
  for (int i = 0; i < 4; ++i)
    w[i] /= sqrt(n);
}

static void random_qpos(const ffi_mjcf_pair *p, double *qpos)
{
  for (int j = 0; j < p->mj->njnt; ++j) {
    double *q = qpos + p->mj->jnt_qposadr[j];
    switch (p->mj->jnt_type[j]) {
    case mjJNT_FREE:
      for (int i = 0; i < 3; ++i)
        q[i] = ffi_mjcf_compare_uniform(-2, 2);
      random_quaternion(q + 3);
      break;
    case mjJNT_BALL: random_quaternion(q); break;
    default: q[0] = ffi_mjcf_compare_uniform(-2, 2);
    }
  }
}

static void convert_qpos(const ffi_mjcf_pair *p, const double *qpos, double *q)
{
  for (int j = 0; j < p->mj->njnt; ++j) {
    const ff_joint_info joint = ffi_mjcf_pair_joint(p, j);
    const double *from = qpos + p->mj->jnt_qposadr[j];
    const int has_position = p->mj->jnt_type[j] == mjJNT_FREE;
    const int has_quaternion = has_position || p->mj->jnt_type[j] == mjJNT_BALL;
    double *to = q + joint.q;
    assert_int_equal(joint.nq, has_position ? 7 : has_quaternion ? 4 : 1);
    for (int i = 0; i < 3 && has_position; ++i)
      *to++ = *from++;
    for (int i = 0; i < 4 && has_quaternion; ++i)
      to[i] = from[(i + 1) % 4];
    if (!has_quaternion)
      to[0] = from[0];
  }
}

// X [nv x nv], v_mujoco = X v.
static void velocity_map(const ffi_mjcf_pair *p, double *X)
{
  const int nv = p->size.nv;
  memset(X, 0, sizeof *X * (size_t)(nv * nv));
  for (int j = 0; j < p->mj->njnt; ++j) {
    const ff_joint_info joint = ffi_mjcf_pair_joint(p, j);
    const int row = p->mj->jnt_dofadr[j], body = p->mj->jnt_bodyid[j];
    for (int i = 0; i < joint.nv; ++i)
      X[(row + i) * nv + joint.v + i] = 1;
    for (int i = 0; i < 9 && p->mj->jnt_type[j] == mjJNT_FREE; ++i)
      X[(row + i / 3) * nv + joint.v + i % 3] = p->data->xmat[9 * body + i];
  }
}

// ---- Bodies -------------------------------------------------------------------------------------------------

static void check_frame(const ffi_mjcf_pair *p, const char *name, const double *position, const double *R)
{
  double our_position[3], our_R[9];
  const int frame = ff_model_find_frame(p->ff, name);
  if (frame < 0)
    fail_msg("%s: no frame '%s'", p->what, name);
  ff_dynamics_frame_pose(p->dynamics, frame, our_position, our_R);
  ffi_mjcf_pair_expect_all(p, "position", name, 3, our_position, position);
  ffi_mjcf_pair_expect_all(p, "rotation", name, 9, our_R, R);
}

// A site that shares a body's name gets another one, see tests/io/test_mjcf.c.
static void check_poses(const ffi_mjcf_pair *p)
{
  char buffer[128];
  for (int i = 1; i < p->mj->nbody; ++i)
    check_frame(p, ffi_mjcf_pair_name(p, mjOBJ_BODY, "body", i, buffer), p->data->xpos + 3 * i,
                p->data->xmat + 9 * i);
  for (int i = 0; i < p->mj->nsite; ++i) {
    const char *name = mj_id2name(p->mj, mjOBJ_SITE, i);
    if (!name || !*name || mj_name2id(p->mj, mjOBJ_BODY, name) >= 0)
      continue;
    check_frame(p, name, p->data->site_xpos + 3 * i, p->data->site_xmat + 9 * i);
  }
}

// D = R' I R of our inertia in the axes R of MuJoCo's inertial frame.
static void in_axes(const double R[9], const double I[6], double D[9])
{
  const double full[9] = {I[0], I[1], I[2], I[1], I[3], I[4], I[2], I[4], I[5]};
  double IR[9];
  mju_mulMatMat(IR, full, R, 3, 3, 3);
  mju_mulMatTMat(D, R, IR, 3, 3, 3);
}

// MuJoCo finds principal axes to about 1e-6 and drops what is left off the diagonal. Its diagonal is that of the true
// matrix in these axes, to rounding, so it is compared tightly and the rest loosely.
static void check_inertia(const ffi_mjcf_pair *p, const char *name, int body, const ff_inertia *ours)
{
  double R[9], D[9];
  const double *want = p->mj->body_inertia + 3 * body;
  const double largest = fmax(want[0], fmax(want[1], want[2]));
  mju_quat2Mat(R, p->mj->body_iquat + 4 * body);
  in_axes(R, ours->matrix, D);
  for (int i = 0; i < 3; ++i)
    ffi_mjcf_pair_expect(p, "inertia", name, i, (ffi_mjcf_pair_value){D[4 * i], want[i], largest});
  for (int i = 0; i < 9; ++i)
    if (i % 4 != 0 && fabs(D[i]) > 1e-5 * largest)
      fail_msg("%s: inertia of '%s' has %g off the diagonal in MuJoCo's axes", p->what, name, D[i]);
}

// Turn MuJoCo's axes until nothing is left off the diagonal (Jacobi), so that what follows can be compared tightly.
static void polish_inertia(mjModel *mj, int body, const ff_inertia *ours)
{
  double R[9], D[9];
  mju_quat2Mat(R, mj->body_iquat + 4 * body);
  for (int k = 0; k < 12; ++k) {
    const int a = k % 3, b = (k + 1) % 3;
    in_axes(R, ours->matrix, D);
    const double angle = 0.5 * atan2(2 * D[3 * a + b], D[4 * a] - D[4 * b]);
    const double turn =
        fabs(angle) > 0.7853981633974483 ? angle - copysign(1.5707963267948966, angle) : angle;
    const double c = cos(turn), s = sin(turn);
    for (int i = 0; i < 3; ++i) {
      const double x = R[3 * i + a], y = R[3 * i + b];
      R[3 * i + a] = c * x + s * y;
      R[3 * i + b] = c * y - s * x;
    }
  }
  in_axes(R, ours->matrix, D);
  mju_mat2Quat(mj->body_iquat + 4 * body, R);
  for (int i = 0; i < 3; ++i)
    mj->body_inertia[3 * body + i] = D[4 * i];
}

static void check_inertias(const ffi_mjcf_pair *p)
{
  char buffer[64];
  double moving = 0;
  for (int i = 1; i < p->mj->nbody; ++i) {
    ff_link_info link;
    const char *name = ffi_mjcf_pair_name(p, mjOBJ_BODY, "body", i, buffer);
    assert_int_equal(ff_model_link(p->ff, ff_model_find_link(p->ff, name), &link), FF_OK);
    ffi_mjcf_pair_expect(p, "mass", name, 0,
                         (ffi_mjcf_pair_value){link.inertia.mass, p->mj->body_mass[i], p->mj->body_mass[i]});
    if (p->mj->body_mass[i] > 0)
      ffi_mjcf_pair_expect_all(p, "centre of mass", name, 3, link.inertia.com, p->mj->body_ipos + 3 * i);
    check_inertia(p, name, i, &link.inertia);
    polish_inertia(p->mj, i, &link.inertia);
    moving += p->mj->body_weldid[i] ? p->mj->body_mass[i] : 0;
  }
  ffi_mjcf_pair_expect(p, "total mass", "", 0, (ffi_mjcf_pair_value){ff_model_mass(p->ff), moving, moving});
}

// M_ours = X' M_mujoco X, and the same for the force of gravity.
static void check_dynamics(ffi_mjcf_pair *p)
{
  const int nv = p->size.nv;
  const size_t n = (size_t)(nv * nv);
  double *X = calloc(4 * n + 3 * (size_t)nv, sizeof *X);
  double *M = X + n, *XtMX = M + n, *ours = XtMX + n, *g = ours + n, *Xtg = g + nv, *our_g = Xtg + nv;
  velocity_map(p, X);
  mj_fullM(p->mj, M, p->data->qM);
  for (int i = 0; i < nv; ++i)
    for (int k = 0; k < nv; ++k)
      for (int l = 0; l < nv && X[k * nv + i] != 0; ++l)
        for (int j = 0; j < nv && M[k * nv + l] != 0; ++j)
          XtMX[i * nv + j] += X[k * nv + i] * M[k * nv + l] * X[l * nv + j];
  mju_zero(p->data->qvel, nv);
  mj_fwdVelocity(p->mj, p->data);
  mj_rne(p->mj, p->data, 0, g);
  for (int i = 0; i < nv; ++i)
    for (int k = 0; k < nv; ++k)
      Xtg[i] += X[k * nv + i] * g[k];
  ff_dynamics_gravity(p->dynamics, p->q, our_g);
  ff_dynamics_crba(p->dynamics, p->q);
  ff_dynamics_mass_matrix(p->dynamics, ours);
  ffi_mjcf_pair_expect_all(p, "gravity", "", nv, our_g, Xtg);
  ffi_mjcf_pair_expect_all(p, "mass matrix", "", (int)n, ours, XtMX);
  free(X);
}

// ---- Joints, actuators, keyframes ---------------------------------------------------------------------------

static void check_joints(const ffi_mjcf_pair *p)
{
  const mjModel *mj = p->mj;
  assert_int_equal(p->size.nq, mj->nq);
  assert_int_equal(p->size.nv, mj->nv);
  assert_int_equal(p->size.joints, mj->njnt);
  for (int j = 0; j < mj->njnt; ++j) {
    const ff_joint_info joint = ffi_mjcf_pair_joint(p, j);
    const int dof = mj->jnt_dofadr[j], is_ball = mj->jnt_type[j] == mjJNT_BALL;
    if (!is_ball)
      assert_int_equal(joint.has_limits, mj->jnt_limited[j]);
    for (int i = 0; i < 2 && joint.has_limits; ++i)
      ffi_mjcf_pair_expect(p, "range", joint.name, i,
                           (ffi_mjcf_pair_value){i ? joint.upper : joint.lower, mj->jnt_range[2 * j + i], 1});
    ffi_mjcf_pair_expect(p, "damping", joint.name, 0,
                         (ffi_mjcf_pair_value){joint.damping, mj->dof_damping[dof], 1});
    ffi_mjcf_pair_expect(p, "armature", joint.name, 0,
                         (ffi_mjcf_pair_value){joint.armature, mj->dof_armature[dof], 1});
    ffi_mjcf_pair_expect(p, "friction", joint.name, 0,
                         (ffi_mjcf_pair_value){joint.friction, mj->dof_frictionloss[dof], 1});
    ffi_mjcf_pair_expect(p, "stiffness", joint.name, 0,
                         (ffi_mjcf_pair_value){joint.stiffness, mj->jnt_stiffness[j], mj->jnt_stiffness[j]});
    if (joint.nq == 1)
      ffi_mjcf_pair_expect(
          p, "spring reference", joint.name, 0,
          (ffi_mjcf_pair_value){joint.spring_reference, mj->qpos_spring[mj->jnt_qposadr[j]], 1});
  }
  double gravity[3];
  ff_model_gravity(p->ff, gravity);
  ffi_mjcf_pair_expect_all(p, "gravity", "", 3, gravity, mj->opt.gravity);
}

static double clamp(double x, const double range[2])
{
  return fmin(fmax(x, range[0]), range[1]);
}

// The force of an actuator as builder.h writes it.
static double our_force(const ff_actuator_info *a, double control, double q, double v)
{
  const double c = clamp(control, a->control_range);
  double force = a->gear * c;
  if (a->type == FF_ACTUATOR_POSITION)
    force = a->gear * (a->kp * (c - a->gear * q) - a->kv * a->gear * v);
  if (a->type == FF_ACTUATOR_VELOCITY)
    force = a->gear * a->kv * (c - a->gear * v);
  return clamp(force, a->force_range);
}

// A motor on a site: J' of the site times its wrench; MuJoCo's is in MuJoCo's velocities.
static void check_site_motor(const ffi_mjcf_pair *p, int actuator, const ff_actuator_info *info)
{
  const int nv = p->size.nv;
  double *X = calloc((size_t)(nv * nv + 6 * nv), sizeof *X), *J = X + nv * nv;
  const int site = p->mj->actuator_trnid[2 * actuator];
  assert_int_equal(info->frame, ff_model_find_frame(p->ff, mj_id2name(p->mj, mjOBJ_SITE, site)));
  velocity_map(p, X);
  ff_dynamics_frame_jacobian(p->dynamics, info->frame, FF_AXES_LOCAL, J);
  for (int i = 0; i < nv; ++i) {
    double got = 0, want = 0;
    for (int k = 0; k < 6; ++k)
      got += clamp(p->data->ctrl[actuator], info->control_range) * J[k * nv + i] * info->wrench[k];
    for (int k = 0; k < nv; ++k)
      want += X[k * nv + i] * p->data->actuator_moment[actuator * nv + k] * p->data->actuator_force[actuator];
    ffi_mjcf_pair_expect(p, "force of a motor on a site", info->name, i,
                         (ffi_mjcf_pair_value){got, want, fmax(10, fabs(want))});
  }
  free(X);
}

// One control at a time.
static void check_actuators(ffi_mjcf_pair *p)
{
  assert_int_equal(p->size.actuators, p->mj->nu);
  for (int i = 0; i < p->mj->nv; ++i)
    p->data->qvel[i] = ffi_mjcf_compare_uniform(-2, 2);
  for (int a = 0; a < p->mj->nu; ++a)
    p->data->ctrl[a] = ffi_mjcf_compare_uniform(-3, 3);
  mj_fwdVelocity(p->mj, p->data);
  mj_fwdActuation(p->mj, p->data);
  for (int a = 0; a < p->mj->nu; ++a) {
    ff_actuator_info info;
    ff_joint_info joint;
    ff_model_actuator(p->ff, a, &info);
    assert_string_equal(info.name, mj_id2name(p->mj, mjOBJ_ACTUATOR, a));
    if (info.frame >= 0)
      check_site_motor(p, a, &info);
    if (info.frame >= 0)
      continue;
    assert_int_equal(ff_model_joint(p->ff, info.joint, &joint), FF_OK);
    const int id = p->mj->actuator_trnid[2 * a], dof = p->mj->jnt_dofadr[id];
    assert_string_equal(joint.name, mj_id2name(p->mj, mjOBJ_JOINT, id));
    const double want = p->mj->actuator_gear[6 * a] * p->data->actuator_force[a];
    const double got =
        our_force(&info, p->data->ctrl[a], p->data->qpos[p->mj->jnt_qposadr[id]], p->data->qvel[dof]);
    ffi_mjcf_pair_expect(p, "actuator force", info.name, 0, (ffi_mjcf_pair_value){got, want, fabs(want)});
  }
}

// q and -q are one orientation: give `want` the signs of `got`.
static void align(const ffi_mjcf_pair *p, const double *got, double *want)
{
  for (int j = 0; j < p->size.joints; ++j) {
    ff_joint_info joint;
    assert_int_equal(ff_model_joint(p->ff, j, &joint), FF_OK);
    const int start = joint.q + joint.nq - 4;
    double dot = 0;
    for (int i = start; joint.nq >= 4 && i < start + 4; ++i)
      dot += got[i] * want[i];
    for (int i = start; joint.nq >= 4 && i < start + 4; ++i)
      want[i] = dot < 0 ? -want[i] : want[i];
  }
}

static void check_configuration(const ffi_mjcf_pair *p, const char *name, const double *got,
                                const double *qpos)
{
  double *want = calloc((size_t)p->size.nq + 1, sizeof *want);
  convert_qpos(p, qpos, want);
  align(p, got, want);
  ffi_mjcf_pair_expect_all(p, "coordinates", name, p->size.nq, got, want);
  free(want);
}

static void check_posture(const ffi_mjcf_pair *p, const char *name, const double *qpos)
{
  const int posture = ff_model_find_posture(p->ff, name);
  if (posture < 0)
    fail_msg("%s: no posture '%s'", p->what, name);
  check_configuration(p, name, ff_model_posture(p->ff, posture), qpos);
}

// qpos0 is a posture of its own where it differs from our neutral configuration.
static void check_keyframes(const ffi_mjcf_pair *p)
{
  char buffer[64];
  double *neutral = calloc((size_t)p->size.nq + 1, sizeof *neutral);
  for (int k = 0; k < p->mj->nkey; ++k)
    check_posture(p, ffi_mjcf_pair_name(p, mjOBJ_KEY, "key", k, buffer), p->mj->key_qpos + k * p->mj->nq);
  ff_model_neutral(p->ff, neutral);
  if (ff_model_find_posture(p->ff, "qpos0") >= 0)
    check_posture(p, "qpos0", p->mj->qpos0);
  else
    check_configuration(p, "the neutral configuration", neutral, p->mj->qpos0);
  free(neutral);
}

// ---- Shapes -------------------------------------------------------------------------------------------------

static int find_shape(const ffi_mjcf_pair *p, const char *name, ff_shape_info *info)
{
  for (int s = 0; s < p->size.shapes; ++s) {
    assert_int_equal(ff_model_shape(p->ff, s, info), FF_OK);
    if (info->def.name && strcmp(info->def.name, name) == 0)
      return 1;
  }
  return 0;
}

static void shape_sizes(const mjModel *mj, int geom, int *type, double size[3])
{
  const double *s = mj->geom_size + 3 * geom;
  size[0] = s[0], size[1] = size[2] = 0;
  switch (mj->geom_type[geom]) {
  case mjGEOM_PLANE: *type = FF_SHAPE_PLANE, size[0] = 0; break;
  case mjGEOM_SPHERE: *type = FF_SHAPE_SPHERE; break;
  case mjGEOM_CAPSULE: *type = FF_SHAPE_CAPSULE, size[1] = 2 * s[1]; break;
  case mjGEOM_CYLINDER: *type = FF_SHAPE_CYLINDER, size[1] = 2 * s[1]; break;
  case mjGEOM_BOX: *type = FF_SHAPE_BOX, size[0] = 2 * s[0], size[1] = 2 * s[1], size[2] = 2 * s[2]; break;
  case mjGEOM_ELLIPSOID: *type = FF_SHAPE_ELLIPSOID, size[1] = s[1], size[2] = s[2]; break;
  default: *type = FF_SHAPE_HULL;
  }
}

static void check_colour(const ffi_mjcf_pair *p, int geom, const ff_shape_def *shape)
{
  const float *own = p->mj->geom_rgba + 4 * geom;
  const int material = p->mj->geom_matid[geom];
  const int is_grey = own[0] == 0.5f && own[1] == 0.5f && own[2] == 0.5f && own[3] == 1.0f;
  const float *rgba = material >= 0 && is_grey ? p->mj->mat_rgba + 4 * material : own;
  for (int i = 0; i < 4; ++i)
    assert_true(fabs(shape->rgba[i] - (double)rgba[i]) < 1e-6); // MuJoCo keeps colours as float
}

// MuJoCo turns and moves a mesh to its own axes; in the body the points must be where they were.
static void check_vertices(const ffi_mjcf_pair *p, int geom, const ff_shape_def *shape, const double *R)
{
  const mjModel *mj = p->mj;
  const int mesh = mj->geom_dataid[geom];
  assert_int_equal(mj->mesh_vertnum[mesh], shape->vertex_count);
  for (int v = 0; v < shape->vertex_count; ++v) {
    const float *vertex = mj->mesh_vert + 3 * (mj->mesh_vertadr[mesh] + v);
    const double local[3] = {(double)vertex[0], (double)vertex[1], (double)vertex[2]};
    double want[3], turned[3], least = 1e9;
    mju_rotVecQuat(turned, local, mj->geom_quat + 4 * geom);
    mju_add3(want, turned, mj->geom_pos + 3 * geom);
    for (int u = 0; u < shape->vertex_count; ++u) {
      double got[3];
      mju_rotVecMat(got, shape->vertices + 3 * u, R);
      mju_addTo3(got, shape->pose.position);
      least = fmin(least, mju_dist3(got, want));
    }
    assert_true(least < 1e-6); // MuJoCo keeps vertices as float
  }
}

// Geoms with names. A plane's position along itself is MuJoCo's to choose.
static void check_shapes(const ffi_mjcf_pair *p)
{
  const mjModel *mj = p->mj;
  mjvOption option;
  mjv_defaultOption(&option); // the groups that MuJoCo draws
  for (int g = 0; g < mj->ngeom; ++g) {
    const char *name = mj_id2name(mj, mjOBJ_GEOM, g);
    ff_shape_info shape;
    double R[9], our_R[9], size[3];
    int type;
    if (!name || !*name)
      continue;
    if (!find_shape(p, name, &shape))
      fail_msg("%s: no shape '%s'", p->what, name);
    shape_sizes(mj, g, &type, size);
    assert_int_equal(shape.def.type, type);
    mju_quat2Mat(R, mj->geom_quat + 4 * g);
    ff_pose_rotation(&shape.def.pose, our_R);
    if (type == FF_SHAPE_HULL) {
      check_vertices(p, g, &shape.def, our_R);
    } else {
      ffi_mjcf_pair_expect_all(p, "size", name, 3, shape.def.size, size);
      ffi_mjcf_pair_expect_all(p, "shape position", name, 3, shape.def.pose.position, mj->geom_pos + 3 * g);
      ffi_mjcf_pair_expect_all(p, "shape rotation", name, 9, our_R, R);
    }
    const int touches = mj->geom_contype[g] || mj->geom_conaffinity[g],
              is_drawn = option.geomgroup[mj->geom_group[g]] || !touches; // what does neither is drawn by us
    assert_int_equal(shape.def.purpose,
                     (is_drawn ? FF_SHAPE_VISUAL : 0) | (touches ? FF_SHAPE_COLLISION : 0));
    check_colour(p, g, &shape.def);
  }
}

// ---- All of it ----------------------------------------------------------------------------------------------

static void compare(ffi_mjcf_pair *p)
{
  ff_error error;
  p->data = mj_makeData(p->mj);
  p->size = ff_model_get_size(p->ff);
  // Both sides make a few hundred roundings at the most. MuJoCo keeps the vertices of meshes as float.
  p->precision = p->mj->nmesh ? 1e-6 : 1e-12;
  p->q = calloc((size_t)p->size.nq + 1, sizeof *p->q);
  if (ff_dynamics_create(p->ff, NULL, &p->dynamics, &error) != FF_OK)
    fail_msg("%s", error.message);
  check_joints(p);
  check_inertias(p);
  check_shapes(p);
  check_keyframes(p);
  for (int k = 0; k < 5; ++k) {
    random_qpos(p, p->data->qpos);
    mj_fwdPosition(p->mj, p->data);
    convert_qpos(p, p->data->qpos, p->q);
    ff_dynamics_kinematics(p->dynamics, p->q, NULL, NULL);
    check_poses(p);
    check_dynamics(p);
    check_actuators(p);
  }
  ff_dynamics_destroy(p->dynamics);
  mj_deleteData(p->data);
  free(p->q);
}

void ffi_mjcf_compare(const char *what, mjModel *mj, ff_model *ff)
{
  ffi_mjcf_pair p = {.what = what, .mj = mj, .ff = ff};
  compare(&p);
  mj_deleteModel(mj);
  ff_model_destroy(ff);
}
