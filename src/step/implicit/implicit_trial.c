// Trials of backward Euler: from a velocity at the end of the step to the residual, and from the last trial to the
// new state.
#include "contact/law/flag_law.h"
#include "dynamics/one_lane.h"
#include "math/mat3.h"
#include "math/vec3.h"
#include "step/eval/anchor.h"
#include "step/eval/passivity.h"
#include "step/eval/turning.h"
#include "step/implicit/implicit.h"
#include "step/step_kernels.h"

#include <math.h>
#include <string.h>

// Contact laws of the trial, with e as in implicit.h.
static void end_laws(const ffi_system *s, ffi_implicit *m)
{
  const int has_flags = ffi_stepper_has_slip_flags(s->def);
  for (int i = 0; i < m->at->count; ++i) {
    ffi_contact *c = &m->at->contact[i];
    ffi_implicit_contact *own = &m->contact[i];
    own->slides = has_flags && c->slips;
    const double *n = c->near.normal;
    if (c->near.pair < 0 || (!own->is_new && c->near.roll == FFI_ROLL_NONE))
      continue;
    double e[3] = {0, 0, 0}, along = ffi_v3_dot(c->x, n);
    if (!own->is_new) {
      ffi_m3_mulv(ffi_anchor_frame(s, &m->at->at, &c->near)->R, own->elongation, e);
      ffi_v3_add_scaled(-m->dt, c->u, e);
      ffi_anchor_tangential(n, e, e);
    } else if (s->def->normal_anchor == FF_ANCHOR_FIRST_TOUCH) {
      along = fmax(c->near.gap, 0.0); // its spring is at rest at any depth
    }
    for (int k = 0; k < 3; ++k)
      c->x[k] = along * n[k] - e[k];
    if (has_flags)
      ffi_flag_law_fixed(c->K, c->B, c->mu, n, c->x, c->u, c->slips, &c->law);
    else
      ffi_contact_law(c->K, c->B, c->mu, n, c->x, c->u, &c->law);
  }
}

ffi_implicit_gains ffi_implicit_trial_gains(const ffi_system *s, const ffi_implicit *m, int i)
{
  const ffi_contact *c = &m->at->contact[i];
  ffi_implicit_gains g = {.K_n = c->K, .K_t = c->K, .B_n = c->B, .B_t = c->B};
  if (m->contact[i].slides) {
    g.K_t = 0;
    g.B_t = 1;
  } else if (m->contact[i].is_new) {
    g.K_t = 0;
    if (s->def->normal_anchor == FF_ANCHOR_FIRST_TOUCH && c->near.gap <= 0)
      g.K_n = 0;
  } else if (c->near.roll != FFI_ROLL_NONE) {
    g.K_t = 0;
    g.B_t += m->dt * c->K;
  }
  return g;
}

// Armed limits push on either side, like contacts. Others do not push at all.
static void end_limits(const ffi_system *s, ffi_implicit *m)
{
  for (int i = 0; i < m->at->joint_row_count; ++i) {
    const ffi_element *element = &s->elements[m->at->joint_row_element[i]];
    ffi_joint_law_row *row = &m->at->joint_row[i];
    const int side = ffi_implicit_joint_of(m, i)->side;
    if (element->def.type != FF_ELEMENT_JOINT_LIMIT)
      continue;
    row->x =
        ffi_line_position(&element->line, m->x->q) - (side < 0 ? element->def.lower : element->def.upper);
    row->u = ffi_joint_law_rate(row, m->x->v);
    const double w = -element->def.stiffness * row->x - element->def.damping * row->u;
    row->force = side < 0 ? fmax(w, 0) : side > 0 ? fmin(w, 0) : 0;
  }
}

// Friction by the elongation at the end of the step.
static void end_friction(const ffi_system *s, ffi_implicit *m)
{
  for (int i = 0; i < m->at->joint_row_count; ++i) {
    const ff_element_def *def = &s->elements[m->at->joint_row_element[i]].def;
    ffi_joint_law_row *row = &m->at->joint_row[i];
    if (def->type == FF_ELEMENT_JOINT_FRICTION) {
      const double x = row->x + m->dt * row->u;
      const double w = -def->stiffness * x - def->damping * row->u;
      row->x = x;
      row->regime = w > def->effort ? 1 : w < -def->effort ? -1 : 0;
      row->force = row->regime == 0 ? w : row->regime * def->effort;
    }
  }
}

// Torsional and rolling friction by the elongation at the end of the step.
static void end_turning(const ffi_system *s, ffi_implicit *m)
{
  const int first = s->turning ? ffi_turning_index(m->at, 0, 0) : m->at->constraint_count;
  for (int i = first; i < m->at->constraint_count; ++i) {
    ffi_constraint *c = &m->at->constraint[i];
    double trial[3];
    ffi_v3_add_scaled(m->dt, c->u, c->x);
    for (int k = 0; k < 3; ++k)
      trial[k] = -c->own_K * c->x[k] - c->own_B * c->u[k];
    c->slides = ffi_turning_limit(trial, c->limit, c->force);
  }
}

// Where they end: stretched, or where they slid, relaxed by backward Euler: K e + B (e - e0)/dt = force.
static void end_turning_springs(const ffi_system *s, const ffi_implicit *m, ffi_state *to)
{
  if (!s->turning)
    return;
  for (int i = 0; i < 2 * m->at->count; ++i) {
    const ffi_constraint *c = &m->at->constraint[ffi_turning_index(m->at, 0, 0) + i];
    const double rate = c->own_B / m->dt;
    for (int k = 0; k < 3; ++k) {
      const double start = -(c->x[k] - m->dt * c->u[k]);
      m->moment[i][k] =
          c->slides ? c->own_K * (c->force[k] + rate * start) / (c->own_K + rate) : -c->own_K * c->x[k];
    }
  }
  ffi_turning_store(s, m->at, NULL, (const double(*)[3])m->moment, to);
}

ff_status ffi_implicit_trial_evaluate(ffi_system *s, ffi_implicit *m, ff_error *error)
{
  const int nv = s->model->size.nv;
  for (int k = 0; k < nv; ++k)
    m->residual[k] = m->dt * m->x->v[k];
  ff_model_integrate(s->model, m->from->q, m->residual, m->x->q);
  ff_status status = ffi_evaluation_at(s, m->x, FFI_EVALUATION_FIXED, m->at, error);
  if (status != FF_OK)
    return status;
  end_laws(s, m);
  end_limits(s, m);
  end_friction(s, m);
  end_turning(s, m);
  status = ffi_evaluation_acceleration(s, m->at, error);
  if (status != FF_OK)
    return status;
  double square = 0;
  for (int k = 0; k < nv; ++k) {
    m->residual[k] = m->x->v[k] - m->from->v[k] - m->dt * m->at->vdot[k];
    square += m->residual[k] * m->residual[k];
  }
  m->norm = sqrt(square);
  return FF_OK;
}

static void keep_elongations(const ffi_system *s, ffi_implicit *m)
{
  for (int i = 0; i < m->at->count; ++i) {
    const ffi_contact *c = &m->at->contact[i];
    double e[3];
    ffi_contact_elongation(c, e);
    m->contact[i].is_new = 0;
    ffi_v3_set(0, 0, 0, m->contact[i].linearised_at);
    ffi_anchor_to_frame(ffi_anchor_frame(s, &m->at->at, &c->near), e, m->contact[i].elongation);
  }
}

// Arm the limits that a state is beyond; returns how many were not armed before.
static int arm_limits(const ffi_system *s, ffi_implicit *m, const ffi_state *x)
{
  int armed = 0;
  for (int i = 0; i < m->at->joint_row_count; ++i) {
    const ffi_element *element = &s->elements[m->at->joint_row_element[i]];
    const double q = ffi_line_position(&element->line, x->q);
    const int side = q < element->def.lower ? -1 : q > element->def.upper ? 1 : 0;
    if (element->def.type != FF_ELEMENT_JOINT_LIMIT || side == 0 || side == ffi_implicit_joint_of(m, i)->side)
      continue;
    ffi_implicit_joint_of(m, i)->side = side;
    ++armed;
  }
  return armed;
}

// Linearise at the forces of the last step, where there was one.
static void take_last_forces(ffi_implicit *m)
{
  for (int i = 0, next = 0; i < m->at->count; ++i) {
    const ffi_state_contact *last = ffi_state_find_contact(m->from, m->at->contact[i].near.id, &next);
    if (last)
      ffi_v3_copy(last->mean_force, m->contact[i].linearised_at);
  }
}

ff_status ffi_implicit_trial_begin(ffi_system *s, ffi_implicit *m, ff_error *error)
{
  ff_status status = ffi_evaluation_start(s, m->from, error);
  if (status != FF_OK)
    return status;
  ffi_state_advance(s, m->from, m->dt, m->x);
  ffi_state_copy_friction(s, m->from, m->x);
  ffi_anchor_store(s, m->from, m->at, NULL, NULL, m->x);
  keep_elongations(s, m);
  take_last_forces(m);
  for (int i = 0; i < s->law_count; ++i)
    m->joint[i].side = 0;
  arm_limits(s, m, m->from);
  memcpy(m->x->v, m->from->v, (size_t)s->model->size.nv * sizeof *m->x->v);
  return FF_OK;
}

// A new contact, at its place among the others, which are in the order of their ids.
static void insert(ffi_implicit *m, int at, const ffi_detect_candidate *near)
{
  const size_t behind = (size_t)(m->x->touching_count - at);
  memmove(&m->x->touching[at + 1], &m->x->touching[at], behind * sizeof *m->x->touching);
  for (int i = m->x->touching_count; i > at; --i) { // the rows of P stay: they are made anew
    m->contact[i].is_new = m->contact[i - 1].is_new;
    ffi_v3_copy(m->contact[i - 1].elongation, m->contact[i].elongation);
    ffi_v3_copy(m->contact[i - 1].linearised_at, m->contact[i].linearised_at);
  }
  m->x->touching[at] = (ffi_state_contact){.id = near->id};
  m->contact[at].is_new = 1;
  ffi_v3_set(0, 0, 0, m->contact[at].linearised_at);
  m->x->touching_count += 1;
}

static ff_status add_overlaps(const ffi_system *s, ffi_implicit *m, int *added, ff_error *error)
{
  int t = 0;
  for (int i = 0; i < m->at->near_count; ++i) {
    const ffi_detect_candidate *near = &m->at->near[i];
    while (t < m->x->touching_count && m->x->touching[t].id < near->id)
      ++t;
    if (near->gap > 0 || (t < m->x->touching_count && m->x->touching[t].id == near->id))
      continue;
    if (m->x->touching_count == s->max_contacts)
      return ffi_evaluation_too_many_contacts(s, error);
    insert(m, t, near);
    ++*added;
  }
  return FF_OK;
}

ff_status ffi_implicit_trial_take_overlaps(ffi_system *s, ffi_implicit *m, ff_error *error)
{
  int added = arm_limits(s, m, m->x);
  const ff_status status = add_overlaps(s, m, &added, error);
  return status == FF_OK && added > 0 ? ffi_implicit_trial_evaluate(s, m, error) : status;
}

// Where the anchor ends, in its frame.
static void end_anchor(const ffi_system *s, const ffi_implicit *m, int i, double anchor[3])
{
  const ffi_contact *c = &m->at->contact[i];
  const ffi_pose *frame = ffi_anchor_frame(s, &m->at->at, &c->near);
  double shift[3] = {0, 0, 0}, local[3], F[3];
  const int is_placed = m->contact[i].is_new || c->near.roll != FFI_ROLL_NONE;
  if (is_placed) { // point + e
    ffi_anchor_tangential(c->near.normal, c->x, shift);
    for (int k = 0; k < 3; ++k)
      shift[k] = c->near.point[k] - frame->p[k] - shift[k];
  }
  const int follows = c->law.mode != FF_CONTACT_STICK && !ffi_stepper_has_slip_flags(s->def);
  if (follows) {
    const double slide = m->dt / (c->B + c->K * m->dt);
    ffi_anchor_tangential(c->near.normal, c->law.force, F);
    for (int k = 0; k < 3; ++k)
      shift[k] += slide * (F[k] - c->law.trial[k]);
  }
  ffi_anchor_to_frame(frame, shift, local);
  if (is_placed)
    ffi_v3_copy(local, anchor);
  else if (follows)
    ffi_v3_add(anchor, local, anchor);
}

// Contacts that have parted are left out, by the rule of the start of the next step.
static void end_contacts(const ffi_system *s, const ffi_implicit *m, ffi_state *to)
{
  const int has_flags = ffi_stepper_has_slip_flags(s->def);
  int count = 0, slipping = 0;
  for (int i = 0; i < m->at->count; ++i) {
    const ffi_contact *c = &m->at->contact[i];
    if (c->near.pair < 0 || (c->near.gap > 0 && (has_flags || c->law.push <= 0)))
      continue;
    ffi_state_contact *t = &to->touching[count++];
    *t = m->x->touching[i];
    t->stored = FFI_PASSIVITY_UNKNOWN;
    if (m->contact[i].is_new)
      t->rest = s->def->normal_anchor == FF_ANCHOR_FIRST_TOUCH ? fmin(c->near.gap, 0.0) : 0.0;
    end_anchor(s, m, i, t->anchor);
    ffi_v3_copy(c->law.force, t->mean_force);
    slipping += c->law.mode == FF_CONTACT_SLIP;
  }
  to->touching_count = s->info->contacts = count;
  s->info->slipping = slipping;
}

// Springs of friction: stretched by the step, or where they slid, relaxed by backward Euler: K e + B (e - e0)/dt = F.
static void end_springs(const ffi_system *s, const ffi_implicit *m, ffi_state *to)
{
  for (int i = 0; i < m->at->joint_row_count; ++i) {
    const ffi_element *el = &s->elements[m->at->joint_row_element[i]];
    const ffi_joint_law_row *row = &m->at->joint_row[i];
    const double K = el->def.stiffness, rate = el->def.damping / m->dt;
    if (el->def.type != FF_ELEMENT_JOINT_FRICTION)
      continue;
    const double start = -(row->x - m->dt * row->u);
    const double end =
        row->regime == 0 ? -row->x : (row->regime * el->def.effort + rate * start) / (K + rate);
    to->element_force[el->force_at] = fmax(-el->def.effort, fmin(el->def.effort, K * end));
  }
}

// Energy of the last trial, while the factors of its M are at hand: the next step begins without M.
static void note_motion(ffi_system *s, ffi_implicit *m)
{
  s->has_motion = m->at->at.mass == FFI_STATE_KINEMATICS_MASS_FACTORED;
  if (s->has_motion)
    s->step_k->energy_factored(m->at->at.work, m->x->v, m->step, s->motion);
}

void ffi_implicit_trial_finish(ffi_system *s, ffi_implicit *m, ffi_state *to)
{
  memcpy(to->v, m->x->v, (size_t)s->model->size.nv * sizeof *to->v);
  memcpy(to->q, m->x->q, (size_t)s->model->size.nq * sizeof *to->q);
  ffi_state_advance(s, m->from, m->dt, to);
  end_springs(s, m, to);
  end_turning_springs(s, m, to);
  end_contacts(s, m, to);
  note_motion(s, m);
}
