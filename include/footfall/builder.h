/// builder.h: describe a robot in C, without any file.
///
/// A builder collects links, each with the joint to its parent. ff_builder_finish() checks the description and
/// compiles it into an immutable ff_model. The file readers use only this header.
///
///     ff_builder *b;
///     ff_builder_create("pendulum", &b, &error);
///     ff_link_def rod = ff_link_def_default();
///     rod.name = "rod";
///     rod.joint.name = "hinge";
///     rod.joint.type = FF_JOINT_REVOLUTE;
///     rod.joint.axis[1] = 1;
///     rod.inertia.mass = 1;
///     rod.inertia.com[2] = -0.5;
///     int rod_id;
///     ff_builder_add_link(b, &rod, &rod_id, &error);
///     ff_model *model;
///     ff_builder_finish(b, &model, &error);
///     ff_builder_destroy(b);
///
/// - A failed call leaves the builder unchanged.
/// - Ids count from 0 in the order of the calls and are valid for the builder only. The model sorts joints by its own
///   rule (see model.h) and finds things by name.
/// - A builder copies everything that it is given. Use it from one thread at a time.
#ifndef FOOTFALL_BUILDER_H
#define FOOTFALL_BUILDER_H

#include <footfall/model.h>
#include <footfall/shape.h>
#include <footfall/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A description under construction. The caller owns it: ff_builder_create(), ff_builder_destroy().
typedef struct ff_builder ff_builder;

/// The parent of a root, and the link of shapes and frames that do not move.
#define FF_WORLD (-1)

/// The joint between a link and its parent. Start from ff_joint_def_default().
typedef struct ff_joint_def {
  const char *name;   ///< unique among joints; NULL: the link's name
  ff_joint_type type; ///< default FF_JOINT_FIXED
  /// The joint's frame in the parent link's frame, default identity. The link's frame coincides with it at q = 0.
  /// Free joints: the body's pose in ff_model_neutral(); their q is the pose in the world.
  ff_pose pose;
  /// Revolute, continuous, prismatic: direction; planar: normal of the plane. In the joint's frame, of any length but
  /// 0, default 0 0 0, which these joints refuse
  double axis[3];
  /// Default 0. Joints with several coordinates and continuous joints cannot have limits: they are dropped with a
  /// warning.
  int has_limits;
  double lower;    ///< [rad] or [m], at most `upper`
  double upper;    ///< [rad] or [m]
  double effort;   ///< largest force [N m] or [N], default +infinity
  double velocity; ///< largest speed [rad/s] or [m/s], default +infinity
  double damping;  ///< viscous, for every coordinate [N m s/rad] or [N s/m], >= 0, default 0
  double friction; ///< dry friction (friction loss) [N m] or [N], >= 0, default 0
  double armature; ///< reflected rotor inertia [kg m^2] or [kg], >= 0, default 0
  /// Of a spring towards `spring_reference` [N m/rad] or [N/m], >= 0, default 0. A sim makes an element of it; the
  /// rigid-body dynamics (dynamics.h) does not contain it.
  double stiffness;
  double spring_reference; ///< rest position of the spring [rad] or [m], default 0
} ff_joint_def;

/// A fixed joint at the parent's origin, without limits, damping, friction or spring.
ff_joint_def ff_joint_def_default(void);

/// One link. Start from ff_link_def_default().
typedef struct ff_link_def {
  const char *name;   ///< unique among links and frames, not empty
  int parent;         ///< id of a link added before, or FF_WORLD (default)
  ff_joint_def joint; ///< joint to its parent
  ff_inertia inertia; ///< default zero: a massless link, allowed if something with mass moves with it
  /// Share of its weight that a force at its centre of mass carries; 0 (default): none, 1: it floats
  double gravity_compensation;
} ff_link_def;

/// A massless link fixed to the world. The caller must set its name.
ff_link_def ff_link_def_default(void);

/// Law of an actuator. q and v are the joint's [rad, rad/s] or [m, m/s], forces are in [N m] or [N].
typedef enum ff_actuator_type {
  FF_ACTUATOR_MOTOR,    ///< joint force = gear * control
  FF_ACTUATOR_POSITION, ///< joint force = gear * (kp * (control - gear * q) - kv * gear * v)
  FF_ACTUATOR_VELOCITY, ///< joint force = gear * kv * (control - gear * v)
} ff_actuator_type;

/// A motor or servo that drives one joint or tendon, or a motor that pushes a frame, such as a rotor. Start from
/// ff_actuator_def_default().
typedef struct ff_actuator_def {
  const char *name;      ///< may be NULL
  ff_actuator_type type; ///< default FF_ACTUATOR_MOTOR
  int link;    ///< id of the link whose joint it drives; the joint has one coordinate. Unused with a tendon
  double gear; ///< default 1
  double kp;   ///< position gain of FF_ACTUATOR_POSITION, >= 0, default 0
  double kv;   ///< velocity gain, >= 0, default 0
  double control_range[2]; ///< default -infinity, +infinity
  double force_range[2];   ///< of the joint force [N m] or [N], default -infinity, +infinity
  int tendon;              ///< id of a tendon that it drives in place of a joint, default -1
  /// Link or frame that it pushes in place of a joint, default NULL. Only FF_ACTUATOR_MOTOR; gear and force_range are
  /// not used
  const char *frame;
  /// With a frame: the force [N] at its origin, then the torque [N m], in its axes, per unit of control; default 0
  double wrench[6];
} ff_actuator_def;

/// A motor of gear 1 without ranges. The caller must set its link.
ff_actuator_def ff_actuator_def_default(void);

/// Limits of a model, far above any robot. They keep a hostile file from exhausting memory.
enum {
  FF_MAX_LINKS = 100000,                ///< links; also frames, shapes, actuators, tendons and elements, each
  FF_MAX_DEPTH = 10000,                 ///< links on the path from the world to a link
  FF_MAX_NAME = 1024,                   ///< bytes of a name
  FF_MAX_TENDON_JOINTS = 1000,          ///< joints of a tendon
  FF_MAX_POSTURE_COORDINATES = 1000000, ///< coordinates of all postures together, nq for each
  FF_MAX_EXCLUSIONS = 1000000,          ///< pairs of links that do not collide; also listed pairs of shapes
};

/// Create an empty description. ff_model_name() will return model_name, which is copied.
ff_status ff_builder_create(const char *model_name, ff_builder **out, ff_error *error);
void ff_builder_destroy(ff_builder *builder); ///< NULL is fine

/// Add a link and the joint to its parent. `id` (may be NULL) returns its id for later calls. FF_ERROR_MODEL names
/// the invalid value: a name already taken, an axis of zero length, a lower limit above the upper; FF_ERROR_LIMIT:
/// too many links.
ff_status ff_builder_add_link(ff_builder *builder, const ff_link_def *def, int *id, ff_error *error);

/// Add a named frame fixed in a link (FF_WORLD: in the world).
ff_status ff_builder_add_frame(ff_builder *builder, int link, const char *name, const ff_pose *pose,
                               ff_error *error);

/// Add a shape to a link (FF_WORLD: fixed in the world, such as the ground).
ff_status ff_builder_add_shape(ff_builder *builder, int link, const ff_shape_def *def, ff_error *error);

/// Add a motor or servo to the joint of a link, which must have one coordinate, to a tendon or to a frame. A link may
/// have several. A frame must be added before.
ff_status ff_builder_add_actuator(ff_builder *builder, const ff_actuator_def *def, ff_error *error);

/// Add a tendon: position = sum of coefficients[k] times the coordinate of the joint of links[k]. Each joint has one
/// coordinate and is named once; coefficients are finite and not 0. `id` (may be NULL) returns its id.
ff_status ff_builder_add_tendon(ff_builder *builder, const char *name, int count, const int *links,
                                const double *coefficients, int *id, ff_error *error);

/// Add a spring, stop, loop or weld that every sim of the model has, see element.h. Joints and frames have no indices
/// yet, so `on` and `to` name them; def->joint, def->leader, def->a.frame and def->b.frame are ignored. def->tendon and
/// def->leader_tendon are ids of tendons, and then the name is NULL:
///
///     joint elements   `on` is the joint, `to` is NULL. A limit with infinite lower and upper takes the joint's limits
///     coupling         `on` is the follower, `to` the leader; both NULL with tendons, `to` NULL: no leader
///     point, weld      `on` is the link or frame of a, `to` that of b; NULL or "world" is the world
///
/// Joints, links and frames must be added before the element. A weld keeps the axes of two frames aligned; for any
/// other orientation, add a frame first. def->name is unique among elements, or NULL.
ff_status ff_builder_add_element(ff_builder *builder, const ff_element_def *def, const char *on,
                                 const char *to, ff_error *error);

/// The shapes of two links never collide; FF_WORLD: those fixed in the world itself. A link and itself is allowed and
/// changes nothing. A pair that was excluded before is excluded once. collision.h
ff_status ff_builder_exclude(ff_builder *builder, int link_a, int link_b, ff_error *error);

/// No particular friction, stiffness or damping. The caller must set the shapes.
ff_shape_pair ff_shape_pair_default(void);

/// Two shapes collide, whatever bits, exclusions, parents and self_collision say. Shapes count from 0 in the order of
/// ff_builder_add_shape(). Listing a pair again replaces it. Shapes of one body never collide, even if listed.
ff_status ff_builder_add_pair(ff_builder *builder, const ff_shape_pair *pair, ff_error *error);

/// Set which parents collide, default FF_PARENT_SPARED.
ff_status ff_builder_set_parent_rule(ff_builder *builder, ff_parent_rule rule, ff_error *error);

/// Set the coordinates q [count] of one link's joint in a named posture; count is that joint's nq. Joints that a
/// posture does not mention are as in ff_model_neutral(). A later call replaces an earlier one.
ff_status ff_builder_set_posture(ff_builder *builder, const char *posture, int link, const double *q,
                                 int count, ff_error *error);

/// Set gravity [m/s^2], default 0 0 -9.81.
ff_status ff_builder_set_gravity(ff_builder *builder, const double gravity[3], ff_error *error);

/// Add a warning for the user; the model keeps it, see ff_model_warning().
ff_status ff_builder_add_warning(ff_builder *builder, const char *text, ff_error *error);

/// Set the source of what is added next, for error messages and warnings; file NULL: no file.
void ff_builder_set_source(ff_builder *builder, const char *file, int line);

/// Give the links of moving joints that move no mass, which ff_builder_finish() refuses, the least inertia: 1 g in a
/// ball of 5 cm about the link's origin, 1e-6 kg m^2 about each axis. Adds one warning with the joints, at the line of
/// the first. `count` (may be NULL) returns how many. Call it when all links are added.
ff_status ff_builder_fill_massless(ff_builder *builder, int *count, ff_error *error);

/// Check the description and compile it. The builder stays unchanged and can be extended further.
///
/// Refused are:
/// - a description without links, or above the limits;
/// - a moving joint that moves no inertia along one of its directions, so that its acceleration would be undefined.
///   All its descendants are massless, or other joints let them stay behind: a massless floating base that carries
///   everything by a hinge, for example.
///
/// A negative principal moment of inertia, or one that violates the triangle inequality, gives a warning with the
/// numbers, see ff_model_warning(). A negative moment that leaves a joint without inertia is refused.
ff_status ff_builder_finish(const ff_builder *builder, ff_model **out, ff_error *error);

#ifdef __cplusplus
}
#endif
#endif
