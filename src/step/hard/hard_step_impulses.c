// The impulses of an evaluation: its laws are solved until contacts, motors and restitution agree with the result.
// Then the contacts and forces that the next step starts from are stored.
#include "math/vec3.h"
#include "model/model.h"
#include "step/eval/anchor.h"
#include "step/eval/passivity.h"
#include "step/hard/hard_step_problem.h"
#include "step/system/phase.h"

#include <math.h>

// ---- What is stored of a step ----------------------------------------------------------------------------------

// At the rim of its friction disc and moving.
static int is_sliding(const ffi_hard_block *block, const double *impulse, const double *xi)
{
  const double rim = block->mu * impulse[2];
  return impulse[2] > 0 && hypot(impulse[0], impulse[1]) >= (1 - 1e-6) * rim && (xi[0] != 0 || xi[1] != 0);
}

static void store_contact(const ffi_system *s, const ffi_hard_step_problem *p, int i,
                          const ffi_hard_block *block, double span, ffi_state_contact *out)
{
  const ffi_contact *c = &p->contact[i];
  const double *A = p->axes[i];
  *out = (ffi_state_contact){.id = c->near.id, .stored = FFI_PASSIVITY_UNKNOWN};
  ffi_anchor_at(ffi_hard_step_evaluation_frame(s, p->evaluation, &c->near), c->near.point, out->anchor);
  if (!block)
    return;
  const double *impulse = p->hard.impulse + block->row;
  for (int r = 0; r < 3; ++r)
    ffi_v3_add_scaled(impulse[r] / span, A + 3 * r, out->mean_force);
  out->slips = is_sliding(block, impulse, p->hard.xi + block->row);
}

// Anticipated contacts that did not push are dropped.
static void drop_unneeded(const ffi_hard_step_problem *p, ffi_state *to)
{
  to->touching_count = 0;
  for (int i = 0; i < p->count; ++i)
    if (!p->is_anticipated[i] || ffi_v3_dot(to->touching[i].mean_force, p->contact[i].near.normal) > 0)
      to->touching[to->touching_count++] = to->touching[i];
}

// Contacts, hard or compliant; returns how many of the hard ones slip.
static int store_contacts(const ffi_system *s, double span, const ffi_hard_step_problem *p, ffi_state *to)
{
  const int are_hard = ffi_stepper_has_hard_contacts(s->def);
  int contact = 0, slipping = 0;
  to->touching_count = p->count;
  for (; contact < p->count && !are_hard; ++contact)
    to->touching[contact] = p->touching[contact];
  for (int k = 0; k < p->hard.block_count && p->owner[k] < s->max_contacts; ++k) {
    for (; contact < p->owner[k]; ++contact)
      store_contact(s, p, contact, NULL, span, &to->touching[contact]);
    store_contact(s, p, contact, &p->hard.block[k], span, &to->touching[contact]);
    slipping += to->touching[contact++].slips;
  }
  for (; contact < p->count; ++contact)
    store_contact(s, p, contact, NULL, span, &to->touching[contact]);
  return slipping;
}

// On which side of its line a stop's row is: its sign.
static double stop_side(const ffi_element *el, const ffi_hard_block *block)
{
  return block->W[0] * el->line.weight[0] > 0 ? 1 : -1;
}

static void store_elements(const ffi_system *s, double span, const ffi_hard_step_problem *p, ffi_state *to)
{
  for (int k = 0; k < p->hard.block_count; ++k) {
    const ffi_hard_block *block = &p->hard.block[k];
    const int element = p->owner[k] - s->max_contacts;
    if (element < 0)
      continue;
    double *force = to->element_force + s->elements[element].force_at;
    for (int r = 0; r < block->rows; ++r)
      force[r] = p->hard.impulse[block->row + r] / span;
    if (block->law == FFI_HARD_LAW_STOP)
      force[0] *= stop_side(&s->elements[element], block);
  }
}

int ffi_hard_step_impulses_store(const ffi_system *s, const ffi_hard_step_request *request,
                                 const ffi_hard_step_problem *p, ffi_state *to)
{
  const int slipping = store_contacts(s, request->span, p, to);
  store_elements(s, request->span, p, to);
  ffi_hard_step_turning_store(s, request->span, p, to);
  if (ffi_hard_step_request_anticipates(request))
    drop_unneeded(p, to);
  for (int e = 0; e < s->element_count; ++e)
    if (s->elements[e].def.type == FF_ELEMENT_JOINT_PD && !p->is_clipped[e])
      to->element_force[s->elements[e].force_at] = ffi_hard_step_motors_force(
          s, request, p->evaluation, e, ffi_line_rate(&s->elements[e].line, p->hard.u));
  return slipping;
}

// ---- Impulses ------------------------------------------------------------------------------------------------

// Reported where impulses are not finite; the step is then refused.
static const double most_residual = 1e9;

void ffi_hard_step_impulses_report(const ffi_hard_step_problem_result *result, ff_step_info *info)
{
  info->iterations += result->iterations;
  info->fallbacks += result->fallbacks;
  info->converged &= result->converged;
  info->residual = fmax(info->residual, fmin(result->residual, most_residual));
}

static void add(const ffi_hard_result *solve, ffi_hard_step_problem_result *result)
{
  result->iterations += solve->iterations;
  result->fallbacks += solve->fallbacks;
  result->converged = solve->converged;
  result->residual = solve->residual;
  result->alpha = solve->alpha;
}

// Restitution that leaves no solution, or adds energy, is lowered for this moment; 1 if it was. Without restitution
// there is a solution, and it only dissipates. c2a.md, section 1
static int lower_restitution(const ffi_system *s, const ffi_hard_result *solve,
                             const ffi_hard_step_problem *p, double *restitution)
{
  if (!p->bounces || (solve->converged && !ffi_hard_step_energy_is_gained(s, p)))
    return 0;
  *restitution = solve->converged && *restitution > 0.2 ? 0.5 * *restitution : 0;
  return 1;
}

ff_status ffi_hard_step_impulses(ffi_system *s, const ffi_hard_step_request *request,
                                 ffi_hard_step_problem *p, double *mark, ffi_hard_step_problem_result *result,
                                 ff_error *error)
{
  const ffi_hard_step_request *current = request;
  ffi_hard_step_request lowered; // with less restitution
  double restitution = request->restitution;
  *result = (ffi_hard_step_problem_result){.converged = 1};
  ffi_hard_step_motors_begin(s, request, p);
  for (int motors = 0, contacts = 0, is_new = 1;;) {
    const ff_status status = is_new ? ffi_hard_step_motors_free_velocity(s, request, p, error) : FF_OK;
    if (status != FF_OK)
      return status;
    if (is_new && request->dt > 0 && request->advances)
      ffi_hard_step_gyro(s, request->dt, p->evaluation->state->v, p->u_free);
    ffi_hard_step_rows(s, current, p);
    ffi_phase_end(s, FF_PHASE_PREPARE, mark);
    ffi_hard_result solve;
    ffi_hard_step_solve(s, &request->solver, p, &p->hard, &solve);
    add(&solve, result);
    ffi_phase_end(s, FF_PHASE_INTEGRAL, mark);
    is_new = ffi_hard_step_motors_clip(s, request, motors, p);
    motors += is_new;
    if (is_new || ffi_hard_step_contacts_choose_again(s, request, contacts++, p, result))
      continue;
    if (!lower_restitution(s, &solve, p, &restitution))
      return result->lacks_room && request->advances ? ffi_evaluation_too_many_contacts(s, error) : FF_OK;
    lowered = *request;
    lowered.restitution = restitution;
    current = &lowered;
  }
}
