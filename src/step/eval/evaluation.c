// Evaluates a state. Reads top to bottom: poses, near features, contacts, bias forces, contact laws, elements.
#include "step/eval/evaluation.h"

#include "base/fail.h"
#include "contact/law/flag_law.h"
#include "dynamics/one_lane.h"
#include "math/vec3.h"
#include "step/eval/anchor.h"
#include "step/eval/contact_jacobian.h"
#include "step/eval/passivity.h"
#include "step/eval/weight_moment.h"

#include <math.h>
#include <string.h>

// A feature nearer than this is listed [m]. A crossing of it during a step is seen from both ends of the step;
// farther features are seen only once they overlap. It is also how far a contact can lift off in one step and still
// be known.
static const double near_margin = FFI_EVALUATION_NEAR_MARGIN;

// Joint limits farther away than this [rad] or [m], and than two steps at the present speed, have no row.
static const double stop_margin = 0.05;

// Two paths, or those of all joints of a tendon or a coupling.
int ffi_evaluation_stride(const ffi_system *s)
{
  const int most = s->most_reach, two = 2 * s->model->max_depth;
  return ((most > two ? most : two) + 3) / 4 * 4;
}

void ffi_evaluation_layout(const ffi_system *s, ffi_block *block, ffi_evaluation *out)
{
  const size_t nv = (size_t)s->model->size.nv, elements = (size_t)s->law_count + 1;
  const size_t contacts = (size_t)s->max_contacts + 1;
  ffi_evaluation i = {.stride = ffi_evaluation_stride(s)};
  const size_t constraints = (size_t)ffi_constraint_most(s);
  ffi_state_kinematics_layout(s, block, &i.at);
  i.near = ffi_block_take(block, (size_t)s->colliders->max_candidates + 1, sizeof *i.near);
  i.contact = ffi_block_take(block, contacts, sizeof *i.contact);
  i.joint_row = ffi_block_take(block, elements, sizeof *i.joint_row);
  i.joint_row_element = ffi_block_take(block, elements, sizeof *i.joint_row_element);
  i.constraint = ffi_block_take(block, constraints + 1, sizeof *i.constraint);
  i.h = ffi_block_take(block, nv, sizeof *i.h);
  i.force = ffi_block_take(block, nv, sizeof *i.force);
  i.vdot = ffi_block_take(block, nv, sizeof *i.vdot);
  i.J = ffi_block_take(block, (contacts + constraints) * 3 * (size_t)i.stride, sizeof *i.J);
  i.dofs = ffi_block_take(block, (contacts + constraints) * (size_t)i.stride, sizeof *i.dofs);
  ffi_coupling_layout(s, block, &i.coupling);
  *out = i;
}

static void begin_contact(const ffi_system *s, const ffi_state_kinematics *at,
                          const ffi_detect_candidate *near, const ffi_state_contact *touching, int is_placed,
                          ffi_contact *c)
{
  const ff_material *material = &s->materials[near->pair];
  c->near = *near;
  c->K = near->weight * material->stiffness;
  c->B = near->weight * material->damping;
  c->mu = material->friction;
  c->limit = is_placed ? FFI_PASSIVITY_UNKNOWN : touching ? fabs(touching->stored) : 0;
  c->stored = FFI_PASSIVITY_UNKNOWN;
  c->was_unloaded = 0;
  c->slips = touching ? touching->slips : 0;
  if (touching) {
    c->rest = touching->rest;
    ffi_anchor_to_world(ffi_anchor_frame(s, at, near), touching->anchor, c->anchor);
    return;
  }
  c->rest = s->def->normal_anchor == FF_ANCHOR_FIRST_TOUCH ? near->gap : 0.0;
  ffi_v3_copy(near->point, c->anchor);
}

// A contact of a fixed set whose shapes are far apart: it does not push.
static void far_contact(const ffi_state_contact *touching, ffi_contact *c)
{
  memset(c, 0, sizeof *c);
  c->near.id = touching->id;
  c->near.gap = INFINITY;
  c->near.normal[2] = 1;
  c->near.pair = -1;
}

ff_status ffi_evaluation_too_many_contacts(const ffi_system *s, ff_error *error)
{
  return ffi_fail(
      error, FF_ERROR_LIMIT, NULL, 0, "contact",
      "more than %d points are in contact at once; raise max_contacts (in a scene stepper.max_contacts)",
      s->max_contacts);
}

// Contacts in increasing order of id, from near features and from the contacts of the state. Both lists are in that
// order.
static ff_status choose_contacts(const ffi_system *s, const ffi_state *x, ffi_evaluation_set set,
                                 ffi_evaluation *out, ff_error *error)
{
  int t = 0;
  out->count = 0;
  for (int n = 0; n <= out->near_count; ++n) {
    const int id = n < out->near_count ? out->near[n].id : s->colliders->id_count;
    for (; t < x->touching_count && x->touching[t].id < id; ++t)
      if (set != FFI_EVALUATION_CURRENT)
        far_contact(&x->touching[t], &out->contact[out->count++]);
    if (n == out->near_count)
      break;
    const ffi_state_contact *known =
        t < x->touching_count && x->touching[t].id == id ? &x->touching[t++] : NULL;
    if (!known && (set != FFI_EVALUATION_CURRENT || out->near[n].gap > 0))
      continue;
    if (out->count == s->max_contacts)
      return ffi_evaluation_too_many_contacts(s, error);
    begin_contact(s, &out->at, &out->near[n], known, x->is_placed, &out->contact[out->count++]);
  }
  return FF_OK;
}

// x = (gap - rest) n - e, with e the tangential part of anchor - point.          contact.md, section 5
static void spring_offset(ffi_contact *c)
{
  double e[3];
  const double *n = c->near.normal;
  ffi_v3_sub(c->anchor, c->near.point, e);
  const double along = ffi_v3_dot(e, n) + c->near.gap - c->rest;
  for (int k = 0; k < 3; ++k)
    c->x[k] = along * n[k] - e[k];
}

// Where the normal turns, the part of anchor - point along it would become tangential: the anchor's velocity takes that
// back, so that the elongation changes by the motion alone, edot = w - u_t, in axes that turn with the normal.
static void keep_elongation(ffi_contact *c)
{
  double arm[3];
  ffi_v3_sub(c->anchor, c->near.point, arm);
  ffi_v3_add_scaled(ffi_v3_dot(arm, c->near.normal), c->ndot, c->creep);
}

// With a slip flag a contact lasts while its shapes overlap; with an anchor also while its damper pushes.
static void drop_parted(int has_flags, ffi_evaluation *out)
{
  int kept = 0;
  for (int i = 0; i < out->count; ++i) {
    if (out->contact[i].near.gap > 0 && (has_flags || out->contact[i].law.push <= 0))
      continue;
    if (kept != i)
      out->contact[kept] = out->contact[i];
    ++kept;
  }
  out->count = kept;
}

// The law with a slip flag (contact.md, section 9). Within a step the flag does not change. Where the contact sticks
// again, its anchor is at the point. `expo` and `ess` locate reversals of the slip themselves; the mean force of the
// last step would mislead them, as the contact may have stuck for part of it.
static void flagged_law(const ffi_system *s, const ffi_state *x, int is_fixed, ffi_contact *c)
{
  if (is_fixed) {
    ffi_flag_law_fixed(c->K, c->B, c->mu, c->near.normal, c->x, c->u, c->slips, &c->law);
    return;
  }
  const int finds_reversals = s->def->stepper == FF_STEPPER_EXPO || s->def->stepper == FF_STEPPER_ESS;
  const double *last = NULL;
  for (int t = 0; c->slips && !finds_reversals && t < x->touching_count && !last; ++t)
    last = x->touching[t].id == c->near.id ? x->touching[t].mean_force : NULL;
  if (!ffi_flag_law(c->K, c->B, c->mu, c->near.normal, c->x, c->u, last, &c->slips, &c->law))
    return;
  ffi_v3_copy(c->near.point, c->anchor);
  c->was_unloaded = 1;
  spring_offset(c);
}

// The law of element e at a state; q, v: of its line.
static void place_joint_row(const ffi_state *x, const ffi_element *el, int e, double q, double v,
                            ffi_joint_law_row *row)
{
  if (el->def.type == FF_ELEMENT_JOINT_FRICTION)
    ffi_joint_law(&el->def, x->element_force[el->force_at] / el->def.stiffness, 0, 0, v, row);
  else
    ffi_joint_law(&el->def, x->reference[e], x->reference_velocity[e], q, v, row);
}

static void place_joint_rows(const ffi_system *s, const ffi_state *x, ffi_evaluation *out)
{
  out->joint_row_count = 0;
  for (int e = 0; e < s->law_count; ++e) {
    const ffi_element *el = &s->elements[e];
    if (!el->is_joint)
      continue;
    const double q = ffi_line_position(&el->line, x->q), v = ffi_line_rate(&el->line, x->v);
    if (el->def.type == FF_ELEMENT_JOINT_LIMIT) {
      const double reach = stop_margin + 2 * s->def->dt * fabs(v);
      if (q > el->def.lower + reach && q < el->def.upper - reach)
        continue; // far from its stops: the usual case
    }
    ffi_joint_law_row *row = &out->joint_row[out->joint_row_count];
    out->joint_row_element[out->joint_row_count++] = e;
    row->line = &el->line;
    row->v = el->line.single_v;
    row->is_path = el->is_path;
    place_joint_row(x, el, e, q, v, row);
  }
}

void ffi_evaluation_set_motor(const ffi_system *s, const ffi_state *x, int element, ffi_evaluation *out)
{
  int row = element < out->joint_row_count ? element : out->joint_row_count - 1;
  while (row >= 0 && out->joint_row_element[row] > element) // in the order of elements, some left out
    --row;
  if (row < 0 || out->joint_row_element[row] != element)
    return;
  const ffi_element *el = &s->elements[element];
  place_joint_row(x, el, element, ffi_line_position(&el->line, x->q), ffi_line_rate(&el->line, x->v),
                  &out->joint_row[row]);
}

static double deepest_of(const ffi_detect_candidate *near, int count)
{
  double deepest = 0;
  for (int n = 0; n < count; ++n)
    deepest = near[n].gap < -deepest ? -near[n].gap : deepest;
  return deepest;
}

static void count_work(const ffi_system *s, const ffi_evaluation *i)
{
  const int contacts = i->near_count > i->count ? i->near_count : i->count;
  *s->work += 1 + 0.05 * (s->model->size.nv + 4 * contacts) + 0.5 * ffi_detect_work(s->detection);
}

ff_status ffi_evaluation_at(const ffi_system *s, const ffi_state *x, ffi_evaluation_set set,
                            ffi_evaluation *out, ff_error *error)
{
  out->stamp = 0;
  ffi_state_kinematics_at(s, x, &out->at);
  const ffi_poses places = ffi_state_kinematics_places(&out->at);
  out->near_count = ffi_detect(s->colliders, s->detection, &places, near_margin, out->near);
  out->deepest = deepest_of(out->near, out->near_count);
  const ff_status status = choose_contacts(s, x, set, out, error);
  if (status != FF_OK)
    return status;

  const int has_flags = ffi_stepper_has_slip_flags(s->def);
  s->k->bias(out->at.work, x->v, out->h);
  ffi_rows3_room room = {out->J, out->dofs, out->stride};
  for (int i = 0; i < out->count; ++i, ffi_rows3_room_next(&room)) {
    ffi_contact *c = &out->contact[i];
    if (c->near.pair < 0)
      continue;
    spring_offset(c);
    ffi_contact_jacobian(s, &out->at, x->v, &room, c);
    keep_elongation(c);
    if (has_flags)
      flagged_law(s, x, set == FFI_EVALUATION_FIXED, c);
    else
      ffi_contact_law(c->K, c->B, c->mu, c->near.normal, c->x, c->u, &c->law);
  }
  if (set != FFI_EVALUATION_FIXED && !has_flags)
    ffi_passivity_limit(s, x, out);
  if (set == FFI_EVALUATION_CURRENT &&
      !ffi_stepper_has_hard_contacts(s->def)) // hard ones act until the next evaluation
    drop_parted(has_flags, out);
  ffi_weight_moment_add(s, &room, out);
  place_joint_rows(s, x, out);
  ffi_constraint_place_all(s, x, room, out);
  count_work(s, out);
  return FF_OK;
}

ff_status ffi_evaluation_current(const ffi_system *s, const ffi_state *x, ffi_evaluation *out,
                                 ff_error *error)
{
  if (x->stamp != 0 && out->stamp == x->stamp)
    return FF_OK;
  out->since = 0;
  const ff_status status = ffi_evaluation_at(s, x, FFI_EVALUATION_CURRENT, out, error);
  if (status == FF_OK)
    out->stamp = x->stamp;
  return status;
}

ff_status ffi_evaluation_start(const ffi_system *s, const ffi_state *from, ff_error *error)
{
  const ff_status status = ffi_evaluation_current(s, from, s->present, error);
  s->present->stamp = 0;
  return status;
}

// out->force from the present laws of contacts and elements.
static void sum_forces(const ffi_system *s, ffi_evaluation *i)
{
  const int nv = s->model->size.nv;
  for (int k = 0; k < nv; ++k)
    i->force[k] = s->tau[k] - i->h[k];
  for (int c = 0; c < i->count; ++c)
    if (i->contact[c].law.mode != FF_CONTACT_RELEASED)
      ffi_rows3_add_transposed(&i->contact[c].rows, i->stride, i->contact[c].law.force, i->force);
  for (int c = 0; c < i->constraint_count; ++c)
    ffi_rows3_add_transposed(&i->constraint[c].rows, i->stride, i->constraint[c].force, i->force);
  for (int r = 0; r < i->joint_row_count; ++r)
    ffi_joint_law_push(&i->joint_row[r], i->joint_row[r].force, i->force);
}

ff_status ffi_evaluation_acceleration(const ffi_system *s, ffi_evaluation *i, ff_error *error)
{
  sum_forces(s, i);
  const ff_status status = ffi_state_kinematics_factor(s, &i->at, error);
  if (status != FF_OK)
    return status;
  memcpy(i->vdot, i->force, (size_t)s->model->size.nv * sizeof *i->vdot);
  s->k->solve(i->at.work, i->vdot);
  return ffi_coupling_solve(s, i, error);
}
