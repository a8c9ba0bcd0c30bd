// Motors that hold joints, and their default gains.
//
// Every joint that ff_model_drive() leaves to motors is held. Servos of the model hold their joints themselves.
//
// With the default gains the joint alone oscillates at `frequency` with `damping_ratio`:
//
//     kp = I (2 pi f)^2,   kd = 2 zeta sqrt(kp I)
//
// I is the inertia about its axis of the links that it carries, or of the rest of the robot if that is more and the
// robot floats: the joint of a leg in the air moves the leg, that of a standing leg moves the robot. For sliding joints
// I is a mass.
//
// With bounded gains only a joint that carries the robot moves the rest of it: one between the base of a robot that
// floats and what touches the ground. There a link that the joint carries reaches down as far as the robot does. A
// joint without limits may be a wheel's, which moves the robot's mass m at the height h of its axis above the ground:
// the rest counts by m h^2 there, if that is less. And a motor uses its whole effort no earlier than at the deflection
// `full`:
//
//     kp = min(I (2 pi f)^2, effort / full),   kd = 2 zeta kp / (2 pi f)

#include <footfall/place.h>

#include "model/shape/shape_lowest.h"

#include <math.h>
#include <stddef.h>

static const double frequency = 4; // [Hz]
static const double damping_ratio = 0.5;
static const double full_turn = 0.2, full_slide = 0.02; // [rad], [m]
static const double level = 1e-3, level_share = 0.02;   // feet are so level [m], and of the robot's height

// Joints are in depth-first order: those at and below a joint are neighbours. Behind the last of them.
static int end_of(const ff_model *model, int joint)
{
  ff_joint_info info;
  int end = joint + 1;
  while (ff_model_joint(model, end, &info) == FF_OK && info.parent >= joint)
    ++end;
  return end;
}

static int root_of(const ff_model *model, int joint, ff_joint_type *type)
{
  ff_joint_info info;
  for (ff_model_joint(model, joint, &info); info.parent >= 0; ff_model_joint(model, joint, &info))
    joint = info.parent;
  *type = info.type;
  return joint;
}

// Moment of inertia of a link about the line through p along the unit vector a, both in the world; its mass
// for a sliding joint.
static double inertia_about(const ff_inertia *x, const double position[3], const double R[9],
                            const double p[3], const double a[3], int is_sliding)
{
  const double *I = x->matrix; // xx xy xz yy yz zz
  double axis[3], arm[3], square = 0, along = 0;
  if (is_sliding)
    return x->mass;
  for (int k = 0; k < 3; ++k) {
    axis[k] = R[k] * a[0] + R[3 + k] * a[1] + R[6 + k] * a[2];
    arm[k] = position[k] - p[k];
    for (int l = 0; l < 3; ++l)
      arm[k] += R[3 * k + l] * x->com[l];
  }
  for (int k = 0; k < 3; ++k) {
    square += arm[k] * arm[k];
    along += arm[k] * a[k];
  }
  return x->mass * (square - along * along) + I[0] * axis[0] * axis[0] + I[3] * axis[1] * axis[1] +
         I[5] * axis[2] * axis[2] +
         2 * (I[1] * axis[0] * axis[1] + I[2] * axis[0] * axis[2] + I[4] * axis[1] * axis[2]);
}

// After kinematics: the lowest and highest z of the collision shapes on links of the joints from..end-1; INFINITY and
// -INFINITY if there are none.
static void heights_of(const ff_model *model, const ff_dynamics *dynamics, int from, int end, double range[2])
{
  ff_shape_info shape;
  ff_frame_info frame;
  range[0] = INFINITY, range[1] = -INFINITY;
  for (int i = 0; ff_model_shape(model, i, &shape) == FF_OK; ++i) {
    double at[3], R[9], own[9], up[3];
    ff_model_frame(model, shape.frame, &frame);
    if (frame.joint < from || frame.joint >= end || !(shape.def.purpose & FF_SHAPE_COLLISION))
      continue;
    ff_dynamics_frame_pose(dynamics, shape.frame, at, R);
    ff_pose_rotation(&shape.def.pose, own);
    for (int k = 0; k < 3; ++k) // the last row of R own
      up[k] = R[6] * own[k] + R[7] * own[3 + k] + R[8] * own[6 + k];
    const double *place = shape.def.pose.position;
    const double origin = at[2] + R[6] * place[0] + R[7] * place[1] + R[8] * place[2];
    const double low = origin + ffi_shape_lowest(&shape.def, up);
    range[0] = fmin(range[0], low); // fmin ignores NAN
    range[1] = fmax(range[1], fmax(low, origin));
  }
}

// Does what the joint carries reach down as far as the robot? Of a robot without shapes nobody knows: it may. `low` is
// how deep it reaches, INFINITY: it has no shapes.
static int carries_robot(const ff_model *model, const ff_dynamics *dynamics, int j, int root, double *low)
{
  double robot[2], limb[2];
  heights_of(model, dynamics, root, end_of(model, root), robot);
  heights_of(model, dynamics, j, end_of(model, j), limb);
  *low = limb[0];
  return !isfinite(robot[0]) || limb[0] <= robot[0] + level + level_share * (robot[1] - robot[0]);
}

static int is_wheel(const ff_joint_info *joint)
{
  return joint->type != FF_JOINT_PRISMATIC && !joint->has_limits;
}

// After kinematics: the inertia I of the rule above.
static double inertia_of_joint(const ff_model *model, const ff_dynamics *dynamics, int j, int is_bounded)
{
  ff_joint_info joint;
  ff_link_info moved;
  ff_joint_type root_type;
  double p[3], R[9], a[3], hanging = 0, rest = 0, mass = 0, low = INFINITY;
  const int root = root_of(model, j, &root_type), links = ff_model_get_size(model).links;
  const int end = end_of(model, j), root_end = end_of(model, root);
  ff_model_joint(model, j, &joint);
  ff_model_link(model, joint.link, &moved);
  ff_dynamics_frame_pose(dynamics, moved.frame, p, R); // the joint's own frame, turned about its axis
  for (int k = 0; k < 3; ++k)
    a[k] = R[3 * k] * joint.axis[0] + R[3 * k + 1] * joint.axis[1] + R[3 * k + 2] * joint.axis[2];
  for (int l = 0; l < links; ++l) {
    ff_link_info link;
    double position[3], own[9];
    ff_model_link(model, l, &link);
    if (link.joint < root || link.joint >= root_end)
      continue;
    ff_dynamics_frame_pose(dynamics, link.frame, position, own);
    const double I = inertia_about(&link.inertia, position, own, p, a, joint.type == FF_JOINT_PRISMATIC);
    if (link.joint >= j && link.joint < end)
      hanging += I;
    else
      rest += I, mass += link.inertia.mass;
  }
  const int may_carry =
      root_type == FF_JOINT_FREE && (!is_bounded || carries_robot(model, dynamics, j, root, &low));
  if (is_bounded && is_wheel(&joint) && isfinite(low))
    rest = fmin(rest, mass * (p[2] - low) * (p[2] - low) * (1 - a[2] * a[2]));
  return joint.armature + (may_carry ? fmax(hanging, rest) : hanging);
}

// Stiffness and damping of a joint whose inertia is I.
typedef struct gains {
  double kp, kd;
} gains;

// For every joint with a motor: given gains, or where they are NAN those of its inertia; bounded ones reach the whole
// effort no earlier than `full` from the start.
static int place(const ff_model *model, ff_dynamics *dynamics, const double *q, gains given, int is_bounded,
                 ff_element_def *out)
{
  const double omega = 2 * 3.141592653589793 * frequency;
  const int joints = ff_model_get_size(model).joints;
  int count = 0;
  ff_dynamics_kinematics(dynamics, q, NULL, NULL);
  for (int j = 0; j < joints; ++j) {
    gains g = given;
    if (ff_model_drive(model, j) != FF_DRIVE_MOTOR)
      continue;
    ff_joint_info joint;
    ff_model_joint(model, j, &joint);
    const double I = isnan(g.kp) || isnan(g.kd) ? inertia_of_joint(model, dynamics, j, is_bounded) : 0;
    if (isnan(g.kp))
      g.kp = I * omega * omega;
    if (is_bounded) {
      const double full = joint.type == FF_JOINT_PRISMATIC ? full_slide : full_turn;
      g.kp = fmin(g.kp, ff_model_motor(model, j, 0, 0, 0).effort / full);
    }
    if (isnan(g.kd))
      g.kd = is_bounded ? 2 * damping_ratio * g.kp / omega : 2 * damping_ratio * sqrt(g.kp * I);
    out[count++] = ff_model_motor(model, j, q[joint.q], g.kp, g.kd);
  }
  return count;
}

int ff_place_motors(const ff_model *model, ff_dynamics *dynamics, const double *q, double kp, double kd,
                    ff_element_def *out)
{
  return place(model, dynamics, q, (gains){kp, kd}, 0, out);
}

int ff_place_bounded_motors(const ff_model *model, ff_dynamics *dynamics, const double *q,
                            ff_element_def *out)
{
  return place(model, dynamics, q, (gains){(double)NAN, (double)NAN}, 1, out);
}
