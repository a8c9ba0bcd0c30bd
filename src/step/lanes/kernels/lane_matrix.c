// The matrix of the frozen system at a pole, its factors and solves, one robot in each lane:
// docs/theory/exponential.md, eq. 7. As step/kernels/frozen_kernels.c, which has the poles in lanes.
//
// S = L' D L by rows of the tree, no pivoting. Row k holds D L, and 1/D is kept apart. Rows are made from the leaves to
// the root; a row is summed in registers over the rows below it in the tree, six columns at a time.
#include "step/lanes/kernels/lane_complex.h"
#include "step/lanes/kernels/lane_variant.h"

#include "model/model.h"

#include <stddef.h>

enum { BLOCK = 6 }; // columns whose sums fit the registers; the columns of a free root

// ---- The matrix -----------------------------------------------------------------------------------------------

// G_K, G_B = sums of K J' J and of B J' J over the contacts: in S a contact's K and B are linear, so each may have its
// own.
static void gram(ffi_lane_work *w)
{
  const int *row_of = w->model->dof_row;
  memset(w->G_K, 0, (size_t)w->entries * sizeof *w->G_K);
  memset(w->G_B, 0, (size_t)w->entries * sizeof *w->G_B);
  for (int i = 0; i < w->contact_count; ++i) {
    const ffi_lane_contact *c = &w->contact[i];
    for (int a = 0; a < c->columns; ++a) {
      const vec3 left = load3(c->J + 3 * a);
      real *row_K = w->G_K + row_of[c->dof[a]], *row_B = w->G_B + row_of[c->dof[a]];
      for (int b = 0; b <= a; ++b) {
        const real both = dot(left, load3(c->J + 3 * b));
        row_K[b] = row_K[b] + c->K * both;
        row_B[b] = row_B[b] + c->B * both;
      }
    }
  }
}

// A pole's matrix: S = M + G_K/s^2 + G_B/s, and (K + s B)/s^2 of the motors on its diagonal.
typedef struct pole_matrix {
  const ffi_lane_work *w;
  const int *row_of;
  real *row;                 // [entries][2] its rows, as far as they are made
  real *inverse;             // [nv][2] 1/D
  double per_K[2], per_B[2]; // 1/s^2, 1/s
} pole_matrix;

// `count` entries of S from e on, without motors.
FFI_ALWAYS void assemble(const pole_matrix *m, int e, const int count, complex_real sum[BLOCK])
{
  const ffi_lane_work *w = m->w;
#pragma GCC unroll 6
  for (int j = 0; j < count; ++j) {
    const real K = w->G_K[e + j], B = w->G_B[e + j];
    sum[j].re = w->M[e + j] + m->per_K[0] * K + m->per_B[0] * B;
    sum[j].im = m->per_K[1] * K + m->per_B[1] * B;
  }
}

// Columns first .. first + count - 1 of row i at depth `at`, less what the rows below it take: sum l_k row_k.
FFI_ALWAYS void make_columns(const pole_matrix *m, int i, int at, int first, const int count)
{
  const int end = m->w->dof_end[i];
  complex_real sum[BLOCK];
  assemble(m, m->row_of[i] + first, count, sum);
  for (int k = i + 1; k < end; ++k) {
    const real *row = m->row + 2 * m->row_of[k];
    const complex_real l = times_pair(load_pair(row + 2 * at), load_pair(m->inverse + 2 * k));
#pragma GCC unroll 6
    for (int j = 0; j < count; ++j)
      sum[j] = subtract_pair(sum[j], l, load_pair(row + 2 * (first + j)));
  }
  real *to = m->row + 2 * (m->row_of[i] + first);
#pragma GCC unroll 6
  for (int j = 0; j < count; ++j)
    store_pair(to + 2 * j, sum[j]);
}

static void make_row(const pole_matrix *m, int i, const real *motor)
{
  const int at = m->w->model->dof_depth[i];
  int first = 0;
  for (; first + BLOCK <= at + 1; first += BLOCK)
    make_columns(m, i, at, first, BLOCK);
  switch (at + 1 - first) {
  case 1: make_columns(m, i, at, first, 1); break;
  case 2: make_columns(m, i, at, first, 2); break;
  case 3: make_columns(m, i, at, first, 3); break;
  case 4: make_columns(m, i, at, first, 4); break;
  case 5: make_columns(m, i, at, first, 5); break;
  default: break;
  }
  complex_real d = load_pair(m->row + 2 * (m->row_of[i] + at));
  d.re = d.re + motor[0];
  d.im = d.im + motor[1];
  store_pair(m->inverse + 2 * i, invert_pair(d));
}

// (K + s B)/s^2 of the motors on each velocity, [nv][2].
static void sum_motors(const ffi_lane_work *w, double h, int pole, real *out)
{
  memset(out, 0, 2 * (size_t)w->model->size.nv * sizeof *out);
  for (int i = 0; i < w->plan->motor_count; ++i) {
    const ffi_lane_spring *s = &w->spring[i];
    real kappa[2];
    lane_impedance(w->plan, s->now_K, s->now_B, 2, h, pole, kappa);
    out[2 * s->v] = out[2 * s->v] + kappa[0];
    out[2 * s->v + 1] = out[2 * s->v + 1] + kappa[1];
  }
}

void FFI_KERNEL(lane_factor)(ffi_lane_work *w, double h)
{
  const int n = w->model->size.nv;
  gram(w);
  for (int p = 0; p < FFI_POLES; ++p) {
    pole_matrix m = {.w = w, .row_of = w->model->dof_row};
    m.row = w->S + 2 * (size_t)p * (size_t)w->entries;
    m.inverse = w->inverse + 2 * p * n;
    for (int k = 0; k < 2; ++k) {
      m.per_K[k] = h * h * w->plan->poles.inverse[2][4 * k + p];
      m.per_B[k] = h * w->plan->poles.inverse[1][4 * k + p];
    }
    sum_motors(w, h, p, w->impedance);
    for (int i = n - 1; i >= 0; --i)
      make_row(&m, i, w->impedance + 2 * i);
  }
}

// ---- Solves ---------------------------------------------------------------------------------------------------

// A factored pole.
typedef struct factors {
  const int *row_of;
  const real *row, *inverse;
} factors;

// z_k = y_k/D.
FFI_ALWAYS complex_real divide(const factors *f, int k, complex_real y)
{
  return times_pair(y, load_pair(f->inverse + 2 * k));
}

// Up: y_i = x_i less what all rows below take from it; x_i becomes z_i.
FFI_ALWAYS void substitute_up(const ffi_lane_work *w, const factors *f, int i, real *x)
{
  const int depth = w->model->dof_depth[i], end = w->dof_end[i];
  complex_real sum = load_pair(x + 2 * i);
  for (int k = i + 1; k < end; ++k)
    sum = subtract_pair(sum, load_pair(f->row + 2 * (f->row_of[k] + depth)), load_pair(x + 2 * k));
  store_pair(x + 2 * i, divide(f, i, sum));
}

// Down: x_k = z_k less L x of its ancestors. `sum`: D L x of those at positions below `from`.
FFI_ALWAYS void substitute_down(const ffi_lane_work *w, const factors *f, int k, const int from,
                                complex_real sum, real *x)
{
  const real *row = f->row + 2 * f->row_of[k];
  const int *path = w->dynamics->path + f->row_of[k], depth = w->model->dof_depth[k];
  for (int a = from; a < depth; ++a)
    sum = subtract_pair(sum, load_pair(row + 2 * a), load_pair(x + 2 * path[a]));
  const complex_real less = divide(f, k, sum), z = load_pair(x + 2 * k),
                     xk = {z.re + less.re, z.im + less.im};
  store_pair(x + 2 * k, xk);
}

// Both for the six velocities of a free root, with all rows below them at once.
static void substitute_root(const factors *f, const ffi_body *root, real *x)
{
  complex_real at[BLOCK];
#pragma GCC unroll 6
  for (int j = 0; j < BLOCK; ++j)
    at[j] = load_pair(x + 2 * (root->v + j));
  for (int k = root->v + BLOCK; k < root->v_end; ++k) {
    const real *row = f->row + 2 * f->row_of[k];
    const complex_real z = load_pair(x + 2 * k);
#pragma GCC unroll 6
    for (int j = 0; j < BLOCK; ++j)
      at[j] = subtract_pair(at[j], load_pair(row + 2 * j), z);
  }
#pragma GCC unroll 6
  for (int i = BLOCK - 1; i >= 0; --i) {
#pragma GCC unroll 6
    for (int k = i + 1; k < BLOCK; ++k)
      at[i] = subtract_pair(at[i], load_pair(f->row + 2 * (f->row_of[root->v + k] + i)), at[k]);
    at[i] = divide(f, root->v + i, at[i]);
  }
#pragma GCC unroll 6
  for (int k = 0; k < BLOCK; ++k) {
    complex_real sum = {splat(0), splat(0)};
#pragma GCC unroll 6
    for (int a = 0; a < k; ++a)
      sum = subtract_pair(sum, load_pair(f->row + 2 * (f->row_of[root->v + k] + a)), at[a]);
    const complex_real less = divide(f, root->v + k, sum);
    at[k].re = at[k].re + less.re;
    at[k].im = at[k].im + less.im;
    store_pair(x + 2 * (root->v + k), at[k]);
  }
}

static void solve_free(const ffi_lane_work *w, const factors *f, const ffi_body *root, real *x)
{
  for (int i = root->v_end - 1; i >= root->v + BLOCK; --i)
    substitute_up(w, f, i, x);
  substitute_root(f, root, x);
  complex_real at[BLOCK];
#pragma GCC unroll 6
  for (int j = 0; j < BLOCK; ++j)
    at[j] = load_pair(x + 2 * (root->v + j));
  for (int k = root->v + BLOCK; k < root->v_end; ++k) {
    const real *row = f->row + 2 * f->row_of[k];
    complex_real sum = {splat(0), splat(0)};
#pragma GCC unroll 6
    for (int j = 0; j < BLOCK; ++j)
      sum = subtract_pair(sum, load_pair(row + 2 * j), at[j]);
    substitute_down(w, f, k, BLOCK, sum, x);
  }
}

void FFI_KERNEL(lane_solve)(const ffi_lane_work *w, int pole, real *x)
{
  const size_t p = (size_t)pole;
  const factors f = {.row_of = w->model->dof_row,
                     .row = w->S + 2 * p * (size_t)w->entries,
                     .inverse = w->inverse + 2 * p * (size_t)w->model->size.nv};
  for (int r = 0; r < w->dynamics->root_count; ++r) {
    const ffi_body *root = &w->model->bodies[w->dynamics->roots[r]];
    if (root->kind == FFI_KIND_FREE) {
      solve_free(w, &f, root, x);
      continue;
    }
    const complex_real none = {splat(0), splat(0)};
    for (int i = root->v_end - 1; i >= root->v; --i)
      substitute_up(w, &f, i, x);
    for (int k = root->v; k < root->v_end; ++k)
      substitute_down(w, &f, k, 0, none, x);
  }
}
