// Forces of contacts and elements in the frozen system. See frozen_forces.h.
#include "step/frozen/frozen_forces.h"

#include "contact/law/friction_cone.h"
#include "dynamics/one_lane.h"
#include "math/vec3.h"
#include "model/model.h"
#include "step/eval/contact_jacobian.h"

#include <math.h>
#include <string.h>

// Joint damping as rows without springs. h has it as a force at the start, which explicit it must not be: with
// c h > 2 M it would blow up.
static void add_joint_damping(const ffi_system *s, const ffi_state *x, const ffi_evaluation *i, ffi_frozen *z,
                              double *f)
{
  const ffi_work *work = i->at.work;
  for (int k = 0; k < work->loaded_count; ++k) {
    const int v = work->loaded[k];
    const double damping = s->model->dof_damping[v];
    if (damping == 0)
      continue;
    ffi_frozen_add_joint(z, &(ffi_joint_law_row){.v = v, .B = damping, .u = x->v[v]});
    f[v] += damping * x->v[v];
  }
}

void ffi_frozen_forces_add_damping(const ffi_system *s, double share, const double *v0, const double *v,
                                   double *f)
{
  const ffi_work *work = s->present->at.work;
  for (int k = 0; k < work->loaded_count; ++k) {
    const int i = work->loaded[k];
    f[i] += share * s->model->dof_damping[i] * (v[i] - v0[i]);
  }
}

void ffi_frozen_forces_add_elements(const ffi_system *s, const ffi_state *x, const ffi_evaluation *i,
                                    ffi_frozen *z, double *f)
{
  for (int k = 0; k < s->model->size.nv; ++k)
    f[k] = s->tau[k] - i->h[k];
  for (int r = 0; r < i->joint_row_count; ++r) {
    const ffi_joint_law_row *row = &i->joint_row[r];
    if (row->K > 0 || row->B > 0)
      ffi_frozen_add_joint(z, row);
    else
      ffi_joint_law_push(row, row->force, f);
  }
  add_joint_damping(s, x, i, z, f);
  for (int k = 0; k < i->constraint_count; ++k) {
    const ffi_constraint *h = &i->constraint[k];
    const double B = h->stops && h->slides ? ffi_v3_norm(h->force) / ffi_v3_norm(h->u) : h->B;
    ffi_frozen_add(z, &(ffi_frozen_spring){&h->rows, h->K, B, h->x, h->u, h->c});
    if (h->slides && !h->stops)
      ffi_rows3_add_transposed(&h->rows, i->stride, h->force, f);
  }
  z->f = f;
}

// Clamp a joint element's mean force to its bounds; returns the change.
static double bound_joint(const ff_element_def *def, const ffi_joint_law_row *row, double force)
{
  double allowed = force;
  if (ffi_joint_law_saturates(def))
    allowed = fmax(-def->effort, fmin(def->effort, force));
  else
    allowed = row->regime < 0 ? fmax(0, force) : fmin(0, force); // a joint limit pushes away from itself
  return allowed - force;
}

// Expo paper eqs 23-26: means on their cones; the change of their impulses to once and twice.
static int project_contacts(const ffi_frozen_forces_projection *p, ffi_frozen *z, double *once, double *twice)
{
  const ffi_evaluation *i = p->at;
  const int *contact_block = p->contact_block;
  const double dt = p->dt;
  int changed = 0;
  for (int k = 0; k < i->count; ++k) {
    if (contact_block[k] < 0)
      continue;
    ffi_frozen_block *b = &z->block[contact_block[k]];
    double before[3], before2[3], change[3], change2[3];
    ffi_v3_copy(b->mean, before);
    ffi_v3_copy(b->double_mean, before2);
    const int hit = ffi_friction_cone_project(i->contact[k].mu, i->contact[k].near.normal, b->mean);
    const int hit2 = ffi_friction_cone_project(i->contact[k].mu, i->contact[k].near.normal, b->double_mean);
    if (!hit && !hit2)
      continue;
    changed = b->was_projected = 1;
    for (int r = 0; r < 3; ++r) {
      change[r] = (b->mean[r] - before[r]) * dt;
      change2[r] = (b->double_mean[r] - before2[r]) * dt * dt / 2;
    }
    ffi_rows3_add_transposed(b->rows, z->stride, change, once);
    ffi_rows3_add_transposed(b->rows, z->stride, change2, twice);
  }
  return changed;
}

static int project_joints(const ffi_system *s, const ffi_evaluation *i, ffi_frozen *z, double dt,
                          double *once, double *twice)
{
  int changed = 0;
  for (int r = 0, j = 0; r < i->joint_row_count; ++r) {
    const ffi_joint_law_row *row = &i->joint_row[r];
    if (!(row->K > 0 || row->B > 0))
      continue;
    const ff_element_def *def = &s->elements[i->joint_row_element[r]].def;
    ffi_frozen_joint *joint = &z->joint[j++];
    const double change = bound_joint(def, row, joint->mean),
                 change2 = bound_joint(def, row, joint->double_mean);
    if (change == 0 && change2 == 0)
      continue;
    changed = 1;
    joint->mean += change;
    joint->double_mean += change2;
    ffi_joint_law_push(row, change * dt, once);
    ffi_joint_law_push(row, change2 * dt * dt / 2, twice);
  }
  return changed;
}

ff_status ffi_frozen_forces_project(ffi_system *s, ffi_frozen *z, const ffi_frozen_forces_projection *p,
                                    ff_error *error)
{
  const size_t nv = (size_t)z->n;
  double *once = p->scratch, *twice = p->scratch + nv;
  memset(p->scratch, 0, 2 * nv * sizeof *p->scratch);
  int changed = project_contacts(p, z, once, twice);
  changed |= project_joints(s, p->at, z, p->dt, once, twice);
  if (changed) {
    const ff_status status = ffi_state_kinematics_factor(s, z->at, error);
    if (status != FF_OK)
      return status;
    z->was_projected = 1;
    s->k->solve(z->at->work, once);
    s->k->solve(z->at->work, twice);
    for (size_t k = 0; k < nv; ++k) {
      z->delta_v[k] += once[k];
      z->delta_x[k] += twice[k];
    }
  }
  if (!p->has_double_means)
    for (size_t k = 0; k < nv; ++k)
      z->delta_x[k] = p->dt / 2 * z->delta_v[k];
  return FF_OK;
}

void ffi_frozen_forces_move(const ffi_system *s, const ffi_state *from, double dt,
                            const ffi_frozen_forces_motion *motion, ffi_state *to)
{
  for (int k = 0; k < s->model->size.nv; ++k) {
    motion->scratch[k] = dt * from->v[k] + motion->dx[k];
    to->v[k] = from->v[k] + motion->dv[k];
  }
  ff_model_integrate(s->model, from->q, motion->scratch, to->q);
}
