// Energy of the present state: of motion, of height, and in springs.
#include "math/vec3.h"
#include "model/model.h"
#include "sim/sim.h"

// The normal spring counts while it pushes; the tangential one, which both pushes and pulls, as long as there is contact.
static double in_contact(const ffi_contact *c)
{
  const double depth = ffi_v3_dot(c->x, c->near.normal);
  double along[3];
  for (int i = 0; i < 3; ++i)
    along[i] = c->x[i] - depth * c->near.normal[i];
  const double normal = c->law.normal_force > 0 ? depth * depth : 0;
  return 0.5 * c->K * (normal + ffi_v3_dot(along, along));
}

static double elastic(const ffi_instant *report)
{
  double sum = 0;
  for (int i = 0; i < report->count; ++i)
    sum += in_contact(&report->contact[i]);
  for (int i = 0; i < report->hold_count; ++i)
    sum += 0.5 * report->hold[i].K * ffi_v3_dot(report->hold[i].x, report->hold[i].x);
  for (int i = 0; i < report->joint_row_count; ++i) { // K is zero where it saturates or is free
    const ffi_joint_row *row = &report->joint_row[i];
    sum += 0.5 * row->K * row->x * row->x;
  }
  return sum;
}

ff_energy ff_sim_energy(ff_sim *sim)
{
  const ffi_system *s = &sim->system;
  ff_energy e = {.elastic = elastic(ffi_sim_report(sim)), .control_work = sim->now->control_work};
  s->k->transforms(s->work, sim->now->q);
  s->k->kinematics(s->work, sim->now->v, NULL);
  s->k->kinetic_energy(s->work, &e.kinetic);
  s->k->potential_energy(s->work, &e.potential);
  e.total = e.kinetic + e.potential + e.elastic;
  for (int i = 0; i < s->model->size.nv; ++i)
    e.control_power += sim->tau[i] * sim->now->v[i];
  return e;
}
