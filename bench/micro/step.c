// footfall bench step: the time of one step, stepper by stepper.
#include "bench.h"
#include "cli/error_message.h"
#include "cli/memory.h"
#include "cli/options/option_value.h"
#include "cli/program.h"
#include "common/callgrind.h"
#include "common/command.h"
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
  return ffi_option_value_word("--case", name, known, BENCH_STEP_CASES + 1, &index);
}

// Every task once, in order.
static void count(const bench_step_run *run)
{
  for (int t = 0; t < run->task_count; ++t) {
    const char *which;
    char metric[64];
    bench_step_run_task_name(run, t, &which, metric, sizeof metric);
    bench_callgrind_sweep(&run->tasks[t], which, metric);
  }
}

static void measure(const bench_command_request *r, bench_step_run *run, bench_json_rows *rows)
{
  bench_timer_run(run->tasks, run->task_count, r->is_quick ? 2 : 60, r->is_quick ? 2 : 5);
  bench_step_run_phases(run, r->is_quick ? 20 : 500);
  bench_step_count(run, r);
  if (r->is_markdown && !r->is_silent)
    bench_step_report_markdown(run);
  else if (!r->is_silent)
    bench_step_report_print(run);
  if (rows)
    bench_step_report_rows(run, rows);
}

static int perform(const void *context, const bench_command_request *r, bench_json_rows *rows)
{
  (void)context;
  ff_error error;
  bench_step_run *run = ffi_memory_need(NULL, sizeof *run);
  const bench_step_folders folders = {r->models, r->scenes};
  const int is_open = bench_step_run_open(&folders, r->chosen, r->isa, run, &error) == FF_OK;
  if (!is_open)
    ffi_error_message("%s", error.message);
  else if (r->is_count)
    count(run);
  else
    measure(r, run, rows);
  if (is_open)
    bench_step_run_close(run);
  free(run);
  return is_open ? FFI_EXIT_OK : FFI_EXIT_FAILED;
}

const bench_command bench_step_command = {.name = "step", .is_case = is_case, .perform = perform};
