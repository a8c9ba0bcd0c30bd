// expo: the exponential step of second order, with events inside it. One step is a chain of pieces; a piece ends at the step's end or where a
// contact begins, ends, starts or ceases to slide, or where a joint's stop or motor changes its regime. expo_piece.c has the parts, docs/theory/expo.md the derivation.
#include "step/expo/expo.h"

#include "dynamics/one_lane.h"
#include "math/vec3.h"
#include "step/eval/anchor.h"
#include "step/expo/expo_adaptive.h"
#include "step/expo/expo_energy.h"
#include "step/expo/expo_feasible.h"
#include "step/expo/expo_flags.h"
#include "step/expo/expo_new_contacts.h"
#include "step/expo/expo_touchdown.h"
#include "step/system/phase.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Events nearer to each other than this share of dt are taken as one. The first of a step are told apart finely, so that an impact far shorter than the step
// is followed; each further piece doubles the share, so that a hundred corners that land one after another do not take a hundred pieces.
static double window_of(int pieces)
{
  return pieces < 16 ? 1.0 / (double)(1 << (20 - pieces)) : 1.0 / 16;
}

// A correction larger than this share of the velocity change that it corrects calls for shorter pieces: what is left after it goes with its square.
static const double most_correction = 0.1;

// One that cannot be shortened, while something slides, is corrected by no more than this share of what there is, or not at all: friction that feeds on the
// normal force it makes answers a large correction with a larger one.
static const double largest_correction = 1;

// The share of dt that is no rest of a step but the rounding of its pieces' lengths, 32 of them and a few roundings each: motion over so short a time is rounding,
// and its corrections call for ever shorter pieces.
static const double no_rest = 256 * DBL_EPSILON;

// How often the modes of a piece's start are revised, and a piece is shortened, before what there is is taken.
enum { MOST_FLIPS = 8, MOST_SHORTENINGS = 4 };

static void *layout(const ffi_system *s, ffi_block *block)
{
  ffi_expo *e = ffi_block_keep(block, 1, sizeof *e), x = {0};
  const size_t nv = (size_t)s->model->size.nv, contacts = (size_t)s->max_contacts + 1;
  ffi_evaluation_layout(s, block, &x.end);
  ffi_evaluation_layout(s, block, &x.middle);
  ffi_frozen_layout(s, block, &x.frozen);
  ffi_frozen_exact_layout(s, block, &x.reference);
  ffi_expo_events_layout(s, block, &x.frozen, &x.watch);
  x.now = ffi_state_layout(s, block);
  x.there = ffi_state_layout(s, block);
  x.halfway = ffi_state_layout(s, block);
  x.at = ffi_state_layout(s, block);
  x.mode = ffi_block_take(block, contacts, sizeof *x.mode);
  x.forced = ffi_block_take(block, contacts, sizeof *x.forced);
  x.forced_joint = ffi_block_take(block, (size_t)s->element_count + 1, sizeof *x.forced_joint);
  x.contact_block = ffi_block_take(block, contacts, sizeof *x.contact_block);
  x.stops = ffi_block_take(block, contacts, sizeof *x.stops);
  x.flag = ffi_block_take(block, ffi_stepper_has_slip_flags(s->def) ? contacts : 1, sizeof *x.flag);
  double **vectors[4] = {&x.f, &x.f1, &x.acceleration, &x.predicted};
  for (int k = 0; k < 4; ++k)
    *vectors[k] = ffi_block_take(block, nv, sizeof(double));
  x.scratch = ffi_block_take(block, 2 * nv, sizeof *x.scratch);
  x.shift = ffi_block_take(block, contacts, sizeof *x.shift);
  x.impulse = ffi_block_take(block, contacts, sizeof *x.impulse);
  if (e)
    *e = x;
  return e;
}

// The reference exponentials cannot be looked into: with them forces are brought into their bounds in the mean.
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

// The frozen system with the modes that contacts have at the start: what an event gave them, or their laws.
static void freeze_in_first_modes(ffi_system *s, ffi_expo *e)
{
  if (ffi_stepper_has_slip_flags(s->def))
    ffi_expo_flags_restore(e);
  for (int i = 0; i < e->start->count; ++i) {
    const ffi_contact *c = &e->start->contact[i];
    e->stops[i] = 0;
    e->mode[i] = e->forced[i] >= 0 ? (ff_contact_mode)e->forced[i] : c->law.mode;
    if (e->mode[i] == FF_CONTACT_STICK && c->mu == 0)
      e->mode[i] = FF_CONTACT_SLIP; // its law cannot tell: there is no friction either way
  }
  ffi_expo_substep_freeze(s, e);
}

// The start of a piece: its contacts and their modes, the mass matrix, the frozen system.
static ff_status begin_piece(ffi_system *s, ffi_expo *e, int is_first, double *mark, ff_error *error)
{
  ff_status status;
  e->start = s->present;
  if (is_first) {
    status = ffi_evaluation_start(s, e->now, error);
  } else {
    e->start->since = e->before;
    status = ffi_evaluation_at(s, e->now, FFI_EVALUATION_SUBSTEP, e->start, error);
    if (status == FF_OK)
      status = ffi_expo_new_contacts_add_overlaps(s, e, error);
  }
  if (status != FF_OK)
    return status;
  if (is_first) {
    ffi_anchor_store(s, e->now, e->start, NULL, NULL,
                     e->there); // not in place: new contacts may come before known ones
    e->now->touching_count = e->there->touching_count;
    memcpy(e->now->touching, e->there->touching, (size_t)e->there->touching_count * sizeof *e->now->touching);
    for (int i = 0; i < e->start->count; ++i)
      e->forced[i] = FFI_MODE_BY_LAW;
  } else {
    ffi_expo_new_contacts_place_anchors(s, e);
  }
  ffi_phase_end(s, FF_PHASE_CONTACT, mark);
  for (int r = 0; r < e->start->joint_row_count && !is_first; ++r) {
    const int regime = e->forced_joint[e->start->joint_row_element[r]];
    if (regime != FFI_REGIME_BY_LAW)
      ffi_expo_joint_events_set_regime(s, e->now, e->start, r, regime);
  }
  if (ffi_stepper_has_slip_flags(s->def))
    ffi_expo_flags_begin(s, e);
  freeze_in_first_modes(s, e);
  ffi_phase_end(s, FF_PHASE_PREPARE, mark);
  return FF_OK;
}

// What changes right at the start of a piece had the wrong mode or regime there.
static void change_modes(ffi_system *s, ffi_expo *e, double time)
{
  for (int i = 0; i < e->start->count; ++i)
    if (ffi_expo_events_changes(&e->watch, i, time))
      e->mode[i] = e->watch.next[i];
  for (int r = 0; r < e->start->joint_row_count; ++r) {
    const int element = e->start->joint_row_element[r];
    if (ffi_expo_joint_events_changes(&e->watch.joints, element, time))
      ffi_expo_joint_events_set_regime(s, e->now, e->start, r, e->watch.joints.next[element]);
  }
  ffi_expo_substep_freeze(s, e);
}

// One piece as it is taken.
typedef struct piece {
  int is_first, has_events;
  double least; // events nearer to its start than this are taken as there
  double
      shortest; // it is not shortened below this for the sake of its correction, so that those left reach the end of the step
  double h;          // its length: at first the most that it may have
  double event;      // when e->watch has found a change at its end; infinite: none
  int was_shortened; // other than by an event
} piece;

// Predict the piece, or up to the first change in it. A change right at the start means that the mode was wrong: it is changed and the prediction
// repeated, a few times at most.
static ff_status predict_to_event(ffi_system *s, ffi_expo *e, piece *p, ff_error *error)
{
  ff_status status = ffi_expo_substep_predict(s, e, p->h, 1, error);
  p->event = INFINITY;
  for (int flips = 0; status == FF_OK && e->watch.time < p->h; ++flips) {
    const double time = e->watch.time;
    if (time >= p->least || flips == MOST_FLIPS) {
      p->event = time;
      p->h = fmax(time, p->least);
      return ffi_expo_substep_predict(s, e, p->h, 0, error);
    }
    change_modes(s, e, time);
    status = ffi_expo_substep_predict(s, e, p->h, 1, error);
  }
  return status;
}

// Layers, in which velocities change early, are made by the dampers of contacts.
static int has_dampers(const ffi_expo *e)
{
  for (int i = 0; i < e->start->count; ++i)
    if (e->contact_block[i] >= 0 && e->mode[i] != FF_CONTACT_RELEASED && e->start->contact[i].B > 0)
      return 1;
  return 0;
}

// The prediction: up to an event, shorter if no modes fit. Without events forces are brought into their cones in the mean, as the published scheme does.
static ff_status predict_piece(ffi_system *s, ffi_expo *e, piece *p, ff_error *error)
{
  e->follows_layers = (p->has_events || !finds_events(s)) && has_dampers(e);
  ff_status status =
      p->has_events ? predict_to_event(s, e, p, error) : ffi_expo_substep_predict(s, e, p->h, 0, error);
  if (status == FF_OK && !p->has_events && ffi_stepper_has_slip_flags(s->def))
    status = ffi_expo_flags_stop(s, e, p->h, error);
  for (int shortened = 0; status == FF_OK && p->has_events && p->h > p->least &&
                          !ffi_expo_feasible_means(e) && shortened < MOST_SHORTENINGS;
       ++shortened) {
    p->h = fmax(p->least, p->h / 4);
    p->was_shortened = 1;
    freeze_in_first_modes(s, e);
    status = predict_to_event(s, e, p, error);
  }
  if (status == FF_OK && !ffi_expo_feasible_means(e))
    status = ffi_expo_feasible_fallback(s, e, p->h, error);
  else if (status == FF_OK && !p->has_events)
    status = ffi_frozen_forces_project(s, e->start, &e->frozen, e->contact_block, p->h, 1, e->scratch, error);
  return status;
}

// The prediction again, where a correction says no more than that the piece is too long for one.
static ff_status leave_uncorrected(ffi_system *s, ffi_expo *e, double h, ff_error *error)
{
  e->correction = -1;
  const ff_status status = ffi_expo_substep_predict(s, e, h, 0, error);
  return status == FF_OK ? ffi_expo_substep_evaluate(s, e, h, error) : status;
}

// The corrector, on a piece that is shortened as long as it changes too much or carries a feature through a surface that the prediction had left it above.
static ff_status correct_piece(ffi_system *s, ffi_expo *e, piece *p, ff_error *error)
{
  const double least = p->has_events ? p->shortest : p->h;
  for (int shortened = 0;; ++shortened) {
    double share;
    ff_status status = ffi_expo_substep_correct(s, e, p->h, &share, error);
    if (status != FF_OK)
      return status;
    if (p->h <= least || shortened == MOST_SHORTENINGS)
      return share <= largest_correction || e->frozen.slides == 0 ? FF_OK
                                                                  : leave_uncorrected(s, e, p->h, error);
    const double missed = ffi_expo_touchdown_missed(s, e, p->h, least);
    if (share <= most_correction && missed == p->h)
      return status;
    if (share > most_correction) {
      p->h *= fmin(0.5, sqrt(most_correction / share));
      p->was_shortened = 1;
    }
    p->h = fmax(least, fmin(p->h, missed));
    if ((status = ffi_expo_substep_predict(s, e, p->h, 0, error)) == FF_OK)
      status = ffi_expo_substep_evaluate(s, e, p->h, error);
    if (status == FF_OK)
      status = ffi_expo_touchdown_search(s, e, &p->h, error);
    if (status != FF_OK)
      return status;
  }
}

static void force_mode(ffi_expo *e, int id, ff_contact_mode mode)
{
  for (int i = 0; i < e->there->touching_count; ++i)
    if (e->there->touching[i].id == id)
      e->forced[i] = (int)mode;
}

// What changes at the event that ends a piece has its new mode or regime in the next one; all else follows its law.
static void force_changes(ffi_system *s, ffi_expo *e, double event)
{
  for (int i = 0; i < e->there->touching_count; ++i)
    e->forced[i] = FFI_MODE_BY_LAW;
  for (int k = 0; k < s->element_count; ++k)
    e->forced_joint[k] = FFI_REGIME_BY_LAW;
  if (!(event < INFINITY))
    return;
  for (int i = 0; i < e->start->count; ++i)
    if (ffi_expo_events_changes(&e->watch, i, event)) {
      count_event(s->info, e->mode[i], e->watch.next[i]);
      force_mode(e, e->start->contact[i].near.id, e->watch.next[i]);
    }
  for (int k = 0; k < s->element_count; ++k)
    if (ffi_expo_joint_events_changes(&e->watch.joints, k, event))
      e->forced_joint[k] = e->watch.joints.next[k];
}

// Of the solve that was taken, and not of those that were tried; but for the work.
static void tell_of_piece(const ffi_frozen *z, ff_step_info *info)
{
  info->substeps = z->substeps > info->substeps ? z->substeps : info->substeps;
  info->capped |= z->capped;
  info->force_error = fmax(info->force_error, z->error);
  info->factorisations += z->factorisations;
}

// One piece, from e->now to e->there: begin, predict, look, search, correct, arrive.
static ff_status take_piece(ffi_system *s, ffi_expo *e, piece *p, double *mark, ff_error *error)
{
  e->frozen.factorisations = 0;
  e->correction = -1;
  ff_status status = begin_piece(s, e, p->is_first, mark, error);
  if (status == FF_OK)
    status = predict_piece(s, e, p, error);
  ffi_phase_end(s, FF_PHASE_INTEGRAL, mark);
  if (status == FF_OK)
    status = ffi_expo_substep_evaluate(s, e, p->h, error);
  const double to_event = p->h;
  if (status == FF_OK && p->has_events)
    status = ffi_expo_touchdown_search(s, e, &p->h, error);
  ffi_phase_end(s, FF_PHASE_CONTACT, mark);
  if (status == FF_OK && s->def->expo.order == 2 && !e->frozen.was_projected)
    status = correct_piece(s, e, p, error);
  if (status == FF_OK && p->has_events)
    status = ffi_expo_feasible_restore(s, e, p->shortest, p->h, error);
  int absorbed = 0;
  if (status == FF_OK && finds_events(s))
    status = ffi_expo_energy_bound(s, e, p->shortest, &p->h, &p->was_shortened, &absorbed, error);
  ffi_phase_end(s, FF_PHASE_INTEGRAL, mark);
  if (status != FF_OK)
    return status;
  e->error += ffi_expo_adaptive_error(e, absorbed);
  ffi_expo_substep_finish(s, e, p->h);
  force_changes(s, e, p->h == to_event && !absorbed ? p->event : INFINITY);
  tell_of_piece(&e->frozen, s->info);
  return FF_OK;
}

// Pieces are not used up by shortening: the last quarter of them is for events, or the one that takes all that is left would meet them unseen.
static int kept_for_events(const ffi_system *s)
{
  const int most = s->def->expo.max_pieces;
  return most < 8 ? 1 : most / 4;
}

// The next piece of a step of length dt of which `left` is left. The last one that a step may have takes all of it, without events.
static piece next_piece(const ffi_system *s, double dt, double left, double most)
{
  const int taken = s->info->pieces, is_last = taken + 1 >= s->def->expo.max_pieces;
  const double h = is_last || left - most <= no_rest * dt ? left : most;
  return (piece){.is_first = taken == 0,
                 .has_events = finds_events(s) && !is_last,
                 .least = fmin(h, dt * window_of(taken)),
                 .shortest = fmin(h, left / fmax(1, s->def->expo.max_pieces - kept_for_events(s) - taken)),
                 .h = h,
                 .event = INFINITY};
}

ff_status ffi_expo_step(ffi_system *s, const ffi_state *from, double dt, ffi_state *to, ff_error *error)
{
  ffi_expo *e = s->memory;
  double mark = ffi_phase_begin(s), left = dt, most = dt;
  e->error = 0;
  ffi_state_copy(s, from, e->now);
  while (left > 0) {
    piece p = next_piece(s, dt, left, most);
    ff_status status = take_piece(s, e, &p, &mark, error);
    for (int again = 0; status == FF_ERROR_NUMERIC && p.has_events && again < MOST_SHORTENINGS; ++again) {
      // something on the way overflowed, as frozen friction that feeds on itself can: e->now is as it was
      most = fmin(left, most) / 8;
      p = next_piece(s, dt, left, most);
      p.was_shortened = 1;
      status = take_piece(s, e, &p, &mark, error);
    }
    const int is_end = left - p.h <= no_rest * dt;
    if (status == FF_OK && !is_end) // what touches at the end of the step is seen when the next one begins
      status = ffi_expo_new_contacts_add_touchdowns(s, e, p.h, dt * window_of(s->info->pieces), error);
    if (status != FF_OK)
      return status;
    ++s->info->pieces;
    s->info->events_capped |= finds_events(s) && !p.has_events && s->info->pieces > 1;
    left = is_end ? 0 : left - p.h;
    e->before = p.h;
    most = p.was_shortened || most < dt ? 2 * p.h : dt; // grow again
    ffi_state *const end = e->there;                    // the end of this piece is the start of the next
    e->there = e->now;
    e->now = end;
  }
  ffi_state_copy(s, e->now, to);
  ffi_state_advance(s, from, dt, to);
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
