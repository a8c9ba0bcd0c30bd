// The working memory of steps in lanes in one block, and their table.
#include "step/lanes/kernels/lane_variant.h"

#include "model/model.h"
#include "step/system/parameters.h"

static ffi_work *lay_out_dynamics(const ff_model *m, ffi_block *block)
{
  ffi_work *work = ffi_block_keep(block, 1, sizeof *work);
  void *arrays = ffi_block_keep(block, 1, FFI_KERNEL(layout)(m, 1, NULL, NULL));
  if (work)
    FFI_KERNEL(layout)(m, 1, arrays, work);
  return work;
}

// TAKE(name, n): room for n numbers of each lane.
#define TAKE(name, count) (x.name = ffi_block_take(block, (size_t)(count), sizeof *x.name))

// Features, motors and stops: what does not change, and what parameters set, which stays from pass to pass.
static void list_parts(const ffi_lane_plan *plan, real *J, ffi_lane_work *w)
{
  const ff_model *m = w->model;
  const size_t rows = 3 * (size_t)m->max_depth;
  for (int i = 0; i < plan->feature_count; ++i) {
    const ffi_body *body = &m->bodies[plan->feature[i].body];
    w->spot[i].feature = &plan->feature[i];
    w->spot[i].columns = body->depth;
    w->spot[i].dof = w->dynamics->path + m->dof_row[body->v + body->nv - 1];
    w->contact[i].J = J + 2 * (size_t)i * rows;
    w->contact[i].J_end = J + (2 * (size_t)i + 1) * rows;
    ffi_work_keep_motion(w->dynamics, plan->feature[i].body);
  }
  for (int i = 0; i < plan->motor_count; ++i) {
    w->spring[i].q = plan->motor[i].q;
    w->spring[i].v = plan->motor[i].v;
  }
  for (int i = 0; i < plan->stop_count; ++i) {
    w->stop[i].q = plan->stop[i].q;
    w->stop[i].v = plan->stop[i].v;
    const ff_element_def *def = &plan->world->elements[plan->stop[i].element].def;
    w->stop[i].lower = splat(def->lower);
    w->stop[i].upper = splat(def->upper);
  }
  for (int b = 1; b < m->body_count; ++b)
    for (int k = 0; k < m->bodies[b].nv; ++k)
      w->dof_end[m->bodies[b].v + k] = m->bodies[b].v_end;
}

static ffi_lane_work *lay_out(const ffi_lane_plan *plan, ffi_block *block)
{
  const ff_model *m = &plan->world->nominal->model;
  const size_t nq = (size_t)m->size.nq, nv = (size_t)m->size.nv, entries = (size_t)m->dof_row[nv];
  const size_t features = (size_t)plan->feature_count;
  ffi_lane_work *w = ffi_block_keep(block, 1, sizeof *w);
  ffi_lane_work x = {.plan = plan, .model = m, .entries = (int)entries};
  x.dynamics = lay_out_dynamics(m, block);
  x.dof_end = ffi_block_keep(block, nv, sizeof *x.dof_end);
  x.spot = ffi_block_keep(block, features, sizeof *x.spot);
  x.contact = ffi_block_keep(block, features, sizeof *x.contact);
  x.spring = ffi_block_keep(block, (size_t)plan->motor_count, sizeof *x.spring);
  x.stop = ffi_block_keep(block, (size_t)plan->stop_count, sizeof *x.stop);
  TAKE(q, nq), TAKE(v, nv), TAKE(tau, nv), TAKE(q_end, nq), TAKE(v_end, nv), TAKE(xi, nv);
  TAKE(h, nv), TAKE(h_end, nv), TAKE(h_mid, nv), TAKE(f, nv), TAKE(f1, nv);
  TAKE(M, entries), TAKE(L, entries), TAKE(G_K, entries), TAKE(G_B, entries), TAKE(S, 8 * entries);
  TAKE(impedance, 2 * nv), TAKE(inverse, 8 * nv);
  TAKE(alpha, 8 * nv), TAKE(V, 4 * nv), TAKE(A, 4 * nv), TAKE(E, 4 * nv);
  TAKE(delta_v, nv), TAKE(delta_x, nv), TAKE(predicted_v, nv), TAKE(predicted_x, nv);
  TAKE(acceleration, nv), TAKE(scratch, nv);
  TAKE(gap, features), TAKE(gap_end, features), TAKE(place, features), TAKE(place_end, features);
  TAKE(kept, features);
  TAKE(normal, plan->plane_count), TAKE(height, plan->plane_count);
  real *J = ffi_block_take(block, 6 * features * (size_t)m->max_depth, sizeof *J);
  if (!w)
    return NULL;
  *w = x;
  if (plan->feature || features == 0)
    list_parts(plan, J, w);
  return w;
}

extern const ffi_lane_kernels FFI_KERNEL(lane_kernels);

const ffi_lane_kernels FFI_KERNEL(lane_kernels) = {
    .lanes = FFI_LANES,
    .layout = lay_out,
    .step = FFI_KERNEL(lane_step),
};
