// The set-valued laws of a step as blocks of rows: contacts, then rigid constraints, stops, motors that may saturate,
// dry friction of joints. moreau.md
#include "contact/law/contact_frame.h"
#include "dynamics/one_lane.h"
#include "math/vec3.h"
#include "model/followers.h"
#include "step/eval/contact_jacobian.h"
#include "step/hard/hard_step_problem.h"
#include "step/step_kernels.h"

#include <math.h>

// T_abs is an impulse of typically a milligram metre per second. It is meant for contacts that feel at least this
// mass [kg] (stops and joints: [kg m^2]). Below it, T_abs stands for the velocity that it gives this mass. Bilateral
// rows are solved directly, or as T_abs says.
static const double least_mass = 0.01;

// The trees of the velocities of a row: those of its first and its last velocity.
static ffi_step_kernels_trees trees_of(const ffi_system *s, const ffi_work *work, int columns, const int *dof)
{
  const ff_model *m = s->model;
  const int *path = work->path;
  const int first = path[m->dof_row[dof[0]]], other = path[m->dof_row[dof[columns - 1]]];
  ffi_step_kernels_trees t = {.count = 1, .first = {first, other}};
  t.last[0] = m->bodies[m->dof_body[first]].v_end;
  t.last[1] = m->bodies[m->dof_body[other]].v_end;
  t.count += other != first;
  return t;
}

// The next block. The caller fills the W of its rows. T_abs [N s].
static ffi_hard_block *begin_block(double T_abs, ffi_hard_step_problem *p, ffi_hard_block plan, int owner)
{
  ffi_hard *hard = &p->hard;
  p->owner[hard->block_count] = owner;
  ffi_hard_block *block = &hard->block[hard->block_count++];
  *block = plan;
  block->row = hard->rows;
  block->W = p->W + p->W_used;
  p->W_used += (size_t)(plan.rows * plan.columns);
  for (int r = 0; r < plan.rows; ++r)
    p->give[hard->rows + r] = plan.law == FFI_HARD_LAW_BILATERAL ? HUGE_VAL : T_abs / least_mass;
  hard->rows += plan.rows;
  return block;
}

// Half of M^-1 W, for G = Z' D^-1 Z.                                                   moreau.md, section on solving
static void finish_half(const ffi_system *s, ffi_hard_step_problem *p, const ffi_hard_block *block, int count,
                        const int *path)
{
  const ffi_work *work = p->evaluation->at.work;
  ffi_step_kernels_half *h = &p->half[block - p->hard.block];
  *h = (ffi_step_kernels_half){
      .row = block->row, .rows = block->rows, .count = count, .path = path, .Z = p->Y + p->Y_used};
  h->is_path = s->model->dof_depth[path[count - 1]] == count - 1;
  h->tree[0] = work->path[s->model->dof_row[path[0]]];
  h->tree[1] = work->path[s->model->dof_row[path[count - 1]]];
  p->Y_used += (size_t)((block->rows + 3) / 4 * 4 * count);
  s->step_k->half_rows(work, block->W, block->columns, block->dof, h, p->room);
}

// M^-1 W of a block whose W is complete. path [count]: its velocities with all before them.
static void finish_block(const ffi_system *s, ffi_hard_step_problem *p, ffi_hard_block *block, int count,
                         const int *path)
{
  if (p->hard.G || p->hard.link) {
    finish_half(s, p, block, count, path);
    return;
  }
  const ffi_step_kernels_trees t = trees_of(s, p->evaluation->at.work, count, path);
  double *Y = p->Y + p->Y_used;
  block->reach = t.last[0] - t.first[0];
  block->reached = p->identity + t.first[0];
  if (t.count == 2) {
    int *reached = p->reached + p->reached_used;
    for (int r = 0, at = 0; r < 2; ++r)
      for (int i = t.first[r]; i < t.last[r]; ++i)
        reached[at++] = i;
    block->reach += t.last[1] - t.first[1];
    block->reached = reached;
    p->reached_used += (size_t)block->reach;
  }
  block->Y = Y;
  p->Y_used += (size_t)(block->rows * block->reach);
  s->step_k->impulse_rows(p->evaluation->at.work, block->rows, block->columns, block->dof, block->W, count,
                          path, &t, p->room, Y);
}

static void clear_rows(ffi_hard_step_problem *p, const ffi_hard_block *block)
{
  for (int r = 0; r < block->rows; ++r)
    p->b[block->row + r] = p->softness[block->row + r] = p->hard.impulse[block->row + r] = 0;
  p->bounce[block - p->hard.block] = 0;
}

double ffi_hard_step_rows_velocity(const ffi_hard_block *block, int r, const double *u)
{
  double sum = 0;
  for (int k = 0; k < block->columns; ++k)
    sum += block->W[r * block->columns + k] * u[block->dof[k]];
  return sum;
}

// ---- Contacts ----------------------------------------------------------------------------------------------

void ffi_hard_step_rows_contact(const ffi_system *s, const ffi_hard_step_problem *p, const double *v,
                                ffi_contact *c)
{
  const ffi_rows3_room room = {p->J, p->dofs + p->dofs_used, p->stride};
  ffi_contact_jacobian(s, &p->evaluation->at, v, &room, c);
}

// b = e gamma^S. A contact that is apart may close in half a step, or, if it began in depth, go back as fast as it
// came: its impulse, times (gamma^S + gamma^E)/2 <= 0, adds no energy.                          Moreau paper eqs 5, 7
static void offset_middle(const ff_material *pair, const ffi_hard_step_request *request, const ffi_contact *c,
                          const double A[9], double *b)
{
  const int is_apart = c->near.gap > 0;
  const double e_t = is_apart ? 0 : pair->tangential_restitution, e_n = is_apart ? 0 : pair->restitution;
  const double e[3] = {e_t, e_t, e_n};
  for (int r = 0; r < 3; ++r)
    b[r] = e[r] * ffi_v3_dot(A + 3 * r, c->u);
  if (is_apart)
    b[2] += fmax(c->near.gap / request->horizon, ffi_v3_dot(A + 6, c->u));
}

// ca, c2a: how fast the gap of a contact that does not bounce may close: to the skin within the horizon. A contact
// that pushed in the last substep must not fall for one substep and be caught in the next. It may come down over the
// substep. In steps that are extrapolated it may not come down at all, since extrapolation closes what curvature
// opens. Convex laws lift a sliding contact by mu times its speed. Over a substep it may come down by as much, so
// that it slides at that height instead of hopping (Anitescu).
// c2a.md, section 1
static double closing(const ffi_hard_step_request *request, int is_anticipated, double room, int has_pushed)
{
  const int is_convex = request->solver.impact->law != FF_IMPACT_COULOMB && !is_anticipated;
  if (has_pushed && request->keeps_distance && !is_convex)
    return 0;
  return room / (has_pushed || is_convex ? fmax(request->horizon, request->span) : request->horizon);
}

// Speed below which nothing bounces: what free fall gains within the substep [m/s].
static double fall_within(const ffi_system *s, const ffi_hard_step_request *request)
{
  return request->span * ffi_v3_norm(s->model->gravity);
}

// A feature that would close its gap within the horizon strikes now, and goes back at e times its speed. One that is
// no faster than a fall within the step rests, and does not bounce for ever.                    c2a.md, section 1
static void offset_ahead(const ffi_system *s, const ffi_hard_step_request *request, ffi_hard_step_problem *p,
                         int i, const ffi_hard_block *block, int pushed)
{
  const ffi_contact *c = &p->contact[i];
  const ff_material *pair = &s->materials[c->near.pair];
  const double *A = p->axes[i], fall = fall_within(s, request);
  const double room = fmax(c->near.gap - request->skin, 0), rate = ffi_v3_dot(A + 6, c->u);
  const int strikes = room + request->horizon * rate < 0 && rate < -fall;
  const double share = strikes ? request->restitution : 0, e_t = share * pair->tangential_restitution,
               e_n = share * pair->restitution;
  const int by_impulse = request->solver.impact->bounce == FF_IMPACT_POISSON;
  double *b = p->b + block->row;
  p->bounces |= e_n > 0 || e_t > 0;
  for (int r = 0; r < 2; ++r)
    b[r] = e_t * ffi_v3_dot(A + 3 * r, c->u);
  b[2] = e_n == 0     ? closing(request, p->is_anticipated[i], room, pushed && rate >= -fall)
         : by_impulse ? 0
                      : e_n * rate;
  // The part of Poisson's impulse that stops the fall within the step is not part of the impact.
  const double impact_share = request->ahead > 0 ? rate / (rate - fall) : 1;
  p->bounce[block - p->hard.block] = by_impulse && e_n > 0 ? impact_share * e_n : 0;
}

// The block of a contact with M^-1 W, its axes, and the velocity that the motion of the ground gives; NULL if it moves
// nothing.
static ffi_hard_block *place_contact(const ffi_system *s, const ffi_hard_step_request *request,
                                     ffi_hard_step_problem *p, int i, double ground[3])
{
  ffi_contact *c = &p->contact[i];
  double *A = p->axes[i];
  const int *dofs = p->dofs + p->dofs_used;
  ffi_hard_step_rows_contact(s, p, p->evaluation->state->v, c);
  p->dofs_used += c->rows.dof == dofs ? (size_t)c->rows.columns : 0;
  if (c->rows.columns == 0)
    return NULL;
  ffi_rows3_times(&c->rows, p->stride, p->evaluation->state->v, ground);
  ffi_v3_sub(c->u, ground, ground);
  ffi_v3_copy(c->near.normal, A + 6);
  ffi_contact_frame_tangents(A + 6, A, A + 3);
  ffi_hard_block *block = begin_block(request->solver.hard->absolute_tolerance, p,
                                      (ffi_hard_block){.law = FFI_HARD_LAW_CONTACT,
                                                       .rows = ffi_hard_step_turning_rows(s, c),
                                                       .mu = c->mu,
                                                       .turning = 1,
                                                       .columns = c->rows.columns,
                                                       .dof = c->rows.dof},
                                      i);
  double *W = p->W + (block->W - p->W);
  s->step_k->turn_rows(3, A, block->columns, p->J, p->stride, W);
  if (block->rows > 3)
    ffi_hard_step_turning_fill(s, p, i, block, W + 3 * block->columns);
  finish_block(s, p, block, block->columns, block->dof);
  return block;
}

// xi = W'u + (motion of the ground) + e gamma^S (Moreau paper eq. 7). The solver starts from the impulse of the last
// force.
static void contact_block(const ffi_system *s, const ffi_hard_step_request *request, ffi_hard_step_problem *p,
                          int i, int *known)
{
  const ffi_contact *c = &p->contact[i];
  const double *A = p->axes[i];
  double ground[3];
  const ffi_hard_block *block = place_contact(s, request, p, i, ground);
  if (!block)
    return;
  p->carried[i] = ffi_v3_dot(c->near.normal, ground);
  const ffi_state_contact *last = ffi_state_find_contact(request->from, c->near.id, known);
  if (request->advances)
    offset_ahead(s, request, p, i, block, last && ffi_v3_dot(A + 6, last->mean_force) > 0);
  else
    offset_middle(&s->materials[c->near.pair], request, c, A, p->b + block->row);
  const int is_warm = last && request->solver.hard->warm_start;
  for (int r = 0; r < 3; ++r) {
    p->b[block->row + r] += ffi_v3_dot(A + 3 * r, ground);
    p->softness[block->row + r] = 0;
    p->hard.impulse[block->row + r] = is_warm ? request->dt * ffi_v3_dot(A + 3 * r, last->mean_force) : 0;
  }
  if (block->rows > 3)
    ffi_hard_step_turning_begin(s, request, p, i, block);
}

// ---- Elements ----------------------------------------------------------------------------------------------

// Rows of the bodies of an element relative to each other, linear or angular, in p->J.
static void relative_rows(const ffi_system *s, const ffi_hard_step_problem *p, const ffi_element_rows *el,
                          int angular, ffi_rows3 *rows)
{
  const ffi_contact_jacobian_points points = {el->a, el->b, el->point, el->point};
  const ffi_rows3_room room = {p->J, p->dofs + p->dofs_used, p->stride};
  ffi_contact_jacobian_relative(s, &p->evaluation->at, &points, angular, &room, rows);
}

static void constraint_block(const ffi_system *s, const ffi_hard_step_request *request,
                             ffi_hard_step_problem *p, int e)
{
  const ffi_element_rows *el = &p->evaluation->element[e];
  const size_t dofs_used = p->dofs_used;
  ffi_rows3 rows;
  relative_rows(s, p, el, 0, &rows);
  if (rows.columns == 0)
    return;
  ffi_hard_block *block = begin_block(
      request->solver.hard->absolute_tolerance, p,
      (ffi_hard_block){
          .law = FFI_HARD_LAW_BILATERAL, .rows = el->count, .columns = rows.columns, .dof = rows.dof},
      s->max_contacts + e);
  double *W = p->W + (block->W - p->W);
  const ffi_step_kernels *k = s->step_k;
  k->turn_rows(el->linear, el->direction[0], rows.columns, p->J, p->stride, W);
  if (el->count > el->linear) {
    relative_rows(s, p, el, 1, &rows); // the same velocities
    k->turn_rows(el->count - el->linear, el->direction[el->linear], rows.columns, p->J, p->stride,
                 W + el->linear * rows.columns);
  }
  p->dofs_used += rows.dof == p->dofs + dofs_used ? (size_t)rows.columns : 0;
  finish_block(s, p, block, block->columns, block->dof);
  clear_rows(p, block);
  for (int r = 0; r < el->count && request->solver.hard->warm_start; ++r)
    p->hard.impulse[block->row + r] = request->dt * request->from->element_force[s->elements[e].force_at + r];
}

// One row on a line, and the impulse that it starts from.
typedef struct joint_row {
  ffi_hard_law law;
  const ffi_element *element;
  double sign;  // +1 or -1 times the line
  double start; // [N s], [N m s]
  double bound; // of dry rows
  int owner;
} joint_row;

// M^-1 W of a row on lines: the path of a velocity, or all paths together.
static void finish_line(const ffi_system *s, ffi_hard_step_problem *p, ffi_hard_block *block,
                        const ffi_element *el)
{
  const int *path = p->evaluation->at.work->path;
  if (el->is_path) {
    const int v = ffi_line_deepest(s->model, &el->line, &el->leader);
    finish_block(s, p, block, s->model->dof_depth[v] + 1, path + s->model->dof_row[v]);
    return;
  }
  finish_block(s, p, block, el->reach_count, el->reach);
}

static const ffi_hard_block *joint_block(const ffi_system *s, const ffi_hard_step_request_solver *solver,
                                         ffi_hard_step_problem *p, const joint_row *row)
{
  const ffi_line *line = &row->element->line;
  ffi_hard_block *block = begin_block(
      solver->hard->absolute_tolerance, p,
      (ffi_hard_block){
          .law = row->law, .rows = 1, .bound = row->bound, .columns = line->count, .dof = line->v},
      row->owner);
  double *W = p->W + (block->W - p->W);
  for (int k = 0; k < line->count; ++k)
    W[k] = row->sign * line->weight[k];
  finish_line(s, p, block, row->element);
  clear_rows(p, block);
  if (solver->hard->warm_start)
    p->hard.impulse[block->row] = row->start;
  return block;
}

static void stop_block(const ffi_system *s, const ffi_hard_step_request *request, ffi_hard_step_problem *p,
                       int e)
{
  const ffi_element *el = &s->elements[e];
  const double q = ffi_line_position(&el->line, p->evaluation->state->q),
               v = ffi_line_rate(&el->line, p->evaluation->state->v), horizon = request->horizon;
  const int is_upper = q + (request->advances ? horizon * v : 0) >= el->def.upper;
  const double sign = is_upper ? -1 : 1, room = is_upper ? el->def.upper - q : q - el->def.lower;
  if (!is_upper && !(q <= el->def.lower || (request->advances && room + horizon * v <= 0)))
    return;
  const ffi_hard_block *block = joint_block(
      s, &request->solver, p,
      &(joint_row){.law = FFI_HARD_LAW_STOP,
                   .element = el,
                   .sign = sign,
                   .start = fmax(0, sign * request->dt * request->from->element_force[el->force_at]),
                   .owner = s->max_contacts + e});
  if (request->advances)
    p->b[block->row] = fmax(room, 0) / horizon;
}

static const double no_bound = 1e30; // [N], [N m]: more than any motor has, and finite

// A motor that may saturate: Lambda = dt clip(-K (q^E - r^E) - B (u^E - rdot)), q^E = q^M + dt/2 u^E, as |Lambda| <=
// dt effort with xi = u^E + (K (q^M - r^E) - B rdot) / (B + dt/2 K) + Lambda / (dt (B + dt/2 K)).   moreau.md,
// section on motors
static void motor_block(const ffi_system *s, const ffi_hard_step_request *request, ffi_hard_step_problem *p,
                        int e)
{
  const ffi_element *el = &s->elements[e];
  const ffi_state *at = p->evaluation->state;
  const double K = el->def.stiffness, B = el->def.damping, all = B + request->ahead * K, dt = request->dt;
  if (!p->is_clipped[e] || !(all > 0))
    return;
  const ffi_hard_block *block =
      joint_block(s, &request->solver, p,
                  &(joint_row){.law = FFI_HARD_LAW_DRY,
                               .element = el,
                               .sign = 1,
                               .start = dt * request->from->element_force[el->force_at],
                               .bound = dt * fmin(el->def.effort, no_bound),
                               .owner = s->max_contacts + e});
  const double x = ffi_line_position(&el->line, at->q) - at->reference[e];
  p->b[block->row] = (K * x - B * at->reference_velocity[e]) / all;
  p->softness[block->row] = 1 / (dt * all);
}

static void dry_block(const ffi_system *s, const ffi_hard_step_request *request, ffi_hard_step_problem *p,
                      int e)
{
  const ffi_element *el = &s->elements[e];
  if (request->dt > 0)
    joint_block(s, &request->solver, p,
                &(joint_row){.law = FFI_HARD_LAW_DRY,
                             .element = el,
                             .sign = 1,
                             .start = request->dt * request->from->element_force[el->force_at],
                             .bound = request->dt * el->def.effort,
                             .owner = s->max_contacts + e});
}

// A coupling, bilateral. Its gap is closed at the end of the step, by ffi_hard_step_followers().
static void coupling_block(const ffi_system *s, const ffi_hard_step_request *request,
                           ffi_hard_step_problem *p, int e)
{
  const ffi_element *el = &s->elements[e];
  double slope;
  const double leader = ffi_line_position(&el->leader, p->evaluation->state->q);
  ffi_followers_polynomial(el->def.polynomial, leader, &slope, NULL);
  int *dof = p->dofs + p->dofs_used;
  const int columns = ffi_line_merge(&el->line, &el->leader, dof);
  p->dofs_used += (size_t)columns;
  ffi_hard_block *block =
      begin_block(request->solver.hard->absolute_tolerance, p,
                  (ffi_hard_block){.law = FFI_HARD_LAW_BILATERAL, .rows = 1, .columns = columns, .dof = dof},
                  s->max_contacts + e);
  double *W = p->W + (block->W - p->W);
  for (int k = 0; k < columns; ++k)
    W[k] = ffi_line_weight(&el->line, dof[k]) - slope * ffi_line_weight(&el->leader, dof[k]);
  finish_line(s, p, block, el);
  clear_rows(p, block);
  if (request->solver.hard->warm_start)
    p->hard.impulse[block->row] = request->dt * request->from->element_force[el->force_at];
}

// Is G formed here? For few rows it costs less than M^-1 W. The form "velocity" works without it. Of many rows most
// are far apart, and the solver decides. Where most rows are eliminated, G is formed by blocks: the joints of a cut
// robot couple with few others.
static void choose_matrix(const ffi_system *s, const ff_moreau_def *def, ffi_hard_step_problem *p)
{
  const int elements = s->turning_at - s->model->size.nv,
            most = (s->has_turning ? FFI_TURNING_CONE_ROWS : 3) * p->count + elements + s->law_count -
                   s->element_count;
  const int is_direct = def->bilateral == FF_HARD_DIRECT || def->solver == FF_HARD_EXACT;
  p->hard.G = NULL;
  p->hard.link = NULL;
  if (def->form == FF_HARD_FORM_VELOCITY ||
      most > (def->form == FF_HARD_FORM_IMPULSE ? FFI_HARD_DENSE_ROWS : FFI_HARD_STEP_PROBLEM_FEW_ROWS))
    return;
  if (is_direct && 2 * p->bilateral_rows > most && most <= FFI_HARD_STEP_PROBLEM_FEW_ROWS)
    p->hard.link = p->link;
  else
    p->hard.G = p->G;
}

void ffi_hard_step_rows(const ffi_system *s, const ffi_hard_step_request *request, ffi_hard_step_problem *p)
{
  ffi_hard *hard = &p->hard;
  const ffi_step_kernels *k = s->step_k;
  hard->interrupt = s->interrupt;
  hard->rows = hard->block_count = p->bounces = 0;
  choose_matrix(s, request->solver.hard, p);
  p->W_used = p->Y_used = p->dofs_used = p->reached_used = 0;
  for (int i = 0, known = 0; i < p->count && ffi_stepper_has_hard_contacts(s->def); ++i)
    contact_block(s, request, p, i, &known);
  for (int e = 0; e < s->law_count; ++e)
    switch (s->elements[e].def.type) {
    case FF_ELEMENT_JOINT_LIMIT: stop_block(s, request, p, e); break;
    case FF_ELEMENT_JOINT_PD: motor_block(s, request, p, e); break;
    case FF_ELEMENT_JOINT_FRICTION: dry_block(s, request, p, e); break;
    case FF_ELEMENT_COUPLING: coupling_block(s, request, p, e); break;
    default: constraint_block(s, request, p, e);
    }
  hard->G_stride = (hard->rows + 3) / 4 * 4 + 4;
  if (hard->link)
    hard->link_count = k->couple_blocks(p->evaluation->at.work, hard->block_count, p->half, p->link);
  else if (hard->G)
    k->couple_rows(p->evaluation->at.work, hard->block_count, p->half, p->G, hard->G_stride);
}
