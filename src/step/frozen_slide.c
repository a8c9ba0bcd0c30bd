// Sliding contacts in the frozen system.
//
// Along n: spring and damper. Along d, the direction of the friction force: mu times the normal force. Along t, across the sliding: the slip
// law of contact/law.h made linear. With rho = mu lambda_n / |trial| the force is rho (K e - B u) and the elongation relaxes,
// B e' = -(1 - rho) K e - rho B u, so that in the Laplace domain
//
//     F_t = rho K B e0 / (s B + (1 - rho) K) - rho B (K + s B) / (s B + (1 - rho) K) U
//
// which is the sticking contact for rho = 1 and a plain damper when the contact slides fast.
#include "step/frozen_slide.h"

#include "math/poles.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

typedef struct number { // one complex number
  double re, im;
} number;

static number product(number a, number b)
{
  return (number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
static number quotient(number a, number b)
{
  const double scale = 1 / (b.re * b.re + b.im * b.im);
  return (number){(a.re * b.re + a.im * b.im) * scale, (a.im * b.re - a.re * b.im) * scale};
}
static number sum(number a, number b)
{
  return (number){a.re + b.re, a.im + b.im};
}
static number scaled(double a, number b)
{
  return (number){a * b.re, a * b.im};
}
static number pole(int k, double h)
{
  return (number){ffi_poles_z[k] / h, ffi_poles_z[4 + k] / h};
}
static number lane(const double a[FFI_COMPLEX], int k)
{
  return (number){a[k], a[4 + k]};
}
static void put(double a[FFI_COMPLEX], int k, number x)
{
  a[k] = x.re;
  a[4 + k] = x.im;
}

// (K + s B)/s^2
static number normal_impedance(const ffi_frozen_block *b, number s)
{
  return quotient((number){b->K + s.re * b->B, s.im * b->B}, product(s, s));
}

// Denominator s B + (1 - rho) K. Without damping the law across the sliding is a spring of rho K.
static number relaxation(const ffi_frozen_block *b, number s)
{
  return (number){s.re * b->B + (1 - b->rho) * b->K, s.im * b->B};
}

// rho B (K + s B) / (s (s B + (1 - rho) K))
static number cross_impedance(const ffi_frozen_block *b, number s)
{
  if (!(b->B > 0))
    return scaled(b->rho, normal_impedance(b, s));
  const number kappa = {b->K + s.re * b->B, s.im * b->B};
  return scaled(b->rho * b->B, quotient(kappa, product(s, relaxation(b, s))));
}

void ffi_frozen_slide(ffi_frozen *z, ffi_frozen_block *b, const double n[3], const ffi_law *law, double mu)
{
  b->slides = 1;
  b->mu = mu;
  b->rho = law->trial_norm > 0 ? fmin(1, mu * law->normal_force / law->trial_norm) : 1;
  ffi_v3_copy(n, b->n);
  ffi_v3_scale(law->trial_norm > 0 ? 1 / law->trial_norm : 0, law->trial, b->d);
  ffi_v3_cross(b->n, b->d, b->t);
  z->sliding[z->slides++] = (int)(b - z->block);
}

void ffi_slide_prepare(ffi_frozen *z)
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

void ffi_slide_assemble(ffi_frozen *z, double h)
{
  double kn[FFI_COMPLEX], kt[FFI_COMPLEX];
  for (int i = 0; i < z->block_count; ++i) {
    const ffi_frozen_block *b = &z->block[i];
    if (!b->slides)
      continue;
    for (int k = 0; k < FFI_POLES; ++k) {
      put(kn, k, normal_impedance(b, pole(k, h)));
      put(kt, k, cross_impedance(b, pole(k, h)));
    }
    z->kernels->add_row(b->rows->columns, b->rows->dof, b->turned, kn, z->pattern, z->S);
    z->kernels->add_row(b->rows->columns, b->rows->dof, b->turned + 2 * z->stride, kt, z->pattern, z->S);
  }
}

// j_n x at pole k, for a vector x [n][8].
static number measured(const ffi_frozen_block *b, const double *x, int k)
{
  number m = {0, 0};
  for (int a = 0; a < b->rows->columns; ++a)
    m = sum(m, scaled(b->turned[a], lane(x + FFI_COMPLEX * b->rows->dof[a], k)));
  return m;
}

static double *small_at(const ffi_frozen *z, int row, int column)
{
  return z->small + FFI_COMPLEX * ((size_t)row * (size_t)(z->max_rank + 1) + (size_t)column);
}

static double *column_at(const ffi_frozen *z, int column)
{
  return z->column + (size_t)column * (size_t)z->n * FFI_COMPLEX;
}

static int is_crowded(const ffi_frozen *z)
{
  return z->slides > z->n;
}

// The unsymmetric part as it stands, sum of mu (K + sB)/s^2 j_d j_n': a matrix of velocities, its columns in z->column.
static void sum_products(ffi_frozen *z, double h)
{
  memset(z->column, 0, (size_t)z->n * (size_t)z->n * FFI_COMPLEX * sizeof *z->column);
  for (int i = 0; i < z->slides; ++i) {
    const ffi_frozen_block *b = &z->block[z->sliding[i]];
    for (int k = 0; k < FFI_POLES; ++k) {
      const number kn = scaled(b->mu, normal_impedance(b, pole(k, h)));
      for (int c = 0; c < b->rows->columns; ++c)
        for (int a = 0; a < b->rows->columns; ++a) {
          double *at = column_at(z, b->rows->dof[c]) + FFI_COMPLEX * b->rows->dof[a];
          put(at, k, sum(lane(at, k), scaled(b->turned[z->stride + a] * b->turned[c], kn)));
        }
    }
  }
}

void ffi_slide_factor(ffi_frozen *z, double h)
{
  const int columns = is_crowded(z) ? z->n : z->slides;
  if (is_crowded(z))
    sum_products(z, h);
  for (int i = 0; i < columns; ++i) {
    double *y = column_at(z, i);
    if (!is_crowded(z)) {
      const ffi_frozen_block *b = &z->block[z->sliding[i]];
      memset(y, 0, (size_t)z->n * FFI_COMPLEX * sizeof *y);
      for (int a = 0; a < b->rows->columns; ++a)
        for (int k = 0; k < FFI_POLES; ++k)
          y[FFI_COMPLEX * b->rows->dof[a] + k] = b->mu * b->turned[z->stride + a];
    }
    z->kernels->solve(z->pattern, z->S, y);
  }
}

// The small system of one pole by elimination with row pivoting, matrix and right-hand side side by side; the solution ends in the last column.
static void solve_small(const ffi_frozen *z, int n, int k)
{
  for (int p = 0; p < n; ++p) {
    int best = p;
    double most = -1;
    for (int r = p; r < n; ++r) {
      const number a = lane(small_at(z, r, p), k);
      if (a.re * a.re + a.im * a.im > most) {
        most = a.re * a.re + a.im * a.im;
        best = r;
      }
    }
    for (int c = p; c <= n; ++c) {
      const number up = lane(small_at(z, p, c), k), down = lane(small_at(z, best, c), k);
      put(small_at(z, p, c), k, down);
      put(small_at(z, best, c), k, up);
    }
    for (int r = 0; r < n; ++r) {
      if (r == p)
        continue;
      const number factor = quotient(lane(small_at(z, r, p), k), lane(small_at(z, p, p), k));
      for (int c = p; c <= n; ++c)
        put(small_at(z, r, c), k,
            sum(lane(small_at(z, r, c), k), scaled(-1, product(factor, lane(small_at(z, p, c), k)))));
    }
  }
  for (int p = 0; p < n; ++p)
    put(small_at(z, p, n), k, quotient(lane(small_at(z, p, n), k), lane(small_at(z, p, p), k)));
}

// More sliding contacts than velocities: (1 + S^-1 sum) alpha = S^-1 r.
static void correct_crowd(ffi_frozen *z)
{
  for (int k = 0; k < FFI_POLES; ++k) {
    for (int r = 0; r < z->n; ++r) {
      for (int c = 0; c < z->n; ++c) {
        number a = lane(column_at(z, c) + FFI_COMPLEX * r, k);
        a.re += r == c;
        put(small_at(z, r, c), k, a);
      }
      put(small_at(z, r, z->n), k, lane(z->alpha + FFI_COMPLEX * r, k));
    }
    solve_small(z, z->n, k);
    for (int r = 0; r < z->n; ++r)
      put(z->alpha + FFI_COMPLEX * r, k, lane(small_at(z, r, z->n), k));
  }
}

// The normal forces w of the sliding contacts, at a pole: w = push - kn j_n (alpha + sum of y w), y the columns; then alpha with their friction.
void ffi_slide_correct(ffi_frozen *z, double h)
{
  const int n = z->slides;
  if (is_crowded(z)) {
    correct_crowd(z);
    return;
  }
  for (int k = 0; k < FFI_POLES; ++k) {
    for (int r = 0; r < n; ++r) {
      const ffi_frozen_block *b = &z->block[z->sliding[r]];
      const number kn = normal_impedance(b, pole(k, h));
      for (int c = 0; c < n; ++c) {
        number a = product(kn, measured(b, column_at(z, c), k));
        a.re += r == c;
        put(small_at(z, r, c), k, a);
      }
      put(small_at(z, r, n), k, sum(lane(b->push, k), scaled(-1, product(kn, measured(b, z->alpha, k)))));
    }
    solve_small(z, n, k);
    for (int c = 0; c < n; ++c) {
      const number w = lane(small_at(z, c, n), k);
      const double *y = column_at(z, c);
      for (int i = 0; i < z->n; ++i)
        put(z->alpha + FFI_COMPLEX * i, k,
            sum(lane(z->alpha + FFI_COMPLEX * i, k), product(w, lane(y + FFI_COMPLEX * i, k))));
    }
  }
}

// u + c/s + c1/s^2 along an axis.
static number drive(const ffi_frozen_block *b, const double axis[3], double t, number s)
{
  const double u = ffi_v3_dot(b->now_u, axis), c1 = ffi_v3_dot(b->c1, axis);
  const double c = ffi_v3_dot(b->c, axis) + t * c1;
  const number one_over_s = quotient((number){1, 0}, s);
  number d = scaled(c1, product(one_over_s, one_over_s));
  d = sum(d, scaled(c, one_over_s));
  d.re += u;
  return d;
}

// What the elongation left from before gives along t.
static number rest_of_elongation(const ffi_frozen_block *b, number s)
{
  if (!(b->B > 0))
    return scaled(b->rho * b->K * b->now_e, quotient((number){1, 0}, s));
  return scaled(b->rho * b->K * b->B * b->now_e, quotient((number){1, 0}, relaxation(b, s)));
}

// Along d only where there is a crowd. Else ffi_slide_correct adds friction, when it knows the normal force: what the elongation and velocity of the start alone would
// push is far more than that where the contact is stiff, and would have to cancel.
void ffi_slide_excite(ffi_frozen *z, double t, double h)
{
  for (int i = 0; i < z->block_count; ++i) {
    ffi_frozen_block *b = &z->block[i];
    if (!b->slides)
      continue;
    for (int k = 0; k < FFI_POLES; ++k) {
      const number s = pole(k, h), one_over_s = quotient((number){1, 0}, s);
      const double xn = ffi_v3_dot(b->now_x, b->n);
      const number along = scaled(
          -1, sum(scaled(b->K * xn, one_over_s), product(normal_impedance(b, s), drive(b, b->n, t, s))));
      const number across =
          sum(rest_of_elongation(b, s), scaled(-1, product(cross_impedance(b, s), drive(b, b->t, t, s))));
      put(b->push, k, along);
      const number with = is_crowded(z) ? scaled(b->mu, along) : (number){0, 0};
      for (int a = 0; a < b->rows->columns; ++a) {
        double *x = z->alpha + FFI_COMPLEX * b->rows->dof[a];
        number all = sum(lane(x, k), scaled(b->turned[a], along));
        all = sum(all, scaled(b->turned[z->stride + a], with));
        all = sum(all, scaled(b->turned[2 * z->stride + a], across));
        put(x, k, all);
      }
    }
  }
}

// Force along t at the poles, and the elongation.
static void across_transforms(const ffi_frozen_block *b, double t, double h, double force[FFI_COMPLEX],
                              double elongation[FFI_COMPLEX])
{
  for (int k = 0; k < FFI_POLES; ++k) {
    const number s = pole(k, h);
    number rate = drive(b, b->t, t, s); // s U
    for (int r = 0; r < 3; ++r)
      rate = sum(rate, scaled(b->t[r], lane(b->J_alpha + FFI_COMPLEX * r, k)));
    put(force, k, sum(rest_of_elongation(b, s), scaled(-1, product(cross_impedance(b, s), rate))));
    const number U = quotient(rate, s);
    number e;
    if (b->B > 0)
      e = quotient(sum((number){b->B * b->now_e, 0}, scaled(-b->rho * b->B, U)), relaxation(b, s));
    else
      e = quotient(sum((number){b->now_e, 0}, scaled(-1, U)), s);
    put(elongation, k, e);
  }
}

static double dot8(const double a[FFI_COMPLEX], const double b[FFI_COMPLEX])
{
  double total = 0;
  for (int k = 0; k < FFI_COMPLEX; ++k)
    total += a[k] * b[k];
  return total;
}

void ffi_slide_unresolved(const ffi_frozen_block *b, double t, double h, double out[3])
{
  double force[FFI_COMPLEX], elongation[FFI_COMPLEX], residue[FFI_COMPLEX];
  across_transforms(b, t, h, force, elongation);
  for (int way = 0; way < 3; ++way) {
    ffi_poles_unresolved(way, residue);
    double sum = 0;
    for (int k = 0; k < FFI_POLES; ++k)
      sum += residue[k] * elongation[k] - residue[4 + k] * elongation[4 + k];
    out[way] = -2 / h * sum;
  }
  out[0] -= b->now_e; // what way 0 gives is the value right after the start
}

void ffi_slide_advance(ffi_frozen *z, ffi_frozen_block *b, double t, double h, const double *Ja)
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
  const double once_d = b->mu * once_n, twice_d = b->mu * twice_n;
  across_transforms(b, t, h, force, elongation);
  const double once_t = dot8(z->weight[1], force), twice_t = h * dot8(z->weight[2], force);
  for (int r = 0; r < 3; ++r) {
    b->double_sum[r] += b->sum[r] * h + twice_n * b->n[r] + twice_d * b->d[r] + twice_t * b->t[r];
    b->sum[r] += once_n * b->n[r] + once_d * b->d[r] + once_t * b->t[r];
    b->now_u[r] += h * (b->c[r] + t * b->c1[r] + h * b->c1[r] / 2) + Ja[4 * r];
    b->now_x[r] = end * b->n[r];
  }
  const double end_n = -b->K * end - b->B * ffi_v3_dot(b->now_u, b->n);
  const double end_d = b->mu * end_n, end_t = dot8(z->weight[0], force) / h;
  b->now_e = dot8(z->weight[0], elongation) / h;
  for (int r = 0; r < 3; ++r)
    b->force_end[r] = end_n * b->n[r] + end_d * b->d[r] + end_t * b->t[r];
}
