// Products by 4 x 4 blocks in registers, and solves of four right-hand sides at once.
#include "math/padded.h"

#include <stddef.h>
#include <string.h>

// Four neighbouring numbers of a row, wherever they lie.
typedef double four __attribute__((vector_size(32), aligned(8), may_alias));

static const four *fours(const double *p)
{
  return (const four *)(const void *)p;
}

// A block of 4 x 4 of the product, in registers all along the inner index.
static void block(int inner, int columns, const double *A, const double *B, double *C)
{
  const double *a0 = A, *a1 = a0 + inner, *a2 = a1 + inner, *a3 = a2 + inner;
  four c0 = {0}, c1 = {0}, c2 = {0}, c3 = {0};
  for (int k = 0; k < inner; ++k) {
    four b = *fours(B + (ptrdiff_t)k * columns);
    c0 += a0[k] * b;
    c1 += a1[k] * b;
    c2 += a2[k] * b;
    c3 += a3[k] * b;
  }
  four *c = (four *)(void *)C;
  const ptrdiff_t step = columns / 4;
  c[0] = c0;
  c[step] = c1;
  c[2 * step] = c2;
  c[3 * step] = c3;
}

void ffi_padded_product(int rows, int inner, int columns, const double *A, const double *B, double *C)
{
  for (int j = 0; j < columns; j += 4) // B's columns j .. j + 3 stay in the cache for all rows of A
    for (int i = 0; i < rows; i += 4)
      block(inner, columns, A + (ptrdiff_t)i * inner, B + j, C + (ptrdiff_t)i * columns + j);
}

// x -= sum of l[k] X_k over `count` rows of X, x and X_k [4], rows of X `columns` apart. In four sums, since each
// addition to one sum would wait for the last.
static inline void less_rows(int count, const double *l, int columns, const double *X, four *x)
{
  four s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
  int k = 0;
  for (; k + 4 <= count; k += 4, X += 4 * (ptrdiff_t)columns) {
    s0 += l[k] * *fours(X);
    s1 += l[k + 1] * *fours(X + columns);
    s2 += l[k + 2] * *fours(X + 2 * (ptrdiff_t)columns);
    s3 += l[k + 3] * *fours(X + 3 * (ptrdiff_t)columns);
  }
  for (; k < count; ++k, X += columns)
    s0 += l[k] * *fours(X);
  *x -= (s0 + s1) + (s2 + s3);
}

void ffi_padded_solve(const ffi_padded_lu *A, int columns, const double *R, double *X)
{
  const int n = A->n, stride = A->stride, *row = A->row;
  const double *LU = A->LU;
  for (int j = 0; j < columns; j += 4) {
    for (int i = 0; i < n; ++i) {
      const double *Li = LU + (ptrdiff_t)i * stride;
      four x = *fours(R + (ptrdiff_t)row[i] * columns + j);
      less_rows(i, Li, columns, X + j, &x);
      memcpy(X + (ptrdiff_t)i * columns + j, &x, sizeof x);
    }
    for (int i = n - 1; i >= 0; --i) {
      const double *Ui = LU + (ptrdiff_t)i * stride;
      double *Xi = X + (ptrdiff_t)i * columns + j;
      four x = *fours(Xi);
      less_rows(n - 1 - i, Ui + i + 1, columns, Xi + columns, &x);
      x /= Ui[i];
      memcpy(Xi, &x, sizeof x);
    }
  }
}
