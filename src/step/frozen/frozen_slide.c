// Sliding contacts in the frozen system.
//
// Along n: spring and damper. Along d, the direction of the friction force: mu times the normal force. Along t, across the sliding: the slip
// law of contact/law.h made linear. With rho = mu lambda_n / |trial| the force is rho (K e - B u) and the elongation relaxes,
// B e' = -(1 - rho) K e - rho B u, so that in the Laplace domain
//
//     F_t = rho K B e0 / (s B + (1 - rho) K) - rho B (K + s B) / (s B + (1 - rho) K) U
//
// which is the sticking contact for rho = 1 and a plain damper when the contact slides fast.
//
// By the law with a flag a sliding contact has no spring along the surface, and -mu lambda_n u_t/|u_t| made linear is a plain damper mu lambda_n/|u_t| along t. One that is about
// to stop has a damper along d too.
#include "step/frozen/frozen_slide.h"

#include "math/poles.h"
#include "math/vec3.h"
#include "step/frozen/frozen_complex.h"
#include "step/frozen/frozen_friction.h"

#include <math.h>

void ffi_frozen_slide(ffi_frozen *z, ffi_frozen_block *b, const double n[3],
                      const ffi_contact_law_result *law, double mu)
{
  b->slides = 1;
  b->is_plain = 0;
  b->mu = mu;
  b->rho = law->trial_norm > 0 ? fmin(1, mu * law->normal_force / law->trial_norm) : 1;
  ffi_v3_copy(n, b->n);
  ffi_v3_scale(law->trial_norm > 0 ? 1 / law->trial_norm : 0, law->trial, b->d);
  ffi_v3_cross(b->n, b->d, b->t);
  z->sliding[z->slides++] = (int)(b - z->block);
}

void ffi_frozen_slide_plain(ffi_frozen *z, ffi_frozen_block *b, const double n[3], const double d[3],
                            double mu, const double damper[2])
{
  b->slides = b->is_plain = 1;
  b->mu = mu;
  b->rho = 0;
  b->damper[0] = damper[0];
  b->damper[1] = damper[1];
  const double along = ffi_v3_dot(b->x, n);
  ffi_v3_scale(along, n, b->x);
  ffi_v3_copy(n, b->n);
  ffi_v3_copy(d, b->d);
  ffi_v3_cross(b->n, b->d, b->t);
  z->sliding[z->slides++] = (int)(b - z->block);
}

void ffi_frozen_slide_prepare(ffi_frozen *z)
{
  for (int i = 0; i < z->block_count; ++i) {
    ffi_frozen_block *b = &z->block[i];
    if (!b->slides)
      continue;
    b->turned = z->turned + (size_t)i * 3 * (size_t)z->stride;
    const double *axis[3] = {b->n, b->d, b->t};
    for (int r = 0; r < 3; ++r)
      for (int k = 0; k < b->rows->columns; ++k)
        b->turned[r * z->stride + k] = axis[r][0] * b->rows->J[k] + axis[r][1] * b->rows->J[z->stride + k] +
                                       axis[r][2] * b->rows->J[2 * z->stride + k];
  }
}

// Of a length of sub-steps: kn = (K + s B)/s^2; hold = B / (s B + (1 - rho) K); kt = rho hold (K + s B)/s. Without damping the law across the
// sliding is a spring of rho K, that is hold = 1/s and kt = rho K/s^2.
static void find_impedances(const ffi_frozen *z, ffi_frozen_block *b, double h)
{
  ffi_frozen_impedance(z, b->K, b->B, 2, h, 1.0, b->kn);
  if (b->is_plain) {
    for (int k = 0; k < FFI_COMPLEX; ++k) {
      b->hold[k] = h * z->inverse[1][k];
      b->kd[k] = b->damper[0] * b->hold[k];
      b->kt[k] = b->damper[1] * b->hold[k];
    }
    return;
  }
  if (!(b->B > 0)) {
    for (int k = 0; k < FFI_COMPLEX; ++k) {
      b->hold[k] = h * z->inverse[1][k];
      b->kt[k] = b->rho * b->kn[k];
    }
    return;
  }
  const double rate = fmin((1 - b->rho) * b->K / b->B, 1e100); // squares are finite
  for (int k = 0; k < FFI_POLES; ++k) {
    b->hold[k] = ffi_poles_z[k] / h + rate;
    b->hold[4 + k] = ffi_poles_z[4 + k] / h;
  }
  ffi_frozen_complex_invert(b->hold, b->hold);
  double kappa[FFI_COMPLEX]; // rho (K + s B)/s
  for (int k = 0; k < FFI_COMPLEX; ++k)
    kappa[k] = b->rho * (b->K * h * z->inverse[1][k] + b->B * z->inverse[0][k]);
  ffi_frozen_complex_times(kappa, b->hold, b->kt);
}

static int is_stopping(const ffi_frozen_block *b)
{
  return b->is_plain && b->damper[0] > 0;
}

void ffi_frozen_slide_assemble(ffi_frozen *z, double h)
{
  for (int i = 0; i < z->slides; ++i) {
    ffi_frozen_block *b = &z->block[z->sliding[i]];
    find_impedances(z, b, h);
    z->kernels->add_row(b->rows->columns, b->rows->dof, b->turned, b->kn, z->pattern, z->S);
    z->kernels->add_row(b->rows->columns, b->rows->dof, b->turned + 2 * z->stride, b->kt, z->pattern, z->S);
    if (is_stopping(b))
      z->kernels->add_row(b->rows->columns, b->rows->dof, b->turned + z->stride, b->kd, z->pattern, z->S);
  }
}

// u + c/s + c1/s^2 along an axis: s times the transform of the rate that is not J xi''.
static void drive(const ffi_frozen *z, const ffi_frozen_block *b, const double axis[3], double t, double h,
                  double out[FFI_COMPLEX])
{
  const double u = ffi_v3_dot(b->now_u, axis), c1 = ffi_v3_dot(b->c1, axis);
  const double c = ffi_v3_dot(b->c, axis) + t * c1;
  for (int k = 0; k < FFI_COMPLEX; ++k)
    out[k] = u * z->inverse[0][k] + c * h * z->inverse[1][k] + c1 * h * h * z->inverse[2][k];
}

// Force along t when the rate times s is `rate`: what the elongation left from before gives, less what the rate costs.
static void force_across(const ffi_frozen_block *b, const double rate[FFI_COMPLEX], double out[FFI_COMPLEX])
{
  double cost[FFI_COMPLEX];
  ffi_frozen_complex_times(b->kt, rate, cost);
  for (int k = 0; k < FFI_COMPLEX; ++k)
    out[k] = b->rho * b->K * b->now_e * b->hold[k] - cost[k];
}

// Along d only where there is a crowd. Else ffi_frozen_friction_correct adds friction, when it knows the normal force: what the elongation and velocity of the
// start alone would push is far more than that where the contact is stiff, and would have to cancel.
static void excite_block(ffi_frozen *z, ffi_frozen_block *b, double t, double h)
{
  double rate[FFI_COMPLEX], across[FFI_COMPLEX];
  drive(z, b, b->n, t, h, rate);
  ffi_frozen_complex_times(b->kn, rate, b->push);
  const double xn = b->K * h * ffi_v3_dot(b->now_x, b->n);
  for (int k = 0; k < FFI_COMPLEX; ++k)
    b->push[k] = -xn * z->inverse[1][k] - b->push[k];
  drive(z, b, b->t, t, h, rate);
  force_across(b, rate, across);
  const double with = ffi_frozen_friction_is_crowded(z) ? b->mu : 0;
  for (int a = 0; a < b->rows->columns; ++a) {
    double *x = z->alpha + (ptrdiff_t)FFI_COMPLEX * b->rows->dof[a];
    const double along = b->turned[a] + with * b->turned[z->stride + a],
                 beside = b->turned[2 * z->stride + a];
    for (int k = 0; k < FFI_COMPLEX; ++k)
      x[k] += along * b->push[k] + beside * across[k];
  }
}

// The damper along d: what the rate that is not J xi'' costs.
static void excite_stop(ffi_frozen *z, const ffi_frozen_block *b, double t, double h)
{
  double rate[FFI_COMPLEX], cost[FFI_COMPLEX];
  drive(z, b, b->d, t, h, rate);
  ffi_frozen_complex_times(b->kd, rate, cost);
  for (int a = 0; a < b->rows->columns; ++a)
    for (int k = 0; k < FFI_COMPLEX; ++k)
      z->alpha[(ptrdiff_t)FFI_COMPLEX * b->rows->dof[a] + k] -= b->turned[z->stride + a] * cost[k];
}

void ffi_frozen_slide_excite(ffi_frozen *z, double t, double h)
{
  for (int i = 0; i < z->slides; ++i)
    excite_block(z, &z->block[z->sliding[i]], t, h);
  for (int i = 0; i < z->slides; ++i)
    if (is_stopping(&z->block[z->sliding[i]]))
      excite_stop(z, &z->block[z->sliding[i]], t, h);
}

// s times the transform of the rate along an axis; needs J_alpha.
static void rate_along(const ffi_frozen *z, const ffi_frozen_block *b, const double axis[3], double t,
                       double h, double rate[FFI_COMPLEX])
{
  drive(z, b, axis, t, h, rate);
  for (int r = 0; r < 3; ++r)
    for (int k = 0; k < FFI_COMPLEX; ++k)
      rate[k] += axis[r] * b->J_alpha[FFI_COMPLEX * r + k];
}

// Force along t at the poles, and the elongation; needs J_alpha.
static void across_transforms(const ffi_frozen *z, const ffi_frozen_block *b, double t, double h,
                              double force[FFI_COMPLEX], double elongation[FFI_COMPLEX])
{
  double rate[FFI_COMPLEX], U[FFI_COMPLEX];
  rate_along(z, b, b->t, t, h, rate);
  force_across(b, rate, force);
  ffi_frozen_complex_times(rate, z->inverse[1], U); // U/h
  const double share = b->B > 0 || b->is_plain ? b->rho : 1;
  for (int k = 0; k < FFI_COMPLEX; ++k)
    U[k] = b->now_e * z->inverse[0][k] - share * h * U[k];
  ffi_frozen_complex_times(b->hold, U, elongation);
}

static double dot8(const double a[FFI_COMPLEX], const double b[FFI_COMPLEX])
{
  double total = 0;
  for (int k = 0; k < FFI_COMPLEX; ++k)
    total += a[k] * b[k];
  return total;
}

void ffi_frozen_slide_unresolved(const ffi_frozen *z, const ffi_frozen_block *b, double t, double h,
                                 double out[3])
{
  double force[FFI_COMPLEX], elongation[FFI_COMPLEX], residue[FFI_COMPLEX];
  across_transforms(z, b, t, h, force, elongation);
  for (int way = 0; way < 3; ++way) {
    ffi_poles_unresolved(way, residue);
    double sum = 0;
    for (int k = 0; k < FFI_POLES; ++k)
      sum += residue[k] * elongation[k] - residue[4 + k] * elongation[4 + k];
    out[way] = -2 / h * sum;
  }
  out[0] -= b->now_e; // what way 0 gives is the value right after the start
}

void ffi_frozen_slide_advance(ffi_frozen *z, ffi_frozen_block *b, double t, double h, const double *Ja)
{
  double in[4] = {0}, force[FFI_COMPLEX], elongation[FFI_COMPLEX];
  for (int r = 0; r < 3; ++r)
    for (int j = 0; j < 4; ++j)
      in[j] += b->n[r] * Ja[4 * r + j];
  const double c1 = ffi_v3_dot(b->c1, b->n), c = ffi_v3_dot(b->c, b->n) + t * c1;
  const double x = ffi_v3_dot(b->now_x, b->n), u = ffi_v3_dot(b->now_u, b->n);
  const double end = x + h * (u + h * (c / 2 + h * c1 / 6)) + in[1];
  const double whole = h * (x + h * (u / 2 + h * (c / 6 + h * c1 / 24))) + in[2];
  const double twice = h * h * (x / 2 + h * (u / 6 + h * (c / 24 + h * c1 / 120))) + in[3];
  const double once_n = -b->K * whole - b->B * (end - x), twice_n = -b->K * twice - b->B * (whole - x * h);
  double once_d = b->mu * once_n, twice_d = b->mu * twice_n, stop = 0;
  if (is_stopping(b)) {
    double rate[FFI_COMPLEX];
    rate_along(z, b, b->d, t, h, rate);
    ffi_frozen_complex_times(b->kd, rate, force);
    once_d -= dot8(z->weight[1], force);
    twice_d -= h * dot8(z->weight[2], force);
    stop = dot8(z->weight[0], force) / h;
  }
  across_transforms(z, b, t, h, force, elongation);
  const double once_t = dot8(z->weight[1], force), twice_t = h * dot8(z->weight[2], force);
  for (int r = 0; r < 3; ++r) {
    b->double_sum[r] += b->sum[r] * h + twice_n * b->n[r] + twice_d * b->d[r] + twice_t * b->t[r];
    b->sum[r] += once_n * b->n[r] + once_d * b->d[r] + once_t * b->t[r];
    b->now_u[r] += h * (b->c[r] + t * b->c1[r] + h * b->c1[r] / 2) + Ja[4 * r];
    b->now_x[r] = end * b->n[r];
  }
  const double end_n = -b->K * end - b->B * ffi_v3_dot(b->now_u, b->n);
  const double end_d = b->mu * end_n - stop, end_t = dot8(z->weight[0], force) / h;
  b->now_e = dot8(z->weight[0], elongation) / h;
  for (int r = 0; r < 3; ++r)
    b->force_end[r] = end_n * b->n[r] + end_d * b->d[r] + end_t * b->t[r];
}
