/// lipm.h: a linear inverted pendulum along one axis, x'' = w^2 (x - p), and the best centre of pressure p for it.
///
/// Two first-order systems take its place: the capture point xi = x + x'/w runs away from p, xi' = w (xi - p), and x
/// runs after it, x' = w (xi - x). With p held constant over an interval T, c = cosh wT, s = sinh wT, e = exp(-wT):
///
///     xi_k    = e xi_{k+1} + (1 - e) p_k          backwards, from the end
///     x_{k+1} = e x_k + s xi_k + (1 - c) p_k      forwards, from the start
///
/// Taken in these directions both forget; so a plan of a minute is as well conditioned as one of a second, where the
/// usual way, from the start to the end, multiplies by exp(w 60 s).
#ifndef FFI_CONTROL_LIPM_H
#define FFI_CONTROL_LIPM_H

#include <footfall/status.h>

/// Position, velocity and acceleration a time t after (x, xi), p held.
void ffi_lipm_move(double w, double p, double x, double xi, double t, double out[3]);

typedef struct ffi_lipm_axis {
  int count;                    ///< of intervals
  double w;                     ///< [1/s]
  double interval;              ///< T [s]
  const double *want, *lo, *hi; ///< [count] where p should be, where it may be
  double x0, v0;                ///< at the start
  double x_end;                 ///< at rest there at the end
  double pressure_weight;       ///< of (p - want)^2
  double speed_weight;          ///< of x'^2 at the ends of intervals
} ffi_lipm_axis;

/// p [count], x and xi [count + 1]. FF_ERROR_ARGUMENT if there is no such p, FF_ERROR_MEMORY.
ff_status ffi_lipm_plan(const ffi_lipm_axis *axis, double *p, double *x, double *xi, ff_error *error);

#endif
