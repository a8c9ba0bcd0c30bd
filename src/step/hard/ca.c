// Conservative advancement and time stepping, Algorithm 1 of the c2a paper: positions advance with a constant
// velocity until something might touch, then velocities change. Slips of the listing: line 4 bounds the time by h,
// which begins at 0 (the rest of the step is meant); lines 9-10 integrate velocities only where something touches
// (always is meant); and max(r, h_min) never finds a contact (one is where r < h_min). c2a.md, section 2
#include "step/hard/c2a.h"

#include <math.h>

static ff_status step(ffi_system *s, const ffi_state *from, double dt, ffi_state *to, ff_error *error)
{
  ffi_c2a *c = s->memory;
  const double h_min = s->def->c2a.h_min;
  double left = dt;
  ffi_c2a_tries_begin(s, from);
  ff_status status = ffi_c2a_start(s, error);
  while (status == FF_OK && left > 0) {
    if (ffi_system_is_interrupted(s))
      return FF_ERROR_INTERRUPTED;
    double h = h_min < left ? ffi_c2a_advance_free_time(s, c->now, c->now->v, NULL, left) : left;
    const int is_forced = h < h_min && h < left;
    h = is_forced ? ffi_c2a_advance_forced_length(s, left, h) : h;
    if (left - h < 1e-9 * dt) // a rest of rounding is no step
      h = left;
    const ffi_hard_step_request request = ffi_c2a_substep_request(s, c->now, h, h);
    status = ffi_c2a_substep_euler(s, &request, c->one, error);
    ffi_hard_step_evaluation_report_errors(&c->substep->evaluation.errors, s->info);
    if (status != FF_OK)
      break;
    ffi_c2a_tries_record(s, h, is_forced ? FF_C2A_FORCED : FF_C2A_TAKEN);
    ffi_c2a_forces_add(s, c->one, h);
    ffi_c2a_close(s, &request, c->one);
    ffi_state_copy(s, c->one, c->now);
    left = h == left || ffi_c2a_close_is_runaway(s, c->now) ? 0 : left - h;
  }
  if (status == FF_OK)
    ffi_c2a_close_step(s, from, dt, to);
  return status;
}

const ffi_stepper ffi_ca_stepper = {.layout = ffi_c2a_layout, .step = step};
