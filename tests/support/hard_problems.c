#include "support/hard_problems.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void *get_room(size_t count, size_t size)
{
  void *room = calloc(count, size);
  assert(room);
  return room;
}

const char *ffi_hard_family_name(ffi_hard_family family)
{
  static const char *const names[HARD_FAMILIES] = {"loose", "stack", "plate", "tree", "joints"};
  return names[family];
}

ff_moreau_def ffi_hard_test_def(ff_hard_solver solver, ff_hard_form form, ff_hard_bilateral bilateral)
{
  return (ff_moreau_def){.solver = solver,
                         .form = form,
                         .bilateral = bilateral,
                         .relative_tolerance = 1e-6,
                         .absolute_tolerance = 1e-6,
                         .max_iterations = 1000};
}

// ---- A problem's room -------------------------------------------------------------------------------------

static size_t total(int blocks, const int *rows)
{
  size_t sum = 0;
  for (int b = 0; b < blocks; ++b)
    sum += (size_t)rows[b];
  return sum;
}

static void lay_out(ffi_hard_case *c, int nv, int blocks, const int *rows, ffi_block *block)
{
  const size_t n = total(blocks, rows), v = (size_t)nv;
  ffi_hard *p = &c->problem;
  p->nv = nv;
  p->rows = (int)n;
  p->block_count = blocks;
  p->block = ffi_block_take(block, (size_t)blocks + 1, sizeof *p->block);
  p->u_free = ffi_block_take(block, v, sizeof(double));
  p->b = ffi_block_take(block, n + 1, sizeof(double));
  p->softness = ffi_block_take(block, n + 1, sizeof(double));
  p->impulse = ffi_block_take(block, n + 1, sizeof(double));
  p->u = ffi_block_take(block, v, sizeof(double));
  p->xi = ffi_block_take(block, n + 1, sizeof(double));
  c->M = ffi_block_take(block, v * v, sizeof(double));
  c->W = ffi_block_take(block, n * v + 1, sizeof(double));
  int row = 0;
  for (int b = 0; b < blocks; ++b) {
    ffi_hard_block part = {.row = row, .rows = rows[b]};
    part.dof = ffi_block_take(block, v, sizeof(int));
    part.reached = ffi_block_take(block, v, sizeof(int));
    part.W = ffi_block_take(block, (size_t)rows[b] * v, sizeof(double));
    part.Y = ffi_block_take(block, (size_t)rows[b] * v, sizeof(double));
    if (block->base)
      p->block[b] = part;
    row += rows[b];
  }
  c->memory = ffi_hard_layout(nv, (int)n, blocks, block);
}

ffi_hard_case *ffi_hard_case_begin(int nv, int blocks, const int *rows)
{
  ffi_hard_case *c = get_room(1, sizeof *c);
  ffi_block measure = {0};
  lay_out(c, nv, blocks, rows, &measure);
  c->room = get_room(1, measure.used);
  ffi_block block = {.base = c->room};
  lay_out(c, nv, blocks, rows, &block);
  return c;
}

void ffi_hard_case_destroy(ffi_hard_case *c)
{
  if (c)
    free(c->room);
  free(c);
}

// ---- Mass matrix ------------------------------------------------------------------------------------------

void ffi_hard_solve_mass(const ffi_hard_case *c, double *x)
{
  const int n = c->problem.nv;
  double *A = get_room((size_t)(n * n), sizeof *A);
  memcpy(A, c->M, (size_t)(n * n) * sizeof *A);
  for (int k = 0; k < n; ++k)
    for (int i = k + 1; i < n; ++i) {
      if (A[i * n + k] == 0)
        continue;
      const double factor = A[i * n + k] / A[k * n + k];
      for (int j = k; j < n; ++j)
        A[i * n + j] -= factor * A[k * n + j];
      x[i] -= factor * x[k];
    }
  for (int i = n - 1; i >= 0; --i) {
    for (int j = i + 1; j < n; ++j)
      x[i] -= A[i * n + j] * x[j];
    x[i] /= A[i * n + i];
  }
  free(A);
}

// Which tree a velocity belongs to: the first velocity that M couples it with, through any others.
static void find_trees(const ffi_hard_case *c, int *tree)
{
  const int n = c->problem.nv;
  for (int i = 0; i < n; ++i) {
    tree[i] = i;
    for (int j = 0; j < i; ++j)
      if (c->M[i * n + j] != 0 && tree[j] < tree[i])
        tree[i] = tree[j];
  }
}

void ffi_hard_case_finish(ffi_hard_case *c)
{
  const int n = c->problem.nv;
  int *tree = get_room((size_t)n, sizeof *tree);
  double *y = get_room((size_t)n, sizeof *y);
  find_trees(c, tree);
  for (int b = 0; b < c->problem.block_count; ++b) {
    ffi_hard_block *block = &c->problem.block[b];
    int *dof = (int *)(uintptr_t)block->dof, *reached = (int *)(uintptr_t)block->reached;
    double *W = (double *)(uintptr_t)block->W, *Y = (double *)(uintptr_t)block->Y;
    block->columns = block->reach = 0;
    for (int v = 0; v < n; ++v) {
      int is_seen = 0, is_reached = 0;
      for (int i = 0; i < block->rows; ++i)
        for (int o = 0; o < n; ++o)
          if (c->W[(block->row + i) * n + o] != 0) {
            is_seen |= o == v;
            is_reached |= tree[o] == tree[v];
          }
      if (is_seen)
        dof[block->columns++] = v;
      if (is_reached)
        reached[block->reach++] = v;
    }
    for (int i = 0; i < block->rows; ++i) {
      memcpy(y, c->W + (block->row + i) * n, (size_t)n * sizeof *y);
      for (int k = 0; k < block->columns; ++k)
        W[i * block->columns + k] = y[dof[k]];
      ffi_hard_solve_mass(c, y);
      for (int k = 0; k < block->reach; ++k)
        Y[i * block->reach + k] = y[reached[k]];
    }
  }
  free(tree);
  free(y);
}

// ---- Random problems --------------------------------------------------------------------------------------

typedef struct maker {
  ffi_random *random;
  ffi_hard_case *c;
  double ratio, mu;
  int rows[128];
  ffi_hard_law law[128];
  int blocks;
} maker;

static double between(maker *m, double low, double high)
{
  return ffi_random_between(m->random, low, high);
}

static void add_blocks(maker *m, int count, ffi_hard_law law, int rows)
{
  for (int i = 0; i < count; ++i) {
    m->rows[m->blocks] = rows;
    m->law[m->blocks++] = law;
  }
}

static void begin(maker *m, int nv)
{
  m->c = ffi_hard_case_begin(nv, m->blocks, m->rows);
  for (int b = 0; b < m->blocks; ++b)
    m->c->problem.block[b].law = m->law[b];
}

// A body's six velocities: its mass, and an inertia about its own axes that a box of about `size` could have.
static void put_body(maker *m, int body, double mass, double size)
{
  const int nv = m->c->problem.nv, at = 6 * body;
  for (int k = 0; k < 3; ++k)
    m->c->M[(at + k) * nv + at + k] = mass;
  double R[3][3], I[3], axis[3];
  for (int k = 0; k < 3; ++k)
    I[k] = mass * size * size * between(m, 0.1, 0.4);
  ffi_random_direction(m->random, axis); // a reflection: R = 1 - 2 a a'
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      R[i][j] = (i == j) - 2 * axis[i] * axis[j];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k)
        m->c->M[(at + 3 + i) * nv + at + 3 + j] += R[i][k] * I[k] * R[j][k];
}

// One row: the velocity along `axis` of the body's point at `arm` from its centre, times sign.
static void put_row(maker *m, int row, int body, const double axis[3], const double arm[3], double sign)
{
  double *W = m->c->W + row * m->c->problem.nv + 6 * body;
  for (int k = 0; k < 3; ++k) {
    W[k] += sign * axis[k];
    W[3 + k] += sign * (arm[(k + 1) % 3] * axis[(k + 2) % 3] - arm[(k + 2) % 3] * axis[(k + 1) % 3]);
  }
}

// Three axes, the last along n.
static void axes_about(maker *m, const double n[3], double axes[3][3])
{
  double length;
  do {
    ffi_random_direction(m->random, axes[0]);
    const double along = axes[0][0] * n[0] + axes[0][1] * n[1] + axes[0][2] * n[2];
    length = 0;
    for (int k = 0; k < 3; ++k) {
      axes[0][k] -= along * n[k];
      length += axes[0][k] * axes[0][k];
    }
  } while (length < 0.01);
  for (int k = 0; k < 3; ++k) {
    axes[0][k] /= sqrt(length);
    axes[2][k] = n[k];
  }
  for (int k = 0; k < 3; ++k)
    axes[1][k] = n[(k + 1) % 3] * axes[0][(k + 2) % 3] - n[(k + 2) % 3] * axes[0][(k + 1) % 3];
}

// A contact at `arm` of body `over`, and at `other_arm` of body `under` (-1: ground).
static void put_contact(maker *m, int block, int over, const double arm[3], int under,
                        const double other_arm[3], const double n[3])
{
  ffi_hard_block *b = &m->c->problem.block[block];
  double axes[3][3];
  axes_about(m, n, axes);
  b->mu = m->mu >= 0 ? m->mu : between(m, 0, 1);
  for (int i = 0; i < 3; ++i) {
    put_row(m, b->row + i, over, axes[i], arm, 1);
    if (under >= 0)
      put_row(m, b->row + i, under, axes[i], other_arm, -1);
  }
}

static double log_uniform(maker *m, double ratio)
{
  return pow(ratio, between(m, -0.5, 0.5));
}

static void make_loose(maker *m)
{
  const int bodies = 1 + ffi_random_below(m->random, 6), contacts = 1 + ffi_random_below(m->random, 10);
  add_blocks(m, contacts, FFI_HARD_LAW_CONTACT, 3);
  begin(m, 6 * bodies);
  for (int i = 0; i < bodies; ++i)
    put_body(m, i, log_uniform(m, m->ratio), 1);
  for (int i = 0; i < contacts; ++i) {
    const int over = ffi_random_below(m->random, bodies), under = ffi_random_below(m->random, bodies + 1) - 1;
    double arm[3], other[3], n[3];
    ffi_random_vector(m->random, 3, 0.5, arm);
    ffi_random_vector(m->random, 3, 0.5, other);
    ffi_random_direction(m->random, n);
    put_contact(m, i, over, arm, under == over ? -1 : under, other, n);
  }
}

static void make_stack(maker *m)
{
  const int bodies = 2 + ffi_random_below(m->random, 5), is_heavy_top = ffi_random_chance(m->random, 0.5);
  add_blocks(m, 4 * bodies, FFI_HARD_LAW_CONTACT, 3);
  begin(m, 6 * bodies);
  const double up[3] = {0, 0, 1};
  for (int i = 0; i < bodies; ++i) {
    const double share = bodies > 1 ? (double)i / (bodies - 1) : 0;
    put_body(m, i, is_heavy_top ? pow(m->ratio, share - 0.5) : log_uniform(m, m->ratio), 1);
    for (int k = 0; k < 4; ++k) {
      const double x = k & 1 ? 0.5 : -0.5, y = k & 2 ? 0.5 : -0.5;
      const double low[3] = {x, y, -0.5}, high[3] = {x, y, 0.5};
      put_contact(m, 4 * i + k, i, low, i - 1, high, up);
    }
  }
}

static void make_plate(maker *m)
{
  const int feet = 4 + ffi_random_below(m->random, 17);
  add_blocks(m, feet, FFI_HARD_LAW_CONTACT, 3);
  begin(m, 6);
  put_body(m, 0, log_uniform(m, m->ratio), 1);
  const double up[3] = {0, 0, 1};
  for (int i = 0; i < feet; ++i) {
    const double arm[3] = {between(m, -0.5, 0.5), between(m, -0.5, 0.5), -0.2};
    put_contact(m, i, 0, arm, -1, arm, up);
  }
}

// M = S (A A' + 1) S, S diagonal: a robot's limbs weigh a thousandth of it; at least that ratio, at most the one asked for.
static void put_dense_mass(maker *m)
{
  const int n = m->c->problem.nv;
  double *A = get_room((size_t)(n * n), sizeof *A), *scale = get_room((size_t)n, sizeof *scale);
  ffi_random_vector(m->random, n * n, 0.5, A);
  for (int i = 0; i < n; ++i)
    scale[i] = sqrt(log_uniform(m, m->ratio));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = i == j;
      for (int k = 0; k < n; ++k)
        sum += A[i * n + k] * A[j * n + k];
      m->c->M[i * n + j] = sum * scale[i] * scale[j];
    }
  free(A);
  free(scale);
}

static void make_tree(maker *m)
{
  const int contacts = 2 + ffi_random_below(m->random, 7), stops = ffi_random_below(m->random, 4),
            dry = ffi_random_below(m->random, 4), nv = 18;
  add_blocks(m, contacts, FFI_HARD_LAW_CONTACT, 3);
  add_blocks(m, stops, FFI_HARD_LAW_STOP, 1);
  add_blocks(m, dry, FFI_HARD_LAW_DRY, 1);
  begin(m, nv);
  put_dense_mass(m);
  for (int b = 0; b < m->blocks; ++b) {
    ffi_hard_block *block = &m->c->problem.block[b];
    block->mu = m->mu >= 0 ? m->mu : between(m, 0, 1);
    if (m->law[b] == FFI_HARD_LAW_CONTACT) { // trunk and one limb
      const int limb = 6 + 3 * ffi_random_below(m->random, 4);
      for (int i = 0; i < 3; ++i) {
        ffi_random_vector(m->random, 6, 1, m->c->W + (block->row + i) * nv);
        ffi_random_vector(m->random, 3, 1, m->c->W + (block->row + i) * nv + limb);
      }
    } else {
      block->bound = between(m, 0, 0.2);
      m->c->W[block->row * nv + 6 + ffi_random_below(m->random, 12)] =
          ffi_random_chance(m->random, 0.5) ? 1 : -1;
      ((double *)(uintptr_t)m->c->problem.softness)[block->row] =
          m->law[b] == FFI_HARD_LAW_DRY && ffi_random_chance(m->random, 0.5) ? between(m, 0, 1) : 0;
    }
  }
}

// A joint of `rows` rows between two bodies that meet at a point half way: three of position, then rotations.
static void put_joint(maker *m, int block, int a, int b, const double arm[3], const double other[3])
{
  const ffi_hard_block *joint = &m->c->problem.block[block];
  const int nv = m->c->problem.nv;
  double n[3], axes[3][3];
  ffi_random_direction(m->random, n);
  axes_about(m, n, axes);
  for (int i = 0; i < joint->rows; ++i) {
    if (i < 3) {
      put_row(m, joint->row + i, a, axes[i], arm, 1);
      put_row(m, joint->row + i, b, axes[i], other, -1);
      continue;
    }
    for (int k = 0; k < 3; ++k) {
      m->c->W[(joint->row + i) * nv + 6 * a + 3 + k] = axes[i - 3][k];
      m->c->W[(joint->row + i) * nv + 6 * b + 3 + k] = -axes[i - 3][k];
    }
  }
}

static void make_joints(maker *m)
{
  static const int kinds[3] = {3, 5, 6};
  const int bodies = 3 + ffi_random_below(m->random, 8), contacts = 2 + ffi_random_below(m->random, 4),
            extra = ffi_random_below(m->random, 2); // a joint counted twice
  int parent[16], last = 0;
  for (int i = 1; i < bodies; ++i)
    add_blocks(m, 1, FFI_HARD_LAW_BILATERAL, kinds[ffi_random_below(m->random, 3)]);
  add_blocks(m, contacts, FFI_HARD_LAW_CONTACT, 3);
  if (extra)
    add_blocks(m, 1, FFI_HARD_LAW_BILATERAL, m->rows[bodies - 2]);
  begin(m, 6 * bodies);
  const double up[3] = {0, 0, 1};
  for (int i = 0; i < bodies; ++i) {
    put_body(m, i, log_uniform(m, m->ratio), 1);
    parent[i] = i > 0 ? ffi_random_below(m->random, i) : -1;
    last = i;
  }
  for (int i = 1; i < bodies; ++i) {
    double arm[3], other[3];
    ffi_random_vector(m->random, 3, 0.5, arm);
    ffi_random_vector(m->random, 3, 0.5, other);
    put_joint(m, i - 1, i, parent[i], arm, other);
    if (extra && i == last)
      memcpy(m->c->W + m->c->problem.block[m->blocks - 1].row * 6 * bodies,
             m->c->W + m->c->problem.block[i - 1].row * 6 * bodies,
             (size_t)(m->rows[i - 1] * 6 * bodies) * sizeof(double));
  }
  for (int i = 0; i < contacts; ++i) {
    double arm[3];
    ffi_random_vector(m->random, 3, 0.5, arm);
    put_contact(m, bodies - 1 + i, ffi_random_below(m->random, bodies), arm, -1, arm, up);
  }
}

// u_S, gravity over a millisecond, and b = epsilon W'u_S: one epsilon for all, or, where contacts only support from below, one for each block.
static void put_motion(maker *m, int may_differ, int has_bodies)
{
  ffi_hard_case *c = m->c;
  const int nv = c->problem.nv;
  double *u = (double *)(uintptr_t)c->problem.u_free, *b = (double *)(uintptr_t)c->problem.b;
  const double dt = pow(10, between(m, -3, -2)),
               speed = ffi_random_chance(m->random, 0.5) ? 0 : between(m, 0, 1);
  const int differ = may_differ && ffi_random_chance(m->random, 0.5);
  const double common = ffi_random_chance(m->random, 0.5) ? 0 : between(m, 0, 1);
  ffi_random_vector(m->random, nv, speed, u);
  for (int k = 0; k < c->problem.block_count; ++k) {
    const ffi_hard_block *block = &c->problem.block[k];
    const double own = differ ? between(m, 0, 1) : common;
    for (int i = block->row; i < block->row + block->rows; ++i)
      for (int v = 0; v < nv; ++v)
        b[i] += own * c->W[i * nv + v] * u[v];
  }
  for (int v = 0; v < nv; ++v)
    u[v] += has_bodies ? (v % 6 == 2 ? -9.81 * dt : 0) : dt * between(m, -20, 20);
}

ffi_hard_case *ffi_hard_case_create(ffi_hard_family family, double mu, double mass_ratio, ffi_random *random)
{
  maker m = {.random = random, .ratio = mass_ratio, .mu = mu};
  static void (*const make[HARD_FAMILIES])(maker *) = {make_loose, make_stack, make_plate, make_tree,
                                                       make_joints};
  make[family](&m);
  put_motion(&m, family == HARD_STACK || family == HARD_PLATE, family != HARD_TREE);
  m.c->mu = mu;
  ffi_hard_case_finish(m.c);
  return m.c;
}

// ---- The laws ---------------------------------------------------------------------------------------------

void ffi_hard_velocities(const ffi_hard_case *c, double *u, double *xi)
{
  const ffi_hard *p = &c->problem;
  memset(u, 0, (size_t)p->nv * sizeof *u);
  for (int i = 0; i < p->rows; ++i)
    for (int v = 0; v < p->nv; ++v)
      u[v] += c->W[i * p->nv + v] * p->impulse[i];
  ffi_hard_solve_mass(c, u);
  for (int v = 0; v < p->nv; ++v)
    u[v] += p->u_free[v];
  for (int i = 0; i < p->rows; ++i) {
    xi[i] = p->b[i] + p->softness[i] * p->impulse[i];
    for (int v = 0; v < p->nv; ++v)
      xi[i] += c->W[i * p->nv + v] * u[v];
  }
}

// G_ll + R_l.
static double row_give(const ffi_hard_case *c, int row)
{
  const int nv = c->problem.nv;
  double *y = get_room((size_t)nv, sizeof *y), sum = c->problem.softness[row];
  memcpy(y, c->W + row * nv, (size_t)nv * sizeof *y);
  ffi_hard_solve_mass(c, y);
  for (int v = 0; v < nv; ++v)
    sum += c->W[row * nv + v] * y[v];
  free(y);
  return sum;
}

static double max2(double a, double b)
{
  return a > b ? a : b;
}

static double signorini(double Lambda, double xi, double give, double t)
{
  const double scaled = xi / give;
  const double worst = max2(-Lambda, -scaled), product = Lambda < scaled ? fabs(Lambda) : fabs(scaled);
  return max2(worst, product) / t;
}

static double coulomb(const double *Lambda, const double *xi, double radius, double give, double t)
{
  const double outside = hypot(Lambda[0], Lambda[1]) - radius, speed = hypot(xi[0], xi[1]);
  const double gap = radius * speed + Lambda[0] * xi[0] + Lambda[1] * xi[1];
  const double allowed = t * (speed + 2 * radius * give);
  return max2(outside / t, gap > 0 && allowed > 0 ? gap / allowed : gap > 0 ? HUGE_VAL : 0);
}

double ffi_hard_violation(const ffi_hard_case *c, double relative, double absolute)
{
  const ffi_hard *p = &c->problem;
  double *u = get_room((size_t)p->nv, sizeof *u), *xi = get_room((size_t)p->rows + 1, sizeof *xi), worst = 0;
  ffi_hard_velocities(c, u, xi);
  for (int b = 0; b < p->block_count; ++b) {
    const ffi_hard_block *block = &p->block[b];
    const double *Lambda = p->impulse + block->row, *x = xi + block->row;
    double size = 0, give[FFI_HARD_MAX_ROWS];
    for (int i = 0; i < block->rows; ++i) {
      size = max2(size, fabs(Lambda[i]));
      give[i] = row_give(c, block->row + i);
    }
    const double t = absolute + relative * size;
    double part = 0;
    if (block->law == FFI_HARD_LAW_CONTACT)
      part = max2(signorini(Lambda[2], x[2], give[2], t),
                  coulomb(Lambda, x, block->mu * max2(Lambda[2], 0), max2(give[0], give[1]), t));
    else if (block->law == FFI_HARD_LAW_STOP)
      part = signorini(Lambda[0], x[0], give[0], t);
    else if (block->law == FFI_HARD_LAW_DRY)
      part = coulomb((double[2]){Lambda[0], 0}, (double[2]){x[0], 0}, block->bound, give[0], t);
    else
      for (int i = 0; i < block->rows; ++i)
        part = max2(part, fabs(x[i]) / give[i] / t);
    worst = part <= worst ? worst : part; // what is not a number counts
  }
  free(u);
  free(xi);
  return worst;
}
