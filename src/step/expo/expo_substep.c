// One substep: freeze, predict, evaluate, correct, finish. docs/theory/expo.md, section 3.
#include "step/expo/expo_substep.h"

#include "base/fail.h"
#include "dynamics/one_lane.h"
#include "math/larger.h"
#include "math/vec3.h"
#include "step/eval/anchor.h"
#include "step/eval/contact_jacobian.h"
#include "step/eval/passivity.h"
#include "step/expo/expo_flags.h"
#include "step/expo/expo_frame.h"
#include "step/expo/expo_friction.h"
#include "step/expo/expo_layer.h"
#include "step/frozen/frozen_flag_slide.h"
#include "step/frozen/frozen_slide.h"
#include "step/frozen/frozen_turning.h"

#include <math.h>
#include <string.h>

void ffi_expo_substep_freeze(ffi_system *s, ffi_expo *e)
{
  ffi_frozen *z = &e->frozen;
  const int has_flags = ffi_stepper_has_slip_flags(s->def);
  if (has_flags)
    ffi_expo_flags_apply_modes(e);
  ffi_frozen_begin(z);
  z->wants_double_mean = 1; // for projections, and for the corrector
  for (int i = 0; i < e->start->count; ++i) {
    const ffi_contact *c = &e->start->contact[i];
    e->contact_block[i] = -1;
    if (c->near.pair < 0)
      continue;
    const int pushes = e->mode[i] != FF_CONTACT_RELEASED; // released contacts are only checked for events
    e->contact_block[i] = z->block_count;
    if (has_flags && e->mode[i] == FF_CONTACT_SLIP) {
      ffi_frozen_flag_slide(z, c, e->stops[i]);
      continue;
    }
    ffi_frozen_block *b = ffi_frozen_add(
        z, &(ffi_frozen_spring){&c->rows, pushes ? c->K : 0, pushes ? c->B : 0, c->x, c->u, c->c});
    if (e->mode[i] == FF_CONTACT_SLIP)
      ffi_frozen_slide(z, b, c->near.normal, &c->law, c->mu);
  }
  ffi_frozen_forces_add_elements(s, e->start_state, e->start, z, e->f); // and e->f
  ffi_frozen_prepare(s, z, &e->start->at);
}

ff_status ffi_expo_substep_predict(ffi_system *s, ffi_expo *e, double h, int with_events, ff_error *error)
{
  ffi_frozen *z = &e->frozen;
  z->f1 = NULL;
  for (int i = 0; i < z->block_count; ++i)
    ffi_v3_set(0, 0, 0, z->block[i].c1);
  z->observer = with_events ? ffi_expo_events_search : NULL;
  z->observer_user = &e->events;
  ffi_expo_events_begin(&e->events, s, e->start, e->start_state, e->mode, e->contact_block);
  ff_status status = FF_OK;
  if (s->def->expo.exponential == FF_EXPONENTIAL_AUTO)
    ffi_frozen_solve(z, h);
  else
    status = ffi_frozen_exact_solve(s, &e->exact, z, h, error);
  z->observer = NULL;
  return status;
}

// The state at the end of the present motion. Contacts keep their anchors for now.
static void move_to_end(ffi_system *s, ffi_expo *e, double h)
{
  ffi_state_advance(s, e->start_state, h, e->end_state);
  ffi_frozen_forces_move(s, e->start_state, h,
                         &(ffi_frozen_forces_motion){e->frozen.delta_v, e->frozen.delta_x, e->scratch},
                         e->end_state);
}

ff_status ffi_expo_substep_evaluate(ffi_system *s, ffi_expo *e, double h, ff_error *error)
{
  move_to_end(s, e, h);
  memcpy(e->predicted, e->frozen.delta_x, (size_t)e->frozen.n * sizeof *e->predicted);
  memcpy(e->end_state->touching, e->start_state->touching,
         (size_t)e->start_state->touching_count * sizeof *e->start_state->touching);
  e->end_state->touching_count = e->start_state->touching_count;
  ffi_state_copy_friction(s, e->start_state, e->end_state);
  return ffi_evaluation_at(s, e->end_state, FFI_EVALUATION_FIXED, &e->end, error);
}

// y = M x, M by rows of a pattern.
static void times_mass(const ffi_frozen *z, const double *x, double *y)
{
  const ffi_pattern *p = z->pattern;
  memset(y, 0, (size_t)z->n * sizeof *y);
  for (int i = 0; i < z->n; ++i) {
    const double *row = z->M + p->row[i];
    const int *path = p->path + p->row[i], depth = p->depth[i];
    double sum = row[depth] * x[i];
    for (int k = 0; k < depth; ++k) {
      sum += row[k] * x[path[k]];
      y[path[k]] += row[k] * x[i];
    }
    y[i] += sum;
  }
}

// A block later in the substep: its rows, and their accelerations at vdot = 0.
typedef struct later_block {
  const ffi_rows3 *rows; // NULL: it has none then
  const double *c;
  int contact; // -1: it is none
} later_block;

static later_block find_later(const ffi_expo *e, const ffi_evaluation *at, int block)
{
  const int first_constraint = e->frozen.block_count - e->start->constraint_count;
  if (block >= first_constraint)
    return (later_block){&at->constraint[block - first_constraint].rows,
                         at->constraint[block - first_constraint].c, -1};
  for (int i = block; i < e->start->count; ++i) // contacts in order, some without a block
    if (e->contact_block[i] == block)
      return (later_block){&at->contact[i].rows, at->contact[i].c, i};
  return (later_block){NULL, NULL, -1};
}

// From this unevenness on a substep is evaluated half way too, which costs a seventh of a step; a standing robot is
// below it. Below it the evaluation would change the correction by less than a thousandth of the change of velocity.
static const double even_enough = 1e-3;

// The evaluation that an uneven substep's bias is taken from, and the weight of its change since the start: twice the
// mean for a linear growth. docs/theory/expo.md, eq. 2.
typedef struct bias_source {
  const ffi_evaluation *at;
  const ffi_state *state; // that it evaluates
  double weight;
} bias_source;

static double late_part(const ffi_expo *e, double mean, double double_mean)
{
  return e->may_have_layer ? ffi_expo_layer_late_part(mean, double_mean) : mean;
}

static void push_joint(const ffi_frozen_joint *j, double force, double *a)
{
  if (j->v >= 0)
    a[j->v] += force;
  else
    ffi_line_push(j->line, force, a);
}

// a' of docs/theory/expo.md, section 3: the acceleration at the end under the mean forces of the substep.
static ff_status find_end_acceleration(ffi_system *s, ffi_expo *e, bias_source bias, ff_error *error)
{
  const ffi_frozen *z = &e->frozen;
  double *a = e->acceleration;
  for (int k = 0; k < z->n; ++k)
    a[k] = e->f[k] + bias.weight * (e->start->h[k] - bias.at->h[k]);
  ffi_frozen_forces_add_damping(s, bias.weight, e->start_state->v, bias.state->v, a);
  for (int b = 0; b < z->block_count; ++b) {
    const later_block end = find_later(e, &e->end, b);
    double late[3];
    for (int k = 0; k < 3; ++k)
      late[k] = late_part(e, z->block[b].mean[k], z->block[b].double_mean[k]);
    if (end.contact >= 0)
      ffi_expo_frame_forward(s, e->start, &e->end, end.contact, late);
    if (end.rows)
      ffi_rows3_add_transposed(end.rows, z->stride, late, a);
  }
  for (int j = 0; j < z->joint_count; ++j)
    push_joint(&z->joint[j], late_part(e, z->joint[j].mean, z->joint[j].double_mean), a);
  const ff_status status = ffi_state_kinematics_factor(s, &e->end.at, error);
  if (status == FF_OK)
    s->k->solve(e->end.at.work, a);
  return status;
}

// Slope of a block's acceleration beyond J times the slope of vdot: c1 = ((J' - J) a' + c' - c)/h, ' at the end.
// In axes that turn with the contact. docs/theory/expo.md, eq. 1.
static void slope_of_bias(const ffi_system *s, ffi_expo *e, int index, bias_source bias, double h)
{
  ffi_frozen_block *b = &e->frozen.block[index];
  const later_block end = find_later(e, &e->end, index), source = find_later(e, bias.at, index);
  if (!end.rows || end.rows->columns == 0)
    return;
  double after[3], before[3], later[3];
  ffi_rows3_times(end.rows, e->frozen.stride, e->acceleration, after);
  ffi_rows3_times(b->rows, e->frozen.stride, e->acceleration, before);
  ffi_v3_copy(source.c, later);
  if (end.contact >= 0) {
    ffi_expo_frame_back(s, e->start, &e->end, end.contact, after);
    ffi_expo_frame_back(s, e->start, bias.at, end.contact, later);
  }
  for (int k = 0; k < 3; ++k)
    b->c1[k] = (after[k] - before[k] + bias.weight * (later[k] - b->c[k])) / h;
}

// The relative difference that friction at the start of a substep may have from a ramp with its mean: smooth forces
// differ by h^2.
static const double most_misfit = 0.1;

// Tangential elongation of a contact at the end of the substep: docs/theory/contact.md, eq. 4.
static void find_end_elongation(const ffi_system *s, const ffi_expo *e, int i, double h, double out[3])
{
  const ffi_contact *c = &e->start->contact[i];
  const double *n = c->near.normal;
  if (ffi_stepper_has_slip_flags(s->def)) {
    ffi_expo_flags_elongation(e, i, out);
    return;
  }
  double elongation[3], before[3], after[3] = {0, 0, 0};
  ffi_anchor_tangential(n, c->x, elongation);
  ffi_v3_scale(-1, elongation, elongation);
  if (e->is_braked) { // its forces say nothing about the motion that is left: the anchor moves along
    ffi_v3_copy(elongation, out);
    return;
  }
  if (e->mode[i] == FF_CONTACT_RELEASED) {
    ffi_contact_law_relax_anchor(c->K, c->B, h, after, after, elongation, out);
    return;
  }
  const ffi_frozen_block *b = &e->frozen.block[e->contact_block[i]];
  if (b->was_projected) { // it slid, under its projected force
    ffi_anchor_tangential(n, b->mean, after);
    ffi_contact_law_relax_anchor(c->K, c->B, h, after, after, elongation, out);
    return;
  }
  if (!b->slides) {
    ffi_anchor_tangential(n, b->x_end, out);
    ffi_v3_scale(-1, out, out);
    return;
  }
  ffi_anchor_tangential(n, c->law.force, before);
  ffi_anchor_tangential(n, b->force_end, after);
  // Friction at the start may vanish at once: a damper whose contact has just jumped pushes for nanoseconds, and a ramp
  // from there would stretch the spring by a thousand times the impulse. Then the ramp that has the mean force.
  double start[3], misfit[3];
  ffi_anchor_tangential(n, b->mean, start);
  for (int k = 0; k < 3; ++k)
    start[k] = 2 * start[k] - after[k];
  ffi_v3_sub(before, start, misfit);
  if (ffi_v3_norm(misfit) > most_misfit * (ffi_v3_norm(start) + ffi_v3_norm(after)))
    ffi_v3_copy(start, before);
  ffi_contact_law_relax_anchor(c->K, c->B, h, before, after, elongation, out);
}

// A difference that grows with the square of time has the impulse of a ramp to two thirds of it.
static const double as_ramp = 2.0 / 3;

// The bend: friction of a sliding contact at the end by its own law, less that by the law linearised at the start. It
// begins with a slope of zero, and is taken to grow with the square of time. Adds to f1 a slope of the same impulse,
// and sets b->bend. Returns it relative to the largest possible friction. docs/theory/expo.md, section 3, "Friction".
static double slope_of_friction(const ffi_system *s, ffi_expo *e, int i, double h, double *f1)
{
  ffi_frozen_block *b = &e->frozen.block[e->contact_block[i]];
  const ffi_contact *c = &e->start->contact[i];
  double elongation[3], x[3], bend[3];
  ffi_contact_law_result law;
  const double *n = c->near.normal;
  find_end_elongation(s, e, i, h, elongation);
  const double along = ffi_v3_dot(b->x_end, n);
  for (int k = 0; k < 3; ++k)
    x[k] = along * n[k] - elongation[k];
  if (b->has_flag)
    ffi_expo_flags_sliding_law(c, b, x, &law);
  else
    ffi_contact_law(c->K, c->B, c->mu, n, x, b->u_end, &law);
  for (int k = 0; k < 3; ++k)
    bend[k] = law.force[k] - b->force_end[k];
  ffi_anchor_tangential(n, bend, bend);
  ffi_v3_copy(bend, b->bend);
  ffi_v3_scale(as_ramp / h, bend, bend);
  ffi_rows3_add_transposed(b->rows, e->frozen.stride, bend, f1);
  // possible friction at the end, not at the start: after a landing the normal force falls by 50 times within
  // microseconds
  const double most = c->mu * ffi_larger(law.normal_force, 0.01 * c->law.normal_force);
  return most > 0 ? ffi_v3_norm(b->bend) / most : 0;
}

// A hull's corner whose weight (contact.md, section 5) changes in the substep: its force at the end by its stiffness
// there, less that by its stiffness at the start. It is taken to grow with time. Adds its slope to f1.
static void slope_of_weight(const ffi_expo *e, int i, double h, double *f1)
{
  ffi_frozen_block *b = &e->frozen.block[e->contact_block[i]];
  const ffi_detect_candidate *before = &e->start->contact[i].near, *after = &e->end.contact[i].near;
  ffi_v3_set(0, 0, 0, b->stiffening);
  // a corner without weight is not listed, and neither is one far away
  const double weight = after->pair >= 0 ? after->weight : before->weight == 1 ? 1 : 0;
  if (weight == before->weight)
    return;
  double slope[3];
  ffi_v3_scale(weight / before->weight - 1, b->force_end, b->stiffening);
  ffi_v3_scale(1 / h, b->stiffening, slope);
  ffi_rows3_add_transposed(b->rows, e->frozen.stride, slope, f1);
}

// Weight of the bend of friction in a correction's share. A foot that lands sliding turns to its lasting direction
// within microseconds, a layer that no step of ordinary length resolves. Such substeps are shortened until friction
// bends by no more than 0.1 (dt / 3 ms)^2. The error of a layer is proportional to the bend, so it falls with dt^2,
// like all else. At steps longer than 3 ms other errors of a landing are larger, and the bound for all corrections is
// the stricter one.
static double weight_of_bend(double dt)
{
  const double shorter = ffi_larger(1, 0.003 / dt);
  return shorter * shorter;
}

// Weight of an uneven substep's correction in its share, by the square of its unevenness: the error after the
// correction of a layer is proportional to both. It falls with dt^3, so that layers do not spoil the order of 2 at
// steps that only begin to resolve them. 8 ms: above 1 ms other errors of a landing are larger.
static double weight_of_layer(double unevenness, double dt)
{
  const double shorter = 0.008 / dt;
  return unevenness * unevenness * shorter * shorter * shorter;
}

// Largest change of a displacement or velocity by the correction [m], [rad], [m/s], [rad/s].
static double correction_size(const ffi_expo *e, const double *predicted)
{
  const ffi_frozen *z = &e->frozen;
  double change = 0;
  for (int k = 0; k < z->n; ++k) {
    change = ffi_larger(change, fabs(z->delta_v[k] - predicted[k]));
    change = ffi_larger(change, fabs(z->delta_x[k] - e->predicted[k]));
  }
  return change;
}

// Largest change of velocity by the correction, relative to the largest change of velocity, or to that by gravity.
static double correction_share(const ffi_frozen *z, double h, const double *predicted)
{
  double size = z->gravity * h, change = 0;
  for (int k = 0; k < z->n; ++k) {
    size = ffi_larger(size, fabs(z->delta_v[k]));
    change = ffi_larger(change, fabs(z->delta_v[k] - predicted[k]));
  }
  return size > 0 ? change / size : 0;
}

// The step for which layers are resolved: dt, or the one at which their error is about the error tolerance. Landings of
// solo12 have some 1e-4 at 4 ms (the mean of a step), and it falls with dt^2.
static double layer_step(const ffi_system *s)
{
  const double accuracy = s->def->accuracy, dt = s->def->dt;
  return accuracy > 0 ? fmin(dt, 0.004 * sqrt(accuracy / 1e-4)) : dt;
}

// c1 of all blocks and f1 = M (a' - dv/h)/h: docs/theory/expo.md, eq. 1. Returns the largest bend of friction,
// relative to the possible friction.
static double find_slopes(const ffi_system *s, ffi_expo *e, bias_source bias, double h)
{
  ffi_frozen *z = &e->frozen;
  for (int b = 0; b < z->block_count; ++b)
    slope_of_bias(s, e, b, bias, h);
  for (int k = 0; k < z->n; ++k)
    // mean and double mean of the acceleration; without a layer just dv/h
    e->scratch[k] = (e->acceleration[k] - late_part(e, z->delta_v[k] / h, 2 * z->delta_x[k] / (h * h))) / h;
  times_mass(z, e->scratch, e->f1);
  double bend = 0;
  for (int i = 0; i < e->start->count; ++i) {
    if (e->contact_block[i] < 0)
      continue;
    if (z->block[e->contact_block[i]].slides)
      bend = ffi_larger(bend, slope_of_friction(s, e, i, h, e->f1));
    slope_of_weight(e, i, h, e->f1);
  }
  return bend;
}

ff_status ffi_expo_substep_correct(ffi_system *s, ffi_expo *e, double h, double *share, ff_error *error)
{
  ffi_frozen *z = &e->frozen;
  const double unevenness = e->may_have_layer ? ffi_expo_layer_unevenness(e, h) : 0;
  bias_source bias = {&e->end, e->end_state, 1};
  ff_status status = FF_OK;
  *share = 0;
  const double even = s->def->accuracy > 0 ? 0 : even_enough; // with an error tolerance, always
  if (e->may_have_layer && unevenness > even) {
    bias = (bias_source){&e->middle, e->middle_state, 2};
    status = ffi_expo_layer_evaluate_midpoint(s, e, h, error);
  }
  if (status == FF_OK)
    status = find_end_acceleration(s, e, bias, error);
  if (status != FF_OK)
    return status;
  const double bend = find_slopes(s, e, bias, h);
  z->f1 = e->f1;
  memcpy(e->scratch, z->delta_v, (size_t)z->n * sizeof *e->scratch);
  if (s->def->expo.exponential == FF_EXPONENTIAL_AUTO)
    ffi_frozen_solve_again(z, h);
  else
    status = ffi_frozen_exact_solve(s, &e->exact, z, h, error);
  for (int b = 0; b < z->block_count; ++b)
    if (z->block[b].slides) {
      ffi_v3_add_scaled(as_ramp / 2, z->block[b].bend, z->block[b].mean);
      ffi_v3_add_scaled(1, z->block[b].bend, z->block[b].force_end);
    }
  for (int i = 0; i < e->start->count; ++i)
    if (e->contact_block[i] >= 0) {
      ffi_frozen_block *b = &z->block[e->contact_block[i]];
      ffi_v3_add_scaled(0.5, b->stiffening, b->mean);
      ffi_v3_add_scaled(1, b->stiffening, b->force_end);
    }
  const double change = correction_share(z, h, e->scratch);
  e->correction = correction_size(e, e->scratch);
  *share = ffi_larger(bend * weight_of_bend(layer_step(s)),
                      change * ffi_larger(1, weight_of_layer(unevenness, layer_step(s))));
  return status;
}

// Displacement of a contact's anchor over its surface. The point itself is that of the corrected motion.
static void anchor_shift(const ffi_expo *e, int i, const double elongation[3], const double *correction,
                         double shift[3])
{
  const ffi_contact *c = &e->end.contact[i];
  double moved[3];
  ffi_rows3_times(&c->rows, e->end.stride, correction, moved);
  for (int k = 0; k < 3; ++k)
    shift[k] = c->near.point[k] + moved[k] + elongation[k] - c->anchor[k];
  ffi_anchor_tangential(c->near.normal, shift, shift);
}

// How far the point of a contact moved in a braked substep.
static double braked_travel(const ffi_expo *e, const ffi_contact *c, double h)
{
  double moved[3];
  for (int k = 0; k < e->frozen.n; ++k)
    e->scratch[k] = h * e->start_state->v[k] + e->frozen.delta_x[k];
  ffi_rows3_times(&c->rows, e->start->stride, e->scratch, moved);
  return ffi_v3_norm(moved);
}

// How far the motion has stretched a contact's springs; elongation NULL: that of x.
static double find_end_stretch(const ffi_expo *e, int i, double h, const double *elongation)
{
  const ffi_contact *c = &e->start->contact[i];
  if (e->is_braked)
    return ffi_v3_norm(c->x) + braked_travel(e, c, h);
  if (e->frozen.was_projected) // the motion is not the springs' own: an upper bound
    return sqrt(ffi_v3_dot(c->x, c->x)) + 2 * h * sqrt(ffi_v3_dot(c->u, c->u));
  const double *x = e->frozen.block[e->contact_block[i]].x_end, along = ffi_v3_dot(x, c->near.normal);
  const double across =
      elongation ? ffi_v3_dot(elongation, elongation) : fabs(ffi_v3_dot(x, x) - along * along);
  return sqrt((along < 0 ? along * along : 0) + across);
}

void ffi_expo_substep_finish(ffi_system *s, ffi_expo *e, double h)
{
  const ffi_frozen *z = &e->frozen;
  double *correction = e->scratch + z->n, elongation[3];
  move_to_end(s, e, h);
  ffi_expo_friction_finish(s, e, h);
  for (int k = 0; k < z->n; ++k)
    correction[k] = z->delta_x[k] - e->predicted[k];
  for (int i = 0; i < e->end.count; ++i) {
    ffi_contact *c = &e->end.contact[i];
    const int b = e->contact_block[i];
    ffi_v3_set(0, 0, 0, e->shift[i]);
    for (int k = 0; k < 3; ++k)
      // mean_force sums impulses [N s] until the step ends
      e->impulse[i][k] = e->start_state->touching[i].mean_force[k] + (b < 0 ? 0 : h * z->block[b].mean[k]);
    c->stored = 0;
    const int moves = b >= 0 && (e->mode[i] != FF_CONTACT_STICK || c->near.roll != FFI_ROLL_NONE ||
                                 (z->block[b].was_projected && !ffi_stepper_has_slip_flags(s->def)));
    if (moves)
      find_end_elongation(s, e, i, h, elongation);
    if (b >= 0)
      c->stored = find_end_stretch(e, i, h, moves ? elongation : NULL);
    if (c->near.pair < 0 || b < 0 || (e->mode[i] == FF_CONTACT_RELEASED && c->near.gap > 0)) {
      c->near.pair = -1; // separated, or vanished under load
      c->stored = e->mode[i] == FF_CONTACT_RELEASED ? 0 : -c->stored;
      continue;
    }
    if (moves) {
      ffi_expo_frame_forward(s, e->start, &e->end, i, elongation);
      anchor_shift(e, i, elongation, correction, e->shift[i]);
    }
  }
  ffi_frozen_turning_finish(
      s, e->start, z, &(ffi_frozen_turning_end){e->end.contact, h, e->is_braked, e->moment}, e->end_state);
  ffi_anchor_store(s, e->end_state, &e->end, (const double(*)[3])e->shift, (const double(*)[3])e->impulse,
                   e->end_state);
}
