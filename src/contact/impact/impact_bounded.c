// "bounded": as "dissipation", but contacts together do not open faster than without friction.
// docs/theory/impact.md section 5
//
// Without friction the impact is a linear complementarity problem; kappa is the sum of its opening velocities over the
// contacts of each group. If the solution with friction opens no more than that, it is the result; else the program is
// solved with the bound.
#include "contact/impact/impact_memory.h"

#include <string.h>

// ---- Groups -----------------------------------------------------------------------------------------------

static int find(int *root, int p)
{
  while (root[p] != p)
    p = root[p] = root[root[p]];
  return p;
}

static int is_coupled(const ffi_hard_memory *m, const ffi_hard_part *a, const ffi_hard_part *b)
{
  for (int i = 0; i < a->rows; ++i)
    for (int j = 0; j < b->rows; ++j)
      if (m->G[(size_t)(a->row + i) * (size_t)m->stride + (size_t)(b->row + j)] != 0)
        return 1;
  return 0;
}

static int counts(const ffi_hard_memory *m, int p)
{
  return m->part[p].law == FFI_HARD_LAW_CONE && m->inverse[m->part[p].row + 2] > 0;
}

// Parts that G couples, numbered in their order; -1: no contact among them.
static void find_groups(const ffi_hard_memory *m, ffi_impact_memory *s)
{
  int *group = s->group;
  if (m->form == FF_HARD_FORM_VELOCITY) { // one island
    memset(group, 0, (size_t)m->iterated * sizeof *group);
    s->groups = 1;
    return;
  }
  for (int p = 0; p < m->iterated; ++p)
    group[p] = p;
  for (int p = 0; p < m->iterated; ++p)
    for (int o = 0; o < p; ++o)
      if (find(group, p) != find(group, o) && is_coupled(m, &m->part[p], &m->part[o])) {
        const int a = find(group, p), b = find(group, o);
        group[a > b ? a : b] = a > b ? b : a;
      }
  s->groups = 0;
  for (int p = 0; p < m->iterated; ++p)
    s->number[p] = -1;
  for (int p = 0; p < m->iterated; ++p)
    if (counts(m, p) && s->number[find(group, p)] < 0)
      s->number[find(group, p)] = s->groups++;
  for (int p = m->iterated - 1; p >= 0; --p) // a root comes before all others of its group
    group[p] = s->number[find(group, p)];
}

// ---- The bound --------------------------------------------------------------------------------------------

static void set_friction(ffi_hard_memory *m, int is_on)
{
  ffi_impact_memory *s = ffi_impact_of(m);
  for (int p = 0; p < m->part_count; ++p) {
    ffi_hard_part *part = &m->part[p];
    if (!is_on)
      s->mu[p] = part->mu;
    m->problem->block[part->block].mu = part->mu = is_on ? s->mu[p] : 0;
    m->problem->block[part->block].turning = part->turning = is_on && ffi_hard_turns(part->law, part->rows);
  }
}

static double opening(const ffi_hard_memory *m, const ffi_hard_part *part)
{
  return m->problem->xi[m->problem->block[part->block].row + 2];
}

static void set_kappa(const ffi_hard_memory *m, ffi_impact_memory *s)
{
  memset(s->kappa, 0, (size_t)s->groups * sizeof *s->kappa);
  for (int p = 0; p < m->iterated; ++p)
    if (counts(m, p))
      s->kappa[s->group[p]] += fmax(opening(m, &m->part[p]), 0);
}

// Violation of the bound (eq. 6), relative to the tolerances. T_abs of a normal row and T_rel of its impulse correspond
// to weight times that in velocity.
static double bound_excess(const ffi_hard_memory *m, const ffi_impact_memory *s)
{
  double most = 0;
  for (int g = 0; g < s->groups; ++g) {
    double sum = 0, allowed = 0;
    for (int p = 0; p < m->iterated; ++p) {
      const int row = m->part[p].row + 2;
      if (s->group[p] != g || !counts(m, p))
        continue;
      const double own =
          m->weight[row] * (m->absolute[row] + m->def->relative_tolerance * fabs(m->Lambda[row]));
      sum += opening(m, &m->part[p]);
      allowed += own;
      most = fmax(most, -opening(m, &m->part[p]) / own);
    }
    most = allowed > 0 ? fmax(most, (sum - s->kappa[g]) / allowed) : most;
  }
  return most;
}

// The conditions of the program with the bound: those without it at xi of the Lagrangian, and the bound itself.
static int is_solved(ffi_hard_memory *m, ffi_hard_result *result)
{
  ffi_impact_memory *s = ffi_impact_of(m);
  ffi_hard judged = *m->problem;
  ffi_hard_verify_write(m);
  for (int i = m->n; i < m->n + m->direct; ++i)
    s->judged[m->source[i]] = m->problem->xi[m->source[i]];
  for (int i = 0; i < m->n; ++i)
    m->next[i] = m->Lambda[i] - s->interior.pressure[i];
  ffi_hard_product(m, m->next, m->xi);
  for (int i = 0; i < m->n; ++i)
    s->judged[m->source[i]] = m->xi[i];
  judged.xi = s->judged;
  ffi_hard_residual_evaluate(&judged, m->diagonal, m->def->relative_tolerance, m->def->absolute_tolerance,
                             result);
  const double outside = bound_excess(m, s);
  result->excess = fmax(result->excess, outside);
  return result->converged = result->excess <= 1;
}

static void start_at(ffi_hard_memory *m, const double *Lambda)
{
  memcpy(m->Lambda, Lambda, (size_t)m->n * sizeof *m->Lambda);
  if (m->form == FF_HARD_FORM_VELOCITY)
    ffi_hard_velocity(m);
}

void ffi_impact_bounded(ffi_hard_memory *m, ffi_hard_result *result)
{
  ffi_impact_memory *s = ffi_impact_of(m);
  ffi_hard_result frictionless = {0};
  find_groups(m, s);
  memcpy(s->start, m->Lambda, (size_t)m->n * sizeof *s->start);
  set_friction(m, 0);
  ffi_impact_convex(m, &frictionless);
  set_kappa(m, s);
  set_friction(m, 1);
  start_at(m, s->start);
  ffi_impact_convex(m, result);
  const double outside = bound_excess(m, s);
  if (outside > 1 && m->form == FF_HARD_FORM_IMPULSE)
    ffi_interior_point_solve(
        m, &s->interior,
        &(ffi_interior_point_bound){.group = s->group, .kappa = s->kappa, .groups = s->groups}, is_solved,
        result);
  else
    result->excess = fmax(result->excess, outside);
  result->converged = result->excess <= 1 && frictionless.converged;
}
