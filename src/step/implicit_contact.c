#include "step/implicit_contact.h"

#include "dynamics/one_robot.h"
#include "math/vec3.h"
#include "step/anchors.h"
#include "step/implicit_sides.h"

// The force's derivatives by the springs' offset and by velocity, 3 x 3 each:
//   normal part  (n + mu d) dlambda_n,  dlambda_n = -K n'dx - B n'du,  d the direction of slip, zero where it sticks
//   tangential   D dT,  D = P where it sticks, (mu lambda_n / |T|) (P - d d') where it slips,  P = 1 - n n'
static void law_slopes(const ffi_system *s, const ffi_implicit *m, int i, double by_x[9], double by_u[9])
{
  const ffi_contact *c = &m->at.contact[i];
  const double *n = c->near.normal;
  const int is_new = m->contact[i].is_new, rolls = c->near.roll != FFI_ROLL_NONE;
  const int is_slack = is_new && s->def->normal_anchor == FF_ANCHOR_FIRST_TOUCH && c->near.gap <= 0;
  const double K_n = is_slack ? 0 : c->K, K_t = is_new || rolls ? 0 : c->K;
  const double B_t = rolls && !is_new ? c->B + m->dt * c->K : c->B;
  double d[3] = {0, 0, 0}, share = 1, mu = 0;
  if (c->law.mode == FF_CONTACT_SLIP) {
    mu = c->mu;
    share = mu * c->law.normal_force / c->law.trial_norm;
    ffi_v3_scale(1 / c->law.trial_norm, c->law.trial, d);
  }
  for (int r = 0; r < 3; ++r)
    for (int k = 0; k < 3; ++k) {
      const double D = share * ((r == k) - n[r] * n[k] - d[r] * d[k]), N = (n[r] + mu * d[r]) * n[k];
      by_x[3 * r + k] = -K_n * N - K_t * D;
      by_u[3 * r + k] = -c->B * N - B_t * D;
    }
}

// How the witness moves over a, by columns: (frame - body) x r, where the frame that carries r turns relative to b as its kind of
// rolling says. A rim's lowest point stays in the plane of axis and normal, so its frame also turns about the axis.
static void slide_columns(const ffi_contact *c, int n, int stride, ffi_both *t)
{
  double r[3], rel[3], turn[3], down[3], sideways[3];
  const double *axis = c->near.axis, *normal = c->near.normal;
  const double tilt = ffi_v3_dot(normal, axis);
  ffi_v3_sub(c->near.point, c->near.centre, r);
  for (int k = 0; k < 3; ++k)
    down[k] = tilt * axis[k] - normal[k];
  const double square = ffi_v3_dot(down, down);
  for (int k = 0; k < n; ++k) {
    ffi_column_get(t->turn_a, stride, k, rel);
    if (t->b.n > 0) {
      ffi_column_get(t->turn_b, stride, k, turn);
      ffi_v3_sub(rel, turn, rel);
    }
    ffi_v3_set(0, 0, 0, turn);
    if (c->near.roll == FFI_ROLL_AXIS) {
      ffi_tangential(axis, rel, turn);
      const double about = square > 0 ? -tilt * ffi_v3_dot(turn, down) / square : 0;
      ffi_v3_add_scaled(about, axis, turn);
    }
    ffi_v3_sub(turn, rel, turn);
    ffi_v3_cross(turn, r, sideways);
    ffi_tangential(normal, sideways, sideways);
    ffi_column_set(sideways, stride, k, t->slide);
  }
}

// Angular velocity of what carries the surface, or the witness, where that is moving ground.
static void add_ground_turning(const ffi_system *s, const ffi_contact *c, ffi_both *t)
{
  const int ground = s->scene.pairs[c->near.pair].ground;
  if (ground < 0)
    return;
  double *omega = c->near.flipped ? t->a.omega : t->b.omega;
  ffi_v3_add(omega, s->scene.grounds[ground].velocity + 3, omega);
}

// Slopes of offset and velocity as b sees them:  dx = J + slide,  du - omega_b x J - turn_b x u + (omega_a - omega_b) x slide.
static void seen_from_b(const ffi_contact *c, int stride, ffi_both *t)
{
  const int n = c->rows.columns, rolls = c->near.roll != FFI_ROLL_NONE;
  const double *J = c->rows.J;
  double omega[3];
  ffi_columns_add_cross(n, stride, 1, J, t->b.omega, t->du);
  if (t->b.n > 0)
    ffi_columns_add_cross(n, stride, -1, t->turn_b, c->u, t->du);
  t->x = rolls ? t->x : c->rows.J;
  if (!rolls)
    return;
  slide_columns(c, n, stride, t);
  ffi_v3_sub(t->b.omega, t->a.omega, omega);
  ffi_columns_add_cross(n, stride, 1, t->slide, omega, t->du);
  for (int k = 0; k < 3 * stride; ++k)
    t->x[k] = J[k] + t->slide[k];
}

// The force acts where the witness is: not at a point of a if that rolls, and never at a point of b.
static void subtract_moments(const ffi_contact *c, int stride, int nv, ffi_both *t, double *by_q)
{
  const int n = c->rows.columns;
  double *moved = t->by_v;
  if (c->near.roll != FFI_ROLL_NONE) {
    ffi_columns_clear(stride, moved);
    ffi_columns_add_cross(n, stride, 1, t->slide, c->law.force, moved);
    ffi_columns_subtract_product(&c->rows, stride, nv, 1, t->turn_a, moved, by_q);
  }
  if (t->b.n > 0) {
    ffi_columns_clear(stride, moved);
    ffi_columns_add_cross(n, stride, 1, t->x, c->law.force, moved);
    ffi_columns_subtract_product(&c->rows, stride, nv, -1, t->turn_b, moved, by_q);
  }
}

void ffi_implicit_add_contact(const ffi_system *s, const ffi_implicit *m, int i, double *by_q, double *by_v)
{
  const ffi_contact *c = &m->at.contact[i];
  const int stride = m->at.stride, nv = s->model->size.nv, n = c->rows.columns;
  if (c->near.pair < 0 || c->law.mode == FF_CONTACT_RELEASED)
    return;
  ffi_both t;
  double by_x[9], by_u[9];
  ffi_look_at_both(s, m, c->near.a, c->near.point, c->near.b, c->near.point, &c->rows, 0, &t);
  add_ground_turning(s, c, &t);
  seen_from_b(c, stride, &t);
  law_slopes(s, m, i, by_x, by_u);
  ffi_columns_transform(n, stride, by_x, t.x, by_u, t.du, t.by_q);
  if (t.b.n > 0)
    ffi_columns_add_cross(n, stride, 1, t.turn_b, c->law.force, t.by_q);
  ffi_columns_transform(n, stride, by_u, c->rows.J, NULL, NULL, t.by_v);
  ffi_columns_subtract_product(&c->rows, stride, nv, 1, c->rows.J, t.by_q, by_q);
  ffi_columns_subtract_product(&c->rows, stride, nv, 1, c->rows.J, t.by_v, by_v);
  subtract_moments(c, stride, nv, &t, by_q);
}
