// Poles and residues of the Pade approximant [6/8] of e^z, from its coefficients in 60 digits by Newton's method.
#include "math/poles.h"

#include <math.h>

const double ffi_poles_z[8] = {
    9.16162886758466837e+0, 8.40225298514951979e+0, 6.74126181787896488e+0, 3.69485632938684696e+0,
    1.55837739406190344e+0, 4.69116275605433259e+0, 7.88594968948541120e+0, 1.12696993000970570e+1,
};

const double ffi_poles_c[8] = {
    5.01715558757959178e+2,  -7.82684808484750451e+2, 3.12817976033385032e+2,  -3.18487263065937586e+1,
    -4.73499730980008400e+3, 2.25394054615809327e+3,  -4.28594613375123272e+2, 1.49528186623680410e+1,
};

// Residues of z^7/Q.
static const double seventh[8] = {
    8.30027684421887900e+8,  -4.58112318197582297e+8, -3.32270051521533655e+8, 2.08951652972280514e+7,
    -7.46725267785014749e+8, -6.44027148428168366e+8, 1.68845386394185336e+8,  9.36722482612827700e+7,
};

// 1 / Q'(z_k).
static const double inverse_slope[8] = {
    -6.24111816298161866e+1, 8.92489110759273459e+1, -2.80431510415084228e+1, 1.20542159539726347e+0,
    -1.75752139934685512e+2, 5.22484607942680734e+1, 6.60877467795262604e+0,  -2.64628654775017016e+0,
};

// Coefficients of Q.
static const double Q[9] = {
    1.00000000000000000e+0,  -5.71428571428571429e-1, 1.53846153846153846e-1,
    -2.56410256410256410e-2, 2.91375291375291375e-3,  -2.33100233100233100e-4,
    1.29500129500129500e-5,  -4.62500462500462500e-7, 8.25893683036540179e-9,
};

void ffi_poles_unresolved(int indicator, double c[8])
{
  if (indicator == 0) {
    ffi_poles_inside(0, c);
    return;
  }
  for (int k = 0; k < 4; ++k) {
    const double zr = ffi_poles_z[k], zi = ffi_poles_z[4 + k], scale = 1 / (zr * zr + zi * zi);
    double re = Q[8] * seventh[k], im = Q[8] * seventh[4 + k];
    for (int more = 1; more < indicator; ++more) { // divided by z_k
      const double part = (re * zr + im * zi) * scale;
      im = (im * zr - re * zi) * scale;
      re = part;
    }
    c[k] = re;
    c[4 + k] = im;
  }
}

void ffi_poles_inside(double x, double c[8])
{
  // N_x: the Cauchy product of e^{xz} and Q up to degree 7
  double power[8] = {1}, N[8];
  for (int k = 1; k < 8; ++k)
    power[k] = power[k - 1] * x / k;
  for (int d = 0; d < 8; ++d) {
    N[d] = 0;
    for (int j = 0; j <= d; ++j)
      N[d] += Q[j] * power[d - j];
  }
  for (int k = 0; k < 4; ++k) {
    const double zr = ffi_poles_z[k], zi = ffi_poles_z[4 + k];
    double re = 0, im = 0;
    for (int d = 7; d >= 0; --d) {
      const double t = re * zr - im * zi + N[d];
      im = re * zi + im * zr;
      re = t;
    }
    c[k] = re * inverse_slope[k] - im * inverse_slope[4 + k];
    c[4 + k] = re * inverse_slope[4 + k] + im * inverse_slope[k];
  }
}
