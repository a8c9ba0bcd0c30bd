// Energy of the present state: kinetic, potential, and in springs.
#include "math/vec3.h"
#include "model/model.h"
#include "sim/sim.h"

#include <math.h>

// The normal spring counts while it is pressed, also where the shapes separate so fast that it does not push: it would
// push again as soon as they slow down. A stretched one pulls nothing, though a damper beside it may push. The
// tangential spring pushes and pulls, and counts as long as there is contact. With a slip flag it is off while it
// slips.
//                                                                                           contact.md, eq. 5
static double in_contact(const ffi_contact *c, int has_flags)
{
  const double depth = ffi_v3_dot(c->x, c->near.normal);
  double along[3];
  for (int i = 0; i < 3; ++i)
    along[i] = c->x[i] - depth * c->near.normal[i];
  const double normal = depth < 0 ? depth * depth : 0;
  const int is_free = has_flags && c->slips;
  return 0.5 * c->K * (normal + (is_free ? 0 : ffi_v3_dot(along, along)));
}

// Rigid contacts and constraints store nothing.
double ffi_sim_energy_elastic(const ffi_system *s, const ffi_state *x, const ffi_evaluation *report)
{
  const int are_rigid = ff_stepper_is_hard(s->def->stepper);
  double sum = 0;
  for (int i = 0; report && i < report->count && !ffi_stepper_has_hard_contacts(s->def); ++i)
    sum += in_contact(&report->contact[i], ffi_stepper_has_slip_flags(s->def));
  for (int i = 0; report && i < report->constraint_count && !are_rigid; ++i)
    sum += 0.5 * (report->constraint[i].element < 0 ? report->constraint[i].own_K : report->constraint[i].K) *
           ffi_v3_dot(report->constraint[i].x, report->constraint[i].x);
  const int count = report ? report->joint_row_count : s->law_count; // limits that are far away have no row
  for (int i = 0; i < count; ++i) {
    const int e = report ? report->joint_row_element[i] : i;
    const ffi_element *element = &s->elements[e];
    if (element->def.type == FF_ELEMENT_JOINT_PD)
      sum += ffi_joint_law_motor_energy(&element->def,
                                        ffi_line_position(&element->line, x->q) - x->reference[e]);
    else if (element->def.type == FF_ELEMENT_JOINT_LIMIT && !are_rigid)
      sum += ffi_joint_law_limit_energy(&element->def, ffi_line_position(&element->line, x->q));
    else if (element->def.type == FF_ELEMENT_JOINT_FRICTION && !are_rigid)
      sum += 0.5 * x->element_force[element->force_at] * x->element_force[element->force_at] /
             element->def.stiffness;
  }
  return sum;
}

ff_energy ff_sim_energy(ff_sim *sim)
{
  const ffi_system *s = sim->system;
  ff_energy e = {.elastic = ffi_sim_energy_elastic(s, sim->state, ffi_sim_state_present(sim)),
                 .control_work = sim->state->control_work};
  e.kinetic = ffi_state_kinematics_energy(s, sim->state->q, sim->state->v, &e.potential);
  e.total = e.kinetic + e.potential + e.elastic;
  for (int i = 0; i < s->model->size.nv; ++i)
    e.control_power += sim->tau[i] * sim->state->v[i];
  return e;
}
