// Kernels that judge a step: its kinetic and potential energy, docs/theory/energy.md, and the numbers of its state.
#include "dynamics/workspace.h"

#include "step/kernels/complex4.h"
#include "step/kernels/step_kernels_variant.h"

typedef double lanes2 __attribute__((vector_size(16), aligned(8), may_alias));
typedef int64_t mask4 __attribute__((vector_size(32)));

// ---- Energy --------------------------------------------------------------------------------------------------

// 1/2 v'Mv of the part of one row of M from `row` to its diagonal. Velocities come depth first, so `above` always
// begins with those of the ancestors, in the order of a row. Two sums, so that one need not wait for the other.
FFI_ALWAYS double kinetic_of_row(const double *row, const double *diagonal, double v, double *above)
{
  double even = 0.5 * *diagonal * v, odd = 0;
  for (; row + 1 < diagonal; row += 2, above += 2) {
    even += row[0] * above[0];
    odd += row[1] * above[1];
  }
  if (row < diagonal)
    even += *row * *above++;
  *above = v;
  return (even + odd) * v;
}

static double kinetic_of_tree(const ffi_work *w, const double *v, int first, int last, double *above)
{
  const int *row_of = w->model->dof_row;
  const double *row = w->M + row_of[first];
  double sum = 0;
  for (ptrdiff_t i = first; i < last; ++i) {
    const double *next = w->M + row_of[i + 1];
    sum += kinetic_of_row(row, next - 1, v[i], above);
    row = next;
  }
  return sum;
}

// Of what a free root at `u` [6] carries. The first six columns of its rows meet the root's velocity: one product for
// all of them.
static double kinetic_under_root(const ffi_work *w, const double *v, int first, int last, const double *u,
                                 double *above)
{
  const int *row_of = w->model->dof_row;
  const double *row = w->M + row_of[first];
  lanes4 linear = {0};
  lanes2 rest = {0};
  double sum = 0;
  for (ptrdiff_t i = first; i < last; ++i) {
    const double *next = w->M + row_of[i + 1];
    linear = linear + v[i] * *(const lanes4 *)row;
    rest = rest + v[i] * *(const lanes2 *)(row + 4);
    sum += kinetic_of_row(row + 6, next - 1, v[i], above + 6);
    row = next;
  }
  linear = linear * *(const lanes4 *)u;
  rest = rest * *(const lanes2 *)(u + 4);
  return sum + ((linear[0] + linear[1]) + (linear[2] + linear[3])) + (rest[0] + rest[1]);
}

// Its own block of M: (m 1, -[mc]x; [mc]x, I), and armature on the diagonal. See crba.c, free_block.
static double kinetic_of_root(const double *M, const double *v)
{
  const double *p = v, *r = v + 3;
  const double linear = M[0] * p[0] * p[0] + M[2] * p[1] * p[1] + M[5] * p[2] * p[2],
               angular = M[9] * r[0] * r[0] + M[14] * r[1] * r[1] + M[20] * r[2] * r[2];
  return 0.5 * (linear + angular) + r[0] * (M[7] * p[1] + M[8] * p[2]) +
         r[1] * (M[10] * p[0] + M[12] * p[2]) + r[2] * (M[15] * p[0] + M[16] * p[1]) + M[13] * r[0] * r[1] +
         M[18] * r[0] * r[2] + M[19] * r[1] * r[2];
}

// g' m c of a body or of all that it carries: its mass, and mass times centre of mass in its axes.
FFI_ALWAYS double weight(const double *g, const ffi_body_pose *pose, double mass, const double *mc)
{
  const double *R = pose->R, *p = pose->p;
  double sum = 0;
  for (int k = 0; k < 3; ++k)
    sum += g[k] * (mass * p[k] + R[3 * k] * mc[0] + R[3 * k + 1] * mc[1] + R[3 * k + 2] * mc[2]);
  return sum;
}

// Of the bodies [first, last). Gravity is nearly always along z.
static double weight_of_bodies(const ffi_work *w, int first, int last)
{
  const ff_model *m = w->model;
  const double *g = m->gravity;
  double sum = 0;
  if (g[0] == 0 && g[1] == 0) {
    for (int i = first; i < last; ++i) {
      const ffi_body *b = &m->bodies[i];
      const double *R = w->pose[i].R;
      sum += b->mass * w->pose[i].p[2] + R[6] * b->mc[0] + R[7] * b->mc[1] + R[8] * b->mc[2];
    }
    return g[2] * sum;
  }
  for (int i = first; i < last; ++i)
    sum += weight(g, &w->pose[i], m->bodies[i].mass, m->bodies[i].mc);
  return sum;
}

// By gravity compensation.
static double weight_carried(const ffi_work *w)
{
  const ff_model *m = w->model;
  double sum = 0;
  for (int i = 1; m->lift && i < m->body_count; ++i)
    sum += weight(m->gravity, &w->pose[i], m->lift[4 * i], m->lift + 4 * i + 1);
  return sum;
}

// Tree by tree. M of a free root holds mass and first moment of its whole tree, so its bodies need no visit.
void FFI_KERNEL(energy)(const ffi_work *w, const double *v, double *above, double out[2])
{
  const ff_model *m = w->model;
  double kinetic = 0, potential = 0;
  for (int i = 1; i < m->body_count; i = m->bodies[i].subtree_end) {
    const ffi_body *root = &m->bodies[i];
    const double *M = w->M + m->dof_row[root->v], *u = v + root->v;
    if (root->kind != FFI_KIND_FREE) {
      kinetic += kinetic_of_tree(w, v, root->v, root->v_end, above);
      potential -= weight_of_bodies(w, i, root->subtree_end);
    } else {
      const double mc[3] = {M[16], M[8], M[10]};
      kinetic += kinetic_of_root(M, u) + kinetic_under_root(w, v, root->v + 6, root->v_end, u, above);
      potential -= weight(m->gravity, &w->pose[i], w->subtree_mass[i], mc);
    }
  }
  out[0] = kinetic;
  out[1] = potential + weight_carried(w);
}

// 1/2 v'Mv = 1/2 sum D_k (L v)_k^2 where M = L'DL. The rows of L are those of M, with 1/D on the diagonal.
static double kinetic_of_factors(const ffi_work *w, const double *v, double *above)
{
  const int *row_of = w->model->dof_row;
  double twice = 0;
  for (int i = 0, at = 0; i < w->model->size.nv; ++i) {
    const int next = row_of[i + 1], depth = next - at - 1;
    const double *row = w->M + at;
    double even = v[i], odd = 0;
    int k = 0;
    for (; k + 1 < depth; k += 2) {
      even += row[k] * above[k];
      odd += row[k + 1] * above[k + 1];
    }
    if (k < depth)
      even += row[k] * above[k];
    above[depth] = v[i];
    twice += (even + odd) * (even + odd) / row[depth];
    at = next;
  }
  return 0.5 * twice;
}

void FFI_KERNEL(energy_factored)(const ffi_work *w, const double *v, double *above, double out[2])
{
  const ff_model *m = w->model;
  out[0] = kinetic_of_factors(w, v, above);
  out[1] = weight_carried(w) - weight_of_bodies(w, 1, m->body_count);
}

// ---- Numbers of a state --------------------------------------------------------------------------------------

FFI_ALWAYS lanes4 all4(double x)
{
  return (lanes4){x, x, x, x};
}

FFI_ALWAYS lanes4 size4(lanes4 x)
{
  const int64_t most = INT64_MAX; // all bits but the sign
  return (lanes4)((mask4)x & (mask4){most, most, most, most});
}

FFI_ALWAYS int any4(mask4 m)
{
  return (m[0] | m[1] | m[2] | m[3]) != 0;
}

// Four numbers: those below `least` become 0. Adds those that are not within `most` to *beyond; NaN is not.
FFI_ALWAYS lanes4 settle4(double *at, lanes4 least, lanes4 most, mask4 *beyond)
{
  const lanes4 x = *(const lanes4 *)at, size = size4(x);
  *beyond |= ~(mask4)(size <= most);
  const lanes4 kept = (lanes4)((mask4)x & ~(mask4)(size < least));
  *(lanes4 *)at = kept;
  return kept;
}

FFI_ALWAYS double settle1(double x, double least)
{
  return (x < 0 ? -x : x) < least ? 0 : x;
}

int FFI_KERNEL(is_zero)(const double *x, int count)
{
  mask4 any = {0};
  int k = 0, zero = 1;
  for (; k + 4 <= count; k += 4)
    any |= (mask4)(*(const lanes4 *)(x + k) != all4(0));
  for (; k < count; ++k)
    zero &= x[k] == 0;
  return zero && !any4(any);
}

int FFI_KERNEL(settle)(double *x, int count, double least, double most)
{
  mask4 beyond = {0};
  int within = 1;
  if (count >= 4) {
    for (int i = 0; i + 4 < count; i += 4)
      settle4(x + i, all4(least), all4(most), &beyond);
    settle4(x + count - 4, all4(least), all4(most), &beyond); // some of them once more, which changes nothing
    return !any4(beyond);
  }
  for (int i = 0; i < count; ++i) {
    within &= x[i] <= most && -x[i] <= most;
    x[i] = settle1(x[i], least);
  }
  return within;
}

int FFI_KERNEL(settle_moved)(double *x, const double *from, int count, double least, double most)
{
  mask4 beyond = {0};
  int within = 1;
  if (count >= 4) {
    for (int i = 0;; i = i + 8 <= count ? i + 4 : count - 4) {
      settle4(x + i, all4(least), all4(INFINITY), &beyond);
      beyond |= ~(mask4)(size4(*(lanes4 *)(x + i) - *(const lanes4 *)(from + i)) <= most);
      if (i + 4 == count)
        return !any4(beyond);
    }
  }
  for (int i = 0; i < count; ++i) {
    x[i] = settle1(x[i], least);
    within &= x[i] - from[i] <= most && from[i] - x[i] <= most;
  }
  return within;
}

int FFI_KERNEL(settle_records)(double *x, int records, int stride, const double least[8], double most)
{
  const lanes4 first = *(const lanes4 *)least, second = *(const lanes4 *)(least + 4);
  mask4 beyond = {0};
  for (int i = 0; i < records; ++i, x += stride) {
    settle4(x, first, all4(most), &beyond);
    settle4(x + 4, second, all4(most), &beyond);
  }
  return !any4(beyond);
}
