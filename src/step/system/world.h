/// world.h: what is shared by all robots and threads of a world, and never changes once it is made.
///
/// It holds everything that a step reads but does not own: the model, the colliders, the elements, the options. A
/// robot in the world is a state (state.h) and its parameters (parameters.h). A thread that steps robots has a
/// workspace (sim/sim_workspace.h).
#ifndef FFI_STEP_SYSTEM_WORLD_H
#define FFI_STEP_SYSTEM_WORLD_H

#include "contact/detect/detect.h"
#include "contact/element/elements.h"
#include "dynamics/kernels.h"
#include "step/system/state.h"

#include <footfall/controls.h>
#include <footfall/parameters.h>

typedef struct ffi_stepper ffi_stepper;

struct ff_world {
  const ff_model *model;
  ff_sim_def def;       ///< checked and complete; its ground and elements are NULL: the world has copies
  const ffi_kernels *k; ///< one lane
  const ffi_stepper *stepper;
  ffi_colliders colliders;
  ffi_elements owned;    ///< the elements
  ffi_element *elements; ///< [law_count] its items: those of the user, then dry friction of joints
  int element_count;     ///< those of the user
  int law_count;
  int coupling_count; ///< elements that are couplings
  int max_contacts;
  int has_turning; ///< a pair of colliders has torsional or rolling friction
  /// [body_count] how easily contacts turn a body [1/(kg m^2)], see sim_turning.h; NULL: has_turning is 0, or contacts
  /// are hard, without springs
  double *turning;
  int max_pending; ///< most references that can be pending at once, of motors with a delay
  ffi_state_shape shape;
  ff_control_info *controls; ///< [control_count] the inputs of a controller
  int control_count;
  ff_parameters *nominal; ///< as defined by model, ground and elements
  double fingerprint;     ///< of model, ground and elements; a state fits if it has the same
  int references;         ///< owners: sims, parameters and users; counted atomically
  unsigned versions;      ///< of masses, given out so far; counted atomically
};

#endif
