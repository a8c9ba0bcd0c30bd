// Where a proposed scene may start, and motors that hold it there.
//
// A model that has postures starts in one of them. Else all joints are at zero, as far as limits allow, or in
// the middle of their limits, or between the two; first the way up that the model is described in, then
// turned on each side.
#include "propose/propose.h"

#include <footfall/place.h>

#include <math.h>
#include <string.h>

static const double deepest_start = 1e-3; // a posture may be so far in the ground [m]
static const double rounding = 1e-6;      // [m] what is fixed to the world may reach so far below z = 0
static const double quarter = 1.5707963267948966;

// The share of the way from zero to the middle of the limits, and how the base is turned.
static const struct {
  double share, rpy[3];
} starts[] = {
    {0, {0, 0, 0}},        {1, {0, 0, 0}},       {0.5, {0, 0, 0}},      {0, {quarter, 0, 0}},
    {0, {-quarter, 0, 0}}, {0, {0, quarter, 0}}, {0, {0, -quarter, 0}}, {0, {2 * quarter, 0, 0}},
};
enum { START_COUNT = sizeof starts / sizeof starts[0] };

static double within(const ff_joint_info *joint, double share)
{
  const double zero = fmin(fmax(0, joint->lower), joint->upper);
  const int has_both = isfinite(joint->lower) && isfinite(joint->upper);
  return has_both ? zero + share * ((joint->lower + joint->upper) / 2 - zero) : zero;
}

// Is there a joint that this share moves elsewhere?
static int bends(const ff_model *model, double share)
{
  ff_joint_info joint;
  for (int j = 0; ff_model_joint(model, j, &joint) == FF_OK; ++j)
    if (joint.nq == 1 && joint.has_limits && within(&joint, share) != within(&joint, 0))
      return 1;
  return 0;
}

static void bend(ffi_propose *p, double share)
{
  ff_joint_info joint;
  for (int j = 0; ff_model_joint(p->model, j, &joint) == FF_OK; ++j)
    if (joint.nq == 1 && joint.has_limits)
      p->q[joint.q] = within(&joint, share);
}

static void turn_base(ffi_propose *p, const double rpy[3])
{
  static const double origin[3] = {0};
  ff_joint_info base;
  ff_pose pose, turned = ff_pose_from_rpy(origin, rpy);
  ff_model_joint(p->model, p->result.base, &base);
  memcpy(pose.position, origin, sizeof origin);
  memcpy(pose.quaternion, p->q + base.q + 3, sizeof pose.quaternion);
  pose = ff_pose_compose(&turned, &pose);
  memcpy(p->q + base.q + 3, pose.quaternion, sizeof pose.quaternion);
}

// What a fixed shape of the model is to a robot whose base is at `base`.
typedef enum { BESIDE, BELOW, UNKNOWN } place;

// A plane, or a level box that the base is above or in: `plane` is its top.
static place place_of(const ffi_propose *p, const ff_shape_info *shape, const double base[3], ff_pose *plane)
{
  static const double level = 0.999;
  double at[3], R[9], own[9], up[3] = {0}, offset[3];
  ff_dynamics_frame_pose(p->dynamics, shape->frame, at, R);
  if (shape->def.type == FF_SHAPE_PLANE && shape->frame == 0) {
    *plane = shape->def.pose;
    return BELOW;
  }
  if (shape->def.type != FF_SHAPE_BOX)
    return UNKNOWN;
  ff_pose_rotation(&shape->def.pose, own);
  for (int k = 0; k < 3; ++k) {
    offset[k] = base[k] - at[k];
    for (int i = 0; i < 3; ++i) {
      up[k] += R[6 + i] * own[3 * i + k];
      offset[k] -= R[3 * k + i] * shape->def.pose.position[i];
    }
  }
  if (fabs(up[2]) < level)
    return UNKNOWN;
  const double r = 0.5 * hypot(shape->def.size[0], shape->def.size[1]), top = 0.5 * shape->def.size[2];
  for (int k = 0; k < 2; ++k) // of any turn about the vertical
    if (fabs(offset[k]) > r)
      return BESIDE;
  *plane = ff_pose_identity();
  plane->position[2] = base[2] - offset[2] + top;
  return BELOW;
}

// The plane that it is put on: z = 0, or the only thing of the model's own world that it is above. 0: there are others.
static int find_plane(const ffi_propose *p, ff_pose *plane)
{
  ff_shape_info shape;
  ff_frame_info frame;
  ff_joint_info base;
  int count = 0;
  *plane = ff_pose_identity();
  ff_model_joint(p->model, p->result.base, &base);
  ff_dynamics_kinematics(p->dynamics, p->q, NULL, NULL);
  for (int i = 0; ff_model_shape(p->model, i, &shape) == FF_OK; ++i) {
    ff_model_frame(p->model, shape.frame, &frame);
    if (frame.joint >= 0 || !(shape.def.purpose & FF_SHAPE_COLLISION))
      continue;
    const place where = place_of(p, &shape, p->q + base.q, plane);
    count += where == BELOW;
    if (where == UNKNOWN)
      return 0;
  }
  return count == 1 || !ff_model_has_ground(p->model);
}

// Does everything that moves hang on what floats, and is it more than a thing? Else somebody has put things
// in their places.
static int is_one_robot(const ffi_propose *p)
{
  ff_joint_info joint;
  int count = 0;
  for (int j = 0; ff_model_joint(p->model, j, &joint) == FF_OK; ++j, ++count)
    if (joint.parent < 0 && j != p->result.base)
      return 0;
  return count > 1;
}

// Onto z = 0, or a plane of the model's own. What is no robot, or has rotors, stays where the model puts it unless it
// is in the ground.
static void land(ffi_propose *p, int is_posture)
{
  ff_pose plane;
  p->is_landed = 0;
  if (p->result.base < 0 || !find_plane(p, &plane))
    return;
  const double gap = ff_place_gap(p->model, p->dynamics, p->q, &plane);
  const int is_thing = !is_one_robot(p) && !p->result.has_unused_rotors;
  const int may_hover =
      is_posture ? is_thing || p->result.has_unused_rotors : is_thing && ff_model_has_ground(p->model);
  if (isnan(gap) || (may_hover && gap > -deepest_start))
    return;
  ff_place_lift(p->model, &plane, -gap, p->q);
  p->result.is_placed = p->is_landed = 1;
}

// The i-th of the postures to be tried: the one that was asked for, or 'standing' and then the others. -1
// after the last.
static int posture_at(const ffi_propose *p, int i)
{
  const int count = ff_model_get_size(p->model).postures;
  const int standing = ff_model_find_posture(p->model, "standing");
  if (p->asked_posture >= 0)
    return i == 0 ? p->asked_posture : -1;
  if (standing < 0)
    return i < count ? i : -1;
  return i == 0 ? standing : i <= standing ? i - 1 : i < count ? i : -1;
}

int ffi_propose_start_share(ffi_propose *p, double share)
{
  if (share > 0 && !bends(p->model, share))
    return 0;
  ff_model_neutral(p->model, p->q);
  bend(p, share);
  if (p->result.base >= 0) {
    p->result.is_placed = 1;
    land(p, 0);
  }
  return 1;
}

// Straight legs are bent.
static int start_bent(ffi_propose *p)
{
  if (p->result.base < 0 || p->is_fixed || !ffi_propose_start_share(p, 0) || !ffi_propose_bend(p))
    return 0;
  land(p, 0);
  p->result.is_bent = 1;
  return 1;
}

static int set_start(ffi_propose *p, int which)
{
  const ff_model_size size = ff_model_get_size(p->model);
  p->result.is_placed = p->result.is_bent = p->result.is_sunk = p->result.has_joints = 0;
  p->result.posture = -1;
  if (size.postures > 0) {
    p->result.posture = posture_at(p, which);
    if (p->result.posture < 0)
      return -1;
    memcpy(p->q, ff_model_posture(p->model, p->result.posture), (size_t)size.nq * sizeof *p->q);
    land(p, 1);
    return 1;
  }
  if (which-- == 0)
    return start_bent(p);
  if (which >= (p->result.base < 0 || p->is_fixed ? 1 : START_COUNT))
    return -1;
  if (starts[which].share > 0 && !bends(p->model, starts[which].share))
    return 0;
  ff_model_neutral(p->model, p->q);
  bend(p, starts[which].share);
  if (p->result.base >= 0) {
    p->result.is_placed = 1;
    turn_base(p, starts[which].rpy);
    land(p, 0);
  }
  return 1;
}

// For the present start.
static void make_motors(ffi_propose *p)
{
  p->result.motor_count = ff_place_bounded_motors(p->model, p->dynamics, p->q, p->motors);
}

// Torques that carry the weight need motors that can give them, and of a robot that floats what it stands on.
static void choose_gravity(ffi_propose *p, int is_upright)
{
  ffi_propose_support s = {0};
  ff_proposal *r = &p->result;
  r->has_gravity = r->motor_count + r->servo_count > 0 &&
                   (p->is_fixed || (r->base >= 0 && is_upright && ffi_propose_feet_find(p, &s)));
  r->stands_on_count = r->has_gravity ? s.count : 0;
  memcpy(p->stands_on, s.links, sizeof p->stands_on);
}

// A robot that is fixed to the world may have been drawn around z = 0: ground would only throw it.
static void choose_ground(ffi_propose *p)
{
  const ff_pose plane = ff_pose_identity();
  if (p->result.floating == 0)
    p->result.has_no_ground =
        ff_place_gap(p->model, p->dynamics, p->q, &plane) < -rounding; // NAN: nothing can touch it
}

int ffi_propose_start(ffi_propose *p, int which)
{
  const int is_start = set_start(p, which);
  if (is_start == 1) {
    make_motors(p);
    choose_gravity(p, which < FFI_PROPOSE_UPRIGHT_STARTS || p->result.posture >= 0);
    choose_ground(p);
  }
  return is_start;
}

static void take_end(ffi_propose *p)
{
  ff_joint_info joint;
  for (int j = 0; ff_model_joint(p->model, j, &joint) == FF_OK; ++j)
    if (joint.nq == 1 || j == p->result.base)
      memcpy(p->q + joint.q, p->end + joint.q, (size_t)joint.nq * sizeof *p->q);
  p->result.is_placed = p->result.base >= 0;
  p->result.has_joints = 1;
}

void ffi_propose_start_from_end(ffi_propose *p)
{
  take_end(p);
  p->result.is_bent = p->result.is_sunk = 0;
  make_motors(p);
  choose_gravity(p, 0);
}

void ffi_propose_start_pressed(ffi_propose *p)
{
  ff_joint_info base;
  ff_model_joint(p->model, p->result.base, &base);
  const double x = p->q[base.q], y = p->q[base.q + 1]; // the trial nudges it
  take_end(p);
  p->q[base.q] = x;
  p->q[base.q + 1] = y;
  p->result.is_sunk = 1;
  make_motors(p);
}
