// Bilateral impulses without iteration, Moreau paper eq. 20: their rows are eliminated from G by a block L D L'.
//
// Cut joints couple only with joints of the same body, so G is sparse as the robot's tree is. The part with the fewest neighbours goes first (the
// leaves of a tree), and only blocks that are not zero are touched: a tree fills in nothing but the cliques of bodies with many joints. Iterated
// parts take part as neighbours that never become pivots; what is left of them is G_U, reduced.
//
// Redundant rows (a closed loop counted twice) leave pivots that are zero but for rounding: they get no impulse, and the others carry the load.
// xi of such a row is zero anyway if the rows are consistent; if they are not, the residual says so.
#include "contact/hard_work.h"

#include <string.h>

enum { SIX = FFI_HARD_MAX_ROWS, BLOCK = SIX * SIX };

// A pivot below this share of the row's own diagonal is rounding. Honest pivots are not smaller than the ratio of the lightest to the heaviest mass.
static const double null_pivot = 1e-12;

// Block (i, k) of G, of which the lower triangle (i > k) is kept: out [rows i][SIX].
static void read_block(const ffi_hard_memory *m, int i, int k, double *restrict out)
{
  const ffi_hard_part *a = &m->part[i], *b = &m->part[k];
  const size_t stride = (size_t)m->stride, row = (size_t)(a->row - m->pivots.base),
               column = (size_t)(b->row - m->pivots.base);
  if (i > k) {
    const double *restrict G = m->G + row * stride + column;
    for (int r = 0; r < a->rows; ++r, G += stride)
      for (int c = 0; c < b->rows; ++c)
        out[SIX * r + c] = G[c];
    return;
  }
  const double *restrict G = m->G + column * stride + row;
  for (int c = 0; c < b->rows; ++c, G += stride)
    for (int r = 0; r < a->rows; ++r)
      out[SIX * r + c] = G[r];
}

static int is_coupled(const ffi_hard_memory *m, int i, int k)
{
  const ffi_hard_part *a = &m->part[i], *b = &m->part[k];
  for (int r = 0; r < a->rows; ++r) {
    const double *G =
        m->G + (size_t)(a->row - m->pivots.base + r) * (size_t)m->stride + b->row - m->pivots.base;
    for (int c = 0; c < b->rows; ++c)
      if (G[c] != 0)
        return 1;
  }
  return 0;
}

static unsigned char *link_of(ffi_hard_memory *m, int from, int i, int k)
{
  return &m->pivots.link[(size_t)(i - from) * (size_t)(m->part_count - from) + (size_t)(k - from)];
}

void ffi_direct_link(ffi_hard_memory *m, int from, int i, int k, int coupled)
{
  *link_of(m, from, i, k) = *link_of(m, from, k, i) = (unsigned char)coupled;
}

// Who is coupled with whom, among the parts from `from` on; only pairs with a bilateral part matter.
static void find_links(ffi_hard_memory *m, int from)
{
  ffi_hard_pivots *e = &m->pivots;
  for (int i = m->iterated; i < m->part_count; ++i) {
    e->degree[i - from] = 0;
    for (int k = from; k < i; ++k) {
      if (m->problem->G)
        ffi_direct_link(m, from, k, i, is_coupled(m, i, k));
      const int link = *link_of(m, from, i, k);
      e->degree[i - from] += link;
      if (k >= m->iterated)
        e->degree[k - from] += link;
    }
  }
}

static int fewest_neighbours(const ffi_hard_memory *m, int from)
{
  const int *degree = m->pivots.degree - from;
  int best = -1;
  for (int i = m->iterated; i < m->part_count; ++i)
    if (degree[i] >= 0 && (best < 0 || degree[i] < degree[best]))
      best = i;
  return best;
}

// The pivot's own rows: unit L [SIX][SIX] and 1/D [SIX].
static void factor_own(const ffi_hard_memory *m, int k, double *L, double *inverse)
{
  const ffi_hard_part *part = &m->part[k];
  const double *G = m->G + (size_t)(part->row - m->pivots.base) * (size_t)(m->stride + 1);
  double D[SIX];
  for (int i = 0; i < part->rows; ++i) {
    for (int j = 0; j <= i; ++j) {
      double sum = G[(size_t)i * (size_t)m->stride + (size_t)j];
      for (int l = 0; l < j; ++l)
        sum -= L[SIX * i + l] * L[SIX * j + l] * D[l];
      if (j < i)
        L[SIX * i + j] = sum * inverse[j];
      else
        D[i] = sum;
    }
    const int is_null = !(D[i] > null_pivot * m->weight[part->row + i]);
    inverse[i] = is_null ? 0 : 1 / D[i];
    D[i] = is_null ? 0 : D[i];
  }
}

// x [rows i][SIX] := x L^-T, then L_ik = x D^-1; and x transposed, [rows k][SIX], what is beyond its rows zero.
static void scale_neighbour(int rows, int k_rows, const double *restrict L, const double *restrict inverse,
                            double *restrict x, double *restrict out, double *restrict transposed)
{
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < k_rows; ++c) {
      double sum = x[SIX * r + c];
      for (int l = 0; l < c; ++l)
        sum -= x[SIX * r + l] * L[SIX * c + l];
      x[SIX * r + c] = sum;
      out[SIX * r + c] = sum * inverse[c];
      transposed[SIX * c + r] = sum;
    }
  for (int c = 0; c < k_rows; ++c)
    for (int r = rows; r < SIX; ++r)
      transposed[SIX * c + r] = 0;
}

typedef double two __attribute__((vector_size(2 * sizeof(double)), aligned(sizeof(double)), may_alias));

// G_ij -= L_ik x_j', i >= j, with x_j transposed.
static void update(ffi_hard_memory *m, int i, int j, int k_rows, const double *restrict L,
                   const double *restrict x)
{
  const ffi_hard_part *a = &m->part[i], *b = &m->part[j];
  double *G = m->G + (size_t)(a->row - m->pivots.base) * (size_t)m->stride + b->row - m->pivots.base;
  for (int r = 0; r < a->rows; ++r, G += m->stride) {
    two sum[SIX / 2] = {{0}};
    for (int l = 0; l < k_rows; ++l) {
      const two *row = (const two *)(x + SIX * l), factor = {L[SIX * r + l], L[SIX * r + l]};
      sum[0] += factor * row[0];
      sum[1] += factor * row[1];
      sum[2] += factor * row[2];
    }
    two *to = (two *)G; // beyond b's rows zero is taken away from others' numbers, or from what lies behind G
    to[0] -= sum[0];
    to[1] -= sum[1];
    to[2] -= sum[2];
  }
}

// The neighbours of k that are left, in order; they become neighbours of each other.
static int list_neighbours(ffi_hard_memory *m, int from, int k, int *out)
{
  int *degree = m->pivots.degree, count = 0;
  for (int i = from; i < m->part_count; ++i)
    if (i != k && (i < m->iterated || degree[i - from] >= 0) && *link_of(m, from, k, i))
      out[count++] = i;
  for (int a = 0; a < count; ++a) {
    if (out[a] < m->iterated)
      continue;              // among iterated parts nobody asks
    --degree[out[a] - from]; // k leaves
    for (int b = 0; b < a; ++b) {
      unsigned char *link = link_of(m, from, out[a], out[b]);
      if (*link)
        continue;
      *link = *link_of(m, from, out[b], out[a]) = 1;
      ++degree[out[a] - from];
      if (out[b] >= m->iterated)
        ++degree[out[b] - from];
    }
  }
  return count;
}

static double *values_of(const ffi_hard_pivots *e, int pivot)
{
  return e->value + (size_t)pivot * (BLOCK + SIX) + (size_t)e->first[pivot] * BLOCK;
}

static void eliminate(ffi_hard_memory *m, int from)
{
  ffi_hard_pivots *e = &m->pivots;
  e->base = m->part[from].row;
  e->count = 0;
  e->first[0] = 0;
  find_links(m, from);
  for (int k; (k = fewest_neighbours(m, from)) >= 0; ++e->count) {
    e->degree[k - from] = -1;
    int *neighbour = e->neighbour + e->first[e->count];
    const int count = list_neighbours(m, from, k, neighbour), k_rows = m->part[k].rows;
    double *own = values_of(e, e->count), *inverse = own + BLOCK, *L = inverse + SIX, *x = e->column,
           block[BLOCK];
    factor_own(m, k, own, inverse);
    for (int a = 0; a < count; ++a) {
      read_block(m, neighbour[a], k, block);
      scale_neighbour(m->part[neighbour[a]].rows, k_rows, own, inverse, block, L + a * BLOCK, x + a * BLOCK);
    }
    for (int a = 0; a < count; ++a)
      for (int b = 0; b <= a; ++b)
        update(m, neighbour[a], neighbour[b], k_rows, L + a * BLOCK, x + b * BLOCK);
    e->part[e->count] = k;
    e->first[e->count + 1] = e->first[e->count] + count;
  }
}

// v := L^-1 v, over our rows.
static void forward(const ffi_hard_memory *m, double *v)
{
  const ffi_hard_pivots *e = &m->pivots;
  for (int p = 0; p < e->count; ++p) {
    const ffi_hard_part *k = &m->part[e->part[p]];
    const double *own = values_of(e, p), *L = own + BLOCK + SIX;
    double *y = v + k->row;
    for (int i = 1; i < k->rows; ++i)
      for (int l = 0; l < i; ++l)
        y[i] -= own[SIX * i + l] * y[l];
    for (int a = e->first[p]; a < e->first[p + 1]; ++a, L += BLOCK) {
      const ffi_hard_part *part = &m->part[e->neighbour[a]];
      for (int r = 0; r < part->rows; ++r)
        for (int l = 0; l < k->rows; ++l)
          v[part->row + r] -= L[SIX * r + l] * y[l];
    }
  }
}

// x_k = L_kk^-T (D^-1 v_k - sum L_ik' x_i), the last pivot first; x of iterated parts is given.
static void backward(const ffi_hard_memory *m, const double *v, double *x)
{
  const ffi_hard_pivots *e = &m->pivots;
  for (int p = e->count - 1; p >= 0; --p) {
    const ffi_hard_part *k = &m->part[e->part[p]];
    const double *own = values_of(e, p), *inverse = own + BLOCK, *L = inverse + SIX;
    double y[SIX] = {0};
    for (int l = 0; l < k->rows; ++l)
      y[l] = inverse[l] * v[k->row + l];
    for (int a = e->first[p]; a < e->first[p + 1]; ++a, L += BLOCK) {
      const ffi_hard_part *part = &m->part[e->neighbour[a]];
      for (int r = 0; r < part->rows; ++r)
        for (int l = 0; l < k->rows; ++l)
          y[l] -= L[SIX * r + l] * x[part->row + r];
    }
    for (int i = k->rows - 1; i >= 0; --i) {
      for (int l = i + 1; l < k->rows; ++l)
        y[i] -= own[SIX * l + i] * y[l];
      x[k->row + i] = y[i];
    }
  }
}

void ffi_direct_eliminate(ffi_hard_memory *m)
{
  eliminate(m, 0);
  forward(m, m->c);
  for (int i = 0; i < m->n; ++i) {
    m->weight[i] = m->G[(size_t)i * (size_t)m->stride + (size_t)i];
    for (int j = 0; j < i; ++j)
      m->G[(size_t)j * (size_t)m->stride + (size_t)i] = m->G[(size_t)i * (size_t)m->stride + (size_t)j];
  }
}

void ffi_direct_recover(ffi_hard_memory *m)
{
  double *v = m->scratch;
  for (int i = m->n; i < m->n + m->direct; ++i)
    v[i] = -m->c[i];
  backward(m, v, m->Lambda);
}

void ffi_direct_factor(ffi_hard_memory *m)
{
  eliminate(m, m->iterated);
}

void ffi_direct_correct(ffi_hard_memory *m)
{
  double *v = m->scratch, *x = m->scratch + m->max_rows;
  for (int p = m->iterated; p < m->part_count; ++p) {
    const ffi_hard_part *part = &m->part[p];
    ffi_hard_block_xi(m, part, m->Lambda + part->row, v + part->row);
    for (int i = 0; i < part->rows; ++i)
      v[part->row + i] *= -1;
  }
  forward(m, v);
  backward(m, v, x);
  for (int p = m->iterated; p < m->part_count; ++p) {
    const ffi_hard_part *part = &m->part[p];
    for (int i = 0; i < part->rows; ++i)
      m->Lambda[part->row + i] += x[part->row + i];
    ffi_hard_block_push(m, part, x + part->row);
  }
}
