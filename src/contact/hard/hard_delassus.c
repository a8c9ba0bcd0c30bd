// G = W' M^-1 W from the blocks' rows: only between blocks that share velocities.      Moreau paper eq. 15
#include "contact/hard/hard_memory.h"

#include <string.h>

void ffi_hard_delassus_place(const ffi_hard_block *block, int *place)
{
  for (int k = 0; k < block->reach; ++k)
    place[block->reached[k]] = k;
}

void ffi_hard_delassus_unplace(const ffi_hard_block *block, int *place)
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

int ffi_hard_delassus_pair(const ffi_hard_block *a, const ffi_hard_block *b, const int *place, double *out,
                           int stride)
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

void ffi_hard_delassus_rest(ffi_hard_memory *m)
{
  for (int p = 0; p < m->part_count; ++p) {
    const ffi_hard_block *block = &m->problem->block[m->part[p].block];
    for (int i = 0; i < block->rows; ++i)
      m->c[m->part[p].row + i] = ffi_hard_rest_row(m->problem, block, i);
  }
}

// ---- As a matrix ------------------------------------------------------------------------------------------

// The caller's G, in our order, which most often is the caller's too.
static void copy_matrix(ffi_hard_memory *m, int n)
{
  const int *restrict source = m->source;
  for (int i = 0; i < n; ++i) {
    const double *restrict from = m->problem->G + (size_t)source[i] * (size_t)m->problem->G_stride;
    double *restrict to = m->G + (size_t)i * (size_t)m->stride;
    if (m->is_in_order)
      for (int j = 0; j < n; ++j)
        to[j] = from[j];
    else
      for (int j = 0; j < n; ++j)
        to[j] = from[source[j]];
  }
}

static void copy_links(ffi_hard_memory *m, int n)
{
  const size_t stride = (size_t)m->stride;
  memset(m->G, 0, (size_t)n * stride * sizeof *m->G);
  for (int k = 0; k < m->problem->link_count; ++k) {
    const ffi_hard_link *link = &m->problem->link[k];
    const ffi_hard_part *a = &m->part[m->part_of[link->a]], *b = &m->part[m->part_of[link->b]];
    for (int r = 0; r < a->rows; ++r)
      for (int c = 0; c < b->rows; ++c)
        m->G[(size_t)(a->row + r) * stride + (size_t)(b->row + c)] =
            m->G[(size_t)(b->row + c) * stride + (size_t)(a->row + r)] = link->G[FFI_HARD_MAX_ROWS * r + c];
  }
}

// Columns of part p: from parts 0 .. p, and the mirror image. What is not shared is zero already.
static void form_columns(ffi_hard_memory *m, int p)
{
  const size_t stride = (size_t)m->stride;
  const ffi_hard_part *b = &m->part[p];
  double *column = m->G + b->row, *row = m->G + (size_t)b->row * stride;
  for (int o = 0; o <= p; ++o) {
    const ffi_hard_part *a = &m->part[o];
    double *G = column + (size_t)a->row * stride;
    const int is_shared = ffi_hard_delassus_pair(&m->problem->block[a->block], &m->problem->block[b->block],
                                                 m->place, G, m->stride);
    for (int i = 0; is_shared && i < a->rows; ++i)
      for (int j = o == p ? i + 1 : 0; j < b->rows; ++j)
        row[(size_t)j * stride + (size_t)(a->row + i)] = G[(size_t)i * stride + (size_t)j];
  }
}

// ---- As blocks for elimination ----------------------------------------------------------------------------

// Zeros beyond the columns, and, if there is anything but zeros, the link. A block that nothing moves has zeros of its own.
static void finish_pair(ffi_hard_memory *m, int o, int p, int is_shared, double *G)
{
  for (int r = 0; is_shared && r < m->part[o].rows; ++r)
    for (int c = m->part[p].rows; c < FFI_HARD_MAX_ROWS; ++c)
      G[FFI_HARD_MAX_ROWS * r + c] = 0;
  if (is_shared)
    ffi_hard_direct_link(m, o, p);
  else if (o == p)
    memset(G, 0, FFI_HARD_MAX_ROWS * FFI_HARD_MAX_ROWS * sizeof *G);
}

static void pairs_of_matrix(ffi_hard_memory *m, int p)
{
  const ffi_hard_part *b = &m->part[p];
  for (int o = p; o < m->part_count; ++o) {
    const ffi_hard_part *a = &m->part[o];
    double *G = ffi_hard_direct_block(m, o, p);
    int is_shared = o == p;
    for (int r = 0; r < a->rows; ++r) {
      const double *from = m->problem->G + (size_t)m->source[a->row + r] * (size_t)m->problem->G_stride;
      for (int c = 0; c < b->rows; ++c) {
        const double g = G[FFI_HARD_MAX_ROWS * r + c] = from[m->source[b->row + c]];
        is_shared |= g != 0;
      }
    }
    finish_pair(m, o, p, is_shared, G);
  }
}

static void pairs_of_rows(ffi_hard_memory *m, int p)
{
  const ffi_hard_block *b = &m->problem->block[m->part[p].block];
  for (int o = p; o < m->part_count; ++o) {
    double *G = ffi_hard_direct_block(m, o, p);
    const int is_shared =
        ffi_hard_delassus_pair(&m->problem->block[m->part[o].block], b, m->place, G, FFI_HARD_MAX_ROWS);
    finish_pair(m, o, p, is_shared, G);
  }
}

static void pairs_of_links(ffi_hard_memory *m)
{
  for (int k = 0; k < m->problem->link_count; ++k) {
    const ffi_hard_link *link = &m->problem->link[k];
    const int a = m->part_of[link->a], b = m->part_of[link->b];
    ffi_hard_direct_link(m, a, b);
    if (a >= b) {
      memcpy(ffi_hard_direct_block(m, a, b), link->G, sizeof link->G);
      continue;
    }
    double *G = ffi_hard_direct_block(m, b, a);
    for (int r = 0; r < FFI_HARD_MAX_ROWS; ++r)
      for (int c = 0; c < FFI_HARD_MAX_ROWS; ++c)
        G[FFI_HARD_MAX_ROWS * r + c] = c < m->part[a].rows ? link->G[FFI_HARD_MAX_ROWS * c + r] : 0;
  }
}

// ---- Either -----------------------------------------------------------------------------------------------

// From the blocks' W and Y; neighbours of the same tree keep their places.
static void form(ffi_hard_memory *m, int from, void (*form_part)(ffi_hard_memory *m, int p))
{
  const ffi_hard_block *placed = NULL;
  for (int p = from; p < m->part_count; ++p) {
    const ffi_hard_block *block = &m->problem->block[m->part[p].block];
    if (!placed || placed->reached != block->reached || placed->reach != block->reach) {
      if (placed)
        ffi_hard_delassus_unplace(placed, m->place);
      ffi_hard_delassus_place(block, m->place);
      placed = block;
    }
    form_part(m, p);
  }
  if (placed)
    ffi_hard_delassus_unplace(placed, m->place);
}

static void keep_diagonal(ffi_hard_memory *m, int row, double g)
{
  const int from = m->source[row];
  m->weight[row] = m->diagonal[from] = g + (m->problem->softness ? m->problem->softness[from] : 0);
}

static void make_matrix(ffi_hard_memory *m)
{
  const int n = m->n;
  m->stride = (n + 3) / 4 * 4;
  if (m->problem->G) {
    copy_matrix(m, n);
  } else if (m->problem->link) {
    copy_links(m, n);
  } else {
    memset(m->G, 0, (size_t)n * (size_t)m->stride * sizeof *m->G);
    form(m, 0, form_columns);
  }
  for (int i = 0; i < n; ++i) {
    double *G = m->G + (size_t)i * (size_t)m->stride;
    keep_diagonal(m, i, G[i]);
    G[i] = m->weight[i];
    for (int j = n; j < m->stride; ++j)
      G[j] = 0;
  }
}

static void make_pairs(ffi_hard_memory *m, int from)
{
  ffi_hard_direct_begin(m, from);
  if (m->problem->G)
    for (int p = from; p < m->part_count; ++p)
      pairs_of_matrix(m, p);
  else if (m->problem->link)
    pairs_of_links(m);
  else
    form(m, from, pairs_of_rows);
  for (int p = from; p < m->part_count; ++p) {
    double *G = ffi_hard_direct_block(m, p, p);
    for (int i = 0; i < m->part[p].rows; ++i, G += FFI_HARD_MAX_ROWS + 1) {
      keep_diagonal(m, m->part[p].row + i, *G);
      *G = m->weight[m->part[p].row + i];
    }
  }
}

void ffi_hard_delassus(ffi_hard_memory *m, int from)
{
  if (m->direct > 0)
    make_pairs(m, from);
  else
    make_matrix(m);
}

void ffi_hard_delassus_diagonal(ffi_hard_memory *m)
{
  double g[FFI_HARD_MAX_ROWS * FFI_HARD_MAX_ROWS];
  for (int p = 0; p < m->part_count; ++p) {
    const ffi_hard_block *block = &m->problem->block[m->part[p].block];
    ffi_hard_delassus_place(block, m->place);
    const int is_moved = ffi_hard_delassus_pair(block, block, m->place, g, FFI_HARD_MAX_ROWS);
    ffi_hard_delassus_unplace(block, m->place);
    for (int i = 0; i < block->rows; ++i)
      keep_diagonal(m, m->part[p].row + i, is_moved ? g[FFI_HARD_MAX_ROWS * i + i] : 0);
  }
}
