#include "step/stage.h"

#include "model/model.h"

void ffi_stage_layout(const ffi_system *s, ffi_block *block, ffi_state *out)
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
  *out = x;
}
