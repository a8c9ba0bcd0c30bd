// Energy of the present state: of motion, of height, and in springs.
#include "math/vec3.h"
#include "model/model.h"
#include "sim/sim.h"

#include <math.h>

// The normal spring counts while it is pressed and pushes: one that is stretched pulls nothing, though a damper beside it may push. The tangential one, which both pushes and pulls, as long as there is contact.
// With a slip flag it is let go while it slips.
static double in_contact(const ffi_contact *c, int has_flags)
{
  const double depth = ffi_v3_dot(c->x, c->near.normal);
  double along[3];
  for (int i = 0; i < 3; ++i)
    along[i] = c->x[i] - depth * c->near.normal[i];
  const double normal = c->law.normal_force > 0 && depth < 0 ? depth * depth : 0;
  const int is_free = has_flags && c->slips;
  return 0.5 * c->K * (normal + (is_free ? 0 : ffi_v3_dot(along, along)));
}

// What is rigid stores nothing.
static double elastic(const ffi_system *s, const ffi_evaluation *report)
{
  const int are_rigid = ff_stepper_is_hard(s->def->stepper);
  double sum = 0;
  for (int i = 0; i < report->count && !ffi_stepper_has_hard_contacts(s->def); ++i)
    sum += in_contact(&report->contact[i], ffi_stepper_has_slip_flags(s->def));
  for (int i = 0; i < report->hold_count && !are_rigid; ++i)
    sum += 0.5 * report->hold[i].K * ffi_v3_dot(report->hold[i].x, report->hold[i].x);
  for (int i = 0; i < report->joint_row_count; ++i) {
    const ffi_joint_law_row *row = &report->joint_row[i];
    const ff_element_def *def = &s->elements[report->joint_row_element[i]].def;
    if (def->type == FF_ELEMENT_JOINT_PD)
      sum += ffi_joint_law_motor_energy(def, row->x);
    else if (!are_rigid)
      sum += 0.5 * row->K * row->x * row->x;
  }
  return sum;
}

ff_energy ff_sim_energy(ff_sim *sim)
{
  const ffi_system *s = sim->system;
  ff_energy e = {.elastic = elastic(s, ffi_sim_state_present(sim)), .control_work = sim->state->control_work};
  e.kinetic = ffi_state_kinematics_energy(s, sim->state->q, sim->state->v, &e.potential);
  e.total = e.kinetic + e.potential + e.elastic;
  for (int i = 0; i < s->model->size.nv; ++i)
    e.control_power += sim->tau[i] * sim->state->v[i];
  return e;
}
