// footfall bench step: how long one step takes, stepper by stepper.
#include "bench.h"
#include "cli/complain.h"
#include "cli/units.h"
#include "common/callgrind.h"
#include "common/request.h"
#include "micro/step_count.h"
#include "micro/step_report.h"
#include "micro/step_run.h"

#include <stdio.h>
#include <stdlib.h>

static int is_case(const char *name)
{
  char names[BENCH_STEP_CASES][32];
  const char *known[BENCH_STEP_CASES + 1] = {"box"};
  int index;
  for (int i = 0; i < BENCH_STEP_CASES; ++i) {
    bench_step_case_name(i, names[i]);
    known[i + 1] = names[i];
  }
  return ffi_read_word("--case", name, known, BENCH_STEP_CASES + 1, &index);
}

// Every task once, in order.
static void count(const bench_step_run *run)
{
  for (int t = 0; t < run->task_count; ++t) {
    const char *which;
    char metric[64];
    bench_step_task_name(run, t, &which, metric, sizeof metric);
    bench_callgrind_sweep(&run->tasks[t], which, metric);
  }
}

static void measure(const bench_request *r, bench_step_run *run, bench_rows *rows)
{
  bench_run(run->tasks, run->task_count, r->is_quick ? 2 : 60, r->is_quick ? 2 : 5);
  bench_step_phases(run, r->is_quick ? 20 : 500);
  bench_step_count(run, r->models, r->chosen, r->has_instructions || !r->is_quick);
  if (r->is_markdown && !r->is_silent)
    bench_step_markdown(run);
  else if (!r->is_silent)
    bench_step_print(run);
  if (rows)
    bench_step_rows(run, rows);
}

static int perform(const bench_request *r, bench_rows *rows)
{
  ff_error error;
  bench_step_run *run = ffi_need_memory(NULL, sizeof *run);
  const int is_open = bench_step_open(r->models, r->chosen, r->isa, run, &error) == FF_OK;
  if (!is_open)
    ffi_complain("%s", error.message);
  else if (r->is_count)
    count(run);
  else
    measure(r, run, rows);
  if (is_open)
    bench_step_close(run);
  free(run);
  return is_open ? FFI_EXIT_OK : FFI_EXIT_FAILED;
}

int bench_step(int argc, char **argv)
{
  static const bench_command command = {.name = "step", .is_case = is_case, .perform = perform};
  return bench_request_run(&command, argc, argv);
}
