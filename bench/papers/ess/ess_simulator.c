// Timing of simulators, and the simulator that integrates by ff_ess.
#include "papers/ess/ess_simulator.h"

#include "common/timer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void bench_ess_simulator_destroy(bench_ess_simulator *m)
{
  if (m->self)
    m->destroy(m->self);
  *m = (bench_ess_simulator){0};
}

void bench_ess_simulator_time(const bench_ess_simulator *simulators, int count, const double *x0,
                              double duration, int rounds, double *seconds)
{
  for (int k = 0; k < count; ++k)
    seconds[k] = simulators[k].self ? INFINITY : NAN;
  for (int round = 0; round < rounds; ++round)
    for (int k = 0; k < count; ++k) {
      ff_error ignored;
      if (isnan(seconds[k]))
        continue;
      const double from = bench_timer_thread_seconds();
      const ff_status status = simulators[k].go(simulators[k].self, x0, duration, NULL, &ignored);
      const double passed = bench_timer_thread_seconds() - from;
      seconds[k] = status == FF_OK ? fmin(seconds[k], passed) : NAN;
    }
}

typedef struct ess_simulator {
  ff_ess *ess;
  int size;
  bench_ess_simulator_user user;
} ess_simulator;

static void record(double t, const double *x, int guard, void *user)
{
  const bench_ess_simulator_user *u = user;
  (void)guard;
  if (u->trace)
    bench_ess_trace_add(u->trace, t, x);
}

static ff_status go(void *self, const double *x0, double duration, bench_ess_trace *trace, ff_error *error)
{
  ess_simulator *m = self;
  if (trace)
    bench_ess_trace_begin(trace, m->size);
  m->user.trace = trace;
  ff_status status = ff_ess_start(m->ess, 0, x0, NULL, error);
  if (status == FF_OK)
    status = ff_ess_advance(m->ess, duration, error);
  m->user.trace = NULL;
  return status;
}

static void destroy(void *self)
{
  ess_simulator *m = self;
  ff_ess_destroy(m->ess);
  free(m);
}

ff_status bench_ess_simulator_create(const ff_ess_def *def, const void *model, bench_ess_simulator *out,
                                     ff_error *error)
{
  ff_ess_def own = *def;
  ess_simulator *m = calloc(1, sizeof *m);
  *out = (bench_ess_simulator){0};
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
  *out = (bench_ess_simulator){.go = go, .destroy = destroy, .self = m};
  return FF_OK;
}

ff_ess *bench_ess_simulator_ess(const bench_ess_simulator *simulator)
{
  const ess_simulator *m = simulator->self;
  return m->ess;
}

ff_status bench_ess_simulator_truth_begin(const bench_ess_simulator *simulator, const double *x0,
                                          ff_error *error)
{
  return ff_ess_start(bench_ess_simulator_ess(simulator), 0, x0, NULL, error);
}

int bench_ess_simulator_truth_at(void *self, double t, double *x)
{
  ess_simulator *m = self;
  ff_error ignored;
  if (ff_ess_advance(m->ess, t, &ignored) != FF_OK)
    return 0;
  memcpy(x, ff_ess_state(m->ess), (size_t)m->size * sizeof *x);
  return 1;
}
