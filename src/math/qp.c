// The dual active-set method of Goldfarb and Idnani (1983). See qp.h.
#include "math/qp.h"

#include "math/dense.h"

#include <math.h>
#include <string.h>

// Relative tolerance: a constraint is violated beyond this part of the sizes that are summed in it, and dependent on
// the active ones if no more than this part of it is left beside them. Well above the rounding of some hundred
// rotations.
static const double slack = 1e-11;

void ffi_qp_layout(int n, int constraints, ffi_block *block, ffi_qp_work *out)
{
  const size_t size = (size_t)n, m = (size_t)constraints;
  ffi_qp_work w = {0};
  w.x = ffi_block_take(block, size, sizeof *w.x);
  w.u = ffi_block_take(block, m, sizeof *w.u);
  w.active = ffi_block_take(block, size, sizeof *w.active);
  w.L = ffi_block_take(block, size * size, sizeof *w.L);
  w.J = ffi_block_take(block, size * size, sizeof *w.J);
  w.R = ffi_block_take(block, size * size, sizeof *w.R);
  double **vectors[6] = {&w.d, &w.z, &w.r, &w.y, &w.own, &w.sign};
  for (int k = 0; k < 6; ++k)
    *vectors[k] = ffi_block_take(block, size, sizeof(double));
  w.is_active = ffi_block_take(block, m, sizeof *w.is_active);
  *out = w;
}

// ---- The factors ------------------------------------------------------------------------------------------

// J = L^-T.
static int start_factors(const ffi_qp *p, ffi_qp_work *w)
{
  const int n = p->n;
  memcpy(w->L, p->H, (size_t)n * (size_t)n * sizeof *w->L);
  if (ffi_dense_cholesky(n, n, w->L) != FFI_FACTORED)
    return 0;
  memset(w->J, 0, (size_t)n * (size_t)n * sizeof *w->J);
  for (int c = 0; c < n; ++c) { // L' J_c = e_c
    double *column = w->J + (size_t)c * (size_t)n;
    for (int i = c; i >= 0; --i) {
      double sum = i == c;
      for (int k = i + 1; k <= c; ++k)
        sum -= w->L[k * n + i] * column[k];
      column[i] = sum / w->L[i * n + i];
    }
  }
  w->active_count = 0;
  return 1;
}

// d = J' a times sign.
static void project(const ffi_qp *p, ffi_qp_work *w, int constraint, double sign)
{
  for (int c = 0; c < p->n; ++c)
    w->d[c] =
        sign * ffi_dense_dot(p->n, w->J + (size_t)c * (size_t)p->n, p->A + (size_t)constraint * (size_t)p->n);
}

// Is the constraint in d linearly independent of the active ones?
static int is_independent(const ffi_qp *p, const ffi_qp_work *w)
{
  const int k = w->active_count;
  const double beside = ffi_dense_dot(p->n - k, w->d + k, w->d + k);
  return k < p->n && beside > slack * slack * ffi_dense_dot(p->n, w->d, w->d);
}

// A Givens rotation of columns a and b of J that takes d_b into d_a; or of entries of R below each other.
static void rotate(int n, double c, double s, double *a, double *b)
{
  for (int i = 0; i < n; ++i) {
    const double t = c * a[i] + s * b[i];
    b[i] = c * b[i] - s * a[i];
    a[i] = t;
  }
}

// The constraint in d becomes active.
static void add_constraint(const ffi_qp *p, ffi_qp_work *w, int constraint, double sign, double multiplier)
{
  const int n = p->n, k = w->active_count++;
  for (int i = n - 1; i > k; --i) {
    const double h = hypot(w->d[i - 1], w->d[i]);
    if (w->d[i] == 0)
      continue;
    const double c = w->d[i - 1] / h, s = w->d[i] / h;
    w->d[i - 1] = h;
    w->d[i] = 0;
    rotate(n, c, s, w->J + (size_t)(i - 1) * (size_t)n, w->J + (size_t)i * (size_t)n);
  }
  memcpy(w->R + (size_t)k * (size_t)n, w->d, (size_t)(k + 1) * sizeof *w->R);
  w->active[k] = constraint;
  w->own[k] = multiplier;
  w->sign[k] = sign;
  w->is_active[constraint] = 1;
}

// Drop active constraint number l: its column leaves R, and rotations remove what then stands below the diagonal.
static void drop_constraint(const ffi_qp *p, ffi_qp_work *w, int l)
{
  const size_t n = (size_t)p->n;
  w->is_active[w->active[l]] = 0;
  const int count = --w->active_count;
  for (int j = l; j < count; ++j) {
    memcpy(w->R + (size_t)j * n, w->R + (size_t)(j + 1) * n, (size_t)(j + 2) * sizeof *w->R);
    w->active[j] = w->active[j + 1];
    w->own[j] = w->own[j + 1];
    w->sign[j] = w->sign[j + 1];
  }
  for (int j = l; j < count; ++j) { // entry (j + 1, j) into (j, j)
    const double a = w->R[(size_t)j * n + (size_t)j], b = w->R[(size_t)j * n + (size_t)j + 1],
                 h = hypot(a, b);
    if (b == 0)
      continue;
    for (int c = j; c < count; ++c)
      rotate(1, a / h, b / h, w->R + (size_t)c * n + (size_t)j, w->R + (size_t)c * n + (size_t)j + 1);
    rotate(p->n, a / h, b / h, w->J + (size_t)j * n, w->J + (size_t)(j + 1) * n);
  }
}

// x := R^-1 x over the active ones.
static void solve_R(const ffi_qp *p, const ffi_qp_work *w, double *x)
{
  for (int i = w->active_count - 1; i >= 0; --i) {
    for (int j = i + 1; j < w->active_count; ++j)
      x[i] -= w->R[(size_t)j * (size_t)p->n + (size_t)i] * x[j];
    x[i] /= w->R[(size_t)i * (size_t)p->n + (size_t)i];
  }
}

// ---- The minimum on the active constraints ----------------------------------------------------------------

// x = J y: R'y = b for the active part, y = -J'g for the rest; R u = y + J'g.
static void minimise_on_active(const ffi_qp *p, ffi_qp_work *w)
{
  const int n = p->n, k = w->active_count;
  for (int c = 0; c < n; ++c)
    w->z[c] = ffi_dense_dot(n, w->J + (size_t)c * (size_t)n, p->g);
  for (int c = 0; c < n; ++c) {
    if (c >= k) {
      w->y[c] = -w->z[c];
      continue;
    }
    const double *column = w->R + (size_t)c * (size_t)n;
    w->y[c] = (w->sign[c] * p->b[w->active[c]] - ffi_dense_dot(c, column, w->y)) / column[c];
    w->own[c] = w->y[c] + w->z[c];
  }
  solve_R(p, w, w->own);
  memset(w->x, 0, (size_t)n * sizeof *w->x);
  for (int c = 0; c < n; ++c)
    for (int i = 0; i < n; ++i)
      w->x[i] += w->J[(size_t)c * (size_t)n + (size_t)i] * w->y[c];
}

// Equalities and the guess, less the inequalities with a negative multiplier.
static void start_active(const ffi_qp *p, const int *guess, int count, ffi_qp_work *w)
{
  for (int i = 0; i < p->equalities + count; ++i) {
    const int constraint = i < p->equalities ? i : guess[i - p->equalities];
    if (constraint < 0 || constraint >= p->constraints || w->is_active[constraint])
      continue;
    project(p, w, constraint, 1);
    if (is_independent(p, w))
      add_constraint(p, w, constraint, 1, 0);
  }
  for (;;) {
    int worst = -1;
    minimise_on_active(p, w);
    for (int k = 0; k < w->active_count; ++k)
      if (w->active[k] >= p->equalities && w->own[k] < 0 && (worst < 0 || w->own[k] < w->own[worst]))
        worst = k;
    if (worst < 0)
      return;
    drop_constraint(p, w, worst);
  }
}

// ---- The search -------------------------------------------------------------------------------------------

// Signed slack of a constraint over the length of its row: negative if violated, 0 within rounding.
static double distance_to(const ffi_qp *p, const ffi_qp_work *w, int constraint)
{
  const double *a = p->A + (size_t)constraint * (size_t)p->n;
  double value = -p->b[constraint], size = fabs(p->b[constraint]), square = 0;
  for (int i = 0; i < p->n; ++i) {
    value += a[i] * w->x[i];
    size += fabs(a[i] * w->x[i]);
    square += a[i] * a[i];
  }
  if (fabs(value) <= slack * size)
    return 0;
  return square > 0 ? value / sqrt(square) : value > 0 ? value : -INFINITY;
}

// The most violated constraint, or -1; *sign: of its side.
static int most_violated(const ffi_qp *p, const ffi_qp_work *w, double *sign)
{
  int worst = -1;
  double least = 0;
  for (int i = 0; i < p->constraints; ++i) {
    if (w->is_active[i])
      continue;
    const double distance = distance_to(p, w, i), side = i < p->equalities && distance > 0 ? -1 : 1;
    if (side * distance < least) {
      least = side * distance;
      worst = i;
      *sign = side;
    }
  }
  return worst;
}

// The active inequality whose multiplier is the first to reach zero along -r; its share of the step in *most.
static int first_to_leave(const ffi_qp *p, const ffi_qp_work *w, double *most)
{
  int first = -1;
  *most = INFINITY;
  for (int k = 0; k < w->active_count; ++k)
    if (w->active[k] >= p->equalities && w->r[k] > 0 && w->own[k] / w->r[k] < *most) {
      *most = w->own[k] / w->r[k];
      first = k;
    }
  return first;
}

// Add one violated constraint, dropping those that block it. 0: it cannot be met, or (*left < 0) it takes too long.
static int add_violated(const ffi_qp *p, ffi_qp_work *w, int constraint, double sign, int *left)
{
  const int n = p->n;
  const double *a = p->A + (size_t)constraint * (size_t)n;
  double multiplier = 0;
  while (--*left >= 0) {
    ++w->iterations;
    project(p, w, constraint, sign);
    const int k = w->active_count, is_free = is_independent(p, w);
    memset(w->z, 0, (size_t)n * sizeof *w->z);
    for (int c = k; c < n && is_free; ++c)
      for (int i = 0; i < n; ++i)
        w->z[i] += w->J[(size_t)c * (size_t)n + (size_t)i] * w->d[c];
    memcpy(w->r, w->d, (size_t)k * sizeof *w->r);
    solve_R(p, w, w->r);
    double dual;
    const int leaves = first_to_leave(p, w, &dual);
    const double missing = sign * (p->b[constraint] - ffi_dense_dot(n, a, w->x));
    const double whole = is_free ? fmax(0, missing) / ffi_dense_dot(n - k, w->d + k, w->d + k) : INFINITY;
    const double step = fmin(whole, dual);
    if (!(step < INFINITY))
      return 0;
    for (int i = 0; i < n && is_free; ++i)
      w->x[i] += step * w->z[i];
    for (int j = 0; j < k; ++j)
      w->own[j] -= step * w->r[j];
    multiplier += step;
    if (step == whole) {
      add_constraint(p, w, constraint, sign, multiplier);
      return 1;
    }
    drop_constraint(p, w, leaves);
  }
  return 0;
}

static ffi_qp_status finish(const ffi_qp *p, ffi_qp_work *w)
{
  minimise_on_active(p, w); // once more from the factors, without accumulated rounding
  memset(w->u, 0, (size_t)p->constraints * sizeof *w->u);
  for (int k = 0; k < w->active_count; ++k) {
    const int is_equality = w->active[k] < p->equalities;
    w->u[w->active[k]] = is_equality ? w->sign[k] * w->own[k] : fmax(0, w->own[k]);
  }
  for (int i = 0; i < p->n; ++i)
    if (!isfinite(w->x[i]))
      return FFI_QP_NOT_CONVEX;
  return FFI_QP_SOLVED;
}

ffi_qp_status ffi_qp_solve(const ffi_qp *p, const int *guess, int guess_count, int max_iterations,
                           ffi_qp_work *w)
{
  int left = max_iterations;
  w->iterations = 0;
  w->culprit = -1;
  memset(w->is_active, 0, (size_t)p->constraints);
  if (!start_factors(p, w))
    return FFI_QP_NOT_CONVEX;
  start_active(p, guess, guess_count, w);
  for (;;) {
    double sign = 1;
    const int violated = most_violated(p, w, &sign);
    if (violated < 0)
      return finish(p, w);
    w->culprit = violated;
    if (!add_violated(p, w, violated, sign, &left))
      return left < 0 ? FFI_QP_STALLED : FFI_QP_INFEASIBLE;
    w->culprit = -1;
  }
}
