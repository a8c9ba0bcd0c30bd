#include "papers/ess/ess_trace.h"

#include "common/timer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- Traces ------------------------------------------------------------------------------------------------

void bench_trace_begin(bench_trace *r, int size)
{
  if (r->size != size) {
    bench_trace_free(r);
    r->size = size;
  }
  r->count = 0;
}

static int grow(bench_trace *r)
{
  const int room = r->room ? 2 * r->room : 1024;
  double *t = realloc(r->t, (size_t)room * sizeof *t);
  if (t)
    r->t = t;
  double *x = t ? realloc(r->x, (size_t)room * (size_t)r->size * sizeof *x) : NULL;
  if (x) {
    r->x = x;
    r->room = room;
  }
  return x != NULL;
}

void bench_trace_add(bench_trace *r, double t, const double *x)
{
  if (r->count == r->room && !grow(r)) {
    r->is_short = 1;
    return;
  }
  r->t[r->count] = t;
  memcpy(r->x + (size_t)r->count * (size_t)r->size, x, (size_t)r->size * sizeof *x);
  ++r->count;
}

void bench_trace_free(bench_trace *r)
{
  free(r->t);
  free(r->x);
  *r = (bench_trace){0};
}

double bench_trace_error(const bench_trace *r, bench_truth_at at, void *truth)
{
  enum { SIZE_MOST = 16 };
  double sum = 0, x[SIZE_MOST];
  if (r->is_short || r->count == 0 || r->size > SIZE_MOST)
    return NAN;
  for (int i = 0; i < r->count; ++i) {
    if (!at(truth, r->t[i], x))
      return NAN;
    for (int k = 0; k < r->size; ++k) {
      const double d = r->x[i * r->size + k] - x[k];
      sum += d * d;
    }
  }
  return sqrt(sum / r->count);
}

// ---- Movers ------------------------------------------------------------------------------------------------

void bench_mover_destroy(bench_mover *m)
{
  if (m->self)
    m->destroy(m->self);
  *m = (bench_mover){0};
}

void bench_movers_time(const bench_mover *movers, int count, const double *x0, double duration, int rounds,
                       double *seconds)
{
  for (int k = 0; k < count; ++k)
    seconds[k] = movers[k].self ? INFINITY : NAN;
  for (int round = 0; round < rounds; ++round)
    for (int k = 0; k < count; ++k) {
      ff_error ignored;
      if (isnan(seconds[k]))
        continue;
      const double from = bench_thread_seconds();
      const ff_status status = movers[k].go(movers[k].self, x0, duration, NULL, &ignored);
      const double passed = bench_thread_seconds() - from;
      seconds[k] = status == FF_OK ? fmin(seconds[k], passed) : NAN;
    }
}

typedef struct ess_mover {
  ff_ess *ess;
  int size;
  bench_ess_user user;
} ess_mover;

static void record(double t, const double *x, int guard, void *user)
{
  const bench_ess_user *u = user;
  (void)guard;
  if (u->trace)
    bench_trace_add(u->trace, t, x);
}

static ff_status go(void *self, const double *x0, double duration, bench_trace *trace, ff_error *error)
{
  ess_mover *m = self;
  if (trace)
    bench_trace_begin(trace, m->size);
  m->user.trace = trace;
  ff_status status = ff_ess_start(m->ess, 0, x0, NULL, error);
  if (status == FF_OK)
    status = ff_ess_advance(m->ess, duration, error);
  m->user.trace = NULL;
  return status;
}

static void destroy(void *self)
{
  ess_mover *m = self;
  ff_ess_destroy(m->ess);
  free(m);
}

ff_status bench_ess_mover(const ff_ess_def *def, const void *model, bench_mover *out, ff_error *error)
{
  ff_ess_def own = *def;
  ess_mover *m = calloc(1, sizeof *m);
  *out = (bench_mover){0};
  if (!m)
    return error->status = FF_ERROR_MEMORY;
  m->size = def->system.size;
  m->user.model = model;
  own.system.user = &m->user;
  own.record = record;
  const ff_status status = ff_ess_create(&own, &m->ess, error);
  if (status != FF_OK) {
    free(m);
    return status;
  }
  *out = (bench_mover){.go = go, .destroy = destroy, .self = m};
  return FF_OK;
}

ff_ess *bench_ess_of(const bench_mover *mover)
{
  const ess_mover *m = mover->self;
  return m->ess;
}

ff_status bench_ess_truth_begin(const bench_mover *mover, const double *x0, ff_error *error)
{
  return ff_ess_start(bench_ess_of(mover), 0, x0, NULL, error);
}

int bench_ess_truth_at(void *self, double t, double *x)
{
  ess_mover *m = self;
  ff_error ignored;
  if (ff_ess_advance(m->ess, t, &ignored) != FF_OK)
    return 0;
  memcpy(x, ff_ess_state(m->ess), (size_t)m->size * sizeof *x);
  return 1;
}

int bench_fine_truth_at(void *truth, double t, double *x)
{
  bench_fine_truth *f = truth;
  const bench_trace *r = f->fine;
  while (f->at + 1 < r->count && fabs(r->t[f->at + 1] - t) <= fabs(r->t[f->at] - t))
    ++f->at;
  if (f->at >= r->count || fabs(r->t[f->at] - t) > 1e-9)
    return 0;
  memcpy(x, r->x + (size_t)f->at * (size_t)r->size, (size_t)r->size * sizeof *x);
  return 1;
}
