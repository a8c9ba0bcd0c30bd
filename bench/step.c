// footfall bench step: how long one step takes, stepper by stepper.
#include "../apps/complain.h"
#include "../apps/options.h"
#include "../apps/units.h"
#include "bench.h"
#include "late_file.h"
#include "step_count.h"
#include "step_report.h"
#include "step_run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "footfall bench step [options]\n"
    "\n"
    "Microseconds per step of every stepper on robots that stand: solo12 on four feet and on two, romeo on eight\n"
    "contact points; the phases of a step; how it grows with contacts, on a box with 1 to 100 of them; and MuJoCo's\n"
    "mj_step beside it, if this build has it.\n"
    "\n"
    "  --json FILE   also write the figures as a list of {case, metric, value, unit}; - is the standard output,\n"
    "                which then has no table\n"
    "  --case NAME   only this one: solo12-stand4, solo12-stand2, romeo-stand8, box-1 to box-100, or box for all of these\n"
    "  --quick       2 seconds instead of 60: a first impression\n"
    "  --models DIR  where solo12.urdf and romeo.urdf are\n"
    "  --isa NAME    base, avx2 or avx512 instead of the best this machine has\n"
    "  --markdown    print the tables as they stand in docs/performance.md\n"
    "  --instructions  count them with valgrind also after --quick; else only a whole run does, which takes 40 s more.\n"
    "                Where the kernel lets a program read the processor's counter, that is used, always\n"
    "  --count       run every sweep once, for counting instructions with callgrind, as the option above does\n";

enum {
  OPTION_JSON,
  OPTION_CASE,
  OPTION_QUICK,
  OPTION_MODELS,
  OPTION_ISA,
  OPTION_MARKDOWN,
  OPTION_COUNT,
  OPTION_INSTRUCTIONS
};

static const ffi_option options[] = {
    [OPTION_JSON] = {"--json", 1},   [OPTION_CASE] = {"--case", 1},
    [OPTION_QUICK] = {"--quick", 0}, [OPTION_MODELS] = {"--models", 1},
    [OPTION_ISA] = {"--isa", 1},     [OPTION_MARKDOWN] = {"--markdown", 0},
    [OPTION_COUNT] = {"--count", 0}, [OPTION_INSTRUCTIONS] = {"--instructions", 0},
};

typedef struct request {
  const char *json, *models, *chosen; // NULL: not said
  int is_quick, is_count, is_markdown, has_instructions;
  ff_isa isa;
} request;

static int read_case(const char *name, const char **chosen)
{
  char names[BENCH_STEP_CASES][32];
  const char *known[BENCH_STEP_CASES + 1] = {"box"};
  int index;
  for (int i = 0; i < BENCH_STEP_CASES; ++i) {
    bench_step_case_name(i, names[i]);
    known[i + 1] = names[i];
  }
  *chosen = name;
  return ffi_read_word("--case", name, known, BENCH_STEP_CASES + 1, &index);
}

static int read_isa(const char *name, ff_isa *isa)
{
  const char *names[FF_ISA_AVX512 + 1];
  int index;
  for (int k = FF_ISA_AUTO; k <= FF_ISA_AVX512; ++k)
    names[k] = ff_isa_name((ff_isa)k);
  if (!ffi_read_word("--isa", name, names, FF_ISA_AVX512 + 1, &index))
    return 0;
  *isa = (ff_isa)index;
  return 1;
}

static int read_option(int which, const char *value, request *out)
{
  switch (which) {
  case OPTION_JSON: out->json = value; return 1;
  case OPTION_CASE: return read_case(value, &out->chosen);
  case OPTION_QUICK: out->is_quick = 1; return 1;
  case OPTION_MODELS: out->models = value; return 1;
  case OPTION_ISA: return read_isa(value, &out->isa);
  case OPTION_MARKDOWN: out->is_markdown = 1; return 1;
  case OPTION_COUNT: out->is_count = 1; return 1;
  case OPTION_INSTRUCTIONS: out->has_instructions = 1; return 1;
  case FFI_ARG_OPERAND: ffi_complain("'bench step' takes options only, '%s' is too much", value); return 0;
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
                   .command = "bench step"};
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
static void count(const bench_step_run *run)
{
  for (int t = 0; t < run->task_count; ++t) {
    const char *which;
    char metric[64];
    bench_step_task_name(run, t, &which, metric, sizeof metric);
    printf("%s %s %.0f\n", which, metric, run->tasks[t].calls);
    run->tasks[t].prepare(run->tasks[t].context);
    bench_sweep_once(&run->tasks[t]);
  }
}

// Returns 0 after a complaint.
static int write_rows(const bench_step_run *run, bench_late_file *json)
{
  bench_rows *rows = bench_rows_create();
  if (rows)
    bench_step_rows(run, rows);
  const int is_written = bench_rows_save(rows, json);
  if (!is_written)
    ffi_complain("%s: could not be written: %s", json->path, strerror(errno));
  bench_rows_destroy(rows);
  return is_written;
}

static int measure(const request *r, bench_step_run *run, bench_late_file *json)
{
  const int is_for_rows = json->file == stdout;
  bench_run(run->tasks, run->task_count, r->is_quick ? 2 : 60, r->is_quick ? 2 : 5);
  bench_step_phases(run, r->is_quick ? 20 : 500);
  bench_step_count(run, r->models, r->chosen, r->has_instructions || !r->is_quick);
  if (r->is_markdown && !is_for_rows)
    bench_step_markdown(run);
  else if (!is_for_rows)
    bench_step_print(run);
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
  bench_step_run *run = ffi_need_memory(NULL, sizeof *run);
  if (bench_step_open(r->models, r->chosen, r->isa, run, &error) != FF_OK) {
    ffi_complain("%s", error.message);
  } else {
    status = FFI_EXIT_OK;
    if (r->is_count)
      count(run);
    else
      status = measure(r, run, &json);
    bench_step_close(run);
  }
  bench_late_file_forget(&json);
  free(run);
  return status;
}

int bench_step(int argc, char **argv)
{
  request r = {.isa = FF_ISA_AUTO};
  if (ffi_args_ask_help(argc, argv)) {
    fputs(help, stdout);
    return FFI_EXIT_OK;
  }
  return read_request(argc, argv, &r) ? perform(&r) : FFI_EXIT_USAGE;
}
