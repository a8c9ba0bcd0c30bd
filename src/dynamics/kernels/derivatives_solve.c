// Derivatives of forward dynamics: those of inverse dynamics at the vdot of M vdot + h = tau, times -M^-1.
// docs/theory/dynamics.md eq. 20
//
// M^-1 = W D^-1 W' with W = L^-1, which like L has a row of ancestors for every velocity. A tree at a time and a panel
// of columns at a time,
//   weigh:   Z = D^-1 W' B    row a gathers from the subtree of a
//   spread:  X = W Z          row i gathers from the path of i
// Columns [first, first + width) of B have entries only in rows that are *active*: the path of the first column, and
// [first, end), end the last of their subtrees. Z is the same. Under a free root, whose six rows are in every path,
// these stay in registers.
#include "derivatives.h"
#include "dynamics/joint.h"
#include "dynamics/kernels.h"

#include <stddef.h>

// The workspace's pointers as values: stores through `group` may alias anything, and would have them loaded again.
typedef struct panel {
  int root, last;  // the tree's velocities
  int first, end;  // first column; end of the active rows
  const int *path; // [shared] active rows before the first column
  int shared;
  const int *row, *depth, *dof_end, *dof_parent, *paths;
  const real *W, *pivot;
  real *Z;
  int *taken;
} panel;

static panel panel_at(const ffi_work *w, const ffi_body *root, int first, int width, int is_identity)
{
  const ff_model *m = w->model;
  panel p = {root->v,
             root->v_end,
             first,
             first + width,
             w->path + m->dof_row[first],
             m->dof_depth[first],
             m->dof_row,
             m->dof_depth,
             w->dof_end,
             m->dof_parent,
             w->path,
             w->W,
             w->pivot,
             w->panel,
             w->taken};
  if (root->kind == FFI_KIND_FREE && p.end < root->v + 6) // a free root's rows are always taken together
    p.end = root->v + 6;
  for (int c = first; c < first + width && !is_identity; ++c)
    p.end = w->dof_end[c] > p.end ? w->dof_end[c] : p.end;
  return p;
}

FFI_ALWAYS void load_groups(const int groups, const real_u *from, group *x)
{
#pragma GCC unroll 4
  for (int g = 0; g < groups; ++g)
    x[g] = *(const group *)(from + g * FFI_GROUP);
}
FFI_ALWAYS void store_groups(const int groups, const group *x, real_u *to)
{
#pragma GCC unroll 4
  for (int g = 0; g < groups; ++g)
    *(group *)(to + g * FFI_GROUP) = x[g];
}
FFI_ALWAYS void add_groups(const int groups, real s, const group *x, group *sum)
{
#pragma GCC unroll 4
  for (int g = 0; g < groups; ++g)
    sum[g] = sum[g] + s * x[g];
}

// ---- W ----------------------------------------------------------------------------------------------------

// W_i = e_i - sum of L_ik W_k over the path, positions [from, depth); under a free root its six are done below.
FFI_ALWAYS void invert_row(const int from, const ffi_work *w, int i)
{
  const int *row = w->model->dof_row, *path = w->path + row[i], depth = w->model->dof_depth[i];
  const real *L = w->M + row[i];
  real *restrict W = w->W + row[i];
  real root[6];
#pragma GCC unroll 6
  for (int a = 0; a < from; ++a)
    root[a] = -L[a];
  for (int a = from; a < depth; ++a)
    W[a] = -L[a];
  W[depth] = splat(1.0);
  for (int k = from; k < depth; ++k) {
    const real *above = w->W + row[path[k]];
    const real l = L[k];
#pragma GCC unroll 6
    for (int a = 0; a < from; ++a)
      root[a] = root[a] - l * above[a];
    for (int a = from; a < k; ++a)
      W[a] = W[a] - l * above[a];
  }
  if (!from)
    return;
  const real *block = w->W + row[path[0]];
#pragma GCC unroll 6
  for (int k = 1; k < from; ++k)
#pragma GCC unroll 6
    for (int a = 0; a < k; ++a)
      root[a] = root[a] - L[k] * block[k * (k + 1) / 2 + a];
#pragma GCC unroll 6
  for (int a = 0; a < from; ++a)
    W[a] = root[a];
}

static void invert_factor(ffi_work *w)
{
  const ff_model *m = w->model;
  for (int i = 0; i < m->size.nv; ++i) {
    w->pivot[i] = w->M[m->dof_row[i + 1] - 1];
    if (m->dof_depth[i] >= 6 && w->root_of[m->dof_body[i]])
      invert_row(6, w, i);
    else
      invert_row(0, w, i);
  }
}

// ---- Z = -D^-1 W' B ---------------------------------------------------------------------------------------

// Row a, from the active rows behind it.
FFI_ALWAYS void weigh_row(const int groups, const panel *p, int a, int on_path, const real_u *B,
                          ptrdiff_t stride)
{
  const int depth = p->depth[a], end = p->dof_end[a] < p->end ? p->dof_end[a] : p->end, *row = p->row;
  const real *W = p->W + depth;
  group sum[FFI_PANEL_GROUPS], x[FFI_PANEL_GROUPS];
  load_groups(groups, B + a * stride, sum);
  for (int k = depth + 1; on_path && k < p->shared; ++k) {
    load_groups(groups, B + p->path[k] * stride, x);
    add_groups(groups, W[row[p->path[k]]], x, sum);
  }
  for (int i = on_path ? p->first : a + 1; i < end; ++i) {
    load_groups(groups, B + i * stride, x);
    add_groups(groups, W[row[i]], x, sum);
  }
  const real inverse = -p->pivot[a];
  for (int g = 0; g < groups; ++g)
    sum[g] = inverse * sum[g];
  store_groups(groups, sum, p->Z + a * FFI_PANEL);
}

FFI_ALWAYS void gather_root(const int groups, const real *W, const real_u *B, group sum[6][FFI_PANEL_GROUPS])
{
  group x[FFI_PANEL_GROUPS];
  load_groups(groups, B, x);
#pragma GCC unroll 6
  for (int r = 0; r < 6; ++r)
    add_groups(groups, W[r], x, sum[r]);
}

// The six rows of a free root.
FFI_ALWAYS void weigh_root(const int groups, const panel *p, const real_u *B, ptrdiff_t stride)
{
  const real *W = p->W + p->row[p->root];
  group sum[6][FFI_PANEL_GROUPS];
#pragma GCC unroll 6
  for (int r = 0; r < 6; ++r)
    load_groups(groups, B + (p->root + r) * stride, sum[r]);
#pragma GCC unroll 6
  for (int r = 0; r < 6; ++r)
#pragma GCC unroll 6
    for (int i = r + 1; i < 6; ++i)
      add_groups(groups, W[i * (i + 1) / 2 + r], sum[i], sum[r]);
  for (int k = 6; k < p->shared; ++k)
    gather_root(groups, p->W + p->row[p->path[k]], B + p->path[k] * stride, sum);
  for (int i = p->first < p->root + 6 ? p->root + 6 : p->first; i < p->end; ++i)
    gather_root(groups, p->W + p->row[i], B + i * stride, sum);
#pragma GCC unroll 6
  for (int r = 0; r < 6; ++r) {
    const real inverse = -p->pivot[p->root + r];
    for (int g = 0; g < groups; ++g)
      sum[r][g] = inverse * sum[r][g];
    store_groups(groups, sum[r], p->Z + (p->root + r) * FFI_PANEL);
  }
}

FFI_ALWAYS void weigh(const int from, const int groups, const panel *p, const real_u *B, ptrdiff_t stride)
{
  if (from)
    weigh_root(groups, p, B, stride);
  for (int k = from; k < p->shared; ++k)
    weigh_row(groups, p, p->path[k], 1, B, stride);
  for (int a = p->first < p->root + from ? p->root + from : p->first; a < p->end; ++a)
    weigh_row(groups, p, a, 0, B, stride);
}

// Columns of D^-1 W': entry (a, k) is W_ka / D_a for a on the path of k.
static void weigh_identity(const panel *p, int width)
{
  const int rows = p->shared + p->end - p->first;
  for (int k = 0; k < rows; ++k) {
    real *row = p->Z + (k < p->shared ? p->path[k] : p->first + k - p->shared) * FFI_PANEL;
    const group zero = {0};
    for (int c = 0; c < FFI_PANEL; c += FFI_GROUP)
      *(group *)(row + c) = zero;
  }
  for (int c = 0; c < width; ++c) {
    const int k = p->first + c, *path = p->paths + p->row[k];
    const real *W = p->W + p->row[k];
    for (int a = 0; a <= p->depth[k]; ++a)
      p->Z[path[a] * FFI_PANEL + c] = W[a] * p->pivot[path[a]];
  }
}

// ---- X = W Z ----------------------------------------------------------------------------------------------

// How many entries of the path of i, itself included, are active: all if i is, else those of its parent.
FFI_ALWAYS int active_count(const panel *p, int i)
{
  const int is_active = i >= p->first ? i < p->end : p->first < p->dof_end[i];
  if (is_active)
    return p->depth[i] + 1;
  return p->dof_parent[i] < 0 ? 0 : p->taken[p->dof_parent[i]];
}

FFI_ALWAYS void spread(const int from, const int groups, const panel *p, real_u *X, ptrdiff_t stride)
{
  group root[6][FFI_PANEL_GROUPS];
#pragma GCC unroll 6
  for (int r = 0; r < from; ++r)
    load_groups(groups, p->Z + (p->root + r) * FFI_PANEL, root[r]);
#pragma GCC unroll 6
  for (int r = 0; r < from; ++r) {
    const real *W = p->W + p->row[p->root + r];
    group sum[FFI_PANEL_GROUPS];
    for (int g = 0; g < groups; ++g)
      sum[g] = root[r][g];
#pragma GCC unroll 6
    for (int k = 0; k < r; ++k)
      add_groups(groups, W[k], root[k], sum);
    store_groups(groups, sum, X + (p->root + r) * stride);
    p->taken[p->root + r] = r + 1;
  }
  for (int i = p->root + from; i < p->last; ++i) {
    const real *W = p->W + p->row[i];
    const int *path = p->paths + p->row[i], count = active_count(p, i);
    group sum[FFI_PANEL_GROUPS] = {{0}}, x[FFI_PANEL_GROUPS];
    p->taken[i] = count;
#pragma GCC unroll 6
    for (int r = 0; r < from; ++r)
      add_groups(groups, W[r], root[r], sum);
    for (int k = from; k < count; ++k) {
      load_groups(groups, p->Z + path[k] * FFI_PANEL, x);
      add_groups(groups, W[k], x, sum);
    }
    store_groups(groups, sum, X + i * stride);
  }
}

// ---- All columns ------------------------------------------------------------------------------------------

// A few columns of X, to and from a place that has room for whole groups.
static void copy_in(const panel *p, int width, const real_u *X, ptrdiff_t stride, real *tail)
{
  for (int k = 0; k < p->shared + p->end - p->first; ++k) {
    const ptrdiff_t i = k < p->shared ? p->path[k] : p->first + k - p->shared;
    for (int c = 0; c < width; ++c)
      tail[i * FFI_PANEL + c] = X[i * stride + c];
  }
}
static void copy_out(const panel *p, int width, const real *tail, real_u *X, ptrdiff_t stride)
{
  for (ptrdiff_t i = p->root; i < p->last; ++i)
    for (int c = 0; c < width; ++c)
      X[i * stride + c] = tail[i * FFI_PANEL + c];
}

FFI_ALWAYS void solve_panel(const int from, const int groups, real *tail, panel p, int width, int is_identity,
                            real_u *X, ptrdiff_t stride)
{
  const int is_whole = width == groups * FFI_GROUP;
  real_u *at = is_whole ? X : (real_u *)tail;
  const ptrdiff_t step = is_whole ? stride : FFI_PANEL;
  if (is_identity)
    weigh_identity(&p, width);
  else {
    if (!is_whole)
      copy_in(&p, width, X, stride, tail);
    weigh(from, groups, &p, at, step);
  }
  spread(from, groups, &p, at, step);
  if (!is_whole)
    copy_out(&p, width, tail, X, stride);
}

// X := -M^-1 X, or M^-1 if it is the identity that is solved for. [nv x nv]; entries between two trees are zero before
// and after.
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
        solve_panel(0, FFI_PANEL_GROUPS, w->tail, p, width, is_identity, X + c, nv);
      else if (width > 2 * FFI_GROUP)
        solve_panel(6, FFI_PANEL_GROUPS, w->tail, p, width, is_identity, X + c, nv);
      else if (width > FFI_GROUP)
        solve_panel(6, 2, w->tail, p, width, is_identity, X + c, nv);
      else
        solve_panel(6, 1, w->tail, p, width, is_identity, X + c, nv);
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
  const int has_forces = count > 0 || m->lift;
  FFI_KERNEL(derivatives_motion)(w, v_in, forces, count);
  FFI_KERNEL(derivatives_mass)(w, has_forces);
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
    FFI_KERNEL(derivatives_pairs)(w, w->vdot, has_forces, dq, dv);
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
