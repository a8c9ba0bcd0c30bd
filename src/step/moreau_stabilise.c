// What has drifted is brought back, in positions alone: the smallest displacement, by the mass matrix, that moves overlapping shapes apart, joints back
// between their stops and the ends of welds together. The same rows and the same solver as for impulses, without friction:
//
//     min 1/2 w' M w   with   W_n' w + gap^E / dt >= 0,   W_B' w + gap^E / dt = 0,   q^E moved by dt w more
//
// Gaps at the end of the step are those of the middle carried on by the end velocity, so what is left is of second order, and the next step goes on
// with it. Velocities stay as they are. docs/theory/moreau.md says what is proven of energy.
#include "math/vec3.h"
#include "model/model.h"
#include "step/moreau.h"

#include <math.h>

// What is left uncorrected: as far as things fall in a step, so that a contact at rest stays one. Of stops, what rounding would do.
static double allowance(const ffi_system *s, double dt)
{
  return ffi_v3_norm(s->model->gravity) * dt * dt;
}
static const double stop_allowance = 1e-9; // [rad], [m]

// Farthest way of one row in one step [m], [rad]: beyond it gaps are far from linear.
static const double most = 0.01;

// Gap of each row of a block at the end of the step, an allowance added; 0 for rows that only friction has.
static void gaps_of(const ffi_system *s, const ffi_moreau *m, const ffi_hard_block *block, int owner,
                    double dt, double *gap)
{
  const int e = owner - s->max_contacts;
  for (int r = 0; r < block->rows; ++r) {
    double rate = 0;
    for (int k = 0; k < block->columns; ++k)
      rate += block->W[r * block->columns + k] * m->end[block->dof[k]];
    gap[r] = 0.5 * dt * rate;
  }
  if (block->law == FFI_HARD_LAW_CONTACT) {
    gap[0] = gap[1] = 0;
    gap[2] += m->contact[owner].near.gap + 0.5 * dt * m->carried[owner] + allowance(s, dt);
  } else if (block->law == FFI_HARD_LAW_STOP) {
    const ffi_element *el = &s->elements[e];
    gap[0] += stop_allowance +
              (block->W[0] > 0 ? m->mid.q[el->q] - el->def.lower : el->def.upper - m->mid.q[el->q]);
  } else if (block->law == FFI_HARD_LAW_BILATERAL) {
    for (int r = 0; r < block->rows; ++r)
      gap[r] += m->element[e].gap[r];
  } else {
    gap[0] = 0;
  }
}

void ffi_moreau_stabilise(ffi_system *s, double dt, ffi_moreau *m)
{
  ffi_hard *p = &m->problem;
  int is_needed = 0;
  for (int k = 0; k < p->block_count; ++k) {
    ffi_hard_block *block = &p->block[k];
    double gap[FFI_HARD_MAX_ROWS];
    gaps_of(s, m, block, m->owner[k], dt, gap);
    const int is_held = block->law == FFI_HARD_LAW_BILATERAL;
    for (int r = 0; r < block->rows; ++r) {
      is_needed |= is_held ? gap[r] != 0 : gap[r] < 0;
      m->b[block->row + r] = fmin(fmax(gap[r], -most), is_held ? most : HUGE_VAL) / dt;
      m->softness[block->row + r] = p->impulse[block->row + r] = 0;
    }
    block->mu = block->bound = 0;
  }
  if (!is_needed)
    return;
  for (int i = 0; i < p->nv; ++i)
    m->u_free[i] = 0;
  ffi_hard_result result;
  ffi_moreau_solve(s, m, &result);
  s->info->fallbacks += result.fallbacks;
  s->info->converged &= result.converged;
  for (int i = 0; i < p->nv; ++i)
    m->way[i] += dt * p->u[i];
}
