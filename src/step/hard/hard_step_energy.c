// Energies of a step with hard contact: what impulses dissipate or add, and what a correction of positions costs.
#include "math/vec3.h"
#include "step/hard/hard_step.h"

#include <math.h>

// M (z^E - z^S) = ... + W Lambda, times (z^S + z^E)/2: the impulse of a row does the work Lambda (gamma^S +
// gamma^E)/2. Moving ground does work on the robot; gamma, relative to the ground, gives what is lost between the
// two.   moreau.md, restitution
double ffi_hard_step_energy_taken(const ffi_system *s, const ffi_hard_step_problem *p)
{
  const ffi_hard *hard = &p->hard;
  double work = 0;
  for (int k = 0; k < hard->block_count; ++k) {
    const ffi_hard_block *block = &hard->block[k];
    const int element = p->owner[k] - s->max_contacts;
    if (element >= 0 && s->elements[element].def.type == FF_ELEMENT_JOINT_PD)
      continue; // a motor
    for (int r = 0; r < block->rows; ++r) {
      const double before = ffi_hard_step_rows_velocity(block, r, p->evaluation->state->v),
                   after = ffi_hard_step_rows_velocity(block, r, hard->u);
      const double own =
          element >= 0 ? before
          : r < 3      ? ffi_v3_dot(p->axes[p->owner[k]] + 3 * r, p->contact[p->owner[k]].u)
                       : before + hard->b[block->row + r]; // gamma^S; of moments b is that of the ground
      work += hard->impulse[block->row + r] * (own + 0.5 * (after - before));
    }
  }
  return -work;
}

// Work of impulses beyond what forces within the step, u_free - z^S, drove against them, and beyond what the
// tolerance of the solver explains.
int ffi_hard_step_energy_is_gained(const ffi_system *s, const ffi_hard_step_problem *p)
{
  const ffi_hard *hard = &p->hard;
  const double share = 1e-4; // of the exchanged energy: a hundred times the usual tolerance of impulses
  double allowed = 0;
  for (int k = 0; k < hard->block_count; ++k) {
    const ffi_hard_block *block = &hard->block[k];
    for (int r = 0; r < block->rows; ++r) {
      const double before = ffi_hard_step_rows_velocity(block, r, p->evaluation->state->v),
                   driven = ffi_hard_step_rows_velocity(block, r, hard->u_free) - before,
                   change = ffi_hard_step_rows_velocity(block, r, hard->u) - before;
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
      stored += ffi_joint_law_motor_energy(&s->elements[e].def,
                                           ffi_line_position(&s->elements[e].line, q) - reference[e]);
  return *kinetic + potential + stored;
}
