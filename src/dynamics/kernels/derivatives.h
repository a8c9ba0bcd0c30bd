/// derivatives.h: the sweeps over the tree that derivatives are made of; docs/theory/dynamics.md, section 9.
///
/// All vectors are spatial, in the axes and at the origin of the root body of their tree, so nothing is carried from frame to
/// frame, and the columns of a free root are unit vectors. Call them in this order; what one leaves in work->subtree and
/// work->column the next one takes.
#ifndef FFI_DYNAMICS_KERNELS_DERIVATIVES_H
#define FFI_DYNAMICS_KERNELS_DERIVATIVES_H

#include "dynamics/workspace.h"
#include "spatial.h"

#include "variant.h"

/// 1, down: motion at vdot = 0, columns of the joints, integrals over each body, given forces.
void FFI_KERNEL(derivatives_motion)(ffi_work *w, const double *v, const ff_point_force *forces, int count);

/// 2, up: integrals over subtrees, without armature and damping M into work->M and h - J'f into work->h.
void FFI_KERNEL(derivatives_mass)(ffi_work *w, int has_forces);

/// 3, down and up: d tau / d q and d tau / d v at vdot [nv], without damping; either may be NULL.
void FFI_KERNEL(derivatives_pairs)(ffi_work *w, const real_u *vdot, int has_forces, real_u *dtau_dq,
                                   real_u *dtau_dv);

/// Inertia of a subtree times a motion: (m a - h x al, h x a + I al).
FFI_ALWAYS spatial inertia_times(real mass, const ffi_subtree *c, spatial x)
{
  const real *I = c->I;
  const vec3 h = load3(c->h), al = x.ang;
  const vec3 y = vec(I[0] * al.x + I[1] * al.y + I[2] * al.z, I[1] * al.x + I[3] * al.y + I[4] * al.z,
                     I[2] * al.x + I[4] * al.y + I[5] * al.z);
  return spatial_of(sub_cross(scale(mass, x.lin), h, al), add_cross(y, h, x.lin));
}

FFI_ALWAYS spatial twist_of(const ffi_twist *t)
{
  return spatial_of(load3(t->lin), load3(t->ang));
}
FFI_ALWAYS void set_twist(ffi_twist *t, spatial x)
{
  store3(t->lin, x.lin);
  store3(t->ang, x.ang);
}

#endif
