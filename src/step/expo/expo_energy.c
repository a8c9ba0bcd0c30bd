// Energy balance of a substep, and absorbing ones. See expo_energy.h.
#include "step/expo/expo_energy.h"

#include "dynamics/one_lane.h"
#include "math/vec3.h"
#include "step/eval/anchor.h"
#include "step/expo/expo_friction.h"
#include "step/expo/expo_joint_limits.h"
#include "step/expo/expo_new_contacts.h"
#include "step/frozen/frozen_slide.h"
#include "step/frozen/frozen_turning.h"

#include <math.h>

// The share of its energy that a substep may gain: the error of interpolated events.
static const double most_gain = 1e-4;

// From this many substeps in a step on all are checked: a walking robot has fewer, and the check costs less than the
// substep.
enum { MANY_SUBSTEPS = 8 };

// Energy of elements at the state x. `at` is its evaluation, or one that x has moved away from by `moved` [nv]; NULL:
// not.
static double energy_in_elements(const ffi_system *s, const ffi_state *x, const ffi_evaluation *at,
                                 const double *moved)
{
  double sum = 0;
  const int count = at->constraint_count - (s->turning ? 2 * at->count : 0); // of elements
  for (int i = 0; i < count; ++i) {
    double stretch[3] = {0, 0, 0};
    if (moved)
      ffi_rows3_times(&at->constraint[i].rows, at->stride, moved, stretch);
    ffi_v3_add(at->constraint[i].x, stretch, stretch);
    sum += 0.5 * at->constraint[i].K * ffi_v3_dot(stretch, stretch);
  }
  for (int e = 0; e < s->element_count; ++e) {
    const ffi_element *element = &s->elements[e];
    if (element->def.type == FF_ELEMENT_JOINT_PD)
      sum += ffi_joint_law_motor_energy(&element->def,
                                        ffi_line_position(&element->line, x->q) - x->reference[e]);
    else if (element->def.type == FF_ELEMENT_JOINT_LIMIT)
      sum += ffi_joint_law_limit_energy(&element->def, ffi_line_position(&element->line, x->q));
  }
  return sum;
}

// Energy of normal springs of all overlaps, contacts or not. moved [nv]: the robot's displacement since `at` was
// evaluated; NULL: none.
static double energy_in_overlaps(const ffi_system *s, const ffi_evaluation *at, const double *moved)
{
  double sum = 0;
  const int is_from_first_touch = s->def->normal_anchor == FF_ANCHOR_FIRST_TOUCH;
  for (int n = 0, i = 0; n < at->near_count; ++n) {
    const ffi_detect_candidate *near = &at->near[n];
    while (i < at->count && at->contact[i].near.id < near->id)
      ++i;
    const int is_contact = i < at->count && at->contact[i].near.id == near->id;
    double shift[3] = {0, 0, 0};
    if (is_contact && moved)
      ffi_rows3_times(&at->contact[i].rows, at->stride, moved, shift);
    const double rest = is_contact ? at->contact[i].rest : is_from_first_touch ? near->gap : 0;
    const double x = near->gap + ffi_v3_dot(shift, near->normal) - rest;
    if (x < 0)
      sum += 0.5 * near->weight * s->materials[near->pair].stiffness * x * x;
  }
  return sum;
}

// Energy of tangential springs: all at the start, those of sticking contacts at the end.
static double energy_in_friction(const ffi_expo *e, int at_end)
{
  double sum = 0, along[3];
  for (int i = 0; i < e->start->count; ++i) {
    const ffi_contact *c = &e->start->contact[i];
    if (e->contact_block[i] < 0 || (at_end && e->mode[i] != FF_CONTACT_STICK))
      continue;
    ffi_anchor_tangential(c->near.normal, at_end ? e->frozen.block[e->contact_block[i]].x_end : c->x, along);
    sum += 0.5 * c->K * ffi_v3_dot(along, along);
  }
  return sum;
}

// Work by tau along the displacement, by moving references and by moving ground.
static double work_put_in(const ffi_system *s, const ffi_expo *e, double h)
{
  const ffi_frozen *z = &e->frozen;
  double sum = 0;
  for (int k = 0; k < z->n; ++k)
    sum += s->tau[k] * (h * e->start_state->v[k] + z->delta_x[k]);
  for (int r = 0; r < e->start->joint_row_count; ++r) {
    const int element = e->start->joint_row_element[r];
    if (s->elements[element].def.type == FF_ELEMENT_JOINT_PD)
      sum += fabs(e->start->joint_row[r].force * e->start_state->reference_velocity[element]) * h;
  }
  for (int i = 0; i < e->start->count; ++i) {
    const ffi_contact *c = &e->start->contact[i];
    double point[3];
    if (e->contact_block[i] < 0)
      continue;
    ffi_rows3_times(&c->rows, e->start->stride, e->start_state->v, point);
    ffi_v3_sub(point, c->u, point); // the ground's own velocity
    sum += h * ffi_v3_dot(point, z->block[e->contact_block[i]].mean);
  }
  return sum + ffi_frozen_turning_work(s, e->start, z, e->start_state->v, h);
}

// Change of energy over a substep [J].
typedef struct energy_change {
  double gain;   // at its end beyond that at its start and the work put in
  double start;  // of motion and of springs, at the start
  double motion; // at the end
} energy_change;

static int is_passive(const energy_change *b)
{
  return b->gain <= most_gain * b->start;
}

// e->end_state is used as scratch, and is the predicted state again afterwards.
static energy_change change_of(ffi_system *s, ffi_expo *e, double h)
{
  const ffi_frozen *z = &e->frozen;
  double high[2];
  ffi_frozen_forces_move(s, e->start_state, h,
                         &(ffi_frozen_forces_motion){z->delta_v, z->delta_x, e->scratch}, e->end_state);
  const double motion_after = ffi_state_kinematics_energy(s, e->end_state->q, e->end_state->v, &high[1]);
  const double motion = ffi_state_kinematics_energy(s, e->start_state->q, e->start_state->v, &high[0]);
  for (int k = 0; k < z->n; ++k)
    e->scratch[k] = z->delta_x[k] - e->predicted[k];
  const double springs = energy_in_elements(s, e->start_state, e->start, NULL) +
                         energy_in_overlaps(s, e->start, NULL) + energy_in_friction(e, 0);
  const double springs_after = energy_in_elements(s, e->end_state, &e->end, e->scratch) +
                               energy_in_overlaps(s, &e->end, e->scratch) + energy_in_friction(e, 1);
  ffi_frozen_forces_move(s, e->start_state, h,
                         &(ffi_frozen_forces_motion){z->delta_v, e->predicted, e->scratch}, e->end_state);
  const double gain = motion_after + springs_after + ffi_expo_friction_gain(s, e, h) +
                      ffi_frozen_turning_gain(s, e->start, z, h) + high[1] - motion - springs - high[0] -
                      work_put_in(s, e, h);
  return (energy_change){gain, motion + springs, motion_after};
}

// The frozen system of e->start with contacts as springs along their normals: those that push or approach, and those
// whose e->mode is not released, which the substep is known to meet. Sets e->mode.
static void freeze_along_normals(ffi_system *s, ffi_expo *e)
{
  ffi_frozen *z = &e->frozen;
  ffi_frozen_begin(z);
  for (int i = 0; i < e->start->count; ++i) {
    const ffi_contact *c = &e->start->contact[i];
    const double *n = c->near.normal;
    e->contact_block[i] = -1;
    if (c->near.pair < 0)
      continue;
    // a contact that separates too fast for its damper stays free, like one above the surface that separates for good
    const int is_above = c->near.gap > 0, is_met = e->mode[i] != FF_CONTACT_RELEASED;
    const int acts = is_met || ffi_v3_dot(c->u, n) < 0 || (!is_above && c->law.push > 0);
    double x[3] = {0, 0, 0};
    if (!is_above)
      ffi_v3_copy(c->x, x);
    e->mode[i] = !acts                                                       ? FF_CONTACT_RELEASED
                 : !is_above && c->law.mode == FF_CONTACT_STICK && c->mu > 0 ? FF_CONTACT_STICK
                                                                             : FF_CONTACT_SLIP;
    e->contact_block[i] = z->block_count;
    ffi_frozen_block *b =
        ffi_frozen_add(z, &(ffi_frozen_spring){&c->rows, acts ? c->K : 0, acts ? c->B : 0, x, c->u, c->c});
    if (e->mode[i] == FF_CONTACT_SLIP)
      ffi_frozen_slide(z, b, n, &c->law, 0);
  }
  ffi_frozen_forces_add_elements(s, e->start_state, e->start, z, e->f);
  ffi_frozen_prepare(s, z, &e->start->at);
}

static double fastest(const double *v, const double *change, int n)
{
  double most = 0;
  for (int k = 0; k < n; ++k)
    most = fmax(most, fabs(change ? v[k] + change[k] : v[k]));
  return most;
}

// May contacts or joint limits have added energy? Yes if a mean force was projected, if subintervals do not resolve
// the motion, if sliding friction has sped something up, or if a feature or joint limit overlaps at the end that did
// not push in the substep.
static int is_suspect(const ffi_system *s, const ffi_expo *e, double h)
{
  const ffi_frozen *z = &e->frozen;
  if (z->was_projected || z->capped || ffi_expo_joint_limits_are_missed(s, e))
    return 1;
  if (z->slides > 0 && fastest(e->start_state->v, z->delta_v, z->n) >
                           1.1 * fastest(e->start_state->v, NULL, z->n) + z->gravity * h)
    return 1;
  for (int n = 0, i = 0; n < e->end.near_count; ++n) {
    const ffi_detect_candidate *near = &e->end.near[n];
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

// Mark the contacts that the substep meets: those that overlap at its end, deeper than at its start and than their
// rest, and did not push. *met: how many are new.
static ff_status meet_contacts(ffi_system *s, ffi_expo *e, int *met, ff_error *error)
{
  ff_status status = FF_OK;
  *met = 0;
  for (int i = 0; i < e->end.count; ++i) {
    const ffi_contact *c = &e->start->contact[i];
    if (e->end.contact[i].near.gap < fmin(0, fmin(c->near.gap, c->rest)) &&
        e->mode[i] == FF_CONTACT_RELEASED && e->event_mode[i] != FFI_MODE_BEGINS) {
      e->event_mode[i] = FFI_MODE_BEGINS;
      ++*met;
    }
  }
  const int before = s->info->touchdowns;
  for (int n = 0; n < e->end.near_count && status == FF_OK; ++n)
    if (e->end.near[n].gap < 0)
      status = ffi_expo_new_contacts_add(s, e, &e->end, &e->end.near[n], e->start_state, error);
  *met += s->info->touchdowns - before + ffi_expo_joint_limits_mark(s, e);
  return status;
}

// The substep again, with all contacts that it meets as springs along their normals, and all joint limits as springs.
static ff_status absorb_once(ffi_system *s, ffi_expo *e, double h, ff_error *error)
{
  enum { MAX_ROUNDS = 3 };
  for (int round = 0; round < MAX_ROUNDS; ++round) {
    int met;
    ff_status status = meet_contacts(s, e, &met, error);
    if (status == FF_OK && round > 0 && met == 0)
      break;
    if (status == FF_OK)
      status = ffi_evaluation_at(s, e->start_state, FFI_EVALUATION_FIXED, e->start, error);
    if (status != FF_OK)
      return status;
    ffi_expo_new_contacts_place_anchors(s, e);
    ffi_expo_joint_limits_apply(s, e);
    for (int i = 0; i < e->start->count; ++i)
      e->mode[i] = e->event_mode[i] == FFI_MODE_BEGINS ? FF_CONTACT_SLIP : FF_CONTACT_RELEASED;
    freeze_along_normals(s, e);
    if ((status = ffi_expo_substep_predict(s, e, h, 0, error)) == FF_OK)
      status = ffi_expo_substep_evaluate(s, e, h, error);
    if (status != FF_OK)
      return status;
  }
  return FF_OK;
}

// Scale the whole motion of the substep, displacements and velocities.
static void brake(ffi_expo *e, double share, double h)
{
  ffi_frozen *z = &e->frozen;
  const double *v = e->start_state->v;
  for (int k = 0; k < z->n; ++k) {
    z->delta_v[k] = share * (v[k] + z->delta_v[k]) - v[k];
    z->delta_x[k] = share * (h * v[k] + z->delta_x[k]) - h * v[k];
  }
}

// Last resort, for a substep that cannot be shorter and still gains: scale all velocities to remove the gain. If
// springs hold more than that, the displacement was wrong too: halve the motion until nothing is gained, at the latest
// at rest where the substep began. The step is reported as capped.
static ff_status remove_gain(ffi_system *s, ffi_expo *e, double h, energy_change b, ff_error *error)
{
  enum { MAX_HALVINGS = 6 };
  ffi_frozen *z = &e->frozen;
  const double *v = e->start_state->v;
  z->capped = 1;
  for (int halved = 0; !(b.gain < b.motion); ++halved) {
    brake(e, halved < MAX_HALVINGS ? 0.5 : 0, h);
    e->is_braked = 1;
    const ff_status status = ffi_expo_substep_evaluate(s, e, h, error);
    if (status != FF_OK)
      return status;
    b = change_of(s, e, h);
    if (is_passive(&b) || halved == MAX_HALVINGS)
      return FF_OK;
  }
  const double share = sqrt(1 - b.gain / b.motion);
  for (int k = 0; k < z->n; ++k)
    z->delta_v[k] = share * (v[k] + z->delta_v[k]) - v[k];
  return FF_OK;
}

// A gain that is left then comes from the robot's own motion, which a long substep does not resolve; so it is
// shortened.
static ff_status absorb(ffi_system *s, ffi_expo *e, ffi_expo_substep *p, ff_error *error)
{
  for (int k = 0; k < s->law_count; ++k)
    e->event_regime[k] = FFI_REGIME_BY_LAW;
  for (;;) {
    const ff_status status = absorb_once(s, e, p->h, error);
    if (status != FF_OK)
      return status;
    const energy_change b = change_of(s, e, p->h);
    if (is_passive(&b))
      return FF_OK;
    if (p->h <= p->min_length)
      return remove_gain(s, e, p->h, b, error);
    p->h = fmax(p->min_length, p->h / 4);
    p->was_shortened = 1;
  }
}

// `order: 1` is not checked for its speed: its error of freezing is of the order of the motion itself.
//
// Speed of a coordinate times the length of the substep [rad] or [m] below which its error needs no check: the energy
// error of a second-order step is of third order in it.
static const double slow_enough = 0.02;

static int is_fast(const ffi_expo *e, double h)
{
  const double *v = e->start_state->v, *dv = e->frozen.delta_v, most = slow_enough / h;
  int fast = 0;
  for (int k = 0; k < e->frozen.n; ++k)
    fast |= (fabs(v[k]) > most) | (fabs(v[k] + dv[k]) > most);
  return fast;
}

// The share of its energy that a fast substep may gain: all of a step together as much as one event.
static double allowed_by_speed(const ffi_system *s, double h)
{
  return most_gain * fmin(1, h / s->def->dt);
}

double ffi_expo_energy_excess(ffi_system *s, ffi_expo *e, double h)
{
  if (!is_fast(e, h))
    return 0;
  const energy_change b = change_of(s, e, h);
  return b.gain / (allowed_by_speed(s, h) * b.start);
}

ff_status ffi_expo_energy_bound(ffi_system *s, ffi_expo *e, ffi_expo_substep *p, int *absorbed,
                                ff_error *error)
{
  *absorbed = 0;
  const int by_contact = is_suspect(s, e, p->h), are_many = s->info->pieces >= MANY_SUBSTEPS;
  if (!by_contact && !are_many && p->is_passive)
    return FF_OK;
  const int by_speed = !by_contact && s->def->expo.order == 2 && is_fast(e, p->h);
  if (!by_contact && (by_speed ? p->is_passive : !are_many))
    return FF_OK;
  const energy_change b = change_of(s, e, p->h);
  if (b.gain <= (by_speed ? allowed_by_speed(s, p->h) : most_gain) * b.start)
    return FF_OK;
  if (by_speed && p->h <= p->min_length)
    return remove_gain(s, e, p->h, b, error);
  *absorbed = 1;
  return absorb(s, e, p, error);
}
