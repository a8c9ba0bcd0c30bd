// The full state as one vector of doubles:
//
//     0  a mark that says "state of a Footfall sim" and the version of this layout
//     1  the length of the vector
//     2  fingerprint of model, ground and elements, see below
//     3  time, 4  control work, 5  contacts in use, 6  is it placed by hand,
//        7  length of the next step, 8  logarithm of the last error: of steppers with error control, else zero
//     9  q [nq], v [nv], references [elements], their velocities [elements],
//        ground poses [ground][R 9, p 3], ground velocities [ground][6],
//        forces of rigid elements, then of dry friction at each velocity [element_force_count],
//        with motors that have a delay: how many references are pending, then these
//        [max_pending][element, due, reference, velocity],
//        contacts [max_contacts][id, anchor 3, rest, stored, mean force 3, slips], those not in use zero
//
// Equal states are equal vectors, bit for bit. Counts (ff_sim_totals) and the last tau are not part of it: no step
// depends on them.
#include "base/fail.h"
#include "math/quaternion.h"
#include "model/model.h"
#include "sim/sim.h"

#include <stdint.h>

enum { HEAD = 9, TOUCHING = 10, PENDING = 4 };
static const double mark = 4.6465373105e10; // exact in a double; the last digits are the layout's version

// ---- Fingerprint -------------------------------------------------------------------------------------------
// What the numbers of a state refer to: joints by name and kind, elements by kind and joint, ground and pairs of
// shapes. Masses, friction, materials and gains may differ: a state may be continued with others.

static uint64_t mix(uint64_t hash, const void *data, size_t bytes)
{
  const unsigned char *at = data;
  for (size_t i = 0; i < bytes; ++i)
    hash = (hash ^ at[i]) * 0x100000001b3u; // FNV-1a
  return hash;
}

static uint64_t mix_int(uint64_t hash, int number)
{
  return mix(hash, &number, sizeof number);
}

double ffi_sim_state_vector_fingerprint(const ff_world *world)
{
  const ff_model *m = world->model;
  uint64_t hash = 0xcbf29ce484222325u;
  for (int i = 0; i < m->size.joints; ++i) {
    hash = mix(hash, m->joints[i].name, strlen(m->joints[i].name) + 1);
    hash = mix_int(hash, (int)m->joints[i].type);
  }
  for (int i = 0; i < world->element_count; ++i) {
    hash = mix_int(hash, (int)world->elements[i].def.type);
    hash = mix_int(hash, world->elements[i].def.joint);
  }
  for (int i = 0; i < world->colliders.ground_count; ++i)
    hash = mix_int(hash, (int)world->colliders.grounds[i].def.shape.type);
  for (int i = 0; i < world->colliders.pair_count; ++i) {
    const ffi_collider_pair *pair = &world->colliders.pairs[i];
    const int numbers[5] = {pair->shape_a, pair->shape_b, pair->ground, pair->first_id, pair->most};
    for (int k = 0; k < 5; ++k)
      hash = mix_int(hash, numbers[k]);
  }
  return (double)(hash >> 12); // 52 bits: exact in a double
}

// ---- Get ---------------------------------------------------------------------------------------------------

// Numbers of pending references, where there can be any.
static int pending_size(const ff_world *world)
{
  return world->max_pending > 0 ? 1 + PENDING * world->max_pending : 0;
}

int ff_sim_state_size(const ff_sim *sim)
{
  const ffi_system *s = sim->system;
  return HEAD + s->model->size.nq + s->model->size.nv + 2 * s->element_count +
         (12 + 6) * s->colliders->ground_count + sim->state->element_force_count + pending_size(sim->world) +
         TOUCHING * s->max_contacts;
}

static double *put(const double *from, int count, double *at)
{
  if (count > 0)
    memcpy(at, from, (size_t)count * sizeof *at);
  return at + count;
}

static double *put_touching(const ffi_state_contact *t, double *at)
{
  *at++ = t->id;
  at = put(t->anchor, 3, at);
  *at++ = t->rest;
  *at++ = t->stored;
  at = put(t->mean_force, 3, at);
  *at++ = t->slips;
  return at;
}

static double *put_pending(const ff_world *world, const ffi_state *x, double *at)
{
  double *const end = at + pending_size(world);
  if (at < end)
    *at++ = x->pending_count;
  for (int i = 0; i < x->pending_count; ++i) {
    const ffi_state_pending *p = &x->pending[i];
    at = put((const double[PENDING]){p->element, p->due, p->reference, p->velocity}, PENDING, at);
  }
  while (at < end)
    *at++ = 0;
  return at;
}

void ff_sim_get_state(const ff_sim *sim, double *state)
{
  const ffi_system *s = sim->system;
  const ffi_state *x = sim->state;
  const int size = ff_sim_state_size(sim);
  const double head[HEAD] = {mark,
                             size,
                             sim->world->fingerprint,
                             x->time,
                             x->control_work,
                             x->touching_count,
                             x->is_placed,
                             x->next_length,
                             x->log_error};
  double *at = put(head, HEAD, state);
  at = put(x->q, s->model->size.nq, at);
  at = put(x->v, s->model->size.nv, at);
  at = put(x->reference, s->element_count, at);
  at = put(x->reference_velocity, s->element_count, at);
  for (int g = 0; g < s->colliders->ground_count; ++g) {
    at = put(x->ground[g].R, 9, at);
    at = put(x->ground[g].p, 3, at);
  }
  at = put(x->ground_velocity, 6 * s->colliders->ground_count, at);
  at = put(x->element_force, x->element_force_count, at);
  at = put_pending(sim->world, x, at);
  for (int i = 0; i < x->touching_count; ++i)
    at = put_touching(&x->touching[i], at);
  while (at < state + size)
    *at++ = 0;
}

// ---- Set ---------------------------------------------------------------------------------------------------

static ff_status refuse(ff_error *error, const char *text)
{
  return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_set_state", "%s", text);
}

static const double *get(const double *at, int count, double *to)
{
  if (count > 0)
    memcpy(to, at, (size_t)count * sizeof *to);
  return at + count;
}

static ff_status check_head(const ff_sim *sim, const double *state, ff_error *error)
{
  const int size = ff_sim_state_size(sim);
  if (state[0] != mark)
    return refuse(error, "not a state vector of this version: it does not begin with the mark that "
                         "ff_sim_get_state() writes");
  if (state[1] != size)
    return ffi_fail(
        error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_set_state",
        "the state has %g numbers, states of this sim have %d: it is of another model, or of other "
        "ground, elements or max_contacts",
        state[1], size);
  if (state[2] != sim->world->fingerprint)
    return refuse(error, "the state is of another model, or of other ground or elements");
  for (int i = 3; i < size; ++i)
    if (!(fabs(state[i]) <= FFI_SIM_LARGEST))
      return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_set_state",
                      "number %d of the state is %g: not finite, or too large", i, state[i]);
  if (!(state[7] >= 0))
    return refuse(error, "the length of its next step is negative");
  return FF_OK;
}

// Ids are whole, in order, and such contacts exist.
static ff_status check_touching(const ff_sim *sim, const double *state, ff_error *error)
{
  const ffi_system *s = sim->system;
  const double *at = state + ff_sim_state_size(sim) - TOUCHING * s->max_contacts;
  const double count = state[5];
  if (!(count >= 0 && count <= s->max_contacts && count == floor(count)))
    return refuse(error, "its number of contacts is not a whole number from 0 to max_contacts");
  double before = -1;
  for (int i = 0; i < (int)count; ++i, at += TOUCHING) {
    if (!(*at > before && *at < s->colliders->id_count && *at == floor(*at)))
      return refuse(error, "the ids of its contacts are unknown or out of order");
    before = *at;
  }
  return FF_OK;
}

// As after a step: quaternions have a direction, nothing runs away.
static ff_status check_motion(const ff_sim *sim, const double *q, ff_error *error)
{
  const ff_model *m = sim->system->model;
  const double *v = q + m->size.nq;
  double unit[4];
  for (int i = 0; i < m->size.joints; ++i) {
    const ff_joint_info *joint = &m->joints[i];
    const int has_quaternion = joint->type == FF_JOINT_FREE || joint->type == FF_JOINT_SPHERICAL;
    if (has_quaternion && !ffi_quat_normalize(q + joint->q + joint->nq - 4, unit))
      return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_set_state",
                      "the quaternion of joint '%.200s' is zero", joint->name);
    if (!ffi_sim_def_allows_velocity(&sim->world->def, v + joint->v, joint->nv))
      return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_set_state",
                      "v of joint '%.200s' is beyond max_speed, %g", joint->name, sim->world->def.max_speed);
  }
  return FF_OK;
}

// R R' = 1, and no reflection. Steps and users give rotations to rounding; 1e-9 is far above that, and far below
// anything visible.
static int is_rotation(const double R[9])
{
  const double most = 1e-9;
  double worst = 0, turned[3];
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k)
      worst = fmax(worst, fabs(ffi_v3_dot(R + 3 * i, R + 3 * k) - (i == k)));
  ffi_v3_cross(R, R + 3, turned);
  return worst <= most && ffi_v3_dot(turned, R + 6) > 0;
}

static ff_status check_ground(const ff_sim *sim, const double *state, ff_error *error)
{
  const ffi_system *s = sim->system;
  const int count = s->colliders->ground_count;
  const double *place = state + HEAD + s->model->size.nq + s->model->size.nv + 2 * s->element_count,
               *velocity = place + 12 * count;
  for (int g = 0; g < count; ++g) {
    if (!is_rotation(place + 12 * g))
      return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_set_state",
                      "the orientation of ground %d is not a rotation", g);
    if (!ffi_sim_def_allows_velocity(&sim->world->def, velocity + 6 * g, 6))
      return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_set_state",
                      "the velocity of ground %d is beyond max_speed, %g", g, sim->world->def.max_speed);
  }
  return FF_OK;
}

// Pending references belong to motors with a delay.
static ff_status check_pending(const ff_sim *sim, const double *state, ff_error *error)
{
  const ff_world *world = sim->world;
  const int size = pending_size(world);
  const double *at = state + ff_sim_state_size(sim) - TOUCHING * world->max_contacts - size;
  if (size == 0)
    return FF_OK;
  const double count = *at++;
  if (!(count >= 0 && count <= world->max_pending && count == floor(count)))
    return refuse(error, "its number of pending references is not a whole number within their limit");
  for (int i = 0; i < (int)count; ++i, at += PENDING)
    if (!(*at >= 0 && *at < world->element_count && *at == floor(*at) &&
          world->elements[(int)*at].def.type == FF_ELEMENT_JOINT_PD &&
          world->elements[(int)*at].def.delay > 0))
      return refuse(error, "a pending reference does not belong to a motor with a delay");
  return FF_OK;
}

static const double *take_pending(const ff_world *world, const double *at, ffi_state *x)
{
  const double *const end = at + pending_size(world);
  x->pending_count = at < end ? (int)*at++ : 0;
  for (int i = 0; i < x->pending_count; ++i, at += PENDING)
    x->pending[i] = (ffi_state_pending){(int)at[0], at[1], at[2], at[3]};
  return end;
}

static void take_state(const ffi_system *s, const double *state, ffi_state *x)
{
  x->time = state[3];
  x->control_work = state[4];
  x->touching_count = (int)state[5];
  x->is_placed = state[6] != 0;
  x->next_length = state[7];
  x->log_error = state[8];
  const double *at = get(state + HEAD, s->model->size.nq, x->q);
  at = get(at, s->model->size.nv, x->v);
  at = get(at, s->element_count, x->reference);
  at = get(at, s->element_count, x->reference_velocity);
  for (int g = 0; g < s->colliders->ground_count; ++g) {
    at = get(at, 9, x->ground[g].R);
    at = get(at, 3, x->ground[g].p);
  }
  at = get(at, 6 * s->colliders->ground_count, x->ground_velocity);
  at = get(at, x->element_force_count, x->element_force);
  at = take_pending(s->world, at, x);
  for (int i = 0; i < x->touching_count; ++i) {
    ffi_state_contact *t = &x->touching[i];
    t->id = (int)*at++;
    at = get(at, 3, t->anchor);
    t->rest = *at++;
    t->stored = *at++;
    at = get(at, 3, t->mean_force);
    t->slips = *at++ != 0;
  }
}

ff_status ff_sim_set_state(ff_sim *sim, const double *state, ff_error *error)
{
  if (!sim || !state)
    return refuse(error, "the sim or the state is NULL");
  ff_status status = check_head(sim, state, error);
  if (status == FF_OK)
    status = check_touching(sim, state, error);
  if (status == FF_OK)
    status = check_motion(sim, state + HEAD, error);
  if (status == FF_OK)
    status = check_ground(sim, state, error);
  if (status == FF_OK)
    status = check_pending(sim, state, error);
  if (status != FF_OK)
    return status;
  take_state(sim->system, state, sim->state);
  if (sim->system->model->size.nv > 0)
    memset(sim->tau, 0, (size_t)sim->system->model->size.nv * sizeof *sim->tau);
  sim->last_push.id = -1;
  ffi_sim_judgement_forget(sim);
  ffi_sim_state_clear_inputs(sim);
  ffi_sim_state_changed(sim);
  return FF_OK;
}
