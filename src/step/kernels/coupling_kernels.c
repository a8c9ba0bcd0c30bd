// G = W' M^-1 W = Z' D^-1 Z of blocks of rows, from their halves Z = L^-T W: two blocks couple through the velocities that their paths share.
#include "dynamics/joint.h"

#include "step/step_kernels.h"

#include "step/kernels/complex4.h"
#include "step/kernels/step_kernels_variant.h"

#include <stddef.h>

enum { SIX = FFI_HARD_MAX_ROWS };

typedef double lanes2 __attribute__((vector_size(16), aligned(8), may_alias));

// Up to six rows of one block with two fours of another.
typedef struct coupling {
  lanes4 row[SIX][2];
} coupling;

// Do the paths of two blocks meet? Not unless they are in one tree.
FFI_ALWAYS int is_shared(const ffi_step_kernels_half *a, const ffi_step_kernels_half *b)
{
  return a->tree[0] == b->tree[0] || a->tree[0] == b->tree[1] || a->tree[1] == b->tree[0] ||
         a->tree[1] == b->tree[1];
}

// += Z_a Z_b' / D of one velocity, at i of a's and j of b's. `rows` of a and `fours` of b are constants where this is inlined.
FFI_ALWAYS void add_velocity(const ffi_step_kernels_half *a, const ffi_step_kernels_half *b, int rows,
                             int fours, int i, int j, double inverse, coupling *sum)
{
  const lanes4 *Zb = (const lanes4 *)b->Z + j;
  const double *Za = a->Z + 4 * i;
  const lanes4 z = inverse * Zb[0], more = inverse * Zb[fours > 1 ? b->count : 0];
#pragma GCC unroll 6
  for (int r = 0; r < rows; ++r) {
    const double f = Za[r / 4 * 4 * a->count + r % 4];
    sum->row[r][0] += f * z;
    if (fours > 1)
      sum->row[r][1] += f * more;
  }
}

// Rows of a, fours of b, and `width` numbers of each row stored: all constants where this is inlined.
FFI_ALWAYS void couple(const ffi_work *w, const ffi_step_kernels_half *a, const ffi_step_kernels_half *b,
                       int rows, int fours, int width, double *G, int stride)
{
  const int *end = w->model->dof_row + 1;
  const int is_front = a->is_path && b->is_path; // of two paths the front is shared, and nothing behind it
  coupling sum = {{{{0}}}};
  for (int i = 0, j = 0; i < a->count && j < b->count;) {
    const int at = a->path[i], other = b->path[j];
    if (at == other) {
      add_velocity(a, b, rows, fours, i, j, w->M[end[at] - 1], &sum);
      ++i;
      ++j;
    } else if (is_front) {
      break;
    } else {
      i += at < other;
      j += other < at;
    }
  }
#pragma GCC unroll 6
  for (int r = 0; r < rows; ++r, G += stride) {
    *(lanes4 *)G = sum.row[r][0];
    if (width == 8)
      *(lanes4 *)(G + 4) = sum.row[r][1];
    else if (width == 6)
      *(lanes2 *)(G + 4) = (lanes2){sum.row[r][1][0], sum.row[r][1][1]};
  }
}

// Z of one to three rows has lanes for four, zero beyond.
FFI_ALWAYS void couple_rows_of(const ffi_work *w, const ffi_step_kernels_half *a,
                               const ffi_step_kernels_half *b, int fours, int width, double *G, int stride)
{
  switch (a->rows) {
  case 3: couple(w, a, b, 3, fours, width, G, stride); break;
  case 4: couple(w, a, b, 4, fours, width, G, stride); break;
  case 5: couple(w, a, b, 5, fours, width, G, stride); break;
  case 6: couple(w, a, b, 6, fours, width, G, stride); break;
  case 2: couple(w, a, b, 2, fours, width, G, stride); break;
  default: couple(w, a, b, 1, fours, width, G, stride);
  }
}

// ---- As a matrix -------------------------------------------------------------------------------------------

FFI_ALWAYS void couple_pair(const ffi_work *w, const ffi_step_kernels_half *a, const ffi_step_kernels_half *b,
                            double *G, int stride)
{
  double *at = G + (ptrdiff_t)a->row * stride + b->row;
  if (!is_shared(a, b))
    for (int r = 0; r < a->rows; ++r, at += stride)
      for (int j = 0; j < b->rows; ++j)
        at[j] = 0;
  else if (b->rows <= 4)
    couple_rows_of(w, a, b, 1, 4, at, stride);
  else
    couple_rows_of(w, a, b, 2, 8, at, stride);
}

// Rows of the lower half are stored by fours: what goes beyond a block is overwritten by the next one, or is padding.
void FFI_KERNEL(couple_rows)(const ffi_work *w, int blocks, const ffi_step_kernels_half *half, double *G,
                             int stride)
{
  int n = 0;
  for (int p = 0; p < blocks; ++p) {
    for (int o = 0; o <= p; ++o)
      couple_pair(w, &half[p], &half[o], G, stride);
    n = half[p].row + half[p].rows;
  }
  for (ptrdiff_t i = 0; i < n; ++i)
    for (ptrdiff_t j = i + 1; j < n; ++j)
      G[i * stride + j] = G[j * stride + i];
}

// ---- As blocks ---------------------------------------------------------------------------------------------

int FFI_KERNEL(couple_blocks)(const ffi_work *w, int blocks, const ffi_step_kernels_half *half,
                              ffi_hard_link *link)
{
  int count = 0;
  for (int p = 0; p < blocks; ++p)
    for (int o = 0; o <= p; ++o) {
      if (!is_shared(&half[p], &half[o]))
        continue;
      link[count].a = p;
      link[count].b = o;
      if (half[o].rows <= 4)
        couple_rows_of(w, &half[p], &half[o], 1, SIX, link[count++].G, SIX);
      else
        couple_rows_of(w, &half[p], &half[o], 2, SIX, link[count++].G, SIX);
    }
  return count;
}
