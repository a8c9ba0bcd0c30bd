// The public object: a workspace and the kernels that fit the machine.
#include "base/fail.h"
#include "dynamics/kernels.h"
#include "model/model.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

// Of one call: their dense matrix J M^-1 J' alone would take 7 GB.
enum { MOST_POINTS = 10000 };

struct ff_dynamics {
  const ffi_kernels *k;
  const ff_model *model;
  ffi_work *work;
  int max_points;
};

ff_dynamics_def ff_dynamics_def_default(void)
{
  return (ff_dynamics_def){.lanes = 1, .isa = FF_ISA_AUTO, .max_points = 64};
}

// Also replaces FF_ISA_AUTO by what it stands for.
static ff_status check(const ff_model *model, ff_dynamics_def *def, ff_error *error)
{
  if (!model)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_dynamics_create", "the model is NULL");
  if (def->max_points < 0 || def->max_points > MOST_POINTS)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_dynamics_create",
                    "max_points is %d, not within 0..%d", def->max_points, MOST_POINTS);
  const ff_status status = ff_isa_resolve(def->isa, &def->isa, error);
  if (status != FF_OK)
    return status;
  const int wide = ffi_isa_kernels(def->isa, FF_LANES_WIDE)->lanes;
  if (def->lanes != 1 && def->lanes != FF_LANES_WIDE && def->lanes != wide)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_dynamics_create",
                    "lanes is %d; it can be 1 or FF_LANES_WIDE (%d here)", def->lanes, wide);
  return FF_OK;
}

// "The q of the last call" before there was one: neutral.
static int start_neutral(ff_dynamics *d)
{
  const int nq = d->model->size.nq, lanes = d->k->lanes;
  double *q = malloc(((size_t)nq + 1) * (size_t)(lanes + 1) * sizeof *q), *wide = q + nq;
  if (!q)
    return 0;
  ff_model_neutral(d->model, q);
  for (int i = 0; i < nq; ++i)
    for (int lane = 0; lane < lanes; ++lane)
      wide[i * lanes + lane] = q[i];
  d->k->transforms(d->work, wide);
  d->k->kinematics(d->work, NULL, NULL);
  free(q);
  return 1;
}

ff_status ff_dynamics_create(const ff_model *model, const ff_dynamics_def *def, ff_dynamics **out,
                             ff_error *error)
{
  if (!out)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_dynamics_create", "`out` is NULL");
  *out = NULL;
  ff_dynamics_def checked = def ? *def : ff_dynamics_def_default();
  def = &checked;
  const ff_status status = check(model, &checked, error);
  if (status != FF_OK)
    return status;

  const ffi_kernels *k = ffi_isa_kernels(def->isa, def->lanes);
  const size_t head = (sizeof(ff_dynamics) + 63) / 64 * 64, work = (k->work_size + 63) / 64 * 64;
  const size_t arrays = k->layout(model, def->max_points, NULL, NULL);
  char *block = aligned_alloc(64, head + work + arrays);
  if (!block)
    return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, "ff_dynamics_create",
                    "no memory for a workspace of %zu bytes", head + work + arrays);
  ff_dynamics *d = (ff_dynamics *)(void *)block;
  d->k = k;
  d->model = model;
  d->work = (ffi_work *)(void *)(block + head);
  d->max_points = def->max_points;
  k->layout(model, def->max_points, block + head + work, d->work);
  if (!start_neutral(d)) {
    free(block);
    return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, "ff_dynamics_create", "no memory for a configuration");
  }
  *out = d;
  return FF_OK;
}

void ff_dynamics_destroy(ff_dynamics *dynamics)
{
  free(dynamics);
}

int ff_dynamics_lanes(const ff_dynamics *d)
{
  return d->k->lanes;
}

ff_isa ff_dynamics_isa(const ff_dynamics *d)
{
  return d->k->isa;
}

static void use(ff_dynamics *d, const double *q)
{
  if (q)
    d->k->transforms(d->work, q);
}

void ff_dynamics_kinematics(ff_dynamics *d, const double *q, const double *v, const double *vdot)
{
  assert(v || !vdot);
  use(d, q);
  d->k->kinematics(d->work, v, vdot);
}

void ff_dynamics_frame_pose(const ff_dynamics *d, int frame, double *position, double *R)
{
  assert(frame >= 0 && frame < d->model->size.frames);
  d->k->frame_pose(d->work, frame, position, R);
}

void ff_dynamics_frame_velocity(const ff_dynamics *d, int frame, ff_axes axes, double *velocity)
{
  assert(frame >= 0 && frame < d->model->size.frames);
  d->k->frame_velocity(d->work, frame, axes, velocity);
}

void ff_dynamics_frame_acceleration(const ff_dynamics *d, int frame, ff_axes axes, double *acceleration)
{
  assert(frame >= 0 && frame < d->model->size.frames);
  d->k->frame_acceleration(d->work, frame, axes, 1, acceleration);
}

void ff_dynamics_frame_bias(const ff_dynamics *d, int frame, ff_axes axes, double *bias)
{
  assert(frame >= 0 && frame < d->model->size.frames);
  d->k->frame_acceleration(d->work, frame, axes, 0, bias);
}

void ff_dynamics_frame_jacobian(const ff_dynamics *d, int frame, ff_axes axes, double *J)
{
  assert(frame >= 0 && frame < d->model->size.frames);
  d->k->frame_jacobian(d->work, frame, axes, J);
}

void ff_dynamics_com(const ff_dynamics *d, double *com)
{
  d->k->com(d->work, com);
}

void ff_dynamics_com_jacobian(ff_dynamics *d, double *J)
{
  d->k->com_jacobian(d->work, J);
}

void ff_dynamics_momentum(ff_dynamics *d, double *momentum)
{
  d->k->momentum(d->work, momentum);
}

void ff_dynamics_momentum_bias(ff_dynamics *d, double *bias)
{
  d->k->momentum_bias(d->work, bias);
}

void ff_dynamics_kinetic_energy(ff_dynamics *d, double *energy)
{
  d->k->kinetic_energy(d->work, energy);
}

void ff_dynamics_potential_energy(const ff_dynamics *d, double *energy)
{
  d->k->potential_energy(d->work, energy);
}

void ff_dynamics_rnea(ff_dynamics *d, const double *q, const double *v, const double *vdot, double *tau)
{
  assert(tau != v && tau != vdot);
  use(d, q);
  d->k->rnea(d->work, v, vdot, tau);
}

void ff_dynamics_bias(ff_dynamics *d, const double *q, const double *v, double *h)
{
  assert(h != v);
  use(d, q);
  d->k->bias(d->work, v, h);
}

void ff_dynamics_gravity(ff_dynamics *d, const double *q, double *g)
{
  use(d, q);
  d->k->gravity(d->work, g);
}

void ff_dynamics_aba(ff_dynamics *d, const double *q, const double *v, const double *tau, double *vdot)
{
  assert(vdot != v && vdot != tau);
  use(d, q);
  d->k->aba(d->work, v, tau, vdot);
}

void ff_dynamics_crba(ff_dynamics *d, const double *q)
{
  use(d, q);
  d->k->crba(d->work);
}

void ff_dynamics_mass_matrix(const ff_dynamics *d, double *M)
{
  d->k->mass_matrix(d->work, M);
}

ff_status ff_dynamics_factor(ff_dynamics *d, ff_error *error)
{
  if (d->k->factor(d->work) > 0)
    return FF_OK;
  int lane;
  const int velocity = d->k->bad_pivot(d->work, &lane);
  const int body = velocity < 0 ? 0 : d->model->dof_body[velocity];
  return ffi_fail(
      error, FF_ERROR_NUMERIC, NULL, 0, d->model->name,
      "the mass matrix is not positive definite at joint '%s' (velocity %d, lane %d): in this configuration "
      "nothing with inertia moves with it, an inertia is negative, or q is not finite",
      body > 0 ? d->model->joints[body - 1].name : "?", velocity, lane);
}

void ff_dynamics_solve(ff_dynamics *d, double *x)
{
  d->k->solve(d->work, x);
}

// For asserts; unused without them.
__attribute__((unused)) static int are_points(const ff_dynamics *d, int count, const ff_point *points)
{
  for (int i = 0; i < count; ++i)
    if (points[i].frame < 0 || points[i].frame >= d->model->size.frames)
      return 0;
  return count >= 0;
}

void ff_dynamics_point_jacobian(ff_dynamics *d, int count, const ff_point *points, double *J)
{
  assert(are_points(d, count, points));
  d->k->point_jacobian(d->work, count, points, J);
}

void ff_dynamics_minv_jt(ff_dynamics *d, int count, const ff_point *points, double *MinvJt)
{
  assert(are_points(d, count, points) && count <= d->max_points);
  d->k->minv_jt(d->work, count, points, MinvJt);
}

void ff_dynamics_delassus(ff_dynamics *d, int count, const ff_point *points, double *U)
{
  assert(are_points(d, count, points) && count <= d->max_points);
  d->k->delassus(d->work, count, points, U);
}

// As are_points, and all lanes of a force on one frame.
__attribute__((unused)) static int are_forces(const ff_dynamics *d, const ff_point_force *forces, int count)
{
  const int lanes = d->k->lanes;
  for (int i = 0; i < count * lanes; ++i) {
    const int frame = forces[i].point.frame;
    if (frame < 0 || frame >= d->model->size.frames || frame != forces[i / lanes * lanes].point.frame)
      return 0;
  }
  return count >= 0;
}

void ff_dynamics_rnea_derivatives(ff_dynamics *d, const double *q, const double *v, const double *vdot,
                                  const ff_point_force *forces, int count, double *dtau_dq, double *dtau_dv)
{
  assert(are_forces(d, forces, count));
  use(d, q);
  d->k->rnea_derivatives(d->work, v, vdot, forces, count, dtau_dq, dtau_dv);
}

void ff_dynamics_aba_derivatives(ff_dynamics *d, const double *q, const double *v, const double *tau,
                                 const ff_point_force *forces, int count, double *dvdot_dq, double *dvdot_dv,
                                 double *Minv)
{
  assert(are_forces(d, forces, count));
  use(d, q);
  d->k->aba_derivatives(d->work, v, tau, forces, count, dvdot_dq, dvdot_dv, Minv);
}
