// Dense problems of hard contact, and their compact form for the solvers.
#include "support/hard_case.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void *ffi_hard_room(size_t count, size_t size)
{
  void *room = calloc(count, size);
  assert(room);
  return room;
}

// ---- Layout -----------------------------------------------------------------------------------------------

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
  ffi_hard_case *c = ffi_hard_room(1, sizeof *c);
  ffi_block measure = {0};
  lay_out(c, nv, blocks, rows, &measure);
  c->room = ffi_hard_room(1, ffi_block_bytes(&measure));
  ffi_block block = ffi_block_in(c->room, &measure);
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
  double *A = ffi_hard_room((size_t)(n * n), sizeof *A);
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
  int *tree = ffi_hard_room((size_t)n, sizeof *tree);
  double *y = ffi_hard_room((size_t)n, sizeof *y);
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
