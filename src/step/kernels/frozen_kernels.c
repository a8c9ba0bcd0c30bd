// The frozen system in the Laplace domain: assembly and factorisation of M + sum kappa(s) J' J at four poles at once, one pole in
// each lane, and solves with it. Entries are complex symmetric; for Re s > 0 a rotation makes their real part positive definite
// (docs/theory/exponential.md), so no pivoting is needed.
#include "step/step_kernels.h"

#include "step/kernels/complex4.h"
#include "step/kernels/step_kernels_variant.h"

#include <stddef.h>

// Ones and zeros: the four from place 4 - n on have n ones.
static const double ones_then_zeros[8] = {1, 1, 1, 1, 0, 0, 0, 0};

// One row of J' J along a path, columns 0..a. The last four may reach beyond a into the row's padding, where zero is added.
FFI_ALWAYS void gram_row(const double *J, int stride, int a, double *G)
{
  const double x = J[a], y = J[stride + a], z = J[2 * stride + a];
  for (int b = 0; b <= a; b += 4) {
    lanes4 *g = (lanes4 *)(G + b);
    lanes4 sum = x * *(const lanes4 *)(J + b) + y * *(const lanes4 *)(J + stride + b) +
                 z * *(const lanes4 *)(J + 2 * stride + b);
    if (a + 1 - b < 4)
      sum = sum * *(const lanes4 *)(ones_then_zeros + 4 - (a + 1 - b));
    *g = *g + sum;
  }
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
  if (classes == 1) { // nearly always
    const complex4 k = load_complex(kappa);
    for (int e = 0; e < entries; ++e)
      store_complex(S + FFI_COMPLEX * e, add_scaled(real_number(M[e]), G[e], k));
    return;
  }
  for (int e = 0; e < entries; ++e) {
    complex4 s = real_number(M[e]);
    for (int c = 0; c < classes; ++c)
      s = add_scaled(s, G[(ptrdiff_t)c * entries + e], load_complex(kappa + FFI_COMPLEX * c));
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
      store_complex(at, add_scaled(load_complex(at), j[a] * j[b], z));
    }
}

// Eliminate row k from the rows on its path at positions >= from: like ltdl.c, with complex numbers.
FFI_ALWAYS void eliminate(const ffi_pattern *p, int k, const int from, double *S)
{
  double *row = S + FFI_COMPLEX * (ptrdiff_t)p->row[k];
  const int *path = p->path + p->row[k];
  const int depth = p->depth[k];
  const complex4 inverse = reciprocal(load_complex(row + FFI_COMPLEX * depth));
  const factor4 scale = make_factor(inverse);
  store_complex(row + FFI_COMPLEX * depth, inverse);
  for (int a = depth - 1; a >= from; --a) {
    double *restrict other = S + FFI_COMPLEX * (ptrdiff_t)p->row[path[a]];
    const complex4 l = times(scale, load_complex(row + FFI_COMPLEX * a));
    const factor4 f = make_factor(l);
    for (int j = 0; j <= a; ++j)
      store_complex(other + FFI_COMPLEX * j, subtract_times(load_complex(other + FFI_COMPLEX * j), f,
                                                            load_complex(row + FFI_COMPLEX * j)));
    store_complex(row + FFI_COMPLEX * a, l);
  }
}

// Row a of a free root's block, updated with all rows [first, last) below in registers; their entry a becomes that of L.
FFI_ALWAYS void update_root_row(const ffi_pattern *p, const int a, int first, int last, double *S)
{
  double *own = S + FFI_COMPLEX * (ptrdiff_t)p->row[first + a];
  sum4 sum[6];
#pragma GCC unroll 6
  for (int j = 0; j <= a; ++j)
    sum[j] = begin_sum(load_complex(own + FFI_COMPLEX * j));
  for (int k = first + 6; k < last; ++k) {
    double *row = S + FFI_COMPLEX * (ptrdiff_t)p->row[k];
    const complex4 l = times(make_factor(load_complex(row + FFI_COMPLEX * a)),
                             load_complex(row + FFI_COMPLEX * p->depth[k]));
    const factor4 f = make_factor(l);
#pragma GCC unroll 6
    for (int j = 0; j <= a; ++j)
      sum[j] = subtract_from_sum(sum[j], f, load_complex(row + FFI_COMPLEX * j));
    store_complex(row + FFI_COMPLEX * a, l);
  }
#pragma GCC unroll 6
  for (int j = 0; j <= a; ++j)
    store_complex(own + FFI_COMPLEX * j, end_sum(sum[j]));
}

// The block of a free root itself, six rows.
static void factor_root(const ffi_pattern *p, int first, int last, double *S)
{
  update_root_row(p, 5, first, last, S); // from the last: each leaves the columns before it as they were
  update_root_row(p, 4, first, last, S);
  update_root_row(p, 3, first, last, S);
  update_root_row(p, 2, first, last, S);
  update_root_row(p, 1, first, last, S);
  update_root_row(p, 0, first, last, S);
  for (int k = first + 5; k >= first; --k)
    eliminate(p, k, 0, S);
}

void FFI_KERNEL(frozen_factor)(const ffi_pattern *p, double *S)
{
  for (int i = 0; i < p->order_count; ++i) {
    if (p->from[p->order[i]])
      eliminate(p, p->order[i], 6, S);
    else
      eliminate(p, p->order[i], 0, S);
  }
  for (int r = 0; r < p->root_count; ++r)
    factor_root(p, p->root[2 * r], p->root[2 * r + 1], S);
}

// x_k out of the equations of the rows on its path at positions >= from.
FFI_ALWAYS void take_out(const ffi_pattern *p, const double *S, int k, const int from, double *x)
{
  const double *row = S + FFI_COMPLEX * (ptrdiff_t)p->row[k];
  const int *path = p->path + p->row[k];
  const factor4 f = make_factor(load_complex(x + FFI_COMPLEX * k));
  for (int a = from; a < p->depth[k]; ++a) {
    double *at = x + FFI_COMPLEX * path[a];
    store_complex(at, subtract_times(load_complex(at), f, load_complex(row + FFI_COMPLEX * a)));
  }
}

// All rows below a free root out of its six equations, in registers.
static void take_out_of_root(const ffi_pattern *p, const double *S, int first, int last, double *x)
{
  sum4 sum[6];
#pragma GCC unroll 6
  for (int j = 0; j < 6; ++j)
    sum[j] = begin_sum(load_complex(x + FFI_COMPLEX * (first + j)));
  for (int k = first + 6; k < last; ++k) {
    const double *row = S + FFI_COMPLEX * (ptrdiff_t)p->row[k];
    const factor4 f = make_factor(load_complex(x + FFI_COMPLEX * k));
#pragma GCC unroll 6
    for (int j = 0; j < 6; ++j)
      sum[j] = subtract_from_sum(sum[j], f, load_complex(row + FFI_COMPLEX * j));
  }
#pragma GCC unroll 6
  for (int j = 0; j < 6; ++j)
    store_complex(x + FFI_COMPLEX * (first + j), end_sum(sum[j]));
}

// x_k from those on its path.
FFI_ALWAYS void put_in(const ffi_pattern *p, const double *S, int k, double *x)
{
  const double *row = S + FFI_COMPLEX * (ptrdiff_t)p->row[k];
  const int *path = p->path + p->row[k];
  const int depth = p->depth[k];
  const factor4 inverse = make_factor(load_complex(row + FFI_COMPLEX * depth));
  sum4 even = begin_sum(times(inverse, load_complex(x + FFI_COMPLEX * k))), odd = begin_sum(real_number(0));
  int a = 0;
  for (; a + 2 <= depth; a += 2) {
    even = subtract_from_sum(even, make_factor(load_complex(row + FFI_COMPLEX * a)),
                             load_complex(x + FFI_COMPLEX * path[a]));
    odd = subtract_from_sum(odd, make_factor(load_complex(row + FFI_COMPLEX * (a + 1))),
                            load_complex(x + FFI_COMPLEX * path[a + 1]));
  }
  if (a < depth)
    even = subtract_from_sum(even, make_factor(load_complex(row + FFI_COMPLEX * a)),
                             load_complex(x + FFI_COMPLEX * path[a]));
  store_complex(x + FFI_COMPLEX * k, add_complex(end_sum(even), end_sum(odd)));
}

void FFI_KERNEL(frozen_solve)(const ffi_pattern *p, const double *S, double *x)
{
  for (int i = 0; i < p->order_count; ++i) {
    if (p->from[p->order[i]])
      take_out(p, S, p->order[i], 6, x);
    else
      take_out(p, S, p->order[i], 0, x);
  }
  for (int r = 0; r < p->root_count; ++r) {
    const int first = p->root[2 * r];
    take_out_of_root(p, S, first, p->root[2 * r + 1], x);
    for (int k = first + 5; k > first; --k)
      take_out(p, S, k, 0, x);
    for (int k = first; k < first + 6; ++k)
      put_in(p, S, k, x);
  }
  for (int i = p->order_count - 1; i >= 0; --i)
    put_in(p, S, p->order[i], x);
}

void FFI_KERNEL(mix)(int n, int groups, const int *terms, const double *coefficient, const double *vector,
                     double *x)
{
  for (int g = 0; g < groups; ++g) {
    const double *c = coefficient + FFI_COMPLEX * 4 * g, *v = vector + 4 * (ptrdiff_t)g * n;
    const complex4 c0 = load_complex(c), c1 = load_complex(c + FFI_COMPLEX);
    const complex4 c2 = load_complex(c + 2 * FFI_COMPLEX), c3 = load_complex(c + 3 * FFI_COMPLEX);
    for (int i = 0; i < n; ++i) {
      complex4 sum = g > 0 ? load_complex(x + FFI_COMPLEX * i) : real_number(0);
      sum = add_scaled(sum, v[4 * i], c0);
      if (terms[g] > 1)
        sum = add_scaled(sum, v[4 * i + 1], c1);
      if (terms[g] > 2)
        sum = add_scaled(sum, v[4 * i + 2], c2);
      if (terms[g] > 3)
        sum = add_scaled(sum, v[4 * i + 3], c3);
      store_complex(x + FFI_COMPLEX * i, sum);
    }
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

// Dot products of eight numbers with four weights.
FFI_ALWAYS lanes4 weigh(complex4 z, const complex4 w[4])
{
  lanes4 sum[4];
  for (int k = 0; k < 4; ++k)
    sum[k] = fold(z, w[k]);
  const lanes4 ab = SHUFFLE4(sum[0], sum[1], 0, 4, 2, 6) + SHUFFLE4(sum[0], sum[1], 1, 5, 3, 7);
  const lanes4 cd = SHUFFLE4(sum[2], sum[3], 0, 4, 2, 6) + SHUFFLE4(sum[2], sum[3], 1, 5, 3, 7);
  return SHUFFLE4(ab, cd, 0, 1, 4, 5) + SHUFFLE4(ab, cd, 2, 3, 6, 7);
}

void FFI_KERNEL(combine)(int n, const double *x, const double *weight, double *out)
{
  complex4 w[4];
  for (int k = 0; k < 4; ++k)
    w[k] = load_complex(weight + FFI_COMPLEX * k);
  for (int i = 0; i < n; ++i)
    *(lanes4 *)(out + 4 * i) = weigh(load_complex(x + FFI_COMPLEX * i), w);
}

void FFI_KERNEL(look_sticking)(const ffi_step_kernels_samples *k, const double *J_alpha, const double *start,
                               double *force)
{
  complex4 position[4], velocity[4];
  for (int i = 0; i < 4; ++i) {
    position[i] = load_complex(k->position_weight + FFI_COMPLEX * i);
    velocity[i] = load_complex(k->velocity_weight + FFI_COMPLEX * i);
  }
  const lanes4 tau = *(const lanes4 *)k->tau;
  for (int r = 0; r < 3; ++r) {
    const double u0 = start[3 + r], c = start[6 + r], c1 = start[9 + r];
    const complex4 a = load_complex(J_alpha + FFI_COMPLEX * r);
    const lanes4 x = start[r] + tau * (u0 + tau * (0.5 * c + tau * (c1 / 6))) + k->h * weigh(a, position);
    const lanes4 u = u0 + tau * (c + tau * (0.5 * c1)) + weigh(a, velocity);
    *(lanes4 *)(force + 4 * r) = -k->K * x - k->B * u;
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

FFI_ALWAYS lanes4 absolute(lanes4 a)
{
  typedef uint64_t bits4 __attribute__((vector_size(32)));
  const bits4 magnitude = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX};
  return (lanes4)((bits4)a & magnitude);
}

void FFI_KERNEL(advance)(int columns, const int *dof, const double *J, int stride, const double *A,
                         const ffi_step_kernels_interval *over, double *out)
{
  lanes4 x = {0}, y = {0}, z = {0};
  for (int k = 0; k < columns; ++k) {
    const lanes4 a = *(const lanes4 *)(A + 4 * dof[k]);
    x = x + J[k] * a;
    y = y + J[stride + k] * a;
    z = z + J[2 * stride + k] * a;
  }
  // by rows to by integrals
  const lanes4 none = {0};
  const lanes4 xy01 = SHUFFLE4(x, y, 0, 4, 1, 5), xy23 = SHUFFLE4(x, y, 2, 6, 3, 7);
  const lanes4 z01 = SHUFFLE4(z, none, 0, 4, 1, 5), z23 = SHUFFLE4(z, none, 2, 6, 3, 7);
  const lanes4 once = SHUFFLE4(xy01, z01, 0, 1, 4, 5), twice = SHUFFLE4(xy01, z01, 2, 3, 6, 7);
  const lanes4 thrice = SHUFFLE4(xy23, z23, 0, 1, 4, 5), fourth = SHUFFLE4(xy23, z23, 2, 3, 6, 7);

  const double h = over->h, K = over->K, B = over->B;
  lanes4 *px = (lanes4 *)over->x, *pu = (lanes4 *)over->u;
  lanes4 *sum = (lanes4 *)over->sum, *double_sum = (lanes4 *)over->double_sum;
  const lanes4 c1 = *(const lanes4 *)over->c1, c = *(const lanes4 *)over->c + over->t * c1;
  const lanes4 x0 = *px, u0 = *pu;
  const lanes4 end = x0 + h * (u0 + h * (c * (1.0 / 2) + h * c1 * (1.0 / 6))) + twice;
  const lanes4 whole = h * (x0 + h * (u0 * (1.0 / 2) + h * (c * (1.0 / 6) + h * c1 * (1.0 / 24)))) + thrice;
  const lanes4 area =
      h * h * (x0 * (1.0 / 2) + h * (u0 * (1.0 / 6) + h * (c * (1.0 / 24) + h * c1 * (1.0 / 120)))) + fourth;
  *double_sum = *double_sum + *sum * h - K * area - B * (whole - x0 * h);
  *sum = *sum - K * whole - B * (end - x0);
  *px = end;
  *pu = u0 + h * (c + h * c1 * (1.0 / 2)) + once;
  *(lanes4 *)out = absolute(once) + absolute(u0) + absolute(c) * h;
  *(lanes4 *)(out + 4) = fourth;
}

void FFI_KERNEL(rows_times8)(int columns, const int *dof, const double *J, int stride, const double *A,
                             double *out)
{
  complex4 x = load_complex(out), y = load_complex(out + FFI_COMPLEX),
           z = load_complex(out + 2 * FFI_COMPLEX);
  for (int k = 0; k < columns; ++k) {
    const complex4 a = load_complex(A + FFI_COMPLEX * dof[k]);
    x = add_scaled(x, J[k], a);
    y = add_scaled(y, J[stride + k], a);
    z = add_scaled(z, J[2 * stride + k], a);
  }
  store_complex(out, x);
  store_complex(out + FFI_COMPLEX, y);
  store_complex(out + 2 * FFI_COMPLEX, z);
}

void FFI_KERNEL(row_times8)(int columns, const int *dof, const double *j, const double *A, double *out)
{
  complex4 sum = real_number(0);
  for (int k = 0; k < columns; ++k)
    sum = add_scaled(sum, j[k], load_complex(A + FFI_COMPLEX * dof[k]));
  store_complex(out, sum);
}

void FFI_KERNEL(add_product8)(int n, const double z[FFI_COMPLEX], const double *y, double *x)
{
  const factor4 f = make_factor(load_complex(z));
  for (int i = 0; i < n; ++i)
    store_complex(x + FFI_COMPLEX * i, add_complex(load_complex(x + FFI_COMPLEX * i),
                                                   times(f, load_complex(y + FFI_COMPLEX * i))));
}
