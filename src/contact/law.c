#include "contact/law.h"

#include "math/vec3.h"

#include <math.h>

void ffi_contact_law(double K, double B, double mu, const double n[3], const double x[3], const double u[3],
                     ffi_law *law)
{
  double w[3]; // what springs and dampers would give if the contact could pull and never slipped
  for (int i = 0; i < 3; ++i)
    w[i] = -K * x[i] - B * u[i];
  double push = ffi_v3_dot(w, n);
  double *trial = law->trial;
  for (int i = 0; i < 3; ++i)
    trial[i] = w[i] - push * n[i];
  law->push = push;
  law->trial_norm = sqrt(ffi_v3_dot(trial, trial));

  if (push <= 0) { // a push that is not a number goes on, so that whoever checks the result sees it
    law->mode = FF_CONTACT_RELEASED;
    law->normal_force = 0;
    ffi_v3_set(0, 0, 0, law->force);
    return;
  }
  double limit = mu * push;
  int is_inside = law->trial_norm <= limit;
  double share = is_inside ? 1 : limit / law->trial_norm;
  law->mode = is_inside ? FF_CONTACT_STICK : FF_CONTACT_SLIP;
  law->normal_force = push;
  for (int i = 0; i < 3; ++i)
    law->force[i] = push * n[i] + share * trial[i];
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
  double p = even[8], r = odd[7];
  for (int k = 7; k >= 0; --k)
    p = p * z + even[k];
  for (int k = 6; k >= 0; --k)
    r = r * z + odd[k];
  return p - a * r;
}

// With a = h K/B the variation of constants gives
//
//   e(h) = exp(-a) e + h/B [(phi1 - phi2) F0 + phi2 F1],   phi1 = (1 - exp(-a)) / a,   phi2 = (1 - phi1) / a.
//
// Below a = 1 all comes from the series of phi2 and nothing cancels, down to a = 0, where only h/B matters; above,
// the closed forms lose less than two bits, and h/B is written a/K so that a may be infinite.
void ffi_anchor_relax(double K, double B, double h, const double F0[3], const double F1[3], const double e[3],
                      double e_out[3])
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
  for (int i = 0; i < 3; ++i)
    e_out[i] = decay * e[i] + w0 * F0[i] + w1 * F1[i];
}
