/// reference.h: the frozen system by the augmented matrix exponential, Expo paper eqs 29-33: the slow path that all else is measured against.
#ifndef FFI_STEP_REFERENCE_H
#define FFI_STEP_REFERENCE_H

#include "math/exact_system.h"
#include "step/frozen/frozen.h"

typedef struct ffi_frozen_exact {
  double *J;     ///< [rows][nv]
  double *Y;     ///< [rows][rows] J M^-1 W', W the directions that forces act along
  double *K, *B; ///< [rows][rows]
  double *b0, *b1, *x, *u, *mean, *double_mean; ///< [rows]
  double *fade, *follow; ///< [rows] across sliding contacts, see gather() in reference.c
  double *W;             ///< [nv]
  void *work;
} ffi_frozen_exact;

/// Takes room only if def.expo.exponential asks for it.
void ffi_frozen_exact_layout(const ffi_system *s, ffi_block *block, ffi_frozen_exact *out);

/// The arrays for systems of up to max_rows rows.
void ffi_frozen_exact_arrays(int max_rows, int velocities, ffi_block *block, ffi_frozen_exact *out);

/// The blocks and joints of z as a dense system in the space of their rows; it points into r. Factors the mass matrix
/// at need.
ff_status ffi_frozen_exact_assemble(ffi_system *s, ffi_frozen_exact *r, ffi_frozen *z, ffi_exact_system *out,
                                    ff_error *error);

/// What ffi_frozen_solve() does, by another way: the same law, sliding contacts too. FF_ERROR_NUMERIC if the exponential cannot be had.
ff_status ffi_frozen_exact_solve(ffi_system *s, ffi_frozen_exact *r, ffi_frozen *z, double h,
                                 ff_error *error);

#endif
