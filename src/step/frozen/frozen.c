// The frozen system at four poles: its rows, its matrices and their factors. frozen.h has the equations, frozen_solve.c
// moves it.
#include "step/frozen/frozen.h"

#include "dynamics/one_lane.h"
#include "math/poles.h"
#include "math/vec3.h"
#include "step/frozen/frozen_complex.h"
#include "step/frozen/frozen_error.h"
#include "step/frozen/frozen_friction.h"
#include "step/frozen/frozen_slide.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// -2 c z^-j of docs/theory/exponential.md, eq. 9, conjugated.
static void fill_weight(const double *residue, const double *power, double out[FFI_COMPLEX])
{
  ffi_frozen_complex_times(residue, power, out);
  for (int k = 0; k < FFI_POLES; ++k) {
    out[k] *= -2;
    out[4 + k] *= 2;
  }
}

static void fill_constants(ffi_frozen *z)
{
  memset(z->inverse, 0, sizeof z->inverse);
  for (int k = 0; k < FFI_POLES; ++k)
    z->inverse[0][k] = 1;
  ffi_frozen_complex_invert(ffi_poles_z, z->inverse[1]);
  for (int j = 2; j < 5; ++j)
    ffi_frozen_complex_times(z->inverse[j - 1], z->inverse[1], z->inverse[j]);
  for (int j = 0; j < 5; ++j)
    fill_weight(ffi_poles_c, z->inverse[j], z->weight[j]);
  for (int m = 0; m < 4; ++m) {
    double residue[FFI_COMPLEX];
    ffi_poles_unresolved(m, residue);
    fill_weight(residue, z->inverse[1], z->unresolved[m]);
  }
}

// Can a contact or an element join two branches of the forest?
static int may_join_branches(const ffi_system *s)
{
  for (int p = 0; p < s->colliders->pair_count; ++p)
    if (s->colliders->pairs[p].body_a > 0 && s->colliders->pairs[p].body_b > 0)
      return 1;
  for (int e = 0; e < s->element_count; ++e) {
    const ff_element_def *def = &s->elements[e].def;
    if ((def->type == FF_ELEMENT_POINT || def->type == FF_ELEMENT_WELD) &&
        s->model->frames[def->a.frame].body > 0 && s->model->frames[def->b.frame].body > 0)
      return 1;
    if (!s->elements[e].is_path) // a coupling or a tendon
      return 1;
  }
  return 0;
}

void ffi_frozen_layout(const ffi_system *s, ffi_block *block, ffi_frozen *out)
{
  const ff_model *m = s->model;
  ffi_frozen z = {.kernels = s->step_k, .n = m->size.nv};
  z.stride = ffi_evaluation_stride(s);
  z.max_blocks = s->max_contacts + ffi_constraint_most(s) + 1;
  z.max_rank = s->max_contacts < z.n ? s->max_contacts : z.n;
  z.tolerance = s->def->expo.force_tolerance;
  z.max_subintervals = s->def->expo.max_substeps;
  fill_constants(&z);
  ffi_pattern_tree(m, block, &z.tree);
  const size_t n = (size_t)z.n;
  size_t entries = (size_t)m->dof_row[n] + 3 * n; // with padding
  if (may_join_branches(s)) {
    ffi_pattern_full(z.n, block, &z.full);
    entries = n * (n + 1) / 2 + 3 * n;
  }
  const size_t rank = (size_t)z.max_rank;
  z.block = ffi_block_take(block, (size_t)z.max_blocks, sizeof *z.block);
  z.joint = ffi_block_take(block, (size_t)s->law_count + n + 1, sizeof *z.joint);
  z.delta_v = ffi_block_take(block, n, sizeof *z.delta_v);
  z.delta_x = ffi_block_take(block, n, sizeof *z.delta_x);
  z.M = ffi_block_take(block, entries, sizeof *z.M);
  z.G = ffi_block_take(block, FFI_FROZEN_CLASSES * entries, sizeof *z.G);
  z.S = ffi_block_take(block, FFI_COMPLEX * entries, sizeof *z.S);
  z.alpha = ffi_block_take(block, FFI_COMPLEX * n, sizeof *z.alpha);
  z.vector = ffi_block_take(block, 4 * n * (1 + FFI_FROZEN_CLASSES), sizeof *z.vector);
  z.A = ffi_block_take(block, 4 * n, sizeof *z.A);
  z.E = ffi_block_take(block, 4 * n, sizeof *z.E);
  z.diagonal = ffi_block_take(block, 2 * n, sizeof *z.diagonal);
  z.L = ffi_block_take(block, entries, sizeof *z.L);
  z.scratch4 = ffi_block_keep(block, 4 * n, sizeof *z.scratch4);
  z.sliding = ffi_block_take(block, (size_t)s->max_contacts + 1, sizeof *z.sliding);
  z.column = ffi_block_take(block, rank * n * FFI_COMPLEX, sizeof *z.column);
  z.low_rank = ffi_block_take(block, rank * (rank + 1) * FFI_COMPLEX, sizeof *z.low_rank);
  z.pivot = ffi_block_take(block, rank * FFI_POLES, sizeof *z.pivot);
  z.axis_rows = ffi_block_take(block, (size_t)z.max_blocks * 3 * (size_t)z.stride, sizeof *z.axis_rows);
  *out = z;
}

void ffi_frozen_begin(ffi_frozen *z)
{
  z->pattern = &z->tree;
  z->block_count = z->joint_count = z->class_count = z->slides = z->is_self_excited = 0;
  z->f1 = NULL;
  z->observer = NULL;
  z->wants_double_mean = 0;
}

// Blocks of the same stiffness and damping are one class; -1 if there are too many.
static int class_of(ffi_frozen *z, double K, double B)
{
  for (int c = 0; c < z->class_count; ++c)
    if (z->class_K[c] == K && z->class_B[c] == B)
      return c;
  if (z->class_count == FFI_FROZEN_CLASSES)
    return -1;
  z->class_K[z->class_count] = K;
  z->class_B[z->class_count] = B;
  return z->class_count++;
}

ffi_frozen_block *ffi_frozen_add(ffi_frozen *z, const ffi_frozen_spring *s)
{
  assert(z->block_count < z->max_blocks);
  ffi_frozen_block *b = &z->block[z->block_count++];
  b->rows = s->rows;
  b->K = s->K;
  b->B = s->B;
  b->slides = 0;
  b->class_index = 0;
  for (int k = 0; k < 3; ++k) {
    b->x[k] = s->x[k];
    b->u[k] = s->u[k];
    b->c[k] = s->c[k];
    b->c1[k] = 0;
  }
  b->c[3] = b->c1[3] = 0;
  if (!s->rows->is_path)
    z->pattern = &z->full;
  return b;
}

void ffi_frozen_add_joint(ffi_frozen *z, const ffi_joint_law_row *row)
{
  ffi_frozen_joint *j = &z->joint[z->joint_count++];
  j->v = row->v;
  j->line = row->line;
  if (row->v < 0 && !row->is_path)
    z->pattern = &z->full;
  j->K = row->K;
  j->B = row->B;
  j->x = row->x;
  j->u = row->u;
}

// M by the pattern in use. The padding of its rows is zero.
static void take_mass(ffi_frozen *z)
{
  const ffi_work *work = z->at->work;
  const ff_model *m = work->model;
  const ffi_pattern *p = z->pattern;
  if (p == &z->tree) {
    for (int i = 0; i < z->n; ++i) {
      const double *from = work->M + m->dof_row[i];
      double *to = z->M + p->row[i];
      const int width = p->row[i + 1] - p->row[i], depth = p->depth[i];
      to[width - 1] = to[width - 2] = to[width - 3] = to[width - 4] = 0; // a row is padded to fours
      memcpy(to, from, (size_t)(depth + 1) * sizeof *to);
    }
    return;
  }
  memset(z->M, 0, (size_t)p->row[z->n] * sizeof *z->M);
  for (int i = 0; i < z->n; ++i)
    for (int e = m->dof_row[i]; e < m->dof_row[i + 1]; ++e)
      z->M[p->row[i] + work->path[e]] = work->M[e];
}

void ffi_frozen_prepare(const ffi_system *s, ffi_frozen *z, ffi_state_kinematics *at)
{
  ffi_state_kinematics_form_mass(s, at);
  z->at = at;
  z->gravity = ffi_v3_norm(s->model->gravity);
  take_mass(z);
  const size_t entries = (size_t)z->pattern->row[z->n];
  z->class_count = 0;
  for (int i = 0; i < z->block_count; ++i) {
    ffi_frozen_block *b = &z->block[i];
    const int known = z->class_count;
    b->class_index = b->slides ? -1 : class_of(z, b->K, b->B);
    if (b->class_index < 0)
      continue;
    double *G = z->G + (size_t)b->class_index * entries;
    if (b->class_index == known)
      memset(G, 0, entries * sizeof *G);
    z->kernels->gram(b->rows->columns, b->rows->dof, b->rows->J, z->stride,
                     b->rows->is_path && z->pattern == &z->tree, z->pattern, G);
  }
  ffi_frozen_slide_prepare(z);
  ffi_frozen_error_prepare(z);
}

// K h^j z^-j + B h^(j-1) z^-(j-1), that is (K + s B)/s^j of docs/theory/exponential.md, eq. 7.
void ffi_frozen_impedance(const ffi_frozen *z, double K, double B, int j, double h, double out[FFI_COMPLEX])
{
  const double hj = j == 2 ? h : j == 3 ? h * h : h * h * h; // h^(j-1)
  const double a = K * hj * h, b = B * hj;
  for (int k = 0; k < FFI_COMPLEX; ++k)
    out[k] = a * z->inverse[j][k] + b * z->inverse[j - 1][k];
}

// The matrix of docs/theory/exponential.md, eq. 7, and its factors.
void ffi_frozen_factor(ffi_frozen *z, double h)
{
  double kappa[FFI_FROZEN_CLASSES * FFI_COMPLEX], one[FFI_COMPLEX];
  const ffi_pattern *p = z->pattern;
  for (int c = 0; c < z->class_count; ++c)
    ffi_frozen_impedance(z, z->class_K[c], z->class_B[c], 2, h, kappa + FFI_COMPLEX * c);
  z->kernels->spread(p->row[z->n], z->M, z->class_count, z->G, kappa, z->S);
  for (int i = 0; i < z->joint_count; ++i) {
    ffi_frozen_impedance(z, z->joint[i].K, z->joint[i].B, 2, h, one);
    if (z->joint[i].v < 0) {
      const ffi_line *line = z->joint[i].line;
      z->kernels->add_row(line->count, line->v, line->weight, one, p, z->S);
      continue;
    }
    double *diagonal = z->S + FFI_COMPLEX * (ptrdiff_t)(p->row[z->joint[i].v] + p->depth[z->joint[i].v]);
    for (int k = 0; k < FFI_COMPLEX; ++k)
      diagonal[k] += one[k];
  }
  for (int i = 0; i < z->block_count; ++i) {
    const ffi_frozen_block *b = &z->block[i];
    if (b->slides || b->class_index >= 0)
      continue;
    ffi_frozen_impedance(z, b->K, b->B, 2, h, one);
    for (int r = 0; r < 3; ++r)
      z->kernels->add_row(b->rows->columns, b->rows->dof, b->rows->J + r * z->stride, one, p, z->S);
  }
  if (z->slides > 0)
    ffi_frozen_slide_assemble(z, h);
  z->kernels->factor(p, z->S);
  if (z->slides > 0)
    ffi_frozen_friction_factor(z);
  ++z->factorisations;
}
