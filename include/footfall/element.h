/// element.h: springs, motors, stops, welds and joints between any two frames: everything that acts and is not a contact.
///
/// A compliant element is a few rows J with a stiffness, a damping, an offset and a set that its force must lie in:
///
///     force = clip( -K (J-position - reference) - B (J v - reference velocity) )
///
/// The steppers see rows. So `expo` treats a stiff motor gain, a stop and the ground in one exact step.
///
///     FF_ELEMENT_JOINT_PD     1 row   a joint's motor: two-sided, saturates at `effort`
///     FF_ELEMENT_JOINT_LIMIT  1 row   a joint's stop: pushes back below `lower` and above `upper`, never pulls
///     FF_ELEMENT_POINT        3 rows  a point of one frame held to a point of another, or of the world
///     FF_ELEMENT_WELD         6 rows  the same, and the orientation too
///     FF_ELEMENT_HINGE        5 rows  the points held together, and `axis` of one frame along `axis` of the other
///     FF_ELEMENT_SLIDER       5 rows  the orientation held, and the point of `a` on the line through that of `b` along `axis`
///     FF_ELEMENT_PLANAR       3 rows  the point of `a` in the plane through that of `b` normal to `axis`, and `axis` of one frame along that of the other
///
/// Hinges, sliders and planar ones are rigid: they have no stiffness, and only steppers that hold constraints exactly (`moreau`) take them. So are points and
/// welds with is_rigid. A sim with any other stepper refuses them: FF_ERROR_UNSUPPORTED. They are what the joints of a
/// model become that is cut into pieces, see cut.h. Hard steppers hold every point and weld exactly, whatever its stiffness.
///
/// A sim takes elements from its model, then those that ff_sim_def.elements lists. Start from ff_element_def_default();
/// the sim copies what it is given. From the model, in this order:
///
///     'knee_limit'    the limits of a joint with one coordinate, with ff_sim_def.limit_stiffness and limit_damping
///     'knee_spring'   such a joint's stiffness, as a PD; its damping is part of the dynamics already
///     an actuator's name, or 'knee_motor': position and velocity actuators, as a PD that starts at the control nearest to 0 in
///                     their range. stiffness = gear^2 kp, damping = gear^2 kv, reference = control / gear, effort = the larger end of
///                     their force range. Motors are what tau drives.
///     its own elements, see ff_model_element(): closed loops, welds, springs between links, and stops with a stiffness of their own
///
/// A joint has one stop: a FF_ELEMENT_JOINT_LIMIT of the model's own takes the place of 'knee_limit', and one that
/// ff_sim_def.elements lists takes the place of both. Two in one list for one joint are refused.
#ifndef FOOTFALL_ELEMENT_H
#define FOOTFALL_ELEMENT_H

#include <footfall/pose.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What an element holds; the table above says more.
typedef enum ff_element_type {
  FF_ELEMENT_JOINT_PD,    ///< a joint's motor or spring
  FF_ELEMENT_JOINT_LIMIT, ///< a joint's stop
  FF_ELEMENT_POINT,       ///< two points
  FF_ELEMENT_WELD,        ///< two points and their frames' orientations
  FF_ELEMENT_HINGE,       ///< two points and an axis; rigid
  FF_ELEMENT_SLIDER,      ///< orientations, and a point on a line; rigid
  FF_ELEMENT_PLANAR,      ///< a point in a plane, and its normal; rigid
} ff_element_type;

/// "joint_pd", ... Never NULL.
const char *ff_element_type_name(ff_element_type type);

enum { FF_REFERENCE_RATE = 2000 }; ///< references a second that can wait for a motor with a delay

/// One element. Fields that its type does not name are not looked at. Start from ff_element_def_default().
typedef struct ff_element_def {
  const char *name;          ///< may be NULL; for messages and reports, and to find it by
  ff_element_type type;      ///< default FF_ELEMENT_JOINT_PD
  int joint;                 ///< joint elements: a joint with one coordinate, default -1
  double stiffness;          ///< K [N/m] or [N m/rad], >= 0, default 0
  double damping;            ///< B [N s/m] or [N m s/rad], >= 0, default 0
  double angular_stiffness;  ///< weld: of the three angular rows [N m/rad], >= 0, default 0
  double angular_damping;    ///< weld [N m s/rad], >= 0, default 0
  double reference;          ///< PD: where it pulls to [rad] or [m], default 0
  double reference_velocity; ///< PD [rad/s] or [m/s], default 0; the reference moves with it during a step
  double effort;             ///< PD: largest force [N m] or [N], > 0, default +infinity
  double lower;              ///< limit: pushes back below it [rad] or [m], default -infinity
  double upper;              ///< limit: and above it [rad] or [m], default +infinity
  ff_point a; ///< all but joint elements: one end, offset within 1e7 m; the force reported is that on it
  ff_point b; ///< the other end; frame 0 is the world
  /// Hinge, slider, planar: the same numbers in the axes of both frames, finite, of any length but 0; default 0 0 0
  double axis[3];
  /// PD: delay of its references [s], 0..10, default 0: a bus, a motor driver. Rounded up to whole steps
  double delay;
  int is_rigid; ///< point, weld: held exactly, stiffness and damping are not used; hard steppers only. Default 0
} ff_element_def;

/// A motor of no joint, without gains.
ff_element_def ff_element_def_default(void);

#ifdef __cplusplus
}
#endif
#endif
