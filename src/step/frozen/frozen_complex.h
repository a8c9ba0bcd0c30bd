/// fours.h: complex numbers by fours, one for each pair of poles: four real parts, then four imaginary ones, as the kernels have them.
#ifndef FFI_STEP_FOURS_H
#define FFI_STEP_FOURS_H

#include "step/step_kernels.h"

/// out = a b; out may be a or b.
static inline void ffi_frozen_complex_times(const double a[FFI_COMPLEX], const double b[FFI_COMPLEX],
                                            double out[FFI_COMPLEX])
{
  double re[FFI_POLES], im[FFI_POLES];
  for (int k = 0; k < FFI_POLES; ++k) {
    re[k] = a[k] * b[k] - a[4 + k] * b[4 + k];
    im[k] = a[k] * b[4 + k] + a[4 + k] * b[k];
  }
  for (int k = 0; k < FFI_POLES; ++k) {
    out[k] = re[k];
    out[4 + k] = im[k];
  }
}

/// out = 1/a; out may be a.
static inline void ffi_frozen_complex_invert(const double a[FFI_COMPLEX], double out[FFI_COMPLEX])
{
  for (int k = 0; k < FFI_POLES; ++k) {
    const double re = a[k], im = a[4 + k], scale = 1 / (re * re + im * im);
    out[k] = re * scale;
    out[4 + k] = -im * scale;
  }
}

#endif
