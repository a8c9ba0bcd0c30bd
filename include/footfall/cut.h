/// cut.h: the same robot in other coordinates: cut a model at some of its joints into floating pieces that constraints hold together.
///
///     ff_cut *cut;
///     ff_cut_def def = ff_cut_def_default();
///     def.set = FF_CUT_MAXIMAL;
///     ff_cut_create(model, &def, &cut, &error);
///     const ff_model *pieces = ff_cut_model(cut);           // for ff_sim_create(), with a hard stepper
///     ff_cut_spread(cut, q, v, q_cut, v_cut);               // start
///     ff_cut_gather(cut, q_cut, v_cut, NULL, q, v);         // where the robot is, for a controller that knows the model
///     ff_cut_tau(cut, q_cut, tau, tau_cut);                 // what its motors do
///
/// Any set of joints can be cut. None are the *minimal* coordinates that the model has anyhow, all are the *maximal* ones (each body floats
/// by itself), those that hang on a root body are the *extended* ones of legged robots (trunk and legs apart). docs/theory/coordinates.md has
/// more.
///
/// **The cut model** has the links, inertias, frames, shapes, actuators, elements, postures and gravity of the model, by the same names; shapes
/// have the same numbers. A cut joint 'knee' that moves a link 'shank' leaves
///
///     'shank_free'   a free joint that moves 'shank'
///     'knee'         an element: a hinge (revolute, continuous), a slider (prismatic), a rigid point (spherical) or a planar one between
///                    'shank' and
///     'knee_frame'   a new frame, fixed where the joint was in what carried it
///
/// With FF_CUT_AT_CENTRES 'shank_free' moves 'shank_com', a new link without mass in the centre of mass of the body, with the axes of 'shank',
/// which 'shank_fixed' fixes to it. Names that are taken get an underscore more.
///
/// Pieces of one robot still count as one robot where shapes touch: what did not collide before the cut does not collide after it, with
/// self_collision or without.
///
/// **What a cut joint loses.** An element has no row along the axis that stays free, so what acts there has no place in the cut model. Forces
/// of motors have: ff_cut_tau() turns them into couples or forces on both bodies, so torque motors (FF_ACTUATOR_MOTOR, effort, velocity) are
/// left out. All else is refused, with the joint's name, unless the def says that it may be dropped: armature, limits, damping, dry friction,
/// springs, and servos (position and velocity actuators, and PD elements).
///
/// **Who owns what.** The cut keeps a pointer to the model, which must stay; it owns the cut model, which sims of it need. A cut never
/// changes, conversions allocate nothing, any number of threads may share it. Arrays are those of model.h: free joints
/// q = (x y z, qx qy qz qw), v = (linear, angular) in the body's frame.
#ifndef FOOTFALL_CUT_H
#define FOOTFALL_CUT_H

#include <footfall/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A cut model and the way from one set of coordinates to the other. The caller destroys it, after the sims of its pieces.
typedef struct ff_cut ff_cut;

/// Which joints are cut.
typedef enum ff_cut_set {
  FF_CUT_MINIMAL,  ///< "minimal": none (default)
  FF_CUT_EXTENDED, ///< "extended": those whose parent body hangs on the world or floats
  FF_CUT_MAXIMAL,  ///< "maximal": all, those on the world too; free joints are none
  FF_CUT_LISTED,   ///< "listed": those of ff_cut_def.joints
} ff_cut_set;

const char *ff_cut_set_name(ff_cut_set set);            ///< as scenes write it; never NULL
int ff_cut_set_find(const char *name, ff_cut_set *set); ///< 1 if there is one of that name

/// Where pieces float. Their linear velocity is that of this point, and `moreau` moves it straight while a piece turns about it.
typedef enum ff_cut_place {
  /// "joints": the frame of the piece's link, where the joint was (default). Momentum is kept to first order, and what swings may gain energy
  /// of that order.
  FF_CUT_AT_JOINTS,
  /// "centres": the centre of mass, as in the Moreau paper: momentum is kept to rounding, but joints drift and brake far more (StarlETH
  /// standing: 13 and 50 times). Frames 'shank_com' are where they float.
  FF_CUT_AT_CENTRES,
} ff_cut_place;

/// Start from ff_cut_def_default(). Drops are about cut joints only; default 0: a joint that has it is refused.
typedef struct ff_cut_def {
  ff_cut_set set;            ///< default FF_CUT_MINIMAL
  const char *const *joints; ///< FF_CUT_LISTED: names [joint_count]
  int joint_count;           ///< default 0
  ff_cut_place place;        ///< default FF_CUT_AT_JOINTS
  int drop_armature;         ///< 1: rotors' inertia may go; the robot gets lighter
  int drop_limits;           ///< 1: joint limits, and stops of the model, may go
  int drop_damping;          ///< 1: viscous damping may go
  int drop_friction;         ///< 1: dry friction may go
  int drop_springs;          ///< 1: springs of joints may go
  int drop_servos;           ///< 1: position and velocity actuators, and motors of the model, may go
} ff_cut_def;

/// Nothing is cut and nothing may be dropped.
ff_cut_def ff_cut_def_default(void);

/// Errors name the joint. FF_ERROR_ARGUMENT: a listed joint that there is not, is fixed, floats already, or is listed twice;
/// FF_ERROR_MODEL: nothing to cut; FF_ERROR_UNSUPPORTED: what a joint would lose. A piece without inertia is refused as by
/// ff_builder_finish().
ff_status ff_cut_create(const ff_model *model, const ff_cut_def *def, ff_cut **out, ff_error *error);
void ff_cut_destroy(ff_cut *cut); ///< NULL is fine

const ff_model *ff_cut_model(const ff_cut *cut);  ///< the pieces
const ff_model *ff_cut_source(const ff_cut *cut); ///< what was cut

/// What became of a joint of the source.
typedef struct ff_cut_joint {
  int is_cut;  ///< 1: constraints hold it together; 0: it is a joint still
  int joint;   ///< of the cut model: the joint itself, or the free joint of its piece
  int element; ///< of the cut model, that holds it; -1 if it is not cut
} ff_cut_joint;

/// FF_ERROR_ARGUMENT for a joint out of range and NULL.
ff_status ff_cut_get_joint(const ff_cut *cut, int joint, ff_cut_joint *out);
int ff_cut_count(const ff_cut *cut); ///< joints that are cut

/// The pieces' state from the robot's: q_cut and v_cut satisfy every constraint to rounding. v and v_cut may be NULL, both or none.
void ff_cut_spread(const ff_cut *cut, const double *q, const double *v, double *q_cut, double *v_cut);

/// The robot's state from the pieces': what floats or hangs on the world as it is, then each joint's coordinates and rates from the pose
/// and the motion of its link against the one that carries it. Motion that the joint does not have (drift) is left out. A revolute joint's
/// turns cannot be seen: its angle is the one nearest to that in `near` [nq], or within -pi..pi if `near` is NULL. `near` may be q. v_cut
/// and v may be NULL, both or none.
void ff_cut_gather(const ff_cut *cut, const double *q_cut, const double *v_cut, const double *near, double *q,
                   double *v);

/// Generalised forces of the source [nv] on the pieces [nv of the cut model]: on a cut joint tau is a couple about the axis (revolute), a
/// force along it (prismatic), both (planar) or a couple in the link's axes (spherical), on the link, and the opposite on what carries it,
/// in the same place. Power is kept: tau_cut . v_cut = tau . v. tau_cut is not tau.
void ff_cut_tau(const ff_cut *cut, const double *q_cut, const double *tau, double *tau_cut);

#ifdef __cplusplus
}
#endif
#endif
