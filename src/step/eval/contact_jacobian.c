// Jacobian rows of contacts and of pairs of points, from the paths of their bodies.
#include "step/eval/contact_jacobian.h"

#include "dynamics/one_lane.h"
#include "math/vec3.h"
#include "step/eval/rolling.h"

#include <math.h>
#include <string.h>

static const int *path_of(const ffi_system *s, const ffi_state_kinematics *at, int body)
{
  const ffi_body *b = &s->model->bodies[body];
  return at->work->path + s->model->dof_row[b->v + b->nv - 1];
}

// First position at which the paths of two bodies differ. Joints before it move both alike.
static int common_depth(const ff_model *m, int a, int b)
{
  while (b < a || b >= m->bodies[a].subtree_end)
    a = m->bodies[a].parent;
  return a > 0 ? m->bodies[a].depth : 0;
}

// The union of the two paths, their common part once: J = J_a - J_b.
void ffi_contact_jacobian_relative(const ffi_system *s, const ffi_state_kinematics *at,
                                   const ffi_contact_jacobian_points *of, int angular,
                                   const ffi_rows3_room *room, ffi_rows3 *rows)
{
  const ffi_step_kernels *k = s->step_k;
  const ff_model *m = s->model;
  const int a = of->a, b = of->b, stride = room->stride;
  double *J = room->J;
  rows->J = J;
  rows->is_path = 1;
  memset(J, 0, 3 * (size_t)stride * sizeof *J);
  if (a == 0 || b == 0) {
    const int body = a > 0 ? a : b;
    const double *x = a > 0 ? of->xa : of->xb;
    rows->columns = body > 0 ? m->bodies[body].depth : 0;
    rows->dof = body > 0 ? path_of(s, at, body) : NULL;
    k->path_rows(at->work, body, x, a > 0 ? 1.0 : -1.0, angular ? NULL : J, angular ? J : NULL, stride);
    return;
  }
  // The body that comes first leads, the other follows behind it. Shared columns are added; the rest closes the gap.
  const int shared = common_depth(m, a, b), a_leads = a < b;
  const int lead = a_leads ? a : b, tail = a_leads ? b : a;
  const int nl = m->bodies[lead].depth, nt = m->bodies[tail].depth;
  const double sign = a_leads ? 1.0 : -1.0, *first = a_leads ? of->xa : of->xb,
               *second = a_leads ? of->xb : of->xa;
  double *behind = J + nl;
  k->path_rows(at->work, lead, first, sign, angular ? NULL : J, angular ? J : NULL, stride);
  k->path_rows(at->work, tail, second, -sign, angular ? NULL : behind, angular ? behind : NULL, stride);
  for (int r = 0; r < 3; ++r) {
    double *row = J + r * stride;
    for (int i = 0; i < shared; ++i)
      row[i] += row[nl + i];
    memmove(row + nl, row + nl + shared, (size_t)(nt - shared) * sizeof *row);
    memset(row + nl + nt - shared, 0, (size_t)shared * sizeof *row);
  }
  memcpy(room->dofs, path_of(s, at, lead), (size_t)nl * sizeof *room->dofs);
  memcpy(room->dofs + nl, path_of(s, at, tail) + shared, (size_t)(nt - shared) * sizeof *room->dofs);
  rows->columns = nl + nt - shared;
  rows->dof = room->dofs;
  rows->is_path = nl == shared; // lead is an ancestor of tail: one path
}

void ffi_contact_jacobian_motion(const ffi_system *s, const ffi_state_kinematics *at, int body,
                                 const double x[3], ffi_step_kernels_motion *out)
{
  if (body == 0) {
    memset(out, 0, sizeof *out);
    return;
  }
  s->step_k->point_bias(at->work, body, x, out);
}

// out += scale a x b
static void add_scaled_cross(const double a[3], const double b[3], double scale, double out[3])
{
  double c[3];
  ffi_v3_cross(a, b, c);
  ffi_v3_add_scaled(scale, c, out);
}

// Rate of the velocity of a round body's witness point over a face that stands: its centre accelerates, and the arm
// from there turns only with the axis.
static void rolling_bias(const ffi_detect_candidate *near, const ffi_step_kernels_motion *centre, double c[3],
                         double creep[3])
{
  double r[3], spin[3] = {0, 0, 0}, turn[3], rdot[3];
  ffi_v3_sub(near->point, near->centre, r);
  if (near->roll == FFI_ROLL_AXIS)
    ffi_v3_scale(ffi_v3_dot(centre->omega, near->axis), near->axis, spin);
  else
    ffi_v3_copy(centre->omega, spin);
  ffi_v3_sub(centre->omega, spin, turn);
  ffi_v3_copy(centre->acceleration, c);
  add_scaled_cross(centre->alpha, r, 1.0, c);
  ffi_v3_cross(turn, r, rdot);
  add_scaled_cross(centre->omega, rdot, 1.0, c);
  ffi_v3_cross(r, spin, creep); // - spin x r
  ffi_v3_add_scaled(-ffi_v3_dot(creep, near->normal), near->normal, creep);
}

// Velocity and acceleration of moving ground under the contact, if any, are those of the world's side.
static void subtract_ground(const ffi_system *s, const ffi_state_kinematics *at, ffi_contact *c)
{
  if (!at->ground_moves)
    return;
  const int index = s->colliders->pairs[c->near.pair].ground;
  if (index < 0)
    return;
  const double *velocity = at->ground_velocity + 6 * index;
  double v[3], arm[3], centripetal[3], motion = 0;
  for (int k = 0; k < 6; ++k)
    motion += fabs(velocity[k]);
  if (motion == 0)
    return;
  ffi_ground_velocity(&at->ground[index], velocity, c->near.point, v);
  const double sign = c->near.flipped ? 1.0 : -1.0;
  ffi_v3_add_scaled(sign, v, c->u);
  ffi_v3_sub(c->near.point, at->ground[index].p, arm);
  ffi_v3_cross(velocity + 3, arm, v);
  ffi_v3_cross(velocity + 3, v, centripetal);
  ffi_v3_add_scaled(sign, centripetal, c->c);
  if (!c->near.flipped)
    add_scaled_cross(velocity + 3, c->u, -2.0, c->c);
}

// How the witness of a contact moves over a.
typedef enum way { WAY_NONE, WAY_ARM, WAY_AXIS, WAY_BENT, WAY_ROUND } way;

// An arm that b's turning does not matter to, over a face: the usual case of those that roll.
static way way_of(const ffi_system *s, const ffi_state_kinematics *at, const ffi_detect_candidate *near,
                  ffi_rolling *over)
{
  const int stands = near->b == 0 && !(at->ground_moves && s->colliders->pairs[near->pair].ground >= 0);
  if (near->roll == FFI_ROLL_NONE)
    return WAY_NONE;
  if (near->roll == FFI_ROLL_BENT)
    return WAY_BENT;
  if (near->roll == FFI_ROLL_AXIS)
    return stands ? WAY_ARM : WAY_AXIS;
  const int is_round = ffi_rolling_set(s, at, near, over);
  return is_round || !stands || near->roll == FFI_ROLL_SURFACE ? WAY_ROUND : WAY_ARM;
}

// The witness goes over a by the curvature there, by the bend of a patch or about an axis; its velocity turns with
// that, and with the normal.
static void roll(const ffi_system *s, const ffi_state_kinematics *at, way how, const ffi_rolling *over,
                 double turn[3], ffi_contact *c)
{
  const int ground = s->colliders->pairs[c->near.pair].ground;
  const double *n = c->near.normal;
  if (ground >= 0 && at->ground_moves)
    ffi_v3_add_scaled(c->near.flipped ? 1 : -1, at->ground_velocity + 6 * ground + 3, turn);
  if (how == WAY_BENT) {
    double normal[3];
    ffi_v3_cross(n, turn, normal);
    ffi_sym3_times(c->near.bend, normal, c->creep);
  } else if (how == WAY_AXIS) {
    double arm[3];
    ffi_v3_sub(c->near.point, c->near.centre, arm);
    ffi_v3_cross(arm, c->near.axis, c->creep);
    ffi_v3_scale(ffi_v3_dot(turn, c->near.axis), c->creep, c->creep);
    ffi_v3_add_scaled(-ffi_v3_dot(c->creep, n), n, c->creep);
  } else {
    ffi_rolling_creep(over, n, turn, c->u, c->creep);
    ffi_rolling_turn_of_normal(over, c->u, c->creep, c->ndot);
  }
  add_scaled_cross(turn, c->creep, 1.0, c->c);
  if (how != WAY_ROUND || (c->ndot[0] == 0 && c->ndot[1] == 0 && c->ndot[2] == 0))
    return;
  double spin[3];
  ffi_v3_cross(n, c->ndot, spin);
  add_scaled_cross(spin, c->u, -1.0, c->c);
}

void ffi_contact_jacobian(const ffi_system *s, const ffi_state_kinematics *at, const double *v,
                          const ffi_rows3_room *room, ffi_contact *c)
{
  const ffi_detect_candidate *near = &c->near;
  ffi_v3_set(0, 0, 0, c->creep);
  ffi_v3_set(0, 0, 0, c->ndot);
  if (near->b == 0 && near->a > 0 &&
      near->roll == FFI_ROLL_NONE) { // a point of a body on the world or ground: the usual case
    c->rows = (ffi_rows3){s->model->bodies[near->a].depth, path_of(s, at, near->a), room->J, 1};
    s->step_k->point_contact(at->work, near->a, near->point, v, room->J, room->stride, c->u, c->c);
    subtract_ground(s, at, c);
    return;
  }
  const ffi_contact_jacobian_points points = {near->a, near->b, near->point, near->point};
  ffi_contact_jacobian_relative(s, at, &points, 0, room, &c->rows);
  ffi_rows3_times(&c->rows, room->stride, v, c->u);
  ffi_step_kernels_motion m;
  ffi_rolling over;
  const way how = way_of(s, at, near, &over);
  ffi_contact_jacobian_motion(s, at, near->a, how == WAY_ARM ? near->centre : near->point, &m);
  double turn[3]; // of a, seen from b
  ffi_v3_copy(m.omega, turn);
  if (how == WAY_ARM)
    rolling_bias(near, &m, c->c, c->creep);
  else
    ffi_v3_copy(m.acceleration, c->c);
  if (near->b > 0) { // seen from b, which turns
    ffi_contact_jacobian_motion(s, at, near->b, near->point, &m);
    ffi_v3_sub(c->c, m.acceleration, c->c);
    add_scaled_cross(m.omega, c->u, -2.0, c->c);
    ffi_v3_sub(turn, m.omega, turn);
  }
  subtract_ground(s, at, c);
  if (how != WAY_NONE && how != WAY_ARM)
    roll(s, at, how, &over, turn, c);
}

void ffi_contact_jacobian_displacement(const ffi_system *s, const ffi_state_kinematics *at,
                                       const ffi_detect_candidate *near, const double *dx,
                                       const ffi_rows3_room *room, double out[3])
{
  const ffi_contact_jacobian_points points = {near->a, near->b, near->point, near->point};
  ffi_rows3 rows;
  ffi_contact_jacobian_relative(s, at, &points, 0, room, &rows);
  ffi_rows3_times(&rows, room->stride, dx, out);
}
