// Mean forces of a step of the sim, from the impulses of its substeps.
#include "math/vec3.h"
#include "step/hard/c2a.h"

#include <string.h>

void ffi_c2a_forces_begin(const ffi_system *s)
{
  ffi_c2a *c = s->memory;
  c->push_count = 0;
  if (c->now->element_force_count > 0)
    memset(c->element_impulse, 0, (size_t)c->now->element_force_count * sizeof *c->element_impulse);
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
  s->info->touchdowns += !ffi_state_find_contact(c->now, id, &(int){0});
  return &c->push[i];
}

static void gather_contacts(const ffi_system *s, const ffi_state *substep, double h)
{
  for (int i = 0; i < substep->touching_count; ++i) {
    const double *force = substep->touching[i].mean_force;
    ffi_c2a_push *push = force[0] != 0 || force[1] != 0 || force[2] != 0
                             ? push_of(s, s->memory, substep->touching[i].id)
                             : NULL;
    if (push)
      ffi_v3_add_scaled(h, force, push->impulse);
  }
}

void ffi_c2a_forces_add(const ffi_system *s, const ffi_state *substep, double h)
{
  ffi_c2a *c = s->memory;
  gather_contacts(s, substep, h);
  for (int i = 0; i < s->turning_at; ++i) // moments of contacts are where the last substep left them
    c->element_impulse[i] += h * substep->element_force[i];
}

void ffi_c2a_forces_add_impact(const ffi_system *s, double h, ffi_state *x)
{
  const ffi_state *two = ((const ffi_c2a *)s->memory)->two;
  gather_contacts(s, x, h);
  for (int i = 0, k = 0; i < x->touching_count; ++i) {
    const ffi_state_contact *last = ffi_state_find_contact(two, x->touching[i].id, &k);
    if (!last)
      continue;
    ffi_v3_add(x->touching[i].mean_force, last->mean_force, x->touching[i].mean_force);
    x->touching[i].slips |= last->slips;
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
  for (int i = 0; i < s->turning_at; ++i)
    to->element_force[i] = c->element_impulse[i] / dt;
}
