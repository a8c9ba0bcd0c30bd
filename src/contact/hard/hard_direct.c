// Bilateral impulses without iteration, Moreau paper eq. 20: their rows are eliminated from G by a block L D L'.
//
// Cut joints couple only with joints of the same body, so G is sparse as the robot's tree is. The part with the fewest neighbours goes first (the
// leaves of a tree), and only blocks that are not zero are there: a tree fills in nothing but the cliques of bodies with many joints. Iterated
// parts take part as neighbours that never become pivots; what is left of them is G_U, reduced.
//
// Parts have places, the last part the first: so most often a pivot comes before its neighbours, and its row of blocks lies as it is needed. With A = G_kk and
// B_i = G_ki of the pivot k,
//
//     A = L D L',   U = D L',   X_i = L^-1 B_i,      G_ij -= X_i' D^-1 X_j
//
// U and X_i take the places of A and B_i.
//
// Redundant rows (a closed loop counted twice) leave pivots that are zero but for rounding: they get no impulse, and the others carry the load.
// xi of such a row is zero anyway if the rows are consistent; if they are not, the residual says so.
#include "contact/hard/hard_memory.h"

#include <string.h>

enum { SIX = FFI_HARD_MAX_ROWS, BLOCK = SIX * SIX, TWOS = SIX / 2 };

typedef double two __attribute__((vector_size(2 * sizeof(double)), aligned(sizeof(double)), may_alias));
#define ALWAYS static inline __attribute__((always_inline))

// A pivot below this share of the row's own diagonal is rounding. Honest pivots are not smaller than the ratio of the lightest to the heaviest mass.
static const double null_pivot = 1e-12;

// ---- Blocks and their places ------------------------------------------------------------------------------

static const ffi_hard_part *part_at(const ffi_hard_memory *m, int place)
{
  return &m->part[m->part_count - 1 - place];
}

// The block of two places, in any order: [rows of the first][SIX], or, where the later one is the pivot and has had its turn, [rows of the pivot][SIX].
static double *block_of(const ffi_hard_pivots *e, int i, int k)
{
  const size_t low = (size_t)(i < k ? i : k), high = (size_t)(i < k ? k : i);
  return e->block + (high * (high + 1) / 2 + low) * BLOCK;
}

void ffi_hard_direct_begin(ffi_hard_memory *m, int from)
{
  ffi_hard_pivots *e = &m->pivots;
  e->size = m->part_count - from;
  e->count = 0;
  e->first[0] = 0;
  memset(e->link, 0, (size_t)e->size * (size_t)e->size);
  memset(e->degree, 0, (size_t)e->size * sizeof *e->degree);
}

double *ffi_hard_direct_block(const ffi_hard_memory *m, int i, int k)
{
  return block_of(&m->pivots, m->part_count - 1 - i, m->part_count - 1 - k);
}

static void connect(ffi_hard_pivots *e, int i, int k)
{
  const size_t size = (size_t)e->size;
  e->link[(size_t)i * size + (size_t)k] = e->link[(size_t)k * size + (size_t)i] = 1;
  ++e->degree[i];
  ++e->degree[k];
}

void ffi_hard_direct_link(ffi_hard_memory *m, int i, int k)
{
  if (i != k)
    connect(&m->pivots, m->part_count - 1 - i, m->part_count - 1 - k);
}

// [rows][SIX] to [columns][SIX].
static void transpose(int rows, int columns, double *G)
{
  double old[BLOCK];
  memcpy(old, G, sizeof old);
  for (int c = 0; c < columns; ++c)
    for (int r = 0; r < SIX; ++r)
      G[SIX * c + r] = r < rows ? old[SIX * r + c] : 0;
}

// ---- Elimination ------------------------------------------------------------------------------------------

static int fewest_neighbours(const ffi_hard_memory *m)
{
  const int *degree = m->pivots.degree, pivots = m->part_count - m->iterated;
  int best = -1;
  for (int i = 0; i < pivots; ++i)
    if (degree[i] >= 0 && (best < 0 || degree[i] < degree[best]))
      best = i;
  return best;
}

// row -= factor * from, all SIX.
ALWAYS void take_row(double factor, const double *from, double *row)
{
  const two f = {factor, factor}, *a = (const two *)from;
  two *b = (two *)row;
  b[0] -= f * a[0];
  b[1] -= f * a[1];
  b[2] -= f * a[2];
}

// The pivot's own rows: U, 1/D, and L' [rows][SIX]. weight [rows]: their diagonal before anything was eliminated.
ALWAYS void factor_own(int rows, const double *weight, double *U, double *inverse, double *L)
{
  for (int l = 0; l < rows; ++l) {
    const double D = U[SIX * l + l];
    inverse[l] = D > null_pivot * weight[l] ? 1 / D : 0;
    for (int r = l + 1; r < rows; ++r) {
      L[SIX * l + r] = U[SIX * l + r] * inverse[l];
      take_row(L[SIX * l + r], U + SIX * l, U + SIX * r);
    }
  }
}

// X = L^-1 B, in place, and D^-1 X.
ALWAYS void reduce(int rows, const double *L, const double *inverse, double *X, double *scaled)
{
  for (int l = 0; l < rows; ++l) {
    const two d = {inverse[l], inverse[l]}, *x = (const two *)(X + SIX * l);
    two *s = (two *)(scaled + SIX * l);
    for (int r = l + 1; r < rows; ++r)
      take_row(L[SIX * l + r], X + SIX * l, X + SIX * r);
    s[0] = d * x[0];
    s[1] = d * x[1];
    s[2] = d * x[2];
  }
}

// G [rows][SIX] -= scaled' X, both of k_rows; a block that was not there becomes that.
ALWAYS void update(int k_rows, int rows, const double *scaled, const double *X, int is_new, double *G)
{
  const two *x = (const two *)X;
  for (int r = 0; r < rows; ++r, G += SIX) {
    two *to = (two *)G, sum[TWOS] = {{0}};
    if (!is_new)
      sum[0] = to[0], sum[1] = to[1], sum[2] = to[2];
    for (int l = 0; l < k_rows; ++l) {
      const two f = {scaled[SIX * l + r], scaled[SIX * l + r]};
      sum[0] -= f * x[TWOS * l];
      sum[1] -= f * x[TWOS * l + 1];
      sum[2] -= f * x[TWOS * l + 2];
    }
    to[0] = sum[0], to[1] = sum[1], to[2] = sum[2];
  }
}

// The neighbours of k that are left, by increasing place; k leaves them.
static int list_neighbours(ffi_hard_pivots *e, int k, int *out)
{
  const unsigned char *link = e->link + (size_t)k * (size_t)e->size;
  int count = 0;
  for (int i = 0; i < e->size; ++i)
    if (link[i] && e->degree[i] >= 0) {
      out[count++] = i;
      --e->degree[i];
    }
  return count;
}

// inlined for the rows of a joint, so that loops over them are unrolled
ALWAYS void eliminate_part(ffi_hard_memory *m, int k, int rows, int count, const int *neighbour)
{
  ffi_hard_pivots *e = &m->pivots;
  double *U = block_of(e, k, k), *inverse = e->inverse + SIX * k, *scaled = e->column, L[BLOCK];
  factor_own(rows, m->weight + part_at(m, k)->row, U, inverse, L);
  for (int a = 0; a < count; ++a) {
    double *X = block_of(e, neighbour[a], k);
    if (neighbour[a] < k)
      transpose(part_at(m, neighbour[a])->rows, rows, X);
    reduce(rows, L, inverse, X, scaled + BLOCK * a);
  }
  for (int b = 0; b < count; ++b) {
    const double *X = block_of(e, neighbour[b], k);
    for (int a = 0; a <= b; ++a) {
      const int i = neighbour[a], j = neighbour[b];
      const int is_new = i != j && !e->link[(size_t)i * (size_t)e->size + (size_t)j];
      update(rows, part_at(m, i)->rows, scaled + BLOCK * a, X, is_new, block_of(e, i, j));
      if (is_new)
        connect(e, i, j);
    }
  }
}

static void eliminate(ffi_hard_memory *m)
{
  ffi_hard_pivots *e = &m->pivots;
  for (int k; (k = fewest_neighbours(m)) >= 0; ++e->count) {
    e->degree[k] = -1;
    int *neighbour = e->neighbour + e->first[e->count];
    const int count = list_neighbours(e, k, neighbour), rows = part_at(m, k)->rows;
    if (rows == 5)
      eliminate_part(m, k, 5, count, neighbour);
    else
      eliminate_part(m, k, rows, count, neighbour);
    e->pivot[e->count] = k;
    e->first[e->count + 1] = e->first[e->count] + count;
  }
}

// v := L^-1 v, over our rows.
static void forward(const ffi_hard_memory *m, double *v)
{
  const ffi_hard_pivots *e = &m->pivots;
  for (int p = 0; p < e->count; ++p) {
    const int k = e->pivot[p], rows = part_at(m, k)->rows;
    const double *U = block_of(e, k, k), *inverse = e->inverse + SIX * k;
    double *y = v + part_at(m, k)->row, scaled[SIX];
    for (int l = 0; l < rows; ++l) {
      scaled[l] = inverse[l] * y[l];
      for (int r = l + 1; r < rows; ++r)
        y[r] -= U[SIX * l + r] * scaled[l];
    }
    for (int a = e->first[p]; a < e->first[p + 1]; ++a) {
      const double *X = block_of(e, e->neighbour[a], k);
      // beyond the neighbour's rows zeros are taken from others' numbers, or from padding
      double *to = v + part_at(m, e->neighbour[a])->row;
      for (int l = 0; l < rows; ++l)
        take_row(scaled[l], X + SIX * l, to);
    }
  }
}

// x_k = D^-1 (v_k - (U - D) x_k - sum X_i x_i), the last pivot first; x of iterated parts is given.
static void backward(const ffi_hard_memory *m, const double *v, double *x)
{
  const ffi_hard_pivots *e = &m->pivots;
  for (int p = e->count - 1; p >= 0; --p) {
    const int k = e->pivot[p], rows = part_at(m, k)->rows, row = part_at(m, k)->row;
    const double *U = block_of(e, k, k), *inverse = e->inverse + SIX * k;
    two sum[SIX] = {{0}};
    for (int a = e->first[p]; a < e->first[p + 1]; ++a) {
      const ffi_hard_part *part = part_at(m, e->neighbour[a]);
      const two *X = (const two *)block_of(e, e->neighbour[a], k);
      double padded[SIX] = {0};
      for (int r = 0; r < part->rows; ++r)
        padded[r] = x[part->row + r];
      const two *y = (const two *)padded;
      for (int l = 0; l < rows; ++l, X += TWOS)
        sum[l] += X[0] * y[0] + X[1] * y[1] + X[2] * y[2];
    }
    for (int l = rows - 1; l >= 0; --l) {
      double left = v[row + l] - (sum[l][0] + sum[l][1]);
      for (int r = l + 1; r < rows; ++r)
        left -= U[SIX * l + r] * x[row + r];
      x[row + l] = inverse[l] * left;
    }
  }
}

// ---- The two forms ----------------------------------------------------------------------------------------

// What is left of the iterated parts becomes G.
static void collect(ffi_hard_memory *m)
{
  const ffi_hard_pivots *e = &m->pivots;
  m->stride = (m->n + 3) / 4 * 4;
  const size_t stride = (size_t)m->stride;
  memset(m->G, 0, (size_t)m->n * stride * sizeof *m->G);
  for (int i = e->size - m->iterated; i < e->size; ++i)
    for (int k = i; k < e->size; ++k) {
      if (i != k && !e->link[(size_t)i * (size_t)e->size + (size_t)k])
        continue;
      const ffi_hard_part *a = part_at(m, i), *b = part_at(m, k);
      const double *from = block_of(e, i, k);
      for (int r = 0; r < a->rows; ++r)
        for (int c = i == k ? r : 0; c < b->rows; ++c)
          m->G[(size_t)(a->row + r) * stride + (size_t)(b->row + c)] =
              m->G[(size_t)(b->row + c) * stride + (size_t)(a->row + r)] = from[SIX * r + c];
    }
  for (size_t i = 0; i < (size_t)m->n; ++i)
    m->weight[i] = m->G[i * stride + i];
}

void ffi_hard_direct_eliminate(ffi_hard_memory *m)
{
  eliminate(m);
  collect(m);
  memcpy(m->rest, m->c, (size_t)(m->n + m->direct) * sizeof *m->c);
  forward(m, m->c);
}

void ffi_hard_direct_recover(ffi_hard_memory *m)
{
  double *v = m->scratch;
  for (int i = m->n; i < m->n + m->direct; ++i)
    v[i] = -m->c[i];
  backward(m, v, m->Lambda);
}

void ffi_hard_direct_factor(ffi_hard_memory *m)
{
  eliminate(m);
}

void ffi_hard_direct_correct(ffi_hard_memory *m)
{
  double *v = m->scratch, *x = m->scratch + m->max_rows + 7;
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
