// The smooth motion between events: states as vectors, forces for constant modes, and the rate of everything.
#include "dynamics/one_lane.h"
#include "math/vec3.h"
#include "model/model.h"
#include "step/ess/ess.h"

#include "base/fail.h"
#include "step/eval/anchor.h"
#include "step/explicit/group_rate.h"

#include <limits.h>
#include <math.h>
#include <string.h>

// ---- States ------------------------------------------------------------------------------------------------

// Impulses are the first numbers after q and v, then anchors, then elongations of dry friction, then moments.
static int impulses_at(const ffi_ess *e)
{
  return e->s->model->size.nq + e->s->model->size.nv;
}

// Elongations of the springs of dry friction; returns how many.
static int pack_springs(const ffi_ess *e, double *springs)
{
  int count = 0;
  for (int k = 0; k < e->s->law_count; ++k) {
    const ffi_element *el = &e->s->elements[k];
    if (el->def.type == FF_ELEMENT_JOINT_FRICTION)
      springs[count++] = e->x->element_force[el->force_at] / el->def.stiffness;
  }
  return count;
}

const double *ffi_ess_field_unpack_springs(const ffi_ess *e, const double *springs, ffi_state *to)
{
  int count = 0;
  for (int k = 0; k < e->s->law_count; ++k) {
    const ffi_element *el = &e->s->elements[k];
    if (el->def.type == FF_ELEMENT_JOINT_FRICTION)
      to->element_force[el->force_at] =
          fmax(-el->def.effort, fmin(el->def.effort, el->def.stiffness * springs[count++]));
  }
  return springs + count;
}

void ffi_ess_field_pack(ffi_ess *e, double *y)
{
  const int nq = e->s->model->size.nq, nv = e->s->model->size.nv, count = e->x->touching_count;
  double *impulses = y + impulses_at(e), *anchors = impulses + 3 * count;
  memcpy(y, e->x->q, (size_t)nq * sizeof *y);
  memcpy(y + nq, e->x->v, (size_t)nv * sizeof *y);
  for (int i = 0; i < count; ++i) {
    ffi_v3_copy(e->impulse[i], impulses + 3 * i);
    ffi_v3_copy(e->x->touching[i].anchor, anchors + 3 * i);
  }
  const int springs = pack_springs(e, anchors + 3 * count);
  const int others = 6 * count + springs + ffi_ess_turning_pack(e, anchors + 3 * count + springs);
  e->ode.size = nq + nv + others;
  e->ode.tangent = 2 * nv + others;
}

static void unpack(ffi_ess *e, double t, const double *y)
{
  const int nq = e->s->model->size.nq, nv = e->s->model->size.nv, count = e->x->touching_count;
  const double *impulses = y + impulses_at(e), *anchors = impulses + 3 * count;
  memcpy(e->x->q, y, (size_t)nq * sizeof *y);
  memcpy(e->x->v, y + nq, (size_t)nv * sizeof *y);
  for (int i = 0; i < count; ++i) {
    ffi_v3_copy(impulses + 3 * i, e->impulse[i]);
    ffi_v3_copy(anchors + 3 * i, e->x->touching[i].anchor);
  }
  ffi_state_advance(e->s, e->from, t, e->x);
  ffi_ess_turning_unpack(e, ffi_ess_field_unpack_springs(e, anchors + 3 * count, e->x));
}

void ffi_ess_field_retract(const double *y, const double *d, double *out, void *user)
{
  const ffi_ess *e = user;
  const int nq = e->s->model->size.nq, nv = e->s->model->size.nv;
  ff_model_integrate(e->s->model, y, d, out);
  for (int i = 0; i < e->ode.tangent - nv; ++i)
    out[nq + i] = y[nq + i] + d[nv + i];
}

// The terms that the group's series leaves out are of order 5 in the step: [x, v] is of order 2 and each further
// bracket adds one.                                                                                steppers.md, eq. 1
void ffi_ess_field_pull(const double *y, const double *d, const double *velocity, double *rate, void *user)
{
  (void)y;
  const ffi_ess *e = user;
  const int nv = e->s->model->size.nv;
  ffi_group_rate(e->s->model, d, velocity, rate);
  memcpy(rate + nv, velocity + nv, (size_t)(e->ode.tangent - nv) * sizeof *rate);
}

// ---- Forces ------------------------------------------------------------------------------------------------

// While it slips K |e| = mu push, so d' edot = -mu gapdot with edot = anchor's velocity - u. A zero elongation points
// against the velocity.                                                                       contact.md, eq. 2
double ffi_ess_field_anchor_speed(const ffi_contact *c, double d[3])
{
  const double rim = c->mu * c->K * fabs(c->near.gap - c->rest);
  if (c->law.trial_norm > 1e-9 * rim && c->law.trial_norm > 0) {
    ffi_v3_scale(1 / c->law.trial_norm, c->law.trial, d);
  } else {
    ffi_anchor_tangential(c->near.normal, c->u, d);
    const double speed = ffi_v3_norm(d);
    ffi_v3_scale(speed > 0 ? -1 / speed : 0, d, d);
  }
  return ffi_v3_dot(c->u, d) - c->mu * ffi_v3_dot(c->u, c->near.normal);
}

// Friction at its limit, and the velocity of the anchor.                              contact.md, eq. 2
static void slide(const ffi_contact *c, int is_mode_fixed, double F[3], double w[3])
{
  const ffi_contact_law_result *law = &c->law;
  if (c->B > 0) {
    ffi_v3_scale(law->trial_norm > 0 ? c->mu * law->push / law->trial_norm : 0, law->trial, F);
    for (int k = 0; k < 3; ++k)
      w[k] = (F[k] - law->trial[k]) / c->B;
    return;
  }
  double d[3];
  if (!(c->mu > 0)) { // no elongation, so no direction: the anchor goes with the point
    ffi_v3_set(0, 0, 0, F);
    ffi_anchor_tangential(c->near.normal, c->u, w);
    return;
  }
  const double along = ffi_ess_field_anchor_speed(c, d);
  ffi_v3_scale(c->mu * law->push, d, F);
  ffi_v3_scale(is_mode_fixed ? along : fmin(along, 0), d, w);
}

// The contact's force in a mode, and the velocity of its anchor over b, world axes. With a slip flag the trial is the
// force of the spring, or friction while it slips.
static void act(int mode, int has_flag, ffi_contact *c, double w[3])
{
  ffi_contact_law_result *law = &c->law;
  double F[3] = {0, 0, 0};
  if (mode != FFI_ESS_BY_LAW)
    law->mode = (ff_contact_mode)mode;
  if (law->mode == FF_CONTACT_RELEASED) {
    if (has_flag)
      ffi_v3_set(0, 0, 0, w);
    else if (c->B > 0)
      ffi_v3_scale(-1 / c->B, law->trial, w);
    else
      ffi_anchor_tangential(c->near.normal, c->u, w);
    law->normal_force = 0;
    ffi_v3_set(0, 0, 0, law->force);
    return;
  }
  if (law->mode == FF_CONTACT_SLIP && !has_flag)
    slide(c, mode != FFI_ESS_BY_LAW, F, w);
  else
    ffi_v3_copy(law->trial, F);
  law->normal_force = law->push;
  for (int k = 0; k < 3; ++k)
    law->force[k] = law->push * c->near.normal[k] + F[k];
}

// A stop or motor in its present regime.
static void apply_regime(const ffi_ess *e, ffi_joint_law_row *row, int element)
{
  const ff_element_def *def = &e->s->elements[element].def;
  const int regime = e->regime[element];
  if (regime == FFI_ESS_BY_LAW)
    return;
  row->regime = regime;
  if (ffi_joint_law_saturates(def)) {
    row->force = regime == 0 ? -def->stiffness * row->x - def->damping * row->u : regime * def->effort;
    return;
  }
  const double x = ffi_line_position(row->line, e->x->q) - (regime < 0 ? def->lower : def->upper);
  row->force = regime == 0 ? 0 : -def->stiffness * x - def->damping * row->u;
}

// ---- The rate ----------------------------------------------------------------------------------------------

// An integrator step has seven evaluations, and events take some more: with 60 velocities and 30 contacts a step of the
// sim may take all of its max_steps integrator steps. A unit takes 0.2 to 3 us.
static ff_status check_work(ffi_ess *e, ff_error *error)
{
  const double work = *e->s->work;
  e->s->info->work = (int)fmin(ceil(work), INT_MAX);
  const int most = e->s->def->ess.max_steps;
  if (work <= FFI_ESS_WORK * (most + 100.0))
    return FF_OK;
  return ffi_fail(
      error, FF_ERROR_NUMERIC, NULL, 0, "ess",
      "more work in one step than ess.max_steps = %d allows, with %d contacts: contacts or motors are "
      "too stiff for it, or change too often",
      most, e->at->count);
}

ff_status ffi_ess_field_evaluate(ffi_ess *e, double t, const double *y, ff_error *error)
{
  unpack(e, t, y);
  ff_status status = ffi_evaluation_at(e->s, e->x, FFI_EVALUATION_FIXED, e->at, error);
  if (status == FF_OK)
    status = check_work(e, error);
  if (status == FF_OK)
    ffi_ess_guards_evaluate(e);
  return status;
}

// Forces in their modes, and the rates of impulses and anchors. With a slip flag anchors stay where they are.
static void contact_rates(ffi_ess *e, double *impulses, double *anchors)
{
  const int has_flags = ffi_stepper_has_slip_flags(e->s->def);
  for (int i = 0; i < e->at->count; ++i) {
    ffi_contact *c = &e->at->contact[i];
    double w[3] = {0, 0, 0};
    ffi_v3_set(0, 0, 0, impulses + 3 * i);
    ffi_v3_set(0, 0, 0, anchors + 3 * i);
    if (c->near.pair < 0) { // shapes are far apart
      c->law.mode = FF_CONTACT_RELEASED;
      continue;
    }
    if (!has_flags || e->mode[i] != FFI_ESS_BY_LAW)
      act(e->mode[i], has_flags, c, w);
    ffi_v3_add(w, c->creep, w);
    ffi_anchor_to_frame(ffi_anchor_frame(e->s, &e->at->at, &c->near), w, anchors + 3 * i);
    if (c->law.mode != FF_CONTACT_RELEASED)
      ffi_v3_scale(1 / e->mass, c->law.force, impulses + 3 * i);
  }
}

// Elongations: stretched by the motion while the joint sticks, else K e + B edot = F.  joint-friction.md, eqs 2 and 3
// Returns what is behind these.
static double *spring_rates(const ffi_ess *e, double *rate)
{
  int count = 0;
  for (int r = 0; r < e->at->joint_row_count; ++r) {
    const ffi_joint_law_row *row = &e->at->joint_row[r];
    const ff_element_def *def = &e->s->elements[e->at->joint_row_element[r]].def;
    if (def->type == FF_ELEMENT_JOINT_FRICTION)
      rate[count++] = row->regime == 0 ? -row->u : (row->force + def->stiffness * row->x) / def->damping;
  }
  return rate + count;
}

int ffi_ess_field_rate(double t, const double *y, double *rate, void *user)
{
  ffi_ess *e = user;
  const int nv = e->s->model->size.nv;
  ff_status status = ffi_ess_field_evaluate(e, t, y, &e->cause);
  if (status == FF_OK) {
    if (t > e->ode.t && t < e->first_trigger && ffi_ess_guards_collect(e, 0) > 0)
      e->first_trigger = t;
    contact_rates(e, rate + 2 * nv, rate + 2 * nv + 3 * e->at->count);
    for (int r = 0; r < e->at->joint_row_count; ++r)
      apply_regime(e, &e->at->joint_row[r], e->at->joint_row_element[r]);
    ffi_ess_turning_rates(e, spring_rates(e, rate + 2 * nv + 6 * e->at->count));
    status = ffi_evaluation_acceleration(e->s, e->at, &e->cause);
  }
  if (status != FF_OK) {
    e->has_cause = 1;
    return 1;
  }
  memcpy(rate, e->x->v, (size_t)nv * sizeof *rate);
  memcpy(rate + nv, e->at->vdot, (size_t)nv * sizeof *rate);
  return 0;
}
