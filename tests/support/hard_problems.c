// Random problems of hard contact, family by family.
#include "support/hard_problems.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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

// A point of a body (-1: ground), from its centre.
typedef struct body_arm {
  int body;
  const double *arm; // [3]
} body_arm;

// A contact of normal n, from `under` to `over`.
static void put_contact(maker *m, int block, body_arm over, body_arm under, const double n[3])
{
  ffi_hard_block *b = &m->c->problem.block[block];
  double axes[3][3];
  axes_about(m, n, axes);
  b->mu = m->mu >= 0 ? m->mu : between(m, 0, 1);
  for (int i = 0; i < 3; ++i) {
    put_row(m, b->row + i, over.body, axes[i], over.arm, 1);
    if (under.body >= 0)
      put_row(m, b->row + i, under.body, axes[i], under.arm, -1);
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
    put_contact(m, i, (body_arm){over, arm}, (body_arm){under == over ? -1 : under, other}, n);
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
      put_contact(m, 4 * i + k, (body_arm){i, low}, (body_arm){i - 1, high}, up);
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
    put_contact(m, i, (body_arm){0, arm}, (body_arm){-1, arm}, up);
  }
}

// M = S (A A' + 1) S, S diagonal: a robot's limbs weigh a thousandth of it; at least that ratio, at most the requested
// one.
static void put_dense_mass(maker *m)
{
  const int n = m->c->problem.nv;
  double *A = ffi_hard_room((size_t)(n * n), sizeof *A), *scale = ffi_hard_room((size_t)n, sizeof *scale);
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
    put_contact(m, bodies - 1 + i, (body_arm){ffi_random_below(m->random, bodies), arm}, (body_arm){-1, arm},
                up);
  }
}

// u_S, gravity over a millisecond, and b = epsilon W'u_S: one epsilon for all, or, where contacts only support from
// below, one for each block.
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
