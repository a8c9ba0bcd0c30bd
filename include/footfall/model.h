/// model.h: a compiled, immutable model of a robot, or of several robots and loose bodies.
///
/// A model is a forest of kinematic trees. ff_builder_finish() or ff_model_load() creates it. It never changes
/// afterwards, lies in one block of memory, and any number of threads can share it.
///
/// **Coordinates.** q and v follow Pinocchio. The order is depth first: roots in alphabetical order of their joints'
/// names, then children in alphabetical order of their joints' names (byte order). In this order each joint has its
/// slice:
///
///     joint        nq  nv  q                             v
///     free          7   6  x y z, qx qy qz qw            linear, angular, both in the body's frame
///     planar        3   3  x y, angle, in the joint      vx vy, rate, in the body's frame
///     spherical     4   3  qx qy qz qw                   angular, in the body's frame
///     revolute      1   1  angle (continuous too)        rate
///     prismatic     1   1  displacement                  rate
///     fixed         0   0
///
/// A planar joint with normal n moves along x' and y' = n x x' of its frame. n = +-x, +-y, +-z give x' = y, z, x. For
/// any other n, x' is the normalised e x n, with e the coordinate axis of n's (first) smallest component.
///
/// **Links, frames, bodies.**
/// - A *link* is a link of the description.
/// - A *body* is a group of links connected by fixed joints. The dynamics works on bodies.
/// - A *frame* is fixed to a body. Every link has a frame, and a model can have more. Frame 0 is "world".
#ifndef FOOTFALL_MODEL_H
#define FOOTFALL_MODEL_H

#include <footfall/element.h>
#include <footfall/shape.h>
#include <footfall/status.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A compiled model. Its creator owns it and calls ff_model_destroy() after destroying everything that uses it.
typedef struct ff_model ff_model;

/// How a link moves relative to its parent; the table above lists the coordinates.
typedef enum ff_joint_type {
  FF_JOINT_FIXED,      ///< no motion: both links are one body
  FF_JOINT_FREE,       ///< all six directions; roots only
  FF_JOINT_PLANAR,     ///< translation in the plane normal to the axis, rotation about the axis
  FF_JOINT_SPHERICAL,  ///< rotation about its origin in every direction
  FF_JOINT_REVOLUTE,   ///< rotation about the axis; the coordinate counts turns
  FF_JOINT_CONTINUOUS, ///< revolute without limits; also one angle
  FF_JOINT_PRISMATIC,  ///< translation along the axis
} ff_joint_type;

/// Name of a joint type: "free", "revolute", ... Never NULL.
const char *ff_joint_type_name(ff_joint_type type);

/// Counts of everything in a model.
typedef struct ff_model_size {
  int nq;        ///< coordinates
  int nv;        ///< velocities
  int joints;    ///< moving joints = moving bodies; without fixed joints
  int actuated;  ///< joints that a motor can drive: all moving joints except free ones
  int links;     ///< links, fixed ones included; without the world
  int frames;    ///< world + links + additional frames
  int shapes;    ///< visual and collision shapes
  int actuators; ///< declared actuators (a URDF declares none)
  int postures;  ///< named postures
  int warnings;  ///< warnings, see ff_model_warning()
  int roots;     ///< moving trees
  int elements;  ///< the model's own springs, stops, loops and welds, see ff_model_element()
  int tendons;   ///< weighted sums of joints' coordinates, see ff_model_tendon()
  int robots;    ///< links that the world carries, each with all that it carries: see ff_link_info.robot
  int pairs;     ///< pairs of shapes that the description lists to collide, see ff_model_pair()
  /// Pairs of links that do not collide, see ff_model_exclusion()
  int exclusions;
} ff_model_size;

/// A moving joint. Strings belong to the model.
typedef struct ff_joint_info {
  const char *name;   ///< name in the description; unique among joints
  ff_joint_type type; ///< never FF_JOINT_FIXED
  int parent;         ///< parent joint, -1: the world
  int link;           ///< link that it moves
  int q;              ///< index of its first coordinate in q
  int nq;             ///< number of coordinates
  int v;              ///< index of its first velocity in v
  int nv;             ///< number of velocities
  double axis[3];     ///< unit vector in the joint's frame; zero for free and spherical joints
  int has_limits;     ///< 1: `lower` and `upper` are limits
  double lower;       ///< [rad] or [m]; -infinity without limits
  double upper;       ///< [rad] or [m]; +infinity without limits
  double effort;      ///< largest force [N m] or [N], +infinity if the description states none
  double velocity;    ///< largest speed [rad/s] or [m/s], +infinity if none is stated; no stepper enforces it
  double damping;     ///< viscous damping [N m s/rad] or [N s/m]
  double friction;    ///< dry friction [N m] or [N]
  double armature;    ///< rotor inertia reflected to the joint [kg m^2] or [kg]
  double stiffness;   ///< of its spring [N m/rad] or [N/m], 0: no spring
  double spring_reference; ///< rest position of the spring [rad] or [m]
} ff_joint_info;

/// A link as described, before fixed links are merged into bodies.
typedef struct ff_link_info {
  const char *name;            ///< unique among links and frames
  int parent;                  ///< parent link, -1: the world
  int joint;                   ///< moving joint whose body it belongs to, -1: the world
  int frame;                   ///< its frame
  ff_joint_type joint_type;    ///< of the joint to its parent link, which may be fixed
  const char *joint_name;      ///< of the joint to its parent link, which may be fixed
  ff_pose pose;                ///< in the parent link's frame at q = 0
  ff_inertia inertia;          ///< of this link alone, in its own frame
  double gravity_compensation; ///< share of its weight that is carried, see ff_link_def
  /// Robot that it belongs to, >= 0. A robot is a link that the world carries, fixed or not, with all that it carries:
  /// a gripper with a fixed palm is one robot. The parts of a cut robot (cut.h) stay one
  int robot;
} ff_link_info;

/// A frame, which moves with a body. ff_dynamics_frame_pose() computes its pose.
typedef struct ff_frame_info {
  const char *name; ///< unique among links and frames
  int joint;        ///< moving joint whose body it is fixed to, -1: the world
  int link;         ///< link it was attached to, -1: the world
} ff_frame_info;

/// A shape. `def` is as given, with its pose in the link's frame; the model owns its strings and vertices.
typedef struct ff_shape_info {
  int link;         ///< link that carries it, -1: the world
  int frame;        ///< frame of that link, 0: the world
  ff_shape_def def; ///< type, sizes, pose, material, colour
} ff_shape_info;

/// An actuator as declared; ff_actuator_type states its law.
typedef struct ff_actuator_info {
  const char *name;        ///< NULL if it has none
  int type;                ///< ff_actuator_type, see builder.h
  int joint;               ///< moving joint that it drives, -1: a tendon or a frame
  double gear;             ///< joint force per motor force, and motor angle per joint angle
  double kp;               ///< position gain, used by FF_ACTUATOR_POSITION only
  double kv;               ///< velocity gain, not used by FF_ACTUATOR_MOTOR
  double control_range[2]; ///< lower and upper bound of the control, infinite if not stated
  double force_range[2];   ///< lower and upper bound of the joint force [N m] or [N], infinite if not stated
  int tendon;              ///< tendon that it drives, -1: a joint or a frame
  int frame;               ///< frame that it pushes, -1: none
  double wrench[6];        ///< on that frame: force [N] and torque [N m] in its axes, per unit of control
} ff_actuator_info;

/// A tendon: position = sum of coefficients[k] times the coordinate of joints[k]. Elements and actuators can act on it;
/// it has no force of its own. Everything belongs to the model.
typedef struct ff_tendon_info {
  const char *name;
  int count;                  ///< joints, >= 1
  const int *joints;          ///< [count] moving joints with one coordinate, increasing
  const double *coefficients; ///< [count] not 0
} ff_tendon_info;

/// Two shapes that the description lists to collide, whatever the other rules of collision.h say.
typedef struct ff_shape_pair {
  int a, b;         ///< shapes, of different bodies; in the model a < b
  double friction;  ///< mu [-], >= 0; -1 (default): combined from the two shapes, as for every pair
  double stiffness; ///< K [N/m], > 0; -1 (default): combined
  double damping;   ///< B [N s/m], >= 0; -1 (default): combined
} ff_shape_pair;

/// Do links collide with the link that carries them, one joint away?
typedef enum ff_parent_rule {
  FF_PARENT_SPARED,   ///< never; a robot's base that is fixed in the world counts as a parent (default, URDF)
  FF_PARENT_FIXED,    ///< only with a parent that is fixed in the world (MJCF)
  FF_PARENT_COLLIDES, ///< always (MJCF with filterparent="disable")
} ff_parent_rule;

void ff_model_destroy(ff_model *model); ///< NULL is fine

/// Name of the model, from its file or its builder; belongs to the model.
const char *ff_model_name(const ff_model *model);
ff_model_size ff_model_get_size(const ff_model *model);          ///< counts, for sizing arrays
double ff_model_mass(const ff_model *model);                     ///< total mass of all moving bodies [kg]
void ff_model_gravity(const ff_model *model, double gravity[3]); ///< world axes [m/s^2]

/// A moving joint, in the order of q. This and the following four functions return FF_ERROR_ARGUMENT for an index out
/// of range and for NULL.
ff_status ff_model_joint(const ff_model *model, int joint, ff_joint_info *out);
/// A link, fixed ones included.
ff_status ff_model_link(const ff_model *model, int link, ff_link_info *out);
/// A frame; 0 is the world.
ff_status ff_model_frame(const ff_model *model, int frame, ff_frame_info *out);
/// A shape, visual or for collision; see def.purpose.
ff_status ff_model_shape(const ff_model *model, int shape, ff_shape_info *out);
/// An actuator, in the order of the file.
ff_status ff_model_actuator(const ff_model *model, int actuator, ff_actuator_info *out);

/// One of the model's own elements, without those that a sim makes of joints and actuators (see element.h). Its joint
/// and frames are indices of this model, so it can be listed in ff_sim_def.elements.
ff_status ff_model_element(const ff_model *model, int element, ff_element_def *out);

/// A tendon, in the order in which they were added.
ff_status ff_model_tendon(const ff_model *model, int tendon, ff_tendon_info *out);

/// Two links that do not collide, -1: the world. Sorted, links[0] <= links[1], each pair once.
ff_status ff_model_exclusion(const ff_model *model, int exclusion, int links[2]);

/// A listed pair of shapes, sorted by a, then b.
ff_status ff_model_pair(const ff_model *model, int pair, ff_shape_pair *out);

/// Which parents collide; FF_PARENT_SPARED for NULL.
ff_parent_rule ff_model_parent_rule(const ff_model *model);

/// Index of the moving joint of that name; -1 if there is none or it is fixed.
int ff_model_find_joint(const ff_model *model, const char *name);
int ff_model_find_link(const ff_model *model, const char *name); ///< index of the link; -1 if there is none
/// Index of the frame, those of links included; -1 if there is none.
int ff_model_find_frame(const ff_model *model, const char *name);
/// Index for ff_model_posture(); -1 if there is none. ff_model_posture() returns NULL for -1.
int ff_model_find_posture(const ff_model *model, const char *name);
/// Index of one of the model's own elements; -1 if there is none.
int ff_model_find_element(const ff_model *model, const char *name);
/// Index of a tendon; -1 if there is none.
int ff_model_find_tendon(const ff_model *model, const char *name);

/// What drives a joint.
typedef enum ff_drive {
  /// Nothing: the joint has several coordinates, an effort limit of 0 or a spring of its own, follows another joint, or
  /// it has no actuator while the model declares some
  FF_DRIVE_NONE,
  FF_DRIVE_MOTOR, ///< torques, or a motor that the user of the model adds
  FF_DRIVE_SERVO, ///< a servo or a PD element of the model
} ff_drive;

/// What drives a joint according to the model; FF_DRIVE_NONE for an index out of range.
ff_drive ff_model_drive(const ff_model *model, int joint);

/// A motor that pulls a joint of one coordinate to `reference` [rad, m] with the gains kp [N m/rad, N/m] and kd [N m
/// s/rad, N s/m], for ff_sim_def.elements. Its effort is the smaller of the joint's effort limit and what the force and
/// control ranges of the joint's motors allow. Its name is the joint's.
ff_element_def ff_model_motor(const ff_model *model, int joint, double reference, double kp, double kd);

/// The base of the robot: the only floating joint that carries other joints, or else the only floating joint; -1 if
/// there is none or several. `count`, unless NULL, returns the number of floating joints.
int ff_model_base(const ff_model *model, int *count);

/// 1 if the model has its own ground: a collision shape that does not move.
int ff_model_has_ground(const ff_model *model);

/// Get the material that all moving collision shapes share, the default if there are no such shapes. Returns 0 if
/// they differ.
int ff_model_common_material(const ff_model *model, ff_material *out);

/// A warning about the description, one sentence; NULL if out of range.
const char *ff_model_warning(const ff_model *model, int warning);

/// Configuration q [nq] of a posture; belongs to the model. NULL if out of range.
const double *ff_model_posture(const ff_model *model, int posture);
/// Name of a posture; NULL if out of range.
const char *ff_model_posture_name(const ff_model *model, int posture);

/// The neutral configuration: every joint at zero, unit quaternions; a free joint at the pose of its description.
void ff_model_neutral(const ff_model *model, double *q);

/// q_out = q (+) dv: move with the constant body velocity dv [nv] for one unit of time. q_out may be q. Quaternions
/// in q need not have unit length; those in q_out have.
void ff_model_integrate(const ff_model *model, const double *q, const double *dv, double *q_out);

/// dv = q1 (-) q0: the shortest velocity that leads from q0 to q1 in one unit of time. Quaternions q and -q are
/// equal, and so are angles of a planar joint that differ by a full turn; revolute joints count their turns.
void ff_model_difference(const ff_model *model, const double *q0, const double *q1, double *dv);

/// Derivatives of ff_model_integrate() in tangent spaces, [nv x nv] row-major each; NULL to skip: dq = d(q (+) dv)/dq
/// and ddv = d(q (+) dv)/d(dv).
void ff_model_integrate_jacobians(const ff_model *model, const double *q, const double *dv, double *dq,
                                  double *ddv);

/// Derivatives of ff_model_difference() in tangent spaces, [nv x nv] row-major each; NULL to skip.
void ff_model_difference_jacobians(const ff_model *model, const double *q0, const double *q1, double *dq0,
                                   double *dq1);

/// Set the coordinates of joints that follow others (FF_ELEMENT_COUPLING) to what their leaders want. If couplings in a
/// circle contradict each other, q stays as it is.
void ff_model_place_followers(const ff_model *model, double *q);

/// Normalise the quaternions in q; a quaternion of zero length becomes the identity.
void ff_model_normalize(const ff_model *model, double *q);

// ---- As bytes -----------------------------------------------------------------------------------------------------

/// Write a model to bytes, for other processes and for messages between machines. The caller releases them with free().
/// They are for the same version of the library on the same kind of processor; to keep a robot for years, keep its
/// file, or write one with save.h.
ff_status ff_model_pack(const ff_model *model, void **bytes, size_t *size, ff_error *error);

/// Make a model of bytes: the same to the bit, and so are all results. FF_ERROR_PARSE if they are damaged or are no
/// model, FF_ERROR_UNSUPPORTED if another version or another kind of machine packed them. A checksum finds damage by
/// chance; do not unpack what an enemy sends.
ff_status ff_model_unpack(const void *bytes, size_t size, ff_model **out, ff_error *error);

#ifdef __cplusplus
}
#endif
#endif
