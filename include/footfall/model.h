/// model.h: a robot, or a whole scene of robots and loose bodies, compiled and immutable.
///
/// A model is a forest of kinematic trees. It never changes after it is made, lives in one block of memory, and may be
/// shared by any number of threads. It comes from ff_builder_finish() or ff_model_load().
///
/// **Coordinates.** q and v follow Pinocchio. Roots in alphabetical order of their joint's name, then depth
/// first, siblings in alphabetical order of the joint's name (byte order); within that order each joint has its slice:
///
///     joint        nq  nv  q                             v
///     free          7   6  x y z, qx qy qz qw            linear, angular, both in the body's frame
///     planar        3   3  x y, angle, in the joint      vx vy, rate, in the body's frame
///     spherical     4   3  qx qy qz qw                   angular, in the body's frame
///     revolute      1   1  angle (continuous too)        rate
///     prismatic     1   1  displacement                  rate
///     fixed         0   0
///
/// A planar joint with normal n moves along x' and y' = n x x' of its frame: n = +-x, +-y, +-z give x' = y, z, x;
/// any other gives x' = e x n, made a unit vector, with e the coordinate axis of n's (first) smallest component.
///
/// **Links, frames, bodies.** A *link* is what the user named. Links joined by fixed joints move as one
/// *body*, which is what the dynamics sees. Every link is also a *frame*, and there can be more frames. Frame 0 is "world".
#ifndef FOOTFALL_MODEL_H
#define FOOTFALL_MODEL_H

#include <footfall/element.h>
#include <footfall/shape.h>
#include <footfall/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A compiled model. Who made it owns it: ff_model_destroy(), after everything that uses it.
typedef struct ff_model ff_model;

/// How a link moves in its parent; the table above has the coordinates.
typedef enum ff_joint_type {
  FF_JOINT_FIXED,      ///< not at all: both are one body
  FF_JOINT_FREE,       ///< in all six directions; roots only
  FF_JOINT_PLANAR,     ///< in the plane normal to the axis, and about the axis
  FF_JOINT_SPHERICAL,  ///< about its origin, in every direction
  FF_JOINT_REVOLUTE,   ///< about the axis; a coordinate counts its turns
  FF_JOINT_CONTINUOUS, ///< revolute without limits; also one angle
  FF_JOINT_PRISMATIC,  ///< along the axis
} ff_joint_type;

/// "free", "revolute", ... Never NULL.
const char *ff_joint_type_name(ff_joint_type type);

/// How much of everything there is.
typedef struct ff_model_size {
  int nq;        ///< coordinates
  int nv;        ///< velocities
  int joints;    ///< moving joints = moving bodies; fixed joints are not counted
  int actuated;  ///< joints that a motor can drive: all moving ones except free
  int links;     ///< links, fixed ones too; without the world
  int frames;    ///< world + links + extra frames
  int shapes;    ///< visual and collision
  int actuators; ///< declared actuators (an URDF declares none)
  int postures;  ///< named postures
  int warnings;  ///< see ff_model_warning()
  int roots;     ///< moving trees
  int elements;  ///< springs, stops, loops and welds of its own, see ff_model_element()
} ff_model_size;

/// A moving joint. Strings belong to the model.
typedef struct ff_joint_info {
  const char *name;   ///< as described; unique among joints
  ff_joint_type type; ///< never FF_JOINT_FIXED
  int parent;         ///< joint that carries it, -1: the world
  int link;           ///< link it moves
  int q;              ///< its first coordinate, an index of q
  int nq;             ///< how many coordinates it has
  int v;              ///< its first velocity, an index of v
  int nv;             ///< how many velocities it has
  double axis[3];     ///< unit, in the joint's frame; zero for free and spherical
  int has_limits;     ///< 1: `lower` and `upper` are limits
  double lower;       ///< [rad] or [m]; without limits -infinity
  double upper;       ///< [rad] or [m]; without limits +infinity
  double effort;      ///< largest force [N m] or [N], +infinity: none is stated
  double velocity;    ///< largest speed [rad/s] or [m/s], +infinity: none is stated; no stepper enforces it
  double damping;     ///< viscous [N m s/rad] or [N s/m]
  double friction;    ///< dry friction [N m] or [N]
  double armature;    ///< rotor's inertia as the joint feels it [kg m^2] or [kg]
  double stiffness;   ///< of its spring [N m/rad] or [N/m], 0: it has none
  double spring_reference; ///< where the spring is at rest [rad] or [m]
} ff_joint_info;

/// A link as it was described, before fixed links were merged.
typedef struct ff_link_info {
  const char *name;         ///< unique among links and frames
  int parent;               ///< link, -1: the world
  int joint;                ///< moving joint whose body it belongs to, -1: the world
  int frame;                ///< its frame
  ff_joint_type joint_type; ///< of the joint to its parent link, fixed ones too
  const char *joint_name;   ///< of the joint to its parent link, fixed ones too
  ff_pose pose;             ///< in the parent link's frame at q = 0
  ff_inertia inertia;       ///< its own, in its own frame
} ff_link_info;

/// A frame, which moves with a body. Where it is: ff_dynamics_frame_pose().
typedef struct ff_frame_info {
  const char *name; ///< unique among links and frames
  int joint;        ///< moving joint whose body it is fixed to, -1: the world
  int link;         ///< link it was attached to, -1: the world
} ff_frame_info;

/// A shape; `def` is as given (pose in the link's frame) with strings and vertices owned by the model.
typedef struct ff_shape_info {
  int link;         ///< -1: the world
  int frame;        ///< of that link, 0: the world
  ff_shape_def def; ///< type, sizes, place, material, colour
} ff_shape_info;

/// An actuator as declared; ff_actuator_type has its law.
typedef struct ff_actuator_info {
  const char *name;        ///< NULL if it has none
  int type;                ///< ff_actuator_type, see builder.h
  int joint;               ///< moving joint that it drives
  double gear;             ///< joint force per motor force, and motor angle per joint angle
  double kp;               ///< gain on the position, used by FF_ACTUATOR_POSITION alone
  double kv;               ///< gain on the velocity, not used by FF_ACTUATOR_MOTOR
  double control_range[2]; ///< least and most control, infinite if not stated
  double force_range[2];   ///< least and most joint force [N m] or [N], infinite if not stated
} ff_actuator_info;

void ff_model_destroy(ff_model *model); ///< NULL is fine

/// As its file or its builder named it; belongs to the model
const char *ff_model_name(const ff_model *model);
ff_model_size ff_model_get_size(const ff_model *model);          ///< counts, which arrays are to be sized by
double ff_model_mass(const ff_model *model);                     ///< of everything that moves [kg]
void ff_model_gravity(const ff_model *model, double gravity[3]); ///< world axes [m/s^2]

/// A moving joint, in the order of q. Here and in the four below ids out of range and NULL give FF_ERROR_ARGUMENT.
ff_status ff_model_joint(const ff_model *model, int joint, ff_joint_info *out);
/// A link, those that are fixed to others too.
ff_status ff_model_link(const ff_model *model, int link, ff_link_info *out);
/// A frame; 0 is the world.
ff_status ff_model_frame(const ff_model *model, int frame, ff_frame_info *out);
/// A shape, visual ones too: look at def.purpose.
ff_status ff_model_shape(const ff_model *model, int shape, ff_shape_info *out);
/// An actuator, in the order of the file.
ff_status ff_model_actuator(const ff_model *model, int actuator, ff_actuator_info *out);

/// An element as a sim takes it, beside what joints and actuators bring (see element.h): joint and frames are the
/// model's, so it may as well be listed in ff_sim_def.elements.
ff_status ff_model_element(const ff_model *model, int element, ff_element_def *out);

/// Index of the moving joint of that name; -1 if there is none, or it is fixed
int ff_model_find_joint(const ff_model *model, const char *name);
int ff_model_find_link(const ff_model *model, const char *name); ///< index of the link; -1 if there is none
/// Index of the frame, every link's own too; -1 if there is none
int ff_model_find_frame(const ff_model *model, const char *name);
/// Index for ff_model_posture(), which takes -1 and gives NULL
int ff_model_find_posture(const ff_model *model, const char *name);
/// Index of an element of the model's own; -1 if there is none
int ff_model_find_element(const ff_model *model, const char *name);

/// Who drives a joint.
typedef enum ff_drive {
  FF_DRIVE_NONE, ///< nobody: not of one coordinate, an effort limit of 0, a spring of its own, or no actuator in a model that declares some
  FF_DRIVE_MOTOR, ///< torques, or a motor that whoever runs the model adds
  FF_DRIVE_SERVO, ///< a servo or a PD element of the model
} ff_drive;

/// Who drives a joint, from what the model says of it; FF_DRIVE_NONE for a joint that is not there.
ff_drive ff_model_drive(const ff_model *model, int joint);

/// A motor that pulls a joint of one coordinate to `reference` [rad, m] with kp [N m/rad, N/m] and kd [N m s/rad, N s/m], within the joint's effort limit and the force ranges of its motors, the tighter of both;
/// for ff_sim_def.elements. Its name is the joint's.
ff_element_def ff_model_motor(const ff_model *model, int joint, double reference, double kp, double kd);

/// The joint that floats, if it is the only one; else -1. `count`, unless NULL: how many do.
int ff_model_base(const ff_model *model, int *count);

/// Does it bring its own ground: a collision shape that does not move?
int ff_model_has_ground(const ff_model *model);

/// The material that all moving collision shapes share, the default if there are none; 0 if they differ.
int ff_model_common_material(const ff_model *model, ff_material *out);

/// What was odd about the description, one sentence each; NULL if out of range.
const char *ff_model_warning(const ff_model *model, int warning);

/// q [nq] of a posture, which belongs to the model; NULL if out of range.
const double *ff_model_posture(const ff_model *model, int posture);
/// What it is called; NULL if out of range.
const char *ff_model_posture_name(const ff_model *model, int posture);

/// The configuration with every joint at zero and unit quaternions; a free joint is at the pose it was
/// described with.
void ff_model_neutral(const ff_model *model, double *q);

/// q_out = q (+) dv: move along the constant body velocity dv [nv] for one unit of time. q_out may be q.
/// Only the direction of a quaternion in q counts; those in q_out are of unit length.
void ff_model_integrate(const ff_model *model, const double *q, const double *dv, double *q_out);

/// dv = q1 (-) q0: the velocity that leads from q0 to q1 in one unit of time; the shortest one.
/// q and -q of a quaternion, and angles of a planar joint a whole turn apart, are the same place; revolute joints count
/// their turns.
void ff_model_difference(const ff_model *model, const double *q0, const double *q1, double *dv);

/// Derivatives of integrate in tangent spaces, [nv x nv] row-major each; NULL to skip:
/// d(q (+) dv)/dq and d(q (+) dv)/d(dv).
void ff_model_integrate_jacobians(const ff_model *model, const double *q, const double *dv, double *dq,
                                  double *ddv);

/// Derivatives of difference in tangent spaces, [nv x nv] row-major each; NULL to skip.
void ff_model_difference_jacobians(const ff_model *model, const double *q0, const double *q1, double *dq0,
                                   double *dq1);

/// Bring quaternions back to unit length; a quaternion of zero length becomes the identity.
void ff_model_normalize(const ff_model *model, double *q);

#ifdef __cplusplus
}
#endif
#endif
