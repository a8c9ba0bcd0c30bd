// Derivatives of forward dynamics: those of inverse dynamics at the vdot of M vdot + h = tau, times -M^-1.
#include "derivatives.h"
#include "dynamics/joint.h"
#include "dynamics/kernels.h"

#include <stddef.h>

// X := M^-1 X [nv x nv], rows of X at a time.
static void solve_rows(const ffi_work *w, real_u *X)
{
  const ff_model *m = w->model;
  const int nv = m->size.nv;
  for (int i = nv - 1; i >= 0; --i) {
    const real *row = w->M + m->dof_row[i];
    const int *path = w->path + m->dof_row[i];
    for (int a = 0; a < m->dof_depth[i]; ++a)
      subtract_scaled(row[a], X + (ptrdiff_t)i * nv, X + (ptrdiff_t)path[a] * nv, nv);
  }
  for (int i = 0; i < nv; ++i) {
    const real *row = w->M + m->dof_row[i];
    const int *path = w->path + m->dof_row[i];
    real_u *x = X + (ptrdiff_t)i * nv;
    for (int k = 0; k < nv; ++k)
      x[k] = x[k] * row[m->dof_depth[i]];
    for (int a = 0; a < m->dof_depth[i]; ++a)
      subtract_scaled(row[a], X + (ptrdiff_t)path[a] * nv, x, nv);
  }
}

static void negate(real_u *X, ptrdiff_t count)
{
  for (ptrdiff_t k = 0; k < count; ++k)
    X[k] = -X[k];
}

void FFI_KERNEL(aba_derivatives)(ffi_work *w, const double *v_in, const double *tau_in,
                                 const ff_point_force *forces, int count, double *dvdot_dq, double *dvdot_dv,
                                 double *Minv)
{
  const ff_model *m = w->model;
  const ptrdiff_t nv = m->size.nv;
  const real_u *v = (const real_u *)v_in, *tau = (const real_u *)tau_in;
  real_u *dq = (real_u *)dvdot_dq, *dv = (real_u *)dvdot_dv, *inverse = (real_u *)Minv;
  FFI_KERNEL(slope_motion)(w, v_in, forces, count);
  FFI_KERNEL(slope_velocity)(w, dv, count > 0);
  for (int k = 0; k < w->loaded_count; ++k) {
    const ptrdiff_t d = w->loaded[k];
    real *diagonal = w->M + m->dof_row[d + 1] - 1;
    *diagonal = *diagonal + m->dof_armature[d];
    w->h[d] = w->h[d] + m->dof_damping[d] * v[d];
    if (dv)
      dv[d * (nv + 1)] = dv[d * (nv + 1)] + m->dof_damping[d];
  }
  FFI_KERNEL(factor)(w);
  if (dq) {
    for (int k = 0; k < nv; ++k)
      w->vdot[k] = tau[k] - w->h[k];
    FFI_KERNEL(solve)(w, (double *)w->vdot);
    FFI_KERNEL(slope_position)(w, w->vdot, dq, count > 0);
    negate(dq, nv * nv);
    solve_rows(w, dq);
  }
  if (dv) {
    negate(dv, nv * nv);
    solve_rows(w, dv);
  }
  if (inverse) {
    for (ptrdiff_t k = 0; k < nv * nv; ++k)
      inverse[k] = splat(0.0);
    for (ptrdiff_t k = 0; k < nv; ++k)
      inverse[k * (nv + 1)] = splat(1.0);
    solve_rows(w, inverse);
  }
}
