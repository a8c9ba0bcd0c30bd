// Poisson's restitution: normal impulses of the impact without it, times epsilon, on top of it.    docs/theory/impact.md section 6
//
// Friction gets nothing on top. Bilateral impulses follow, those of dry joints do not: the bounce takes no time. A contact that is closing after that (others have bounced into it) has
// a second impact, without restitution. If energy has come in by then, which unequal epsilons or friction can do, the bounce is taken back and made again with all epsilons
// of the island smaller by the same factor, the largest with which the bounce itself brings in none.
#include "contact/impact/impact_memory.h"

#include <string.h>

static int normal_of(const ffi_hard_block *block) // -1: it has none
{
  return ffi_hard_is_contact(block->law) ? 2 : block->law == FFI_HARD_LAW_STOP ? 0 : -1;
}

// Lambda = that without restitution, and share * epsilon of its normal impulses.
static void add_bounce(ffi_hard_memory *m, double share)
{
  const ffi_impact_memory *s = ffi_impact_of(m);
  for (int p = 0; p < m->iterated; ++p) {
    const ffi_hard_part *part = &m->part[p];
    const ffi_hard_block *block = &m->problem->block[part->block];
    const int normal = normal_of(block);
    memcpy(m->Lambda + part->row, s->first + block->row, (size_t)part->rows * sizeof *m->Lambda);
    if (normal >= 0)
      m->Lambda[part->row + normal] *= 1 + share * s->bounce[block->row];
  }
  ffi_hard_verify_write(m);
}

// E = Lambda'(G + R)Lambda / 2 + c'Lambda = Lambda'(xi + c) / 2: what impulses add to the energy (and b'Lambda).
static double energy(const ffi_hard *problem, const double *Lambda, const double *xi)
{
  double sum = 0;
  for (int k = 0; k < problem->block_count; ++k)
    for (int i = 0; i < problem->block[k].rows; ++i) {
      const int row = problem->block[k].row + i;
      sum += Lambda[row] * (xi[row] + ffi_hard_rest_row(problem, &problem->block[k], i)) / 2;
    }
  return sum;
}

// With a share of the bounce E is before + share * slope + share^2 * curve. The largest share <= 1 that keeps it <= 0.
static double affordable_share(const ffi_hard_memory *m)
{
  const ffi_impact_memory *s = ffi_impact_of(m);
  const ffi_hard *problem = m->problem;
  const double before = energy(problem, s->first, s->first_xi);
  double slope = 0, curve = 0;
  for (int i = 0; i < m->n + m->direct; ++i) {
    const int row = m->source[i];
    const double d = problem->impulse[row] - s->first[row];
    slope += s->first_xi[row] * d;
    curve += (problem->xi[row] - s->first_xi[row]) * d / 2;
  }
  if (before + slope + curve <= 0)
    return 1;
  if (before >= 0 || !(curve > 0))
    return 0;
  const double root = sqrt(slope * slope - 4 * curve * before);
  return slope > 0 ? -2 * before / (slope + root) : (root - slope) / (2 * curve);
}

// Is anything closing that should not be, or a bilateral row that was iterated off?
static int is_off(const ffi_hard_memory *m)
{
  for (int p = 0; p < m->iterated; ++p) {
    const ffi_hard_block *block = &m->problem->block[m->part[p].block];
    const int normal = normal_of(block);
    for (int i = 0; i < block->rows; ++i) {
      const int row = m->part[p].row + i;
      const double xi = m->inverse[row] * m->problem->xi[block->row + i],
                   allowed = m->absolute[row] + m->def->relative_tolerance * fabs(m->Lambda[row]);
      if ((i == normal && xi < -allowed) || (block->law == FFI_HARD_LAW_BILATERAL && fabs(xi) > allowed))
        return 1;
    }
  }
  return 0;
}

// Impulses of contacts and stops so far stay and change the velocity at which the second impact begins; others are told anew.
static ffi_hard second_problem(ffi_hard_memory *m)
{
  ffi_impact_memory *s = ffi_impact_of(m);
  const ffi_hard *problem = m->problem;
  const int is_given = ffi_hard_is_given(problem);
  for (int i = 0; i < m->n + m->direct; ++i)
    m->Lambda[i] = 0;
  for (int p = 0; p < m->part_count; ++p) {
    const ffi_hard_block *block = &problem->block[m->part[p].block];
    const int stays = normal_of(block) >= 0;
    for (int i = 0; i < block->rows; ++i) {
      const double Lambda = problem->impulse[block->row + i];
      s->shift[block->row + i] = m->Lambda[m->part[p].row + i] = stays ? Lambda : 0;
      s->impulse[block->row + i] = stays ? 0 : Lambda;
    }
  }
  ffi_hard_verify_evaluate(m);
  for (int i = 0; i < m->n + m->direct; ++i) {
    const int row = m->source[i];
    const double soft = problem->softness ? problem->softness[row] * s->shift[row] : 0;
    s->b[row] = is_given ? problem->xi[row] : problem->b[row] + soft;
  }
  for (int v = 0; v < problem->nv; ++v)
    s->u_free[v] = is_given ? 0 : m->u[v];
  ffi_hard second = *problem;
  second.b = s->b;
  second.u_free = s->u_free;
  second.impulse = s->impulse;
  second.xi = s->xi;
  second.u = is_given ? problem->u : s->u;
  return second;
}

static void add_result(const ffi_hard_result *again, ffi_hard_result *result)
{
  result->iterations += again->iterations;
  result->fallbacks += again->fallbacks;
  result->converged &= again->converged;
  result->residual = fmax(result->residual, again->residual);
  result->excess = fmax(result->excess, again->excess);
}

static void add_second(ffi_hard_memory *m, const ffi_hard *problem, const ffi_hard_result *again,
                       ffi_hard_result *result)
{
  const ffi_impact_memory *s = ffi_impact_of(m);
  m->problem = problem;
  for (int i = 0; i < m->n + m->direct; ++i) {
    const int row = m->source[i];
    problem->impulse[row] = s->shift[row] + s->impulse[row];
    problem->xi[row] = s->xi[row];
  }
  if (!ffi_hard_is_given(problem))
    memcpy(problem->u, s->u, (size_t)problem->nv * sizeof *s->u);
  add_result(again, result);
}

// A second impact, if one is needed.
static void settle(ffi_hard_memory *m, ffi_hard_result *result)
{
  if (!is_off(m))
    return;
  const ffi_hard *problem = m->problem;
  const ffi_hard second = second_problem(m);
  ffi_hard_result again;
  ffi_hard_run_whole(m->def, &second, m, ffi_impact_of(m)->method, &again);
  add_second(m, problem, &again, result);
}

static void bounce_less(ffi_hard_memory *m, ffi_hard_result *result)
{
  result->converged = 1;
  add_bounce(m, ffi_impact_of(m)->share);
  settle(m, result);
}

void ffi_impact_poisson(ffi_hard_memory *m, ffi_hard_result *result)
{
  ffi_impact_memory *s = ffi_impact_of(m);
  const ffi_hard *problem = m->problem;
  for (int i = 0; i < m->n + m->direct; ++i) {
    const int row = m->source[i];
    s->first[row] = problem->impulse[row];
    s->first_xi[row] = problem->xi[row];
  }
  const ffi_hard_result first = *result;
  add_bounce(m, 1);
  s->share = affordable_share(m);
  settle(m, result);
  const double lost = -energy(problem, s->first, s->first_xi), rounding = 1e-12;
  if (s->share == 1 || energy(problem, problem->impulse, problem->xi) <=
                           (rounding + m->def->relative_tolerance) * fmax(lost, 0))
    return;
  ffi_hard_result again;
  ffi_hard_run_whole(m->def, problem, m, bounce_less, &again);
  *result = first;
  add_result(&again, result);
}
