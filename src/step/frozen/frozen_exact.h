/// frozen_exact.h: the frozen system by the augmented matrix exponential, Expo paper eqs 29-33: slow, and the reference
/// solution for the fast path.
#ifndef FFI_STEP_FROZEN_EXACT_H
#define FFI_STEP_FROZEN_EXACT_H

#include "math/exact_system.h"
#include "step/frozen/frozen.h"

typedef struct ffi_frozen_exact {
  double *J;     ///< [rows][nv]
  double *Y;     ///< [rows][rows] J M^-1 W', W the directions that forces act along
  double *K, *B; ///< [rows][rows]
  double *b0, *b1, *x, *u, *mean, *double_mean; ///< [rows]
  double *fade, *follow; ///< [rows] across sliding contacts, see relaxation_of() in frozen_exact.c
  double *W;             ///< [nv]
  void *work;
} ffi_frozen_exact;

/// Takes room only if def.expo.exponential asks for it.
void ffi_frozen_exact_layout(const ffi_system *s, ffi_block *block, ffi_frozen_exact *out);

/// The arrays for systems of up to max_rows rows.
void ffi_frozen_exact_arrays(int max_rows, int velocities, ffi_block *block, ffi_frozen_exact *out);

/// The blocks and joints of z as a dense system in the space of their rows; `out` points into r. Factors the mass
/// matrix at need.
ff_status ffi_frozen_exact_assemble(ffi_system *s, ffi_frozen_exact *r, ffi_frozen *z, ffi_exact_system *out,
                                    ff_error *error);

/// The same motion as ffi_frozen_solve(), sliding contacts included, by the exponential that the options choose.
/// FF_ERROR_NUMERIC if it overflows or its approximant is singular.
ff_status ffi_frozen_exact_solve(ffi_system *s, ffi_frozen_exact *r, ffi_frozen *z, double h,
                                 ff_error *error);

#endif
