// States: shape, placement, copying, and the parts that advance by themselves.
#include "step/system/state.h"

#include "model/model.h"
#include "step/step_kernels.h"
#include "step/system/system.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

// The place of `count` items behind what there is so far.
static size_t behind(size_t *bytes, int count, size_t size)
{
  const size_t at = *bytes;
  *bytes += (size_t)count * size;
  return at;
}

ffi_state_shape ffi_state_shape_of(const ff_world *world)
{
  const ff_model_size *n = &world->model->size;
  const int elements = world->element_count, grounds = world->colliders.ground_count;
  ffi_state_shape s = {.element_force_count = world->owned.force_count};
  if (world->has_turning)
    s.element_force_count += FFI_STATE_TURNING * world->max_contacts;
  size_t bytes = sizeof(ffi_state);
  s.q = behind(&bytes, n->nq, sizeof(double));
  s.v = behind(&bytes, n->nv, sizeof(double));
  s.reference = behind(&bytes, elements, sizeof(double));
  s.reference_velocity = behind(&bytes, elements, sizeof(double));
  s.ground = behind(&bytes, grounds, sizeof(ffi_pose));
  s.ground_velocity = behind(&bytes, grounds, 6 * sizeof(double));
  s.element_force = behind(&bytes, s.element_force_count, sizeof(double));
  s.pending = behind(&bytes, world->max_pending, sizeof(ffi_state_pending));
  s.touching = behind(&bytes, world->max_contacts, sizeof(ffi_state_contact));
  s.bytes = bytes;
  return s;
}

ffi_state *ffi_state_in(const ffi_state_shape *shape, void *memory)
{
  char *base = memory;
  ffi_state *x = memset(memory, 0, shape->bytes);
  x->element_force_count = shape->element_force_count;
  x->q = (double *)(void *)(base + shape->q);
  x->v = (double *)(void *)(base + shape->v);
  x->reference = (double *)(void *)(base + shape->reference);
  x->reference_velocity = (double *)(void *)(base + shape->reference_velocity);
  x->ground = (ffi_pose *)(void *)(base + shape->ground);
  x->ground_velocity = (double *)(void *)(base + shape->ground_velocity);
  x->element_force = (double *)(void *)(base + shape->element_force);
  x->pending = (ffi_state_pending *)(void *)(base + shape->pending);
  x->touching = (ffi_state_contact *)(void *)(base + shape->touching);
  return x;
}

ffi_state *ffi_state_layout(const ffi_system *s, ffi_block *block)
{
  void *memory = ffi_block_keep(block, 1, s->world->shape.bytes);
  return memory ? ffi_state_in(&s->world->shape, memory) : NULL;
}

// Scalars, then all arrays at once: they have the same places in both.
void ffi_state_copy(const ffi_system *s, const ffi_state *from, ffi_state *to)
{
  const ffi_state_shape *shape = &s->world->shape;
  const size_t end = shape->touching + (size_t)from->touching_count * sizeof *from->touching;
  if (from == to)
    return;
  to->stamp = from->stamp;
  to->time = from->time;
  to->control_work = from->control_work;
  to->next_length = from->next_length;
  to->log_error = from->log_error;
  to->is_placed = from->is_placed;
  to->touching_count = from->touching_count;
  to->pending_count = from->pending_count;
  memcpy((char *)to + shape->q, (const char *)from + shape->q, end - shape->q);
}

static void copy(const double *from, int count, double *to)
{
  if (count > 0 && from != to)
    memcpy(to, from, (size_t)count * sizeof *to);
}

// 1e-100 keeps squares and fourth powers, times any mass or time, away from 2e-308, where denormals begin; nothing that
// can be measured is as small.
#define TINY 1e-100

// A contact's numbers are eight in a row. `stored` stays: its sign has a meaning.
static int settle_contacts(const ffi_system *s, ffi_state *x, double most)
{
  enum { STRIDE = sizeof(ffi_state_contact) / sizeof(double) };
  static const double least[8] = {TINY, TINY, TINY, TINY, 0, TINY, TINY, TINY};
  _Static_assert(offsetof(ffi_state_contact, stored) ==
                         offsetof(ffi_state_contact, anchor) + 4 * sizeof(double) &&
                     offsetof(ffi_state_contact, mean_force) ==
                         offsetof(ffi_state_contact, anchor) + 5 * sizeof(double) &&
                     sizeof(ffi_state_contact) % sizeof(double) == 0,
                 "anchor, rest, stored and mean_force in a row");
  if (x->touching_count == 0)
    return 1;
  return s->step_k->settle_records(x->touching[0].anchor, x->touching_count, STRIDE, least, most);
}

int ffi_state_settle(const ffi_system *s, const ffi_state *from, const ffi_state_bounds *within, ffi_state *x,
                     int *is_near)
{
  const ffi_step_kernels *k = s->step_k;
  const double largest = within->largest;
  *is_near = k->settle_moved(x->q, from->q, s->model->size.nq, TINY, within->travel);
  int sound = k->settle(x->v, s->model->size.nv, TINY, within->speed) && settle_contacts(s, x, largest);
  if (x->element_force_count > 0)
    sound &= k->settle(x->element_force, x->element_force_count, TINY, largest);
  return sound && fabs(x->next_length) <= largest && fabs(x->log_error) <= largest;
}

void ffi_state_copy_friction(const ffi_system *s, const ffi_state *from, ffi_state *to)
{
  for (int e = 0; e < s->law_count && s->friction_count > 0; ++e)
    if (s->elements[e].def.type == FF_ELEMENT_JOINT_FRICTION)
      to->element_force[s->elements[e].force_at] = from->element_force[s->elements[e].force_at];
  if (s->has_turning)
    copy(from->element_force + s->turning_at, FFI_STATE_TURNING * s->max_contacts,
         to->element_force + s->turning_at);
}

void ffi_state_advance(const ffi_system *s, const ffi_state *from, double dt, ffi_state *to)
{
  const int elements = s->element_count, grounds = s->colliders->ground_count;
  to->stamp = 0;
  to->time = from->time + dt;
  to->is_placed = 0;
  to->control_work = from->control_work;
  to->next_length = from->next_length;
  to->log_error = from->log_error;
  copy(from->reference_velocity, elements, to->reference_velocity);
  for (int i = 0; i < elements; ++i)
    to->reference[i] = from->reference[i] + dt * from->reference_velocity[i];
  copy(from->ground_velocity, 6 * grounds, to->ground_velocity);
  to->pending_count = from->pending_count;
  if (from->pending_count > 0 && from != to)
    memcpy(to->pending, from->pending, (size_t)from->pending_count * sizeof *to->pending);
  if (to->element_force_count > 0) // the stepper writes its own
    memset(to->element_force, 0, (size_t)to->element_force_count * sizeof *to->element_force);
  for (int g = 0; g < grounds; ++g)
    ffi_ground_move(&from->ground[g], from->ground_velocity + 6 * g, dt, &to->ground[g]);
}
