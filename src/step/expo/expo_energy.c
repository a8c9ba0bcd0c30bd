#include "step/expo/expo_energy.h"

#include "dynamics/one_lane.h"
#include "math/vec3.h"
#include "step/eval/anchor.h"
#include "step/expo/expo_joint_limits.h"
#include "step/expo/expo_new_contacts.h"

#include <math.h>

// The share of its energy that a piece may gain: what interpolated events leave.
static const double most_gain = 1e-4;

// In a step of this many pieces nothing is taken on trust: a robot that walks has fewer, and the look at its energy costs less than the piece.
enum { MANY_PIECES = 8 };

// A motor's spring, and beyond its effort the way against it.
static double in_joint(const ff_element_def *def, const ffi_joint_law_row *row)
{
  const double x = fabs(row->x), K = def->stiffness;
  if (def->type != FF_ELEMENT_JOINT_PD)
    return 0.5 * row->K * x * x;
  return K * x <= def->effort ? 0.5 * K * x * x : def->effort * (x - 0.5 * def->effort / K);
}

static double in_elements(const ffi_system *s, const ffi_evaluation *at)
{
  double sum = 0;
  for (int i = 0; i < at->hold_count; ++i)
    sum += 0.5 * at->hold[i].K * ffi_v3_dot(at->hold[i].x, at->hold[i].x);
  for (int r = 0; r < at->joint_row_count; ++r)
    sum += in_joint(&s->elements[at->joint_row_element[r]].def, &at->joint_row[r]);
  return sum;
}

// Along the normal: what overlaps, in contact or not yet. moved [nv]: how far the robot is from where `at` was taken; NULL: it is there.
static double in_overlaps(const ffi_system *s, const ffi_evaluation *at, const double *moved)
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
      sum += 0.5 * s->materials[near->pair].stiffness * x * x;
  }
  return sum;
}

// Along the surface, at the start, and of those that stick at the end too.
static double in_friction(const ffi_expo *e, int at_end)
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

// By tau along the displacement, by references that move, by ground that moves.
static double put_in(const ffi_system *s, const ffi_expo *e, double h)
{
  const ffi_frozen *z = &e->frozen;
  double sum = 0;
  for (int k = 0; k < z->n; ++k)
    sum += s->tau[k] * (h * e->now->v[k] + z->delta_x[k]);
  for (int r = 0; r < e->start->joint_row_count; ++r) {
    const int element = e->start->joint_row_element[r];
    if (s->elements[element].def.type == FF_ELEMENT_JOINT_PD)
      sum += fabs(e->start->joint_row[r].force * e->now->reference_velocity[element]) * h;
  }
  for (int i = 0; i < e->start->count; ++i) {
    const ffi_contact *c = &e->start->contact[i];
    double point[3];
    if (e->contact_block[i] < 0)
      continue;
    ffi_rows3_times(&c->rows, e->start->stride, e->now->v, point);
    ffi_v3_sub(point, c->u, point); // the ground's own velocity
    sum += h * ffi_v3_dot(point, z->block[e->contact_block[i]].mean);
  }
  return sum;
}

// What a piece has done to the energy [J].
typedef struct balance {
  double gain;   // at its end beyond that at its start and what was put in
  double start;  // of motion and of springs, at the start
  double motion; // at the end
} balance;

static int is_even(const balance *b)
{
  return b->gain <= most_gain * b->start;
}

// e->there is used to work in, and is then where the prediction leads again.
static balance balance_of(ffi_system *s, ffi_expo *e, double h)
{
  const ffi_frozen *z = &e->frozen;
  double high[2];
  ffi_frozen_forces_move(s, e->now->q, e->now->v, h, z->delta_v, z->delta_x, e->scratch, e->there->q,
                         e->there->v);
  const double motion_after = ffi_state_kinematics_energy(s, e->there->q, e->there->v, &high[1]);
  const double motion = ffi_state_kinematics_energy(s, e->now->q, e->now->v, &high[0]);
  for (int k = 0; k < z->n; ++k)
    e->scratch[k] = z->delta_x[k] - e->predicted[k];
  const double springs = in_elements(s, e->start) + in_overlaps(s, e->start, NULL) + in_friction(e, 0);
  const double springs_after =
      in_elements(s, &e->end) + in_overlaps(s, &e->end, e->scratch) + in_friction(e, 1);
  ffi_frozen_forces_move(s, e->now->q, e->now->v, h, z->delta_v, e->predicted, e->scratch, e->there->q,
                         e->there->v);
  const double gain = motion_after + springs_after + high[1] - motion - springs - high[0] - put_in(s, e, h);
  return (balance){gain, motion + springs, motion_after};
}

// The frozen system of e->start with contacts as springs along their normals: those that push or come nearer, and those whose e->mode is not released,
// which the piece is known to meet. Sets e->mode. After crba.
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
    // one that leaves too fast for its damper stays free, like one that leaves from above and is not met again
    const int is_above = c->near.gap > 0, is_met = e->mode[i] != FF_CONTACT_RELEASED;
    const int acts = is_met || ffi_v3_dot(c->u, n) < 0 || (!is_above && c->law.push > 0);
    double x[3] = {0, 0, 0};
    if (!is_above)
      ffi_v3_copy(c->x, x);
    e->mode[i] = !acts                                                       ? FF_CONTACT_RELEASED
                 : !is_above && c->law.mode == FF_CONTACT_STICK && c->mu > 0 ? FF_CONTACT_STICK
                                                                             : FF_CONTACT_SLIP;
    e->contact_block[i] = z->block_count;
    ffi_frozen_block *b = ffi_frozen_add(z, &c->rows, acts ? c->K : 0, acts ? c->B : 0, x, c->u, c->c);
    if (e->mode[i] == FF_CONTACT_SLIP)
      ffi_frozen_slide(z, b, n, &c->law, 0);
  }
  ffi_frozen_forces_add_elements(s, e->start, z, e->f);
  ffi_frozen_prepare(s, z, &e->start->at);
}

static double fastest(const double *v, const double *change, int n)
{
  double most = 0;
  for (int k = 0; k < n; ++k)
    most = fmax(most, fabs(change ? v[k] + change[k] : v[k]));
  return most;
}

// May the piece have gained energy? Where the step is cut into many, where a mean force was brought into its cone, where sub-steps do not resolve the motion, where sliding friction
// that feeds on the normal force it makes has sped something up, or where something overlaps at the end that did not push on the way, a stop of a joint too.
static int is_doubtful(const ffi_system *s, const ffi_expo *e, double h)
{
  const ffi_frozen *z = &e->frozen;
  if (s->info->pieces >= MANY_PIECES || z->was_projected || z->capped ||
      ffi_expo_joint_limits_are_missed(s, e))
    return 1;
  if (z->slides > 0 &&
      fastest(e->now->v, z->delta_v, z->n) > 1.1 * fastest(e->now->v, NULL, z->n) + z->gravity * h)
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

// Contacts that the piece meets: what overlaps at its end, deeper than at its start and than where its spring rests, and did not push. *met: how many are new.
static ff_status meet_contacts(ffi_system *s, ffi_expo *e, int *met, ff_error *error)
{
  ff_status status = FF_OK;
  *met = 0;
  for (int i = 0; i < e->end.count; ++i) {
    const ffi_contact *c = &e->start->contact[i];
    if (e->end.contact[i].near.gap < fmin(0, fmin(c->near.gap, c->rest)) &&
        e->mode[i] == FF_CONTACT_RELEASED && e->forced[i] != FFI_MODE_BEGINS) {
      e->forced[i] = FFI_MODE_BEGINS;
      ++*met;
    }
  }
  const int before = s->info->touchdowns;
  for (int n = 0; n < e->end.near_count && status == FF_OK; ++n)
    if (e->end.near[n].gap < 0)
      status = ffi_expo_new_contacts_add(s, e, &e->end, &e->end.near[n], e->now, error);
  *met += s->info->touchdowns - before + ffi_expo_joint_limits_mark(s, e);
  return status;
}

// The piece again, with all contacts that it meets as springs along their normals, and all stops as springs.
static ff_status absorb_once(ffi_system *s, ffi_expo *e, double h, ff_error *error)
{
  enum { MOST_TIMES = 3 };
  for (int times = 0; times < MOST_TIMES; ++times) {
    int met;
    ff_status status = meet_contacts(s, e, &met, error);
    if (status == FF_OK && times > 0 && met == 0)
      break;
    if (status == FF_OK)
      status = ffi_evaluation_at(s, e->now, FFI_EVALUATION_FIXED, e->start, error);
    if (status != FF_OK)
      return status;
    ffi_expo_new_contacts_place_anchors(s, e);
    ffi_expo_joint_limits_apply(s, e);
    for (int i = 0; i < e->start->count; ++i)
      e->mode[i] = e->forced[i] == FFI_MODE_BEGINS ? FF_CONTACT_SLIP : FF_CONTACT_RELEASED;
    freeze_along_normals(s, e);
    if ((status = ffi_expo_substep_predict(s, e, h, 0, error)) == FF_OK)
      status = ffi_expo_substep_evaluate(s, e, h, error);
    if (status != FF_OK)
      return status;
  }
  return FF_OK;
}

// The last resort: what a piece that cannot be shorter still gains is taken from its motion. Velocities are scaled, all alike, and the step says that it was capped.
static void shed(ffi_frozen *z, const double *v, const balance *b)
{
  const double left = 1 - b->gain / b->motion, share = left > 0 ? sqrt(left) : 0;
  for (int k = 0; k < z->n; ++k)
    z->delta_v[k] = share * (v[k] + z->delta_v[k]) - v[k];
  z->capped = 1;
}

// What is then still gained comes from the robot's own motion, which a long piece does not see; so it is shortened, to `least` at the shortest.
static ff_status absorb_piece(ffi_system *s, ffi_expo *e, double least, double *h, int *was_shortened,
                              ff_error *error)
{
  for (int k = 0; k < s->element_count; ++k)
    e->forced_joint[k] = FFI_REGIME_BY_LAW;
  for (;;) {
    const ff_status status = absorb_once(s, e, *h, error);
    if (status != FF_OK)
      return status;
    const balance b = balance_of(s, e, *h);
    if (is_even(&b))
      return FF_OK;
    if (*h <= least) {
      shed(&e->frozen, e->now->v, &b);
      return FF_OK;
    }
    *h = fmax(least, *h / 4);
    *was_shortened = 1;
  }
}

ff_status ffi_expo_energy_bound(ffi_system *s, ffi_expo *e, double least, double *h, int *was_shortened,
                                int *absorbed, ff_error *error)
{
  *absorbed = 0;
  if (is_doubtful(s, e, *h)) {
    const balance b = balance_of(s, e, *h);
    *absorbed = !is_even(&b);
  }
  return *absorbed ? absorb_piece(s, e, least, h, was_shortened, error) : FF_OK;
}
