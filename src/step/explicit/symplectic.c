// Semi-implicit Euler: v+ = v + dt a, q+ = q (+) dt v+. Springs without damping keep their energy for all times, up to an error that
// oscillates.
#include "step/explicit/explicit.h"

static void end_velocity(int nv, double dt, const double *v, const double *v_end, double *dq)
{
  (void)v;
  for (int k = 0; k < nv; ++k)
    dq[k] = dt * v_end[k];
}

static ff_status step(ffi_system *s, const ffi_state *from, double dt, ffi_state *to, ff_error *error)
{
  return ffi_explicit_step(s, from, dt, end_velocity, to, error);
}

const ffi_stepper ffi_symplectic_stepper = {.layout = ffi_explicit_layout, .step = step};
