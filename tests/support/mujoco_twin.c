// Writes a model as MJCF and converts states.
#include "support/mujoco_twin.h"

#include <footfall/builder.h>

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// ---- Inertias ---------------------------------------------------------------------------------------------

// Principal moments and axes (columns of V) of a symmetric matrix xx xy xz yy yz zz, by Jacobi rotations. In
// long double, so that what MuJoCo puts together again from moments and a quaternion is the matrix we began
// with.
static void principal(const double I[6], double moments[3], long double V[3][3])
{
  long double A[3][3] = {{I[0], I[1], I[2]}, {I[1], I[3], I[4]}, {I[2], I[4], I[5]}};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      V[i][j] = i == j;
  for (int sweep = 0; sweep < 30; ++sweep)
    for (int p = 0; p < 2; ++p)
      for (int q = p + 1; q < 3; ++q) {
        if (A[p][q] == 0)
          continue;
        const long double theta = (A[q][q] - A[p][p]) / (2 * A[p][q]);
        const long double t = (theta >= 0 ? 1 : -1) / (fabsl(theta) + sqrtl(theta * theta + 1));
        const long double c = 1 / sqrtl(t * t + 1), s = t * c;
        for (int k = 0; k < 3; ++k) {
          const long double a = A[k][p], b = A[k][q];
          A[k][p] = c * a - s * b;
          A[k][q] = s * a + c * b;
        }
        for (int k = 0; k < 3; ++k) {
          const long double a = A[p][k], b = A[q][k], d = V[k][p], e = V[k][q];
          A[p][k] = c * a - s * b;
          A[q][k] = s * a + c * b;
          V[k][p] = c * d - s * e;
          V[k][q] = s * d + c * e;
        }
      }
  for (int k = 0; k < 3; ++k)
    moments[k] = (double)A[k][k];
}

// Quaternion w x y z of a matrix whose columns are orthonormal; a reflection is turned into a rotation first.
static void matrix_quaternion(long double V[3][3], double out[4])
{
  const long double det = V[0][0] * (V[1][1] * V[2][2] - V[1][2] * V[2][1]) -
                          V[0][1] * (V[1][0] * V[2][2] - V[1][2] * V[2][0]) +
                          V[0][2] * (V[1][0] * V[2][1] - V[1][1] * V[2][0]);
  for (int k = 0; det < 0 && k < 3; ++k)
    V[k][2] = -V[k][2];
  // The largest of the four squares is at least 1/4 and is safe to divide by.
  const long double squares[4] = {1 + V[0][0] + V[1][1] + V[2][2], 1 + V[0][0] - V[1][1] - V[2][2],
                                  1 - V[0][0] + V[1][1] - V[2][2], 1 - V[0][0] - V[1][1] + V[2][2]};
  int best = 0;
  for (int k = 1; k < 4; ++k)
    if (squares[k] > squares[best])
      best = k;
  const long double products[4][4] = {{squares[0], V[2][1] - V[1][2], V[0][2] - V[2][0], V[1][0] - V[0][1]},
                                      {V[2][1] - V[1][2], squares[1], V[0][1] + V[1][0], V[0][2] + V[2][0]},
                                      {V[0][2] - V[2][0], V[0][1] + V[1][0], squares[2], V[1][2] + V[2][1]},
                                      {V[1][0] - V[0][1], V[0][2] + V[2][0], V[1][2] + V[2][1], squares[3]}};
  for (int k = 0; k < 4; ++k)
    out[k] = (double)(products[best][k] / (2 * sqrtl(squares[best])));
}

// ---- The text ---------------------------------------------------------------------------------------------

static void put(FILE *file, const char *name, int count, const double *x)
{
  fprintf(file, " %s=\"", name);
  for (int k = 0; k < count; ++k)
    fprintf(file, k ? " %.17g" : "%.17g", x[k]);
  fputs("\"", file);
}

static void write_inertia(const ff_inertia *inertia, FILE *file)
{
  long double V[3][3];
  double moments[3], quaternion[4];
  if (inertia->mass == 0 && inertia->matrix[0] == 0 && inertia->matrix[3] == 0 && inertia->matrix[5] == 0)
    return;
  principal(inertia->matrix, moments, V);
  matrix_quaternion(V, quaternion);
  fputs("<inertial", file);
  put(file, "pos", 3, inertia->com);
  put(file, "quat", 4, quaternion);
  put(file, "mass", 1, &inertia->mass);
  put(file, "diaginertia", 3, moments);
  fputs("/>\n", file);
}

static void write_joint(const ff_joint_info *joint, int j, const char *type, const char *suffix,
                        const double *axis, FILE *file)
{
  fprintf(file, "<joint name=\"j%d%s\" type=\"%s\"", j, suffix, type);
  if (axis)
    put(file, "axis", 3, axis);
  put(file, "armature", 1, &joint->armature);
  put(file, "damping", 1, &joint->damping);
  fputs("/>\n", file);
}

// The directions of a planar joint's first two coordinates, as model.h defines them.
static void plane_axes(const double n[3], double x[3], double y[3])
{
  int least = 0, cardinal = -1;
  memset(x, 0, 3 * sizeof *x);
  for (int k = 0; k < 3; ++k) {
    if (fabs(n[k]) < fabs(n[least]))
      least = k;
    if (fabs(fabs(n[k]) - 1) < 4 * DBL_EPSILON)
      cardinal = k;
  }
  const int a = (least + 1) % 3, b = (least + 2) % 3;
  const double length = sqrt(n[a] * n[a] + n[b] * n[b]);
  if (cardinal >= 0)
    x[(cardinal + 1) % 3] = 1;
  else {
    x[a] = -n[b] / length;
    x[b] = n[a] / length;
  }
  y[0] = n[1] * x[2] - n[2] * x[1];
  y[1] = n[2] * x[0] - n[0] * x[2];
  y[2] = n[0] * x[1] - n[1] * x[0];
}

static void write_joints(const ff_model *model, const ff_link_info *link, FILE *file)
{
  ff_joint_info joint;
  double x[3], y[3];
  if (link->joint_type == FF_JOINT_FIXED)
    return;
  ff_model_joint(model, link->joint, &joint);
  switch (joint.type) {
  case FF_JOINT_FREE: write_joint(&joint, link->joint, "free", "", NULL, file); break;
  case FF_JOINT_SPHERICAL: write_joint(&joint, link->joint, "ball", "", NULL, file); break;
  case FF_JOINT_PRISMATIC: write_joint(&joint, link->joint, "slide", "", joint.axis, file); break;
  case FF_JOINT_PLANAR:
    plane_axes(joint.axis, x, y);
    write_joint(&joint, link->joint, "slide", "x", x, file);
    write_joint(&joint, link->joint, "slide", "y", y, file);
    write_joint(&joint, link->joint, "hinge", "", joint.axis, file);
    break;
  default: write_joint(&joint, link->joint, "hinge", "", joint.axis, file); break;
  }
}

static void write_link(const ff_model *model, int k, FILE *file)
{
  ff_link_info link, child;
  ff_model_link(model, k, &link);
  const double *q = link.pose.quaternion;
  fprintf(file, "<body name=\"b%d\"", k);
  put(file, "pos", 3, link.pose.position);
  put(file, "quat", 4, (double[4]){q[3], q[0], q[1], q[2]});
  fputs(">\n", file);
  write_inertia(&link.inertia, file);
  write_joints(model, &link, file);
  for (int i = k + 1; i < ff_model_get_size(model).links; ++i)
    if (ff_model_link(model, i, &child) == FF_OK && child.parent == k && child.joint_type != FF_JOINT_FREE)
      write_link(model, i, file);
  fputs("</body>\n", file);
}

void ffi_twin_write(const ff_model *model, FILE *file)
{
  ff_link_info link;
  double gravity[3];
  ff_model_gravity(model, gravity);
  fputs("<mujoco model=\"twin\">\n<compiler angle=\"radian\" coordinate=\"local\" inertiafromgeom=\"false\" "
        "balanceinertia=\"false\" boundmass=\"0\" boundinertia=\"0\"/>\n<option",
        file);
  put(file, "gravity", 3, gravity);
  fputs("><flag constraint=\"disable\" contact=\"disable\" limit=\"disable\" energy=\"enable\"/></option>\n"
        "<worldbody>\n",
        file);
  for (int k = 0; k < ff_model_get_size(model).links; ++k)
    if (ff_model_link(model, k, &link) == FF_OK && (link.parent < 0 || link.joint_type == FF_JOINT_FREE))
      write_link(model, k, file); // free bodies have the world as their parent there
  fputs("</worldbody>\n</mujoco>\n", file);
}

// ---- States -----------------------------------------------------------------------------------------------

static ff_joint_info joint_of(const ff_model *model, int j)
{
  ff_joint_info joint;
  assert_int_equal(ff_model_joint(model, j, &joint), FF_OK);
  return joint;
}

void ffi_twin_qpos(const ff_model *model, ffi_twin_map map, const double *q, double *qpos)
{
  for (int j = 0; j < ff_model_get_size(model).joints; ++j) {
    const ff_joint_info joint = joint_of(model, j);
    const double *own = q + joint.q;
    double *out = qpos + map.qpos[j];
    const int before = joint.type == FF_JOINT_FREE ? 3 : joint.type == FF_JOINT_SPHERICAL ? 0 : joint.nq;
    for (int k = 0; k < before; ++k)
      out[k] = own[k];
    if (before < joint.nq) { // quaternion: w first
      out[before] = own[before + 3];
      for (int k = 0; k < 3; ++k)
        out[before + 1 + k] = own[before + k];
    }
  }
}

// The rotation that takes the linear velocity of a joint from body axes to MuJoCo's; how many components that
// are.
static int linear_rotation(const ff_joint_info *joint, const double *q, double R[9])
{
  ff_pose pose = ff_pose_identity();
  if (joint->type == FF_JOINT_FREE) {
    memcpy(pose.quaternion, q + joint->q + 3, sizeof pose.quaternion);
    ff_pose_rotation(&pose, R);
    return 3;
  }
  if (joint->type == FF_JOINT_PLANAR) {
    const double angle = q[joint->q + 2];
    R[0] = R[3] = cos(angle);
    R[2] = sin(angle);
    R[1] = -R[2];
    return 2;
  }
  return 0;
}

// out = R x or R' x, [n].
static void rotate(int n, const double *R, int is_back, const double *x, double *out)
{
  double y[3] = {0, 0, 0};
  for (int r = 0; r < n; ++r)
    for (int k = 0; k < n; ++k)
      y[r] += R[is_back ? k * n + r : r * n + k] * x[k];
  memcpy(out, y, (size_t)n * sizeof *out);
}

void ffi_twin_turn(const ff_model *model, ffi_twin_map map, const double *q, const double *x, double *out)
{
  for (int j = 0; j < ff_model_get_size(model).joints; ++j) {
    const ff_joint_info joint = joint_of(model, j);
    double R[9];
    memcpy(out + map.qvel[j], x + joint.v, (size_t)joint.nv * sizeof *out);
    rotate(linear_rotation(&joint, q, R), R, 0, x + joint.v, out + map.qvel[j]);
  }
}

void ffi_twin_turn_back(const ff_model *model, ffi_twin_map map, const double *q, const double *x,
                        double *out)
{
  for (int j = 0; j < ff_model_get_size(model).joints; ++j) {
    const ff_joint_info joint = joint_of(model, j);
    double R[9];
    memcpy(out + joint.v, x + map.qvel[j], (size_t)joint.nv * sizeof *out);
    rotate(linear_rotation(&joint, q, R), R, 1, x + map.qvel[j], out + joint.v);
  }
}

void ffi_twin_turn_rate(const ff_model *model, ffi_twin_map map, const double *q, const double *v,
                        double *out)
{
  for (int j = 0; j < ff_model_get_size(model).joints; ++j) {
    const ff_joint_info joint = joint_of(model, j);
    const double *own = v + joint.v;
    double R[9], turned[3] = {0, 0, 0};
    if (joint.type == FF_JOINT_FREE) { // Rdot v = R (omega x v)
      const double *w = own + 3;
      turned[0] = w[1] * own[2] - w[2] * own[1];
      turned[1] = w[2] * own[0] - w[0] * own[2];
      turned[2] = w[0] * own[1] - w[1] * own[0];
    }
    if (joint.type == FF_JOINT_PLANAR) {
      turned[0] = -own[2] * own[1];
      turned[1] = own[2] * own[0];
    }
    memset(out + map.qvel[j], 0, (size_t)joint.nv * sizeof *out);
    rotate(linear_rotation(&joint, q, R), R, 0, turned, out + map.qvel[j]);
  }
}

void ffi_twin_armature(const ff_model *model, ffi_twin_map map, double *out)
{
  for (int j = 0; j < ff_model_get_size(model).joints; ++j) {
    const ff_joint_info joint = joint_of(model, j);
    for (int k = 0; k < joint.nv; ++k)
      out[map.qvel[j] + k] = joint.armature;
  }
}

// ---- A copy with inertias that a rigid body can have ------------------------------------------------------

// What must be added to all three moments so that they are positive and the largest is no more than the other
// two together. A little more than that, since MuJoCo works the sums out again.
static double missing(const ff_inertia *inertia)
{
  long double V[3][3];
  double m[3];
  principal(inertia->matrix, m, V);
  const double largest = fmax(m[0], fmax(m[1], m[2])), least = fmin(m[0], fmin(m[1], m[2]));
  const double gap = 2 * largest - (m[0] + m[1] + m[2]);
  const double floor = 1e-6 * fmax(inertia->mass, largest); // a point mass becomes a ball of a millimetre
  return fmax(0, fmax(gap > 0 ? gap * (1 + 1e-6) : 0, floor - least));
}

ff_model *ffi_twin_balanced(const ff_model *model, int *changed)
{
  const int links = ff_model_get_size(model).links;
  ff_builder *builder;
  ff_model *copy;
  ff_error error;
  double gravity[3];
  int *ids = calloc((size_t)links, sizeof *ids);
  assert_non_null(ids);
  assert_int_equal(ff_builder_create(ff_model_name(model), &builder, NULL), FF_OK);
  ff_model_gravity(model, gravity);
  assert_int_equal(ff_builder_set_gravity(builder, gravity, NULL), FF_OK);
  *changed = 0;
  for (int k = 0; k < links; ++k) {
    ff_link_info link;
    ff_link_def def = ff_link_def_default();
    ff_model_link(model, k, &link);
    def.name = link.name;
    def.parent = link.parent < 0 ? FF_WORLD : ids[link.parent];
    def.inertia = link.inertia;
    def.joint.name = link.joint_name;
    def.joint.type = link.joint_type;
    def.joint.pose = link.pose;
    if (link.joint_type != FF_JOINT_FIXED) {
      const ff_joint_info joint = joint_of(model, link.joint);
      memcpy(def.joint.axis, joint.axis, sizeof def.joint.axis);
      def.joint.armature = joint.armature;
      def.joint.damping = joint.damping;
    }
    if (def.inertia.mass == 0 && link.joint_type != FF_JOINT_FIXED)
      def.inertia.mass = 1e-3;
    const double more = def.inertia.mass > 0 ? missing(&def.inertia) : 0;
    def.inertia.matrix[0] += more;
    def.inertia.matrix[3] += more;
    def.inertia.matrix[5] += more;
    *changed += more > 0 || def.inertia.mass != link.inertia.mass;
    if (ff_builder_add_link(builder, &def, &ids[k], &error) != FF_OK)
      fail_msg("%s", error.message);
  }
  if (ff_builder_finish(builder, &copy, &error) != FF_OK)
    fail_msg("%s", error.message);
  ff_builder_destroy(builder);
  free(ids);
  return copy;
}
