/// skip.h: can anything have gone right through something else from one state to the next?
///
/// Two convex shapes that are apart, and apart again on each other's other side, with normals that oppose each other, have moved against each other: two boxes by at least what both are thick, two
/// balls whose normals hardly oppose each other by 71 % of it. So as long as nothing moves by half of it in a step nothing has passed through anything, and no distance need be
/// measured: this costs some additions a body. What moves farther is looked at by ffi_advance_tunnelling().
///
/// How far a point can have moved goes down the tree: what its parent moves, and what the joint adds, its turning times how far the subtree reaches from it.
///
/// Planes are infinitely thick: what is apart from one is above it. A ridge of a height field counts as thick as one of its cells is wide, and a hull as not thick at all.
#ifndef FFI_CONTACT_SKIP_H
#define FFI_CONTACT_SKIP_H

#include "base/block.h"
#include "contact/detect/colliders.h"

typedef struct ffi_tunnelling_check {
  double
      least;   ///< of all pairs, half of what both are thick [m]; infinite: nothing can pass through anything
  double *own; ///< [bodies] how far its shapes reach from a body's origin [m]
  double *reach; ///< [bodies] how far those of its subtree do
  double *way;   ///< [bodies] how far any of them moves
} ffi_tunnelling_check;

/// Places its arrays (run twice: counting, placing) and, when they are there, fills them.
void ffi_tunnelling_check_layout(const ffi_colliders *scene, ffi_block *block, ffi_tunnelling_check *out);

/// May anything have passed through something on the way from q to `to`, dt later? Ground moves with ground_velocity
/// [ground_count][6].
int ffi_tunnelling_check_may_pass(ffi_tunnelling_check *skip, const ffi_colliders *scene, const double *q,
                                  const double *to, const double *ground_velocity, double dt);

/// The least distance of two parallel planes that hold a solid between them, or less [m].
double ffi_solid_width(const ffi_solid *solid);

#endif
