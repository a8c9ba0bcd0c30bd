// All that a step of `moreau` works in, and lists that depend on the model alone.
#include "model/model.h"
#include "step/moreau.h"

// Most velocities that one row can change: those of the two largest trees.
static int most_reach(const ff_model *model)
{
  int largest = 0, second = 0;
  for (int i = 1; i < model->body_count; ++i)
    if (model->bodies[i].parent == 0) {
      const int size = model->bodies[i].v_end - model->bodies[i].v;
      second = size > largest ? largest : size > second ? size : second;
      largest = size > largest ? size : largest;
    }
  return largest + second;
}

// Lists that depend on the model alone.
static void list_once(const ffi_system *s, ffi_moreau *m)
{
  const ff_model *model = s->model;
  int at = 0, dry = 0;
  for (int e = 0; e < s->element_count; ++e) {
    m->held_at[e] = at;
    at += ffi_element_held_count(&s->elements[e].def);
  }
  for (int i = 0; i < model->size.nv; ++i)
    m->identity[i] = i;
  for (int i = 0; i < model->size.nv; ++i)
    if (model->joints[model->dof_body[i] - 1].friction > 0)
      m->dry[dry++] = i;
  m->dry_count = dry;
}

static size_t count_dry(const ff_model *model)
{
  size_t count = 0;
  for (int i = 0; i < model->size.joints; ++i)
    count += model->joints[i].friction > 0 ? (size_t)model->joints[i].nv : 0;
  return count;
}

void *ffi_moreau_layout(const ffi_system *s, ffi_block *block)
{
  const size_t nv = (size_t)s->model->size.nv, contacts = (size_t)s->max_contacts,
               elements = (size_t)s->element_count;
  ffi_moreau *m = ffi_block_take(block, 1, sizeof *m);
  ffi_moreau p = {.stride = (2 * s->model->max_depth + 3) / 4 * 4, .most_reach = most_reach(s->model)};
  const size_t held = (size_t)ffi_state_held_count(s) - nv + count_dry(s->model), rows = 3 * contacts + held;
  const size_t blocks = contacts + elements + nv, stride = (size_t)p.stride;
  ffi_state_layout(s, block, &p.mid);
  p.h = ffi_block_take(block, nv, sizeof *p.h);
  p.rush = ffi_block_take(block, nv, sizeof *p.rush);
  p.push = ffi_block_take(block, nv, sizeof *p.push);
  p.end = ffi_block_take(block, nv, sizeof *p.end);
  p.way = ffi_block_take(block, nv, sizeof *p.way);
  p.near = ffi_block_take(block, (size_t)s->scene.most_near + 1, sizeof *p.near);
  p.contact = ffi_block_take(block, contacts, sizeof *p.contact);
  p.axes = ffi_block_take(block, contacts, sizeof *p.axes);
  p.carried = ffi_block_take(block, contacts, sizeof *p.carried);
  p.touching = ffi_block_take(block, contacts, sizeof *p.touching);
  p.element = ffi_block_take(block, elements, sizeof *p.element);
  p.is_clipped = ffi_block_take(block, elements, sizeof *p.is_clipped);
  p.held_at = ffi_block_take(block, elements, sizeof *p.held_at);
  p.dry = ffi_block_take(block, nv, sizeof *p.dry);
  p.identity = ffi_block_take(block, nv, sizeof *p.identity);
  p.owner = ffi_block_take(block, blocks, sizeof *p.owner);
  p.J = ffi_block_take(block, 3 * stride, sizeof *p.J);
  p.room = ffi_block_take(block, 4 * nv, sizeof *p.room);
  p.W = ffi_block_take(block, rows * stride, sizeof *p.W);
  const size_t wide = (size_t)p.most_reach > 4 * stride
                          ? (size_t)p.most_reach
                          : 4 * stride; // one row of a half takes the place of four
  p.Y = ffi_block_take(block, rows * wide, sizeof *p.Y);
  p.half = ffi_block_take(block, blocks, sizeof *p.half);
  const size_t dense = (rows < FFI_HARD_DENSE_ROWS ? rows : FFI_HARD_DENSE_ROWS) + 8;
  p.G = ffi_block_take(block, dense * dense, sizeof *p.G);
  p.dofs = ffi_block_take(block, blocks * stride, sizeof *p.dofs);
  p.reached = ffi_block_take(block, blocks * (size_t)p.most_reach, sizeof *p.reached);
  p.b = ffi_block_take(block, rows, sizeof *p.b);
  p.softness = ffi_block_take(block, rows, sizeof *p.softness);
  p.give = ffi_block_take(block, rows, sizeof *p.give);
  p.u_free = ffi_block_take(block, nv, sizeof *p.u_free);
  p.problem.nv = (int)nv;
  p.problem.block = ffi_block_take(block, blocks, sizeof *p.problem.block);
  p.problem.impulse = ffi_block_take(block, rows, sizeof *p.problem.impulse);
  p.problem.u = ffi_block_take(block, nv, sizeof *p.problem.u);
  p.problem.xi = ffi_block_take(block, rows, sizeof *p.problem.xi);
  p.problem.b = p.b;
  p.problem.softness = p.softness;
  p.problem.give = p.give;
  p.problem.u_free = p.u_free;
  p.solver = ffi_hard_layout((int)nv, (int)rows, (int)blocks, block);
  if (!m)
    return NULL;
  *m = p;
  list_once(s, m);
  return m;
}
