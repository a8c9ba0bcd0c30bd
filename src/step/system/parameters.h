/// parameters.h: a robot's parameters inside: its model, elements and materials of pairs. Each is the world's, with
/// numbers of the robot's own.
#ifndef FFI_STEP_SYSTEM_PARAMETERS_H
#define FFI_STEP_SYSTEM_PARAMETERS_H

#include "model/model.h"
#include "step/system/world.h"

struct ff_parameters {
  ff_world *world;
  ff_model model;          ///< the world's, with these bodies and this gravity
  ffi_body *bodies;        ///< [body_count]
  ff_inertia *inertia;     ///< [links] whose sums are the bodies
  double *lift;            ///< [body_count][4] of this model; NULL as in the world's
  ffi_element *elements;   ///< [law_count]
  ff_material *material;   ///< [colliders.count]
  ff_material *materials;  ///< [pair_count] combined from the two of each pair
  ffi_pose *ground;        ///< [ground_count] where a reset puts it
  double *ground_velocity; ///< [ground_count][6]
  unsigned version;        ///< of masses and gravity; unique in the world
  size_t bytes;            ///< of all of it
};

/// Parameters as model, ground and elements of a world define them. They do not keep the world alive. FF_ERROR_MEMORY,
/// or the error of a pair whose material makes no sense.
ff_status ffi_parameters_create(const ff_world *world, ff_parameters **out, ff_error *error);
void ffi_parameters_free(ff_parameters *p);

/// All numbers of `from` to `to`, of the same world.
void ffi_parameters_copy(const ff_parameters *from, ff_parameters *to);

/// Mass and inertia of a body, from p->inertia of its links.
void ffi_parameters_sum_body(ff_parameters *p, int body);

#endif
