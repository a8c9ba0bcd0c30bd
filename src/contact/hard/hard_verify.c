// What the caller gets is judged by what the caller gets: Lambda in the problem's order, and xi from its own W, Y or G, whatever the solver worked with.
#include "contact/hard/hard_memory.h"

#include <string.h>

enum { SIX = FFI_HARD_MAX_ROWS, TWOS = SIX / 2 };

typedef double two __attribute__((vector_size(2 * sizeof(double)), aligned(sizeof(double)), may_alias));

// xi_a += G_ab x_b and, if they are two, xi_b += G_ab' x_a; all [6], zeros beyond b's rows added to others' numbers.
static void add_link(const ffi_hard_link *link, int rows, const double *x_a, const double *x_b, double *xi_a,
                     double *xi_b)
{
  const two *G = (const two *)link->G, *x = (const two *)x_b;
  two across[TWOS] = {{0}};
  for (int r = 0; r < rows; ++r, G += TWOS) {
    const two sum = G[0] * x[0] + G[1] * x[1] + G[2] * x[2], f = {x_a[r], x_a[r]};
    xi_a[r] += sum[0] + sum[1];
    across[0] += f * G[0];
    across[1] += f * G[1];
    across[2] += f * G[2];
  }
  two *to = (two *)xi_b;
  for (int i = 0; i < TWOS && link->a != link->b; ++i)
    to[i] += across[i];
}

// To m->xi, which has c + R Lambda.
static void add_links(ffi_hard_memory *m)
{
  const ffi_hard *problem = m->problem;
  for (int k = 0; k < problem->link_count; ++k) {
    const ffi_hard_link *link = &problem->link[k];
    const ffi_hard_part *a = &m->part[m->part_of[link->a]], *b = &m->part[m->part_of[link->b]];
    add_link(link, a->rows, m->Lambda + a->row, m->Lambda + b->row, m->xi + a->row, m->xi + b->row);
  }
}

static void add_matrix(ffi_hard_memory *m)
{
  const ffi_hard *problem = m->problem;
  for (int i = 0; i < m->n + m->direct; ++i) {
    const double *G = problem->G + (size_t)m->source[i] * (size_t)problem->G_stride;
    double sum = 0;
    for (int j = 0; j < m->n + m->direct; ++j)
      sum += G[m->source[j]] * m->Lambda[j];
    m->xi[i] += sum;
  }
}

// xi of all rows where Y is not known: from the caller's G. If rows were eliminated, G and c of ours are no longer those of the problem.
static void xi_from_given(ffi_hard_memory *m)
{
  const ffi_hard *problem = m->problem;
  const int rows = m->n + m->direct;
  if (m->direct == 0) {
    ffi_hard_product(m, m->Lambda, m->xi);
  } else {
    for (int i = 0; i < rows; ++i)
      m->xi[i] = m->rest[i] + (problem->softness ? problem->softness[m->source[i]] * m->Lambda[i] : 0);
    if (problem->link)
      add_links(m);
    else
      add_matrix(m);
  }
  for (int i = 0; i < rows; ++i)
    problem->xi[m->source[i]] = m->xi[i];
}

static void xi_from_velocity(ffi_hard_memory *m)
{
  for (int p = 0; p < m->part_count; ++p)
    ffi_hard_block_xi(m, &m->part[p], m->Lambda + m->part[p].row,
                      m->problem->xi + m->problem->block[m->part[p].block].row);
}

void ffi_hard_verify_evaluate(ffi_hard_memory *m)
{
  if (ffi_hard_is_given(m->problem)) {
    xi_from_given(m);
    return;
  }
  ffi_hard_velocity(m);
  xi_from_velocity(m);
}

void ffi_hard_verify_write(ffi_hard_memory *m)
{
  const ffi_hard *problem = m->problem;
  const int has_velocity = !ffi_hard_is_given(problem);
  if (m->form == FF_HARD_FORM_IMPULSE && m->direct > 0)
    ffi_hard_direct_recover(m);
  if (has_velocity) {
    ffi_hard_velocity(m);
    if (m->form == FF_HARD_FORM_VELOCITY && m->direct > 0)
      ffi_hard_direct_correct(m);
    memcpy(problem->u, m->u, (size_t)problem->nv * sizeof *m->u);
  }
  for (int i = 0; i < m->n + m->direct; ++i)
    problem->impulse[m->source[i]] = m->Lambda[i];
  if (has_velocity)
    xi_from_velocity(m);
  else
    xi_from_given(m);
}

int ffi_hard_verify(ffi_hard_memory *m, ffi_hard_result *result)
{
  ffi_hard_verify_write(m);
  ffi_hard_residual_evaluate(m->problem, m->diagonal, m->def->relative_tolerance, m->def->absolute_tolerance,
                             result);
  return result->converged;
}
