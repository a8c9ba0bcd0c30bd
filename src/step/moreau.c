// Moreau's time-stepping: half a step with the old velocity, one problem in impulses at the middle, half a step with the new velocity.
//   q^M = q^S + dt/2 F u^S                                                     eq. 6 (the printed q^E on its right side is q^S)
//   M (u^E - u^S) = dt h + W Lambda,  (xi, Lambda) in the laws, at (q^M, u^S)   eq. 7
//   q^E = q^M + dt/2 F u^E                                                     eq. 8
#include "step/moreau.h"

#include "base/error.h"
#include "dynamics/one_robot.h"
#include "dynamics/path.h"
#include "math/vec3.h"
#include "step/anchors.h"
#include "step/passive.h"
#include "step/phase.h"
#include "step/sides.h"

#include <math.h>

// ---- The middle of the step --------------------------------------------------------------------------------

// Poses, contacts, elements that are held, and h at (q^M, u^S).
static ff_status look(ffi_system *s, const ffi_state *from, double dt, ffi_moreau *m, ff_error *error)
{
  for (int g = 0; g < s->scene.ground_count; ++g) {
    s->scene.grounds[g].place = m->mid.ground[g];
    memcpy(s->scene.grounds[g].velocity, m->mid.ground_velocity + 6 * g, sizeof s->scene.grounds[g].velocity);
  }
  s->k->transforms(s->work, m->mid.q);
  s->k->kinematics(s->work, NULL, NULL);
  const ff_status status = ffi_moreau_choose(s, from, dt, m, error);
  if (status != FF_OK)
    return status;
  for (int e = 0; e < s->element_count; ++e) {
    if (ffi_element_row_count(s->elements[e].def.type) == 0)
      continue;
    ffi_element_rows *rows = &m->element[e];
    ffi_element_place(s->model, &s->elements[e].def, ffi_system_poses(s), rows);
    s->info->drift = fmax(s->info->drift, ffi_element_drift(rows));
    for (int r = rows->linear; r < rows->count; ++r)
      s->info->drift_angle = fmax(s->info->drift_angle, fabs(rows->gap[r]));
  }
  ffi_moreau_rush(s->model, m->mid.v, m->rush);
  s->k->rnea(s->work, m->mid.v, m->rush, m->h);
  return FF_OK;
}

// ---- The end of the step -----------------------------------------------------------------------------------

// At the rim of its disc and moving.
static int is_sliding(const ffi_hard_block *block, const double *impulse, const double *xi)
{
  const double rim = block->mu * impulse[2];
  return impulse[2] > 0 && hypot(impulse[0], impulse[1]) >= (1 - 1e-6) * rim && (xi[0] != 0 || xi[1] != 0);
}

static void touch(const ffi_system *s, const ffi_moreau *m, int i, const ffi_hard_block *block, double dt,
                  ffi_touching *out)
{
  const ffi_contact *c = &m->contact[i];
  const double *A = m->axes[i];
  *out = (ffi_touching){.id = c->near.id, .stored = FFI_STORED_ANY};
  ffi_anchor_at(ffi_anchor_frame(s, &c->near), c->near.point, out->anchor);
  if (!block)
    return;
  const double *impulse = m->problem.impulse + block->row;
  for (int r = 0; r < 3; ++r)
    ffi_v3_add_scaled(impulse[r] / dt, A + 3 * r, out->mean_force);
  out->slips = is_sliding(block, impulse, m->problem.xi + block->row);
}

// What was watched and did not push is no contact.
static void forget(const ffi_moreau *m, ffi_state *to)
{
  to->touching_count = 0;
  for (int i = 0; i < m->count; ++i)
    if (!m->is_watched[i] || ffi_v3_dot(to->touching[i].mean_force, m->contact[i].near.normal) > 0)
      to->touching[to->touching_count++] = to->touching[i];
}

// Contacts and forces of the step, where the next one starts from.
static void keep(const ffi_system *s, const ffi_moreau *m, double dt, ffi_state *to)
{
  const ffi_hard *p = &m->problem;
  const int are_hard = ffi_contacts_are_hard(s->def);
  int contact = 0;
  to->touching_count = m->count;
  for (; contact < m->count && !are_hard; ++contact)
    to->touching[contact] = m->touching[contact];
  for (int k = 0; k < p->block_count; ++k) {
    const ffi_hard_block *block = &p->block[k];
    const int element = m->owner[k] - s->max_contacts;
    if (element < 0) {
      for (; contact < m->owner[k]; ++contact)
        touch(s, m, contact, NULL, dt, &to->touching[contact]);
      touch(s, m, contact, block, dt, &to->touching[contact]);
      s->info->slipping += to->touching[contact++].slips;
      continue;
    }
    double *held = element < s->element_count
                       ? to->held + m->held_at[element]
                       : to->held + to->held_count - s->model->size.nv + m->dry[element - s->element_count];
    for (int r = 0; r < block->rows; ++r)
      held[r] = p->impulse[block->row + r] / dt;
    if (block->law == FFI_HARD_LAW_STOP)
      held[0] *= block->W[0];
  }
  for (; contact < m->count; ++contact)
    touch(s, m, contact, NULL, dt, &to->touching[contact]);
  if (ffi_moreau_keeps(s))
    forget(m, to);
  for (int e = 0; e < s->element_count; ++e)
    if (s->elements[e].def.type == FF_ELEMENT_JOINT_PD && !m->is_clipped[e])
      to->held[m->held_at[e]] = ffi_moreau_motor_force(s, m, e, dt, p->u[s->elements[e].v]);
}

static void tell(const ffi_system *s, const ffi_hard_result *result)
{
  ff_step_info *info = s->info;
  info->iterations += result->iterations;
  info->converged = result->converged;
  info->residual = result->residual;
  info->alpha = result->alpha;
  info->fallbacks += result->fallbacks;
}

static ff_status step(ffi_system *s, const ffi_state *from, double dt, ffi_state *to, ff_error *error)
{
  ffi_moreau *m = s->memory;
  const ff_model *model = s->model;
  double mark = ffi_phase_begin(s);

  // Half a step with the old velocity, and a look from there.                                   eq. 6
  for (int i = 0; i < model->size.nv; ++i)
    m->way[i] = 0.5 * dt * from->v[i];
  ffi_state_advance(s, from, 0.5 * dt, &m->mid);
  ffi_path_move(model, from->q, m->way, from->v, m->mid.q, m->mid.v);
  ffi_state_advance(s, from, dt, to);
  for (int e = 0; e < s->element_count; ++e)
    m->mid.reference[e] = to->reference[e]; // springs act at the end
  ff_status status = look(s, from, dt, m, error);
  if (status != FF_OK)
    return status;
  ffi_phase_end(s, FF_PHASE_CONTACT, &mark);

  // Springs and motors, rows, impulses.                                                         eq. 7
  if (!ffi_contacts_are_hard(s->def))
    ffi_moreau_springs(s, from, dt, m);
  ffi_moreau_begin_motors(s, from, m);
  for (int motors = 0, contacts = 0, is_new = 1;;) {
    status = is_new ? ffi_moreau_free(s, dt, m, error) : FF_OK;
    if (status != FF_OK)
      return status;
    ffi_moreau_rows(s, from, dt, m);
    ffi_phase_end(s, FF_PHASE_PREPARE, &mark);
    ffi_hard_result result;
    ffi_moreau_solve(s, &s->def->moreau, m, &result);
    tell(s, &result);
    ffi_phase_end(s, FF_PHASE_INTEGRAL, &mark);
    is_new = ffi_moreau_clip_motors(s, dt, motors, m);
    motors += is_new;
    if (!is_new && !ffi_moreau_choose_again(s, dt, contacts++, m))
      break;
  }

  // Half a step with the new velocity.                                                          eq. 8
  keep(s, m, dt, to);
  for (int i = 0; i < model->size.nv; ++i) {
    m->end[i] = m->problem.u[i];
    m->way[i] = 0.5 * dt * m->end[i];
  }
  ffi_path_move(model, m->mid.q, m->way, m->end, to->q, to->v);
  if (s->def->moreau.stabilise)
    ffi_moreau_stabilise(s, dt, m, to);
  ffi_phase_end(s, FF_PHASE_UPDATE, &mark);
  return FF_OK;
}

const ffi_stepper ffi_stepper_moreau = {.layout = ffi_moreau_layout, .step = step};
