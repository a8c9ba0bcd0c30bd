/// stepper.h: the interface that all steppers share, and the system that they step.
///
/// A stepper maps a state to the state one dt later: `from` is not changed, `to` has the same shape and becomes the
/// result. It reads the
/// system, uses its working memory, fills the step's info, and allocates nothing. It keeps nothing from one step to the next
/// in that memory. A result that is not finite is found by the sim, not by the stepper.
///
/// **The start of a step.** What the state `from` looks like (contacts, rows, laws) may have been asked for before the
/// step: by a report, a controller, a log. It is in
/// `present`, with the state's stamp, and ffi_evaluation_start() takes it from there or evaluates it, to the same bits.
/// From then on the step works in it.
#ifndef FFI_STEP_STEPPER_H
#define FFI_STEP_STEPPER_H

#include "base/block.h"
#include "step/system/state.h"
#include "step/system/world.h"

typedef struct ffi_evaluation ffi_evaluation;

/// The first tries of a step of ca or c2a.
typedef struct ffi_stepper_history {
  int count;
  ff_c2a_try tries[FF_C2A_HISTORY];
} ffi_stepper_history;

/// A world, a robot's parameters and a thread's workspace, brought together for a call. Nothing of it is changed by
/// looking.
typedef struct ffi_system {
  const ff_world *world;
  const ff_sim_def *def;
  const ffi_kernels *k;                  ///< one lane
  const struct ffi_step_kernels *step_k; ///< of the same instruction set, see kernels.h
  const ffi_colliders *scene;
  int element_count;
  int max_contacts;

  // The robot's, see parameters.h.
  const ff_model *model;        ///< with its own masses and gravity
  const ffi_element *elements;  ///< with its own gains
  const ff_material *materials; ///< [pairs]
  unsigned mass_version; ///< of its masses and gravity: kernel workspaces of another version are refitted

  // The call's.
  const double *tau;  ///< [nv] held over the step
  ff_step_info *info; ///< zeroed before the step

  ffi_stepper_history *history; ///< ca, c2a: emptied before the step

  // The thread's, see workspace.h.
  ffi_evaluation *present;      ///< of the state that a step begins with; whose it is says the caller
  ffi_detect_memory *detection; ///< what detection works in
  ffi_work
      *spare;   ///< of k: for a number that is wanted at once, such as an energy; nobody finds anything in it
  void *memory; ///< of the stepper, as its `layout` placed it
} ffi_system;

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

/// Does a step advance to its contacts, as `ca` and `c2a` do?
static inline int ffi_stepper_advances(const ffi_system *s)
{
  return s->def->stepper == FF_STEPPER_CA || s->def->stepper == FF_STEPPER_C2A;
}

/// Do compliant contacts have a slip flag (contact/flag_law.h)? Else they have anchors (contact/law.h).
static inline int ffi_stepper_has_slip_flags(const ff_sim_def *def)
{
  return ff_stepper_is_hard(def->stepper) || def->contact_law == FF_LAW_SLIP_FLAG;
}

/// Numbers of state.held of one element.
int ffi_state_element_force_count(const ff_element_def *def);

/// The shape of the states of a world whose model, scene, elements and max_contacts are known.
ffi_state_shape ffi_state_shape_of(const ff_world *world);

/// A state in `memory` of shape->bytes: its arrays are bound to it, all else is zero.
ffi_state *ffi_state_in(const ffi_state_shape *shape, void *memory);

/// Place a state in a block; NULL while counting.
ffi_state *ffi_state_layout(const ffi_system *s, ffi_block *block);

/// Copy everything of a state.
void ffi_state_copy(const ffi_system *s, const ffi_state *from, ffi_state *to);

/// What moves by itself: time, element references, ground. Not q, v and contacts. Forces of hard elements are cleared.
void ffi_state_advance(const ffi_system *s, const ffi_state *from, double dt, ffi_state *to);

#endif
