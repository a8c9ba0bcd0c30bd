#include "step/frozen/frozen_forces.h"

#include "contact/law/friction_cone.h"
#include "math/vec3.h"
#include "model/model.h"
#include "step/eval/contact_jacobian.h"

#include <math.h>
#include <string.h>

void ffi_frozen_forces_add_elements(const ffi_system *s, const ffi_evaluation *i, ffi_frozen *z, double *f)
{
  for (int k = 0; k < s->model->size.nv; ++k)
    f[k] = s->tau[k] - i->h[k];
  for (int r = 0; r < i->joint_row_count; ++r) {
    const ffi_joint_law_row *row = &i->joint_row[r];
    if (row->K > 0 || row->B > 0)
      ffi_frozen_add_joint(z, row);
    else
      f[row->v] += row->force;
  }
  for (int k = 0; k < i->hold_count; ++k) {
    const ffi_constraint *h = &i->hold[k];
    ffi_frozen_add(z, &h->rows, h->K, h->B, h->x, h->u, h->c);
  }
  z->f = f;
}

// A joint element's mean force within what it can give; returns the change.
static double bound_joint(const ff_element_def *def, const ffi_joint_law_row *row, double force)
{
  double allowed = force;
  if (def->type == FF_ELEMENT_JOINT_PD)
    allowed = fmax(-def->effort, fmin(def->effort, force));
  else
    allowed = row->regime < 0 ? fmax(0, force) : fmin(0, force); // a stop pushes away from itself
  return allowed - force;
}

static int project_contacts(const ffi_evaluation *i, ffi_frozen *z, const int *contact_block, double dt,
                            double *once, double *twice)
{
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
    once[row->v] += change * dt;
    twice[row->v] += change2 * dt * dt / 2;
  }
  return changed;
}

ff_status ffi_frozen_forces_project(ffi_system *s, const ffi_evaluation *i, ffi_frozen *z,
                                    const int *contact_block, double dt, int double_means, double *scratch,
                                    ff_error *error)
{
  const size_t nv = (size_t)z->n;
  double *once = scratch, *twice = scratch + nv;
  memset(scratch, 0, 2 * nv * sizeof *scratch);
  int changed = project_contacts(i, z, contact_block, dt, once, twice);
  changed |= project_joints(s, i, z, dt, once, twice);
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
  if (!double_means)
    for (size_t k = 0; k < nv; ++k)
      z->delta_x[k] = dt / 2 * z->delta_v[k];
  return FF_OK;
}

void ffi_frozen_forces_move(const ffi_system *s, const double *q, const double *v, double dt,
                            const double *dv, const double *dx, double *scratch, double *q_out, double *v_out)
{
  for (int k = 0; k < s->model->size.nv; ++k) {
    scratch[k] = dt * v[k] + dx[k];
    v_out[k] = v[k] + dv[k];
  }
  ff_model_integrate(s->model, q, scratch, q_out);
}
