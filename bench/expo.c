// footfall bench expo: how wrong the exponential steppers are, and what their parts are worth.
#include "expo.h"

#include "../apps/complain.h"
#include "../apps/options.h"
#include "../apps/units.h"
#include "bench.h"
#include "find_model.h"

#include <footfall/load.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char help[] =
    "footfall bench expo [options]\n"
    "\n"
    "Errors of the exponential steppers against fine solutions, and what each of their parts is worth: the orders of the\n"
    "exponential, the corrector, events inside the step, the law of friction, motors inside the step. The tables of docs/theory.\n"
    "\n"
    "  --json FILE   also write the figures as a list of {case, metric, value, unit}; - is the standard output,\n"
    "                which then has no table\n"
    "  --case NAME   only this one: orders, stance, landing, sliding, slope, motors\n"
    "  --quick       a few seconds instead of a minute: fewer step lengths, coarser truths\n"
    "  --models DIR  where solo12.urdf is\n"
    "  --markdown    print the tables as they stand in docs/theory\n";

enum { OPTION_JSON, OPTION_CASE, OPTION_QUICK, OPTION_MODELS, OPTION_MARKDOWN };

static const ffi_option options[] = {
    [OPTION_JSON] = {"--json", 1},     [OPTION_CASE] = {"--case", 1},         [OPTION_QUICK] = {"--quick", 0},
    [OPTION_MODELS] = {"--models", 1}, [OPTION_MARKDOWN] = {"--markdown", 0},
};

static const struct {
  const char *name;
  ff_status (*run)(const bench_expo_run *bench, ff_error *error);
} cases[] = {
    {"orders", bench_expo_orders},   {"stance", bench_expo_stance}, {"landing", bench_expo_landing},
    {"sliding", bench_expo_sliding}, {"slope", bench_expo_slope},   {"motors", bench_expo_motors},
};
enum { CASES = sizeof cases / sizeof *cases };

typedef struct request {
  const char *json;
  int chosen; // -1: all
  bench_expo_run bench;
} request;

void bench_expo_row(const bench_expo_run *b, const char *which, const char *metric, double value,
                    const char *unit)
{
  if (b->rows)
    bench_rows_add(b->rows, which, metric, value, unit);
}

ff_status bench_expo_solo12(const bench_expo_run *b, ff_model **model, ff_error *error)
{
  char path[4096];
  if (bench_find_model(b->models, "solo12.urdf", path, sizeof path))
    return ff_model_load(path, NULL, model, error);
  snprintf(error->message, sizeof error->message,
           "%.500s: cannot be read; --models DIR says where the models are", path);
  return error->status = FF_ERROR_FILE;
}

static int read_case(const char *name, int *chosen)
{
  const char *known[CASES];
  for (int i = 0; i < CASES; ++i)
    known[i] = cases[i].name;
  return ffi_read_word("--case", name, known, CASES, chosen);
}

static int read_option(int which, const char *value, request *out)
{
  switch (which) {
  case OPTION_JSON: out->json = value; return 1;
  case OPTION_CASE: return read_case(value, &out->chosen);
  case OPTION_QUICK: out->bench.is_quick = 1; return 1;
  case OPTION_MODELS: out->bench.models = value; return 1;
  case OPTION_MARKDOWN: out->bench.sheet.is_markdown = 1; return 1;
  case FFI_ARG_OPERAND: ffi_complain("'bench expo' takes options only, '%s' is too much", value); return 0;
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
                   .command = "bench expo"};
  int which;
  while ((which = ffi_args_next(&args)) != FFI_ARG_END) {
    if (!read_option(which, args.value, out))
      return 0;
  }
  return 1;
}

static int run_cases(const request *r)
{
  ff_error error = {0};
  for (int i = 0; i < CASES; ++i)
    if (r->chosen < 0 || r->chosen == i) {
      if (cases[i].run(&r->bench, &error) != FF_OK) {
        ffi_complain("%s: %s", cases[i].name, error.message[0] ? error.message : "no memory");
        return FFI_EXIT_FAILED;
      }
    }
  return FFI_EXIT_OK;
}

static int perform(request *r)
{
  bench_late_file json = {0};
  if (r->json && !bench_late_file_check(&json, r->json)) {
    ffi_complain("%s: cannot be written: %s", r->json, strerror(errno));
    return FFI_EXIT_FAILED;
  }
  r->bench.sheet.is_silent = r->json && json.file == stdout;
  r->bench.rows = r->json ? bench_rows_create() : NULL;
  int status = run_cases(r);
  if (r->json && status == FFI_EXIT_OK && !bench_rows_save(r->bench.rows, &json)) {
    ffi_complain("%s: could not be written: %s", r->json, strerror(errno));
    status = FFI_EXIT_FAILED;
  }
  bench_rows_destroy(r->bench.rows);
  bench_late_file_forget(&json);
  return status;
}

int bench_expo(int argc, char **argv)
{
  request r = {.chosen = -1, .bench = {.sheet = {.first_width = 23, .width = 15}}};
  if (ffi_args_ask_help(argc, argv)) {
    fputs(help, stdout);
    return FFI_EXIT_OK;
  }
  return read_request(argc, argv, &r) ? perform(&r) : FFI_EXIT_USAGE;
}
