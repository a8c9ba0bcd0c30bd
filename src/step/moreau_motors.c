// The velocity without impulses, and what is implicit in it: motors, springs and joint damping act with their force at the end of the step.
#include "dynamics/one_robot.h"
#include "step/moreau.h"
#include "step/sides.h"

#include <math.h>

// K and B of a motor or spring that is not a block of its own, and its force at the end of the step if the velocity were u.
double ffi_moreau_motor_force(const ffi_system *s, const ffi_moreau *m, int e, double u)
{
  const ffi_element *el = &s->elements[e];
  const double end = m->mid.q[el->q] + m->ahead * u - m->mid.reference[e];
  return -el->def.stiffness * end - el->def.damping * (u - m->mid.reference_velocity[e]);
}

// The diagonal entry of a velocity in the mass matrix that crba left.
static double *diagonal_of(const ffi_system *s, int v)
{
  return &s->work->M[s->model->dof_row[v + 1] - 1];
}

// (M + dt D + sum of dt (B + ahead K)) (u_free - u^S) = dt (tau - h + springs at u^S): forces at the end of the step, h has the damping of u^S already.
// With a rate, that of u^S, which is then u^S + rate, is known: (M + ...) (u_free - u^S) = dt springs at u^S.
ff_status ffi_moreau_free(ffi_system *s, double dt, ffi_moreau *m, ff_error *error)
{
  const ff_model *model = s->model;
  const int are_hard = ffi_contacts_are_hard(s->def);
  s->k->crba(s->work);
  for (int i = 0; i < model->size.nv; ++i) {
    m->u_free[i] = m->has_rate ? 0 : dt * (s->tau[i] - m->h[i]) + (are_hard ? 0 : m->push[i]);
    m->mid.v[i] += m->has_rate ? m->rate[i] : 0;
  }
  for (int k = 0; k < s->work->loaded_count; ++k)
    *diagonal_of(s, s->work->loaded[k]) += dt * model->dof_damping[s->work->loaded[k]];
  for (int e = 0; e < s->element_count; ++e) {
    const ffi_element *el = &s->elements[e];
    if (el->def.type != FF_ELEMENT_JOINT_PD || m->is_clipped[e])
      continue;
    *diagonal_of(s, el->v) += dt * (el->def.damping + m->ahead * el->def.stiffness);
    m->u_free[el->v] += dt * ffi_moreau_motor_force(s, m, e, m->mid.v[el->v]);
  }
  const ff_status status = ffi_system_factor(s, error);
  if (status != FF_OK)
    return status;
  s->k->solve(s->work, m->u_free);
  for (int i = 0; i < model->size.nv; ++i) {
    m->u_free[i] += m->mid.v[i];
    m->mid.v[i] -= m->has_rate ? m->rate[i] : 0;
  }
  return FF_OK;
}

// Motors that gave all they have in the last step are blocks of their own from the start.
void ffi_moreau_begin_motors(const ffi_system *s, const ffi_state *from, double dt, ffi_moreau *m)
{
  for (int e = 0; e < s->element_count; ++e)
    m->is_clipped[e] =
        s->elements[e].def.type == FF_ELEMENT_JOINT_PD && dt > 0 &&
        fabs(from->held[m->held_at[e]]) >= (1 - 1e-12) * s->elements[e].def.effort; // impulse over dt
}

// Has a motor given more than it can? Those become blocks, in a second round all that could.
int ffi_moreau_clip_motors(const ffi_system *s, double dt, int round, ffi_moreau *m)
{
  int clipped = 0;
  for (int e = 0; e < s->element_count; ++e) {
    const ffi_element *el = &s->elements[e];
    if (el->def.type == FF_ELEMENT_JOINT_PD && !m->is_clipped[e] && dt > 0 &&
        fabs(ffi_moreau_motor_force(s, m, e, m->problem.u[el->v])) > el->def.effort)
      clipped = m->is_clipped[e] = 1;
  }
  for (int e = 0; e < s->element_count && clipped && round > 0; ++e)
    if (s->elements[e].def.type == FF_ELEMENT_JOINT_PD && !isinf(s->elements[e].def.effort))
      m->is_clipped[e] = 1;
  return clipped;
}
