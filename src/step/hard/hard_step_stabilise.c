// Removes drift, in positions alone: the smallest displacement, in the metric of the mass matrix, that moves
// overlapping shapes apart, joints back between their stops and the ends of welds together. The same rows and the
// same solver as for impulses, without friction:
//
//     min 1/2 w' M w   with   W_n' w + gap^E / dt >= 0,   W_B' w + gap^E / dt = 0,   q^E moved by dt w more
//
// Gaps at the end of the step are those of the middle carried on by the end velocity. The remainder is of second
// order, and the next step goes on with it. The energy that impulses dissipated in the step pays for the
// displacement, or kinetic energy does; else velocities stay as they are. moreau.md, section on drift and
// stabilisation
#include "dynamics/straight_path.h"
#include "math/vec3.h"
#include "model/model.h"
#include "step/hard/hard_step.h"

#include <math.h>
#include <string.h>

// What is left uncorrected: as far as things fall in a step, so that a contact at rest stays one. Where substeps end
// at contacts the contacts are kept apart instead. Of stops, what rounding would do.
static double allowance(const ffi_system *s, const ffi_hard_step_request *request)
{
  return request->advances ? -request->skin : ffi_v3_norm(s->model->gravity) * request->span * request->span;
}
static const double stop_allowance = 1e-9; // [rad], [m]

// Largest correction of one row in one step [m], [rad]: beyond it gaps are far from linear.
static const double most = 0.01;
// And of one coordinate: a leg that is nearly straight would have to bend far to lift its foot a little.
static const double most_coordinate = 0.1;

// Gap of each row of a block at the end of the step, an allowance added; 0 for rows of friction. A contact that parts
// comes out by itself: its gap is that of the middle of the next step. To lift bouncing contacts as well would add to
// their energy: with e = 1 nothing was lost by sinking in.
static void gaps_of(const ffi_system *s, const ffi_hard_step_request *request, const ffi_hard_step_problem *p,
                    int k, double *gap)
{
  const ffi_hard_block *block = &p->hard.block[k];
  const ffi_hard_step_evaluation *evaluation = p->evaluation;
  const double after = request->after;
  const int owner = p->owner[k], e = owner - s->max_contacts;
  for (int r = 0; r < block->rows; ++r)
    gap[r] = after * ffi_hard_step_rows_velocity(block, r, p->hard.u);
  if (block->law == FFI_HARD_LAW_CONTACT) {
    gap[0] = gap[1] = gap[3] = gap[4] = gap[5] = 0;
    const double change = gap[2] + after * p->carried[owner];
    const double end = p->contact[owner].near.gap + change;
    gap[2] = fmax(end, fmin(0, end + fmax(change, 0))) + allowance(s, request);
  } else if (block->law == FFI_HARD_LAW_STOP) {
    const ffi_element *el = &s->elements[e];
    const double q = ffi_line_position(&el->line, evaluation->state->q);
    gap[0] += stop_allowance + (block->W[0] * el->line.weight[0] > 0 ? q - el->def.lower : el->def.upper - q);
  } else if (block->law == FFI_HARD_LAW_BILATERAL && s->elements[e].def.type == FF_ELEMENT_COUPLING) {
    gap[0] = 0; // followers are placed exactly
  } else if (block->law == FFI_HARD_LAW_BILATERAL) {
    for (int r = 0; r < block->rows; ++r)
      gap[r] += evaluation->element[e].gap[r];
  } else {
    gap[0] = 0;
  }
}

// Does a contact stick, by the impulses of the step? It must not slide off while it is lifted: a light leg would go
// sideways as easily as up.
static int stands(const ffi_hard *p, const ffi_hard_block *block)
{
  const double *impulse = p->impulse + block->row;
  return block->law == FFI_HARD_LAW_CONTACT && impulse[2] > 0 &&
         hypot(impulse[0], impulse[1]) < (1 - 1e-6) * block->mu * impulse[2];
}
static const double standing_friction = 100; // sticks along the surface, whatever the leg

// Linear velocities of floating bodies: from those of their origins to those of their centres of mass, or back.
static void to_centres(const ff_model *model, double sign, double *v)
{
  for (int i = 1; i < model->body_count; ++i) {
    const ffi_body *b = &model->bodies[i];
    double arm[3];
    if (b->kind != FFI_KIND_FREE || !(b->mass > 0))
      continue;
    ffi_v3_cross(v + b->v + 3, b->mc, arm);
    ffi_v3_add_scaled(sign / b->mass, arm, v + b->v);
  }
}

// Displace the end of the step by dt w. A body that turns keeps the velocity of its centre of mass and its angular
// velocity in its own axes: a floating body keeps its momentum and its kinetic energy.
static void displace(const ff_model *model, double dt, ffi_hard_step_correction *c, ffi_state *to)
{
  for (int i = 0; i < model->size.nv; ++i) {
    c->delta[i] = dt * c->hard.u[i];
    to->v[i] = c->v[i];
  }
  to_centres(model, 1, to->v);
  ffi_straight_path_move(model, c->q, c->delta, to->v, to->q, to->v);
  to_centres(model, -1, to->v);
}

// Energy that `share` of the displacement adds to `energy`, that before it [J]. Forces that are constant over the
// step, of tau and of compliant contacts, do their own work.
static double cost_of(const ffi_system *s, double dt, double share, ffi_hard_step *m, double energy,
                      ffi_state *to)
{
  const int are_hard = ffi_stepper_has_hard_contacts(s->def);
  const double *w = m->correction.hard.u;
  double work = 0, kinetic;
  displace(s->model, share * dt, &m->correction, to);
  for (int i = 0; i < s->model->size.nv; ++i)
    work += share * (dt * s->tau[i] + (are_hard ? 0 : m->problem.push[i])) * w[i];
  return ffi_hard_step_energy(s, to->q, to->v, to->reference, &kinetic) - energy - work;
}

// Velocities of the trees that the displacement moves, others zero; their kinetic energy [J].
static double moving(const ffi_system *s, ffi_hard_step *m, const ffi_state *to)
{
  const ff_model *model = s->model;
  ffi_hard_step_correction *c = &m->correction;
  for (int b = 1; b < model->body_count; ++b) {
    const ffi_body *root = &model->bodies[b];
    int is_moved = 0;
    if (root->parent != 0)
      continue;
    for (int i = root->v; i < root->v_end; ++i)
      is_moved |= c->hard.u[i] != 0;
    for (int i = root->v; i < root->v_end; ++i)
      c->moved[i] = is_moved ? to->v[i] : 0;
  }
  double kinetic;
  ffi_hard_step_energy(s, to->q, c->moved, to->reference, &kinetic);
  return kinetic;
}

enum { MOST_TRIES = 6 };
static const double most_paid = 0.01; // of the kinetic energy in a step: slow motion must not be stopped

// From the evaluation to the end of the step: c->q and c->v, and the displacement in the axes of the end.
static void begin_at_end(const ffi_system *s, const ffi_hard_step_request *request, ffi_hard_step *m,
                         ffi_state *to)
{
  const int nv = s->model->size.nv, nq = s->model->size.nq;
  ffi_hard_step_correction *c = &m->correction;
  const double *end = m->problem.hard.u;
  for (int i = 0; i < nv; ++i)
    c->delta[i] = request->after > 0 ? request->after * end[i] : 0;
  ffi_straight_path_move(s->model, m->evaluation.state->q, c->delta, c->hard.u, to->q, c->hard.u);
  memcpy(c->q, to->q, (size_t)nq * sizeof *to->q);
  memcpy(c->v, to->v, (size_t)nv * sizeof *to->v);
}

// The displacement, as far as it is paid for: first from `taken` [J], the energy that impulses dissipated in this
// step, then from the kinetic energy of the trees that move. The remainder waits.
static void displace_within(const ffi_system *s, const ffi_hard_step_request *request, ffi_hard_step *m,
                            double taken, ffi_state *to)
{
  const int nv = s->model->size.nv, nq = s->model->size.nq;
  ffi_hard_step_correction *c = &m->correction;
  const double dt = request->span;
  double kinetic, share = 1;
  for (int i = 0; i < nv; ++i)
    share = fmin(share, most_coordinate / fmax(dt * fabs(c->hard.u[i]), most_coordinate));
  begin_at_end(s, request, m, to);
  const double energy = ffi_hard_step_energy(s, c->q, c->v, to->reference, &kinetic),
               rounding = 1e-15 * (kinetic + fabs(energy - kinetic)), budget = fmax(taken, 0) + rounding;
  for (int k = 0; k < MOST_TRIES; ++k) {
    const double cost = cost_of(s, dt, share, m, energy, to);
    if (cost <= budget)
      return;
    const double of_motion = moving(s, m, to), due = cost - budget, most_due = most_paid * of_motion;
    if (due <= most_due) {
      for (int i = 0; i < nv; ++i)
        to->v[i] -= c->moved[i] * (1 - sqrt(1 - due / of_motion));
      return;
    }
    share *= 0.999 * (budget + most_due) / cost; // cost is nearly linear
  }
  memcpy(to->q, c->q, (size_t)nq * sizeof *to->q);
  memcpy(to->v, c->v, (size_t)nv * sizeof *to->v);
}

// Tolerance of a row of the correction, whatever the impulses: [m], [rad].
static const double position_tolerance = 1e-7;

// Positions are always found by "exact", whatever solver finds the impulses: there is nothing to start from, and what
// iterations leave is penetration.
static ff_moreau_def position_def(const ffi_hard_step_request *request)
{
  ff_moreau_def def = *request->solver.hard;
  def.solver = FF_HARD_EXACT;
  def.form = FF_HARD_FORM_AUTO;
  def.relative_tolerance = 0;    // sticking friction makes large impulses, and a share of those is depth
  def.absolute_tolerance = 1e30; // the `give` of the rows is less
  // A distance that is not kept now is asked for again in the next substep.
  def.max_iterations = request->advances ? 50 : 1000;
  return def;
}

// A correction takes the matrices of the problem, and has numbers of its own.
static void begin_correction(const ffi_hard_step_problem *p, ffi_hard_step_correction *c)
{
  ffi_hard own = p->hard;
  own.block = c->hard.block;
  own.impulse = c->hard.impulse;
  own.u = c->hard.u;
  own.xi = c->hard.xi;
  own.b = c->b;
  own.give = c->give;
  own.softness = own.u_free = c->zero;
  c->hard = own;
  for (int i = 0; i < own.nv || i < own.rows; ++i)
    c->zero[i] = 0;
}

// The rows of a problem with the laws of a correction; 1 if any row needs one.
static int set_gaps(const ffi_system *s, const ffi_hard_step_request *request, const ffi_hard_step_problem *p,
                    ffi_hard_step_correction *c)
{
  int is_needed = 0;
  begin_correction(p, c);
  for (int k = 0; k < c->hard.block_count; ++k) {
    const int is_bilateral = p->hard.block[k].law == FFI_HARD_LAW_BILATERAL;
    double gap[FFI_HARD_MAX_ROWS] = {0};
    ffi_hard_block *block = &c->hard.block[k];
    gaps_of(s, request, p, k, gap);
    *block = p->hard.block[k];
    block->mu = stands(&p->hard, block) ? standing_friction : 0;
    block->bound = block->turning = 0;
    for (int r = 0; r < block->rows; ++r) {
      is_needed |= is_bilateral ? gap[r] != 0 : gap[r] < -0.5 * request->skin;
      c->b[block->row + r] = fmin(fmax(gap[r], -most), is_bilateral ? most : HUGE_VAL) / request->span;
      c->give[block->row + r] = position_tolerance / request->span;
      c->hard.impulse[block->row + r] = 0;
    }
  }
  return is_needed;
}

// Violations of a row in units of its tolerance: what counts as met, and the most that is reported.
static const double enough = 100, most_violated = 1e9;

// By how much u violates what the rows ask for, in units of their tolerance; at most most_violated. Where they ask for
// the impossible (three rows on two sliders) impulses may grow until their residual is only rounding.
static double violation(const ffi_hard *hard)
{
  double worst = 0;
  for (int k = 0; k < hard->block_count; ++k) {
    const ffi_hard_block *block = &hard->block[k];
    const int is_bilateral = block->law == FFI_HARD_LAW_BILATERAL;
    if (block->law == FFI_HARD_LAW_DRY)
      continue;
    const int is_contact = block->law == FFI_HARD_LAW_CONTACT;
    for (int r = is_contact ? 2 : 0; r < (is_contact ? 3 : block->rows); ++r) {
      const double end = hard->b[block->row + r] + ffi_hard_step_rows_velocity(block, r, hard->u);
      const double own = (is_bilateral ? fabs(end) : -end) / hard->give[block->row + r];
      worst = own <= worst ? worst : own <= most_violated ? own : most_violated; // NaN is the most
    }
  }
  return worst;
}

// A displacement that did not converge may still help, unless it is far too large.
static int is_bounded(const ffi_hard *hard, double dt)
{
  for (int k = 0; k < hard->block_count; ++k)
    for (int r = 0; r < hard->block[k].rows; ++r)
      if (!(dt * fabs(ffi_hard_step_rows_velocity(&hard->block[k], r, hard->u)) <= 2 * most))
        return 0;
  return 1;
}

static void solve_positions(const ffi_system *s, const ffi_hard_step_request_solver *solver,
                            const ffi_hard_step_problem *p, const ffi_hard *hard, ffi_hard_result *result)
{
  ffi_hard_step_solve(s, solver, p, hard, result);
  const double off = violation(hard);
  result->excess = result->excess <= most_violated ? result->excess : most_violated;
  if (result->converged && off > enough) { // rounding of u is not the solver's
    result->converged = 0;
    result->excess = off;
  }
}

// First with sticking contacts kept in place. If there is no such displacement, or it is not found, without friction:
// then there always is one unless things are jammed.
static void find_displacement(const ffi_system *s, const ffi_hard_step_request *request,
                              const ffi_hard_step_problem *p, const ffi_hard *hard, ffi_hard_result *result)
{
  const ff_moreau_def def = position_def(request);
  const ffi_hard_step_request_solver solver = {.method = FFI_HARD_STEP_REQUEST_LAWS, .hard = &def};
  solve_positions(s, &solver, p, hard, result);
  if (result->converged)
    return;
  ffi_hard_result again;
  for (int k = 0; k < hard->block_count; ++k)
    hard->block[k].mu = 0;
  for (int r = 0; r < hard->rows; ++r)
    hard->impulse[r] = 0;
  solve_positions(s, &solver, p, hard, &again);
  again.iterations += result->iterations;
  again.fallbacks += result->fallbacks + 1;
  *result = again;
}

// Is there energy to pay with? A body that rests a little nearer than the skin is not lifted, and to solve for it
// step after step would take longer than all else.
static int can_pay(const ffi_system *s, double skin, double taken, const ffi_state *to)
{
  double kinetic, mass = 0;
  for (int b = 1; b < s->model->body_count; ++b)
    mass += s->model->bodies[b].mass;
  ffi_hard_step_energy(s, to->q, to->v, to->reference, &kinetic);
  return fmax(taken, 0) + most_paid * kinetic > 1e-3 * mass * ffi_v3_norm(s->model->gravity) * skin;
}

ffi_hard_step_problem_result ffi_hard_step_stabilise(const ffi_system *s,
                                                     const ffi_hard_step_request *request, ffi_hard_step *m,
                                                     ffi_state *to)
{
  ffi_hard_step_problem_result result = {.converged = 1};
  const ffi_hard_step_problem *p = &m->problem;
  const ffi_hard *hard = &m->correction.hard;
  if (p->hard.block_count == 0)
    return result;
  const double taken = ffi_hard_step_energy_taken(s, p);
  if (!set_gaps(s, request, p, &m->correction) ||
      (request->advances && !can_pay(s, request->skin, taken, to)))
    return result;
  ffi_hard_result solve;
  find_displacement(s, request, p, hard, &solve);
  result.iterations = solve.iterations;
  result.fallbacks = solve.fallbacks;
  result.gave_up = request->advances && !solve.converged;
  if (result.gave_up)
    return result;
  result.converged = solve.converged;
  if (!solve.converged) // in units of the tolerance of impulses, so that it is above that
    result.residual = solve.excess * fmax(request->solver.hard->absolute_tolerance,
                                          request->solver.hard->relative_tolerance);
  if (solve.converged || is_bounded(hard, request->span))
    displace_within(s, request, m, taken, to);
  return result;
}

// Rows of a start: contacts nearer than the skin part to it; those deeper than a skin, which were placed inside each
// other, come no deeper. All stick, joints stay between their stops and loops as they are. 1 if a contact is nearer
// than half the skin, and not deep.
static int set_start_gaps(const ffi_hard_step_request *request, const ffi_hard_step_problem *p,
                          ffi_hard_step_correction *c)
{
  int is_needed = 0;
  begin_correction(p, c);
  for (int k = 0; k < c->hard.block_count; ++k) {
    ffi_hard_block *block = &c->hard.block[k];
    *block = p->hard.block[k];
    block->bound = block->turning = 0;
    for (int r = 0; r < block->rows; ++r) {
      c->b[block->row + r] = 0;
      c->give[block->row + r] = position_tolerance / request->span;
      c->hard.impulse[block->row + r] = 0;
    }
    if (block->law != FFI_HARD_LAW_CONTACT)
      continue;
    const double gap = p->contact[p->owner[k]].near.gap - request->skin;
    const int is_deep = gap < -2 * request->skin;
    block->mu = standing_friction;
    c->b[block->row + 2] = (is_deep ? 0 : gap) / request->span;
    is_needed |= !is_deep && gap < -0.5 * request->skin;
  }
  return is_needed;
}

int ffi_hard_step_stabilise_start(const ffi_system *s, const ffi_hard_step_request *request, ffi_hard_step *m,
                                  ffi_state *x)
{
  ffi_hard_step_correction *c = &m->correction;
  ffi_hard_result solve;
  if (!set_start_gaps(request, &m->problem, c))
    return 0;
  find_displacement(s, request, &m->problem, &c->hard, &solve);
  if (!solve.converged)
    return 0;
  memcpy(c->q, x->q, (size_t)s->model->size.nq * sizeof *x->q);
  memcpy(c->v, x->v, (size_t)s->model->size.nv * sizeof *x->v);
  displace(s->model, request->span, c, x);
  return 1;
}
