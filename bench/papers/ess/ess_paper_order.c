// Section 4 of the ESS paper: the error of the order test against epsilon, and the order that is fitted to it.
#include "papers/ess/ess_order.h"
#include "papers/ess/ess_paper.h"

#include <math.h>
#include <stdio.h>

double bench_ess_order_work(const bench_ess *b)
{
  (void)b;
  return 0.1;
}

// Ordinary steps are exact to ten digits, so that what is left are projections.
static ff_status error_at(double epsilon, double *out, ff_error *error)
{
  ff_ess_def def = bench_order_def();
  bench_mover mover;
  bench_trace trace = {0};
  def.epsilon = epsilon;
  def.relative_tolerance = 1e-10;
  def.absolute_tolerance = 1e-12;
  ff_status status = bench_ess_mover(&def, NULL, &mover, error);
  if (status == FF_OK)
    status = mover.go(mover.self, bench_order_start, bench_order_duration, &trace, error);
  if (status == FF_OK)
    *out = bench_trace_error(&trace, bench_order_at, NULL);
  bench_trace_free(&trace);
  bench_mover_destroy(&mover);
  return status;
}

static void report(const bench_ess *b)
{
  const bench_order_study *o = &b->order;
  char titles[][24] = {"epsilon", "RMS error"}, metric[48];
  bench_sheet_say(&b->sheet, "Order test: fitted order %.3g (samples %d to %d); the paper's %.2g", o->order,
                  BENCH_ORDER_FIRST, BENCH_ORDER_LAST, bench_ess_stated_order);
  bench_sheet_titles(&b->sheet, "sample", 2, titles);
  for (int i = 0; i < BENCH_ORDER_SAMPLES; ++i) {
    char name[16];
    snprintf(name, sizeof name, "%d", i);
    bench_sheet_row(&b->sheet, name);
    bench_sheet_error(&b->sheet, o->epsilon[i]);
    bench_sheet_error(&b->sheet, o->error[i]);
    bench_sheet_end(&b->sheet);
    snprintf(metric, sizeof metric, "rms:epsilon=%.4e", o->epsilon[i]);
    bench_ess_row(b, "order", metric, o->error[i], "1");
  }
  bench_ess_row(b, "order", "fitted", o->order, "1");
  bench_ess_row(b, "order", "stated", bench_ess_stated_order, "1");
  bench_ess_row(b, "paper", "order", o->order, "1");
}

ff_status bench_ess_order(bench_ess *b, ff_error *error)
{
  bench_order_study *o = &b->order;
  for (int i = 0; i < BENCH_ORDER_SAMPLES; ++i) {
    o->epsilon[i] = pow(10, 0.3 - 4.7 * i / (BENCH_ORDER_SAMPLES - 1));
    const ff_status status = error_at(o->epsilon[i], &o->error[i], error);
    if (status != FF_OK)
      return status;
  }
  o->order = bench_ess_fit(o->epsilon, o->error, BENCH_ORDER_FIRST, BENCH_ORDER_LAST, &o->factor);
  o->is_measured = 1;
  report(b);
  return FF_OK;
}
