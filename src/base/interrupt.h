/// interrupt.h: a request to end a step early, from another thread, a signal handler or the clock.
///
/// The owner of a step calls ffi_interrupt_begin(). Loops inside the step ask ffi_interrupt_found() in every round and
/// leave in any way they like, as the owner discards the result. `asked` is the only field that others write.
#ifndef FFI_BASE_INTERRUPT_H
#define FFI_BASE_INTERRUPT_H

#include <math.h>
#include <stdatomic.h>

typedef enum ffi_interrupt_cause {
  FFI_INTERRUPT_NONE,
  FFI_INTERRUPT_ASKED, ///< somebody asked
  FFI_INTERRUPT_LATE,  ///< the time is over
} ffi_interrupt_cause;

typedef struct ffi_interrupt {
  atomic_int asked;          ///< 1 until a step has ended for it
  double deadline;           ///< by ffi_clock_seconds(); infinity: none
  ffi_interrupt_cause cause; ///< of the step under way
} ffi_interrupt;

/// A step begins; limit: how long it may take [s], 0: as long as it likes.
void ffi_interrupt_begin(ffi_interrupt *interrupt, double limit);

/// Ask again, and read the clock.
ffi_interrupt_cause ffi_interrupt_look(ffi_interrupt *interrupt);

/// Shall the step end? NULL: never. Costs a load where no time is set.
static inline int ffi_interrupt_found(ffi_interrupt *interrupt)
{
  if (!interrupt)
    return 0;
  if (interrupt->cause == FFI_INTERRUPT_NONE &&
      !atomic_load_explicit(&interrupt->asked, memory_order_relaxed) &&
      interrupt->deadline == (double)INFINITY)
    return 0;
  return ffi_interrupt_look(interrupt) != FFI_INTERRUPT_NONE;
}

#endif
