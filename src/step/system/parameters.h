/// parameters.h: a robot's parameters inside: its model, its elements and the materials of its pairs, each the world's
/// with numbers of its own.
#ifndef FFI_STEP_PARAMETERS_H
#define FFI_STEP_PARAMETERS_H

#include "model/model.h"
#include "step/system/stepper.h"

struct ff_parameters {
  ff_world *world;
  ff_model model;          ///< the world's, with these bodies and this gravity
  ffi_body *bodies;        ///< [body_count]
  ff_inertia *inertia;     ///< [links] that the bodies are the sums of
  ffi_element *elements;   ///< [element_count]
  ff_material *party;      ///< [party_count]
  ff_material *materials;  ///< [pair_count] of the two of each pair together
  ffi_pose *ground;        ///< [ground_count] where a reset puts it
  double *ground_velocity; ///< [ground_count][6]
  unsigned version;        ///< of masses and gravity: no other ones in this world have the same
  size_t bytes;            ///< of all of it
};

/// As model, ground and elements of a world were defined. It does not hold on to the world. FF_ERROR_MEMORY, or a pair
/// whose material makes no sense.
ff_status ffi_parameters_create(const ff_world *world, ff_parameters **out, ff_error *error);
void ffi_parameters_free(ff_parameters *p);

/// All numbers of `from` to `to`, of the same world.
void ffi_parameters_copy(const ff_parameters *from, ff_parameters *to);

/// Body masses from p->inertia, of the body that a link is part of.
void ffi_parameters_sum_body(ff_parameters *p, int body);

#endif
