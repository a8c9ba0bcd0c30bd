// Section 4 of the ESS paper: the error of the order test over epsilon, and the fitted order.
#include "papers/ess/ess_order.h"
#include "papers/ess/ess_paper.h"

#include <math.h>
#include <stdio.h>

double bench_ess_paper_order_work(const void *paper)
{
  const bench_ess_paper *b = paper;
  (void)b;
  return 0.1;
}

// Ordinary steps are accurate to ten digits, so that the error is that of the projections.
static ff_status error_at(double epsilon, double *out, ff_error *error)
{
  ff_ess_def def = bench_ess_order_def();
  bench_ess_simulator simulator;
  bench_ess_trace trace = {0};
  def.epsilon = epsilon;
  def.relative_tolerance = 1e-10;
  def.absolute_tolerance = 1e-12;
  ff_status status = bench_ess_simulator_create(&def, NULL, &simulator, error);
  if (status == FF_OK)
    status = simulator.go(simulator.self, bench_ess_order_start, bench_ess_order_duration, &trace, error);
  if (status == FF_OK)
    *out = bench_ess_trace_error(&trace, bench_ess_order_at, NULL);
  bench_ess_trace_free(&trace);
  bench_ess_simulator_destroy(&simulator);
  return status;
}

static void report(const bench_ess_paper *b)
{
  const bench_ess_paper_order *o = &b->order;
  char titles[][24] = {"epsilon", "RMS error"}, metric[48];
  bench_table_say(&b->run.table, "Order test: fitted order %.3g (samples %d to %d); the paper's %.2g",
                  o->order, BENCH_ESS_ORDER_FIRST, BENCH_ESS_ORDER_LAST, bench_ess_paper_published_order);
  bench_table_titles(&b->run.table, "sample", 2, titles);
  for (int i = 0; i < BENCH_ESS_ORDER_SAMPLES; ++i) {
    char name[16];
    snprintf(name, sizeof name, "%d", i);
    bench_table_row(&b->run.table, name);
    bench_table_error(&b->run.table, o->epsilon[i]);
    bench_table_error(&b->run.table, o->error[i]);
    bench_table_end(&b->run.table);
    snprintf(metric, sizeof metric, "rms:epsilon=%.4e", o->epsilon[i]);
    bench_paper_row(&b->run, "order", metric, o->error[i], "1");
  }
  bench_paper_row(&b->run, "order", "fitted", o->order, "1");
  bench_paper_row(&b->run, "order", "stated", bench_ess_paper_published_order, "1");
  bench_paper_row(&b->run, "paper", "order", o->order, "1");
}

ff_status bench_ess_paper_order_run(void *paper, ff_error *error)
{
  bench_ess_paper *b = paper;
  bench_ess_paper_order *o = &b->order;
  for (int i = 0; i < BENCH_ESS_ORDER_SAMPLES; ++i) {
    o->epsilon[i] = pow(10, 0.3 - 4.7 * i / (BENCH_ESS_ORDER_SAMPLES - 1));
    const ff_status status = error_at(o->epsilon[i], &o->error[i], error);
    if (status != FF_OK)
      return status;
  }
  o->order =
      bench_ess_paper_fit(o->epsilon, o->error, BENCH_ESS_ORDER_FIRST, BENCH_ESS_ORDER_LAST, &o->factor);
  o->is_measured = 1;
  report(b);
  return FF_OK;
}
