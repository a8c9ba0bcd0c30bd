/// dynamics.h: rigid-body kinematics and dynamics of a model.
///
/// An ff_dynamics is the working memory for one model, one thread and a number of SIMD *lanes*. With one lane a call
/// computes one robot. With several lanes (8 with AVX-512, 4 with AVX2, 2 otherwise) a call computes that many robots
/// of the same model at once, at a fraction of the time per robot. Arrays then interleave the robots: element i of
/// robot r is at [i * lanes + r].
///
///     tau = M(q) vdot + h(q, v)
///
/// M includes the joints' armature. h includes Coriolis, centrifugal and gravity forces and the joints' viscous
/// damping. Dry friction, joint limits, springs and actuators are not part of it; sims handle them as elements.
///
/// - q NULL means the q of the last call on this object (at first the neutral one); this saves its sines and cosines.
/// - vdot holds the time derivatives of the components of v.
/// - Outputs must not overlap inputs. Arrays need only the alignment of double.
/// - Only ff_dynamics_create() allocates memory.
/// - Sines and cosines are accurate to 3 ulp for angles up to 1e5 rad and to 1e-15 up to 1e6 rad. Keep angles below
///   that.
#ifndef FOOTFALL_DYNAMICS_H
#define FOOTFALL_DYNAMICS_H

#include <footfall/model.h>
#include <footfall/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Working memory for one model and one thread. The caller destroys it before the model.
typedef struct ff_dynamics ff_dynamics;

/// Instruction set of the kernels. The same instruction set gives the same bits.
typedef enum ff_isa {
  /// The best of this machine (default), or the one that FOOTFALL_ISA names: see ff_isa_resolve()
  FF_ISA_AUTO,
  FF_ISA_BASE,   ///< available on every machine of this architecture
  FF_ISA_AVX2,   ///< x86-64 with AVX2 and FMA
  FF_ISA_AVX512, ///< x86-64 with AVX-512 F, DQ and VL
} ff_isa;

/// Name of an instruction set: "base", "avx2", "avx512". Never NULL.
const char *ff_isa_name(ff_isa isa);

/// The best instruction set of this machine and this build.
ff_isa ff_isa_best(void);

/// Find the instruction set that creators use for `asked`. For FF_ISA_AUTO it is the one that the environment
/// variable FOOTFALL_ISA names (base, avx2 or avx512; for tests), or ff_isa_best() if that is unset or empty.
/// FF_ERROR_UNSUPPORTED if this machine or this build lacks it, or the name is unknown; the message lists those
/// available, and there is no fallback. Only this function and creators read the environment, for FF_ISA_AUTO only;
/// no step does. No other thread may change the environment meanwhile, as with any getenv().
ff_status ff_isa_resolve(ff_isa asked, ff_isa *out, ff_error *error);

enum { FF_LANES_WIDE = 0 }; ///< use as many lanes as the instruction set has

/// Number of lanes and instruction set.
typedef struct ff_dynamics_def {
  int lanes;      ///< 1 (default), or FF_LANES_WIDE
  ff_isa isa;     ///< default FF_ISA_AUTO; FF_ERROR_UNSUPPORTED if the machine lacks it
  int max_points; ///< most points in one call of minv_jt or delassus, 0..10000, default 64
} ff_dynamics_def;

/// One robot at a time, with the best instruction set of this machine.
ff_dynamics_def ff_dynamics_def_default(void);

/// Create the working memory. `def` may be NULL for the default. The model must outlive the result.
ff_status ff_dynamics_create(const ff_model *model, const ff_dynamics_def *def, ff_dynamics **out,
                             ff_error *error);
void ff_dynamics_destroy(ff_dynamics *dynamics); ///< NULL is fine

int ff_dynamics_lanes(const ff_dynamics *dynamics);  ///< robots per call: 1, or 2, 4, 8 with FF_LANES_WIDE
ff_isa ff_dynamics_isa(const ff_dynamics *dynamics); ///< the instruction set in use, never FF_ISA_AUTO

// ---- Kinematics -------------------------------------------------------------------------------------------

/// Compute the poses of all bodies, their velocities if v is given, and their accelerations if v and vdot are given.
/// Functions below marked "After kinematics" use the results of the last call.
void ff_dynamics_kinematics(ff_dynamics *dynamics, const double *q, const double *v, const double *vdot);

/// Reference point and axes of a frame's velocity, acceleration or Jacobian. Rows are (linear, angular).
typedef enum ff_axes {
  FF_AXES_WORLD,         ///< spatial velocity at the world's origin, world axes
  FF_AXES_LOCAL,         ///< at the frame's origin, the frame's axes
  FF_AXES_LOCAL_ALIGNED, ///< at the frame's origin, world axes: the velocity of that point
} ff_axes;

/// After kinematics: pose of a frame in the world, position [3 x lanes], R [9 x lanes] row-major. NULL to skip.
void ff_dynamics_frame_pose(const ff_dynamics *dynamics, int frame, double *position, double *R);

/// After kinematics with v: velocity of a frame, [6 x lanes].
void ff_dynamics_frame_velocity(const ff_dynamics *dynamics, int frame, ff_axes axes, double *velocity);

/// After kinematics with v and vdot: acceleration of a frame, J vdot + Jdot v [6 x lanes]. WORLD and LOCAL give the
/// spatial acceleration (the time derivative of the spatial velocity in that frame); LOCAL_ALIGNED gives the
/// classical acceleration, d/dt of its velocity. Gravity is not included.
void ff_dynamics_frame_acceleration(const ff_dynamics *dynamics, int frame, ff_axes axes,
                                    double *acceleration);

/// After kinematics with v: Jdot v [6 x lanes], equal to ff_dynamics_frame_acceleration() at vdot = 0.
void ff_dynamics_frame_bias(const ff_dynamics *dynamics, int frame, ff_axes axes, double *bias);

/// After kinematics: J [6 x nv x lanes] row-major, velocity = J v.
void ff_dynamics_frame_jacobian(const ff_dynamics *dynamics, int frame, ff_axes axes, double *J);

/// After kinematics: centre of mass [3 x lanes] of all moving bodies.
void ff_dynamics_com(const ff_dynamics *dynamics, double *com);

/// After kinematics: J_com [3 x nv x lanes], world axes; velocity of the centre of mass = J_com v.
void ff_dynamics_com_jacobian(ff_dynamics *dynamics, double *J);

/// After kinematics with v: momentum [6 x lanes], (linear, angular about the centre of mass), world axes.
void ff_dynamics_momentum(ff_dynamics *dynamics, double *momentum);

/// After kinematics with v: time derivative of the momentum at vdot = 0 [6 x lanes]. Its linear part divided by the
/// mass is Jdot v of the centre of mass.
void ff_dynamics_momentum_bias(ff_dynamics *dynamics, double *bias);

/// After kinematics with v: kinetic energy 1/2 v' M v [lanes], armature included [J].
void ff_dynamics_kinetic_energy(ff_dynamics *dynamics, double *energy);

/// After kinematics: potential energy - sum m g' com [lanes], zero at the world's origin [J]. Weight that is carried
/// (ff_link_def.gravity_compensation) does not count.
void ff_dynamics_potential_energy(const ff_dynamics *dynamics, double *energy);

// ---- Dynamics ---------------------------------------------------------------------------------------------

/// Inverse dynamics: tau [nv x lanes] = M(q) vdot + h(q, v).
void ff_dynamics_rnea(ff_dynamics *dynamics, const double *q, const double *v, const double *vdot,
                      double *tau);

/// Bias forces h(q, v) [nv x lanes]: Coriolis, centrifugal, gravity and damping.
void ff_dynamics_bias(ff_dynamics *dynamics, const double *q, const double *v, double *h);

/// Gravity forces h(q, 0) [nv x lanes].
void ff_dynamics_gravity(ff_dynamics *dynamics, const double *q, double *g);

/// Forward dynamics by the articulated-body algorithm: vdot [nv x lanes] = M(q)^-1 (tau - h(q, v)). In a
/// configuration where a joint moves no inertia, M is singular and the result is not finite or huge. The builder
/// refuses models whose M is singular everywhere.
void ff_dynamics_aba(ff_dynamics *dynamics, const double *q, const double *v, const double *tau,
                     double *vdot);

/// Compute the mass matrix and keep it in sparse form (only pairs of coordinates on one path from a root are stored).
void ff_dynamics_crba(ff_dynamics *dynamics, const double *q);

/// After crba, before factor: M [nv x nv x lanes], both triangles.
void ff_dynamics_mass_matrix(const ff_dynamics *dynamics, double *M);

/// After crba: replace M by its factors M = L' D L, L unit lower triangular with the same sparsity. FF_ERROR_NUMERIC
/// if a pivot is not positive beyond rounding; the message names the joint and the lane, and the factors must not be
/// used.
ff_status ff_dynamics_factor(ff_dynamics *dynamics, ff_error *error);

/// After factor: solve x := M^-1 x [nv x lanes], in place.
void ff_dynamics_solve(ff_dynamics *dynamics, double *x);

/// After kinematics: Jacobian of the velocities of points, world axes, J [3 count x nv x lanes].
void ff_dynamics_point_jacobian(ff_dynamics *dynamics, int count, const ff_point *points, double *J);

/// After kinematics and factor: M^-1 J' of points, [nv x 3 count x lanes] row-major. count is at most
/// ff_dynamics_def.max_points.
void ff_dynamics_minv_jt(ff_dynamics *dynamics, int count, const ff_point *points, double *MinvJt);

/// After kinematics and factor: Delassus matrix U = J M^-1 J' of points, world axes, [3 count x 3 count x lanes],
/// both triangles. count is at most ff_dynamics_def.max_points.
void ff_dynamics_delassus(ff_dynamics *dynamics, int count, const ff_point *points, double *U);

// ---- Derivatives ------------------------------------------------------------------------------------------
// Derivatives by q are taken in the tangent space: column k is d/dt of the result at q (+) t e_k, with (+) as in
// ff_model_integrate(). So the six columns of a free joint are translations and rotations along the body's own axes.
// Entry (i, k) is at [i * nv + k], times lanes as everywhere. Given forces act at points fixed to bodies; they are
// constant in world axes while q and v vary:
//
//     tau = M(q) vdot + h(q, v) - sum J(q)' f

/// A force on a body.
typedef struct ff_point_force {
  ff_point point;  ///< point of application, fixed to the body
  double force[3]; ///< world axes [N]
} ff_point_force;

/// Derivatives of inverse dynamics: dtau_dq and dtau_dv [nv x nv x lanes] at (q, v, vdot); NULL to skip one. d tau /
/// d vdot is M, see ff_dynamics_crba(). forces [count x lanes], with the same frame in all lanes of one force; NULL
/// and 0 for none.
void ff_dynamics_rnea_derivatives(ff_dynamics *dynamics, const double *q, const double *v, const double *vdot,
                                  const ff_point_force *forces, int count, double *dtau_dq, double *dtau_dv);

/// Derivatives of forward dynamics: dvdot_dq, dvdot_dv and Minv = M^-1 = d vdot / d tau [nv x nv x lanes], with vdot
/// from M vdot + h = tau + sum J' f; NULL to skip some. Afterwards the factors of M are available, as after
/// ff_dynamics_factor(). Where M is singular the results are not finite or huge, as with ff_dynamics_aba().
void ff_dynamics_aba_derivatives(ff_dynamics *dynamics, const double *q, const double *v, const double *tau,
                                 const ff_point_force *forces, int count, double *dvdot_dq, double *dvdot_dv,
                                 double *Minv);

#ifdef __cplusplus
}
#endif
#endif
