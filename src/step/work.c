// Where a workspace of the dynamics kernels lies.
#include "step/work.h"

ffi_work *ffi_work_layout(const ffi_system *s, ffi_block *block)
{
  const int points = s->max_contacts + 2 * s->element_count;
  ffi_work *work = ffi_block_take(block, 1, s->k->work_size);
  void *arrays = ffi_block_take(block, 1, s->k->layout(s->model, points, NULL, NULL));
  if (!block->base)
    return NULL;
  s->k->layout(s->model, points, arrays, work);
  return work;
}
