// Joint transforms from q: sines and cosines of all angles at once, and matrices for the kinds that need them.
// docs/theory/dynamics.md section 2
#include "dynamics/joint.h"
#include "dynamics/kernels.h"
#include "dynamics/sincos.h"

#include "variant.h"

// Rotation matrix of a unit quaternion (x y z w). The quaternion's length is divided out, so that a q that has
// drifted by round-off, or was never normalised, still gives a rotation.
FFI_ALWAYS void quaternion_matrix(const real_u *q, real *R)
{
  const real x = q[0], y = q[1], z = q[2], w = q[3];
  const real k = 2.0 / (x * x + y * y + z * z + w * w);
  const real kx = k * x, ky = k * y, kz = k * z;
  const real xx = kx * x, yy = ky * y, zz = kz * z;
  const real xy = kx * y, xz = kx * z, yz = ky * z;
  const real wx = kx * w, wy = ky * w, wz = kz * w;
  R[0] = 1.0 - yy - zz;
  R[1] = xy - wz;
  R[2] = xz + wy;
  R[3] = xy + wz;
  R[4] = 1.0 - xx - zz;
  R[5] = yz - wx;
  R[6] = xz - wy;
  R[7] = yz + wx;
  R[8] = 1.0 - xx - yy;
}

// E = R0 Rz for a rotation about z.
FFI_ALWAYS void turn_about_z(const double *R0, real s, real c, real *E)
{
  for (int r = 0; r < 3; ++r) {
    E[3 * r] = R0[3 * r] * c + R0[3 * r + 1] * s;
    E[3 * r + 1] = R0[3 * r + 1] * c - R0[3 * r] * s;
    E[3 * r + 2] = splat(R0[3 * r + 2]);
  }
}

FFI_ALWAYS void multiply_constant(const double *A, const real *B, real *out)
{
  for (int r = 0; r < 3; ++r)
    for (int k = 0; k < 3; ++k)
      out[3 * r + k] = A[3 * r] * B[k] + A[3 * r + 1] * B[3 + k] + A[3 * r + 2] * B[6 + k];
}

static void prepare_body(ffi_work *w, const ffi_body *b, int i, const real_u *q)
{
  real *E = w->E + 9 * i, *shift = w->shift + 3 * i;
  const real_u *x = q + b->q;
  switch (b->kind) {
  case FFI_KIND_REVOLUTE_G: turn_about_z(b->R0, w->sn[b->q], w->cs[b->q], E); break;
  case FFI_KIND_PRISMATIC_X:
  case FFI_KIND_PRISMATIC_Y:
  case FFI_KIND_PRISMATIC_Z:
    for (int k = 0; k < 3; ++k)
      shift[k] = splat(b->p[k]);
    shift[b->kind - FFI_KIND_PRISMATIC_X] = b->p[b->kind - FFI_KIND_PRISMATIC_X] + x[0];
    break;
  case FFI_KIND_PRISMATIC_G:
    for (int k = 0; k < 9; ++k)
      E[k] = splat(b->R0[k]);
    for (int k = 0; k < 3; ++k)
      shift[k] = b->p[k] + b->R0[3 * k + 2] * x[0];
    break;
  case FFI_KIND_PLANAR:
    turn_about_z(b->R0, w->sn[b->q + 2], w->cs[b->q + 2], E);
    for (int k = 0; k < 3; ++k)
      shift[k] = b->p[k] + b->R0[3 * k] * x[0] + b->R0[3 * k + 1] * x[1];
    break;
  case FFI_KIND_SPHERICAL: {
    real R[9];
    quaternion_matrix(x, R);
    multiply_constant(b->R0, R, E);
    break;
  }
  case FFI_KIND_FREE:
    quaternion_matrix(x + 3, E);
    for (int k = 0; k < 3; ++k)
      shift[k] = x[k];
    break;
  default: break;
  }
}

void FFI_KERNEL(transforms)(ffi_work *w, const double *q_in)
{
  const ff_model *m = w->model;
  const real_u *q = (const real_u *)q_in;
  real *restrict sn = w->sn, *restrict cs = w->cs;
  for (int span = 0; span < w->span_count; ++span)
    for (int k = w->spans[2 * span]; k < w->spans[2 * span + 1]; ++k) {
      real s, c;
      sincos_lanes(q[k], &s, &c);
      sn[k] = s;
      cs[k] = c;
    }
  for (int k = 0; k < w->prepared_count; ++k)
    prepare_body(w, &m->bodies[w->prepared[k]], w->prepared[k], q);
}
