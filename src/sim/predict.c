// The force that the frozen system predicts: everything but the rows of contacts and elements is held as it is now, and these move
// linearly, x'' = b + Y lambda, lambda = -(K x + B x'), Expo paper eqs 10-12. Motors, stops and holds are among the rows, so that their answer
// to the motion counts; only the forces of contacts are told. This may be slow and may allocate: it is for looking, not for stepping.
#include "base/error.h"
#include "math/frozen_reference.h"
#include "math/vec3.h"
#include "model/model.h"
#include "sim/sim.h"

#include <stdlib.h>

// n rows: of contacts and holds in threes, of joints one by one.
typedef struct frozen {
  int n, count;
  double *J, *X;          // [n][nv], and M^-1 J' the same way
  double *Y, *K, *B;      // [n][n]
  double *b0, *x, *u;     // [n]
  double *force;          // [nv] of all that is constant
  double *times, *lambda; // [count], [count][n]
  void *work;
} frozen;

static int is_linear(const ffi_joint_row *row)
{
  return row->K > 0 || row->B > 0;
}

static int count_rows(const ffi_instant *report)
{
  int n = 3 * (report->count + report->hold_count);
  for (int i = 0; i < report->joint_row_count; ++i)
    n += is_linear(&report->joint_row[i]);
  return n;
}

static void layout(const ff_sim *sim, ffi_block *block, frozen *f)
{
  const size_t n = (size_t)f->n, nv = (size_t)sim->system.model->size.nv, count = (size_t)f->count;
  f->J = ffi_block_take(block, n * nv, sizeof *f->J);
  f->X = ffi_block_take(block, n * nv, sizeof *f->X);
  f->Y = ffi_block_take(block, n * n, sizeof *f->Y);
  f->K = ffi_block_take(block, n * n, sizeof *f->K);
  f->B = ffi_block_take(block, n * n, sizeof *f->B);
  f->b0 = ffi_block_take(block, n, sizeof *f->b0);
  f->x = ffi_block_take(block, n, sizeof *f->x);
  f->u = ffi_block_take(block, n, sizeof *f->u);
  f->force = ffi_block_take(block, nv, sizeof *f->force);
  f->times = ffi_block_take(block, count, sizeof *f->times);
  f->lambda = ffi_block_take(block, count * n, sizeof *f->lambda);
  f->work = ffi_block_take(block, 1, ffi_reference_size(f->n));
}

// One row: its gains, offset, rate, and the rate's rate at vdot = 0.
static void put_gains(frozen *f, int row, double K, double B, double x, double u, double c)
{
  const size_t diagonal = (size_t)row * (size_t)(f->n + 1);
  f->K[diagonal] = K;
  f->B[diagonal] = B;
  f->x[row] = x;
  f->u[row] = u;
  f->b0[row] = c;
}

static void put_rows3(frozen *f, int first, int nv, const ffi_rows3 *rows, int stride)
{
  for (int r = 0; r < 3; ++r)
    for (int k = 0; k < rows->columns; ++k)
      f->J[(size_t)(first + r) * (size_t)nv + (size_t)rows->dof[k]] = rows->J[r * stride + k];
}

// J, gains and offsets of all rows, and the forces that no row accounts for.
static void freeze(const ff_sim *sim, const double *tau, frozen *f)
{
  const ffi_instant *r = &sim->report;
  const int nv = sim->system.model->size.nv;
  int row = 0;
  for (int i = 0; i < nv; ++i)
    f->force[i] = (tau ? tau[i] : 0) - r->h[i];
  for (int i = 0; i < r->count; ++i, row += 3) {
    const ffi_contact *c = &r->contact[i];
    put_rows3(f, row, nv, &c->rows, r->stride);
    for (int k = 0; k < 3; ++k)
      put_gains(f, row + k, c->K, c->B, c->x[k], c->u[k], c->c[k]);
  }
  for (int i = 0; i < r->hold_count; ++i, row += 3) {
    const ffi_hold *h = &r->hold[i];
    put_rows3(f, row, nv, &h->rows, r->stride);
    for (int k = 0; k < 3; ++k)
      put_gains(f, row + k, h->K, h->B, h->x[k], h->u[k], h->c[k]);
  }
  for (int i = 0; i < r->joint_row_count; ++i) {
    const ffi_joint_row *j = &r->joint_row[i];
    if (!is_linear(j)) {
      f->force[j->v] += j->force;
      continue;
    }
    f->J[(size_t)row * (size_t)nv + (size_t)j->v] = 1;
    put_gains(f, row++, j->K, j->B, j->x, j->u, 0);
  }
}

// Y = J M^-1 J' and b0 = J M^-1 force + c. After the mass matrix was factored.
static void couple(const ff_sim *sim, frozen *f)
{
  const ffi_system *s = &sim->system;
  const size_t nv = (size_t)s->model->size.nv;
  s->k->solve(s->work, f->force);
  for (int i = 0; i < f->n; ++i) {
    double *column = f->X + (size_t)i * nv;
    memcpy(column, f->J + (size_t)i * nv, nv * sizeof *column);
    s->k->solve(s->work, column);
  }
  for (int i = 0; i < f->n; ++i) {
    const double *J = f->J + (size_t)i * nv;
    for (int j = 0; j < f->n; ++j) {
      double sum = 0;
      for (size_t k = 0; k < nv; ++k)
        sum += J[k] * f->X[(size_t)j * nv + k];
      f->Y[(size_t)i * (size_t)f->n + (size_t)j] = sum;
    }
    for (size_t k = 0; k < nv; ++k)
      f->b0[i] += J[k] * f->force[k];
  }
}

static ff_status solve(frozen *f, double duration, ff_error *error)
{
  const ffi_reference_system system = {
      .n = f->n, .Y = f->Y, .K = f->K, .B = f->B, .b0 = f->b0, .dp = f->x, .dpdot = f->u};
  for (int k = 0; k < f->count; ++k)
    f->times[k] = f->count > 1 ? duration * k / (f->count - 1) : 0;
  if (ffi_reference_forces(&system, f->count, f->times, FFI_EXPM_EXACT, f->work, f->lambda) != FFI_EXPM_DONE)
    return ffi_fail(error, FF_ERROR_NUMERIC, NULL, 0, "ff_sim_predict_forces",
                    "the exponential of the contacts' motion over %g s is not finite; ask for a shorter time",
                    duration);
  return FF_OK;
}

// Forces of contacts on their pairs' a.
static void give_forces(const ff_sim *sim, const frozen *f, double *force)
{
  const ffi_instant *r = &sim->report;
  for (int k = 0; k < f->count; ++k)
    for (int i = 0; i < r->count; ++i, force += 3)
      ffi_v3_scale(r->contact[i].near.flipped ? -1 : 1, f->lambda + (size_t)k * (size_t)f->n + 3 * (size_t)i,
                   force);
}

static ff_status predict(ff_sim *sim, const double *tau, double duration, frozen *f, double *force,
                         ff_error *error)
{
  ffi_block measure = {0};
  layout(sim, &measure, f);
  ffi_block memory = {.base = calloc(1, measure.used + 1)};
  if (!memory.base)
    return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, "ff_sim_predict_forces",
                    "no memory for a frozen system of %d rows (%zu bytes)", f->n, measure.used);
  layout(sim, &memory, f);
  freeze(sim, tau, f);
  ff_status status = ffi_instant_acceleration(&sim->system, &sim->report, error);
  if (status != FF_OK)
    goto end;
  couple(sim, f);
  status = solve(f, duration, error);
  if (status == FF_OK)
    give_forces(sim, f, force);
end:
  free(memory.base);
  return status;
}

ff_status ff_sim_predict_forces(ff_sim *sim, const double *tau, double duration, int count, double *force,
                                int *contacts, ff_error *error)
{
  if (!sim)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_predict_forces", "the sim is NULL");
  if (!isfinite(duration) || duration < 0 || count < 0)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_predict_forces",
                    "duration is %g and count is %d; both must be >= 0", duration, count);
  if (tau && !ffi_all_finite(tau, sim->system.model->size.nv))
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_predict_forces", "tau is not finite");
  ffi_sim_changed(sim); // the workspace must have this state's mass matrix
  const ffi_instant *report = ffi_sim_report(sim);
  if (contacts)
    *contacts = report->count;
  frozen f = {.n = count_rows(report), .count = count};
  if (!force || count == 0 || report->count == 0)
    return FF_OK;
  return predict(sim, tau, duration, &f, force, error);
}
