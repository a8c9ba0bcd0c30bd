// Moreau's time-stepping: half a step with the old velocity, one problem in impulses at the middle, half a step with
// the new velocity. Moreau paper
//
//   q^M = q^S + dt/2 F u^S                                                      eq. 6 (printed with q^E on the right)
//   M (u^E - u^S) = dt h + W Lambda,  (xi, Lambda) in the laws, at (q^M, u^S)   eq. 7
//   q^E = q^M + dt/2 F u^E                                                      eq. 8
//
// F: qdot = F u. The paper's h is tau - h here, h being the bias forces.
#include "step/hard/hard_step.h"

#include "dynamics/straight_path.h"
#include "model/model.h"
#include "step/system/phase.h"

#include <math.h>

static ffi_hard_step_request request_of(const ffi_system *s, const ffi_state *from, double dt)
{
  ffi_hard_step_request request = {.from = from,
                                   .dt = dt,
                                   .span = dt,
                                   .ahead = 0.5 * dt,
                                   .after = 0.5 * dt,
                                   .horizon = 0.5 * dt,
                                   .restitution = 1,
                                   .solver = {.method = FFI_HARD_STEP_REQUEST_LAWS, .hard = &s->def->moreau}};
  if (s->def->moreau.stabilise && ffi_stepper_has_hard_contacts(s->def))
    request.reach = ffi_hard_step_contacts_reach(&request, 0);
  return request;
}

// Half a step with the old velocity, and the evaluation there.                                  eq. 6
static ff_status evaluate_middle(ffi_system *s, const ffi_hard_step_request *request, const ffi_state *end,
                                 ffi_hard_step *m, ff_error *error)
{
  const ffi_state *from = request->from;
  ffi_state *mid = m->evaluation.state;
  for (int i = 0; i < s->model->size.nv; ++i)
    m->delta[i] = request->after * from->v[i];
  ffi_state_advance(s, from, request->after, mid);
  ffi_straight_path_move(s->model, from->q, m->delta, from->v, mid->q, mid->v);
  for (int e = 0; e < s->element_count; ++e)
    mid->reference[e] = end->reference[e]; // springs act at the end of the step
  const ff_status status = ffi_hard_step_evaluation_at(s, request, &m->evaluation, error);
  ffi_hard_step_evaluation_report_errors(&m->evaluation.errors, s->info);
  return status;
}

// Half a step with the new velocity.                                                              eq. 8
static void move_on(ffi_system *s, const ffi_hard_step_request *request, ffi_hard_step *m, ffi_state *to)
{
  const double *end = m->problem.hard.u;
  s->info->slipping += ffi_hard_step_impulses_store(s, request, &m->problem, to);
  for (int i = 0; i < s->model->size.nv; ++i)
    m->delta[i] = request->after * end[i];
  ffi_straight_path_move(s->model, m->evaluation.state->q, m->delta, end, to->q, to->v);
  if (s->def->moreau.stabilise) {
    const ffi_hard_step_problem_result result = ffi_hard_step_stabilise(s, request, m, to);
    ffi_hard_step_impulses_report(&result, s->info);
  }
}

// Of all solves of a step, in units of 2.5 us: Newton's method ends there, and the step reports that it did not
// converge. One attempt at the largest dense problem takes 1.3e6.
static const double most_work = 2e6;

static ff_status step(ffi_system *s, const ffi_state *from, double dt, ffi_state *to, ff_error *error)
{
  ffi_hard_step *m = s->memory;
  (void)ffi_hard_take_work(m->problem.hard_memory);
  ffi_hard_limit_work(m->problem.hard_memory, most_work);
  double mark = ffi_phase_begin(s);
  const ffi_hard_step_request request = request_of(s, from, dt);
  ffi_state_advance(s, from, dt, to);
  ff_status status = evaluate_middle(s, &request, to, m, error);
  if (status != FF_OK)
    return status;
  ffi_phase_end(s, FF_PHASE_CONTACT, &mark);

  // Springs and motors, rows, impulses.                                                         eq. 7
  ffi_hard_step_problem_result result;
  ffi_hard_step_contacts_begin(s, &m->evaluation, &m->problem);
  if (!ffi_stepper_has_hard_contacts(s->def))
    s->info->slipping = ffi_hard_step_compliant(s, &request, &m->problem);
  status = ffi_hard_step_impulses(s, &request, &m->problem, &mark, &result, error);
  ffi_hard_step_impulses_report(&result, s->info);
  s->info->alpha = result.alpha;
  if (status != FF_OK)
    return status;
  move_on(s, &request, m, to);
  ffi_phase_end(s, FF_PHASE_UPDATE, &mark);
  return FF_OK;
}

const ffi_stepper ffi_moreau_stepper = {.layout = ffi_hard_step_memory_layout, .step = step};
