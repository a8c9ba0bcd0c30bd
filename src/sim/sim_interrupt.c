// Ends a step early: on request, or when its time is over. The state from before the step stays.
#include "base/fail.h"
#include "sim/sim.h"

// A signal handler may touch nothing but lock-free atomics.
_Static_assert(ATOMIC_INT_LOCK_FREE == 2, "ff_sim_interrupt() is called from signal handlers");

void ff_sim_interrupt(ff_sim *sim)
{
  if (sim)
    atomic_store_explicit(&sim->interrupt.asked, 1, memory_order_release);
}

ff_status ffi_sim_interrupt_failure(const ff_sim *sim, ff_error *error)
{
  const ff_sim_def *def = &sim->world->def;
  if (sim->interrupt.cause == FFI_EARLY_STOP_ASKED)
    return ffi_fail(error, FF_ERROR_INTERRUPTED, NULL, 0, "ff_sim_step",
                    "interrupted at t = %.9g s, on request; the state from before the step stays",
                    sim->state->time);
  return ffi_fail(
      error, FF_ERROR_INTERRUPTED, NULL, 0, "ff_sim_step",
      "at t = %.9g s a step of %g ms with '%s' took longer than time_limit, %g s; the state from before "
      "the step stays. Try dt = %g ms, or raise time_limit",
      sim->state->time, 1e3 * def->dt, ff_stepper_name(def->stepper), def->time_limit, 500 * def->dt);
}
