// footfall bench dynamics: how long every dynamics kernel takes on solo12 and romeo.
#include "bench.h"
#include "cli/complain.h"
#include "common/callgrind.h"
#include "common/request.h"
#include "micro/dynamics_report.h"
#include "micro/dynamics_run.h"

#include <stdio.h>
#include <stdlib.h>

// Every task once, in order.
static void count(const bench_dynamics_run *run)
{
  for (int t = 0; t < run->task_count; ++t) {
    const char *which;
    char metric[64];
    bench_dynamics_task_name(run, t, &which, metric, sizeof metric);
    bench_callgrind_sweep(&run->tasks[t], which, metric);
  }
}

static void measure(const bench_request *r, bench_dynamics_run *run, bench_rows *rows)
{
  bench_run(run->tasks, run->task_count, r->is_quick ? 3 : 40, 5);
  if (r->is_markdown && !r->is_silent)
    bench_dynamics_markdown(run);
  else if (!r->is_silent)
    bench_dynamics_print(run);
  if (rows)
    bench_dynamics_rows(run, rows);
}

static int perform(const bench_request *r, bench_rows *rows)
{
  ff_error error;
  bench_dynamics_run *run = ffi_need_memory(NULL, sizeof *run);
  const int is_open = bench_dynamics_open(r->models, r->isa, run, &error) == FF_OK;
  if (!is_open)
    ffi_complain("%s", error.message);
  else if (r->is_count)
    count(run);
  else
    measure(r, run, rows);
  if (is_open)
    bench_dynamics_close(run);
  free(run);
  return is_open ? FFI_EXIT_OK : FFI_EXIT_FAILED;
}

int bench_dynamics(int argc, char **argv)
{
  static const bench_command command = {.name = "dynamics", .perform = perform};
  return bench_request_run(&command, argc, argv);
}
