// Decides between the hardware counter and callgrind.
#include "micro/step_count.h"

#include "common/callgrind.h"

#include <stdio.h>
#include <string.h>

static void take(void *context, const char *which, const char *metric, double instructions)
{
  bench_step_run *run = context;
  for (int t = 0; t < run->task_count; ++t) {
    const char *task_case;
    char task_metric[64];
    bench_step_run_task_name(run, t, &task_case, task_metric, sizeof task_metric);
    if (strcmp(task_case, which) == 0 && strcmp(task_metric, metric) == 0)
      run->tasks[t].instructions = instructions;
  }
}

void bench_step_count(bench_step_run *run, const bench_command_request *request)
{
  if (run->task_count > 0 && run->tasks[0].instructions > 0) {
    run->counted = "perf";
    run->counted_isa = run->isa;
  } else if (request->has_instructions || !request->is_quick) {
    bench_callgrind_job job = {
        .bench = "step", .request = request, .take = take, .context = run, .isa = run->isa};
    run->counted = bench_callgrind_again(&job) > 0 ? "callgrind" : NULL;
    run->counted_isa = job.isa;
    snprintf(run->counted_why, sizeof run->counted_why, "%s", job.why);
  } else {
    snprintf(run->counted_why, sizeof run->counted_why,
             "the kernel allows no hardware counter; --instructions counts with valgrind");
  }
}
