/// evaluation.h: everything about one state: poses, contacts, and the forces of contacts and elements.
///
/// ffi_evaluation_at() takes a state and computes, in this order: poses; features near surfaces; the contacts among
/// them; bias forces h; rows J, velocities and forces of the contacts; forces of the elements.
/// ffi_evaluation_acceleration() adds the mass matrix, its factors and vdot. All steppers with compliant contact begin
/// a step with this, and explicit ones need nothing else; hard ones have step/hard/hard_step_evaluation.h.
///
/// An evaluation is a value. It owns all its results, poses and mass matrix included. So two of them (start and end
/// of a step) can be compared, and evaluating a third state changes neither.
#ifndef FFI_STEP_EVAL_EVALUATION_H
#define FFI_STEP_EVAL_EVALUATION_H

#include "contact/element/elements.h"
#include "step/eval/constraint.h"
#include "step/eval/contact.h"
#include "step/eval/coupling.h"
#include "step/eval/state_kinematics.h"

struct ffi_evaluation {
  /// Of the state that it is the evaluation of, as the start of a step; 0: of another, or a step has worked in it
  uint64_t stamp;
  ffi_state_kinematics at; ///< poses and mass matrix
  double deepest;          ///< the deepest overlap [m]
  int stride;              ///< of the rows' J, a multiple of 4
  /// Length of the substep that led here [s], 0: a whole step. Set by the caller, for passivity.h.
  double since;
  int near_count;
  ffi_detect_candidate *near; ///< [colliders.max_candidates]
  int count;
  ffi_contact *contact; ///< [max_contacts], in increasing order of id
  int joint_row_count;
  ffi_joint_law_row *joint_row; ///< [law_count] joint elements and dry friction, in order
  int *joint_row_element;       ///< [law_count] the element of each
  int constraint_count;
  ffi_constraint *constraint; ///< blocks of points and welds, in the order of elements
  ffi_coupling coupling;      ///< scratch of rigid couplings
  double *h;                  ///< [nv] bias forces
  double
      *force; ///< [nv] tau - h + J' (contacts, constraints) + joint rows, after ffi_evaluation_acceleration()
  double *vdot; ///< [nv] after ffi_evaluation_acceleration()
  double *J;    ///< storage of all rows
  int *dofs;    ///< storage of dof lists of rows that join two bodies
};

/// Stride of the rows' J in all evaluations of a system.
int ffi_evaluation_stride(const ffi_system *s);

void ffi_evaluation_layout(const ffi_system *s, ffi_block *block, ffi_evaluation *out);

/// A feature nearer to a surface than this is listed [m].
#define FFI_EVALUATION_NEAR_MARGIN 0.02

typedef enum ffi_evaluation_set {
  FFI_EVALUATION_CURRENT, ///< contacts of x that have not parted, and all new overlaps (the start of a step)
  FFI_EVALUATION_SUBSTEP, ///< exactly the contacts of x, their springs limited as at the start of a step
  FFI_EVALUATION_FIXED,   ///< exactly the contacts of x (a stage, or the end of a substep)
} ffi_evaluation_set;

/// Evaluate a state. FF_ERROR_LIMIT if there are more contacts than max_contacts. Adds to *s->work: one and more for
/// velocities, contacts and pairs of shapes whose distance is found by iteration. A unit takes 0.2 to 3 us.
ff_status ffi_evaluation_at(const ffi_system *s, const ffi_state *x, ffi_evaluation_set set,
                            ffi_evaluation *out, ff_error *error);

/// The evaluation of a state with its current contacts: a step begins with it, and reports come from it. It is not
/// made again if *out is of the same stamp.
ff_status ffi_evaluation_current(const ffi_system *s, const ffi_state *x, ffi_evaluation *out,
                                 ff_error *error);

/// The same for a step that begins: in s->present, where the step works from then on.
ff_status ffi_evaluation_start(const ffi_system *s, const ffi_state *from, ff_error *error);

/// After the reference of a motor was changed: its force in an evaluation of x, as a new evaluation would have it.
void ffi_evaluation_set_motor(const ffi_system *s, const ffi_state *x, int element, ffi_evaluation *out);

/// FF_ERROR_LIMIT with its message.
ff_status ffi_evaluation_too_many_contacts(const ffi_system *s, ff_error *error);

/// i->force, then M, its factors, and i->vdot. FF_ERROR_NUMERIC if M is singular.
ff_status ffi_evaluation_acceleration(const ffi_system *s, ffi_evaluation *i, ff_error *error);

#endif
