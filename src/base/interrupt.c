// Looks at the flag and at the clock.
#include "base/interrupt.h"

#include "base/clock.h"

void ffi_interrupt_begin(ffi_interrupt *interrupt, double limit)
{
  interrupt->cause = FFI_INTERRUPT_NONE;
  interrupt->deadline = limit > 0 ? ffi_clock_seconds() + limit : (double)INFINITY;
}

ffi_interrupt_cause ffi_interrupt_look(ffi_interrupt *interrupt)
{
  if (interrupt->cause != FFI_INTERRUPT_NONE)
    return interrupt->cause;
  // Exchanged, so that one request ends one step.
  if (atomic_exchange_explicit(&interrupt->asked, 0, memory_order_acq_rel))
    interrupt->cause = FFI_INTERRUPT_ASKED;
  else if (interrupt->deadline < (double)INFINITY && ffi_clock_seconds() > interrupt->deadline)
    interrupt->cause = FFI_INTERRUPT_LATE;
  return interrupt->cause;
}
