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
  double *packed;          ///< what steps in lanes take of these numbers, see ffi_parameters_pack()
  unsigned version;        ///< of masses and gravity; unique in the world
  size_t bytes;            ///< of all of it
};

/// Parameters as model, ground and elements of a world define them. They do not keep the world alive. FF_ERROR_MEMORY,
/// or the error of a pair whose material makes no sense.
ff_status ffi_parameters_create(const ff_world *world, ff_parameters **out, ff_error *error);
void ffi_parameters_free(ff_parameters *p);

/// All numbers of `from` to `to`, of the same world.
void ffi_parameters_copy(const ff_parameters *from, ff_parameters *to);

/// Where the parts of `packed` begin: gravity [3] and its size; of each body mass, mc [3] and I [6]; of each element
/// stiffness, damping, effort; of each pair stiffness, damping, friction. Side by side, so that thousands of robots
/// with parameters of their own move little memory.
enum {
  FFI_PARAMETERS_GRAVITY = 0,
  FFI_PARAMETERS_BODIES = 4,
  FFI_PARAMETERS_OF_BODY = 10,
  FFI_PARAMETERS_OF_ELEMENT = 3,
  FFI_PARAMETERS_OF_PAIR = 3
};
static inline size_t ffi_parameters_elements_at(const ff_world *world)
{
  return FFI_PARAMETERS_BODIES + FFI_PARAMETERS_OF_BODY * (size_t)world->model->body_count;
}
static inline size_t ffi_parameters_pairs_at(const ff_world *world)
{
  return ffi_parameters_elements_at(world) + FFI_PARAMETERS_OF_ELEMENT * (size_t)world->law_count;
}
/// Bring p->packed up to date. Of parameters that belong to a robot or to the world it always is.
void ffi_parameters_pack(const ff_world *world, ff_parameters *p);

/// Mass and inertia of a body, from p->inertia of its links.
void ffi_parameters_sum_body(ff_parameters *p, int body);

#endif
