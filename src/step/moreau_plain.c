// Block Gauss-Seidel on the end velocity, until contact/hard.c is there.
#include "contact/hard.h"

#include <math.h>

struct ffi_hard_memory {
  double *diagonal;
};

__attribute__((weak)) ffi_hard_memory *ffi_hard_layout(int max_nv, int max_rows, int max_blocks,
                                                       ffi_block *block)
{
  (void)max_nv, (void)max_blocks;
  ffi_hard_memory *m = ffi_block_take(block, 1, sizeof *m);
  double *diagonal = ffi_block_take(block, (size_t)max_rows, sizeof *diagonal);
  if (m)
    m->diagonal = diagonal;
  return m;
}

static double row_times(const ffi_hard_block *b, int r, const double *u)
{
  double sum = 0;
  for (int k = 0; k < b->columns; ++k)
    sum += b->W[r * b->columns + k] * u[b->dof[k]];
  return sum;
}

__attribute__((weak)) void ffi_hard_solve(const ff_moreau_def *def, const ffi_hard *p, ffi_hard_memory *m,
                                          ffi_hard_result *result)
{
  *result = (ffi_hard_result){.alpha = 1};
  memcpy(p->u, p->u_free, (size_t)p->nv * sizeof *p->u);
  for (int k = 0; k < p->block_count; ++k) {
    const ffi_hard_block *b = &p->block[k];
    for (int r = 0; r < b->rows; ++r) {
      double d = p->softness[b->row + r];
      for (int i = 0, j = 0; i < b->columns; ++i) {
        while (b->reached[j] < b->dof[i])
          ++j;
        d += b->W[r * b->columns + i] * b->Y[r * b->reach + j];
      }
      m->diagonal[b->row + r] = d;
      for (int j = 0; j < b->reach; ++j)
        p->u[b->reached[j]] += b->Y[r * b->reach + j] * p->impulse[b->row + r];
    }
  }
  double change = 1;
  for (int it = 0; it < def->max_iterations && change > 0; ++it) {
    change = 0;
    for (int k = 0; k < p->block_count; ++k) {
      const ffi_hard_block *b = &p->block[k];
      double *L = p->impulse + b->row, next[6];
      for (int part = 0; part < 2; ++part) {
        const int from = b->law == FFI_HARD_LAW_CONTACT ? (part == 0 ? 2 : 0) : part == 0 ? 0 : b->rows;
        const int to = b->law == FFI_HARD_LAW_CONTACT ? (part == 0 ? 3 : 2) : b->rows;
        for (int r = from; r < to; ++r) {
          const int row = b->row + r;
          double d = m->diagonal[row];
          if (b->law == FFI_HARD_LAW_CONTACT && r < 2)
            d = fmax(m->diagonal[b->row], m->diagonal[b->row + 1]);
          if (b->law == FFI_HARD_LAW_BILATERAL)
            d *= 1.5;
          p->xi[row] = row_times(b, r, p->u) + p->b[row] + p->softness[row] * L[r];
          next[r] = d > 0 ? L[r] - p->xi[row] / d : L[r];
          if (b->law == FFI_HARD_LAW_STOP || (b->law == FFI_HARD_LAW_CONTACT && r == 2))
            next[r] = fmax(0, next[r]);
          if (b->law == FFI_HARD_LAW_DRY)
            next[r] = fmin(b->bound, fmax(-b->bound, next[r]));
        }
        if (b->law == FFI_HARD_LAW_CONTACT && part == 1) {
          const double size = hypot(next[0], next[1]), rim = b->mu * L[2];
          for (int r = 0; r < 2 && size > rim; ++r)
            next[r] *= rim / size;
        }
        for (int r = from; r < to; ++r) {
          const double by = next[r] - L[r];
          if (fabs(by) > def->absolute_tolerance * 1e-3 + def->relative_tolerance * 1e-3 * fabs(L[r]))
            change = 1;
          L[r] = next[r];
          for (int j = 0; j < b->reach; ++j)
            p->u[b->reached[j]] += b->Y[r * b->reach + j] * by;
        }
      }
    }
    result->iterations = it + 1;
  }
  result->converged = change == 0;
}
