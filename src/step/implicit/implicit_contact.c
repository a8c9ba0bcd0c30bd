// Tangents of contact forces: springs, rolling witness points, and surfaces that turn with their body.
#include "step/implicit/implicit_contact.h"

#include "dynamics/one_lane.h"
#include "math/vec3.h"
#include "step/eval/anchor.h"
#include "step/eval/rolling.h"
#include "step/implicit/implicit_points.h"

#include <string.h>

// by_x = -K, by_u = -B, along the normal and across it.
static void gains(const ffi_system *s, const ffi_implicit *m, int i, double by_x[9], double by_u[9])
{
  const double *n = m->at->contact[i].near.normal;
  const ffi_implicit_gains g = ffi_implicit_trial_gains(s, m, i);
  for (int r = 0; r < 3; ++r)
    for (int k = 0; k < 3; ++k) {
      const double N = n[r] * n[k], T = (r == k) - N;
      by_x[3 * r + k] = -g.K_n * N - g.K_t * T;
      by_u[3 * r + k] = -g.B_n * N - g.B_t * T;
    }
}

// How the witness point moves over a, by columns: (frame - body) x r, where the frame that carries r turns relative
// to b by its kind of rolling. The lowest point of a rim stays in the plane of axis and normal, so its frame also
// turns about the axis.
static void slide_carried(const ffi_contact *c, ffi_implicit_points *t)
{
  double r[3], rel[3], turn[3], down[3], sideways[3];
  const double *axis = c->near.axis, *normal = c->near.normal;
  const double tilt = ffi_v3_dot(normal, axis);
  const int n = t->columns.n, stride = t->columns.stride;
  ffi_v3_sub(c->near.point, c->near.centre, r);
  for (int k = 0; k < 3; ++k)
    down[k] = tilt * axis[k] - normal[k];
  const double square = ffi_v3_dot(down, down);
  for (int k = 0; k < n; ++k) {
    ffi_implicit_columns_get(t->turn_a, stride, k, rel);
    if (t->b.n > 0) {
      ffi_implicit_columns_get(t->turn_b, stride, k, turn);
      ffi_v3_sub(rel, turn, rel);
    }
    if (c->near.roll == FFI_ROLL_BENT) {
      ffi_v3_cross(normal, rel, turn);
      ffi_sym3_times(c->near.bend, turn, sideways);
      ffi_implicit_columns_set(sideways, stride, k, t->slide);
      continue;
    }
    ffi_v3_set(0, 0, 0, turn);
    if (c->near.roll == FFI_ROLL_AXIS) {
      ffi_anchor_tangential(axis, rel, turn);
      const double about = square > 0 ? -tilt * ffi_v3_dot(turn, down) / square : 0;
      ffi_v3_add_scaled(about, axis, turn);
    }
    ffi_v3_sub(turn, rel, turn);
    ffi_v3_cross(turn, r, sideways);
    ffi_anchor_tangential(normal, sideways, sideways);
    ffi_implicit_columns_set(sideways, stride, k, t->slide);
  }
}

// The same by curvature: an ellipsoid, or any round solid on another.
static void slide_surface(const ffi_contact *c, const ffi_rolling *over, ffi_implicit_points *t)
{
  const int stride = t->columns.stride;
  double rel[3], turn[3], u[3], slide[3];
  for (int k = 0; k < t->columns.n; ++k) {
    ffi_implicit_columns_get(t->turn_a, stride, k, rel);
    if (t->b.n > 0) {
      ffi_implicit_columns_get(t->turn_b, stride, k, turn);
      ffi_v3_sub(rel, turn, rel);
    }
    ffi_implicit_columns_get(c->rows.J, stride, k, u);
    ffi_rolling_creep(over, c->near.normal, rel, u, slide);
    ffi_implicit_columns_set(slide, stride, k, t->slide);
  }
}

// Angular velocity of moving ground that carries the surface or the witness point.
static void add_ground_turning(const ffi_system *s, const ffi_state_kinematics *at, const ffi_contact *c,
                               ffi_implicit_points *t)
{
  const int ground = s->colliders->pairs[c->near.pair].ground;
  if (ground < 0)
    return;
  double *omega = c->near.flipped ? t->a.omega : t->b.omega;
  ffi_v3_add(omega, at->ground_velocity + 6 * ground + 3, omega);
}

// Slopes of offset and velocity as b sees them:
//
//   dx = J + slide,    du - omega_b x J - turn_b x u + (omega_a - omega_b) x slide
static void seen_from_b(const ffi_system *s, const ffi_state_kinematics *at, const ffi_contact *c,
                        ffi_implicit_points *t)
{
  const int stride = t->columns.stride, rolls = c->near.roll != FFI_ROLL_NONE;
  const double *J = c->rows.J;
  double omega[3];
  ffi_implicit_columns_add_cross(&t->columns, 1, J, t->b.omega, t->du);
  if (t->b.n > 0)
    ffi_implicit_columns_add_cross(&t->columns, -1, t->turn_b, c->u, t->du);
  t->x = rolls ? t->x : c->rows.J;
  if (!rolls)
    return;
  ffi_rolling over;
  const int may_be_round = c->near.roll != FFI_ROLL_BENT && c->near.roll != FFI_ROLL_AXIS;
  if ((may_be_round && ffi_rolling_set(s, at, &c->near, &over)) || c->near.roll == FFI_ROLL_SURFACE)
    slide_surface(c, &over, t);
  else
    slide_carried(c, t);
  ffi_v3_sub(t->b.omega, t->a.omega, omega);
  ffi_implicit_columns_add_cross(&t->columns, 1, t->slide, omega, t->du);
  for (int k = 0; k < 3 * stride; ++k)
    t->x[k] = J[k] + t->slide[k];
}

// The force acts where the witness point is: not at a point of a if that rolls, and never at a point of b.
static void subtract_moments(const ffi_contact *c, const double force[3], ffi_implicit_points *t,
                             double *by_q)
{
  const ffi_implicit_columns *columns = &t->columns;
  double *moved = t->by_v;
  if (c->near.roll != FFI_ROLL_NONE) {
    ffi_implicit_columns_clear(columns->stride, moved);
    ffi_implicit_columns_add_cross(columns, 1, t->slide, force, moved);
    ffi_implicit_columns_subtract_product(columns, 1, t->turn_a, moved, by_q);
  }
  if (t->b.n > 0) {
    ffi_implicit_columns_clear(columns->stride, moved);
    ffi_implicit_columns_add_cross(columns, 1, t->x, force, moved);
    ffi_implicit_columns_subtract_product(columns, -1, t->turn_b, moved, by_q);
  }
}

// P = by_q Q + by_v; the columns of one joint are neighbours.
static void place_tangent(const ffi_system *s, const ffi_implicit *m, const ffi_rows3 *rows,
                          const ffi_implicit_points *t, double *P)
{
  const int stride = m->at->stride;
  memset(P, 0, 3 * (size_t)m->stride * sizeof *P);
  for (int k = 0; k < rows->columns;) {
    const ffi_body *body = &s->model->bodies[s->model->dof_body[rows->dof[k]]];
    for (int r = 0; r < 3; ++r) {
      double *out = P + r * m->stride + body->v;
      for (int a = 0; a < body->nv; ++a) {
        out[a] += t->by_v[r * stride + k + a];
        for (int j = 0; j < body->nv; ++j)
          out[j] += t->by_q[r * stride + k + a] * m->Q[body->v + a][j];
      }
    }
    k += body->nv;
  }
}

// The part of the tangent that depends on the force itself.
static void add_placement(const ffi_contact *c, const double force[3], ffi_implicit_points *t, double *by_q)
{
  subtract_moments(c, force, t, by_q);
  if (t->b.n == 0)
    return;
  ffi_implicit_columns_clear(t->columns.stride, t->by_v);
  ffi_implicit_columns_add_cross(&t->columns, 1, t->turn_b, force, t->by_v);
  ffi_implicit_columns_subtract_product(&t->columns, 1, c->rows.J, t->by_v, by_q);
}

// A point that is fixed to its body, on a surface that does not depend on q: nearly all contacts.
static void add_point(const ffi_system *s, ffi_implicit *m, int i, const double by_x[9], const double by_u[9])
{
  static const double still[3] = {0, 0, 0};
  const ffi_contact *c = &m->at->contact[i];
  const int ground = s->colliders->pairs[c->near.pair].ground;
  const ffi_newton_kernels_point point = {.body = c->near.a,
                                          .x = c->near.point,
                                          .J = c->rows.J,
                                          .rows_stride = m->at->stride,
                                          .omega = ground >= 0 ? m->at->at.ground_velocity + 6 * ground + 3
                                                               : still,
                                          .K = by_x,
                                          .B = by_u};
  m->k->point_tangent(m->at->at.work, &point, m->x->v, (const double(*)[6])m->Q, m->slopes, m->stride,
                      m->contact[i].P);
}

// push n - u_t
static void sliding_trial(const ffi_contact *c, double w[3])
{
  ffi_anchor_tangential(c->near.normal, c->u, w);
  for (int k = 0; k < 3; ++k)
    w[k] = c->law.push * c->near.normal[k] - w[k];
}

void ffi_implicit_contact_add(const ffi_system *s, ffi_implicit *m, int i)
{
  const ffi_contact *c = &m->at->contact[i];
  ffi_implicit_contact *own = &m->contact[i];
  const ffi_contact_jacobian_points points = {c->near.a, c->near.b, c->near.point, c->near.point};
  ffi_implicit_points t;
  double by_x[9], by_u[9];
  for (int k = 0; k < 3; ++k)
    own->w[k] = c->law.push * c->near.normal[k] + c->law.trial[k];
  if (own->slides)
    sliding_trial(c, own->w);
  gains(s, m, i, by_x, by_u);
  if (c->near.b == 0 && c->near.roll == FFI_ROLL_NONE) {
    add_point(s, m, i, by_x, by_u);
    return;
  }
  ffi_implicit_points_evaluate(s, m, &points, &c->rows, 0, &t);
  add_ground_turning(s, &m->at->at, c, &t);
  seen_from_b(s, &m->at->at, c, &t);
  ffi_implicit_columns_transform(&t.columns, by_x, t.x, by_u, t.du, t.by_q);
  ffi_implicit_columns_transform(&t.columns, by_u, c->rows.J, NULL, NULL, t.by_v);
  place_tangent(s, m, &c->rows, &t, own->P);
  add_placement(c, own->linearised_at, &t, m->by_q);
}
