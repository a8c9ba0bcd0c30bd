#include "step/frozen/frozen_friction.h"

#include <math.h>
#include <string.h>

typedef struct number { // one complex number
  double re, im;
} number;

static number product(number a, number b)
{
  return (number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
static number quotient(number a, number b)
{
  const double scale = 1 / (b.re * b.re + b.im * b.im);
  return (number){(a.re * b.re + a.im * b.im) * scale, (a.im * b.re - a.re * b.im) * scale};
}
static number less_product(number c, number a, number b)
{
  return (number){c.re - (a.re * b.re - a.im * b.im), c.im - (a.re * b.im + a.im * b.re)};
}
static double size_of(number a)
{
  return a.re * a.re + a.im * a.im;
}

static number *small_row(const ffi_frozen *z, int k, int row)
{
  const size_t rank = (size_t)z->max_rank;
  return (number *)z->small + ((size_t)k * rank + (size_t)row) * rank;
}

static number *right_side(const ffi_frozen *z, int k)
{
  return small_row(z, FFI_POLES, 0) + (size_t)k * (size_t)z->max_rank;
}

static double *column_at(const ffi_frozen *z, int column)
{
  return z->column + (size_t)column * (size_t)z->n * FFI_COMPLEX;
}

// The unsymmetric part as it stands, sum of mu kn j_d j_n': a matrix of velocities, its columns in z->column.
static void sum_products(ffi_frozen *z)
{
  memset(z->column, 0, (size_t)z->n * (size_t)z->n * FFI_COMPLEX * sizeof *z->column);
  for (int i = 0; i < z->slides; ++i) {
    const ffi_frozen_block *b = &z->block[z->sliding[i]];
    for (int c = 0; c < b->rows->columns; ++c)
      for (int a = 0; a < b->rows->columns; ++a) {
        double *at = column_at(z, b->rows->dof[c]) + FFI_COMPLEX * b->rows->dof[a];
        const double factor = b->mu * b->turned[z->stride + a] * b->turned[c];
        for (int k = 0; k < FFI_COMPLEX; ++k)
          at[k] += factor * b->kn[k];
      }
  }
}

static void set_column(ffi_frozen *z, int i)
{
  const ffi_frozen_block *b = &z->block[z->sliding[i]];
  double *y = column_at(z, i);
  memset(y, 0, (size_t)z->n * FFI_COMPLEX * sizeof *y);
  for (int a = 0; a < b->rows->columns; ++a)
    for (int k = 0; k < FFI_POLES; ++k)
      y[FFI_COMPLEX * b->rows->dof[a] + k] = b->mu * b->turned[z->stride + a];
}

// 1 + kn j_n y
static void fill_row(ffi_frozen *z, int r)
{
  const ffi_frozen_block *b = &z->block[z->sliding[r]];
  for (int c = 0; c < z->slides; ++c) {
    double m[FFI_COMPLEX];
    z->kernels->row_times8(b->rows->columns, b->rows->dof, b->turned, column_at(z, c), m);
    for (int k = 0; k < FFI_POLES; ++k) {
      number *at = small_row(z, k, r) + c;
      *at = product((number){b->kn[k], b->kn[4 + k]}, (number){m[k], m[4 + k]});
      at->re += r == c;
    }
  }
}

// 1 + S^-1 sum
static void fill_crowd_row(ffi_frozen *z, int r)
{
  for (int c = 0; c < z->n; ++c) {
    const double *m = column_at(z, c) + (ptrdiff_t)FFI_COMPLEX * r;
    for (int k = 0; k < FFI_POLES; ++k)
      small_row(z, k, r)[c] = (number){m[k] + (r == c), m[4 + k]};
  }
}

static void exchange(number *a, number *b, int n)
{
  for (int i = 0; i < n; ++i) {
    const number kept = a[i];
    a[i] = b[i];
    b[i] = kept;
  }
}

// L U of one pole with row pivoting: U on and above the diagonal, L, of unit diagonal, below it.
static void factor_small(ffi_frozen *z, int n, int k)
{
  int *pivot = z->pivot + (ptrdiff_t)k * z->max_rank;
  for (int p = 0; p < n; ++p) {
    int best = p;
    for (int r = p + 1; r < n; ++r)
      if (size_of(small_row(z, k, r)[p]) > size_of(small_row(z, k, best)[p]))
        best = r;
    pivot[p] = best;
    number *top = small_row(z, k, p);
    if (best != p)
      exchange(top, small_row(z, k, best), n);
    for (int r = p + 1; r < n; ++r) {
      number *row = small_row(z, k, r);
      row[p] = quotient(row[p], top[p]);
      for (int c = p + 1; c < n; ++c)
        row[c] = less_product(row[c], row[p], top[c]);
    }
  }
}

// The pole nearest to the real axis.
enum { MOST_REAL = 0 };

// Does the determinant of its factored system point to the left?
static int is_feeding(const ffi_frozen *z, int n)
{
  const int *pivot = z->pivot + (ptrdiff_t)MOST_REAL * z->max_rank;
  number det = {1, 0};
  for (int p = 0; p < n; ++p) {
    const number a = small_row(z, MOST_REAL, p)[p];
    const double scale = (pivot[p] == p ? 1 : -1) / sqrt(size_of(a));
    det = product(det, (number){scale * a.re, scale * a.im});
  }
  return det.re < 0;
}

static void solve_small(const ffi_frozen *z, int n, int k)
{
  const int *pivot = z->pivot + (ptrdiff_t)k * z->max_rank;
  number *x = right_side(z, k);
  for (int p = 0; p < n; ++p) // all exchanges first: they moved whole rows
    if (pivot[p] != p)
      exchange(&x[p], &x[pivot[p]], 1);
  for (int r = 1; r < n; ++r)
    for (int c = 0; c < r; ++c)
      x[r] = less_product(x[r], small_row(z, k, r)[c], x[c]);
  for (int r = n - 1; r >= 0; --r) {
    for (int c = r + 1; c < n; ++c)
      x[r] = less_product(x[r], small_row(z, k, r)[c], x[c]);
    x[r] = quotient(x[r], small_row(z, k, r)[r]);
  }
}

void ffi_frozen_friction_factor(ffi_frozen *z)
{
  const int is_crowded = ffi_frozen_friction_is_crowded(z), rank = is_crowded ? z->n : z->slides;
  if (is_crowded)
    sum_products(z);
  for (int i = 0; i < rank; ++i) {
    if (!is_crowded)
      set_column(z, i);
    z->kernels->solve(z->pattern, z->S, column_at(z, i));
  }
  for (int r = 0; r < rank; ++r)
    if (is_crowded)
      fill_crowd_row(z, r);
    else
      fill_row(z, r);
  for (int k = 0; k < FFI_POLES; ++k)
    factor_small(z, rank, k);
  z->feeds = is_feeding(z, rank);
}

static void correct_crowd(ffi_frozen *z)
{
  for (int k = 0; k < FFI_POLES; ++k) {
    number *x = right_side(z, k);
    for (int r = 0; r < z->n; ++r)
      x[r] = (number){z->alpha[FFI_COMPLEX * r + k], z->alpha[FFI_COMPLEX * r + 4 + k]};
    solve_small(z, z->n, k);
    for (int r = 0; r < z->n; ++r) {
      z->alpha[FFI_COMPLEX * r + k] = x[r].re;
      z->alpha[FFI_COMPLEX * r + 4 + k] = x[r].im;
    }
  }
}

void ffi_frozen_friction_correct(ffi_frozen *z)
{
  if (ffi_frozen_friction_is_crowded(z)) {
    correct_crowd(z);
    return;
  }
  for (int r = 0; r < z->slides; ++r) {
    const ffi_frozen_block *b = &z->block[z->sliding[r]];
    double m[FFI_COMPLEX];
    z->kernels->row_times8(b->rows->columns, b->rows->dof, b->turned, z->alpha, m);
    for (int k = 0; k < FFI_POLES; ++k)
      right_side(z, k)[r] = less_product((number){b->push[k], b->push[4 + k]},
                                         (number){b->kn[k], b->kn[4 + k]}, (number){m[k], m[4 + k]});
  }
  for (int k = 0; k < FFI_POLES; ++k)
    solve_small(z, z->slides, k);
  for (int c = 0; c < z->slides; ++c) {
    double w[FFI_COMPLEX];
    for (int k = 0; k < FFI_POLES; ++k) {
      w[k] = right_side(z, k)[c].re;
      w[4 + k] = right_side(z, k)[c].im;
    }
    z->kernels->add_product8(z->n, w, column_at(z, c), z->alpha);
  }
}
