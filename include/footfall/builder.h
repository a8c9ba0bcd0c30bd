/// builder.h: describe a robot in C, without any file.
///
/// A builder collects links, and with each link the joint that carries it; ff_builder_finish() checks the
/// whole and compiles it into an immutable ff_model. Readers of files use nothing but this header.
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
/// A failed call leaves the builder as it was before. Ids count from 0 in the order of the calls, and are
/// the builder's own: the model orders joints by its rule (see model.h) and finds things by name.
/// A builder belongs to one thread. It copies all it is given.
#ifndef FOOTFALL_BUILDER_H
#define FOOTFALL_BUILDER_H

#include <footfall/model.h>
#include <footfall/shape.h>
#include <footfall/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A description that grows link by link. The caller owns it: ff_builder_create(), ff_builder_destroy().
typedef struct ff_builder ff_builder;

/// The parent of a root, and the link of things that do not move.
#define FF_WORLD (-1)

/// The joint between a link and its parent. Start from ff_joint_def_default().
typedef struct ff_joint_def {
  const char *name;   ///< unique among joints; NULL: the link's name is used
  ff_joint_type type; ///< default FF_JOINT_FIXED
  ff_pose pose;       ///< the joint's frame in the parent link's frame; the link's own frame coincides
                      ///< with it at q = 0. Free joints: where the body is in ff_model_neutral(), q being
                      ///< its pose in the world. Default identity
  double axis[3];     ///< revolute, continuous, prismatic: direction; planar: normal of the plane.
                      ///< In the joint's frame, need not be of unit length. Default 0 0 0, which
                      ///< these joints refuse
  int has_limits;     ///< default 0; on joints that cannot have them (those with more than one coordinate,
                      ///< continuous ones) they are dropped with a warning
  double lower;       ///< [rad] or [m], at most `upper`
  double upper;       ///< [rad] or [m]
  double effort;      ///< largest force [N m] or [N], default +infinity
  double velocity;    ///< largest speed [rad/s] or [m/s], default +infinity
  double damping;     ///< viscous [N m s/rad] or [N s/m], >= 0, default 0, every coordinate of the joint
  double friction;    ///< dry friction (friction loss) [N m] or [N], >= 0, default 0
  double armature;    ///< reflected rotor inertia [kg m^2] or [kg], >= 0, default 0
  double stiffness;   ///< spring towards `spring_reference` [N m/rad] or [N/m], >= 0, default 0; kept for
                      ///< the contact and element layer, not part of the rigid-body dynamics
  double spring_reference; ///< [rad] or [m], default 0
} ff_joint_def;

/// A fixed joint at the parent's origin, without limits, damping, friction or spring.
ff_joint_def ff_joint_def_default(void);

/// One link. Start from ff_link_def_default().
typedef struct ff_link_def {
  const char *name;   ///< unique among links and frames, not empty
  int parent;         ///< id of a link added before, or FF_WORLD (default)
  ff_joint_def joint; ///< how it moves in its parent
  ff_inertia inertia; ///< default zero: a massless link, allowed where something heavy moves with it
} ff_link_def;

/// A massless link fixed to the world, still without a name, which it needs.
ff_link_def ff_link_def_default(void);

/// What an actuator's control means. q and v are the joint's [rad, rad/s] or [m, m/s], forces [N m] or [N].
typedef enum ff_actuator_type {
  FF_ACTUATOR_MOTOR,    ///< joint force = gear * control
  FF_ACTUATOR_POSITION, ///< joint force = gear * (kp * (control - gear * q) - kv * gear * v)
  FF_ACTUATOR_VELOCITY, ///< joint force = gear * kv * (control - gear * v)
} ff_actuator_type;

/// A motor or servo that drives one joint. Start from ff_actuator_def_default().
typedef struct ff_actuator_def {
  const char *name;        ///< may be NULL
  ff_actuator_type type;   ///< default FF_ACTUATOR_MOTOR
  int link;                ///< id of the link whose joint is driven; a joint with one coordinate
  double gear;             ///< default 1
  double kp;               ///< gain on the position, as FF_ACTUATOR_POSITION uses it, >= 0, default 0
  double kv;               ///< gain on the velocity, >= 0, default 0
  double control_range[2]; ///< default -infinity, +infinity
  double force_range[2];   ///< of the joint force [N m] or [N], default -infinity, +infinity
} ff_actuator_def;

/// A motor of gear 1 without ranges; its link is still to be given.
ff_actuator_def ff_actuator_def_default(void);

/// Limits of a model, far above any robot: they keep a hostile file from exhausting memory.
enum {
  FF_MAX_LINKS = 100000,                ///< links, and as many frames, shapes, actuators and elements
  FF_MAX_DEPTH = 10000,                 ///< links on the way from the world to one
  FF_MAX_NAME = 1024,                   ///< bytes of a name
  FF_MAX_POSTURE_COORDINATES = 1000000, ///< of all postures together, each of which has all nq
};

/// An empty description. model_name is what ff_model_name() will say; copied.
ff_status ff_builder_create(const char *model_name, ff_builder **out, ff_error *error);
void ff_builder_destroy(ff_builder *builder); ///< NULL is fine

/// A link and the joint that carries it. `id` (may be NULL) is how later calls name it. FF_ERROR_MODEL says which number makes no sense: a name that is
/// taken, an axis of zero length, limits the wrong way round; FF_ERROR_LIMIT: too many.
ff_status ff_builder_add_link(ff_builder *builder, const ff_link_def *def, int *id, ff_error *error);

/// A named frame fixed in a link (FF_WORLD: in the world).
ff_status ff_builder_add_frame(ff_builder *builder, int link, const char *name, const ff_pose *pose,
                               ff_error *error);

/// A shape carried by a link (FF_WORLD: fixed in the world, such as the ground).
ff_status ff_builder_add_shape(ff_builder *builder, int link, const ff_shape_def *def, ff_error *error);

/// A motor or servo on the joint of a link, which must have one coordinate; one link may have several.
ff_status ff_builder_add_actuator(ff_builder *builder, const ff_actuator_def *def, ff_error *error);

/// A spring, stop, loop or weld that every sim of the model has, see element.h. Joints and frames have no numbers yet, so they are
/// given by name and def->joint, def->a.frame and def->b.frame are not looked at:
///
///     joint elements   `on` is the joint, `to` is NULL. A limit whose lower and upper are both infinite has the joint's own
///     point, weld      `on` is the link or frame of a, `to` that of b; NULL or "world" is the world
///
/// What is named must have been added before. A weld holds the axes of two frames together: for any other orientation, add a
/// frame first. def->name is unique among elements, or NULL.
ff_status ff_builder_add_element(ff_builder *builder, const ff_element_def *def, const char *on,
                                 const char *to, ff_error *error);

/// Part of a named posture: the coordinates of one link's joint [count of that joint's q]. Joints that a
/// posture does not mention are where ff_model_neutral() has them; what is set last counts.
ff_status ff_builder_set_posture(ff_builder *builder, const char *posture, int link, const double *q,
                                 int count, ff_error *error);

/// Gravity [m/s^2], default 0 0 -9.81.
ff_status ff_builder_set_gravity(ff_builder *builder, const double gravity[3], ff_error *error);

/// Something a reader wants the user to know: kept in the model, see ff_model_warning().
ff_status ff_builder_add_warning(ff_builder *builder, const char *text, ff_error *error);

/// Where what is added next comes from, for error messages and warnings; file NULL: from no file.
void ff_builder_set_source(ff_builder *builder, const char *file, int line);

/// Check everything and compile. The builder is unchanged and can go on.
/// Refused: no link at all; more than the limits; a moving joint without inertia of its own along one of its
/// directions, because all that hangs on it is massless or is left free to stay behind by other joints (such as a
/// massless floating base that carries everything by a hinge): its acceleration would be undefined.
/// Suspicious inertias (a negative principal moment, or one that breaks the triangle inequality) are warnings
/// with their numbers, see ff_model_warning(); a negative one that leaves a joint without inertia is refused.
ff_status ff_builder_finish(const ff_builder *builder, ff_model **out, ff_error *error);

#ifdef __cplusplus
}
#endif
#endif
