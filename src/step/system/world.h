/// world.h: a world inside: what never changes once it is made, and any number of threads share.
///
/// Everything that a step reads but does not own is here: the model, what can touch, elements, options. A robot in the
/// world is a state (state.h) and its parameters
/// (parameters.h); a thread that steps robots has a workspace (workspace.h).
#ifndef FFI_STEP_WORLD_H
#define FFI_STEP_WORLD_H

#include "contact/detect/colliders.h"
#include "contact/element/elements.h"
#include "dynamics/kernels.h"

#include <footfall/controls.h>
#include <footfall/parameters.h>

typedef struct ffi_stepper ffi_stepper;

/// Where the arrays of a state are in its block, in bytes from its beginning; touching is the last.
typedef struct ffi_state_shape {
  size_t q, v, reference, reference_velocity, ground, ground_velocity, held, pending, touching;
  size_t bytes;
  int held_count;
} ffi_state_shape;

struct ff_world {
  const ff_model *model;
  ff_sim_def def;       ///< checked and complete; ground and elements are NULL here, the world has its own
  const ffi_kernels *k; ///< one lane
  const ffi_stepper *stepper;
  ffi_colliders scene;
  ffi_element *elements;
  int element_count;
  int max_contacts;
  int max_pending; ///< references that can wait at once, of motors with a delay
  ffi_state_shape shape;
  ff_control_info *controls; ///< [control_count] which numbers a controller gives
  int control_count;
  ff_parameters *nominal; ///< as model, ground and elements were defined
  double fingerprint;     ///< of model, ground and elements: whose states fit
  int references;         ///< how many sims, parameters and users hold it; counted atomically
  unsigned versions;      ///< of masses, given out so far; counted atomically
};

#endif
