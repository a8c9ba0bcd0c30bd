/// system.h: a world, a robot's parameters and a thread's workspace, brought together for a call.
///
/// Evaluations and steppers read it. They write only its info, its motion, its history and what belongs to the
/// thread.
#ifndef FFI_STEP_SYSTEM_SYSTEM_H
#define FFI_STEP_SYSTEM_SYSTEM_H

#include "base/early_stop.h"
#include "step/system/state.h"
#include "step/system/world.h"

typedef struct ffi_evaluation ffi_evaluation;

/// The first tries of a step of ca or c2a.
typedef struct ffi_system_history {
  int count;
  ff_c2a_try tries[FF_C2A_HISTORY];
} ffi_system_history;

struct ffi_system {
  const ff_world *world;
  const ff_sim_def *def;
  const ffi_kernels *k;                  ///< one lane
  const struct ffi_step_kernels *step_k; ///< of the same instruction set, see step_kernels.h
  const ffi_colliders *colliders;
  int element_count;    ///< those of the user
  int law_count;        ///< these, and the dry friction of joints behind them
  int friction_count;   ///< laws of dry friction among them
  int constraint_count; ///< couplings, points and welds among them
  int most_reach;       ///< most velocities in the reach of an element, see elements.h
  int max_contacts;
  int has_turning;       ///< of the world
  const double *turning; ///< of the world
  int turning_at;        ///< where the springs or moments of turning begin in state.element_force

  // The robot's, see parameters.h.
  const ff_model *model;        ///< with its own masses and gravity
  const ffi_element *elements;  ///< [law_count] with its own gains
  const ff_material *materials; ///< [pairs]
  unsigned mass_version; ///< of its masses and gravity: kernel workspaces of another version are refitted

  // The call's.
  const double *tau;  ///< [nv] constant over the step
  ff_step_info *info; ///< zeroed before the step
  /// Kinetic and potential energy of the result [J], by a stepper that has them at little cost; has_motion is 0 before
  /// the step
  double motion[2];
  int has_motion;

  ffi_system_history *history; ///< ca, c2a: emptied before the step
  ffi_early_stop *interrupt;   ///< NULL: nobody interrupts

  // The thread's, see sim/sim_workspace.h.
  ffi_evaluation *present;      ///< of the state that a step begins with; the caller says of which robot
  ffi_detect_memory *detection; ///< where detection works
  double *
      work; ///< [1] of evaluations and solves since it was set to 0, see ffi_evaluation_at(); for bounds of a step
  ffi_work *spare; ///< of k: for a number that is needed at once, such as an energy; nothing is kept in it
  void *memory;    ///< of the stepper, as its `layout` placed it
};

/// The system of a world with nominal parameters, without workspace and robot: enough to lay things out.
ffi_system ffi_system_of(const ff_world *world);

/// Shall the step end now? A stepper asks between substeps and iterations, and returns FF_ERROR_INTERRUPTED, or
/// anything at all: the sim discards what an interrupted step returns, and makes the message.
static inline int ffi_system_is_interrupted(const ffi_system *s)
{
  return ffi_early_stop_found(s->interrupt);
}

#endif
