// The frozen system in the Laplace domain: assembly and factorisation of M + sum kappa(s) J' J at four poles at once, one pole in
// each lane, and solves with it. Entries are complex symmetric; for Re s > 0 a rotation makes their real part positive definite
// (docs/theory/exponential.md), so no pivoting is needed.
#include "step/kernels.h"

#include "variant.h"

#include <stddef.h>

typedef double lanes4 __attribute__((vector_size(32), aligned(8), may_alias));

// Four complex numbers.
typedef struct complex4 {
  lanes4 re, im;
} complex4;

FFI_ALWAYS complex4 load_complex(const double *a)
{
  const complex4 z = {*(const lanes4 *)a, *(const lanes4 *)(a + 4)};
  return z;
}
FFI_ALWAYS void store_complex(double *a, complex4 z)
{
  *(lanes4 *)a = z.re;
  *(lanes4 *)(a + 4) = z.im;
}
FFI_ALWAYS complex4 multiply(complex4 a, complex4 b)
{
  const complex4 z = {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  return z;
}
// c - a b, every product fused into the running sum.
FFI_ALWAYS complex4 subtract_product(complex4 c, complex4 a, complex4 b)
{
  c.re = c.re - a.re * b.re;
  c.im = c.im - a.re * b.im;
  c.re = c.re + a.im * b.im;
  c.im = c.im - a.im * b.re;
  return c;
}
FFI_ALWAYS complex4 reciprocal(complex4 a)
{
  const lanes4 scale = 1.0 / (a.re * a.re + a.im * a.im);
  const complex4 z = {a.re * scale, -a.im * scale};
  return z;
}

// One row of J' J along a path, columns 0..a.
FFI_ALWAYS void gram_row(const double *J, int stride, int a, double *G)
{
  const double x = J[a], y = J[stride + a], z = J[2 * stride + a];
  int b = 0;
  for (; b + 4 <= a + 1; b += 4) {
    lanes4 *g = (lanes4 *)(G + b);
    *g = *g + x * *(const lanes4 *)(J + b) + y * *(const lanes4 *)(J + stride + b) +
         z * *(const lanes4 *)(J + 2 * stride + b);
  }
  for (; b <= a; ++b)
    G[b] += x * J[b] + y * J[stride + b] + z * J[2 * stride + b];
}

void FFI_KERNEL(gram)(int columns, const int *dof, const double *J, int stride, int is_path,
                      const ffi_pattern *p, double *G)
{
  if (is_path) {
    for (int a = 0; a < columns; ++a)
      gram_row(J, stride, a, G + p->row[dof[a]]);
    return;
  }
  for (int a = 0; a < columns; ++a)
    for (int b = 0; b <= a; ++b)
      G[p->row[dof[a]] + p->depth[dof[b]]] +=
          J[a] * J[b] + J[stride + a] * J[stride + b] + J[2 * stride + a] * J[2 * stride + b];
}

void FFI_KERNEL(spread)(int entries, const double *M, int classes, const double *G, const double *kappa,
                        double *S)
{
  for (int e = 0; e < entries; ++e) {
    complex4 s = {M[e] - (lanes4){0}, {0}};
    for (int c = 0; c < classes; ++c) {
      const complex4 k = load_complex(kappa + FFI_COMPLEX * c);
      const double g = G[(ptrdiff_t)c * entries + e];
      s.re = s.re + g * k.re;
      s.im = s.im + g * k.im;
    }
    store_complex(S + FFI_COMPLEX * e, s);
  }
}

void FFI_KERNEL(add_row)(int columns, const int *dof, const double *j, const double z_in[FFI_COMPLEX],
                         const ffi_pattern *p, double *S)
{
  const complex4 z = load_complex(z_in);
  for (int a = 0; a < columns; ++a)
    for (int b = 0; b <= a; ++b) {
      double *at = S + FFI_COMPLEX * (p->row[dof[a]] + p->depth[dof[b]]);
      const double g = j[a] * j[b];
      complex4 s = load_complex(at);
      s.re = s.re + g * z.re;
      s.im = s.im + g * z.im;
      store_complex(at, s);
    }
}

// Eliminate row k from the rows on its path: like ltdl.c, with complex numbers.
void FFI_KERNEL(frozen_factor)(const ffi_pattern *p, double *S)
{
  for (int k = p->n - 1; k >= 0; --k) {
    double *row = S + FFI_COMPLEX * (ptrdiff_t)p->row[k];
    const int *path = p->path + p->row[k];
    const int depth = p->depth[k];
    const complex4 inverse = reciprocal(load_complex(row + FFI_COMPLEX * depth));
    store_complex(row + FFI_COMPLEX * depth, inverse);
    for (int a = depth - 1; a >= 0; --a) {
      double *restrict other = S + FFI_COMPLEX * (ptrdiff_t)p->row[path[a]];
      const complex4 l = multiply(load_complex(row + FFI_COMPLEX * a), inverse);
      for (int j = 0; j <= a; ++j)
        store_complex(other + FFI_COMPLEX * j, subtract_product(load_complex(other + FFI_COMPLEX * j), l,
                                                                load_complex(row + FFI_COMPLEX * j)));
      store_complex(row + FFI_COMPLEX * a, l);
    }
  }
}

void FFI_KERNEL(frozen_solve)(const ffi_pattern *p, const double *S, double *x)
{
  for (int k = p->n - 1; k >= 0; --k) {
    const double *row = S + FFI_COMPLEX * (ptrdiff_t)p->row[k];
    const int *path = p->path + p->row[k];
    const complex4 xk = load_complex(x + FFI_COMPLEX * k);
    for (int a = 0; a < p->depth[k]; ++a) {
      double *at = x + FFI_COMPLEX * path[a];
      store_complex(at, subtract_product(load_complex(at), load_complex(row + FFI_COMPLEX * a), xk));
    }
  }
  for (int k = 0; k < p->n; ++k) {
    const double *row = S + FFI_COMPLEX * (ptrdiff_t)p->row[k];
    const int *path = p->path + p->row[k];
    complex4 xk = multiply(load_complex(x + FFI_COMPLEX * k), load_complex(row + FFI_COMPLEX * p->depth[k]));
    for (int a = 0; a < p->depth[k]; ++a)
      xk = subtract_product(xk, load_complex(row + FFI_COMPLEX * a), load_complex(x + FFI_COMPLEX * path[a]));
    store_complex(x + FFI_COMPLEX * k, xk);
  }
}

void FFI_KERNEL(mix)(int n, int groups, const int *terms, const double *coefficient, const double *vector,
                     double *x)
{
  for (int i = 0; i < n; ++i) {
    complex4 sum = {{0}, {0}};
    for (int g = 0; g < groups; ++g)
      for (int t = 0; t < terms[g]; ++t) {
        const complex4 c = load_complex(coefficient + FFI_COMPLEX * (4 * g + t));
        const double a = vector[4 * ((ptrdiff_t)g * n + i) + t];
        sum.re = sum.re + a * c.re;
        sum.im = sum.im + a * c.im;
      }
    store_complex(x + FFI_COMPLEX * i, sum);
  }
}

void FFI_KERNEL(rows_transposed4)(int columns, const int *dof, const double *J, int stride, const double *X,
                                  double *V)
{
  const lanes4 x = *(const lanes4 *)X, y = *(const lanes4 *)(X + 4), z = *(const lanes4 *)(X + 8);
  for (int k = 0; k < columns; ++k) {
    lanes4 *at = (lanes4 *)(V + 4 * dof[k]);
    *at = *at + J[k] * x + J[stride + k] * y + J[2 * stride + k] * z;
  }
}

FFI_ALWAYS lanes4 shuffle(lanes4 a, lanes4 b, const int i, const int j, const int k, const int l)
{
#if defined(__clang__)
  return __builtin_shufflevector(a, b, i, j, k, l);
#else
  typedef long long index4 __attribute__((vector_size(32)));
  return __builtin_shuffle(a, b, (index4){i, j, k, l});
#endif
}

void FFI_KERNEL(combine)(int n, const double *x, const double *weight, double *out)
{
  complex4 w[4];
  for (int k = 0; k < 4; ++k)
    w[k] = load_complex(weight + FFI_COMPLEX * k);
  for (int i = 0; i < n; ++i) {
    const complex4 z = load_complex(x + FFI_COMPLEX * i);
    const lanes4 a = z.re * w[0].re + z.im * w[0].im, b = z.re * w[1].re + z.im * w[1].im;
    const lanes4 c = z.re * w[2].re + z.im * w[2].im, d = z.re * w[3].re + z.im * w[3].im;
    const lanes4 ab = shuffle(a, b, 0, 4, 2, 6) + shuffle(a, b, 1, 5, 3, 7); // a0+a1 b0+b1 a2+a3 b2+b3
    const lanes4 cd = shuffle(c, d, 0, 4, 2, 6) + shuffle(c, d, 1, 5, 3, 7);
    *(lanes4 *)(out + 4 * i) = shuffle(ab, cd, 0, 1, 4, 5) + shuffle(ab, cd, 2, 3, 6, 7);
  }
}

void FFI_KERNEL(rows_times4)(int columns, const int *dof, const double *J, int stride, const double *A,
                             double *out)
{
  lanes4 x = *(lanes4 *)out, y = *(lanes4 *)(out + 4), z = *(lanes4 *)(out + 8);
  for (int k = 0; k < columns; ++k) {
    const lanes4 a = *(const lanes4 *)(A + 4 * dof[k]);
    x = x + J[k] * a;
    y = y + J[stride + k] * a;
    z = z + J[2 * stride + k] * a;
  }
  *(lanes4 *)out = x;
  *(lanes4 *)(out + 4) = y;
  *(lanes4 *)(out + 8) = z;
}

void FFI_KERNEL(rows_times8)(int columns, const int *dof, const double *J, int stride, const double *A,
                             double *out)
{
  complex4 sum[3];
  for (int r = 0; r < 3; ++r)
    sum[r] = load_complex(out + FFI_COMPLEX * r);
  for (int k = 0; k < columns; ++k) {
    const complex4 a = load_complex(A + FFI_COMPLEX * dof[k]);
    for (int r = 0; r < 3; ++r) {
      sum[r].re = sum[r].re + J[r * stride + k] * a.re;
      sum[r].im = sum[r].im + J[r * stride + k] * a.im;
    }
  }
  for (int r = 0; r < 3; ++r)
    store_complex(out + FFI_COMPLEX * r, sum[r]);
}
