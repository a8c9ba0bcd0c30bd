// The set-valued laws of a step as blocks: contacts, then elements that are held exactly, stops, motors that may saturate, dry friction of joints.
#include "dynamics/one_robot.h"
#include "math/vec3.h"
#include "step/kernels.h"
#include "step/moreau.h"
#include "step/sides.h"

#include <math.h>

// T_abs is an impulse, and of a milligram metres a second. It is meant for what weighs at least this much at its contact [kg] (of stops and joints [kg m^2]);
// below, it stands for the velocity that it gives that mass. Bilateral rows are solved for directly, or as T_abs says.
static const double least_mass = 0.01;

// The trees that a row's velocities belong to: those of the first and the last of them.
static ffi_trees trees_of(const ffi_system *s, int columns, const int *dof)
{
  const ff_model *m = s->model;
  const int *path = s->work->path;
  const int first = path[m->dof_row[dof[0]]], other = path[m->dof_row[dof[columns - 1]]];
  ffi_trees t = {.count = 1, .first = {first, other}};
  t.last[0] = m->bodies[m->dof_body[first]].v_end;
  t.last[1] = m->bodies[m->dof_body[other]].v_end;
  t.count += other != first;
  return t;
}

// The next block, its rows' W to be filled by the caller.
static ffi_hard_block *begin_block(const ffi_system *s, ffi_moreau *m, ffi_hard_law law, int rows,
                                   int columns, const int *dof, int owner)
{
  ffi_hard *p = &m->problem;
  m->owner[p->block_count] = owner;
  ffi_hard_block *block = &p->block[p->block_count++];
  *block = (ffi_hard_block){.law = law, .row = p->rows, .rows = rows, .columns = columns, .dof = dof};
  block->W = m->W + m->W_used;
  m->W_used += (size_t)(rows * columns);
  for (int r = 0; r < rows; ++r)
    m->give[p->rows + r] =
        law == FFI_HARD_LAW_BILATERAL ? HUGE_VAL : s->def->moreau.absolute_tolerance / least_mass;
  p->rows += rows;
  return block;
}

// Half of M^-1 W, for G.
static void finish_half(const ffi_system *s, ffi_moreau *m, const ffi_hard_block *block, int count,
                        const int *path)
{
  ffi_half *h = &m->half[block - m->problem.block];
  *h =
      (ffi_half){.row = block->row, .rows = block->rows, .count = count, .path = path, .Z = m->Y + m->Y_used};
  h->is_path = s->model->dof_depth[path[count - 1]] == count - 1;
  h->tree[0] = s->work->path[s->model->dof_row[path[0]]];
  h->tree[1] = s->work->path[s->model->dof_row[path[count - 1]]];
  m->Y_used += (size_t)((block->rows + 3) / 4 * 4 * count);
  ffi_step_kernels_find(s->k->isa)->half_rows(s->work, block->W, block->columns, block->dof, h, m->room);
}

// M^-1 W of a block whose W is complete. path [count]: its velocities with all before them.
static void finish_block(const ffi_system *s, ffi_moreau *m, ffi_hard_block *block, int count,
                         const int *path)
{
  if (m->problem.G || m->problem.link) {
    finish_half(s, m, block, count, path);
    return;
  }
  const ffi_trees t = trees_of(s, count, path);
  double *Y = m->Y + m->Y_used;
  block->reach = t.last[0] - t.first[0];
  block->reached = m->identity + t.first[0];
  if (t.count == 2) {
    int *reached = m->reached + m->reached_used;
    for (int r = 0, at = 0; r < 2; ++r)
      for (int i = t.first[r]; i < t.last[r]; ++i)
        reached[at++] = i;
    block->reach += t.last[1] - t.first[1];
    block->reached = reached;
    m->reached_used += (size_t)block->reach;
  }
  block->Y = Y;
  m->Y_used += (size_t)(block->rows * block->reach);
  ffi_step_kernels_find(s->k->isa)->impulse_rows(s->work, block->rows, block->columns, block->dof, block->W,
                                                 count, path, &t, m->room, Y);
}

static void clear_rows(ffi_moreau *m, const ffi_hard_block *block)
{
  for (int r = 0; r < block->rows; ++r)
    m->b[block->row + r] = m->softness[block->row + r] = m->problem.impulse[block->row + r] = 0;
  m->bounce[block - m->problem.block] = 0;
}

// ---- Contacts ----------------------------------------------------------------------------------------------

// e gamma^S, and what is apart may close in half a step, or, if it began in depth, go back as fast as it came: its impulse, times (gamma^S + gamma^E)/2 <= 0, gives no energy.
static void offset_middle(const ffi_system *s, ffi_moreau *m, const ffi_contact *c, const double A[9],
                          const ffi_hard_block *block)
{
  const ffi_pair *pair = &s->scene.pairs[c->near.pair];
  const int is_apart = c->near.gap > 0;
  const double e_t = is_apart ? 0 : pair->tangential_restitution, e_n = is_apart ? 0 : pair->restitution;
  const double e[3] = {e_t, e_t, e_n};
  for (int r = 0; r < 3; ++r)
    m->b[block->row + r] = e[r] * ffi_v3_dot(A + 3 * r, c->u);
  if (is_apart)
    m->b[block->row + 2] += fmax(c->near.gap / m->horizon, ffi_v3_dot(A + 6, c->u));
}

// ca, c2a: by how much the gap of a contact that does not bounce may close: as near as the skin within the horizon. What pushed in the last piece is not to fall for one and be
// caught in the next: it may come down over the piece, or, in steps that are extrapolated, not at all, since the way that curvature opens is one that extrapolation closes.
// Convex laws lift what slides by mu times its speed: over a piece that much may come down again, so that it slides at that height instead of hopping (Anitescu).
static double closing(const ffi_system *s, const ffi_moreau *m, int i, double room, int is_held)
{
  const int is_convex = s->def->c2a.impact.law != FF_IMPACT_COULOMB && !m->is_watched[i];
  if (is_held && m->holds && !is_convex)
    return 0;
  return room / (is_held || is_convex ? fmax(m->horizon, m->span) : m->horizon);
}

// What would close its gap within the horizon strikes now, and goes back at e times its speed. What is no faster than a fall within the step rests, and does not bounce for ever.
static void offset_ahead(const ffi_system *s, ffi_moreau *m, int i, const double A[9],
                         const ffi_hard_block *block, int pushed)
{
  const ffi_contact *c = &m->contact[i];
  const ffi_pair *pair = &s->scene.pairs[c->near.pair];
  const double room = fmax(c->near.gap - m->skin, 0), rate = ffi_v3_dot(A + 6, c->u);
  const int strikes = room + m->horizon * rate < 0 && rate < -m->fall;
  const double lively = strikes ? m->lively : 0, e_t = lively * pair->tangential_restitution,
               e_n = lively * pair->restitution;
  const int by_impulse = s->def->c2a.impact.bounce == FF_IMPACT_POISSON;
  double *b = m->b + block->row;
  m->bounces |= e_n > 0 || e_t > 0;
  for (int r = 0; r < 2; ++r)
    b[r] = e_t * ffi_v3_dot(A + 3 * r, c->u);
  b[2] = e_n == 0 ? closing(s, m, i, room, pushed && rate >= -m->fall) : by_impulse ? 0 : e_n * rate;
  // Of Poisson's impulse the part that stops the fall within the step is no blow.
  const double blow = m->ahead > 0 ? rate / (rate - m->fall) : 1;
  m->bounce[block - m->problem.block] = by_impulse && e_n > 0 ? blow * e_n : 0;
}

// xi = W'u + (motion of the ground) + e gamma^S; the start is the impulse that the last force would give.
static void contact_block(const ffi_system *s, const ffi_state *from, double dt, ffi_moreau *m, int i,
                          int *known)
{
  ffi_contact *c = &m->contact[i];
  double *A = m->axes[i], ground[3], carried[3];
  int *dofs = m->dofs + m->dofs_used;
  ffi_contact_rows(s, c, m->mid.v, m->J, dofs, m->stride);
  m->dofs_used += c->rows.dof == dofs ? (size_t)c->rows.columns : 0;
  if (c->rows.columns == 0)
    return;
  ffi_v3_copy(c->near.normal, A + 6);
  ffi_contact_tangents(A + 6, A, A + 3);
  ffi_hard_block *block = begin_block(s, m, FFI_HARD_LAW_CONTACT, 3, c->rows.columns, c->rows.dof, i);
  block->mu = c->mu;
  double *W = m->W + (block->W - m->W);
  ffi_step_kernels_find(s->k->isa)->turn_rows(3, A, block->columns, m->J, m->stride, W);
  finish_block(s, m, block, block->columns, block->dof);
  ffi_rows_times(&c->rows, m->stride, m->mid.v, carried);
  ffi_v3_sub(c->u, carried, ground);
  m->carried[i] = ffi_v3_dot(c->near.normal, ground);
  for (; *known < from->touching_count && from->touching[*known].id < c->near.id; ++*known)
    ;
  const ffi_touching *last = *known < from->touching_count && from->touching[*known].id == c->near.id
                                 ? &from->touching[*known]
                                 : NULL;
  if (ffi_system_advances(s))
    offset_ahead(s, m, i, A, block, last && ffi_v3_dot(A + 6, last->mean_force) > 0);
  else
    offset_middle(s, m, c, A, block);
  const int is_warm = last && s->def->moreau.warm_start;
  for (int r = 0; r < 3; ++r) {
    m->b[block->row + r] += ffi_v3_dot(A + 3 * r, ground);
    m->softness[block->row + r] = 0;
    m->problem.impulse[block->row + r] = is_warm ? dt * ffi_v3_dot(A + 3 * r, last->mean_force) : 0;
  }
}

// ---- Elements ----------------------------------------------------------------------------------------------

static void held_block(const ffi_system *s, const ffi_state *from, double dt, ffi_moreau *m, int e)
{
  const ffi_element_rows *el = &m->element[e];
  ffi_rows3 rows;
  int *dofs = m->dofs + m->dofs_used;
  ffi_relative_rows(s, el->a, el->b, el->point, 0, m->J, dofs, m->stride, &rows);
  if (rows.columns == 0)
    return;
  m->dofs_used += rows.dof == dofs ? (size_t)rows.columns : 0;
  ffi_hard_block *block =
      begin_block(s, m, FFI_HARD_LAW_BILATERAL, el->count, rows.columns, rows.dof, s->max_contacts + e);
  double *W = m->W + (block->W - m->W);
  const ffi_step_kernels *k = ffi_step_kernels_find(s->k->isa);
  k->turn_rows(el->linear, el->direction[0], rows.columns, m->J, m->stride, W);
  if (el->count > el->linear) {
    ffi_relative_rows(s, el->a, el->b, el->point, 1, m->J, dofs, m->stride, &rows);
    k->turn_rows(el->count - el->linear, el->direction[el->linear], rows.columns, m->J, m->stride,
                 W + el->linear * rows.columns);
  }
  finish_block(s, m, block, block->columns, block->dof);
  clear_rows(m, block);
  for (int r = 0; r < el->count && s->def->moreau.warm_start; ++r)
    m->problem.impulse[block->row + r] = dt * from->held[m->held_at[e] + r];
}

// One row on one velocity: +1 or -1 times it.
static ffi_hard_block *joint_block(const ffi_system *s, ffi_moreau *m, ffi_hard_law law, int v, double sign,
                                   double start, int owner)
{
  ffi_hard_block *block = begin_block(s, m, law, 1, 1, m->identity + v, owner);
  m->W[block->W - m->W] = sign;
  finish_block(s, m, block, s->model->dof_depth[v] + 1, s->work->path + s->model->dof_row[v]);
  clear_rows(m, block);
  if (s->def->moreau.warm_start)
    m->problem.impulse[block->row] = start;
  return block;
}

static void stop_block(const ffi_system *s, const ffi_state *from, double dt, ffi_moreau *m, int e)
{
  const ffi_element *el = &s->elements[e];
  const double q = m->mid.q[el->q];
  const int looks = ffi_system_advances(s),
            is_upper = q + (looks ? m->horizon * m->mid.v[el->v] : 0) >= el->def.upper;
  const double sign = is_upper ? -1 : 1, room = is_upper ? el->def.upper - q : q - el->def.lower;
  if (!is_upper &&
      !(looks ? q <= el->def.lower || room + m->horizon * m->mid.v[el->v] <= 0 : q <= el->def.lower))
    return;
  ffi_hard_block *block = joint_block(s, m, FFI_HARD_LAW_STOP, el->v, sign,
                                      fmax(0, sign * dt * from->held[m->held_at[e]]), s->max_contacts + e);
  if (looks)
    m->b[block->row] = fmax(room, 0) / m->horizon;
}

// A motor that may saturate: Lambda = dt clip(-K (q^E - r^E) - B (u^E - rdot)), q^E = q^M + dt/2 u^E, as |Lambda| <= dt effort with
// xi = u^E + (K (q^M - r^E) - B rdot) / (B + dt/2 K) + Lambda / (dt (B + dt/2 K)).
static void motor_block(const ffi_system *s, const ffi_state *from, double dt, ffi_moreau *m, int e)
{
  const ffi_element *el = &s->elements[e];
  const double K = el->def.stiffness, B = el->def.damping, all = B + m->ahead * K;
  if (!m->is_clipped[e] || !(all > 0))
    return;
  ffi_hard_block *block =
      joint_block(s, m, FFI_HARD_LAW_DRY, el->v, 1, dt * from->held[m->held_at[e]], s->max_contacts + e);
  block->bound = dt * el->def.effort;
  m->b[block->row] = (K * (m->mid.q[el->q] - m->mid.reference[e]) - B * m->mid.reference_velocity[e]) / all;
  m->softness[block->row] = 1 / (dt * all);
}

static void dry_blocks(const ffi_system *s, const ffi_state *from, double dt, ffi_moreau *m)
{
  const ff_model *model = s->model;
  for (int i = 0; i < m->dry_count && dt > 0; ++i) {
    const int v = m->dry[i], held = from->held_count - model->size.nv + v;
    ffi_hard_block *block = joint_block(s, m, FFI_HARD_LAW_DRY, v, 1, dt * from->held[held],
                                        s->max_contacts + s->element_count + i);
    block->bound = dt * model->joints[model->dof_body[v] - 1].friction;
  }
}

// Is G formed here? For few rows it costs less than M^-1 W. The form "velocity" does without it; of many rows most are far apart, and the solver knows best.
// Where most rows are eliminated, by blocks: a cut robot's joints couple with few others.
static void choose_matrix(const ffi_system *s, ffi_moreau *m)
{
  const ff_moreau_def *def = &s->def->moreau;
  const int held = m->mid.held_count - s->model->size.nv, most = 3 * m->count + held + m->dry_count;
  const int is_direct = def->bilateral == FF_HARD_DIRECT || def->solver == FF_HARD_EXACT;
  m->problem.G = NULL;
  m->problem.link = NULL;
  if (def->form == FF_HARD_FORM_VELOCITY ||
      most > (def->form == FF_HARD_FORM_IMPULSE ? FFI_HARD_DENSE_ROWS : FFI_MOREAU_FEW_ROWS))
    return;
  if (is_direct && 2 * m->bilateral_rows > most && most <= FFI_MOREAU_FEW_ROWS)
    m->problem.link = m->link;
  else
    m->problem.G = m->G;
}

void ffi_moreau_rows(ffi_system *s, const ffi_state *from, double dt, ffi_moreau *m)
{
  m->problem.rows = m->problem.block_count = m->bounces = 0;
  choose_matrix(s, m);
  m->W_used = m->Y_used = m->dofs_used = m->reached_used = 0;
  for (int i = 0, known = 0; i < m->count && ffi_contacts_are_hard(s->def); ++i)
    contact_block(s, from, dt, m, i, &known);
  for (int e = 0; e < s->element_count; ++e)
    switch (s->elements[e].def.type) {
    case FF_ELEMENT_JOINT_LIMIT: stop_block(s, from, dt, m, e); break;
    case FF_ELEMENT_JOINT_PD: motor_block(s, from, dt, m, e); break;
    default: held_block(s, from, dt, m, e);
    }
  dry_blocks(s, from, dt, m);
  ffi_hard *p = &m->problem;
  const ffi_step_kernels *k = ffi_step_kernels_find(s->k->isa);
  p->G_stride = (p->rows + 3) / 4 * 4 + 4;
  if (p->link)
    p->link_count = k->couple_blocks(s->work, p->block_count, m->half, m->link);
  else if (p->G)
    k->couple_rows(s->work, p->block_count, m->half, m->G, p->G_stride);
}

void ffi_moreau_solve(const ffi_system *s, const ff_moreau_def *def, ffi_moreau *m, ffi_hard_result *result)
{
  const ffi_hard *p = &m->problem;
  if (ffi_system_advances(s) && def == &s->def->moreau)
    ffi_impact_solve(&s->def->c2a.impact, p, m->bounce, m->impact, result);
  else
    ffi_hard_solve(def, p, m->solver, result);
  if (!p->G && !p->link)
    return;
  for (int i = 0; i < p->nv; ++i)
    p->u[i] = 0;
  for (int k = 0; k < p->block_count; ++k) {
    const ffi_hard_block *block = &p->block[k];
    for (int r = 0; r < block->rows; ++r)
      for (int c = 0; c < block->columns; ++c)
        p->u[block->dof[c]] += block->W[r * block->columns + c] * p->impulse[block->row + r];
  }
  if (p->block_count > 0)
    s->k->solve(s->work, p->u);
  for (int i = 0; i < p->nv; ++i)
    p->u[i] += p->u_free[i];
}
