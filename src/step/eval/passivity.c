// Unloads contact springs that a jump of the geometry has stretched.
#include "step/eval/passivity.h"

#include "dynamics/one_lane.h"
#include "math/vec3.h"
#include "model/model.h"

#include <math.h>

// How far a contact may be stretched beyond `stored`, as a share of `stored`:
static const double known_share = 1e-3;

// and as a share of its travel since the last evaluation, |u| tau, and of the travel in which its spring would stop
// the whole mass behind it, |u| sqrt(m/K). Steppers that locate the moment at which a contact begins, and integrate
// its springs, are nearly right; others find it up to the whole travel deep. The second bound is one of energy: where
// K is large, a small part of the travel is a spring that nothing in motion could have loaded; 0.03 is a thousandth
// of the kinetic energy.
static const double travel_share = 0.02, stop_share = 0.03;

static int has_events(const ff_sim_def *def)
{
  return def->stepper == FF_STEPPER_ESS || (def->stepper == FF_STEPPER_EXPO && def->expo.events &&
                                            def->expo.exponential == FF_EXPONENTIAL_AUTO);
}

// Mass of the tree that a body is part of; infinite for the world.
static double mass_behind(const ffi_system *s, const ffi_work *work, int body)
{
  if (body == 0)
    return INFINITY;
  while (s->model->bodies[body].parent > 0)
    body = s->model->bodies[body].parent;
  return work->subtree_mass[body];
}

// The allowance beyond `stored`, the second term of contact.md, eq. 5a. The lowest point of a rim, or of a patch that
// tilts, is another one at each evaluation; its depth changes by the normal velocity, whichever point it is: no jump.
static double unknown_stretch(const ffi_system *s, const ffi_work *work, const ffi_contact *c, double since)
{
  const double speed = sqrt(ffi_v3_dot(c->u, c->u));
  if (!has_events(s->def))
    return since * speed;
  if (c->near.roll == FFI_ROLL_AXIS || c->near.roll == FFI_ROLL_BENT)
    return since * fmax(travel_share * speed, -ffi_v3_dot(c->u, c->near.normal));
  const ffi_collider_pair *pair = &s->colliders->pairs[c->near.pair];
  const double mass = fmin(mass_behind(s, work, pair->body_a), mass_behind(s, work, pair->body_b));
  return speed * fmin(travel_share * since, stop_share * sqrt(mass / c->K));
}

// Square of the stretch. A normal spring that is not pressed has none.
static double stretch_of(const ffi_contact *c)
{
  const double along = ffi_v3_dot(c->x, c->near.normal), square = ffi_v3_dot(c->x, c->x);
  return along > 0 ? square - along * along : square;
}

// A rest below the surface follows the point up.
static void lift_rest(ffi_contact *c)
{
  const double top = c->near.gap < 0 ? c->near.gap : 0;
  if (!(c->rest < top))
    return;
  ffi_v3_add_scaled(c->rest - top, c->near.normal, c->x);
  c->rest = top;
  c->was_unloaded = 1;
  ffi_contact_law(c->K, c->B, c->mu, c->near.normal, c->x, c->u, &c->law);
}

static void unload(ffi_contact *c, double share)
{
  const double *n = c->near.normal, along = ffi_v3_dot(c->x, n);
  for (int k = 0; k < 3; ++k) {
    const double across = share * (c->x[k] - along * n[k]);
    c->anchor[k] = c->near.point[k] - across;
    c->x[k] = (along < 0 ? share : 1) * along * n[k] + across;
  }
  if (along < 0)
    c->rest = c->near.gap - share * along;
  c->was_unloaded = 1;
}

// Sum of squares of `stored` over features of the pair, ids from `first` up to `end`, that have vanished.
static double vanished_stretch(const ffi_state *x, const ffi_evaluation *at, int from, int to, int first,
                               int end)
{
  double sum = 0;
  for (int t = 0, i = from; t < x->touching_count && x->touching[t].id < end; ++t) {
    const ffi_state_contact *old = &x->touching[t];
    while (i < to && at->contact[i].near.id < old->id)
      ++i;
    const int is_there = i < to && at->contact[i].near.id == old->id && at->contact[i].near.pair >= 0;
    if (old->id >= first && !is_there && fabs(old->stored) < FFI_PASSIVITY_UNKNOWN)
      sum += old->stored * old->stored;
  }
  return sum;
}

// Contacts `from` .. `to` - 1 are those of one pair, some of them stretched beyond their limits.   contact.md, eq. 5a
static void unload_pair(const ffi_system *s, const ffi_state *x, ffi_evaluation *at, int from, int to)
{
  const ffi_collider_pair *pair = &s->colliders->pairs[at->contact[from].near.pair];
  double may = vanished_stretch(x, at, from, to, pair->first_id, pair->first_id + pair->most), want = 0;
  for (int i = from; i < to; ++i) {
    const ffi_contact *c = &at->contact[i];
    const double stretch = stretch_of(c), most = c->limit * c->limit;
    if (stretch > most)
      want += stretch, may += most;
    else if (c->limit < FFI_PASSIVITY_UNKNOWN)
      may += most - stretch;
  }
  if (!(want > may))
    return;
  for (int i = from; i < to; ++i) {
    ffi_contact *c = &at->contact[i];
    if (!(stretch_of(c) > c->limit * c->limit))
      continue;
    unload(c, sqrt(may / want));
    ffi_contact_law(c->K, c->B, c->mu, c->near.normal, c->x, c->u, &c->law);
  }
}

void ffi_passivity_limit(const ffi_system *s, const ffi_state *x, ffi_evaluation *at)
{
  const double since = at->since > 0 ? at->since : s->def->dt;
  for (int i = 0, next; i < at->count; i = next) {
    int is_beyond = 0;
    const int pair = at->contact[i].near.pair;
    if (pair < 0) {
      next = i + 1;
      continue;
    }
    for (next = i; next < at->count; ++next) {
      ffi_contact *c = &at->contact[next];
      if (c->near.pair < 0) // far apart
        continue;
      if (c->near.pair != pair)
        break;
      if (c->rest < 0 && s->def->normal_anchor == FF_ANCHOR_SURFACE)
        lift_rest(c);
      c->limit += known_share * c->limit + 1e-12;
      if (stretch_of(c) > c->limit * c->limit)
        c->limit += unknown_stretch(s, at->at.work, c, since);
      is_beyond |= ffi_v3_dot(c->x, c->x) > c->limit * c->limit && stretch_of(c) > c->limit * c->limit;
    }
    if (is_beyond)
      unload_pair(s, x, at, i, next);
  }
}
