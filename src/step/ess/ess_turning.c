// Torsional and rolling friction of ess: moments of springs as a part of y, and their modes. turning-friction.md
#include "math/vec3.h"
#include "step/ess/ess.h"
#include "step/eval/anchor.h"
#include "step/eval/turning.h"

#include <math.h>
#include <string.h>

// ---- Moments of springs --------------------------------------------------------------------------------------

// A contact's moment over the mass, in the axes of what its anchor lies on.
static void read_state(const ffi_ess *e, const ffi_state *from, int id, double out[3])
{
  const double *slot = from->element_force + e->s->turning_at;
  ffi_v3_set(0, 0, 0, out);
  for (int i = 0; i < e->s->max_contacts && slot[0] != 0; ++i, slot += FFI_STATE_TURNING)
    if (slot[0] == id + 1.0)
      ffi_v3_scale(1 / e->mass, slot + 1, out);
}

void ffi_ess_turning_begin(ffi_ess *e, const ffi_state *from)
{
  for (int i = 0; e->s->has_turning && i < e->x->touching_count; ++i) {
    read_state(e, from, e->x->touching[i].id, e->moment[i]);
    e->turn_flips[2 * i] = e->turn_flips[2 * i + 1] = 0;
    ffi_ess_turning_choose(e, i);
  }
}

int ffi_ess_turning_pack(const ffi_ess *e, double *y)
{
  const int count = e->s->has_turning ? 3 * e->x->touching_count : 0;
  if (count > 0)
    memcpy(y, e->moment, (size_t)count * sizeof *y);
  return count;
}

void ffi_ess_turning_unpack(ffi_ess *e, const double *y)
{
  if (e->s->has_turning && e->x->touching_count > 0)
    memcpy(e->moment, y, 3 * (size_t)e->x->touching_count * sizeof *y);
  ffi_ess_turning_store(e, y, e->x);
}

void ffi_ess_turning_store(const ffi_ess *e, const double *y, ffi_state *to)
{
  double *slot = to->element_force + e->s->turning_at;
  for (int i = 0; e->s->has_turning && i < e->x->touching_count; ++i, slot += FFI_STATE_TURNING) {
    slot[0] = e->x->touching[i].id + 1.0;
    ffi_v3_scale(e->mass, y + 3 * i, slot + 1);
  }
}

void ffi_ess_turning_insert(ffi_ess *e, int i, size_t after)
{
  if (!e->s->has_turning)
    return;
  double *level = e->level + ffi_ess_turns(e) + 2 * i;
  memmove(e->moment + i + 1, e->moment + i, after * sizeof *e->moment);
  memmove(e->turn_mode + 2 * i + 2, e->turn_mode + 2 * i, 2 * after * sizeof *e->turn_mode);
  memmove(e->turn_flips + 2 * i + 2, e->turn_flips + 2 * i, 2 * after * sizeof *e->turn_flips);
  memmove(level + 2, level, 2 * after * sizeof *level);
  level[0] = level[1] = -e->s->def->ess.epsilon;
  ffi_ess_turning_release(e, i);
  e->turn_flips[2 * i] = e->turn_flips[2 * i + 1] = 0;
}

void ffi_ess_turning_release(ffi_ess *e, int i)
{
  if (!e->s->has_turning)
    return;
  ffi_v3_set(0, 0, 0, e->moment[i]);
  e->turn_mode[2 * i] = e->turn_mode[2 * i + 1] = FF_CONTACT_SLIP;
}

// ---- Modes ---------------------------------------------------------------------------------------------------

// Block `which` of contact i, NULL if it has none now: no such friction, or shapes far apart.
static ffi_constraint *block_of(const ffi_ess *e, int i, int which)
{
  ffi_constraint *c = &e->at->constraint[ffi_turning_index(e->at, i, which)];
  return c->own_K > 0 ? c : NULL;
}

// The moment that it would have if it stuck, and the largest that a normal force allows.
static double limit_of(const ffi_ess *e, int i, int which, double normal_force)
{
  const ff_material *material = &e->s->materials[e->at->contact[i].near.pair];
  return fmax(0, normal_force) * (which ? material->rolling_friction : material->torsional_friction);
}

static void trial_of(const ffi_constraint *c, double out[3])
{
  for (int k = 0; k < 3; ++k)
    out[k] = -c->own_K * c->x[k] - c->own_B * c->u[k];
}

void ffi_ess_turning_choose(ffi_ess *e, int i)
{
  for (int which = 0; e->s->has_turning && which < 2; ++which) {
    const ffi_constraint *c = block_of(e, i, which);
    double trial[3];
    e->turn_mode[2 * i + which] = FF_CONTACT_SLIP;
    if (!c)
      continue;
    trial_of(c, trial);
    if (ffi_v3_norm(trial) <= limit_of(e, i, which, e->at->contact[i].law.push))
      e->turn_mode[2 * i + which] = FF_CONTACT_STICK;
  }
}

void ffi_ess_turning_cross(ffi_ess *e, int k)
{
  e->turn_mode[k] = e->turn_mode[k] == FF_CONTACT_STICK ? FF_CONTACT_SLIP : FF_CONTACT_STICK;
  if (++e->turn_flips[k] > FFI_ESS_FLIPS)
    e->turn_mode[k] = FFI_ESS_BY_LAW;
}

void ffi_ess_turning_guards(ffi_ess *e)
{
  double *h = e->h + ffi_ess_turns(e);
  for (int k = 0; e->s->has_turning && k < 2 * e->at->count; ++k) {
    const ffi_constraint *c = block_of(e, k / 2, k % 2);
    double trial[3];
    h[k] = FFI_ESS_NO_GUARD;
    if (!c || e->mode[k / 2] == FF_CONTACT_RELEASED || e->turn_mode[k] == FFI_ESS_BY_LAW)
      continue;
    trial_of(c, trial);
    const double beyond =
        (ffi_v3_norm(trial) - limit_of(e, k / 2, k % 2, e->at->contact[k / 2].law.push)) / c->own_K;
    h[k] = fmax(e->turn_mode[k] == FF_CONTACT_STICK ? beyond : -beyond, FFI_ESS_NO_GUARD);
  }
}

// ---- Rates ---------------------------------------------------------------------------------------------------

// The moment of a block in its mode, to c->force, and the rate of that in its spring. turning-friction.md, eq. 2
static void act(const ffi_ess *e, int i, int which, ffi_constraint *c, double rate[3])
{
  const int mode = e->turn_mode[2 * i + which];
  const double limit = limit_of(e, i, which, e->at->contact[i].law.normal_force);
  double trial[3];
  trial_of(c, trial);
  const double size = ffi_v3_norm(trial);
  const int slides = mode == FFI_ESS_BY_LAW ? size > limit : mode == FF_CONTACT_SLIP;
  ffi_v3_scale(!slides ? 1 : size > 0 ? limit / size : 0, trial, c->force);
  for (int k = 0; k < 3; ++k)
    rate[k] = slides ? c->own_K / c->own_B * (c->force[k] + c->own_K * c->x[k]) : -c->own_K * c->u[k];
}

void ffi_ess_turning_rates(ffi_ess *e, double *rate)
{
  for (int i = 0; e->s->has_turning && i < e->at->count; ++i) {
    double sum[3] = {0, 0, 0}, own[3];
    ffi_v3_set(0, 0, 0, rate + 3 * i);
    for (int which = 0; which < 2; ++which) {
      ffi_constraint *c = block_of(e, i, which);
      if (!c)
        continue;
      act(e, i, which, c, own);
      ffi_v3_add(sum, own, sum);
    }
    if (e->at->contact[i].near.pair < 0)
      continue;
    ffi_v3_scale(1 / e->mass, sum, sum);
    ffi_anchor_to_frame(ffi_anchor_frame(e->s, &e->at->at, &e->at->contact[i].near), sum, rate + 3 * i);
  }
}
