// The row of a coupling, and forces that keep rigid couplings in accelerations.
#include "step/eval/coupling.h"

#include "base/fail.h"
#include "dynamics/one_lane.h"
#include "math/dense.h"
#include "math/vec3.h"
#include "model/followers.h"
#include "model/model.h"
#include "step/eval/evaluation.h"

#include <string.h>

// Gaps of rigid couplings decay with this rate [rad/s]: their cause is rounding, and a state that the user set. Slow
// enough for any explicit step that contact allows.
static const double decay = 100;

static int takes_accelerations(const ffi_system *s)
{
  const ff_stepper stepper = s->def->stepper;
  return stepper == FF_STEPPER_EULER || stepper == FF_STEPPER_SYMPLECTIC || stepper == FF_STEPPER_RK4 ||
         stepper == FF_STEPPER_ESS;
}

void ffi_coupling_layout(const ffi_system *s, ffi_block *block, ffi_coupling *out)
{
  ffi_coupling c = {0};
  for (int e = 0; e < s->element_count && takes_accelerations(s); ++e)
    c.most += s->elements[e].def.type == FF_ELEMENT_COUPLING && s->elements[e].def.is_rigid;
  const size_t most = (size_t)c.most, nv = (size_t)s->model->size.nv;
  c.Y = ffi_block_take(block, most * nv, sizeof *c.Y);
  c.A = ffi_block_take(block, most * most, sizeof *c.A);
  c.force = ffi_block_take(block, most, sizeof *c.force);
  *out = c;
}

// ---- The row ------------------------------------------------------------------------------------------------

// dofs in increasing order: the path of the deepest, or the velocities of both lines.
static int list_columns(const ffi_state_kinematics *at, const ff_model *m, const ffi_element *el, int *dofs)
{
  if (el->is_path) {
    const int deepest = ffi_line_deepest(m, &el->line, &el->leader), columns = m->dof_depth[deepest] + 1;
    memcpy(dofs, at->work->path + m->dof_row[deepest], (size_t)columns * sizeof *dofs);
    return columns;
  }
  return ffi_line_merge(&el->line, &el->leader, dofs);
}

static void add_line(const ffi_line *line, double factor, int columns, const int *dofs, double *J)
{
  for (int k = 0, c = 0; k < line->count; ++k) {
    while (c < columns && dofs[c] != line->v[k])
      ++c;
    J[c] += factor * line->weight[k];
  }
}

void ffi_coupling_place(const ffi_system *s, const ffi_state_kinematics *at, const ffi_state *x,
                        const ffi_rows3_room *room, ffi_constraint *c)
{
  const ffi_element *el = &s->elements[c->element];
  double slope, curvature;
  const double leader = ffi_line_position(&el->leader, x->q), rate = ffi_line_rate(&el->leader, x->v);
  const double wanted = ffi_followers_polynomial(el->def.polynomial, leader, &slope, &curvature);
  c->rows = (ffi_rows3){.dof = room->dofs, .J = room->J, .is_path = el->is_path};
  c->rows.columns = list_columns(at, s->model, el, room->dofs);
  memset(room->J, 0, 3 * (size_t)room->stride * sizeof *room->J);
  add_line(&el->line, 1, c->rows.columns, room->dofs, room->J);
  add_line(&el->leader, -slope, c->rows.columns, room->dofs, room->J);
  ffi_v3_set(ffi_line_position(&el->line, x->q) - wanted, 0, 0, c->x);
  ffi_v3_set(ffi_line_rate(&el->line, x->v) - slope * rate, 0, 0, c->u);
  ffi_v3_set(-curvature * rate * rate, 0, 0, c->c);
  c->is_rigid = el->def.is_rigid && takes_accelerations(s);
  c->K = c->is_rigid ? 0 : el->def.stiffness;
  c->B = c->is_rigid ? 0 : el->def.damping;
  ffi_v3_set(-c->K * c->x[0] - c->B * c->u[0], 0, 0, c->force);
}

// ---- Rigid couplings in accelerations -----------------------------------------------------------------------

// Y_k = M^-1 J_k', and the acceleration that coupling k lacks.
static void prepare(const ffi_system *s, ffi_evaluation *i, ffi_constraint *c, int k)
{
  const int nv = s->model->size.nv;
  double *y = i->coupling.Y + (ptrdiff_t)k * nv, now[3];
  memset(y, 0, (size_t)nv * sizeof *y);
  ffi_rows3_add_transposed(&c->rows, i->stride, (const double[3]){1, 0, 0}, y);
  s->k->solve(i->at.work, y);
  ffi_rows3_times(&c->rows, i->stride, i->vdot, now);
  i->coupling.force[k] = -(now[0] + c->c[0] + 2 * decay * c->u[0] + decay * decay * c->x[0]);
}

// Couplings that say the same twice share their force.
static const double softness = 1e-12;

ff_status ffi_coupling_solve(const ffi_system *s, ffi_evaluation *i, ff_error *error)
{
  const int nv = s->model->size.nv;
  ffi_coupling *z = &i->coupling;
  int count = 0;
  for (int k = 0; k < i->constraint_count && z->most > 0; ++k)
    if (i->constraint[k].is_rigid)
      prepare(s, i, &i->constraint[k], count++);
  if (count == 0)
    return FF_OK;
  for (int k = 0, row = 0; k < i->constraint_count; ++k) {
    if (!i->constraint[k].is_rigid)
      continue;
    for (int j = 0; j < count; ++j) {
      double product[3];
      ffi_rows3_times(&i->constraint[k].rows, i->stride, z->Y + (ptrdiff_t)j * nv, product);
      z->A[row * count + j] = product[0] * (row == j ? 1 + softness : 1);
    }
    ++row;
  }
  if (ffi_dense_cholesky(count, count, z->A) != FFI_FACTORED)
    return ffi_fail(error, FF_ERROR_NUMERIC, NULL, 0, "couplings", "the forces of couplings are not finite");
  ffi_dense_cholesky_solve(count, count, z->A, z->force);
  for (int k = 0, row = 0; k < i->constraint_count; ++k) {
    ffi_constraint *c = &i->constraint[k];
    if (!c->is_rigid)
      continue;
    c->force[0] = z->force[row];
    ffi_rows3_add_transposed(&c->rows, i->stride, c->force, i->force);
    for (int v = 0; v < nv; ++v)
      i->vdot[v] += z->force[row] * z->Y[(ptrdiff_t)row * nv + v];
    ++row;
  }
  return FF_OK;
}
