// Lays out the memory of a step with hard contact, and lists that depend on the model alone.
#include "model/model.h"
#include "step/hard/hard_step.h"

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

static void list_parts(const ffi_system *s, ffi_hard_step_problem *p)
{
  const ff_model *model = s->model;
  for (int i = 0; i < model->size.nv; ++i)
    p->identity[i] = i;
}

// Arrays whose size does not depend on contacts.
static void place_motion(const ffi_system *s, ffi_block *block, ffi_hard_step_problem *p)
{
  const size_t nv = (size_t)s->model->size.nv, elements = (size_t)s->element_count;
  p->push = ffi_block_take(block, nv, sizeof *p->push);
  p->u_free = ffi_block_take(block, nv, sizeof *p->u_free);
  p->is_clipped = ffi_block_take(block, elements, sizeof *p->is_clipped);
  p->identity = ffi_block_keep(block, nv, sizeof *p->identity);
}

static void place_contacts(const ffi_system *s, ffi_block *block, ffi_hard_step_problem *p)
{
  const size_t contacts = (size_t)s->max_contacts;
  p->role = ffi_block_take(block, (size_t)s->colliders->max_candidates + 1, sizeof *p->role);
  p->contact = ffi_block_take(block, contacts, sizeof *p->contact);
  p->is_anticipated = ffi_block_take(block, contacts, sizeof *p->is_anticipated);
  p->axes = ffi_block_take(block, contacts, sizeof *p->axes);
  p->carried = ffi_block_take(block, contacts, sizeof *p->carried);
  p->touching = ffi_block_take(block, contacts, sizeof *p->touching);
}

// Upper bounds on rows and blocks.
typedef struct most {
  size_t rows, blocks;
} most;

// Rows and their products.
static void place_rows(const ffi_system *s, most n, ffi_block *block, ffi_hard_step_problem *p)
{
  const size_t nv = (size_t)s->model->size.nv, stride = (size_t)p->stride, reach = (size_t)p->most_reach;
  const size_t rows = n.rows, blocks = n.blocks;
  const size_t wide = reach > 4 * stride ? reach : 4 * stride; // one row of a half takes the place of four
  const size_t dense = (rows < FFI_HARD_DENSE_ROWS ? rows : FFI_HARD_DENSE_ROWS) + 8;
  const size_t few = blocks < FFI_HARD_STEP_PROBLEM_FEW_ROWS ? blocks : FFI_HARD_STEP_PROBLEM_FEW_ROWS;
  p->owner = ffi_block_take(block, blocks, sizeof *p->owner);
  p->J = ffi_block_take(block, 3 * stride, sizeof *p->J);
  p->room = ffi_block_take(block, 4 * nv, sizeof *p->room);
  p->W = ffi_block_take(block, rows * stride, sizeof *p->W);
  p->Y = ffi_block_take(block, rows * wide, sizeof *p->Y);
  p->half = ffi_block_take(block, blocks, sizeof *p->half);
  p->G = ffi_block_take(block, dense * dense, sizeof *p->G);
  p->link = ffi_block_take(block, p->bilateral_rows > 0 ? few * (few + 1) / 2 : 0, sizeof *p->link);
  p->dofs = ffi_block_take(block, blocks * stride, sizeof *p->dofs);
  p->reached = ffi_block_take(block, blocks * reach, sizeof *p->reached);
  p->b = ffi_block_take(block, rows, sizeof *p->b);
  p->softness = ffi_block_take(block, rows, sizeof *p->softness);
  p->bounce = ffi_block_take(block, blocks, sizeof *p->bounce);
  p->give = ffi_block_take(block, rows, sizeof *p->give);
}

// The part of a problem that is not shared with a correction on the same rows.
static void place_laws(const ffi_system *s, most n, ffi_block *block, ffi_hard *hard)
{
  const size_t nv = (size_t)s->model->size.nv;
  hard->nv = (int)nv;
  hard->block = ffi_block_take(block, n.blocks, sizeof *hard->block);
  hard->impulse = ffi_block_take(block, n.rows, sizeof *hard->impulse);
  hard->u = ffi_block_take(block, nv, sizeof *hard->u);
  hard->xi = ffi_block_take(block, n.rows, sizeof *hard->xi);
}

static int count_bilateral(const ffi_system *s)
{
  int rows = 0;
  for (int e = 0; e < s->element_count; ++e)
    rows +=
        s->elements[e].def.type == FF_ELEMENT_COUPLING ? 1 : ffi_element_rows_count(s->elements[e].def.type);
  return rows;
}

static most count_most(const ffi_system *s)
{
  const size_t nv = (size_t)s->model->size.nv, contacts = (size_t)s->max_contacts;
  const size_t dry = (size_t)(s->law_count - s->element_count);
  const size_t elements = (size_t)s->turning_at - nv + dry;
  const size_t of_contact = s->has_turning ? FFI_TURNING_CONE_ROWS : 3;
  return (most){.rows = of_contact * contacts + elements, .blocks = contacts + (size_t)s->element_count + nv};
}

static void place_problem(const ffi_system *s, ffi_block *block, ffi_hard_step_problem *out)
{
  const most n = count_most(s);
  const int nv = s->model->size.nv, rows = (int)n.rows, blocks = (int)n.blocks;
  ffi_hard_step_problem p = {.stride = ffi_evaluation_stride(s),
                             .most_reach = most_reach(s->model),
                             .bilateral_rows = count_bilateral(s)};
  place_motion(s, block, &p);
  place_contacts(s, block, &p);
  place_rows(s, n, block, &p);
  place_laws(s, n, block, &p.hard);
  p.hard.b = p.b;
  p.hard.softness = p.softness;
  p.hard.give = p.give;
  p.hard.u_free = p.u_free;
  p.hard_memory = ffi_hard_layout(nv, rows, blocks, block);
  p.impact_memory = ffi_stepper_advances(s) ? ffi_impact_layout(nv, rows, blocks, block) : NULL;
  *out = p;
}

// Empty where positions are never corrected.
static void place_correction(const ffi_system *s, ffi_block *block, ffi_hard_step_correction *out)
{
  const size_t nv = (size_t)s->model->size.nv;
  const most n = count_most(s);
  ffi_hard_step_correction c = {0};
  if (!ffi_stepper_advances(s) && !s->def->moreau.stabilise)
    return;
  place_laws(s, n, block, &c.hard);
  c.b = ffi_block_take(block, n.rows, sizeof *c.b);
  c.give = ffi_block_take(block, n.rows, sizeof *c.give);
  c.zero = ffi_block_keep(block, nv > n.rows ? nv : n.rows, sizeof *c.zero);
  c.q = ffi_block_take(block, (size_t)s->model->size.nq, sizeof *c.q);
  c.v = ffi_block_take(block, nv, sizeof *c.v);
  c.delta = ffi_block_take(block, nv, sizeof *c.delta);
  c.moved = ffi_block_take(block, nv, sizeof *c.moved);
  *out = c;
}

void *ffi_hard_step_memory_layout(const ffi_system *s, ffi_block *block)
{
  ffi_hard_step *m = ffi_block_keep(block, 1, sizeof *m), p = {0};
  p.delta = ffi_block_take(block, (size_t)s->model->size.nv, sizeof *p.delta);
  ffi_hard_step_evaluation_layout(s, block, &p.evaluation);
  place_problem(s, block, &p.problem);
  place_correction(s, block, &p.correction);
  if (!m)
    return NULL;
  *m = p;
  list_parts(s, &m->problem);
  return m;
}
