// Poses of links and shapes by rotation matrices, joint by joint.
#include "place.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const ffi_pose nowhere = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}};

static void rotate(const double R[3][3], const double x[3], double out[3])
{
  for (int i = 0; i < 3; ++i)
    out[i] = R[i][0] * x[0] + R[i][1] * x[1] + R[i][2] * x[2];
}

// a then b
static ffi_pose chain(const ffi_pose *a, const ffi_pose *b)
{
  ffi_pose c;
  rotate(a->R, b->p, c.p);
  for (int i = 0; i < 3; ++i) {
    c.p[i] += a->p[i];
    for (int j = 0; j < 3; ++j)
      c.R[i][j] = a->R[i][0] * b->R[0][j] + a->R[i][1] * b->R[1][j] + a->R[i][2] * b->R[2][j];
  }
  return c;
}

// Rotation by an angle about a unit axis: cos 1 + sin [axis] + (1 - cos) axis axis'.
static ffi_pose turn(const double a[3], double angle)
{
  const double c = cos(angle), s = sin(angle);
  const double cross[3][3] = {{0, -a[2], a[1]}, {a[2], 0, -a[0]}, {-a[1], a[0], 0}};
  ffi_pose t = nowhere;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j)
      t.R[i][j] = (i == j) * c + s * cross[i][j] + (1 - c) * a[i] * a[j];
  }
  return t;
}

// From a quaternion x y z w: as a turn by 2 atan2(|xyz|, w) about xyz.
static ffi_pose turn_by_quaternion(const double q[4])
{
  const double s = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
  if (s == 0)
    return nowhere;
  return turn((double[]){q[0] / s, q[1] / s, q[2] / s}, 2 * atan2(s, q[3]));
}

static ffi_pose from_pose(const ff_pose *pose)
{
  ffi_pose t = turn_by_quaternion(pose->quaternion);
  memcpy(t.p, pose->position, sizeof t.p);
  return t;
}

static ffi_pose joint_motion(const ff_joint_info *joint, const double *q)
{
  ffi_pose t = nowhere;
  switch (joint->type) {
  case FF_JOINT_FREE:
    t = turn_by_quaternion(q + 3);
    memcpy(t.p, q, sizeof t.p);
    return t;
  case FF_JOINT_SPHERICAL: return turn_by_quaternion(q);
  case FF_JOINT_REVOLUTE:
  case FF_JOINT_CONTINUOUS: return turn(joint->axis, q[0]);
  case FF_JOINT_PRISMATIC:
    for (int i = 0; i < 3; ++i)
      t.p[i] = joint->axis[i] * q[0];
    return t;
  default: fail_msg("joint '%s' is of a kind that no shipped model has", joint->name); return t;
  }
}

void ffi_place_links(const ff_model *model, const double *q, ffi_pose *links)
{
  const int count = ff_model_get_size(model).links;
  for (int i = 0; i < count; ++i) {
    ff_link_info link;
    ff_joint_info joint;
    assert_int_equal(ff_model_link(model, i, &link), FF_OK);
    assert_true(link.parent < i);
    ffi_pose here = link.parent < 0 ? nowhere : links[link.parent];
    const ffi_pose step = from_pose(&link.pose);
    if (link.joint_type != FF_JOINT_FREE) // q of a free joint is the pose in the world
      here = chain(&here, &step);
    if (link.joint_type != FF_JOINT_FIXED) {
      assert_int_equal(ff_model_joint(model, link.joint, &joint), FF_OK);
      const ffi_pose motion = joint_motion(&joint, q + joint.q);
      here = chain(&here, &motion);
    }
    links[i] = here;
  }
}

void ffi_place_point(const ffi_pose *links, int link, const double in_link[3], double out[3])
{
  const ffi_pose *at = link < 0 ? &nowhere : &links[link];
  rotate(at->R, in_link, out);
  for (int i = 0; i < 3; ++i)
    out[i] += at->p[i];
}

double ffi_place_lowest(const ffi_pose *links, const ff_shape_info *shape)
{
  const ffi_pose own = from_pose(&shape->def.pose);
  const ffi_pose at = chain(shape->link < 0 ? &nowhere : &links[shape->link], &own);
  const double *size = shape->def.size, *down = at.R[2]; // row z: what each own axis adds to the height
  switch (shape->def.type) {
  case FF_SHAPE_POINT: return at.p[2];
  case FF_SHAPE_SPHERE: return at.p[2] - size[0];
  case FF_SHAPE_DISK: return at.p[2] - size[0] * hypot(down[0], down[1]);
  case FF_SHAPE_BOX:
    return at.p[2] - (fabs(down[0]) * size[0] + fabs(down[1]) * size[1] + fabs(down[2]) * size[2]) / 2;
  default: fail_msg("no height for a shape of type %s", ff_shape_type_name(shape->def.type)); return 0;
  }
}

void ffi_place_com(const ff_model *model, const ffi_pose *links, double com[3])
{
  const int count = ff_model_get_size(model).links;
  double mass = 0, sum[3] = {0, 0, 0};
  for (int i = 0; i < count; ++i) {
    ff_link_info link;
    double at[3];
    ff_model_link(model, i, &link);
    if (link.joint < 0)
      continue;
    ffi_place_point(links, i, link.inertia.com, at);
    mass += link.inertia.mass;
    for (int k = 0; k < 3; ++k)
      sum[k] += link.inertia.mass * at[k];
  }
  for (int k = 0; k < 3; ++k)
    com[k] = sum[k] / mass;
}
