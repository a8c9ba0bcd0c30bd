// Newton steps with dense or sparse factors, and the line search.  docs/theory/hard-solvers.md, section 6
#include "contact/hard/hard_newton.h"

#include "math/dense.h"

#include <string.h>

// Step lengths that are tried, and the one that is taken when none of them lowers F. A step that raises F leads out of
// corners where the modes of contacts exclude each other: shorter steps, or stopping there, solved fewer problems.
enum { TRIALS = 3 };
static const double shortened = 0.5;

// Added to G's diagonal, relative, in dF only: redundant contacts make G singular; F stays exact.
static const double regular = 1e-9;

// xi at x. In the velocity form u is that of x afterwards.
static void evaluate_xi(ffi_hard_memory *m, const double *x, double *xi)
{
  const ffi_hard_newton *w = &m->newton;
  if (m->form == FF_HARD_FORM_IMPULSE) {
    ffi_hard_product(m, x, xi);
    return;
  }
  memcpy(m->u, m->problem->u_free, (size_t)m->problem->nv * sizeof *m->u);
  for (int p = 0; p < m->iterated; ++p)
    ffi_hard_block_push(m, &m->part[p], x + m->part[p].row);
  for (int p = 0; p < m->iterated; ++p)
    ffi_hard_block_xi(m, &m->part[p], x + m->part[p].row, xi + m->part[p].row);
  for (int i = 0; w->rho > 0 && i < m->n; ++i)
    xi[i] += w->rho * m->weight[i] * (x[i] - w->centre[i]);
}

// xi and F at x; returns |F|^2.
static double natural_map(ffi_hard_memory *m, const double *x, double *xi, double *F)
{
  double sum = 0;
  evaluate_xi(m, x, xi);
  for (int p = 0; p < m->iterated; ++p) {
    const ffi_hard_part *part = &m->part[p];
    const int at = part->row;
    double to[FFI_HARD_MAX_ROWS] = {0};
    ffi_hard_prox_part(part, m->inverse + at, xi + at, x + at, to);
    for (int i = 0; i < part->rows; ++i) {
      F[at + i] = x[at + i] - to[i];
      sum += F[at + i] * F[at + i];
    }
  }
  return sum;
}

// P' of a contact (eq. 7) or cone, [3][3], rows t1 t2 n; returns how many of its rows are not fixed: 0, 1 (normal only,
// for mu = 0) or 3.
static int contact_derivative(const ffi_hard_part *part, const double *r, const double *xi,
                              const double *Lambda, double *D)
{
  const double push = Lambda[2] - r[2] * xi[2], radius = part->mu * push;
  if (part->law == FFI_HARD_LAW_CONE) {
    const double to[3] = {Lambda[0] - r[0] * xi[0], Lambda[1] - r[1] * xi[1], push};
    return ffi_friction_cone_derivative(part->mu, part->faces, r, to, D);
  }
  memset(D, 0, 9 * sizeof *D);
  if (!(push > 0) || !(r[2] > 0)) // open, or nothing moves it
    return 0;
  D[8] = 1;
  if (!(radius > 0) || !(r[0] > 0))
    return 1;
  const double x = Lambda[0] - r[0] * xi[0], y = Lambda[1] - r[1] * xi[1], length = sqrt(x * x + y * y);
  if (length <= radius) {
    D[0] = D[4] = 1;
    return 3;
  }
  const double ex = x / length, ey = y / length, share = radius / length;
  D[0] = share * ey * ey;
  D[1] = D[3] = -share * ex * ey;
  D[4] = share * ex * ex;
  D[2] = part->mu * ex;
  D[5] = part->mu * ey;
  return 3;
}

// A tangent that nothing moves (as across the plane of a planar mechanism) shares r with the other tangent, so a
// sticking contact would leave a row of zeros in dF. It keeps the impulse that P gives it: P' = 0, step = -F.
static void fix_unmoved(const double *r, const double *weight, double *D)
{
  for (int i = 0; i < 2; ++i)
    if (!(weight[i] * r[i] > 1e-12))
      memset(D + 3 * i, 0, 3 * sizeof *D);
}

// The same of a contact with moments, [6][6]. Rows that are zero are fixed, the others are listed; returns the new
// count.
static int list_turning(ffi_hard_memory *m, const ffi_hard_part *part, int count)
{
  enum { ROWS = FFI_TURNING_CONE_ROWS };
  ffi_hard_newton *w = &m->newton;
  const int at = part->row;
  const double *r = m->inverse + at, limit[] = {part->mu, part->turning, part->turning};
  double *D = w->wide + ROWS * at, x[ROWS];
  for (int i = 0; i < ROWS; ++i)
    x[i] = m->Lambda[at + i] - r[i] * m->xi[at + i];
  if (part->law == FFI_HARD_LAW_CONE)
    ffi_turning_cone_derivative(limit, r, x, D);
  else
    ffi_turning_cone_disc_derivative(limit, r, x, D);
  for (int i = 0; i < ROWS; ++i) {
    int is_free = 0;
    if (!(m->weight[at + i] * r[i] > 1e-12)) // see fix_unmoved()
      memset(D + ROWS * i, 0, ROWS * sizeof *D);
    for (int j = 0; j < ROWS; ++j)
      is_free |= D[ROWS * i + j] != 0;
    if (is_free)
      w->active[count++] = at + i;
  }
  return count;
}

// P' of every part, [rows][3] (a contact's) or [rows][0] (1 or 0). Lists the rows that are not fixed and returns their
// number.
static int list_active(ffi_hard_memory *m)
{
  ffi_hard_newton *w = &m->newton;
  int count = 0;
  for (int p = 0; p < m->iterated; ++p) {
    const ffi_hard_part *part = &m->part[p];
    const int at = part->row;
    const double *r = m->inverse + at, *xi = m->xi + at, *Lambda = m->Lambda + at;
    double *D = w->derivative + 3 * at;
    if (ffi_hard_turns(part->law, part->rows)) {
      count = list_turning(m, part, count);
      continue;
    }
    if (ffi_hard_is_contact(part->law)) {
      const int active = contact_derivative(part, r, xi, Lambda, D);
      fix_unmoved(r, m->weight + at, D);
      for (int i = 3 - active; i < 3; ++i)
        w->active[count++] = at + i;
      continue;
    }
    for (int i = 0; i < part->rows; ++i) {
      const double x = Lambda[i] - r[i] * xi[i];
      const int is_free = part->law == FFI_HARD_LAW_BILATERAL || (part->law == FFI_HARD_LAW_STOP && x > 0) ||
                          (part->law == FFI_HARD_LAW_DRY && fabs(x) < part->bound);
      D[3 * i] = is_free && r[i] > 0; // a row that nothing moves is fixed
      if (D[3 * i] > 0)
        w->active[count++] = at + i;
    }
  }
  return count;
}

// Fixed rows go to their bound in one step: step = -F. out = G times that, for the other rows.
static void step_fixed(ffi_hard_memory *m, int count, double *out)
{
  ffi_hard_newton *w = &m->newton;
  memset(out, 0, (size_t)m->n * sizeof *out);
  int next = 0;
  for (int j = 0; j < m->n; ++j) {
    if (next < count && w->active[next] == j) {
      ++next;
      continue;
    }
    const double d = w->step[j] = -w->F[j];
    const double *G = m->G + (size_t)j * (size_t)m->stride;
    for (int i = 0; d != 0 && i < m->n; ++i)
      out[i] += G[i] * d;
  }
}

// Rows of a part: a contact's three or six, or one; the first of them in `active`.
typedef struct span {
  int at, width, first;
} span;

// One row of dF over the active columns; returns its right-hand side.
static double fill_row(ffi_hard_memory *m, int count, int row, span of, const double *pushed, double *J)
{
  const ffi_hard_newton *w = &m->newton;
  const int at = of.at, width = of.width;
  const double *D = width == FFI_TURNING_CONE_ROWS ? w->wide + width * row : w->derivative + 3 * row;
  double right = -w->F[row];
  memset(J, 0, (size_t)count * sizeof *J);
  for (int l = 0; l < width; ++l) {
    const double share = (width > 1 ? D[l] : D[0]) * m->inverse[at + l];
    if (share == 0)
      continue;
    const double *G = m->G + (size_t)(at + l) * (size_t)m->stride;
    for (int j = 0; j < count; ++j)
      J[j] += share * G[w->active[j]];
    right -= share * pushed[at + l];
  }
  for (int j = of.first; j < count && w->active[j] < at + width; ++j) {
    const int l = w->active[j] - at;
    const double own = width > 1 ? D[l] : D[0];
    J[j] += (w->active[j] == row) - own + regular * own * m->inverse[at + l] * m->weight[at + l];
  }
  return right;
}

// The Newton step by sparse blocks, fixed rows included.
static int find_sparse_step(ffi_hard_memory *m)
{
  ffi_hard_newton *w = &m->newton;
  double sum = 0;
  (void)list_active(m);
  if (!ffi_hard_sparse_factor(m, w->rho, regular))
    return 0;
  for (int i = 0; i < m->n; ++i)
    w->right[i] = -w->F[i];
  ffi_hard_sparse_solve(m, w->right, w->step);
  for (int i = 0; i < m->n; ++i)
    sum += w->step[i];
  return isfinite(sum);
}

// The Newton step at Lambda, into `step`; 0 if there is none.
static int find_step(ffi_hard_memory *m)
{
  if (m->form == FF_HARD_FORM_VELOCITY)
    return find_sparse_step(m);
  ffi_hard_newton *w = &m->newton;
  const int count = list_active(m);
  double *pushed = w->trial_xi;
  step_fixed(m, count, pushed);
  int next = 0;
  for (int p = 0; p < m->iterated; ++p) {
    const ffi_hard_part *part = &m->part[p];
    const int is_contact = ffi_hard_is_contact(part->law), first = next;
    for (; next < count && w->active[next] < part->row + part->rows; ++next) {
      const int row = w->active[next];
      w->right[next] =
          fill_row(m, count, row, is_contact ? (span){part->row, part->rows, first} : (span){row, 1, next},
                   pushed, m->factor + (size_t)next * (size_t)count);
    }
  }
  m->work += 5 * ffi_hard_factor_work_of(count); // twice the operations of a symmetric one, and slower
  if (ffi_dense_lu(count, count, m->factor, w->pivot) != FFI_FACTORED)
    return 0;
  ffi_dense_lu_solve(count, count, m->factor, w->pivot, w->right, w->solution);
  double sum = 0;
  for (int j = 0; j < count; ++j) {
    w->step[w->active[j]] = w->solution[j];
    sum += w->solution[j];
  }
  return isfinite(sum);
}

static double try_length(ffi_hard_memory *m, double length)
{
  ffi_hard_newton *w = &m->newton;
  for (int i = 0; i < m->n; ++i)
    w->trial[i] = m->Lambda[i] + length * w->step[i];
  return natural_map(m, w->trial, w->trial_xi, w->trial_F);
}

static int is_small(const ffi_hard_memory *m, double tolerance)
{
  for (int i = 0; i < m->n; ++i)
    if (!(fabs(m->newton.F[i]) <=
          tolerance * (m->absolute[i] + m->def->relative_tolerance * fabs(m->Lambda[i]))))
      return 0;
  return 1;
}

int ffi_hard_newton_solve(ffi_hard_memory *m, int steps, double tolerance, int *taken)
{
  ffi_hard_newton *w = &m->newton;
  const size_t bytes = (size_t)m->n * sizeof *w->F;
  double merit = natural_map(m, m->Lambda, m->xi, w->F);
  for (int k = 0; !is_small(m, tolerance); ++k) {
    if (k == steps || !isfinite(m->work) || ffi_early_stop_found(m->problem->interrupt) || !find_step(m))
      return 0;
    ++*taken;
    m->work += ffi_hard_memory_iteration_work(m);
    if (m->most_work > 0 && m->work > m->most_work) {
      m->work = INFINITY; // the step fails: see ffi_hard_limit_work()
      return 0;
    }
    double length = 1, trial = try_length(m, length);
    for (int i = 1; i < TRIALS && !(trial < merit * (1 - 0.1 * length)); ++i) {
      length /= 2;
      trial = try_length(m, length);
    }
    if (!(trial < merit * (1 - 0.1 * length)))
      trial = try_length(m, shortened);
    if (!isfinite(trial))
      return 0;
    merit = trial;
    memcpy(m->Lambda, w->trial, bytes);
    memcpy(m->xi, w->trial_xi, bytes);
    memcpy(w->F, w->trial_F, bytes);
  }
  return 1;
}
