// Gauss-Seidel sweeps, each block's law solved exactly.    docs/theory/hard-solvers.md section 5
#include "contact/hard/hard_local.h"
#include "contact/hard/hard_memory.h"

#include <string.h>

void ffi_hard_sweep_begin(ffi_hard_memory *m)
{
  double g[FFI_HARD_MAX_ROWS * FFI_HARD_MAX_ROWS] = {0};
  for (int p = 0; p < m->iterated; ++p) {
    const ffi_hard_block *block = &m->problem->block[m->part[p].block];
    double *K = m->own + (size_t)p * FFI_HARD_MAX_ROWS * FFI_HARD_MAX_ROWS;
    ffi_hard_delassus_place(block, m->place);
    const int is_moved = ffi_hard_delassus_pair(block, block, m->place, g, block->rows);
    ffi_hard_delassus_unplace(block, m->place);
    for (int i = 0; i < block->rows; ++i) {
      for (int j = 0; j < block->rows; ++j)
        K[i * block->rows + j] = is_moved ? g[i * block->rows + j] : 0;
      K[i * block->rows + i] = m->weight[m->part[p].row + i];
    }
  }
}

static void own_of_G(const ffi_hard_memory *m, const ffi_hard_part *part, double *K)
{
  for (int i = 0; i < part->rows; ++i)
    memcpy(K + i * part->rows, m->G + (size_t)(part->row + i) * (size_t)m->stride + part->row,
           (size_t)part->rows * sizeof *K);
}

// xi of one part at Lambda.
static void evaluate_xi(const ffi_hard_memory *m, const ffi_hard_part *part, double *xi)
{
  if (m->form == FF_HARD_FORM_VELOCITY) {
    ffi_hard_block_xi(m, part, m->Lambda + part->row, xi);
    return;
  }
  for (int i = 0; i < part->rows; ++i) {
    const double *G = m->G + (size_t)(part->row + i) * (size_t)m->stride;
    double sum = m->c[part->row + i];
    for (int j = 0; j < m->n; ++j)
      sum += G[j] * m->Lambda[j];
    xi[i] = sum;
  }
}

int ffi_hard_sweep(ffi_hard_memory *m)
{
  const double relative = m->def->relative_tolerance;
  int is_small = 1;
  m->work += ffi_hard_memory_iteration_work(m);
  for (int p = 0; p < m->iterated; ++p) {
    const ffi_hard_part *part = &m->part[p];
    double *Lambda = m->Lambda + part->row, room[FFI_HARD_MAX_ROWS * FFI_HARD_MAX_ROWS], q[FFI_HARD_MAX_ROWS],
           x[FFI_HARD_MAX_ROWS];
    const double *K =
        m->form == FF_HARD_FORM_VELOCITY ? m->own + (size_t)p * FFI_HARD_MAX_ROWS * FFI_HARD_MAX_ROWS : room;
    if (K == room)
      own_of_G(m, part, room);
    evaluate_xi(m, part, q);
    for (int i = 0; i < part->rows; ++i)
      for (int j = 0; j < part->rows; ++j)
        q[i] -= K[i * part->rows + j] * Lambda[j];
    memcpy(x, Lambda, (size_t)part->rows * sizeof *x);
    ffi_hard_local(part, K, q, x);
    for (int i = 0; i < part->rows; ++i) {
      const double change = x[i] - Lambda[i];
      is_small &= fabs(change) <= fabs(Lambda[i]) * relative + m->absolute[part->row + i];
      Lambda[i] = x[i];
      x[i] = change;
    }
    if (m->form == FF_HARD_FORM_VELOCITY)
      ffi_hard_block_push(m, part, x);
  }
  if (m->form == FF_HARD_FORM_VELOCITY && m->direct > 0)
    ffi_hard_direct_correct(m);
  return is_small;
}

int ffi_hard_sweep_repeat(ffi_hard_memory *m, int count, ffi_hard_result *result)
{
  int pause = 0, wait = 1;
  for (int k = 0; k < count && !ffi_early_stop_found(m->problem->interrupt); ++k) {
    ++result->iterations;
    if (!ffi_hard_sweep(m) || --pause >= 0)
      continue;
    if (ffi_hard_verify(m, result))
      return 1;
    pause = wait;
    wait = wait < 16 ? 2 * wait : wait;
  }
  return 0;
}
