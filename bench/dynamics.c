// footfall bench dynamics: how long every dynamics kernel takes on solo12 and romeo.
#include "bench.h"
#include "dynamics_report.h"
#include "dynamics_run.h"
#include "rows.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_FAILED = 1, EXIT_USAGE = 2 };

static const char help[] =
    "usage: footfall bench dynamics [--json FILE] [--quick] [--models DIR] [--isa NAME]\n"
    "                               [--markdown] [--count]\n"
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

typedef struct options {
  const char *json, *models;
  double seconds;
  ff_isa isa;
  int is_count, is_markdown;
} options;

static int complain(const char *what, const char *which)
{
  fprintf(stderr, "footfall bench dynamics: %s%.300s\nTry --help.\n", what, which);
  return EXIT_USAGE;
}

static int read_isa(const char *name, ff_isa *isa)
{
  for (int k = FF_ISA_AUTO; k <= FF_ISA_AVX512; ++k)
    if (strcmp(name, ff_isa_name((ff_isa)k)) == 0) {
      *isa = (ff_isa)k;
      return 0;
    }
  return complain("no instruction set of ours: ", name);
}

// 0, or the exit status.
static int read_options(int argc, char **argv, options *o)
{
  for (int i = 1; i < argc; ++i) {
    const char *word = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
    if (strcmp(word, "--quick") == 0) {
      o->seconds = 3;
    } else if (strcmp(word, "--count") == 0) {
      o->is_count = 1;
    } else if (strcmp(word, "--markdown") == 0) {
      o->is_markdown = 1;
    } else if (strcmp(word, "--json") != 0 && strcmp(word, "--models") != 0 && strcmp(word, "--isa") != 0) {
      return complain("no such option: ", word);
    } else if (!value) {
      return complain("a value is missing after ", word);
    } else {
      ++i;
      if (strcmp(word, "--json") == 0)
        o->json = value;
      else if (strcmp(word, "--models") == 0)
        o->models = value;
      else if (read_isa(value, &o->isa))
        return EXIT_USAGE;
    }
  }
  return 0;
}

// Every task once, through bench_sweep_once, naming them in order: case, metric, calls.
static void count(const bench_dynamics_run *run)
{
  for (int t = 0; t < run->task_count; ++t) {
    const bench_task *task = &run->tasks[t];
    const char *which;
    char metric[64];
    bench_dynamics_task_name(run, t, &which, metric, sizeof metric);
    printf("%s %s %.0f\n", which, metric, task->calls);
    if (task->prepare)
      task->prepare(task->context);
    bench_sweep_once(task);
  }
}

static int report(const bench_dynamics_run *run, const char *json, int is_markdown)
{
  if (is_markdown)
    bench_dynamics_markdown(run);
  else if (!json || strcmp(json, "-") != 0)
    bench_dynamics_print(run);
  if (!json)
    return 0;
  bench_rows *rows = bench_rows_create();
  errno = ENOMEM;
  if (rows)
    bench_dynamics_rows(run, rows);
  const int is_written = rows && bench_rows_write(rows, json);
  if (!is_written)
    fprintf(stderr, "footfall bench dynamics: %s: not written: %s\n", json, strerror(errno));
  bench_rows_destroy(rows);
  return is_written ? 0 : EXIT_FAILED;
}

int bench_dynamics(int argc, char **argv)
{
  options o = {.seconds = 40, .isa = FF_ISA_AUTO};
  for (int i = 1; i < argc; ++i)
    if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
      return fputs(help, stdout) < 0;
  const int status = read_options(argc, argv, &o);
  if (status)
    return status;

  bench_dynamics_run *run = malloc(sizeof *run);
  ff_error error;
  if (!run || bench_dynamics_open(o.models, o.isa, run, &error) != FF_OK) {
    fprintf(stderr, "footfall bench dynamics: %s\n", run ? error.message : "no memory");
    free(run);
    return EXIT_FAILED;
  }
  int result = 0;
  if (o.is_count) {
    count(run);
  } else {
    bench_run(run->tasks, run->task_count, o.seconds, 5);
    result = report(run, o.json, o.is_markdown);
  }
  bench_dynamics_close(run);
  free(run);
  return result;
}
