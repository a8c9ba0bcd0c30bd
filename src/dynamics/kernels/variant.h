/// variant.h: the kernels of this variant, as functions over `real`.
///
/// A kernel is named after the quantity that it computes, not after its file: FFI_KERNEL(bias) is ffi_bias_avx2_x4 and
/// so on, one symbol per variant, and the table of kernels.h has the same names. Inlined helpers of kernels may take
/// more than six arguments: these stay in registers.
#ifndef FFI_DYNAMICS_KERNELS_VARIANT_H
#define FFI_DYNAMICS_KERNELS_VARIANT_H

#include "dynamics/kernels.h"
#include "dynamics/lanes.h"

size_t FFI_KERNEL(layout)(const ff_model *model, int max_points, void *block, ffi_work *work);
void FFI_KERNEL(refit)(ffi_work *w, const ff_model *model);
/// Masses and gravity of one lane, and then what follows from those of all lanes. body [body_count][10]: mass, mc and I
/// of each body of a model of the same structure. For rnea, crba and what follows from them, and the potential energy,
/// without gravity compensation.
void FFI_KERNEL(refit_lane)(ffi_work *w, const double gravity[3], const double *body, int lane);
void FFI_KERNEL(refit_end)(ffi_work *w);
void FFI_KERNEL(transforms)(ffi_work *w, const double *q);
void FFI_KERNEL(kinematics)(ffi_work *w, const double *v, const double *vdot);
void FFI_KERNEL(rnea)(ffi_work *w, const double *v, const double *vdot, double *tau);
void FFI_KERNEL(gravity)(ffi_work *w, double *g);
void FFI_KERNEL(bias)(ffi_work *w, const double *v, double *h);
void FFI_KERNEL(aba)(ffi_work *w, const double *v, const double *tau, double *vdot);
void FFI_KERNEL(crba)(ffi_work *w);
void FFI_KERNEL(mass_matrix)(const ffi_work *w, double *M);
double FFI_KERNEL(factor)(ffi_work *w);
int FFI_KERNEL(bad_pivot)(const ffi_work *w, int *lane);
void FFI_KERNEL(solve)(const ffi_work *w, double *x);
void FFI_KERNEL(frame_pose)(const ffi_work *w, int frame, double *position, double *R);
void FFI_KERNEL(frame_velocity)(const ffi_work *w, int frame, ff_axes axes, double *velocity);
void FFI_KERNEL(frame_acceleration)(const ffi_work *w, int frame, ff_axes axes, int with_vdot,
                                    double *acceleration);
void FFI_KERNEL(frame_jacobian)(const ffi_work *w, int frame, ff_axes axes, double *J);
void FFI_KERNEL(com)(const ffi_work *w, double *com);
void FFI_KERNEL(com_jacobian)(const ffi_work *w, double *J);
void FFI_KERNEL(momentum)(const ffi_work *w, double *momentum);
void FFI_KERNEL(momentum_bias)(const ffi_work *w, double *bias);
void FFI_KERNEL(kinetic_energy)(const ffi_work *w, double *energy);
void FFI_KERNEL(potential_energy)(const ffi_work *w, double *energy);
void FFI_KERNEL(point_rows)(ffi_work *w, int count, const ff_point *points);
void FFI_KERNEL(point_jacobian)(ffi_work *w, int count, const ff_point *points, double *J);
void FFI_KERNEL(minv_jt)(ffi_work *w, int count, const ff_point *points, double *MinvJt);
void FFI_KERNEL(delassus)(ffi_work *w, int count, const ff_point *points, double *U);
void FFI_KERNEL(rnea_derivatives)(ffi_work *w, const double *v, const double *vdot,
                                  const ff_point_force *forces, int count, double *dtau_dq, double *dtau_dv);
void FFI_KERNEL(aba_derivatives)(ffi_work *w, const double *v, const double *tau,
                                 const ff_point_force *forces, int count, double *dvdot_dq, double *dvdot_dv,
                                 double *Minv);

#endif
