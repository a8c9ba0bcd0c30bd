// Torsional and rolling friction: blocks of an evaluation, and what becomes of their springs.
#include "step/eval/turning.h"

#include "math/vec3.h"
#include "step/eval/anchor.h"
#include "step/eval/contact_jacobian.h"

#include <math.h>
#include <string.h>

// Springs: frequency [rad/s] and damping ratio with the inertia that they turn, sim_turning.c. 1 ms is half of the
// longest stable step of symplectic Euler.                                                 turning-friction.md, eq. 3a
static const double frequency = 500, damping_ratio = 0.7;

// The part of w about the normal, or across it.
static void take_part(const double n[3], int is_rolling, double w[3])
{
  const double along = ffi_v3_dot(n, w);
  for (int k = 0; k < 3; ++k)
    w[k] = is_rolling ? w[k] - along * n[k] : along * n[k];
}

int ffi_turning_limit(const double trial[3], double limit, double force[3])
{
  const double size = ffi_v3_norm(trial);
  ffi_v3_scale(size > limit ? limit / size : 1, trial, force);
  return size > limit;
}

// The moment in the springs of a contact, in world axes.
static void find_spring(const ffi_system *s, const ffi_state_kinematics *at, const ffi_state *x,
                        const ffi_detect_candidate *near, double out[3])
{
  const double *slot = x->element_force + s->turning_at;
  ffi_v3_set(0, 0, 0, out);
  for (int i = 0; i < s->max_contacts && slot[0] != 0; ++i, slot += FFI_STATE_TURNING)
    if (slot[0] == near->id + 1.0) {
      const double *R = ffi_anchor_frame(s, at, near)->R;
      for (int k = 0; k < 3; ++k)
        out[k] = R[3 * k] * slot[1] + R[3 * k + 1] * slot[2] + R[3 * k + 2] * slot[3];
      return;
    }
}

// Angular velocity of b, ground included.
static void turn_of_b(const ffi_system *s, const ffi_state_kinematics *at, const ffi_detect_candidate *near,
                      const double omega[3], double out[3])
{
  const int ground = s->colliders->pairs[near->pair].ground;
  ffi_v3_copy(omega, out);
  if (ground >= 0 && at->ground_moves && !near->flipped)
    ffi_v3_add(out, at->ground_velocity + 6 * ground + 3, out);
}

// Velocity of a relative to b, u, and its rate at vdot = 0, c, of all three rows.
static void place_motion(const ffi_system *s, const ffi_state_kinematics *at, const ffi_contact *contact,
                         const double *v, int stride, ffi_constraint *c)
{
  const ffi_detect_candidate *near = &contact->near;
  const int ground = s->colliders->pairs[near->pair].ground;
  ffi_step_kernels_motion a, b;
  double of_b[3], across[3];
  ffi_rows3_times(&c->rows, stride, v, c->u);
  ffi_contact_jacobian_motion(s, at, near->a, near->point, &a);
  ffi_contact_jacobian_motion(s, at, near->b, near->point, &b);
  if (ground >= 0 && at->ground_moves)
    ffi_v3_add_scaled(near->flipped ? 1 : -1, at->ground_velocity + 6 * ground + 3, c->u);
  turn_of_b(s, at, near, b.omega, of_b);
  ffi_v3_sub(a.alpha, b.alpha, c->c);
  ffi_v3_cross(of_b, c->u, across);
  ffi_v3_sub(c->c, across, c->c);
}

// The contact that blocks are placed for.
typedef struct source {
  const ffi_system *s;
  const ffi_state_kinematics *at;
  const double *v;
  const ffi_contact *contact;
  double spring[3]; // the moment in both springs
} source;

// Rows, velocity and law of one block.
static void place_block(const source *from, int is_rolling, const ffi_rows3_room *room, ffi_constraint *c)
{
  const ffi_system *s = from->s;
  const ffi_contact *contact = from->contact;
  const ffi_detect_candidate *near = &contact->near;
  const ff_material *material = &s->materials[near->pair];
  const double *n = near->normal, mobility = s->turning[near->a] + s->turning[near->b];
  const double radius = is_rolling ? material->rolling_friction : material->torsional_friction;
  if (!(radius > 0) || !(mobility > 0))
    return;
  const ffi_contact_jacobian_points points = {near->a, near->b, near->point, near->point};
  ffi_contact_jacobian_relative(s, from->at, &points, 1, room, &c->rows);
  place_motion(s, from->at, contact, from->v, room->stride, c);
  for (int k = 0; k < c->rows.columns; ++k) {
    double column[3] = {room->J[k], room->J[room->stride + k], room->J[2 * room->stride + k]};
    take_part(n, is_rolling, column);
    for (int r = 0; r < 3; ++r)
      room->J[r * room->stride + k] = column[r];
  }
  take_part(n, is_rolling, c->u);
  take_part(n, is_rolling, c->c);
  double own[3], trial[3];
  ffi_v3_copy(from->spring, own);
  take_part(n, is_rolling, own);
  c->own_K = frequency * frequency / mobility;
  c->own_B = 2 * damping_ratio * frequency / mobility;
  c->limit = contact->law.mode == FF_CONTACT_RELEASED ? 0 : radius * contact->law.normal_force;
  ffi_v3_scale(-1 / c->own_K, own, c->x);
  for (int k = 0; k < 3; ++k)
    trial[k] = own[k] - c->own_B * c->u[k];
  c->slides = ffi_turning_limit(trial, c->limit, c->force);
  c->K = c->slides ? 0 : c->own_K;
  c->B = c->slides ? 0 : c->own_B;
}

void ffi_turning_place(const ffi_system *s, const ffi_state *x, ffi_rows3_room room, ffi_evaluation *out)
{
  for (int i = 0; s->turning && i < out->count; ++i) {
    source from = {s, &out->at, x->v, &out->contact[i], {0, 0, 0}};
    const int is_near = from.contact->near.pair >= 0;
    if (is_near)
      find_spring(s, &out->at, x, &from.contact->near, from.spring);
    for (int which = 0; which < 2; ++which, ffi_rows3_room_next(&room)) {
      ffi_constraint *c = &out->constraint[out->constraint_count++];
      *c = (ffi_constraint){
          .element = -1, .angular = 1, .rows = {.dof = room.dofs, .J = room.J, .is_path = 1}};
      if (is_near)
        place_block(&from, which, &room, c);
    }
  }
}

void ffi_turning_spring(const ffi_constraint *c, const double travel[3], double h, double out[3])
{
  const double kept = c->own_B > 0 ? exp(-h * c->own_K / c->own_B) : 0;
  for (int k = 0; k < 3; ++k)
    out[k] = c->slides ? c->force[k] + (-c->own_K * c->x[k] - c->force[k]) * kept
                       : -c->own_K * (c->x[k] + travel[k]);
}

void ffi_turning_store(const ffi_system *s, const ffi_evaluation *at, const ffi_contact *end,
                       const double (*moment)[3], ffi_state *to)
{
  double *slot = to->element_force + s->turning_at;
  memset(slot, 0, FFI_STATE_TURNING * (size_t)s->max_contacts * sizeof *slot);
  for (int i = 0; i < at->count; ++i) {
    const ffi_detect_candidate *near = &at->contact[i].near;
    double sum[3];
    if (near->pair < 0 || (end && end[i].near.pair < 0))
      continue;
    ffi_v3_add(moment[2 * i], moment[2 * i + 1], sum);
    slot[0] = near->id + 1.0;
    ffi_anchor_to_frame(ffi_anchor_frame(s, &at->at, near), sum, slot + 1);
    slot += FFI_STATE_TURNING;
  }
}

void ffi_turning_move(const ffi_system *s, const ffi_evaluation *at, const ffi_turning_motion *motion,
                      ffi_state *to)
{
  if (!s->turning)
    return;
  for (int i = 0; i < 2 * at->count; ++i) {
    const ffi_constraint *c = &at->constraint[ffi_turning_index(at, 0, 0) + i];
    double travel[3], carried[3];
    ffi_rows3_times(&c->rows, at->stride, motion->dx, travel);
    ffi_rows3_times(&c->rows, at->stride, motion->v, carried); // the ground's own turning does not count
    ffi_v3_sub(carried, c->u, carried);
    ffi_v3_add_scaled(-motion->dt, carried, travel);
    ffi_turning_spring(c, travel, motion->dt, motion->moment[i]);
  }
  ffi_turning_store(s, at, NULL, (const double(*)[3])motion->moment, to);
}
