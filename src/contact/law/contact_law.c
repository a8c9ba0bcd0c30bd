#include "contact/law/contact_law.h"

#include "math/vec3.h"

#include <math.h>

void ffi_contact_law(double K, double B, double mu, const double n[3], const double x[3], const double u[3],
                     ffi_contact_law_result *law)
{
  // What springs and dampers would give if the contact could pull and never slipped; its parts along n and across. Written out:
  // at -O2 compilers keep loops over three.
  const double w0 = -K * x[0] - B * u[0], w1 = -K * x[1] - B * u[1], w2 = -K * x[2] - B * u[2];
  const double push = w0 * n[0] + w1 * n[1] + w2 * n[2];
  const double t0 = w0 - push * n[0], t1 = w1 - push * n[1], t2 = w2 - push * n[2];
  const double norm = sqrt(t0 * t0 + t1 * t1 + t2 * t2);
  law->push = push;
  law->trial_norm = norm;
  ffi_v3_set(t0, t1, t2, law->trial);

  if (push <= 0) { // a push that is not a number goes on, so that whoever checks the result sees it
    law->mode = FF_CONTACT_RELEASED;
    law->normal_force = 0;
    ffi_v3_set(0, 0, 0, law->force);
    return;
  }
  const double limit = mu * push;
  const int is_inside = norm <= limit;
  const double share = is_inside ? 1 : limit / norm;
  law->mode = is_inside ? FF_CONTACT_STICK : FF_CONTACT_SLIP;
  law->normal_force = push;
  ffi_v3_set(push * n[0] + share * t0, push * n[1] + share * t1, push * n[2] + share * t2, law->force);
}

// phi2(-a) = (exp(-a) - 1 + a) / a^2 for 0 <= a < 1, by its series, sum of (-a)^k / (k + 2)!, even and odd powers apart so that
// they overlap in time. The first term left out is less than 2 / 19! = 2e-17 of the sum.
static double phi2(double a)
{
  static const double even[] = {
      1. / 2,         1. / 24,          1. / 720,           1. / 40320,          1. / 3628800,
      1. / 479001600, 1. / 87178291200, 1. / 20922789888e3, 1. / 6402373705728e3};
  static const double odd[] = {1. / 6,          1. / 120,         1. / 5040,         1. / 362880,
                               1. / 39916800.0, 1. / 6227020800., 1. / 1307674368e3, 1. / 355687428096e3};
  const double z = a * a;
  double p = even[8] * z + even[7], r = odd[7];
  for (int k = 6; k >= 0; --k) {
    p = p * z + even[k];
    r = r * z + odd[k];
  }
  return p - a * r;
}

// With a = h K/B the variation of constants gives
//
//   e(h) = exp(-a) e + h/B [(phi1 - phi2) F0 + phi2 F1],   phi1 = (1 - exp(-a)) / a,   phi2 = (1 - phi1) / a.
//
// Below a = 1 all comes from the series of phi2 and nothing cancels, down to a = 0, where only h/B matters; above,
// the closed forms lose less than two bits, and h/B is written a/K so that a may be infinite.
void ffi_contact_law_relax_anchor(double K, double B, double h, const double F0[3], const double F1[3],
                                  const double e[3], double e_out[3])
{
  double decay = 0, w0 = 0, w1 = 1 / K;
  if (B > 0) {
    const double a = h * K / B;
    if (a < 1) {
      const double f = phi2(a), rate = h / B;
      decay = 1 - a * (1 - a * f);
      w0 = rate * (1 - (1 + a) * f);
      w1 = rate * f;
    } else {
      decay = exp(-a);
      const double mean = (1 - decay) / a;
      w0 = (mean - decay) / K;
      w1 = (1 - mean) / K;
    }
  }
  ffi_v3_set(decay * e[0] + w0 * F0[0] + w1 * F1[0], decay * e[1] + w0 * F0[1] + w1 * F1[1],
             decay * e[2] + w0 * F0[2] + w1 * F1[2], e_out);
}
