// The law of one block solved exactly: contact, stop, dry row, bilateral rows; a cone by a few gradient steps.
// docs/theory/hard-solvers.md, section 5
#include "contact/hard/hard_local.h"

#include <string.h>

// The two rows of friction with the normal row eliminated, in the eigenvectors of S: (sigma_i + s) y_i = -p_i.
typedef struct slide {
  double sigma[2], p[2], axis[2]; // axis: the first eigenvector; the second is (-axis[1], axis[0])
  double Kt[2], Kn, qn;           // normal row: Kt . x_t + Kn x_n + qn = 0
} slide;

static const double rounding = 1e-14;

static slide reduce(const double *K, const double *q)
{
  slide f = {.Kt = {K[6], K[7]}, .Kn = K[8], .qn = q[2]};
  const double a = K[0] - K[2] * K[6] / K[8], b = K[1] - K[2] * K[7] / K[8], c = K[4] - K[5] * K[7] / K[8];
  const double px = q[0] - K[2] * q[2] / K[8], py = q[1] - K[5] * q[2] / K[8];
  const double half = (a - c) / 2, root = sqrt(half * half + b * b), middle = (a + c) / 2;
  double x = half >= 0 ? half + root : b, y = half >= 0 ? b : root - half;
  const double length = sqrt(x * x + y * y);
  f.axis[0] = length > 0 ? x / length : 1;
  f.axis[1] = length > 0 ? y / length : 0;
  f.sigma[0] = middle + root;
  f.sigma[1] = middle - root > 0 ? middle - root : 0;
  f.p[0] = f.axis[0] * px + f.axis[1] * py;
  f.p[1] = -f.axis[1] * px + f.axis[0] * py;
  const double size = fabs(q[0]) + fabs(q[1]) + (fabs(K[2]) + fabs(K[5])) * fabs(q[2]) / K[8];
  if (!(f.sigma[1] > rounding * f.sigma[0]) && fabs(f.p[1]) <= rounding * size)
    f.p[1] = 0; // nothing moves the contact in that direction
  return f;
}

// The impulse for one s; returns |x_t| - mu x_n, and its derivative.
static double slide_at(const slide *f, double mu, double s, double *x, double *slope)
{
  const double d0 = f->p[0] == 0 ? 0 : 1 / (f->sigma[0] + s), d1 = f->p[1] == 0 ? 0 : 1 / (f->sigma[1] + s);
  const double y0 = -f->p[0] * d0, y1 = -f->p[1] * d1, length = sqrt(y0 * y0 + y1 * y1);
  const double t0 = f->axis[0] * f->Kt[0] + f->axis[1] * f->Kt[1],
               t1 = f->axis[0] * f->Kt[1] - f->axis[1] * f->Kt[0];
  x[0] = f->axis[0] * y0 - f->axis[1] * y1;
  x[1] = f->axis[1] * y0 + f->axis[0] * y1;
  x[2] = -(f->qn + t0 * y0 + t1 * y1) / f->Kn;
  const double fall = length > 0 ? (y0 * y0 * d0 + y1 * y1 * d1) / length : 0;
  *slope = -fall - mu * (t0 * y0 * d0 + t1 * y1 * d1) / f->Kn;
  return length - mu * x[2];
}

// The s at which friction reaches its rim: Newton's steps while they stay inside the bracket, else its middle.
static void slide_to_rim(const slide *f, double mu, double scale, double *x)
{
  double low = 0, high = scale, slope, s = 0;
  for (int i = 0; i < 60 && slide_at(f, mu, high, x, &slope) > 0; ++i) {
    low = high;
    high *= 8;
  }
  for (int i = 0; i < 100 && high - low > 1e-15 * high; ++i) {
    const double middle = low > 0 && high > 4 * low ? sqrt(low * high) : low + (high - low) / 2;
    if (!(s > low && s < high))
      s = middle;
    const double over = slide_at(f, mu, s, x, &slope), step = slope < 0 ? -over / slope : 0;
    if (over > 0)
      low = s;
    else
      high = s;
    if (step != 0 && fabs(step) <= 1e-15 * s)
      break;
    s = i % 8 == 7 ? 0 : s + step; // every eighth step the middle, so that it terminates
  }
  ffi_friction_cone_disc(mu * (x[2] > 0 ? x[2] : 0), &x[0], &x[1]);
}

static void solve_contact(double mu, const double *K, const double *q, double *x)
{
  memset(x, 0, 3 * sizeof *x);
  if (!(K[8] > 0) || q[2] >= 0)
    return;
  const slide f = reduce(K, q);
  const double scale = f.sigma[0] > 0 ? f.sigma[0] : K[8];
  double slope;
  if (mu == 0) {
    x[2] = -q[2] / K[8];
    return;
  }
  const int may_stick = f.sigma[1] > rounding * scale || f.p[1] == 0;
  if (may_stick && slide_at(&f, mu, 0, x, &slope) <= 0)
    return;
  slide_to_rim(&f, mu, scale, x);
}

// Steps of the projected gradient: D^-1/2 K D^-1/2 has no eigenvalue above its largest row sum, which bounds them.
static void steps_of(int n, const double *K, const double *D, double *r)
{
  double most = 1;
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int j = 0; j < n && D[i] > 0; ++j)
      sum += D[j] > 0 ? fabs(K[n * i + j]) / sqrt(D[i] * D[j]) : 0;
    most = sum > most ? sum : most;
  }
  for (int i = 0; i < n; ++i)
    r[i] = D[i] > 0 ? 1 / (most * D[i]) : 0;
}

static void descend_cone(const ffi_hard_part *part, const double *K, const double *q, double *x)
{
  enum { STEPS = 4 }; // the other blocks change in the meantime
  const double d = K[0] > K[4] ? K[0] : K[4], D[3] = {d, d, K[8]};
  double r[3], to[3];
  steps_of(3, K, D, r);
  for (int k = 0; k < STEPS; ++k) {
    for (int i = 0; i < 3; ++i)
      to[i] = x[i] - r[i] * (K[3 * i] * x[0] + K[3 * i + 1] * x[1] + K[3 * i + 2] * x[2] + q[i]);
    ffi_friction_cone_nearest(part->mu, part->faces, r, to, x);
  }
}

// out = K x + q over the rows from .. from + 2, x without its rows skip .. skip + 2.
static void rest_of(const double *K, const double *q, int from, int skip, const double *x, double *out)
{
  for (int i = 0; i < 3; ++i) {
    out[i] = q[from + i];
    for (int j = 0; j < FFI_TURNING_CONE_ROWS; ++j)
      out[i] += j >= skip && j < skip + 3 ? 0 : K[FFI_TURNING_CONE_ROWS * (from + i) + j] * x[j];
  }
}

// A contact with moments: force and moments in turn, a few times.
static void solve_turning(const ffi_hard_part *part, const double *K, const double *q, double *x)
{
  enum { ROWS = FFI_TURNING_CONE_ROWS, ROUNDS = 3, STEPS = 4 };
  double force[9], moment[9], D[3], r[3], rest[3], to[3];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      force[3 * i + j] = K[ROWS * i + j];
      moment[3 * i + j] = K[ROWS * (3 + i) + 3 + j];
    }
  D[0] = D[1] = fmax(moment[0], moment[4]);
  D[2] = moment[8];
  steps_of(3, moment, D, r);
  for (int round = 0; round < ROUNDS; ++round) {
    rest_of(K, q, 0, 0, x, rest);
    solve_contact(part->mu, force, rest, x);
    rest_of(K, q, 3, 3, x, rest);
    for (int k = 0; k < STEPS; ++k) {
      for (int i = 0; i < 3; ++i)
        to[i] = x[3 + i] -
                r[i] * (moment[3 * i] * x[3] + moment[3 * i + 1] * x[4] + moment[3 * i + 2] * x[5] + rest[i]);
      ffi_hard_prox_moments(part->turning * x[2], to, x + 3);
    }
  }
}

static void descend_turning(const ffi_hard_part *part, const double *K, const double *q, double *x)
{
  enum { ROWS = FFI_TURNING_CONE_ROWS, STEPS = 4 };
  double D[ROWS], r[ROWS], to[ROWS];
  for (int i = 0; i < ROWS; ++i)
    D[i] = K[(ROWS + 1) * i];
  D[0] = D[1] = fmax(D[0], D[1]);
  D[3] = D[4] = fmax(D[3], D[4]);
  steps_of(ROWS, K, D, r);
  for (int k = 0; k < STEPS; ++k) {
    for (int i = 0; i < ROWS; ++i) {
      double xi = q[i];
      for (int j = 0; j < ROWS; ++j)
        xi += K[ROWS * i + j] * x[j];
      to[i] = x[i] - r[i] * xi;
    }
    ffi_hard_prox_turning(part, r, to, x);
  }
}

// x = -K^-1 q by elimination; rows that nothing moves get 0.
static void solve_bilateral(int n, const double *K, const double *q, double *x)
{
  double A[FFI_HARD_MAX_ROWS][FFI_HARD_MAX_ROWS + 1] = {{0}};
  for (int i = 0; i < n; ++i) {
    memcpy(A[i], K + i * n, (size_t)n * sizeof *K);
    A[i][n] = -q[i];
  }
  for (int k = 0; k < n; ++k) {
    const int is_null = !(A[k][k] > 1e-13 * K[k * n + k]);
    for (int i = k + 1; i < n; ++i) {
      const double factor = is_null ? 0 : A[i][k] / A[k][k];
      for (int j = k; j <= n; ++j)
        A[i][j] -= factor * A[k][j];
    }
    if (is_null)
      A[k][k] = 0;
  }
  for (int i = n - 1; i >= 0; --i) {
    double sum = A[i][n];
    for (int j = i + 1; j < n; ++j)
      sum -= A[i][j] * x[j];
    x[i] = A[i][i] > 0 ? sum / A[i][i] : 0;
  }
}

void ffi_hard_local(const ffi_hard_part *part, const double *K, const double *q, double *x)
{
  if (ffi_hard_turns(part->law, part->rows)) {
    (part->law == FFI_HARD_LAW_CONE ? descend_turning : solve_turning)(part, K, q, x);
    return;
  }
  switch (part->law) {
  case FFI_HARD_LAW_CONTACT: solve_contact(part->mu, K, q, x); return;
  case FFI_HARD_LAW_STOP: x[0] = K[0] > 0 && q[0] < 0 ? -q[0] / K[0] : 0; return;
  case FFI_HARD_LAW_DRY: x[0] = K[0] > 0 ? ffi_hard_prox_interval(part->bound, -q[0] / K[0]) : 0; return;
  case FFI_HARD_LAW_CONE: descend_cone(part, K, q, x); return;
  case FFI_HARD_LAW_BILATERAL: solve_bilateral(part->rows, K, q, x); return;
  }
}
