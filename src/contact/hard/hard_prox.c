// Contacts with moments as projections.  docs/theory/turning-friction.md, section 3
#include "contact/hard/hard_prox.h"

void ffi_hard_prox_turning(const ffi_hard_part *part, const double *r, const double *x, double *out)
{
  if (part->law == FFI_HARD_LAW_CONE) {
    ffi_turning_cone_nearest((const double[]){part->mu, part->turning, part->turning}, r, x, out);
    return;
  }
  const double push = x[2];
  if (!(push > 0)) {
    for (int i = 0; i < FFI_TURNING_CONE_ROWS; ++i)
      out[i] = push <= 0 ? 0 : push; // NaN stays NaN
    return;
  }
  double a = x[0], b = x[1];
  ffi_friction_cone_disc(part->mu * push, &a, &b);
  out[0] = a;
  out[1] = b;
  out[2] = push;
  ffi_hard_prox_moments(part->turning * push, x + 3, out + 3);
}

void ffi_hard_prox_turning_part(const ffi_hard_part *part, const double *r, const double *xi,
                                const double *Lambda, double *out)
{
  double x[FFI_TURNING_CONE_ROWS];
  for (int i = 0; i < FFI_TURNING_CONE_ROWS; ++i)
    x[i] = Lambda[i] - r[i] * xi[i];
  ffi_hard_prox_turning(part, r, x, out);
}
