// Where a run begins: shapes that were placed on each other are moved apart to the skin. c2a.md, section 1
#include "model/model.h"
#include "step/hard/c2a.h"

#include <string.h>

// Rows at c->now, without impulses: those within reach of the displacement.
static ff_status find_rows(ffi_system *s, const ffi_hard_step_request *request, ff_error *error)
{
  ffi_c2a *c = s->memory;
  ffi_hard_step *m = c->substep;
  ffi_state *at = m->evaluation.state;
  ffi_state_advance(s, c->now, 0, at);
  memcpy(at->q, c->now->q, (size_t)s->model->size.nq * sizeof *at->q);
  memcpy(at->v, c->now->v, (size_t)s->model->size.nv * sizeof *at->v);
  ff_status status = ffi_hard_step_evaluation_at(s, request, &m->evaluation, error);
  if (status != FF_OK)
    return status;
  ffi_hard_step_contacts_begin(s, &m->evaluation, &m->problem);
  ffi_hard_step_motors_begin(s, request, &m->problem);
  status = ffi_hard_step_motors_free_velocity(s, request, &m->problem, error);
  if (status == FF_OK)
    ffi_hard_step_rows(s, request, &m->problem);
  return status;
}

ff_status ffi_c2a_start(ffi_system *s, ff_error *error)
{
  ffi_c2a *c = s->memory;
  const ff_c2a_def *def = &s->def->c2a;
  if (!c->now->is_placed || !def->advancement || def->h_min >= s->def->dt)
    return FF_OK;
  ffi_hard_step_request request = ffi_c2a_substep_request(s, c->now, def->h_min, 0);
  request.reach = FFI_HARD_STEP_REQUEST_SKINS * request.skin;
  const ff_status status = find_rows(s, &request, error);
  if (status == FF_OK && c->substep->problem.count > 0)
    ffi_hard_step_stabilise_start(s, &request, c->substep, c->now);
  return status;
}
