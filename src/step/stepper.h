/// stepper.h: the interface that all steppers share, and the system that they step.
///
/// A stepper maps a state to the state one dt later: `from` is not changed, `to` has the same sizes and becomes the result. It reads the
/// system, uses its working memory, fills the step's info, and allocates nothing. It keeps nothing from one step to the next
/// in that memory. A result that is not finite is found by the sim, not by the stepper.
#ifndef FFI_STEP_STEPPER_H
#define FFI_STEP_STEPPER_H

#include "base/block.h"
#include "contact/element.h"
#include "contact/scene.h"
#include "dynamics/kernels.h"
#include "step/state.h"

typedef struct ffi_system {
  const ff_model *model;
  const ff_sim_def *def; ///< checked, complete
  const ffi_kernels *k;  ///< one lane
  ffi_work *work;        ///< of k: poses, mass matrix, bias
  ffi_scene scene;
  ffi_element *elements;
  int element_count;
  int max_contacts;
  const double *tau;  ///< [nv] held over the step
  ff_step_info *info; ///< zeroed before the step
  void *memory;       ///< of the stepper, as its `layout` placed it
} ffi_system;

typedef struct ffi_stepper {
  /// Place the stepper's working memory in `block` (run twice: counting, placing) and return its root.
  void *(*layout)(const ffi_system *s, ffi_block *block);
  /// FF_OK, or FF_ERROR_NUMERIC (a singular mass matrix), FF_ERROR_LIMIT (more contacts than max_contacts).
  ff_status (*step)(ffi_system *s, const ffi_state *from, double dt, ffi_state *to, ff_error *error);
} ffi_stepper;

extern const ffi_stepper ffi_stepper_expo, ffi_stepper_expo_paper, ffi_stepper_euler, ffi_stepper_symplectic,
    ffi_stepper_rk4, ffi_stepper_implicit, ffi_stepper_ess, ffi_stepper_moreau, ffi_stepper_ca,
    ffi_stepper_c2a;

/// Are contacts rigid? Stops, points and welds are whenever the stepper is a hard one.
static inline int ffi_contacts_are_hard(const ff_sim_def *def)
{
  return ff_stepper_is_hard(def->stepper) &&
         (def->stepper != FF_STEPPER_MOREAU || def->moreau.contact == FF_HARD_CONTACT_HARD);
}

/// Does a step advance to its contacts, as `ca` and `c2a` do?
static inline int ffi_system_advances(const ffi_system *s)
{
  return s->def->stepper == FF_STEPPER_CA || s->def->stepper == FF_STEPPER_C2A;
}

/// Do compliant contacts have a slip flag (contact/flag_law.h)? Else they have anchors (contact/law.h).
static inline int ffi_contacts_have_flags(const ff_sim_def *def)
{
  return ff_stepper_is_hard(def->stepper) || def->contact_law == FF_LAW_SLIP_FLAG;
}

/// Numbers of state.held: of one element, and of all.
int ffi_element_held_count(const ff_element_def *def);
int ffi_state_held_count(const ffi_system *s);

/// Place the arrays of a state in a block.
void ffi_state_layout(const ffi_system *s, ffi_block *block, ffi_state *out);

/// Copy everything of a state.
void ffi_state_copy(const ffi_system *s, const ffi_state *from, ffi_state *to);

/// What moves by itself: time, element references, ground. Not q, v and contacts. Forces of hard elements are cleared.
void ffi_state_advance(const ffi_system *s, const ffi_state *from, double dt, ffi_state *to);

#endif
