// Trials of backward Euler: from a velocity at the end of the step to the residual, and from the last one to the new state.
#include "base/error.h"
#include "dynamics/one_robot.h"
#include "math/mat3.h"
#include "math/vec3.h"
#include "step/anchors.h"
#include "step/implicit.h"

#include <math.h>
#include <string.h>

// The trial's contacts as backward Euler sees them: e as in implicit.h.
static void end_laws(const ffi_system *s, ffi_implicit *m)
{
  for (int i = 0; i < m->at.count; ++i) {
    ffi_contact *c = &m->at.contact[i];
    const ffi_implicit_contact *own = &m->contact[i];
    const double *n = c->near.normal;
    if (c->near.pair < 0 || (!own->is_new && c->near.roll == FFI_ROLL_NONE))
      continue;
    double e[3] = {0, 0, 0}, along = ffi_v3_dot(c->x, n);
    if (!own->is_new) {
      ffi_m3_mulv(ffi_anchor_frame(s, &c->near)->R, own->elongation, e);
      ffi_v3_add_scaled(-m->dt, c->u, e);
      ffi_tangential(n, e, e);
    } else if (s->def->normal_anchor == FF_ANCHOR_FIRST_TOUCH) {
      along = fmax(c->near.gap, 0.0); // at rest wherever inside it will be
    }
    for (int k = 0; k < 3; ++k)
      c->x[k] = along * n[k] - e[k];
    ffi_contact_law(c->K, c->B, c->mu, n, c->x, c->u, &c->law);
  }
}

ff_status ffi_implicit_evaluate(ffi_system *s, ffi_implicit *m, ff_error *error)
{
  const int nv = s->model->size.nv;
  for (int k = 0; k < nv; ++k)
    m->residual[k] = m->dt * m->x.v[k];
  ff_model_integrate(s->model, m->from->q, m->residual, m->x.q);
  ff_status status = ffi_instant_at(s, &m->x, FFI_SET_FIXED, &m->at, error);
  if (status != FF_OK)
    return status;
  end_laws(s, m);
  status = ffi_instant_acceleration(s, &m->at, error);
  if (status != FF_OK)
    return status;
  double square = 0;
  for (int k = 0; k < nv; ++k) {
    m->residual[k] = m->x.v[k] - m->from->v[k] - m->dt * m->at.vdot[k];
    square += m->residual[k] * m->residual[k];
  }
  m->norm = sqrt(square);
  return FF_OK;
}

static void keep_elongations(const ffi_system *s, ffi_implicit *m)
{
  for (int i = 0; i < m->at.count; ++i) {
    const ffi_contact *c = &m->at.contact[i];
    double e[3];
    ffi_tangential(c->near.normal, c->x, e);
    ffi_v3_scale(-1, e, e);
    m->contact[i].is_new = 0;
    ffi_turn_back(ffi_anchor_frame(s, &c->near), e, m->contact[i].elongation);
  }
}

ff_status ffi_implicit_begin(ffi_system *s, ffi_implicit *m, ff_error *error)
{
  ff_status status = ffi_instant_at(s, m->from, FFI_SET_CURRENT, &m->at, error);
  if (status != FF_OK)
    return status;
  ffi_state_advance(s, m->from, m->dt, &m->x);
  ffi_touching_shift(s, m->from, &m->at, NULL, NULL, &m->x);
  keep_elongations(s, m);
  memcpy(m->x.v, m->from->v, (size_t)s->model->size.nv * sizeof *m->x.v);
  return FF_OK;
}

// A new contact, at its place among the others, which are in the order of their ids.
static void insert(ffi_implicit *m, int at, const ffi_near *near)
{
  const size_t behind = (size_t)(m->x.touching_count - at);
  memmove(&m->x.touching[at + 1], &m->x.touching[at], behind * sizeof *m->x.touching);
  memmove(&m->contact[at + 1], &m->contact[at], behind * sizeof *m->contact);
  m->x.touching[at] = (ffi_touching){.id = near->id};
  m->contact[at] = (ffi_implicit_contact){.is_new = 1};
  m->x.touching_count += 1;
}

int ffi_implicit_add_overlaps(ffi_system *s, ffi_implicit *m, ff_status *status, ff_error *error)
{
  int t = 0, added = 0;
  *status = FF_OK;
  for (int i = 0; i < m->at.near_count; ++i) {
    const ffi_near *near = &m->at.near[i];
    while (t < m->x.touching_count && m->x.touching[t].id < near->id)
      ++t;
    if (near->gap > 0 || (t < m->x.touching_count && m->x.touching[t].id == near->id))
      continue;
    if (m->x.touching_count == s->max_contacts) {
      *status = ffi_fail(error, FF_ERROR_LIMIT, NULL, 0, "contact",
                         "more than %d points are in contact at once; raise ff_sim_def.max_contacts",
                         s->max_contacts);
      return added;
    }
    insert(m, t, near);
    ++added;
  }
  return added;
}

// Where the anchor ends, in its frame.
static void end_anchor(const ffi_system *s, const ffi_implicit *m, int i, double anchor[3])
{
  const ffi_contact *c = &m->at.contact[i];
  const ffi_place *frame = ffi_anchor_frame(s, &c->near);
  double shift[3] = {0, 0, 0}, local[3], F[3];
  const int is_placed = m->contact[i].is_new || c->near.roll != FFI_ROLL_NONE;
  if (is_placed) { // point + e
    ffi_tangential(c->near.normal, c->x, shift);
    for (int k = 0; k < 3; ++k)
      shift[k] = c->near.point[k] - frame->p[k] - shift[k];
  }
  if (c->law.mode != FF_CONTACT_STICK) {
    const double slide = m->dt / (c->B + c->K * m->dt);
    ffi_tangential(c->near.normal, c->law.force, F);
    for (int k = 0; k < 3; ++k)
      shift[k] += slide * (F[k] - c->law.trial[k]);
  }
  ffi_turn_back(frame, shift, local);
  if (is_placed)
    ffi_v3_copy(local, anchor);
  else if (c->law.mode != FF_CONTACT_STICK)
    ffi_v3_add(anchor, local, anchor);
}

// Contacts that have parted are left out, by the rule of the next step's start.
static void end_contacts(const ffi_system *s, const ffi_implicit *m, ffi_state *to)
{
  int count = 0, slipping = 0;
  for (int i = 0; i < m->at.count; ++i) {
    const ffi_contact *c = &m->at.contact[i];
    if (c->near.pair < 0 || (c->near.gap > 0 && c->law.push <= 0))
      continue;
    ffi_touching *t = &to->touching[count++];
    *t = m->x.touching[i];
    if (m->contact[i].is_new)
      t->rest = s->def->normal_anchor == FF_ANCHOR_FIRST_TOUCH ? fmin(c->near.gap, 0.0) : 0.0;
    end_anchor(s, m, i, t->anchor);
    ffi_v3_copy(c->law.force, t->mean_force);
    slipping += c->law.mode == FF_CONTACT_SLIP;
  }
  to->touching_count = s->info->contacts = count;
  s->info->slipping = slipping;
}

void ffi_implicit_finish(ffi_system *s, ffi_implicit *m, ffi_state *to)
{
  memcpy(to->v, m->x.v, (size_t)s->model->size.nv * sizeof *to->v);
  memcpy(to->q, m->x.q, (size_t)s->model->size.nq * sizeof *to->q);
  ffi_state_advance(s, m->from, m->dt, to);
  end_contacts(s, m, to);
}
