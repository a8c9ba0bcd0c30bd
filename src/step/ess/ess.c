// A step of the robot as an event-selected system: ordinary steps of Dormand and Prince, and the guards on their way.
#include "step/ess/ess.h"

#include "base/fail.h"
#include "dynamics/one_lane.h"
#include "math/vec3.h"
#include "step/eval/passivity.h"
#include "step/system/phase.h"

#include <math.h>
#include <string.h>

static int count_springs(const ffi_system *s)
{
  int count = 0;
  for (int k = 0; k < s->law_count; ++k)
    count += s->elements[k].def.type == FF_ELEMENT_JOINT_FRICTION;
  return count;
}

static void *layout(const ffi_system *s, ffi_block *block)
{
  const size_t contacts = (size_t)s->max_contacts + 1, elements = (size_t)s->law_count + 1;
  const size_t turning = s->has_turning ? contacts : 0;
  const size_t guards = 2 * (contacts + elements + turning),
               most = guards + (size_t)s->colliders->max_candidates;
  ffi_ess *e = ffi_block_keep(block, 1, sizeof *e);
  ffi_ess p = {0};
  p.x = ffi_state_layout(s, block);
  p.h = ffi_block_take(block, guards, sizeof *p.h);
  p.mode = ffi_block_take(block, contacts, sizeof *p.mode);
  p.flips = ffi_block_take(block, contacts, sizeof *p.flips);
  p.impulse = ffi_block_take(block, contacts, sizeof *p.impulse);
  p.moment = ffi_block_take(block, turning, sizeof *p.moment);
  p.turn_mode = ffi_block_take(block, 2 * turning, sizeof *p.turn_mode);
  p.turn_flips = ffi_block_take(block, 2 * turning, sizeof *p.turn_flips);
  p.regime = ffi_block_take(block, elements, sizeof *p.regime);
  p.regime_flips = ffi_block_take(block, elements, sizeof *p.regime_flips);
  p.level = ffi_block_take(block, guards, sizeof *p.level);
  p.waits = ffi_block_take(block, (size_t)s->colliders->id_count + 1, sizeof *p.waits);
  p.triggered = ffi_block_take(block, most, sizeof *p.triggered);
  p.triggered_value = ffi_block_take(block, most, sizeof *p.triggered_value);
  const int of_contact = s->has_turning ? 9 : 6, others = of_contact * s->max_contacts + count_springs(s);
  p.ode.size = s->model->size.nq + s->model->size.nv + others;
  p.ode.tangent = 2 * s->model->size.nv + others;
  ffi_dopri5_layout(&p.ode, block);
  p.y = ffi_block_take(block, (size_t)p.ode.size, sizeof *p.y);
  p.f = ffi_block_take(block, (size_t)p.ode.tangent, sizeof *p.f);
  p.ode.rate = ffi_ess_field_rate;
  p.ode.retract = ffi_ess_field_retract;
  p.ode.pull = ffi_ess_field_pull;
  p.ode.user = e;
  if (e)
    *e = p;
  return e;
}

// Ordinary steps and events to the end.
static ff_status march(ffi_ess *e, ff_error *error)
{
  const ff_ode_info *done = &e->ode.info;
  ff_status status = FF_OK;
  while (status == FF_OK && e->ode.t < e->dt) {
    if (ffi_system_is_interrupted(e->s))
      return FF_ERROR_INTERRUPTED;
    status = ffi_ess_crossing_all(e, error);
    if (status != FF_OK)
      return status;
    if (done->steps + done->rejected >= e->s->def->ess.max_steps)
      return ffi_fail(
          error, FF_ERROR_NUMERIC, NULL, 0, "ess",
          "more than %d steps of the integrator in one step (ess.max_steps): contacts or motors are too "
          "stiff for it, or its tolerances too small",
          e->s->def->ess.max_steps);
    e->first_trigger = INFINITY;
    e->has_cause = 0;
    status = ffi_dopri5_step(&e->ode, e->dt, error);
    if (status == FF_OK)
      status = ffi_ess_crossing_locate(e, error);
    else if (e->has_cause && error)
      *error = e->cause;
  }
  return status;
}

// The contacts at the end. e->x has the set; its numbers may be those of another time.
static void end(ffi_ess *e, ffi_state *to)
{
  const int nq = e->s->model->size.nq, nv = e->s->model->size.nv, count = e->x->touching_count;
  const double *impulses = e->ode.x + nq + nv, *anchors = impulses + 3 * count;
  int slipping = 0;
  memcpy(to->q, e->ode.x, (size_t)nq * sizeof *to->q);
  memcpy(to->v, e->ode.x + nq, (size_t)nv * sizeof *to->v);
  ffi_state_advance(e->s, e->from, e->dt, to);
  ffi_ess_turning_store(e, ffi_ess_field_unpack_springs(e, anchors + 3 * count, to), to);
  for (int i = 0; i < count; ++i) {
    ffi_state_contact *t = &to->touching[i];
    *t = e->x->touching[i];
    t->stored = FFI_PASSIVITY_UNKNOWN;
    ffi_v3_copy(anchors + 3 * i, t->anchor);
    ffi_v3_scale(e->mass / e->dt, impulses + 3 * i, t->mean_force);
    slipping += e->at->contact[i].law.mode == FF_CONTACT_SLIP;
  }
  to->touching_count = e->s->info->contacts = count;
  e->s->info->slipping = slipping;
}

static ff_status step(ffi_system *s, const ffi_state *from, double dt, ffi_state *to, ff_error *error)
{
  ffi_ess *e = s->memory;
  double mark = ffi_phase_begin(s);
  e->s = s;
  e->at = s->present;
  ff_status status = ffi_ess_modes_begin(e, from, dt, error);
  if (status != FF_OK)
    return status;
  ffi_phase_end(s, FF_PHASE_CONTACT, &mark);
  status = march(e, error);
  s->info->integrator_steps = (int)e->ode.info.steps;
  s->info->rejected = (int)e->ode.info.rejected;
  if (status != FF_OK)
    return status;
  ffi_phase_end(s, FF_PHASE_INTEGRAL, &mark);
  end(e, to);
  s->info->penetration = e->at->deepest;
  s->info->converged = 1;
  ffi_phase_end(s, FF_PHASE_UPDATE, &mark);
  return FF_OK;
}

const ffi_stepper ffi_ess_stepper = {.layout = layout, .step = step};
