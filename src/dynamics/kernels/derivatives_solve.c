// Derivatives of forward dynamics: those of inverse dynamics at the vdot of M vdot + h = tau, times -M^-1.
//
// M^-1 = W D^-1 W' with W = L^-1, which like L has a row of ancestors for every velocity. A tree at a time and a panel of
// columns at a time,
//   weigh:   Z = D^-1 W' B    row a gathers from the subtree of a
//   spread:  X = W Z          row i gathers from the path of i
// Columns [first, first + width) of B have entries only in rows that are *active*: the path of the first column, and
// [first, end), end the last of their subtrees. Z is the same. Under a free root, whose six rows are in every path, these
// stay in registers.
#include "derivatives.h"
#include "dynamics/joint.h"
#include "dynamics/kernels.h"

#include <stddef.h>

typedef struct panel {
  int root, last;  // the tree's velocities
  int first, end;  // first column; end of the active rows
  const int *path; // [shared] active rows before the first column
  int shared;
} panel;

static panel panel_at(const ffi_work *w, const ffi_body *root, int first, int width, int is_diagonal)
{
  const ff_model *m = w->model;
  panel p = {root->v, root->v_end, first, first + width, w->path + m->dof_row[first], m->dof_depth[first]};
  if (root->kind == FFI_KIND_FREE && p.end < root->v + 6) // a free root's rows are always taken together
    p.end = root->v + 6;
  for (int c = first; c < first + width && !is_diagonal; ++c) {
    const int end = m->bodies[m->dof_body[c]].v_end;
    p.end = end > p.end ? end : p.end;
  }
  return p;
}

FFI_ALWAYS void load_groups(const int groups, const real_u *from, group *x)
{
  for (int g = 0; g < groups; ++g)
    x[g] = *(const group *)(from + g * FFI_GROUP);
}
FFI_ALWAYS void store_groups(const int groups, const group *x, real_u *to)
{
  for (int g = 0; g < groups; ++g)
    *(group *)(to + g * FFI_GROUP) = x[g];
}
FFI_ALWAYS void add_groups(const int groups, real s, const real_u *x, group *sum)
{
  for (int g = 0; g < groups; ++g)
    sum[g] = sum[g] + s * *(const group *)(x + g * FFI_GROUP);
}

// ---- W ----------------------------------------------------------------------------------------------------

// W_i = e_i - sum of L_ik W_k over the path.
static void invert_factor(ffi_work *w)
{
  const ff_model *m = w->model;
  for (int i = 0; i < m->size.nv; ++i) {
    const real *L = w->M + m->dof_row[i];
    const int *path = w->path + m->dof_row[i], depth = m->dof_depth[i];
    real *restrict W = w->W + m->dof_row[i];
    for (int a = 0; a < depth; ++a)
      W[a] = -L[a];
    W[depth] = splat(1.0);
    for (int k = 1; k < depth; ++k) {
      const real *above = w->W + m->dof_row[path[k]];
      const real l = L[k];
      for (int a = 0; a < k; ++a)
        W[a] = W[a] - l * above[a];
    }
  }
}

// ---- Z = sign D^-1 W' B -----------------------------------------------------------------------------------

// Row a, from the active rows behind it.
FFI_ALWAYS void weigh_row(const int groups, const ffi_work *w, const panel *p, double sign, int a,
                          int on_path, const real_u *B, ptrdiff_t stride)
{
  const ff_model *m = w->model;
  const int depth = m->dof_depth[a], end = m->bodies[m->dof_body[a]].v_end;
  const real *W = w->W + depth;
  group sum[2];
  load_groups(groups, B + a * stride, sum);
  if (on_path)
    for (int k = depth + 1; k < p->shared; ++k)
      add_groups(groups, W[m->dof_row[p->path[k]]], B + p->path[k] * stride, sum);
  for (int i = on_path ? p->first : a + 1; i < (end < p->end ? end : p->end); ++i)
    add_groups(groups, W[m->dof_row[i]], B + i * stride, sum);
  const real inverse = sign * w->M[m->dof_row[a + 1] - 1];
  for (int g = 0; g < groups; ++g)
    sum[g] = inverse * sum[g];
  store_groups(groups, sum, w->panel + a * FFI_PANEL);
}

FFI_ALWAYS void gather_root(const int groups, const ffi_work *w, int i, const real_u *B, ptrdiff_t stride,
                            group sum[6][2])
{
  const real *W = w->W + w->model->dof_row[i];
  group x[2];
  load_groups(groups, B + i * stride, x);
#pragma GCC unroll 6
  for (int r = 0; r < 6; ++r) {
    const real l = W[r];
    for (int g = 0; g < groups; ++g)
      sum[r][g] = sum[r][g] + l * x[g];
  }
}

// The six rows of a free root.
FFI_ALWAYS void weigh_root(const int groups, const ffi_work *w, const panel *p, double sign, const real_u *B,
                           ptrdiff_t stride)
{
  const ff_model *m = w->model;
  const real *W = w->W + m->dof_row[p->root];
  group sum[6][2];
#pragma GCC unroll 6
  for (int r = 0; r < 6; ++r)
    load_groups(groups, B + (p->root + r) * stride, sum[r]);
#pragma GCC unroll 6
  for (int r = 0; r < 6; ++r)
#pragma GCC unroll 6
    for (int i = r + 1; i < 6; ++i)
      for (int g = 0; g < groups; ++g)
        sum[r][g] = sum[r][g] + W[i * (i + 1) / 2 + r] * sum[i][g];
  for (int k = 6; k < p->shared; ++k)
    gather_root(groups, w, p->path[k], B, stride, sum);
  for (int i = p->first < p->root + 6 ? p->root + 6 : p->first; i < p->end; ++i)
    gather_root(groups, w, i, B, stride, sum);
#pragma GCC unroll 6
  for (int r = 0; r < 6; ++r) {
    const real inverse = sign * w->M[m->dof_row[p->root + r + 1] - 1];
    for (int g = 0; g < groups; ++g)
      sum[r][g] = inverse * sum[r][g];
    store_groups(groups, sum[r], w->panel + (p->root + r) * FFI_PANEL);
  }
}

FFI_ALWAYS void weigh(const int from, const int groups, const ffi_work *w, const panel *p, double sign,
                      const real_u *B, ptrdiff_t stride)
{
  if (from)
    weigh_root(groups, w, p, sign, B, stride);
  for (int k = from; k < p->shared; ++k)
    weigh_row(groups, w, p, sign, p->path[k], 1, B, stride);
  for (int a = p->first < p->root + from ? p->root + from : p->first; a < p->end; ++a)
    weigh_row(groups, w, p, sign, a, 0, B, stride);
}

// ---- X = W Z ----------------------------------------------------------------------------------------------

// How many entries of the path of i, itself included, are active: all if i is, else those of its parent.
FFI_ALWAYS int active_count(const ff_model *m, const panel *p, int i, const int *taken)
{
  const int is_active = i >= p->first ? i < p->end : p->first < m->bodies[m->dof_body[i]].v_end;
  if (is_active)
    return m->dof_depth[i] + 1;
  return m->dof_parent[i] < 0 ? 0 : taken[m->dof_parent[i]];
}

FFI_ALWAYS void spread(const int from, const int groups, const ffi_work *w, const panel *p, real_u *X,
                       ptrdiff_t stride)
{
  const ff_model *m = w->model;
  group root[6][2];
#pragma GCC unroll 6
  for (int r = 0; r < from; ++r)
    load_groups(groups, w->panel + (p->root + r) * FFI_PANEL, root[r]);
#pragma GCC unroll 6
  for (int r = 0; r < from; ++r) {
    const real *W = w->W + m->dof_row[p->root + r];
    group sum[2];
    for (int g = 0; g < groups; ++g)
      sum[g] = root[r][g];
#pragma GCC unroll 6
    for (int k = 0; k < r; ++k)
      for (int g = 0; g < groups; ++g)
        sum[g] = sum[g] + W[k] * root[k][g];
    store_groups(groups, sum, X + (p->root + r) * stride);
    w->taken[p->root + r] = r + 1;
  }
  for (int i = p->root + from; i < p->last; ++i) {
    const real *W = w->W + m->dof_row[i];
    const int *path = w->path + m->dof_row[i], count = active_count(m, p, i, w->taken);
    group sum[2] = {{0}, {0}};
    w->taken[i] = count;
#pragma GCC unroll 6
    for (int r = 0; r < from; ++r)
      for (int g = 0; g < groups; ++g)
        sum[g] = sum[g] + W[r] * root[r][g];
    for (int k = from; k < count; ++k)
      add_groups(groups, W[k], w->panel + path[k] * FFI_PANEL, sum);
    store_groups(groups, sum, X + i * stride);
  }
}

// ---- All columns ------------------------------------------------------------------------------------------

// Columns of D^-1 W': entry (a, k) is W_ka / D_a for a on the path of k.
static void weigh_identity(const ffi_work *w, const panel *p, int width)
{
  const ff_model *m = w->model;
  for (int k = 0; k < p->shared + p->end - p->first; ++k) {
    real *row = w->panel + (k < p->shared ? p->path[k] : p->first + k - p->shared) * FFI_PANEL;
    for (int c = 0; c < FFI_PANEL; ++c)
      row[c] = splat(0.0);
  }
  for (int c = 0; c < width; ++c) {
    const int k = p->first + c, *path = w->path + m->dof_row[k];
    const real *W = w->W + m->dof_row[k];
    for (int a = 0; a <= m->dof_depth[k]; ++a)
      w->panel[path[a] * FFI_PANEL + c] = W[a] * w->M[m->dof_row[path[a] + 1] - 1];
  }
}

// Rows of a few columns of X, to and from a place that has room for whole groups.
static void copy_in(const ffi_work *w, const panel *p, int width, const real_u *X, ptrdiff_t stride)
{
  for (int k = 0; k < p->shared + p->end - p->first; ++k) {
    const int i = k < p->shared ? p->path[k] : p->first + k - p->shared;
    for (int c = 0; c < width; ++c)
      w->tail[i * FFI_PANEL + c] = X[i * stride + c];
  }
}
static void copy_out(const ffi_work *w, const panel *p, int width, real_u *X, ptrdiff_t stride)
{
  for (int i = p->root; i < p->last; ++i)
    for (int c = 0; c < width; ++c)
      X[i * stride + c] = w->tail[i * FFI_PANEL + c];
}

FFI_ALWAYS void solve_panel(const int from, const int groups, ffi_work *w, const panel *p, int width,
                            int is_identity, real_u *X, ptrdiff_t stride)
{
  const int is_whole = width == groups * FFI_GROUP;
  real_u *at = is_whole ? X : (real_u *)w->tail;
  const ptrdiff_t step = is_whole ? stride : FFI_PANEL;
  if (is_identity)
    weigh_identity(w, p, width);
  else {
    if (!is_whole)
      copy_in(w, p, width, X, stride);
    weigh(from, groups, w, p, -1.0, at, step);
  }
  spread(from, groups, w, p, at, step);
  if (!is_whole)
    copy_out(w, p, width, X, stride);
}

// X := -M^-1 X, or M^-1 if it is to be the identity that is solved for. [nv x nv]; entries between two trees are zero before and
// after.
static void solve_columns(ffi_work *w, int is_identity, real_u *X)
{
  const ff_model *m = w->model;
  const ptrdiff_t nv = m->size.nv;
  for (int r = 0; r < w->root_count; ++r) {
    const ffi_body *root = &m->bodies[w->roots[r]];
    for (int c = root->v; c < root->v_end; c += FFI_PANEL) {
      const int width = root->v_end - c < FFI_PANEL ? root->v_end - c : FFI_PANEL;
      const panel p = panel_at(w, root, c, width, is_identity);
      if (root->kind != FFI_KIND_FREE)
        solve_panel(0, 2, w, &p, width, is_identity, X + c, nv);
      else if (width > FFI_GROUP)
        solve_panel(6, 2, w, &p, width, is_identity, X + c, nv);
      else
        solve_panel(6, 1, w, &p, width, is_identity, X + c, nv);
    }
  }
}

void FFI_KERNEL(aba_derivatives)(ffi_work *w, const double *v_in, const double *tau_in,
                                 const ff_point_force *forces, int count, double *dvdot_dq, double *dvdot_dv,
                                 double *Minv)
{
  const ff_model *m = w->model;
  const ptrdiff_t nv = m->size.nv;
  const real_u *v = (const real_u *)v_in, *tau = (const real_u *)tau_in;
  real_u *dq = (real_u *)dvdot_dq, *dv = (real_u *)dvdot_dv, *inverse = (real_u *)Minv;
  FFI_KERNEL(slope_motion)(w, v_in, forces, count);
  FFI_KERNEL(slope_mass)(w, count > 0);
  for (int k = 0; k < w->loaded_count; ++k) {
    const int d = w->loaded[k];
    real *diagonal = w->M + m->dof_row[d + 1] - 1;
    *diagonal = *diagonal + m->dof_armature[d];
    w->h[d] = w->h[d] + m->dof_damping[d] * v[d];
  }
  FFI_KERNEL(factor)(w);
  invert_factor(w);
  if (dq || dv) {
    for (int k = 0; k < nv; ++k)
      w->vdot[k] = tau[k] - w->h[k];
    FFI_KERNEL(solve)(w, (double *)w->vdot);
    FFI_KERNEL(slope_pairs)(w, w->vdot, count > 0, dq, dv);
  }
  for (int k = 0; dv && k < w->loaded_count; ++k) {
    const ptrdiff_t at = w->loaded[k] * (nv + 1);
    dv[at] = dv[at] + m->dof_damping[w->loaded[k]];
  }
  if (dq)
    solve_columns(w, 0, dq);
  if (dv)
    solve_columns(w, 0, dv);
  if (inverse) {
    for (ptrdiff_t k = 0; w->root_count > 1 && k < nv * nv; ++k)
      inverse[k] = splat(0.0);
    solve_columns(w, 1, inverse);
  }
}
