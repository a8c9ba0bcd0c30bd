// footfall bench dynamics: the time of every dynamics kernel on solo12 and romeo.
#include "bench.h"
#include "cli/error_message.h"
#include "cli/memory.h"
#include "cli/program.h"
#include "common/callgrind.h"
#include "common/command.h"
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
    bench_dynamics_run_task_name(run, t, &which, metric, sizeof metric);
    bench_callgrind_sweep(&run->tasks[t], which, metric);
  }
}

static void measure(const bench_command_request *r, bench_dynamics_run *run, bench_json_rows *rows)
{
  bench_timer_run(run->tasks, run->task_count, r->is_quick ? 3 : 40, 5);
  if (r->is_markdown && !r->is_silent)
    bench_dynamics_report_markdown(run);
  else if (!r->is_silent)
    bench_dynamics_report_print(run);
  if (rows)
    bench_dynamics_report_rows(run, rows);
}

static int perform(const void *context, const bench_command_request *r, bench_json_rows *rows)
{
  (void)context;
  ff_error error;
  bench_dynamics_run *run = ffi_memory_need(NULL, sizeof *run);
  const int is_open = bench_dynamics_run_open(r->models, r->isa, run, &error) == FF_OK;
  if (!is_open)
    ffi_error_message("%s", error.message);
  else if (r->is_count)
    count(run);
  else
    measure(r, run, rows);
  if (is_open)
    bench_dynamics_run_close(run);
  free(run);
  return is_open ? FFI_EXIT_OK : FFI_EXIT_FAILED;
}

const bench_command bench_dynamics_command = {.name = "dynamics", .perform = perform};
