/// stepper.h: the interface that all steppers (integrators) share.
///
/// A stepper maps a state to the state one dt later. It does not change `from`; `to` has the same shape and becomes
/// the result. It reads the system, uses its working memory, fills the step's info, and allocates nothing. It keeps
/// nothing from one step to the next in that memory. The sim checks whether the result is finite, not the stepper.
///
/// **The start of a step** (compliant contact). The evaluation of `from` (contacts, rows, laws) may exist before the
/// step begins, made for a report, a controller or a log. It is then in `present`, with the state's stamp.
/// ffi_evaluation_start() takes it from there or makes it, to the same bits. From then on the step works in it.
#ifndef FFI_STEP_SYSTEM_STEPPER_H
#define FFI_STEP_SYSTEM_STEPPER_H

#include "step/system/system.h"

struct ffi_stepper {
  /// Place the stepper's working memory in `block` (run twice: counting, placing) and return its root.
  void *(*layout)(const ffi_system *s, ffi_block *block);
  /// FF_OK, or FF_ERROR_NUMERIC (a singular mass matrix), FF_ERROR_LIMIT (more contacts than max_contacts).
  ff_status (*step)(ffi_system *s, const ffi_state *from, double dt, ffi_state *to, ff_error *error);
};

extern const ffi_stepper ffi_expo_stepper, ffi_expo_paper_stepper, ffi_euler_stepper, ffi_symplectic_stepper,
    ffi_rk4_stepper, ffi_implicit_stepper, ffi_ess_stepper, ffi_moreau_stepper, ffi_ca_stepper,
    ffi_c2a_stepper;

/// Are contacts rigid? Stops, points and welds are whenever the stepper is a hard one.
static inline int ffi_stepper_has_hard_contacts(const ff_sim_def *def)
{
  return ff_stepper_is_hard(def->stepper) &&
         (def->stepper != FF_STEPPER_MOREAU || def->moreau.contact == FF_HARD_CONTACT_HARD);
}

/// Do compliant contacts have a slip flag (contact/law/flag_law.h)? Else they have anchors
/// (contact/law/contact_law.h).
static inline int ffi_stepper_has_slip_flags(const ff_sim_def *def)
{
  return ff_stepper_is_hard(def->stepper) || def->contact_law == FF_LAW_SLIP_FLAG;
}

/// Does a step advance to its contacts, as `ca` and `c2a` do?
static inline int ffi_stepper_advances(const ffi_system *s)
{
  return s->def->stepper == FF_STEPPER_CA || s->def->stepper == FF_STEPPER_C2A;
}

#endif
