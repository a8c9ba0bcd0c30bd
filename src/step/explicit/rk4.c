// The classical Runge-Kutta method of order 4, on the group of configurations (Munthe-Kaas; steppers.md, section 3).
// Its state is
//
//   x [nv]   displacement from where the step begins, q = q0 (+) x; its rate is in group_rate.h
//   v [nv]   velocity
//   anchors  of the contacts, see rk4_anchor.h
//   springs  of dry friction, see rk4_spring.h; of torsional and rolling friction, see rk4_turning.h
//
// Contacts are those of the step's start. References of elements and ground move to the time of each stage. While no
// contact changes between sticking and slipping, the order is 4.
#include "dynamics/one_lane.h"
#include "step/eval/anchor.h"
#include "step/explicit/group_rate.h"
#include "step/explicit/rk4_anchor.h"
#include "step/explicit/rk4_spring.h"
#include "step/explicit/rk4_turning.h"
#include "step/system/phase.h"

enum { STAGES = 4 };
// Where a stage is, and how much of the slope before leads there.
static const double node[STAGES] = {0, 0.5, 0.5, 1};
static const double weight[STAGES] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};

typedef struct memory {
  ffi_evaluation *now; // of the present stage: the present evaluation of the system
  double mark;         // see phase.h
  ffi_state *x;
  double *displacement, *rate; // [nv] of the present stage
  double *rate_sum, *vdot_sum; // [nv] weighted
  ffi_rk4_anchor *anchor;      // [max_contacts]
  ffi_rk4_spring *spring;      // [law_count] of dry friction
  ffi_rk4_turning *turning;    // [2 max_contacts] if there is any
  double (*moment)[3];         // [2 max_contacts] scratch of it
} memory;

static void *layout(const ffi_system *s, ffi_block *block)
{
  const size_t nv = (size_t)s->model->size.nv;
  memory *m = ffi_block_keep(block, 1, sizeof *m);
  memory placed = {.x = ffi_state_layout(s, block)};
  placed.displacement = ffi_block_take(block, nv, sizeof(double));
  placed.rate = ffi_block_take(block, nv, sizeof(double));
  placed.rate_sum = ffi_block_take(block, nv, sizeof(double));
  placed.vdot_sum = ffi_block_take(block, nv, sizeof(double));
  placed.spring = ffi_block_take(block, (size_t)s->law_count + 1, sizeof *placed.spring);
  placed.anchor = ffi_block_take(block, (size_t)s->max_contacts + 1, sizeof *placed.anchor);
  const size_t blocks = s->turning ? 2 * (size_t)s->max_contacts + 2 : 1;
  placed.turning = ffi_block_take(block, blocks, sizeof *placed.turning);
  placed.moment = ffi_block_take(block, blocks, sizeof *placed.moment);
  if (m)
    *m = placed;
  return m;
}

// The state of a stage, from the slopes of the one before.
static void place_stage(ffi_system *s, const ffi_state *from, double h, memory *m)
{
  const int nv = s->model->size.nv;
  for (int k = 0; k < nv; ++k) {
    m->displacement[k] = h * m->rate[k];
    m->x->v[k] = from->v[k] + h * m->now->vdot[k];
  }
  ff_model_integrate(s->model, from->q, m->displacement, m->x->q);
  ffi_state_advance(s, from, h, m->x);
  ffi_rk4_anchor_at(m->anchor, h, m->x);
  ffi_rk4_spring_at(s, m->spring, h, m->x);
  ffi_rk4_turning_at(s, m->now, m->turning, h, m->moment, m->x);
}

static ff_status take_stage(ffi_system *s, const ffi_state *from, double dt, int stage, memory *m,
                            ff_error *error)
{
  const int nv = s->model->size.nv;
  if (stage > 0)
    place_stage(s, from, node[stage] * dt, m);
  const ffi_state *x = stage > 0 ? m->x : from;
  ff_status status = stage > 0 ? ffi_evaluation_at(s, x, FFI_EVALUATION_FIXED, m->now, error)
                               : ffi_evaluation_start(s, from, error);
  if (status != FF_OK)
    return status;
  ffi_phase_end(s, FF_PHASE_CONTACT, &m->mark);
  status = ffi_evaluation_acceleration(s, m->now, error);
  if (status != FF_OK)
    return status;
  ffi_phase_end(s, FF_PHASE_PREPARE, &m->mark);
  if (stage == 0)
    ffi_rk4_anchor_begin(s, from, m->now, dt, m->anchor, m->x);
  if (stage == 0)
    ffi_rk4_spring_begin(s, from, dt, m->spring);
  if (stage == 0)
    ffi_rk4_turning_begin(s, m->now, m->turning);
  for (int k = 0; stage == 0 && k < nv; ++k)
    m->displacement[k] = m->rate_sum[k] = m->vdot_sum[k] = 0;
  ffi_group_rate(s->model, m->displacement, x->v, m->rate);
  for (int k = 0; k < nv; ++k) {
    m->rate_sum[k] += weight[stage] * m->rate[k];
    m->vdot_sum[k] += weight[stage] * m->now->vdot[k];
  }
  ffi_rk4_anchor_stage(s, m->now, weight[stage], m->anchor);
  ffi_rk4_spring_stage(s, m->now, weight[stage], m->spring);
  ffi_rk4_turning_stage(s, m->now, weight[stage], dt, m->turning);
  ffi_phase_end(s, FF_PHASE_INTEGRAL, &m->mark);
  return FF_OK;
}

static ff_status step(ffi_system *s, const ffi_state *from, double dt, ffi_state *to, ff_error *error)
{
  memory *m = s->memory;
  m->mark = ffi_phase_begin(s);
  m->now = s->present;
  for (int stage = 0; stage < STAGES; ++stage) {
    const ff_status status = take_stage(s, from, dt, stage, m, error);
    if (status != FF_OK)
      return status;
  }
  for (int k = 0; k < s->model->size.nv; ++k) {
    m->displacement[k] = dt * m->rate_sum[k];
    to->v[k] = from->v[k] + dt * m->vdot_sum[k];
  }
  ff_model_integrate(s->model, from->q, m->displacement, to->q);
  ffi_state_advance(s, from, dt, to);
  ffi_rk4_anchor_end(s, m->now, dt, m->anchor, m->x, to);
  ffi_rk4_spring_end(s, dt, m->spring, to);
  ffi_rk4_turning_end(s, m->now, m->turning, dt, m->moment, to);
  s->info->penetration = m->now->deepest;
  s->info->converged = 1;
  ffi_phase_end(s, FF_PHASE_UPDATE, &m->mark);
  return FF_OK;
}

const ffi_stepper ffi_rk4_stepper = {.layout = layout, .step = step};
