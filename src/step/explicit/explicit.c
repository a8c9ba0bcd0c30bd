// One evaluation, then v+ = v + dt a and a displacement.                              steppers.md, section 2
#include "step/explicit/explicit.h"

#include "dynamics/one_lane.h"
#include "math/vec3.h"
#include "step/eval/anchor.h"
#include "step/eval/contact_jacobian.h"
#include "step/eval/friction.h"
#include "step/eval/rolling.h"
#include "step/eval/turning.h"
#include "step/system/phase.h"

typedef struct memory {
  double *dq;          // [nv]
  double (*shift)[3];  // [max_contacts] of anchors
  double (*force)[3];  // [max_contacts]
  double (*moment)[3]; // [2 max_contacts] of turning springs
  double *J;           // [3 x stride] scratch
  int *dofs;           // [stride] scratch
} memory;

void *ffi_explicit_layout(const ffi_system *s, ffi_block *block)
{
  const size_t contacts = (size_t)s->max_contacts + 1;
  memory *m = ffi_block_keep(block, 1, sizeof *m);
  memory placed;
  placed.dq = ffi_block_take(block, (size_t)s->model->size.nv, sizeof *placed.dq);
  placed.shift = ffi_block_take(block, contacts, sizeof *placed.shift);
  placed.force = ffi_block_take(block, contacts, sizeof *placed.force);
  placed.moment = ffi_block_take(block, s->turning ? 2 * contacts : 1, sizeof *placed.moment);
  placed.J = ffi_block_take(block, 3 * (size_t)ffi_evaluation_stride(s), sizeof *placed.J);
  placed.dofs = ffi_block_take(block, (size_t)ffi_evaluation_stride(s), sizeof *placed.dofs);
  if (m)
    *m = placed;
  return m;
}

// The anchor of a contact that slips, or does not push, follows the point. The rows and their rate give the travel of
// the point to second order: anchor+ - anchor = (point+ - point) + (e+ - e), where K e + B edot = F with constant F.
//                                                                                       contact.md, eqs 2 and 4
static void slipping_shift(const ffi_contact *c, int stride, const double *v, const double *dq, double dt,
                           double shift[3])
{
  double carried[3], e[3], relaxed[3], F[3], travel[3];
  const double *n = c->near.normal;
  ffi_contact_elongation(c, e);
  ffi_anchor_tangential(n, c->law.force, F);
  ffi_contact_law_relax_anchor(c->K, c->B, dt, F, F, e, relaxed);
  ffi_rows3_times(&c->rows, stride, dq, travel);
  ffi_v3_add_scaled(0.5 * dt * dt, c->c, travel);
  ffi_rows3_times(&c->rows, stride, v, carried); // the ground's own motion does not count
  ffi_v3_sub(carried, c->u, carried);
  ffi_v3_add_scaled(-dt, carried, travel);
  ffi_anchor_tangential(n, travel, travel);
  for (int k = 0; k < 3; ++k)
    shift[k] += travel[k] + relaxed[k] - e[k];
}

// The witness of an ellipsoid creeps by the rotation of the step, not that at its start: the difference adds up to
// dt times the change of the creep, which the large radii of a flat one make as large as other elongations.
static void surface_shift(const ffi_system *s, const ffi_evaluation *start, const ffi_contact *c, double dt,
                          memory *m, double shift[3])
{
  const ffi_contact_jacobian_points points = {c->near.a, c->near.b, c->near.point, c->near.point};
  const ffi_rows3_room room = {m->J, m->dofs, start->stride};
  double turn[3], slide[3], arm[3];
  ffi_rows3 rows;
  ffi_rolling over;
  ffi_contact_jacobian_relative(s, &start->at, &points, 1, &room, &rows);
  ffi_rows3_times(&rows, start->stride, m->dq, turn);
  ffi_rows3_times(&c->rows, start->stride, m->dq, slide);
  const int ground = s->colliders->pairs[c->near.pair].ground;
  if (ground >= 0 && start->at.ground_moves) {
    const double *velocity = start->at.ground_velocity + 6 * ground, sign = c->near.flipped ? dt : -dt;
    double v[3];
    ffi_ground_velocity(&start->at.ground[ground], velocity, c->near.point, v);
    ffi_v3_add_scaled(sign, v, slide);
    ffi_v3_add_scaled(sign, velocity + 3, turn);
  }
  ffi_rolling_set(s, &start->at, &c->near, &over);
  ffi_rolling_creep(&over, c->near.normal, turn, slide, shift);
  ffi_v3_sub(c->anchor, c->near.point, arm); // as ffi_contact.creep
  ffi_v3_add_scaled(dt * ffi_v3_dot(arm, c->near.normal), c->ndot, shift);
}

static void move_anchors(const ffi_system *s, const ffi_evaluation *start, const double *v, double dt,
                         memory *m)
{
  const int has_flags = ffi_stepper_has_slip_flags(s->def);
  for (int i = 0; i < start->count; ++i) {
    const ffi_contact *c = &start->contact[i];
    if (c->near.roll == FFI_ROLL_SURFACE && c->near.pair >= 0)
      surface_shift(s, start, c, dt, m, m->shift[i]);
    else
      ffi_v3_scale(dt, c->creep, m->shift[i]);
    ffi_v3_copy(c->law.force, m->force[i]);
    if (c->law.mode != FF_CONTACT_STICK && !has_flags) // with a slip flag the spring is off
      slipping_shift(c, start->stride, v, m->dq, dt, m->shift[i]);
  }
}

ff_status ffi_explicit_step(ffi_system *s, const ffi_state *from, double dt,
                            ffi_explicit_displacement displacement, ffi_state *to, ff_error *error)
{
  memory *m = s->memory;
  const int nv = s->model->size.nv;
  double mark = ffi_phase_begin(s);
  ffi_evaluation *start = s->present;
  ff_status status = ffi_evaluation_start(s, from, error);
  if (status != FF_OK)
    return status;
  ffi_phase_end(s, FF_PHASE_CONTACT, &mark);
  status = ffi_evaluation_acceleration(s, start, error);
  if (status != FF_OK)
    return status;
  ffi_phase_end(s, FF_PHASE_PREPARE, &mark);

  for (int k = 0; k < nv; ++k)
    to->v[k] = from->v[k] + dt * start->vdot[k];
  displacement(nv, dt, from->v, to->v, m->dq);
  ff_model_integrate(s->model, from->q, m->dq, to->q);
  move_anchors(s, start, from->v, dt, m);
  ffi_state_advance(s, from, dt, to);
  ffi_friction_move(s, start, m->dq, dt, to);
  ffi_turning_move(s, start, &(ffi_turning_motion){from->v, m->dq, dt, m->moment}, to);
  ffi_anchor_store(s, from, start, (const double(*)[3])m->shift, (const double(*)[3])m->force, to);
  s->info->penetration = start->deepest;
  s->info->converged = 1;
  ffi_phase_end(s, FF_PHASE_UPDATE, &mark);
  return FF_OK;
}
