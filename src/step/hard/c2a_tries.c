// The tries of a step of `ca` or `c2a`: the bound on their work, and the record of their lengths and how each ended.
#include "base/fail.h"
#include "step/hard/c2a.h"

#include <limits.h>
#include <math.h>

// Of each solver until the work is counted again.
static void limit_work(ffi_system *s, double most)
{
  const ffi_hard_step_problem *p = &((ffi_c2a *)s->memory)->substep->problem;
  ffi_hard_limit_work(p->hard_memory, most);
  ffi_impact_limit_work(p->impact_memory, most);
}

void ffi_c2a_tries_begin(ffi_system *s, const ffi_state *from)
{
  ffi_c2a *c = s->memory;
  const ffi_hard_step_problem *p = &c->substep->problem;
  ffi_state_copy(s, from, c->now);
  ffi_c2a_forces_begin(s);
  ffi_hard_take_work(p->hard_memory);
  ffi_impact_take_work(p->impact_memory);
  ffi_detect_work(s->detection);
  limit_work(s, s->def->c2a_max_work);
  c->work = 0;
  c->euler_steps = 0;
  c->failed_lifts = c->lift_pause = 0;
}

ff_status ffi_c2a_tries_count(ffi_system *s, ff_error *error)
{
  ffi_c2a *c = s->memory;
  const ffi_hard_step_problem *p = &c->substep->problem;
  c->work += ffi_hard_take_work(p->hard_memory) + ffi_impact_take_work(p->impact_memory) +
             0.5 * ffi_detect_work(s->detection);
  const double work = c->work + ++c->euler_steps + s->info->looks;
  const double told = isfinite(work) ? ceil(work) : s->def->c2a_max_work + 1; // a solver ended there
  s->info->work = (int)fmin(told, INT_MAX);
  limit_work(s, fmax(s->def->c2a_max_work - work, 1));
  if (work <= s->def->c2a_max_work)
    return FF_OK;
  return ffi_fail(
      error, FF_ERROR_NUMERIC, NULL, 0, "contact",
      "it takes more work than c2a.max_work = %g allows: shapes overlap, are jammed or strike too often. "
      "Move what overlaps apart at the start, or raise c2a.max_work",
      s->def->c2a_max_work);
}

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
