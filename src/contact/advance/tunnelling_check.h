/// tunnelling_check.h: can anything have tunnelled through something else from one state to the next?
///
/// Two convex shapes that are apart, and later apart on each other's opposite side, with normals that oppose each
/// other, have moved against each other: two boxes by at least the sum of their widths, two balls whose normals hardly
/// oppose each other by 71 % of it. So as long as nothing moves by half of it in a step nothing has tunnelled, and no
/// distance has to be measured: the check costs some additions a body. Larger motions go to ffi_advance_tunnelling().
///
/// The bound of how far a point can have moved goes down the tree: the motion of its parent, and of the joint, whose
/// angle counts times the reach of the subtree.
///
/// Planes are infinitely wide: a shape that is apart from one is above it. A ridge of a height field counts as wide as
/// one of its cells, and a hull as having no width.
#ifndef FFI_CONTACT_TUNNELLING_CHECK_H
#define FFI_CONTACT_TUNNELLING_CHECK_H

#include "base/block.h"
#include "contact/detect/colliders.h"

typedef struct ffi_tunnelling_check {
  double least;   ///< of all pairs, half of the sum of both widths [m]; infinite: nothing can tunnel
  double *own;    ///< [bodies] reach of its shapes from the body's origin [m]
  double *reach;  ///< [bodies] reach of those of its subtree [m]
  double *motion; ///< [bodies] bound of the motion of any of its points [m]
} ffi_tunnelling_check;

/// Places its arrays (run twice: counting, placing) and, when they are there, fills them.
void ffi_tunnelling_check_layout(const ffi_colliders *colliders, ffi_block *block, ffi_tunnelling_check *out);

/// May anything have tunnelled between q and `to`, dt later? Ground moves with ground_velocity [ground_count][6].
int ffi_tunnelling_check_may_pass(ffi_tunnelling_check *check, const ffi_colliders *colliders,
                                  const double *q, const double *to, const double *ground_velocity,
                                  double dt);

#endif
