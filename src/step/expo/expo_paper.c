// expo-paper: the published exponential scheme (Hammoud et al., Multibody System Dynamics 54, 2022).
// docs/theory/expo.md, section 7.
//
//   x_int, x_int2 of the frozen contact system                      eqs 11-16, 29-30
//   mean and double mean force, projected on the friction cones     eqs 23-26
//   v+ by the mean, q+ by the double mean on the Lie group          eqs 19-20, 24, 26
//   slipping: anchor velocity that of the point, anchor by eq. 28; or by its flag, frozen_flag_slide.h
#include "math/vec3.h"
#include "model/model.h"
#include "step/eval/anchor.h"
#include "step/eval/friction.h"
#include "step/frozen/frozen_exact.h"
#include "step/frozen/frozen_flag_slide.h"
#include "step/frozen/frozen_forces.h"
#include "step/frozen/frozen_turning.h"
#include "step/system/phase.h"

#include <string.h>

typedef struct expo_paper {
  ffi_evaluation *start; // the system's present evaluation
  ffi_frozen frozen;
  ffi_frozen_exact exact;
  int *contact_block;      // [max_contacts]
  double *stops;           // [max_contacts] with a flag: normal force with which it stops in this step, or 0
  double *f;               // [nv]
  double *scratch;         // [2 nv]
  double (*shift)[3];      // [max_contacts] of anchors
  double (*mean_force)[3]; // [max_contacts]
  double (*moment)[3];     // [2 max_contacts] of turning springs
} expo_paper;

static void *layout(const ffi_system *s, ffi_block *block)
{
  expo_paper *m = ffi_block_keep(block, 1, sizeof *m), local = {0};
  const size_t nv = (size_t)s->model->size.nv, contacts = (size_t)s->max_contacts + 1;
  ffi_frozen_layout(s, block, &local.frozen);
  ffi_frozen_exact_layout(s, block, &local.exact);
  local.contact_block = ffi_block_take(block, contacts, sizeof *local.contact_block);
  local.stops = ffi_block_take(block, contacts, sizeof *local.stops);
  local.f = ffi_block_take(block, nv, sizeof *local.f);
  local.scratch = ffi_block_take(block, 2 * nv, sizeof *local.scratch);
  local.shift = ffi_block_take(block, contacts, sizeof *local.shift);
  local.moment = ffi_block_take(block, s->turning ? 2 * contacts : 1, sizeof *local.moment);
  local.mean_force = ffi_block_take(block, contacts, sizeof *local.mean_force);
  if (m)
    *m = local;
  return m;
}

// Expo paper eq. 28: a contact whose force leaves the cone slips; its anchor moves with it, at a distance that gives
// the force on the cone. Anchors of rolling contacts move with the point of contact.
static void add_contacts(expo_paper *m, double dt)
{
  for (int i = 0; i < m->start->count; ++i) {
    ffi_contact *c = &m->start->contact[i];
    const double *n = c->near.normal;
    ffi_v3_scale(dt, c->creep, m->shift[i]);
    if (c->law.mode == FF_CONTACT_SLIP) {
      const double along = ffi_v3_dot(c->x, n), rate = ffi_v3_dot(c->u, n);
      for (int k = 0; k < 3; ++k) {
        const double e = (c->law.force[k] - c->law.normal_force * n[k]) / c->K;
        c->x[k] = along * n[k] - e;
        c->u[k] = rate * n[k]; // relative to an anchor that moves with the point
        m->shift[i][k] += c->near.point[k] + e - c->anchor[k];
      }
    }
    m->contact_block[i] = m->frozen.block_count;
    ffi_frozen_add(&m->frozen, &(ffi_frozen_spring){&c->rows, c->K, c->B, c->x, c->u, c->c});
  }
}

// Contacts with a flag: sticking ones have springs about P_0, sliding ones friction and no spring.
static void add_flagged(expo_paper *m, double dt)
{
  for (int i = 0; i < m->start->count; ++i) {
    const ffi_contact *c = &m->start->contact[i];
    ffi_v3_scale(dt, c->creep, m->shift[i]);
    m->contact_block[i] = m->frozen.block_count;
    if (c->slips)
      ffi_frozen_flag_slide(&m->frozen, c, m->stops[i]);
    else
      ffi_frozen_add(&m->frozen, &(ffi_frozen_spring){&c->rows, c->K, c->B, c->x, c->u, c->c});
  }
}

static void freeze(const ffi_system *s, expo_paper *m, const ffi_state *from, double dt)
{
  ffi_frozen_begin(&m->frozen);
  if (ffi_stepper_has_slip_flags(s->def))
    add_flagged(m, dt);
  else
    add_contacts(m, dt);
  ffi_frozen_forces_add_elements(s, from, m->start, &m->frozen, m->f);
  m->frozen.wants_double_mean = 1;
  ffi_frozen_prepare(s, &m->frozen, &m->start->at);
}

static ff_status solve(ffi_system *s, expo_paper *m, double dt, ff_error *error)
{
  if (s->def->expo.exponential != FF_EXPONENTIAL_AUTO)
    return ffi_frozen_exact_solve(s, &m->exact, &m->frozen, dt, error);
  ffi_frozen_solve(&m->frozen, dt);
  return FF_OK;
}

// Contacts that reversed stop in this step; returns how many.
static int find_stops(expo_paper *m)
{
  int found = 0;
  for (int i = 0; i < m->start->count; ++i) {
    const ffi_frozen_block *b = &m->frozen.block[m->contact_block[i]];
    if (!ffi_frozen_flag_slide_has_reversed(b))
      continue;
    m->stops[i] = ffi_frozen_flag_slide_stopping_force(&m->start->contact[i], b);
    found += m->stops[i] > 0;
  }
  return found;
}

// With a flag: solve again until no contact reverses.
static ff_status solve_stops(ffi_system *s, expo_paper *m, const ffi_state *from, double dt, ff_error *error)
{
  ff_status status = FF_OK;
  for (int k = 0;
       k < FFI_FROZEN_FLAG_SLIDE_MAX_STOPS && status == FF_OK && m->frozen.slides > 0 && find_stops(m) > 0;
       ++k) {
    freeze(s, m, from, dt);
    status = solve(s, m, dt, error);
  }
  return status;
}

// Springs of dry friction: a joint whose mean force is at its bound has slid.
static void move_friction(const ffi_system *s, const expo_paper *m, const ffi_state *from, double dt,
                          ffi_state *to)
{
  const ffi_frozen *z = &m->frozen;
  for (int r = 0, j = 0; r < m->start->joint_row_count; ++r) {
    const ffi_joint_law_row *row = &m->start->joint_row[r];
    const ffi_element *el = &s->elements[m->start->joint_row_element[r]];
    const double mean = row->regime == 0 ? z->joint[j].mean : row->force;
    j += row->K > 0 || row->B > 0;
    if (el->def.type != FF_ELEMENT_JOINT_FRICTION)
      continue;
    const double travel = dt * ffi_joint_law_rate(row, from->v) + ffi_joint_law_rate(row, z->delta_x);
    const int regime = mean >= el->def.effort ? 1 : mean <= -el->def.effort ? -1 : 0;
    to->element_force[el->force_at] = ffi_friction_spring(&el->def, row, regime, travel, dt);
  }
}

static void report(ffi_system *s, const expo_paper *m)
{
  s->info->pieces = 1;
  s->info->factorisations = m->frozen.factorisations;
  s->info->substeps = m->frozen.subintervals;
  s->info->capped = m->frozen.capped;
  s->info->force_error = m->frozen.error;
  s->info->penetration = m->start->deepest;
  s->info->converged = 1;
}

static ff_status step(ffi_system *s, const ffi_state *from, double dt, ffi_state *to, ff_error *error)
{
  expo_paper *m = s->memory;
  ffi_frozen *z = &m->frozen;
  double mark = ffi_phase_begin(s);
  m->start = s->present;
  ff_status status = ffi_evaluation_start(s, from, error);
  if (status != FF_OK)
    return status;
  ffi_phase_end(s, FF_PHASE_CONTACT, &mark);
  z->factorisations = 0;
  for (int i = 0; i < m->start->count; ++i)
    m->stops[i] = 0;
  freeze(s, m, from, dt);
  ffi_phase_end(s, FF_PHASE_PREPARE, &mark);

  status = solve(s, m, dt, error);
  if (status == FF_OK)
    status = solve_stops(s, m, from, dt, error);
  for (int k = 0; k < FFI_FROZEN_TURNING_MOST && s->turning && status == FF_OK &&
                  ffi_frozen_turning_revise(s, m->start, z) > 0;
       ++k) {
    freeze(s, m, from, dt);
    status = solve(s, m, dt, error);
  }
  if (status != FF_OK)
    return status;
  ffi_phase_end(s, FF_PHASE_INTEGRAL, &mark);

  const ffi_frozen_forces_projection p = {m->start, m->contact_block, dt, s->def->expo.double_mean,
                                          m->scratch};
  status = ffi_frozen_forces_project(s, z, &p, error);
  if (status != FF_OK)
    return status;
  ffi_state_advance(s, from, dt, to);
  ffi_frozen_forces_move(s, from, dt, &(ffi_frozen_forces_motion){z->delta_v, z->delta_x, m->scratch}, to);
  move_friction(s, m, from, dt, to);
  ffi_frozen_turning_finish(s, m->start, z, &(ffi_frozen_turning_end){NULL, dt, 0, m->moment}, to);
  for (int i = 0; i < m->start->count; ++i)
    ffi_v3_copy(z->block[m->contact_block[i]].mean, m->mean_force[i]);
  ffi_anchor_store(s, from, m->start, (const double(*)[3])m->shift, (const double(*)[3])m->mean_force, to);
  report(s, m);
  ffi_phase_end(s, FF_PHASE_UPDATE, &mark);
  return FF_OK;
}

const ffi_stepper ffi_expo_paper_stepper = {layout, step};
