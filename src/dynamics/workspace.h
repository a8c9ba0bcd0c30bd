/// workspace.h: the memory of the kernels for one model and one thread.
///
/// Every array is of `real`, so its size in bytes grows with the lanes. Most of what a recursion passes from
/// parent to child (or back) is kept per *level* of the tree, not per body: bodies are in depth-first order, so
/// the slot of level l - 1 still holds the parent when a body of level l is visited. This keeps the live
/// set small enough for the first-level cache with eight lanes.
#ifndef FFI_DYNAMICS_WORKSPACE_H
#define FFI_DYNAMICS_WORKSPACE_H

#include "dynamics/lanes.h"
#include "model/model.h"

/// Motion of a body in its own frame, as rnea passes it down.
typedef struct ffi_motion {
  real omega[3]; ///< angular velocity
  real alpha[3]; ///< angular acceleration
  real a[3];     ///< acceleration of the origin, minus gravity
  real B[9];     ///< [alpha]x + [omega]x^2: a point at r accelerates with a + B r
} ffi_motion;

/// Rigid-body inertia about an origin.
typedef struct ffi_rigid {
  real mc[3]; ///< first moment; the mass itself is a constant of the subtree
  real I[6];  ///< xx xy xz yy yz zz
} ffi_rigid;

/// Articulated-body inertia: force = (A H; H' I) (a; alpha) + (f; n), all about the body's origin.
typedef struct ffi_articulated {
  real A[6]; ///< xx xy xz yy yz zz
  real H[9]; ///< row-major
  real I[6]; ///< xx xy xz yy yz zz
  real f[3], n[3];
} ffi_articulated;

/// Pose of a body in the world.
typedef struct ffi_body_pose {
  real R[9]; ///< body to world, row-major
  real p[3];
} ffi_body_pose;

typedef struct ffi_twist {
  real lin[3], ang[3];
} ffi_twist;

/// A body and its subtree, for derivatives: in the axes and at the origin of its tree's root. Integrals are over mass
/// at r that moves with u; the given forces f act at r. docs/theory/dynamics.md eqs 15 to 17
typedef struct ffi_subtree {
  ffi_body_pose pose; ///< of the body
  ffi_twist vel, acc; ///< of the body, spatial, at the root's origin; acc at vdot = 0, minus gravity
  ffi_twist gain;     ///< of the body: J vdot, what vdot adds to acc
  real h[3];          ///< integral of r
  real I[6];          ///< integral of r'r 1 - r r'
  real p[3];          ///< 2 times the integral of u
  real C[9];          ///< 2 times the integral of u'r 1 - u r', row-major
  ffi_twist force;    ///< that the motion takes, less the given forces
  real s[3], X[9];    ///< sum of f, sum of f'r 1 - f r'; only with forces
} ffi_subtree;

/// A velocity, for derivatives: spatial vectors (linear, angular) in the axes and at the origin of its tree's root.
/// Of a free root, whose J are unit vectors, none of this is kept.
typedef struct ffi_velocity_column {
  real J[6]; ///< the body's velocity for a unit of this one
  real P[6]; ///< V x J, V the parent's velocity
  real W[6]; ///< P + Jdot
  real N[6]; ///< A x J + V x P, A the parent's acceleration
  real F[6]; ///< composite inertia times J
  real b[3]; ///< angular part of B' J of the composite; the linear one is zero
} ffi_velocity_column;

typedef struct ffi_work {
  const ff_model *model;
  int max_points;
  unsigned mass_version; ///< which masses these are, for the caller of refit

  // Joint transforms of the last q.
  real *sn, *cs; ///< [nq] sine and cosine of the coordinates that are angles
  real *E;       ///< [body][9] rotation body to parent, for kinds without a short form
  real *shift;   ///< [body][3] origin in the parent, for joints that translate

  // Kinematics.
  ffi_body_pose *pose; ///< [body], the world's included
  ffi_twist *vel;      ///< [body] spatial velocity, body axes
  ffi_twist *bias;     ///< [body] spatial acceleration at vdot = 0, body axes
  ffi_twist *acc;      ///< [body] spatial acceleration, body axes
  real *v;             ///< [nv] copy of the v that vel belongs to

  // Recursions, per level.
  ffi_motion *motion;           ///< [slot] of the last rnea
  ffi_twist *force;             ///< [level] sum of the children's forces
  ffi_rigid *composite;         ///< [level]
  ffi_articulated *articulated; ///< [level]
  ffi_twist *rise;              ///< [level] acceleration on the way down

  // Per body and per velocity.
  ffi_twist *body_force; ///< [body]
  int has_mass;          ///< of the model
  real *mass;            ///< [body] of the model, or of the robot in each lane, see ffi_refit_lane(); aba and
                         ///< derivatives take those of the model
  real *subtree_mass;    ///< [body] of the body and all behind it
  ffi_rigid *rigid;      ///< [body] likewise
  real *Sigma;           ///< [body][6] tr(I)/2 1 - I, likewise
  real *F;               ///< [nv][6] crba: columns (f, n) of composite inertias, on their way up
  real *G;               ///< [nv][6] aba: D^-1 U'
  real *e;               ///< [nv] aba: D^-1 u
  real *h;               ///< [nv] bias force
  real *zero;            ///< [nv] zeros

  // Lists made from the model when the workspace is laid out.
  int *prepared, prepared_count; ///< bodies whose transform needs more than sine and cosine
  int *root_of;                  ///< [body] the free body its path begins with, 0 if none
  int *component;         ///< [body] where a joint with one velocity has it in (linear, angular); else -1
  int *spans, span_count; ///< [span][2] first and one past the last of adjacent coordinates that are angles
  int *loaded, loaded_count; ///< velocities with armature or damping
  int *roots, root_count;    ///< bodies whose parent is the world
  /// [body] where its motion is: with one lane the body's number, else its level; ffi_work_keep_motion() changes that
  int *slot;

  real *M; ///< [stored entries] mass matrix by rows of ancestors; after factor: L, and 1/D on the diagonal
  real *diagonal; ///< [nv] of M before it was factored
  int *path;      ///< [stored entries] velocity index of each entry

  // Points.
  real *J;         ///< [point][max_depth][3] rows of the points' Jacobians, by position on the path
  real *Z;         ///< [point][max_depth][3] L^-T J', then scaled
  real *front;     ///< [6][3 points] the part of Z that belongs to a free root
  int *point_body; ///< [point]

  // Derivatives.
  ffi_subtree *subtree;        ///< [body]
  ffi_velocity_column *column; ///< [nv]
  real *vdot;                  ///< [nv]
  real *unused;                ///< [nv] takes the rows of a result that the caller left NULL
  real *W;                     ///< [stored entries] L^-1, by rows of ancestors as M
  real *pivot;                 ///< [nv] 1/D
  real *panel;                 ///< [nv][FFI_PANEL] some columns of D^-1 W' B
  real *tail;                  ///< [nv][FFI_PANEL] columns of a caller's matrix that end with its rows
  int *taken;                  ///< [nv] how many entries of a path have a part in the panel
  int *dof_end;                ///< [nv] one past the last velocity behind this one
} ffi_work;

/// From now on the motion of a body is still there after rnea, in motion[slot[body]].
static inline void ffi_work_keep_motion(ffi_work *w, int body)
{
  if (FFI_LANES > 1)
    w->slot[body] = w->model->max_level + 2 + body;
}

#endif
