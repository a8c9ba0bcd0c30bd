/// kinematics.h: where everything is at one state: poses of bodies and of ground, and what the kernels make of them.
///
/// Whoever looks at a state owns one: two looks are two of them, and neither changes the other. What is in it belongs
/// to the state that ffi_state_kinematics_at() was given last. The mass
/// matrix and its factors are made when they are asked for first; both have one place, so that asking for the one gives
/// up the other, which comes back to the same
/// bits when it is asked for again.
#ifndef FFI_STEP_KINEMATICS_H
#define FFI_STEP_KINEMATICS_H

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

/// The spare workspace of the system, with the masses of its robot: for what is wanted at once.
ffi_work *ffi_state_kinematics_spare_work(const ffi_system *s);

/// Energy of motion, and that of height to *height [J]. In the spare workspace: no look is disturbed.
double ffi_state_kinematics_energy(const ffi_system *s, const double *q, const double *v, double *height);

/// The factors of a matrix that somebody put into the workspace in place of M.
ff_status ffi_state_kinematics_factor_work(const ffi_system *s, ffi_work *work, ff_error *error);

#endif
