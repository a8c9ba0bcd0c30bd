// Exponentials, logarithms and Jacobians of SO(3), SE(3) and SE(2).
#include "math/lie.h"

#include "math/quaternion.h"

static const double TWO_PI = 6.283185307179586476925286766559;

// ---- Functions of the angle -------------------------------------------------------------------------------
//
// Each is even and entire, or regular up to 2 pi. A closed form that subtracts nearly equal numbers is used
// only for angles >= 2, where it loses no more than a digit; below, SERIES terms of the power series leave
// less than eps (the first one left out is below 2^28 / 31!).

enum { SERIES = 14 };

static double sinc(double x) // sin(x) / x; needs no series: sin is accurate for small x
{
  return x == 0 ? 1 : sin(x) / x;
}

static double alpha(double t) // (1 - cos t) / t^2
{
  double s = sinc(t / 2);
  return s * s / 2;
}

static double beta(double t) // (t - sin t) / t^3 = sum (-1)^k t^2k / (2k + 3)!
{
  if (t >= 2)
    return (t - sin(t)) / (t * t * t);
  double sum = 0, term = 1.0 / 6;
  for (int k = 0; k < SERIES; ++k) {
    sum += term;
    term *= -t * t / ((2 * k + 4) * (2 * k + 5));
  }
  return sum;
}

static double gamma3(double t) // (t^2 / 2 + cos t - 1) / t^4 = sum (-1)^k t^2k / (2k + 4)!
{
  if (t >= 2)
    return (t * t / 2 + cos(t) - 1) / (t * t * t * t);
  double sum = 0, term = 1.0 / 24;
  for (int k = 0; k < SERIES; ++k) {
    sum += term;
    term *= -t * t / ((2 * k + 5) * (2 * k + 6));
  }
  return sum;
}

static double delta(double t) // (2 t - 3 sin t + t cos t) / (2 t^5) = sum (-1)^k (k + 1) t^2k / (2k + 5)!
{
  if (t >= 2)
    return (2 * t - 3 * sin(t) + t * cos(t)) / (2 * t * t * t * t * t);
  double sum = 0, term = 1.0 / 120;
  for (int k = 0; k < SERIES; ++k) {
    sum += (k + 1) * term;
    term *= -t * t / ((2 * k + 6) * (2 * k + 7));
  }
  return sum;
}

// (1 - (t/2) cot(t/2)) / t^2 = sum |B_2k| t^(2k-2) / (2k)!. Terms shrink by (t / 2 pi)^2, so below t = 1/2
// eight of them leave less than eps. Above, the difference loses at most a factor of 50, and t^2 kappa is at
// most that much smaller than the 1 it is added to.
static double kappa(double t)
{
  static const double c[8] = {
      1.0 / 12,          1.0 / 720,
      1.0 / 30240,       1.0 / 1209600,
      1.0 / 47900160,    691.0 / 1307674368000,
      1.0 / 74724249600, 3617.0 / 10670622842880000,
  };
  if (t >= 0.5)
    return (1 - t / 2 * cos(t / 2) / sin(t / 2)) / (t * t);
  double sum = 0;
  for (int k = 7; k >= 0; --k)
    sum = sum * t * t + c[k];
  return sum;
}

// ---- SO(3) ------------------------------------------------------------------------------------------------

void ffi_lie_so3_exp(const double w[3], double q[4])
{
  double t = ffi_v3_norm(w);
  ffi_v3_scale(sinc(t / 2) / 2, w, q);
  q[3] = cos(t / 2);
}

void ffi_lie_so3_log(const double q[4], double w[3])
{
  double n = ffi_v3_norm(q);
  double half = atan2(n, fabs(q[3])); // well conditioned at both ends: neither acos nor asin is
  double s = n > 0 ? 2 * half / n : 2;
  ffi_v3_scale(q[3] < 0 ? -s : s, q, w);
}

// 1 + a [w] + b [w]^2
static void skew_polynomial(double a, double b, const double w[3], double J[9])
{
  double W[9], W2[9];
  ffi_m3_skew(w, W);
  ffi_m3_mul(W, W, W2);
  for (int i = 0; i < 9; ++i)
    J[i] = (i % 4 == 0) + a * W[i] + b * W2[i];
}

void ffi_lie_so3_left(const double w[3], double J[9])
{
  double t = ffi_v3_norm(w);
  skew_polynomial(alpha(t), beta(t), w, J);
}

void ffi_lie_so3_right(const double w[3], double J[9])
{
  double t = ffi_v3_norm(w);
  skew_polynomial(-alpha(t), beta(t), w, J);
}

void ffi_lie_so3_left_inverse(const double w[3], double J[9])
{
  skew_polynomial(-0.5, kappa(ffi_v3_norm(w)), w, J);
}

void ffi_lie_so3_right_inverse(const double w[3], double J[9])
{
  skew_polynomial(0.5, kappa(ffi_v3_norm(w)), w, J);
}

// ---- SE(3) ------------------------------------------------------------------------------------------------

// Power series of sin(t/2)/t, cos(t/2), (1 - cos t)/t^2 and (t - sin t)/t^3 in z = t^2 <= 1/4: what is left out is below 1e-17.
static void small_turn(double z, double *half_sinc, double *half_cos, double *a, double *b)
{
  const double y = z / 4;
  *half_sinc = 0.5 * (1 - y / 6 * (1 - y / 20 * (1 - y / 42 * (1 - y / 72 * (1 - y / 110 * (1 - y / 156))))));
  *half_cos = 1 - y / 2 * (1 - y / 12 * (1 - y / 30 * (1 - y / 56 * (1 - y / 90 * (1 - y / 132)))));
  *a = 0.5 *
       (1 -
        z / 12 * (1 - z / 30 * (1 - z / 56 * (1 - z / 90 * (1 - z / 132 * (1 - z / 182 * (1 - z / 240)))))));
  *b = (1 - z / 20 *
                (1 - z / 42 * (1 - z / 72 * (1 - z / 110 * (1 - z / 156 * (1 - z / 210 * (1 - z / 272))))))) /
       6;
}

void ffi_lie_se3_exp(const double xi[6], double p[3], double q[4])
{
  const double z = ffi_v3_dot(xi + 3, xi + 3);
  if (z <= 0.25) { // what one time step turns a body by
    double half_sinc, a, b, wp[3], wwp[3];
    small_turn(z, &half_sinc, &q[3], &a, &b);
    ffi_v3_scale(half_sinc, xi + 3, q);
    ffi_v3_cross(xi + 3, xi, wp);
    ffi_v3_cross(xi + 3, wp, wwp);
    for (int i = 0; i < 3; ++i)
      p[i] = xi[i] + a * wp[i] + b * wwp[i];
    return;
  }
  double V[9];
  ffi_lie_so3_exp(xi + 3, q);
  ffi_lie_so3_left(xi + 3, V);
  ffi_m3_mulv(V, xi, p);
}

void ffi_lie_se3_log(const double p[3], const double q[4], double xi[6])
{
  double V[9];
  ffi_lie_so3_log(q, xi + 3);
  ffi_lie_so3_left_inverse(xi + 3, V);
  ffi_m3_mulv(V, p, xi);
}

// The upper right block of the left Jacobian,
//   Q = 1/2 V + beta (WV + VW + WVW) + gamma3 (WWV + VWW - 3 WVW) + delta (WVWW + WWVW),   V = [v], W = [w]
// the sum over k, l of W^k V W^l / (k + l + 2)! with W^3 = -t^2 W used.
//                                                    Barfoot, State Estimation for Robotics, section 7.1
static void se3_corner(const double xi[6], double Q[9])
{
  double V[9], W[9], WV[9], VW[9], WVW[9], WWV[9], VWW[9], WVWW[9], WWVW[9];
  ffi_m3_skew(xi, V);
  ffi_m3_skew(xi + 3, W);
  ffi_m3_mul(W, V, WV);
  ffi_m3_mul(V, W, VW);
  ffi_m3_mul(WV, W, WVW);
  ffi_m3_mul(W, WV, WWV);
  ffi_m3_mul(VW, W, VWW);
  ffi_m3_mul(WVW, W, WVWW);
  ffi_m3_mul(W, WVW, WWVW);
  double t = ffi_v3_norm(xi + 3), b = beta(t), c = gamma3(t), d = delta(t);
  for (int i = 0; i < 9; ++i)
    Q[i] = 0.5 * V[i] + b * (WV[i] + VW[i] + WVW[i]) + c * (WWV[i] + VWW[i] - 3 * WVW[i]) +
           d * (WVWW[i] + WWVW[i]);
}

// [ D, C; 0, D ]
static void assemble6(const double D[9], const double C[9], double J[36])
{
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      J[6 * i + j] = J[6 * (i + 3) + j + 3] = D[3 * i + j];
      J[6 * i + j + 3] = C[3 * i + j];
      J[6 * (i + 3) + j] = 0;
    }
}

static void negate(int n, const double *a, double *out)
{
  for (int i = 0; i < n; ++i)
    out[i] = -a[i];
}

void ffi_lie_se3_left(const double xi[6], double J[36])
{
  double D[9], Q[9];
  ffi_lie_so3_left(xi + 3, D);
  se3_corner(xi, Q);
  assemble6(D, Q, J);
}

void ffi_lie_se3_right(const double xi[6], double J[36])
{
  double back[6];
  negate(6, xi, back);
  ffi_lie_se3_left(back, J);
}

void ffi_lie_se3_left_inverse(const double xi[6], double J[36])
{
  double D[9], Q[9], DQ[9], C[9];
  ffi_lie_so3_left_inverse(xi + 3, D);
  se3_corner(xi, Q);
  ffi_m3_mul(D, Q, DQ);
  negate(9, DQ, Q);
  ffi_m3_mul(Q, D, C);
  assemble6(D, C, J);
}

void ffi_lie_se3_right_inverse(const double xi[6], double J[36])
{
  double back[6];
  negate(6, xi, back);
  ffi_lie_se3_left_inverse(back, J);
}

void ffi_lie_se3_adjoint(const double p[3], const double q[4], double Ad[36])
{
  double R[9], P[9], PR[9];
  ffi_quat_matrix(q, R);
  ffi_m3_skew(p, P);
  ffi_m3_mul(P, R, PR);
  assemble6(R, PR, Ad);
}

// ---- SE(2) ------------------------------------------------------------------------------------------------

void ffi_lie_se2_exp(const double xi[3], double g[3])
{
  double t = xi[2], s = sinc(t), c = t * alpha(fabs(t)); // sin t / t, (1 - cos t) / t
  double x = s * xi[0] - c * xi[1], y = c * xi[0] + s * xi[1];
  ffi_v3_set(x, y, t, g);
}

void ffi_lie_se2_log(const double g[3], double xi[3])
{
  double t = fabs(g[2]) <= TWO_PI / 2 ? g[2] : remainder(g[2], TWO_PI);
  double a = 1 - t * t * kappa(fabs(t)), h = t / 2; // (t/2) cot(t/2)
  double x = a * g[0] + h * g[1], y = -h * g[0] + a * g[1];
  ffi_v3_set(x, y, t, xi);
}

void ffi_lie_se2_left(const double xi[3], double J[9])
{
  double t = xi[2], a = alpha(fabs(t)), b = t * beta(fabs(t)), s = sinc(t);
  const double out[9] = {s, -t * a, b * xi[0] + a * xi[1], t * a, s, b * xi[1] - a * xi[0], 0, 0, 1};
  ffi_m3_copy(out, J);
}

void ffi_lie_se2_right(const double xi[3], double J[9])
{
  double back[3];
  negate(3, xi, back);
  ffi_lie_se2_left(back, J);
}

void ffi_lie_se2_left_inverse(const double xi[3], double J[9])
{
  double t = xi[2], at = fabs(t), a = 1 - t * t * kappa(at), h = t / 2;
  double x = t * beta(at) * xi[0] + alpha(at) * xi[1], y = t * beta(at) * xi[1] - alpha(at) * xi[0];
  const double out[9] = {a, h, -(a * x + h * y), -h, a, h * x - a * y, 0, 0, 1};
  ffi_m3_copy(out, J);
}

void ffi_lie_se2_right_inverse(const double xi[3], double J[9])
{
  double back[3];
  negate(3, xi, back);
  ffi_lie_se2_left_inverse(back, J);
}

void ffi_lie_se2_adjoint(const double g[3], double Ad[9])
{
  double c = cos(g[2]), s = sin(g[2]);
  const double out[9] = {c, -s, g[1], s, c, -g[0], 0, 0, 1};
  ffi_m3_copy(out, Ad);
}
