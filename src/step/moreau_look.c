// One look of a step with hard contact: where things are and what touches, the impulses of its laws, and what the next step starts from.
#include "dynamics/one_robot.h"
#include "math/vec3.h"
#include "step/anchors.h"
#include "step/moreau.h"
#include "step/passive.h"
#include "step/phase.h"
#include "step/sides.h"

#include <math.h>

ff_status ffi_moreau_look(ffi_system *s, const ffi_state *from, double dt, ffi_moreau *m, ff_error *error)
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

// ---- What is kept of a step ----------------------------------------------------------------------------------

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

void ffi_moreau_keep(const ffi_system *s, const ffi_moreau *m, double dt, ffi_state *to)
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
      to->held[m->held_at[e]] = ffi_moreau_motor_force(s, m, e, p->u[s->elements[e].v]);
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

// Restitution that leaves no solution, or brings in energy, is lowered for this moment; 1 if it was. Without any there is a solution, and it only takes.
static int calm(const ffi_system *s, const ffi_hard_result *result, ffi_moreau *m)
{
  if (!m->bounces || (result->converged && !ffi_moreau_gives(s, m)))
    return 0;
  m->lively = result->converged && m->lively > 0.2 ? 0.5 * m->lively : 0;
  return 1;
}

ff_status ffi_moreau_impulses(ffi_system *s, const ffi_state *from, double dt, ffi_moreau *m, double *mark,
                              ff_error *error)
{
  const int converged = s->info->converged; // in earlier parts of the step
  const double residual = s->info->residual;
  m->lively = 1;
  m->lacks_room = 0;
  ffi_moreau_begin_motors(s, from, dt, m);
  for (int motors = 0, contacts = 0, is_new = 1;;) {
    const ff_status status = is_new ? ffi_moreau_free(s, dt, m, error) : FF_OK;
    if (status != FF_OK)
      return status;
    if (is_new && dt > 0 && ffi_system_advances(s))
      ffi_moreau_spin(s, dt, m);
    ffi_moreau_rows(s, from, dt, m);
    ffi_phase_end(s, FF_PHASE_PREPARE, mark);
    ffi_hard_result result;
    ffi_moreau_solve(s, &s->def->moreau, m, &result);
    tell(s, &result);
    ffi_phase_end(s, FF_PHASE_INTEGRAL, mark);
    is_new = ffi_moreau_clip_motors(s, dt, motors, m);
    motors += is_new;
    if (!is_new && !ffi_moreau_choose_again(s, dt, contacts++, m) && !calm(s, &result, m)) {
      s->info->converged &= converged;
      s->info->residual = fmax(s->info->residual, residual);
      return m->lacks_room && ffi_system_advances(s) ? ffi_too_many_contacts(s, error) : FF_OK;
    }
  }
}
