// The monotonic clock and the thread's own. They are POSIX, not C17, hence the macro.
#define _POSIX_C_SOURCE 200112L
#include "base/clock.h"

#include <time.h>

double ffi_clock_seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double ffi_clock_thread_seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
