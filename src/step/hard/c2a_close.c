// What follows a substep, and the end of a step of the sim. c2a.md, sections 1 and 5
#include "model/model.h"
#include "step/hard/c2a.h"

#include <math.h>

// Move contacts apart to the skin. Where shapes are jammed no displacement is found, and none will be in the next
// substep: the search is repeated after 1, 2, 4, ... of them, so a step has only a few that are in vain.
static void lift(ffi_system *s, const ffi_hard_step_request *request, ffi_state *x)
{
  enum { MOST_DOUBLINGS = 10 };
  ffi_c2a *c = s->memory;
  const ffi_hard_step_problem_result result = ffi_hard_step_stabilise(s, request, c->substep, x);
  ffi_hard_step_impulses_report(&result, s->info);
  if (result.gave_up && c->failed_lifts < MOST_DOUBLINGS)
    ++c->failed_lifts;
  c->lift_pause = result.gave_up ? 1 << (c->failed_lifts - 1) : 0;
}

void ffi_c2a_close(ffi_system *s, const ffi_hard_step_request *request, ffi_state *x)
{
  ffi_c2a *c = s->memory;
  const ff_c2a_def *def = &s->def->c2a;
  if (def->advancement && --c->lift_pause < 0)
    lift(s, request, x);
  const double keeps = (1 - def->dissipation) / (1 + request->span * def->rayleigh);
  for (int i = 0; i < s->model->size.nv && keeps != 1; ++i)
    x->v[i] *= keeps;
}

int ffi_c2a_close_is_runaway(const ffi_system *s, const ffi_state *x)
{
  int is_slow = 1;
  for (int i = 0; i < s->model->size.nv; ++i)
    is_slow &= fabs(x->v[i]) <= s->def->max_speed; // NaN is not
  return !is_slow;
}

void ffi_c2a_close_step(const ffi_system *s, const ffi_state *from, double dt, ffi_state *to)
{
  const ffi_c2a *c = s->memory;
  ffi_state_copy(s, c->now, to);
  to->time = from->time + dt; // as in all steppers, not the sum of the substeps
  ffi_c2a_forces_end(s, dt, to);
}
