/// kernels.h: the table of kernels of one variant.
///
/// Arrays of callers are doubles with the lanes innermost: element i of robot r at [i * lanes + r].
/// What each does and in what order they may be called is said in <footfall/dynamics.h>, whose functions
/// are thin covers of these.
#ifndef FFI_DYNAMICS_KERNELS_H
#define FFI_DYNAMICS_KERNELS_H

#include <footfall/dynamics.h>

#include <stddef.h>

typedef struct ffi_work ffi_work;

typedef struct ffi_kernels {
  ff_isa isa;
  int lanes;
  size_t work_size; ///< bytes of ffi_work itself

  /// Lay the workspace out in `block` (64-byte aligned); with block NULL only count. Returns the bytes needed.
  size_t (*layout)(const ff_model *model, int max_points, void *block, ffi_work *work);

  /// Masses and gravity of another model of the same structure, in every lane.
  void (*refit)(ffi_work *w, const ff_model *model);

  void (*transforms)(ffi_work *w, const double *q);
  void (*kinematics)(ffi_work *w, const double *v, const double *vdot);
  void (*rnea)(ffi_work *w, const double *v, const double *vdot, double *tau);
  void (*gravity)(ffi_work *w, double *g);
  void (*bias)(ffi_work *w, const double *v, double *h);
  void (*aba)(ffi_work *w, const double *v, const double *tau, double *vdot);
  void (*crba)(ffi_work *w);
  void (*mass_matrix)(const ffi_work *w, double *M);
  double (*factor)(ffi_work *w); ///< returns by how much all pivots are positive; else: not positive or NaN
  int (*bad_pivot)(const ffi_work *w, int *lane); ///< after a failed factor: the velocity and lane to blame
  void (*solve)(const ffi_work *w, double *x);

  void (*frame_pose)(const ffi_work *w, int frame, double *position, double *R);
  void (*frame_velocity)(const ffi_work *w, int frame, ff_axes axes, double *velocity);
  void (*frame_acceleration)(const ffi_work *w, int frame, ff_axes axes, int with_vdot, double *acceleration);
  void (*frame_jacobian)(const ffi_work *w, int frame, ff_axes axes, double *J);

  void (*com)(const ffi_work *w, double *com);
  void (*com_jacobian)(const ffi_work *w, double *J);
  void (*momentum)(const ffi_work *w, double *momentum);
  void (*momentum_bias)(const ffi_work *w, double *bias);
  void (*kinetic_energy)(const ffi_work *w, double *energy);
  void (*potential_energy)(const ffi_work *w, double *energy);

  void (*point_rows)(ffi_work *w, int count, const ff_point *points); ///< J of points, kept inside
  void (*point_jacobian)(ffi_work *w, int count, const ff_point *points, double *J);
  void (*minv_jt)(ffi_work *w, int count, const ff_point *points, double *MinvJt);
  void (*delassus)(ffi_work *w, int count, const ff_point *points, double *U);

  void (*rnea_derivatives)(ffi_work *w, const double *v, const double *vdot, const ff_point_force *forces,
                           int count, double *dtau_dq, double *dtau_dv);
  void (*aba_derivatives)(ffi_work *w, const double *v, const double *tau, const ff_point_force *forces,
                          int count, double *dvdot_dq, double *dvdot_dv, double *Minv);
} ffi_kernels;

/// The kernels of an instruction set; lanes 1 or FF_LANES_WIDE. NULL if this build or this machine lacks it.
const ffi_kernels *ffi_isa_kernels(ff_isa isa, int lanes);

#endif
