// What has drifted is brought back, in positions alone: the smallest displacement, by the mass matrix, that moves overlapping shapes apart, joints back
// between their stops and the ends of welds together. The same rows and the same solver as for impulses, without friction:
//
//     min 1/2 w' M w   with   W_n' w + gap^E / dt >= 0,   W_B' w + gap^E / dt = 0,   q^E moved by dt w more
//
// Gaps at the end of the step are those of the middle carried on by the end velocity, so what is left is of second order, and the next step goes on
// with it. Velocities stay as they are. docs/theory/moreau.md says what is proven of energy.
#include "math/vec3.h"
#include "model/model.h"
#include "step/moreau.h"

#include <math.h>

// What is left uncorrected: as far as things fall in a step, so that a contact at rest stays one. Of stops, what rounding would do.
static double allowance(const ffi_system *s, double dt)
{
  return ffi_v3_norm(s->model->gravity) * dt * dt;
}
static const double stop_allowance = 1e-9; // [rad], [m]

// Farthest way of one row in one step [m], [rad]: beyond it gaps are far from linear.
static const double most = 0.01;

// Gap of each row of a block at the end of the step, an allowance added; 0 for rows that only friction has. A contact that
// parts comes out by itself: its gap is that of the middle of the next step. To lift what bounces as well would add to its energy: with e = 1 nothing was lost by sinking in.
static void gaps_of(const ffi_system *s, const ffi_moreau *m, const ffi_hard_block *block, int owner,
                    double dt, double *gap)
{
  const int e = owner - s->max_contacts;
  for (int r = 0; r < block->rows; ++r) {
    double rate = 0;
    for (int k = 0; k < block->columns; ++k)
      rate += block->W[r * block->columns + k] * m->end[block->dof[k]];
    gap[r] = 0.5 * dt * rate;
  }
  if (block->law == FFI_HARD_LAW_CONTACT) {
    gap[0] = gap[1] = 0;
    const double way = gap[2] + 0.5 * dt * m->carried[owner]; // in half a step
    gap[2] = m->contact[owner].near.gap + (way > 0 ? 2 * way : way) + allowance(s, dt);
  } else if (block->law == FFI_HARD_LAW_STOP) {
    const ffi_element *el = &s->elements[e];
    gap[0] += stop_allowance +
              (block->W[0] > 0 ? m->mid.q[el->q] - el->def.lower : el->def.upper - m->mid.q[el->q]);
  } else if (block->law == FFI_HARD_LAW_BILATERAL) {
    for (int r = 0; r < block->rows; ++r)
      gap[r] += m->element[e].gap[r];
  } else {
    gap[0] = 0;
  }
}

// Does a contact stand, by the impulses of the step? It is not to slide off while it is lifted: a light leg would go sideways as easily as up.
static int stands(const ffi_hard *p, const ffi_hard_block *block)
{
  const double *impulse = p->impulse + block->row;
  return block->law == FFI_HARD_LAW_CONTACT && impulse[2] > 0 &&
         hypot(impulse[0], impulse[1]) < (1 - 1e-6) * block->mu * impulse[2];
}
static const double standing_friction = 100; // holds along the surface whatever the leg

// Linear velocities of floating bodies, at their origins, become those of their centres of mass, and back.
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

// Moved by dt w; what turns keeps the velocity of its centre of mass and its angular velocity in its own axes: a floating body has
// the momentum and the kinetic energy that it had.
static void displace(const ff_model *model, double dt, ffi_moreau *m, double *w, ffi_state *to)
{
  ffi_moreau_move(model, m->mid.q, m->way, w, to->q, w); // in the axes of the end
  for (int i = 0; i < model->size.nv; ++i)
    m->way[i] = dt * w[i];
  to_centres(model, 1, to->v);
  ffi_moreau_move(model, to->q, m->way, to->v, to->q, to->v);
  to_centres(model, -1, to->v);
}

// How far a row may be from where the correction should take it, whatever the impulses: [m], [rad].
static const double position_tolerance = 1e-7;

// Positions are always found by "exact", whatever finds the impulses: nothing of theirs is known from the last step, and what iterations leave is depth.
static ff_moreau_def position_def(const ffi_system *s)
{
  ff_moreau_def def = s->def->moreau;
  def.solver = FF_HARD_EXACT;
  def.form = FF_HARD_FORM_AUTO;
  def.relative_tolerance = 0;    // friction that holds makes large impulses, and a share of those is depth
  def.absolute_tolerance = 1e30; // the rows' `give` is less
  def.max_iterations = 1000;
  return def;
}

// Rows in need of a correction, and how much; 1 if there are any.
static int set_gaps(ffi_system *s, double dt, ffi_moreau *m)
{
  ffi_hard *p = &m->problem;
  int is_needed = 0;
  for (int k = 0; k < p->block_count; ++k) {
    ffi_hard_block *block = &p->block[k];
    double gap[FFI_HARD_MAX_ROWS] = {0};
    gaps_of(s, m, block, m->owner[k], dt, gap);
    const int is_held = block->law == FFI_HARD_LAW_BILATERAL;
    block->mu = stands(p, block) ? standing_friction : 0;
    block->bound = 0;
    for (int r = 0; r < block->rows; ++r) {
      is_needed |= is_held ? gap[r] != 0 : gap[r] < 0;
      m->b[block->row + r] = fmin(fmax(gap[r], -most), is_held ? most : HUGE_VAL) / dt;
      m->softness[block->row + r] = p->impulse[block->row + r] = 0;
      m->give[block->row + r] = position_tolerance / dt;
    }
  }
  return is_needed;
}

// With contacts that stand held; if there is no such displacement, or it is not found, without friction, where there always is one.
static void find_displacement(ffi_system *s, ffi_moreau *m, ffi_hard_result *result)
{
  const ff_moreau_def def = position_def(s);
  const ffi_hard *p = &m->problem;
  ffi_moreau_solve(s, &def, m, result);
  if (result->converged)
    return;
  ffi_hard_result again;
  for (int k = 0; k < p->block_count; ++k)
    p->block[k].mu = 0;
  for (int r = 0; r < p->rows; ++r)
    p->impulse[r] = 0;
  ffi_moreau_solve(s, &def, m, &again);
  again.iterations += result->iterations;
  again.fallbacks += result->fallbacks + 1;
  *result = again;
}

void ffi_moreau_stabilise(ffi_system *s, double dt, ffi_moreau *m, ffi_state *to)
{
  ff_step_info *info = s->info;
  if (!set_gaps(s, dt, m))
    return;
  for (int i = 0; i < m->problem.nv; ++i)
    m->u_free[i] = 0;
  ffi_hard_result result;
  find_displacement(s, m, &result);
  info->iterations += result.iterations;
  info->fallbacks += result.fallbacks;
  info->converged &= result.converged;
  if (!result.converged) // in the units of the impulses' tolerance, so that it is above that
    info->residual = fmax(info->residual, result.excess * fmax(s->def->moreau.absolute_tolerance,
                                                               s->def->moreau.relative_tolerance));
  displace(s->model, dt, m, m->problem.u, to);
}
