// expo: the exponential step of second order, with events inside it. A step is a chain of substeps. A substep ends at
// the step's end or at an event: a contact begins, ends, starts or ceases to slide, or a joint limit or motor changes
// its regime. expo_substep.c has the parts, docs/theory/expo.md the derivation.
#include "step/expo/expo_substep.h"

#include "dynamics/one_lane.h"
#include "math/vec3.h"
#include "step/eval/anchor.h"
#include "step/expo/expo_adaptive.h"
#include "step/expo/expo_energy.h"
#include "step/expo/expo_feasible.h"
#include "step/expo/expo_flags.h"
#include "step/expo/expo_new_contacts.h"
#include "step/expo/expo_touchdown.h"
#include "step/frozen/frozen_turning.h"
#include "step/system/phase.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Events nearer to each other than this share of dt are merged into one. The window of the first events is small, so
// that an impact far shorter than the step is resolved; each further substep doubles it, so that a hundred corners
// that land one after another do not take a hundred substeps.
static double window_of(int substeps)
{
  return substeps < 16 ? 1.0 / (double)(1 << (20 - substeps)) : 1.0 / 16;
}

// A correction larger than this share of the velocity change that it corrects shortens the substep: the error after
// it is proportional to its square.
static const double shorten_above = 0.1;

// A substep with sliding contacts that cannot be shortened is corrected by no more than this share, or not at all:
// friction that feeds on the normal force it makes turns a large correction into a larger one.
static const double discard_above = 1;

// A remainder of a step below this share of dt is the rounding of its substeps' lengths, 32 of them and a few roundings
// each. Motion over so short a time is rounding, and its corrections would shorten substeps for ever.
static const double no_rest = 256 * DBL_EPSILON;

// How often the modes at a substep's start are revised, and a substep is shortened.
enum { MAX_REVISIONS = 8, MAX_SHORTENINGS = 4 };

static void *layout(const ffi_system *s, ffi_block *block)
{
  ffi_expo *e = ffi_block_keep(block, 1, sizeof *e), x = {0};
  const size_t nv = (size_t)s->model->size.nv, contacts = (size_t)s->max_contacts + 1;
  ffi_evaluation_layout(s, block, &x.end);
  ffi_evaluation_layout(s, block, &x.middle);
  ffi_frozen_layout(s, block, &x.frozen);
  ffi_frozen_exact_layout(s, block, &x.exact);
  ffi_expo_events_layout(s, block, &x.frozen, &x.events);
  x.start_state = ffi_state_layout(s, block);
  x.end_state = ffi_state_layout(s, block);
  x.middle_state = ffi_state_layout(s, block);
  x.step_start = ffi_state_layout(s, block);
  x.mode = ffi_block_take(block, contacts, sizeof *x.mode);
  x.event_mode = ffi_block_take(block, contacts, sizeof *x.event_mode);
  x.event_regime = ffi_block_take(block, (size_t)s->law_count + 1, sizeof *x.event_regime);
  x.contact_block = ffi_block_take(block, contacts, sizeof *x.contact_block);
  x.stops = ffi_block_take(block, contacts, sizeof *x.stops);
  x.flag = ffi_block_take(block, ffi_stepper_has_slip_flags(s->def) ? contacts : 1, sizeof *x.flag);
  double **vectors[4] = {&x.f, &x.f1, &x.acceleration, &x.predicted};
  for (int k = 0; k < 4; ++k)
    *vectors[k] = ffi_block_take(block, nv, sizeof(double));
  x.scratch = ffi_block_take(block, 2 * nv, sizeof *x.scratch);
  x.shift = ffi_block_take(block, contacts, sizeof *x.shift);
  x.impulse = ffi_block_take(block, contacts, sizeof *x.impulse);
  x.moment = ffi_block_take(block, s->turning ? 2 * contacts : 1, sizeof *x.moment);
  if (e)
    *e = x;
  return e;
}

// The exact path has no dense output: with it mean forces are projected on their bounds.
static int finds_events(const ffi_system *s)
{
  return s->def->expo.events && s->def->expo.exponential == FF_EXPONENTIAL_AUTO;
}

static void count_event(ff_step_info *info, ff_contact_mode from, ff_contact_mode to)
{
  info->liftoffs += to == FF_CONTACT_RELEASED;
  info->slips += to == FF_CONTACT_SLIP;
  info->sticks += to == FF_CONTACT_STICK && from == FF_CONTACT_SLIP;
}

// The frozen system with the modes of contacts at the start: those that an event gave them, or those of their laws.
static void freeze_in_first_modes(ffi_system *s, ffi_expo *e)
{
  if (ffi_stepper_has_slip_flags(s->def))
    ffi_expo_flags_restore(e);
  for (int i = 0; i < e->start->count; ++i) {
    const ffi_contact *c = &e->start->contact[i];
    e->stops[i] = 0;
    e->mode[i] = e->event_mode[i] >= 0 ? (ff_contact_mode)e->event_mode[i] : c->law.mode;
    if (e->mode[i] == FF_CONTACT_STICK && c->mu == 0)
      e->mode[i] = FF_CONTACT_SLIP; // its law does not decide: there is no friction either way
  }
  ffi_expo_substep_freeze(s, e);
}

// The start of a substep: its contacts and their modes, the mass matrix, the frozen system.
static ff_status begin_substep(ffi_system *s, ffi_expo *e, int is_first, double *mark, ff_error *error)
{
  ff_status status;
  e->start = s->present;
  if (is_first) {
    status = ffi_evaluation_start(s, e->start_state, error);
    *s->work = 0; // nothing counts of what may have been evaluated before
  } else {
    e->start->since = e->last_length;
    status = ffi_evaluation_at(s, e->start_state, FFI_EVALUATION_SUBSTEP, e->start, error);
    if (status == FF_OK)
      status = ffi_expo_new_contacts_add_overlaps(s, e, error);
  }
  if (status != FF_OK)
    return status;
  if (is_first) {
    // not in place: new contacts may come before known ones
    ffi_anchor_store(s, e->start_state, e->start, NULL, NULL, e->end_state);
    e->start_state->touching_count = e->end_state->touching_count;
    memcpy(e->start_state->touching, e->end_state->touching,
           (size_t)e->end_state->touching_count * sizeof *e->start_state->touching);
    for (int i = 0; i < e->start->count; ++i)
      e->event_mode[i] = FFI_MODE_BY_LAW;
  } else {
    ffi_expo_new_contacts_place_anchors(s, e);
  }
  ffi_phase_end(s, FF_PHASE_CONTACT, mark);
  for (int r = 0; r < e->start->joint_row_count && !is_first; ++r) {
    const int regime = e->event_regime[e->start->joint_row_element[r]];
    if (regime != FFI_REGIME_BY_LAW)
      ffi_expo_joint_events_set_regime(s, e->start_state, e->start, r, regime);
  }
  if (ffi_stepper_has_slip_flags(s->def))
    ffi_expo_flags_begin(s, e);
  freeze_in_first_modes(s, e);
  ffi_phase_end(s, FF_PHASE_PREPARE, mark);
  return FF_OK;
}

// Contacts and elements with an event right at the start of a substep had the wrong mode or regime there: change it.
static void change_modes(ffi_system *s, ffi_expo *e, double time)
{
  for (int i = 0; i < e->start->count; ++i)
    if (ffi_expo_events_changes(&e->events, i, time))
      e->mode[i] = e->events.next[i];
  for (int r = 0; r < e->start->joint_row_count; ++r) {
    const int element = e->start->joint_row_element[r];
    if (ffi_expo_joint_events_changes(&e->events.joints, element, time))
      ffi_expo_joint_events_set_regime(s, e->start_state, e->start, r, e->events.joints.next[element]);
  }
  ffi_expo_substep_freeze(s, e);
}

// Predict the substep up to the first event in it. An event right at the start means that a mode was wrong: it is
// changed and the prediction repeated, a few times at most.
static ff_status predict_to_event(ffi_system *s, ffi_expo *e, ffi_expo_substep *p, ff_error *error)
{
  ff_status status = ffi_expo_substep_predict(s, e, p->h, 1, error);
  p->event = INFINITY;
  for (int revisions = 0; status == FF_OK && e->events.time < p->h; ++revisions) {
    const double time = e->events.time;
    if (time >= p->event_window || revisions == MAX_REVISIONS) {
      p->event = time;
      p->h = fmax(time, p->event_window);
      return ffi_expo_substep_predict(s, e, p->h, 0, error);
    }
    change_modes(s, e, time);
    status = ffi_expo_substep_predict(s, e, p->h, 1, error);
  }
  return status;
}

// Only dampers of contacts make layers, in which velocities change early.
static int has_dampers(const ffi_expo *e)
{
  for (int i = 0; i < e->start->count; ++i)
    if (e->contact_block[i] >= 0 && e->mode[i] != FF_CONTACT_RELEASED && e->start->contact[i].B > 0)
      return 1;
  return 0;
}

// The prediction: up to an event, shorter if no modes fit. Without events mean forces are projected on their cones,
// as in the published scheme.
static ff_status predict(ffi_system *s, ffi_expo *e, ffi_expo_substep *p, ff_error *error)
{
  e->may_have_layer = (p->has_events || !finds_events(s)) && has_dampers(e);
  ff_status status =
      p->has_events ? predict_to_event(s, e, p, error) : ffi_expo_substep_predict(s, e, p->h, 0, error);
  for (int k = 0; k < FFI_FROZEN_TURNING_MOST && s->turning && status == FF_OK &&
                  ffi_frozen_turning_revise(s, e->start, &e->frozen) > 0;
       ++k) {
    ffi_expo_substep_freeze(s, e);
    status =
        p->has_events ? predict_to_event(s, e, p, error) : ffi_expo_substep_predict(s, e, p->h, 0, error);
  }
  if (status == FF_OK && !p->has_events && ffi_stepper_has_slip_flags(s->def))
    status = ffi_expo_flags_stop(s, e, p->h, error);
  for (int shortened = 0; status == FF_OK && p->has_events && p->h > p->event_window &&
                          !ffi_expo_feasible_means(e) && shortened < MAX_SHORTENINGS;
       ++shortened) {
    p->h = fmax(p->event_window, p->h / 4);
    p->was_shortened = 1;
    freeze_in_first_modes(s, e);
    status = predict_to_event(s, e, p, error);
  }
  if (status == FF_OK && !ffi_expo_feasible_means(e))
    status = ffi_expo_feasible_fallback(s, e, p->h, error);
  else if (status == FF_OK && !p->has_events)
    status = ffi_frozen_forces_project(
        s, &e->frozen, &(ffi_frozen_forces_projection){e->start, e->contact_block, p->h, 1, e->scratch},
        error);
  return status;
}

// The prediction again, where a large correction only shows that the substep is too long for one.
static ff_status leave_uncorrected(ffi_system *s, ffi_expo *e, double h, ff_error *error)
{
  e->correction = -1;
  const ff_status status = ffi_expo_substep_predict(s, e, h, 0, error);
  return status == FF_OK ? ffi_expo_substep_evaluate(s, e, h, error) : status;
}

// The corrector. The substep is shortened while the correction is too large, or carries a feature through a surface
// that it had not reached in the prediction.
static ff_status correct(ffi_system *s, ffi_expo *e, ffi_expo_substep *p, ff_error *error)
{
  const double min_length = p->has_events ? p->min_length : p->h;
  for (int shortened = 0;; ++shortened) {
    double share;
    ff_status status = ffi_expo_substep_correct(s, e, p->h, &share, error);
    if (status != FF_OK)
      return status;
    if (p->h <= min_length || shortened == MAX_SHORTENINGS)
      return share <= discard_above || e->frozen.slides == 0 ? FF_OK : leave_uncorrected(s, e, p->h, error);
    const double missed = ffi_expo_touchdown_missed(s, e, p->h, min_length);
    const double excess = share <= shorten_above && missed == p->h ? ffi_expo_energy_excess(s, e, p->h) : 0;
    if (share <= shorten_above && missed == p->h && excess <= 1) {
      p->is_passive = 1;
      return status;
    }
    if (share > shorten_above || excess > 1) {
      // the error of energy is of third order
      p->h *=
          excess > 1 ? fmax(0.1, fmin(0.7, 0.9 * cbrt(1 / excess))) : fmin(0.5, sqrt(shorten_above / share));
      p->was_shortened = 1;
    }
    p->h = fmax(min_length, fmin(p->h, missed));
    if ((status = ffi_expo_substep_predict(s, e, p->h, 0, error)) == FF_OK)
      status = ffi_expo_substep_evaluate(s, e, p->h, error);
    if (status == FF_OK)
      status = ffi_expo_touchdown_search(s, e, &p->h, error);
    if (status != FF_OK)
      return status;
  }
}

static void set_event_mode(ffi_expo *e, int id, ff_contact_mode mode)
{
  for (int i = 0; i < e->end_state->touching_count; ++i)
    if (e->end_state->touching[i].id == id)
      e->event_mode[i] = (int)mode;
}

// Contacts and elements that change at the event which ends a substep have their new mode or regime in the next one;
// all others follow their laws.
static void set_event_modes(ffi_system *s, ffi_expo *e, double event)
{
  for (int i = 0; i < e->end_state->touching_count; ++i)
    e->event_mode[i] = FFI_MODE_BY_LAW;
  for (int k = 0; k < s->law_count; ++k)
    e->event_regime[k] = FFI_REGIME_BY_LAW;
  if (!(event < INFINITY))
    return;
  for (int i = 0; i < e->start->count; ++i)
    if (ffi_expo_events_changes(&e->events, i, event)) {
      count_event(s->info, e->mode[i], e->events.next[i]);
      set_event_mode(e, e->start->contact[i].near.id, e->events.next[i]);
    }
  for (int k = 0; k < s->law_count; ++k)
    if (ffi_expo_joint_events_changes(&e->events.joints, k, event))
      e->event_regime[k] = e->events.joints.next[k];
}

// In units of ffi_evaluation_at(): a factorisation takes a time between nv and nv^3. Dense exponentials count
// themselves.
static double solve_work(const ffi_system *s)
{
  const double size = s->model->size.nv / 30.0;
  return 0.5 + size * size * size;
}

// Report the accepted solve, not the trials; but count the work of all.
static void report(const ffi_system *s, const ffi_frozen *z)
{
  ff_step_info *info = s->info;
  *s->work += z->factorisations * solve_work(s);
  info->substeps = z->subintervals > info->substeps ? z->subintervals : info->substeps;
  info->capped |= z->capped;
  info->force_error = fmax(info->force_error, z->error);
  info->factorisations += z->factorisations;
}

// One substep, from e->start_state to e->end_state: begin, predict, evaluate, search, correct, finish.
static ff_status take_substep(ffi_system *s, ffi_expo *e, ffi_expo_substep *p, double *mark, ff_error *error)
{
  e->frozen.factorisations = 0;
  e->correction = -1;
  e->is_braked = 0;
  ff_status status = begin_substep(s, e, p->is_first, mark, error);
  if (status == FF_OK)
    status = predict(s, e, p, error);
  ffi_phase_end(s, FF_PHASE_INTEGRAL, mark);
  if (status == FF_OK)
    status = ffi_expo_substep_evaluate(s, e, p->h, error);
  const double to_event = p->h;
  if (status == FF_OK && p->has_events)
    status = ffi_expo_touchdown_search(s, e, &p->h, error);
  ffi_phase_end(s, FF_PHASE_CONTACT, mark);
  if (status == FF_OK && s->def->expo.order == 2 && !e->frozen.was_projected)
    status = correct(s, e, p, error);
  if (status == FF_OK && p->has_events)
    status = ffi_expo_feasible_restore(s, e, p->min_length, p->h, error);
  p->is_passive &= !e->frozen.was_projected;
  int absorbed = 0;
  if (status == FF_OK && finds_events(s))
    status = ffi_expo_energy_bound(s, e, p, &absorbed, error);
  ffi_phase_end(s, FF_PHASE_INTEGRAL, mark);
  if (status != FF_OK)
    return status;
  e->error += ffi_expo_adaptive_error(e, absorbed);
  ffi_expo_substep_finish(s, e, p->h);
  set_event_modes(s, e, p->h == to_event && !absorbed ? p->event : INFINITY);
  report(s, &e->frozen);
  return FF_OK;
}

// Shortening does not use up all substeps: the last quarter is reserved for events. Else the last substep, which
// takes the rest of the step without events, would miss them.
static int reserved_for_events(const ffi_system *s)
{
  const int most = s->def->expo.max_pieces;
  return most < 8 ? 1 : most / 4;
}

// The next substep of a step of length dt, with `left` still to go. The last one that a step may have takes all of it,
// without events.
static ffi_expo_substep next_substep(const ffi_system *s, double dt, double left, double most)
{
  const int taken = s->info->pieces, is_last = taken + 1 >= s->def->expo.max_pieces;
  const double h = is_last || left - most <= no_rest * dt ? left : most;
  return (ffi_expo_substep){
      .is_first = taken == 0,
      .has_events = finds_events(s) && !is_last,
      .event_window = fmin(h, dt * window_of(taken)),
      .min_length = fmin(h, left / fmax(1, s->def->expo.max_pieces - reserved_for_events(s) - taken)),
      .h = h,
      .event = INFINITY};
}

ff_status ffi_expo_step(ffi_system *s, const ffi_state *from, double dt, ffi_state *to, ff_error *error)
{
  ffi_expo *e = s->memory;
  double mark = ffi_phase_begin(s), left = dt, most = dt;
  e->error = 0;
  ffi_state_copy(s, from, e->start_state);
  while (left > 0) {
    if (ffi_system_is_interrupted(s))
      return FF_ERROR_INTERRUPTED;
    ffi_expo_substep p = next_substep(s, dt, left, most);
    ff_status status = take_substep(s, e, &p, &mark, error);
    for (int again = 0; status == FF_ERROR_NUMERIC && p.has_events && again < MAX_SHORTENINGS; ++again) {
      // a number overflowed, as self-excited frozen friction can make it; e->start_state is unchanged
      most = fmin(left, most) / 8;
      p = next_substep(s, dt, left, most);
      p.was_shortened = 1;
      status = take_substep(s, e, &p, &mark, error);
    }
    const int is_end = left - p.h <= no_rest * dt;
    if (status == FF_OK && !is_end) // touch-downs at the end of the step are found when the next one begins
      status = ffi_expo_new_contacts_add_touchdowns(s, e, p.h, dt * window_of(s->info->pieces), error);
    if (status != FF_OK)
      return status;
    ++s->info->pieces;
    s->info->events_capped |= finds_events(s) && !p.has_events && s->info->pieces > 1;
    left = is_end ? 0 : left - p.h;
    e->last_length = p.h;
    most = p.was_shortened || most < dt ? 2 * p.h : dt; // grow again
    ffi_state *const end = e->end_state;                // the end of this substep is the start of the next
    e->end_state = e->start_state;
    e->start_state = end;
  }
  ffi_state_copy(s, e->start_state, to);
  ffi_state_advance(s, from, dt, to);
  ffi_state_copy_friction(s, e->start_state, to);
  for (int i = 0; i < to->touching_count; ++i)
    ffi_v3_scale(1 / dt, to->touching[i].mean_force, to->touching[i].mean_force);
  s->info->penetration = e->end.deepest;
  s->info->converged = 1;
  ffi_phase_end(s, FF_PHASE_UPDATE, &mark);
  return FF_OK;
}

static ff_status step(ffi_system *s, const ffi_state *from, double dt, ffi_state *to, ff_error *error)
{
  return s->def->accuracy > 0 ? ffi_expo_adaptive_step(s, from, dt, to, error)
                              : ffi_expo_step(s, from, dt, to, error);
}

const ffi_stepper ffi_expo_stepper = {layout, step};
