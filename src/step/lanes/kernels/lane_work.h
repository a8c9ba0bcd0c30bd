/// lane_work.h: the working memory of a thread for steps in lanes; one robot in each lane.
///
/// Matrices have the rows of the dynamics kernels: row i of M begins at model->dof_row[i] and holds the entries of the
/// velocities on the path to i. Names and equations are those of step/eval, step/frozen and step/expo.
#ifndef FFI_STEP_LANES_KERNELS_LANE_WORK_H
#define FFI_STEP_LANES_KERNELS_LANE_WORK_H

#include "dynamics/workspace.h"
#include "step/lanes/kernels/lane_masks.h"
#include "step/lanes/lane_kernels.h"

/// A feature: what the states and parameters of the lanes say of it.
typedef struct ffi_lane_spot {
  const ffi_lane_feature *feature;
  int columns;     ///< velocities on the path of its body
  const int *dof;  ///< [columns]
  real_bits known; ///< lanes whose state has it as a contact
  real K, B, mu;   ///< of its pair
  real anchor[3];  ///< of the contact, in the world; else undefined
  real stored;     ///< of the contact: how far its springs were stretched by work [m]
  real rest;       ///< of the contact: gap at which its normal spring is at rest [m]
} ffi_lane_spot;

/// A contact. Lanes without it have zero rows, x, u and c.
typedef struct ffi_lane_contact {
  int index;        ///< of its feature
  int columns;      ///< velocities on the path of its body
  const int *dof;   ///< [columns]
  real *J, *J_end;  ///< [columns][3]
  real_bits active; ///< lanes that have it
  real K, B, mu;
  real anchor[3], limit; ///< at the start; largest stretch of its springs
  real rest;             ///< gap at which its normal spring is at rest
  vec3 point;            ///< at the start
  real x[3], u[3], c[3]; ///< contact.md, section 5
  real push,
      trial; ///< normal force, negative ones too, and size of the tangential force, if it could not slip

  // Of expo's calm step.
  real point_end[3], c1[3], c_end[3], c_mid[3];
  real now_x[3], now_u[3], sum[3], double_sum[3];
  real mean[3], double_mean[3];
  real mobility[3];

  // As the state will keep it.
  real_bits sticks, slips; ///< of steppers without events: lanes in which it does at the start
  real_bits stays, is_new; ///< lanes in which it is a contact at the end; in which it was none at the start
  real shift[3];           ///< displacement of its anchor in the world
  real force[3];           ///< mean over the step
  real stretch;            ///< its `stored`
} ffi_lane_contact;

/// A motor or spring on a joint.
typedef struct ffi_lane_spring {
  int q, v;
  real K, B, effort, reference, rate; ///< of the robot in each lane
  real now_K, now_B;                  ///< in the frozen system: 0 in lanes where it saturates
  real x, u, now_x, now_u, sum, double_sum, mean, double_mean, mobility;
} ffi_lane_spring;

/// Stops of a joint.
typedef struct ffi_lane_stop {
  int q, v;
  real K, B, lower, upper;
} ffi_lane_stop;

/// Bounds of the error: see ffi_frozen_bounds.
typedef struct ffi_lane_bounds {
  real least_time, most_time; ///< B/K [s]
  real least_K, most_K, force;
  real first[4], later[4]; ///< ffi_poles_bounds() of the last subinterval, and of those before it
  real once, end, rate;
  real_bits has_rough; ///< lanes whose norms are rough first
} ffi_lane_bounds;

struct ffi_lane_work {
  const ffi_lane_plan *plan;
  const ff_model *model;
  ffi_work *dynamics;
  int entries;
  int *dof_end;                        ///< [nv] one past the last velocity of the subtree
  real_bits ok;                        ///< lanes whose step is possible so far
  real_bits finer;                     ///< lanes that need more subintervals
  real_bits refused[FFI_LANE_REASONS]; ///< lanes that were not ok any more, by the first reason
  real_bits slid,
      unusual; ///< lanes with a contact that slid in the last step, that no step in lanes leaves so
  real *q, *v, *tau, *q_end, *v_end;
  real *xi;                ///< [nv] displacement over the step
  real *h, *h_end, *h_mid; ///< [nv] bias forces
  real *f, *f1;            ///< [nv]
  real *M, *L;             ///< [entries] at the start; its factor, for mobilities
  real *G_K, *G_B;         ///< [entries] sums of K J'J and B J'J over the contacts
  real *S;                 ///< [4][entries][2]
  real *alpha;             ///< [4][nv][2]
  real *impedance;         ///< [nv][2] of motors, at one pole
  real *inverse;           ///< [4][nv][2] 1/D of the factors of S
  real *V;                 ///< [nv][4]
  real *A, *E;             ///< [nv][4]
  real *delta_v, *delta_x, *predicted_v, *predicted_x, *acceleration, *scratch;
  ffi_lane_spot *spot;       ///< [features]
  real *gap, *gap_end;       ///< [features] of points, or of the surfaces of balls
  vec3 *place, *place_end;   ///< [features] of points, or of the centres of balls
  vec3 *normal;              ///< [planes]
  real *height;              ///< [planes] of the boundary along the normal
  ffi_lane_contact *contact; ///< [features]
  int contact_count;
  ffi_state_contact *kept; ///< [features] those of a lane, on their way back into its state
  ffi_lane_spring *spring; ///< [motors]
  ffi_lane_stop *stop;     ///< [stops]
  real gravity;            ///< its size
  real kinetic, potential, elastic, deepest, error;
  real slipping;       ///< contacts that slip
  real control_work;   ///< of tau over the step [J]
  real reference_work; ///< see ffi_lane_report
  ffi_lane_bounds bounds;
  const ff_parameters *fitted[FFI_LANES]; ///< whose parameters a lane has; the world's own are loaded once
};

/// Lanes in which this does not hold are not ok.
FFI_ALWAYS void lane_demand(ffi_lane_work *w, ffi_lane_reason reason, real_bits holds)
{
  w->refused[reason] |= w->ok & ~holds;
  w->ok &= holds;
}

#endif
