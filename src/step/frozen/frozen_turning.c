// Torsional and rolling friction after a solve of the frozen system.
#include "step/frozen/frozen_turning.h"

#include "math/vec3.h"

#include <math.h>

// Of the limit: where the damper of a block that sticks adds less, a block that reverses stands. M/|u| of a velocity of
// 1e-30 rad/s, which is rounding, would be beyond the solver.
static const double negligible = 1e-9;

// The frozen block of constraint k.
static const ffi_frozen_block *block_of(const ffi_evaluation *at, const ffi_frozen *z, int k)
{
  return &z->block[z->block_count - at->constraint_count + k];
}

static int first_of(const ffi_system *s, const ffi_evaluation *at)
{
  return s->turning ? ffi_turning_index(at, 0, 0) : at->constraint_count;
}

static void stick(ffi_constraint *c)
{
  c->slides = 0;
  c->K = c->own_K;
  c->B = c->own_B;
}

int ffi_frozen_turning_revise(const ffi_system *s, ffi_evaluation *at, const ffi_frozen *z)
{
  int changed = 0;
  for (int k = first_of(s, at); k < at->constraint_count; ++k) {
    ffi_constraint *c = &at->constraint[k];
    const ffi_frozen_block *b = block_of(at, z, k);
    if (!(c->own_K > 0) || c->stops)
      continue;
    if (!c->slides && ffi_turning_limit(b->mean, c->limit, c->force)) {
      c->slides = 1;
      c->K = c->B = 0;
      ++changed;
    } else if (c->slides && ffi_v3_dot(b->u_end, c->u) < 0 && ffi_v3_dot(c->force, c->u) < 0) {
      c->stops = 1;
      if (c->own_B * ffi_v3_norm(c->u) <= negligible * c->limit)
        stick(c);
      ++changed;
    }
  }
  return changed;
}

// The moment in the spring of constraint k after h.
static void find_end(const ffi_evaluation *at, const ffi_frozen *z, int k, double h, double out[3])
{
  const ffi_constraint *c = &at->constraint[k];
  double travel[3];
  ffi_v3_sub(block_of(at, z, k)->x_end, c->x, travel);
  ffi_turning_spring(c, travel, h, out);
}

void ffi_frozen_turning_finish(const ffi_system *s, const ffi_evaluation *at, const ffi_frozen *z,
                               const ffi_frozen_turning_end *of, ffi_state *to)
{
  if (!s->turning)
    return;
  const int first = first_of(s, at);
  for (int i = 0; i < 2 * at->count; ++i) {
    const ffi_constraint *c = &at->constraint[first + i];
    if (of->is_braked)
      ffi_v3_scale(-c->own_K, c->x, of->moment[i]);
    else
      find_end(at, z, first + i, of->h, of->moment[i]);
  }
  ffi_turning_store(s, at, of->end, (const double(*)[3])of->moment, to);
}

double ffi_frozen_turning_work(const ffi_system *s, const ffi_evaluation *at, const ffi_frozen *z,
                               const double *v, double h)
{
  double sum = 0;
  for (int k = first_of(s, at); k < at->constraint_count && at->at.ground_moves; ++k) {
    const ffi_constraint *c = &at->constraint[k];
    double ground[3];
    if (!(c->own_K > 0))
      continue;
    ffi_rows3_times(&c->rows, at->stride, v, ground);
    ffi_v3_sub(ground, c->u, ground); // the ground's own angular velocity
    sum += h * ffi_v3_dot(ground, c->slides && !c->stops ? c->force : block_of(at, z, k)->mean);
  }
  return sum;
}

double ffi_frozen_turning_gain(const ffi_system *s, const ffi_evaluation *at, const ffi_frozen *z, double h)
{
  double sum = 0;
  for (int k = first_of(s, at); k < at->constraint_count; ++k) {
    const ffi_constraint *c = &at->constraint[k];
    double end[3];
    if (!(c->own_K > 0))
      continue;
    find_end(at, z, k, h, end);
    sum += 0.5 * (ffi_v3_dot(end, end) / c->own_K - c->own_K * ffi_v3_dot(c->x, c->x));
  }
  return sum;
}
