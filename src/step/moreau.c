// Moreau's time-stepping: half a step with the old velocity, one problem in impulses at the middle, half a step with the new velocity.
//   q^M = q^S + dt/2 F u^S                                                     eq. 6 (the printed q^E on its right side is q^S)
//   M (u^E - u^S) = dt h + W Lambda,  (xi, Lambda) in the laws, at (q^M, u^S)   eq. 7
//   q^E = q^M + dt/2 F u^E                                                     eq. 8
#include "step/moreau.h"

#include "dynamics/path.h"
#include "model/model.h"
#include "step/phase.h"

static ff_status step(ffi_system *s, const ffi_state *from, double dt, ffi_state *to, ff_error *error)
{
  ffi_moreau *m = s->memory;
  const ff_model *model = s->model;
  double mark = ffi_phase_begin(s);
  m->ahead = m->after = m->horizon = 0.5 * dt;

  // Half a step with the old velocity, and a look from there.                                   eq. 6
  for (int i = 0; i < model->size.nv; ++i)
    m->way[i] = 0.5 * dt * from->v[i];
  ffi_state_advance(s, from, 0.5 * dt, &m->mid);
  ffi_path_move(model, from->q, m->way, from->v, m->mid.q, m->mid.v);
  ffi_state_advance(s, from, dt, to);
  for (int e = 0; e < s->element_count; ++e)
    m->mid.reference[e] = to->reference[e]; // springs act at the end
  ff_status status = ffi_moreau_look(s, from, dt, m, error);
  if (status != FF_OK)
    return status;
  ffi_phase_end(s, FF_PHASE_CONTACT, &mark);

  // Springs and motors, rows, impulses.                                                         eq. 7
  if (!ffi_contacts_are_hard(s->def))
    ffi_moreau_springs(s, from, dt, m);
  if ((status = ffi_moreau_impulses(s, from, dt, m, &mark, error)) != FF_OK)
    return status;

  // Half a step with the new velocity.                                                          eq. 8
  ffi_moreau_keep(s, m, dt, to);
  for (int i = 0; i < model->size.nv; ++i) {
    m->end[i] = m->problem.u[i];
    m->way[i] = 0.5 * dt * m->end[i];
  }
  ffi_path_move(model, m->mid.q, m->way, m->end, to->q, to->v);
  if (s->def->moreau.stabilise)
    ffi_moreau_stabilise(s, dt, m, to);
  ffi_phase_end(s, FF_PHASE_UPDATE, &mark);
  return FF_OK;
}

const ffi_stepper ffi_stepper_moreau = {.layout = ffi_moreau_layout, .step = step};
