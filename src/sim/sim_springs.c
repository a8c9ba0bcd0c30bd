// Springs of dry friction and rigid couplings.                                 docs/theory/joint-friction.md, section 3
#include "sim/sim_springs.h"

#include "base/fail.h"
#include "dynamics/one_lane.h"
#include "model/followers.h"
#include "step/eval/state_kinematics.h"
#include "step/step_kernels.h"

#include <assert.h>
#include <stdlib.h>

// Natural frequencies of the springs, with the inertia that they feel [rad/s]. Friction: steps of explicit methods up
// to 1 ms are stable, and what holds a robot against gravity gives by some 1e-5 rad. Couplings: only steppers that are
// stable with any stiffness take it.
static const double friction_frequency = 1e3, coupling_frequency = 1e4;

// Damping ratios. Friction: explicit Euler needs more than half of its frequency times dt, symplectic Euler less than
// 0.75 where that is 1.
static const double friction_damping = 0.7, coupling_damping = 1;

// Inertia where M is singular at the neutral configuration [kg m^2] or [kg].
static const double unknown_inertia = 1e-3;

typedef struct memory {
  ffi_work *work;
  double *q;      // [nq]
  double *room;   // [nv][4]
  double *half;   // [nv][4]
  double *weight; // [most]
  int *dof;       // [most]
} memory;

static memory layout(const ffi_system *s, ffi_block *block)
{
  const size_t nv = (size_t)s->model->size.nv, most = nv + 2 * FF_MAX_TENDON_JOINTS;
  memory m = {.work = ffi_state_kinematics_layout_work(s, block)};
  m.q = ffi_block_take(block, (size_t)s->model->size.nq, sizeof *m.q);
  m.room = ffi_block_take(block, 4 * nv, sizeof *m.room);
  m.half = ffi_block_take(block, 4 * nv, sizeof *m.half);
  m.weight = ffi_block_take(block, most, sizeof *m.weight);
  m.dof = ffi_block_take(block, most, sizeof *m.dof);
  return m;
}

static int has_spring(const ffi_element *el)
{
  return el->def.type == FF_ELEMENT_JOINT_FRICTION || el->def.type == FF_ELEMENT_COUPLING;
}

// M at the neutral configuration, followers in place; 0: it is singular there.
static int factor_neutral(const ffi_system *s, memory *m)
{
  ff_model_neutral(s->model, m->q);
  for (int e = 0; e < s->element_count; ++e)
    if (s->elements[e].def.type == FF_ELEMENT_COUPLING)
      ffi_followers_place(s->model, &s->elements[e].def, m->q, NULL);
  s->k->transforms(m->work, m->q);
  s->k->crba(m->work);
  return ffi_state_kinematics_factor_work(s, m->work, NULL) == FF_OK;
}

// 1 / (J M^-1 J') of an element's row.
static double inertia_of(const ffi_system *s, const memory *m, const ffi_element *el)
{
  double slope = 0, G[4] = {0};
  if (el->def.type == FF_ELEMENT_COUPLING)
    ffi_followers_polynomial(el->def.polynomial, ffi_line_position(&el->leader, m->q), &slope, NULL);
  const int columns = ffi_line_merge(&el->line, &el->leader, m->dof);
  for (int k = 0; k < columns; ++k)
    m->weight[k] = ffi_line_weight(&el->line, m->dof[k]) - slope * ffi_line_weight(&el->leader, m->dof[k]);
  ffi_step_kernels_half h = {.rows = 1, .count = el->reach_count, .path = el->reach, .Z = m->half};
  if (el->is_path) {
    const int deepest = ffi_line_deepest(s->model, &el->line, &el->leader);
    h.count = s->model->dof_depth[deepest] + 1;
    h.path = m->work->path + s->model->dof_row[deepest];
  }
  h.is_path = s->model->dof_depth[h.path[h.count - 1]] == h.count - 1;
  h.tree[0] = m->work->path[s->model->dof_row[h.path[0]]];
  h.tree[1] = m->work->path[s->model->dof_row[h.path[h.count - 1]]];
  s->step_k->half_rows(m->work, m->weight, columns, m->dof, &h, m->room);
  s->step_k->couple_rows(m->work, 1, &h, G, 4);
  return G[0] > 0 && isfinite(G[0]) ? 1 / G[0] : unknown_inertia;
}

static void choose(ffi_element *el, double inertia)
{
  ff_element_def *def = &el->def;
  const int is_coupling = def->type == FF_ELEMENT_COUPLING;
  const double w = is_coupling ? coupling_frequency : friction_frequency;
  const double ratio = is_coupling ? coupling_damping : friction_damping;
  if (is_coupling && def->stiffness == 0 && def->damping == 0)
    def->is_rigid = 1;
  if (is_coupling && !def->is_rigid)
    return;
  if (def->stiffness == 0)
    def->stiffness = inertia * w * w;
  if (def->damping == 0)
    def->damping = 2 * ratio * inertia * w;
}

ff_status ffi_sim_springs_choose(ff_world *world, ff_error *error)
{
  int count = 0;
  for (int e = 0; e < world->law_count; ++e)
    count += has_spring(&world->elements[e]);
  if (count == 0)
    return FF_OK;
  const ffi_system s = ffi_system_of(world);
  ffi_block measure = {0};
  layout(&s, &measure);
  char *bytes = calloc(1, ffi_block_bytes(&measure));
  if (!bytes)
    return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, "ff_world_create", "no memory for %d springs", count);
  ffi_block block = ffi_block_in(bytes, &measure);
  memory m = layout(&s, &block);
  assert(m.q && m.dof);
  const int is_regular = factor_neutral(&s, &m);
  for (int e = 0; e < world->law_count; ++e) {
    if (!has_spring(&world->elements[e]))
      continue;
    choose(&world->elements[e], is_regular ? inertia_of(&s, &m, &world->elements[e]) : unknown_inertia);
    world->nominal->elements[e].def = world->elements[e].def;
  }
  ffi_parameters_pack(world, world->nominal);
  free(bytes);
  return FF_OK;
}
