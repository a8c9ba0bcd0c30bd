// expo: the exponential step of second order, with events inside it. One step is a chain of pieces; a piece ends at the step's end or where a
// contact begins, ends, starts or ceases to slide, or where a joint's stop or motor changes its regime. expo_piece.c has the parts, docs/theory/expo.md the derivation.
#include "step/expo.h"

#include "base/error.h"
#include "dynamics/one_robot.h"
#include "math/vec3.h"
#include "step/anchors.h"
#include "step/expo_absorb.h"
#include "step/expo_touchdown.h"
#include "step/phase.h"

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

// The share of its energy that a piece may gain: what interpolated events leave.
static const double most_gain = 1e-4;

// In `forced`: a contact that begins with the next piece. Its anchor is put where its point is then.
enum { BY_LAW = -1, BEGINS = -2 };

// How often the modes of a piece's start are revised, and a piece is shortened, before what there is is taken.
enum { MOST_FLIPS = 8, MOST_SHORTENINGS = 4 };

static void *layout(const ffi_system *s, ffi_block *block)
{
  ffi_expo *e = ffi_block_take(block, 1, sizeof *e), x;
  const size_t nv = (size_t)s->model->size.nv, contacts = (size_t)s->max_contacts + 1;
  ffi_instant_layout(s, block, &x.start);
  ffi_instant_layout(s, block, &x.end);
  ffi_frozen_layout(s, block, &x.frozen);
  ffi_reference_layout(s, block, &x.reference);
  ffi_watch_layout(s, block, &x.frozen, &x.watch);
  ffi_state_layout(s, block, &x.now);
  ffi_state_layout(s, block, &x.there);
  x.mode = ffi_block_take(block, contacts, sizeof *x.mode);
  x.forced = ffi_block_take(block, contacts, sizeof *x.forced);
  x.forced_joint = ffi_block_take(block, (size_t)s->element_count + 1, sizeof *x.forced_joint);
  x.contact_block = ffi_block_take(block, contacts, sizeof *x.contact_block);
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

// A contact begins at a feature that has none yet: x->touching stays in order of ids, `forced` goes along. Its anchor is where it is now.
static ff_status begin_contact(ffi_system *s, ffi_expo *e, ffi_state *x, const ffi_near *near,
                               ff_error *error)
{
  int at = 0;
  while (at < x->touching_count && x->touching[at].id < near->id)
    ++at;
  if (at < x->touching_count && x->touching[at].id == near->id)
    return FF_OK;
  if (x->touching_count == s->max_contacts)
    return ffi_fail(error, FF_ERROR_LIMIT, NULL, 0, "contact",
                    "more than %d points are in contact at once; raise ff_sim_def.max_contacts",
                    s->max_contacts);
  const size_t after = (size_t)(x->touching_count - at);
  memmove(x->touching + at + 1, x->touching + at, after * sizeof *x->touching);
  memmove(e->forced + at + 1, e->forced + at, after * sizeof *e->forced);
  const ffi_place *frame = ffi_anchor_frame(s, near);
  ffi_touching new = {.id = near->id,
                      .rest = s->def->normal_anchor == FF_ANCHOR_FIRST_TOUCH ? near->gap : 0.0};
  double arm[3];
  ffi_v3_sub(near->point, frame->p, arm);
  ffi_turn_back(frame, arm, new.anchor);
  x->touching[at] = new;
  e->forced[at] = BEGINS;
  ++x->touching_count;
  ++s->info->touchdowns;
  return FF_OK;
}

// The correction may have carried a feature into a surface that the prediction had left it just above: its contact begins with the piece.
static ff_status begin_overlaps(ffi_system *s, ffi_expo *e, ff_error *error)
{
  const int before = e->now.touching_count;
  ff_status status = FF_OK;
  for (int n = 0; n < e->start.near_count && status == FF_OK; ++n)
    if (e->start.near[n].gap <= 0)
      status = begin_contact(s, e, &e->now, &e->start.near[n], error);
  if (status == FF_OK && e->now.touching_count > before)
    status = ffi_instant_at(s, &e->now, FFI_SET_PIECE, &e->start, error);
  return status;
}

// New contacts were found where the prediction led to; the correction has moved them. Springs at rest begin where they are now.
// Those that were eased are written down as well.
static void place_new_anchors(ffi_system *s, ffi_expo *e)
{
  for (int i = 0; i < e->start.count; ++i) {
    ffi_contact *c = &e->start.contact[i];
    const int begins = e->forced[i] == BEGINS;
    if (!(begins || c->was_eased) || c->near.pair < 0)
      continue;
    if (begins) {
      ffi_v3_copy(c->near.point, c->anchor);
      ffi_v3_scale(c->near.gap - c->rest, c->near.normal, c->x);
      ffi_contact_law(c->K, c->B, c->mu, c->near.normal, c->x, c->u, &c->law);
    }
    const ffi_place *frame = ffi_anchor_frame(s, &c->near);
    double arm[3];
    ffi_v3_sub(c->anchor, frame->p, arm);
    ffi_turn_back(frame, arm, e->now.touching[i].anchor);
    e->now.touching[i].rest = c->rest;
  }
}

// The frozen system with the modes that contacts have at the start: what an event gave them, or their laws.
static void freeze_in_first_modes(ffi_system *s, ffi_expo *e)
{
  for (int i = 0; i < e->start.count; ++i) {
    const ffi_contact *c = &e->start.contact[i];
    e->mode[i] = e->forced[i] >= 0 ? (ff_contact_mode)e->forced[i] : c->law.mode;
    if (e->mode[i] == FF_CONTACT_STICK && c->mu == 0)
      e->mode[i] = FF_CONTACT_SLIP; // its law cannot tell: there is no friction either way
  }
  ffi_expo_freeze(s, e);
}

// The start of a piece: its contacts and their modes, the mass matrix, the frozen system.
static ff_status begin_piece(ffi_system *s, ffi_expo *e, int is_first, double *mark, ff_error *error)
{
  const ffi_contact_set set = is_first ? FFI_SET_CURRENT : FFI_SET_PIECE;
  ff_status status = ffi_instant_at(s, &e->now, set, &e->start, error);
  if (status == FF_OK && !is_first)
    status = begin_overlaps(s, e, error);
  if (status != FF_OK)
    return status;
  if (is_first) {
    ffi_touching_shift(s, &e->now, &e->start, NULL, NULL,
                       &e->there); // not in place: new contacts may come before known ones
    ffi_touching *known = e->now.touching;
    e->now.touching = e->there.touching;
    e->now.touching_count = e->there.touching_count;
    e->there.touching = known;
    for (int i = 0; i < e->start.count; ++i)
      e->forced[i] = BY_LAW;
  } else {
    place_new_anchors(s, e);
  }
  ffi_phase_end(s, FF_PHASE_CONTACT, mark);
  for (int r = 0; r < e->start.joint_row_count && !is_first; ++r) {
    const int regime = e->forced_joint[e->start.joint_row_element[r]];
    if (regime != FFI_REGIME_BY_LAW)
      ffi_joints_hold(s, &e->now, &e->start, r, regime);
  }
  s->k->crba(s->work);
  freeze_in_first_modes(s, e);
  ffi_phase_end(s, FF_PHASE_PREPARE, mark);
  return FF_OK;
}

// What changes right at the start of a piece had the wrong mode or regime there.
static void change_modes(ffi_system *s, ffi_expo *e, double time)
{
  for (int i = 0; i < e->start.count; ++i)
    if (ffi_watch_changes(&e->watch, i, time))
      e->mode[i] = e->watch.next[i];
  for (int r = 0; r < e->start.joint_row_count; ++r) {
    const int element = e->start.joint_row_element[r];
    if (ffi_joints_changes(&e->watch.joints, element, time))
      ffi_joints_hold(s, &e->now, &e->start, r, e->watch.joints.next[element]);
  }
  ffi_expo_freeze(s, e);
}

// Predict over h, or up to the first change of a contact's mode. A change right at the start means that the mode was wrong: it is changed and the
// prediction repeated, a few times at most. *event: when e->watch has found the change at the end, infinite: none.
static ff_status predict_to_event(ffi_system *s, ffi_expo *e, double *h, double least, double *event,
                                  ff_error *error)
{
  ff_status status = ffi_expo_predict(s, e, *h, 1, error);
  *event = INFINITY;
  for (int flips = 0; status == FF_OK && e->watch.time < *h; ++flips) {
    const double time = e->watch.time;
    if (time >= least || flips == MOST_FLIPS) {
      *event = time;
      *h = fmax(time, least);
      return ffi_expo_predict(s, e, *h, 0, error);
    }
    change_modes(s, e, time);
    status = ffi_expo_predict(s, e, *h, 1, error);
  }
  return status;
}

// Do all mean forces lie in their cones, but for what an event at the end of the piece, found by interpolation, leaves? They do not where the watch gave
// up, or where sliding friction feeds on the normal force it makes (mu J_d M^-1 J_n' against J_n M^-1 J_n'), whose frozen motion grows without bound.
static int means_are_sound(const ffi_expo *e)
{
  for (int i = 0; i < e->start.count; ++i) {
    if (e->contact_block[i] < 0 || e->mode[i] == FF_CONTACT_RELEASED)
      continue;
    const ffi_contact *c = &e->start.contact[i];
    const double *mean = e->frozen.block[e->contact_block[i]].mean;
    const double push = ffi_v3_dot(mean, c->near.normal), slack = 0.05 * (fabs(push) + c->law.normal_force);
    const double square = ffi_v3_dot(mean, mean) - push * push, most = c->mu * push + (1 + c->mu) * slack;
    if (!(push >= -slack && square <= most * most))
      return 0;
  }
  return 1;
}

// If they do not, a shorter piece may have modes that fit. At last the piece is taken as the published scheme would: contacts that push stick, and mean
// forces are brought into their cones.
static ff_status take_as_published(ffi_system *s, ffi_expo *e, double h, ff_error *error)
{
  for (int i = 0; i < e->start.count; ++i)
    if (e->mode[i] == FF_CONTACT_SLIP && e->start.contact[i].mu > 0)
      e->mode[i] = FF_CONTACT_STICK;
  ffi_expo_freeze(s, e);
  e->frozen.want_double = 1;
  const ff_status status = ffi_expo_predict(s, e, h, 0, error);
  if (status != FF_OK)
    return status;
  return ffi_springs_project(s, &e->start, &e->frozen, e->contact_block, h, 1, e->scratch, error);
}

// A correction can spoil a piece that cannot be shortened any more.
static ff_status keep_sound(ffi_system *s, ffi_expo *e, double least, double h, ff_error *error)
{
  if (h > least || e->frozen.was_projected || means_are_sound(e))
    return FF_OK;
  s->k->transforms(s->work, e->now.q); // the mass matrix of the start again
  s->k->crba(s->work);
  const ff_status status = take_as_published(s, e, h, error);
  return status == FF_OK ? ffi_expo_look_there(s, e, h, error) : status;
}

// Contacts that begin at the end of the piece: all features that overlap there, and those that would within `window`.
static ff_status add_touchdowns(ffi_system *s, ffi_expo *e, double h, double window, ff_error *error)
{
  ff_status status = FF_OK;
  for (int n = 0; n < e->end.near_count && status == FF_OK; ++n) {
    const ffi_near *near = &e->end.near[n];
    const double sinking = (ffi_expo_gap_at_start(e, near->id, near->gap) - near->gap) / h;
    if (near->gap <= fmax(1e-12, sinking * window))
      status = begin_contact(s, e, &e->there, near, error);
  }
  return status;
}

static double fastest(const double *v, const double *change, int n)
{
  double most = 0;
  for (int k = 0; k < n; ++k)
    most = fmax(most, fabs(change ? v[k] + change[k] : v[k]));
  return most;
}

// May the piece have gained energy? Only where a mean force was brought into its cone, where sub-steps do not resolve the motion, where sliding friction
// that feeds on the normal force it makes has sped something up, or where something overlaps at the end that did not push on the way.
static int is_doubtful(const ffi_expo *e, double h)
{
  const ffi_frozen *z = &e->frozen;
  if (z->was_projected || z->capped)
    return 1;
  if (z->slides > 0 &&
      fastest(e->now.v, z->delta_v, z->n) > 1.1 * fastest(e->now.v, NULL, z->n) + z->gravity * h)
    return 1;
  for (int n = 0, i = 0; n < e->end.near_count; ++n) {
    const ffi_near *near = &e->end.near[n];
    if (near->gap >= 0)
      continue;
    while (i < e->end.count && e->end.contact[i].near.id < near->id)
      ++i;
    if (i == e->end.count || e->end.contact[i].near.id != near->id || e->contact_block[i] < 0 ||
        e->mode[i] == FF_CONTACT_RELEASED)
      return 1;
  }
  return 0;
}

// Contacts that the piece meets: what overlaps at its end and did not push, from above the surface. Returns how many are new.
static ff_status meet_contacts(ffi_system *s, ffi_expo *e, int *met, ff_error *error)
{
  ff_status status = FF_OK;
  *met = 0;
  for (int i = 0; i < e->end.count; ++i)
    if (e->end.contact[i].near.gap < 0 && e->start.contact[i].near.gap >= 0 &&
        e->mode[i] == FF_CONTACT_RELEASED && e->forced[i] != BEGINS) {
      e->forced[i] = BEGINS;
      ++*met;
    }
  const int before = e->now.touching_count;
  for (int n = 0; n < e->end.near_count && status == FF_OK; ++n)
    if (e->end.near[n].gap < 0)
      status = begin_contact(s, e, &e->now, &e->end.near[n], error);
  *met += e->now.touching_count - before;
  return status;
}

// The piece again, with all contacts that it meets as springs along their normals.
static ff_status absorb_once(ffi_system *s, ffi_expo *e, double h, ff_error *error)
{
  enum { MOST_TIMES = 3 };
  for (int times = 0; times < MOST_TIMES; ++times) {
    int met;
    ff_status status = meet_contacts(s, e, &met, error);
    if (status == FF_OK && times > 0 && met == 0)
      break;
    if (status == FF_OK)
      status = ffi_instant_at(s, &e->now, FFI_SET_FIXED, &e->start, error);
    if (status != FF_OK)
      return status;
    place_new_anchors(s, e);
    for (int i = 0; i < e->start.count; ++i)
      e->mode[i] = e->forced[i] == BEGINS ? FF_CONTACT_SLIP : FF_CONTACT_RELEASED;
    s->k->crba(s->work);
    ffi_absorb_freeze(s, e);
    if ((status = ffi_expo_predict(s, e, h, 0, error)) == FF_OK)
      status = ffi_expo_look_there(s, e, h, error);
    if (status != FF_OK)
      return status;
  }
  return FF_OK;
}

// What is then still gained comes from the robot's own motion, which a long piece does not see; so it is shortened, to `least` at the shortest.
static ff_status absorb_piece(ffi_system *s, ffi_expo *e, double least, double *h, int *was_shortened,
                              ff_error *error)
{
  for (;;) {
    const ff_status status = absorb_once(s, e, *h, error);
    if (status != FF_OK || *h <= least || ffi_absorb_gain(s, e, *h) <= most_gain)
      return status;
    *h = fmax(least, *h / 4);
    *was_shortened = 1;
  }
}

// The corrector, on a piece that is shortened, to `least` at the shortest, as long as it changes too much or carries a feature through a surface that
// the prediction had left it above.
static ff_status correct_piece(ffi_system *s, ffi_expo *e, double least, double *h, int *was_shortened,
                               ff_error *error)
{
  for (int shortened = 0;; ++shortened) {
    double share;
    ff_status status = ffi_expo_correct(s, e, *h, &share, error);
    if (status != FF_OK || *h <= least || shortened == MOST_SHORTENINGS)
      return status;
    const double missed = ffi_expo_missed_touchdown(s, e, *h, least);
    if (share <= most_correction && missed == *h)
      return status;
    if (share > most_correction) {
      *h *= fmin(0.5, sqrt(most_correction / share));
      *was_shortened = 1;
    }
    *h = fmax(least, fmin(*h, missed));
    if ((status = ffi_expo_predict(s, e, *h, 0, error)) == FF_OK)
      status = ffi_expo_look_there(s, e, *h, error);
    if (status == FF_OK)
      status = ffi_expo_search_touchdown(s, e, h, error);
    if (status != FF_OK)
      return status;
  }
}

static void force_mode(ffi_expo *e, int id, ff_contact_mode mode)
{
  for (int i = 0; i < e->there.touching_count; ++i)
    if (e->there.touching[i].id == id)
      e->forced[i] = (int)mode;
}

// What changes at the event that ends a piece has its new mode or regime in the next one.
static void force_changes(ffi_system *s, ffi_expo *e, double event)
{
  for (int i = 0; i < e->start.count; ++i)
    if (ffi_watch_changes(&e->watch, i, event)) {
      count_event(s->info, e->mode[i], e->watch.next[i]);
      force_mode(e, e->start.contact[i].near.id, e->watch.next[i]);
    }
  for (int k = 0; k < s->element_count; ++k)
    if (ffi_joints_changes(&e->watch.joints, k, event))
      e->forced_joint[k] = e->watch.joints.next[k];
}

// One piece of at most `most`; *taken: its length. Without events forces are brought into their cones in the mean, as the published scheme does.
static ff_status take_piece(ffi_system *s, ffi_expo *e, int is_first, int has_events, double most,
                            double left, double dt, double *taken, int *was_shortened, double *mark,
                            ff_error *error)
{
  const double least = fmin(most, dt * window_of(s->info->pieces)),
               shortest = fmin(most, left / fmax(1, s->def->expo.max_pieces - s->info->pieces - 1));
  double h = most, event = INFINITY;
  e->frozen.factorisations = 0;
  ff_status status = begin_piece(s, e, is_first, mark, error);
  if (status != FF_OK)
    return status;
  e->frozen.want_double = !has_events;
  status =
      has_events ? predict_to_event(s, e, &h, least, &event, error) : ffi_expo_predict(s, e, h, 0, error);
  while (status == FF_OK && has_events && h > least && !means_are_sound(e)) {
    h = fmax(least, h / 4);
    *was_shortened = 1;
    freeze_in_first_modes(s, e);
    status = predict_to_event(s, e, &h, least, &event, error);
  }
  if (status == FF_OK && !means_are_sound(e))
    status = take_as_published(s, e, h, error);
  else if (status == FF_OK && !has_events)
    status = ffi_springs_project(s, &e->start, &e->frozen, e->contact_block, h, 1, e->scratch, error);
  ffi_phase_end(s, FF_PHASE_INTEGRAL, mark);
  if (status == FF_OK)
    status = ffi_expo_look_there(s, e, h, error);
  const double before = h;
  if (status == FF_OK && has_events)
    status = ffi_expo_search_touchdown(s, e, &h, error);
  ffi_phase_end(s, FF_PHASE_CONTACT, mark);
  if (status == FF_OK && s->def->expo.order == 2 && !e->frozen.was_projected)
    status = correct_piece(s, e, has_events ? shortest : h, &h, was_shortened, error);
  if (status == FF_OK && has_events)
    status = keep_sound(s, e, shortest, h, error);
  ffi_phase_end(s, FF_PHASE_INTEGRAL, mark);
  if (status != FF_OK)
    return status;

  if (finds_events(s) && is_doubtful(e, h) && !(ffi_absorb_gain(s, e, h) <= most_gain)) {
    if ((status = absorb_piece(s, e, shortest, &h, was_shortened, error)) != FF_OK)
      return status;
    event = INFINITY;
  }
  ffi_expo_arrive(s, e, h);
  for (int i = 0; i < e->there.touching_count; ++i)
    e->forced[i] = BY_LAW;
  for (int k = 0; k < s->element_count; ++k)
    e->forced_joint[k] = FFI_REGIME_BY_LAW;
  if (event < INFINITY && h == before)
    force_changes(s, e, event);
  s->info->factorisations += e->frozen.factorisations;
  *taken = h;
  return status;
}

static ff_status step(ffi_system *s, const ffi_state *from, double dt, ffi_state *to, ff_error *error)
{
  ffi_expo *e = s->memory;
  double mark = ffi_phase_begin(s), left = dt, most = dt;
  ffi_state_copy(s, from, &e->now);
  const int has_events = finds_events(s);
  while (left > 0) {
    const int is_last = s->info->pieces + 1 >= s->def->expo.max_pieces;
    double h = 0;
    int was_shortened = 0;
    ff_status status =
        take_piece(s, e, s->info->pieces == 0, has_events && !is_last, is_last ? left : fmin(left, most),
                   left, dt, &h, &was_shortened, &mark, error);
    if (status == FF_OK && h < left) // what touches at the end of the step is seen when the next one begins
      status = add_touchdowns(s, e, h, dt * window_of(s->info->pieces), error);
    if (status != FF_OK)
      return status;
    ++s->info->pieces;
    s->info->events_capped |= is_last && has_events && s->info->pieces > 1;
    left = h < left ? left - h : 0;
    most = was_shortened || most < dt ? 2 * h : dt; // grow again
    const ffi_state swap = e->now;
    e->now = e->there;
    e->there = swap;
  }
  ffi_state_copy(s, &e->now, to);
  ffi_state_advance(s, from, dt, to);
  for (int i = 0; i < to->touching_count; ++i)
    ffi_v3_scale(1 / dt, to->touching[i].mean_force, to->touching[i].mean_force);
  s->info->converged = 1;
  ffi_phase_end(s, FF_PHASE_UPDATE, &mark);
  return FF_OK;
}

const ffi_stepper ffi_stepper_expo = {layout, step};
