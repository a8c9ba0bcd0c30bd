// Memory of the impact map, and gradient descent on its program.
#include "support/impact_case.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

ffi_hard_case *ffi_impact_case_create(ffi_hard_family family, double mu, double mass_ratio, int has_b,
                                      ffi_random *random)
{
  ffi_hard_case *c = ffi_hard_case_create(family, mu, mass_ratio, random);
  const int differ = family == HARD_STACK || family == HARD_PLATE;
  double *b = (double *)(uintptr_t)c->problem.b;
  for (int k = 0; k < c->problem.block_count; ++k) {
    const ffi_hard_block *block = &c->problem.block[k];
    for (int i = 0; i < block->rows; ++i)
      if (!has_b || (differ && block->law == FFI_HARD_LAW_CONTACT && i < 2))
        b[block->row + i] = 0;
  }
  return c;
}

ffi_hard_result ffi_impact_run(const ff_impact_def *def, ffi_hard_case *c, const double *bounce)
{
  const ffi_hard *p = &c->problem;
  ffi_block measure = {0};
  ffi_impact_layout(p->nv, p->rows, p->block_count, &measure);
  void *room = ffi_hard_room(1, ffi_block_bytes(&measure));
  ffi_block block = ffi_block_in(room, &measure);
  ffi_impact_memory *memory = ffi_impact_layout(p->nv, p->rows, p->block_count, &block);
  memset(block.base, 0xff, measure.used); // scratch: written before it is read
  ffi_hard_result result;
  ffi_impact_solve(def, p, bounce, memory, &result);
  free(room);
  return result;
}

void ffi_impact_state_law(ffi_hard_case *c, ffi_hard_law law, int faces)
{
  for (int k = 0; k < c->problem.block_count; ++k) {
    ffi_hard_block *block = &c->problem.block[k];
    if (block->law == FFI_HARD_LAW_CONTACT || block->law == FFI_HARD_LAW_CONE) {
      block->law = law;
      block->faces = faces;
    }
  }
}

void ffi_impact_matrix(const ffi_hard_case *c, double **H, double **rest)
{
  const int n = c->problem.rows, nv = c->problem.nv;
  double *y = ffi_hard_room((size_t)nv, sizeof *y);
  *H = ffi_hard_room((size_t)(n * n) + 1, sizeof **H);
  *rest = ffi_hard_room((size_t)n + 1, sizeof **rest);
  for (int i = 0; i < n; ++i) {
    memcpy(y, c->W + i * nv, (size_t)nv * sizeof *y);
    ffi_hard_solve_mass(c, y);
    for (int j = 0; j < n; ++j) {
      double sum = i == j ? c->problem.softness[i] : 0;
      for (int v = 0; v < nv; ++v)
        sum += y[v] * c->W[j * nv + v];
      (*H)[i * n + j] = sum;
    }
    (*rest)[i] = c->problem.b[i];
    for (int v = 0; v < nv; ++v)
      (*rest)[i] += c->W[i * nv + v] * c->problem.u_free[v];
  }
  free(y);
}

double ffi_impact_kinetic(const ffi_hard_case *c, const double *u)
{
  const int nv = c->problem.nv;
  double sum = 0;
  for (int i = 0; i < nv; ++i)
    for (int j = 0; j < nv; ++j)
      sum += u[i] * c->M[i * nv + j] * u[j] / 2;
  return sum;
}

void ffi_impact_project(const ffi_hard_block *block, double *x)
{
  if (block->law == FFI_HARD_LAW_STOP)
    x[0] = fmax(x[0], 0);
  if (block->law == FFI_HARD_LAW_DRY)
    x[0] = fmin(fmax(x[0], -block->bound), block->bound);
  if (block->law != FFI_HARD_LAW_CONTACT)
    return;
  const double t = hypot(x[0], x[1]), mu = block->mu;
  if (t <= mu * x[2])
    return;
  const double n = fmax((x[2] + mu * t) / (1 + mu * mu), 0);
  x[0] *= t > 0 ? mu * n / t : 0;
  x[1] *= t > 0 ? mu * n / t : 0;
  x[2] = n;
}
