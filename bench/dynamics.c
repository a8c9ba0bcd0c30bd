// footfall bench dynamics: how long every dynamics kernel takes on solo12 and romeo.
#include "../apps/complain.h"
#include "../apps/options.h"
#include "bench.h"
#include "dynamics_report.h"
#include "dynamics_run.h"
#include "late_file.h"
#include "rows.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

enum { OPTION_JSON, OPTION_QUICK, OPTION_MODELS, OPTION_ISA, OPTION_MARKDOWN, OPTION_COUNT };

static const ffi_option options[] = {
    [OPTION_JSON] = {"--json", 1}, [OPTION_QUICK] = {"--quick", 0},       [OPTION_MODELS] = {"--models", 1},
    [OPTION_ISA] = {"--isa", 1},   [OPTION_MARKDOWN] = {"--markdown", 0}, [OPTION_COUNT] = {"--count", 0},
};

typedef struct request {
  const char *json, *models; // NULL: not said
  double seconds;
  ff_isa isa;
  int is_count, is_markdown;
} request;

static int read_isa(const char *name, ff_isa *isa)
{
  const char *names[FF_ISA_AVX512 + 1];
  for (int k = FF_ISA_AUTO; k <= FF_ISA_AVX512; ++k) {
    names[k] = ff_isa_name((ff_isa)k);
    if (strcmp(name, names[k]) == 0) {
      *isa = (ff_isa)k;
      return 1;
    }
  }
  const char *meant = ffi_suggest(name, names, FF_ISA_AVX512 + 1);
  if (meant)
    ffi_complain("'--isa %s' is not known; did you mean '%s'?", name, meant);
  else
    ffi_complain("'--isa %s' is not known; it is base, avx2, avx512 or auto", name);
  return 0;
}

static int read_option(int which, const char *value, request *out)
{
  switch (which) {
  case OPTION_JSON: out->json = value; return 1;
  case OPTION_QUICK: out->seconds = 3; return 1;
  case OPTION_MODELS: out->models = value; return 1;
  case OPTION_ISA: return read_isa(value, &out->isa);
  case OPTION_MARKDOWN: out->is_markdown = 1; return 1;
  case OPTION_COUNT: out->is_count = 1; return 1;
  case FFI_ARG_OPERAND:
    ffi_complain("'bench dynamics' takes options only, '%s' is too much", value);
    return 0;
  default: return 0;
  }
}

// Returns 0 after a complaint.
static int read_request(int argc, char **argv, request *out)
{
  ffi_args args = {.argc = argc,
                   .argv = argv,
                   .options = options,
                   .option_count = (int)(sizeof options / sizeof options[0]),
                   .command = "bench dynamics"};
  int which;
  while ((which = ffi_args_next(&args)) != FFI_ARG_END) {
    if (!read_option(which, args.value, out))
      return 0;
  }
  if (out->is_count && out->json) {
    ffi_complain("'--count' measures nothing that '--json' could write");
    return 0;
  }
  return 1;
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

// Returns 0 after a complaint.
static int write_rows(const bench_dynamics_run *run, bench_late_file *json)
{
  bench_rows *rows = bench_rows_create();
  if (rows)
    bench_dynamics_rows(run, rows);
  const int is_written = bench_rows_save(rows, json);
  if (!is_written)
    ffi_complain("%s: could not be written: %s", json->path, strerror(errno));
  bench_rows_destroy(rows);
  return is_written;
}

static int measure(const request *r, bench_dynamics_run *run, bench_late_file *json)
{
  bench_run(run->tasks, run->task_count, r->seconds, 5);
  const int is_for_rows = json->file == stdout;
  if (r->is_markdown && !is_for_rows)
    bench_dynamics_markdown(run);
  else if (!is_for_rows)
    bench_dynamics_print(run);
  return !r->json || write_rows(run, json) ? FFI_EXIT_OK : FFI_EXIT_FAILED;
}

static int perform(const request *r)
{
  bench_late_file json = {0};
  ff_error error;
  int status = FFI_EXIT_FAILED;
  if (r->json && !bench_late_file_check(&json, r->json)) {
    ffi_complain("%s: cannot be written: %s", r->json, strerror(errno));
    return status;
  }
  bench_dynamics_run *run = ffi_need_memory(NULL, sizeof *run);
  if (bench_dynamics_open(r->models, r->isa, run, &error) != FF_OK) {
    ffi_complain("%s", error.message);
  } else {
    status = FFI_EXIT_OK;
    if (r->is_count)
      count(run);
    else
      status = measure(r, run, &json);
    bench_dynamics_close(run);
  }
  bench_late_file_forget(&json);
  free(run);
  return status;
}

int bench_dynamics(int argc, char **argv)
{
  request r = {.seconds = 40, .isa = FF_ISA_AUTO};
  if (ffi_args_ask_help(argc, argv)) {
    fputs(help, stdout);
    return FFI_EXIT_OK;
  }
  return read_request(argc, argv, &r) ? perform(&r) : FFI_EXIT_USAGE;
}
