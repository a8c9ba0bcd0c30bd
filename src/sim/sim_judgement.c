// The judgement of a step by its energy. docs/theory/energy.md
#include "sim/sim_judgement.h"

#include "base/fail.h"
#include "dynamics/one_lane.h"
#include "math/vec3.h"
#include "model/model.h"
#include "sim/sim.h"

#include <math.h>

// The promise: a larger share of the largest kinetic and elastic energy is reported.
static const double most_share = 0.01;

// A step that multiplies the energy by more is refused: ten thousand times what was there, what was put in and what the
// robot has at walking pace is no motion of this robot. Unstable explicit steps multiply it by less for a while, and
// are reported.
static const double most_factor = 1e4, walking_pace = 1; // [m/s]

// Calm steps judged at once, and the motion of a step that is calm [rad], [m].
enum { CALM_STEPS = 4 };
static const double calm_motion = 1e-3;

// 1/2 v' M v by the rows of ancestors, M formed.
static double kinetic_energy(const ff_model *m, const ffi_work *work, const double *v)
{
  const double *M = work->M;
  const int *path = work->path;
  double sum = 0;
  for (int i = 0; i < m->size.nv; ++i) {
    const int last = m->dof_row[i + 1] - 1; // the diagonal is the last
    int e = m->dof_row[i];
    double row = 0.5 * M[last] * v[i], other = 0;
    for (; e + 1 < last; e += 2) { // two sums, so that one need not wait for the other
      row += M[e] * v[path[e]];
      other += M[e + 1] * v[path[e + 1]];
    }
    if (e < last)
      row += M[e] * v[path[e]];
    sum += (row + other) * v[i];
  }
  return sum;
}

// -g' sum m c, as the kernel of the dynamics has it, with a third of its work: only the height of each body counts.
static double potential_energy(const ff_model *m, const ffi_pose *pose)
{
  const double *g = m->gravity;
  double sum = 0;
  for (int i = 1; i < m->body_count; ++i) {
    const ffi_body *b = &m->bodies[i];
    const double *R = pose[i].R, *p = pose[i].p;
    const double at = g[0] * p[0] + g[1] * p[1] + g[2] * p[2];
    const double x = g[0] * R[0] + g[1] * R[3] + g[2] * R[6], y = g[0] * R[1] + g[1] * R[4] + g[2] * R[7],
                 z = g[0] * R[2] + g[1] * R[5] + g[2] * R[8];
    sum -= b->mass * at + (x * b->mc[0] + y * b->mc[1] + z * b->mc[2]);
  }
  return sum;
}

// Soft steppers begin with the evaluation of their state and with M, so both serve the next step too. Hard contact
// begins elsewhere, and stores energy in motors only. 0 if there is no evaluation: too many contacts.
static int measure(ff_sim *sim, const ffi_state *x, double *total, double *storage)
{
  const ffi_system *s = sim->system;
  double potential;
  if (ffi_stepper_has_hard_contacts(s->def)) {
    const double kinetic = ffi_state_kinematics_energy(s, x->q, x->v, &potential);
    *storage = kinetic + ffi_sim_energy_elastic(s, x, NULL);
  } else {
    if (ffi_evaluation_current(s, x, &sim->present, NULL) != FF_OK)
      return 0;
    ffi_state_kinematics_form_mass(s, &sim->present.at);
    potential = potential_energy(s->model, sim->present.at.body);
    *storage =
        kinetic_energy(s->model, sim->present.at.work, x->v) + ffi_sim_energy_elastic(s, x, &sim->present);
  }
  *total = potential + *storage;
  return 1;
}

void ffi_sim_judgement_forget(ff_sim *sim)
{
  sim->judgement = (ffi_sim_judgement){0};
}

void ffi_sim_judgement_begin(ff_sim *sim)
{
  ffi_sim_judgement *j = &sim->judgement;
  if (sim->state->stamp != 0 && j->stamp == sim->state->stamp)
    return;
  j->stamp = measure(sim, sim->state, &j->total, &j->storage) ? sim->state->stamp : 0;
  j->calm = 0;
  j->put_in = 0;
  j->peak = fmax(j->peak, j->stamp ? j->storage : 0);
}

// Bound of the work of moving references and moving ground over the step: force times speed, the larger of both ends.
static double work_of_motion(const ff_sim *sim, const ffi_state *to)
{
  const ffi_system *s = sim->system;
  const double dt = s->def->dt;
  double power = 0;
  for (int e = 0; e < s->element_count; ++e) {
    const ffi_element *element = &s->elements[e];
    const double speed = fabs(to->reference_velocity[e]);
    if (speed == 0 || element->def.type != FF_ELEMENT_JOINT_PD)
      continue;
    double most = 0;
    const ffi_state *ends[2] = {sim->state, to};
    for (int k = 0; k < 2; ++k) {
      ffi_joint_law_row row;
      ffi_joint_law(&element->def, ends[k]->reference[e], ends[k]->reference_velocity[e],
                    ends[k]->q[element->q], ends[k]->v[element->v], &row);
      most = fmax(most, fabs(row.force));
    }
    power += most * speed;
  }
  double fastest = 0;
  for (int i = 0; i < 6 * s->colliders->ground_count; ++i)
    fastest = fmax(fastest, fabs(to->ground_velocity[i]));
  for (int i = 0; i < to->touching_count && fastest > 0;
       ++i) // 10: metres between the ground's origin and a contact
    power += 10 * fastest * ffi_v3_norm(to->touching[i].mean_force);
  return power * dt;
}

// Kinetic energy of a fall during one step, the least that a gain is compared with: a robot that rests on rigid ground
// has neither kinetic nor elastic energy.
static double energy_of_fall(const ff_sim *sim)
{
  const ff_model *m = sim->system->model;
  const double speed = ffi_v3_norm(m->gravity) * sim->world->def.dt;
  return 0.5 * m->mass * speed * speed;
}

static int is_calm(const ff_sim *sim)
{
  const ffi_sim_judgement *j = &sim->judgement;
  return j->speed * sim->world->def.dt <= calm_motion && j->travel <= calm_motion;
}

ff_status ffi_sim_judgement_end(ff_sim *sim, ff_error *cause)
{
  ffi_sim_judgement *j = &sim->judgement;
  const ffi_state *to = sim->workspace->next;
  double total, storage;
  if (!j->stamp)
    return FF_OK;
  j->put_in += to->control_work - sim->state->control_work + work_of_motion(sim, to);
  if (++j->calm < CALM_STEPS && is_calm(sim)) {
    j->stamp = to->stamp;
    return FF_OK;
  }
  if (!measure(sim, to, &total, &storage)) {
    j->stamp = 0;
    return FF_OK;
  }
  const double gain = total - j->total - j->put_in, fall = energy_of_fall(sim);
  const double walking = 0.5 * sim->system->model->mass * walking_pace * walking_pace;
  if (!(gain <= most_factor * (j->storage + fabs(j->put_in) + walking)))
    return ffi_fail(cause, FF_ERROR_NUMERIC, NULL, 0, "",
                    "it would raise the energy by %.3g J, from %.3g J of motion and springs",
                    total - j->total, j->storage);
  j->peak = fmax(j->peak, storage);
  j->excess = fmax(0, j->excess + gain);
  sim->info.gain = fmax(0, gain);
  // rounding of potential energies, which may be large
  if (j->excess > most_share * fmax(j->peak, fall) + 1e-12 * fabs(total)) {
    sim->info.gained = 1;
    j->excess = 0;
  }
  j->total = total;
  j->storage = storage;
  j->stamp = to->stamp;
  j->calm = 0;
  j->put_in = 0;
  return FF_OK;
}
