// Moreau's time-stepping: half a step with the old velocity, one problem in impulses at the middle, half a step with the new velocity.
//   q^M = q^S + dt/2 F u^S                                                     eq. 6 (the printed q^E on its right side is q^S)
//   M (u^E - u^S) = dt h + W Lambda,  (xi, Lambda) in the laws, at (q^M, u^S)   eq. 7
//   q^E = q^M + dt/2 F u^E                                                     eq. 8
#include "step/moreau.h"

#include "base/error.h"
#include "dynamics/one_robot.h"
#include "math/vec3.h"
#include "step/anchors.h"
#include "step/passive.h"
#include "step/phase.h"
#include "step/sides.h"

#include <math.h>

// ---- Memory ------------------------------------------------------------------------------------------------

// Most velocities that one row can change: those of the two largest trees.
static int most_reach(const ff_model *model)
{
  int largest = 0, second = 0;
  for (int i = 1; i < model->body_count; ++i)
    if (model->bodies[i].parent == 0) {
      const int size = model->bodies[i].v_end - model->bodies[i].v;
      second = size > largest ? largest : size > second ? size : second;
      largest = size > largest ? size : largest;
    }
  return largest + second;
}

// Lists that depend on the model alone.
static void list_once(const ffi_system *s, ffi_moreau *m)
{
  const ff_model *model = s->model;
  int at = 0, dry = 0;
  for (int e = 0; e < s->element_count; ++e) {
    m->held_at[e] = at;
    at += ffi_element_held_count(&s->elements[e].def);
  }
  for (int i = 0; i < model->size.nv; ++i)
    m->identity[i] = i;
  for (int i = 0; i < model->size.nv; ++i)
    if (model->joints[model->dof_body[i] - 1].friction > 0)
      m->dry[dry++] = i;
  m->dry_count = dry;
}

static void *layout(const ffi_system *s, ffi_block *block)
{
  const size_t nv = (size_t)s->model->size.nv, contacts = (size_t)s->max_contacts,
               elements = (size_t)s->element_count;
  ffi_moreau *m = ffi_block_take(block, 1, sizeof *m);
  ffi_moreau p = {.stride = (2 * s->model->max_depth + 3) / 4 * 4, .most_reach = most_reach(s->model)};
  const size_t held = (size_t)ffi_state_held_count(s), rows = 3 * contacts + held;
  const size_t blocks = contacts + elements + nv, stride = (size_t)p.stride;
  ffi_state_layout(s, block, &p.mid);
  p.h = ffi_block_take(block, nv, sizeof *p.h);
  p.rush = ffi_block_take(block, nv, sizeof *p.rush);
  p.way = ffi_block_take(block, nv, sizeof *p.way);
  p.near = ffi_block_take(block, (size_t)s->scene.most_near + 1, sizeof *p.near);
  p.contact = ffi_block_take(block, contacts, sizeof *p.contact);
  p.axes = ffi_block_take(block, contacts, sizeof *p.axes);
  p.element = ffi_block_take(block, elements, sizeof *p.element);
  p.is_clipped = ffi_block_take(block, elements, sizeof *p.is_clipped);
  p.held_at = ffi_block_take(block, elements, sizeof *p.held_at);
  p.dry = ffi_block_take(block, nv, sizeof *p.dry);
  p.identity = ffi_block_take(block, nv, sizeof *p.identity);
  p.owner = ffi_block_take(block, blocks, sizeof *p.owner);
  p.J = ffi_block_take(block, 3 * stride, sizeof *p.J);
  p.room = ffi_block_take(block, 4 * nv, sizeof *p.room);
  p.W = ffi_block_take(block, rows * stride, sizeof *p.W);
  p.Y = ffi_block_take(block, rows * (size_t)p.most_reach, sizeof *p.Y);
  p.dofs = ffi_block_take(block, blocks * stride, sizeof *p.dofs);
  p.reached = ffi_block_take(block, blocks * (size_t)p.most_reach, sizeof *p.reached);
  p.b = ffi_block_take(block, rows, sizeof *p.b);
  p.softness = ffi_block_take(block, rows, sizeof *p.softness);
  p.u_free = ffi_block_take(block, nv, sizeof *p.u_free);
  p.problem.nv = (int)nv;
  p.problem.block = ffi_block_take(block, blocks, sizeof *p.problem.block);
  p.problem.impulse = ffi_block_take(block, rows, sizeof *p.problem.impulse);
  p.problem.u = ffi_block_take(block, nv, sizeof *p.problem.u);
  p.problem.xi = ffi_block_take(block, rows, sizeof *p.problem.xi);
  p.problem.b = p.b;
  p.problem.softness = p.softness;
  p.problem.u_free = p.u_free;
  p.solver = ffi_hard_layout((int)nv, (int)rows, (int)blocks, block);
  if (!m)
    return NULL;
  *m = p;
  list_once(s, m);
  return m;
}

// ---- The middle of the step --------------------------------------------------------------------------------

// Poses, contacts with gap <= 0, elements that are held, and h at (q^M, u^S).
static ff_status look(ffi_system *s, ffi_moreau *m, ff_error *error)
{
  for (int g = 0; g < s->scene.ground_count; ++g) {
    s->scene.grounds[g].place = m->mid.ground[g];
    memcpy(s->scene.grounds[g].velocity, m->mid.ground_velocity + 6 * g, sizeof s->scene.grounds[g].velocity);
  }
  s->k->transforms(s->work, m->mid.q);
  s->k->kinematics(s->work, NULL, NULL);
  m->near_count = ffi_scene_detect(&s->scene, ffi_system_poses(s), 0, m->near);
  if (m->near_count > s->max_contacts)
    return ffi_too_many_contacts(s, error);
  m->count = m->near_count;
  for (int i = 0; i < m->count; ++i) {
    m->contact[i].near = m->near[i];
    m->contact[i].mu = s->scene.pairs[m->near[i].pair].friction;
    s->info->penetration = fmax(s->info->penetration, -m->near[i].gap);
  }
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

// ---- Springs, motors and damping: implicit -----------------------------------------------------------------

// K and B of a motor or spring that is not a block of its own, and its force at the end of the step if the velocity were u.
static double spring_force(const ffi_system *s, const ffi_moreau *m, int e, double dt, double u)
{
  const ffi_element *el = &s->elements[e];
  const double end = m->mid.q[el->q] + 0.5 * dt * u - m->mid.reference[e];
  return -el->def.stiffness * end - el->def.damping * (u - m->mid.reference_velocity[e]);
}

// The diagonal entry of a velocity in the mass matrix that crba left.
static double *diagonal_of(const ffi_system *s, int v)
{
  return &s->work->M[s->model->dof_row[v + 1] - 1];
}

// (M + dt D + sum of dt (B + dt/2 K)) (u_free - u^S) = dt (tau - h + springs at u^S): forces at the end of the step, h has the damping of u^S already.
static ff_status move_freely(ffi_system *s, double dt, ffi_moreau *m, ff_error *error)
{
  const ff_model *model = s->model;
  s->k->crba(s->work);
  for (int i = 0; i < model->size.nv; ++i)
    m->u_free[i] = dt * (s->tau[i] - m->h[i]);
  for (int k = 0; k < s->work->loaded_count; ++k)
    *diagonal_of(s, s->work->loaded[k]) += dt * model->dof_damping[s->work->loaded[k]];
  for (int e = 0; e < s->element_count; ++e) {
    const ffi_element *el = &s->elements[e];
    if (el->def.type != FF_ELEMENT_JOINT_PD || m->is_clipped[e])
      continue;
    *diagonal_of(s, el->v) += dt * (el->def.damping + 0.5 * dt * el->def.stiffness);
    m->u_free[el->v] += dt * spring_force(s, m, e, dt, m->mid.v[el->v]);
  }
  const ff_status status = ffi_system_factor(s, error);
  if (status != FF_OK)
    return status;
  s->k->solve(s->work, m->u_free);
  for (int i = 0; i < model->size.nv; ++i)
    m->u_free[i] += m->mid.v[i];
  return FF_OK;
}

// Motors that gave all they have in the last step are blocks of their own from the start.
static void begin_motors(const ffi_system *s, const ffi_state *from, ffi_moreau *m)
{
  for (int e = 0; e < s->element_count; ++e)
    m->is_clipped[e] = s->elements[e].def.type == FF_ELEMENT_JOINT_PD &&
                       fabs(from->held[m->held_at[e]]) >= s->elements[e].def.effort;
}

// Has a motor given more than it can? Those become blocks, in a second round all that could.
static int clip_motors(const ffi_system *s, double dt, int round, ffi_moreau *m)
{
  int clipped = 0;
  for (int e = 0; e < s->element_count; ++e) {
    const ffi_element *el = &s->elements[e];
    if (el->def.type == FF_ELEMENT_JOINT_PD && !m->is_clipped[e] &&
        fabs(spring_force(s, m, e, dt, m->problem.u[el->v])) > el->def.effort)
      clipped = m->is_clipped[e] = 1;
  }
  for (int e = 0; e < s->element_count && clipped && round > 0; ++e)
    if (s->elements[e].def.type == FF_ELEMENT_JOINT_PD && !isinf(s->elements[e].def.effort))
      m->is_clipped[e] = 1;
  return clipped;
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

// Contacts and forces of the step, where the next one starts from.
static void keep(const ffi_system *s, const ffi_moreau *m, double dt, ffi_state *to)
{
  const ffi_hard *p = &m->problem;
  int contact = 0;
  to->touching_count = m->count;
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
                       : to->held + to->held_count - m->dry_count + element - s->element_count;
    for (int r = 0; r < block->rows; ++r)
      held[r] = p->impulse[block->row + r] / dt;
    if (block->law == FFI_HARD_LAW_STOP)
      held[0] *= block->W[0];
  }
  for (; contact < m->count; ++contact)
    touch(s, m, contact, NULL, dt, &to->touching[contact]);
  for (int e = 0; e < s->element_count; ++e)
    if (s->elements[e].def.type == FF_ELEMENT_JOINT_PD && !m->is_clipped[e])
      to->held[m->held_at[e]] = spring_force(s, m, e, dt, p->u[s->elements[e].v]);
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
  ffi_moreau_move(model, from->q, m->way, from->v, m->mid.q, m->mid.v);
  ffi_state_advance(s, from, dt, to);
  for (int e = 0; e < s->element_count; ++e)
    m->mid.reference[e] = to->reference[e]; // springs act at the end
  ff_status status = look(s, m, error);
  if (status != FF_OK)
    return status;
  ffi_phase_end(s, FF_PHASE_CONTACT, &mark);

  // Rows and impulses.                                                                          eq. 7
  begin_motors(s, from, m);
  for (int round = 0;; ++round) {
    status = move_freely(s, dt, m, error);
    if (status != FF_OK)
      return status;
    ffi_moreau_rows(s, from, dt, m);
    ffi_phase_end(s, FF_PHASE_PREPARE, &mark);
    ffi_hard_result result;
    ffi_hard_solve(&s->def->moreau, &m->problem, m->solver, &result);
    tell(s, &result);
    ffi_phase_end(s, FF_PHASE_INTEGRAL, &mark);
    if (!clip_motors(s, dt, round, m))
      break;
  }

  // Half a step with the new velocity.                                                          eq. 8
  for (int i = 0; i < model->size.nv; ++i)
    m->way[i] = 0.5 * dt * m->problem.u[i];
  ffi_moreau_move(model, m->mid.q, m->way, m->problem.u, to->q, to->v);
  keep(s, m, dt, to);
  ffi_phase_end(s, FF_PHASE_UPDATE, &mark);
  return FF_OK;
}

const ffi_stepper ffi_stepper_moreau = {.layout = layout, .step = step};
