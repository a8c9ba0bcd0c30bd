// e^A by scaling and squaring: docs/theory/exponential.md, eq. 5. Every matrix here is N x N, N = n rounded up to a
// multiple of 4; the rows and columns beyond n are zero in powers and polynomials, and untouched by factorisation and
// solves.
#include "math/expm.h"

#include "math/balance.h"
#include "math/dense.h"
#include "math/padded.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

enum { TOP_ORDER = 13 };

// The largest 1-norm at which the approximant's backward error is below eps/2. For order 13 that would be 5.37, but
// rounding in numerator and denominator grows like e^norm.
//                                       Higham 2005, table 2.3; Al-Mohy and Higham 2009, section 5, for the last
static const struct {
  int order;
  double theta;
} exact_orders[] = {
    {3, 1.495585217958292e-2}, {5, 2.539398330063230e-1}, {7, 9.504178996162932e-1},
    {9, 2.097847961257068e0},  {TOP_ORDER, 4.25},
};

enum {
  SLOTS = 7,
  MOST_DOUBLINGS = 100 // A^6 times 2^600 is far from overflow
};

typedef struct expm_work {
  int n, N;
  double *slot[SLOTS]; // [N x N] each
  double *numerator;   // one of the slots: N_j
  double *denominator; // another one: D_j, then its factors
  double *d;           // [N] balancing
  double *vector[2];   // [N]
  double *V[2];        // [N x columns], columns padded
  int *row;            // [N] pivots
} expm_work;

int ffi_expm_is_order(int order)
{
  return order == FFI_EXPM_EXACT || order == 1 || order == 2 || order == 3 || order == 5 || order == 7;
}

size_t ffi_expm_size(int n, int columns)
{
  size_t N = (size_t)ffi_padded(n), C = (size_t)ffi_padded(columns);
  return (SLOTS * N * N + 3 * N + 2 * N * C) * sizeof(double) + N * sizeof(int);
}

static expm_work lay_out(int n, int columns, void *work)
{
  expm_work w = {.n = n, .N = ffi_padded(n)};
  double *next = work;
  const size_t N = (size_t)w.N, C = (size_t)ffi_padded(columns);
  for (int i = 0; i < SLOTS; ++i, next += N * N)
    w.slot[i] = next;
  w.d = next;
  w.vector[0] = w.d + N;
  w.vector[1] = w.d + 2 * N;
  w.V[0] = w.d + 3 * N;
  w.V[1] = w.V[0] + N * C;
  w.row = (int *)(void *)(w.V[1] + N * C);
  return w;
}

static int is_finite(size_t count, const double *x)
{
  for (size_t i = 0; i < count; ++i)
    if (!isfinite(x[i]))
      return 0;
  return 1;
}

static size_t area(const expm_work *w)
{
  return (size_t)w->N * (size_t)w->N;
}

static void copy_in(int rows, int columns, int stride, const double *from, double *to)
{
  for (int i = 0; i < rows; ++i)
    memcpy(to + (ptrdiff_t)i * stride, from + (ptrdiff_t)i * columns, (size_t)columns * sizeof *to);
}

static void product(const expm_work *w, const double *A, const double *B, double *C)
{
  ffi_padded_product(w->N, w->N, w->N, A, B, C);
}

// v := (1, ..., 1) |A|^power; returns its largest entry, the 1-norm of |A|^power.
static double norm_of_absolute(const expm_work *w, const double *A, int power)
{
  double *v = w->vector[0], *next = w->vector[1], largest = 0;
  for (int j = 0; j < w->n; ++j)
    v[j] = 1;
  for (int p = 0; p < power; ++p) {
    memset(next, 0, (size_t)w->n * sizeof *next);
    for (int i = 0; i < w->n; ++i)
      for (int j = 0; j < w->n; ++j)
        next[j] += v[i] * fabs(A[(ptrdiff_t)i * w->N + j]);
    double *t = v;
    v = next;
    next = t;
  }
  for (int j = 0; j < w->n; ++j)
    largest = fmax(largest, v[j]);
  return largest;
}

static double norm1(const expm_work *w, const double *A)
{
  return norm_of_absolute(w, A, 1);
}

static void multiply(size_t count, double factor, double *x)
{
  for (size_t i = 0; i < count; ++i)
    x[i] *= factor;
}

// Coefficients of N_j, Expo paper eq. 31; those of D_j are the same with alternating signs. c[0] = 1.
static void pade_coefficients(int order, double *c)
{
  c[0] = 1;
  for (int k = 0; k < order; ++k)
    c[k + 1] = c[k] * (order - k) / ((2.0 * order - k) * (k + 1));
}

// P := c[0] 1 + c[2] A^2 + c[4] A^4 + ..., `terms` of them; powers[k] = A^2(k+1).
static void even_polynomial(const expm_work *w, int terms, const double *c, double *const *powers, double *P)
{
  const size_t count = area(w);
  memset(P, 0, count * sizeof *P);
  for (int k = 1; k < terms; ++k) {
    const double *power = powers[k - 1];
    for (size_t i = 0; i < count; ++i)
      P[i] += c[2 * k] * power[i];
  }
  for (int i = 0; i < w->n; ++i)
    P[(ptrdiff_t)i * w->N + i] += c[0];
}

// From the even and the odd part of N_j: N_j in place of the odd, D_j in place of the even part.
static void join_parts(expm_work *w, double *even, double *odd)
{
  const size_t count = area(w);
  for (size_t i = 0; i < count; ++i) {
    double e = even[i], o = odd[i];
    odd[i] = e + o;
    even[i] = e - o;
  }
  w->numerator = odd;
  w->denominator = even;
}

// N_j and D_j for orders up to 9, A in slot 0. Returns the number of products.
static int small_approximant(expm_work *w, int order)
{
  double c[TOP_ORDER + 1], *A = w->slot[0], *odd = w->slot[4], *even = w->slot[5], *sum = w->slot[6];
  double *powers[4] = {w->slot[1], w->slot[2], w->slot[3], odd}; // odd is written when A^8 has been read
  const int power_count = order / 2;
  pade_coefficients(order, c);
  for (int k = 0; k < power_count; ++k)
    product(w, k == 0 ? A : powers[0], k == 0 ? A : powers[k - 1], powers[k]);
  even_polynomial(w, order / 2 + 1, c, powers, even);
  if (order < 3) {
    memcpy(odd, A, area(w) * sizeof *odd);
    multiply(area(w), c[1], odd);
    join_parts(w, even, odd);
    return power_count;
  }
  even_polynomial(w, (order + 1) / 2, c + 1, powers, sum);
  product(w, A, sum, odd);
  join_parts(w, even, odd);
  return power_count + 1;
}

// N_13 and D_13 from A, A^2, A^4, A^6 in slots 0 to 3, with three products.       Higham 2005, eqs 2.14-2.15
static void top_approximant(expm_work *w)
{
  double c[TOP_ORDER + 1], *A6 = w->slot[3], *a = w->slot[4], *b = w->slot[5], *low = w->slot[6];
  double high[TOP_ORDER + 1]; // the coefficients that are multiplied by A^6, and no constant term
  pade_coefficients(TOP_ORDER, c);
  memcpy(high, c + 6, 8 * sizeof *high);
  high[0] = high[1] = 0;
  const size_t count = area(w);

  even_polynomial(w, 4, high + 1, w->slot + 1, a); // c9 A^2 + c11 A^4 + c13 A^6
  product(w, A6, a, b);
  even_polynomial(w, 4, c + 1, w->slot + 1, low);
  for (size_t i = 0; i < count; ++i)
    low[i] += b[i];
  product(w, w->slot[0], low, a); // the odd part

  even_polynomial(w, 4, high, w->slot + 1, low); // c8 A^2 + c10 A^4 + c12 A^6
  product(w, A6, low, b);
  even_polynomial(w, 4, c, w->slot + 1, low);
  for (size_t i = 0; i < count; ++i)
    b[i] += low[i];
  join_parts(w, b, a);
}

// How often A, whose powers A^2, A^4, A^6 are in slots 1 to 3, may be doubled again. A has been divided by 2^s, s
// from its norm; where powers are much smaller than the norm says, s was too large.
//                                                               Al-Mohy and Higham 2009, algorithm 5.1
static int overscaling(const expm_work *w, int s)
{
  // |c_27|, the first coefficient of the backward error's series: 1 / (26 choose 13 times 27!)
  const double first_term = 1 / (10400600 * 1.0888869450418352e28);
  double size = fmax(pow(norm1(w, w->slot[2]), 1.0 / 4), pow(norm1(w, w->slot[3]), 1.0 / 6));
  double less = fmin(fmin(size > 0 ? floor(log2(exact_orders[4].theta / size)) : s, s), MOST_DOUBLINGS);
  if (!(less > 0))
    return 0;
  // With entries' signs all bad the series might still be too large: divide again by 2^more.
  double norm = norm1(w, w->slot[0]), absolute = norm_of_absolute(w, w->slot[0], 2 * TOP_ORDER + 1);
  double excess = log2(first_term * absolute / norm / (DBL_EPSILON / 2)) / (2 * TOP_ORDER) + less;
  double more = fmax(ceil(excess), 0);
  return more < less ? (int)(less - more) : 0;
}

static void double_powers(const expm_work *w, int times)
{
  static const int power[] = {1, 2, 4, 6};
  for (int k = 0; times > 0 && k < 4; ++k)
    multiply(area(w), ldexp(1, power[k] * times), w->slot[k]);
}

// N_j and D_j of the matrix in slot 0, which is scaled as it needs. Fills info but for the squarings.
static void approximant(expm_work *w, int order, ffi_expm_info *info)
{
  info->order = order;
  for (int i = 0; order == FFI_EXPM_EXACT && i < 5; ++i)
    if (info->norm <= exact_orders[i].theta || i == 4) {
      info->order = exact_orders[i].order;
      break;
    }
  if (info->order != TOP_ORDER) {
    info->products = small_approximant(w, info->order);
    return;
  }
  double s = fmax(ceil(log2(info->norm / exact_orders[4].theta)), 0);
  multiply(area(w), exp2(-s), w->slot[0]);
  product(w, w->slot[0], w->slot[0], w->slot[1]);
  product(w, w->slot[1], w->slot[1], w->slot[2]);
  product(w, w->slot[1], w->slot[2], w->slot[3]);
  int less = overscaling(w, (int)s);
  double_powers(w, less);
  top_approximant(w);
  info->scaling = (int)s - less;
  info->products = 6;
}

// Balance A into slot 0, take its approximant, factor the denominator.
static ffi_expm_status prepare(expm_work *w, const double *A, const ffi_expm_options *options,
                               ffi_expm_info *info)
{
  assert(ffi_expm_is_order(options->order));
  double *B = w->slot[0];
  if (!is_finite((size_t)w->n * (size_t)w->n, A))
    return FFI_EXPM_NOT_FINITE;
  memset(B, 0, area(w) * sizeof *B);
  copy_in(w->n, w->n, w->N, A, B);
  for (int i = 0; i < w->n; ++i)
    w->d[i] = 1;
  if (!options->is_unbalanced)
    ffi_balance(w->n, w->N, B, w->d);
  *info = (ffi_expm_info){.norm = norm1(w, B)};
  if (!isfinite(info->norm))
    return FFI_EXPM_NOT_FINITE;
  approximant(w, options->order, info);
  if (!is_finite(area(w), w->denominator))
    return FFI_EXPM_NOT_FINITE;
  return ffi_dense_lu(w->n, w->N, w->denominator, w->row) == FFI_FACTORED ? FFI_EXPM_DONE : FFI_EXPM_SINGULAR;
}

// D_j^-1 N_j in a slot, squared `times` times; returns that slot.
static double *powered(const expm_work *w, int times, ffi_expm_info *info)
{
  double *R = w->slot[0], *next = w->slot[1];
  memset(R, 0, area(w) * sizeof *R);
  ffi_padded_solve(&(ffi_padded_lu){w->n, w->N, w->denominator, w->row}, w->N, w->numerator, R);
  for (int i = 0; i < times; ++i) {
    product(w, R, R, next);
    double *t = R;
    R = next;
    next = t;
  }
  info->products += times;
  return R;
}

ffi_expm_status ffi_expm(int n, const double *A, double *E, const ffi_expm_options *options, void *work,
                         ffi_expm_info *info)
{
  ffi_expm_info unseen;
  expm_work w = lay_out(n, 0, work);
  info = info ? info : &unseen;
  ffi_expm_status status = prepare(&w, A, options, info);
  if (status != FFI_EXPM_DONE)
    return status;
  const double *R = powered(&w, info->scaling, info);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      E[(ptrdiff_t)i * n + j] = R[(ptrdiff_t)i * w.N + j] * (w.d[i] / w.d[j]);
  return is_finite((size_t)n * (size_t)n, E) ? FFI_EXPM_DONE : FFI_EXPM_NOT_FINITE;
}

// The columns need the approximant R applied 2^s times. Returns how many squarings of R make the whole cheapest, or -1
// if R need not be formed, since D_j^-1 (N_j V) is cheaper: Expo paper eq. 33. In units of 2 N^2 operations R costs N,
// a squaring N, R V `columns` and D_j^-1 (N_j V) twice that.
static int best_squarings(int N, int columns, int s)
{
  int best = -1;
  double least = 2.0 * columns * exp2(s);
  for (int k = 0; k <= s; ++k) {
    double cost = (double)N * (1 + k) + columns * exp2(s - k);
    if (cost < least) {
      least = cost;
      best = k;
    }
  }
  return best;
}

// V[0] := e^(balanced A) V[0]
static void apply(expm_work *w, int columns, ffi_expm_info *info)
{
  const int squarings = best_squarings(w->N, columns, info->scaling);
  const double *R = squarings < 0 ? NULL : powered(w, squarings, info);
  const long times = 1L << (R ? info->scaling - squarings : info->scaling); // at most about N
  for (long i = 0; i < times; ++i) {
    double *V = w->V[0];
    w->V[0] = w->V[1];
    w->V[1] = V;
    ffi_padded_product(w->N, w->N, columns, R ? R : w->numerator, V, w->V[0]);
    if (!R) {
      ffi_padded_solve(&(ffi_padded_lu){w->n, w->N, w->denominator, w->row}, columns, w->V[0], V);
      w->V[1] = w->V[0];
      w->V[0] = V;
    }
  }
}

ffi_expm_status ffi_expm_times(int n, const double *A, const ffi_expm_columns *of,
                               const ffi_expm_options *options, void *work, ffi_expm_info *info)
{
  ffi_expm_info unseen;
  const int columns = of->count;
  double *V = of->V;
  expm_work w = lay_out(n, columns, work);
  const int stride = ffi_padded(columns);
  const size_t entries = (size_t)w.N * (size_t)stride;
  info = info ? info : &unseen;
  if (!is_finite((size_t)n * (size_t)columns, V))
    return FFI_EXPM_NOT_FINITE;
  ffi_expm_status status = prepare(&w, A, options, info);
  if (status != FFI_EXPM_DONE)
    return status;

  memset(w.V[0], 0, entries * sizeof *V);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < columns; ++j)
      w.V[0][(ptrdiff_t)i * stride + j] = V[(ptrdiff_t)i * columns + j] / w.d[i];
  apply(&w, stride, info);
  if (!is_finite(entries, w.V[0]))
    return FFI_EXPM_NOT_FINITE;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < columns; ++j)
      V[(ptrdiff_t)i * columns + j] = w.V[0][(ptrdiff_t)i * stride + j] * w.d[i];
  return FFI_EXPM_DONE;
}
