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
  static const bench_command command = {
      .name = "bench dynamics", .help = help, .has_isa = 1, .has_count = 1, .perform = perform};
  return bench_request_run(&command, argc, argv);
}
