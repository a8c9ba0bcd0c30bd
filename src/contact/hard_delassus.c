// G = W' M^-1 W from the blocks' rows: only between blocks that share velocities.      Moreau paper eq. 15
#include "contact/hard_work.h"

#include <string.h>

void ffi_hard_place(const ffi_hard_block *block, int *place)
{
  for (int k = 0; k < block->reach; ++k)
    place[block->reached[k]] = k;
}

void ffi_hard_unplace(const ffi_hard_block *block, int *place)
{
  for (int k = 0; k < block->reach; ++k)
    place[block->reached[k]] = -1;
}

// Two contacts, all in registers: the sum over a's columns of the outer product of W_a's and Y_b's columns.
static int pair3(const ffi_hard_block *a, const ffi_hard_block *b, const int *restrict place,
                 double *restrict out, int stride)
{
  const int columns = a->columns, reach = b->reach;
  const double *restrict W0 = a->W, *restrict W1 = W0 + columns, *restrict W2 = W1 + columns;
  const double *restrict Y0 = b->Y, *restrict Y1 = Y0 + reach, *restrict Y2 = Y1 + reach;
  double xx = 0, xy = 0, xz = 0, yx = 0, yy = 0, yz = 0, zx = 0, zy = 0, zz = 0;
  int shared = 0;
  for (int k = 0; k < columns; ++k) {
    const int at = place[a->dof[k]];
    if (at < 0)
      continue;
    shared = 1;
    const double y0 = Y0[at], y1 = Y1[at], y2 = Y2[at], w0 = W0[k], w1 = W1[k], w2 = W2[k];
    xx += w0 * y0, xy += w0 * y1, xz += w0 * y2;
    yx += w1 * y0, yy += w1 * y1, yz += w1 * y2;
    zx += w2 * y0, zy += w2 * y1, zz += w2 * y2;
  }
  if (!shared)
    return 0;
  out[0] = xx, out[1] = xy, out[2] = xz;
  out += stride;
  out[0] = yx, out[1] = yy, out[2] = yz;
  out += stride;
  out[0] = zx, out[1] = zy, out[2] = zz;
  return 1;
}

int ffi_hard_pair(const ffi_hard_block *a, const ffi_hard_block *b, const int *place, double *out, int stride)
{
  if (a->rows == 3 && b->rows == 3)
    return pair3(a, b, place, out, stride);
  double g[FFI_HARD_MAX_ROWS * FFI_HARD_MAX_ROWS] = {0};
  int shared = 0;
  for (int k = 0; k < a->columns; ++k) {
    const int at = place[a->dof[k]];
    if (at < 0)
      continue;
    shared = 1;
    for (int i = 0; i < a->rows; ++i)
      for (int j = 0; j < b->rows; ++j)
        g[FFI_HARD_MAX_ROWS * i + j] += a->W[i * a->columns + k] * b->Y[j * b->reach + at];
  }
  for (int i = 0; shared && i < a->rows; ++i)
    memcpy(out + (size_t)i * (size_t)stride, g + FFI_HARD_MAX_ROWS * i, (size_t)b->rows * sizeof *g);
  return shared;
}

void ffi_hard_rest(ffi_hard_memory *m)
{
  const double *restrict u = m->problem->u_free;
  for (int p = 0; p < m->part_count; ++p) {
    const ffi_hard_block *block = &m->problem->block[m->part[p].block];
    for (int i = 0; i < block->rows; ++i) {
      const double *restrict W = block->W + i * block->columns;
      double sum = m->problem->b[block->row + i];
      for (int k = 0; k < block->columns; ++k)
        sum += W[k] * u[block->dof[k]];
      m->c[m->part[p].row + i] = sum;
    }
  }
}

// The caller's G, in our order, which most often is the caller's too.
static void copy_given(ffi_hard_memory *m, int first, int n)
{
  const int *restrict source = m->source + first;
  for (int i = 0; i < n; ++i) {
    const double *restrict from = m->problem->G + (size_t)source[i] * (size_t)m->problem->G_stride;
    double *restrict to = m->G + (size_t)i * (size_t)m->stride;
    if (!m->is_in_order)
      for (int j = 0; j < n; ++j)
        to[j] = from[source[j]];
    else
      for (int j = 0; j < n; ++j)
        to[j] = from[j];
  }
}

// Columns of part p: from parts `from` .. p, and the mirror image.
static void form_columns(ffi_hard_memory *m, int from, int p)
{
  const size_t stride = (size_t)m->stride;
  const int first = m->part[from].row;
  const ffi_hard_part *b = &m->part[p];
  double *column = m->G + b->row - first, *row = m->G + (size_t)(b->row - first) * stride;
  for (int o = from; o <= p; ++o) {
    const ffi_hard_part *a = &m->part[o];
    double *G = column + (size_t)(a->row - first) * stride;
    if (!ffi_hard_pair(&m->problem->block[a->block], &m->problem->block[b->block], m->place, G, m->stride))
      for (int i = 0; i < a->rows; ++i)
        memset(G + (size_t)i * stride, 0, (size_t)b->rows * sizeof *G);
    for (int i = 0; i < a->rows; ++i)
      for (int j = o == p ? i + 1 : 0; j < b->rows; ++j)
        row[(size_t)j * stride + (size_t)(a->row - first + i)] = G[(size_t)i * stride + (size_t)j];
  }
}

static void keep_diagonal(ffi_hard_memory *m, int row, double g)
{
  const int from = m->source[row];
  m->weight[row] = m->diagonal[from] = g + (m->problem->softness ? m->problem->softness[from] : 0);
}

void ffi_hard_delassus(ffi_hard_memory *m, int from)
{
  if (from == m->part_count)
    return;
  const int first = m->part[from].row, n = m->n + m->direct - first;
  m->stride = (n + 3) / 4 * 4;
  const size_t stride = (size_t)m->stride;
  if (m->problem->G)
    copy_given(m, first, n);
  else
    for (int p = from; p < m->part_count; ++p) {
      const ffi_hard_block *block = &m->problem->block[m->part[p].block];
      const ffi_hard_block *next = p + 1 < m->part_count ? &m->problem->block[m->part[p + 1].block] : block;
      if (p == from)
        ffi_hard_place(block, m->place);
      form_columns(m, from, p);
      if (p + 1 < m->part_count && block->reached == next->reached && block->reach == next->reach)
        continue; // of the same tree
      ffi_hard_unplace(block, m->place);
      if (p + 1 < m->part_count)
        ffi_hard_place(next, m->place);
    }
  for (int i = 0; i < n; ++i) {
    double *G = m->G + (size_t)i * stride;
    keep_diagonal(m, first + i, G[i]);
    G[i] = m->weight[first + i];
    for (int j = n; j < m->stride; ++j)
      G[j] = 0;
  }
}

void ffi_hard_diagonal(ffi_hard_memory *m)
{
  double g[FFI_HARD_MAX_ROWS * FFI_HARD_MAX_ROWS];
  for (int p = 0; p < m->part_count; ++p) {
    const ffi_hard_block *block = &m->problem->block[m->part[p].block];
    ffi_hard_place(block, m->place);
    const int is_moved = ffi_hard_pair(block, block, m->place, g, FFI_HARD_MAX_ROWS);
    ffi_hard_unplace(block, m->place);
    for (int i = 0; i < block->rows; ++i)
      keep_diagonal(m, m->part[p].row + i, is_moved ? g[FFI_HARD_MAX_ROWS * i + i] : 0);
  }
}
