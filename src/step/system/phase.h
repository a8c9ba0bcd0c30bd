/// phase.h: the time that the parts of a step take, read only where the user asked for it.
///
///     double mark = ffi_phase_begin(s);
///     ... contacts ...
///     ffi_phase_end(s, FF_PHASE_CONTACT, &mark);
///     ... the rest ...
///     ffi_phase_end(s, FF_PHASE_UPDATE, &mark);
#ifndef FFI_STEP_PHASE_H
#define FFI_STEP_PHASE_H

#include "base/clock.h"
#include "step/system/stepper.h"

static inline double ffi_phase_begin(const ffi_system *s)
{
  return s->def->timing ? ffi_clock_seconds() : 0;
}

/// The time since the mark belongs to a phase; the next one begins now.
static inline void ffi_phase_end(const ffi_system *s, ff_phase phase, double *mark)
{
  if (!s->def->timing)
    return;
  const double now = ffi_clock_seconds();
  s->info->seconds[phase] += now - *mark;
  *mark = now;
}

#endif
