// Stiffness and damping of the fastest motion of the present contacts and elements, which limit dt of explicit
// steppers.
#include "math/eigen3.h"
#include "math/vec3.h"
#include "model/model.h"
#include "sim/sim.h"

// y = J' D J x, D being the stiffness or the damping of each row.
static void apply(const ff_sim *sim, int is_damping, const double *x, double *y)
{
  const ffi_evaluation *r = &sim->present;
  double along[3];
  for (int i = 0; i < sim->system->model->size.nv; ++i)
    y[i] = 0;
  for (int i = 0; i < r->count; ++i) {
    const ffi_contact *c = &r->contact[i];
    ffi_rows3_times(&c->rows, r->stride, x, along);
    ffi_v3_scale(is_damping ? c->B : c->K, along, along);
    ffi_rows3_add_transposed(&c->rows, r->stride, along, y);
  }
  for (int i = 0; i < r->constraint_count; ++i) {
    const ffi_constraint *h = &r->constraint[i];
    ffi_rows3_times(&h->rows, r->stride, x, along);
    ffi_v3_scale(is_damping ? h->B : h->K, along, along);
    ffi_rows3_add_transposed(&h->rows, r->stride, along, y);
  }
  for (int i = 0; i < r->joint_row_count; ++i) {
    const ffi_joint_law_row *row = &r->joint_row[i];
    ffi_joint_law_push(row, (is_damping ? row->B : row->K) * ffi_joint_law_rate(row, x), y);
  }
}

// Largest eigenvalue of M^-1 J' D J by power iteration. Thirty iterations are within a few percent unless two
// eigenvalues are close, and then either will do.
static double largest(ff_sim *sim, int is_damping)
{
  const int nv = sim->system->model->size.nv;
  double *x = sim->workspace->change, *y = sim->workspace->other, value = 0;
  for (int i = 0; i < nv; ++i)
    x[i] = 1 + 0.1 * (i % 7); // any vector that is hardly orthogonal to the eigenvector
  for (int iteration = 0; iteration < 30; ++iteration) {
    double size = 0, grown = 0;
    apply(sim, is_damping, x, y);
    sim->system->k->solve(sim->present.at.work, y);
    for (int i = 0; i < nv; ++i) {
      size += x[i] * x[i];
      grown += y[i] * y[i];
    }
    if (!(grown > 0) || !isfinite(grown))
      return 0;
    value = sqrt(grown / size);
    for (int i = 0; i < nv; ++i)
      x[i] = y[i] / value;
  }
  return value;
}

// Largest eigenvalue of J M^-1 J' at the middle of a shape: its inverse apparent mass [1/kg].
static double lightness(const ff_sim *sim, int shape)
{
  const ff_shape_info *info = &sim->system->model->shapes[shape];
  ff_point point = {.frame = info->frame};
  ffi_v3_copy(info->def.pose.position, point.offset);
  double U[9], values[3];
  sim->system->k->delassus(sim->present.at.work, 1, &point, U);
  ffi_eigen3((const double[6]){U[0], U[1], U[2], U[4], U[5], U[8]}, values);
  return values[2];
}

// Nothing touches now: stiffness and damping of the stiffest pair if it did.
static void assume_contact(const ff_sim *sim, double *stiffness, double *damping)
{
  const ffi_colliders *colliders = sim->system->colliders;
  for (int i = 0; i < colliders->pair_count; ++i) {
    const ffi_collider_pair *pair = &colliders->pairs[i];
    double light = lightness(sim, pair->shape_a);
    if (pair->shape_b >= 0)
      light += lightness(sim, pair->shape_b);
    *stiffness = fmax(*stiffness, light * sim->system->materials[i].stiffness);
    *damping = fmax(*damping, light * sim->system->materials[i].damping);
  }
}

void ffi_sim_stiffness(ff_sim *sim, double *stiffness, double *damping)
{
  *stiffness = *damping = 0;
  if (ffi_evaluation_acceleration(sim->system, ffi_sim_state_present(sim), NULL) != FF_OK)
    return;
  *stiffness = largest(sim, 0);
  *damping = largest(sim, 1);
  if (sim->present.count == 0)
    assume_contact(sim, stiffness, damping);
}
