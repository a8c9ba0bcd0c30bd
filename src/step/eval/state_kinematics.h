/// state_kinematics.h: poses of bodies and ground at one state, and its mass matrix.
///
/// Each evaluation of a state owns one, so two evaluations do not affect each other. Its content belongs to the state
/// that ffi_state_kinematics_at() was given last. The mass matrix and its factors are made when they are first asked
/// for. They share one memory: asking for one gives up the other, which is made again, to the same bits, when it is
/// asked for.
#ifndef FFI_STEP_EVAL_STATE_KINEMATICS_H
#define FFI_STEP_EVAL_STATE_KINEMATICS_H

#include "step/system/stepper.h"

typedef enum ffi_state_kinematics_mass {
  FFI_STATE_KINEMATICS_MASS_NONE,     ///< not asked for
  FFI_STATE_KINEMATICS_MASS_FORMED,   ///< M is in the workspace of the kernels
  FFI_STATE_KINEMATICS_MASS_FACTORED, ///< its factors are
} ffi_state_kinematics_mass;

typedef struct ffi_state_kinematics {
  ffi_work *work;          ///< of the kernels
  const ffi_pose *body;    ///< [body_count] poses, in it
  ffi_pose *ground;        ///< [ground_count]
  double *ground_velocity; ///< [ground_count][6]
  int ground_moves;        ///< any of it
  ffi_state_kinematics_mass mass;
} ffi_state_kinematics;

/// A workspace of the kernels (run twice: counting, placing); NULL while counting.
ffi_work *ffi_state_kinematics_layout_work(const ffi_system *s, ffi_block *block);

void ffi_state_kinematics_layout(const ffi_system *s, ffi_block *block, ffi_state_kinematics *out);

/// Poses of a state.
void ffi_state_kinematics_at(const ffi_system *s, const ffi_state *x, ffi_state_kinematics *out);

/// Bodies [body_count] and ground [ground_count].
static inline ffi_poses ffi_state_kinematics_places(const ffi_state_kinematics *k)
{
  return (ffi_poses){.body = k->body, .ground = k->ground};
}

/// M of this configuration, to k->work.
void ffi_state_kinematics_form_mass(const ffi_system *s, ffi_state_kinematics *k);

/// Its factors. FF_ERROR_NUMERIC names the joint if it is singular.
ff_status ffi_state_kinematics_factor(const ffi_system *s, ffi_state_kinematics *k, ff_error *error);

/// The spare workspace of the system, with the masses of its robot: for results that are used at once.
ffi_work *ffi_state_kinematics_spare_work(const ffi_system *s);

/// Kinetic energy; potential energy to *height [J]. Uses the spare workspace, so no evaluation is disturbed.
double ffi_state_kinematics_energy(const ffi_system *s, const double *q, const double *v, double *height);

/// The factors of a matrix that the caller put into the workspace in place of M.
ff_status ffi_state_kinematics_factor_work(const ffi_system *s, ffi_work *work, ff_error *error);

#endif
