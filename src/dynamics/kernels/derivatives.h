/// derivatives.h: the sweeps over the tree that derivatives are made of; docs/theory/dynamics.md, section 9.
///
/// All vectors are spatial, in the axes and at the origin of the root body of their tree, so nothing is carried from frame to
/// frame. Call them in this order; what one leaves in work->subtree and work->column the next one takes.
#ifndef FFI_DYNAMICS_KERNELS_DERIVATIVES_H
#define FFI_DYNAMICS_KERNELS_DERIVATIVES_H

#include "variant.h"

/// 1, down: motion at vdot = 0, columns of the joints, integrals over each body, given forces.
void FFI_KERNEL(slope_motion)(ffi_work *w, const double *v, const ff_point_force *forces, int count);

/// 2, up: integrals over subtrees; M into work->M; h - J'f into work->h, without armature and damping; d tau / d v, unless
/// it is NULL, without damping.
void FFI_KERNEL(slope_velocity)(ffi_work *w, real_u *dtau_dv, int has_forces);

/// 3, down and up: d tau / d q at vdot [nv].
void FFI_KERNEL(slope_position)(ffi_work *w, const real_u *vdot, real_u *dtau_dq, int has_forces);

#endif
