// Traces that grow as they are filled, and their root-mean-square error against a reference solution.
#include "papers/ess/ess_trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void bench_ess_trace_begin(bench_ess_trace *r, int size)
{
  if (r->size != size) {
    bench_ess_trace_free(r);
    r->size = size;
  }
  r->count = 0;
}

static int grow(bench_ess_trace *r)
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

void bench_ess_trace_add(bench_ess_trace *r, double t, const double *x)
{
  if (r->count == r->room && !grow(r)) {
    r->is_short = 1;
    return;
  }
  r->t[r->count] = t;
  memcpy(r->x + (size_t)r->count * (size_t)r->size, x, (size_t)r->size * sizeof *x);
  ++r->count;
}

void bench_ess_trace_free(bench_ess_trace *r)
{
  free(r->t);
  free(r->x);
  *r = (bench_ess_trace){0};
}

double bench_ess_trace_error(const bench_ess_trace *r, bench_ess_trace_truth at, void *truth)
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

int bench_ess_trace_fine_at(void *truth, double t, double *x)
{
  bench_ess_trace_fine *f = truth;
  const bench_ess_trace *r = f->fine;
  while (f->at + 1 < r->count && fabs(r->t[f->at + 1] - t) <= fabs(r->t[f->at] - t))
    ++f->at;
  if (f->at >= r->count || fabs(r->t[f->at] - t) > 1e-9)
    return 0;
  memcpy(x, r->x + (size_t)f->at * (size_t)r->size, (size_t)r->size * sizeof *x);
  return 1;
}
