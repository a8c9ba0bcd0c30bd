// How far a substep may go: the time in which provably nothing touches. c2a.md, section 1, and advancement.md
#include "model/model.h"
#include "step/hard/c2a.h"

#include <math.h>

// When the first joint reaches its stop, or would go beyond it [s]. A joint at its stop is constrained by its row.
static double until_stop(const ffi_system *s, const double *q, const double *v, const double *error)
{
  double first = HUGE_VAL;
  for (int e = 0; e < s->element_count; ++e) {
    const ffi_element *el = &s->elements[e];
    if (el->def.type != FF_ELEMENT_JOINT_LIMIT)
      continue;
    const double rate = ffi_line_rate(&el->line, v), x = ffi_line_position(&el->line, q);
    const double wide = error ? ffi_line_rate_bound(&el->line, error) : 0;
    if (x < el->def.upper && rate + wide > 0)
      first = fmin(first, (el->def.upper - x) / (rate + wide));
    if (x > el->def.lower && rate - wide < 0)
      first = fmin(first, (x - el->def.lower) / (wide - rate));
  }
  return first;
}

// Near features may come nearer by this share of the skin in a substep: what rests or rolls does so by curvature. If
// it were large, a rocking rod would come deeper by it with each impact.
static const double slack = 0.125;

// And shapes that overlap by more than the skin, by this share of their depth. They were placed inside each other, so
// there is no contact to find; to follow them by the slack took a thousand substeps in a step.
static const double sink = 0.125;

double ffi_c2a_advance_free_time(ffi_system *s, const ffi_state *x, const double *v, const double *error,
                                 double T)
{
  const ff_c2a_def *def = &s->def->c2a;
  ffi_c2a *c = s->memory;
  if (!def->advancement)
    return T;
  T = fmin(T, until_stop(s, x->q, v, error));
  const ffi_advance_path path = {.colliders = s->colliders,
                                 .k = s->k,
                                 .work = s->spare,
                                 .detection = s->detection,
                                 .q = x->q,
                                 .v = v,
                                 .error = error,
                                 .ground = x->ground,
                                 .ground_velocity = x->ground_velocity,
                                 .T = T,
                                 .most_work = fmax(s->def->c2a_max_work - c->work, 1),
                                 .sink = sink};
  ffi_advance_report report;
  const double time = ffi_advance_free(c->advance, &path, def->h_min, slack * def->skin, &report);
  s->info->looks += report.evaluations;
  c->work += report.work;
  return time;
}

// Velocities after an impact map close no gap within h_min, to first order. Fast spins may, and so may velocities
// that the user has set, of bodies or of ground. So a forced substep goes only as far as is free, and has its impact
// map there. Where nothing is free it goes a little farther, so that time advances.
double ffi_c2a_advance_forced_length(const ffi_system *s, double left, double free)
{
  const double h_min = s->def->c2a.h_min, little = 0.01 * h_min;
  return fmin(free < h_min ? fmax(free, little) : h_min, left);
}
