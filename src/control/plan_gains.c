// Gains: those that cost least, backwards in time. The end goes on for ever: a jump by standing, its last interval again and again; a trot by its period.
#include "base/fail.h"
#include "control/plan.h"
#include "math/dense.h"
#include "math/riccati.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_INTERVALS = 2000 }; ///< that the future behind the end has: 20 s

// What gains may change by from one round to the next, relative to the largest, once they have settled. Feet that are set down anew at each interval's
// begin creep by 1e-5 of what they would if pushed, so with some costs gains of standing never quite come to rest: then the future has an end.
static const double settled = 1e-5;

typedef struct backward {
  double *Q, *R; ///< diagonals
  double *P, *before, *work;
} backward;

static void weigh(const ff_plan *plan, double *Q, double *R)
{
  const ff_plan_cost *c = &plan->def.cost;
  for (int i = 0; i < plan->nv; ++i) {
    Q[i] = i < 3 ? c->position : i < FFI_PLAN_FREE ? c->attitude : c->joint;
    Q[plan->nv + i] = i < 3 ? c->velocity : i < FFI_PLAN_FREE ? c->turning : c->joint_rate;
  }
  for (int i = 0; i < plan->nu; ++i)
    R[i] = c->torque;
}

static ff_status step_back(ff_plan *plan, int k, const backward *b, ff_error *error)
{
  const size_t at = (size_t)k, nx = (size_t)plan->nx, nu = (size_t)plan->nu;
  const int failed = ffi_riccati_step(plan->nx, plan->nu, plan->A + at * nx * nx, plan->B + at * nx * nu,
                                      b->Q, b->R, b->P, plan->gain + at * nu * nx, b->work);
  if (failed != FFI_FACTORED)
    return ffi_fail(error, FF_ERROR_NUMERIC, NULL, 0, "plan",
                    "gains at %g s cannot be computed: pivot %d failed", k * plan->def.interval, failed);
  return FF_OK;
}

static double change(size_t count, const double *a, const double *b)
{
  double most = 0, scale = 0;
  for (size_t i = 0; i < count; ++i) {
    most = fmax(most, fabs(a[i] - b[i]));
    scale = fmax(scale, fabs(a[i]));
  }
  return most / scale;
}

// Gains of the part that goes on for ever, intervals from..last. What is to be paid may grow without end: feet that stand in a wrong place stay there,
// whatever is done. Gains settle all the same.
static ff_status settle(ff_plan *plan, int from, const backward *b, ff_error *error)
{
  const size_t count = (size_t)plan->nx * (size_t)plan->nu;
  const double *gain = plan->gain + (size_t)from * count;
  const int rounds = MOST_INTERVALS / (plan->intervals - from) + 1;
  for (int round = 0; round < rounds; ++round) {
    memcpy(b->before, gain, count * sizeof *gain);
    for (int k = plan->intervals - 1; k >= from; --k) {
      const ff_status status = step_back(plan, k, b, error);
      if (status != FF_OK)
        return status;
    }
    if (round > 0 && change(count, gain, b->before) < settled)
      break;
  }
  return FF_OK;
}

ff_status ffi_plan_gains(ff_plan *plan, ff_error *error)
{
  const size_t nx = (size_t)plan->nx, nu = (size_t)plan->nu;
  double *memory = calloc(nx + nu + 2 * nx * nx + ffi_riccati_work(plan->nx, plan->nu), sizeof *memory);
  if (!memory)
    return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, "plan", "no memory");
  backward b = {.Q = memory, .R = memory + nx, .P = memory + nx + nu};
  b.before = b.P + nx * nx;
  b.work = b.before + nx * nx;
  weigh(plan, b.Q, b.R);
  for (size_t i = 0; i < nx; ++i)
    b.P[i * nx + i] = b.Q[i];
  const int from = plan->feedback.repeats ? plan->feedback.repeat_from : plan->intervals - 1;
  ff_status status = settle(plan, from, &b, error);
  for (int k = from - 1; status == FF_OK && k >= 0; --k)
    status = step_back(plan, k, &b, error);
  free(memory);
  return status;
}
