// What a correction of positions may cost, and what it does cost: energies of a step of `moreau`.
#include "math/vec3.h"
#include "step/hard/hard_step.h"

#include <math.h>

static double times(const ffi_hard_block *block, int r, const double *u)
{
  double sum = 0;
  for (int k = 0; k < block->columns; ++k)
    sum += block->W[r * block->columns + k] * u[block->dof[k]];
  return sum;
}

// M (z^E - z^S) = ... + W Lambda, times (z^S + z^E)/2: the impulse of a row does the work Lambda (gamma^S +
// gamma^E)/2. What ground that moves gives to the robot is work of the ground; gamma, relative to it, is what is lost
// between the two.
double ffi_hard_step_energy_taken(const ffi_system *s, const ffi_hard_step_problem *p)
{
  const ffi_hard *hard = &p->hard;
  double work = 0;
  for (int k = 0; k < hard->block_count; ++k) {
    const ffi_hard_block *block = &hard->block[k];
    const int element = p->owner[k] - s->max_contacts;
    if (element >= 0 && element < s->element_count && block->law == FFI_HARD_LAW_DRY)
      continue; // a motor
    for (int r = 0; r < block->rows; ++r) {
      const double before = times(block, r, p->look->state->v), after = times(block, r, hard->u);
      const double own = element < 0 ? ffi_v3_dot(p->axes[p->owner[k]] + 3 * r, p->contact[p->owner[k]].u)
                                     : before; // gamma^S
      work += hard->impulse[block->row + r] * (own + 0.5 * (after - before));
    }
  }
  return -work;
}

// Work of impulses beyond what forces within the step, u_free - z^S, drove against them, and beyond what the solver's
// tolerance explains.
int ffi_hard_step_energy_is_gained(const ffi_system *s, const ffi_hard_step_problem *p)
{
  const ffi_hard *hard = &p->hard;
  const double share = 1e-4; // of what is exchanged: a hundred times the usual tolerance of impulses
  double allowed = 0;
  for (int k = 0; k < hard->block_count; ++k) {
    const ffi_hard_block *block = &hard->block[k];
    for (int r = 0; r < block->rows; ++r) {
      const double before = times(block, r, p->look->state->v),
                   driven = times(block, r, hard->u_free) - before,
                   change = times(block, r, hard->u) - before;
      allowed += 0.5 * fabs(hard->impulse[block->row + r]) * (fabs(driven) + share * fabs(change));
    }
  }
  return ffi_hard_step_energy_taken(s, p) < -allowed;
}

double ffi_hard_step_energy(const ffi_system *s, const double *q, const double *v, const double *reference,
                            double *kinetic)
{
  double potential, stored = 0;
  *kinetic = ffi_state_kinematics_energy(s, q, v, &potential);
  for (int e = 0; e < s->element_count; ++e)
    if (s->elements[e].def.type == FF_ELEMENT_JOINT_PD)
      stored += ffi_joint_law_motor_energy(&s->elements[e].def, q[s->elements[e].q] - reference[e]);
  return *kinetic + potential + stored;
}
