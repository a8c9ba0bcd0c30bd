// The velocity without impulses, and the terms that are implicit in it: motors, springs and joint damping act with
// their force at the end of the step. moreau.md, section on motors
#include "dynamics/one_lane.h"
#include "step/eval/contact_jacobian.h"
#include "step/hard/hard_step_problem.h"

#include <math.h>

// A motor on a tendon always has a row: it couples velocities that M does not.
static int needs_row(const ffi_element *el)
{
  return el->def.type == FF_ELEMENT_JOINT_PD && el->line.single_v < 0;
}

// Force of a motor or spring without rows of its own at the end of the step, if the velocity were u: -K (q^M + ahead
// u - r^E) - B (u - rdot).                                               moreau.md, motors
double ffi_hard_step_motors_force(const ffi_system *s, const ffi_hard_step_request *request,
                                  const ffi_hard_step_evaluation *evaluation, int e, double u)
{
  const ffi_element *el = &s->elements[e];
  const ffi_state *at = evaluation->state;
  const double end = ffi_line_position(&el->line, at->q) + request->ahead * u - at->reference[e];
  return -el->def.stiffness * end - el->def.damping * (u - at->reference_velocity[e]);
}

static double *diagonal_of(const ffi_system *s, ffi_work *work, int v)
{
  return &work->M[s->model->dof_row[v + 1] - 1];
}

// Implicit terms: damping of joints, and motors and springs without rows of their own. They are linearised at the
// velocities of the evaluation, with a change at those after it.
static void add_implicit(const ffi_system *s, const ffi_hard_step_request *request, ffi_hard_step_problem *p)
{
  const double dt = request->dt, *v = p->evaluation->state->v, *change = request->velocity_change;
  ffi_work *work = p->evaluation->at.work;
  for (int k = 0; k < work->loaded_count; ++k)
    *diagonal_of(s, work, work->loaded[k]) += dt * s->model->dof_damping[work->loaded[k]];
  for (int e = 0; e < s->element_count; ++e) {
    const ffi_element *el = &s->elements[e];
    if (el->def.type != FF_ELEMENT_JOINT_PD || p->is_clipped[e])
      continue;
    const int k = el->line.single_v;
    const double u = change ? v[k] + change[k] : v[k];
    *diagonal_of(s, work, k) += dt * (el->def.damping + request->ahead * el->def.stiffness);
    p->u_free[k] += dt * ffi_hard_step_motors_force(s, request, p->evaluation, e, u);
  }
}

// (M + dt D + sum of dt (B + ahead K)) (u_free - u^S) = dt (tau - h + springs at u^S): forces at the end of the step;
// h already has the damping of u^S. With a change of velocity that the request gives:
// (M + ...) (u_free - u^S - change) = dt springs at u^S + change.
ff_status ffi_hard_step_motors_free_velocity(ffi_system *s, const ffi_hard_step_request *request,
                                             ffi_hard_step_problem *p, ff_error *error)
{
  const int nv = s->model->size.nv, are_hard = ffi_stepper_has_hard_contacts(s->def);
  const ffi_hard_step_evaluation *evaluation = p->evaluation;
  const double *change = request->velocity_change, *v = evaluation->state->v;
  s->k->crba(evaluation->at.work);
  for (int i = 0; i < nv; ++i)
    p->u_free[i] = change ? 0 : request->dt * (s->tau[i] - evaluation->h[i]) + (are_hard ? 0 : p->push[i]);
  add_implicit(s, request, p);
  const ff_status status = ffi_state_kinematics_factor_work(s, evaluation->at.work, error);
  if (status != FF_OK)
    return status;
  s->k->solve(evaluation->at.work, p->u_free);
  for (int i = 0; i < nv; ++i)
    p->u_free[i] += change ? v[i] + change[i] : v[i];
  return FF_OK;
}

// Motors that were saturated in the last step have rows of their own from the start.
void ffi_hard_step_motors_begin(const ffi_system *s, const ffi_hard_step_request *request,
                                ffi_hard_step_problem *p)
{
  for (int e = 0; e < s->element_count; ++e) {
    const ffi_element *el = &s->elements[e];
    const double force = fabs(request->from->element_force[el->force_at]); // impulse over dt
    p->is_clipped[e] = request->dt > 0 && el->def.type == FF_ELEMENT_JOINT_PD &&
                       (needs_row(el) || force >= (1 - 1e-12) * el->def.effort);
  }
}

// Motors beyond their effort get rows of their own, in a second round all that could saturate.
int ffi_hard_step_motors_clip(const ffi_system *s, const ffi_hard_step_request *request, int round,
                              ffi_hard_step_problem *p)
{
  int clipped = 0;
  for (int e = 0; e < s->element_count; ++e) {
    const ffi_element *el = &s->elements[e];
    if (el->def.type == FF_ELEMENT_JOINT_PD && !p->is_clipped[e] && request->dt > 0 &&
        fabs(ffi_hard_step_motors_force(s, request, p->evaluation, e, ffi_line_rate(&el->line, p->hard.u))) >
            el->def.effort)
      clipped = p->is_clipped[e] = 1;
  }
  for (int e = 0; e < s->element_count && clipped && round > 0; ++e)
    if (s->elements[e].def.type == FF_ELEMENT_JOINT_PD && !isinf(s->elements[e].def.effort))
      p->is_clipped[e] = 1;
  return clipped;
}
