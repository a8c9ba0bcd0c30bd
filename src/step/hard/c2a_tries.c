// The record of tries: which lengths a step of `ca` or `c2a` tried, and how each ended.
#include "step/hard/c2a.h"

#include <math.h>

void ffi_c2a_tries_record(const ffi_system *s, double length, ff_c2a_reason reason)
{
  ff_step_info *info = s->info;
  const int is_taken = reason == FF_C2A_TAKEN || reason == FF_C2A_FORCED;
  ++info->tries[reason];
  ffi_system_history *history = s->history;
  if (history->count < FF_C2A_HISTORY)
    history->tries[history->count++] = (ff_c2a_try){.length = length, .reason = reason};
  if (!is_taken) {
    ++info->rejected;
    return;
  }
  info->shortest = info->integrator_steps == 0 ? length : fmin(info->shortest, length);
  info->longest = fmax(info->longest, length);
  ++info->integrator_steps;
}
