// Forces of a step of the sim, from the impulses of its pieces; its history.
#include "math/vec3.h"
#include "step/hard/c2a.h"

#include <math.h>
#include <string.h>

void ffi_c2a_forces_begin(const ffi_system *s)
{
  ffi_c2a *c = s->memory;
  c->push_count = 0;
  if (c->now->held_count > 0)
    memset(c->held, 0, (size_t)c->now->held_count * sizeof *c->held);
}

static int was_touching(const ffi_state *x, int id)
{
  for (int i = 0; i < x->touching_count; ++i)
    if (x->touching[i].id == id)
      return 1;
  return 0;
}

// The entry of an id; NULL if there is no more room.
static ffi_c2a_push *push_of(const ffi_system *s, ffi_c2a *c, int id)
{
  int i = 0;
  for (; i < c->push_count && c->push[i].id < id; ++i)
    ;
  if (i < c->push_count && c->push[i].id == id)
    return &c->push[i];
  if (c->push_count == s->max_contacts)
    return NULL;
  memmove(c->push + i + 1, c->push + i, (size_t)(c->push_count - i) * sizeof *c->push);
  ++c->push_count;
  c->push[i] = (ffi_c2a_push){.id = id};
  s->info->touchdowns += !was_touching(c->now, id);
  return &c->push[i];
}

static void gather_contacts(const ffi_system *s, const ffi_state *piece, double h)
{
  for (int i = 0; i < piece->touching_count; ++i) {
    const double *force = piece->touching[i].mean_force;
    ffi_c2a_push *push =
        force[0] != 0 || force[1] != 0 || force[2] != 0 ? push_of(s, s->memory, piece->touching[i].id) : NULL;
    if (push)
      ffi_v3_add_scaled(h, force, push->impulse);
  }
}

void ffi_c2a_forces_add(const ffi_system *s, const ffi_state *piece, double h)
{
  ffi_c2a *c = s->memory;
  gather_contacts(s, piece, h);
  for (int i = 0; i < piece->held_count; ++i)
    c->held[i] += h * piece->held[i];
}

void ffi_c2a_forces_add_impact(const ffi_system *s, double h, ffi_state *x)
{
  const ffi_state *two = ((const ffi_c2a *)s->memory)->two;
  gather_contacts(s, x, h);
  for (int i = 0, k = 0; i < x->touching_count; ++i) {
    for (; k < two->touching_count && two->touching[k].id < x->touching[i].id; ++k)
      ;
    if (k == two->touching_count || two->touching[k].id != x->touching[i].id)
      continue;
    ffi_v3_add(x->touching[i].mean_force, two->touching[k].mean_force, x->touching[i].mean_force);
    x->touching[i].slips |= two->touching[k].slips;
  }
}

void ffi_c2a_forces_end(const ffi_system *s, double dt, ffi_state *to)
{
  ffi_c2a *c = s->memory;
  s->info->slipping = 0;
  for (int i = 0, k = 0; i < to->touching_count; ++i) {
    s->info->slipping += to->touching[i].slips;
    for (; k < c->push_count && c->push[k].id < to->touching[i].id; ++k)
      ;
    const int pushed = k < c->push_count && c->push[k].id == to->touching[i].id;
    ffi_v3_scale(pushed ? 1 / dt : 0, pushed ? c->push[k].impulse : to->touching[i].mean_force,
                 to->touching[i].mean_force);
  }
  for (int i = 0; i < to->held_count; ++i)
    to->held[i] = c->held[i] / dt;
}

void ffi_c2a_forces_record_try(const ffi_system *s, double length, ff_c2a_reason reason)
{
  ff_step_info *info = s->info;
  const int is_taken = reason == FF_C2A_TAKEN || reason == FF_C2A_FORCED;
  ++info->tries[reason];
  ffi_stepper_history *history = s->history;
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
