// Modes and regimes: chosen at the start of a step, changed where a guard is crossed.
#include "base/fail.h"
#include "dynamics/one_lane.h"
#include "math/vec3.h"
#include "model/model.h"
#include "step/ess/ess.h"
#include "step/eval/anchor.h"
#include "step/eval/passivity.h"

#include <math.h>
#include <string.h>

// ---- The start ---------------------------------------------------------------------------------------------

// Without a damper a slipping contact is on the rim of the friction disc, on either side of it by rounding.
static int is_dragged(const ffi_contact *c)
{
  double d[3];
  return !(c->B > 0) && c->law.trial_norm > (1 - 1e-9) * c->mu * c->law.push &&
         ffi_ess_field_anchor_speed(c, d) < 0;
}

static int mode_at_start(int has_flag, const ffi_contact *c)
{
  return c->law.mode == FF_CONTACT_STICK && (!(c->mu > 0) || (!has_flag && is_dragged(c))) ? FF_CONTACT_SLIP
                                                                                           : (int)c->law.mode;
}

// Modes and regimes of e->at, and levels of their guards.
static void choose_modes(ffi_ess *e)
{
  const int has_flags = ffi_stepper_has_slip_flags(e->s->def);
  for (int i = 0; i < e->at->count; ++i) {
    e->mode[i] = mode_at_start(has_flags, &e->at->contact[i]);
    if (has_flags && e->mode[i] == FF_CONTACT_SLIP)
      e->x->touching[i].slips = 1;
    e->flips[i] = 0;
    ffi_v3_set(0, 0, 0, e->impulse[i]);
  }
  for (int k = 0; k < e->s->law_count; ++k)
    e->regime[k] = e->regime_flips[k] = 0;
  for (int r = 0; r < e->at->joint_row_count; ++r)
    e->regime[e->at->joint_row_element[r]] = e->at->joint_row[r].regime;
  ffi_ess_turning_begin(e, e->from);
  memset(e->waits, 0, (size_t)e->s->colliders->id_count);
  ffi_ess_guards_evaluate(e);
  for (int i = 0; i < e->at->count; ++i)
    ffi_ess_guards_reset(e, 2 * i);
  for (int k = 0; k < e->s->law_count; ++k)
    ffi_ess_guards_reset(e, ffi_ess_elements(e) + 2 * k);
  for (int k = 0; e->s->has_turning && k < 2 * e->at->count; ++k)
    ffi_ess_guards_reset(e, ffi_ess_turns(e) + k);
}

ff_status ffi_ess_modes_begin(ffi_ess *e, const ffi_state *from, double dt, ff_error *error)
{
  const ff_model *model = e->s->model;
  e->from = from;
  e->dt = dt;
  e->touches = ffi_ess_turns(e) + (e->s->has_turning ? 2 * e->s->max_contacts : 0);
  e->has_cause = 0;
  const ff_status status = ffi_evaluation_start(e->s, from, error);
  *e->s->work = 0; // of the start, which may have been evaluated before, nothing counts
  if (status != FF_OK)
    return status;
  e->mass = e->at->at.work->subtree_mass[0] > 0 ? e->at->at.work->subtree_mass[0] : 1;
  ffi_anchor_store(e->s, from, e->at, NULL, NULL, e->x);
  memcpy(e->x->q, from->q, (size_t)model->size.nq * sizeof *from->q);
  memcpy(e->x->v, from->v, (size_t)model->size.nv * sizeof *from->v);
  ffi_state_copy_friction(e->s, from, e->x);
  e->x->is_placed = 0;
  choose_modes(e);
  ffi_ess_field_pack(e, e->y);
  e->ode.first_step = dt;
  e->ode.relative_tolerance = e->s->def->ess.relative_tolerance;
  e->ode.absolute_tolerance = e->s->def->ess.absolute_tolerance;
  ffi_dopri5_begin(&e->ode, 0, e->y);
  return FF_OK;
}

// ---- Contacts that begin -----------------------------------------------------------------------------------

// A new contact: its spring is at rest at the surface, or where the def wants it. A feature that begins at a depth
// (an edge passes over another) has its spring at rest where it is: see passivity.h.
static ffi_state_contact touch(const ffi_ess *e, const ffi_detect_candidate *near)
{
  const int starts_here =
      e->s->def->normal_anchor == FF_ANCHOR_FIRST_TOUCH || near->gap < -e->s->def->ess.epsilon;
  ffi_state_contact t = {
      .id = near->id, .rest = starts_here ? near->gap : 0, .stored = FFI_PASSIVITY_UNKNOWN};
  ffi_anchor_at(ffi_anchor_frame(e->s, &e->at->at, near), near->point, t.anchor);
  return t;
}

// Insert a contact. Returns its place among the others, or -1 if there is no room.
static int insert(ffi_ess *e, const ffi_detect_candidate *near)
{
  const int count = e->x->touching_count;
  if (count == e->s->max_contacts)
    return -1;
  int i = 0;
  while (i < count && e->x->touching[i].id < near->id)
    ++i;
  const size_t after = (size_t)(count - i);
  memmove(e->x->touching + i + 1, e->x->touching + i, after * sizeof *e->x->touching);
  memmove(e->mode + i + 1, e->mode + i, after * sizeof *e->mode);
  memmove(e->flips + i + 1, e->flips + i, after * sizeof *e->flips);
  memmove(e->impulse + i + 1, e->impulse + i, after * sizeof *e->impulse);
  memmove(e->level + 2 * i + 2, e->level + 2 * i, 2 * after * sizeof *e->level);
  ffi_ess_turning_insert(e, i, after);
  e->x->touching[i] = touch(e, near);
  e->mode[i] = FF_CONTACT_RELEASED;
  e->flips[i] = 0;
  ffi_v3_set(0, 0, 0, e->impulse[i]);
  ++e->x->touching_count;
  return i;
}

// Sticks or slips from now on. Without a damper there is no force at a touch-down; the velocity then decides.
static int mode_of_pushing(const ffi_contact *c)
{
  double u[3];
  if (!(c->mu > 0))
    return FF_CONTACT_SLIP;
  if (c->B > 0)
    return c->law.trial_norm <= c->mu * fmax(c->law.push, 0) ? FF_CONTACT_STICK : FF_CONTACT_SLIP;
  ffi_anchor_tangential(c->near.normal, c->u, u);
  return ffi_v3_norm(u) <= -c->mu * ffi_v3_dot(c->u, c->near.normal) ? FF_CONTACT_STICK : FF_CONTACT_SLIP;
}

// Go on integrating from e->x, whose set or anchors have changed.
static ff_status go_on(ffi_ess *e, ff_error *error)
{
  ffi_ess_field_pack(e, e->y);
  ffi_dopri5_go_on(&e->ode, e->ode.t, e->y);
  return ffi_ess_field_evaluate(e, e->ode.t, e->ode.x, error);
}

// A flag is part of the law: the state is evaluated again.
static ff_status set_flag(ffi_ess *e, int i, int slips, ff_error *error)
{
  if (!ffi_stepper_has_slip_flags(e->s->def) || e->x->touching[i].slips == slips)
    return FF_OK;
  e->x->touching[i].slips = slips;
  return go_on(e, error);
}

static ff_status start_pushing(ffi_ess *e, int i, ff_error *error)
{
  const int has_slipped = ffi_stepper_has_slip_flags(e->s->def) && e->x->touching[i].slips;
  e->mode[i] = has_slipped ? FF_CONTACT_SLIP : mode_of_pushing(&e->at->contact[i]);
  ffi_ess_turning_choose(e, i);
  return set_flag(e, i, e->mode[i] == FF_CONTACT_SLIP, error);
}

// Contact i, whose place in e->x is set, begins at the present time.
static ff_status touch_down(ffi_ess *e, int i, ff_error *error)
{
  const ff_status status = go_on(e, error);
  if (status != FF_OK)
    return status;
  ++e->s->info->touchdowns;
  return start_pushing(e, i, error);
}

// ---- Crossings ---------------------------------------------------------------------------------------------

static const ffi_detect_candidate *near_of(const ffi_evaluation *at, int id)
{
  for (int n = 0; n < at->near_count; ++n)
    if (at->near[n].id == id)
      return &at->near[n];
  return NULL;
}

static ff_status cross_push(ffi_ess *e, int i, ff_error *error)
{
  const ffi_contact *c = &e->at->contact[i];
  if (e->mode[i] != FF_CONTACT_RELEASED) {
    e->mode[i] = FF_CONTACT_RELEASED;
    ++e->s->info->liftoffs;
    return FF_OK;
  }
  if (-c->near.gap <= c->law.push / c->K) { // was apart
    e->x->touching[i] = touch(e, &c->near);
    ffi_ess_turning_release(e, i);
    return touch_down(e, i, error);
  }
  return start_pushing(e, i, error);
}

// With a flag the spring is at rest where it begins to stick.
static ff_status cross_grip(ffi_ess *e, int i, ff_error *error)
{
  const ffi_detect_candidate *near = &e->at->contact[i].near;
  const int slips = e->mode[i] == FF_CONTACT_STICK;
  e->mode[i] = slips ? FF_CONTACT_SLIP : FF_CONTACT_STICK;
  *(slips ? &e->s->info->slips : &e->s->info->sticks) += 1;
  if (!slips && ffi_stepper_has_slip_flags(e->s->def))
    ffi_anchor_at(ffi_anchor_frame(e->s, &e->at->at, near), near->point, e->x->touching[i].anchor);
  return set_flag(e, i, slips, error);
}

static ff_status cross_contact(ffi_ess *e, int guard, ff_error *error)
{
  const int i = guard / 2;
  ff_status status = FF_OK;
  if (e->at->contact[i].near.pair < 0) // its feature has vanished
    e->mode[i] = FF_CONTACT_RELEASED;
  else
    status = guard % 2 == 1 ? cross_grip(e, i, error) : cross_push(e, i, error);
  if (status != FF_OK)
    return status;
  if (++e->flips[i] > FFI_ESS_FLIPS)
    e->mode[i] = FFI_ESS_BY_LAW;
  return FF_OK;
}

// A motor that is linear or a stop that is free goes to the guard's side, others back.
static void cross_element(ffi_ess *e, int k, int is_upper)
{
  e->regime[k] = e->regime[k] != 0 ? 0 : is_upper ? 1 : -1;
  if (++e->regime_flips[k] > FFI_ESS_FLIPS)
    e->regime[k] = FFI_ESS_BY_LAW;
}

ff_status ffi_ess_modes_cross(ffi_ess *e, int guard, ff_error *error)
{
  const int elements = ffi_ess_elements(e), turns = ffi_ess_turns(e), touches = ffi_ess_touches(e);
  ff_status status = FF_OK;
  e->ode.has_slope = 0;
  if (guard >= touches) {
    const ffi_detect_candidate *near = near_of(e->at, guard - touches);
    if (!near) { // vanished before it was reached, as features of boxes may
      ffi_ess_guards_wait(e, guard, 0);
      return FF_OK;
    }
    const int i = insert(e, near);
    if (i < 0)
      return ffi_evaluation_too_many_contacts(e->s, error);
    guard = 2 * i;
    status = touch_down(e, i, error);
  } else if (guard >= turns) {
    ffi_ess_turning_cross(e, guard - turns);
  } else if (guard >= elements) {
    cross_element(e, (guard - elements) / 2, (guard - elements) % 2);
  } else {
    status = cross_contact(e, guard, error);
  }
  if (status != FF_OK)
    return status;
  ffi_ess_guards_evaluate(e);
  ffi_ess_guards_reset(e, guard);
  return FF_OK;
}
