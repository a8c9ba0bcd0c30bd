// Energy of the present state: kinetic, potential, and in springs.
#include "math/vec3.h"
#include "model/model.h"
#include "sim/sim.h"

// The normal spring counts while it is pressed, also where the shapes separate so fast that it does not push: it would
// push again as soon as they slow down. A stretched one pulls nothing, though a damper beside it may push. The
// tangential spring pushes and pulls, and counts as long as there is contact. With a slip flag it is off while it
// slips.
//                                                                                           contact.md, eq. 5
static double in_contact(const ffi_contact *c, int has_flags)
{
  const double depth = ffi_v3_dot(c->x, c->near.normal);
  double along[3];
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i)
    along[i] = c->x[i] - depth * c->near.normal[i];
  const double normal = depth < 0 ? depth * depth : 0;
  const int is_free = has_flags && c->slips;
  return 0.5 * c->K * (normal + (is_free ? 0 : ffi_v3_dot(along, along)));
}

static double in_element(const ffi_system *s, const ffi_state *x, int e, int are_rigid)
{
  const ffi_element *element = &s->elements[e];
  if (element->def.type == FF_ELEMENT_JOINT_PD)
    return ffi_joint_law_motor_energy(&element->def,
                                      ffi_line_position(&element->line, x->q) - x->reference[e]);
  if (element->def.type == FF_ELEMENT_JOINT_LIMIT && !are_rigid)
    return ffi_joint_law_limit_energy(&element->def, ffi_line_position(&element->line, x->q));
  if (element->def.type == FF_ELEMENT_JOINT_FRICTION && !are_rigid) {
    const double force = x->element_force[element->force_at];
    return 0.5 * force * force / element->def.stiffness;
  }
  return 0;
}

// The spring of a contact's resistance to turning holds its energy while it slides, too.
static double in_constraint(const ffi_constraint *c)
{
  return 0.5 * (c->element < 0 ? c->own_K : c->K) * ffi_v3_dot(c->x, c->x);
}

// Rigid contacts and constraints store nothing.
double ffi_sim_energy_elastic(const ffi_system *s, const ffi_state *x, const ffi_evaluation *report)
{
  const int are_rigid = ff_stepper_is_hard(s->def->stepper), has_flags = ffi_stepper_has_slip_flags(s->def);
  double sum = 0;
  for (int e = 0; !report && e < s->law_count; ++e)
    sum += in_element(s, x, e, are_rigid);
  if (!report)
    return sum;
  for (int i = 0; i < report->count && !ffi_stepper_has_hard_contacts(s->def); ++i)
    sum += in_contact(&report->contact[i], has_flags);
  for (int i = 0; i < report->constraint_count && !are_rigid; ++i)
    sum += in_constraint(&report->constraint[i]);
  for (int i = 0; i < report->joint_row_count; ++i) { // limits that are far away have no row
    const int e = report->joint_row_element[i];
    const ff_element_def *def = &s->elements[e].def;
    if (def->type == FF_ELEMENT_JOINT_PD) // the usual case
      sum += ffi_joint_law_motor_energy(def, report->joint_row[i].x);
    else
      sum += in_element(s, x, e, are_rigid);
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
