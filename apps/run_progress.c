// One line on the terminal that says how far a run is. Nothing into files and pipes.
#define _POSIX_C_SOURCE 200809L
#include "run.h"

#include <math.h>
#include <time.h>
#include <unistd.h>

static const double first_after = 0.5, then_every = 0.2; // seconds; short runs show nothing

enum { BAR = 20 }; // columns

double ffi_seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void ffi_run_progress_begin(ffi_run_progress *p, int is_wanted)
{
  *p = (ffi_run_progress){.is_shown = is_wanted && isatty(STDERR_FILENO), .start = ffi_seconds()};
  p->last = p->start + first_after - then_every;
}

void ffi_run_progress_step(ffi_run_progress *p, double now, double done, double of)
{
  const double passed = now - p->start;
  if (!p->is_shown || now - p->last < then_every || !(done > 0))
    return;
  p->last = now;
  const int cells = (int)(BAR * fmin(1, done / of));
  fprintf(stderr, "\r[%.*s%.*s] %.*f of %g s, %.3g times real time, %.0f s left \033[K", cells,
          "####################", BAR - cells, "                    ", of < 10 ? 2 : 1, done, of,
          done / passed, passed * (of - done) / done);
  fflush(stderr);
}

void ffi_run_progress_end(ffi_run_progress *p)
{
  if (p->is_shown && p->last > p->start + first_after - then_every)
    fputs("\r\033[K", stderr);
  p->is_shown = 0;
}
