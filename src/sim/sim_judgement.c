// The judgement of a step by its energy. docs/theory/energy.md
#include "sim/sim_judgement.h"

#include "base/fail.h"
#include "dynamics/one_lane.h"
#include "math/vec3.h"
#include "model/model.h"
#include "sim/sim.h"
#include "step/step_kernels.h"

#include <math.h>

// The promise: a larger share of the largest kinetic and elastic energy is reported.
static const double most_share = 0.01;

// A step that multiplies the energy by more is refused: a million times what was there, what was put in and what the
// robot has at walking pace is no motion of this robot. Unstable explicit steps multiply it by less for a while, and
// are reported.
static const double most_factor = 1e6, walking_pace = 1; // [m/s]

// ---- The energy of a state -----------------------------------------------------------------------------------

// Soft steppers begin with the evaluation of their state and with M, so both serve the next step too. Hard contact
// begins elsewhere, and stores energy in motors only. 0 if there is no evaluation.
static int measure(ff_sim *sim, const ffi_state *x, double *total, double *storage)
{
  const ffi_system *s = sim->system;
  double motion[2]; // kinetic, potential
  if (ffi_stepper_has_hard_contacts(s->def)) {
    motion[0] = ffi_state_kinematics_energy(s, x->q, x->v, &motion[1]);
    *storage = motion[0] + ffi_sim_energy_elastic(s, x, NULL);
  } else {
    // with more contacts than max_contacts the next step fails; the energy is that of the contacts of the state
    if (ffi_evaluation_current(s, x, &sim->present, NULL) != FF_OK &&
        ffi_evaluation_at(s, x, FFI_EVALUATION_FIXED, &sim->present, NULL) != FF_OK)
      return 0;
    ffi_state_kinematics *at = &sim->present.at;
    ffi_state_kinematics_form_mass(s, at);
    s->step_k->energy(at->work, x->v, sim->workspace->change, motion);
    *storage = motion[0] + ffi_sim_energy_elastic(s, x, &sim->present);
  }
  *total = motion[1] + *storage;
  return 1;
}

static double mass_of(const ff_model *m)
{
  double mass = 0;
  for (int i = 1; i < m->body_count; ++i) // m->mass is that of the world's own robot
    mass += m->bodies[i].mass;
  return mass;
}

void ffi_sim_judgement_forget(ff_sim *sim)
{
  sim->judgement = (ffi_sim_judgement){0};
}

void ffi_sim_judgement_begin(ff_sim *sim)
{
  ffi_sim_judgement *j = &sim->judgement;
  const ffi_system *s = sim->system;
  if (!s->step_k->is_zero(sim->state->ground_velocity, 6 * s->colliders->ground_count))
    j->stamp = 0;
  else if (sim->state->stamp == 0 || j->stamp != sim->state->stamp) {
    j->stamp = measure(sim, sim->state, &j->total, &j->storage) ? sim->state->stamp : 0;
    j->mass = mass_of(s->model);
  }
  if (j->stamp)
    j->peak = fmax(j->peak, j->storage);
}

// ---- The energy put in ---------------------------------------------------------------------------------------

static double motor_force(const ffi_element *element, const ffi_state *x, int e)
{
  ffi_joint_law_row row;
  ffi_joint_law(&element->def, x->reference[e], x->reference_velocity[e],
                ffi_line_position(&element->line, x->q), ffi_line_rate(&element->line, x->v), &row);
  return row.force;
}

// The work of moving references: force times velocity of the reference, the mean of both ends and at most its error.
static double work_of_references(const ff_sim *sim, const ffi_state *to)
{
  const ffi_system *s = sim->system;
  double power = 0;
  if (s->step_k->is_zero(to->reference_velocity, s->element_count))
    return 0;
  for (int e = 0; e < s->element_count; ++e) {
    const double speed = to->reference_velocity[e];
    if (speed == 0 || s->elements[e].def.type != FF_ELEMENT_JOINT_PD)
      continue;
    const double before = motor_force(&s->elements[e], sim->state, e),
                 after = motor_force(&s->elements[e], to, e);
    power += 0.5 * (before + after) * speed + 0.5 * fabs((after - before) * speed);
  }
  return power * s->def->dt;
}

static double energy_at(const ffi_sim_judgement *j, double speed)
{
  return 0.5 * j->mass * speed * speed;
}

// ---- The judgement -------------------------------------------------------------------------------------------

ff_status ffi_sim_judgement_end(ff_sim *sim, ff_error *cause)
{
  ffi_sim_judgement *j = &sim->judgement;
  const ffi_state *to = sim->workspace->next;
  double total, storage;
  if (!j->stamp)
    return FF_OK;
  if (!measure(sim, to, &total, &storage)) {
    j->stamp = 0;
    return FF_OK;
  }
  const double put_in = to->control_work - sim->state->control_work + work_of_references(sim, to);
  const double gain = total - j->total - put_in;
  if (!(gain <= most_factor * (j->storage + fabs(put_in) + energy_at(j, walking_pace))))
    return ffi_fail(cause, FF_ERROR_NUMERIC, NULL, 0, "",
                    "it would raise the energy by %.3g J, from %.3g J of motion and springs",
                    total - j->total, j->storage);
  j->peak = fmax(j->peak, storage);
  j->excess = fmax(0, j->excess + gain);
  j->total = total;
  j->storage = storage;
  j->stamp = to->stamp;
  sim->info.gain = fmax(0, gain);
  // At least the kinetic energy of a fall during one step: a robot that rests on rigid ground has none. And rounding of
  // potential energies, which may be large.
  if (j->excess <= most_share * j->peak + 1e-12 * fabs(total))
    return FF_OK;
  const double fall = energy_at(j, ffi_v3_norm(sim->system->model->gravity) * sim->world->def.dt);
  if (j->excess > most_share * fall + 1e-12 * fabs(total)) {
    sim->info.gained = 1;
    j->excess = 0;
  }
  return FF_OK;
}
