// State and forces between a model and its pieces. Every conversion walks up from the link that carries a cut joint to the root of its
// piece, so it needs no memory. Links and joints are the source's, their coordinates are read where the cut model has them.
#include "math/lie.h"
#include "math/quaternion.h"
#include "math/spatial.h"
#include "model/cut.h"

// ---- One joint, by its type -----------------------------------------------------------------------------------------

// The two directions of a planar joint, in the link's axes: rows of the rotation from link to body, whose z is the normal.
static const double *planar_axes(const ff_model *source, int link)
{
  return source->frames[source->links[link].frame].R;
}

// Where the link is in its joint's frame.
static ff_pose joint_pose(const ff_model *source, const ff_joint_info *joint, const double *q)
{
  ff_pose pose = ff_pose_identity();
  double turn[3];
  switch (joint->type) {
  case FF_JOINT_REVOLUTE:
  case FF_JOINT_CONTINUOUS:
    ffi_v3_scale(sin(q[0] / 2), joint->axis, pose.quaternion);
    pose.quaternion[3] = cos(q[0] / 2);
    break;
  case FF_JOINT_PRISMATIC: ffi_v3_scale(q[0], joint->axis, pose.position); break;
  case FF_JOINT_SPHERICAL: ffi_quat_normalize(q, pose.quaternion); break;
  case FF_JOINT_PLANAR: {
    const double *axes = planar_axes(source, joint->link);
    ffi_v3_add_scaled(q[0], axes, pose.position);
    ffi_v3_add_scaled(q[1], axes + 3, pose.position);
    ffi_v3_scale(q[2], joint->axis, turn);
    ffi_lie_so3_exp(turn, pose.quaternion);
    break;
  }
  case FF_JOINT_FREE:
    ffi_v3_copy(q, pose.position);
    ffi_quat_normalize(q + 3, pose.quaternion);
    break;
  case FF_JOINT_FIXED: break;
  }
  return pose;
}

// What v does, or v' of a force: the joint's directions in the link's axes, (linear, angular) at the link's origin.
static void joint_directions(const ff_model *source, const ff_joint_info *joint, double S[6][6])
{
  memset(S, 0, 36 * sizeof S[0][0]);
  switch (joint->type) {
  case FF_JOINT_REVOLUTE:
  case FF_JOINT_CONTINUOUS: ffi_v3_copy(joint->axis, S[0] + 3); break;
  case FF_JOINT_PRISMATIC: ffi_v3_copy(joint->axis, S[0]); break;
  case FF_JOINT_PLANAR:
    ffi_v3_copy(planar_axes(source, joint->link), S[0]);
    ffi_v3_copy(planar_axes(source, joint->link) + 3, S[1]);
    ffi_v3_copy(joint->axis, S[2] + 3);
    break;
  case FF_JOINT_SPHERICAL:
    for (int i = 0; i < 3; ++i)
      S[i][3 + i] = 1;
    break;
  case FF_JOINT_FREE:
    for (int i = 0; i < 6; ++i)
      S[i][i] = 1;
    break;
  case FF_JOINT_FIXED: break;
  }
}

static void joint_motion(const ff_model *source, const ff_joint_info *joint, const double *v,
                         double motion[6])
{
  double S[6][6];
  joint_directions(source, joint, S);
  memset(motion, 0, 6 * sizeof *motion);
  for (int i = 0; i < joint->nv; ++i)
    for (int k = 0; k < 6; ++k)
      motion[k] += S[i][k] * v[i];
}

// ---- Up a piece -----------------------------------------------------------------------------------------------------

// A motion of frame A, seen from frame B that `pose` places in it, added to `out`.
static void add_motion(const ff_pose *pose, const double motion[6], double out[6])
{
  double R[9], seen[6];
  ff_pose_rotation(pose, R);
  ffi_spatial_motion_to_child(pose->position, R, motion, seen);
  for (int k = 0; k < 6; ++k)
    out[k] += seen[k];
}

// A link's joint, if it is not fixed to its parent.
static const ff_joint_info *joint_of(const ff_model *source, int link)
{
  const ff_link_info *info = &source->links[link];
  return info->joint_type == FF_JOINT_FIXED ? NULL : &source->joints[info->joint];
}

static int is_root(const ff_cut *cut, const ff_joint_info *joint)
{
  return joint->type == FF_JOINT_FREE || cut->joints[joint - cut->source->joints].is_cut;
}

static const ff_joint_info *joint_in_pieces(const ff_cut *cut, const ff_joint_info *joint)
{
  return &cut->model->joints[cut->joints[joint - cut->source->joints].joint];
}

// Pieces float with their centre of mass. The frame of a piece in that of its link, and the other way round; the same for joints that were free before.
static ff_pose piece_in_link(const ff_cut *cut, const ff_joint_info *joint)
{
  ff_pose pose = ff_pose_identity();
  if (cut->joints[joint - cut->source->joints].is_cut)
    ffi_v3_copy(cut->centre[joint - cut->source->joints], pose.position);
  return pose;
}

static ff_pose link_in_piece(const ff_cut *cut, const ff_joint_info *joint)
{
  const ff_pose pose = piece_in_link(cut, joint);
  return ff_pose_inverse(&pose);
}

// The link of a cut joint in the world.
static ff_pose locate_link(const ff_cut *cut, const ff_joint_info *joint, const double *q_cut)
{
  const ff_joint_info *piece = joint_in_pieces(cut, joint);
  const ff_pose pose = joint_pose(cut->source, piece, q_cut + piece->q), in = link_in_piece(cut, joint);
  return ff_pose_compose(&pose, &in);
}

// A frame fixed in `link`, which `pose` places in it: its pose in the world, and, with v_cut, its motion in its own axes.
static void locate(const ff_cut *cut, int link, const double *q_cut, const double *v_cut, ff_pose *pose,
                   double motion[6])
{
  const ff_model *source = cut->source;
  memset(motion, 0, 6 * sizeof *motion);
  for (; link >= 0; link = source->links[link].parent) {
    const ff_joint_info *joint = joint_of(source, link);
    if (joint) {
      const ff_joint_info *piece = joint_in_pieces(cut, joint);
      const ff_joint_info *as = is_root(cut, joint) ? piece : joint;
      double own[6];
      if (as == piece) {
        const ff_pose in = link_in_piece(cut, joint);
        *pose = ff_pose_compose(&in, pose);
      }
      if (v_cut) {
        joint_motion(source, as, v_cut + piece->v, own);
        add_motion(pose, own, motion);
      }
      const ff_pose moved = joint_pose(source, as, q_cut + piece->q);
      *pose = ff_pose_compose(&moved, pose);
      if (as == piece)
        return;
    }
    *pose = ff_pose_compose(&source->links[link].pose, pose);
  }
}

// The frame where a cut joint's link is at q = 0, on the side that carries it.
static void locate_seat(const ff_cut *cut, const ff_joint_info *joint, const double *q_cut,
                        const double *v_cut, ff_pose *pose, double motion[6])
{
  *pose = cut->source->links[joint->link].pose;
  locate(cut, cut->source->links[joint->link].parent, q_cut, v_cut, pose, motion);
}

// ---- Spread ---------------------------------------------------------------------------------------------------------

static void spread_joint(const ff_cut *cut, const ff_joint_info *joint, const double *q, const double *v,
                         double *q_cut, double *v_cut)
{
  const ff_joint_info *piece = joint_in_pieces(cut, joint);
  const ff_pose in = piece_in_link(cut, joint);
  ff_pose seat, moved, pose;
  double at_seat[6], own[6];
  locate_seat(cut, joint, q_cut, v_cut, &seat, at_seat);
  moved = joint_pose(cut->source, joint, q + joint->q);
  moved = ff_pose_compose(&moved, &in);
  pose = ff_pose_compose(&seat, &moved);
  ffi_v3_copy(pose.position, q_cut + piece->q);
  memcpy(q_cut + piece->q + 3, pose.quaternion, sizeof pose.quaternion);
  if (!v)
    return;
  joint_motion(cut->source, joint, v + joint->v, own);
  memset(v_cut + piece->v, 0, 6 * sizeof *v_cut);
  add_motion(&in, own, v_cut + piece->v);
  add_motion(&moved, at_seat, v_cut + piece->v);
}

void ff_cut_spread(const ff_cut *cut, const double *q, const double *v, double *q_cut, double *v_cut)
{
  const ff_model *source = cut->source;
  const double *rates = v && v_cut ? v : NULL;
  double *rates_cut = rates ? v_cut : NULL;
  for (int j = 0; j < source->size.joints; ++j) { // what carries a joint comes before it
    const ff_joint_info *joint = &source->joints[j], *piece = joint_in_pieces(cut, joint);
    if (cut->joints[j].is_cut) {
      spread_joint(cut, joint, q, rates, q_cut, rates_cut);
      continue;
    }
    memcpy(q_cut + piece->q, q + joint->q, (size_t)joint->nq * sizeof *q);
    if (rates)
      memcpy(rates_cut + piece->v, rates + joint->v, (size_t)joint->nv * sizeof *rates);
  }
}

// ---- Gather ---------------------------------------------------------------------------------------------------------

// The turn about `axis` in a rotation, the nearest to `near` if that is a number. What turns across the axis is left out.
static double twist(const double quaternion[4], const double axis[3], double near)
{
  const double turn = 2 * 3.14159265358979323846,
               angle = 2 * atan2(ffi_v3_dot(quaternion, axis), quaternion[3]);
  return angle + turn * round((near - angle) / turn);
}

// The coordinates of a joint whose link is at `pose` in its frame; `near` are such coordinates too, or NULL.
static void gather_coordinates(const ff_model *source, const ff_joint_info *joint, const ff_pose *pose,
                               const double *near, double *q)
{
  if (joint->type == FF_JOINT_PRISMATIC) {
    q[0] = ffi_v3_dot(pose->position, joint->axis);
    return;
  }
  if (joint->type == FF_JOINT_SPHERICAL) {
    memcpy(q, pose->quaternion, sizeof pose->quaternion);
    return;
  }
  const int angle = joint->type == FF_JOINT_PLANAR ? 2 : 0;
  for (int i = 0; i < angle; ++i)
    q[i] = ffi_v3_dot(pose->position, planar_axes(source, joint->link) + 3 * i);
  q[angle] = twist(pose->quaternion, joint->axis, near && isfinite(near[angle]) ? near[angle] : 0);
}

static void gather_joint(const ff_cut *cut, const ff_joint_info *joint, const double *q_cut,
                         const double *v_cut, const double *near, double *q, double *v)
{
  const ff_joint_info *piece = joint_in_pieces(cut, joint);
  ff_pose seat;
  double at_seat[6], motion[6] = {0}, carried[6] = {0}, S[6][6];
  locate_seat(cut, joint, q_cut, v_cut, &seat, at_seat);
  const ff_pose back = ff_pose_inverse(&seat), pose = locate_link(cut, joint, q_cut);
  const ff_pose relative = ff_pose_compose(&back, &pose);
  gather_coordinates(cut->source, joint, &relative, near ? near + joint->q : NULL, q + joint->q);
  if (!v)
    return;
  const ff_pose in = link_in_piece(cut, joint);
  add_motion(&in, v_cut + piece->v, motion);
  add_motion(&relative, at_seat, carried);
  for (int k = 0; k < 6; ++k)
    motion[k] -= carried[k];
  joint_directions(cut->source, joint, S); // orthonormal
  for (int i = 0; i < joint->nv; ++i)
    v[joint->v + i] = ffi_spatial_dot(S[i], motion);
}

void ff_cut_gather(const ff_cut *cut, const double *q_cut, const double *v_cut, const double *near, double *q,
                   double *v)
{
  const ff_model *source = cut->source;
  const double *rates_cut = v && v_cut ? v_cut : NULL;
  double *rates = rates_cut ? v : NULL;
  for (int j = 0; j < source->size.joints; ++j) {
    const ff_joint_info *joint = &source->joints[j], *piece = joint_in_pieces(cut, joint);
    if (cut->joints[j].is_cut) {
      gather_joint(cut, joint, q_cut, rates_cut, near, q, rates);
      continue;
    }
    memcpy(q + joint->q, q_cut + piece->q, (size_t)joint->nq * sizeof *q);
    if (rates)
      memcpy(rates + joint->v, rates_cut + piece->v, (size_t)joint->nv * sizeof *rates);
  }
}

// ---- Forces ---------------------------------------------------------------------------------------------------------

// A force in frame B that `pose` places in A, seen from A.
static void carry_force(const ff_pose *pose, double force[6])
{
  double R[9], seen[6];
  ff_pose_rotation(pose, R);
  ffi_spatial_force_to_parent(pose->position, R, force, seen);
  memcpy(force, seen, sizeof seen);
}

// Add what a force on `link`, in its axes at its origin, does to the coordinates of its piece.
static void push(const ff_cut *cut, int link, const double *q_cut, double force[6], double *tau_cut)
{
  const ff_model *source = cut->source;
  for (; link >= 0; link = source->links[link].parent) {
    const ff_joint_info *joint = joint_of(source, link);
    ff_pose pose = source->links[link].pose;
    if (joint) {
      const ff_joint_info *piece = joint_in_pieces(cut, joint);
      const ff_joint_info *as = is_root(cut, joint) ? piece : joint;
      double S[6][6];
      if (as == piece) {
        pose = link_in_piece(cut, joint);
        carry_force(&pose, force);
      }
      joint_directions(source, as, S);
      for (int i = 0; i < as->nv; ++i)
        tau_cut[piece->v + i] += ffi_spatial_dot(S[i], force);
      if (as == piece)
        return;
      const ff_pose moved = joint_pose(source, joint, q_cut + piece->q);
      pose = ff_pose_compose(&pose, &moved);
    }
    carry_force(&pose, force);
  }
}

static void push_joint(const ff_cut *cut, const ff_joint_info *joint, const double *q_cut, const double *tau,
                       double *tau_cut)
{
  const int carrier = cut->source->links[joint->link].parent;
  double force[6], reaction[6], unused[6];
  ff_pose up = ff_pose_identity();
  joint_motion(cut->source, joint, tau + joint->v, force); // the same directions
  for (int k = 0; k < 6; ++k)
    reaction[k] = -force[k];
  push(cut, joint->link, q_cut, force, tau_cut);
  locate(cut, carrier, q_cut, NULL, &up, unused);
  const ff_pose back = ff_pose_inverse(&up), pose = locate_link(cut, joint, q_cut);
  const ff_pose relative = ff_pose_compose(&back, &pose);
  carry_force(&relative, reaction);
  push(cut, carrier, q_cut, reaction, tau_cut);
}

void ff_cut_tau(const ff_cut *cut, const double *q_cut, const double *tau, double *tau_cut)
{
  const ff_model *source = cut->source;
  memset(tau_cut, 0, (size_t)cut->model->size.nv * sizeof *tau_cut);
  for (int j = 0; j < source->size.joints; ++j) {
    const ff_joint_info *joint = &source->joints[j];
    if (cut->joints[j].is_cut)
      push_joint(cut, joint, q_cut, tau, tau_cut);
    else
      for (int i = 0; i < joint->nv; ++i)
        tau_cut[joint_in_pieces(cut, joint)->v + i] += tau[joint->v + i];
  }
}
