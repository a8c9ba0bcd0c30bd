// The impulses of a problem, by the solver of its request, and the velocities that they lead to.
#include "dynamics/one_lane.h"
#include "step/hard/hard_step_problem.h"

// With G or links the solver works on impulses alone: u = u_free + M^-1 W Lambda is formed here.   Moreau paper eq. 7
void ffi_hard_step_solve(const ffi_system *s, const ffi_hard_step_request_solver *solver,
                         const ffi_hard_step_problem *p, const ffi_hard *hard, ffi_hard_result *result)
{
  switch (solver->method) {
  case FFI_HARD_STEP_REQUEST_LAWS: ffi_hard_solve(solver->hard, hard, p->hard_memory, result); break;
  case FFI_HARD_STEP_REQUEST_IMPACT:
    ffi_impact_solve(solver->impact, hard, p->bounce, p->impact_memory, result);
    break;
  }
  if (!hard->G && !hard->link)
    return;
  for (int i = 0; i < hard->nv; ++i)
    hard->u[i] = 0;
  for (int k = 0; k < hard->block_count; ++k) {
    const ffi_hard_block *block = &hard->block[k];
    for (int r = 0; r < block->rows; ++r)
      for (int c = 0; c < block->columns; ++c)
        hard->u[block->dof[c]] += block->W[r * block->columns + c] * hard->impulse[block->row + r];
  }
  if (hard->block_count > 0)
    s->k->solve(p->evaluation->at.work, hard->u);
  for (int i = 0; i < hard->nv; ++i)
    hard->u[i] += hard->u_free[i];
}
