/// dynamics.h: rigid-body kinematics and dynamics of a model.
///
/// An ff_dynamics is the working memory for one model, one thread and a number of *lanes*. With one lane it
/// computes one robot at a time. With several (8 with AVX-512, 4 with AVX2, 2 otherwise) every call computes
/// that many robots of the same model at once, at a fraction of the time per robot; arrays then interleave
/// the robots, element i of robot r at [i * lanes + r].
///
///     tau = M(q) vdot + h(q, v)
///
/// M contains the joints' armature; h contains Coriolis, centrifugal and gravity forces and the joints'
/// viscous damping. Dry friction, joint limits, springs and actuators belong to contact and elements, not here.
///
/// Calls that take q accept NULL for "the q of the last call on this object" (at first the neutral one), which saves
/// its sines and cosines. Outputs must not overlap inputs. Nothing here allocates except create. Accelerations vdot are the time derivatives of the
/// components of v. Arrays need only the alignment of double. Sines and cosines are
/// good to 3 ulp for angles up to 1e5 rad and to 1e-15 up to 1e6 rad; beyond, count your turns elsewhere.
#ifndef FOOTFALL_DYNAMICS_H
#define FOOTFALL_DYNAMICS_H

#include <footfall/model.h>
#include <footfall/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Working memory for one model and one thread. The caller destroys it, before the model.
typedef struct ff_dynamics ff_dynamics;

/// Which instruction set the kernels use. Results have the same bits on the same instruction set.
typedef enum ff_isa {
  FF_ISA_AUTO,   ///< the best this machine has (default), or what FOOTFALL_ISA names: see ff_isa_resolve()
  FF_ISA_BASE,   ///< what every machine of this architecture has
  FF_ISA_AVX2,   ///< x86-64 with AVX2 and FMA
  FF_ISA_AVX512, ///< x86-64 with AVX-512 F, DQ and VL
} ff_isa;

/// "base", "avx2", "avx512". Never NULL.
const char *ff_isa_name(ff_isa isa);

/// The best that this machine and this build have.
ff_isa ff_isa_best(void);

/// The instruction set that creators use for `asked`: itself, or for FF_ISA_AUTO the one that the environment variable
/// FOOTFALL_ISA names (base, avx2 or avx512; for tests), or ff_isa_best() where that is unset or empty.
/// FF_ERROR_UNSUPPORTED, with the sets there are, if this machine or this build lacks it or nothing is called so: there
/// is
/// no second choice. The environment is read here and by creators, for FF_ISA_AUTO only, never by a step. As with any
/// getenv(), no other thread may change the environment meanwhile.
ff_status ff_isa_resolve(ff_isa asked, ff_isa *out, ff_error *error);

enum { FF_LANES_WIDE = 0 }; ///< as many lanes as the instruction set has

/// How many robots at once, and with which instructions.
typedef struct ff_dynamics_def {
  int lanes;      ///< 1 (default), or FF_LANES_WIDE
  ff_isa isa;     ///< default FF_ISA_AUTO; one the machine lacks is FF_ERROR_UNSUPPORTED
  int max_points; ///< most points in one call of minv_jt or delassus, 0..10000, default 64
} ff_dynamics_def;

/// One robot at a time, by the best instructions of this machine.
ff_dynamics_def ff_dynamics_def_default(void);

/// `def` may be NULL for the default. The model must outlive the result.
ff_status ff_dynamics_create(const ff_model *model, const ff_dynamics_def *def, ff_dynamics **out,
                             ff_error *error);
void ff_dynamics_destroy(ff_dynamics *dynamics); ///< NULL is fine

int ff_dynamics_lanes(const ff_dynamics *dynamics);  ///< robots in a call: 1, or 2, 4, 8 with FF_LANES_WIDE
ff_isa ff_dynamics_isa(const ff_dynamics *dynamics); ///< the instructions in use, never FF_ISA_AUTO

// ---- Kinematics -------------------------------------------------------------------------------------------

/// Poses of all bodies; velocities too if v is given, accelerations too if vdot is given (v must then be
/// given). The calls below that say "after kinematics" use what the last call computed.
void ff_dynamics_kinematics(ff_dynamics *dynamics, const double *q, const double *v, const double *vdot);

/// In which frame a velocity, acceleration or Jacobian of a frame is expressed. Rows (linear, angular).
typedef enum ff_axes {
  FF_AXES_WORLD,         ///< spatial velocity at the world's origin, world axes
  FF_AXES_LOCAL,         ///< at the frame's origin, the frame's axes
  FF_AXES_LOCAL_ALIGNED, ///< at the frame's origin, world axes: the velocity of that point, as one draws it
} ff_axes;

/// After kinematics: pose of a frame in the world, position [3 x lanes], R [9 x lanes] row-major. NULL to skip.
void ff_dynamics_frame_pose(const ff_dynamics *dynamics, int frame, double *position, double *R);

/// After kinematics with v: [6 x lanes].
void ff_dynamics_frame_velocity(const ff_dynamics *dynamics, int frame, ff_axes axes, double *velocity);

/// After kinematics with v and vdot: [6 x lanes]. WORLD and LOCAL are spatial accelerations (the time derivative of the
/// spatial velocity in that frame); LOCAL_ALIGNED is the classical one, d/dt of the velocity it gives.
/// Gravity is not included. J vdot + Jdot v, always.
void ff_dynamics_frame_acceleration(const ff_dynamics *dynamics, int frame, ff_axes axes,
                                    double *acceleration);

/// After kinematics with v: Jdot v [6 x lanes], consistent with frame_acceleration at vdot = 0.
void ff_dynamics_frame_bias(const ff_dynamics *dynamics, int frame, ff_axes axes, double *bias);

/// After kinematics: J [6 x nv x lanes] row-major, velocity = J v.
void ff_dynamics_frame_jacobian(const ff_dynamics *dynamics, int frame, ff_axes axes, double *J);

/// After kinematics: centre of mass [3 x lanes] of everything that moves.
void ff_dynamics_com(const ff_dynamics *dynamics, double *com);

/// After kinematics: J_com [3 x nv x lanes], world axes; velocity of the centre of mass = J_com v.
void ff_dynamics_com_jacobian(ff_dynamics *dynamics, double *J);

/// After kinematics with v: momentum [6 x lanes], (linear, angular about the centre of mass), world axes.
void ff_dynamics_momentum(ff_dynamics *dynamics, double *momentum);

/// After kinematics with v: [6 x lanes], what `momentum` changes by per second while vdot = 0. Its linear part over the
/// mass is Jdot v of the centre of mass.
void ff_dynamics_momentum_bias(ff_dynamics *dynamics, double *bias);

/// After kinematics with v: 1/2 v' M v [lanes], armature included [J].
void ff_dynamics_kinetic_energy(ff_dynamics *dynamics, double *energy);

/// After kinematics: - sum m g' com [lanes], zero at the world's origin [J].
void ff_dynamics_potential_energy(const ff_dynamics *dynamics, double *energy);

// ---- Dynamics ---------------------------------------------------------------------------------------------

/// tau [nv x lanes] = M(q) vdot + h(q, v).
void ff_dynamics_rnea(ff_dynamics *dynamics, const double *q, const double *v, const double *vdot,
                      double *tau);

/// h(q, v) [nv x lanes]: Coriolis, centrifugal, gravity and damping.
void ff_dynamics_bias(ff_dynamics *dynamics, const double *q, const double *v, double *h);

/// h(q, 0) [nv x lanes].
void ff_dynamics_gravity(ff_dynamics *dynamics, const double *q, double *g);

/// vdot [nv x lanes] = M(q)^-1 (tau - h(q, v)), by articulated bodies. Where M is singular (a configuration in which a
/// joint moves no inertia; the builder refuses models that are so everywhere) the result is not finite or huge.
void ff_dynamics_aba(ff_dynamics *dynamics, const double *q, const double *v, const double *tau,
                     double *vdot);

/// Mass matrix, kept inside in sparse form (only pairs of coordinates on one path from a root are stored).
void ff_dynamics_crba(ff_dynamics *dynamics, const double *q);

/// After crba, before factor: M [nv x nv x lanes], both halves.
void ff_dynamics_mass_matrix(const ff_dynamics *dynamics, double *M);

/// After crba: factor M = L' D L in place of M, L unit lower triangular with the same sparsity.
/// FF_ERROR_NUMERIC, with the joint and the lane, if a pivot is not positive beyond rounding; the factor is then of no use.
ff_status ff_dynamics_factor(ff_dynamics *dynamics, ff_error *error);

/// After factor: x := M^-1 x [nv x lanes], in place.
void ff_dynamics_solve(ff_dynamics *dynamics, double *x);

/// After kinematics: rows of the velocities of points, world axes, J [3 count x nv x lanes].
void ff_dynamics_point_jacobian(ff_dynamics *dynamics, int count, const ff_point *points, double *J);

/// After kinematics and factor: M^-1 J' of points, [nv x 3 count x lanes] row-major.
void ff_dynamics_minv_jt(ff_dynamics *dynamics, int count, const ff_point *points, double *MinvJt);

/// After kinematics and factor: U = J M^-1 J' of points, world axes, [3 count x 3 count x lanes], both halves.
/// count is at most ff_dynamics_def.max_points, here and in minv_jt.
void ff_dynamics_delassus(ff_dynamics *dynamics, int count, const ff_point *points, double *U);

// ---- Derivatives ------------------------------------------------------------------------------------------
// With respect to q they are taken in the tangent space: column k is d/dt of the result at q (+) t e_k, in the sense of
// ff_model_integrate(), so a free joint's six columns are shifts and turns in the body's own axes. Entry (i, k) is
// at [i * nv + k], times lanes as everywhere. Given forces act at points fixed to bodies and keep their world axes
// and their size while q and v vary:
//
//     tau = M(q) vdot + h(q, v) - sum J(q)' f

/// A force on a body.
typedef struct ff_point_force {
  ff_point point;  ///< where, fixed to the body
  double force[3]; ///< world axes [N]
} ff_point_force;

/// dtau_dq and dtau_dv [nv x nv x lanes] at (q, v, vdot); NULL to skip one. d tau / d vdot is M, see crba.
/// forces [count x lanes], with the same frame in all lanes of one force; NULL and 0 for none.
void ff_dynamics_rnea_derivatives(ff_dynamics *dynamics, const double *q, const double *v, const double *vdot,
                                  const ff_point_force *forces, int count, double *dtau_dq, double *dtau_dv);

/// dvdot_dq, dvdot_dv and Minv = M^-1 = d vdot / d tau [nv x nv x lanes] of the vdot that M vdot + h = tau + sum J' f
/// asks for; NULL to skip some. Afterwards the workspace holds the factor of M, as after ff_dynamics_factor().
/// Where M is singular the results are not finite or huge, as with aba.
void ff_dynamics_aba_derivatives(ff_dynamics *dynamics, const double *q, const double *v, const double *tau,
                                 const ff_point_force *forces, int count, double *dvdot_dq, double *dvdot_dv,
                                 double *Minv);

#ifdef __cplusplus
}
#endif
#endif
