// A state: its arrays, copying it, and what moves by itself.
#include "contact/element_rows.h"
#include "model/model.h"
#include "step/stepper.h"

#include <string.h>

int ffi_element_held_count(const ff_element_def *def)
{
  const int rows = ffi_element_row_count(def->type);
  return rows > 0 ? rows : 1; // joint elements
}

int ffi_state_held_count(const ffi_system *s)
{
  int count = 0;
  for (int e = 0; e < s->element_count; ++e)
    count += ffi_element_held_count(&s->elements[e].def);
  return count +
         s->model->size.nv; // dry friction: of all, so that a state fits the same model with other friction
}

void ffi_state_layout(const ffi_system *s, ffi_block *block, ffi_state *out)
{
  const size_t elements = (size_t)s->element_count, grounds = (size_t)s->scene.ground_count;
  ffi_state x = {0};
  x.q = ffi_block_take(block, (size_t)s->model->size.nq, sizeof *x.q);
  x.v = ffi_block_take(block, (size_t)s->model->size.nv, sizeof *x.v);
  x.touching = ffi_block_take(block, (size_t)s->max_contacts, sizeof *x.touching);
  x.reference = ffi_block_take(block, elements, sizeof *x.reference);
  x.reference_velocity = ffi_block_take(block, elements, sizeof *x.reference_velocity);
  x.ground = ffi_block_take(block, grounds, sizeof *x.ground);
  x.ground_velocity = ffi_block_take(block, 6 * grounds, sizeof *x.ground_velocity);
  x.held_count = ffi_state_held_count(s);
  x.held = ffi_block_take(block, (size_t)x.held_count, sizeof *x.held);
  *out = x;
}

static void copy(const double *from, int count, double *to)
{
  if (count > 0 && from != to)
    memcpy(to, from, (size_t)count * sizeof *to);
}

void ffi_state_copy(const ffi_system *s, const ffi_state *from, ffi_state *to)
{
  to->time = from->time;
  to->is_placed = from->is_placed;
  to->control_work = from->control_work;
  to->next_length = from->next_length;
  to->log_error = from->log_error;
  copy(from->q, s->model->size.nq, to->q);
  copy(from->v, s->model->size.nv, to->v);
  copy(from->reference, s->element_count, to->reference);
  copy(from->reference_velocity, s->element_count, to->reference_velocity);
  copy(from->ground_velocity, 6 * s->scene.ground_count, to->ground_velocity);
  copy(from->held, from->held_count, to->held);
  for (int g = 0; g < s->scene.ground_count; ++g)
    to->ground[g] = from->ground[g];
  to->touching_count = from->touching_count;
  for (int i = 0; i < from->touching_count; ++i)
    to->touching[i] = from->touching[i];
}

void ffi_state_advance(const ffi_system *s, const ffi_state *from, double dt, ffi_state *to)
{
  to->time = from->time + dt;
  to->is_placed = 0;
  to->control_work = from->control_work;
  to->next_length = from->next_length;
  to->log_error = from->log_error;
  copy(from->reference_velocity, s->element_count, to->reference_velocity);
  for (int i = 0; i < s->element_count; ++i)
    to->reference[i] = from->reference[i] + dt * from->reference_velocity[i];
  copy(from->ground_velocity, 6 * s->scene.ground_count, to->ground_velocity);
  if (to->held_count > 0) // of a hard stepper, which writes it itself
    memset(to->held, 0, (size_t)to->held_count * sizeof *to->held);
  for (int g = 0; g < s->scene.ground_count; ++g)
    ffi_ground_move(&from->ground[g], from->ground_velocity + 6 * g, dt, &to->ground[g]);
}
