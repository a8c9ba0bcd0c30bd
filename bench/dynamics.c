// footfall bench dynamics: how long every dynamics kernel takes on solo12 and romeo.
#include "../apps/complain.h"
#include "bench.h"
#include "callgrind.h"
#include "dynamics_report.h"
#include "dynamics_run.h"
#include "request.h"

#include <stdio.h>
#include <stdlib.h>

static const char help[] =
    "footfall bench dynamics [options]\n"
    "\n"
    "Nanoseconds per call of every dynamics kernel, on the robots solo12 and romeo over 256 random states, with\n"
    "one lane and with as many robots at once as the machine's vectors hold; how much of the core's peak\n"
    "floating-point rate that is; and MuJoCo's nearest functions beside them, if this build has it.\n"
    "\n"
    "  --json FILE   also write the figures as a list of {case, metric, value, unit}; - is the standard output,\n"
    "                which then has no table\n"
    "  --quick       3 seconds instead of 40: within a few per cent on a calm machine\n"
    "  --models DIR  where solo12.urdf and romeo.urdf are\n"
    "  --isa NAME    base, avx2 or avx512 instead of the best this machine has\n"
    "  --markdown    print the table as it stands in docs/performance.md\n"
    "  --count       run every kernel once, for counting instructions with callgrind (bench/count_instructions.sh)\n";

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

// The exit status.
static int write_rows(const bench_dynamics_run *run, bench_late_file *json)
{
  bench_rows *rows = bench_rows_create();
  if (rows)
    bench_dynamics_rows(run, rows);
  const int status = bench_request_save(rows, json);
  bench_rows_destroy(rows);
  return status;
}

static int measure(const bench_request *r, bench_dynamics_run *run, bench_late_file *json)
{
  bench_run(run->tasks, run->task_count, r->is_quick ? 3 : 40, 5);
  const int is_for_rows = json->file == stdout;
  if (r->is_markdown && !is_for_rows)
    bench_dynamics_markdown(run);
  else if (!is_for_rows)
    bench_dynamics_print(run);
  return r->json ? write_rows(run, json) : FFI_EXIT_OK;
}

static int perform(const bench_request *r, bench_late_file *json)
{
  ff_error error;
  int status = FFI_EXIT_OK;
  bench_dynamics_run *run = ffi_need_memory(NULL, sizeof *run);
  if (bench_dynamics_open(r->models, r->isa, run, &error) != FF_OK) {
    ffi_complain("%s", error.message);
    status = FFI_EXIT_FAILED;
  } else {
    if (r->is_count)
      count(run);
    else
      status = measure(r, run, json);
    bench_dynamics_close(run);
  }
  free(run);
  return status;
}

int bench_dynamics(int argc, char **argv)
{
  static const bench_command command = {
      .name = "bench dynamics", .help = help, .has_isa = 1, .has_count = 1, .perform = perform};
  return bench_request_run(&command, argc, argv);
}
