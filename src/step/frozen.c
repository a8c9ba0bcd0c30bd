// The frozen system, solved at four poles. See frozen.h for the equations; sliding contacts are in frozen_slide.c.
#include "step/frozen.h"

#include "dynamics/one_robot.h"
#include "math/poles.h"
#include "math/vec3.h"
#include "step/frozen_slide.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static double larger(double a, double b) // fmax is a call, and cares for what is not a number
{
  return a > b ? a : b;
}

static void times(const double a[FFI_COMPLEX], const double b[FFI_COMPLEX], double out[FFI_COMPLEX])
{
  for (int k = 0; k < FFI_POLES; ++k) {
    const double re = a[k] * b[k] - a[4 + k] * b[4 + k], im = a[k] * b[4 + k] + a[4 + k] * b[k];
    out[k] = re;
    out[4 + k] = im;
  }
}

static void invert(const double a[FFI_COMPLEX], double out[FFI_COMPLEX])
{
  for (int k = 0; k < FFI_POLES; ++k) {
    const double scale = 1 / (a[k] * a[k] + a[4 + k] * a[4 + k]);
    out[k] = a[k] * scale;
    out[4 + k] = -a[4 + k] * scale;
  }
}

static void fill_weight(const double *residue, const double *power, double out[FFI_COMPLEX])
{
  times(residue, power, out);
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
  invert(ffi_poles_z, z->inverse[1]);
  for (int j = 2; j < 5; ++j)
    times(z->inverse[j - 1], z->inverse[1], z->inverse[j]);
  for (int j = 0; j < 5; ++j)
    fill_weight(ffi_poles_c, z->inverse[j], z->weight[j]);
  for (int way = 0; way < 3; ++way) {
    double residue[FFI_COMPLEX];
    ffi_poles_unresolved(way, residue);
    fill_weight(residue, z->inverse[1], z->unresolved[way]);
  }
}

// Can a contact or an element join two branches of the forest?
static int may_join_branches(const ffi_system *s)
{
  for (int p = 0; p < s->scene.pair_count; ++p)
    if (s->scene.pairs[p].body_a > 0 && s->scene.pairs[p].body_b > 0)
      return 1;
  for (int e = 0; e < s->element_count; ++e) {
    const ff_element_def *def = &s->elements[e].def;
    if ((def->type == FF_ELEMENT_POINT || def->type == FF_ELEMENT_WELD) &&
        s->model->frames[def->a.frame].body > 0 && s->model->frames[def->b.frame].body > 0)
      return 1;
  }
  return 0;
}

void ffi_frozen_layout(const ffi_system *s, ffi_block *block, ffi_frozen *out)
{
  const ff_model *m = s->model;
  ffi_frozen z = {.kernels = ffi_step_kernels_find(s->k->isa), .k = s->k, .work = s->work, .n = m->size.nv};
  z.stride = (2 * m->max_depth + 3) / 4 * 4;
  z.max_blocks = s->max_contacts + 2 * s->element_count + 1;
  z.max_rank = s->max_contacts < z.n ? s->max_contacts : z.n;
  z.tolerance = s->def->expo.force_tolerance;
  z.max_substeps = s->def->expo.max_substeps;
  z.gravity = ffi_v3_norm(m->gravity);
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
  z.joint = ffi_block_take(block, (size_t)s->element_count + 1, sizeof *z.joint);
  z.delta_v = ffi_block_take(block, n, sizeof *z.delta_v);
  z.delta_x = ffi_block_take(block, n, sizeof *z.delta_x);
  z.M = ffi_block_take(block, entries, sizeof *z.M);
  z.G = ffi_block_take(block, FFI_FROZEN_CLASSES * entries, sizeof *z.G);
  z.S = ffi_block_take(block, FFI_COMPLEX * entries, sizeof *z.S);
  z.alpha = ffi_block_take(block, FFI_COMPLEX * n, sizeof *z.alpha);
  z.vector = ffi_block_take(block, 4 * n * (1 + FFI_FROZEN_CLASSES), sizeof *z.vector);
  z.A = ffi_block_take(block, 4 * n, sizeof *z.A);
  z.E = ffi_block_take(block, 4 * n, sizeof *z.E);
  z.sliding = ffi_block_take(block, (size_t)s->max_contacts + 1, sizeof *z.sliding);
  z.column = ffi_block_take(block, rank * n * FFI_COMPLEX, sizeof *z.column);
  z.small = ffi_block_take(block, rank * (rank + 1) * FFI_COMPLEX, sizeof *z.small);
  z.turned = ffi_block_take(block, (size_t)z.max_blocks * 3 * (size_t)z.stride, sizeof *z.turned);
  *out = z;
}

void ffi_frozen_begin(ffi_frozen *z)
{
  z->pattern = &z->tree;
  z->block_count = z->joint_count = z->class_count = z->slides = 0;
  z->f1 = NULL;
  z->watch = NULL;
  z->want_double = 0;
  z->step = 0;
  z->factorisations = 0;
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

ffi_frozen_block *ffi_frozen_add(ffi_frozen *z, const ffi_rows3 *rows, double K, double B, const double x[3],
                                 const double u[3], const double c[3])
{
  assert(z->block_count < z->max_blocks);
  ffi_frozen_block *b = &z->block[z->block_count++];
  b->rows = rows;
  b->K = K;
  b->B = B;
  b->slides = 0;
  b->class_index = 0;
  for (int k = 0; k < 3; ++k) {
    b->x[k] = x[k];
    b->u[k] = u[k];
    b->c[k] = c[k];
    b->c1[k] = 0;
  }
  b->c[3] = b->c1[3] = 0;
  if (!rows->is_path)
    z->pattern = &z->full;
  return b;
}

void ffi_frozen_add_joint(ffi_frozen *z, const ffi_joint_row *row)
{
  ffi_frozen_joint *j = &z->joint[z->joint_count++];
  j->v = row->v;
  j->K = row->K;
  j->B = row->B;
  j->x = row->x;
  j->u = row->u;
}

// M by the pattern in use. What pads its rows stays zero.
static void take_mass(ffi_frozen *z)
{
  const ff_model *m = z->work->model;
  const ffi_pattern *p = z->pattern;
  if (p == &z->tree) {
    for (int i = 0; i < z->n; ++i) {
      const double *from = z->work->M + m->dof_row[i];
      double *to = z->M + p->row[i];
      memcpy(to, from, (size_t)(p->depth[i] + 1) * sizeof *to);
    }
    return;
  }
  memset(z->M, 0, (size_t)p->row[z->n] * sizeof *z->M);
  for (int i = 0; i < z->n; ++i)
    for (int e = m->dof_row[i]; e < m->dof_row[i + 1]; ++e)
      z->M[p->row[i] + z->work->path[e]] = z->work->M[e];
}

void ffi_frozen_prepare(ffi_frozen *z)
{
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
  ffi_slide_prepare(z);
  z->step = 0;
  z->is_factored = 0;
}

// K h^j z^-j + B h^(j-1) z^-(j-1), that is (K + s B)/s^j.
static void impedance(const ffi_frozen *z, double K, double B, int j, double h, double sign,
                      double out[FFI_COMPLEX])
{
  const double hj = j == 2 ? h : j == 3 ? h * h : h * h * h; // h^(j-1)
  const double a = sign * K * hj * h, b = sign * B * hj;
  for (int k = 0; k < FFI_COMPLEX; ++k)
    out[k] = a * z->inverse[j][k] + b * z->inverse[j - 1][k];
}

// B/K of the least damped spring [s]: modes of the system are at least as damped, for their frequency, as that spring makes them.
static double least_damping(const ffi_frozen *z)
{
  double least = INFINITY;
  for (int i = 0; i < z->block_count; ++i)
    if (z->block[i].B < least * z->block[i].K)
      least = z->block[i].B / z->block[i].K;
  for (int i = 0; i < z->joint_count; ++i)
    if (z->joint[i].B < least * z->joint[i].K)
      least = z->joint[i].B / z->joint[i].K;
  return least;
}

static void factor(ffi_frozen *z, double h)
{
  double kappa[FFI_FROZEN_CLASSES * FFI_COMPLEX], one[FFI_COMPLEX];
  const ffi_pattern *p = z->pattern;
  for (int c = 0; c < z->class_count; ++c)
    impedance(z, z->class_K[c], z->class_B[c], 2, h, 1.0, kappa + FFI_COMPLEX * c);
  z->kernels->spread(p->row[z->n], z->M, z->class_count, z->G, kappa, z->S);
  for (int i = 0; i < z->joint_count; ++i) {
    impedance(z, z->joint[i].K, z->joint[i].B, 2, h, 1.0, one);
    double *diagonal = z->S + FFI_COMPLEX * (ptrdiff_t)(p->row[z->joint[i].v] + p->depth[z->joint[i].v]);
    for (int k = 0; k < FFI_COMPLEX; ++k)
      diagonal[k] += one[k];
  }
  for (int i = 0; i < z->block_count; ++i) {
    const ffi_frozen_block *b = &z->block[i];
    if (b->slides || b->class_index >= 0)
      continue;
    impedance(z, b->K, b->B, 2, h, 1.0, one);
    for (int r = 0; r < 3; ++r)
      z->kernels->add_row(b->rows->columns, b->rows->dof, b->rows->J + r * z->stride, one, p, z->S);
  }
  if (z->slides > 0)
    ffi_slide_assemble(z, h);
  z->kernels->factor(p, z->S);
  if (z->slides > 0)
    ffi_slide_factor(z, h);
  z->lightness = h / least_damping(z);
  z->step = h;
  ++z->factorisations;
}

// Right-hand side of a sub-step that begins at t.
static void excite(ffi_frozen *z, double t, double h)
{
  const int groups = 1 + z->class_count, n = z->n, has_ramp = z->f1 != NULL;
  int terms[1 + FFI_FROZEN_CLASSES];
  double coefficient[(1 + FFI_FROZEN_CLASSES) * 4 * FFI_COMPLEX];
  memset(z->vector, 0, (size_t)groups * (size_t)n * 4 * sizeof *z->vector);
  terms[0] = has_ramp ? 2 : 1;
  for (int k = 0; k < FFI_COMPLEX; ++k) {
    coefficient[k] = h * z->inverse[1][k];
    coefficient[FFI_COMPLEX + k] = h * h * z->inverse[2][k];
  }
  for (int i = 0; i < n; ++i) {
    z->vector[4 * i] = has_ramp ? z->f[i] + t * z->f1[i] : z->f[i];
    z->vector[4 * i + 1] = has_ramp ? z->f1[i] : 0;
  }
  for (int c = 0; c < z->class_count; ++c) {
    double *out = coefficient + (size_t)(c + 1) * 4 * FFI_COMPLEX;
    const double K = z->class_K[c], B = z->class_B[c];
    terms[c + 1] = has_ramp ? 4 : 3;
    for (int k = 0; k < FFI_COMPLEX; ++k)
      out[k] = -K * h * z->inverse[1][k];
    for (int j = 2; j < (has_ramp ? 5 : 4); ++j)
      impedance(z, K, B, j, h, -1.0, out + (j - 1) * FFI_COMPLEX);
  }
  for (int i = 0; i < z->block_count; ++i) {
    const ffi_frozen_block *b = &z->block[i];
    if (b->class_index < 0)
      continue;
    double X[12];
    for (int r = 0; r < 3; ++r) {
      X[4 * r] = b->now_x[r];
      X[4 * r + 1] = b->now_u[r];
      X[4 * r + 2] = b->c[r] + t * b->c1[r];
      X[4 * r + 3] = b->c1[r];
    }
    z->kernels->rows_transposed4(b->rows->columns, b->rows->dof, b->rows->J, z->stride, X,
                                 z->vector + 4 * (size_t)(b->class_index + 1) * (size_t)n);
  }
  z->kernels->mix(n, groups, terms, coefficient, z->vector, z->alpha);
}

// Springs that are in no class: joints, and blocks with a stiffness of their own.
static void excite_others(ffi_frozen *z, double t, double h)
{
  double k1[FFI_COMPLEX], k2[FFI_COMPLEX], k3[FFI_COMPLEX], k4[FFI_COMPLEX];
  for (int i = 0; i < z->joint_count; ++i) {
    const ffi_frozen_joint *j = &z->joint[i];
    impedance(z, j->K, j->B, 2, h, -j->now_u, k2);
    for (int k = 0; k < FFI_COMPLEX; ++k)
      z->alpha[FFI_COMPLEX * j->v + k] += k2[k] - j->K * j->now_x * h * z->inverse[1][k];
  }
  for (int i = 0; i < z->block_count; ++i) {
    const ffi_frozen_block *b = &z->block[i];
    if (b->slides || b->class_index >= 0)
      continue;
    impedance(z, b->K, b->B, 2, h, -1.0, k2);
    impedance(z, b->K, b->B, 3, h, -1.0, k3);
    impedance(z, b->K, b->B, 4, h, -1.0, k4);
    for (int r = 0; r < 3; ++r) {
      const double c = b->c[r] + t * b->c1[r];
      for (int k = 0; k < FFI_COMPLEX; ++k)
        k1[k] =
            -b->K * b->now_x[r] * h * z->inverse[1][k] + k2[k] * b->now_u[r] + k3[k] * c + k4[k] * b->c1[r];
      for (int a = 0; a < b->rows->columns; ++a)
        for (int k = 0; k < FFI_COMPLEX; ++k)
          z->alpha[FFI_COMPLEX * b->rows->dof[a] + k] += b->rows->J[r * z->stride + a] * k1[k];
    }
  }
}

// Integrals of xi'' over the sub-step, A [n][4]: once (velocity), twice (displacement), three times, and a fourth: four times or what
// the sub-step does not resolve of the velocity.
static void integrate(ffi_frozen *z, double h, int measure)
{
  double weight[4 * FFI_COMPLEX];
  for (int k = 0; k < FFI_COMPLEX; ++k) {
    weight[k] = z->weight[1][k];
    weight[FFI_COMPLEX + k] = h * z->weight[2][k];
    weight[2 * FFI_COMPLEX + k] = h * h * z->weight[3][k];
    weight[3 * FFI_COMPLEX + k] = z->want_double ? h * h * h * z->weight[4][k] : z->unresolved[0][k];
  }
  z->kernels->combine(z->n, z->alpha, weight, z->A);
  if (!z->want_double || !measure)
    return;
  memset(weight, 0, sizeof weight);
  memcpy(weight + 3 * FFI_COMPLEX, z->unresolved[0], sizeof z->unresolved[0]);
  z->kernels->combine(z->n, z->alpha, weight, z->E);
}

static void advance_joint(ffi_frozen_joint *j, double h, const double *A)
{
  const double x = j->now_x, u = j->now_u;
  const double end = x + h * u + A[1], whole = h * (x + h * u / 2) + A[2];
  const double twice = h * h * (x / 2 + h * u / 6) + A[3];
  j->double_sum += j->sum * h - j->K * twice - j->B * (whole - x * h);
  j->sum += -j->K * whole - j->B * (end - x);
  j->now_x = end;
  j->now_u = u + A[0];
}

// What a sub-step shows of its own error: the largest change of velocity at a row, and the largest velocity there that it does not resolve.
typedef struct quality {
  double size, lost;
} quality;

static void note(quality *q, const double *change, const double *lost)
{
  for (int r = 0; r < 3; ++r) {
    q->size = larger(q->size, change[r]);
    q->lost = larger(q->lost, fabs(lost[r]));
  }
}

// Forces over the sub-step and the state after it.
static void advance_block(ffi_frozen *z, ffi_frozen_block *b, double t, double h, quality *q)
{
  const ffi_rows3 *rows = b->rows;
  double Je[12] = {0}, out[8];
  if (z->want_double)
    z->kernels->rows_times4(rows->columns, rows->dof, rows->J, z->stride, z->E, Je);
  const double seen[3] = {Je[3], Je[7], Je[11]};
  if (!b->slides) {
    const ffi_passage over = {t, h, b->K, b->B, b->now_x, b->now_u, b->c, b->c1, b->sum, b->double_sum};
    z->kernels->advance(rows->columns, rows->dof, rows->J, z->stride, z->A, &over, out);
    note(q, out, z->want_double ? seen : out + 4);
    return;
  }
  double Ja[12] = {0};
  z->kernels->rows_times4(rows->columns, rows->dof, rows->J, z->stride, z->A, Ja);
  for (int r = 0; r < 3; ++r) {
    out[r] = fabs(Ja[4 * r]) + fabs(b->now_u[r]) + fabs(b->c[r] + t * b->c1[r]) * h;
    out[4 + r] = Ja[4 * r + 3];
  }
  note(q, out, z->want_double ? seen : out + 4);
  ffi_slide_advance(z, b, t, h, Ja);
}

static double share_lost(const quality *block, const quality *joint)
{
  return larger(block->size > 0 ? block->lost / block->size : 0,
                joint->size > 0 ? joint->lost / joint->size : 0);
}

// The bounds of math/poles.h are those of the worst frequency; four times less is nearer to what systems with many do.
static const double caution = 0.25;

// Relative error at the end of the last sub-step, `later` after this one, of the velocity change at the rows. Each way of looking at what
// is not resolved gives a bound, and the least counts. The first has been looked at; it is enough where all is well.
static double error_of(ffi_frozen *z, int later, const quality *block, const quality *joint)
{
  double bound[3], weight[4 * FFI_COMPLEX] = {0};
  ffi_poles_bounds(z->lightness, later, bound);
  double least = caution * bound[0] * share_lost(block, joint);
  if (least <= z->tolerance)
    return least;
  memcpy(weight, z->unresolved[1], 2 * sizeof z->unresolved[1]);
  z->kernels->combine(z->n, z->alpha, weight, z->E);
  quality b[2] = {{block->size, 0}, {block->size, 0}}, j[2] = {{joint->size, 0}, {joint->size, 0}};
  for (int i = 0; i < z->block_count; ++i) {
    const ffi_rows3 *rows = z->block[i].rows;
    double Je[12] = {0};
    z->kernels->rows_times4(rows->columns, rows->dof, rows->J, z->stride, z->E, Je);
    for (int r = 0; r < 6; ++r)
      b[r % 2].lost = larger(b[r % 2].lost, fabs(Je[4 * (r / 2) + r % 2]));
  }
  for (int i = 0; i < z->joint_count; ++i)
    for (int way = 0; way < 2; ++way)
      j[way].lost = larger(j[way].lost, fabs(z->E[4 * z->joint[i].v + way]));
  for (int way = 0; way < 2; ++way) {
    const double other = caution * bound[1 + way] * share_lost(&b[way], &j[way]);
    least = other < least ? other : least;
  }
  return least;
}

// One sub-step from t to t + h, with `later` more to come; returns its part of the error of the velocity change at the rows relative to its size, if
// asked for. At rest, where springs and weight cancel, the size is what gravity alone would do (on a lever of one metre for joints).
static double substep(ffi_frozen *z, double t, double h, int later, int measure)
{
  quality block = {z->gravity * h, 0}, joint = block;
  excite(z, t, h);
  excite_others(z, t, h);
  if (z->slides > 0)
    ffi_slide_excite(z, t, h);
  z->kernels->solve(z->pattern, z->S, z->alpha);
  if (z->slides > 0)
    ffi_slide_correct(z, h);
  integrate(z, h, measure);
  if (z->watch || z->slides > 0)
    for (int i = 0; i < z->block_count; ++i) {
      ffi_frozen_block *b = &z->block[i];
      memset(b->J_alpha, 0, sizeof b->J_alpha);
      z->kernels->rows_times8(b->rows->columns, b->rows->dof, b->rows->J, z->stride, z->alpha, b->J_alpha);
    }
  if (z->watch)
    z->watch(z, t, h, z->watch_user);
  for (int i = 0; i < z->block_count; ++i)
    advance_block(z, &z->block[i], t, h, &block);
  for (int i = 0; i < z->joint_count; ++i) {
    ffi_frozen_joint *j = &z->joint[i];
    const double *A = z->A + 4 * j->v;
    joint.size = larger(joint.size, fabs(A[0]) + fabs(j->now_u));
    joint.lost = larger(joint.lost, fabs(z->want_double ? z->E[4 * j->v + 3] : A[3]));
    advance_joint(j, h, A);
  }
  for (int i = 0; i < z->n; ++i) {
    z->delta_x[i] += z->delta_v[i] * h + z->A[4 * i + 1];
    z->delta_v[i] += z->A[4 * i];
  }
  return measure ? error_of(z, later, &block, &joint) : 0;
}

static void start_blocks(ffi_frozen *z)
{
  memset(z->delta_v, 0, (size_t)z->n * sizeof *z->delta_v);
  memset(z->delta_x, 0, (size_t)z->n * sizeof *z->delta_x);
  for (int i = 0; i < z->block_count; ++i) {
    ffi_frozen_block *b = &z->block[i];
    for (int r = 0; r < 3; ++r) {
      b->now_x[r] = b->x[r];
      b->now_u[r] = b->u[r];
      b->sum[r] = b->double_sum[r] = 0;
    }
    b->now_x[3] = b->now_u[3] = b->sum[3] = b->double_sum[3] = 0;
    b->now_e = b->slides ? -ffi_v3_dot(b->x, b->t) : 0;
  }
  for (int i = 0; i < z->joint_count; ++i) {
    ffi_frozen_joint *j = &z->joint[i];
    j->now_x = j->x;
    j->now_u = j->u;
    j->sum = j->double_sum = 0;
  }
}

static void finish_blocks(ffi_frozen *z, double h)
{
  for (int i = 0; i < z->block_count; ++i) {
    ffi_frozen_block *b = &z->block[i];
    b->was_projected = 0;
    for (int r = 0; r < 3; ++r) {
      b->mean[r] = b->sum[r] / h;
      b->double_mean[r] = 2 * b->double_sum[r] / (h * h);
      b->x_end[r] = b->now_x[r];
      b->u_end[r] = b->now_u[r];
      if (!b->slides)
        b->force_end[r] = -b->K * b->now_x[r] - b->B * b->now_u[r];
    }
  }
  for (int i = 0; i < z->joint_count; ++i) {
    ffi_frozen_joint *j = &z->joint[i];
    j->mean = j->sum / h;
    j->double_mean = 2 * j->double_sum / (h * h);
    j->x_end = j->now_x;
    j->u_end = j->now_u;
    j->force_end = -j->K * j->now_x - j->B * j->now_u;
  }
}

// `count` sub-steps; the error of all of them, if asked for.
static double march(ffi_frozen *z, double h, int count, int measure)
{
  double error = 0;
  start_blocks(z);
  for (int i = 0; i < count; ++i)
    error += substep(z, i * h / count, h / count, count - 1 - i, measure);
  finish_blocks(z, h);
  return error;
}

void ffi_frozen_solve(ffi_frozen *z, double h)
{
  int count = 1;
  z->was_projected = 0;
  for (;; count *= 2) {
    factor(z, h / count);
    z->error = march(z, h, count, 1);
    z->capped = !(z->error <= z->tolerance) && 2 * count > z->max_substeps;
    if (z->error <= z->tolerance || z->capped)
      break;
  }
  z->substeps = count;
}

void ffi_frozen_again(ffi_frozen *z, double h)
{
  (void)march(z, h, z->substeps, 0);
}
