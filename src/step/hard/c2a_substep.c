// Euler steps with their impact map, and the extrapolation from them. c2a.md, sections 1 and 3
#include "dynamics/one_lane.h"
#include "dynamics/straight_path.h"
#include "math/vec3.h"
#include "step/hard/c2a.h"
#include "step/system/phase.h"

#include <math.h>

// Linear and angular speed of a joint's own velocity, and the distance of its origin from its parent's.
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

// Largest speed of any point of ground that shapes within `far` of the world's origin can touch. Turning ground is
// faster away from its own origin, and a plane has no end.
static double ground_speed(const ffi_system *s, const ffi_state *x, double far)
{
  double most = 0;
  for (int i = 0; i < s->colliders->count; ++i) {
    const ffi_collider *p = &s->colliders->items[i];
    if (p->ground < 0)
      continue;
    const double *velocity = x->ground_velocity + 6 * p->ground;
    const double arm =
        fmin(ffi_v3_norm(p->in.p) + p->solid.radius, ffi_v3_norm(x->ground[p->ground].p) + far);
    most = fmax(most, ffi_v3_norm(velocity) + ffi_v3_norm(velocity + 3) * arm);
  }
  return most;
}

// An upper bound on how fast two points of shapes close a gap: twice the largest speed, in any posture.
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
  for (int i = 0; i < s->colliders->count; ++i) {
    const ffi_collider *p = &s->colliders->items[i];
    if (p->body == 0 || !isfinite(p->solid.radius))
      continue;
    const double size = ffi_v3_norm(p->in.p) + p->solid.radius;
    most = fmax(most, rate[p->body].speed + rate[p->body].turn * size);
    far = fmax(far, rate[p->body].far + size);
  }
  return 2 * fmax(most, ground_speed(s, x, far));
}

// Velocity change by tau and bias forces at the beginning, in the axes of the end.
static ff_status explicit_change(ffi_system *s, const ffi_state *from, double h, double *change,
                                 ff_error *error)
{
  const ff_model *model = s->model;
  ffi_c2a *c = s->memory;
  ffi_work *work = ffi_state_kinematics_spare_work(s);
  s->k->transforms(work, from->q);
  s->k->kinematics(work, NULL, NULL);
  ffi_hard_step_coast(model, from->v, c->turned);
  s->k->rnea(work, from->v, c->turned, change);
  s->k->crba(work);
  const ff_status status = ffi_state_kinematics_factor_work(s, work, error);
  if (status != FF_OK)
    return status;
  for (int i = 0; i < model->size.nv; ++i)
    change[i] = h * (s->tau[i] - change[i]);
  s->k->solve(work, change);
  ffi_straight_path_move(model, from->q, c->delta, change, c->at, change);
  return FF_OK;
}

ffi_hard_step_request ffi_c2a_substep_request(const ffi_system *s, const ffi_state *from, double h, double dt)
{
  return (ffi_hard_step_request){
      .from = from,
      .advances = 1,
      .dt = dt,
      .span = h,
      .ahead = dt,
      .horizon = fmin(s->def->c2a.h_min, s->def->dt), // no substep is longer than dt
      .skin = s->def->c2a.skin,
      .restitution = 1,
      .solver = {
          .method = FFI_HARD_STEP_REQUEST_IMPACT, .hard = &s->def->moreau, .impact = &s->def->c2a.impact}};
}

// Evaluate the state in substep->evaluation.state and find the impulses there. `to` gets contacts, forces, position
// and velocity after it. change: see ffi_hard_step_request.velocity_change.
static ff_status solve_velocity(ffi_system *s, const ffi_hard_step_request *request, const double *change,
                                ffi_state *to, ff_error *error)
{
  ffi_hard_step *m = ((const ffi_c2a *)s->memory)->substep;
  ff_step_info *info = s->info;
  double mark = ffi_phase_begin(s);
  ff_status status = ffi_c2a_tries_count(s, error);
  if (status != FF_OK)
    return status;
  ffi_hard_step_request ask = *request;
  ask.reach = ffi_hard_step_contacts_reach(request, fastest(s, m->evaluation.state));
  ask.velocity_change = change;
  status = ffi_hard_step_evaluation_at(s, &ask, &m->evaluation, error);
  if (status != FF_OK)
    return status;
  ffi_phase_end(s, FF_PHASE_CONTACT, &mark);
  ffi_hard_step_problem_result result;
  ffi_hard_step_contacts_begin(s, &m->evaluation, &m->problem);
  status = ffi_hard_step_impulses(s, &ask, &m->problem, &mark, &result, error);
  ffi_hard_step_impulses_report(&result, info);
  info->alpha = result.alpha;
  if (status != FF_OK)
    return status;
  ffi_hard_step_impulses_store(s, &ask, &m->problem,
                               to); // slipping contacts are counted when the step of the sim ends
  for (int i = 0; i < s->model->size.nq; ++i)
    to->q[i] = m->evaluation.state->q[i];
  for (int i = 0; i < s->model->size.nv; ++i)
    to->v[i] = m->problem.hard.u[i];
  ffi_phase_end(s, FF_PHASE_UPDATE, &mark);
  return FF_OK;
}

ff_status ffi_c2a_substep_euler(ffi_system *s, const ffi_hard_step_request *request, ffi_state *to,
                                ff_error *error)
{
  ffi_c2a *c = s->memory;
  const ffi_state *from = request->from;
  const double h = request->dt, *change = NULL;
  ffi_state *end = c->substep->evaluation.state;

  // Positions with the old velocity.                                                      c2a paper eq. 1
  double mark = ffi_phase_begin(s);
  for (int i = 0; i < s->model->size.nv; ++i)
    c->delta[i] = h * from->v[i];
  ffi_state_advance(s, from, h, end);
  ffi_state_advance(s, from, h, to);
  if (s->def->c2a.scheme == FF_C2A_EXPLICIT) {
    const ff_status status = explicit_change(s, from, h, c->change, error);
    if (status != FF_OK)
      return status;
    change = c->change;
  }
  ffi_straight_path_move(s->model, from->q, c->delta, from->v, end->q, end->v);
  for (int e = 0; e < s->element_count; ++e)
    end->reference[e] += h * end->reference_velocity[e]; // motors see where the next step will be
  ffi_phase_end(s, FF_PHASE_CONTACT, &mark);

  // Velocities, through the impact map.                                                   eq. 2 and lines 9-10
  return solve_velocity(s, request, change, to, error);
}

// Richardson extrapolation on the joints' groups. In coordinates at the beginning the halves went w'', the whole step
// h v; 2 w'' - h v is of second order.                                                   c2a.md, section 3
void ffi_c2a_substep_extrapolate(const ffi_system *s, double h)
{
  const ff_model *model = s->model;
  ffi_c2a *c = s->memory;
  const int nv = model->size.nv;
  ffi_straight_path_between(model, c->now->q, c->two->q, c->displacement);
  ffi_straight_path_between(model, c->two->q, c->now->q, c->delta);
  ffi_straight_path_move(model, c->two->q, c->delta, c->two->v, c->at, c->velocity_error);
  for (int i = 0; i < nv; ++i)
    c->delta[i] = -h * c->now->v[i];
  ffi_straight_path_move(model, c->one->q, c->delta, c->one->v, c->at, c->turned);
  for (int i = 0; i < nv; ++i) {
    c->displacement[i] = 2 * c->displacement[i] - h * c->now->v[i];
    c->velocity_error[i] -= c->turned[i];
  }
}

// The extrapolated position, and v* = 2 v'' - v' in its axes. All three displacements lead there, up to rounding; the
// position and its axes are those of the last.
static void extrapolate_state(const ffi_system *s, ffi_state *out)
{
  const ff_model *model = s->model;
  const ffi_c2a *c = s->memory;
  ffi_straight_path_move(model, c->now->q, c->displacement, c->now->v, out->q, out->v);
  ffi_straight_path_between(model, c->one->q, out->q, c->delta);
  ffi_straight_path_move(model, c->one->q, c->delta, c->one->v, out->q, c->turned);
  ffi_straight_path_between(model, c->two->q, out->q, c->delta);
  ffi_straight_path_move(model, c->two->q, c->delta, c->two->v, out->q, out->v);
  for (int i = 0; i < model->size.nv; ++i)
    out->v[i] = 2 * out->v[i] - c->turned[i];
}

ff_status ffi_c2a_substep_finish(ffi_system *s, const ffi_hard_step_request *request, ffi_state *to,
                                 ff_error *error)
{
  ffi_c2a *c = s->memory;
  ffi_state *end = c->substep->evaluation.state;
  ffi_state_advance(s, c->now, request->span, end);
  ffi_state_advance(s, c->now, request->span, to);
  extrapolate_state(s, end);
  const ff_status status = solve_velocity(s, request, NULL, to, error);
  for (int i = 0; i < to->element_force_count && status == FF_OK; ++i)
    to->element_force[i] = c->two->element_force[i];
  return status;
}
