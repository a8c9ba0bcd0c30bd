// Rows between two bodies. A row's velocity is that of a point of body a relative to body b; either may be the world or moving ground.
#include "step/eval/contact_jacobian.h"

#include "contact/element/element_rows.h"
#include "dynamics/one_lane.h"
#include "math/lie.h"
#include "math/mat3.h"
#include "math/quaternion.h"
#include "math/vec3.h"
#include "step/step_kernels.h"

#include <math.h>
#include <string.h>

static const int *path_of(const ffi_system *s, const ffi_state_kinematics *at, int body)
{
  const ffi_body *b = &s->model->bodies[body];
  return at->work->path + s->model->dof_row[b->v + b->nv - 1];
}

// First position at which the paths of two bodies differ: before it, what moves one moves the other.
static int common_depth(const ff_model *m, int a, int b)
{
  while (b < a || b >= m->bodies[a].subtree_end)
    a = m->bodies[a].parent;
  return a > 0 ? m->bodies[a].depth : 0;
}

// The union of the two paths below their common part.
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
  // The one that comes first, then the other behind it; what they share is added up, and the rest closes the gap.
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

// Acceleration at vdot = 0 and turning of the point x of a body; zero for the world.
static void motion_of(const ffi_system *s, const ffi_state_kinematics *at, int body, const double x[3],
                      ffi_step_kernels_motion *out)
{
  if (body == 0) {
    memset(out, 0, sizeof *out);
    return;
  }
  s->step_k->point_bias(at->work, body, x, out);
}

// out += a x b
static void add_scaled_cross(const double a[3], const double b[3], double scale, double out[3])
{
  double c[3];
  ffi_v3_cross(a, b, c);
  ffi_v3_add_scaled(scale, c, out);
}

// Rate of the velocity of a round body's witness: its centre accelerates, and the arm from there turns only with the axis.
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

// Moving ground under the contact, if any: its point's velocity and acceleration, seen as those of the world side.
static void subtract_ground(const ffi_system *s, const ffi_state_kinematics *at, ffi_contact *c)
{
  if (!at->ground_moves)
    return;
  const int index = s->scene->pairs[c->near.pair].ground;
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

void ffi_contact_jacobian(const ffi_system *s, const ffi_state_kinematics *at, const double *v,
                          const ffi_rows3_room *room, ffi_contact *c)
{
  const ffi_detect_candidate *near = &c->near;
  if (near->b == 0 && near->a > 0 &&
      near->roll == FFI_ROLL_NONE) { // a point of a body on the world or ground: nearly always
    c->rows = (ffi_rows3){s->model->bodies[near->a].depth, path_of(s, at, near->a), room->J, 1};
    s->step_k->point_contact(at->work, near->a, near->point, v, room->J, room->stride, c->u, c->c);
    ffi_v3_set(0, 0, 0, c->creep);
    subtract_ground(s, at, c);
    return;
  }
  const ffi_contact_jacobian_points points = {near->a, near->b, near->point, near->point};
  ffi_contact_jacobian_relative(s, at, &points, 0, room, &c->rows);
  ffi_rows3_times(&c->rows, room->stride, v, c->u);
  ffi_step_kernels_motion m;
  motion_of(s, at, near->a, near->roll == FFI_ROLL_NONE ? near->point : near->centre, &m);
  ffi_v3_set(0, 0, 0, c->creep);
  if (near->roll == FFI_ROLL_NONE)
    ffi_v3_copy(m.acceleration, c->c);
  else
    rolling_bias(near, &m, c->c, c->creep);
  if (near->b > 0) { // seen from b, which turns
    motion_of(s, at, near->b, near->point, &m);
    ffi_v3_sub(c->c, m.acceleration, c->c);
    add_scaled_cross(m.omega, c->u, -2.0, c->c);
  }
  subtract_ground(s, at, c);
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

// The rotation that is left from b's axes to a's, as a vector in world axes.
static void rotation_offset(const double Ra[9], const double Rb[9], double out[3])
{
  double relative[9], q[4], local[3];
  ffi_m3_tmul(Rb, Ra, relative);
  ffi_quat_from_matrix(relative, q);
  ffi_lie_so3_log(q, local);
  ffi_m3_mulv(Rb, local, out);
}

static void place_hold(const ffi_system *s, const ffi_state_kinematics *at, const double *v,
                       const ffi_rows3_room *room, ffi_constraint *h)
{
  const ff_element_def *def = &s->elements[h->element].def;
  const ffi_pose *poses = ffi_state_kinematics_places(at).body;
  double xa[3], xb[3], Ra[9], Rb[9];
  ffi_step_kernels_motion ma, mb;
  const int a = ffi_element_rows_end(s->model, poses, &def->a, xa, Ra),
            b = ffi_element_rows_end(s->model, poses, &def->b, xb, Rb);
  const ffi_contact_jacobian_points points = {a, b, xa, xb};
  ffi_contact_jacobian_relative(s, at, &points, h->angular, room, &h->rows);
  ffi_rows3_times(&h->rows, room->stride, v, h->u);
  motion_of(s, at, a, xa, &ma);
  motion_of(s, at, b, xb, &mb);
  h->K = h->angular ? def->angular_stiffness : def->stiffness;
  h->B = h->angular ? def->angular_damping : def->damping;
  if (h->angular) {
    rotation_offset(Ra, Rb, h->x);
    ffi_v3_sub(ma.alpha, mb.alpha, h->c);
  } else {
    ffi_v3_sub(xa, xb, h->x);
    ffi_v3_sub(ma.acceleration, mb.acceleration, h->c);
  }
  for (int k = 0; k < 3; ++k)
    h->force[k] = -h->K * h->x[k] - h->B * h->u[k];
}

void ffi_constraint_place_all(const ffi_system *s, const ffi_state *x, ffi_rows3_room room,
                              ffi_evaluation *out)
{
  out->hold_count = 0;
  for (int e = 0; e < s->element_count; ++e) {
    const ff_element_def *def = &s->elements[e].def;
    const int blocks = def->type == FF_ELEMENT_POINT ? 1 : def->type == FF_ELEMENT_WELD ? 2 : 0;
    for (int k = 0; k < blocks; ++k, ffi_rows3_room_next(&room)) {
      ffi_constraint *h = &out->hold[out->hold_count++];
      h->element = e;
      h->angular = k;
      place_hold(s, &out->at, x->v, &room, h);
    }
  }
}
