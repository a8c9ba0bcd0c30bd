// Euler steps with their impact map, and what is extrapolated from them.
#include "dynamics/one_robot.h"
#include "dynamics/path.h"
#include "math/vec3.h"
#include "step/c2a.h"
#include "step/phase.h"
#include "step/sides.h"

#include <math.h>

// Linear and angular part of a joint's own velocity, and how far its origin is from its parent's.
static void joint_rates(const ffi_body *body, const double *q, const double *v, double *linear,
                        double *angular, double *lever)
{
  const double *own = v + body->v, *at = q + body->q;
  *linear = *angular = 0;
  *lever = ffi_v3_norm(body->p);
  switch (body->kind) {
  case FFI_KIND_FREE:
    *linear = ffi_v3_norm(own), *angular = ffi_v3_norm(own + 3);
    *lever = ffi_v3_norm(at);
    break;
  case FFI_KIND_PLANAR:
    *linear = hypot(own[0], own[1]), *angular = fabs(own[2]);
    *lever += hypot(at[0], at[1]);
    break;
  case FFI_KIND_SPHERICAL: *angular = ffi_v3_norm(own); break;
  case FFI_KIND_PRISMATIC_X:
  case FFI_KIND_PRISMATIC_Y:
  case FFI_KIND_PRISMATIC_Z:
  case FFI_KIND_PRISMATIC_G: *linear = fabs(own[0]), *lever += fabs(at[0]); break;
  default: *angular = fabs(own[0]);
  }
}

// Of any point of ground that shapes within `far` of the world's origin can touch. What turns is faster away from its own origin, and a plane has no end.
static double ground_speed(const ffi_system *s, const ffi_state *x, double far)
{
  double most = 0;
  for (int i = 0; i < s->scene.party_count; ++i) {
    const ffi_party *p = &s->scene.parties[i];
    if (p->ground < 0)
      continue;
    const double *velocity = x->ground_velocity + 6 * p->ground;
    const double arm =
        fmin(ffi_v3_norm(p->in.p) + p->solid.radius, ffi_v3_norm(x->ground[p->ground].p) + far);
    most = fmax(most, ffi_v3_norm(velocity) + ffi_v3_norm(velocity + 3) * arm);
  }
  return most;
}

// A speed that no two points of shapes close a gap faster than: twice the largest, in whatever posture.
static double fastest(const ffi_system *s, const ffi_state *x)
{
  ffi_c2a_rate *rate = ((ffi_c2a *)s->memory)->rate;
  double most = 0, far = 0;
  rate[0] = (ffi_c2a_rate){0};
  for (int b = 1; b < s->model->body_count; ++b) {
    const ffi_body *body = &s->model->bodies[b];
    const ffi_c2a_rate *parent = &rate[body->parent];
    double linear, angular, lever;
    joint_rates(body, x->q, x->v, &linear, &angular, &lever);
    rate[b] = (ffi_c2a_rate){.speed = parent->speed + parent->turn * lever + linear,
                             .turn = parent->turn + angular,
                             .far = parent->far + lever};
  }
  for (int i = 0; i < s->scene.party_count; ++i) {
    const ffi_party *p = &s->scene.parties[i];
    if (p->body == 0 || !isfinite(p->solid.radius))
      continue;
    const double size = ffi_v3_norm(p->in.p) + p->solid.radius;
    most = fmax(most, rate[p->body].speed + rate[p->body].turn * size);
    far = fmax(far, rate[p->body].far + size);
  }
  return 2 * fmax(most, ground_speed(s, x, far));
}

// tau and bias forces at the beginning, as a change of velocity in the axes of the end.
static ff_status explicit_rate(ffi_system *s, const ffi_state *from, double h, ffi_moreau *m, ff_error *error)
{
  const ff_model *model = s->model;
  s->k->transforms(s->work, from->q);
  s->k->kinematics(s->work, NULL, NULL);
  ffi_moreau_rush(model, from->v, m->rush);
  s->k->rnea(s->work, from->v, m->rush, m->h);
  s->k->crba(s->work);
  const ff_status status = ffi_system_factor(s, error);
  if (status != FF_OK)
    return status;
  for (int i = 0; i < model->size.nv; ++i)
    m->rate[i] = h * (s->tau[i] - m->h[i]);
  s->k->solve(s->work, m->rate);
  ffi_path_move(model, from->q, m->way, m->rate, m->mid.q, m->rate);
  return FF_OK;
}

static void set_times(const ffi_system *s, double h, double ahead, ffi_moreau *m)
{
  m->span = h;
  m->fall = h * ffi_v3_norm(s->model->gravity);
  m->ahead = ahead;
  m->after = 0;
  m->horizon = fmin(s->def->c2a.h_min, s->def->dt); // no piece is longer than dt
  m->skin = s->def->c2a.skin;
}

ff_status ffi_c2a_euler(ffi_system *s, const ffi_state *from, double h, ffi_state *to, ff_error *error)
{
  const ff_model *model = s->model;
  ffi_moreau *m = ((ffi_c2a *)s->memory)->look;
  double mark = ffi_phase_begin(s);
  ff_status status = FF_OK;
  set_times(s, h, h, m);

  // Positions with the old velocity.                                                      c2a paper eq. 1
  for (int i = 0; i < model->size.nv; ++i)
    m->way[i] = h * from->v[i];
  ffi_state_advance(s, from, h, &m->mid);
  ffi_state_advance(s, from, h, to);
  m->has_rate = s->def->c2a.scheme == FF_C2A_EXPLICIT;
  if (m->has_rate && (status = explicit_rate(s, from, h, m, error)) != FF_OK)
    return status;
  ffi_path_move(model, from->q, m->way, from->v, m->mid.q, m->mid.v);
  for (int e = 0; e < s->element_count; ++e)
    m->mid.reference[e] += h * m->mid.reference_velocity[e]; // motors see where the next step will be
  m->speed = fastest(s, &m->mid);
  if ((status = ffi_moreau_look(s, from, h, m, error)) != FF_OK)
    return status;
  ffi_phase_end(s, FF_PHASE_CONTACT, &mark);

  // Velocities, through the impact map.                                                   eq. 2 and lines 9-10
  if ((status = ffi_moreau_impulses(s, from, h, m, &mark, error)) != FF_OK)
    return status;
  ffi_moreau_keep(s, m, h, to);
  for (int i = 0; i < model->size.nq; ++i)
    to->q[i] = m->mid.q[i];
  for (int i = 0; i < model->size.nv; ++i)
    to->v[i] = m->problem.u[i];
  ffi_phase_end(s, FF_PHASE_UPDATE, &mark);
  return FF_OK;
}

// Richardson on the joints' groups: in coordinates at the beginning the halves went the way w'', the whole step h v; 2 w'' - h v is of second order.
void ffi_c2a_extrapolate(const ffi_system *s, double h)
{
  const ff_model *model = s->model;
  ffi_c2a *c = s->memory;
  ffi_moreau *m = c->look;
  const int nv = model->size.nv;
  ffi_path_between(model, c->now.q, c->two.q, c->far);
  ffi_path_between(model, c->two.q, c->now.q, c->way);
  ffi_path_move(model, c->two.q, c->way, c->two.v, m->mid.q, c->doubt);
  for (int i = 0; i < nv; ++i)
    c->way[i] = -h * c->now.v[i];
  ffi_path_move(model, c->one.q, c->way, c->one.v, m->mid.q, c->turned);
  for (int i = 0; i < nv; ++i) {
    c->far[i] = 2 * c->far[i] - h * c->now.v[i];
    c->doubt[i] -= c->turned[i];
  }
}

// v* = 2 v'' - v' in the axes of the extrapolated position, m->mid.q.
static void extrapolate_velocity(const ffi_system *s, ffi_moreau *m)
{
  const ff_model *model = s->model;
  const ffi_c2a *c = s->memory;
  ffi_path_move(model, c->now.q, c->far, c->now.v, m->mid.q, m->mid.v);
  ffi_path_between(model, c->one.q, m->mid.q, c->way);
  ffi_path_move(model, c->one.q, c->way, c->one.v, m->mid.q, c->turned);
  ffi_path_between(model, c->two.q, m->mid.q, c->way);
  ffi_path_move(model, c->two.q, c->way, c->two.v, m->mid.q, m->mid.v);
  for (int i = 0; i < model->size.nv; ++i)
    m->mid.v[i] = 2 * m->mid.v[i] - c->turned[i];
}

ff_status ffi_c2a_finish(ffi_system *s, double h, ffi_state *to, ff_error *error)
{
  ffi_c2a *c = s->memory;
  ffi_moreau *m = c->look;
  double mark = ffi_phase_begin(s);
  set_times(s, h, 0, m);
  m->has_rate = m->holds = 0;
  ffi_state_advance(s, &c->now, h, &m->mid);
  ffi_state_advance(s, &c->now, h, to);
  extrapolate_velocity(s, m);
  m->speed = fastest(s, &m->mid);
  ff_status status = ffi_moreau_look(s, &c->two, 0, m, error);
  if (status == FF_OK)
    status = ffi_moreau_impulses(s, &c->two, 0, m, &mark, error);
  if (status != FF_OK)
    return status;
  ffi_moreau_keep(s, m, h, to);
  for (int i = 0; i < to->held_count; ++i)
    to->held[i] = c->two.held[i];
  for (int i = 0; i < s->model->size.nq; ++i)
    to->q[i] = m->mid.q[i];
  for (int i = 0; i < s->model->size.nv; ++i)
    to->v[i] = m->problem.u[i];
  return FF_OK;
}
