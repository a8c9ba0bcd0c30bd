/// early_stop.h: a request to end a step early, from another thread, a signal handler or the clock.
///
/// The owner of a step calls ffi_early_stop_begin(). Loops inside the step ask ffi_early_stop_found() in every round
/// and leave in any way they like, as the owner discards the result. `asked` is the only field that others write.
#ifndef FFI_BASE_EARLY_STOP_H
#define FFI_BASE_EARLY_STOP_H

#include <math.h>
#include <stdatomic.h>

typedef enum ffi_early_stop_cause {
  FFI_EARLY_STOP_NONE,
  FFI_EARLY_STOP_ASKED, ///< somebody asked
  FFI_EARLY_STOP_LATE,  ///< the time is over
} ffi_early_stop_cause;

typedef struct ffi_early_stop {
  atomic_int asked;           ///< 1 until a step has ended for it
  double deadline;            ///< by ffi_clock_seconds(); infinity: none
  ffi_early_stop_cause cause; ///< of the step under way
} ffi_early_stop;

/// A step begins; limit: how long it may take [s], 0: as long as it likes.
void ffi_early_stop_begin(ffi_early_stop *interrupt, double limit);

/// Ask again, and read the clock.
ffi_early_stop_cause ffi_early_stop_look(ffi_early_stop *interrupt);

/// Shall the step end? NULL: never. Costs a load where no time is set.
static inline int ffi_early_stop_found(ffi_early_stop *interrupt)
{
  if (!interrupt)
    return 0;
  if (interrupt->cause == FFI_EARLY_STOP_NONE &&
      !atomic_load_explicit(&interrupt->asked, memory_order_relaxed) &&
      interrupt->deadline == (double)INFINITY)
    return 0;
  return ffi_early_stop_look(interrupt) != FFI_EARLY_STOP_NONE;
}

#endif
