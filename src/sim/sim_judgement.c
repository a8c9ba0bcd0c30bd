// The judgement of a step by its energy. docs/theory/energy.md
#include "sim/sim_judgement.h"

#include "base/fail.h"
#include "dynamics/one_lane.h"
#include "math/vec3.h"
#include "model/model.h"
#include "sim/sim.h"
#include "step/step_kernels.h"

#include <math.h>
#include <string.h>

// The promise: a larger share of the largest kinetic and elastic energy is reported.
static const double most_share = 0.01;

// A step that multiplies the energy by more is refused: a million times what was there, what was put in and what the
// robot has at walking pace is no motion of this robot. Unstable explicit steps multiply it by less for a while, and
// are reported.
static const double most_factor = 1e6, walking_pace = 1; // [m/s]

// ---- The energy of a state -----------------------------------------------------------------------------------

// Soft steppers begin with the evaluation of their state and with M, so both serve the next step too. Hard contact
// begins elsewhere, and stores energy in motors only. known: kinetic and potential energy, or NULL. 0 if there is no
// evaluation.
static int measure(ff_sim *sim, const ffi_state *x, const double *known, double *total, double *storage)
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
    if (known)
      memcpy(motion, known, sizeof motion);
    else {
      ffi_state_kinematics *at = &sim->present.at;
      ffi_state_kinematics_form_mass(s, at);
      s->step_k->energy(at->work, x->v, sim->workspace->change, motion);
    }
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

// Energy that a step has added beyond what was put in, and the energy at its end.
static void judge(const ffi_sim_judged *of, double gain, double total, double storage)
{
  ffi_sim_judgement *j = of->judgement;
  j->peak = fmax(j->peak, storage);
  j->excess = fmax(0, j->excess + gain);
  j->total = total;
  j->storage = storage;
  j->is_late = 0;
  of->info->gain += fmax(0, gain);
  // At least the kinetic energy of a fall during one step: a robot that rests on rigid ground has none. And rounding of
  // potential energies, which may be large.
  if (j->excess <= most_share * j->peak + 1e-12 * fabs(total))
    return;
  const double fall = energy_at(j, ffi_v3_norm(of->model->gravity) * of->dt);
  if (j->excess > most_share * fall + 1e-12 * fabs(total)) {
    of->info->gained = 1;
    j->excess = 0;
  }
}

static void begin_anew(const ffi_sim_judged *of, uint64_t stamp, double total, double storage)
{
  ffi_sim_judgement *j = of->judgement;
  j->stamp = stamp;
  j->total = total;
  j->storage = storage;
  j->is_late = 0;
  j->mass = mass_of(of->model);
}

void ffi_sim_judgement_begin_with(const ffi_sim_judged *of, uint64_t stamp, double total, double storage)
{
  ffi_sim_judgement *j = of->judgement;
  if (stamp == 0 || j->stamp != stamp)
    begin_anew(of, stamp, total, storage);
  else if (j->is_late)
    judge(of, total - j->total - j->put_in, total, storage);
  j->peak = fmax(j->peak, j->storage);
}

void ffi_sim_judgement_delay(ffi_sim_judgement *j, uint64_t stamp, double put_in)
{
  j->stamp = stamp;
  j->is_late = 1;
  j->put_in = put_in;
}

static ffi_sim_judged judged_of(ff_sim *sim)
{
  return (ffi_sim_judged){&sim->judgement, &sim->info, sim->system->model, sim->world->def.dt};
}

void ffi_sim_judgement_begin(ff_sim *sim)
{
  ffi_sim_judgement *j = &sim->judgement;
  const ffi_system *s = sim->system;
  const int is_other = sim->state->stamp == 0 || j->stamp != sim->state->stamp;
  const ffi_sim_judged of = judged_of(sim);
  double total, storage;
  if (is_other || j->is_late) { // another ground velocity is another stamp
    const int is_still = s->step_k->is_zero(sim->state->ground_velocity, 6 * s->colliders->ground_count);
    if (is_still && measure(sim, sim->state, NULL, &total, &storage))
      ffi_sim_judgement_begin_with(&of, sim->state->stamp, total, storage);
    else
      j->stamp = 0;
  }
  if (j->stamp)
    j->peak = fmax(j->peak, j->storage);
}

ff_status ffi_sim_judgement_end(ff_sim *sim, ff_error *cause)
{
  ffi_sim_judgement *j = &sim->judgement;
  const ffi_state *to = sim->workspace->next;
  double total, storage;
  if (!j->stamp)
    return FF_OK;
  const double put_in = to->control_work - sim->state->control_work + work_of_references(sim, to);
  if (!measure(sim, to, sim->system->has_motion ? sim->system->motion : NULL, &total, &storage)) {
    j->stamp = 0;
    return FF_OK;
  }
  const double gain = total - j->total - put_in;
  if (!(gain <= most_factor * (j->storage + fabs(put_in) + energy_at(j, walking_pace))))
    return ffi_fail(cause, FF_ERROR_NUMERIC, NULL, 0, "",
                    "it would raise the energy by %.3g J, from %.3g J of motion and springs",
                    total - j->total, j->storage);
  const ffi_sim_judged of = judged_of(sim);
  j->stamp = to->stamp;
  judge(&of, gain, total, storage);
  return FF_OK;
}
