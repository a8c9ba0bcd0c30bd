/// hard_step_evaluation.h: poses, near features and constraints of a step with hard contact, at one moment.
///
/// An evaluation is a value. The stepper puts a state in `state`, ffi_hard_step_evaluation_at() finds the rest, and
/// nothing changes it afterwards: impulses, corrections and energies have memory of their own. Only the mass matrix
/// in `at` is not the evaluation's: the problem (hard_step_problem.h) forms and factors it there, from these poses.
#ifndef FFI_STEP_HARD_HARD_STEP_EVALUATION_H
#define FFI_STEP_HARD_HARD_STEP_EVALUATION_H

#include "contact/element/element_rows.h"
#include "step/eval/evaluation.h"
#include "step/hard/hard_step_request.h"

#include <string.h>

/// The role of a near feature in a step.
typedef enum ffi_hard_step_evaluation_role {
  FFI_HARD_STEP_EVALUATION_NEAR,    ///< no contact
  FFI_HARD_STEP_EVALUATION_TOUCHES, ///< it overlaps, or touched in the last step
  FFI_HARD_STEP_EVALUATION_ANTICIPATED, ///< it would penetrate within the step; dropped after it if it does not push
} ffi_hard_step_evaluation_role;

/// What an evaluation reports to the step's info.
typedef struct ffi_hard_step_evaluation_errors {
  double penetration;        ///< of the deepest overlap [m]
  double drift, drift_angle; ///< of constraints: the farthest that their ends are apart [m], [rad]
} ffi_hard_step_evaluation_errors;

typedef struct ffi_hard_step_evaluation {
  ffi_state_kinematics at; ///< poses, ground, bias
  /// q^M; as v z^S, the velocity of the start in the axes of the evaluation; references of the moment whose forces
  /// motors give; ground.
  ffi_state *state;
  double *coast; ///< [nv] rate of the velocities of a motion without forces, as rnea takes it
  double *h;     ///< [nv] forces that such a motion takes: bias forces, and inertia times `coast`
  int near_count;
  ffi_detect_candidate *near; ///< [colliders.max_candidates] in increasing order of id
  ffi_hard_step_evaluation_role
      *role;                 ///< [colliders.max_candidates] at the start of the step: it touches, or is near
  ffi_element_rows *element; ///< [element_count] of those that are rigid constraints
  ffi_hard_step_evaluation_errors errors;
} ffi_hard_step_evaluation;

void ffi_hard_step_evaluation_layout(const ffi_system *s, ffi_block *block, ffi_hard_step_evaluation *out);

/// Evaluate the state that the stepper has put in evaluation->state. FF_ERROR_LIMIT if more than max_contacts touch.
ff_status ffi_hard_step_evaluation_at(ffi_system *s, const ffi_hard_step_request *request,
                                      ffi_hard_step_evaluation *evaluation, ff_error *error);

/// The worse of the two, to the second: for several evaluations of one try.
void ffi_hard_step_evaluation_add_errors(const ffi_hard_step_evaluation_errors *errors,
                                         ffi_hard_step_evaluation_errors *sum);
/// The same, to the info of a step that was accepted. Rejected tries do not count.
void ffi_hard_step_evaluation_report_errors(const ffi_hard_step_evaluation_errors *errors,
                                            ff_step_info *info);

/// Poses of the bodies. [body_count]
const ffi_pose *ffi_hard_step_evaluation_poses(const ffi_hard_step_evaluation *evaluation);

/// The frame of a contact's anchor.
const ffi_pose *ffi_hard_step_evaluation_frame(const ffi_system *s,
                                               const ffi_hard_step_evaluation *evaluation,
                                               const ffi_detect_candidate *near);

/// vdot [nv] of bodies that move on with velocities v, linear ones constant in fixed axes. moreau.md, section on
/// velocities
void ffi_hard_step_coast(const ff_model *model, const double *v, double *vdot);

#endif
