/// cut.h: maximal coordinates: cut a model at some of its joints into floating parts that constraints connect.
///
///     ff_cut *cut;
///     ff_cut_def def = ff_cut_def_default();
///     def.set = FF_CUT_MAXIMAL;
///     ff_cut_create(model, &def, &cut, &error);
///     const ff_model *parts = ff_cut_model(cut);            // for ff_sim_create(), with a hard stepper
///     ff_cut_spread(cut, q, v, q_cut, v_cut);               // start
///     ff_cut_gather(cut, q_cut, v_cut, NULL, q, v);         // state of the robot, for a controller of the model
///     ff_cut_tau(cut, q_cut, tau, tau_cut);                 // torques of the controller, on the parts
///
/// Any set of joints can be cut; docs/theory/coordinates.md explains them.
/// - *Minimal* coordinates: none is cut; these are the coordinates of the model.
/// - *Maximal* coordinates: all are cut, each body floats.
/// - *Extended* coordinates of legged robots: the joints on a root body are cut, trunk and legs float separately.
///
/// **The cut model** has the links, inertias, frames, shapes, actuators, elements, postures and gravity of the model,
/// under the same names; shapes have the same indices. A cut joint 'knee' of a link 'shank' becomes
///
///     'shank_free'   a free joint that moves 'shank'
///     'knee'         an element between 'shank' and 'knee_frame': a hinge (revolute, continuous), a slider
///                    (prismatic), a rigid point (spherical) or a planar element
///     'knee_frame'   a new frame at the joint, fixed to the parent
///
/// With FF_CUT_AT_CENTRES 'shank_free' moves 'shank_com', a new massless link at the centre of mass of the body with
/// the axes of 'shank'; 'shank_fixed' fixes 'shank' to it. If a name is already taken, an underscore is appended.
///
/// Contact detection treats the parts of one robot as one robot: shapes that do not collide before the cut do not
/// collide after it, with or without self_collision.
///
/// **What a cut joint loses.** The element has no row along the free axis, so the cut model has no place for forces
/// along it. Motor torques are not lost: ff_cut_tau() converts them to couples or forces on both bodies. So actuators
/// of type FF_ACTUATOR_MOTOR and limits of effort and velocity are dropped. Armature, limits, damping, dry friction,
/// springs and servos (position and velocity actuators, PD elements) are refused with the joint's name, unless the
/// def allows to drop them.
///
/// **Ownership.** The cut keeps a pointer to the model, which must outlive it. It owns the cut model, which must
/// outlive the sims of it. A cut never changes and conversions allocate nothing, so any number of threads can share
/// it. Arrays are as in model.h: free joints have q = (x y z, qx qy qz qw), v = (linear, angular) in the body's
/// frame.
#ifndef FOOTFALL_CUT_H
#define FOOTFALL_CUT_H

#include <footfall/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A cut model, with the conversions between both sets of coordinates. The caller destroys it, after the sims of the
/// cut model.
typedef struct ff_cut ff_cut;

/// Which joints are cut.
typedef enum ff_cut_set {
  FF_CUT_MINIMAL,  ///< "minimal": none (default)
  FF_CUT_EXTENDED, ///< "extended": those whose parent body floats or is attached to the world
  FF_CUT_MAXIMAL,  ///< "maximal": all except free joints, those on the world included
  FF_CUT_LISTED,   ///< "listed": those of ff_cut_def.joints
} ff_cut_set;

const char *ff_cut_set_name(ff_cut_set set);            ///< as in scenes; never NULL
int ff_cut_set_find(const char *name, ff_cut_set *set); ///< 1 if a set has that name

/// Origin of the floating parts: the point whose linear velocity is in v. `moreau` moves it straight while the part
/// rotates about it.
typedef enum ff_cut_place {
  /// "joints": the frame of the part's link, at the cut joint (default). Momentum is conserved to first order; a
  /// swinging part may gain energy of that order.
  FF_CUT_AT_JOINTS,
  /// "centres": the centre of mass, as in the Moreau paper; frames 'shank_com' mark it. Momentum is conserved to
  /// rounding, but joints drift and brake far more (StarlETH standing: 13 and 50 times).
  FF_CUT_AT_CENTRES,
} ff_cut_place;

/// What to cut. Start from ff_cut_def_default(). Drops concern cut joints only; default 0: a joint that has the
/// property is refused.
typedef struct ff_cut_def {
  ff_cut_set set;            ///< default FF_CUT_MINIMAL
  const char *const *joints; ///< FF_CUT_LISTED: names [joint_count]
  int joint_count;           ///< default 0
  ff_cut_place place;        ///< default FF_CUT_AT_JOINTS
  int drop_armature;         ///< 1: allow to drop rotor inertia; the robot gets lighter
  int drop_limits;           ///< 1: allow to drop joint limits and stops of the model
  int drop_damping;          ///< 1: allow to drop viscous damping
  int drop_friction;         ///< 1: allow to drop dry friction
  int drop_springs;          ///< 1: allow to drop springs of joints
  int drop_servos;           ///< 1: allow to drop position and velocity actuators, and motors of the model
} ff_cut_def;

/// Cut nothing and drop nothing.
ff_cut_def ff_cut_def_default(void);

/// Cut a model. Errors name the joint. FF_ERROR_ARGUMENT: a listed joint does not exist, is fixed, floats already, or
/// is listed twice; FF_ERROR_MODEL: nothing to cut; FF_ERROR_UNSUPPORTED: a joint would lose something that the def
/// does not drop. A part without inertia is refused as by ff_builder_finish().
ff_status ff_cut_create(const ff_model *model, const ff_cut_def *def, ff_cut **out, ff_error *error);
void ff_cut_destroy(ff_cut *cut); ///< NULL is fine

const ff_model *ff_cut_model(const ff_cut *cut);  ///< the cut model
const ff_model *ff_cut_source(const ff_cut *cut); ///< the model that was cut

/// What a joint of the source became.
typedef struct ff_cut_joint {
  int is_cut;  ///< 1: it is now a constraint; 0: it is still a joint
  int joint;   ///< in the cut model: the joint itself, or the free joint of its part
  int element; ///< in the cut model: the constraint; -1 if it is not cut
} ff_cut_joint;

/// Find what a joint of the source became. FF_ERROR_ARGUMENT for an index out of range and for NULL.
ff_status ff_cut_get_joint(const ff_cut *cut, int joint, ff_cut_joint *out);
int ff_cut_count(const ff_cut *cut); ///< number of cut joints

/// Convert a state of the source to the cut model; q_cut and v_cut satisfy every constraint to rounding. v and v_cut
/// may both be NULL.
void ff_cut_spread(const ff_cut *cut, const double *q, const double *v, double *q_cut, double *v_cut);

/// Convert a state of the cut model to the source. Roots that float, and links attached to the world, keep their
/// pose; the coordinates and rates of each further joint follow from the relative pose and motion of its two links.
/// Relative motion that the joint does not allow (drift) is ignored. Poses do not show the turns of a revolute joint:
/// its angle is the one nearest to that in `near` [nq], or within -pi..pi if `near` is NULL. `near` may be q. v_cut
/// and v may both be NULL.
void ff_cut_gather(const ff_cut *cut, const double *q_cut, const double *v_cut, const double *near, double *q,
                   double *v);

/// Convert generalised forces of the source [nv] to the cut model. On a cut joint, tau becomes a couple about the
/// axis (revolute), a force along it (prismatic), both (planar) or a couple in the link's axes (spherical). It acts
/// on the link, and the opposite acts on its parent at the same place. Power is conserved: tau_cut . v_cut = tau . v.
/// tau_cut must not be tau.
void ff_cut_tau(const ff_cut *cut, const double *q_cut, const double *tau, double *tau_cut);

#ifdef __cplusplus
}
#endif
#endif
