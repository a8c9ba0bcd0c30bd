/// elements.h: the compliant elements of a sim, listed once at its creation.
///
/// A joint element acts on one velocity (joint_law.h). A point or weld is one or two blocks of three rows in world
/// axes, which steppers treat like contacts that never slip and never part.
#ifndef FFI_CONTACT_ELEMENTS_H
#define FFI_CONTACT_ELEMENTS_H

#include "contact/element/joint_law.h"

#include <footfall/sim.h>

typedef struct ffi_element {
  ff_element_def def; ///< name owned by the sim; reference and reference_velocity are the initial ones
  int q, v;           ///< joint elements: its coordinate and velocity; else -1
  int is_spring;      ///< a joint's own spring: acts as a PD but is not a motor
} ffi_element;

/// The elements of a sim: those of the model (limits, springs, position and velocity actuators, its own) if
/// def->model_elements, then those listed in the def; <footfall/element.h> says which stop a joint has if several are
/// given. Checks all numbers. out [count] is one allocation with its names, for ffi_elements_free().
ff_status ffi_elements_create(const ff_model *model, const ff_sim_def *def, ffi_element **out, int *count,
                              ff_error *error);
void ffi_elements_free(ffi_element *elements);

#endif
