// Explicit Euler as the Expo paper has it, eq. 34: v+ = v + dt a, q+ = q (+) (dt v + dt^2/2 a).
#include "step/explicit/explicit.h"

// dt v + dt^2/2 a: the mean of the two velocities.
static void mean_velocity(int nv, double dt, const double *v, const double *v_end, double *dq)
{
  for (int k = 0; k < nv; ++k)
    dq[k] = 0.5 * dt * (v[k] + v_end[k]);
}

static ff_status step(ffi_system *s, const ffi_state *from, double dt, ffi_state *to, ff_error *error)
{
  return ffi_explicit_step(s, from, dt, mean_velocity, to, error);
}

const ffi_stepper ffi_euler_stepper = {.layout = ffi_explicit_layout, .step = step};
