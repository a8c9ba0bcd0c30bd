// Decides between the hardware counter and callgrind.
#include "micro/step_count.h"

#include "common/callgrind.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

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

// The best instruction set that valgrind supports.
static ff_isa isa_for_callgrind(ff_isa isa)
{
  return isa == FF_ISA_AVX512 ? FF_ISA_AVX2 : isa;
}

static void count_with_callgrind(bench_step_run *run, const char *models, const char *chosen)
{
  const ff_isa isa = isa_for_callgrind(run->isa);
  const char *arguments[9] = {"step", "--count", "--isa", ff_isa_name(isa)};
  int count = 4;
  if (models) {
    arguments[count++] = "--models";
    arguments[count++] = models;
  }
  if (chosen) {
    arguments[count++] = "--case";
    arguments[count++] = chosen;
  }
  if (isatty(STDERR_FILENO))
    fprintf(stderr, "\rcounting instructions under valgrind ");
  if (bench_callgrind(arguments, take, run, run->counted_why, sizeof run->counted_why)) {
    run->counted = "callgrind";
    run->counted_isa = isa;
  }
  if (isatty(STDERR_FILENO))
    fprintf(stderr, "\r%60s\r", "");
}

void bench_step_count(bench_step_run *run, const char *models, const char *chosen, int is_wanted)
{
  if (run->task_count > 0 && run->tasks[0].instructions > 0) {
    run->counted = "perf";
    run->counted_isa = run->isa;
  } else if (is_wanted) {
    count_with_callgrind(run, models, chosen);
  } else {
    snprintf(run->counted_why, sizeof run->counted_why,
             "the kernel allows no hardware counter; --instructions counts with valgrind");
  }
}
