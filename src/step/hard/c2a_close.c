// What begins and ends a piece: memory, how far it may go, and what follows it.
#include "dynamics/one_lane.h"
#include "model/model.h"
#include "step/hard/c2a.h"

#include <math.h>

void *ffi_c2a_layout(const ffi_system *s, ffi_block *block)
{
  const size_t nv = (size_t)s->model->size.nv;
  ffi_c2a *c = ffi_block_keep(block, 1, sizeof *c);
  ffi_c2a p = {.piece = ffi_hard_step_memory_layout(s, block),
               .advance = ffi_advance_layout(s->scene, block)};
  p.now = ffi_state_layout(s, block);
  p.one = ffi_state_layout(s, block);
  p.half = ffi_state_layout(s, block);
  p.two = ffi_state_layout(s, block);
  double **const by_velocity[] = {&p.displacement, &p.velocity_error, &p.way, &p.turned, &p.change};
  for (size_t i = 0; i < sizeof by_velocity / sizeof *by_velocity; ++i)
    *by_velocity[i] = ffi_block_take(block, nv, sizeof(double));
  p.at = ffi_block_take(block, (size_t)s->model->size.nq, sizeof *p.at);
  p.rate = ffi_block_take(block, (size_t)s->model->body_count, sizeof *p.rate);
  p.push = ffi_block_take(block, (size_t)s->max_contacts, sizeof *p.push);
  p.held = ffi_block_take(block, (size_t)s->world->shape.held_count, sizeof *p.held);
  if (!c)
    return NULL;
  *c = p;
  return c;
}

// When the first joint reaches its stop, or would go beyond it [s]. One that is there already is held by its row.
static double until_stop(const ffi_system *s, const double *q, const double *v, const double *error)
{
  double first = HUGE_VAL;
  for (int e = 0; e < s->element_count; ++e) {
    const ffi_element *el = &s->elements[e];
    if (el->def.type != FF_ELEMENT_JOINT_LIMIT)
      continue;
    const double rate = v[el->v], wide = error ? fabs(error[el->v]) : 0, x = q[el->q];
    if (x < el->def.upper && rate + wide > 0)
      first = fmin(first, (el->def.upper - x) / (rate + wide));
    if (x > el->def.lower && rate - wide < 0)
      first = fmin(first, (x - el->def.lower) / (wide - rate));
  }
  return first;
}

// What is near may come nearer by this share of the skin in a piece: what rests or rolls does so by curvature. A rod
// that rocks would come deeper by it with each blow, if it were large.
static const double slack = 0.125;

double ffi_c2a_advance_free_time(ffi_system *s, const ffi_state *x, const double *v, const double *error,
                                 double T)
{
  const ff_c2a_def *def = &s->def->c2a;
  ffi_c2a *c = s->memory;
  if (!def->advancement)
    return T;
  T = fmin(T, until_stop(s, x->q, v, error));
  const ffi_advance_path path = {.scene = s->scene,
                                 .k = s->k,
                                 .work = s->spare,
                                 .detection = s->detection,
                                 .q = x->q,
                                 .v = v,
                                 .error = error,
                                 .ground = x->ground,
                                 .ground_velocity = x->ground_velocity,
                                 .T = T};
  ffi_advance_report report;
  const double time = ffi_advance_free(c->advance, &path, def->h_min, slack * def->skin, &report);
  s->info->looks += report.looks;
  return time;
}

// Velocities that an impact map left close no gap within h_min, to first order: what spins fast does, and so may
// those that somebody has set, of bodies or of ground. So a forced piece goes only as far as is free, and has its
// impact map there; where nothing is, a little farther, so that time goes on.
double ffi_c2a_advance_forced_length(const ffi_system *s, double left, double free)
{
  const double h_min = s->def->c2a.h_min, little = 0.01 * h_min;
  return fmin(free < h_min ? fmax(free, little) : h_min, left);
}

void ffi_c2a_close(ffi_system *s, const ffi_hard_step_request *request, ffi_state *x)
{
  ffi_c2a *c = s->memory;
  const ff_c2a_def *def = &s->def->c2a;
  if (def->advancement) {
    const ffi_hard_step_problem_result result = ffi_hard_step_stabilise(s, request, c->piece, x);
    ffi_hard_step_impulses_report(&result, s->info);
  }
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
  to->time = from->time + dt; // as all steppers have it, not the sum of the pieces
  ffi_c2a_forces_end(s, dt, to);
}
