// How large the error of a mode is beside its indicators: docs/theory/exponential.md, eq. 9a. See poles.h.
#include "math/poles.h"

#include <math.h>

enum { OCTAVES = 15 }; // lightness 1/2, 1, 2, ... 8192

// For 0, 1 and 3 later steps; z^(power - 1), power 0..3. Largest norms over all modes of one B/K, a few per cent up, so
// that a straight line between two octaves is above them. Three times the values at twice the lightness are above the
// parabola's. tests/math/test_poles.c checks both.
static const double table[3][4][OCTAVES] = {
    {
        {4.33e-04, 4.53e-04, 5.03e-04, 6.66e-04, 1.37e-03, 4.11e-03, 1.21e-02, 2.54e-02, 3.96e-02, 5.25e-02,
         6.08e-02, 6.57e-02, 6.83e-02, 6.96e-02, 6.97e-02},
        {9.88e-03, 1.02e-02, 1.08e-02, 1.26e-02, 1.97e-02, 5.50e-02, 1.73e-01, 3.87e-01, 6.70e-01, 9.08e-01,
         1.07e+00, 1.17e+00, 1.22e+00, 1.25e+00, 1.26e+00},
        {3.83e-01, 3.88e-01, 3.99e-01, 4.27e-01, 5.09e-01, 8.23e-01, 2.55e+00, 6.54e+00, 1.16e+01, 1.62e+01,
         1.92e+01, 2.28e+01, 3.05e+01, 4.16e+01, 5.69e+01},
        {5.71e+01, 5.71e+01, 5.71e+01, 5.71e+01, 5.71e+01, 5.71e+01, 5.71e+01, 1.12e+02, 2.05e+02, 2.93e+02,
         4.73e+02, 8.56e+02, 1.62e+03, 3.16e+03, 6.24e+03},
    },
    {
        {4.44e-07, 8.08e-07, 2.15e-06, 8.39e-06, 4.68e-05, 2.74e-04, 1.42e-03, 5.69e-03, 1.69e-02, 3.27e-02,
         4.75e-02, 5.79e-02, 6.40e-02, 6.74e-02, 6.89e-02},
        {1.92e-06, 3.53e-06, 9.83e-06, 4.34e-05, 2.66e-04, 2.17e-03, 1.44e-02, 7.13e-02, 2.47e-01, 5.30e-01,
         8.11e-01, 1.02e+00, 1.14e+00, 1.21e+00, 1.24e+00},
        {9.62e-06, 1.78e-05, 5.12e-05, 2.51e-04, 1.85e-03, 1.83e-02, 1.59e-01, 9.58e-01, 3.81e+00, 9.10e+00,
         1.47e+01, 1.82e+01, 2.21e+01, 3.00e+01, 4.04e+01},
        {5.50e-05, 1.02e-04, 3.01e-04, 1.60e-03, 1.40e-02, 1.63e-01, 1.87e+00, 1.36e+01, 6.21e+01, 1.62e+02,
         2.58e+02, 4.39e+02, 8.20e+02, 1.58e+03, 3.12e+03},
    },
    {
        {6.61e-09, 1.99e-08, 8.78e-08, 5.54e-07, 3.95e-06, 2.75e-05, 1.78e-04, 9.90e-04, 4.29e-03, 1.40e-02,
         2.97e-02, 4.53e-02, 5.64e-02, 6.32e-02, 6.64e-02},
        {1.25e-08, 4.04e-08, 2.08e-07, 1.54e-06, 1.52e-05, 1.45e-04, 1.29e-03, 9.55e-03, 5.17e-02, 2.00e-01,
         4.77e-01, 7.72e-01, 9.91e-01, 1.12e+00, 1.19e+00},
        {2.72e-08, 9.28e-08, 5.49e-07, 4.95e-06, 6.24e-05, 8.23e-04, 1.00e-02, 9.75e-02, 6.75e-01, 3.04e+00,
         8.11e+00, 1.38e+01, 1.77e+01, 2.18e+01, 2.90e+01},
        {6.65e-08, 2.38e-07, 1.59e-06, 1.76e-05, 2.71e-04, 4.98e-03, 8.27e-02, 1.06e+00, 9.23e+00, 4.78e+01,
         1.44e+02, 2.44e+02, 4.23e+02, 8.04e+02, 1.57e+03},
    },
};

// On the imaginary axis, however many steps follow.
static const double undamped[2] = {0.0697, 1.261};

void ffi_poles_bounds(double lightness, int is_uniform, int later, double bound[4])
{
  const double light = is_uniform ? lightness : 2 * lightness, times = is_uniform ? 1 : 3;
  const double(*of)[OCTAVES] = table[later > 2 ? 2 : later > 0 ? 1 : 0];
  if (!(light < 8192)) {
    bound[0] = undamped[0];
    bound[1] = undamped[1];
    bound[2] = bound[3] = INFINITY;
    return;
  }
  int octave = 0;
  const double part = light > 0.5 ? 2 * frexp(light, &octave) - 1 : 0; // fraction of the octave
  for (int k = 0; k < 4; ++k)
    bound[k] = times * (of[k][octave] + part * (of[k][octave + 1] - of[k][octave]));
  for (int k = 0; k < 2; ++k)
    bound[k] = bound[k] < undamped[k] ? bound[k] : undamped[k];
}
