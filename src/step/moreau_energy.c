// What a correction of positions may cost, and what it does cost: energies of a step of `moreau`.
#include "math/vec3.h"
#include "model/model.h"
#include "step/moreau.h"

static double times(const ffi_hard_block *block, int r, const double *u)
{
  double sum = 0;
  for (int k = 0; k < block->columns; ++k)
    sum += block->W[r * block->columns + k] * u[block->dof[k]];
  return sum;
}

// M (z^E - z^S) = ... + W Lambda, times (z^S + z^E)/2: the impulse of a row does the work Lambda (gamma^S + gamma^E)/2. What ground that moves
// gives to the robot is work of the ground; gamma, relative to it, is what is lost between the two.
double ffi_moreau_taken(const ffi_system *s, const ffi_moreau *m)
{
  const ffi_hard *p = &m->problem;
  double work = 0;
  for (int k = 0; k < p->block_count; ++k) {
    const ffi_hard_block *block = &p->block[k];
    const int element = m->owner[k] - s->max_contacts;
    if (element >= 0 && element < s->element_count && block->law == FFI_HARD_LAW_DRY)
      continue; // a motor
    for (int r = 0; r < block->rows; ++r) {
      const double before = times(block, r, m->mid.v), after = times(block, r, p->u);
      const double own = element < 0 ? ffi_v3_dot(m->axes[m->owner[k]] + 3 * r, m->contact[m->owner[k]].u)
                                     : before; // gamma^S
      work += p->impulse[block->row + r] * (own + 0.5 * (after - before));
    }
  }
  return -work;
}

// Most that impulses of one e give in a step, by what falls: dt^2/8 m g^2 (tests/properties/test_moreau_lift.c derives it).
static double usual_gain(const ffi_system *s, double dt)
{
  double mass = 0;
  for (int b = 1; b < s->model->body_count; ++b)
    mass += s->model->bodies[b].mass;
  return dt * dt / 8 * mass * ffi_v3_dot(s->model->gravity, s->model->gravity);
}

int ffi_moreau_let_go(const ffi_system *s, double dt, ffi_moreau *m)
{
  int left = 0;
  for (int i = 0; i < m->count; ++i)
    left += m->contact[i].near.gap > 0 && ffi_pair_bounces(&s->scene.pairs[m->contact[i].near.pair]);
  if (left == 0 || ffi_moreau_taken(s, m) >= -usual_gain(s, dt))
    return 0;
  const int count = m->count;
  m->count = 0;
  for (int i = 0; i < count; ++i)
    if (!(m->contact[i].near.gap > 0 && ffi_pair_bounces(&s->scene.pairs[m->contact[i].near.pair]))) {
      m->is_watched[m->count] = m->is_watched[i];
      m->contact[m->count++] = m->contact[i];
    }
  return left;
}

double ffi_moreau_energy(ffi_system *s, const double *q, const double *v, const double *reference,
                         double *kinetic)
{
  double potential, stored = 0;
  s->k->transforms(s->work, q);
  s->k->kinematics(s->work, v, NULL);
  s->k->kinetic_energy(s->work, kinetic);
  s->k->potential_energy(s->work, &potential);
  for (int e = 0; e < s->element_count; ++e)
    if (s->elements[e].def.type == FF_ELEMENT_JOINT_PD)
      stored += ffi_motor_energy(&s->elements[e].def, q[s->elements[e].q] - reference[e]);
  return *kinetic + potential + stored;
}
