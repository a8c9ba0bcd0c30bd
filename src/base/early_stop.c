// Looks at the flag and at the clock.
#include "base/early_stop.h"

#include "base/clock.h"

void ffi_early_stop_begin(ffi_early_stop *interrupt, double limit)
{
  interrupt->cause = FFI_EARLY_STOP_NONE;
  interrupt->deadline = limit > 0 ? ffi_clock_seconds() + limit : (double)INFINITY;
}

ffi_early_stop_cause ffi_early_stop_look(ffi_early_stop *interrupt)
{
  if (interrupt->cause != FFI_EARLY_STOP_NONE)
    return interrupt->cause;
  // Exchanged, so that one request ends one step.
  if (atomic_exchange_explicit(&interrupt->asked, 0, memory_order_acq_rel))
    interrupt->cause = FFI_EARLY_STOP_ASKED;
  else if (interrupt->deadline < (double)INFINITY && ffi_clock_seconds() > interrupt->deadline)
    interrupt->cause = FFI_EARLY_STOP_LATE;
  return interrupt->cause;
}
