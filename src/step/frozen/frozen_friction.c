// The low-rank system of friction at each pole: assembly, factors, and the correction of alpha. See frozen_friction.h.
#include "step/frozen/frozen_friction.h"

#include <math.h>
#include <string.h>

typedef struct complex_number {
  double re, im;
} complex_number;

static complex_number product(complex_number a, complex_number b)
{
  return (complex_number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
static complex_number quotient(complex_number a, complex_number b)
{
  const double scale = 1 / (b.re * b.re + b.im * b.im);
  return (complex_number){(a.re * b.re + a.im * b.im) * scale, (a.im * b.re - a.re * b.im) * scale};
}
static complex_number less_product(complex_number c, complex_number a, complex_number b)
{
  return (complex_number){c.re - (a.re * b.re - a.im * b.im), c.im - (a.re * b.im + a.im * b.re)};
}
static double size_of(complex_number a)
{
  return a.re * a.re + a.im * a.im;
}

static complex_number *row_at(const ffi_frozen *z, int k, int row)
{
  const size_t rank = (size_t)z->max_rank;
  return (complex_number *)z->low_rank + ((size_t)k * rank + (size_t)row) * rank;
}

static complex_number *right_side(const ffi_frozen *z, int k)
{
  return row_at(z, FFI_POLES, 0) + (size_t)k * (size_t)z->max_rank;
}

static double *column_at(const ffi_frozen *z, int column)
{
  return z->column + (size_t)column * (size_t)z->n * FFI_COMPLEX;
}

// The unsymmetric part itself, sum of mu kn j_d j_n', in velocity space; its columns in z->column.
static void sum_products(ffi_frozen *z)
{
  memset(z->column, 0, (size_t)z->n * (size_t)z->n * FFI_COMPLEX * sizeof *z->column);
  for (int i = 0; i < z->slides; ++i) {
    const ffi_frozen_block *b = &z->block[z->sliding[i]];
    for (int c = 0; c < b->rows->columns; ++c)
      for (int a = 0; a < b->rows->columns; ++a) {
        double *at = column_at(z, b->rows->dof[c]) + FFI_COMPLEX * b->rows->dof[a];
        const double factor = b->mu * b->axis_rows[z->stride + a] * b->axis_rows[c];
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
      y[FFI_COMPLEX * b->rows->dof[a] + k] = b->mu * b->axis_rows[z->stride + a];
}

// A row of 1 + kn j_n y.
static void fill_row(ffi_frozen *z, int r)
{
  const ffi_frozen_block *b = &z->block[z->sliding[r]];
  for (int c = 0; c < z->slides; ++c) {
    double m[FFI_COMPLEX];
    z->kernels->row_times8(b->rows->columns, b->rows->dof, b->axis_rows, column_at(z, c), m);
    for (int k = 0; k < FFI_POLES; ++k) {
      complex_number *at = row_at(z, k, r) + c;
      *at = product((complex_number){b->kn[k], b->kn[4 + k]}, (complex_number){m[k], m[4 + k]});
      at->re += r == c;
    }
  }
}

// A row of 1 + S^-1 sum.
static void fill_velocity_row(ffi_frozen *z, int r)
{
  for (int c = 0; c < z->n; ++c) {
    const double *m = column_at(z, c) + (ptrdiff_t)FFI_COMPLEX * r;
    for (int k = 0; k < FFI_POLES; ++k)
      row_at(z, k, r)[c] = (complex_number){m[k] + (r == c), m[4 + k]};
  }
}

static void exchange(complex_number *a, complex_number *b, int n)
{
  for (int i = 0; i < n; ++i) {
    const complex_number kept = a[i];
    a[i] = b[i];
    b[i] = kept;
  }
}

// L U of one pole with row pivoting: U on and above the diagonal, L, of unit diagonal, below it.
static void factor_low_rank(ffi_frozen *z, int n, int k)
{
  int *pivot = z->pivot + (ptrdiff_t)k * z->max_rank;
  for (int p = 0; p < n; ++p) {
    int best = p;
    for (int r = p + 1; r < n; ++r)
      if (size_of(row_at(z, k, r)[p]) > size_of(row_at(z, k, best)[p]))
        best = r;
    pivot[p] = best;
    complex_number *top = row_at(z, k, p);
    if (best != p)
      exchange(top, row_at(z, k, best), n);
    for (int r = p + 1; r < n; ++r) {
      complex_number *row = row_at(z, k, r);
      row[p] = quotient(row[p], top[p]);
      for (int c = p + 1; c < n; ++c)
        row[c] = less_product(row[c], row[p], top[c]);
    }
  }
}

// The pole nearest to the real axis.
enum { MOST_REAL = 0 };

// Is the real part of the determinant of its factored system negative?
static int is_self_excited(const ffi_frozen *z, int n)
{
  const int *pivot = z->pivot + (ptrdiff_t)MOST_REAL * z->max_rank;
  complex_number det = {1, 0};
  for (int p = 0; p < n; ++p) {
    const complex_number a = row_at(z, MOST_REAL, p)[p];
    const double scale = (pivot[p] == p ? 1 : -1) / sqrt(size_of(a));
    det = product(det, (complex_number){scale * a.re, scale * a.im});
  }
  return det.re < 0;
}

static void solve_low_rank(const ffi_frozen *z, int n, int k)
{
  const int *pivot = z->pivot + (ptrdiff_t)k * z->max_rank;
  complex_number *x = right_side(z, k);
  for (int p = 0; p < n; ++p) // all exchanges first: they moved whole rows
    if (pivot[p] != p)
      exchange(&x[p], &x[pivot[p]], 1);
  for (int r = 1; r < n; ++r)
    for (int c = 0; c < r; ++c)
      x[r] = less_product(x[r], row_at(z, k, r)[c], x[c]);
  for (int r = n - 1; r >= 0; --r) {
    for (int c = r + 1; c < n; ++c)
      x[r] = less_product(x[r], row_at(z, k, r)[c], x[c]);
    x[r] = quotient(x[r], row_at(z, k, r)[r]);
  }
}

// docs/theory/exponential.md, section "Sliding contacts".
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
      fill_velocity_row(z, r);
    else
      fill_row(z, r);
  for (int k = 0; k < FFI_POLES; ++k)
    factor_low_rank(z, rank, k);
  z->is_self_excited = is_self_excited(z, rank);
}

static void correct_in_velocities(ffi_frozen *z)
{
  for (int k = 0; k < FFI_POLES; ++k) {
    complex_number *x = right_side(z, k);
    for (int r = 0; r < z->n; ++r)
      x[r] = (complex_number){z->alpha[FFI_COMPLEX * r + k], z->alpha[FFI_COMPLEX * r + 4 + k]};
    solve_low_rank(z, z->n, k);
    for (int r = 0; r < z->n; ++r) {
      z->alpha[FFI_COMPLEX * r + k] = x[r].re;
      z->alpha[FFI_COMPLEX * r + 4 + k] = x[r].im;
    }
  }
}

void ffi_frozen_friction_correct(ffi_frozen *z)
{
  if (ffi_frozen_friction_is_crowded(z)) {
    correct_in_velocities(z);
    return;
  }
  for (int r = 0; r < z->slides; ++r) {
    const ffi_frozen_block *b = &z->block[z->sliding[r]];
    double m[FFI_COMPLEX];
    z->kernels->row_times8(b->rows->columns, b->rows->dof, b->axis_rows, z->alpha, m);
    for (int k = 0; k < FFI_POLES; ++k)
      right_side(z, k)[r] =
          less_product((complex_number){b->push[k], b->push[4 + k]}, (complex_number){b->kn[k], b->kn[4 + k]},
                       (complex_number){m[k], m[4 + k]});
  }
  for (int k = 0; k < FFI_POLES; ++k)
    solve_low_rank(z, z->slides, k);
  for (int c = 0; c < z->slides; ++c) {
    double w[FFI_COMPLEX];
    for (int k = 0; k < FFI_POLES; ++k) {
      w[k] = right_side(z, k)[c].re;
      w[4 + k] = right_side(z, k)[c].im;
    }
    z->kernels->add_product8(z->n, w, column_at(z, c), z->alpha);
  }
}
