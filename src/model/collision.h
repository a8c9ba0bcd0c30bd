/// collision.h: by what the description says, may two shapes collide? The one place that decides.
///
/// The rules and their order are in the public header of the same name. Whether there is an algorithm for two shapes
/// is not known here: contact/detect/collider_pairs.h.
#ifndef FFI_MODEL_COLLISION_H
#define FFI_MODEL_COLLISION_H

#include <footfall/collision.h>

#include "model/model.h"

/// What the rules need to know of a shape, or of ground.
typedef struct ffi_collision_side {
  int shape; ///< of the model; -1: ground of a sim
  int link;  ///< -1: the world
  int body, holder;
  int robot; ///< -1: none, fixed in the world itself
  unsigned type, affinity;
  int is_paired; ///< the description lists a pair with it
} ffi_collision_side;

ffi_collision_side ffi_collision_of_shape(const ff_model *model, int shape);
ffi_collision_side ffi_collision_of_ground(void);

/// Both are collision shapes, or ground. Never FF_COLLISION_DRAWN, FF_COLLISION_UNSUPPORTED.
ff_collision ffi_collision_decide(const ff_model *model, const ffi_collision_side *a,
                                  const ffi_collision_side *b, int self_collision);

/// The listed pair of two shapes in either order; NULL: it is not listed.
const ff_shape_pair *ffi_collision_pair(const ff_model *model, int shape_a, int shape_b);

/// Is a fixed shape the model's own ground? Not if it belongs to a robot that moves.
int ffi_collision_is_scenery(const ff_model *model, int shape);

#endif
