/// clock.h: how much time has passed.
#ifndef FFI_BASE_CLOCK_H
#define FFI_BASE_CLOCK_H

/// Seconds since some fixed moment, by a clock that never goes back.
double ffi_clock_seconds(void);

/// CPU seconds of this thread alone. For a millisecond and more.
double ffi_clock_thread_seconds(void);

#endif
