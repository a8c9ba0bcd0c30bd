// JOR: every block is projected from the last iterate, Moreau paper eq. 16; on G (eq. 12) or on the end velocity
// (eqs 17-19).  docs/theory/hard-solvers.md, section 2
#include "contact/hard/hard_two.h"
#include "contact/hard/prox_relaxation.h"

#include <math.h>
#include <string.h>

// xi at Lambda.
static void evaluate(ffi_hard_memory *m)
{
  if (m->form == FF_HARD_FORM_IMPULSE) {
    ffi_hard_product(m, m->Lambda, m->xi);
    return;
  }
  for (int p = 0; p < m->iterated; ++p)
    ffi_hard_block_xi(m, &m->part[p], m->Lambda + m->part[p].row, m->xi + m->part[p].row);
}

// Without friction every alpha below 2 / lambda converges, lambda the largest eigenvalue of D^-1/2 G D^-1/2. No
// eigenvalue is above the largest row sum; it typically is a third below, and 1.3 times what the row sum allows needed
// the fewest sweeps on random problems.
static double alpha_of_rows(ffi_hard_memory *m)
{
  double largest = 1, *scale = m->next;
  for (int i = 0; i < m->n; ++i)
    scale[i] = sqrt(m->inverse[i]);
  for (int i = 0; i < m->n; ++i) {
    const double *G = m->G + (size_t)i * (size_t)m->stride;
    double sum = 0;
    for (int j = 0; j < m->n; ++j)
      sum += fabs(G[j]) * scale[j];
    sum *= scale[i];
    largest = sum > largest ? sum : largest;
  }
  return 1.3 * 2 / largest;
}

// out = G x over the iterated rows.
static void apply(ffi_hard_memory *m, const double *x, double *out)
{
  if (m->form == FF_HARD_FORM_IMPULSE) {
    ffi_hard_product(m, x, out);
    for (int i = 0; i < m->n; ++i)
      out[i] -= m->c[i];
    return;
  }
  memset(m->u, 0, (size_t)m->problem->nv * sizeof *m->u);
  for (int p = 0; p < m->iterated; ++p)
    ffi_hard_block_push(m, &m->part[p], x + m->part[p].row);
  for (int p = 0; p < m->iterated; ++p) {
    const ffi_hard_part *part = &m->part[p];
    const double *b = m->problem->b + m->problem->block[part->block].row;
    ffi_hard_block_xi(m, part, x + part->row, out + part->row);
    for (int i = 0; i < part->rows; ++i)
      out[part->row + i] -= b[i];
  }
}

// lambda by a few steps of the power method, from a start that is unlikely to be orthogonal by symmetry. It is too
// small by some per cent.
static double alpha_of_powers(ffi_hard_memory *m)
{
  enum { STEPS = 8 };
  double *x = m->next, *y = m->xi, lambda = 1;
  for (int i = 0; i < m->n; ++i)
    y[i] = 1 + 0.5 * ((i * 7919) % 16) / 16;
  for (int step = 0; step <= STEPS; ++step) { // y: the vector times the last lambda
    double square = 0;
    for (int i = 0; i < m->n; ++i)
      square += y[i] * y[i];
    lambda = sqrt(square);
    if (step == STEPS || !(lambda > 0))
      break;
    for (int i = 0; i < m->n; ++i)
      x[i] = y[i] / lambda * sqrt(m->inverse[i]);
    apply(m, x, y);
    for (int i = 0; i < m->n; ++i)
      y[i] *= sqrt(m->inverse[i]);
  }
  if (m->form == FF_HARD_FORM_VELOCITY)
    ffi_hard_velocity(m);
  return 1.8 / (lambda > 1 ? lambda : 1);
}

// A small problem is solved sooner than the power method converges.
static double first_alpha(ffi_hard_memory *m)
{
  enum { SMALL = 24 };
  if (m->def->alpha != 0)
    return m->def->alpha;
  const int is_small = m->form == FF_HARD_FORM_IMPULSE && m->n <= SMALL;
  const double alpha = is_small ? alpha_of_rows(m) : alpha_of_powers(m);
  return alpha < 1 ? alpha : 1;
}

typedef long long flags __attribute__((vector_size(2 * sizeof(long long))));

static inline ffi_hard_two magnitude(ffi_hard_two x)
{
  return (ffi_hard_two)((flags)x & (flags){0x7fffffffffffffffLL, 0x7fffffffffffffffLL});
}

// The test of the paper, |dLambda| <= |Lambda| T_rel + T_abs in every component, and the energy of the change.
static int is_small_change(const ffi_hard_memory *m, double *change)
{
  const double relative = m->def->relative_tolerance;
  const ffi_hard_two rel = {relative, relative};
  flags small = {-1, -1};
  ffi_hard_two energy = {0, 0};
  int i = 0;
  for (; i + 1 < m->n; i += 2) {
    const ffi_hard_two Lambda = *(const ffi_hard_two *)(m->Lambda + i),
                       d = *(const ffi_hard_two *)(m->next + i) - Lambda;
    small &= magnitude(d) <= magnitude(Lambda) * rel + *(const ffi_hard_two *)(m->absolute + i);
    energy += *(const ffi_hard_two *)(m->weight + i) * d * d;
  }
  int is_small = small[0] && small[1];
  double sum = energy[0] + energy[1];
  if (i < m->n) {
    const double d = m->next[i] - m->Lambda[i];
    is_small &= fabs(d) <= fabs(m->Lambda[i]) * relative + m->absolute[i];
    sum += m->weight[i] * d * d;
  }
  *change = sum;
  return is_small;
}

// next = P(Lambda - r xi).
static int project_all(ffi_hard_memory *m, double *change)
{
  for (int p = 0; p < m->iterated; ++p) {
    const int at = m->part[p].row;
    ffi_hard_prox_part(&m->part[p], m->r + at, m->xi + at, m->Lambda + at, m->next + at);
  }
  return is_small_change(m, change);
}

// Updates u in the velocity form; then next becomes Lambda.
static void accept(ffi_hard_memory *m)
{
  if (m->form == FF_HARD_FORM_VELOCITY) {
    for (int p = 0; p < m->iterated; ++p) {
      const ffi_hard_part *part = &m->part[p];
      double change[FFI_HARD_MAX_ROWS];
      for (int i = 0; i < part->rows; ++i)
        change[i] = m->next[part->row + i] - m->Lambda[part->row + i];
      ffi_hard_block_push(m, part, change);
    }
    for (int i = m->n; i < m->n + m->direct; ++i)
      m->next[i] = m->Lambda[i];
  }
  double *swap = m->Lambda;
  m->Lambda = m->next;
  m->next = swap;
  if (m->form == FF_HARD_FORM_VELOCITY && m->direct > 0)
    ffi_hard_direct_correct(m);
}

void ffi_prox_jor(ffi_hard_memory *m, ffi_hard_result *result)
{
  ffi_prox_relaxation relaxation = ffi_prox_relaxation_begin(m, first_alpha(m));
  int pause = 0, wait = 1, goes_on = 1;
  result->iterations = 0;
  while (goes_on && result->iterations < m->def->max_iterations &&
         !ffi_early_stop_found(m->problem->interrupt)) {
    double change;
    int is_moved;
    evaluate(m);
    const int is_small = project_all(m, &change);
    accept(m);
    ++result->iterations;
    m->work += ffi_hard_memory_iteration_work(m);
    if (is_small && --pause < 0) { // verified in growing intervals: with a small alpha the test holds early
      if (ffi_hard_verify(m, result))
        break;
      pause = wait;
      wait = wait < 16 ? 2 * wait : wait;
    }
    goes_on = ffi_prox_relaxation_update(&relaxation, m, change, &is_moved);
    if (is_moved && m->form == FF_HARD_FORM_VELOCITY)
      ffi_hard_velocity(m);
  }
  if (!result->converged)
    ffi_hard_verify(m, result);
  result->alpha = relaxation.alpha;
  result->fallbacks += relaxation.halvings;
}
