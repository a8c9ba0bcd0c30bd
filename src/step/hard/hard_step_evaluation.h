/// moreau_look.h: one look of a step with hard contact: where things are and what is near, at one moment.
///
/// A look is a value. The stepper puts the state to be looked at in `state`, ffi_hard_step_evaluation_at() finds the rest, and
/// nothing changes it afterwards: impulses, corrections and energies have memory of their own. Only the mass matrix in
/// `at` is not the look's: the problem (moreau_problem.h) forms and factors it there, from the look's poses.
#ifndef FFI_STEP_MOREAU_LOOK_H
#define FFI_STEP_MOREAU_LOOK_H

#include "contact/element/element_rows.h"
#include "step/eval/evaluation.h"
#include "step/hard/hard_step_request.h"

#include <string.h>

/// What something near is to a step.
typedef enum ffi_hard_step_evaluation_role {
  FFI_HARD_STEP_EVALUATION_NEAR,    ///< no contact
  FFI_HARD_STEP_EVALUATION_TOUCHES, ///< it overlaps at the look, or touched in the last step
  FFI_HARD_STEP_EVALUATION_ANTICIPATED, ///< it would be driven in within the step; forgotten after it if it does not push
} ffi_hard_step_evaluation_role;

/// What a look tells the step's info.
typedef struct ffi_hard_step_evaluation_errors {
  double penetration;        ///< of the deepest overlap [m]
  double drift, drift_angle; ///< of what is held: the farthest that its ends are apart [m], [rad]
} ffi_hard_step_evaluation_errors;

typedef struct ffi_hard_step_evaluation {
  ffi_state_kinematics at; ///< poses, ground, bias
  /// q^M; z^S, the velocity of the start in the axes of the look, as v; references of the moment whose forces motors
  /// give; ground.
  ffi_state *state;
  double *coast; ///< [nv] rate of the velocities of a motion without forces, as rnea takes it
  double *h;     ///< [nv] forces that such a motion takes: bias forces, and inertia times `coast`
  int near_count;
  ffi_detect_candidate *near;          ///< [scene.most_near] in increasing order of id
  ffi_hard_step_evaluation_role *role; ///< [scene.most_near] as the step begins with: it touches, or is near
  ffi_element_rows *element;           ///< [element_count] those that are held exactly
  ffi_hard_step_evaluation_errors seen;
} ffi_hard_step_evaluation;

void ffi_hard_step_evaluation_layout(const ffi_system *s, ffi_block *block, ffi_hard_step_evaluation *out);

/// The look at the state that the stepper has put in look->state-> FF_ERROR_LIMIT if more than max_contacts touch.
ff_status ffi_hard_step_evaluation_at(ffi_system *s, const ffi_hard_step_request *request,
                                      ffi_hard_step_evaluation *look, ff_error *error);

/// The worse of the two, to the second: looks of one try.
void ffi_hard_step_evaluation_add_errors(const ffi_hard_step_evaluation_errors *seen,
                                         ffi_hard_step_evaluation_errors *sum);
/// The same, to the info of a step that was taken: what was only tried was not there.
void ffi_hard_step_evaluation_report_errors(const ffi_hard_step_evaluation_errors *seen, ff_step_info *info);

/// Poses of the bodies at the look. [body_count]
const ffi_pose *ffi_hard_step_evaluation_poses(const ffi_hard_step_evaluation *look);

/// The frame that a contact's anchor is in, at the look.
const ffi_pose *ffi_hard_step_evaluation_frame(const ffi_system *s, const ffi_hard_step_evaluation *look,
                                               const ffi_detect_candidate *near);

/// vdot [nv] of a body that goes on with velocities v, linear ones constant in fixed axes.
void ffi_hard_step_coast(const ff_model *model, const double *v, double *vdot);

#endif
