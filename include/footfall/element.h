/// element.h: springs, motors, joint stops, welds and loop joints between two frames: every force that is not a
/// contact.
///
/// A compliant element has Jacobian rows J, a stiffness K, a damping B, a reference and a set of admissible forces:
///
///     force = clip( -K (J-position - reference) - B (J v - reference velocity) )
///
/// The steppers treat these rows like contacts. So `expo` integrates a stiff motor gain, a stop and the ground in one
/// exact step.
///
///     FF_ELEMENT_JOINT_PD        1 row   a joint's motor: two-sided, saturates at `effort`
///     FF_ELEMENT_JOINT_LIMIT     1 row   a joint's stop: pushes back below `lower` and above `upper`, never pulls
///     FF_ELEMENT_JOINT_FRICTION  1 row   dry friction: holds with at most `effort`, slides against it
///     FF_ELEMENT_COUPLING        1 row   a joint follows another one: position = polynomial of the leader's
///     FF_ELEMENT_POINT           3 rows  a point of one frame on a point of another, or of the world
///     FF_ELEMENT_WELD            6 rows  point, and the orientations aligned
///     FF_ELEMENT_HINGE           5 rows  point, and `axis` of one frame along `axis` of the other
///     FF_ELEMENT_SLIDER          5 rows  orientations aligned, and the point of `a` on the line through that of `b`
///                                        along `axis`
///     FF_ELEMENT_PLANAR          3 rows  the point of `a` in the plane through that of `b` normal to `axis`, and
///                                        `axis` of one frame along that of the other
///
/// The first four act on a joint with one coordinate, or on a *tendon*: the weighted sum of the coordinates of several
/// joints (ff_model_tendon()). [m] below is [rad] where these joints turn.
///
/// **Dry friction** (docs/theory/joint-friction.md). A joint with friction sticks by a stiff spring and damper to
/// where it stopped, and slides under the constant force `effort`. Stiffness and damping that are 0 are chosen: the
/// spring of 1000 rad/s with the joint's effective inertia, damped by 0.7 of the critical damping. Hard steppers stick
/// without a spring.
///
/// **Couplings.** A coupling without stiffness is rigid for every stepper: hard and explicit ones (`euler`,
/// `symplectic`, `rk4`, `ess`) solve for the force that keeps it; `expo`, `expo-paper` and `implicit` take a critically
/// damped spring of 10^4 rad/s. With a stiffness it is that spring, for soft steppers. When a posture is set, followers
/// are put where their leaders want them.
///
/// **Rigid elements.** Hinges, sliders and planar elements are rigid; so are points and welds with is_rigid. They
/// have no stiffness. Only the hard steppers (`moreau`, `ca`, `c2a`) accept them; a sim with any other stepper
/// refuses them with FF_ERROR_UNSUPPORTED. When a model is cut (cut.h), they replace its joints. Hard steppers
/// enforce every point and weld exactly, whatever its stiffness.
///
/// **Elements of a sim.** A sim takes elements from its model, then those that ff_sim_def.elements lists, and copies
/// them. Start from ff_element_def_default(). From the model it takes, in this order:
///
///     'knee_limit'    limits of a joint with one coordinate, with ff_sim_def.limit_stiffness and limit_damping
///     'knee_spring'   stiffness of such a joint, as a PD; its damping is part of the dynamics already
///     'knee_motor'    position and velocity actuators, under their own name if they have one, as a PD. The initial
///                     control is the value in their range nearest to 0. stiffness = gear^2 kp, damping = gear^2 kv,
///                     reference = control / gear, effort = the larger end of their force range. Actuators of type
///                     motor become no element: tau drives them. Those on a tendon act on the tendon
///     'knee_friction' dry friction of a joint, for soft steppers; hard ones know the joint's own. Joints with
///                     several coordinates have 'ball_friction_0', 'ball_friction_1', ...: one for each velocity
///     its elements    see ff_model_element(): closed loops, welds, springs between links, stops with a stiffness of
///                     their own
///
/// A joint has one stop. A FF_ELEMENT_JOINT_LIMIT among the model's elements replaces 'knee_limit', and one in
/// ff_sim_def.elements replaces both. A list with two stops for one joint is refused.
#ifndef FOOTFALL_ELEMENT_H
#define FOOTFALL_ELEMENT_H

#include <footfall/pose.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Type of an element; the table above explains them.
typedef enum ff_element_type {
  FF_ELEMENT_JOINT_PD,       ///< a joint's motor or spring
  FF_ELEMENT_JOINT_LIMIT,    ///< a joint's stop
  FF_ELEMENT_POINT,          ///< connects two points
  FF_ELEMENT_WELD,           ///< connects two points and the orientations of their frames
  FF_ELEMENT_HINGE,          ///< connects two points and an axis; rigid
  FF_ELEMENT_SLIDER,         ///< aligns orientations and keeps a point on a line; rigid
  FF_ELEMENT_PLANAR,         ///< keeps a point in a plane and aligns the normal; rigid
  FF_ELEMENT_JOINT_FRICTION, ///< dry friction of a joint
  FF_ELEMENT_COUPLING,       ///< a joint follows another
} ff_element_type;

/// 1 for PD, limit and friction: one row, on a joint or a tendon.
int ff_element_type_is_joint(ff_element_type type);

/// Name of an element type: "joint_pd", ... Never NULL.
const char *ff_element_type_name(ff_element_type type);

enum { FF_REFERENCE_RATE = 2000 }; ///< references per second that a motor with a delay can buffer

/// One element. Fields that its type does not name are ignored. Start from ff_element_def_default().
typedef struct ff_element_def {
  const char *name;     ///< for messages, reports and ff_sim_find_element(); may be NULL
  ff_element_type type; ///< default FF_ELEMENT_JOINT_PD
  int joint;            ///< joint elements: a joint with one coordinate; coupling: the follower. Default -1
  double stiffness;     ///< K [N/m] or [N m/rad], >= 0, default 0
  double damping;       ///< B [N s/m] or [N m s/rad], >= 0, default 0
  double angular_stiffness;  ///< weld: of the three angular rows [N m/rad], >= 0, default 0
  double angular_damping;    ///< weld: of the three angular rows [N m s/rad], >= 0, default 0
  double reference;          ///< PD: target position [rad] or [m], default 0
  double reference_velocity; ///< PD [rad/s] or [m/s], default 0; the reference moves with it during a step
  double effort;             ///< PD, friction: largest force [N m] or [N], > 0, default +infinity
  double lower;              ///< limit: pushes back below it [rad] or [m], default -infinity
  double upper;              ///< limit: pushes back above it [rad] or [m], default +infinity
  ff_point a; ///< all but joint elements: one end, offset within 1e7 m; reported forces act on it
  ff_point b; ///< all but joint elements: the other end; frame 0 is the world
  /// Hinge, slider, planar: axis, the same numbers in the axes of both frames; finite, of any length but 0, default 0
  /// 0 0
  double axis[3];
  /// PD: delay of its references by a bus or a motor driver [s], 0..10, default 0; rounded up to whole steps
  double delay;
  /// Point, weld: 1: exact constraint without stiffness and damping; hard steppers only. Default 0
  int is_rigid;
  int tendon; ///< joint elements, coupling: in place of `joint` a tendon of the model, default -1
  /// Friction of a joint with several velocities: which of them, 0..nv-1, default 0. Such a joint has no other elements
  int component;
  int leader;        ///< coupling: joint with one coordinate that is followed, default -1
  int leader_tendon; ///< coupling: in place of `leader` a tendon, default -1. Both -1: nothing, the follower is held
  /// Coupling: the follower's position is the sum of polynomial[k] times the k-th power of the leader's, default 0 1 0
  /// 0 0
  double polynomial[5];
} ff_element_def;

/// A motor without a joint and without gains.
ff_element_def ff_element_def_default(void);

#ifdef __cplusplus
}
#endif
#endif
