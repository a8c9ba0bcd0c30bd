/// frozen_case.h: random frozen systems, and what they do by an exponential of our own.
///
/// The mass matrix is that of a random forest in a random configuration; rows act on paths of it or between two bodies, some of them
/// redundant, some sliding; joints carry springs. The oracle knows nothing of poles, trees and sub-steps: it writes rows, their velocities and
/// the elongations of sliding contacts as one linear equation, whose exponential gives end state, integral and double integral. M^-1 is by
/// Cholesky.
///
///     ffi_frozen_rig *rig = ffi_frozen_rig_create(forest, FF_EXPONENTIAL_AUTO, 1e-4, 8);
///     ffi_frozen_case c;
///     ffi_frozen_case_random(rig, seed, &c);      // rig->frozen is ready to be solved
///     ffi_frozen_solve(&rig->frozen, c.h);
///     ffi_frozen_truth truth;
///     if (ffi_frozen_case_solve(rig, &c, 0, &truth))
///       gap = ffi_frozen_case_gap(rig, &c, &truth);
#ifndef FFI_TESTS_STEP_FROZEN_CASE_H
#define FFI_TESTS_STEP_FROZEN_CASE_H

#include "step/frozen/frozen_exact.h"
#include "step/rig.h"
#include "support/random_model.h"

enum {
  FFI_CASE_BLOCKS = 8,
  FFI_CASE_JOINTS = 6,
  FFI_CASE_ROWS = 3 * FFI_CASE_BLOCKS + FFI_CASE_JOINTS,
  FFI_CASE_NV = 64,
  FFI_CASE_STRIDE = 2 * FFI_CASE_NV
};

typedef struct ffi_frozen_rig {
  ffi_forest forest;
  ffi_rig *rig;
  ffi_system system;
  ffi_element elements[FFI_CASE_JOINTS + 1];
  ffi_frozen frozen;
  ffi_frozen_exact reference;
  ffi_state_kinematics at; ///< of the last case
  void *memory;
} ffi_frozen_rig;

/// A random system over a time h. Rows point into it: it must stay where it is.
typedef struct ffi_frozen_case {
  int blocks, joints, slides;
  double h;
  double f[FFI_CASE_NV], f1[FFI_CASE_NV], c1[FFI_CASE_BLOCKS][3];
  ffi_rows3 rows[FFI_CASE_BLOCKS];
  int dof[FFI_CASE_BLOCKS][FFI_CASE_STRIDE];
  double J[FFI_CASE_BLOCKS][3 * FFI_CASE_STRIDE];
} ffi_frozen_case;

/// What it does. Forces in world axes.
typedef struct ffi_frozen_truth {
  double mean[FFI_CASE_ROWS], double_mean[FFI_CASE_ROWS], force_end[FFI_CASE_ROWS];
  double x_end[FFI_CASE_ROWS], u_end[FFI_CASE_ROWS];
  double delta_v[FFI_CASE_NV], delta_x[FFI_CASE_NV];
  double impulse[FFI_CASE_ROWS]; ///< J delta_v: change of each row's velocity, without c
  double force;                  ///< largest spring and damper force seen at both ends [N]
  double
      fastest; ///< sqrt(|J M^-1 J'| K) + |J M^-1 J'| B by row sums, and (1 - rho) K/B: at least the fastest rate [1/s]
  double by_mass, by_K, by_B,
      by_x; ///< velocities that relative errors of 1 in M, K [x s^2], B [x s], K x [x s] could make at a row
  double mobility[FFI_CASE_ROWS]; ///< J M^-1 J' of each row
  double
      norm; ///< root of twice the energy that a motion without friction reaches at most, see step/frozen_runaway.h
  double force_start; ///< largest spring and damper force at the start [N]
  int grows; ///< it slides, and is thirty times faster at the end than at the start: friction feeds on the force it makes
  double by_force; ///< that errors of the largest force in every row's mean force could make
} ffi_frozen_truth;

/// How far rig->frozen is from the truth: the largest difference at a row, relative to the largest size there.
typedef struct ffi_frozen_gap {
  double velocity;          ///< change of velocity, as force_tolerance means it
  double mean, double_mean; ///< forces, relative to the largest force
  double end;               ///< position and velocity at the end, relative to way and speed
  double
      limit; ///< the most that `velocity` and `mean` can be if it is capped and slides: 1 + 30 times what a motion without friction reaches over what is known
  double
      reached; ///< velocity changes and mean forces of the truth over what a motion without friction reaches
  double floor_velocity,
      floor_mean;      ///< what rounding may do to the first two, in the fast path and in the oracle
  double floor_exact;  ///< and to the first in the reference path, which has velocities from forces
  double floor_forces; ///< and to forces in the reference path: of two exponentials
} ffi_frozen_gap;

ffi_frozen_rig *ffi_frozen_rig_create(int forest, ff_exponential exponential, double tolerance,
                                      int max_substeps);
void ffi_frozen_rig_destroy(ffi_frozen_rig *rig);

/// The system of a seed, given to rig->frozen up to `prepare`.
void ffi_frozen_case_random(ffi_frozen_rig *rig, uint64_t seed, ffi_frozen_case *out);

/// The oracle. `has_ramp`: f1 and c1 count. 0 if it grows beyond all numbers.
int ffi_frozen_case_solve(ffi_frozen_rig *rig, const ffi_frozen_case *c, int has_ramp, ffi_frozen_truth *out);

/// Of blocks and joints. `truth` is that of the case.
ffi_frozen_gap ffi_frozen_case_gap(const ffi_frozen_rig *rig, const ffi_frozen_case *c,
                                   const ffi_frozen_truth *truth);

#endif
