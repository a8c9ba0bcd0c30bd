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

typedef double two __attribute__((vector_size(2 * sizeof(double)), aligned(sizeof(double)), may_alias));

// Any two blocks; inlined for the usual numbers of rows, so that sums stay in registers.
static inline __attribute__((always_inline)) int pair(int rows_a, int rows_b, const ffi_hard_block *a,
                                                      const ffi_hard_block *b, const int *restrict place,
                                                      double *restrict out, int stride)
{
  enum { TWOS = FFI_HARD_MAX_ROWS / 2 };
  const int columns = a->columns, reach = b->reach;
  two g[FFI_HARD_MAX_ROWS][TWOS] = {{{0}}};
  int shared = 0;
  for (int k = 0; k < columns; ++k) {
    const int at = place[a->dof[k]];
    if (at < 0)
      continue;
    shared = 1;
    const double *Y = b->Y + at, *W = a->W + k;
    double y[FFI_HARD_MAX_ROWS] = {0};
    for (int j = 0; j < rows_b; ++j)
      y[j] = Y[j * reach];
    const two y0 = {y[0], y[1]}, y1 = {y[2], y[3]}, y2 = {y[4], y[5]};
    for (int i = 0; i < rows_a; ++i) {
      const two w = {W[i * columns], W[i * columns]};
      g[i][0] += w * y0;
      g[i][1] += w * y1;
      g[i][2] += w * y2;
    }
  }
  for (int i = 0; shared && i < rows_a; ++i)
    for (int j = 0; j < rows_b; ++j)
      out[(size_t)i * (size_t)stride + (size_t)j] = g[i][j / 2][j % 2];
  return shared;
}

int ffi_hard_pair(const ffi_hard_block *a, const ffi_hard_block *b, const int *place, double *out, int stride)
{
  if (a->rows == 3 && b->rows == 3)
    return pair3(a, b, place, out, stride);
  if (a->rows == 5 && b->rows == 5)
    return pair(5, 5, a, b, place, out, stride);
  if (a->rows == 3 && b->rows == 5)
    return pair(3, 5, a, b, place, out, stride);
  if (a->rows == 1)
    return pair(1, b->rows, a, b, place, out, stride);
  return pair(a->rows, b->rows, a, b, place, out, stride);
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

// The caller's G, in our order, which most often is the caller's too. Elimination needs the lower triangle only.
static void copy_given(ffi_hard_memory *m, int first, int n)
{
  const int *restrict source = m->source + first;
  for (int i = 0; i < n; ++i) {
    const double *restrict from = m->problem->G + (size_t)source[i] * (size_t)m->problem->G_stride;
    double *restrict to = m->G + (size_t)i * (size_t)m->stride;
    const int end = m->direct > 0 ? i + 1 : n;
    if (m->is_in_order)
      for (int j = 0; j < end; ++j)
        to[j] = from[j];
    else
      for (int j = 0; j < end; ++j)
        to[j] = from[source[j]];
  }
}

// Columns of part p: from parts `from` .. p, and the mirror image. What is not shared is zero already.
static void form_columns(ffi_hard_memory *m, int from, int p)
{
  const size_t stride = (size_t)m->stride;
  const int first = m->part[from].row;
  const ffi_hard_part *b = &m->part[p];
  double *column = m->G + b->row - first, *row = m->G + (size_t)(b->row - first) * stride;
  for (int o = from; o <= p; ++o) {
    const ffi_hard_part *a = &m->part[o];
    double *G = column + (size_t)(a->row - first) * stride;
    const int is_shared =
        ffi_hard_pair(&m->problem->block[a->block], &m->problem->block[b->block], m->place, G, m->stride);
    if (m->direct > 0)
      ffi_direct_link(m, from, o, p, is_shared);
    for (int i = 0; is_shared && i < a->rows; ++i)
      for (int j = o == p ? i + 1 : 0; j < b->rows; ++j)
        row[(size_t)j * stride + (size_t)(a->row - first + i)] = G[(size_t)i * stride + (size_t)j];
  }
}

// From the blocks' W and Y; neighbours of the same tree keep their places.
static void form(ffi_hard_memory *m, int from, int n)
{
  memset(m->G, 0, (size_t)n * (size_t)m->stride * sizeof *m->G);
  const ffi_hard_block *placed = NULL;
  for (int p = from; p < m->part_count; ++p) {
    const ffi_hard_block *block = &m->problem->block[m->part[p].block];
    if (!placed || placed->reached != block->reached || placed->reach != block->reach) {
      if (placed)
        ffi_hard_unplace(placed, m->place);
      ffi_hard_place(block, m->place);
      placed = block;
    }
    form_columns(m, from, p);
  }
  if (placed)
    ffi_hard_unplace(placed, m->place);
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
    form(m, from, n);
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
