// Numerical factorisation and solves of the sparse Newton system, block by block.
#include "contact/hard/hard_sparse.h"

#include "contact/hard/hard_memory.h"
#include "contact/hard/hard_two.h"

#include <string.h>

enum { BLOCK = FFI_HARD_SPARSE_BLOCK };

void ffi_hard_sparse_layout(ffi_hard_sparse *s, int max_nv, int max_parts, ffi_block *block)
{
  s->max_parts = max_parts < FFI_HARD_SPARSE_PARTS ? max_parts : FFI_HARD_SPARSE_PARTS;
  const size_t parts = (size_t)s->max_parts, all = parts * (parts > 0 ? parts - 1 : 0) / 2;
  const size_t most = parts * FFI_HARD_SPARSE_FILL, slots = (all < most ? all : most) + 1;
  s->max_slots = (int)slots - 1;
  s->max_reached = (int)parts * FFI_HARD_SPARSE_REACHED;
  s->head = ffi_block_take(block, (size_t)max_nv, sizeof *s->head);
  s->next = ffi_block_take(block, (size_t)s->max_reached, sizeof *s->next);
  s->who = ffi_block_take(block, (size_t)s->max_reached, sizeof *s->who);
  s->bits = ffi_block_take(block, parts * ((parts + 63) / 64), sizeof *s->bits);
  s->degree = ffi_block_take(block, parts, sizeof *s->degree);
  s->order = ffi_block_take(block, parts, sizeof *s->order);
  s->rank = ffi_block_take(block, parts, sizeof *s->rank);
  s->first = ffi_block_take(block, parts + 1, sizeof *s->first);
  s->slot = ffi_block_take(block, slots, sizeof *s->slot);
  s->is_coupled = ffi_block_take(block, slots, sizeof *s->is_coupled);
  s->G = ffi_block_take(block, slots * BLOCK, sizeof *s->G);
  s->U = ffi_block_take(block, slots * BLOCK, sizeof *s->U);
  s->L = ffi_block_take(block, slots * BLOCK, sizeof *s->L);
  s->own = ffi_block_take(block, parts * BLOCK, sizeof *s->own);
  s->inverse = ffi_block_take(block, parts * BLOCK, sizeof *s->inverse);
  s->y = ffi_block_take(block, parts * 4, sizeof *s->y);
}

// ---- Blocks -----------------------------------------------------------------------------------------------

static void form_blocks(ffi_hard_memory *m)
{
  ffi_hard_sparse *s = &m->sparse;
  memset(s->G, 0, (size_t)s->first[m->iterated] * BLOCK * sizeof *s->G);
  for (int place = 0; place < m->iterated; ++place) {
    const ffi_hard_part *part = &m->part[s->order[place]];
    const ffi_hard_block *block = &m->problem->block[part->block];
    double *own = s->own + (size_t)place * BLOCK;
    memset(own, 0, BLOCK * sizeof *own);
    ffi_hard_delassus_place(block, m->place);
    ffi_hard_delassus_pair(block, block, m->place, own, 4);
    for (int i = 0; i < part->rows; ++i)
      own[5 * i] = m->weight[part->row + i];
    for (int a = s->first[place]; a < s->first[place + 1];
         ++a) { // block (slot, place), kept as (place, slot)
      const ffi_hard_part *other = &m->part[s->order[s->slot[a]]];
      double g[BLOCK] = {0}, *to = s->G + (size_t)a * BLOCK;
      s->is_coupled[a] =
          (unsigned char)ffi_hard_delassus_pair(&m->problem->block[other->block], block, m->place, g, 4);
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          to[4 * i + j] = g[4 * j + i];
    }
    ffi_hard_delassus_unplace(block, m->place);
  }
}

int ffi_hard_sparse_prepare(ffi_hard_memory *m)
{
  if (m->iterated > m->sparse.max_parts)
    return 0;
  for (int p = 0; p < m->iterated; ++p)
    if (m->part[p].rows != 1 && m->part[p].rows != 3)
      return 0;
  if (!ffi_hard_sparse_order(m))
    return 0;
  form_blocks(m);
  return 1;
}

// ---- Elimination ------------------------------------------------------------------------------------------

// P' r of a part, [3][4]; rows that it does not have are zero.
static void scaled_derivative(const ffi_hard_memory *m, const ffi_hard_part *part, double *out)
{
  const double *D = m->newton.derivative + 3 * part->row, *r = m->inverse + part->row;
  memset(out, 0, BLOCK * sizeof *out);
  if (part->rows == 1) {
    out[0] = D[0] * r[0];
    return;
  }
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      out[4 * i + j] = D[3 * i + j] * r[j];
}

// out = a b.
static inline void multiply(const double *restrict a, const double *restrict b, double *restrict out)
{
  const ffi_hard_two *row = (const ffi_hard_two *)b;
  for (int i = 0; i < 3; ++i) {
    const ffi_hard_two x = {a[4 * i], a[4 * i]}, y = {a[4 * i + 1], a[4 * i + 1]},
                       z = {a[4 * i + 2], a[4 * i + 2]};
    ffi_hard_two *to = (ffi_hard_two *)(out + 4 * i);
    to[0] = x * row[0] + y * row[2] + z * row[4];
    to[1] = x * row[1] + y * row[3] + z * row[5];
  }
}

// Three columns of three, each number twice: the left factor of several products.
typedef struct left_factor {
  ffi_hard_two x[3], y[3], z[3];
} left_factor;

// The transpose of a, so that both L (stored transposed) and U' can be used directly.
static inline left_factor factor_of(const double *a)
{
  left_factor f;
  for (int i = 0; i < 3; ++i) {
    f.x[i] = (ffi_hard_two){a[i], a[i]};
    f.y[i] = (ffi_hard_two){a[4 + i], a[4 + i]};
    f.z[i] = (ffi_hard_two){a[8 + i], a[8 + i]};
  }
  return f;
}

// out -= f b.
static inline void take(const left_factor *f, const double *restrict b, double *restrict out)
{
  const ffi_hard_two *row = (const ffi_hard_two *)b;
  ffi_hard_two *to = (ffi_hard_two *)out;
  for (int i = 0; i < 3; ++i) {
    to[2 * i] -= f->x[i] * row[0] + f->y[i] * row[2] + f->z[i] * row[4];
    to[2 * i + 1] -= f->x[i] * row[1] + f->y[i] * row[3] + f->z[i] * row[5];
  }
}

static void transpose(const double *a, double *out)
{
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j)
      out[4 * i + j] = a[4 * j + i];
    out[4 * i + 3] = 0;
  }
}

// (1 - P') + P' r (G + (rho + regular) D) by places.
static void fill(ffi_hard_memory *m, double rho, double regular)
{
  ffi_hard_sparse *s = &m->sparse;
  for (int place = 0; place < m->iterated; ++place) {
    const ffi_hard_part *part = &m->part[s->order[place]];
    const double *D = m->newton.derivative + 3 * part->row;
    double scaled[BLOCK], other[BLOCK], turned[BLOCK], K[BLOCK],
        *diagonal = s->inverse + (size_t)place * BLOCK;
    scaled_derivative(m, part, scaled);
    memcpy(K, s->own + (size_t)place * BLOCK, sizeof K);
    for (int i = 0; i < part->rows; ++i)
      K[5 * i] += (rho + regular) * m->weight[part->row + i];
    multiply(scaled, K, diagonal);
    for (int i = 0; i < 3; ++i) {
      diagonal[5 * i] += 1;
      for (int j = 0; j < part->rows && i < part->rows; ++j)
        diagonal[4 * i + j] -= part->rows == 3 ? D[3 * i + j] : D[0];
    }
    for (int a = s->first[place]; a < s->first[place + 1]; ++a) {
      double *U = s->U + (size_t)a * BLOCK, *L = s->L + (size_t)a * BLOCK;
      if (!s->is_coupled[a]) {
        memset(U, 0, BLOCK * sizeof *U);
        memset(L, 0, BLOCK * sizeof *L);
        continue;
      }
      multiply(scaled, s->G + (size_t)a * BLOCK, U);
      scaled_derivative(m, &m->part[s->order[s->slot[a]]], other);
      transpose(s->G + (size_t)a * BLOCK, turned);
      multiply(other, turned, K);
      transpose(K, L);
    }
  }
}

// In place, by elimination with row exchanges; 0 if it is singular.
static int invert(double *A)
{
  double x[3][6] = {{0}};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j)
      x[i][j] = A[4 * i + j];
    x[i][3 + i] = 1;
  }
  for (int k = 0; k < 3; ++k) {
    int best = k;
    for (int i = k + 1; i < 3; ++i)
      best = fabs(x[i][k]) > fabs(x[best][k]) ? i : best;
    if (!(fabs(x[best][k]) > 0))
      return 0;
    for (int j = 0; j < 6 && best != k; ++j) {
      const double swap = x[k][j];
      x[k][j] = x[best][j];
      x[best][j] = swap;
    }
    const double pivot = 1 / x[k][k];
    for (int j = 0; j < 6; ++j)
      x[k][j] *= pivot;
    for (int i = 0; i < 3; ++i) {
      const double factor = x[i][k];
      for (int j = 0; i != k && j < 6; ++j)
        x[i][j] -= factor * x[k][j];
    }
  }
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      A[4 * i + j] = x[i][3 + j];
  A[3] = A[7] = A[11] = 0;
  return 1;
}

// Slots a .. end - 1 of a pivot, and the first slot of a row that has all of them.
typedef struct slots {
  int a, end, at;
} slots;

// to[slot] -= left from[slot] over these slots.
static void take_row(const ffi_hard_sparse *s, const double *left, slots of, const double *from, double *to)
{
  const left_factor f = factor_of(left);
  int a = of.a, at = of.at;
  const int end = of.end;
  for (; a < end; ++a) {
    for (; s->slot[at] != s->slot[a]; ++at)
      ;
    take(&f, from + (size_t)a * BLOCK, to + (size_t)at * BLOCK);
  }
}

// Subtracts the pivot at `place` from the blocks between its neighbours.
static void update(ffi_hard_sparse *s, int place)
{
  const int end = s->first[place + 1];
  for (int a = s->first[place]; a < end; ++a) {
    const int i = s->slot[a];
    const double *L = s->L + (size_t)a * BLOCK, *U = s->U + (size_t)a * BLOCK;
    const left_factor f = factor_of(L);
    take(&f, U, s->inverse + (size_t)i * BLOCK);
    take_row(s, L, (slots){a + 1, end, s->first[i]}, s->U, s->U);
    take_row(s, U, (slots){a + 1, end, s->first[i]}, s->L, s->L);
  }
}

// A pivot with f neighbours behind it changes f^2 blocks, each by 27 products; a dense factorisation of n rows has
// n^3 / 3 of them, each in several times the time.
static double work_of(const ffi_hard_memory *m)
{
  const ffi_hard_sparse *s = &m->sparse;
  const double product = 0.6 * ffi_hard_factor_work_of(1);
  double blocks = 0;
  for (int place = 0; place < m->iterated; ++place) {
    const double f = s->first[place + 1] - s->first[place];
    blocks += f * f;
  }
  return 27 * blocks * product;
}

int ffi_hard_sparse_factor(ffi_hard_memory *m, double rho, double regular)
{
  ffi_hard_sparse *s = &m->sparse;
  fill(m, rho, regular);
  m->work += work_of(m);
  for (int place = 0; place < m->iterated; ++place) {
    double turned[BLOCK];
    if (!invert(s->inverse + (size_t)place * BLOCK))
      return 0;
    transpose(s->inverse + (size_t)place * BLOCK, turned);
    for (int a = s->first[place]; a < s->first[place + 1]; ++a) {
      double scaled[BLOCK], *L = s->L + (size_t)a * BLOCK;
      multiply(turned, L, scaled);
      memcpy(L, scaled, sizeof scaled);
    }
    update(s, place);
  }
  return 1;
}

static inline void take_transposed(const double *A, const double *x, double *y)
{
  for (int i = 0; i < 3; ++i)
    y[i] -= A[i] * x[0] + A[4 + i] * x[1] + A[8 + i] * x[2];
}

static inline void take_vector(const double *A, const double *x, double *y)
{
  for (int i = 0; i < 3; ++i)
    y[i] -= A[4 * i] * x[0] + A[4 * i + 1] * x[1] + A[4 * i + 2] * x[2];
}

void ffi_hard_sparse_solve(ffi_hard_memory *m, const double *right, double *d)
{
  ffi_hard_sparse *s = &m->sparse;
  for (int place = 0; place < m->iterated; ++place) {
    const ffi_hard_part *part = &m->part[s->order[place]];
    double *y = s->y + 4 * place;
    y[0] = y[1] = y[2] = 0;
    memcpy(y, right + part->row, (size_t)part->rows * sizeof *y);
  }
  for (int place = 0; place < m->iterated; ++place)
    for (int a = s->first[place]; a < s->first[place + 1]; ++a)
      take_transposed(s->L + (size_t)a * BLOCK, s->y + 4 * place, s->y + 4 * s->slot[a]);
  for (int place = m->iterated - 1; place >= 0; --place) {
    const ffi_hard_part *part = &m->part[s->order[place]];
    const double *inverse = s->inverse + (size_t)place * BLOCK;
    double *y = s->y + 4 * place, sum[3] = {y[0], y[1], y[2]};
    for (int a = s->first[place]; a < s->first[place + 1]; ++a)
      take_vector(s->U + (size_t)a * BLOCK, s->y + 4 * s->slot[a], sum);
    for (int i = 0; i < 3; ++i)
      y[i] = inverse[4 * i] * sum[0] + inverse[4 * i + 1] * sum[1] + inverse[4 * i + 2] * sum[2];
    memcpy(d + part->row, y, (size_t)part->rows * sizeof *y);
  }
}
